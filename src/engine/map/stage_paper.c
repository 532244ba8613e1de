#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/map/paper.h"
#include "engine/objective.h"
#include "engine/stages.h"
#include <math.h>
#include <string.h>

enum { STREAM_START = 1 }; /* of the seed; 0 are the slopes */

static void start(gpai_run *r)
{
    gpa_explanation *e = r->e;
    if (r->opt->delta_init != NULL) {
        memcpy(e->delta, r->opt->delta_init, e->d * sizeof *e->delta);
    } else if (r->opt->solver == GPA_SOLVER_PAPER) {
        gpai_rng rng = gpai_rng_make(r->opt->seed, STREAM_START);
        for (size_t k = 0; k < e->d; k++)
            e->delta[k] =
                1e-8 * gpai_rng_normal(&rng); /* as the authors' code starts */
    }
    gpai_space_project(&r->s, e->delta);
}

static double largest(const double *v, size_t n)
{
    double top = 0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, fabs(v[i]));
    return top;
}

/* What the best of the moves that the last slopes have asked, each of one input alone,
 * gains. */
static double best_gain(const gpai_run *r, const double *scratch)
{
    const gpai_problem *p = &r->p;
    const gpai_space *s = &r->s;
    const double *delta = r->e->delta;
    double here = gpai_space_penalty(s, delta), lowest = HUGE_VAL;
    size_t n = p->n, nodes = r->slope.nodes;
    for (size_t i = 0; i < s->axes; i++)
        for (size_t j = 0; j < nodes && s->axis[i].kind == GPAI_AXIS_PLAIN; j++) {
            size_t k = s->axis[i].input;
            double to = delta[k] + r->slope.h[j];
            if (gpai_axis_snap(&s->axis[i], to) != to)
                continue;
            double penalty =
                here - gpai_axis_penalty(s, i, delta[k]) + gpai_axis_penalty(s, i, to);
            lowest = fmin(
                lowest, penalty + gpai_data_term(p, scratch + n * (1 + k * nodes + j)));
        }
    return r->e->summary.objective - lowest;
}

/* Asks for f and the slopes at the final delta; falls back to `before` where f has no
 * finite value, and to f alone where the budget is too small for slopes. */
static gpa_status check(gpai_run *r, const double *before, double *work)
{
    gpai_problem *p = &r->p;
    gpa_explanation *e = r->e;
    double *slope = work + gpai_slope_scratch(p, &r->slope);
    double *gradient = slope + p->n * p->d;
    bool slopes = gpai_problem_affords(p, (uint64_t)p->n * (1 + r->slope.nodes * p->d));
    if (!gpai_problem_affords(p,
                              p->n)) { /* not even f there: what is known is x itself */
        memset(e->delta, 0, e->d * sizeof *e->delta);
        memcpy(e->f_moved, e->f, e->n * sizeof *e->f);
        e->summary.objective = gpai_data_term(p, e->f);
        return GPA_OK;
    }
    if (before != NULL && !isfinite(gpai_penalty(p, e->delta)))
        memcpy(e->delta, before, e->d * sizeof *e->delta); /* kappa was too large */
    gpa_status st =
        slopes
            ? gpai_mean_slopes(p, &r->slope, e->delta, work, e->f_moved, slope, r->err)
            : gpai_predict_points(p, e->delta, NULL, 1, e->f_moved, r->err);
    if (st != GPA_OK)
        return st;
    if (!isfinite(gpai_data_term(p, e->f_moved)) && before != NULL) {
        memcpy(e->delta, before, e->d * sizeof *e->delta);
        gpai_result_note(e,
                         "the model gives no finite prediction at the last step: the "
                         "step before it is shown");
        e->summary.converged = false;
        return check(r, NULL, work);
    }
    e->summary.objective = gpai_data_term(p, e->f_moved) + gpai_penalty(p, e->delta);
    if (!slopes)
        return GPA_OK;
    gpai_likelihood_gradient(p, slope, e->f_moved, gradient);
    e->summary.stationarity = gpai_stationarity(p, e->delta, gradient);
    if (best_gain(r, work) >= GPAI_MAP_TOL) /* the step shrank, nothing else */
        e->summary.converged = false;
    if (largest(slope, p->n * p->d) == 0 && largest(e->delta, p->d) == 0)
        gpai_result_note(e, "the prediction does not change with any input around this "
                            "row: what is shown is the prior");
    return GPA_OK;
}

static gpa_status solve(gpai_run *r, double *work, double *before)
{
    gpa_explanation *e = r->e;
    gpai_problem *p = &r->p;
    gpa_summary *s = &e->summary;
    gpai_map map;
    gpai_map_paper_options o = {.kappa = s->kappa,
                                .tol = r->opt->tol,
                                .max_iter = r->opt->max_iter,
                                .one_b = s->noise != GPA_NOISE_LOCAL,
                                .spare = p->n,
                                .space = &r->s};
    uint64_t start_rows = p->rows;
    start(r);
    gpa_status st = gpai_map_paper(p, &r->slope, &o, e->delta, before, &map, r->err);
    if (st != GPA_OK)
        return st;
    s->rows_map = p->rows - start_rows;
    s->iterations = map.iterations;
    s->converged = map.converged;
    r->cut = map.budget_hit;
    s->budget_hit = s->budget_hit || r->cut;
    if (map.iterations == 0) { /* nothing was asked: only the observed rows are known */
        memset(e->delta, 0, e->d * sizeof *e->delta);
        gpai_space_project(&r->s, e->delta);
    }
    st = check(r, before, work);
    s->rows_check += p->rows - start_rows - s->rows_map;
    return st;
}

gpa_status gpai_stage_map_paper(gpai_run *r)
{
    gpai_problem *p = &r->p;
    if (r->opt->integer != NULL || r->opt->onehot != NULL)
        return gpai_fail(
            r->err, GPA_INVALID,
            "explain: the paper's solvers follow slopes and cannot move in "
            "steps: use the fast solver for integer and one-hot inputs");
    gpa_status st = gpai_slope_choose(&r->slope, r->opt, "explain", r->err);
    if (st != GPA_OK)
        return st;
    size_t scratch = gpai_slope_scratch(p, &r->slope);
    double *work = gpai_calloc(scratch + p->d * (p->n + 2), sizeof *work);
    if (work == NULL)
        return gpai_nomem(r->err, "explain");
    st = solve(r, work, work + scratch + p->d * (p->n + 1));
    gpai_free(work);
    return st;
}
