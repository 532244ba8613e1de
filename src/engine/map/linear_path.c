#include "engine/map/linear_path.h"
#include "base/math/sort.h"
#include "engine/objective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void gpai_path_lay_out(gpai_path_work *w, gpai_arena *a, size_t n, size_t axes)
{
    GPAI_TAKE_EACH(a, axes, 1, &w->value, &w->best);
    GPAI_TAKE_EACH(a, n, 1, &w->target, &w->weight, &w->residual);
    w->knot = gpai_take(a, 2 * axes, 4);
    /* the Gram matrix only where it is not larger than the slopes themselves */
    w->gram = axes <= n ? gpai_take(a, axes, axes + 1) : NULL;
}

/* ---- one row: the exact elastic-net path ----
 *
 * For a multiplier mu >= 0 the cheapest v with a given shift of the prediction is
 * v_i = clamp(soft(mu side g_i, eta nu)/eta, lo_i, hi_i), side = +-1. Every |v_i| rests
 * until mu reaches (eta nu + eta |rest|)/|g_i|, then grows linearly until its bound.
 * Shift and penalty are sums over the axes that rest, grow or are stopped, so between
 * two of these events both are known in closed form. */
struct event {
    double mu;     /* where it happens */
    double square; /* change of sum g_i^2 over growing axes */
    double level;  /* change of the shift's constant part */
    double cost;   /* change of the penalty's constant part */
};

struct path {
    struct event *event;
    size_t events;
    double rest_shift, rest_cost; /* at mu = 0 */
};

static int by_mu(const void *a, const void *b)
{
    double x = ((const struct event *)a)->mu, y = ((const struct event *)b)->mu;
    return x < y ? -1 : x > y;
}

/* Equal ones stay in their order; of few no call is made for each comparison. */
static void sort_events(struct event *e, size_t n)
{
    enum { FEW = 64 };
    if (n > FEW) {
        qsort(e, n, sizeof *e, by_mu);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        struct event own = e[i];
        size_t at = i;
        for (; at > 0 && e[at - 1].mu > own.mu; at--)
            e[at] = e[at - 1];
        e[at] = own;
    }
}

/* Whether an axis has no place in a linear model: choices, and what would have to leap.
 */
static bool is_fixed(const gpai_search *q, const gpai_path_work *w, size_t i)
{
    const gpai_axis *a = &q->s->axis[i];
    return a->kind == GPAI_AXIS_CHOICE || (gpai_axis_leaps(a) && w->value[i] == 0);
}

static double clamp(const gpai_axis *a, double v)
{
    return v < a->lo ? a->lo : v > a->hi ? a->hi : v;
}

/* Bound in the direction an axis moves, and its rest position, both as |v|. */
static bool travel(const gpai_axis *a, double direction, double *rest, double *end)
{
    double r = clamp(a, 0);
    if (direction == 0 || r * direction < 0)
        return false; /* pressed against its bound: stays there */
    *rest = fabs(r);
    *end = direction > 0 ? a->hi : -a->lo;
    return *end > *rest;
}

/* While an axis grows, |g| v = (mu g^2 - eta nu |g|)/eta adds to the shift and
 * (mu^2 g^2 - (eta nu)^2)/2 eta to the penalty. */
static void add_axis(struct path *h, const gpai_space *s, size_t i, double g,
                     double side)
{
    const gpai_axis *a = &s->axis[i];
    double eta = s->prior.eta, l1 = eta * s->prior.nu, rest, end, size = fabs(g);
    double r = clamp(a, 0);
    h->rest_shift += side * g * r;
    h->rest_cost += gpai_prior_penalty(&s->prior, r);
    if (!travel(a, side * g, &rest, &end) || !(size > 0))
        return;
    double growing_cost = -l1 * l1 / (2 * eta), growing_level = -l1 * size / eta;
    h->event[h->events++] =
        (struct event){.mu = (l1 + eta * rest) / size,
                       .square = g * g,
                       .level = growing_level - size * rest,
                       .cost = growing_cost - gpai_prior_penalty(&s->prior, rest)};
    if (isfinite(end))
        h->event[h->events++] =
            (struct event){.mu = (l1 + eta * end) / size,
                           .square = -g * g,
                           .level = size * end - growing_level,
                           .cost = gpai_prior_penalty(&s->prior, end) - growing_cost};
}

