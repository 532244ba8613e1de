#ifndef GPAI_SMALL_H
#define GPAI_SMALL_H
#include <stdbool.h>
#include <stddef.h>

/* Dense linear algebra for a few dozen unknowns; matrices are row-major. */

double gpai_dot(const double *a, const double *b, size_t n);

/* The lower factor L of a symmetric positive definite n by n matrix A = L L', in place
 * (only its lower half is read; the upper half becomes 0). False when A is not. */
bool gpai_cholesky(double *a, size_t n);

/* Solves L L' x = b in place. */
void gpai_cholesky_solve(const double *l, size_t n, double *b);

/* The inverse of a lower triangular matrix. */
void gpai_lower_invert(const double *l, size_t n, double *inverse);

/* y = L x for a lower triangular L; y is not x. */
void gpai_lower_times(const double *l, size_t n, const double *x, double *y);

#endif
