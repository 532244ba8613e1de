#ifndef GPAI_ENGINE_MAP_FAST_H
#define GPAI_ENGINE_MAP_FAST_H
#include "engine/map/paper.h"
#include "engine/map/search.h"
#include "engine/profile.h"

/* The fast solver: three proximal Gauss-Newton steps on a linear model of f, then
 * rounds on an additive model from profiles along the axes. Only true decreases of the
 * objective are accepted, and no point is asked twice. */
typedef struct gpai_fast gpai_fast;

/* What q must be opened with: probes per request and points to remember at most. */
size_t gpai_fast_most(const gpai_space *s);
size_t gpai_fast_room(const gpai_space *s, bool thorough, const gpai_profile *profile);

/* A solver on q, whose best point it moves; h is the width of the first slopes, in
 * units. One allocation of everything. `profile`, where f along the axes
 * is known already (NULL: not), saves rows and must outlive the solver. */
gpa_status gpai_fast_open(gpai_fast **out, gpai_search *q, double h,
                          const gpai_profile *profile);
void gpai_fast_close(gpai_fast *w);

/* Mean over rows of the squared length of the slopes at q->delta, by central
 * differences of +-h: the same points the first step wants. */
gpa_status gpai_fast_mean_square_slope(gpai_fast *w, double *mean);

/* Searches. thorough: goes on until it has settled, or nearly so. */
gpa_status gpai_fast_run(gpai_fast *w, bool thorough, gpai_map *result);

/* Whether f stands still over whole stretches, as far as the search has seen. */
bool gpai_fast_stepped(const gpai_fast *w);

/* Whether the search has converged: no tested move of any axis, alone or in pairs,
 * gains 1e-3; result->left says what the best of them gains. Also the largest violation
 * of the optimality condition at q->delta over the continuous axes, by small central
 * differences (asked where not known); NaN when the budget forbids, and on a stepped f,
 * where slopes say nothing. */
gpa_status gpai_fast_check(gpai_fast *w, double *violation, gpai_map *result);

#endif
