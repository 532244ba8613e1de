#include "engine/culprit/exchange.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* What planning needs. */
struct work {
    gpai_densities *b;
    size_t at; /* which of them is asked, and: */
    gpai_plausible *q;
    size_t n; /* axes that might be exchanged */
    size_t *axis;
    double *value, *strange; /* n: in the row; how little it fits the others */
    double *low, *high;      /* axes: the limits of its values */
    double *own, *shift;     /* n by n: the i-th number at the value of the j-th */
    double *gain[GPAI_DENSITIES];
    double *e; /* components */
    gpai_ranked *order;
    size_t best[GPAI_EXCHANGES]; /* which of them */
    size_t axes, most;
};

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    w->axis = gpai_take_bytes(a, w->axes, sizeof *w->axis);
    w->order =
        gpai_take_bytes(a, w->axes > w->most ? w->axes : w->most, sizeof *w->order);
    w->strange = gpai_take(a, w->axes, 1);
    GPAI_TAKE_EACH(a, w->axes, 1, &w->value, &w->low, &w->high);
    GPAI_TAKE_EACH(a, w->most, 1, &w->own, &w->shift, &w->gain[0], &w->gain[1]);
    w->e = gpai_take(a, w->q->crowd->ld, 1);
}

/* Whether an axis is one number, of which the density knows something. */
static bool is_number(const struct work *w, size_t i)
{
    const gpai_axis *a = &w->q->s->axis[i];
    return a->kind != GPAI_AXIS_CHOICE && !a->gap && gpai_crowd_knows(w->q->crowd, i);
}

/* The numbers; of very many those that fit the others least, in their order. */
static void choose_axes(struct work *w)
{
    for (size_t i = 0; i < w->axes; i++)
        if (is_number(w, i))
            w->axis[w->n++] = i;
    if (w->n <= GPAI_EXCHANGE_AXES)
        return;
    for (size_t i = 0; i < w->n; i++)
        w->strange[i] = 0;
    for (size_t t = 0; t < w->q->p->n; t++) {
        gpai_plausible_row(w->q, t);
        for (size_t i = 0; i < w->n; i++)
            w->strange[i] += gpai_plausible_strange(w->q, w->axis[i]);
    }
    gpai_rank(w->strange, w->n, w->order);
    for (size_t i = 0; i < GPAI_EXCHANGE_AXES; i++)
        w->order[i].place = w->axis[w->order[i].place];
    w->n = GPAI_EXCHANGE_AXES;
    for (size_t i = 0; i < w->n; i++)
        w->axis[i] = w->order[i].place;
    gpai_sort_indices(w->axis, w->n);
}

/* The limits of an axis' values. Those of its moves are what all rows can do: the least
 * value is as far above `low` as `lo` says, and the largest below `high`. */
static void find_limits(struct work *w, size_t axis)
{
    const gpai_problem *p = w->q->p;
    const gpai_axis *a = &w->q->s->axis[axis];
    double least = HUGE_VAL, most = -HUGE_VAL, unit = p->unit[a->input];
    for (size_t t = 0; t < p->n; t++) {
        least = fmin(least, p->x[t * p->d + a->input]);
        most = fmax(most, p->x[t * p->d + a->input]);
    }
    static const double ROUNDING = 1e-12;
    w->low[axis] = least + unit * a->lo - ROUNDING * fabs(least);
    w->high[axis] = most + unit * a->hi + ROUNDING * fabs(most);
}

/* Whether the axis may have that value. */
static bool may_have(const struct work *w, size_t axis, double value)
{
    if (!(value >= w->low[axis] && value <= w->high[axis]))
        return false;
    return w->q->s->axis[axis].kind != GPAI_AXIS_STEP || value == nearbyint(value);
}

/* The i-th number at the values of `count` others from j on, against the row as it is.
 */
static void place(struct work *w, size_t i, size_t j, size_t count, gpai_placing *find)
{
    const gpai_plausible *q = w->q;
    size_t axis = w->axis[i], first = q->crowd->trait[axis].first;
    double *own = w->own + i * w->n + j, *shift = w->shift + i * w->n + j;
    find(q->crowd, axis, w->value + j, count, own, shift);
    for (size_t k = 0; k < count; k++) {
        own[k] -= q->own[axis];
        shift[k] -= q->z[first];
    }
}

