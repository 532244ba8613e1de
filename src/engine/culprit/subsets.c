#include "engine/culprit/subsets.h"
#include "base/math/special.h"
#include "engine/culprit/grid.h"
#include "engine/math/student.h"
#include <math.h>
#include <string.h>

static const double A = GPAI_LIKELIHOOD_SHAPE;

/* One axis alone. */

/* The mean likelihood of half of every cell, from its middle to its left or right
 * border. */
static void halves(gpai_grid *g, size_t t, const gpai_side *s, size_t right, double *l)
{
    const gpai_evidence *e = g->e;
    double scale = 1 / sqrt(2 * e->b), *none = l; /* no second width */
    for (size_t i = 0; i < s->count; i++) {
        double w = g->across[i + right] - s->u[i];
        w = isfinite(w) ? w : 0; /* such a cell is impossible anyway */
        g->x[i] = (e->residual[t] - (s->u[i] + 0.5 * w)) * scale;
        g->y[i] = 0.5 * w * scale;
        none[i] = 0;
    }
    gpai_student_mean(g->x, g->y, none, s->count, l);
}

/* l += ln of the mean over the cells of a line: of both their halves, which have the
 * same chance. */
static void add_cells(gpai_grid *g, size_t t, const gpai_side *s, double *l)
{
    double *left = g->m, *right = s->top;
    halves(g, t, s, 0, left);
    halves(g, t, s, 1, right);
    for (size_t i = 0; i < s->count; i++)
        left[i] = 0.5 * (left[i] + right[i]);
    g->vectors->log(left, s->count);
    for (size_t i = 0; i < s->count; i++)
        l[i] += left[i];
}

/* l += ln of the plausibility of a line's cells in row t. */
static void add_line(gpai_grid *g, size_t t, gpai_side *s, double *l)
{
    gpai_plausible *q = g->e->plausible;
    double *width = g->m;
    if (s->even.count > 0 && t == g->e->first && s->count % GPAI_VPAD == 0) {
        gpai_grid_place(g, s, t);
        gpai_plausible_even_cells(q, s->axis, &s->terms, s->cell, l);
        return;
    }
    gpai_plausible_place(q, s->axis, s->edge, s->count + 1, &s->terms);
    for (size_t i = 0; i < s->count; i++)
        width[i] = s->terms.shift[i + 1] - s->terms.shift[i];
    gpai_plausible_place(q, s->axis, s->value, s->count, &s->terms);
    gpai_plausible_cells(q, s->axis, &s->terms, width, l);
}

