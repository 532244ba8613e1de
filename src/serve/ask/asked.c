#include "serve/ask/asked.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "serve/ask/own.h"
#include <string.h>

/* Those of the command line that the question replaces. */
static void drop(gpai_options *o, enum option_id id)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->repeats; i++)
        if (o->repeat[i].option != (int)id)
            o->repeat[kept++] = o->repeat[i];
    o->repeats = kept;
    o->given[id] = false;
}

gpa_status asked_open(struct asked *a, struct exchange *x, gpa_model *model,
                      const char *command, gpa_error *err)
{
    *a = (struct asked){.x = x, .began = exchange_now()};
    gpa_status st = question_take(&a->question, &x->ask, err);
    const struct question *q = &a->question;
    gpa_study *base = x->on->study;
    if (command == NULL)
        command = q->of != NULL ? q->of : "explain";
    gpai_options given = base->given;
    if (q->drop_freeze)
        drop(&given, OPT_FREEZE);
    if (q->drop_bounds)
        drop(&given, OPT_BOUNDS);
    if (st == GPA_OK && q->own > 0)
        st = own_open(a, &given, command, model, err);
    else if (st == GPA_OK)
        st = gpai_study_again(&a->study, base, &given, command, q->settings, q->n,
                              model, err);
    if (st == GPA_OK && a->study->chosen.n > EXPLAIN_ROWS)
        st = gpai_fail(err, GPA_INVALID, "%zu rows, at most %d", a->study->chosen.n,
                       (int)EXPLAIN_ROWS);
    return st;
}

/* Whether a command can ask the same: the data is a file, and rows of one's own are few
 * enough to be judged by it. */
static bool can_be_typed(const struct asked *a)
{
    enum { FEW = 20 }; /* rows, as --reference has it */
    const gpai_options *o = &a->x->on->study->given;
    return o->file != NULL && strcmp(o->file, "-") != 0 &&
           (a->question.own == 0 ||
            (a->question.own < FEW && !o->given[OPT_REFERENCE]));
}

void asked_command(gpa_text *t, const struct asked *a, const char *ends)
{
    size_t start = t->length;
    if (!can_be_typed(a)) {
        gpai_text_add(t, "null");
        return;
    }
    gpai_study_command(t, a->study, ends);
    gpai_json_string_tail(t, start);
}

void asked_close(struct asked *a, gpa_status st, uint64_t model_rows,
                 const gpa_error *err)
{
    struct exchange *x = a->x;
    struct metrics *m = &x->on->metrics;
    atomic_fetch_add(&m->model_rows, model_rows);
    atomic_fetch_add(&m->milliseconds,
                     (uint64_t)(1e3 * (exchange_now() - a->began) + 0.5));
    if (st == GPA_STOPPED)
        atomic_fetch_add(&m->cancelled, 1);
    if (st != GPA_OK)
        exchange_failed(x, st, err);
    x->reply.asked = true;
    x->reply.model_rows = model_rows;
    gpa_study_free(a->study);
    question_free(&a->question);
}
