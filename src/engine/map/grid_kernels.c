#include "engine/map/grid_kernels.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t four_bits __attribute__((vector_size(32)));

static inline const four *four_at(const double *v)
{
    return (const four *)(const void *)v;
}

#define GPAI_LOOPS "engine/map/grid_loops.h"
#include "base/cpu_sets.h"

#define SET(x)                                                                         \
    {                                                                                  \
        x##_times_squares, x##_lowest, x##_lowest_product, x##_cheapest                \
    }

static const gpai_grid_kernels SETS[] = {GPAI_CPU_SETS(SET)};

const gpai_grid_kernels *gpai_grid_kernels_at(size_t i)
{
    return gpai_cpu_at(SETS, sizeof SETS[0], i);
}

/* ln q for 1 <= q < 1e300: exponent and mantissa by the bits, the mantissa's logarithm
 * by the series of artanh. */
static double quick_log(double q)
{
    uint64_t bits;
    memcpy(&bits, &q, sizeof bits);
    /* the mantissa goes to [sqrt(1/2), sqrt(2)) */
    uint64_t top = bits - UINT64_C(0x3fe6a09e667f3bcd);
    int64_t exponent = (int64_t)top >> 52;
    bits -= (uint64_t)exponent << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    double s = (m - 1) / (m + 1), z = s * s;
    double p = 2.0 / 11;
    p = p * z + 2.0 / 9;
    p = p * z + 2.0 / 7;
    p = p * z + 2.0 / 5;
    p = p * z + 2.0 / 3;
    p = p * z + 2.0;
    return (double)exponent * 0.69314718055994530942 + p * s;
}

void gpai_add_logs(double *factor, size_t n, double *out)
{
    for (size_t j = 0; j < n; j++) {
        out[j] += quick_log(factor[j] < 1e300 ? factor[j] : 1e300);
        factor[j] = 1;
    }
}
