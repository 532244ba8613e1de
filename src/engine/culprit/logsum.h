#ifndef GPAI_ENGINE_CULPRIT_LOGSUM_H
#define GPAI_ENGINE_CULPRIT_LOGSUM_H
#include "base/math/vectors.h"
#include <math.h>

/* Four maxima and four sums side by side: a fixed order, and short chains. */
static inline double gpai_largest(const double *l, size_t n)
{
    double a = -HUGE_VAL, b = a, c = a, d = a;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a = l[i] > a ? l[i] : a;
        b = l[i + 1] > b ? l[i + 1] : b;
        c = l[i + 2] > c ? l[i + 2] : c;
        d = l[i + 3] > d ? l[i + 3] : d;
    }
    for (; i < n; i++)
        a = l[i] > a ? l[i] : a;
    return fmax(fmax(a, b), fmax(c, d));
}

static inline double gpai_total(const double *x, size_t n)
{
    double a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += x[i];
        b += x[i + 1];
        c += x[i + 2];
        d += x[i + 3];
    }
    for (; i < n; i++)
        a += x[i];
    return (a + b) + (c + d);
}

/* ln of the sum of exp(l[i]), which are left in l relative to the largest (l has room
 * up to the next multiple of GPAI_VPAD). -inf, and equal ones, when all l are. */
static inline double gpai_log_sum(const gpai_vectors *v, double *l, size_t n)
{
    double top = gpai_largest(l, n);
    for (size_t i = 0; i < n; i++)
        l[i] = isfinite(top) ? l[i] - top : 0;
    if (!isfinite(top)) {
        for (size_t i = 0; i < n; i++)
            l[i] = 1;
        return -HUGE_VAL;
    }
    v->exp(l, n);
    return top + log(gpai_total(l, n));
}

#endif
