#include "cli/settings.h"
#include "cli/again.h"
#include "cli/say.h"
#include "cli/words.h"
#include <string.h>
#include <unistd.h>

static void set(double *to, const struct args *a, enum option_id id)
{
    if (a->given[id])
        *to = a->real[id];
}

static gpa_status read_slopes(struct settings *s, const struct args *a, gpa_error *err)
{
    const char *text = a->text[OPT_SLOPE_NODES];
    uint64_t count = 0;
    if (text == NULL)
        return GPA_OK;
    if (word_count(text, &count)) {
        if (count < 1 || count > 1000000)
            return fail(err, GPA_INVALID,
                        "--slope-nodes: %s is not within 1 to 1000000", text);
        s->opt.slope_nodes = (size_t)count;
        return GPA_OK;
    }
    size_t n = 0;
    gpa_status st = gpa_numbers_read(text, &s->slopes, &n, err);
    s->opt.slope_list = s->slopes;
    s->opt.slope_list_length = n;
    return st;
}

static gpa_status read_start(struct settings *s, const struct load *l,
                             const struct args *a, gpa_error *err)
{
    const char *path = a->text[OPT_DELTA_INIT];
    size_t n = 0;
    if (path == NULL)
        return GPA_OK;
    gpa_status st = gpa_numbers_read(path, &s->start, &n, err);
    if (st == GPA_OK && n != l->d)
        st = fail(err, GPA_INVALID, "--delta-init: %zu numbers in %.200s, %zu inputs",
                  n, path, l->d);
    s->opt.delta_init = s->start;
    return st;
}

/* The words of the choices are the library's own names: which of them was given? */
#define TAKE_WORD(field, type, id, name_of)                                            \
    for (int i = 0; a->given[id] && name_of((type)i) != NULL; i++)                     \
        if (strcmp(a->text[id], name_of((type)i)) == 0)                                \
    s->opt.field = (type)i

static void take_words(struct settings *s, const struct args *a)
{
    TAKE_WORD(solver, gpa_solver, OPT_SOLVER, gpa_solver_name);
    TAKE_WORD(marginals, gpa_marginals, OPT_MARGINALS, gpa_marginals_name);
    TAKE_WORD(noise, gpa_noise, OPT_NOISE, gpa_noise_name);
    TAKE_WORD(culprit, gpa_culprit_mode, OPT_CULPRIT, gpa_culprit_mode_name);
    TAKE_WORD(plausible, gpa_plausible, OPT_PLAUSIBLE, gpa_plausible_name);
}

gpa_status settings_read(struct settings *s, const struct load *l, const struct args *a,
                         gpa_error *err)
{
    gpa_explain_options *o = &s->opt;
    gpa_explain_options_init(o);
    take_words(s, a);
    set(&o->eta, a, OPT_ETA);
    set(&o->nu, a, OPT_NU);
    set(&o->a0, a, OPT_A0);
    set(&o->b0, a, OPT_B0);
    set(&o->cb, a, OPT_CB);
    set(&o->kappa, a, OPT_KAPPA);
    set(&o->slope_sd, a, OPT_SLOPE_SD);
    set(&o->tol, a, OPT_TOL);
    o->sigma = l->sigma;
    o->seed = a->given[OPT_SEED] ? a->count[OPT_SEED] : o->seed;
    o->max_iter = a->given[OPT_MAX_ITER] ? (size_t)a->count[OPT_MAX_ITER] : o->max_iter;
    o->budget = (size_t)a->count[OPT_BUDGET];
    o->marginal_rows = (size_t)a->count[OPT_MARGINAL_ROWS];
    o->unit = l->unit;
    o->reference = l->reference.x != NULL ? &l->reference : NULL;
    gpa_status st = read_slopes(s, a, err);
    if (st == GPA_OK)
        st = read_start(s, l, a, err);
    return st == GPA_OK ? limits_read(&s->limits, l, a, o, err) : st;
}

void settings_free(struct settings *s)
{
    limits_free(&s->limits);
    gpa_numbers_free(s->start);
    gpa_numbers_free(s->slopes);
}

size_t settings_threads(const struct args *a, size_t jobs)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = a->given[OPT_THREADS] ? (size_t)a->count[OPT_THREADS]
               : cores > 0           ? (size_t)cores
                                     : 1;
    return n < jobs ? n : jobs;
}

gpa_status settings_prepare(struct settings *s, struct load *l,
                            struct selection *chosen, const struct args *a,
                            gpa_error *err)
{
    gpa_status st = load_open(l, a, err);
    if (st == GPA_OK && a->again != NULL)
        st = again_check(a->again, l, err);
    if (st == GPA_OK)
        st = load_scale(l, a, err);
    if (st == GPA_OK)
        st = select_rows(chosen, a, l->score, l->n, false, false, err);
    return st == GPA_OK ? settings_read(s, l, a, err) : st;
}

gpa_status settings_describe(gpa_report_info *info, char **options,
                             const struct load *l, const struct selection *chosen,
                             const struct args *a, gpa_error *err)
{
    *options =
        a->again != NULL ? strdup(a->again->options) : args_json(a, chosen->text);
    *info = load_info(l, a, *options);
    info->model_spec = a->again != NULL ? a->again->spec : info->model_spec;
    info->full = a->given[OPT_JSON_FULL];
    return *options != NULL ? GPA_OK : fail(err, GPA_NOMEM, "out of memory");
}
