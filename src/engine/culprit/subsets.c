#include "engine/culprit/subsets.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/culprit/grid.h"
#include "engine/math/student.h"
#include <math.h>
#include <string.h>

/* One axis alone. */

/* A value is to blame for what was observed if another one would bring f nearer to it:
 * it counts for as much as the likelihood is higher there. That the row would be more
 * plausible is not enough, or inputs would be accused to which the model is blind. */

/* ln likelihood of the rows as they are, if that is to be exceeded. */
static double to_exceed(const gpai_evidence *e)
{
    double l = 0;
    for (size_t i = 0; i < e->rows; i++) {
        double r = e->residual[gpai_evidence_row(e, i)];
        l -= GPAI_LIKELIHOOD_POWER * log1p(r * r / (2 * e->b));
    }
    return e->gains ? l : -HUGE_VAL;
}

/* l += ln of what places gain, their likelihoods being exp(fit). */
static void add_gains(const gpai_evidence *e, const double *fit, size_t n, double *l)
{
    double less = to_exceed(e), more = less * (1 - 1e-12); /* than is rounding */
    for (size_t i = 0; i < n; i++)
        l[i] += fit[i] > more ? fit[i] + log(-expm1(less - fit[i])) : -HUGE_VAL;
}

/* Without what fmin and fmax do for numbers that are none. */
static inline double smaller(double x, double y)
{
    return x < y ? x : y;
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* Of a piece along which f changes from u to v, the part with f nearer to y. */
static double nearer(const gpai_evidence *e, double r, double *u, double *v)
{
    double from = *u, change = *v - *u;
    if (!e->gains)
        return 1;
    if (change == 0)
        return fabs(r - from) < fabs(r) ? 1 : 0;
    double a = smaller(larger(-from / change, 0), 1);
    double b = smaller(larger((2 * r - from) / change, 0), 1);
    *u = from + smaller(a, b) * change;
    *v = from + larger(a, b) * change;
    return fabs(b - a);
}

/* Half of a cell, from its middle to its left or right border, in pieces along which f
 * is straight: they end where it was asked. */
static void cut_half(gpai_grid *g, size_t t, const gpai_side *s, size_t i, size_t right)
{
    const gpai_profile *r = g->e->profile;
    const double *node = r->node + r->start[s->axis];
    gpai_place to = s->border[i + right], from = s->place[i];
    double scale = 1 / sqrt(2 * g->e->b), all = s->edge[i + right] - s->value[i];
    double at = s->value[i], u = s->u[i], y = g->e->residual[t];
    size_t between = from.left > to.left ? from.left - to.left : to.left - from.left;
    for (size_t j = 0; j <= between + 2; j++) {
        /* nodes from the one on this side of the middle on, then the border */
        size_t next = right ? from.left + j : from.left + 1 - j;
        double end = s->edge[i + right], v = g->across[i + right];
        if (j <= between + 1) {
            if (next >= r->nodes[s->axis])
                continue;
            end = node[next];
            if (!((end - at) / all > 0 && (s->edge[i + right] - end) / all > 0))
                continue;
            v = r->f[(r->start[s->axis] + next) * r->n + t] - r->base[t];
        }
        double share = all != 0 ? (end - at) / all : 1, a = u, b = v;
        share *= isfinite(v - u) ? nearer(g->e, y, &a, &b) : 0; /* impossible anyway */
        if (share > 0) {
            g->x[g->pieces] = (y - 0.5 * (a + b)) * scale;
            g->y[g->pieces] = 0.5 * (b - a) * scale;
            g->piece[g->pieces++] = (gpai_piece){.cell = i, .share = 0.5 * share};
        }
        at = end;
        u = v;
    }
}

/* sum[i] += the mean of what half of every cell gains, times a half. */
static void add_half(gpai_grid *g, size_t t, const gpai_side *s, size_t right,
                     double *sum)
{
    g->pieces = 0;
    for (size_t i = 0; i < s->count; i++)
        cut_half(g, t, s, i, right);
    double less = exp(to_exceed(g->e));
    memset(g->m, 0, g->pieces * sizeof *g->m); /* no second width */
    gpai_student_mean(g->x, g->y, g->m, g->pieces, g->m);
    for (size_t i = 0; i < g->pieces; i++) {
        double away = fabs(g->x[i]) - fabs(g->y[i]), *near = s->near + g->piece[i].cell;
        sum[g->piece[i].cell] += g->piece[i].share * larger(g->m[i] - less, 0);
        *near = smaller(*near, larger(away, 0));
    }
}

/* l += ln of the mean over the cells of a line: of both their halves, which have the
 * same chance. */
static void add_cells(gpai_grid *g, size_t t, const gpai_side *s, double *l)
{
    double *mean = s->top;
    memset(mean, 0, s->ld * sizeof *mean);
    for (size_t i = 0; i < s->count; i++)
        s->near[i] = HUGE_VAL;
    add_half(g, t, s, 0, mean);
    add_half(g, t, s, 1, mean);
    for (size_t i = 0; i < s->count; i++)
        l[i] += mean[i] > 0 ? 0 : -HUGE_VAL;
    g->vectors->log(mean, s->count);
    for (size_t i = 0; i < s->count; i++)
        l[i] += mean[i];
}

/* ln: a cell that may hold less than so many times as much is known. */
static const double BLURRED = 0.5;

/* A cell's likelihood and plausibility are means over it, and so is not their product:
 * it is no more than either mean times how high the other goes. */
static void bound_cells(const gpai_grid *g, const gpai_side *s, double *more)
{
    const gpai_plausible *q = g->e->plausible;
    memset(more, 0, s->count * sizeof *more);
    if (q == NULL || !gpai_grid_by_score(g->e, s->axis))
        return;
    size_t first = q->crowd->trait[s->axis].first;
    double p = gpai_plausible_link(q, first, first);
    for (size_t i = 0; i < s->count; i++) {
        double blur = 0.5 * log1p(p * s->wide[i] * s->wide[i] / 12);
        double highest = -GPAI_LIKELIHOOD_POWER * log1p(s->near[i] * s->near[i]);
        if (blur > BLURRED)
            more[i] = fmin(blur, highest - s->top[i]);
    }
}

/* l += ln of the plausibility of a line's cells in row t. */
static void add_line(gpai_grid *g, size_t t, gpai_side *s, double *l)
{
    gpai_plausible *q = g->e->plausible;
    if (s->even.count > 0 && t == gpai_evidence_row(g->e, 0) &&
        s->count % GPAI_VPAD == 0) {
        gpai_grid_place(g, s, t);
        gpai_plausible_even_cells(q, s->axis, &s->terms, s->cell, l);
        for (size_t i = 0; i < s->count; i++)
            s->wide[i] = s->cell;
        return;
    }
    gpai_plausible_place(q, s->axis, s->edge, s->count + 1, &s->terms);
    for (size_t i = 0; i < s->count; i++)
        s->wide[i] = s->terms.shift[i + 1] - s->terms.shift[i];
    gpai_plausible_place(q, s->axis, s->value, s->count, &s->terms);
    gpai_plausible_cells(q, s->axis, &s->terms, s->wide, l);
}

/* What row t says of a side's places: l, of their plausibility and, if it is the only
 * row, of everything; `fit`, of f. `more`: how many times as much they may hold, ln.
 * `plain`: what all rows say of their plausibility alone, or NULL. */
static void add_single(gpai_grid *g, size_t t, gpai_side *s, double *l, double *fit,
                       double *more, double *within, double *plain)
{
    const gpai_evidence *e = g->e;
    gpai_plausible *q = e->plausible;
    bool last = t == gpai_evidence_row(e, e->rows - 1);
    if (q != NULL && s->line) {
        add_line(g, t, s, l);
    } else if (q != NULL) {
        gpai_plausible_terms(q, s->axis, s->value, s->count, &s->terms);
        gpai_plausible_gain(q, &s->terms, s->top, g->m, l);
    }
    if (last && plain != NULL)
        memcpy(plain, l, s->count * sizeof *plain);
    memset(s->terms.own, 0, s->ld * sizeof *s->terms.own);
    gpai_grid_change(g, s, t);
    double *to = s->line && within == NULL ? l : fit;
    for (size_t i = 0; i < s->count; i++)
        to[i] += s->terms.own[i]; /* nothing, or impossible */
    if (to == l) {
        add_cells(g, t, s, l);
        bound_cells(g, s, more);
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        double r = e->residual[t] - s->u[i];
        g->y[i] = within != NULL ? gpai_within_row(within + i * gpai_within_size(1), 1,
                                                   &s->w[i], e->b, &r)
                                 : e->b;
        g->x[i] = r * r;
    }
    gpai_grid_likelihood(g, s->count, fit);
    if (last && e->s->axis[s->axis].gap)
        for (size_t i = 0; i < s->count; i++)
            l[i] += fit[i]; /* nobody wrote a wrong value */
    else if (last)
        add_gains(e, fit, s->count, l);
}

/* Closer looks: where a cell holds more than MUCH of what its axis has, it and those
 * with more than LITTLE are cut into parts of EACH or less, a few times. Of several
 * rows less is much: they know more about the place within a cell than is kept. A cell
 * that may hold more than it seems, and then DOUBT of the answer, is cut into PARTS. */
static const double MUCH = 0.14, MUCH_OF_SEVERAL = 0.06, EACH = 0.05, LITTLE = 0.01,
                    DOUBT = 1e-3;
enum { LOOKS = 12, PARTS = 4 };

/* An axis that is looked at: what it has, and what the likeliest one has; how much is
 * too little to be cut; each cell's share, and into how many parts it is cut. */
struct view {
    gpai_single *a;
    double best, doubt;
    double share[GPAI_MOVES_MOST];
    size_t parts[GPAI_MOVES_MOST];
};

/* All parts. `much`: some cells hold so much that others matter, too. */
static size_t plan_parts(struct view *v, bool much)
{
    const gpai_single *a = v->a;
    double least = v->best + log(v->doubt);
    size_t all = 0;
    for (size_t i = 0; i < a->count; i++) {
        double share = v->share[i];
        size_t parts = much && share > LITTLE ? 2 + (size_t)(share / EACH) : 1;
        bool unknown = a->more[i] > BLURRED && a->log[i] + a->more[i] > least;
        v->parts[i] = unknown && parts < PARTS ? PARTS : parts;
        all += v->parts[i];
    }
    return all;
}

/* The cells of an axis that are to be cut: from *first to *last. Their parts become
 * the cells of `to`; false: there are none, or no room. */
static bool cut_again(const gpai_grid *g, size_t axis, struct view *v, gpai_side *to,
                      size_t *first, size_t *last)
{
    const gpai_single *a = v->a;
    double most = 0, much = g->e->rows > 1 ? MUCH_OF_SEVERAL : MUCH;
    size_t count = 0, all;
    for (size_t i = 0; i < a->count; i++)
        v->share[i] = a->log[i] - a->log_evidence;
    g->vectors->exp(v->share, a->count);
    for (size_t i = 0; i < a->count; i++)
        most = fmax(most, v->share[i]);
    while ((all = plan_parts(v, most > much)) > g->most && v->doubt < 1)
        v->doubt *= 4;
    if (all == a->count || all > g->most)
        return false;
    for (*first = 0; v->parts[*first] == 1;)
        ++*first;
    for (*last = a->count - 1; v->parts[*last] == 1;)
        --*last;
    to->axis = axis;
    to->line = true;
    for (size_t i = *first; i <= *last; i++) {
        size_t parts = v->parts[i];
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

/* Looks closer at one axis. `part`: room for the new cells. */
static bool look(gpai_grid *g, size_t axis, gpai_side *part, double *within,
                 struct view *v)
{
    const gpai_evidence *e = g->e;
    gpai_single *a = v->a;
    double *l = g->l + e->s->axes * g->room, *fit = g->fit + e->s->axes * g->room;
    double more[GPAI_MOVES_MOST] = {0};
    size_t first, last;
    if (!cut_again(g, axis, v, part, &first, &last))
        return false;
    memset(l, 0, part->ld * sizeof *l);
    memset(fit, 0, part->ld * sizeof *fit);
    for (size_t i = 0; i < part->count && e->rows > 1; i++)
        gpai_within_start(within + i * gpai_within_size(1), 1);
    for (size_t i = 0; i < e->rows; i++) {
        size_t t = gpai_evidence_row(e, i);
        if (e->plausible != NULL && e->rows > 1)
            gpai_plausible_row(e->plausible, t);
        add_single(g, t, part, l, fit, more, e->rows > 1 ? within : NULL, NULL);
    }
    for (size_t i = 0; i < part->count; i++)
        l[i] += part->chance[i];
    size_t n = last - first + 1, behind = a->count - last - 1, m = part->count;
    splice(a->value + first, n, part->value, m, behind);
    splice(a->log + first, n, l, m, behind);
    splice(a->more + first, n, more, m, behind);
    splice(a->edge + first, n, part->edge, m, behind + 1);
    a->count += m - n;
    a->log_evidence = g->vectors->log_sum(a->log, a->count);
    return true;
}

/* Axes so far below the likeliest need no closer look. */
static const double FAR_BELOW = 9;

/* ln of what an axis may have at most. */
static double most_of(const gpai_single *a)
{
    double most = 0;
    for (size_t i = 0; i < a->count && a->line; i++)
        most = fmax(most, a->more[i]);
    return a->log_evidence + most;
}

/* Cells may hold too much, and less in parts: then others matter. */
static void look_closer(gpai_grid *g, size_t axes, gpai_single *out)
{
    double *within = g->within + axes * g->room * gpai_within_size(1);
    struct view v;
    bool more = true;
    for (int j = 0; j < LOOKS && more; j++) {
        double best = -HUGE_VAL;
        more = false;
        for (size_t i = 0; i < axes; i++)
            best = fmax(best, out[i].log_evidence);
        for (size_t i = 0; i < axes && isfinite(best); i++) {
            v.a = &out[i];
            v.best = best;
            v.doubt = DOUBT;
            /* the chance of what is far beyond a limit would be no number */
            bool near = g->e->s->axis[i].side == 0 || gpai_grid_by_score(g->e, i);
            if (out[i].line && most_of(&out[i]) >= best - FAR_BELOW && near &&
                look(g, i, &g->side[axes], within, &v))
                more = true;
        }
    }
}

/* An axis that has no say is not at fault, either. */
static bool is_silent(const gpai_evidence *e, size_t axis)
{
    const bool *silent = e->plausible != NULL ? e->plausible->silent : NULL;
    return silent != NULL && silent[axis];
}

/* Whether f has no value at some place of an axis. */
static bool is_lacking(const gpai_evidence *e)
{
    double range[2];
    for (size_t i = 0; i < e->s->axes; i++)
        if (gpai_profile_lost(e->profile, i, range) > 0)
            return true;
    return false;
}

/* The share of a side's places where f has no value, by chance and plausibility. */
static double unjudged_share(gpai_grid *g, gpai_side *s, const double *plain)
{
    const gpai_evidence *e = g->e;
    double top = -HUGE_VAL, all = 0, lost = 0;
    memset(s->terms.own, 0, s->ld * sizeof *s->terms.own);
    for (size_t i = 0; i < e->rows; i++)
        gpai_grid_change(g, s, gpai_evidence_row(e, i));
    for (size_t i = 0; i < s->count; i++)
        top = fmax(top, plain[i] + s->chance[i]);
    for (size_t i = 0; i < s->count && isfinite(top); i++) {
        double part = exp(plain[i] + s->chance[i] - top);
        all += part;
        lost += s->terms.own[i] < 0 ? part : 0;
    }
    return all > 0 ? lost / all : 0;
}

double gpai_unjudged_weigh(const gpai_evidence *e, const gpai_single *a, double output)
{
    double l = log(a->unjudged);
    if (!(a->unjudged > 0))
        return -HUGE_VAL;
    add_gains(e, &output, 1, &l);
    return l;
}

/* Borders of what a missing number might have been, half-way between the values that
 * were judged, and as far beyond the last ones. */
static void find_borders(const gpai_axis *a, gpai_single *to)
{
    const double *v = to->value;
    size_t n = to->count;
    for (size_t i = 0; i <= n; i++) {
        size_t right = i == 0 ? 1 : i == n ? n - 1 : i;
        double half = 0.5 * (v[right] - v[right - 1]);
        double at = i < n ? v[i] - half : v[n - 1] + half;
        to->edge[i] = fmin(fmax(at, a->lo), a->hi);
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
    bool several = e->rows > 1, lacking = is_lacking(e);
    double *plain = lacking ? gpai_calloc(axes * g.room, sizeof *plain) : NULL;
    if (lacking && plain == NULL) {
        gpai_grid_close(&g);
        return gpai_nomem(err, "culprit");
    }
    for (size_t j = 0; j < e->rows; j++) {
        size_t t = gpai_evidence_row(e, j);
        if (e->plausible != NULL)
            gpai_plausible_row(e->plausible, t);
        for (size_t i = 0; i < axes; i++)
            if (!is_silent(e, i))
                add_single(&g, t, &g.side[i], g.l + i * g.room, g.fit + i * g.room,
                           out[i].more, several ? g.within + i * g.room * size : NULL,
                           lacking ? plain + i * g.room : NULL);
    }
    for (size_t i = 0; i < axes; i++) {
        gpai_side *s = &g.side[i];
        const double *l = g.l + i * g.room;
        out[i].unjudged =
            lacking && !is_silent(e, i) ? unjudged_share(&g, s, plain + i * g.room) : 0;
        out[i].count = s->count;
        out[i].line = s->line;
        if (s->line)
            memcpy(out[i].edge, s->edge, (s->count + 1) * sizeof *s->edge);
        for (size_t c = 0; c < s->count; c++) {
            out[i].value[c] = s->value[c];
            out[i].log[c] = is_silent(e, i) ? -HUGE_VAL : l[c] + s->chance[c];
        }
        const gpai_axis *a = &e->s->axis[i];
        out[i].cells =
            s->line || (a->gap && a->kind == GPAI_AXIS_PLAIN && s->count > 1);
        if (out[i].cells && !s->line)
            find_borders(a, &out[i]);
        out[i].log_evidence = g.vectors->log_sum(out[i].log, s->count);
    }
    look_closer(&g, axes, out);
    gpai_free(plain);
    gpai_grid_close(&g);
    return GPA_OK;
}

void gpai_exchanges_weigh(const gpai_evidence *e, const gpai_exchanges *x,
                          gpai_subset *out)
{
    size_t n = e->p->n;
    for (size_t i = 0; i < x->count; i++) {
        double l = x->gain[i], fit = 0;
        for (size_t t = 0; t < n; t++) {
            double r = e->residual[t] + e->profile->base[t] - x->f[i * n + t];
            fit -= GPAI_LIKELIHOOD_POWER * log1p(r * r / (2 * e->b));
        }
        add_gains(e, &fit, 1, &l);
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
    double off[CELLS], edge[CELLS + 1], within[CELLS][2]; /* of spread 1; of both */
    const gpai_vectors *v = gpai_vectors_at(0);
    gpai_grid g = {.e = e, .vectors = v, .x = x, .y = y};
    for (size_t i = 0; i <= CELLS / 2; i++) {
        edge[i] = gpai_norm_quantile((i == 0 ? 0.25 : (double)i) / CELLS);
        edge[CELLS - i] = -edge[i];
        off[i] = i < CELLS / 2 ? gpai_norm_quantile(((double)i + 0.5) / CELLS) : 0;
        off[CELLS - 1 - i] = -off[i];
    }
    for (size_t i = 0; i < CELLS && e->rows > 1; i++)
        gpai_within_start(within[i], 1);
    for (size_t j = 0; j < e->rows; j++) {
        double residual = e->residual[gpai_evidence_row(e, j)];
        for (size_t i = 0; i < CELLS; i++) {
            double r = residual - spread * off[i];
            double width = spread * (edge[i + 1] - edge[i]);
            y[i] = e->rows > 1 ? gpai_within_row(within[i], 1, &width, e->b, &r)
                               : e->b + GPAI_LIKELIHOOD_SHAPE * width * width / 12;
            x[i] = r * r;
        }
        gpai_grid_likelihood(&g, CELLS, l);
    }
    return v->log_sum(l, CELLS) - log((double)CELLS);
}
