#include "base/math/sort.h"
#include "engine/map/fast_work.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

size_t gpai_fast_levels(const gpai_fast *w, size_t axis, double *place)
{
    const gpai_search *q = w->q;
    double at = gpai_axis_value(q->s, axis, q->delta);
    size_t n = 0, choices = gpai_axis_choices(&q->s->axis[axis]);
    for (size_t j = 0; j < choices && n + 1 < GPAI_FAST_CHOICES; j++)
        if ((double)j != at)
            place[n++] = (double)j;
    return n;
}

/* Whether f along an axis is taken for a smooth curve. */
static bool is_curved(const gpai_fast *w, size_t axis)
{
    const gpai_axis *a = &w->q->s->axis[axis];
    return w->smooth && !w->stepped && a->kind == GPAI_AXIS_PLAIN &&
           !gpai_axis_leaps(a);
}

/* Places at offsets in terms of a scale. Close to the end steps of very different
 * lengths are tried: on a stepped f the next threshold may be anywhere. The lists are
 * chosen. */
static size_t offset_places(const gpai_fast *w, size_t axis, const double *scale,
                            double *place)
{
    static const double even[GPAI_FAST_OFFSETS] = {-2, -1, -0.5, -0.2, 0.2, 0.5, 1, 2};
    static const double wide[GPAI_FAST_OFFSETS] = {-1.2, -0.4, -0.15, -0.05,
                                                   0.05, 0.15, 0.4,   1.2};
    const gpai_search *q = w->q;
    enum { FEW_AXES = 4 }; /* chosen: places on so few cost next to nothing */
    static const double few[GPAI_FAST_SMOOTH_OFFSETS] = {-2, -0.5, 0.5, 2};
    const double *offset = *scale < 0.15 * w->h ? wide : even;
    size_t offsets = GPAI_FAST_OFFSETS;
    const gpai_axis *a = &q->s->axis[axis];
    double at = gpai_axis_value(q->s, axis, q->delta);
    size_t n = 0;
    if (a->kind == GPAI_AXIS_CHOICE)
        return gpai_fast_levels(w, axis, place);
    double reach = a->kind == GPAI_AXIS_STEP ? fmax(*scale, 5 * a->step) : *scale;
    bool leaps = gpai_axis_leaps(a);
    if (is_curved(w, axis) && q->s->axes > FEW_AXES) {
        offset = few;
        offsets = GPAI_FAST_SMOOTH_OFFSETS;
    }
    double from = leaps && at == 0 ? gpai_axis_inside(a, 0) : at;
    for (size_t j = 0; j < offsets; j++) {
        double v = from + reach * offset[j];
        v = leaps ? gpai_axis_inside(a, v) : gpai_axis_snap(a, v);
        if (at == 0 ||
            fabs(v) > 0.05 * fabs(at)) /* 0 itself stands for its neighbours */
            place[n++] = v;
    }
    if (at != 0)
        place[n++] = gpai_axis_snap(a, 0);
    return n;
}

/* Inserts the best point itself (change 0) among the asked places of an axis. */
void gpai_fast_view(gpai_fast *w, size_t k, size_t first, size_t count)
{
    gpai_search *q = w->q;
    size_t n = q->p->n, wide = w->wide, axis = w->active[k], j = 0;
    double *node = w->node + k * wide, *change = w->change + k * wide * n;
    double at = gpai_axis_value(q->s, axis, q->delta);
    bool placed = false;
    for (size_t i = first; i <= first + count; i++) {
        bool end = i == first + count;
        if (!placed && (end || w->probe[i].value > at)) {
            memset(change + j * n, 0, n * sizeof *change);
            node[j++] = at;
            placed = true;
        }
        if (end)
            break;
        for (size_t t = 0; t < n; t++)
            change[j * n + t] = w->probe_f[i * n + t] - q->f[t];
        node[j++] = w->probe[i].value;
    }
    w->view[k] =
        (gpai_profile_view){.axis = axis,
                            .nodes = j,
                            .value = node,
                            .change = change,
                            .discrete = q->s->axis[axis].kind != GPAI_AXIS_PLAIN,
                            .curved = is_curved(w, axis),
                            .centred = w->lean && is_curved(w, axis)};
}

