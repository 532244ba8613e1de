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

/* Probes for the differences, two each of the active axes that can have one. */
static size_t list_differences(gpai_fast *w, double h)
{
    gpai_search *q = w->q;
    size_t count = 0;
    for (size_t k = 0; k < w->n_active; k++) {
        const gpai_axis *a = &q->s->axis[w->active[k]];
        double at = q->delta[a->input];
        if (a->kind == GPAI_AXIS_CHOICE || (gpai_axis_leaps(a) && at == 0))
            continue;
        double reach = a->kind == GPAI_AXIS_STEP ? fmax(h, a->step) : h;
        for (int side = -1; side <= 1; side += 2)
            w->probe[count++] = (gpai_probe){
                .axis = w->active[k], .value = gpai_axis_inside(a, at + side * reach)};
    }
    return count;
}

/* Behind them the least leaps, and switches of choices, evenly spread where there are
 * many. */
static size_t list_switches(gpai_fast *w, size_t count)
{
    gpai_search *q = w->q;
    for (size_t i = 0; i < q->s->axes; i++) {
        const gpai_axis *a = &q->s->axis[i];
        double least = gpai_axis_inside(a, 0);
        if (gpai_axis_leaps(a) && q->delta[a->input] == 0)
            w->probe[count++] = (gpai_probe){.axis = i, .value = least};
        if (a->kind != GPAI_AXIS_CHOICE)
            continue;
        size_t at = (size_t)gpai_axis_value(q->s, i, q->delta);
        size_t others = gpai_axis_choices(a) - 1;
        size_t asked = others < GPAI_FAST_SWITCHES ? others : GPAI_FAST_SWITCHES;
        for (size_t j = 0; j < asked; j++) {
            size_t level = j * others / asked;
            level += level >= at ? 1 : 0;
            w->probe[count++] = (gpai_probe){.axis = i, .value = (double)level};
        }
    }
    return count;
}

static void set_slopes(gpai_fast *w, size_t count)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, m = q->s->axes;
    memset(w->slope, 0, n * m * sizeof *w->slope);
    for (size_t k = 0; k < count; k += 2) {
        size_t i = w->probe[k].axis;
        double at = q->delta[q->s->axis[i].input];
        for (size_t t = 0; t < n; t++)
            w->slope[t * m + i] =
                secant(w->probe[k].value, w->probe_f[k * n + t], w->probe[k + 1].value,
                       w->probe_f[(k + 1) * n + t], at, q->f[t]);
    }
}

gpa_status gpai_fast_slopes(gpai_fast *w, double h, size_t *count)
{
    *count = list_differences(w, h);
    gpa_status st = gpai_search_probe(w->q, w->probe, *count, w->probe_f);
    if (st == GPA_OK)
        set_slopes(w, *count);
    return st;
}

/* Squared slopes, and the mean squared changes of switches from probes `from` to `to`,
 * of all rows. */
static void set_squares(gpai_fast *w, size_t from, size_t to)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, m = q->s->axes;
    memset(w->square, 0, m * sizeof *w->square);
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < m; i++)
            w->square[i] += w->slope[t * m + i] * w->slope[t * m + i];
    for (size_t k = from, end = from; k < to; k = end) {
        double sum = 0;
        size_t i = w->probe[k].axis, known = 0;
        for (; end < to && w->probe[end].axis == i; end++)
            for (size_t t = 0; t < n; t++) {
                double by = w->probe_f[end * n + t] - q->f[t];
                sum += isfinite(by) ? by * by : 0;
                known += isfinite(by) ? 1 : 0;
            }
        w->square[i] = known > 0 ? sum * (double)n / (double)known : 0;
    }
}

gpa_status gpai_fast_first_slopes(gpai_fast *w, double h, size_t *count)
{
    gpai_fast_all_active(w);
    size_t numbers = list_differences(w, h);
    *count = list_switches(w, numbers);
    gpa_status st = gpai_search_probe(w->q, w->probe, *count, w->probe_f);
    if (st != GPA_OK)
        return st;
    set_slopes(w, numbers);
    set_squares(w, numbers, *count);
    return GPA_OK;
}

