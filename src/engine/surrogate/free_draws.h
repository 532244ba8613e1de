#ifndef GPAI_ENGINE_SURROGATE_FREE_DRAWS_H
#define GPAI_ENGINE_SURROGATE_FREE_DRAWS_H
#include "base/alloc.h"
#include "base/math/sobol.h"
#include "base/math/vectors.h"
#include <stdbool.h>

/* Free draws of a posterior that is cheap to evaluate (a surrogate's): half of them
 * from the prior N(0, I), half from a normal matched to their own weighted moments. */
typedef struct gpai_free_draws {
    const gpai_vectors *v;
    size_t axes, room; /* draws that fit */
    size_t filled;     /* those that e has yet */
    bool matched;      /* there is a normal, not only the prior */
    double *mean;      /* axes */
    double *root;      /* axes^2: lower factor of its covariance */
    double log_root;   /* ln of its determinant */

    double *e;      /* room by axes: standard normal draws, never changed */
    double *z;      /* room by axes: the draws */
    double *log_w;  /* room: ln weight, to be completed by the caller */
    double *w;      /* room: weights, sum 1 */
    double *temper; /* room */
    double *c;      /* axes */
    double ess, log_norm;
} gpai_free_draws;

/* Takes the arrays from an arena, for the axes and room that are set. All are written
 * before they are read. */
void gpai_free_draws_lay_out(gpai_free_draws *p, gpai_arena *a);

/* Fills e from the next points of `s`, so that it has n of them. */
void gpai_free_draws_fill(gpai_free_draws *p, gpai_sobol *s, size_t n);

/* Makes n draws from those of e that start at `first`: z, and in log_w the ln of prior
 * over proposal density. */
void gpai_free_draws_draw(gpai_free_draws *p, size_t first, size_t n);

/* When the caller has added the log likelihood to log_w (NaN: none): weights, ess,
 * log_norm = ln of the likelihood's mean under the prior. False when all are 0. */
bool gpai_free_draws_weigh(gpai_free_draws *p, size_t n);

/* Matches the normal to the weighted draws. */
void gpai_free_draws_match(gpai_free_draws *p, size_t n);

#endif
