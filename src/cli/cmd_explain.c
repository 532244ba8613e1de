#include "base/alloc.h"
#include "base/status.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/commands.h"
#include "cli/journal.h"
#include "cli/results.h"
#include "cli/shard.h"
#include "console/args.h"
#include "console/terminal.h"
#include "study/jobs/question.h"

struct run {
    const gpai_options *a;
    gpa_study *study;
    struct results results;
    struct progress progress;
    struct shard shard;
    size_t *rows; /* those that are explained here, in order; n of them */
    size_t n;
    gpa_text *question;      /* all that the answers depend on */
    gpa_text *about;         /* what the shard says of itself */
    struct journal *journal; /* NULL: none */
    size_t *todo;            /* of the rows those that it lacks; n_todo of them */
    size_t n_todo, done;     /* done: rows whose explanation is written out */
    bool weak;               /* something did not converge or hit its budget */
    double asked;            /* seconds of the model before */
};

/* The next explanation, written out. */
static gpa_status write_out(struct run *r, const gpa_explanation *e, gpa_error *err)
{
    const gpa_summary *s = gpa_explanation_summary(e);
    r->weak = r->weak || !s->converged || s->budget_hit;
    progress_hide(&r->progress);
    gpa_status st = results_add(&r->results, e, err);
    if (st == GPA_OK && r->done + 1 == r->n)
        progress_model(&r->progress, gpa_model_seconds(r->study->model) - r->asked,
                       gpai_options_threads(r->a, r->n));
    if (st == GPA_OK)
        progress_show(&r->progress, ++r->done, r->n);
    return st;
}

/* Those that come next and are in the journal. */
static gpa_status write_known(struct run *r, gpa_error *err)
{
    gpa_status st = GPA_OK;
    while (st == GPA_OK && r->done < r->n &&
           journal_has(r->journal, r->rows[r->done])) {
        gpa_explanation *e = NULL;
        st = journal_get(r->journal, r->rows[r->done], &e, err);
        if (st == GPA_OK)
            st = write_out(r, e, err);
        gpa_explanation_free(e);
    }
    return st;
}

static gpa_status take_explanation(void *ctx, size_t index, const gpa_explanation *e,
                                   gpa_error *err)
{
    (void)index;
    struct run *r = ctx;
    gpa_status st = r->journal != NULL
                        ? journal_put(r->journal, gpa_explanation_row(e, 0), e, err)
                        : GPA_OK;
    if (st == GPA_OK)
        st = write_known(r, err);
    return st == GPA_OK ? write_out(r, e, err) : st;
}

/* Which rows are explained here: all chosen ones, or those of the shard. */
static gpa_status plan(struct run *r, gpa_error *err)
{
    const gpa_report_info *info = gpa_study_info(r->study);
    bool together = r->a->given[OPT_COLLECTIVE];
    size_t total = info->n_marked > 0 ? info->explanations : 0;
    r->n = shard_size(&r->shard, total);
    r->rows = gpai_calloc(r->n + 1, sizeof *r->rows);
    if (r->rows == NULL)
        return gpai_nomem(err, "explain");
    for (size_t i = 0; i < r->n; i++) /* of several rows together the first */
        r->rows[i] = info->marked[together ? 0 : r->shard.index - 1 + i * r->shard.of];
    if (total == 0)
        say("no row has a score above %s", r->a->text[OPT_THRESHOLD]);
    else if (r->n == 0)
        say("of %zu explanation%s this shard has none", total, total > 1 ? "s" : "");
    gpa_status st = gpa_text_new(&r->question, err);
    return st == GPA_OK ? gpai_study_question(r->study, r->question, err) : st;
}

/* What a shard says of itself, so that `gpa merge` knows what belongs together. */
static gpa_status describe_shard(struct run *r, gpa_error *err)
{
    gpa_status st = gpa_text_new(&r->about, err);
    if (st != GPA_OK)
        return st;
    gpai_text_add(r->about, "{");
    gpai_json_count_field(r->about, "index", r->shard.index);
    gpai_json_count_field(r->about, "of", r->shard.of);
    gpai_json_count_field(r->about, "explanations",
                          r->results.info.n_marked > 0 ? r->results.info.explanations
                                                       : 0);
    gpai_json_key(r->about, "question");
    gpai_text_add(r->about, gpa_text_data(r->question));
    gpai_text_add(r->about, "}");
    r->results.info.shard_json = gpa_text_data(r->about);
    return gpai_text_seal(r->about, 0, err);
}

