#ifndef GPAI_BASE_MATH_SPD_H
#define GPAI_BASE_MATH_SPD_H
#include "base/math/vectors.h"
#include <stdbool.h>

/* Symmetric positive definite matrices of a few hundred rows. Matrices are stored by
 * columns of ld = gpai_spd_ld(n) numbers, and have ld columns; only the lower triangle
 * of the n by n corner counts, and rows n and beyond must be 0. Sums run in one order:
 * the same bytes on every processor, for any number of threads. */

/* A whole and odd number of vectors: columns an even number of them apart would compete
 * for the same few cache lines. */
size_t gpai_spd_ld(size_t n);

/* The lower factor L of A = L L', in place; false when A is not positive definite. In
 * blocks of columns; gpai_cholesky (base/math/matrix.h), row by row, is for small ones
 * and rounds otherwise. */
bool gpai_spd_factor(const gpai_vectors *v, double *a, size_t n, size_t ld);

/* L^-1 from L, in place, with zeros above the diagonal. `scratch` holds
 * gpai_spd_scratch(n) numbers. */
size_t gpai_spd_scratch(size_t n);
void gpai_spd_invert_factor(const gpai_vectors *v, double *l, size_t n, size_t ld,
                            double *scratch);

/* x = A^-1 x from L^-1; `scratch` holds ld numbers; x has room for ld, 0 from n on. */
void gpai_spd_solve(const gpai_vectors *v, const double *inverse, size_t n, size_t ld,
                    double *x, double *scratch);

/* The lower triangle of A^-1 from L^-1, in place; `other` is a second such matrix. */
void gpai_spd_inverse(const gpai_vectors *v, double *inverse, size_t n, size_t ld,
                      double *other);

#endif
