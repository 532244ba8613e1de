#ifndef GPAI_ENGINE_MARGINALS_GRID_H
#define GPAI_ENGINE_MARGINALS_GRID_H
#include "engine/problem.h"

/* The paper's q_k (eq. 14): the posterior of delta_k with the others held at the MAP,
 * on one even grid for all inputs, +-1.15 max |map|. A map of 0 would collapse it: the
 * grid then covers the central 99.9 % of the prior. `grid` and `density` are d by
 * points. n d points rows, one call. */
gpa_status gpai_marginal_grid(gpai_problem *p, const double *map, size_t points,
                              double *grid, double *density, gpa_error *err);

#endif