bool gpai_fast_stands_still(const gpai_fast *w, size_t m)
{
    size_t n = w->q->p->n, same = 0, all = 0;
    for (size_t k = 0; k < m; k++) {
        const gpai_profile_view *v = &w->view[k];
        size_t zeros = 0;
        if (w->q->s->axis[v->axis].kind == GPAI_AXIS_CHOICE)
            continue; /* levels have no order in which to stand still */
        for (size_t j = 0; j < v->nodes; j++)
            zeros += v->change[j * n] == 0;
        if (zeros < v->nodes) {
            same += zeros - 1; /* the best point itself does not count */
            all += v->nodes - 1;
        }
    }
    return 10 * same > all;
}

/* Asks the probes (those of active axis k are first[k] to first[k + 1]) and builds
 * views of them around the best point. */
static gpa_status ask_profiles(gpai_fast *w, const size_t *first, gpai_probe *best,
                               double *lowest)
{
    gpai_search *q = w->q;
    size_t count = first[w->n_active];
    gpa_status st = gpai_search_probe(q, w->probe, count, w->probe_f);
    if (st != GPA_OK)
        return st;
    double here = gpai_space_penalty(q->s, q->delta);
    *lowest = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        double v = gpai_fast_probed(w, i, here);
        if (v < *lowest) {
            *lowest = v;
            *best = w->probe[i];
        }
    }
    for (size_t k = 0; k < w->n_active; k++)
        gpai_fast_view(w, k, first[k], first[k + 1] - first[k]);
    w->stepped = w->stepped || gpai_fast_stands_still(w, w->n_active);
    return GPA_OK;
}

gpa_status gpai_fast_profile(gpai_fast *w, gpai_fast_places *places, const double *how,
                             gpai_probe *best, double *lowest)
{
    size_t count = 0, first[GPAI_FAST_PROFILED + 1];
    for (size_t k = 0; k < w->n_active; k++) {
        double place[GPAI_FAST_CHOICES + GPAI_FAST_NODES];
        size_t axis = w->active[k], n = places(w, axis, how, place);
        gpai_sort(place, n);
        n = gpai_sorted_distinct(place, n, gpai_axis_value(w->q->s, axis, w->q->delta));
        first[k] = count;
        for (size_t j = 0; j < n; j++)
            w->probe[count++] = (gpai_probe){.axis = axis, .value = place[j]};
    }
    first[w->n_active] = count;
    return ask_profiles(w, first, best, lowest);
}

/* One axis moved is a candidate like any other; its predictions are known. */
void gpai_fast_offer(gpai_fast *w, const gpai_probe *best, size_t at)
{
    gpai_search *q = w->q;
    double *point = q->points + at * q->p->d;
    memcpy(point, q->delta, q->p->d * sizeof *point);
    gpai_axis_set(q->s, best->axis, best->value, point);
}

void gpai_fast_choose(gpai_fast *w, bool first)
{
    gpai_search *q = w->q;
    const gpai_space *s = q->s;
    size_t kept = 0, steep = 0;
    bool many = s->axes > gpai_fast_profiled(s);
    for (size_t k = 0; k < s->axes && kept < gpai_fast_profiled(s); k++) {
        size_t i = w->order[k];
        if (gpai_axis_penalty(s, i, gpai_axis_value(s, i, q->delta)) > 0)
            w->active[kept++] = i;
        else if (first && many && steep++ < GPAI_FAST_STEEP)
            w->active[kept++] = i;
    }
    w->n_active = kept;
    if (!many && (first || kept == 0))
        gpai_fast_all_active(w);
}

/* Memory for the additive model's fine grid grows with rows times axes; beyond this
 * many numbers (64 MiB, chosen) the nodes themselves are the grid. */