/* How far an input has moved; a switch is one unit, whatever its columns are. */
static double length_of(const gpai_space *s, size_t k, double by)
{
    size_t axis = s->axis_of[k];
    bool choice = axis < s->axes && s->axis[axis].kind == GPAI_AXIS_CHOICE;
    return choice && by != 0 ? 1 : fabs(by);
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
        *step = fmax(*step, length_of(q->s, i, point[i] - q->delta[i]));
    *gain = q->objective - lowest;
    gpai_search_move(q, point, w->probe_f + best * n, lowest);
    return GPA_OK;
}

/* Halfway; between two levels there is nothing, the candidate's is taken. */
size_t gpai_fast_midpoints(gpai_search *q, size_t k, size_t first)
{
    size_t d = q->p->d, end = k;
    for (size_t i = 0; i < first && i < k && end < GPAI_SEARCH_POINTS; i++, end++) {
        double *mid = q->points + end * d;
        const double *to = q->points + i * d;
        for (size_t j = 0; j < d; j++)
            mid[j] = 0.5 * (to[j] + q->delta[j]);
        for (size_t j = 0; j < q->s->axes; j++)
            if (q->s->axis[j].kind == GPAI_AXIS_CHOICE)
                gpai_axis_set(q->s, j, gpai_axis_value(q->s, j, to), mid);
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
    size_t m = w->q->s->axes;
    gpai_ranked *ranked = (gpai_ranked *)(void *)w->path.knot;
    gpai_rank(w->square, m, ranked);
    for (size_t i = 0; i < m; i++)
        w->order[i] = ranked[i].place;
}

bool gpai_fast_has_switches(const gpai_space *s)
{
    for (size_t i = 0; i < s->axes; i++)
        if (s->axis[i].kind == GPAI_AXIS_CHOICE || gpai_axis_leaps(&s->axis[i]))
            return true;
    return false;
}

/* Adds a node at each end of a view of differences, where a straight f would be. */
static void extend_view(gpai_fast *w, size_t m)
{
    static const double FURTHER = 3; /* chosen: four widths, most of the prior */
    gpai_profile_view *v = &w->view[m];
    size_t n = w->q->p->n, k = v->nodes;
    const gpai_axis *a = &w->q->s->axis[v->axis];
    double *node = w->node + m * w->wide, *change = w->change + m * w->wide * n;
    if (k != 3 || a->kind != GPAI_AXIS_PLAIN)
        return;
    memmove(node + 1, node, k * sizeof *node);
    memmove(change + n, change, k * n * sizeof *change);
    node[0] = gpai_axis_inside(a, node[1] - FURTHER * (node[2] - node[1]));
    node[4] = gpai_axis_inside(a, node[3] + FURTHER * (node[3] - node[2]));
    double left = (node[0] - node[1]) / (node[2] - node[1]),
           right = (node[4] - node[3]) / (node[3] - node[2]);
    for (size_t t = 0; t < n; t++) {
        change[t] = change[n + t] + left * (change[2 * n + t] - change[n + t]);
        change[4 * n + t] =
            change[3 * n + t] + right * (change[3 * n + t] - change[2 * n + t]);
    }
    size_t from = node[0] < node[1] ? 0 : 1, to = node[4] > node[3] ? 5 : 4;
    v->value = node + from;
    v->change = change + from * n;
    v->nodes = to - from;
}

/* What the first slopes, probes 0 to `count`, know of an axis, as a profile. */
static void view_first(gpai_fast *w, size_t m, size_t axis, size_t count)
{
    size_t first = 0, end;
    while (first < count && w->probe[first].axis != axis)
        first++;
    for (end = first; end < count && w->probe[end].axis == axis;)
        end++;
    w->active[m] = axis;
    gpai_fast_view(w, m, first, end - first);
    extend_view(w, m);
}

/* Candidates of the additive model from the first slopes, before the search has settled
 * on numbers alone: a switch often explains what they would be bent for. */
static void seed_switches(gpai_fast *w, size_t count)
{
    gpai_search *q = w->q;
    size_t m = gpai_fast_profiled(q->s);
    for (size_t k = 0; k < m; k++)
        view_first(w, k, w->order[k], count);
    gpai_additive_load(&w->additive, q, w->view, m, true);
    w->seeds = gpai_additive_candidates(&w->additive, q, GPAI_ADDITIVE_CANDIDATES);
    memcpy(w->seed, q->points, w->seeds * q->p->d * sizeof *w->seed);
    gpai_fast_all_active(w);
}

size_t gpai_fast_add_seeds(gpai_fast *w, size_t k)
{
    size_t d = w->q->p->d, seeds = w->seeds;
    memcpy(w->q->points + k * d, w->seed, seeds * d * sizeof *w->seed);
    w->seeds = 0;
    return k + seeds;
}

/* Adds a point next to the best one, all numbers moved by next to nothing, in units.
 * Chosen: thresholds are rarely so near, though of a large forest one in ten times or
 * so, which is why both sides are asked. */
static const double NEXT = 1e-5;

static void add_neighbour(gpai_search *q, size_t at, double by)
{
    double *point = q->points + at * q->p->d;
    memcpy(point, q->delta, q->p->d * sizeof *point);
    for (size_t i = 0; i < q->s->axes; i++) {
        const gpai_axis *a = &q->s->axis[i];
        double v = gpai_axis_value(q->s, i, q->delta);
        if (a->kind == GPAI_AXIS_PLAIN && !gpai_axis_leaps(a))
            gpai_axis_set(q->s, i, gpai_axis_inside(a, v + by), point);
    }
}

/* Whether point i was answered with what f was before. */
static bool stood_still(const gpai_fast *w, size_t i)
{
    size_t n = w->q->p->n, same = 0;
    for (size_t t = 0; t < n; t++)
        same += w->probe_f[i * n + t] == w->kept[t];
    return same == n;
}

/* Asks the first candidates, and whether f stands still next to where they start: on a
 * stepped f one linear step is worth as much as three. In the same call the points of
 * the second look, which is taken at the end, unless rows may be too few for them. */
static gpa_status try_first(gpai_fast *w, size_t k, double *gain, double *step,
                            bool *still)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, d = q->p->d, looks = q->p->budget == 0 ? w->looks : 0;
    memcpy(w->kept, q->f, n * sizeof *w->kept);
    add_neighbour(q, k, NEXT);
    add_neighbour(q, k + 1, -NEXT);
    memcpy(q->points + (k + 2) * d, w->look, looks * d * sizeof *w->look);
    gpa_status st = gpai_search_ask(q, k + 2 + looks, w->probe_f);
    if (st == GPA_OK) /* of what is known now */
        st = gpai_fast_try(w, k, 0.1 * GPAI_FAST_TOL, gain, step);
    *still = st == GPA_OK && (stood_still(w, k) || stood_still(w, k + 1));
    return st;
}

