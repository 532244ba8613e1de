#ifndef GPAI_ENGINE_MAP_GRID_KERNELS_H
#define GPAI_ENGINE_MAP_GRID_KERNELS_H
#include <stddef.h>

enum { GPAI_GRID_LANES = 16 };

/* Inner loops over the places of one axis, for arrays whose length is a multiple of 8.
 * Every instruction set gives the same bytes. */
typedef struct gpai_grid_kernels {
    /* out[j] *= 1 + (r - u[j])^2 scale: likelihood factors, without a logarithm */
    void (*times_squares)(const double *u, size_t n, double r, double scale,
                          double *out);
    /* index of the smallest number, the first of equals; NaN never */
    size_t (*lowest)(const double *v, size_t n);
    /* likewise, and the number, of factor[j] (1 + (r - u[j])^2 scale) */
    size_t (*lowest_product)(const double *u, const double *factor, size_t n, double r,
                             double scale, double *value);
    /* for each of GPAI_GRID_LANES multipliers k: the index j, likewise, of the smallest
     * cost[j] - sum_t by[t][k] u[t][j], whose `rows` t are `stride` numbers apart; any
     * number of places j */
    void (*cheapest)(const double *cost, const double *u, size_t places, size_t stride,
                     size_t rows, const double *by, size_t *at);
} gpai_grid_kernels;

/* The i-th set this processor can run, best first; NULL beyond the last. */
const gpai_grid_kernels *gpai_grid_kernels_at(size_t i);

/* out[j] += ln(factor[j]) for factors of at least 1, to about 1e-10; factor[j] = 1
 * after. */
void gpai_add_logs(double *factor, size_t n, double *out);

#endif