static void add_single(gpai_grid *g, size_t t, gpai_side *s, double *l, double *within)
{
    const gpai_evidence *e = g->e;
    gpai_plausible *q = e->plausible;
    if (q != NULL && s->line) {
        add_line(g, t, s, l);
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

/* Closer looks: where a cell holds more than MUCH of what its axis has, it and those
 * with more than LITTLE are cut into parts of EACH or less, a few times. Of several
 * rows less is much: they know more about the place within a cell than is kept. */
static const double MUCH = 0.2, MUCH_OF_SEVERAL = 0.06, EACH = 0.05, LITTLE = 0.01;
enum { LOOKS = 12 };

static size_t parts_of(const gpai_single *a, size_t i)
{
    double share = exp(a->log[i] - a->log_evidence);
    return share > LITTLE ? 2 + (size_t)(share / EACH) : 1;
}

/* The cells of an axis that are to be cut: from *first to *last. Their parts become
 * the cells of `to`; false: there are none, or no room. */
static bool cut_again(const gpai_grid *g, size_t axis, const gpai_single *a,
                      gpai_side *to, size_t *first, size_t *last)
{
    double most = 0, much = g->e->rows > 1 ? MUCH_OF_SEVERAL : MUCH;
    size_t count = 0, all = a->count;
    *first = a->count;
    for (size_t i = 0; i < a->count; i++) {
        double share = exp(a->log[i] - a->log_evidence);
        most = share > most ? share : most;
        all += parts_of(a, i) - 1;
        if (parts_of(a, i) > 1) {
            *first = i < *first ? i : *first;
            *last = i;
        }
    }
    if (!(most > much) || all > g->most)
        return false;
    to->axis = axis;
    to->line = true;
    for (size_t i = *first; i <= *last; i++) {
        size_t parts = parts_of(a, i);
        double from = a->edge[i], each = (a->edge[i + 1] - from) / (double)parts;
        for (size_t j = 0; j < parts; j++) {
            to->edge[count] = from + each * (double)j;
            to->value[count++] = from + each * ((double)j + 0.5);
        }
    }
    to->edge[count] = a->edge[*last + 1];
    if (!(to->edge[1] > to->edge[0])) /* no number lies between */
        return false;
    gpai_grid_cells(g, to, count);
    return true;
}

/* n numbers at `at` give way to `count` others; `all` are behind them. */
static void splice(double *at, size_t n, const double *new, size_t count, size_t all)
{
    memmove(at + count, at + n, all * sizeof *at);
    memcpy(at, new, count * sizeof *at);
}

/* Looks closer at one axis. `part`: room for ln of the new cells. */
static bool look(gpai_grid *g, size_t axis, gpai_side *part, double *l, double *within,
                 gpai_single *a)
{
    const gpai_evidence *e = g->e;
    size_t first, last = 0;
    if (!cut_again(g, axis, a, part, &first, &last))
        return false;
    memset(l, 0, part->ld * sizeof *l);
    for (size_t i = 0; i < part->count && e->rows > 1; i++)
        gpai_within_start(within + i * gpai_within_size(1), 1);
    for (size_t t = e->first; t < e->first + e->rows; t++) {
        if (e->plausible != NULL && e->rows > 1)
            gpai_plausible_row(e->plausible, t);
        add_single(g, t, part, l, e->rows > 1 ? within : NULL);
    }
    for (size_t i = 0; i < part->count; i++)
        l[i] += part->chance[i];
    size_t n = last - first + 1, behind = a->count - last - 1, m = part->count;
    splice(a->value + first, n, part->value, m, behind);
    splice(a->log + first, n, l, m, behind);
    splice(a->edge + first, n, part->edge, m, behind + 1);
    a->count += m - n;
    a->log_evidence = g->vectors->log_sum(a->log, a->count);
    return true;
}

/* Axes so far below the likeliest need no closer look. */
static const double FAR_BELOW = 9;

/* Cells may hold too much, and less in parts: then others matter. */
static void look_closer(gpai_grid *g, size_t axes, gpai_single *out)
{
    double *l = g->l + axes * g->room;
    double *within = g->within + axes * g->room * gpai_within_size(1);
    bool more = true;
    for (int j = 0; j < LOOKS && more; j++) {
        double best = -HUGE_VAL;
        more = false;
        for (size_t i = 0; i < axes; i++)
            best = fmax(best, out[i].log_evidence);
        for (size_t i = 0; i < axes && isfinite(best); i++)
            if (out[i].line && out[i].log_evidence >= best - FAR_BELOW &&
                g->e->s->axis[i].side == 0 &&
                look(g, i, &g->side[axes], l, within, &out[i]))
                more = true;
    }
}

gpa_status gpai_singles_weigh(const gpai_evidence *e, gpai_single *out, gpa_error *err)
{
    size_t axes = e->s->axes, size = gpai_within_size(1);
    size_t cells = e->plausible != NULL ? GPAI_CROWD_CELLS : GPAI_MOVES_CELLS;
    gpai_grid g = {.e = e,
                   .sides = axes + 1, /* the last for closer looks */
                   .cells = cells,
                   .least = GPAI_MOVES_MOST,
                   .size = 1,
                   .subsets = axes + 1};
    gpa_status st = gpai_grid_open(&g, NULL, err);
    if (st != GPA_OK)
        return st;
    bool several = e->rows > 1;
    for (size_t t = e->first; t < e->first + e->rows; t++) {
        if (e->plausible != NULL)
            gpai_plausible_row(e->plausible, t);
        for (size_t i = 0; i < axes; i++)
            add_single(&g, t, &g.side[i], g.l + i * g.room,
                       several ? g.within + i * g.room * size : NULL);
    }
    for (size_t i = 0; i < axes; i++) {
        const gpai_side *s = &g.side[i];
        const double *l = g.l + i * g.room;
        out[i].count = s->count;
        out[i].line = s->line;
        if (s->line)
            memcpy(out[i].edge, s->edge, (s->count + 1) * sizeof *s->edge);
        for (size_t c = 0; c < s->count; c++) {
            out[i].value[c] = s->value[c];
            out[i].log[c] = l[c] + s->chance[c];
        }
        out[i].log_evidence = g.vectors->log_sum(out[i].log, s->count);
    }
    look_closer(&g, axes, out);
    gpai_grid_close(&g);
    return GPA_OK;
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
    for (size_t t = e->first; t < e->first + e->rows; t++) {
        for (size_t i = 0; i < CELLS; i++) {
            double r = e->residual[t] - off[i];
            y[i] = gpai_within_row(within[i], 1, &width[i], e->b, &r);
            x[i] = r * r;
        }
        gpai_grid_likelihood(&g, CELLS, l);
    }
    return v->log_sum(l, CELLS) - log((double)CELLS);
}
