#include "engine/map/fast_work.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* The end of the search where f is stepped, as trees are. The mode sits where
 * coordinates have just crossed a threshold: models that interpolate overshoot it, and
 * the penalty pays for every bit beyond; and small steps of inputs that have not moved
 * answer each other. So moves of very different lengths are tested, of all axes, and
 * only places that were really asked are combined. */

/* Fractions of what has moved, and steps, in units, of what has not. Chosen on forests
 * and boosted trees; finer ones follow when a round gains little, and at last, when
 * thorough, those between. */
enum { LEVELS = 4, FACTORS = 5, STEPS = 2 };
static const double factors[LEVELS][FACTORS] = {{0, 0.5, 0.75, 0.9, 1.15},
                                                {0, 0.65, 0.85, 0.95, 1.05},
                                                {0.35, 0.8, 0.92, 0.98, 1.02},
                                                {0.2, 0.425, 0.57, 0.7, 0.96}};
static const double steps[LEVELS][STEPS] = {
    {0.12, 0.4}, {0.05, 0.2}, {0.02, 0.08}, {0.16, 0.28}};
static const double LITTLE = 0.02;

static size_t settle_places(const gpai_fast *w, size_t axis, const double *level,
                            double *place)
{
    const gpai_axis *a = &w->q->s->axis[axis];
    double at = gpai_axis_value(w->q->s, axis, w->q->delta);
    size_t n = 0, l = (size_t)*level;
    if (a->kind == GPAI_AXIS_CHOICE)
        return gpai_fast_levels(w, axis, place);
    for (size_t j = 0; j < FACTORS && at != 0; j++)
        place[n++] = gpai_axis_snap(a, at * factors[l][j]);
    for (size_t j = 0; j < STEPS && (at == 0 || a->kind == GPAI_AXIS_STEP); j++) {
        double by = fmax(steps[l][j], (double)(j + 1) * a->step);
        double from = gpai_axis_leaps(a) && at == 0 ? gpai_axis_inside(a, 0) : at;
        if (at == 0 || j == 0) {
            place[n++] = gpai_axis_snap(a, from - by);
            place[n++] = gpai_axis_snap(a, from + by);
        }
    }
    if (gpai_axis_leaps(a) && at == 0)
        place[n++] = gpai_axis_inside(a, 0);
    return n;
}

size_t gpai_fast_main_axis(const gpai_search *q, const double *point)
{
    size_t axis = 0;
    double most = -1;
    for (size_t i = 0; i < q->s->axes; i++) {
        double from = gpai_axis_value(q->s, i, q->delta),
               to = gpai_axis_value(q->s, i, point);
        bool choice = q->s->axis[i].kind == GPAI_AXIS_CHOICE;
        double by = choice && from != to ? 1 : fabs(to - from);
        if (by > most) {
            most = by;
            axis = i;
        }
    }
    return axis;
}

/* Tests every axis alone, the best pairs and the best points of the additive model, and
 * moves. */
static gpa_status settle_round(gpai_fast *w, double level, gpai_map *result)
{
    gpai_search *q = w->q;
    double lowest, step, gain;
    gpai_probe best = {0};
    gpai_fast_choose(w, true);
    gpa_status st = gpai_fast_profile(w, settle_places, &level, &best, &lowest);
    if (st != GPA_OK)
        return st;
    gpai_additive_load(&w->additive, q, w->view, w->n_active, false);
    size_t k = gpai_additive_candidates(
        &w->additive, q, q->p->n == 1 ? GPAI_FAST_TRIES : GPAI_ADDITIVE_CANDIDATES);
    k += gpai_additive_pairs(&w->additive, q, GPAI_FAST_TOL, k);
    if (lowest < HUGE_VAL)
        gpai_fast_offer(w, &best, k++);
    memcpy(w->seed, q->delta, q->p->d * sizeof *w->seed); /* spent: where it was */
    st = gpai_fast_try(w, k, 1e-12, &gain, &step);
    result->iterations++;
    result->left = gain;
    result->left_axis = gpai_fast_main_axis(q, w->seed);
    return st;
}

gpa_status gpai_fast_settle_round(gpai_fast *w, gpai_map *result)
{
    return settle_round(w, 0, result);
}

gpa_status gpai_fast_settle(gpai_fast *w, bool thorough, gpai_map *result)
{
    size_t level = 0, last = thorough ? LEVELS - 1 : 1;
    int rounds = thorough ? GPAI_FAST_SETTLE_THOROUGH : GPAI_FAST_SETTLE;
    result->converged = false;
    for (int i = 0; i < rounds && !w->q->budget_hit; i++) {
        if (w->q->p->n > 1 && w->q->p->calls - w->before + 2 > GPAI_FAST_TOGETHER)
            break;
        gpa_status st = settle_round(w, (double)level, result);
        if (st != GPA_OK)
            return st;
        bool still = result->left < GPAI_FAST_TOL;
        result->converged = still && !w->q->budget_hit;
        if (still && level >= last)
            break;
        if (result->left < LITTLE && level < (thorough ? LEVELS - 1 : LEVELS - 2))
            level++;
    }
    return GPA_OK;
}

/* What the profile that came along says of the axes, as views around the point where
 * nothing has moved. */
static size_t view_lines(gpai_fast *w)
{
    const gpai_profile *r = w->profile;
    const gpai_search *q = w->q;
    size_t n = q->p->n, m = 0;
    for (size_t i = 0; i < q->s->axes && m < gpai_fast_profiled(q->s); i++) {
        size_t axis = w->order[i], nodes = r->nodes[axis], start = r->start[axis];
        double *change = w->change + m * w->wide * n;
        if (nodes < 2 || nodes > w->wide)
            continue;
        for (size_t j = 0; j < nodes * n; j++)
            change[j] = r->f[start * n + j] - r->base[j % n];
        w->view[m++] =
            (gpai_profile_view){.axis = axis,
                                .nodes = nodes,
                                .value = r->node + start,
                                .change = change,
                                .discrete = q->s->axis[axis].kind != GPAI_AXIS_PLAIN};
    }
    return m;
}

void gpai_fast_read_lines(gpai_fast *w)
{
    gpai_search *q = w->q;
    w->looks = 0;
    if (w->profile == NULL || gpai_space_penalty(q->s, q->delta) > 0)
        return;
    gpai_additive_load(&w->additive, q, w->view, view_lines(w), true);
    w->looks = gpai_additive_candidates(&w->additive, q, GPAI_ADDITIVE_CANDIDATES);
    memcpy(w->look, q->points, w->looks * q->p->d * sizeof *w->look);
}

gpa_status gpai_fast_look(gpai_fast *w, double *gain)
{
    double step;
    memcpy(w->q->points, w->look, w->looks * w->q->p->d * sizeof *w->look);
    return gpai_fast_try(w, w->looks, 1e-12, gain, &step);
}
