#include "engine/math/kernels.h"
#include "base/cpu.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include <math.h>

/* What the kernels add up to, with q_i = (x - c_i) / width: sum 1 / (1 + q^2), and the
 * complex product of all (1 + i q), whose angle is sum atan q. Its full turns are
 * counted on the way, so that one arc tangent is enough. */
enum { PLACES = 64 }; /* looked at together */
struct sums {
    double x[PLACES], density[PLACES], re[PLACES], im[PLACES];
    unsigned long long turns[PLACES]; /* modulo 2^64 */
};

static const unsigned long long SIGN = 1ull << 63;

/* The product grows with every factor, up to 1e15 each; only its angle is wanted. */
enum { PAIRS_BEFORE_SHORTENING = 8 };

#define GPAI_LOOPS "engine/math/kernels_loops.h"
#include "base/cpu_sets.h"

struct set {
    void (*kernels)(const gpai_kernels *c, size_t n, struct sums *s);
    void (*densities)(const gpai_kernels *c, size_t n, struct sums *s);
};
#define SET(x)                                                                         \
    {                                                                                  \
        x##_kernels, x##_densities                                                     \
    }
static const struct set SETS[] = {GPAI_CPU_SETS(SET)};

/* The distribution function is kept away from 0 and 1. */
static double normal_score(double re, double im, long long turns, size_t count)
{
    double angle = atan2(im, re) + 2 * GPAI_PI * (double)turns;
    double u = 0.5 + angle / (GPAI_PI * (double)count);
    return gpai_norm_quantile(fmin(fmax(u, 1e-9), 1 - 1e-9));
}

void gpai_kernels_at(const gpai_kernels *c, double from, const double *move,
                     size_t count, double *density, double *score)
{
    /* further out nothing changes any more, and nothing must overflow */
    double low = c->centre[0] - 1e15 * c->width;
    double high = c->centre[c->count - 1] + 1e15 * c->width;
    const struct set *set = gpai_cpu_at(SETS, sizeof SETS[0], 0);
    struct sums s;
    for (size_t i = 0; i < count; i += PLACES) {
        size_t n = count - i < PLACES ? count - i : PLACES;
        for (size_t l = 0; l < PLACES; l++)
            s.x[l] = fmin(fmax(from + move[i + (l < n ? l : 0)], low), high);
        if (score == NULL)
            set->densities(c, n, &s);
        else
            set->kernels(c, n, &s);
        for (size_t l = 0; l < n; l++) {
            density[i + l] = s.density[l] / (double)c->count;
            if (score != NULL)
                score[i + l] =
                    normal_score(s.re[l], s.im[l], (long long)s.turns[l], c->count);
        }
    }
}

/* The width of n kernels. */
static double width_of(double mad, double sd, size_t n)
{
    if (!(sd > 1e-9))
        sd = 1;
    double w = mad > 1e-9 ? fmin(mad, sd) : sd;
    return 1.5 * fmax(1.06 * w * pow((double)n, -0.2), 0.05 * sd);
}

gpai_kernels gpai_kernels_make(double *value, size_t n, double *scratch)
{
    double sd = gpai_standard_deviation(value, n);
    gpai_sort(value, n);
    double median = gpai_sorted_median(value, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(value[i] - median);
    gpai_sort(scratch, n);
    double mad = 1.4826 * gpai_sorted_median(scratch, n);
    return (gpai_kernels){
        .count = n, .centre = value, .width = width_of(mad, sd, n), .mad = mad};
}

bool gpai_kernels_sways(const gpai_kernels *c, double value)
{
    double sum = 0, square = 0, others = (double)(c->count - 1);
    for (size_t i = 0; i < c->count; i++)
        sum += c->centre[i];
    double mean = (sum - value) / others;
    for (size_t i = 0; i < c->count; i++)
        square += (c->centre[i] - mean) * (c->centre[i] - mean);
    square = fmax(square - (value - mean) * (value - mean), 0);
    double width = width_of(c->mad, sqrt(square / others), c->count);
    return fabs(width - c->width) > 0.1 * c->width;
}
