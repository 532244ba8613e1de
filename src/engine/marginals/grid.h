#ifndef GPAI_ENGINE_MARGINALS_GRID_H
#define GPAI_ENGINE_MARGINALS_GRID_H
#include "engine/prior.h"
#include <gpa/explain.h>

/* A density known at ascending grid points and linear between them. */

/* exp and normalise log densities (in place) to a trapezoid integral of 1. -inf counts
 * as 0; nothing finite at all gives the uniform density. */
void gpai_density_normalise(const double *grid, double *log_density, size_t points);

/* P(delta <= x). */
double gpai_density_cdf(const double *grid, const double *density, size_t points,
                        double x);

/* The point below which a share u of the mass lies. */
double gpai_density_quantile(const double *grid, const double *density, size_t points,
                             double u);

/* Mean, sd, intervals, P(> 0) and information of a density into m; leaves m->map alone.
 */
void gpai_density_summarise(const double *grid, const double *density, size_t points,
                            const gpai_prior *prior, gpa_marginal *m);

#endif
