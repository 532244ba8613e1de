#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "engine/settings.h"
#include "methods/attribute.h"
#include <math.h>
#include <string.h>

/* NaN and 0: chosen when the method is known. */
static const gpa_attribute_options DEFAULTS = {
    .struct_size = sizeof DEFAULTS,
    .lime_l1 = (double)NAN,
    .lime_sd = (double)NAN,
    .lime_precision = (double)NAN,
};

void gpa_attribute_options_init_sized(gpa_attribute_options *opt, size_t size)
{
    gpai_sized_init(opt, size, &DEFAULTS, sizeof DEFAULTS);
}

/* Chosen: more is a mistake, not a wish. */
enum { MOST_SAMPLES = 100000000, MOST_INTERVALS = 1000000 };

static gpa_status check_numbers(const gpa_attribute_options *o, gpa_error *err)
{
    const struct {
        const char *name;
        double value;
        bool zero;
    } rules[] = {{"lime-l1", o->lime_l1, true},
                 {"lime-sd", o->lime_sd, false},
                 {"lime-precision", o->lime_precision, false}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        double v = rules[i].value; /* NaN means automatic */
        if (isinf(v) || v < 0 || (v == 0 && !rules[i].zero))
            return gpai_fail(
                err, GPA_INVALID, "attribute: %s is %g, must be %s and finite",
                rules[i].name, v, rules[i].zero ? "at least 0" : "positive");
    }
    if (o->lime_samples > MOST_SAMPLES || o->sv_configurations > MOST_SAMPLES ||
        o->intervals > MOST_INTERVALS)
        return gpai_fail(err, GPA_INVALID,
                         "attribute: at most %d samples and configurations, %d "
                         "intervals",
                         MOST_SAMPLES, MOST_INTERVALS);
    return GPA_OK;
}

static gpa_status check_choices(const gpa_attribute_options *o, gpa_error *err)
{
    if ((unsigned)o->baseline > GPA_BASELINE_GIVEN ||
        (unsigned)o->shapley > GPA_SHAPLEY_EXACT ||
        (unsigned)o->quadrature > GPA_QUADRATURE_TRAPEZOID)
        return gpai_fail(err, GPA_INVALID,
                         "attribute: unknown baseline, shapley or quadrature (%d, %d, "
                         "%d)",
                         (int)o->baseline, (int)o->shapley, (int)o->quadrature);
    if (o->baseline == GPA_BASELINE_GIVEN && o->baseline_x == NULL)
        return gpai_fail(err, GPA_INVALID, "attribute: no baseline was given");
    if (o->lime_x != NULL && o->lime_samples == 0)
        return gpai_fail(err, GPA_INVALID,
                         "attribute: lime_x needs its number of rows, lime_samples");
    if ((o->sv_rows == NULL) != (o->sv_orders == NULL) ||
        (o->sv_rows != NULL && o->sv_configurations == 0))
        return gpai_fail(err, GPA_INVALID,
                         "attribute: Shapley draws are sv_configurations rows and as "
                         "many permutations");
    return GPA_OK;
}

static gpa_status check_finite(const char *what, const double *x, size_t n, size_t d,
                               gpa_status status, gpa_error *err)
{
    for (size_t i = 0; x != NULL && i < n * d; i++)
        if (!isfinite(x[i]))
            return gpai_fail(
                err, status,
                "attribute: %s: row %zu, input %zu is %s, must be a finite "
                "number",
                what, i / d, i % d, isnan(x[i]) ? "missing" : "infinite");
    return GPA_OK;
}

/* Each configuration names a reference row and an order of the d inputs. */
static gpa_status check_draws(const gpa_attribute_options *o, size_t d, gpa_error *err)
{
    if (o->sv_rows == NULL)
        return GPA_OK;
    unsigned char *seen = gpai_calloc(d, sizeof *seen);
    if (seen == NULL)
        return gpai_nomem(err, "attribute");
    gpa_status st = GPA_OK;
    for (size_t c = 0; st == GPA_OK && c < o->sv_configurations; c++) {
        bool whole = true;
        memset(seen, 0, d * sizeof *seen);
        for (size_t j = 0; j < d && whole; j++) {
            size_t k = o->sv_orders[c * d + j];
            whole = k < d && !seen[k];
            if (whole)
                seen[k] = 1;
        }
        if (!whole || o->sv_rows[c] >= o->reference->n)
            st = gpai_fail(err, GPA_INVALID, "sv: draw %zu: %s", c,
                           whole ? "there is no such reference row"
                                 : "its order is no permutation of the inputs");
    }
    gpai_free(seen);
    return st;
}

