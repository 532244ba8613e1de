#ifndef GPAI_ENGINE_MAP_GRID_KERNELS_H
#define GPAI_ENGINE_MAP_GRID_KERNELS_H
#include <stddef.h>

/* Inner loops over the places of one axis, for arrays whose length is a multiple of 8.
 * Every instruction set gives the same bytes. */
typedef struct gpai_grid_kernels {
    /* out[j] *= 1 + (r - u[j])^2 scale: likelihood factors, without a logarithm */
    void (*times_squares)(const double *u, size_t n, double r, double scale,
                          double *out);
    /* out[j] -= by u[j] */
    void (*subtract_scaled)(const double *u, size_t n, double by, double *out);
    /* index of the smallest number, the first of equals; NaN never */
    size_t (*lowest)(const double *v, size_t n);
} gpai_grid_kernels;

/* The i-th set this processor can run, best first; NULL beyond the last. */
const gpai_grid_kernels *gpai_grid_kernels_at(size_t i);

/* out[j] += ln(factor[j]) for factors of at least 1, to about 1e-10; factor[j] = 1
 * after. */
void gpai_add_logs(double *factor, size_t n, double *out);

#endif
