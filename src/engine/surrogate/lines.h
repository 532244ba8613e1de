#ifndef GPAI_ENGINE_SURROGATE_LINES_H
#define GPAI_ENGINE_SURROGATE_LINES_H
#include "engine/marginals/quantiles.h"
#include "engine/math/warp.h"
#include "engine/profile.h"

/* f along the axes, as the culprits asked for it, made coordinates for a surrogate. */
typedef struct gpai_lines {
    gpai_warp warp;
    double *u, *value, *step; /* of one axis: places; by rows; on the way */
    size_t *order;
    double *size; /* n: the root mean square of f - f(x) over all axes */
    size_t n;
    double *block;
} gpai_lines;

/* So many observed rows have profiles of their own; of more the mean is one. */
enum { GPAI_LINES_EACH = 4 };

/* The profile must be of the axes behind the quantiles. gpai_lines_close frees. */
gpa_status gpai_lines_open(gpai_lines *l, const gpai_quantiles *q,
                           const gpai_profile *r, gpa_error *err);
void gpai_lines_close(gpai_lines *l);

/* z of a value of an axis: of one of few values the middle of its probability. */
double gpai_lines_z(const gpai_quantiles *q, size_t axis, double value);

#endif
