#include "base/math/sort.h"
#include <math.h>
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

static int falling(const void *a, const void *b)
{
    const gpai_ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
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

void gpai_rank(const double *value, size_t n, gpai_ranked *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (gpai_ranked){value[i], i};
    qsort(out, n, sizeof *out, falling);
}

double gpai_sorted_median(const double *value, size_t n)
{
    return n % 2 == 1 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}

double gpai_standard_deviation(const double *value, size_t n)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (value[i] - mean) * (value[i] - mean) / (double)n;
    return sqrt(square);
}
