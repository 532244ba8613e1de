#ifndef GPAI_ENGINE_MARGINALS_LINEAR_FIT_H
#define GPAI_ENGINE_MARGINALS_LINEAR_FIT_H
#include "engine/marginals/proposal.h"
#include "engine/problem.h"

/* f as a linear function of z, fitted to weighted draws, and the posterior it implies:
 * something to draw from. */
typedef struct gpai_linear_fit {
    size_t m, n;     /* dimensions, outputs */
    double *gram;    /* m + 1 by m + 1; none beyond GPAI_FIT_DIRECT dimensions */
    double *factor;  /* likewise */
    double *sums;    /* n by m + 1 */
    double *beta;    /* n by m + 1: slopes, then the constant */
    double *misfit;  /* n: mean square of what the fit leaves */
    double *row;     /* m + 1 */
    double *scratch; /* 3 (m + 1) */
    double *reduced; /* n by rank: slopes along the part's directions */
    double *length;  /* n */
} gpai_linear_fit;

/* The most dimensions in which the posterior of a fit may differ from the prior. */
enum { GPAI_FIT_RANK = GPAI_PART_RANK };

/* Up to this many dimensions the normal equations are solved; beyond, a few steps of
 * conjugate gradients do: z is nearly white. */
enum { GPAI_FIT_DIRECT = 150 };

size_t gpai_linear_fit_rank(size_t m, size_t n);

/* Ridge regression of f (k by n) on z (k by m, and in blocks) with weights w, 0 where f
 * is not finite. False when there is nothing to fit or no slope worth following (in
 * terms of b). */
bool gpai_linear_fit_make(gpai_linear_fit *l, const gpai_problem *p, const double *z,
                          const double *blocks, const double *f, const double *w,
                          size_t k);

/* The posterior of the fitted model, its misfit added to the noise: exact on a line for
 * one output, a normal for several. False when it comes to nothing. */
bool gpai_linear_fit_part(gpai_linear_fit *l, const gpai_problem *p, gpai_part *part);

#endif