/* A scan of the path by rising shift: state between two events. */
struct walk {
    const struct path *h;
    double eta;
    size_t next;
    double mu, square, level, cost;
};

static double shift_at(const struct walk *w, double mu)
{
    return w->level + (w->square > 0 ? w->square : 0) * mu / w->eta;
}

/* Moves on until the shift t lies before the next event; gives mu there. */
static double advance(struct walk *w, double t)
{
    while (w->next < w->h->events) {
        const struct event *e = &w->h->event[w->next];
        if (shift_at(w, e->mu) >= t && w->square > 0)
            break;
        w->mu = e->mu;
        w->square += e->square;
        w->level += e->level;
        w->cost += e->cost;
        w->next++;
    }
    if (!(w->square > 1e-300))
        return w->mu; /* everything that could move has stopped */
    double mu = (t - w->level) * w->eta / w->square;
    return mu > w->mu ? mu : w->mu;
}

/* What a linear model wants of an axis; it knows nothing of a leap to 0 or from it. */
static double nearest_place(const gpai_search *q, const gpai_axis *a, double v)
{
    if (!gpai_axis_leaps(a))
        return gpai_axis_snap(a, v);
    return q->delta[a->input] == 0 ? 0 : gpai_axis_inside(a, v);
}

/* The q->points[at] of these values; a group stays where it is. */
static void place_values(gpai_search *q, size_t at, const double *v)
{
    double *point = q->points + at * q->p->d;
    memcpy(point, q->delta, q->p->d * sizeof *point);
    for (size_t i = 0; i < q->s->axes; i++)
        if (q->s->axis[i].kind != GPAI_AXIS_CHOICE)
            point[q->s->axis[i].input] = nearest_place(q, &q->s->axis[i], v[i]);
}

static void place(gpai_search *q, size_t at, const double *slope, double mu,
                  double side, double *v)
{
    double eta = q->s->prior.eta, l1 = eta * q->s->prior.nu;
    for (size_t i = 0; i < q->s->axes; i++)
        v[i] = gpai_soft_threshold(side * mu * slope[i], l1) / eta;
    place_values(q, at, v);
}

/* The fraction of the whole shift at which the linear model's objective is lowest, for
 * Gaussian noise: where mu = (what is left of the shift) / b, and what is left falls
 * linearly in mu between two events. */
static double gaussian_fraction(const gpai_search *q, const struct path *h, double size)
{
    double eta = q->s->prior.eta, aim = h->rest_shift + size, mu = 0;
    struct walk w = {.h = h, .eta = eta, .level = h->rest_shift};
    for (;;) {
        double rate = w.square > 0 ? w.square / eta : 0;
        mu = (aim - w.level) / (q->p->b[0] + rate);
        if (w.next == h->events || mu <= h->event[w.next].mu)
            break;
        w.square += h->event[w.next].square;
        w.level += h->event[w.next].level;
        w.next++;
    }
    return (shift_at(&w, mu) - h->rest_shift) / size;
}

/* Steps in which the shift is looked through, at first one of STRIDE; room for a look,
 * a multiple of 8. */
enum { STEPS = 200, STRIDE = 10, LOOK = 24 };
_Static_assert(STEPS / STRIDE <= LOOK && 2 * STRIDE - 1 <= LOOK, "both looks fit");

/* The step, of so many from one on, at which the linear model's objective is lowest. */
static size_t lowest_step(const gpai_search *q, const struct path *h, double size,
                          size_t from, size_t stride, size_t count)
{
    double eta = q->s->prior.eta, lowest = HUGE_VAL, left[LOOK] = {0}, cost[LOOK];
    size_t best = count - 1;
    struct walk w = {.h = h, .eta = eta, .level = h->rest_shift, .cost = h->rest_cost};
    for (size_t i = 0; i < count; i++) {
        double fraction = (double)(from + i * stride) / STEPS;
        double t = h->rest_shift + fraction * size, mu = advance(&w, t);
        left[i] = size - (shift_at(&w, mu) - h->rest_shift);
        cost[i] = w.cost + (w.square > 0 ? w.square : 0) * mu * mu / (2 * eta);
    }
    gpai_excesses(q->p, 0, left, LOOK);
    for (size_t i = 0; i < count; i++) {
        double value = (q->p->a + 0.5) * left[i] + cost[i];
        if (value < lowest) {
            lowest = value;
            best = i;
        }
    }
    return from + best * stride;
}

