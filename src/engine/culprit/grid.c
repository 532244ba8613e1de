#include "engine/culprit/grid.h"
#include "base/alloc.h"
#include "base/status.h"
#include "engine/math/student.h"
#include <math.h>
#include <string.h>

static const double A = GPAI_LIKELIHOOD_SHAPE;

static size_t most_listed(const gpai_evidence *e)
{
    size_t most = 0;
    for (size_t i = 0; i < e->s->axes; i++)
        if (!e->moves[i].line && e->moves[i].count > most)
            most = e->moves[i].count;
    return most;
}

static size_t most_nodes(const gpai_profile *r)
{
    size_t most = 0;
    for (size_t i = 0; i < r->axes; i++)
        most = r->nodes[i] > most ? r->nodes[i] : most;
    return most;
}

/* What a side has of each row; singles come one after the other and share it. */
static void lay_out_terms(gpai_grid *g, gpai_arena *a, gpai_side *s)
{
    const gpai_plausible *q = g->e->plausible;
    size_t ld = gpai_grid_padded(g->most);
    GPAI_TAKE_EACH(a, ld + GPAI_VPAD, 1, &s->u, &s->w, &s->top, &s->terms.own);
    s->terms.shift =
        gpai_take(a, q != NULL ? ld + GPAI_VPAD : 0, q != NULL ? q->widest : 0);
    s->own = gpai_take(a, g->size > 1 ? ld : 0, 1);
    GPAI_TAKE_EACH(a, g->size == 1 ? ld : 0, 1, &s->wide, &s->near);
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_grid *g = work;
    const gpai_plausible *q = g->e->plausible;
    size_t ld = gpai_grid_padded(g->most), n = q != NULL ? q->crowd->components : 0;
    gpai_side one = {0};
    g->side = gpai_take_bytes(a, g->sides, sizeof *g->side);
    GPAI_TAKE_EACH(a, g->cells + 1, 1, &g->free_value, &g->free_chance, &g->free_edge);
    g->across = gpai_take(a, g->most + 1, 1);
    g->l = gpai_take(a, g->subsets, g->room);
    g->fit = gpai_take(a, g->size == 1 ? g->subsets : 0, g->room);
    g->within = gpai_take(a, g->e->rows > 1 ? g->subsets * g->room : 0,
                          gpai_within_size(g->size));
    size_t pieces = g->room + (g->size == 1 ? most_nodes(g->e->profile) : 0);
    GPAI_TAKE_EACH(a, pieces, 1, &g->x, &g->y, &g->m);
    g->piece = gpai_take_bytes(a, g->size == 1 ? pieces : 0, sizeof *g->piece);
    GPAI_TAKE_EACH(a, g->size > 1 ? g->room : 0, 1, &g->mean.t, &g->mean.half[0],
                   &g->mean.half[1], &g->mean.half[2], &g->mean.share);
    if (g->size == 1)
        lay_out_terms(g, a, &one);
    for (size_t i = 0; i < g->sides; i++) {
        gpai_side other, *s = g->side != NULL ? &g->side[i] : &other;
        *s = one;
        GPAI_TAKE_EACH(a, ld + GPAI_VPAD, 1, &s->value, &s->chance, &s->edge);
        s->place = gpai_take_bytes(a, g->most, sizeof *s->place);
        s->border = gpai_take_bytes(a, g->most + 1, sizeof *s->border);
        if (g->size > 1)
            lay_out_terms(g, a, s);
    }
    for (size_t i = 0; i < 3; i++) {
        g->own_room[i] = gpai_take(a, g->size > 1 ? ld : 0, 1);
        g->cross[i] = gpai_take(a, g->size > 1 ? ld : 0, ld);
    }
    g->share = gpai_take(a, gpai_grid_padded(n), 1);
}

