#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "engine/culprit/culprit.h"
#include <math.h>
#include <string.h>

/* What is asked of the model: the alternatives of every axis, and f there. */

/* One stage of many moves; or, for many axes, of few moves, and a second one for the
 * likeliest axes. 24 quantiles of the prior find the optimum of a smooth f to within
 * its width; with 25 axes that is 600 rows, which is what an explanation may cost.
 * Chosen on planted faults. */
enum { NODES = 24, FEW_NODES = 8, STAGED_ABOVE = 25, SECOND_STAGE = 8 };

/* The rows' mean of an input; their order does not matter. */
static double mean_of(const gpai_problem *p, size_t k)
{
    double mean = 0;
    for (size_t t = 0; t < p->n; t++)
        mean += p->x[t * p->d + k] / (double)p->n;
    return mean;
}

bool gpai_culprit_units(const gpai_problem *p, const double *median, double *unit)
{
    /* units, chosen: f is asked up to six away, and the truth may be on the other side
     * of the median. What is farther away than FAR is brought there. */
    static const double FAR = 5;
    bool wide = false;
    for (size_t k = 0; k < p->d; k++) {
        double away =
            median != NULL ? fabs(mean_of(p, k) - median[k]) / p->unit[k] : (double)NAN;
        bool far = away > FAR && isfinite(away);
        unit[k] = p->unit[k] * (far ? away / FAR : 1);
        wide = wide || far;
    }
    return wide;
}

/* Candidates of one axis on their way to its list. */
struct candidates {
    size_t most;
    double *value, *chance, *gain, *top, *sum;
    gpai_terms terms;
    gpai_ranked *order;
    size_t wide, components;
};

static void lay_out(void *work, gpai_arena *a)
{
    struct candidates *c = work;
    GPAI_TAKE_EACH(a, c->most, 1, &c->value, &c->chance, &c->gain, &c->top, &c->sum,
                   &c->terms.own);
    c->terms.shift = gpai_take(a, c->most, c->wide);
    c->terms.e = gpai_take(a, c->terms.ld, c->components);
    c->order = gpai_take_bytes(a, c->most, sizeof *c->order);
}

/* ln plausibility of the candidates, all rows, into c->gain. */
static void judge(struct candidates *c, gpai_plausible *q, const gpai_problem *p,
                  size_t axis, size_t n)
{
    memset(c->gain, 0, n * sizeof *c->gain);
    for (size_t t = 0; t < p->n && q != NULL; t++) {
        gpai_plausible_row(q, t);
        gpai_plausible_terms(q, axis, c->value, n, &c->terms);
        gpai_plausible_gain(q, &c->terms, c->top, c->sum, c->gain);
    }
}

/* The likeliest of n candidates, in their order. What is missing has some value: the
 * chances of all add up to 1. */
static void make_list(struct candidates *c, size_t n, bool missing, gpai_moves *m)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        c->gain[i] += c->chance[i];
    if (missing)
        total = gpai_vectors_at(0)->log_sum(c->gain, n);
    total = isfinite(total) ? total : 0;
    gpai_rank(c->gain, n, c->order);
    m->count = n < GPAI_MOVES_LISTED ? n : GPAI_MOVES_LISTED;
    for (size_t i = 0; i < n; i++)
        c->top[i] = 0;
    for (size_t i = 0; i < m->count; i++)
        c->top[c->order[i].place] = 1;
    for (size_t i = 0, at = 0; i < n; i++)
        if (c->top[i] != 0) {
            m->value[at] = c->value[i];
            m->chance[at] = c->chance[i] - total;
            m->rank[at++] = c->gain[i];
        }
}

/* The share of the values below part i of NODES: equal ones, but that each of the last
 * few holds half as much as the one before, so that rare values are asked about, too.
 */
static double share_below(size_t i)
{
    enum { FEW = 4, EVEN = NODES - 2 * FEW };
    if (i > NODES / 2)
        return 1 - share_below(NODES - i);
    return i > FEW ? (double)(i - FEW) / EVEN
           : i > 0 ? ldexp(1.0 / EVEN, (int)i - 1 - FEW)
                   : 0;
}

/* Values of what is missing, and how likely they are. */
static size_t list_quantiles(const gpai_axis *a, const gpai_crowd *d, size_t axis,
                             struct candidates *c)
{
    for (size_t i = 0; i < NODES; i++) {
        double below = share_below(i), above = share_below(i + 1);
        double v = gpai_crowd_quantile(d, axis, 0.5 * (below + above));
        if (a->kind == GPAI_AXIS_STEP)
            v = nearbyint(v);
        c->value[i] = v < a->lo ? a->lo : v > a->hi ? a->hi : v;
        c->chance[i] = log(above - below);
    }
    return NODES;
}

/* Of a value so far away that its unit was stretched, the places of a line are far
 * apart: some are wanted among what is usual. */
