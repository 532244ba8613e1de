#include "base/math/sort.h"
#include "base/status.h"
#include "engine/explain.h"
#include <gpa/explain.h>
#include <gpa/model.h>
#include <math.h>

gpa_status gpa_predict_observed(gpa_model *m, const gpa_sample *s, double *f,
                                gpa_error *err)
{
    if (m == NULL || s == NULL || s->x == NULL || f == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "predict: a model, rows and room are needed");
    if (s->d != gpa_model_dim(m))
        return gpai_fail(err, GPA_INVALID,
                         "predict: the rows have %zu inputs, the model takes %zu", s->d,
                         gpa_model_dim(m));
    gpa_status st = gpa_model_predict(m, s->x, s->n, f, err);
    for (size_t i = 0; st == GPA_OK && i < s->n; i++)
        if (!isfinite(f[i]))
            st =
                gpai_fail(err, GPA_NUMERIC,
                          "predict: the model gives %s for row %zu: every observed row "
                          "needs a finite prediction",
                          isnan(f[i]) ? "NaN" : "infinity", i);
    return st;
}

/* Residuals that differ by less, as a share of y and f, differ by rounding only. */
static const double ROUNDING = 1e-13;

/* Rows that are grossly off, spoilt ones above all, are no part of the usual noise:
 * they would hide all others. They are left out only where it matters, so that sigma is
 * the plain standard deviation of every table without them. */
enum {
    ENOUGH_ROWS = 20, /* fewer do not say what is usual */
    MOST_SEEN = 1023  /* of more, evenly spaced ones: the spread is good to 4 % */
};
static const double GROSS = 6;     /* spreads: one of 500 million normal rows */
static const double MATTERS = 1.5; /* times the sigma without them */
static const double FEW = 0.1;     /* of all rows; more are no exceptions */

/* Median of y - f, and how far off a row is at most that is not grossly off. */
static void find_usual(const gpa_sample *s, double *middle, double *limit)
{
    double r[MOST_SEEN];
    size_t n = s->n < MOST_SEEN ? s->n : MOST_SEEN;
    for (size_t i = 0; i < n; i++) {
        size_t row = i * (s->n / n) + i * (s->n % n) / n;
        r[i] = s->y[row] - s->f[row];
    }
    gpai_sort(r, n);
    *middle = gpai_sorted_median(r, n);
    for (size_t i = 0; i < n; i++)
        r[i] = fabs(r[i] - *middle);
    gpai_sort(r, n);
    *limit = GROSS * 1.4826 * gpai_sorted_median(r, n); /* that of a normal: its sd */
}

/* The standard deviation of y - f over the rows within the limits; how many are not. */
static double spread(const gpa_sample *s, double middle, double limit, size_t *beyond)
{
    double mean = 0, sum = 0, n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += !(fabs(s->y[i] - s->f[i] - middle) > limit); /* NaN stays */
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(s->y[i] - s->f[i] - middle) > limit))
            mean += (s->y[i] - s->f[i]) / n;
    for (size_t i = 0; i < s->n; i++) {
        double r = s->y[i] - s->f[i];
        if (!(fabs(r - middle) > limit))
            sum += (r - mean) * (r - mean);
    }
    *beyond = s->n - (size_t)n;
    return sqrt(sum / n);
}

gpa_status gpai_residual_noise(const gpa_sample *s, gpai_noise *out, gpa_error *err)
{
    if (s == NULL || s->y == NULL || s->f == NULL)
        return gpai_fail(err, GPA_INVALID, "sigma: rows with y and f are needed");
    if (s->n < 2)
        return gpai_fail(
            err, GPA_NUMERIC,
            "sigma: %zu row is too few to estimate the predictive standard "
            "deviation; give it (sigma)",
            s->n);
    double n = (double)s->n, size = 0;
    for (size_t i = 0; i < s->n; i++)
        size += (fabs(s->y[i]) + fabs(s->f[i])) / n;
    *out = (gpai_noise){.limit = HUGE_VAL};
    out->sigma = out->all = spread(s, 0, HUGE_VAL, &out->left_out);
    if (!(out->all > ROUNDING * size && isfinite(out->all)))
        return gpai_fail(
            err, GPA_NUMERIC,
            "sigma: the standard deviation of y - f over %zu rows is %g%s; give the "
            "predictive standard deviation (sigma)",
            s->n, out->all,
            out->all > 0 && isfinite(out->all) ? ", which is rounding" : "");
    if (s->n < ENOUGH_ROWS)
        return GPA_OK;
    gpai_noise usual = {.all = out->all};
    find_usual(s, &usual.middle, &usual.limit);
    usual.sigma = spread(s, usual.middle, usual.limit, &usual.left_out);
    if (usual.sigma > ROUNDING * size && MATTERS * usual.sigma < usual.all &&
        (double)usual.left_out <= FEW * n)
        *out = usual;
    return GPA_OK;
}

gpa_status gpa_residual_sigma(const gpa_sample *s, double *sigma, gpa_error *err)
{
    gpai_noise noise;
    if (sigma == NULL)
        return gpai_fail(err, GPA_INVALID, "sigma: room for it is needed");
    gpa_status st = gpai_residual_noise(s, &noise, err);
    if (st == GPA_OK)
        *sigma = noise.sigma;
    return st;
}

gpa_status gpa_score(const gpa_sample *s, double sigma, double *score,
                     double *collective, gpa_error *err)
{
    static const double HALF_LN_2PI = 0.91893853320467274178;
    if (s == NULL || s->y == NULL || s->f == NULL || score == NULL)
        return gpai_fail(err, GPA_INVALID, "score: rows with y and f are needed");
    if (!(sigma > 0 && isfinite(sigma)))
        return gpai_fail(err, GPA_INVALID, "score: sigma is %g, must be positive",
                         sigma);
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double z = (s->y[i] - s->f[i]) / sigma;
        score[i] = HALF_LN_2PI + log(sigma) + 0.5 * z * z;
        if (!isfinite(score[i]))
            return gpai_fail(err, GPA_NUMERIC, "score: row %zu: y is %g and f is %g", i,
                             s->y[i], s->f[i]);
        sum += score[i];
    }
    if (collective != NULL)
        *collective = s->n > 0 ? sum / (double)s->n : (double)NAN;
    return GPA_OK;
}