/* What every component has of the places. */
static void lay_out_components(void *work, gpai_arena *a)
{
    gpai_grid *g = work;
    size_t ld = gpai_grid_padded(g->most), n = g->e->plausible->crowd->components;
    double *e = NULL;
    for (size_t i = 0; i < g->sides; i++) {
        gpai_side *s = &g->side[i];
        if (i == 0 || g->size > 1)
            e = gpai_take(a, gpai_grid_padded(g->listed), n);
        s->terms.e = e;
        GPAI_TAKE_EACH(a, g->size > 1 ? ld : 0, n, &s->factor, &s->log);
    }
    for (size_t i = 0; i < g->size && g->size > 1; i++)
        g->log_room[i] = gpai_take(a, ld, n);
    g->joint = gpai_take(a, g->size == 3 ? gpai_grid_padded(g->most * g->most) : ld,
                         g->size > 1 ? n : 0);
}

/* The listed places of an axis; of triples those that are likeliest by themselves. */
static void take_list(const gpai_grid *g, const gpai_moves *m, gpai_side *s)
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
static void cut_line(gpai_grid *g, const gpai_axis *a, gpai_side *s)
{
    const gpai_space *space = g->e->s;
    size_t n = g->cells;
    if (!gpai_axis_is_free(a)) {
        gpai_line_cells(space, a, n, s->value, s->chance);
        gpai_line_borders(space, a, n, s->edge);
        return;
    }
    if (!g->free_known) {
        gpai_line_cells(space, a, n, g->free_value, g->free_chance);
        gpai_line_borders(space, a, n, g->free_edge);
        g->free_known = true;
    }
    memcpy(s->value, g->free_value, n * sizeof *s->value);
    memcpy(s->chance, g->free_chance, n * sizeof *s->chance);
    memcpy(s->edge, g->free_edge, (n + 1) * sizeof *s->edge);
}

bool gpai_grid_by_score(const gpai_evidence *e, size_t axis)
{
    const gpai_axis *a = &e->s->axis[axis];
    return e->plausible != NULL && !a->gap &&
           e->plausible->crowd->trait[axis].kind == GPAI_TRAIT_NUMBER;
}

/* ln chances of cells between borders: the prior's mass there. */
static void weigh_cells(const gpai_grid *g, const gpai_axis *a, gpai_side *s)
{
    const gpai_space *space = g->e->s;
    static const double NOTHING = 1e-300;
    const double *edge = s->edge;
    double low = gpai_prior_cdf(&space->prior, -fabs(edge[0])), *chance = s->chance;
    for (size_t i = 0; i < s->count; i++) {
        double high = gpai_prior_cdf(&space->prior, -fabs(edge[i + 1]));
        chance[i] = fmax(gpai_prior_between(edge[i], low, edge[i + 1], high), NOTHING);
        low = high;
    }
    g->vectors->log(chance, s->count);
    for (size_t i = 0; i < s->count; i++)
        chance[i] = chance[i] < -690 /* nothing */
                        ? -HUGE_VAL
                        : chance[i] - gpai_line_room(space, a, s->value[i]);
}

/* Where the profiles are asked. */
static void find_places(const gpai_grid *g, gpai_side *s)
{
    const gpai_profile *r = g->e->profile;
    if (s->line)
        gpai_profile_places(r, s->axis, s->edge, s->count + 1, s->border);
    gpai_profile_places(r, s->axis, s->value, s->count, s->place);
    s->ld = s->terms.ld = gpai_grid_padded(s->count);
}

void gpai_grid_cells(const gpai_grid *g, gpai_side *s, size_t count)
{
    s->count = count;
    s->cell = 0;
    s->even = (gpai_strip){0};
    weigh_cells(g, &g->e->s->axis[s->axis], s);
    find_places(g, s);
}

/* Cells of a line that are equally wide in the score, as seen from the first row,
 * within the limits. */
