#include "engine/culprit/subsets.h"
#include "base/math/special.h"
#include "engine/culprit/grid.h"
#include <math.h>
#include <string.h>

static const double A = GPAI_LIKELIHOOD_SHAPE;

/* One axis alone. */

/* ln likelihood of half of every cell, from its middle to its left or right border. */
static void halves(gpai_grid *g, size_t t, const gpai_side *s, size_t right, double *l)
{
    const gpai_evidence *e = g->e;
    memset(l, 0, s->count * sizeof *l);
    for (size_t i = 0; i < s->count; i++) {
        double w = g->edge[i + right] - s->u[i];
        w = isfinite(w) ? w : 0; /* such a cell is impossible anyway */
        double r = e->residual[t] - (s->u[i] + 0.5 * w);
        g->x[i] = r * r;
        g->y[i] = e->b + A * w * w / 12;
    }
    gpai_grid_likelihood(g, s->count, l);
}

/* l += ln of the mean over the cells of a line: of both their halves, which have the
 * same chance. */
static void add_cells(gpai_grid *g, size_t t, const gpai_side *s, double *l)
{
    double *left = g->m, *right = s->top;
    halves(g, t, s, 0, left);
    halves(g, t, s, 1, right);
    for (size_t i = 0; i < s->count; i++) {
        double most = left[i] > right[i] ? left[i] : right[i];
        l[i] += most - GPAI_LN2;
        g->x[i] = (left[i] > right[i] ? right[i] : left[i]) - most;
    }
    g->vectors->exp(g->x, s->count);
    for (size_t i = 0; i < s->count; i++)
        g->x[i] += 1;
    g->vectors->log(g->x, s->count);
    for (size_t i = 0; i < s->count; i++)
        l[i] += g->x[i];
}

static void add_single(gpai_grid *g, size_t t, gpai_side *s, double *l, double *within)
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
    gpai_grid_change(g, s, t);
    for (size_t i = 0; i < s->count; i++)
        l[i] += s->terms.own[i]; /* nothing, or impossible */
    if (s->line && within == NULL) {
        add_cells(g, t, s, l);
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        double r = e->residual[t] - s->u[i];
        g->y[i] = within != NULL ? gpai_within_row(within + i * gpai_within_size(1), 1,
                                                   &s->w[i], e->b, &r)
                                 : e->b + A * s->w[i] * s->w[i] / 12;
        g->x[i] = r * r;
    }
    gpai_grid_likelihood(g, s->count, l);
}

gpa_status gpai_singles_weigh(const gpai_evidence *e, gpai_single *out, gpa_error *err)
{
    size_t axes = e->s->axes;
    gpai_grid g = {
        .e = e, .sides = axes, .cells = GPAI_MOVES_CELLS, .size = 1, .subsets = axes};
    gpa_status st = gpai_grid_open(&g, NULL, err);
    if (st != GPA_OK)
        return st;
    for (size_t t = 0; t < e->p->n; t++) {
        if (e->plausible != NULL)
            gpai_plausible_row(e->plausible, t);
        for (size_t i = 0; i < axes; i++)
            add_single(&g, t, &g.side[i], g.l + i * g.room,
                       e->p->n > 1 ? g.within + i * g.room * gpai_within_size(1)
                                   : NULL);
    }
    for (size_t i = 0; i < axes; i++) {
        const gpai_side *s = &g.side[i];
        const double *l = g.l + i * g.room;
        out[i].count = s->count;
        for (size_t c = 0; c < s->count; c++) {
            out[i].value[c] = s->value[c];
            out[i].log[c] = l[c] + s->chance[c];
        }
        out[i].log_evidence = g.vectors->log_sum(out[i].log, s->count);
    }
    gpai_grid_close(&g);
    return GPA_OK;
}

/* How far each axis moves f: the mean over the rows of the largest change at the cells
 * of pairs. */
gpa_status gpai_widths(const gpai_evidence *e, double *width, gpa_error *err)
{
    gpai_grid g = {.e = e, .sides = 1, .cells = 2 * GPAI_PAIR_CELLS, .size = 1};
    size_t first = 0;
    gpa_status st = gpai_grid_open(&g, &first, err);
    for (size_t axis = 0; axis < e->s->axes && st == GPA_OK; axis++) {
        gpai_side *s = g.side;
        gpai_grid_side(&g, s, axis);
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
    gpai_grid_close(&g);
    return st;
}

void gpai_exchanges_weigh(const gpai_evidence *e, const gpai_exchanges *x,
                          gpai_subset *out)
{
    size_t n = e->p->n;
    for (size_t i = 0; i < x->count; i++) {
        double l = x->gain[i];
        for (size_t t = 0; t < n; t++) {
            double r = e->residual[t] + e->profile->base[t] - x->f[i * n + t];
            l -= GPAI_LIKELIHOOD_POWER * log1p(r * r / (2 * e->b));
        }
        out[i] = (gpai_subset){.axis = {x->probe[i].axis, x->probe[i].other},
                               .size = 2,
                               .log_evidence = isfinite(l) ? l : -HUGE_VAL,
                               .exchanged = true};
    }
}

/* The output. */

double gpai_output_weigh(const gpai_evidence *e, double spread)
{
    enum { CELLS = 401 }; /* odd: 0 is one of them */
    double l[CELLS + GPAI_VPAD] = {0}, x[CELLS + GPAI_VPAD] = {0},
                     y[CELLS + GPAI_VPAD] = {0};
    const gpai_vectors *v = gpai_vectors_at(0);
    gpai_grid g = {.e = e, .vectors = v, .x = x, .y = y};
    double off[CELLS], width[CELLS], within[CELLS][2], before = 0;
    for (size_t i = 0; i <= CELLS; i++) {
        double share = i == 0 ? 0.25 : i == CELLS ? CELLS - 0.25 : (double)i;
        double at = spread * gpai_norm_quantile(share / CELLS);
        if (i > 0)
            width[i - 1] = at - before;
        before = at;
    }
    for (size_t i = 0; i < CELLS; i++) {
        off[i] = spread * gpai_norm_quantile(((double)i + 0.5) / CELLS);
        gpai_within_start(within[i], 1);
    }
    for (size_t t = 0; t < e->p->n; t++) {
        for (size_t i = 0; i < CELLS; i++) {
            double r = e->residual[t] - off[i];
            y[i] = gpai_within_row(within[i], 1, &width[i], e->b, &r);
            x[i] = r * r;
        }
        gpai_grid_likelihood(&g, CELLS, l);
    }
    return v->log_sum(l, CELLS) - log((double)CELLS);
}
