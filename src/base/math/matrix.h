#ifndef GPAI_BASE_MATH_MATRIX_H
#define GPAI_BASE_MATH_MATRIX_H
#include <stdbool.h>
#include <stddef.h>

/* Dense linear algebra for a few dozen unknowns; matrices are row-major. */

/* Four sums side by side: the order is fixed, and a chain of additions four times
 * shorter. */
static inline double gpai_dot(const double *a, const double *b, size_t n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0, whole = n - n % 4;
    for (; i < whole; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/* The lower factor L of a symmetric positive definite n by n matrix A = L L', in place
 * (only its lower half is read; the upper half becomes 0). False when A is not.
 *
 * gpai_spd_factor (base/math/spd.h) does the same for hundreds of rows, in blocks that
 * fit the cache. Both stay: blocks are slower for ten rows, and their sums run in
 * another order, which would change the last digits of every exact distribution. */
bool gpai_cholesky(double *a, size_t n);

/* b = L^-1 b and b = L'^-1 b for a lower triangular L, whose rows are `stride` apart.
 */
void gpai_lower_solve(const double *l, size_t stride, size_t n, double *b);
void gpai_lower_solve_transposed(const double *l, size_t stride, size_t n, double *b);

/* Solves L L' x = b in place. */
void gpai_cholesky_solve(const double *l, size_t n, double *b);

/* The inverse of a lower triangular matrix. */
void gpai_lower_invert(const double *l, size_t n, double *inverse);

/* y = L x for a lower triangular L; y is not x. */
void gpai_lower_times(const double *l, size_t n, const double *x, double *y);

#endif
