#include "base/sized.h"
#include "base/status.h"
#include "engine/settings.h"
#include <math.h>
#include <stdint.h>

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
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        double v = rules[i].value;
        if (isinf(v) || v < 0 || (v == 0 && !rules[i].zero))
            return gpai_fail(err, GPA_INVALID,
                             "explain: %s is %g, must be %s and finite", rules[i].name,
                             v, rules[i].zero ? "at least 0" : "positive");
    }
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
        gpa_plausible_name(out->plausible) == NULL)
        return gpai_fail(
            err, GPA_INVALID,
            "explain: unknown solver, marginals, noise, culprit or plausible "
            "(%d, %d, %d, %d, %d)",
            (int)out->solver, (int)out->marginals, (int)out->noise, (int)out->culprit,
            (int)out->plausible);
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
    return st == GPA_OK ? check_context(out, d, err) : st;
}
