#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/ask.h"
#include "engine/marginals/marginals.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* 24 rows per input (docs/methods.md, eq. 14 and after): half of them at even
 * quantiles, the rest three at a time where the density changes most. Chosen; |z| = 6
 * leaves 2e-9 of the prior outside. */
enum {
    FIRST = 12,
    ROUNDS = 4,
    PER_ROUND = 3,
    FARTHEST = 6,                                /* |z| beyond which nothing is asked */
    MOST_NODES = FIRST + ROUNDS * PER_ROUND + 1, /* and the MAP */
    MOST_DOUBLES = 1 << 22, /* of predictions held at once: more axes wait */
};

/* What is known along one axis: nodes in ascending order of their place, which is z
 * (a choice: the number of the level). */
struct scan {
    size_t axis, nodes;
    double *place, *value, *cost; /* cost: minus the log-likelihood */
    double *f;                    /* nodes by n */
};

struct work {
    gpai_problem *p;
    const gpai_space *s;
    const double *map, *f_map;
    size_t from, to;   /* the axes at hand */
    struct scan *scan; /* one per axis at hand */
    gpai_probe *probe; /* what the next call asks, */
    double *probe_place;
    double *answer; /* and its predictions */
    size_t asked;
    double *f; /* n: one interpolated prediction */
    gpai_cells cells;
    double *block;
    gpa_error *err;
};

static size_t most_nodes(const gpai_axis *a)
{
    if (a->kind == GPAI_AXIS_CHOICE)
        return gpai_axis_choices(a);
    return MOST_NODES + (gpai_axis_leaps(a) ? 2 : 0);
}

uint64_t gpai_marginal_plugin_rows(const gpai_problem *p, const gpai_space *s)
{
    uint64_t nodes = 0;
    for (size_t i = 0; i < s->axes; i++)
        nodes += most_nodes(&s->axis[i]) - 1;
    return nodes * p->n;
}

/* The axes from `from` that are scanned together; at least one. */
static size_t end_of_batch(const gpai_problem *p, const gpai_space *s, size_t from)
{
    size_t nodes = 0, to = from;
    do
        nodes += most_nodes(&s->axis[to++]);
    while (to < s->axes && nodes <= MOST_DOUBLES / (p->n + 4));
    return to;
}

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    size_t list = 0, n = w->p->n;
    for (size_t i = w->from; i < w->to; i++) {
        size_t nodes = most_nodes(&w->s->axis[i]);
        struct scan *c = &w->scan[i - w->from];
        *c = (struct scan){.axis = i};
        GPAI_TAKE_EACH(a, nodes, 1, &c->place, &c->value, &c->cost);
        c->f = gpai_take(a, nodes, n);
        list += nodes < FIRST ? FIRST : nodes;
    }
    w->probe = gpai_take_bytes(a, list, sizeof *w->probe);
    w->probe_place = gpai_take(a, list, 1);
    w->answer = gpai_take(a, list, n);
    w->f = gpai_take(a, n, 1);
}

static gpa_status acquire(struct work *w)
{
    w->scan = gpai_calloc(w->to - w->from, sizeof *w->scan);
    if (w->scan == NULL)
        return gpai_nomem(w->err, "marginals");
    w->block = gpai_carve(lay_out, w);
    return w->block != NULL ? GPA_OK : gpai_nomem(w->err, "marginals");
}

static double place_of(const struct work *w, size_t axis, double value)
{
    return w->s->axis[axis].kind == GPAI_AXIS_CHOICE
               ? value
               : gpai_quantiles_z(&w->cells.quantiles, axis, value);
}

/* The first node at or behind a place. */
static size_t find_node(const struct scan *c, double place)
{
    size_t i = 0;
    while (i < c->nodes && c->place[i] < place)
        i++;
    return i;
}

static bool is_known(const struct scan *c, double place)
{
    size_t i = find_node(c, place);
    return i < c->nodes && c->place[i] == place;
}

static void make_room(double *list, size_t i, size_t nodes, size_t width)
{
    memmove(list + (i + 1) * width, list + i * width,
            (nodes - i) * width * sizeof *list);
}

