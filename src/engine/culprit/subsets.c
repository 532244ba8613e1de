#include "engine/culprit/subsets.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

static const double A = GPAI_LIKELIHOOD_SHAPE;

/* Below this a sum over components is as good as nothing. */
static const double LEAST_SUM = 1e-300;

static size_t padded(size_t n)
{
    return (n + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
}

/* One axis of a grid: its places, and what the row at hand says of them. */
struct side {
    size_t axis, count, ld;
    bool line;
    double *value, *chance;
    gpai_place *place, *border; /* count, count + 1 */
    double *u, *v;              /* change of f, and its variance within a cell */
    gpai_terms terms;
    double *top; /* ld */
};

/* Everything about the axes of the subsets at their places. */
struct grid {
    const gpai_evidence *e;
    const gpai_vectors *vectors;
    size_t sides, cells, most; /* cells of a line; places of a side at most */
    size_t listed;             /* places of a list at most */
    size_t size;               /* axes of a subset; 1: singles */
    struct side *side;
    double *edge;                                 /* cells + 1: borders, then f there */
    double *free_value, *free_chance, *free_edge; /* of lines without limits */
    bool free_known;
    size_t subsets, room; /* how many, and numbers each has in l */
    double *l;            /* subsets by room: ln of everything */
    double *x, *y, *m;    /* room: of one subset, one row */
    double *joint;        /* components by ld: products of two sides */
    double *cross[3];     /* most by most: links of the pairs of a subset */
    double *block;
};

static size_t most_listed(const gpai_evidence *e)
{
    size_t most = 0;
    for (size_t i = 0; i < e->s->axes; i++)
        if (!e->moves[i].line && e->moves[i].count > most)
            most = e->moves[i].count;
    return most;
}

/* What a side has of each row; singles come one after the other and share it. */
static void lay_out_terms(struct grid *g, gpai_arena *a, struct side *s)
{
    const gpai_plausible *q = g->e->plausible;
    size_t ld = padded(g->most), n = q != NULL ? q->crowd->components : 0;
    GPAI_TAKE_EACH(a, ld, 1, &s->u, &s->v, &s->top, &s->terms.own);
    s->terms.shift = gpai_take(a, q != NULL ? ld : 0, q != NULL ? q->widest : 0);
    s->terms.e = gpai_take(a, q != NULL ? g->size == 1 ? padded(g->listed) : ld : 0, n);
}

static void lay_out(void *work, gpai_arena *a)
{
    struct grid *g = work;
    const gpai_plausible *q = g->e->plausible;
    size_t ld = padded(g->most), n = q != NULL ? q->crowd->components : 0;
    struct side one = {0};
    g->side = gpai_take_bytes(a, g->sides, sizeof *g->side);
    GPAI_TAKE_EACH(a, g->cells + 1, 1, &g->edge, &g->free_value, &g->free_chance,
                   &g->free_edge);
    g->l = gpai_take(a, g->subsets, g->room);
    GPAI_TAKE_EACH(a, g->room, 1, &g->x, &g->y, &g->m);
    if (g->size == 1)
        lay_out_terms(g, a, &one);
    for (size_t i = 0; i < g->sides; i++) {
        struct side other, *s = g->side != NULL ? &g->side[i] : &other;
        *s = one;
        GPAI_TAKE_EACH(a, ld, 1, &s->value, &s->chance);
        s->place = gpai_take_bytes(a, g->most, sizeof *s->place);
        s->border = gpai_take_bytes(a, g->most + 1, sizeof *s->border);
        if (g->size > 1)
            lay_out_terms(g, a, s);
    }
    g->joint = gpai_take(a, g->size == 3 ? padded(g->most * g->most) : ld,
                         g->size > 1 ? n : 0);
    for (size_t i = 0; i < 3; i++)
        g->cross[i] = gpai_take(a, g->size > 1 ? ld : 0, ld);
}

/* The listed places of an axis; of triples those that are likeliest by themselves. */
static void take_list(const struct grid *g, const gpai_moves *m, struct side *s)
{
    size_t most = m->count;
    bool gap_number =
        g->e->s->axis[s->axis].gap && g->e->s->axis[s->axis].kind == GPAI_AXIS_PLAIN;
    if (g->size == 3 && m->count > g->cells && !gap_number)
        most = g->cells;
    for (size_t i = 0; i < m->count; i++) {
        size_t better = 0;
        for (size_t j = 0; j < m->count; j++)
            better += m->rank[j] > m->rank[i] || (m->rank[j] == m->rank[i] && j < i);
        if (better >= most)
            continue;
        s->value[s->count] = m->value[i];
        s->chance[s->count++] = m->chance[i];
    }
}

/* Cells of a line; those without limits are all the same. */
static void cut_line(struct grid *g, const gpai_axis *a, struct side *s)
{
    const gpai_space *space = g->e->s;
    size_t n = g->cells;
    if (!gpai_axis_is_free(a)) {
        gpai_line_cells(space, a, n, s->value, s->chance);
        gpai_line_borders(space, a, n, g->edge);
        return;
    }
    if (!g->free_known) {
        gpai_line_cells(space, a, n, g->free_value, g->free_chance);
        gpai_line_borders(space, a, n, g->free_edge);
        g->free_known = true;
    }
    memcpy(s->value, g->free_value, n * sizeof *s->value);
    memcpy(s->chance, g->free_chance, n * sizeof *s->chance);
    memcpy(g->edge, g->free_edge, (n + 1) * sizeof *g->edge);
}

static void take_side(struct grid *g, struct side *s, size_t axis)
{
    const gpai_evidence *e = g->e;
    const gpai_moves *m = &e->moves[axis];
    s->axis = axis;
    s->line = m->line;
    s->count = 0;
    if (s->line) {
        s->count = g->cells;
        cut_line(g, &e->s->axis[axis], s);
        gpai_profile_places(e->profile, axis, g->edge, g->cells + 1, s->border);
    } else {
        take_list(g, m, s);
    }
    gpai_profile_places(e->profile, axis, s->value, s->count, s->place);
    s->ld = s->terms.ld = padded(s->count);
}

/* Changes of f in row t, and their variance within cells. A place where f has no value
 * is as good as impossible. */
static void change_side(const struct grid *g, struct side *s, size_t t)
{
    const gpai_profile *r = g->e->profile;
    gpai_profile_change(r, s->axis, t, s->place, s->count, s->u);
    memset(s->v, 0, s->ld * sizeof *s->v);
    if (s->line) {
        gpai_profile_change(r, s->axis, t, s->border, s->count + 1, g->edge);
        for (size_t i = 0; i < s->count; i++) {
            double w = g->edge[i + 1] - g->edge[i];
            s->v[i] = w * w / 12;
        }
    }
    for (size_t i = 0; i < s->count; i++)
        if (!isfinite(s->u[i]) || !isfinite(s->v[i])) {
            s->u[i] = s->v[i] = 0;
            s->terms.own[i] = -HUGE_VAL;
        }
}

/* Row t of one side: plausibility first, as its terms are where holes are noted. */
static void load_side(const struct grid *g, struct side *s, size_t t)
{
    memset(s->terms.own, 0, s->ld * sizeof *s->terms.own);
    if (g->e->plausible != NULL)
        gpai_plausible_terms(g->e->plausible, s->axis, s->value, s->count, &s->terms);
    change_side(g, s, t);
}

/* l[i] += ln likelihood, x[i] and y[i] being the squared residual and b of place i. */
static void add_likelihood(const struct grid *g, size_t n, double *l)
{
    double *x = g->x, *y = g->y, inverse = 1 / g->e->b;
    for (size_t i = 0; i < n; i++) {
        x[i] = 1 + x[i] / (2 * y[i]);
        y[i] *= inverse;
    }
    g->vectors->log(x, n);
    g->vectors->log(y, n);
    for (size_t i = 0; i < n; i++)
        l[i] -= GPAI_LIKELIHOOD_POWER * x[i] + 0.5 * y[i];
}

static gpa_status open_grid(struct grid *g, const size_t *axis, gpa_error *err)
{
    g->listed = most_listed(g->e);
    g->most = g->listed > g->cells ? g->listed : g->cells;
    g->room = g->size == 1   ? padded(g->most)
              : g->size == 2 ? padded(g->most) * ((g->most + 3) / 4 * 4)
                             : padded(g->most * g->most) * ((g->most + 3) / 4 * 4);
    g->vectors = gpai_vectors_at(0);
    g->block = gpai_carve(lay_out, g);
    if (g->block == NULL)
        return gpai_nomem(err, "culprit");
    for (size_t i = 0; i < g->sides; i++)
        take_side(g, &g->side[i], axis != NULL ? axis[i] : i);
    return GPA_OK;
}

/* One axis alone. */

static void add_single(struct grid *g, size_t t, struct side *s, double *l)
{
    const gpai_evidence *e = g->e;
    gpai_plausible *q = e->plausible;
    if (q != NULL && s->line) {
        gpai_plausible_cells(q, s->axis, s->value, s->count, &s->terms, l);
    } else if (q != NULL) {
        gpai_plausible_terms(q, s->axis, s->value, s->count, &s->terms);
        gpai_plausible_gain(q, &s->terms, s->top, g->m, l);
    }
    memset(s->terms.own, 0, s->ld * sizeof *s->terms.own);
    change_side(g, s, t);
    for (size_t i = 0; i < s->count; i++)
        l[i] += s->terms.own[i]; /* nothing, or impossible */
    for (size_t i = 0; i < s->count; i++) {
        double r = e->residual[t] - s->u[i];
        g->x[i] = r * r;
        g->y[i] = e->b + A * s->v[i];
    }
    add_likelihood(g, s->count, l);
}

gpa_status gpai_singles_weigh(const gpai_evidence *e, gpai_single *out, gpa_error *err)
{
    size_t axes = e->s->axes;
    struct grid g = {
        .e = e, .sides = axes, .cells = GPAI_MOVES_CELLS, .size = 1, .subsets = axes};
    gpa_status st = open_grid(&g, NULL, err);
    if (st != GPA_OK)
        return st;
    for (size_t t = 0; t < e->p->n; t++) {
        if (e->plausible != NULL)
            gpai_plausible_row(e->plausible, t);
        for (size_t i = 0; i < axes; i++)
            add_single(&g, t, &g.side[i], g.l + i * g.room);
    }
    for (size_t i = 0; i < axes; i++) {
        const struct side *s = &g.side[i];
        const double *l = g.l + i * g.room;
        out[i].count = s->count;
        for (size_t c = 0; c < s->count; c++) {
            out[i].value[c] = s->value[c];
            out[i].log[c] = l[c] + s->chance[c];
        }
        out[i].log_evidence = g.vectors->log_sum(out[i].log, s->count);
    }
    gpai_free(g.block);
    return GPA_OK;
}

/* How far each axis moves f: the mean over the rows of the largest change at the cells
 * of pairs. */
gpa_status gpai_widths(const gpai_evidence *e, double *width, gpa_error *err)
{
    struct grid g = {.e = e, .sides = 1, .cells = GPAI_PAIR_CELLS, .size = 1};
    size_t first = 0;
    gpa_status st = open_grid(&g, &first, err);
    for (size_t axis = 0; axis < e->s->axes && st == GPA_OK; axis++) {
        struct side *s = g.side;
        take_side(&g, s, axis);
        width[axis] = 0;
        for (size_t t = 0; t < e->p->n; t++) {
            double widest = 0;
            gpai_profile_change(e->profile, axis, t, s->place, s->count, s->u);
            for (size_t i = 0; i < s->count; i++)
                if (isfinite(s->u[i]) && fabs(s->u[i]) > widest)
                    widest = fabs(s->u[i]);
            width[axis] += widest / (double)e->p->n;
        }
    }
    gpai_free(g.block);
    return st;
}

/* Pairs and triples. */

/* e becomes exp(e - the largest of its place), which goes to `own`. */
static void scale_terms(const struct grid *g, struct side *s)
{
    size_t n = g->e->plausible->crowd->components;
    for (size_t c = 0; c < s->ld; c++)
        s->top[c] = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        const double *e = s->terms.e + i * s->ld;
        for (size_t c = 0; c < s->count; c++)
            s->top[c] = e[c] > s->top[c] ? e[c] : s->top[c];
    }
    for (size_t i = 0; i < n; i++) {
        double *e = s->terms.e + i * s->ld;
        for (size_t c = 0; c < s->count; c++)
            e[c] -= s->top[c];
        for (size_t c = s->count; c < s->ld; c++)
            e[c] = -HUGE_VAL;
    }
    g->vectors->exp(s->terms.e, n * s->ld);
    for (size_t c = 0; c < s->count; c++)
        s->terms.own[c] += s->top[c];
}

