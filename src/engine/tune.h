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

/* Weights w_n = floor + exp(-|x_n - x|^2 / 2 width^2) of every `stride`-th row of the
 * reference rows, distances in units; row `self` gets 0 (self = n: none). Gives how
 * many. */
size_t gpai_kernel_weights(const gpa_sample *rows, size_t stride, const double *unit,
                           const double *x, size_t self, double width, double floor,
                           double *weight);

/* eta by moments: the prior's variance, pushed through the slopes (mean over rows of
 * their squared length), explains `target`, the mean square of the residuals beyond the
 * noise. Between 0.05 and 4; 0.4 when the slopes say nothing. */
double gpai_automatic_eta(double mean_square_slope, double target, double nu);

#endif