static void list_usual(const gpai_axis *a, const gpai_problem *p, const gpai_crowd *d,
                       size_t axis, gpai_moves *m)
{
    enum { USUAL = NODES / 2 };
    static const double REACH = 3; /* in the score */
    const gpai_trait *t = &d->trait[axis];
    double now = mean_of(p, a->input);
    if (t->kind != GPAI_TRAIT_NUMBER || t->unit == p->unit[a->input])
        return;
    for (size_t i = 0; i < USUAL; i++) {
        double score = REACH * ((double)(2 * i + 1) / USUAL - 1);
        double v = (gpai_crowd_value(d, axis, score) - now) / p->unit[a->input];
        if (v > a->lo && v < a->hi)
            m->value[m->count++] = v;
    }
}

static void plan_axis(struct candidates *c, const gpai_problem *p, const gpai_space *s,
                      size_t axis, gpai_plausible *q, gpai_moves *m)
{
    const gpai_axis *a = &s->axis[axis];
    bool number =
        a->gap && q != NULL && q->crowd->trait[axis].kind == GPAI_TRAIT_NUMBER;
    size_t n = number ? list_quantiles(a, q->crowd, axis, c)
                      : gpai_candidates(s, axis, c->value, c->chance);
    m->line = n == 0;
    if (m->line && q != NULL)
        list_usual(a, p, q->crowd, axis, m);
    if (m->line)
        return;
    judge(c, q, p, axis, n);
    make_list(c, n, a->gap && (!number || p->n > 1), m);
}