static void insert(const struct work *w, struct scan *c, double place, double value,
                   const double *f)
{
    size_t i = find_node(c, place), n = w->p->n;
    make_room(c->place, i, c->nodes, 1);
    make_room(c->value, i, c->nodes, 1);
    make_room(c->cost, i, c->nodes, 1);
    make_room(c->f, i, c->nodes, n);
    c->nodes++;
    c->place[i] = place;
    c->value[i] = value;
    memcpy(c->f + i * n, f, n * sizeof *f);
    c->cost[i] = gpai_data_term(w->p, f);
}

/* Puts a node on the list for the next call; until then f is a guess. */
static void want(struct work *w, struct scan *c, double place, double value,
                 const double *guess)
{
    insert(w, c, place, value, guess);
    w->probe[w->asked] = (gpai_probe){.axis = c->axis, .value = value};
    w->probe_place[w->asked] = place;
    w->asked++;
}

/* One call for everything on the list. */
static gpa_status ask(struct work *w)
{
    size_t n = w->p->n;
    if (w->asked == 0)
        return GPA_OK;
    gpa_status st = gpai_predict_probes(w->p, w->s, w->map, w->probe, w->asked, false,
                                        w->answer, w->err);
    for (size_t i = 0; i < w->asked && st == GPA_OK; i++) {
        struct scan *c = &w->scan[w->probe[i].axis - w->from];
        size_t j = find_node(c, w->probe_place[i]);
        memcpy(c->f + j * n, w->answer + i * n, n * sizeof *c->f);
        c->cost[j] = gpai_data_term(w->p, c->f + j * n);
    }
    w->asked = 0;
    return st;
}

/* The first nodes stand in the middle of twelfths of the prior, but the outer two near
 * its ends and beyond the MAP: what lies beyond a last node is taken as flat. */
static double first_place(size_t i, double map)
{
    if (i == 0)
        return fmax(fmin(gpai_norm_quantile(0.003), map - 1), -8.5);
    if (i + 1 == FIRST)
        return fmin(fmax(gpai_norm_quantile(0.997), map + 1), 8.5);
    return gpai_norm_quantile(((double)i + 0.5) / FIRST);
}

/* An axis that leaps is known at both ends of the leap. */
static void start_leap(struct work *w, struct scan *c)
{
    double value[2] = {0, gpai_axis_inside(&w->s->axis[c->axis], 0)};
    for (int i = 0; i < 2; i++) {
        double place = place_of(w, c->axis, value[i]);
        if (!is_known(c, place))
            want(w, c, place, value[i], w->f_map);
    }
}

/* The MAP, and the first nodes to ask: quantiles, or every level. */
static void start(struct work *w, struct scan *c)
{
    const gpai_axis *a = &w->s->axis[c->axis];
    double now = gpai_axis_value(w->s, c->axis, w->map), at = place_of(w, c->axis, now);
    size_t nodes = a->kind == GPAI_AXIS_CHOICE ? gpai_axis_choices(a) : FIRST;
    bool leaps = gpai_axis_leaps(a);
    insert(w, c, at, now, w->f_map);
    if (leaps)
        start_leap(w, c);
    for (size_t i = 0; i < nodes; i++) {
        double value = (double)i, place = value;
        if (a->kind != GPAI_AXIS_CHOICE) {
            place = first_place(i, at);
            value = gpai_quantiles_value(&w->cells.quantiles, c->axis, place);
            if (a->kind == GPAI_AXIS_STEP || leaps)
                place = place_of(w, c->axis, value);
        }
        if (!is_known(c, place))
            want(w, c, place, value, w->f_map);
    }
}

/* Prior probability below the end of interval i, which lies between nodes i - 1 and i
 * (or the end of the axis). */
static double share_below(const struct scan *c, size_t i)
{
    return i < c->nodes ? gpai_norm_cdf(c->place[i]) : 1;
}

/* A new value in interval i: halfway between nodes, or in the middle of what the prior
 * has left at the end. False when there is none. */