/* The same for any noise, to 1 in STEPS: the true objectives of the fan around it
 * decide. */
static double best_fraction(const gpai_search *q, const struct path *h, double size)
{
    if (!(q->p->a > 0))
        return gaussian_fraction(q, h, size);
    size_t near = lowest_step(q, h, size, STRIDE, STRIDE, STEPS / STRIDE);
    size_t from = near - STRIDE + 1, to = near < STEPS ? near + STRIDE - 1 : STEPS;
    return (double)lowest_step(q, h, size, from, 1, to - from + 1) / STEPS;
}

static size_t single_row(gpai_search *q, const double *slope, gpai_path_work *w)
{
    struct path h = {.event = (struct event *)(void *)w->knot};
    double aim = w->target[0], rest = 0;
    for (size_t i = 0; i < q->s->axes; i++)
        rest += is_fixed(q, w, i) ? 0 : slope[i] * clamp(&q->s->axis[i], 0);
    double side = aim < rest ? -1 : 1, size = fabs(aim - rest);
    for (size_t i = 0; i < q->s->axes; i++)
        if (!is_fixed(q, w, i))
            add_axis(&h, q->s, i, slope[i], side);
    if (h.events == 0 || !(size > 0) || !isfinite(size))
        return 0;
    sort_events(h.event, h.events);
    double best = best_fraction(q, &h, size);
    /* f bends: less than the linear model wants, all of it, and more. Chosen. */
    double fan[GPAI_PATH_CANDIDATES] = {best,        0.9 * best,
                                        0.75 * best, 0.5 * best,
                                        0.3 * best,  best + 0.5 * (1 - best),
                                        1,           fmin(1.3, 1.3 * best)};
    gpai_sort(fan, GPAI_PATH_CANDIDATES);
    struct walk v = {
        .h = &h, .eta = q->s->prior.eta, .level = h.rest_shift, .cost = h.rest_cost};
    for (size_t i = 0; i < GPAI_PATH_CANDIDATES; i++)
        place(q, i, slope, advance(&v, h.rest_shift + fan[i] * size), side, w->best);
    return GPAI_PATH_CANDIDATES;
}

/* ---- several rows: iteratively reweighted elastic net ---- */

/* argmin_v 1/2 sum_t W_t (c_t - g_t.v)^2 + eta/2 |v|^2 + eta nu |v|_1 by coordinate
 * descent, from v. Either with the Gram matrix (many rows) or with residuals (many
 * axes). */
static void descend(const gpai_search *q, const double *slope, gpai_path_work *w,
                    double factor, double *v)
{
    size_t n = q->p->n, m = q->s->axes;
    double eta = q->s->prior.eta, l1 = eta * q->s->prior.nu;
    double *gram = w->gram, *pull = gram != NULL ? gram + m * m : NULL;
    for (size_t t = 0; t < n; t++) {
        double r = w->target[t];
        for (size_t i = 0; i < m; i++)
            r -= slope[t * m + i] * v[i];
        w->residual[t] = r;
    }
    if (gram != NULL) {
        memset(gram, 0, m * (m + 1) * sizeof *gram);
        for (size_t t = 0; t < n; t++)
            for (size_t i = 0; i < m; i++) {
                double g = factor * w->weight[t] * slope[t * m + i];
                pull[i] += g * w->residual[t];
                for (size_t j = 0; j < m; j++)
                    gram[i * m + j] += g * slope[t * m + j];
            }
    }
    for (int sweep = 0; sweep < 200;
         sweep++) { /* chosen: far more than it ever takes */
        double largest = 0;
        for (size_t i = 0; i < m; i++) {
            double h = 0, g = 0;
            if (is_fixed(q, w, i))
                continue;
            if (gram != NULL) {
                h = gram[i * m + i];
                g = pull[i];
            } else {
                for (size_t t = 0; t < n; t++) {
                    double z = factor * w->weight[t] * slope[t * m + i];
                    h += z * slope[t * m + i];
                    g += z * w->residual[t];
                }
            }
            double to = clamp(&q->s->axis[i],
                              gpai_soft_threshold(g + h * v[i], l1) / (h + eta));
            double by = to - v[i];
            if (by == 0)
                continue;
            v[i] = to;
            largest = fmax(largest, fabs(by));
            if (gram != NULL)
                for (size_t j = 0; j < m; j++)
                    pull[j] -= gram[i * m + j] * by;
            else
                for (size_t t = 0; t < n; t++)
                    w->residual[t] -= slope[t * m + i] * by;
        }
        if (largest < 1e-7)
            break;
    }
}

