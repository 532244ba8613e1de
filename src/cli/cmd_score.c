#include "base/alloc.h"
#include "base/status.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "console/args.h"
#include "console/terminal.h"

static bool exceeds(const gpa_study *s, const gpai_options *a)
{
    for (size_t i = 0; a->given[OPT_FAIL_ABOVE] && i < s->n; i++)
        if (s->score[i] > a->real[OPT_FAIL_ABOVE])
            return true;
    return false;
}

/* Why rows have no score, by row; NULL: all have. To be freed. */
static gpa_status name_left_out(const gpa_study *s, const char ***out, gpa_error *err)
{
    *out = s->n_unfit > 0 ? gpai_calloc(s->n, sizeof **out) : NULL;
    for (size_t i = 0; *out != NULL && i < s->n; i++)
        (*out)[i] = gpai_study_unfit_name(s->unfit[i]);
    return s->n_unfit == 0 || *out != NULL ? GPA_OK : gpai_nomem(err, "score");
}

static gpa_status write_scores(const gpa_study *s, const gpai_options *a,
                               struct results *to, gpa_error *err)
{
    const gpa_sample all = {.x = s->x, .y = s->y, .f = s->f, .n = s->n, .d = s->d};
    const char **left_out;
    gpa_status st = name_left_out(s, &left_out, err);
    if (st != GPA_OK)
        return st;
    const gpa_score_list list = {.struct_size = sizeof list,
                                 .sample = &all,
                                 .score = s->score,
                                 .order = s->chosen.rows,
                                 .n_shown = s->chosen.n,
                                 .sigma = s->sigma,
                                 .collective = s->collective,
                                 .left_out = left_out};
    results_about(to, gpa_study_info(s), a);
    st = gpa_report_scores(to->text, to->format, &to->info, &list, err);
    gpai_free(left_out);
    if (st == GPA_OK)
        st = out_text(&to->main, to->text, err);
    return st == GPA_OK ? results_commit(to, err) : st;
}

int cmd_score(const gpai_options *a)
{
    gpa_error err = {0};
    gpa_study *s = NULL;
    struct results to = {0};
    gpa_status st = results_open(&to, a, true, &err);
    if (st == GPA_OK)
        st = ask_study(&s, a, &err);
    if (st == GPA_OK)
        st = write_scores(s, a, &to, &err);
    if (st == GPA_OK && a->given[OPT_REFERENCE])
        say("--reference is not used by score");
    int code =
        st == GPA_OK ? exceeds(s, a) ? EXIT_CONDITION : EXIT_DONE : give_up(st, &err);
    if (code == EXIT_CONDITION)
        say("a row of the file has a score above %s (--fail-above)",
            a->text[OPT_FAIL_ABOVE]);
    results_close(&to);
    gpa_study_free(s);
    return code;
}
