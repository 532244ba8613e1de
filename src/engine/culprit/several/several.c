#include "base/math/sort.h"
#include "engine/culprit/grid.h"
#include <math.h>
#include <string.h>

/* Pairs and triples: sums over the products of their places. */

/* Terms as far below the largest do not count; sums of terms within SAFE_RANGE are
 * numbers. */
static const double FAR_BELOW = 40, SAFE_RANGE = 600;

/* Row t of one side: plausibility first, as its terms are where holes are noted. */
static void load_side(gpai_grid *g, gpai_side *s, size_t t)
{
    gpai_plausible *q = g->e->plausible;
    static const double as_it_is = 0;
    bool gap = g->e->s->axis[s->axis].gap;
    memset(s->terms.own, 0, s->ld * sizeof *s->terms.own);
    if (q != NULL && gap)
        gpai_plausible_terms(q, s->axis, s->value, s->count, &s->terms);
    else if (q != NULL)
        gpai_grid_place(g, s, t);
    gpai_grid_change(g, s, t);
    memcpy(s->own, s->terms.own, s->ld * sizeof *s->own);
    if (q == NULL)
        return;
    size_t n = q->crowd->components * s->ld;
    gpai_linked_take(&g->linked, &s->axis, 1, &as_it_is);
    if (gap)
        memcpy(s->log, s->terms.e, n * sizeof *s->log);
    s->range = gpai_linked_terms(&g->linked, 0, s->terms.shift, s->count, s->ld, s->own,
                                 s->log, s->top);
    memcpy(s->factor, s->log, n * sizeof *s->factor);
    if (s->range <= SAFE_RANGE)
        gpai_linked_factors(&g->linked, 0, s->terms.shift, s->count, s->ld, s->factor);
}

