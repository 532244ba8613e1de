#include "engine/prior.h"
#include "base/math/special.h"
#include <math.h>

gpai_prior gpai_prior_make(double eta, double nu)
{
    gpai_prior p = {.eta = eta, .nu = nu, .root = sqrt(eta)};
    p.log_tail = gpai_norm_logcdf(-p.root * nu);
    p.tail = exp(p.log_tail);
    p.log_z =
        GPAI_LN2 + 0.5 * eta * nu * nu + 0.5 * (GPAI_LN_2PI - log(eta)) + p.log_tail;
    return p;
}

double gpai_prior_logpdf(const gpai_prior *p, double x)
{
    return -gpai_prior_penalty(p, x) - p->log_z;
}

/* P(|delta| > |x|) = Phi(-root (|x| + nu)) / Phi(-root nu); logs keep it alive where
 * both underflow. */
double gpai_prior_cdf(const gpai_prior *p, double x)
{
    static const double ALIVE = 1e-250;
    double z = -p->root * (fabs(x) + p->nu);
    double t = p->tail > ALIVE ? 0.5 * gpai_norm_cdf(z) / p->tail
                               : 0.5 * exp(gpai_norm_logcdf(z) - p->log_tail);
    return x < 0 ? t : 1 - t;
}

double gpai_prior_quantile(const gpai_prior *p, double u)
{
    double tail = u < 0.5 ? 2 * u : 2 * (1 - u); /* P(|delta| > |x|) */
    if (tail >= 1)
        return 0;
    if (tail < 1e-300) /* finite, whatever is asked */
        tail = 1e-300;
    double z = gpai_norm_quantile_log(log(tail) + p->log_tail);
    double x = -z / p->root - p->nu;
    if (x < 0) /* rounding next to u = 1/2 */
        x = 0;
    return u < 0.5 ? -x : x;
}

double gpai_prior_log_tail(const gpai_prior *p, double t)
{
    return gpai_norm_logcdf(-p->root * (t + p->nu)) - p->log_tail;
}

double gpai_prior_tail_quantile(const gpai_prior *p, double log_tail)
{
    double t = -gpai_norm_quantile_log(log_tail + p->log_tail) / p->root - p->nu;
    return t > 0 ? t : 0;
}

double gpai_prior_variance(const gpai_prior *p)
{
    double s = p->root * p->nu;
    double mills = 0.79788456080286535588 / gpai_erfcx(s * 0.70710678118654752440);
    return p->nu * p->nu + 1 / p->eta - p->nu * mills / p->root;
}
