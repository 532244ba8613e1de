#ifndef GPAI_BASE_MATH_VECTORS_H
#define GPAI_BASE_MATH_VECTORS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The arithmetic that samplers and the kriging surrogate repeat millions of times, in
 * vectors.
 *
 * Every instruction set does the same basic operations in the same order, each rounded,
 * so they all give the same bytes. Arrays of doubles are read and written up to the
 * next multiple of GPAI_VPAD numbers, as arrays from gpai_take allow; what those beyond
 * the n-th hold does not matter, except in gpai_vectors.dot and dot_of_three, which add
 * them: zeros. */
/* Eight doubles are the widest vector; blocks of 16 floats are one. Panels of four rows
 * and 32 draws at once keep the registers busy. */
enum { GPAI_VPAD = 8, GPAI_VBLOCK = 16, GPAI_VPANEL = 4, GPAI_VDRAWS = 32 };
enum { GPAI_VPOINTS = 16, GPAI_VCELLS = 256 };

/* The likelihood of one observation y: Student-t around a prediction that has itself a
 * normal error. */
typedef struct gpai_vstudent {
    double y;
    double power;   /* a + 1/2 */
    double inverse; /* 1 / 2 b */
    double error;   /* standard deviation of the prediction where `spread` is 1 */
} gpai_vstudent;

typedef struct gpai_vectors {
    const char *name;

    /* In place. exp: exp(x), 0 below -708. log: of positive normal numbers. cdf: Phi(z)
     * to 1e-9 of itself for |z| < 9. quantile: Phi^-1(u) to 1e-7 for u at least 1e-9
     * away from 0 and 1. */
    void (*exp)(double *x, size_t n);
    void (*decay)(float *x, size_t n); /* exp(-x) for x >= 0, to 1e-6 of itself; n is
                                          a multiple of GPAI_VBLOCK */
    void (*log)(double *x, size_t n);
    void (*cdf)(double *z, size_t n);
    void (*quantile)(double *u, size_t n);

    /* total[i] += ln of the mean of (1 + (y - f[i] - error spread[i] e)^2 / 2 b)^-(a +
     * 1/2) over e ~ N(0, 1), by 7 Gauss-Hermite nodes. */
    void (*student)(const gpai_vstudent *s, const double *f, const double *spread,
                    size_t n, double *total);

    /* ln sum_i exp(x[i]); -inf when all x are. Those 40 below the largest are as good
     * as none, here and in the next. */
    double (*log_sum)(const double *x, size_t n);

    /* out[c] = ln sum_i exp(base[i] + g[i] slope[c] + g[i]^2 curve[c]) over m
     * components i, at n places c. Those 40 below the largest are as good as none.
     * `top` is room for n numbers. */
    void (*mixture)(const double *base, const double *g, size_t m, const double *slope,
                    const double *curve, size_t n, double *out, double *top);

    double (*dot)(const double *a, const double *b, size_t n);
    double (*dot_of_three)(const double *a, const double *b, const double *c, size_t n);
    void (*axpy)(double a, const double *x, size_t n, double *y); /* y += a x */

    /* sum[i] += scale |x[i] - at| */
    void (*add_gap)(double scale, const double *x, double at, size_t n, double *sum);

    /* c[i][j] += sign sum_k a[i][k] b[k][j] for m rows i (a multiple of GPAI_VPAD), n
     * columns j (rounded up to a multiple of 4) and `depth` k in turn. a and c are
     * stored by columns; b[k][j] is at k next_k + j next_j. */
    void (*multiply)(double sign, const double *a, size_t lda, const double *b,
                     size_t next_k, size_t next_j, size_t m, size_t n, size_t depth,
                     double *c, size_t ldc);

    /* g (m by stride) += the sum of w[i] row[i] row[i]' over n draws, its lower half at
     * least. Rows follow each other by `stride`, a multiple of GPAI_VPAD, zeros from m
     * on; n is a multiple of 4. `by` is room for four rows. */
    void (*gram)(const double *row, const double *w, size_t n, size_t m, size_t stride,
                 double *by, double *g);

    /* |at|^2 - |L (at - mean)|^2 of GPAI_VDRAWS draws, whose coordinates are the
     * columns of `at` (rank by GPAI_VDRAWS), for a lower triangular L. `off` is
     * room for as many numbers as `at`. */
    void (*squares)(const double *at, const double *mean, const double *lower,
                    size_t rank, double *off, double *out);

    /* The products of GPAI_VDRAWS draws, stored like that, with one row of m numbers:
     * those of gpai_dot. */
    void (*project)(const double *at, const double *row, size_t m, double *out);

    /* Weighted sums over n rows, `stride` apart, of up to GPAI_VPAD columns, less
     * from[k]; of their squares; and of the weights where they are above 0. Even and
     * odd rows are summed apart. */
    void (*columns)(const double *x, size_t stride, const double *w, size_t n,
                    size_t count, const double *from, double *first, double *second,
                    double *positive);

    /* An odd function at GPAI_VPOINTS places, `step` apart, into out, `next` apart: at
     * |z| per_unit nodes from 0 the series of the nearest node, of eight terms, k and k
     * + 4 side by side. False, and nothing done, unless all are nearer than `end`
     * nodes. */
    bool (*series)(const double *table, double per_unit, double end, const double *z,
                   size_t step, double *out, size_t next);

    /* The cells between ascending edges in which n points (z - centre) by, `step`
     * apart, are. Below the i-th of `places` parts of (-end, end) is the border
     * guide[i], and at most one more within it. n is at most GPAI_VCELLS. */
    void (*cells)(const double *z, size_t step, size_t n, double centre, double by,
                  const uint16_t *guide, size_t places, double end, const double *edge,
                  uint32_t *cell);

    /* Kernel sums for a block of GPAI_VBLOCK points (dims by GPAI_VBLOCK):
     *     out[t][i] = sum_j weight[j][t] exp(-sum_k |point[k][i] - row[j][k]|)
     * Rows and weights come in panels of
     * GPAI_VPANEL rows: dims (or outputs) by GPAI_VPANEL each; a row that fills up a
     * panel repeats another, with weight 0. `part` is room for outputs by GPAI_VBLOCK
     * floats. */
    void (*kernel_sums)(const float *point, const float *row, const float *weight,
                        size_t panels, size_t dims, size_t outputs, float *part,
                        double *out);

    /* The distances sum_k |.| to the nearest rows. */
    void (*nearest)(const float *point, const float *row, size_t panels, size_t dims,
                    float *out);
} gpai_vectors;

/* The i-th instruction set that this machine has, fastest first; NULL beyond the last.
 */
const gpai_vectors *gpai_vectors_at(size_t i);

#endif
