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
 * (only its lower half is read; the upper half becomes 0). False when A is not. */
bool gpai_cholesky(double *a, size_t n);

/* Solves L L' x = b in place. */
void gpai_cholesky_solve(const double *l, size_t n, double *b);

/* The inverse of a lower triangular matrix. */
void gpai_lower_invert(const double *l, size_t n, double *inverse);

/* y = L x for a lower triangular L; y is not x. */
void gpai_lower_times(const double *l, size_t n, const double *x, double *y);

/* Arithmetic on many draws at once, in vectors. Every instruction set does the same
 * operations in the same order, each rounded: all give the same bytes. */
enum { GPAI_WIDE = 8, GPAI_WIDE_DRAWS = 32 };

typedef struct gpai_wide {
    const char *name;

    /* ln of positive normal numbers, in place; n is a multiple of GPAI_WIDE. */
    void (*log)(double *x, size_t n);

    /* g (m by stride) += the sum of w[i] row[i] row[i]' over n draws, its lower half at
     * least. Rows follow each other by `stride`, a multiple of GPAI_WIDE, zeros from m
     * on; n is a multiple of 4. `by` is room for four rows. */
    void (*gram)(const double *row, const double *w, size_t n, size_t m, size_t stride,
                 double *by, double *g);

    /* |at|^2 - |L (at - mean)|^2 of GPAI_WIDE_DRAWS draws, whose coordinates are the
     * columns of `at` (rank by GPAI_WIDE_DRAWS), for a lower triangular L. `off` is
     * room for as many numbers as `at`. */
    void (*squares)(const double *at, const double *mean, const double *lower,
                    size_t rank, double *off, double *out);
} gpai_wide;

/* The i-th instruction set that this machine has, fastest first; NULL beyond the last.
 */
const gpai_wide *gpai_wide_at(size_t i);

#endif
