#ifndef GPAI_BASE_MATH_SORT_H
#define GPAI_BASE_MATH_SORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smallest first; NaN has no place in it. */
void gpai_sort(double *value, size_t n);

/* Moves those of n numbers to the front, sorted, among which the ones at `count` places
 * of the sorted whole are, and says at which `at` of them; the rest is lost. Much less
 * than sorting where there are many. NaN has no place in it. */
void gpai_sort_around(double *value, size_t n, const size_t *place, size_t count,
                      size_t *at);

/* The same as gpai_sort for indices. */
void gpai_sort_indices(size_t *value, size_t n);

/* Drops repetitions, and one value, from sorted numbers; how many are left. */
size_t gpai_sorted_distinct(double *value, size_t n, double without);

/* The places of numbers by falling value; equal ones keep their order. */
typedef struct gpai_ranked {
    double value;
    size_t place;
} gpai_ranked;

void gpai_rank(const double *value, size_t n, gpai_ranked *out);

/* The places of numbers in their order, smallest or (`falling`) largest first, NaN
 * last; equal ones keep theirs. In time that grows as n. False without memory. */
bool gpai_order(const double *value, size_t n, bool falling, uint32_t *out);

/* The standard deviation of n numbers, about their mean. */
double gpai_standard_deviation(const double *value, size_t n);

/* The median of sorted numbers. */
double gpai_sorted_median(const double *value, size_t n);

/* The ends of n ascending values but for those that lie apart from the others: one -999
 * would leave no room to see the rest. inf, -inf of none. */
void gpai_near(const double *ascending, size_t n, double *low, double *high);

#endif
