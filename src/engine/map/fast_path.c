#include "base/math/sort.h"
#include "engine/map/fast_work.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* Of slopes, in units. Chosen: narrower ones are noise next to a step of f. The rules
 * of gpai_fast_path (a third or a quarter of h after a failure, two steps' width after
 * a success, half the l1 price) are chosen, too: they cost rows when
 * they are wrong, never the answer, since true objectives decide. */
static const double H_LEAST = 0.02;

/* Slope of row t along an axis between two places; one-sided where one has no value. */
static double secant(double low, double f_low, double high, double f_high, double at,
                     double f_at)
{
    double rise = f_high - f_low, run = high - low;
    if (!isfinite(f_high)) {
        rise = f_at - f_low;
        run = at - low;
    } else if (!isfinite(f_low)) {
        rise = f_high - f_at;
        run = high - at;
    }
    double slope = run > 0 ? rise / run : 0;
    return isfinite(slope) ? slope : 0;
}

gpa_status gpai_fast_slopes(gpai_fast *w, double h)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, m = q->s->axes, count = 0;
    for (size_t k = 0; k < w->n_active; k++) {
        const gpai_axis *a = &q->s->axis[w->active[k]];
        if (a->kind == GPAI_AXIS_CHOICE)
            continue;
        double reach = a->kind == GPAI_AXIS_STEP ? fmax(h, a->step) : h;
        double at = q->delta[a->input];
        for (int side = -1; side <= 1; side += 2)
            w->probe[count++] = (gpai_probe){
                .axis = w->active[k], .value = gpai_axis_snap(a, at + side * reach)};
    }
    memset(w->slope, 0, n * m * sizeof *w->slope);
    gpa_status st = gpai_search_probe(q, w->probe, count, w->probe_f);
    for (size_t k = 0; k < count && st == GPA_OK; k += 2) {
        size_t i = w->probe[k].axis;
        double at = q->delta[q->s->axis[i].input];
        for (size_t t = 0; t < n; t++)
            w->slope[t * m + i] =
                secant(w->probe[k].value, w->probe_f[k * n + t], w->probe[k + 1].value,
                       w->probe_f[(k + 1) * n + t], at, q->f[t]);
    }
    return st;
}

gpa_status gpai_fast_try(gpai_fast *w, size_t k, double least, double *gain,
                         double *step)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, d = q->p->d, best = k;
    *gain = *step = 0;
    gpa_status st = gpai_search_ask(q, k, w->probe_f);
    if (st != GPA_OK)
        return st;
    double lowest = q->objective - least;
    for (size_t i = 0; i < k; i++) {
        double v = gpai_data_term(q->p, w->probe_f + i * n) +
                   gpai_space_penalty(q->s, q->points + i * d);
        if (v < lowest) {
            lowest = v;
            best = i;
        }
    }
    if (best == k)
        return GPA_OK;
    const double *point = q->points + best * d;
    for (size_t i = 0; i < d; i++)
        *step = fmax(*step, fabs(point[i] - q->delta[i]));
    *gain = q->objective - lowest;
    gpai_search_move(q, point, w->probe_f + best * n, lowest);
    return GPA_OK;
}

size_t gpai_fast_midpoints(gpai_search *q, size_t k, size_t first)
{
    size_t d = q->p->d, end = k;
    for (size_t i = 0; i < first && i < k && end < GPAI_SEARCH_POINTS; i++, end++) {
        double *mid = q->points + end * d;
        for (size_t j = 0; j < d; j++)
            mid[j] = 0.5 * (q->points[i * d + j] + q->delta[j]);
        gpai_space_project(q->s, mid);
    }
    return end;
}

/* Axes that have moved, or whose pull is at least half the l1 price of moving. */
static void choose_active(gpai_fast *w)
{
    gpai_search *q = w->q;
    size_t m = q->s->axes;
    double price = 0.5 * q->p->eta * q->p->nu;
    w->n_active = 0;
    for (size_t k = 0; k < m; k++) {
        size_t i = w->order[k];
        const gpai_axis *a = &q->s->axis[i];
        double pull = 0;
        for (size_t t = 0; t < q->p->n; t++)
            pull +=
                (2 * q->p->a + 1) * gpai_pull(q->p, t, q->f[t]) * w->slope[t * m + i];
        if (a->kind != GPAI_AXIS_CHOICE &&
            (q->delta[a->input] != 0 || fabs(pull) > price))
            w->active[w->n_active++] = i;
    }
}

/* Orders the axes by the slopes just found, in room that is not used yet. */
static void order_axes(gpai_fast *w)
{
    size_t n = w->q->p->n, m = w->q->s->axes;
    double *square = w->path.best;
    gpai_ranked *ranked = (gpai_ranked *)(void *)w->probe;
    memset(square, 0, m * sizeof *square);
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < m; i++)
            square[i] += w->slope[t * m + i] * w->slope[t * m + i];
    gpai_rank(square, m, ranked);
    for (size_t i = 0; i < m; i++)
        w->order[i] = ranked[i].place;
}

/* Candidates of the additive model from the profile that came along: it spans the whole
 * prior and costs nothing. */
static void find_seeds(gpai_fast *w)
{
    const gpai_profile *r = w->profile;
    gpai_search *q = w->q;
    size_t n = q->p->n, m = 0;
    if (r == NULL || gpai_space_penalty(q->s, q->delta) > 0)
        return;
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
    w->stepped = gpai_fast_stands_still(w, m);
    gpai_additive_load(&w->additive, q, w->view, m, true);
    w->seeds = gpai_additive_candidates(&w->additive, q);
    memcpy(w->seed, q->points, w->seeds * q->p->d * sizeof *w->seed);
}

size_t gpai_fast_add_seeds(gpai_fast *w, size_t k)
{
    size_t d = w->q->p->d, seeds = w->seeds;
    memcpy(w->q->points + k * d, w->seed, seeds * d * sizeof *w->seed);
    w->seeds = 0;
    return k + seeds;
}

gpa_status gpai_fast_path(gpai_fast *w, gpai_map *result)
{
    gpai_search *q = w->q;
    double h = w->h;
    int fails = 0;
    gpai_fast_all_active(w);
    for (int i = 0; i < GPAI_FAST_STEPS && h >= H_LEAST && fails < 3; i++) {
        double gain, step;
        gpa_status st = gpai_fast_slopes(w, h);
        if (st != GPA_OK)
            return st;
        result->iterations++;
        if (i == 0) {
            order_axes(w);
            find_seeds(w);
        }
        size_t k = gpai_path_candidates(q, w->slope, &w->path);
        if (i > 0)
            k = gpai_fast_midpoints(q, k, 4);
        else if (w->stepped)
            k = gpai_fast_add_seeds(w, k);
        st = gpai_fast_try(w, k, 0.1 * GPAI_FAST_TOL, &gain, &step);
        if (st != GPA_OK)
            return st;
        if (gain > 0) {
            if (i + 1 >= 2)
                choose_active(w);
            if (i >= 1)
                h = fmax(fmin(h, 2 * step), H_LEAST);
            if (gain < GPAI_FAST_TOL) {
                h /= 3;
                fails++;
            }
        } else {
            h /= 4;
            fails++;
        }
        if (q->budget_hit)
            break;
    }
    return GPA_OK;
}
