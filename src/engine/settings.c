#include "engine/settings.h"
#include "base/alloc.h"
#include "base/math/vectors.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/text/number.h"
#include "engine/explain.h"
#include "engine/tune.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* Defaults and checks of the options. */

/* docs/methods.md, "Defaults" and "The noise scale b"; 100 points are those of eq. 14.
 */
static const gpa_explain_options DEFAULTS = {
    .struct_size = sizeof DEFAULTS,
    .seed = 1,
    .eta = (double)NAN, /* NaN and 0: chosen when the problem is known */
    .nu = (double)NAN,
    .a0 = (double)NAN,
    .b0 = (double)NAN,
    .cb = (double)NAN,
    .sigma = (double)NAN,
    .kappa = (double)NAN,
    .slope_sd = 1,
    .max_iter = 100,
    .tol = 1e-3,
    .grid_points = 100,
    .kernel_width = (double)NAN,
    .spread = (double)NAN,
    .output_prior = (double)NAN,
    .kernel_floor = 1e-3,
};

void gpa_explain_options_init_sized(gpa_explain_options *opt, size_t size)
{
    gpai_sized_init(opt, size, &DEFAULTS, sizeof DEFAULTS);
}

/* A number that must be positive (or, with zero, not negative) unless it is NaN, which
 * means automatic. */
struct rule {
    const char *name;
    double value;
    bool zero;
};

gpai_shown gpai_called(const char *const *names, const gpa_input *inputs, size_t k)
{
    if (inputs != NULL && inputs[k].group > 0 && inputs[k].name != NULL)
        return gpai_show_text(inputs[k].name);
    if (names != NULL)
        return gpai_show_text(names[k]);
    gpai_shown number;
    snprintf(number.text, sizeof number.text, "input %zu", k + 1);
    return number;
}

static gpa_status check_numbers(const gpa_explain_options *o, gpa_error *err)
{
    const struct rule rules[] = {
        {"eta", o->eta, false},
        {"nu", o->nu, true},
        {"a0", o->a0, false},
        {"b0", o->b0, false},
        {"cb", o->cb, false},
        {"sigma", o->sigma, false},
        {"kappa", o->kappa, false},
        {"slope-sd", o->slope_sd, false},
        {"tol", o->tol, true},
        {"kernel-width", o->kernel_width, false},
        {"kernel-floor", o->kernel_floor, true},
        {"spread", o->spread, false},
        {"output-prior", o->output_prior, false},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        double v = rules[i].value;
        if (isinf(v) || v < 0 || (v == 0 && !rules[i].zero))
            return gpai_fail(err, GPA_INVALID,
                             "explain: %s is %g, must be %s and finite", rules[i].name,
                             v, rules[i].zero ? "at least 0" : "positive");
    }
    if (o->output_prior >= 1)
        return gpai_fail(err, GPA_INVALID,
                         "explain: output-prior is %g, must be below 1",
                         o->output_prior);
    if (!isfinite(o->slope_sd) || !isfinite(o->tol) || !isfinite(o->kernel_floor))
        return gpai_fail(err, GPA_INVALID,
                         "explain: slope-sd, tol and kernel-floor must be numbers");
    return GPA_OK;
}

static gpa_status check_list(const char *name, const double *v, size_t n, bool positive,
                             gpa_error *err)
{
    for (size_t i = 0; v != NULL && i < n; i++)
        if (!isfinite(v[i]) || (positive && v[i] <= 0))
            return gpai_fail(err, GPA_INVALID,
                             "explain: %s: number %zu is %g, must be %s", name, i + 1,
                             v[i], positive ? "positive" : "finite");
    return GPA_OK;
}

static gpa_status check_context(const gpa_explain_options *o, size_t d, gpa_error *err)
{
    const gpa_sample *c = o->context;
    if (c == NULL)
        return o->context_rows == NULL
                   ? GPA_OK
                   : gpai_fail(err, GPA_INVALID,
                               "explain: context_rows without context");
    if (c->x == NULL || c->y == NULL || c->f == NULL || c->d != d)
        return gpai_fail(err, GPA_INVALID,
                         "explain: the context needs x, y and f with %zu inputs", d);
    return GPA_OK;
}

static bool levels_ascend(const gpa_input *in)
{
    for (size_t i = 0; i < in->levels; i++)
        if (in->level == NULL || !isfinite(in->level[i]) ||
            (i > 0 && !(in->level[i] > in->level[i - 1])))
            return false;
    return true;
}