gpa_status gpai_culprit_plan(gpai_moves **moves, gpai_exchanges *exchanges,
                             const gpai_problem *p, gpai_space *s,
                             const gpai_crowd *crowd, gpa_error *err)
{
    struct candidates c = {.wide = 0};
    gpai_densities densities = {0};
    gpai_plausible *q = crowd != NULL ? &densities.q[0] : NULL;
    gpai_space_set_prior(s, GPAI_CULPRIT_ETA, GPAI_CULPRIT_NU);
    c.most = gpai_candidates_most(s);
    c.terms.ld = (c.most + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    c.components = crowd != NULL ? crowd->components : 0;
    gpa_status st = gpai_densities_open(&densities, crowd, p, s, NULL, err);
    c.wide = densities.q[0].widest;
    double *block = st == GPA_OK ? gpai_carve(lay_out, &c) : NULL;
    *moves = gpai_calloc(s->axes > 0 ? s->axes : 1, sizeof **moves);
    if (st == GPA_OK && (block == NULL || *moves == NULL))
        st = gpai_nomem(err, "culprit");
    for (size_t i = 0; i < s->axes && st == GPA_OK; i++)
        plan_axis(&c, p, s, i, q, &(*moves)[i]);
    *exchanges = (gpai_exchanges){0};
    if (st == GPA_OK && q != NULL)
        st = gpai_exchanges_plan(exchanges, &densities, err);
    gpai_free(block);
    gpai_densities_close(&densities);
    if (st != GPA_OK) {
        gpai_free(*moves);
        *moves = NULL;
    }
    return st;
}

static bool is_staged(const gpai_space *s)
{
    return s->axes > STAGED_ABOVE;
}

uint64_t gpai_culprit_rows(const gpai_space *s, size_t n)
{
    uint64_t points = 1;
    for (size_t i = 0; i < s->axes; i++) {
        const gpai_axis *a = &s->axis[i];
        bool few = a->kind == GPAI_AXIS_PLAIN && !a->gap && is_staged(s);
        size_t most = few ? FEW_NODES : NODES;
        points += a->kind == GPAI_AXIS_CHOICE && a->levels < most ? a->levels : most;
    }
    return n * (points + GPAI_EXCHANGES + (is_staged(s) ? NODES * SECOND_STAGE : 0));
}

/* The search starts with slopes: their places take those of the nearest nodes. */
static void share_slopes(const gpai_axis *a, double slope, double *value, size_t count)
{
    for (int side = -1; side <= 1 && slope > 0; side += 2) {
        double v = gpai_axis_inside(a, side * fmax(slope, a->step));
        size_t at = 0;
        if (!(v > value[0] && v < value[count - 1]) || v == a->lo || v == a->hi)
            continue;
        for (size_t i = 1; i + 1 < count; i++)
            if (at == 0 || fabs(value[i] - v) < fabs(value[at] - v))
                at = i;
        value[at] = at > 0 ? v : value[at];
    }
}

/* The nodes of one axis: whatever is listed, or `nodes` of a line. */
static void plan_nodes(gpai_profile *r, const gpai_space *s, const gpai_moves *m,
                       size_t axis, size_t nodes)
{
    double value[GPAI_MOVES_LISTED]; /* NODES are no more */
    const gpai_axis *a = &s->axis[axis];
    if (!m->line) {
        memcpy(value, m->value, m->count * sizeof *value);
        gpai_profile_plan(r, s, axis, value, m->count);
        return;
    }
    const double first = 0.5 / NODES; /* few or many, they reach as far */
    const double next = 0.005;        /* to a limit: what lies there is not guessed */
    size_t usual = m->count <= nodes / 2 ? m->count : 0, even = nodes - usual;
    for (size_t i = 0; i < even; i++) {
        double share =
            even > 1 ? first + (1 - 2 * first) * (double)i / (double)(even - 1) : 0.5;
        if (i == 0 && isfinite(a->lo))
            share = next;
        if (i + 1 == even && isfinite(a->hi))
            share = 1 - next;
        value[i] = gpai_line_at(s, a, share);
    }
    share_slopes(a, m->slope, value, even);
    memcpy(value + even, m->value, usual * sizeof *value);
    gpai_sort(value, nodes);
    for (size_t i = 0; i < nodes && a->kind == GPAI_AXIS_STEP; i++)
        value[i] = gpai_axis_snap(a, value[i]);
    gpai_profile_plan(r, s, axis, value, nodes);
}

static size_t room_for(const gpai_space *s, const gpai_moves *moves, size_t nodes,
                       bool staged)
{
    size_t room = staged ? SECOND_STAGE * (NODES + 1) : 0;
    for (size_t i = 0; i < s->axes; i++)
        room += (moves[i].line ? nodes : moves[i].count) + 1;
    return room;
}

/* The lines of highest evidence in a coarse profile. It misses narrow optima, so the
 * noise is taken as wide as it is (ratio 1); reference rows have no say. */
static gpa_status choose_second(const gpai_evidence *e, size_t *chosen, size_t *count,
                                gpa_error *err)
{
    size_t axes = e->s->axes;
    gpai_single *single = gpai_calloc(axes, sizeof *single);
    gpai_ranked *order = gpai_calloc(axes, sizeof *order);
    double *evidence = gpai_calloc(axes, sizeof *evidence);
    gpa_status st = single == NULL || order == NULL || evidence == NULL
                        ? gpai_nomem(err, "culprit")
                        : gpai_singles_weigh(e, single, err);
    *count = 0;
    if (st != GPA_OK)
        goto done;
    for (size_t i = 0; i < axes; i++)
        evidence[i] = single[i].log_evidence;
    gpai_rank(evidence, axes, order);
    for (size_t i = 0; i < SECOND_STAGE; i++)
        if (e->moves[order[i].place].line)
            chosen[(*count)++] = order[i].place;
done:
    gpai_free(evidence);
    gpai_free(order);
    gpai_free(single);
    return st;
}

/* More moves of the likeliest axes; those that have them all are left out. */
static gpa_status ask_again(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const gpai_moves *moves, double sigma, gpa_error *err)
{
    size_t chosen[SECOND_STAGE], count;
    double *residual = gpai_calloc(p->n, sizeof *residual);
    if (residual == NULL)
        return gpai_nomem(err, "culprit");
    for (size_t t = 0; t < p->n; t++)
        residual[t] = p->y[t] - r->base[t];
    gpai_evidence e = {.p = p,
                       .s = s,
                       .moves = moves,
                       .profile = r,
                       .residual = residual,
                       .rows = p->n,
                       .b = GPAI_LIKELIHOOD_SHAPE * sigma * sigma};
    gpa_status st = choose_second(&e, chosen, &count, err);
    for (size_t i = 0; i < count && st == GPA_OK; i++)
        plan_nodes(r, s, &moves[chosen[i]], chosen[i], NODES);
    if (st == GPA_OK && count > 0)
        st = gpai_profile_ask(r, p, s, chosen, count, NULL, err);
    gpai_free(residual);
    return st;
}

/* Half of the lines' nodes, and then those between them where f changes. */
static gpa_status ask_halves(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                             const gpai_moves *moves, const size_t *axis,
                             const double *f, gpa_error *err)
{
    size_t left = 0;
    for (size_t i = 0; i < s->axes; i++)
        if (moves[i].line)
            gpai_profile_put_off(r, s, i);
    gpa_status st = gpai_profile_ask(r, p, s, axis, s->axes, f, err);
    for (size_t i = 0; i < s->axes && st == GPA_OK; i++)
        left += gpai_profile_settle(r, i);
    return st == GPA_OK && left > 0
               ? gpai_profile_ask(r, p, s, axis, s->axes, NULL, err)
               : st;
}

gpa_status gpai_culprit_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const gpai_moves *moves, gpai_exchanges *exchanges,
                            double sigma, const double *f, gpa_error *err)
{
    bool staged = is_staged(s);
    size_t nodes = staged ? FEW_NODES : NODES;
    gpa_status st = gpai_profile_open(r, p, s, room_for(s, moves, nodes, staged), err);
    if (st != GPA_OK)
        return st;
    size_t *axis = gpai_calloc(s->axes, sizeof *axis);
    if (axis == NULL) {
        st = gpai_nomem(err, "culprit");
        goto done;
    }
    for (size_t i = 0; i < s->axes; i++) {
        axis[i] = i;
        plan_nodes(r, s, &moves[i], i, nodes);
    }
    r->also = exchanges->probe;
    r->n_also = exchanges->count;
    r->also_f = exchanges->f;
    st = staged ? gpai_profile_ask(r, p, s, axis, s->axes, f, err)
                : ask_halves(r, p, s, moves, axis, f, err);
    if (st == GPA_OK && staged)
        st = ask_again(r, p, s, moves, sigma, err);
done:
    gpai_free(axis);
    if (st != GPA_OK)
        gpai_profile_close(r);
    return st;
}