/* Residuals and spread of the places of a (inner) and b (outer), ld apart. */
static void add_changes(const struct grid *g, const struct side *a, double residual,
                        double v, double *x, double *y)
{
    for (size_t i = 0; i < a->ld; i++) {
        double r = residual - a->u[i];
        x[i] = r * r;
        y[i] = g->e->b + A * (v + a->v[i]);
    }
}

/* l += ln of the sums over components, m, which are used up. */
static void add_sums(const struct grid *g, size_t n, double *l)
{
    for (size_t i = 0; i < n; i++)
        g->m[i] = g->m[i] > LEAST_SUM ? g->m[i] : LEAST_SUM;
    g->vectors->log(g->m, n);
    for (size_t i = 0; i < n; i++)
        l[i] += g->m[i];
}

/* What row t adds to all places of a pair: l[j * a->ld + i]. a's terms times the
 * components' shares are in g->joint. */
static void add_pair(struct grid *g, size_t t, struct side *a, struct side *b,
                     double *l)
{
    const gpai_evidence *e = g->e;
    size_t ld = a->ld, n = ld * b->count;
    for (size_t j = 0; j < b->count; j++)
        add_changes(g, a, e->residual[t] - b->u[j], b->v[j], g->x + j * ld,
                    g->y + j * ld);
    add_likelihood(g, n, l);
    if (e->plausible != NULL) {
        gpai_plausible *q = e->plausible;
        size_t columns = (b->count + 3) / 4 * 4;
        memset(g->m, 0, ld * columns * sizeof *g->m);
        g->vectors->multiply(1, g->joint, ld, b->terms.e, b->ld, 1, ld, b->count,
                             q->crowd->components, g->m, ld);
        add_sums(g, n, l);
        gpai_plausible_cross(q, a->axis, &a->terms, b->axis, &b->terms, ld,
                             g->cross[0]);
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++)
                l[j * ld + i] -= g->cross[0][j * ld + i];
    }
    for (size_t j = 0; j < b->count; j++)
        for (size_t i = 0; i < a->count; i++)
            l[j * ld + i] += a->terms.own[i] + b->terms.own[j];
}

