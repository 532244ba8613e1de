#ifndef GPAI_ENGINE_CULPRIT_SINGLE_H
#define GPAI_ENGINE_CULPRIT_SINGLE_H
#include "engine/profile.h"

/* The hypothesis that one axis moved and nothing else. */

/* Log-likelihoods (evidence.h) of the GPAI_MOVES moves of one axis into l; returns how
 * far they change f: the mean over the rows of the largest change at the cells that
 * pairs look at. */
double gpai_single_weigh(const gpai_profile *r, size_t axis, const double *move,
                         const double *residual, double scale, double *l);

/* 1/2b of the likelihood for normal rows of spread sigma, b = a sigma^2 / ratio. */
double gpai_single_scale(double sigma, double ratio);

/* Axes by falling value; equal ones keep their order. */
typedef struct gpai_ranked {
    double value;
    size_t axis;
} gpai_ranked;

void gpai_rank_axes(const double *value, size_t axes, gpai_ranked *out);

#endif
