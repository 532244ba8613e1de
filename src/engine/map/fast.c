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

/* Points that are asked at most: of a round, and of the other starts, all of them. */
enum { ROUND_POINTS = 32, ELSEWHERE_POINTS = 3 * GPAI_SEARCH_POINTS };

size_t gpai_fast_room(const gpai_space *s, bool thorough, const gpai_profile *profile)
{
    size_t rounds = GPAI_FAST_ROUNDS + 5 +
                    (thorough ? 2 * GPAI_FAST_SETTLE_THOROUGH : 3 * GPAI_FAST_SETTLE);
    size_t known = profile != NULL ? profile->used : 0;
    return known + first_probes(s) + (GPAI_FAST_STEPS - 1) * 2 * s->axes +
           GPAI_FAST_STEPS * 12 + 1 + 2 * s->axes + ELSEWHERE_POINTS +
           rounds * (gpai_fast_profiled(s) * widest(s) + ROUND_POINTS) + 1;
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
    w->look = gpai_take(a, GPAI_ADDITIVE_CANDIDATES, s->d);
    w->parent = gpai_take(a, GPAI_FAST_PARENTS, s->d);
    w->score = gpai_take(a, GPAI_FAST_PARENTS, 1);
    w->kept = gpai_take(a, s->d + n, 1);
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

/* What is known of f along the axes need not be asked again. Away from zero only one
 * axis is moved, so that its key and its point differ there alone. */
static void remember(gpai_fast *w)
{
    const gpai_profile *r = w->profile;
    gpai_search *q = w->q;
    memset(q->moved, 0, q->p->d * sizeof *q->moved);
    uint64_t zero = gpai_memo_key(q->moved, q->p->d);
    for (size_t i = 0; i < q->s->axes; i++) {
        const gpai_axis *a = &q->s->axis[i];
        bool choice = a->kind == GPAI_AXIS_CHOICE;
        const size_t *input = choice ? a->member : &a->input;
        size_t inputs = choice ? a->members : 1;
        for (size_t j = 0; j < r->nodes[i]; j++) {
            size_t at = r->start[i] + j;
            uint64_t key = zero;
            gpai_axis_set(q->s, i, r->node[at], q->moved);
            for (size_t k = 0; k < inputs; k++)
                key = gpai_memo_change(key, input[k], 0, q->moved[input[k]]);
            gpai_memo_add(&q->memo, key, q->moved, r->f + at * q->p->n);
        }
        for (size_t k = 0; k < inputs; k++)
            q->moved[input[k]] = 0;
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

/* Whether small differences, probes 0 to `count`, are those of a staircase whose steps
 * were too short for the profiles to stand still: left and right of the best point most
 * slopes do not resemble each other, each axis counted by how much it changes. Nor do
 * they at a smooth extremum, but there they are small next to the first ones. Measured:
 * 0.21 at most on 89 rows of a network; 0.44, 0.83 and 0.86 on three of forests. */
static bool jumps(const gpai_fast *w, size_t count)
{
    const gpai_search *q = w->q;
    size_t n = q->p->n;
    double unlike = 0, all = 0;
    for (size_t i = 0; i + 1 < count; i += 2)
        for (size_t t = 0; t < n; t++) {
            double at = q->delta[q->s->axis[w->probe[i].axis].input];
            double down = at - w->probe[i].value, up = w->probe[i + 1].value - at;
            double left = (q->f[t] - w->probe_f[i * n + t]) / down,
                   right = (w->probe_f[(i + 1) * n + t] - q->f[t]) / up;
            if (!(down > 0 && up > 0 && isfinite(left) && isfinite(right)))
                continue;
            unlike += fabs(right - left);
            all += fabs(right) + fabs(left);
        }
    double first = 0;
    for (size_t i = 0; i < q->s->axes; i++)
        first += sqrt((double)n * w->square[i]);
    return unlike > 0.5 * all && all > 0.5 * first;
}

/* Of what a linear model promises: less is not worth asking for, or not worth slopes at
 * where it leads, two rows an axis: then one last step is taken without them. */
static const double WORTH_ASKING = 0.01 * GPAI_FAST_TOL,
                    WORTH_SLOPES = 0.1 * GPAI_FAST_TOL;

/* Last Gauss-Newton steps with small differences, as long as they pay and stay within
 * so many calls: on a smooth f they converge where the grids of the rounds end. */
static gpa_status polish(gpai_fast *w, uint64_t calls, gpai_map *result)
{
    double gain = GPAI_FAST_TOL, step;
    for (int i = 0; gain >= GPAI_FAST_TOL && !w->q->budget_hit; i++) {
        if (i > 0 && w->q->p->calls - w->before + 2 >= calls)
            break;
        gpai_fast_all_active(w);
        size_t count;
        gpa_status st = gpai_fast_slopes(w, FINE_H * w->h, &count);
        if (st != GPA_OK)
            return st;
        w->stepped = i == 0 && jumps(w, count);
        if (w->stepped)
            return GPA_OK;
        size_t k;
        double promise = gpai_path_gain(w->q, w->slope, &w->path, w->lean, &k);
        result->converged = promise < WORTH_SLOPES;
        if (result->converged)
            return GPA_OK;
        k = gpai_fast_midpoints(w->q, k, w->lean ? 1 : 4);
        st = gpai_fast_try(w, k, 1e-12, &gain, &step);
        if (st != GPA_OK)
            return st;
        result->iterations++;
        result->converged = gain < GPAI_FAST_TOL;
    }
    return GPA_OK;
}

static gpa_status finish(gpai_fast *w, bool thorough, gpai_map *result)
{
    gpa_status st = GPA_OK;
    if (!w->stepped)
        st = polish(w, thorough ? 2 * GPAI_FAST_CALLS : GPAI_FAST_CALLS, result);
    if (st == GPA_OK && w->stepped)
        st = gpai_fast_settle(w, thorough, result);
    return st;
}

gpa_status gpai_fast_run(gpai_fast *w, bool thorough, gpai_map *result)
{
    double gain = 0;
    *result = (gpai_map){0};
    if (w->q->s->axes == 0) { /* nothing may move */
        result->converged = true;
        return GPA_OK;
    }
    gpa_status st = gpai_fast_path(w, result);
    if (st == GPA_OK)
        st = gpai_fast_rounds(w, thorough, result);
    if (st == GPA_OK && w->stepped && gpai_fast_is_lost(w)) /* no use to settle here */
        st = gpai_fast_elsewhere(w, false, result, &gain);
    if (st == GPA_OK)
        st = finish(w, thorough, result);
    if (st == GPA_OK && w->stepped)
        st = gpai_fast_elsewhere(w, thorough, result, &gain);
    if (st == GPA_OK && gain >= GPAI_FAST_TOL)
        st = finish(w, thorough, result);
    if (st == GPA_OK)
        st = gpai_fast_look(w, &gain);
    if (st == GPA_OK && gain >= GPAI_FAST_TOL)
        st = finish(w, thorough, result);
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

/* Notes what a tested move gains, if it is the most. */
static void note_gain(const gpai_search *q, size_t axis, double objective,
                      gpai_map *result)
{
    double gain = q->objective - objective;
    if (!(gain > result->left))
        return;
    result->left = gain;
    result->left_axis = axis;
}

double gpai_fast_probed(const gpai_fast *w, size_t i, double here)
{
    const gpai_search *q = w->q;
    size_t axis = w->probe[i].axis;
    double at = gpai_axis_value(q->s, axis, q->delta);
    return gpai_data_term(q->p, w->probe_f + i * q->p->n) + here -
           gpai_axis_penalty(q->s, axis, at) +
           gpai_axis_penalty(q->s, axis, w->probe[i].value);
}

/* What each axis gains alone at the differences just asked. */
static void test_alone(const gpai_fast *w, size_t count, gpai_map *result)
{
    const gpai_search *q = w->q;
    double here = gpai_space_penalty(q->s, q->delta);
    for (size_t i = 0; i < count; i++) {
        note_gain(q, w->probe[i].axis, gpai_fast_probed(w, i, here), result);
    }
}

/* And two together: the pairs that gain on the additive model are asked. */
static gpa_status test_pairs(gpai_fast *w, size_t count, gpai_map *result)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, m = 0;
    for (size_t i = 0; i + 1 < count && m < gpai_fast_profiled(q->s); i += 2, m++) {
        bool apart = w->probe[i].value < w->probe[i + 1].value;
        w->active[m] = w->probe[i].axis;
        gpai_fast_view(w, m, i, apart ? 2 : 1); /* at a bound both are the same */
    }
    gpai_additive_load(&w->additive, q, w->view, m, false);
    size_t k = gpai_additive_pairs(&w->additive, q, GPAI_FAST_TOL, 0);
    gpa_status st = gpai_search_ask(q, k, w->probe_f);
    for (size_t i = 0; i < k && st == GPA_OK; i++) {
        const double *point = q->points + i * q->p->d;
        double objective =
            gpai_data_term(q->p, w->probe_f + i * n) + gpai_space_penalty(q->s, point);
        note_gain(q, gpai_fast_main_axis(q, point), objective, result);
    }
    return st;
}

/* The step that is not worth slopes at its end: those at its start, a hair away, say
 * how far from an optimum it is. */
static gpa_status last_step(gpai_fast *w, double *violation)
{
    size_t k;
    double gain, step;
    if (w->q->p->calls - w->before >= GPAI_FAST_CALLS ||
        gpai_path_gain(w->q, w->slope, &w->path, true, &k) < WORTH_ASKING)
        return GPA_OK;
    k = gpai_fast_midpoints(w->q, 1, 1);
    gpa_status st = gpai_fast_try(w, k, 1e-12, &gain, &step);
    *violation = worst_violation(w);
    return st;
}

gpa_status gpai_fast_check(gpai_fast *w, double *violation, gpai_map *result)
{
    gpai_search *q = w->q;
    *violation = (double)NAN;
    if (w->stepped) /* its last round is the test */
        return GPA_OK;
    bool hit = q->budget_hit;
    q->budget_hit = false;
    gpai_fast_all_active(w);
    size_t count;
    gpa_status st = gpai_fast_slopes(w, FINE_H * w->h, &count);
    if (st != GPA_OK || q->budget_hit)
        goto done;
    *violation = worst_violation(w);
    size_t found;
    result->left =
        result->converged ? 0 : gpai_path_gain(q, w->slope, &w->path, false, &found);
    if (result->left >= GPAI_FAST_TOL)
        result->left_axis = gpai_fast_main_axis(q, q->points);
    test_alone(w, count, result);
    st = test_pairs(w, count, result);
    result->converged = result->left < GPAI_FAST_TOL;
    if (st == GPA_OK && result->converged)
        st = last_step(w, violation);
done:
    q->budget_hit = hit;
    return st;
}

bool gpai_fast_stepped(const gpai_fast *w)
{
    return w->stepped;
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

/* On a stepped f nearly every round still gains a little somewhere: less than this
 * nobody would see. */
static const double STEPPED_TOL = 0.05;

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
    st = gpai_fast_check(w, &s->stationarity, &map);
    s->rows_check += r->p.rows - before - s->rows_map;
    s->iterations = map.iterations;
    r->cut = map.budget_hit;
    s->budget_hit = s->budget_hit || r->cut;
    r->e->stepped = gpai_fast_stepped(w);
    bool still = map.converged || (r->e->stepped && map.left < STEPPED_TOL);
    s->converged = still && !map.budget_hit && isfinite(r->q.objective);
    if (!still && map.left >= GPAI_FAST_TOL) {
        r->left = map.left;
        r->left_input = r->s.axis[map.left_axis].input;
    }
    return st;
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
    if (st == GPA_OK) {
        w->before = r->p.calls - r->calls;
        st = solve(r, w, thorough, before);
    }
    gpai_fast_close(w);
    if (st != GPA_OK)
        return st;
    memcpy(e->delta, r->q.delta, e->d * sizeof *e->delta);
    memcpy(e->f_moved, r->q.f, e->n * sizeof *e->f_moved);
    e->summary.objective = r->q.objective;
    if (isfinite(r->q.objective))
        return GPA_OK;
    e->summary.stationarity = (double)NAN;
    gpai_result_note(e,
                     "no point with a finite prediction was found within the limits");
    return GPA_OK;
}
