#ifndef GPAI_ENGINE_PRIOR_H
#define GPAI_ENGINE_PRIOR_H
#include <math.h>

/* The elastic-net prior of one input's perturbation,
 *     p(x) = exp(-eta/2 x^2 - eta nu |x|) / Z,
 * with precision eta and l1 share nu. |x| is a normal of mean -nu and precision eta cut
 * off below 0, which gives all of the functions below. */
typedef struct gpai_prior {
    double eta, nu;
    double root;     /* sqrt(eta) */
    double log_tail; /* ln Phi(-root nu) */
    double tail;
    double log_z;
} gpai_prior;

gpai_prior gpai_prior_make(double eta, double nu);

/* -ln p(x) - ln Z */
static inline double gpai_prior_penalty(const gpai_prior *p, double x)
{
    return 0.5 * p->eta * x * x + p->eta * p->nu * fabs(x);
}

double gpai_prior_logpdf(const gpai_prior *p, double x);
double gpai_prior_cdf(const gpai_prior *p, double x);
/* The mass between low and high, of whose sides away from 0 these are the masses:
 * gpai_prior_cdf(p, -fabs(low)), and that of high. Small ones keep their digits. */
static inline double gpai_prior_between(double low, double low_tail, double high,
                                        double high_tail)
{
    return low >= 0    ? low_tail - high_tail
           : high <= 0 ? high_tail - low_tail
                       : 1 - low_tail - high_tail;
}
double gpai_prior_quantile(const gpai_prior *p, double u);
/* ln P(|delta| > t), t >= 0, also where it underflows, and the t that has it. */
double gpai_prior_log_tail(const gpai_prior *p, double t);
double gpai_prior_tail_quantile(const gpai_prior *p, double log_tail);
double gpai_prior_variance(const gpai_prior *p);

#endif
