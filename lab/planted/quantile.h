#ifndef GPA_LAB_PLANTED_QUANTILE_H
#define GPA_LAB_PLANTED_QUANTILE_H
#include <stddef.h>

void sort_ascending(double *v, size_t n);

/* The q-quantile of sorted numbers, between two of them where it lies there. */
double quantile(const double *sorted, size_t n, double q);

#endif