static bool between(const struct work *w, const struct scan *c, size_t i, double *place,
                    double *value)
{
    const gpai_axis *a = &w->s->axis[c->axis];
    double lo = i > 0 ? c->place[i - 1] : -HUGE_VAL;
    double hi = i < c->nodes ? c->place[i] : HUGE_VAL;
    if (i == 0)
        *place = gpai_norm_quantile(0.5 * gpai_norm_cdf(hi));
    else if (i == c->nodes)
        *place = -gpai_norm_quantile(0.5 * gpai_norm_cdf(-lo));
    else
        *place = 0.5 * (lo + hi);
    if (!(fabs(*place) < FARTHEST) || hi - lo < 1e-9)
        return false;
    *value = gpai_quantiles_value(&w->cells.quantiles, c->axis, *place);
    if (gpai_axis_leaps(a) && *value == 0)
        return false; /* it is known there */
    if (a->kind == GPAI_AXIS_PLAIN)
        return *place > lo && *place < hi;
    if (i > 0 && *value <= c->value[i - 1])
        *value = gpai_axis_snap(a, c->value[i - 1] + a->step);
    if (i < c->nodes && *value >= c->value[i])
        *value = gpai_axis_snap(a, c->value[i] - a->step);
    *place = place_of(w, c->axis, *value);
    return *place > lo && *place < hi;
}

/* Cost inside interval i where f, if straight, comes nearest to y; +inf when nowhere
 * nearer than at its nodes. */
static double cost_inside(const struct work *w, const struct scan *c, size_t i)
{
    size_t n = w->p->n, crossed = 0;
    double part = 0;
    if (i == 0 || i == c->nodes)
        return HUGE_VAL;
    const double *a = c->f + (i - 1) * n, *b = c->f + i * n;
    for (size_t t = 0; t < n; t++) {
        double at = (w->p->y[t] - a[t]) / (b[t] - a[t]);
        if (at > 0 && at < 1) {
            part += at;
            crossed++;
        }
    }
    if (crossed == 0)
        return HUGE_VAL;
    for (size_t t = 0; t < n; t++)
        w->f[t] = a[t] + part / (double)crossed * (b[t] - a[t]);
    return gpai_data_term(w->p, w->f);
}

/* How much interval i may hide: its share of the prior times the height of the
 * likelihood and its ups and downs, in units of the largest likelihood known. */
static double unknown(const struct work *w, const struct scan *c, size_t i,
                      double least)
{
    double cost[3] = {c->cost[i > 0 ? i - 1 : 0],
                      c->cost[i < c->nodes ? i : c->nodes - 1], cost_inside(w, c, i)};
    double lo = HUGE_VAL, hi = 0;
    for (size_t j = 0; j < 3; j++) {
        double q = isfinite(cost[j]) ? exp(fmin(least - cost[j], 0)) : 0;
        lo = j < 2 ? fmin(lo, q) : lo;
        hi = fmax(hi, q);
    }
    double width = share_below(c, i) - (i > 0 ? share_below(c, i - 1) : 0);
    return width * (0.1 * hi * sqrt(width) + hi - lo + 1e-12);
}

/* Halves the interval that may hide most. */
static void refine(struct work *w, struct scan *c)
{
    double least = HUGE_VAL, most = -1, place = 0, value = 0;
    size_t best = 0, n = w->p->n;
    for (size_t i = 0; i < c->nodes; i++)
        least = fmin(least, c->cost[i]);
    for (size_t i = 0; i <= c->nodes; i++) {
        double at, v, u = unknown(w, c, i, least);
        if (u > most && between(w, c, i, &at, &v)) {
            most = u;
            best = i;
            place = at;
            value = v;
        }
    }
    if (most < 0)
        return;
    const double *a = c->f + (best > 0 ? best - 1 : 0) * n;
    const double *b = c->f + (best < c->nodes ? best : c->nodes - 1) * n;
    for (size_t t = 0; t < n; t++)
        w->f[t] = 0.5 * (a[t] + b[t]);
    want(w, c, place, value, w->f);
}

/* Minus the log-likelihood at a place, f being linear between nodes. */
static double cost_at(const struct work *w, const struct scan *c, double place)
{
    size_t i = find_node(c, place), n = w->p->n;
    if (i == 0 || (i < c->nodes && c->place[i] == place))
        return c->cost[i];
    if (i == c->nodes)
        return c->cost[i - 1];
    double value = gpai_quantiles_value(&w->cells.quantiles, c->axis, place);
    if (value == 0 && gpai_axis_leaps(&w->s->axis[c->axis]))
        return c->cost[find_node(c, 0)];
    double part = (value - c->value[i - 1]) / (c->value[i] - c->value[i - 1]);
    const double *a = c->f + (i - 1) * n, *b = c->f + i * n;
    for (size_t t = 0; t < n; t++)
        w->f[t] = a[t] + part * (b[t] - a[t]);
    return gpai_data_term(w->p, w->f);
}

