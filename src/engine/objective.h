#ifndef GPAI_ENGINE_OBJECTIVE_H
#define GPAI_ENGINE_OBJECTIVE_H
#include "engine/problem.h"

/* The objective (eq. 8): O(delta) = eta/2 |delta|^2 + eta nu |delta|_1
 *                          + sum_t (a + 1/2) ln(1 + (y_t - f_t)^2 / 2 b_t),
 * minus the log posterior up to a constant. Everything is in logs. With a = 0 the noise
 * is Gaussian with variance b_t: the first two functions change, all formulas in a
 * stay true. */

/* ln(1 + r^2 / 2 b_t) for a residual r of row t, of which the data term is a + 1/2;
 * r^2 / b_t for Gaussian noise. */
double gpai_excess(const gpai_problem *p, size_t t, double r);

/* The same of n residuals, in place; n is a multiple of 8. To 1e-15 or so, which is
 * enough to compare by. */
void gpai_excesses(const gpai_problem *p, size_t t, double *r, size_t n);

/* 2 b_t + r^2, by which that residual is divided in the gradient; b_t for Gaussian
 * noise. */
double gpai_divisor(const gpai_problem *p, size_t t, double r);

/* Whether all n predictions are numbers: only then there is an objective. */
bool gpai_all_finite(const double *f, size_t n);

/* The data term (eq. 7) for n predictions f; +inf when one is not finite. */
double gpai_data_term(const gpai_problem *p, const double *f);

/* eta/2 |delta|^2 + eta nu |delta|_1. */
double gpai_penalty(const gpai_problem *p, const double *delta);

/* (y - f) / divisor of row t: the factor of df_t/d delta in the gradient of
 * the log-likelihood, without (2 a + 1). */
double gpai_pull(const gpai_problem *p, size_t t, double f);

/* Gradient of the log-likelihood from slopes (n by d) and predictions at one point: the
 * sum in eq. 9, whose eta delta gpai_stationarity adds. */
void gpai_likelihood_gradient(const gpai_problem *p, const double *slope,
                              const double *f, double *gradient);

/* Largest violation of the optimality condition 0 in d O(delta), given that gradient
 * (eq. 13). */
double gpai_stationarity(const gpai_problem *p, const double *delta,
                         const double *gradient);

/* sign(v) max(|v| - t, 0): the proximal map of t |.|. */
double gpai_soft_threshold(double v, double t);

#endif