static void cut_by_score(const gpai_grid *g, gpai_strip c, gpai_side *s)
{
    const gpai_evidence *e = g->e;
    const gpai_axis *a = &e->s->axis[s->axis];
    double x = e->p->x[gpai_evidence_row(e, 0) * e->p->d + a->input],
           unit = e->p->unit[a->input];
    gpai_crowd_cells(e->plausible->crowd, s->axis, c, s->edge, s->value);
    for (size_t i = 0; i <= c.count; i++) {
        double at = fmin(fmax((s->edge[i] - x) / unit, a->lo), a->hi);
        s->edge[i] = at;
        if (i > 0) {
            double middle = (s->value[i - 1] - x) / unit;
            bool inside = middle > s->edge[i - 1] && middle < at;
            s->value[i - 1] = inside ? middle : 0.5 * (s->edge[i - 1] + at);
        }
    }
    gpai_grid_cells(g, s, c.count);
    s->cell = gpai_strip_width(c);
    s->even = c;
}

static void take_axis(gpai_grid *g, gpai_side *s, size_t axis)
{
    const gpai_evidence *e = g->e;
    const gpai_moves *m = &e->moves[axis];
    s->axis = axis;
    s->line = m->line;
    s->count = 0;
    s->cell = 0;
    s->even = (gpai_strip){0};
    if (s->line && gpai_grid_by_score(e, axis)) {
        cut_by_score(g, gpai_strip_all(g->cells), s);
        return;
    }
    if (s->line) {
        s->count = g->cells;
        cut_line(g, &e->s->axis[axis], s);
    } else {
        take_list(g, m, s);
    }
    find_places(g, s);
}

void gpai_grid_place(const gpai_grid *g, gpai_side *s, size_t t)
{
    gpai_plausible *q = g->e->plausible;
    if (s->even.count > 0 && t == gpai_evidence_row(g->e, 0))
        gpai_plausible_even(q, s->axis, s->even, &s->terms);
    else
        gpai_plausible_place(q, s->axis, s->value, s->count, &s->terms);
}

void gpai_grid_change(const gpai_grid *g, gpai_side *s, size_t t)
{
    const gpai_profile *r = g->e->profile;
    gpai_profile_change(r, s->axis, t, s->place, s->count, s->u);
    memset(s->w, 0, s->ld * sizeof *s->w);
    if (s->line)
        gpai_profile_change(r, s->axis, t, s->border, s->count + 1, g->across);
    for (size_t i = 0; i < s->count && s->line; i++) {
        const double *at = g->across + i;
        const gpai_place *b = s->border + i;
        s->w[i] = at[1] - at[0];
        if (g->size == 1)
            continue;
        gpai_profile_range(r, s->axis, t, b, b + 1, at, &s->u[i], &s->w[i]);
        s->w[i] *= 2;
    }
    for (size_t i = 0; i < s->count; i++)
        if (!isfinite(s->u[i]) || !isfinite(s->w[i])) {
            s->u[i] = s->w[i] = 0;
            s->terms.own[i] = -HUGE_VAL;
        }
}

void gpai_within_start(double *within, size_t axes)
{
    memset(within, 0, gpai_within_size(axes) * sizeof *within);
    for (size_t i = 0; i < axes; i++)
        within[axes + i * axes + i] = 1.0 / 12;
}

double gpai_within_row(double *within, size_t axes, const double *w, double b,
                       double *r)
{
    double *mean = within, *cov = within + axes, pull[3], spread = 0;
    for (size_t i = 0; i < axes; i++) {
        *r -= w[i] * mean[i];
        pull[i] = 0;
        for (size_t j = 0; j < axes; j++)
            pull[i] += cov[i * axes + j] * w[j];
        spread += w[i] * pull[i];
    }
    if (!(spread > 0)) /* f is flat, or rounding */
        return b;
    /* A row that does not fit anywhere in the cell says little about the place: the
     * likelihood is Student's. */
    double noise = b / A, left = *r * noise / (noise + spread);
    double all = noise + left * left / (2 * A) + spread;
    for (size_t i = 0; i < axes; i++) {
        mean[i] += pull[i] * *r / all;
        for (size_t j = 0; j < axes; j++)
            cov[i * axes + j] -= pull[i] * pull[j] / all;
    }
    return b + A * spread;
}

/* l[i] += ln likelihood, x[i] and y[i] being the squared residual and b of place i:
 * ((1 + x / 2 y)^(2 a + 1) y / b)^-1/2, in one logarithm. */
