#ifndef GPAI_ENGINE_STAGES_H
#define GPAI_ENGINE_STAGES_H
#include "engine/culprit/density/known.h"
#include "engine/map/search.h"
#include "engine/profile.h"
#include "engine/slope.h"
#include "result/explanation.h"

/* One explanation under way: what its stages find out for each other. */
typedef struct gpai_run {
    gpa_explanation *e;             /* the result: every stage fills its part */
    const gpa_explain_options *opt; /* nothing is left open in them */
    gpai_known *known; /* what belongs to the table, shared; NULL: nothing is */
    gpai_problem p;    /* the rows, the noise, and how the model is asked */
    gpai_space s;      /* what may move */
    gpai_exact *exact; /* d: inputs that are rounded; or NULL */

    uint64_t calls; /* of the model before the first stage */

    gpai_profile profile; /* culprit: f along the axes, if profiled */
    bool profiled;
    gpai_slope slope;  /* map, paper: the perturbations of eq. 10 */
    gpai_search q;     /* map, fast: open while its points may still serve */
    bool cut;          /* map: the budget ended it */
    double left;       /* what the best move tested last would still gain, or 0 */
    size_t left_input; /* of which input */
    gpa_error *err;
} gpai_run;

/* The stages in their order. Each reads what the ones before have found.
 *
 * Who did it (eq. 24, 25). First, because the search for the MAP shares what it learns
 * of the model. Does nothing when it is not wanted, and leaves a note when it is not
 * possible. */
gpa_status gpai_stage_culprit(gpai_run *r);

/* The most probable change (eq. 8), by Algorithm 2 of the paper or by the fast search:
 * fills e->delta, e->f_moved and the figures of e->summary that go with them. */
gpa_status gpai_stage_map_paper(gpai_run *r);
gpa_status gpai_stage_map_fast(gpai_run *r);

/* The distribution of each change (eq. 14, 22, 23), as e->summary.marginals says. */
gpa_status gpai_stage_marginals(gpai_run *r);

#endif
