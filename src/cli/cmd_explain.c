#include "cli/commands.h"
#include "cli/results.h"
#include "console/args.h"
#include "console/terminal.h"

struct run {
    const gpai_options *a;
    gpa_study *study;
    struct results results;
    struct progress progress;
    size_t total;
    bool weak;    /* something did not converge or hit its budget */
    double asked; /* seconds of the model before */
};

static gpa_status take_explanation(void *ctx, size_t index, const gpa_explanation *e,
                                   gpa_error *err)
{
    struct run *r = ctx;
    const gpa_summary *s = gpa_explanation_summary(e);
    r->weak = r->weak || !s->converged || s->budget_hit;
    progress_hide(&r->progress);
    gpa_status st = results_add(&r->results, e, err);
    if (st == GPA_OK && index + 1 == r->total)
        progress_model(&r->progress, gpa_model_seconds(r->study->model) - r->asked,
                       gpai_options_threads(r->a, r->total));
    if (st == GPA_OK)
        progress_show(&r->progress, index + 1, r->total);
    return st;
}

static gpa_status explain(struct run *r, gpa_error *err)
{
    const gpa_report_info *info = gpa_study_info(r->study);
    results_about(&r->results, info, r->a);
    r->total = info->explanations;
    if (r->total == 0 || info->n_marked == 0) {
        say("no row has a score above %s", r->a->text[OPT_THRESHOLD]);
        return GPA_OK;
    }
    progress_start(&r->progress, r->a->text[OPT_PROGRESS], "explaining");
    r->asked = gpa_model_seconds(r->study->model);
    progress_show(&r->progress, 0, r->total);
    return gpa_study_explain(r->study, NULL, 0, false, take_explanation, r, err);
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
    struct run r = {.a = a};
    gpa_status st = results_open(&r.results, a, true, &err);
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
    gpa_study_free(r.study);
    return code;
}