static gpa_status check_inputs(const gpa_explain_options *o, size_t d, gpa_error *err)
{
    const gpa_input *in = o->inputs;
    enum { MOST_LEVELS = 1 << 20 }; /* chosen: all of them are held in memory */
    for (size_t k = 0; in != NULL && k < d; k++) {
        if (gpa_kind_name(in[k].kind) == NULL)
            return gpai_fail(err, GPA_INVALID, "explain: %s: unknown kind %d",
                             gpai_called(o->names, NULL, k).text, (int)in[k].kind);
        if (in[k].low > in[k].high)
            return gpai_fail(err, GPA_INVALID,
                             "explain: %s: its lowest value %g is above its "
                             "highest, %g",
                             gpai_called(o->names, NULL, k).text, in[k].low,
                             in[k].high);
        if (in[k].levels > MOST_LEVELS || !levels_ascend(&in[k]))
            return gpai_fail(err, GPA_INVALID,
                             "explain: %s: at most %d levels, ascending and "
                             "finite",
                             gpai_called(o->names, NULL, k).text, MOST_LEVELS);
    }
    return GPA_OK;
}

/* Chosen: more slope nodes, grid points or rows are a mistake, not a wish. */
enum { MOST_NODES = 1000000, MOST_ROWS = 100000000 };

gpa_status gpai_options_resolve(gpa_explain_options *out,
                                const gpa_explain_options *opt, size_t d,
                                gpa_error *err)
{
    gpa_explain_options_init(out);
    gpa_status st = gpai_sized_copy(
        out, sizeof *out, opt,
        "explain: options were not filled by gpa_explain_options_init", err);
    if (st != GPA_OK)
        return st;
    if (gpa_solver_name(out->solver) == NULL ||
        gpa_marginals_name(out->marginals) == NULL ||
        gpa_noise_name(out->noise) == NULL ||
        gpa_culprit_mode_name(out->culprit) == NULL ||
        gpa_plausible_name(out->plausible) == NULL ||
        gpa_missing_name(out->missing) == NULL)
        return gpai_fail(
            err, GPA_INVALID,
            "explain: unknown solver, marginals, noise, culprit, plausible or missing "
            "(%d, %d, %d, %d, %d, %d)",
            (int)out->solver, (int)out->marginals, (int)out->noise, (int)out->culprit,
            (int)out->plausible, (int)out->missing);
    if (out->plausible == GPA_PLAUSIBLE_REFERENCE &&
        (out->reference == NULL || out->reference->x == NULL || out->reference->d != d))
        return gpai_fail(
            err, GPA_INVALID,
            "explain: plausible rows of %zu inputs are needed as reference", d);
    if (out->slope_nodes > MOST_NODES || out->grid_points > MOST_NODES ||
        out->slope_list_length > MOST_NODES)
        return gpai_fail(err, GPA_INVALID,
                         "explain: at most %d slope nodes and grid points", MOST_NODES);
    if (out->grid_points < 3)
        return gpai_fail(
            err, GPA_INVALID,
            "explain: a distribution needs at least 3 grid points, not %zu",
            out->grid_points);
    if (out->max_iter == 0)
        return gpai_fail(err, GPA_INVALID, "explain: max_iter must be at least 1");
    if (out->marginal_rows > MOST_ROWS)
        return gpai_fail(err, GPA_INVALID, "explain: at most %d marginal rows",
                         MOST_ROWS);
    st = check_numbers(out, err);
    if (st == GPA_OK)
        st = check_list("unit", out->unit, d, true, err);
    if (st == GPA_OK)
        st = check_list("delta-init", out->delta_init, d, false, err);
    if (st == GPA_OK)
        st = check_list("slope-nodes", out->slope_list, out->slope_list_length, false,
                        err);
    if (st == GPA_OK)
        st = check_context(out, d, err);
    return st == GPA_OK ? check_inputs(out, d, err) : st;
}

/* What was left open, chosen for the rows at hand. */

static void choose(double *option, double automatic)
{
    if (isnan(*option))
        *option = automatic;
}

static bool is_published(const gpa_explain_options *o)
{
    return o->solver == GPA_SOLVER_PAPER || o->solver == GPA_SOLVER_PAPER_DET;
}

/* What the inputs are, for those who care. */
static const gpa_input *kinds_of(const gpa_explain_options *o)
{
    return is_published(o) ? NULL : o->inputs;
}