/* ln plausibility of the row with the i-th and the j-th number exchanged. */
static double exchange(struct work *w, size_t i, size_t j)
{
    const gpai_plausible *q = w->q;
    const gpai_crowd *d = q->crowd;
    size_t a = d->trait[w->axis[i]].first, b = d->trait[w->axis[j]].first;
    size_t here = i * w->n + j, there = j * w->n + i;
    double x = w->shift[here], y = w->shift[there];
    memcpy(w->e, q->base, d->components * sizeof *w->e);
    q->v->axpy(-x, q->g + a * d->ld, d->components, w->e);
    q->v->axpy(-y, q->g + b * d->ld, d->components, w->e);
    return w->own[here] + w->own[there] + q->v->log_sum(w->e, d->components) -
           0.5 * x * x * gpai_plausible_link(q, a, a) -
           0.5 * y * y * gpai_plausible_link(q, b, b) -
           x * y * gpai_plausible_link(q, a, b);
}

static void take_row(struct work *w, size_t t)
{
    const gpai_problem *p = w->q->p;
    gpai_plausible_row(w->q, t);
    for (size_t i = 0; i < w->n; i++)
        w->value[i] = p->x[t * p->d + w->q->s->axis[w->axis[i]].input];
}

/* About what row t says of all pairs; impossible ones are so in one row. */
static void add_row(struct work *w, size_t t)
{
    take_row(w, t);
    for (size_t i = 0; i < w->n; i++)
        place(w, i, 0, w->n, gpai_crowd_place_about);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = i + 1; j < w->n; j++) {
            bool can = w->value[i] != w->value[j] &&
                       may_have(w, w->axis[i], w->value[j]) &&
                       may_have(w, w->axis[j], w->value[i]);
            w->gain[w->at][i * w->n + j] +=
                can ? w->q->trust * exchange(w, i, j) : -HUGE_VAL;
        }
}

/* The pairs that all densities together like best. */
static void take_best(struct work *w, gpai_exchanges *x)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++) {
            size_t at = i * w->n + j;
            const double log[GPAI_DENSITIES] = {w->gain[0][at], w->gain[1][at]};
            w->gain[0][at] = i < j ? gpai_densities_join(w->b, log) : -HUGE_VAL;
        }
    gpai_rank(w->gain[0], w->n * w->n, w->order);
    for (size_t i = 0; i < w->n * w->n && x->count < GPAI_EXCHANGES; i++) {
        size_t place = w->order[i].place;
        if (!isfinite(w->order[i].value))
            break;
        w->best[x->count] = place;
        x->probe[x->count++] = (gpai_probe){.axis = w->axis[place / w->n],
                                            .exchanged = true,
                                            .other = w->axis[place % w->n]};
    }
}

/* What row t says of the best, exactly. */
static void add_best(struct work *w, size_t t, size_t count)
{
    take_row(w, t);
    for (size_t k = 0; k < count; k++) {
        size_t i = w->best[k] / w->n, j = w->best[k] % w->n;
        place(w, i, j, 1, gpai_crowd_place);
        place(w, j, i, 1, gpai_crowd_place);
        w->gain[w->at][k] += w->q->trust * exchange(w, i, j);
    }
}

/* All rows in the eyes of each density: about, or the best `count` exactly. */
static void add_rows(struct work *w, bool best, size_t count)
{
    for (w->at = 0; w->at < w->b->count; w->at++) {
        w->q = &w->b->q[w->at];
        memset(w->gain[w->at], 0, w->most * sizeof *w->gain[0]);
        for (size_t t = 0; t < w->q->p->n; t++)
            if (best)
                add_best(w, t, count);
            else
                add_row(w, t);
    }
}

/* Room; the axes, and their limits. */
static double *open_work(struct work *w, gpai_densities *b)
{
    *w = (struct work){.b = b, .q = &b->q[0], .axes = b->q[0].s->axes};
    size_t side = w->axes < GPAI_EXCHANGE_AXES ? w->axes : GPAI_EXCHANGE_AXES;
    w->most = side * side > GPAI_EXCHANGES ? side * side : GPAI_EXCHANGES;
    return gpai_carve(lay_out, w);
}

