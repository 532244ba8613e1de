#include "engine/map/fast.h"
#include "base/alloc.h"
#include "base/status.h"
#include "engine/map/fast_work.h"
#include "engine/objective.h"
#include "engine/stages.h"
#include "engine/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the last slopes, in widths of the first. Chosen: a quadratic f gives exact central
 * differences at any width, and a curved one an error of FINE_H^2. */
static const double FINE_H = 0.05;

static size_t nodes_of(const gpai_axis *a)
{
    size_t values = a->kind == GPAI_AXIS_CHOICE ? gpai_axis_choices(a) : 0;
    size_t nodes = values < GPAI_FAST_CHOICES ? values : GPAI_FAST_CHOICES;
    return nodes > GPAI_FAST_NODES ? nodes : GPAI_FAST_NODES;
}

static size_t widest(const gpai_space *s)
{
    size_t most = GPAI_FAST_NODES;
    for (size_t i = 0; i < s->axes; i++)
        most = nodes_of(&s->axis[i]) > most ? nodes_of(&s->axis[i]) : most;
    return most;
}

size_t gpai_fast_profiled(const gpai_space *s)
{
    return s->axes < GPAI_FAST_PROFILED ? s->axes : GPAI_FAST_PROFILED;
}

/* Two differences a number, some switches a choice. */
static size_t first_probes(const gpai_space *s)
{
    size_t count = 2 * s->axes;
    for (size_t i = 0; i < s->axes; i++)
        if (s->axis[i].kind == GPAI_AXIS_CHOICE)
            count += GPAI_FAST_SWITCHES - 2;
    return count;
}

size_t gpai_fast_most(const gpai_space *s)
{
    size_t slopes = first_probes(s), profiles = gpai_fast_profiled(s) * widest(s);
    return slopes > profiles ? slopes : profiles;
}

size_t gpai_fast_room(const gpai_space *s, bool thorough, const gpai_profile *profile)
{
    size_t rounds = GPAI_FAST_ROUNDS + (thorough ? 5 : 0);
    size_t known = profile != NULL ? profile->used : 0;
    return known + first_probes(s) + (GPAI_FAST_STEPS - 1) * 2 * s->axes +
           GPAI_FAST_STEPS * 12 + 2 * s->axes +
           rounds * (gpai_fast_profiled(s) * widest(s) + 12) + 1;
}

/* Nodes of the profiles, given or asked, at most. */
static size_t room_for_nodes(const gpai_fast *w)
{
    size_t wide = widest(w->q->s);
    for (size_t i = 0; w->profile != NULL && i < w->q->s->axes; i++)
        wide = w->profile->nodes[i] > wide ? w->profile->nodes[i] : wide;
    return wide;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_fast *w = work;
    const gpai_space *s = w->q->s;
    size_t n = w->q->p->n, wide = w->wide, most = gpai_fast_most(s);
    size_t profiled = gpai_fast_profiled(s);
    w->slope = gpai_take(a, n, s->axes);
    w->square = gpai_take(a, s->axes, 1);
    w->probe_f = gpai_take(a, most > GPAI_SEARCH_POINTS ? most : GPAI_SEARCH_POINTS, n);
    w->seed = gpai_take(a, GPAI_ADDITIVE_CANDIDATES, s->d);
    w->node = gpai_take(a, profiled, wide);
    w->change = gpai_take(a, profiled * wide, n);
    gpai_path_lay_out(&w->path, a, n, s->axes);
    w->probe = gpai_take_bytes(a, most, sizeof *w->probe);
    w->view = gpai_take_bytes(a, profiled, sizeof *w->view);
    w->active = gpai_take_bytes(a, s->axes, sizeof *w->active);
    w->order = gpai_take_bytes(a, s->axes, sizeof *w->order);
}

void gpai_fast_close(gpai_fast *w)
{
    if (w == NULL)
        return;
    gpai_additive_close(&w->additive);
    gpai_free(w->block);
    gpai_free(w);
}

static gpa_status allocate(gpai_fast *w)
{
    const gpai_space *s = w->q->s;
    w->block = gpai_carve(lay_out, w);
    if (w->block == NULL)
        return gpai_nomem(w->q->err, "explain");
    for (size_t i = 0; i < s->axes; i++)
        w->order[i] = i;
    return gpai_additive_open(&w->additive, gpai_fast_profiled(s), w->q->p->n, w->wide,
                              w->q->err);
}

/* What is known of f along the axes need not be asked again. */
static void remember(gpai_fast *w)
{
    const gpai_profile *r = w->profile;
    gpai_search *q = w->q;
    for (size_t i = 0; i < q->s->axes; i++)
        for (size_t j = 0; j < r->nodes[i]; j++) {
            size_t at = r->start[i] + j;
            memset(q->moved, 0, q->p->d * sizeof *q->moved);
            gpai_axis_set(q->s, i, r->node[at], q->moved);
            gpai_memo_add(&q->memo, gpai_memo_key(q->moved, q->p->d), q->moved,
                          r->f + at * q->p->n);
        }
}