static inline double smaller(double x, double y)
{
    return x < y ? x : y;
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* What the outer axes of a line of boxes do: f is off by r, the smallest of their
 * changes has the mean square `least`; the widest range, and that of the others. */
struct outer {
    double r, least, widest, rest;
};

static void add_outer(struct outer *o, const gpai_side *s, size_t i)
{
    double u = s->u[i], h = 0.5 * fabs(s->w[i]);
    o->r -= u;
    o->least = smaller(o->least, u * u + h * h / 3);
    o->rest = larger(o->rest, smaller(o->widest, h));
    o->widest = larger(o->widest, h);
}

/* One row by itself in n boxes from `at` on: the places of the inner axis. Of three
 * ranges the two smaller ones count as one: near enough. */
static void add_changes(const gpai_likelihood *w, size_t at, const gpai_side *s,
                        size_t n, struct outer o)
{
    const double *across = s->w, *change = s->u;
    double *t = w->t + at, *wide = w->half[0] + at, *rest = w->half[1] + at;
    double *share = w->share + at;
    for (size_t i = 0; i < n; i++) {
        double u = change[i], h = 0.5 * fabs(across[i]);
        double less = smaller(o.widest, h);
        t[i] = o.r - u;
        wide[i] = larger(o.widest, h);
        rest[i] = o.rest > 0 ? sqrt(less * less + o.rest * o.rest) : less;
        share[i] = smaller(o.least, u * u + h * h / 3);
    }
}

/* Row t at one place, together with the rows before. */
static void add_together(const gpai_grid *g, size_t at, size_t t, const double *u,
                         const double *w, double *within)
{
    double r = g->e->residual[t];
    for (size_t i = 0; i < g->size; i++)
        r -= u[i];
    g->y[at] = gpai_within_row(within + at * gpai_within_size(g->size), g->size, w,
                               g->e->b, &r);
    g->x[at] = r * r;
}

/* The components' shares over the largest, which the first side keeps; ranges. */
static void spread_shares(gpai_grid *g, double *own)
{
    double *base = g->linked.base, top = -HUGE_VAL, least = HUGE_VAL;
    size_t n = g->linked.components;
    for (size_t i = 0; i < n; i++) {
        top = base[i] > top ? base[i] : top;
        least = base[i] < least ? base[i] : least;
    }
    for (size_t i = 0; i < n; i++)
        g->share[i] = base[i] -= top;
    for (size_t c = 0; c < g->most; c++)
        own[c] += top;
    g->range = top - least;
    g->vectors->exp(g->share, n);
}

/* Whether components are so narrow that points in the cells may miss them: the sums
 * over cells of width h are those of the integral where no component has a variance
 * below h^2 / 4 in any direction (of the component by itself to 1.4 %; the likelihood
 * varies, too); for a first look that will do. */
static bool is_narrow(const gpai_grid *g, gpai_side *const *side)
{
    static const double WIDE = 4;
    const gpai_linked *k = &g->linked;
    for (size_t i = 0; i < g->size; i++) {
        double sum = 0;
        for (size_t j = 0; j < g->size && side[i]->cell > 0; j++)
            if (side[j]->cell > 0)
                sum += fabs(k->p[k->first[i] * k->n + k->first[j]]);
        if (sum * side[i]->cell * side[i]->cell > WIDE)
            return true;
    }
    return false;
}

/* What a side adds with components that are widened by v. */
static void widen_own(const gpai_grid *g, const gpai_side *s, double v, double *own)
{
    const gpai_plausible *q = g->e->plausible;
    double z0 = q->z[q->crowd->trait[s->axis].first];
    memcpy(own, s->terms.own, s->ld * sizeof *own);
    for (size_t i = 0; i < s->count && v > 0; i++)
        own[i] += gpai_plausible_widened(s->terms.shift[i] + z0, v);
}

/* The axes of a subset whose components are narrow, and are widened. */
static void link_alone(gpai_grid *g, gpai_side *const *side, const size_t *axis)
{
    const double *shift[3];
    size_t count[3];
    double widen[3];
    for (size_t i = 0; i < g->size; i++) {
        shift[i] = side[i]->terms.shift;
        count[i] = side[i]->count;
        widen[i] = side[i]->cell * side[i]->cell / GPAI_LINKED_WIDEN;
        widen_own(g, side[i], widen[i], g->own_room[i]);
    }
    gpai_linked_take(&g->linked, axis, g->size, widen);
    gpai_linked_prune(&g->linked, shift, count);
    spread_shares(g, g->own_room[0]);
    for (size_t i = 0; i < g->size; i++) {
        gpai_side *s = side[i];
        size_t n = g->linked.components * s->ld;
        if (g->e->s->axis[s->axis].gap)
            memcpy(g->log_room[i], s->terms.e, n * sizeof *s->terms.e);
        g->range += gpai_linked_terms(&g->linked, i, s->terms.shift, s->count, s->ld,
                                      g->own_room[i], g->log_room[i], s->top);
        g->own[i] = g->own_room[i];
        g->log[i] = g->factor[i] = g->log_room[i];
    }
    for (size_t i = 0; i < g->size && g->range <= SAFE_RANGE; i++)
        gpai_linked_factors(&g->linked, i, side[i]->terms.shift, side[i]->count,
                            side[i]->ld, g->factor[i]);
}

/* The axes of a subset together: what each adds, and its factors of the components. */
static void link_sides(gpai_grid *g, gpai_side *const *side)
{
    static const double as_they_are[3] = {0};
    size_t axis[3];
    for (size_t i = 0; i < g->size; i++) {
        axis[i] = side[i]->axis;
        g->own[i] = side[i]->own;
    }
    if (g->e->plausible == NULL)
        return;
    gpai_linked_take(&g->linked, axis, g->size, as_they_are);
    g->narrow = is_narrow(g, side);
    if (g->narrow) {
        link_alone(g, side, axis);
        return;
    }
    memcpy(g->own_room[0], side[0]->own, side[0]->ld * sizeof *g->own_room[0]);
    g->own[0] = g->own_room[0];
    spread_shares(g, g->own_room[0]);
    for (size_t i = 0; i < g->size; i++) {
        g->log[i] = side[i]->log;
        g->factor[i] = side[i]->factor;
        g->range += side[i]->range;
    }
}

static void cross(gpai_grid *g, gpai_side *const *side, size_t a, size_t b, size_t ld,
                  double *out)
{
    gpai_linked_cross(&g->linked, a, side[a]->terms.shift, side[a]->count, b,
                      side[b]->terms.shift, side[b]->count, ld, out);
}

/* The sums below one by one, in logs: where factors vanish that others would outweigh.
 */
static void mix_far(gpai_grid *g, size_t ld, const double *factor, size_t next,
                    size_t count)
{
    size_t n = g->linked.components;
    double *top = g->x, *part = g->y;
    for (size_t j = 0; j < count; j++) {
        double *sum = g->m + j * ld;
        for (size_t c = 0; c < ld; c++) {
            top[c] = -HUGE_VAL;
            sum[c] = 0;
        }
        for (size_t i = 0; i < n; i++) {
            const double *in = g->joint + i * ld;
            double out = factor[i * next + j];
            for (size_t c = 0; c < ld; c++)
                top[c] = in[c] + out > top[c] ? in[c] + out : top[c];
        }
        for (size_t i = 0; i < n; i++) {
            const double *in = g->joint + i * ld;
            double out = factor[i * next + j], most = -HUGE_VAL;
            for (size_t c = 0; c < ld; c++) {
                part[c] = in[c] + out - top[c];
                most = part[c] > most ? part[c] : most;
            }
            if (!(most > -FAR_BELOW))
                continue;
            g->vectors->exp(part, ld);
            for (size_t c = 0; c < ld; c++)
                sum[c] += part[c];
        }
        g->vectors->log(sum, ld);
        for (size_t c = 0; c < ld; c++)
            sum[c] += top[c];
    }
}

/* The inner places of a pair, or of a triple (j * a->count + i), ld of them. */
static void join_terms(gpai_grid *g, const gpai_side *a, const gpai_side *b, size_t ld)
{
    bool far = g->range > SAFE_RANGE;
    for (size_t k = 0; k < g->linked.components; k++) {
        const double *x = (far ? g->log : g->factor)[0] + k * a->ld;
        const double *y = b != NULL ? (far ? g->log : g->factor)[1] + k * b->ld : NULL;
        double *to = g->joint + k * ld, base = g->linked.base[k], share = g->share[k];
        size_t at = 0;
        for (size_t j = 0; j < (b != NULL ? b->count : 1); j++, at += a->count) {
            double shift = b != NULL ? base + (far ? y[j] : 0) : base;
            double scale = b != NULL && !far ? share * y[j] : share;
            for (size_t i = 0; i < a->count; i++)
                to[at + i] = far ? shift + x[i] : scale * x[i];
        }
        for (size_t i = at; i < ld; i++)
            to[i] = far ? -HUGE_VAL : 0;
    }
}

/* ln of the sums over the components of the inner places times the outer ones, which
 * are the last side's, into m. */
static void mix(gpai_grid *g, size_t ld, const gpai_side *outer)
{
    size_t n = g->linked.components, last = g->size - 1, count = outer->count;
    if (g->range > SAFE_RANGE) {
        mix_far(g, ld, g->log[last], outer->ld, count);
        return;
    }
    memset(g->m, 0, ld * ((count + 3) / 4 * 4) * sizeof *g->m);
    g->vectors->multiply(1, g->joint, ld, g->factor[last], outer->ld, 1, ld, count, n,
                         g->m, ld);
    g->vectors->log(g->m, ld * count);
}

static void add_likelihood(gpai_grid *g, size_t n, bool together, double *l)
{
    if (together)
        gpai_grid_likelihood(g, n, l);
    else
        gpai_likelihood_add(&g->mean, g->vectors, n, false, l);
}

/* What row t adds to all places of a pair: l[j * a->ld + i]. */
static void add_pair(gpai_grid *g, size_t t, gpai_side *const *side, double *l,
                     double *within)
{
    const gpai_evidence *e = g->e;
    const gpai_side *a = side[0], *b = side[1];
    double trust = e->plausible != NULL ? e->plausible->trust : 1;
    size_t ld = a->ld, n = ld * b->count;
    link_sides(g, side);
    for (size_t j = 0; j < b->count && within == NULL; j++) {
        struct outer o = {.r = e->residual[t], .least = HUGE_VAL};
        add_outer(&o, b, j);
        add_changes(&g->mean, j * ld, a, ld, o);
    }
    for (size_t j = 0; j < b->count && within != NULL; j++)
        for (size_t i = 0; i < ld; i++) {
            const double u[2] = {a->u[i], b->u[j]}, w[2] = {a->w[i], b->w[j]};
            add_together(g, j * ld + i, t, u, w, within);
        }
    add_likelihood(g, n, within != NULL, l);
    if (e->plausible != NULL) {
        join_terms(g, a, NULL, ld);
        mix(g, ld, b);
        cross(g, side, 0, 1, ld, g->cross[0]);
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++)
                l[j * ld + i] += trust * (g->m[j * ld + i] - g->cross[0][j * ld + i]);
    }
    for (size_t j = 0; j < b->count; j++)
        for (size_t i = 0; i < a->count; i++)
            l[j * ld + i] += trust * (g->own[0][i] + g->own[1][j]);
}

