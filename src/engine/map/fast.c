#include "engine/map/fast.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/workspace.h"
#include "engine/map/fast_work.h"
#include "engine/objective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the last slopes, in widths of the first. Chosen: a quadratic f gives exact central
 * differences at any width, and a curved one an error of FINE_H^2. */
static const double FINE_H = 0.05;

static size_t nodes_of(const gpai_axis *a)
{
    size_t members = a->members < GPAI_FAST_CHOICES ? a->members : GPAI_FAST_CHOICES;
    return a->kind == GPAI_AXIS_CHOICE && members > GPAI_FAST_NODES ? members
                                                                    : GPAI_FAST_NODES;
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

size_t gpai_fast_most(const gpai_space *s)
{
    size_t slopes = 2 * s->axes, profiles = gpai_fast_profiled(s) * widest(s);
    return slopes > profiles ? slopes : profiles;
}

size_t gpai_fast_room(const gpai_space *s, bool thorough, const gpai_profile *profile)
{
    size_t rounds = GPAI_FAST_ROUNDS + (thorough ? 5 : 0);
    size_t known = profile != NULL ? profile->used : 0;
    return known + GPAI_FAST_STEPS * (2 * s->axes + 12) + 2 * s->axes +
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
    w->probe_f = gpai_take(a, most > GPAI_SEARCH_POINTS ? most : GPAI_SEARCH_POINTS, n);
    w->seed = gpai_take(a, w->profile != NULL ? GPAI_ADDITIVE_CANDIDATES : 0, s->d);
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
    gpai_fast_all_active(w);
    gpa_status st = gpai_fast_slopes(w, w->h);
    for (size_t i = 0; st == GPA_OK && i < q->p->n * q->s->axes; i++)
        *mean += w->slope[i] * w->slope[i] / (double)q->p->n;
    return st;
}
