#include "cli/commands.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/out.h"
#include "cli/say.h"
#include "cli/select.h"
#include <math.h>

static bool exceeds(const struct load *l, const struct args *a)
{
    for (size_t i = 0; a->given[OPT_FAIL_ABOVE] && i < l->n; i++)
        if (l->score[i] > a->real[OPT_FAIL_ABOVE])
            return true;
    return false;
}

static gpa_status write_scores(const struct load *l, const struct args *a,
                               const struct selection *s, struct out *o, gpa_error *err)
{
    gpa_text *t = NULL;
    gpa_format format;
    const gpa_report_info info = load_info(l, a, NULL);
    const gpa_score_list list = {.sample = &l->sample,
                                 .score = l->score,
                                 .order = s->rows,
                                 .n_shown = s->n,
                                 .sigma = l->sigma,
                                 .collective = l->collective};
    gpa_status st = chosen_format(a, &format, err);
    if (st == GPA_OK)
        st = gpa_text_new(&t, err);
    if (st == GPA_OK)
        st = gpa_report_scores(t, format, &info, &list, err);
    if (st == GPA_OK)
        st = out_write(o, gpa_text_data(t), gpa_text_length(t), err);
    if (st == GPA_OK)
        st = out_commit(o, err);
    gpa_text_free(t);
    return st;
}

int cmd_score(const struct args *a)
{
    gpa_error err = {0};
    struct load l = {0};
    struct selection s = {0};
    struct out o = {0};
    gpa_format format;
    gpa_status st = chosen_format(a, &format, &err);
    if (st == GPA_OK)
        st = out_open(&o, a->text[OPT_OUT], &err);
    if (st == GPA_OK)
        st = load_open(&l, a, &err);
    if (st == GPA_OK)
        st = select_rows(&s, a, l.score, l.n, true, true, &err);
    if (st == GPA_OK)
        st = write_scores(&l, a, &s, &o, &err);
    if (st == GPA_OK && a->given[OPT_REFERENCE])
        say("--reference is not used by score");
    int code =
        st == GPA_OK ? exceeds(&l, a) ? EXIT_CONDITION : EXIT_DONE : give_up(st, &err);
    if (code == EXIT_CONDITION)
        say("a row of the file has a score above %s (--fail-above)",
            a->text[OPT_FAIL_ABOVE]);
    out_discard(&o);
    select_free(&s);
    load_free(&l);
    return code;
}
