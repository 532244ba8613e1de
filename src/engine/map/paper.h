#ifndef GPAI_ENGINE_MAP_PAPER_H
#define GPAI_ENGINE_MAP_PAPER_H
#include "engine/slope.h"
#include "engine/space.h"

/* A gain of the objective below it counts as none: a factor 1.001 of posterior density.
 * The paper's tolerance. */
#define GPAI_MAP_TOL 1e-3

/* What the search ended with. Converged: no tested move of any input, alone or in
 * pairs, lowers the objective by GPAI_MAP_TOL (the paper's solvers: and their own
 * rule). */
typedef struct gpai_map {
    size_t iterations;
    bool converged;
    bool budget_hit;
    double left;      /* what the best of the moves tested last gained */
    size_t left_axis; /* the axis it moved furthest */
} gpai_map;

typedef struct gpai_map_paper_options {
    double kappa; /* first step length */
    double tol;   /* relative change at which it stops */
    size_t max_iter;
    bool one_b;     /* all rows share one b (enters the stopping rule's constant) */
    uint64_t spare; /* rows of the budget to leave for what comes after */
    const gpai_space *space; /* every step is taken back into it */
} gpai_map_paper_options;

/* Algorithm 2: proximal gradient with a decaying step, from the delta that is passed in
 * to the last iterate, where f has not been asked yet; `before` is the one before it,
 * where f is finite. n (1 + K d) rows per iteration, in one call. */
gpa_status gpai_map_paper(gpai_problem *p, const gpai_slope *s,
                          const gpai_map_paper_options *opt, double *delta,
                          double *before, gpai_map *result, gpa_error *err);

#endif