gpa_status gpai_fast_path(gpai_fast *w, gpai_map *result)
{
    gpai_search *q = w->q;
    double h = w->h;
    int fails = 0;
    bool still = false;
    int most = GPAI_FAST_STEPS;
    gpai_fast_all_active(w);
    for (int i = 0; i < most && h >= H_LEAST && fails < 3 && !still; i++) {
        double gain, step;
        size_t count;
        gpa_status st =
            (i == 0 ? gpai_fast_first_slopes : gpai_fast_slopes)(w, h, &count);
        if (st != GPA_OK)
            return st;
        result->iterations++;
        if (i == 0) {
            order_axes(w);
            gpai_fast_read_lines(w);
            if (gpai_fast_has_switches(q->s))
                seed_switches(w, count);
        }
        size_t k;
        if (i > 0 && w->lean)
            gpai_path_gain(q, w->slope, &w->path, true, &k);
        else
            k = gpai_path_candidates(q, w->slope, &w->path);
        if (i > 0)
            k = gpai_fast_midpoints(q, k, w->lean ? 1 : 4);
        st = i == 0 ? try_first(w, k, &gain, &step, &still)
                    : gpai_fast_try(w, k, 0.1 * GPAI_FAST_TOL, &gain, &step);
        if (st != GPA_OK)
            return st;
        w->smooth = !still && q->p->n == 1;
        w->lean = w->smooth && !gpai_fast_has_switches(q->s);
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
        most = w->smooth && fails < 2 ? GPAI_FAST_LEAN_STEPS : GPAI_FAST_STEPS;
        if (q->budget_hit)
            break;
    }
    return GPA_OK;
}
