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
 * the plain standard deviation of every table without them. Chosen so that of tables
 * with normal noise one in 80 or fewer loses a row, which costs .6 % on average (8
 * rows; 40 rows: one in 1000), and Student's noise with 3 degrees of freedom keeps five
 * sixths of its sigma. */
enum {
    ENOUGH_ROWS = 8, /* fewer do not say what is usual */
    MOST_SEEN = 1023 /* of more, evenly spaced ones: the spread is good to 4 % */
};
/* Very few rows need not be so far off, nor matter so much, as a tenth of all. */
static const struct {
    double gross;   /* spreads, */
    double unsure;  /* and as many n-ths more of few rows */
    double matters; /* times the sigma without them */
    double few;     /* of all rows, or one; more are no exceptions */
} RULES[] = {{4.5, 4, 1.2, 0.06}, {6, 0, 1.5, 0.1}};
enum { MANY_RULES = sizeof RULES / sizeof RULES[0] };

/* Median of y - f, and its usual distance from it: 1.4826 times the median one, which
 * is the standard deviation of normal rows. */
static void find_usual(const gpa_sample *s, double *middle, double *distance)
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
    *distance = 1.4826 * gpai_sorted_median(r, n);
}

/* y - f of the rows within limits. */
struct spread {
    double sd, size; /* size: the mean of |y| + |f| */
    size_t beyond;   /* rows that are not within them */
};

/* A power of 2 that brings numbers of this size near 1: what is multiplied by it keeps
 * its digits, and its square is a number. */
static double near_one(double largest)
{
    int exponent = 0;
    if (isfinite(largest))
        frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

static struct spread spread(const gpa_sample *s, double middle, double limit)
{
    double mean = 0, sum = 0, n = 0, largest = 0, size = 0;
    for (size_t i = 0; i < s->n; i++)
        n += !(fabs(s->y[i] - s->f[i] - middle) > limit); /* NaN stays */
    for (size_t i = 0; i < s->n; i++)
        if (!(fabs(s->y[i] - s->f[i] - middle) > limit)) {
            mean += (s->y[i] - s->f[i]) / n;
            size += (fabs(s->y[i]) + fabs(s->f[i])) / n;
            largest = fmax(largest, fabs(s->y[i] - s->f[i]));
        }
    double scale = near_one(largest);
    for (size_t i = 0; i < s->n; i++) {
        double r = s->y[i] - s->f[i], off = (r - mean) * scale;
        if (!(fabs(r - middle) > limit))
            sum += off * off;
    }
    return (struct spread){sqrt(sum / n) / scale, size, s->n - (size_t)n};
}

/* Whether a spread is more than rounding. */
static bool is_spread(const struct spread *of)
{
    return of->sd > ROUNDING * of->size && isfinite(of->sd);
}

/* The noise without the rows that are grossly off by a rule, where it matters. However
 * far off they are, also where y - f is no number: the others say what is usual. */
static bool is_usual(const gpa_sample *s, size_t rule, double distance, gpai_noise *out)
{
    double n = (double)s->n;
    gpai_noise usual = *out;
    usual.all = isnan(out->all) ? HUGE_VAL : out->all;
    usual.limit = RULES[rule].gross * (1 + RULES[rule].unsure / n) * distance;
    struct spread of = spread(s, usual.middle, usual.limit);
    usual.sigma = of.sd;
    usual.left_out = of.beyond;
    bool few = of.beyond <= 1 || (double)of.beyond <= RULES[rule].few * n;
    if (!is_spread(&of) || !few || !(RULES[rule].matters * of.sd < usual.all))
        return false;
    *out = usual;
    return true;
}

/* By the first rule that holds. */
static bool find_noise(const gpa_sample *s, gpai_noise *out)
{
    double distance;
    find_usual(s, &out->middle, &distance);
    struct spread near = spread(s, out->middle, distance);
    out->usual = is_spread(&near) ? distance : (double)NAN;
    for (size_t rule = 0; s->n >= ENOUGH_ROWS && rule < MANY_RULES; rule++)
        if (is_usual(s, rule, distance, out))
            return true;
    return false;
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
    struct spread all = spread(s, 0, HUGE_VAL);
    *out = (gpai_noise){.sigma = all.sd, .all = all.sd, .limit = HUGE_VAL};
    if (find_noise(s, out) || is_spread(&all))
        return GPA_OK;
    return gpai_fail(
        err, GPA_NUMERIC,
        "sigma: the standard deviation of y - f over %zu rows is %g%s; give the "
        "predictive standard deviation (sigma)",
        s->n, all.sd, all.sd > 0 && isfinite(all.sd) ? ", which is rounding" : "");
}

gpa_status gpa_residual_sigma(const gpa_sample *s, double *sigma, gpa_error *err)
{
    gpai_noise noise = {0};
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
    static const double HIGHEST = 1e300; /* many of them can be added up */
    if (s == NULL || s->y == NULL || s->f == NULL || score == NULL)
        return gpai_fail(err, GPA_INVALID, "score: rows with y and f are needed");
    if (!(sigma > 0 && isfinite(sigma)))
        return gpai_fail(err, GPA_INVALID, "score: sigma is %g, must be positive",
                         sigma);
    double sum = 0;
    size_t absurd = 0, first = 0;
    for (size_t i = 0; i < s->n; i++) {
        double z = (s->y[i] - s->f[i]) / sigma;
        score[i] = HALF_LN_2PI + log(sigma) + 0.5 * z * z;
        if (isnan(score[i]))
            return gpai_fail(err, GPA_NUMERIC, "score: row %zu: y is %g and f is %g", i,
                             s->y[i], s->f[i]);
        if (score[i] > HIGHEST) {
            score[i] = HIGHEST;
            first = absurd++ == 0 ? i : first;
        }
        sum += score[i];
    }
    if (2 * absurd > s->n)
        return gpai_fail(err, GPA_NUMERIC,
                         "score: row %zu: y is %g and f is %g: sigma, which is %g, is "
                         "too small for a difference of that size",
                         first, s->y[first], s->f[first], sigma);
    if (collective != NULL)
        *collective = s->n > 0 ? sum / (double)s->n : (double)NAN;
    return GPA_OK;
}