/* What row t adds to a triple: l[k * ld + j * a->count + i]. */
static void add_triple(gpai_grid *g, size_t t, gpai_side *const *side, double *l,
                       double *within)
{
    const gpai_side *a = side[0], *b = side[1], *c = side[2];
    size_t ld = gpai_grid_padded(a->count * b->count), n = ld * c->count,
           w = gpai_grid_padded(g->most);
    link_sides(g, side);
    join_terms(g, a, b, ld);
    for (size_t k = 0; k < c->count; k++)
        for (size_t j = 0; j < b->count; j++) {
            size_t at = k * ld + j * a->count;
            struct outer o = {.r = g->e->residual[t], .least = HUGE_VAL};
            add_outer(&o, b, j);
            add_outer(&o, c, k);
            if (within == NULL)
                add_changes(&g->mean, at, a, a->count, o);
            for (size_t i = 0; i < a->count && within != NULL; i++) {
                const double u[3] = {a->u[i], b->u[j], c->u[k]};
                const double across[3] = {a->w[i], b->w[j], c->w[k]};
                add_together(g, at + i, t, u, across, within);
            }
        }
    add_likelihood(g, n, within != NULL, l);
    mix(g, ld, c);
    cross(g, side, 0, 1, w, g->cross[0]);
    cross(g, side, 0, 2, w, g->cross[1]);
    cross(g, side, 1, 2, w, g->cross[2]);
    for (size_t k = 0; k < c->count; k++)
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++)
                l[k * ld + j * a->count + i] +=
                    g->e->plausible->trust *
                    (g->m[k * ld + j * a->count + i] + g->own[0][i] + g->own[1][j] +
                     g->own[2][k] - g->cross[0][j * w + i] - g->cross[1][k * w + i] -
                     g->cross[2][k * w + j]);
}

