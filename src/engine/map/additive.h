#ifndef GPAI_ENGINE_MAP_ADDITIVE_H
#define GPAI_ENGINE_MAP_ADDITIVE_H
#include "base/math/vectors.h"
#include "engine/map/grid_kernels.h"
#include "engine/map/search.h"

/* Stage B of the fast solver: an additive model f_t + sum_i u_ti(v_i) around the best
 * point, from profiles of f along axes, minimised on grids without asking the model. */

/* Places between the ends of a profile, and points to ask. Chosen: the rounds narrow,
 * so a grid need not be fine; eight candidates fit into one call with the rest.
 */
enum {
    GPAI_ADDITIVE_GRID = 61,
    GPAI_ADDITIVE_CENTRED = 63, /* odd: the best point is the middle one; with 0 64 */
    GPAI_ADDITIVE_CANDIDATES = 8
};

/* One profile: places on an axis, ascending, with f - f(best) there. */
typedef struct gpai_profile_view {
    size_t axis;
    size_t nodes;
    const double *value;  /* nodes */
    const double *change; /* nodes by n; NaN where f has no value */
    bool discrete;        /* only the nodes themselves are places */
    bool curved;  /* between nodes f bends as it does around them; else straight */
    bool centred; /* the grid is finer near the best point; else even */
} gpai_profile_view;

typedef struct gpai_additive {
    size_t m, n, room; /* profiles, rows, grid points per profile at most */
    size_t width;      /* grid points of those loaded at most: a multiple of 8 */
    size_t *count;     /* m: grid points of each */
    size_t *axis;      /* m */
    double *place;     /* m by width: values */
    double *change;    /* m by n by width */
    double *cost;      /* m by width: penalty; +inf where unusable */
    size_t *choice;    /* states by m */
    double *score;     /* states */
    size_t states;
    size_t *tried;          /* one for each multiplier of a scan, by m */
    double *by;             /* n by GPAI_GRID_LANES */
    double *price;          /* m by width: cost as try_axis wants it */
    double *sum;            /* n */
    double *scale;          /* n: of squares in factors */
    double *trial, *factor; /* width each */
    double *direction;      /* n */
    const gpai_grid_kernels *kernel;
    const gpai_vectors *vectors;
    bool lean; /* one row, on grids around the best point */
    double *block;
} gpai_additive;

/* Room for m profiles of at most `nodes` nodes for n rows. */
gpa_status gpai_additive_open(gpai_additive *a, size_t m, size_t n, size_t nodes,
                              gpa_error *err);
void gpai_additive_close(gpai_additive *a);

/* Lays the profiles on grids. fine: interpolate between nodes of plain axes. */
void gpai_additive_load(gpai_additive *a, const gpai_search *q,
                        const gpai_profile_view *profile, size_t m, bool fine);

/* Minimises from the best point and from a scan of the separable Lagrangian; up to
 * `most`, at most GPAI_ADDITIVE_CANDIDATES, distinct points into q->points, best first.
 */
size_t gpai_additive_candidates(gpai_additive *a, gpai_search *q, size_t most);

/* Up to GPAI_ADDITIVE_PAIRS points with two axes moved that gain more than `least`
 * together on the model, best first, into q->points from number `at` on. */
enum { GPAI_ADDITIVE_PAIRS = 4 };
size_t gpai_additive_pairs(gpai_additive *a, gpai_search *q, double least, size_t at);

#endif
