#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "report/page.h"
#include "serve/answers.h"
#include "serve/ask/asked.h"
#include "serve/values.h"
#include <math.h>

/* Explanations, whole or in stages; verdicts for the list; what if. */

/* One under way. */
struct explaining {
    struct exchange *x;
    struct asked a;
    gpa_report_info info;
    gpa_text *text; /* the answer, or an event */
    bool who;       /* only who, for the list */
    size_t index;   /* of the explanation */
    size_t count;   /* those that are written */
    uint64_t model_rows, model_calls;
};

static void event(struct explaining *w, const char *name, size_t id)
{
    exchange_event(w->x, name, id, w->text);
    gpa_text_clear(w->text);
}

/* An explanation as far as it is: the words of it, and a result of one explanation. */
static gpa_status send_explanation(struct explaining *w, const char *name,
                                   const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = gpa_report_answer(w->text, &w->info, e, err);
    if (st != GPA_OK)
        return st;
    event(w, "answer", w->index);
    st = gpa_report_begin(w->text, GPA_FORMAT_JSON, &w->info, e, err);
    if (st == GPA_OK)
        st = gpa_report_explanation(w->text, GPA_FORMAT_JSON, &w->info, e, 0, err);
    if (st == GPA_OK)
        st = gpa_report_end(w->text, GPA_FORMAT_JSON, &w->info, err);
    if (st == GPA_OK)
        event(w, name, w->index);
    return st;
}

static int show_stage(void *ctx, const gpa_explanation *e)
{
    struct explaining *w = ctx;
    bool verdict = gpa_explanation_stage(e) == GPA_STAGE_VERDICT;
    if (w->a.question.plain && verdict)
        (void)!serving_learn(w->x->on, e, NULL);
    if (w->who)
        return 1; /* it is all there is to know */
    if (w->x->ask.events && w->a.question.until != UNTIL_VERDICT)
        (void)!send_explanation(w, verdict ? "verdict" : "change", e, NULL);
    return verdict && w->a.question.until == UNTIL_VERDICT;
}

static void send_who(struct explaining *w, size_t row)
{
    struct who who = serving_who(w->x->on, row);
    gpa_text *t = w->text;
    if (!w->x->ask.events)
        gpai_json_comma(t);
    gpai_text_add(t, "{");
    gpai_json_count_field(t, "row", row);
    if (who.verdict != GPA_VERDICT_UNKNOWN)
        values_who(t, w->x->on, &who);
    gpai_text_add(t, "}");
    if (w->x->ask.events)
        event(w, "who", w->index);
}

static gpa_status take(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    struct explaining *w = ctx;
    const gpa_summary *s = gpa_explanation_summary(e);
    gpa_status st = GPA_OK;
    w->model_rows += s->model_rows;
    w->model_calls += s->model_calls;
    atomic_fetch_add(&w->x->on->metrics.explanations, 1);
    if (w->a.question.plain)
        st = serving_learn(w->x->on, e, err);
    if (st != GPA_OK)
        return st;
    if (w->who) {
        send_who(w, gpa_explanation_row(e, 0));
    } else if (w->x->ask.events) {
        st = send_explanation(
            w, w->a.question.until == UNTIL_VERDICT ? "verdict" : "explanation", e,
            err);
    } else {
        if (w->count == 0)
            st = gpa_report_begin(w->text, GPA_FORMAT_JSON, &w->info, e, err);
        if (st == GPA_OK)
            st = gpa_report_explanation(w->text, GPA_FORMAT_JSON, &w->info, e, w->count,
                                        err);
    }
    w->count++;
    w->index = index + 1;
    return st;
}

static void send_start(struct explaining *w, size_t explanations)
{
    if (!w->x->ask.events)
        return;
    gpai_text_add(w->text, "{");
    gpai_text_printf(w->text, "\"job\":\"%u\"", w->x->id);
    gpai_json_count_field(w->text, "explanations", explanations);
    gpai_text_add(w->text, "}");
    event(w, "start", SIZE_MAX);
}

static void send_done(struct explaining *w)
{
    if (!w->x->ask.events)
        return;
    gpai_text_add(w->text, "{");
    values_field(w->text, "ms", 1e3 * (exchange_now() - w->x->began));
    gpai_json_count_field(w->text, "model_rows", w->model_rows);
    gpai_json_count_field(w->text, "model_calls", w->model_calls);
    gpai_json_key(w->text, "command");
    asked_command(w->text, &w->a, " --json");
    gpai_text_add(w->text, "}");
    event(w, "done", SIZE_MAX);
}

