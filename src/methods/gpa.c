#include "methods/gpa.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include "engine/ask.h"
#include "engine/density.h"
#include "engine/map_paper.h"
#include "engine/marginal_grid.h"
#include "engine/objective.h"
#include "engine/slope.h"
#include <math.h>
#include <string.h>

/* Streams of the seed, one per purpose. */
enum { STREAM_SLOPE = 0, STREAM_START = 1 };

struct run {
    gpa_explanation *e;
    const gpa_explain_options *opt;
    gpai_problem p;
    gpai_slope slope;
    gpa_error *err;
};

static gpa_status make_slope(struct run *r)
{
    const gpa_explain_options *o = r->opt;
    if (o->slope_list != NULL)
        return gpai_slope_given(&r->slope, o->slope_list, o->slope_list_length,
                                o->slope_sd, r->err);
    if (o->solver == GPA_SOLVER_PAPER)
        return gpai_slope_random(&r->slope, o->slope_nodes, o->slope_sd,
                                 gpai_rng_make(o->seed, STREAM_SLOPE), r->err);
    if (o->slope_nodes < 2)
        return gpai_fail(r->err, GPA_INVALID,
                         "explain: deterministic slopes need at least 2 nodes");
    return gpai_slope_nodes(&r->slope, o->slope_nodes, o->slope_sd, r->err);
}

static void start(struct run *r)
{
    gpa_explanation *e = r->e;
    if (r->opt->delta_init != NULL) {
        memcpy(e->delta, r->opt->delta_init, e->d * sizeof *e->delta);
    } else if (r->opt->solver == GPA_SOLVER_PAPER) {
        gpai_rng rng = gpai_rng_make(r->opt->seed, STREAM_START);
        for (size_t k = 0; k < e->d; k++)
            e->delta[k] = 1e-8 * gpai_rng_normal(&rng);
    }
}

/* Asks for f and the slopes at the final delta; falls back to `before` where f has no
 * finite value, and to f alone where the budget is too small for slopes. */
static gpa_status check(struct run *r, const double *before, double *work)
{
    gpai_problem *p = &r->p;
    gpa_explanation *e = r->e;
    double *slope = work + gpai_slope_scratch(p, &r->slope);
    double *gradient = slope + p->n * p->d;
    bool slopes = gpai_problem_affords(p, (uint64_t)p->n * (1 + r->slope.nodes * p->d));
    gpa_status st = slopes ? gpai_mean_slopes(p, &r->slope, e->delta, work, e->f_moved,
                                              slope, r->err)
                           : gpai_predict_points(p, e->delta, 1, e->f_moved, r->err);
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
    e->summary.objective_zero = gpai_data_term(p, e->f);
    if (!slopes)
        return GPA_OK;
    gpai_likelihood_gradient(p, slope, e->f_moved, gradient);
    e->summary.stationarity = gpai_stationarity(p, e->delta, gradient);
    double steepest = 0, moved = 0;
    for (size_t k = 0; k < p->n * p->d; k++)
        steepest = fmax(steepest, fabs(slope[k]));
    for (size_t k = 0; k < p->d; k++)
        moved = fmax(moved, fabs(e->delta[k]));
    if (steepest == 0 && moved == 0)
        gpai_result_note(e, "the prediction does not change with any input around this "
                            "row: what is shown is the prior");
    return GPA_OK;
}

static gpa_status find_map(struct run *r)
{
    gpa_explanation *e = r->e;
    gpai_problem *p = &r->p;
    gpa_summary *s = &e->summary;
    gpai_map map;
    gpai_map_paper_options o = {.kappa = s->kappa,
                                .tol = r->opt->tol,
                                .max_iter = r->opt->max_iter,
                                .one_b = s->noise != GPA_NOISE_LOCAL,
                                .spare = p->n};
    size_t scratch = gpai_slope_scratch(p, &r->slope);
    double *work = gpai_calloc(scratch + p->d * (p->n + 2), sizeof *work);
    if (work == NULL)
        return gpai_nomem(r->err, "explain");
    double *before = work + scratch + p->d * (p->n + 1);
    start(r);
    gpa_status st = gpai_map_paper(p, &r->slope, &o, e->delta, before, &map, r->err);
    if (st == GPA_OK) {
        s->rows_map = p->rows;
        s->iterations = map.iterations;
        s->converged = map.converged;
        s->budget_hit = map.budget_hit;
        if (map.iterations == 0) /* nothing was asked: the observed rows are known */
            memset(e->delta, 0, e->d * sizeof *e->delta);
        st = check(r, before, work);
        s->rows_check = p->rows - s->rows_map;
    }
    gpai_free(work);
    return st;
}

static gpa_status find_marginals(struct run *r)
{
    gpa_explanation *e = r->e;
    gpai_problem *p = &r->p;
    size_t points = e->points;
    if (points == 0)
        return GPA_OK;
    if (!gpai_problem_affords(p, (uint64_t)p->n * p->d * points)) {
        e->summary.budget_hit = true;
        e->summary.marginals = GPA_MARGINALS_NONE;
        gpai_free(e->marginals);
        e->marginals = NULL;
        gpai_result_note(e, "the budget leaves no rows for the distributions");
        return GPA_OK;
    }
    uint64_t before = p->rows;
    gpa_status st =
        gpai_marginal_grid(p, e->delta, points, e->grid, e->density, r->err);
    if (st != GPA_OK)
        return st;
    gpai_prior prior = gpai_prior_make(p->eta, p->nu);
    for (size_t k = 0; k < e->d; k++) {
        e->marginals[k].map = e->delta[k];
        gpai_density_summarise(e->grid + k * points, e->density + k * points, points,
                               &prior, &e->marginals[k]);
    }
    e->summary.rows_marginals = p->rows - before;
    return GPA_OK;
}

static size_t largest_call(const struct run *r)
{
    size_t slopes = 1 + r->slope.nodes * r->e->d, grid = r->e->points * r->e->d;
    return r->e->n * (slopes > grid ? slopes : grid);
}

gpa_status gpai_gpa_run(gpa_explanation *e, gpa_model *m,
                        const gpa_explain_options *opt, gpa_error *err)
{
    gpa_summary *s = &e->summary;
    struct run r = {.e = e, .opt = opt, .err = err};
    r.p = (gpai_problem){.model = m,
                         .n = e->n,
                         .d = e->d,
                         .x = e->x,
                         .y = e->y,
                         .unit = e->unit,
                         .b = e->b,
                         .a = s->a0,
                         .eta = s->eta,
                         .nu = s->nu,
                         .budget = opt->budget};
    r.p.rows = s->model_rows; /* asked for the observed rows, if at all */
    r.p.calls = s->model_calls;
    gpa_status st = make_slope(&r);
    if (st == GPA_OK)
        st = gpai_problem_open(&r.p, largest_call(&r), err);
    if (st == GPA_OK)
        st = find_map(&r);
    if (st == GPA_OK)
        st = find_marginals(&r);
    for (size_t k = 0; k < e->d; k++)
        e->delta_raw[k] = e->unit[k] * e->delta[k];
    s->model_rows = r.p.rows;
    s->model_calls = r.p.calls;
    s->nonfinite_rows = r.p.nonfinite;
    gpai_problem_close(&r.p);
    gpai_slope_free(&r.slope);
    return st;
}