/* Which of them are not in the journal. */
static gpa_status open_journal(struct run *r, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (r->a->given[OPT_JOURNAL])
        st = journal_open(&r->journal, r->a->text[OPT_JOURNAL], &r->shard,
                          gpa_text_data(r->question), gpa_study_rows(r->study), err);
    if (st != GPA_OK)
        return st;
    r->todo = gpai_calloc(r->n + 1, sizeof *r->todo);
    if (r->todo == NULL)
        return gpai_nomem(err, "explain");
    for (size_t i = 0; i < r->n; i++)
        if (!journal_has(r->journal, r->rows[i]))
            r->todo[r->n_todo++] = r->rows[i];
    if (r->n_todo < r->n)
        say("journal: %zu of %zu explanations are there already", r->n - r->n_todo,
            r->n);
    return GPA_OK;
}

static gpa_status explain(struct run *r, gpa_error *err)
{
    gpa_status st = plan(r, err);
    results_about(&r->results, gpa_study_info(r->study), r->a);
    if (st == GPA_OK && r->shard.given)
        st = describe_shard(r, err);
    if (st == GPA_OK)
        st = open_journal(r, err);
    if (st != GPA_OK || r->n == 0)
        return st;
    progress_start(&r->progress, r->a->text[OPT_PROGRESS], "explaining");
    r->asked = gpa_model_seconds(r->study->model);
    progress_show(&r->progress, 0, r->n);
    bool together = r->a->given[OPT_COLLECTIVE];
    if (r->n_todo > 0)
        st = gpa_study_explain(r->study, together ? NULL : r->todo, r->n_todo, together,
                               take_explanation, r, err);
    if (st == GPA_OK)
        st = write_known(r, err);
    return st == GPA_OK && r->journal != NULL ? journal_sync(r->journal, err) : st;
}

static bool exceeds(const struct run *r)
{
    const gpa_study *s = r->study;
    for (size_t i = 0; r->a->given[OPT_FAIL_ABOVE] && i < s->chosen.n; i++)
        if (s->score[s->chosen.rows[i]] > r->a->real[OPT_FAIL_ABOVE])
            return true;
    return false;
}

int cmd_explain(const gpai_options *a)
{
    gpa_error err = {0};
    gpai_options own = *a;
    char *out = NULL;
    struct run r = {.a = a};
    gpa_status st = shard_read(&r.shard, a, &err);
    if (st == GPA_OK && a->text[OPT_OUT] != NULL)
        st = shard_name(&r.shard, a->text[OPT_OUT], &out, &err);
    own.text[OPT_OUT] = out;
    r.a = a = &own;
    if (st == GPA_OK)
        st = results_open(&r.results, a, true, &err);
    if (st == GPA_OK)
        st = ask_study(&r.study, a, &err);
    if (st == GPA_OK)
        st = explain(&r, &err);
    progress_hide(&r.progress);
    if (st == GPA_OK)
        st = results_end(&r.results, &err);
    int code = st != GPA_OK                     ? give_up(st, &err)
               : r.weak && a->given[OPT_STRICT] ? EXIT_WEAK
               : exceeds(&r)                    ? EXIT_CONDITION
                                                : EXIT_DONE;
    if (code == EXIT_CONDITION)
        say("a chosen row has a score above %s (--fail-above)",
            a->text[OPT_FAIL_ABOVE]);
    if (code == EXIT_WEAK)
        say("something did not converge or hit its budget (--strict)");
    results_close(&r.results);
    gpa_text_free(r.about);
    gpa_text_free(r.question);
    gpai_free(r.rows);
    gpai_free(r.todo);
    journal_close(r.journal);
    gpai_free(out);
    gpa_study_free(r.study);
    return code;
}