/* The side's terms times the components' shares. */
static void share_terms(struct grid *g, const struct side *a)
{
    const gpai_plausible *q = g->e->plausible;
    for (size_t i = 0; i < q->crowd->components; i++) {
        double share = exp(q->base[i]);
        for (size_t c = 0; c < a->ld; c++)
            g->joint[i * a->ld + c] = share * a->terms.e[i * a->ld + c];
    }
}

/* Products of two sides' terms times the shares: places j * a->count + i, ld apart. */
static void join_terms(struct grid *g, const struct side *a, const struct side *b,
                       size_t ld)
{
    const gpai_plausible *q = g->e->plausible;
    for (size_t k = 0; k < q->crowd->components; k++) {
        double share = exp(q->base[k]);
        const double *x = a->terms.e + k * a->ld, *y = b->terms.e + k * b->ld;
        double *to = g->joint + k * ld;
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++)
                to[j * a->count + i] = share * y[j] * x[i];
    }
}

/* What row t adds to a triple: l[k * ld + j * a->count + i]. The products of a and b
 * are in g->joint. */
static void add_triple(struct grid *g, size_t t, struct side *a, struct side *b,
                       struct side *c, size_t ld, double *l)
{
    const gpai_evidence *e = g->e;
    gpai_plausible *q = e->plausible;
    size_t n = ld * c->count, w = padded(g->most);
    for (size_t k = 0; k < c->count; k++)
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++) {
                size_t at = k * ld + j * a->count + i;
                double r = e->residual[t] - a->u[i] - b->u[j] - c->u[k];
                g->x[at] = r * r;
                g->y[at] = e->b + A * (a->v[i] + b->v[j] + c->v[k]);
            }
    add_likelihood(g, n, l);
    memset(g->m, 0, ld * ((c->count + 3) / 4 * 4) * sizeof *g->m);
    g->vectors->multiply(1, g->joint, ld, c->terms.e, c->ld, 1, ld, c->count,
                         q->crowd->components, g->m, ld);
    add_sums(g, n, l);
    gpai_plausible_cross(q, a->axis, &a->terms, b->axis, &b->terms, w, g->cross[0]);
    gpai_plausible_cross(q, a->axis, &a->terms, c->axis, &c->terms, w, g->cross[1]);
    gpai_plausible_cross(q, b->axis, &b->terms, c->axis, &c->terms, w, g->cross[2]);
    for (size_t k = 0; k < c->count; k++)
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++)
                l[k * ld + j * a->count + i] +=
                    a->terms.own[i] + b->terms.own[j] + c->terms.own[k] -
                    g->cross[0][j * w + i] - g->cross[1][k * w + i] -
                    g->cross[2][k * w + j];
}

