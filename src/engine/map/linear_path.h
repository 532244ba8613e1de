#ifndef GPAI_ENGINE_MAP_LINEAR_PATH_H
#define GPAI_ENGINE_MAP_LINEAR_PATH_H
#include "base/alloc.h"
#include "engine/map/search.h"

/* Stage A of the fast solver: f is taken as linear, f_t + g_t.(v - v0) in the axes'
 * values v, and the penalised problem is solved on that model without asking anything.
 */

/* With up to four midpoints the twelve of docs/methods.md, "The fast search". */
enum { GPAI_PATH_CANDIDATES = 8 };

typedef struct gpai_path_work {
    double *value;             /* axes: v0 */
    double *target;            /* n: y - f + g.v0 */
    double *weight, *residual; /* n each */
    double *best;              /* axes */
    double *knot; /* 2 axes events, 3 numbers each; or axes^2 of the group's matrix */
    double *gram;
} gpai_path_work;

/* Takes the arrays above from an arena. */
void gpai_path_lay_out(gpai_path_work *w, gpai_arena *a, size_t n, size_t axes);

/* Up to GPAI_PATH_CANDIDATES points into q->points (feasible), given slopes along the
 * axes (n by axes, 0 where unknown). Gives their number; 0 when the slopes say nothing.
 */
size_t gpai_path_candidates(gpai_search *q, const double *slope, gpai_path_work *w);

/* How much lower than now the best of those candidates is on the linear model: what a
 * further step could still gain. Leaves them, and their number; if only the promising
 * ones are wanted, those that are lower, the lowest first. */
double gpai_path_gain(gpai_search *q, const double *slope, gpai_path_work *w,
                      bool promising, size_t *candidates);

#endif