/* Mean and spread in z, from points that are as dense as the nodes. Sums are relative
 * to the highest posterior density so far. */
static void aim(struct work *w, const struct scan *c)
{
    enum { EACH = 12 }; /* points between two nodes; chosen: f is linear there */
    double sum = 0, first = 0, second = 0, top = -HUGE_VAL;
    for (size_t i = 0; i <= c->nodes; i++) {
        double lo = i > 0 ? c->place[i - 1] : fmin(-FARTHEST, c->place[0]);
        double hi = i < c->nodes ? c->place[i] : fmax(FARTHEST, c->place[i - 1]);
        for (int j = 0; j < EACH && hi > lo; j++) {
            double z = lo + (hi - lo) * (j + 0.5) / EACH;
            double l = -cost_at(w, c, z) - 0.5 * z * z;
            if (l > top) {
                double shrink = exp(top - l);
                sum *= shrink;
                first *= shrink;
                second *= shrink;
                top = l;
            }
            double mass = isfinite(l) ? (hi - lo) * exp(l - top) : 0;
            sum += mass;
            first += mass * z;
            second += mass * z * z;
        }
    }
    double mean = first / sum;
    if (sum > 0)
        gpai_cells_aim_at(&w->cells, c->axis, mean,
                          sqrt(fmax(second / sum - mean * mean, 0)));
}

/* Log mass of cell j up to a constant: likelihood times prior probability. */
static double log_mass(const struct work *w, const struct scan *c, size_t j)
{
    const gpai_quantiles_axis *quantiles = &w->cells.quantiles.axis[c->axis];
    if (quantiles->values > 0) {
        return log(gpai_cells_prior_mass(&w->cells, c->axis, j)) -
               cost_at(w, c, place_of(w, c->axis, quantiles->value[j]));
    }
    double z = gpai_cells_middle(&w->cells, c->axis, j), x = w->cells.middle[j];
    return 0.5 * (x * x - z * z) - cost_at(w, c, z);
}

static void weigh(struct work *w, const struct scan *c)
{
    gpai_cell_axis *a = &w->cells.axis[c->axis];
    double top = -HUGE_VAL;
    if (w->cells.quantiles.axis[c->axis].values == 0)
        aim(w, c);
    for (size_t j = 0; j < a->count; j++) {
        a->mass[j] = log_mass(w, c, j);
        top = fmax(top, a->mass[j]);
    }
    for (size_t j = 0; j < a->count; j++) /* nothing finite: all alike */
        a->mass[j] = isfinite(top) ? exp(a->mass[j] - top) : 1;
}

static gpa_status scan_batch(struct work *w)
{
    gpa_status st = acquire(w);
    size_t axes = w->to - w->from;
    for (size_t i = 0; i < axes && st == GPA_OK; i++)
        start(w, &w->scan[i]);
    for (int round = 0; round <= ROUNDS && st == GPA_OK; round++) {
        for (size_t i = 0; i < axes && round > 0; i++)
            for (int j = 0; j < PER_ROUND; j++)
                if (w->s->axis[w->from + i].kind != GPAI_AXIS_CHOICE)
                    refine(w, &w->scan[i]);
        st = ask(w);
    }
    for (size_t i = 0; i < axes && st == GPA_OK; i++)
        weigh(w, &w->scan[i]);
    gpai_free(w->block);
    gpai_free(w->scan);
    w->block = NULL;
    w->scan = NULL;
    return st;
}

gpa_status gpai_marginal_plugin(gpai_problem *p, const gpai_space *s, const double *map,
                                const double *f_map, gpa_explanation *e, gpa_error *err)
{
    struct work w = {.p = p, .s = s, .map = map, .f_map = f_map, .err = err};
    gpa_status st = gpai_cells_open(&w.cells, s, err);
    if (st != GPA_OK)
        return st;
    while (w.to < s->axes && st == GPA_OK) {
        w.from = w.to;
        w.to = end_of_batch(p, s, w.from);
        st = scan_batch(&w);
    }
    if (st == GPA_OK) {
        gpai_cells_finish(&w.cells, 0);
        st = gpai_cells_show(&w.cells, e, err);
    }
    gpai_cells_close(&w.cells);
    return st;
}