/* The subsets on their way: which sides each one has. */
struct several {
    gpai_grid g;
    size_t axis[GPAI_SIDES_MOST]; /* of the sides, ascending */
    gpai_subset *subset;
};

static void find_sides(struct several *w, const gpai_subset *s, gpai_side **side)
{
    for (size_t i = 0; i < s->size; i++) {
        size_t j = 0;
        while (w->axis[j] != s->axis[i])
            j++;
        side[i] = &w->g.side[j];
    }
}

/* All subsets at row t. */
static void add_row(struct several *w, size_t t)
{
    gpai_grid *g = &w->g;
    if (g->e->plausible != NULL)
        gpai_plausible_row(g->e->plausible, t);
    for (size_t i = 0; i < g->sides; i++)
        load_side(g, &g->side[i], t);
    for (size_t i = 0; i < g->subsets; i++) {
        gpai_side *side[3];
        find_sides(w, &w->subset[i], side);
        double *within = g->within + i * g->room * gpai_within_size(g->size);
        (g->size == 2 ? add_pair : add_triple)(g, t, side, g->l + i * g->room,
                                               g->e->rows > 1 ? within : NULL);
        w->subset[i].narrow = w->subset[i].narrow || g->narrow;
    }
}

/* ln of everything at a subset's places, chances included, one after the other: the
 * first axis is the innermost. Gives how many. */
static size_t add_chances(gpai_side *const *side, size_t size, double *l)
{
    const gpai_side *a = side[0], *b = side[1], *c = size == 3 ? side[2] : NULL;
    size_t n = 0, next = c != NULL ? gpai_grid_padded(a->count * b->count) : a->ld;
    for (size_t k = 0; k < (c != NULL ? c->count : 1); k++)
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++) {
                size_t from = c != NULL ? k * next + j * a->count + i : j * next + i;
                l[n++] = l[from] + a->chance[i] + b->chance[j] +
                         (c != NULL ? c->chance[k] : 0);
            }
    return n;
}

/* The axes that the subsets have, ascending, each once. */
static void list_axes(struct several *w)
{
    gpai_grid *g = &w->g;
    for (size_t i = 0; i < g->subsets; i++)
        for (size_t j = 0; j < g->size; j++) {
            size_t axis = w->subset[i].axis[j], k = 0;
            while (k < g->sides && w->axis[k] != axis)
                k++;
            if (k == g->sides)
                w->axis[g->sides++] = axis;
        }
    gpai_sort_indices(w->axis, g->sides);
}

gpa_status gpai_subsets_weigh(const gpai_evidence *e, size_t cells, gpai_subset *subset,
                              size_t count, gpa_error *err)
{
    struct several w = {.subset = subset};
    if (count == 0)
        return GPA_OK;
    w.g = (gpai_grid){.e = e, .cells = cells, .size = subset[0].size, .subsets = count};
    list_axes(&w);
    gpa_status st = gpai_grid_open(&w.g, w.axis, err);
    for (size_t i = 0; i < e->rows && st == GPA_OK; i++)
        add_row(&w, gpai_evidence_row(e, i));
    for (size_t i = 0; i < count && st == GPA_OK; i++) {
        gpai_side *side[3];
        find_sides(&w, &subset[i], side);
        double *l = w.g.l + i * w.g.room;
        size_t n = add_chances(side, w.g.size, l);
        subset[i].log_evidence = w.g.vectors->log_sum(l, n);
    }
    gpai_grid_close(&w.g);
    return st;
}
