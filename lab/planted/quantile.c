#include "lab/planted/quantile.h"
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_ascending(double *v, size_t n)
{
    qsort(v, n, sizeof *v, ascending);
}

double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    double next = i + 1 < n ? sorted[i + 1] : sorted[i];
    /* also where both are infinite */
    return next == sorted[i] ? next : sorted[i] + (at - (double)i) * (next - sorted[i]);
}