/* All subsets at row t. */
static void add_row(struct grid *g, size_t t)
{
    bool judged = g->e->plausible != NULL;
    double *l = g->l;
    if (judged)
        gpai_plausible_row(g->e->plausible, t);
    for (size_t i = 0; i < g->sides; i++) {
        load_side(g, &g->side[i], t);
        if (judged)
            scale_terms(g, &g->side[i]);
    }
    for (size_t i = 0; i < g->sides; i++) {
        struct side *a = &g->side[i];
        if (judged && g->size == 2)
            share_terms(g, a);
        for (size_t j = i + 1; j < g->sides; j++) {
            struct side *b = &g->side[j];
            size_t ld = padded(a->count * b->count);
            if (g->size == 2) {
                add_pair(g, t, a, b, l);
                l += g->room;
                continue;
            }
            if (j + 1 < g->sides)
                join_terms(g, a, b, ld);
            for (size_t k = j + 1; k < g->sides; k++, l += g->room)
                add_triple(g, t, a, b, &g->side[k], ld, l);
        }
    }
}

/* ln of the sum over a subset's places, chances included. `ld` numbers for each of the
 * outer places, of which the inner ones count. */
static double sum_pair(struct grid *g, const struct side *a, const struct side *b,
                       double *l)
{
    size_t n = 0;
    for (size_t j = 0; j < b->count; j++)
        for (size_t i = 0; i < a->count; i++)
            l[n++] = l[j * a->ld + i] + a->chance[i] + b->chance[j];
    return g->vectors->log_sum(l, n);
}

