#include "lab/planted/chance.h"
#include "base/math/special.h"
#include "base/rng.h"
#include <math.h>

/* SplitMix64 (Steele, Lea, Flood 2014), its state mixed from all that names it. */
struct random_stream random_named(uint64_t seed, const char *purpose, uint64_t number)
{
    uint64_t state = gpai_rng_mix(seed + GPAI_RNG_STEP);
    for (; *purpose != '\0'; purpose++)
        state = gpai_rng_mix(state ^ (unsigned char)*purpose);
    return (struct random_stream){gpai_rng_mix(state ^ gpai_rng_mix(number + 1))};
}

double random_unit(struct random_stream *s)
{
    return (double)(gpai_rng_mix(s->state += GPAI_RNG_STEP) >> 11) * 0x1p-53;
}

size_t random_below(struct random_stream *s, size_t n)
{
    size_t i = (size_t)(random_unit(s) * (double)n);
    return i < n ? i : n - 1;
}

double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    double next = i + 1 < n ? sorted[i + 1] : sorted[i];
    /* also where both are infinite */
    return next == sorted[i] ? next : sorted[i] + (at - (double)i) * (next - sorted[i]);
}

/* The continued fraction of the incomplete beta function by Lentz's method, for x below
 * the mean, where it converges fast (Abramowitz and Stegun 26.5.8). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), tiny), h = d, change = 0;
    for (double m = 1; m < 10000 && fabs(change - 1) > 1e-15; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        change = d * c;
        h *= change;
    }
    return h;
}

/* P(B <= x) for B ~ Beta(a, b). */
static double beta_cdf(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x >= 1;
    double front = exp(gpai_log_gamma(a + b) - gpai_log_gamma(a) - gpai_log_gamma(b) +
                       a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

static double beta_quantile(double a, double b, double q)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(beta_cdf(a, b, middle) < q ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* P(at least k of n | share) = P(Beta(k, n - k + 1) <= share), which also has a meaning
 * between whole numbers. */
void exact_interval(double hits, double n, double *low, double *high)
{
    *low = hits > 0 ? beta_quantile(hits, n - hits + 1, 0.05) : 0;
    *high = hits < n ? beta_quantile(hits + 1, n - hits, 0.95) : 1;
}