/* What is taken when nothing is said (N rows together; docs/methods.md, "Defaults").
 * The paper's: nu = 1/2, a0 = 5 + N/2, c_b = 10, and for its solvers
 * eta = 0.1 N, kappa = 0.1/N and ten random slopes; four nodes miss the integral of eq.
 * 10 by less. The fast solvers find eta from the slopes (eq. 26) and b from the rows
 * around x (eq. 18). */
static void defaults(gpa_explain_options *o, size_t n)
{
    enum { LOCAL_ROWS = 20 }; /* chosen: fewer say nothing about b(x) */
    double rows = (double)n;
    bool paper = is_published(o);
    bool many = o->context != NULL && o->context->n >= LOCAL_ROWS;
    choose(&o->nu, 0.5);
    choose(&o->a0, 5 + rows / 2);
    choose(&o->cb, 10);
    if (paper) {
        choose(&o->eta, 0.1 * rows);
        choose(&o->kappa, 0.1 / rows);
    }
    if (o->slope_nodes == 0)
        o->slope_nodes = o->solver == GPA_SOLVER_PAPER ? 10 : 4;
    if (o->noise == GPA_NOISE_AUTO)
        o->noise = paper || !many ? GPA_NOISE_CONSTANT : GPA_NOISE_LOCAL;
}

static void tell_sigma(gpa_explanation *e, double sigma, double all, size_t others)
{
    char own[GPAI_REAL_SIZE], both[GPAI_REAL_SIZE];
    gpai_real_people(own, sigma, 3);
    gpai_real_people(both, all, 3);
    gpai_result_note(
        e,
        "sigma is %s here, that of the %zu rows that are not explained together "
        "(with them %s)",
        own, others, both);
}

/* Rows that are explained together do not say how noisy y is: their fault would hide in
 * it. As many others as there are of them, and no fewer than LEAST, have to. */
static gpa_status sigma_of_others(gpa_explanation *e, const gpa_explain_options *o,
                                  double *sigma, gpa_error *err)
{
    enum { LEAST = 20 };
    const gpa_sample *c = o->context;
    gpa_status st = GPA_OK;
    size_t others = 0;
    if (e->n < 2 || o->context_rows == NULL || c->n < 2 * e->n || c->n < LEAST + e->n)
        return gpa_residual_sigma(c, sigma, err);
    double *y = gpai_calloc(c->n, 2 * sizeof *y + 1), *f = y + c->n;
    if (y == NULL)
        return gpai_nomem(err, "explain");
    unsigned char *own = (unsigned char *)(f + c->n);
    for (size_t t = 0; t < e->n; t++)
        own[o->context_rows[t]] = 1;
    for (size_t i = 0; i < c->n; i++)
        if (!own[i]) {
            y[others] = c->y[i];
            f[others++] = c->f[i];
        }
    const gpa_sample rest = {.y = y, .f = f, .n = others};
    gpai_noise all = {.sigma = (double)NAN};
    bool known = gpai_residual_noise(c, &all, NULL) == GPA_OK;
    st = gpa_residual_sigma(&rest, sigma, err);
    /* that of all rows was said where some are left out of it */
    double same = all.left_out > 0 ? 0.005 : 0.1;
    if (st == GPA_OK && !(known && fabs(*sigma - all.sigma) <= same * all.sigma))
        tell_sigma(e, *sigma, all.sigma, others);
    gpai_free(y);
    return st;
}

/* sigma as given or from the context; without either only b0 can say how noisy y is. */
static gpa_status choose_sigma(gpa_explanation *e, gpa_explain_options *o,
                               gpa_error *err)
{
    if (!isnan(o->sigma))
        return GPA_OK;
    if (o->context != NULL && sigma_of_others(e, o, &o->sigma, err) == GPA_OK)
        return GPA_OK;
    o->sigma = (double)NAN;
    if (!isnan(o->b0))
        return GPA_OK; /* the scores stay unknown, nothing else needs it */
    if (o->context != NULL)
        return GPA_NUMERIC;
    return gpai_fail(
        err, GPA_INVALID,
        "explain: give sigma, b0, or a context of rows to estimate the noise");
}

/* b(x_t) for every row from the context, or evenly spaced rows of a very large one;
 * GPA_OK with *found false when it has no root. */
