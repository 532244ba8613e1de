#ifndef GPAI_ENGINE_STAGES_H
#define GPAI_ENGINE_STAGES_H
#include "engine/map/search.h"
#include "engine/profile.h"
#include "engine/slope.h"
#include "result/explanation.h"

/* One explanation under way: shared by the files of the gpa method. */
typedef struct gpai_run {
    gpa_explanation *e;
    const gpa_explain_options *opt;
    gpai_problem p;
    gpai_space s;
    gpai_search q;        /* fast, thorough: open while its points may still serve */
    gpai_slope slope;     /* paper, paper-det */
    gpai_profile profile; /* f along the axes, asked for the culprits */
    bool profiled;
    unsigned char *whole;
    gpa_error *err;
} gpai_run;

/* The MAP by the paper's algorithm and by the fast one: fill e->delta, e->f_moved and
 * the figures of e->summary that go with them. */
gpa_status gpai_stage_map_paper(gpai_run *r);
gpa_status gpai_stage_map_fast(gpai_run *r);

/* The axes of a problem under the limits of the options. */
gpa_status gpai_run_space(const gpai_run *r, const gpai_problem *p, gpai_space *s);

/* Limits that a row cannot obey, whatever is asked: GPA_INVALID naming the row, before
 * the first result is handed over. opt is resolved. */
gpa_status gpai_check_limits(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *opt, gpa_error *err);

/* Culprits, asked first because the MAP shares what they learn of the model. Does
 * nothing when they are not wanted, and leaves a note when they are not possible. */
gpa_status gpai_stage_culprit(gpai_run *r);

/* Distributions as e->summary.marginals says. */
gpa_status gpai_stage_marginals(gpai_run *r);

#endif
