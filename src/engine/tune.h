#ifndef GPAI_ENGINE_TUNE_H
#define GPAI_ENGINE_TUNE_H
#include <gpa/explain.h>
#include <stddef.h>

/* A root of fn between lo and hi, where its signs differ, by Brent's method. */
double gpai_root(double (*fn)(void *ctx, double x), void *ctx, double lo, double hi,
                 double tol);

/* Appendix D: the rate b of the noise prior from residuals r_n with weights w_n, the
 * root of  (2 a + 1)/a sum_n w_n b / (2 b + r_n^2) = sum_n w_n,  which grows with b. 0
 * when the residuals leave no root (nearly all of them 0). */
double gpai_noise_rate(const double *residual, const double *weight, size_t n,
                       double a);

/* How far two rows are apart in each column. */
typedef enum gpai_distance {
    GPAI_DISTANCE_NUMBER, /* in units */
    GPAI_DISTANCE_NONE,   /* says nothing: held */
    GPAI_DISTANCE_LEVEL,  /* one unit when they differ */
    GPAI_DISTANCE_COLUMN, /* of a one-hot group: one unit when x alone has a 1 there */
    GPAI_DISTANCE_BARE    /* likewise when the other has, as x has none in the group */
} gpai_distance;

/* What that is for the d columns of a row x; gives the number of inputs that matter. */
size_t gpai_distances(const gpa_input *inputs, const double *x, size_t d,
                      unsigned char *distance);

/* Weights w_n = floor + exp(-|x_n - x|^2 / 2 width^2) of every `stride`-th row of the
 * reference rows; row `self` gets 0 (self = n: none). `distance` NULL: all are numbers.
 * Gives how many; `weight` has room up to the next multiple of GPAI_VPAD. */
size_t gpai_kernel_weights(const gpa_sample *rows, size_t stride, const double *unit,
                           const unsigned char *distance, const double *x, size_t self,
                           double width, double floor, double *weight);

/* eta by moments: the prior's variance, pushed through the slopes (mean over rows of
 * their squared length), explains `target`, the mean square of the residuals beyond the
 * noise. Between 0.05 and 4; 0.4 when the slopes say nothing. */
double gpai_automatic_eta(double mean_square_slope, double target, double nu);

#endif