static gpa_status local_noise(gpa_explanation *e, const gpa_explain_options *o,
                              bool *found, gpa_error *err)
{
    enum { ENOUGH = 2048 }; /* chosen: b(x) is good to 1/sqrt(rows), a few percent */
    const gpa_sample *c = o->context;
    const gpa_input *kinds = kinds_of(o);
    *found = false;
    if (c == NULL || c->n < 3)
        return gpai_fail(err, GPA_INVALID,
                         "explain: local noise needs a context of at least 3 rows");
    size_t stride = (c->n + ENOUGH - 1) / ENOUGH, used = (c->n + stride - 1) / stride;
    double *residual = gpai_calloc(2 * used + GPAI_VPAD, sizeof *residual);
    unsigned char *distance = gpai_calloc(e->d, 1);
    gpa_status st = GPA_OK;
    if (residual == NULL || distance == NULL) {
        st = gpai_nomem(err, "explain");
        goto done;
    }
    double *weight = residual + used;
    for (size_t i = 0; i < used; i++)
        residual[i] = c->y[i * stride] - c->f[i * stride];
    *found = true;
    for (size_t t = 0; t < e->n; t++) {
        size_t self = o->context_rows != NULL ? o->context_rows[t] : c->n;
        const double *x = e->x + t * e->d;
        double width = o->kernel_width;
        size_t inputs = kinds != NULL ? gpai_distances(kinds, x, e->d, distance) : e->d;
        if (isnan(width)) /* the size of distances between rows */
            width = sqrt((double)(inputs > 0 ? inputs : 1));
        gpai_kernel_weights(c, stride, e->unit, kinds != NULL ? distance : NULL, x,
                            self, width, o->kernel_floor, weight);
        e->b[t] = gpai_noise_rate(residual, weight, used, o->a0) / o->cb;
        *found = *found && e->b[t] > 0 && isfinite(e->b[t]);
    }
done:
    gpai_free(distance);
    gpai_free(residual);
    return st;
}

static gpa_status choose_noise(gpa_explanation *e, gpa_explain_options *o,
                               gpa_error *err)
{
    bool found = false;
    if (isnan(o->b0) && o->noise == GPA_NOISE_LOCAL) {
        gpa_status st = local_noise(e, o, &found, err);
        if (st != GPA_OK)
            return st;
        if (!found)
            gpai_result_note(e, "nearly all residuals around this row are 0: one noise "
                                "scale for all rows is used instead of b(x)");
    }
    if (found)
        return GPA_OK;
    double b = isnan(o->b0) ? o->a0 * o->sigma * o->sigma / o->cb : o->b0;
    if (!(b > 0 && isfinite(b)))
        return gpai_fail(err, GPA_NUMERIC,
                         "explain: the noise scale b is %g, as sigma is %g: give y and "
                         "the model's predictions in a %s unit",
                         b, o->sigma, b > 0 ? "larger" : "smaller");
    for (size_t t = 0; t < e->n; t++)
        e->b[t] = b;
    o->noise = isnan(o->b0) ? GPA_NOISE_CONSTANT : GPA_NOISE_AUTO;
    return GPA_OK;
}

static gpa_status choose_scores(gpa_explanation *e, double sigma, gpa_error *err)
{
    if (isnan(sigma)) {
        for (size_t t = 0; t < e->n; t++)
            e->score[t] = (double)NAN;
        return GPA_OK;
    }
    gpa_sample s = {.x = e->x, .y = e->y, .f = e->f, .n = e->n, .d = e->d};
    return gpa_score(&s, sigma, e->score, NULL, err);
}

gpa_status gpai_choose_automatic(gpa_explanation *e, gpa_explain_options *opt,
                                 gpa_error *err)
{
    if (opt->culprit == GPA_CULPRIT_AUTO)
        opt->culprit = GPA_CULPRIT_ON;
    if (opt->missing == GPA_MISSING_AUTO)
        opt->missing = GPA_MISSING_ASK;
    if (opt->solver == GPA_SOLVER_AUTO)
        opt->solver = GPA_SOLVER_FAST;
    defaults(opt, e->n);
    gpa_status st = choose_sigma(e, opt, err);
    if (st == GPA_OK)
        st = choose_noise(e, opt, err);
    if (st == GPA_OK)
        st = choose_scores(e, opt->sigma, err);
    gpa_summary *s = &e->summary;
    s->solver = opt->solver;
    s->marginals = opt->marginals;
    s->noise = opt->noise;
    s->eta = opt->eta;
    s->nu = opt->nu;
    s->a0 = opt->a0;
    s->cb = isnan(opt->b0) ? opt->cb : (double)NAN;
    s->sigma = opt->sigma;
    s->kappa = opt->kappa;
    return st;
}