void gpai_grid_likelihood(const gpai_grid *g, size_t n, double *l)
{
    static const double FARTHEST = 1e24; /* a number when multiplied 12 times */
    double *x = g->x, inverse = 1 / g->e->b;
    const double *y = g->y;
    for (size_t i = 0; i < n; i++) {
        double t = 1 + x[i] / (2 * y[i]);
        t = t < FARTHEST ? t : FARTHEST;
        double t2 = t * t, t4 = t2 * t2;
        x[i] = t4 * t4 * t4 * (y[i] * inverse);
    }
    g->vectors->log(x, n);
    for (size_t i = 0; i < n; i++)
        l[i] -= 0.5 * x[i];
}

void gpai_likelihood_add(const gpai_likelihood *w, const gpai_vectors *v, size_t n,
                         bool third, double *l)
{
    static const double POINT = 0.57735026918962576; /* 1 / sqrt 3: Gauss's two */
    static const double LEAST = 1e-300;              /* whose ln is a number */
    static const double DOUBT = 0.1;
    double *t = w->t, *out = w->half[2], point = POINT / sqrt(2 * w->b);
    gpai_student_scale(w->b, GPAI_LIKELIHOOD_SHAPE * DOUBT * DOUBT, n, t, w->half[0],
                       w->half[1], w->share);
    if (third) {
        for (size_t i = 0; i < n; i++) {
            double off = point * out[i] * w->share[i];
            out[i] = t[i] - off;
            t[i] += off;
        }
        gpai_student_mean(t, w->half[0], w->half[1], n, t);
    }
    gpai_student_mean(third ? out : t, w->half[0], w->half[1], n, out);
    for (size_t i = 0; i < n && third; i++)
        out[i] = 0.5 * (out[i] + t[i]);
    for (size_t i = 0; i < n; i++) {
        double mean = out[i] * w->share[i];
        out[i] = mean > LEAST ? mean : LEAST;
    }
    v->log(out, n);
    for (size_t i = 0; i < n; i++)
        l[i] += out[i];
}

gpa_status gpai_grid_open(gpai_grid *g, const size_t *axis, gpa_error *err)
{
    g->listed = most_listed(g->e);
    g->most = g->listed > g->cells ? g->listed : g->cells;
    if (g->most < g->least)
        g->most = g->least;
    g->room = g->size == 1 ? gpai_grid_padded(g->most)
              : g->size == 2
                  ? gpai_grid_padded(g->most) * ((g->most + 3) / 4 * 4)
                  : gpai_grid_padded(g->most * g->most) * ((g->most + 3) / 4 * 4);
    g->vectors = gpai_vectors_at(0);
    g->mean.b = g->e->b;
    g->block = gpai_carve_bare(lay_out, g);
    if (g->block != NULL && g->e->plausible != NULL)
        g->components = gpai_carve_bare(lay_out_components, g);
    if (g->block == NULL || (g->e->plausible != NULL && g->components == NULL)) {
        gpai_free(g->block);
        g->block = NULL;
        return gpai_nomem(err, "culprit");
    }
    size_t all = g->subsets * g->room, places = g->e->rows > 1 ? all : 0;
    memset(g->l, 0, all * sizeof *g->l);
    if (g->size == 1)
        memset(g->fit, 0, all * sizeof *g->fit);
    for (size_t i = 0; i < places; i++)
        gpai_within_start(g->within + i * gpai_within_size(g->size), g->size);
    size_t taken = axis != NULL ? g->sides : g->e->s->axes;
    for (size_t i = 0; i < taken; i++)
        take_axis(g, &g->side[i], axis != NULL ? axis[i] : i);
    return g->size > 1 && g->e->plausible != NULL
               ? gpai_linked_open(&g->linked, g->e->plausible, err)
               : GPA_OK;
}

void gpai_grid_close(gpai_grid *g)
{
    gpai_linked_close(&g->linked);
    gpai_free(g->components);
    gpai_free(g->block);
}
