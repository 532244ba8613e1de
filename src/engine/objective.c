#include "engine/objective.h"
#include "base/math/vectors.h"
#include <math.h>
#include <string.h>

/* ln(1 + r^2 / 2b) without overflow for any finite r. */
static double log_excess(double r, double b)
{
    double q = r * r / (2 * b);
    return isfinite(q) ? log1p(q) : 2 * log(fabs(r)) - log(2 * b);
}

double gpai_excess(const gpai_problem *p, size_t t, double r)
{
    return p->a > 0 ? log_excess(r, p->b[t]) : r * r / p->b[t];
}

void gpai_excesses(const gpai_problem *p, size_t t, double *r, size_t n)
{
    static const double MOST = 1e300;
    for (size_t i = 0; i < n; i++) {
        double q = r[i] * r[i] / (p->a > 0 ? 2 * p->b[t] : p->b[t]);
        r[i] = p->a > 0 ? 1 + (q < MOST ? q : MOST) : q;
    }
    if (p->a > 0)
        gpai_vectors_at(0)->log(r, n);
}

double gpai_divisor(const gpai_problem *p, size_t t, double r)
{
    return p->a > 0 ? 2 * p->b[t] + r * r : p->b[t];
}

bool gpai_all_finite(const double *f, size_t n)
{
    for (size_t t = 0; t < n; t++)
        if (!isfinite(f[t]))
            return false;
    return true;
}

double gpai_data_term(const gpai_problem *p, const double *f)
{
    double sum = 0;
    for (size_t t = 0; t < p->n; t++) {
        double r = p->y[t] - f[t];
        if (!isfinite(r))
            return HUGE_VAL;
        sum += gpai_excess(p, t, r);
    }
    return (p->a + 0.5) * sum;
}

double gpai_penalty(const gpai_problem *p, const double *delta)
{
    double square = 0, absolute = 0;
    for (size_t k = 0; k < p->d; k++) {
        square += delta[k] * delta[k];
        absolute += fabs(delta[k]);
    }
    return 0.5 * p->eta * square + p->eta * p->nu * absolute;
}

double gpai_pull(const gpai_problem *p, size_t t, double f)
{
    double r = p->y[t] - f;
    return r / gpai_divisor(p, t, r); /* a huge r gives 0, its limit */
}

void gpai_likelihood_gradient(const gpai_problem *p, const double *slope,
                              const double *f, double *gradient)
{
    memset(gradient, 0, p->d * sizeof *gradient);
    for (size_t t = 0; t < p->n; t++) {
        double pull = (2 * p->a + 1) * gpai_pull(p, t, f[t]);
        for (size_t k = 0; k < p->d; k++)
            gradient[k] += slope[t * p->d + k] * pull;
    }
}

double gpai_stationarity(const gpai_problem *p, const double *delta,
                         const double *gradient)
{
    double worst = 0, l1 = p->eta * p->nu;
    for (size_t k = 0; k < p->d; k++) {
        double g = p->eta * delta[k] - gradient[k];
        double v = delta[k] > 0   ? fabs(g + l1)
                   : delta[k] < 0 ? fabs(g - l1)
                                  : fabs(g) - l1;
        if (v > worst)
            worst = v;
    }
    return worst;
}

double gpai_soft_threshold(double v, double t)
{
    return v > t ? v - t : v < -t ? v + t : 0;
}
