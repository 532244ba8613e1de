#include "base/math/sort.h"
#include <stdlib.h>

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int rising_index(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

void gpai_sort(double *value, size_t n)
{
    qsort(value, n, sizeof *value, rising);
}

void gpai_sort_indices(size_t *value, size_t n)
{
    qsort(value, n, sizeof *value, rising_index);
}

size_t gpai_sorted_distinct(double *value, size_t n, double without)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (value[i] != without && (kept == 0 || value[i] != value[kept - 1]))
            value[kept++] = value[i];
    return kept;
}

double gpai_sorted_median(const double *value, size_t n)
{
    return n % 2 == 1 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}