static bool wants_reference(const gpai_method *method, const gpa_attribute_options *o)
{
    return method->needs_reference ||
           (method->run == gpai_ig && o->baseline == GPA_BASELINE_REFERENCE);
}

bool gpai_attribute_lacks_reference(const gpai_method *method,
                                    const gpa_attribute_options *o)
{
    const gpa_sample *r = o->reference;
    return wants_reference(method, o) && (r == NULL || r->x == NULL || r->n == 0);
}

/* The reference is looked at only by methods that read it. */
static gpa_status check_reference(const gpa_attribute_options *o,
                                  const gpai_method *method, size_t d, gpa_error *err)
{
    const gpa_sample *r = o->reference;
    const char *name = method->name;
    if (!wants_reference(method, o))
        return GPA_OK;
    if (gpai_attribute_lacks_reference(method, o))
        return gpai_fail(err, GPA_INVALID,
                         "%s: needs reference rows%s: give --reference FILE", name,
                         method->needs_reference ? "" : " for its baseline");
    if (r->d != d)
        return gpai_fail(err, GPA_INVALID,
                         "%s: the reference rows have %zu inputs, not %zu", name, r->d,
                         d);
    /* GPA_NUMERIC: one method's trouble, not the whole comparison's; Z passes over them
     */
    gpa_status st = method->run == gpai_zscore
                        ? GPA_OK
                        : check_finite("reference", r->x, r->n, d, GPA_NUMERIC, err);
    if (st == GPA_OK && method->run == gpai_shapley)
        st = check_draws(o, d, err);
    return st;
}

/* The l1 weight of lime is GPA's only where GPA's does not come from y. */
static void choose(gpa_attribute_options *o, gpa_explain_options *e)
{
    /* eta nu with the paper's nu and an eta of 0.4 (engine/tune.c); 1000 samples, 100
     * intervals and 100 configurations are the paper's */
    static const double L1 = 0.2, NU = 0.5;
    if (isnan(o->lime_l1))
        o->lime_l1 = isnan(e->eta) ? L1 : e->eta * (isnan(e->nu) ? NU : e->nu);
    if (isnan(o->lime_sd))
        o->lime_sd = 1;
    if (isnan(o->lime_precision))
        o->lime_precision = 1;
    if (o->lime_samples == 0)
        o->lime_samples = 1000;
    if (o->intervals == 0)
        o->intervals = 100;
    if (o->sv_configurations == 0)
        o->sv_configurations = 100;
    if (o->reference != NULL && (o->eig_rows == 0 || o->eig_rows > o->reference->n))
        o->eig_rows = o->reference->n;
    if (e->slope_nodes == 0)
        e->slope_nodes = e->solver == GPA_SOLVER_PAPER ? 10 : 4;
    o->explain = e;
}

gpa_status gpai_attribute_resolve(gpa_attribute_options *out, gpa_explain_options *e,
                                  const gpai_method *method,
                                  const gpa_attribute_options *opt, size_t d,
                                  gpa_error *err)
{
    gpa_attribute_options_init(out);
    gpa_status st = gpai_sized_copy(
        out, sizeof *out, opt,
        "attribute: options were not filled by gpa_attribute_options_init", err);
    if (st == GPA_OK)
        st = gpai_options_resolve(e, out->explain, d, err);
    if (st == GPA_OK)
        st = check_numbers(out, err);
    if (st == GPA_OK)
        st = check_choices(out, err);
    if (st == GPA_OK && out->baseline == GPA_BASELINE_GIVEN)
        st = check_finite("baseline", out->baseline_x, 1, d, GPA_INVALID, err);
    if (st == GPA_OK)
        st = check_finite("lime samples", out->lime_x, out->lime_samples, d,
                          GPA_INVALID, err);
    if (st == GPA_OK)
        st = check_reference(out, method, d, err);
    if (st == GPA_OK)
        choose(out, e);
    return st;
}
