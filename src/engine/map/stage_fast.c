#include "base/status.h"
#include "engine/map/fast.h"
#include "engine/objective.h"
#include "engine/stages.h"
#include "engine/tune.h"
#include <math.h>
#include <string.h>

/* Points are kept for the surrogate as long as they stay small: 8 MiB. Chosen. */
enum { KEPT_NUMBERS = 1 << 20 };

/* eta from the slopes at the start (one call, whose points the search reuses). */
static gpa_status tune_eta(gpai_run *r, gpai_fast *w)
{
    gpai_search *q = &r->q;
    gpai_problem *p = &r->p;
    double gain;
    gpa_status st = gpai_fast_mean_square_slope(w, &gain);
    if (st != GPA_OK)
        return st;
    double target = 0;
    for (size_t t = 0; t < p->n; t++) {
        double square = (p->y[t] - q->f[t]) * (p->y[t] - q->f[t]);
        double noise = p->b[t]; /* Gaussian: the variance itself */
        if (p->a > 0)
            noise = r->e->summary.cb * p->b[t] / p->a; /* b before cb */
        if (isnan(noise))
            noise = p->b[t] / p->a;
        target += fmax(square - noise, 0.25 * square) / (double)p->n; /* eq. 26 */
    }
    p->eta = gpai_automatic_eta(gain, target, p->nu);
    r->e->summary.eta = p->eta;
    gpai_space_set_prior(&r->s, p->eta, p->nu);
    q->objective = gpai_data_term(p, q->f) + gpai_penalty(p, q->delta);
    return GPA_OK;
}

/* What the culprits have asked already. */
static const gpai_profile *known(const gpai_run *r)
{
    return r->profiled ? &r->profile : NULL;
}

static gpa_status open_search(gpai_run *r, bool thorough)
{
    gpa_explanation *e = r->e;
    gpai_problem *p = &r->p;
    size_t most = gpai_fast_most(&r->s),
           room = gpai_fast_room(&r->s, thorough, known(r));
    bool keep = e->summary.marginals == GPA_MARGINALS_SURROGATE &&
                room <= KEPT_NUMBERS / (p->d + p->n);
    if (r->opt->delta_init != NULL)
        memcpy(e->delta, r->opt->delta_init, e->d * sizeof *e->delta);
    gpai_space_project(&r->s, e->delta);
    bool zero = true;
    for (size_t k = 0; k < e->d; k++)
        zero = zero && e->delta[k] == 0;
    return gpai_search_open(&r->q, p, &r->s, e->delta, zero ? e->f : NULL, most, room,
                            keep, r->err);
}

static gpa_status solve(gpai_run *r, gpai_fast *w, bool thorough, uint64_t before)
{
    gpa_summary *s = &r->e->summary;
    gpai_map map;
    gpa_status st = isnan(s->eta) ? tune_eta(r, w) : GPA_OK;
    if (st == GPA_OK)
        st = gpai_fast_run(w, thorough, &map);
    if (st != GPA_OK)
        return st;
    s->rows_map = r->p.rows - before;
    s->iterations = map.iterations;
    s->converged = map.converged;
    s->budget_hit = map.budget_hit;
    r->q.spare = 0;
    st = gpai_fast_stationarity(w, &s->stationarity, &s->converged);
    s->rows_check += r->p.rows - before - s->rows_map;
    return st;
}

/* With culprits the MAP makes do with few further rows, for one row and up to 25 axes:
 * N (24 M + 260) in all. Gives the budget that was. */
static uint64_t lower_budget(gpai_run *r, bool thorough)
{
    /* Measured: without culprits the search took 203 to 293 rows in the mean on three
     * models. Beyond 25 axes profiles have fewer places. */
    enum { FURTHER = 260, FEW_AXES = 25 };
    gpai_problem *p = &r->p;
    uint64_t was = p->budget, limit = p->rows + (uint64_t)FURTHER * p->n;
    if (r->profiled && !thorough && r->s.axes <= FEW_AXES &&
        (was == 0 || limit < was)) {
        p->budget = limit;
        r->q.spare = 2 * r->s.axes * p->n; /* for the stationarity */
    }
    return was;
}

gpa_status gpai_stage_map_fast(gpai_run *r)
{
    gpa_explanation *e = r->e;
    gpai_fast *w = NULL;
    bool thorough = e->summary.solver == GPA_SOLVER_THOROUGH;
    uint64_t before = r->p.rows;
    gpa_status st = open_search(r, thorough);
    if (st == GPA_OK)
        st = gpai_fast_open(&w, &r->q, r->opt->slope_sd, known(r));
    uint64_t budget = lower_budget(r, thorough);
    if (st == GPA_OK)
        st = solve(r, w, thorough, before);
    if (budget != r->p.budget) /* that limit was ours, not the user's */
        e->summary.budget_hit = false;
    e->summary.converged = e->summary.converged && !e->summary.budget_hit;
    r->p.budget = budget;
    gpai_fast_close(w);
    if (st != GPA_OK)
        return st;
    memcpy(e->delta, r->q.delta, e->d * sizeof *e->delta);
    memcpy(e->f_moved, r->q.f, e->n * sizeof *e->f_moved);
    e->summary.objective = r->q.objective;
    if (isfinite(r->q.objective))
        return GPA_OK;
    e->summary.converged = false;
    e->summary.stationarity = (double)NAN;
    gpai_result_note(e,
                     "no point with a finite prediction was found within the limits");
    return GPA_OK;
}