static void reweigh(const gpai_search *q, const double *slope, gpai_path_work *w,
                    const double *v)
{
    for (size_t t = 0; t < q->p->n; t++) {
        double r = w->target[t];
        for (size_t i = 0; v != NULL && i < q->s->axes; i++)
            r -= slope[t * q->s->axes + i] * v[i];
        if (v == NULL)
            r = 0;
        w->weight[t] = (2 * q->p->a + 1) / gpai_divisor(q->p, t, r);
    }
}

static size_t several_rows(gpai_search *q, const double *slope, gpai_path_work *w)
{
    /* weaker and stronger pulls of the data: a fan around the solution, chosen */
    static const double factor[3] = {0.1, 0.3, 4};
    size_t m = q->s->axes, found = 0;
    double *v = w->best;
    for (int start = 0; start < 2; start++) {
        memcpy(v, w->value, m * sizeof *v);
        reweigh(q, slope, w, start == 0 ? w->value : NULL);
        for (int i = 0; i < 30; i++) {
            double moved = 0;
            memcpy(w->knot, v, m * sizeof *v);
            descend(q, slope, w, 1, v);
            for (size_t k = 0; k < m; k++)
                moved = fmax(moved, fabs(v[k] - w->knot[k]));
            reweigh(q, slope, w, v);
            if (moved < 1e-6)
                break;
        }
        place_values(q, found++, v);
        for (size_t j = 0; j < 3; j++) {
            memcpy(w->knot, v, m * sizeof *v);
            descend(q, slope, w, factor[j], w->knot);
            place_values(q, found++, w->knot);
        }
    }
    return found;
}

size_t gpai_path_candidates(gpai_search *q, const double *slope, gpai_path_work *w)
{
    size_t n = q->p->n, m = q->s->axes;
    for (size_t i = 0; i < m; i++)
        w->value[i] = gpai_axis_value(q->s, i, q->delta);
    for (size_t t = 0; t < n; t++) {
        w->target[t] = q->p->y[t] - q->f[t];
        for (size_t i = 0; i < m; i++)
            w->target[t] += slope[t * m + i] * w->value[i];
        if (!isfinite(w->target[t]))
            return 0;
    }
    return n == 1 ? single_row(q, slope, w) : several_rows(q, slope, w);
}

static void swap_points(gpai_search *q, size_t i, size_t j)
{
    double *a = q->points + i * q->p->d, *b = q->points + j * q->p->d;
    for (size_t k = 0; k < q->p->d; k++) {
        double v = a[k];
        a[k] = b[k];
        b[k] = v;
    }
}

/* The objective on the linear model at a point. */
static double linear_objective(const gpai_search *q, const double *slope,
                               gpai_path_work *w, const double *point)
{
    size_t n = q->p->n, m = q->s->axes;
    for (size_t t = 0; t < n; t++) {
        w->residual[t] = q->f[t];
        for (size_t i = 0; i < m; i++)
            if (q->s->axis[i].kind != GPAI_AXIS_CHOICE)
                w->residual[t] +=
                    slope[t * m + i] * (point[q->s->axis[i].input] - w->value[i]);
    }
    return gpai_data_term(q->p, w->residual) + gpai_space_penalty(q->s, point);
}

double gpai_path_gain(gpai_search *q, const double *slope, gpai_path_work *w,
                      bool promising, size_t *candidates)
{
    size_t d = q->p->d, found = gpai_path_candidates(q, slope, w), kept = 0;
    double lowest = q->objective;
    for (size_t k = 0; k < found; k++) {
        double *point = q->points + k * d;
        double v = linear_objective(q, slope, w, point);
        if (promising && !(v < q->objective))
            continue;
        memmove(q->points + kept * d, point, d * sizeof *point);
        if (v < lowest && promising)
            swap_points(q, 0, kept);
        lowest = fmin(lowest, v);
        kept++;
    }
    *candidates = kept;
    return q->objective - lowest;
}