enum { FINE_LIMIT = 1 << 23 };

static gpa_status one_round(gpai_fast *w, double scale, double *gain, double *step)
{
    gpai_search *q = w->q;
    double lowest;
    gpai_probe best = {0};
    gpa_status st = gpai_fast_profile(w, offset_places, &scale, &best, &lowest);
    if (st != GPA_OK)
        return st;
    bool fine = w->n_active * q->p->n * w->additive.room < FINE_LIMIT;
    gpai_additive_load(&w->additive, q, w->view, w->n_active, fine);
    bool lean = w->lean && !w->stepped;
    bool few = q->p->n == 1;
    size_t k = gpai_additive_candidates(&w->additive, q,
                                        lean  ? GPAI_FAST_LEAN_TRIES
                                        : few ? GPAI_FAST_TRIES
                                              : GPAI_ADDITIVE_CANDIDATES);
    k = gpai_fast_midpoints(q, k, few ? 1 : 3);
    if (lowest < HUGE_VAL)
        gpai_fast_offer(w, &best, k++);
    k = gpai_fast_add_seeds(w, k);
    return gpai_fast_try(w, k, 1e-12, gain, step);
}

/* Of a lean search: the last steps do what a further round would. */
static const double LITTLE = 3 * GPAI_FAST_TOL;

/* Rounds at a scale that follows the steps; the first looks along all axes. */
static gpa_status coarse_rounds(gpai_fast *w, gpai_map *result)
{
    gpai_search *q = w->q;
    int fails = 0;
    double scale = 0.5 * w->h;
    bool settled = false;
    for (int i = 0; i < GPAI_FAST_ROUNDS && !settled && !q->budget_hit; i++) {
        double gain, step;
        gpai_fast_choose(w, i == 0);
        gpa_status st = one_round(w, scale, &gain, &step);
        if (st != GPA_OK)
            return st;
        result->iterations++;
        if (gain > 0) {
            if (i > 0)
                scale = fmax(fmin(scale, step), 0.05 * w->h);
            fails += gain < GPAI_FAST_TOL;
        } else {
            scale /= 3;
            fails++;
        }
        bool little = w->lean && !w->stepped && gain > 0 && gain < LITTLE;
        settled = fails >= 2 || scale < 0.02 * w->h || little;
        result->converged = settled || gain < GPAI_FAST_TOL;
    }
    return GPA_OK;
}

gpa_status gpai_fast_wide_round(gpai_fast *w, gpai_map *result)
{
    double gain, step;
    gpai_fast_choose(w, true);
    result->iterations++;
    return one_round(w, w->h, &gain, &step);
}

/* Wide rounds along all axes where the best point of a stepped f still does not explain
 * what was seen: steps that lead there may need one another. A second one follows when
 * the first gained a tenth. Measured: further ones find next to nothing; and with a
 * data term of 1 to 2 they, 120 rows of 13 inputs each, gain some 0.1 in one of 50
 * answers, which is for a thorough search to find. */
static gpa_status wide_rounds(gpai_fast *w, bool thorough, gpai_map *result)
{
    enum { ROUNDS = 2 };
    static const double WORTH = 0.1;
    gpai_search *q = w->q;
    double least = q->p->n == 1 && !thorough ? 2 : (double)q->p->n, gain = HUGE_VAL;
    gpa_status st = GPA_OK;
    for (int i = 0; i < ROUNDS && st == GPA_OK && !q->budget_hit; i++) {
        double was = q->objective;
        if (!(gpai_data_term(q->p, q->f) > least && gain >= WORTH * was))
            return GPA_OK;
        st = gpai_fast_wide_round(w, result);
        gain = was - q->objective;
    }
    return st;
}

gpa_status gpai_fast_rounds(gpai_fast *w, bool thorough, gpai_map *result)
{
    gpa_status st = coarse_rounds(w, result);
    return st == GPA_OK && w->stepped ? wide_rounds(w, thorough, result) : st;
}