static double sum_triple(struct grid *g, const struct side *a, const struct side *b,
                         const struct side *c, double *l)
{
    size_t n = 0, ld = padded(a->count * b->count);
    for (size_t k = 0; k < c->count; k++)
        for (size_t j = 0; j < b->count; j++)
            for (size_t i = 0; i < a->count; i++)
                l[n++] = l[k * ld + j * a->count + i] + a->chance[i] + b->chance[j] +
                         c->chance[k];
    return g->vectors->log_sum(l, n);
}

static size_t ways(size_t axes, size_t size)
{
    if (axes < size)
        return 0;
    return size == 2 ? axes * (axes - 1) / 2 : axes * (axes - 1) * (axes - 2) / 6;
}

gpa_status gpai_subsets_weigh(const gpai_evidence *e, size_t size, const size_t *axis,
                              size_t axes, gpai_subset *out, size_t *count,
                              gpa_error *err)
{
    struct grid g = {.e = e,
                     .sides = axes,
                     .cells = size == 2 ? GPAI_PAIR_CELLS : GPAI_TRIPLE_CELLS,
                     .size = size,
                     .subsets = ways(axes, size)};
    *count = 0;
    gpa_status st = open_grid(&g, axis, err);
    if (st != GPA_OK)
        return st;
    for (size_t t = 0; t < e->p->n; t++)
        add_row(&g, t);
    double *l = g.l;
    for (size_t i = 0; i < axes; i++)
        for (size_t j = i + 1; j < axes; j++) {
            const struct side *a = &g.side[i], *b = &g.side[j];
            if (size == 2) {
                out[(*count)++] =
                    (gpai_subset){{axis[i], axis[j]}, 2, sum_pair(&g, a, b, l)};
                l += g.room;
            }
            for (size_t k = j + 1; k < axes && size == 3; k++, l += g.room)
                out[(*count)++] = (gpai_subset){{axis[i], axis[j], axis[k]},
                                                3,
                                                sum_triple(&g, a, b, &g.side[k], l)};
        }
    gpai_free(g.block);
    return GPA_OK;
}

/* The output. */

double gpai_output_weigh(const gpai_evidence *e, double spread)
{
    enum { CELLS = 401 }; /* odd: 0 is one of them */
    double l[CELLS + GPAI_VPAD] = {0}, x[CELLS + GPAI_VPAD] = {0},
                     y[CELLS + GPAI_VPAD] = {0};
    const gpai_vectors *v = gpai_vectors_at(0);
    struct grid g = {.e = e, .vectors = v, .x = x, .y = y};
    double off[CELLS], width[CELLS], before = 0;
    for (size_t i = 0; i <= CELLS; i++) {
        double share = i == 0 ? 0.25 : i == CELLS ? CELLS - 0.25 : (double)i;
        double at = spread * gpai_norm_quantile(share / CELLS);
        if (i > 0)
            width[i - 1] = at - before;
        before = at;
    }
    for (size_t i = 0; i < CELLS; i++)
        off[i] = spread * gpai_norm_quantile(((double)i + 0.5) / CELLS);
    for (size_t t = 0; t < e->p->n; t++) {
        for (size_t i = 0; i < CELLS; i++) {
            double r = e->residual[t] - off[i];
            x[i] = r * r;
            y[i] = e->b + A * width[i] * width[i] / 12;
        }
        add_likelihood(&g, CELLS, l);
    }
    return v->log_sum(l, CELLS) - log((double)CELLS);
}
