#include "base/status.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "console/args.h"
#include "console/terminal.h"

struct run {
    const gpai_options *a;
    gpa_study *study;
    gpa_comparison *result;
    struct results results;
    struct progress progress;
};

static int show_progress(void *ctx, uint64_t done, uint64_t total)
{
    struct run *r = ctx;
    progress_show(&r->progress, (size_t)done, (size_t)total);
    return 0;
}

/* The same reason holds for every row: what was missing is said once. */
static void say_skipped(const gpa_comparison *c)
{
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        for (size_t i = 0; i < gpa_comparison_rows(c); i++) {
            const char *why = gpa_comparison_skipped(c, i, j);
            if (why == NULL)
                continue;
            say("%s is left out: %s", gpa_comparison_method(c, j)->name, why);
            break;
        }
}

static bool anybody(const gpa_comparison *c)
{
    for (size_t j = 0; j < gpa_comparison_methods(c); j++)
        for (size_t i = 0; i < gpa_comparison_rows(c); i++)
            if (gpa_comparison_at(c, i, j) != NULL)
                return true;
    return false;
}

static gpa_status compare(struct run *r, gpa_error *err)
{
    if (r->study->chosen.n == 0)
        return gpai_fail(err, GPA_INVALID, "no row has a score above %s",
                         r->a->text[OPT_THRESHOLD]);
    progress_start(&r->progress, r->a->text[OPT_PROGRESS], "comparing");
    gpa_study_set_progress(r->study, show_progress, r);
    gpa_status st = gpa_study_compare(r->study, NULL, 0, &r->result, err);
    progress_hide(&r->progress);
    if (st != GPA_OK)
        return st;
    say_skipped(r->result);
    return anybody(r->result) ? GPA_OK
                              : gpai_fail(err, GPA_INVALID, "no method has an answer");
}

int cmd_compare(const gpai_options *a)
{
    gpa_error err = {0};
    struct run r = {.a = a};
    gpa_status st = results_open(&r.results, a, true, &err);
    if (st == GPA_OK)
        st = ask_study(&r.study, a, &err);
    if (st == GPA_OK)
        st = compare(&r, &err);
    if (st == GPA_OK) {
        results_about(&r.results, gpa_study_info(r.study), a);
        st = results_comparison(&r.results, r.result, &err);
    }
    gpa_comparison_free(r.result);
    results_close(&r.results);
    gpa_study_free(r.study);
    return st == GPA_OK ? EXIT_DONE : give_up(st, &err);
}
