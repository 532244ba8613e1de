#include "base/status.h"
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

gpa_status gpa_residual_sigma(const gpa_sample *s, double *sigma, gpa_error *err)
{
    if (s == NULL || s->y == NULL || s->f == NULL || sigma == NULL)
        return gpai_fail(err, GPA_INVALID, "sigma: rows with y and f are needed");
    if (s->n < 2)
        return gpai_fail(
            err, GPA_NUMERIC,
            "sigma: %zu row is too few to estimate the predictive standard "
            "deviation; give it (sigma)",
            s->n);
    double n = (double)s->n, mean = 0, sum = 0, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        mean += (s->y[i] - s->f[i]) / n;
        size += (fabs(s->y[i]) + fabs(s->f[i])) / n;
    }
    for (size_t i = 0; i < s->n; i++) {
        double r = s->y[i] - s->f[i] - mean;
        sum += r * r;
    }
    *sigma = sqrt(sum / n);
    if (*sigma > ROUNDING * size && isfinite(*sigma))
        return GPA_OK;
    return gpai_fail(
        err, GPA_NUMERIC,
        "sigma: the standard deviation of y - f over %zu rows is %g%s; give the "
        "predictive standard deviation (sigma)",
        s->n, *sigma, *sigma > 0 && isfinite(*sigma) ? ", which is rounding" : "");
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