gpa_status gpai_fast_open(gpai_fast **out, gpai_search *q, double h,
                          const gpai_profile *profile)
{
    *out = NULL;
    gpai_fast *w = gpai_calloc(1, sizeof *w);
    if (w == NULL)
        return gpai_nomem(q->err, "explain");
    w->q = q;
    w->h = h;
    w->profile = profile;
    w->wide = room_for_nodes(w);
    gpa_status st = allocate(w);
    if (st != GPA_OK) {
        gpai_fast_close(w);
        return st;
    }
    if (profile != NULL)
        remember(w);
    *out = w;
    return GPA_OK;
}

void gpai_fast_all_active(gpai_fast *w)
{
    w->n_active = w->q->s->axes;
    memcpy(w->active, w->order, w->n_active * sizeof *w->active);
}

/* Last Gauss-Newton steps with small differences, as long as they pay and stay within
 * the usual number of calls: on a smooth f they converge where the grids of the rounds
 * end. */
static gpa_status polish(gpai_fast *w, gpai_map *result)
{
    double gain = GPAI_FAST_TOL, step;
    for (int i = 0; gain >= GPAI_FAST_TOL && !w->q->budget_hit; i++) {
        if (i > 0 && w->q->p->calls + 2 >= GPAI_FAST_CALLS)
            break;
        gpai_fast_all_active(w);
        gpa_status st = gpai_fast_slopes(w, FINE_H * w->h);
        if (st != GPA_OK)
            return st;
        size_t k = gpai_path_candidates(w->q, w->slope, &w->path);
        k = gpai_fast_midpoints(w->q, k, 4);
        st = gpai_fast_try(w, k, 1e-12, &gain, &step);
        if (st != GPA_OK)
            return st;
        result->iterations++;
        result->converged = gain < GPAI_FAST_TOL;
    }
    return GPA_OK;
}

gpa_status gpai_fast_run(gpai_fast *w, bool thorough, gpai_map *result)
{
    *result = (gpai_map){0};
    if (w->q->s->axes == 0) { /* nothing may move */
        result->converged = true;
        return GPA_OK;
    }
    gpa_status st = gpai_fast_path(w, result);
    if (st == GPA_OK)
        st = gpai_fast_rounds(w, result);
    if (st == GPA_OK && !w->stepped)
        st = polish(w, result);
    if (st == GPA_OK && thorough)
        st = gpai_fast_pull_back(w, result);
    result->budget_hit = w->q->budget_hit;
    return st;
}

/* Violation along one axis at value v with likelihood gradient g: at a bound only the
 * inward direction counts. */
static double violation_at(const gpai_problem *p, const gpai_axis *a, double v,
                           double g)
{
    double l1 = p->eta * p->nu, up = p->eta * v - g, down = -up;
    up += v >= 0 ? l1 : -l1;   /* slope of the objective to the right */
    down += v <= 0 ? l1 : -l1; /* and to the left */
    double worst = 0;
    if (v < a->hi)
        worst = fmax(worst, -up);
    if (v > a->lo)
        worst = fmax(worst, -down);
    return worst;
}

static double worst_violation(const gpai_fast *w)
{
    const gpai_search *q = w->q;
    double worst = 0;
    for (size_t i = 0; i < q->s->axes; i++) {
        const gpai_axis *a = &q->s->axis[i];
        double g = 0;
        for (size_t t = 0; t < q->p->n; t++)
            g += (2 * q->p->a + 1) * gpai_pull(q->p, t, q->f[t]) *
                 w->slope[t * q->s->axes + i];
        if (a->kind == GPAI_AXIS_PLAIN)
            worst = fmax(worst, violation_at(q->p, a, q->delta[a->input], g));
    }
    return worst;
}

gpa_status gpai_fast_stationarity(gpai_fast *w, double *violation, bool *converged)
{
    gpai_search *q = w->q;
    bool hit = q->budget_hit;
    gpai_fast_all_active(w);
    q->budget_hit = false;
    gpa_status st = gpai_fast_slopes(w, FINE_H * w->h);
    bool known = st == GPA_OK && !q->budget_hit;
    *violation = known ? worst_violation(w) : (double)NAN;
    if (known && !w->stepped && gpai_path_gain(q, w->slope, &w->path) < GPAI_FAST_TOL)
        *converged = true;
    q->budget_hit = hit;
    return st;
}

gpa_status gpai_fast_mean_square_slope(gpai_fast *w, double *mean)
{
    gpai_search *q = w->q;
    *mean = 0;
    size_t count;
    gpa_status st = gpai_fast_first_slopes(w, w->h, &count);
    for (size_t i = 0; st == GPA_OK && i < q->p->n * q->s->axes; i++)
        *mean += w->slope[i] * w->slope[i] / (double)q->p->n;
    for (size_t i = 0; st == GPA_OK && i < q->s->axes; i++)
        if (q->s->axis[i].kind == GPAI_AXIS_CHOICE)
            *mean += w->square[i] / (double)q->p->n;
    return st;
}

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
    q->objective = gpai_data_term(p, q->f) + gpai_space_penalty(q->s, q->delta);
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
    uint64_t was = p->budget, further = FURTHER;
    for (size_t i = 0; i < r->s.axes; i++) /* choices that are longer than a profile */
        further += 2 * (nodes_of(&r->s.axis[i]) - GPAI_FAST_NODES);
    uint64_t limit = p->rows + further * p->n;
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
