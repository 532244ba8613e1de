#include "study/settings.h"
#include "base/status.h"
#include "base/text/words.h"
#include <string.h>

gpa_status gpai_option_numbers(const gpai_options *o, enum option_id id,
                               const double **out, size_t *n, double **owned,
                               gpa_error *err)
{
    *out = o->numbers[id].at;
    *n = o->numbers[id].n;
    if (*out != NULL)
        return GPA_OK;
    gpa_status st = gpa_numbers_read(o->text[id], owned, n, err);
    *out = *owned;
    return st;
}

static gpa_status read_slopes(gpa_study *s, gpa_error *err)
{
    const char *text = s->given.text[OPT_SLOPE_NODES];
    uint64_t count = 0;
    if (text == NULL)
        return GPA_OK;
    if (gpai_word_count(text, &count)) {
        if (count < 1 || count > 1000000)
            return gpai_fail(err, GPA_INVALID,
                             "--slope-nodes: %s is not within 1 to 1000000", text);
        s->explain.slope_nodes = (size_t)count;
        return GPA_OK;
    }
    return gpai_option_numbers(&s->given, OPT_SLOPE_NODES, &s->explain.slope_list,
                               &s->explain.slope_list_length, &s->slopes, err);
}

static gpa_status read_start(gpa_study *s, gpa_error *err)
{
    const char *path = s->given.text[OPT_DELTA_INIT];
    size_t n = 0;
    if (path == NULL)
        return GPA_OK;
    gpa_status st = gpai_option_numbers(&s->given, OPT_DELTA_INIT,
                                        &s->explain.delta_init, &n, &s->start, err);
    if (st == GPA_OK && n != s->d)
        st =
            gpai_fail(err, GPA_INVALID,
                      "--delta-init: %zu numbers in %.200s, %zu inputs", n, path, s->d);
    return st;
}

/* The words of the choices are the library's own names: which of them was given? */
#define TAKE_WORD(field, type, id, name_of)                                            \
    for (int i = 0; s->given.given[id] && name_of((type)i) != NULL; i++)               \
        if (strcmp(s->given.text[id], name_of((type)i)) == 0)                          \
    s->explain.field = (type)i

static void take_words(gpa_study *s)
{
    TAKE_WORD(solver, gpa_solver, OPT_SOLVER, gpa_solver_name);
    TAKE_WORD(marginals, gpa_marginals, OPT_MARGINALS, gpa_marginals_name);
    TAKE_WORD(noise, gpa_noise, OPT_NOISE, gpa_noise_name);
    TAKE_WORD(culprit, gpa_culprit_mode, OPT_CULPRIT, gpa_culprit_mode_name);
    TAKE_WORD(plausible, gpa_plausible, OPT_PLAUSIBLE, gpa_plausible_name);
}

static void take_reals(gpa_study *s)
{
    gpa_explain_options *e = &s->explain;
    const struct {
        double *to;
        enum option_id id;
    } reals[] = {{&e->eta, OPT_ETA},
                 {&e->nu, OPT_NU},
                 {&e->a0, OPT_A0},
                 {&e->b0, OPT_B0},
                 {&e->cb, OPT_CB},
                 {&e->kappa, OPT_KAPPA},
                 {&e->slope_sd, OPT_SLOPE_SD},
                 {&e->tol, OPT_TOL}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        if (s->given.given[reals[i].id])
            *reals[i].to = s->given.real[reals[i].id];
}

gpa_status gpai_study_settings(gpa_study *s, gpa_error *err)
{
    const gpai_options *o = &s->given;
    gpa_explain_options *e = &s->explain;
    gpa_explain_options_init(e);
    take_words(s);
    take_reals(s);
    e->sigma = s->sigma;
    e->seed = gpai_options_count(o, OPT_SEED, e->seed);
    e->max_iter = (size_t)gpai_options_count(o, OPT_MAX_ITER, e->max_iter);
    e->budget = (size_t)o->count[OPT_BUDGET];
    e->marginal_rows = (size_t)o->count[OPT_MARGINAL_ROWS];
    e->unit = s->unit;
    e->reference = s->reference.x != NULL ? &s->reference : NULL;
    gpa_status st = read_slopes(s, err);
    if (st == GPA_OK)
        st = read_start(s, err);
    return st == GPA_OK ? gpai_limit_options_read(&s->limits, s, err) : st;
}