static gpa_status run(struct explaining *w, gpa_error *err)
{
    struct exchange *x = w->x;
    gpa_study *s = w->a.study;
    size_t n = s->chosen.n;
    w->info = *gpa_study_info(s);
    w->info.explanations = w->a.question.collective ? 1 : n;
    if (w->a.question.profiles) {
        w->info.full = true;
        w->info.background = NULL;
    }
    gpai_study_set_stage(s, show_stage, w);
    gpa_study_set_progress(s, exchange_ends, x);
    send_start(w, w->info.explanations);
    if (w->who)
        gpai_text_add(w->text, x->ask.events ? "" : "{\"rows\":[");
    gpa_status st = gpa_study_explain(s, NULL, 0, false, take, w, err);
    if (st == GPA_OK && !x->ask.events && w->who)
        gpai_text_add(w->text, "]}\n");
    if (st == GPA_OK && !x->ask.events && !w->who)
        st = gpa_report_end(w->text, GPA_FORMAT_JSON, &w->info, err);
    if (st == GPA_OK)
        send_done(w);
    return st;
}

static void explain(struct exchange *x, gpa_model *model, bool who)
{
    struct explaining w = {.x = x, .who = who};
    gpa_error err = {0};
    gpa_status st = asked_open(&w.a, x, model, "explain", &err);
    if (st == GPA_OK && x->ask.events)
        st = gpa_text_new(&w.text, &err);
    else if (st == GPA_OK && (w.text = reply_text(&x->reply, TYPE_JSON)) == NULL)
        st = gpai_nomem(&err, "serve");
    if (st == GPA_OK)
        st = run(&w, &err);
    if (x->ask.events)
        gpa_text_free(w.text);
    asked_close(&w.a, st, w.model_rows, &err);
}

void answer_explain(struct exchange *x, gpa_model *model)
{
    explain(x, model, false);
}

void answer_who(struct exchange *x, gpa_model *model)
{
    explain(x, model, true);
}

/* What if. */

static void write_prediction(gpa_text *t, const gpa_study *s, double y, double f)
{
    const gpa_sample one = {.y = &y, .f = &f, .x = &y, .n = 1, .d = 1};
    double off = (y - f) / s->sigma, score = (double)NAN;
    if (isfinite(off) && gpa_score(&one, s->sigma, &score, NULL, NULL) != GPA_OK)
        score = (double)NAN;
    gpai_json_comma(t);
    gpai_text_add(t, "{");
    values_field(t, "f", f);
    values_field(t, "y", y);
    values_field(t, "off", y - f);
    values_field(t, "off_sigma", off);
    values_field(t, "score", score);
    gpai_json_key(t, "normal");
    gpai_text_add(t, !isfinite(off) ? "null" : fabs(off) <= 2 ? "true" : "false");
    gpai_text_add(t, "}");
}

void answer_predict(struct exchange *x, gpa_model *model)
{
    struct asked a;
    gpa_error err = {0};
    double *block = NULL, *y = NULL, *f = NULL;
    gpa_status st = asked_open(&a, x, model, "explain", &err);
    if (st == GPA_OK)
        st = gpai_study_edited(a.study, &block, &y, &f, &err);
    gpa_text *t = st == GPA_OK ? reply_text(&x->reply, TYPE_JSON) : NULL;
    size_t n = st == GPA_OK ? a.study->chosen.n : 0, asked = 0;
    if (st == GPA_OK)
        asked = (a.study->own_rows ? n : 0) + (a.study->n_edits > 0 ? n : 0);
    if (t != NULL) {
        gpai_text_add(t, "{");
        gpai_json_open(t, "rows", "[");
        for (size_t i = 0; i < n; i++)
            write_prediction(t, a.study, y[i], f[i]);
        gpai_text_add(t, "]");
        values_field(t, "ms", 1e3 * (exchange_now() - x->began));
        gpai_json_count_field(t, "model_rows", asked);
        gpai_text_add(t, "}\n");
        gpai_free(block);
        atomic_fetch_add(&x->on->metrics.predictions, n);
    }
    asked_close(&a, st, asked, &err);
}