static double best_gain(const struct work *w, size_t k)
{
    const double log[GPAI_DENSITIES] = {w->gain[0][k], w->gain[1][k]};
    return gpai_densities_join(w->b, log);
}

gpa_status gpai_exchanges_plan(gpai_exchanges *x, gpai_densities *b, gpa_error *err)
{
    struct work w;
    *x = (gpai_exchanges){0};
    double *block = open_work(&w, b);
    if (block == NULL)
        return gpai_nomem(err, "culprit");
    choose_axes(&w);
    for (size_t i = 0; i < w.n; i++)
        find_limits(&w, w.axis[i]);
    add_rows(&w, false, 0);
    take_best(&w, x);
    add_rows(&w, true, x->count);
    for (size_t k = 0; k < x->count; k++)
        x->gain[k] = best_gain(&w, k);
    gpai_free(block);
    if (x->count == 0)
        return GPA_OK;
    x->f = gpai_calloc(x->count * b->q[0].p->n, sizeof *x->f);
    return x->f != NULL ? GPA_OK : gpai_nomem(err, "culprit");
}

/* The place of an axis among those of the work, where it is put if it is new. */
static size_t place_of(struct work *w, size_t axis)
{
    size_t i = 0;
    while (i < w->n && w->axis[i] != axis)
        i++;
    if (i == w->n)
        w->axis[w->n++] = axis;
    return i;
}

/* How far two axes would be from what the others let expect if they were exchanged:
 * the larger square, by correlations alone, in the mean over the rows. */
static double odd_after(struct work *w, const gpai_probe *probe, double *z,
                        double *pull)
{
    const gpai_crowd *d = w->b->q[w->b->count - 1].crowd;
    gpai_plausible *q = &w->b->q[w->b->count - 1];
    size_t first[2] = {d->trait[probe->axis].first, d->trait[probe->other].first};
    double odd[2] = {0}, own;
    for (size_t t = 0; t < q->p->n; t++) {
        const double *x = q->p->x + t * q->p->d;
        gpai_plausible_row(q, t);
        memcpy(z, q->z, d->scores * sizeof *z);
        gpai_crowd_place(d, probe->axis, &x[q->s->axis[probe->other].input], 1, &own,
                         &z[first[0]]);
        gpai_crowd_place(d, probe->other, &x[q->s->axis[probe->axis].input], 1, &own,
                         &z[first[1]]);
        gpai_copula_pull(&d->copula, z, q->rank, pull);
        for (size_t i = 0; i < 2; i++)
            odd[i] += pull[first[i]] * pull[first[i]] / (double)q->p->n /
                      gpai_copula_link(&d->copula, first[i], first[i]);
    }
    return fmax(odd[0], odd[1]);
}

gpa_status gpai_exchanges_again(gpai_exchanges *x, gpai_densities *b,
                                const bool *silent, gpa_error *err)
{
    static const double FITS = 9; /* three standard deviations, squared */
    struct work w;
    size_t first[GPAI_EXCHANGES], second[GPAI_EXCHANGES], count = 0;
    double *block = open_work(&w, b);
    double *z = gpai_calloc(2 * b->q[0].crowd->scores, sizeof *z);
    if (block == NULL || z == NULL) {
        gpai_free(z);
        gpai_free(block);
        return gpai_nomem(err, "culprit");
    }
    for (size_t k = 0; k < x->count; k++) {
        first[k] = place_of(&w, x->probe[k].axis);
        second[k] = place_of(&w, x->probe[k].other);
    }
    for (size_t k = 0; k < x->count; k++)
        if (!silent[x->probe[k].axis] && !silent[x->probe[k].other])
            w.best[count++] = first[k] * w.n + second[k];
    add_rows(&w, true, count);
    for (size_t k = 0, at = 0; k < x->count; k++) {
        const gpai_probe *probe = &x->probe[k];
        if (!silent[probe->axis] && !silent[probe->other])
            x->gain[k] = best_gain(&w, at++);
        else if (odd_after(&w, probe, z, z + b->q[0].crowd->scores) > FITS)
            x->gain[k] = -HUGE_VAL;
    }
    gpai_free(z);
    gpai_free(block);
    return GPA_OK;
}

void gpai_exchanges_close(gpai_exchanges *x)
{
    gpai_free(x->f);
    *x = (gpai_exchanges){0};
}
