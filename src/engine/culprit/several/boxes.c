#include "engine/culprit/several/boxes.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/culprit/grid.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    BOXES = 2048, /* at once; those with least are not cut */
    PLACES = 256, /* of an axis at once */
    LEVELS = 14,  /* how often a box is cut: 8 cells become 131,072 */
    MOST = 3      /* axes */
};

/* A box is cut again as long as it has LITTLE of the answer, and cutting the one it was
 * cut from changed that one by a part, CHANGED, and the answer by a part, NOTICED. A
 * cut may change nothing by chance: what has MUCH of the answer is cut until that is
 * so twice. Sums of what factors leave are numbers as long as they go no farther below
 * 1 than exp(-SAFE_RANGE). */
static const double LITTLE = 7e-5, MUCH = 7e-4, CHANGED = 0.03, NOTICED = 1e-4,
                    SAFE_RANGE = 600;

/* Where boxes are wider than the components, a box may hold more than it seems: the
 * likelihood may be highest where a component is. It holds no more than with the
 * components as high as they are, nor than with the likelihood at its highest. A box
 * that may still hold so many times more is cut, whatever changed; more than MORE times
 * is not believed, or all boxes would be cut. */
static const double BLURRED = 3, MORE = 1e4, MORE_OF_SEVERAL = 1e12;

/* Wide boxes may hold far too much. When the sum has become smaller by exp of so much,
 * or, of several rows, boxes that are known have so much less, all is looked at once
 * more: what was little of it then may be much of it now. At once it is not taken for
 * less than what was seen by more than exp of STEP. */
static const double FALLEN = 1, STEP = 40;

/* An axis at the places that boxes have of it. */
struct side {
    const gpai_axis *a;
    size_t axis, count, ld;
    bool line, scores; /* a line; its cells are even in the score */
    size_t *index;     /* which cell of its level, or which of the list */
    double *value, *chance, *edge, *end; /* middle, ln, both edges; f at edges */
    gpai_place *border;
    double *u, *half; /* change of f in the middle of its range, and how far it goes */
    gpai_terms terms;
    double *own, *top, *log; /* components by ld */
    double *factor;          /* places by components */
    size_t *next;            /* what is the first half of a place at the next level */
};

struct box {
    uint32_t at[MOST];
    uint32_t parent;
    bool calm; /* the cut before changed nothing, either */
};

struct gpai_boxes {
    const gpai_evidence *e;
    const gpai_vectors *v;
    size_t size, cells, room, places, components; /* cells at first; room: of boxes */
    struct side side[MOST];
    struct box *box, *old; /* at hand, and those they were cut from */
    size_t count, olds;
    double *l, *was, *sum; /* of both, and what each of `old` became */
    gpai_likelihood mean;
    double *share, *within;
    double *joint;
    gpai_linked linked;
    double range;
    double trust;     /* what ln of plausibility counts for */
    double top, done; /* ln: of the largest share; of all boxes that are done */
    double sure, aim; /* ln: of boxes that are known; what is known of the evidence */
    double *block;
};

static size_t padded(size_t n)
{
    return gpai_grid_padded(n);
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_boxes *w = work;
    const gpai_plausible *q = w->e->plausible;
    size_t n = w->components, ld = padded(w->places) + GPAI_VPAD;
    w->box = gpai_take_bytes(a, w->room, sizeof *w->box);
    w->old = gpai_take_bytes(a, w->room, sizeof *w->old);
    GPAI_TAKE_EACH(a, padded(w->room), 1, &w->l, &w->was, &w->sum, &w->share,
                   &w->mean.t, &w->mean.half[0], &w->mean.half[1], &w->mean.half[2],
                   &w->mean.share);
    w->within = gpai_take(a, w->e->rows > 1 ? w->room : 0, gpai_within_size(w->size));
    w->joint = gpai_take(a, padded(n), 1);
    for (size_t i = 0; i < w->size; i++) {
        struct side *s = &w->side[i];
        s->index = gpai_take_bytes(a, ld, sizeof *s->index);
        s->next = gpai_take_bytes(a, ld, sizeof *s->next);
        s->border = gpai_take_bytes(a, 2 * ld, sizeof *s->border);
        GPAI_TAKE_EACH(a, ld, 1, &s->value, &s->chance, &s->u, &s->half, &s->terms.own,
                       &s->own, &s->top);
        GPAI_TAKE_EACH(a, ld, 2, &s->edge, &s->end);
        s->terms.shift = gpai_take(a, ld, q != NULL ? q->widest : 0);
        GPAI_TAKE_EACH(a, ld, padded(n), &s->log, &s->factor);
    }
}

static void take_axis(const gpai_evidence *e, size_t axis, struct side *s)
{
    const gpai_moves *m = &e->moves[axis];
    s->axis = axis;
    s->a = &e->s->axis[axis];
    s->line = m->line;
    s->scores = s->line && gpai_grid_by_score(e, axis);
    for (size_t i = 0; i < m->count && !s->line; i++) {
        s->index[i] = i;
        s->value[i] = m->value[i];
        s->chance[i] = m->chance[i];
    }
    s->count = s->line ? 0 : m->count;
}

/* The place on a line at a share of it. */
static double line_at(const gpai_evidence *e, const struct side *s, double share)
{
    const gpai_axis *a = s->a;
    if (!s->scores)
        return gpai_line_at(e->s, a, share);
    double value = gpai_crowd_value(e->plausible->crowd, s->axis,
                                    GPAI_CROWD_REACH * (2 * share - 1));
    double x = e->p->x[gpai_evidence_row(e, 0) * e->p->d + a->input],
           unit = e->p->unit[a->input];
    return fmin(fmax((value - x) / unit, a->lo), a->hi);
}

/* Middles, edges and chances of the cells of a line, `cells` of which make it up.
 * Neighbours have an edge in common. */
static void cut_line(const gpai_evidence *e, struct side *s, double cells)
{
    static const double NOTHING = 1e-300;
    double outside = 0.01 / cells, tail = 0; /* an end may be infinite */
    double each = s->scores ? 0 : gpai_line_mass(s->a) - log(cells);
    for (size_t i = 0; i < s->count; i++) {
        double at = (double)s->index[i], *edge = s->edge + 2 * i;
        double low = at / cells, high = (at + 1) / cells;
        bool next = i > 0 && s->index[i] == s->index[i - 1] + 1;
        edge[0] = next ? edge[-1] : line_at(e, s, s->scores ? low : fmax(low, outside));
        edge[1] = line_at(e, s, s->scores ? high : fmin(high, 1 - outside));
        s->value[i] = line_at(e, s, (at + 0.5) / cells);
        s->chance[i] = each - gpai_line_room(e->s, s->a, s->value[i]);
        if (!s->scores)
            continue;
        double before = next ? tail : gpai_prior_cdf(&e->s->prior, -fabs(edge[0]));
        tail = gpai_prior_cdf(&e->s->prior, -fabs(edge[1]));
        double mass = gpai_prior_between(edge[0], before, edge[1], tail);
        s->chance[i] += mass > NOTHING ? log(mass) : -HUGE_VAL;
    }
}

static void find_places(const gpai_evidence *e, struct side *s)
{
    s->ld = s->terms.ld = padded(s->count);
    if (s->line)
        gpai_profile_places(e->profile, s->axis, s->edge, 2 * s->count, s->border);
    else
        gpai_profile_places(e->profile, s->axis, s->value, s->count, s->border);
}

/* How far f goes in row t: at each place of a list, and anywhere in a cell. */
static void find_changes(const gpai_evidence *e, struct side *s, size_t t)
{
    size_t ends = s->line ? 2 : 1;
    gpai_profile_change(e->profile, s->axis, t, s->border, ends * s->count, s->end);
    for (size_t i = 0; i < s->count; i++) {
        const gpai_place *b = &s->border[ends * i];
        s->u[i] = s->end[ends * i];
        s->half[i] = 0;
        if (s->line)
            gpai_profile_range(e->profile, s->axis, t, b, b + 1, s->end + 2 * i,
                               &s->u[i], &s->half[i]);
        if (!isfinite(s->u[i]) || !isfinite(s->half[i])) {
            s->u[i] = s->half[i] = 0;
            s->own[i] = -HUGE_VAL;
        }
    }
}

/* Cells whose middles are among the marks, of the first row. */
static bool place_marks(const gpai_boxes *w, struct side *s, size_t t, size_t cells)
{
    const gpai_plausible *q = w->e->plausible;
    if (!s->scores || t != gpai_evidence_row(w->e, 0) || GPAI_CROWD_CELLS % cells != 0)
        return false;
    const gpai_trait *trait = &q->crowd->trait[s->axis];
    for (size_t i = 0; i < s->count; i++) {
        size_t mark = (2 * s->index[i] + 1) * (GPAI_CROWD_CELLS / cells);
        s->terms.own[i] = trait->plain[mark] - q->own[s->axis];
        s->terms.shift[i] = gpai_mark_score(mark) - q->z[trait->first];
    }
    return true;
}

/* Row t at the places of one axis: shifts of the scores, changes of f. */
static void load_side(const gpai_boxes *w, struct side *s, size_t t, size_t cells)
{
    gpai_plausible *q = w->e->plausible;
    memset(s->terms.own, 0, s->ld * sizeof *s->own);
    if (place_marks(w, s, t, cells)) {
        s->terms.count = s->count;
    } else if (q != NULL && s->a->gap) {
        s->terms.e = s->log;
        gpai_plausible_terms(q, s->axis, s->value, s->count, &s->terms);
    } else if (q != NULL) {
        gpai_plausible_place(q, s->axis, s->value, s->count, &s->terms);
    }
    memcpy(s->own, s->terms.own, s->ld * sizeof *s->own);
    find_changes(w->e, s, t);
}

/* From ln of the factors, components by places, to places by components. */
static void turn(const gpai_boxes *w, struct side *s, bool first)
{
    size_t n = w->linked.components, next = padded(n);
    for (size_t c = 0; c < s->count; c++) {
        double *to = s->factor + c * next;
        for (size_t k = 0; k < n; k++)
            to[k] = s->log[k * s->ld + c] + (first ? w->linked.base[k] : 0);
        for (size_t k = n; k < next; k++)
            to[k] = -HUGE_VAL;
    }
    if (w->range <= SAFE_RANGE)
        w->v->exp(s->factor, s->count * next);
}

/* The axes together in row t: each one's factors of the components, which are widened
 * by their means over cells. */
static void link_sides(gpai_boxes *w, double cells)
{
    const double *shift[MOST];
    size_t axis[MOST], count[MOST];
    double widen[MOST], top = -HUGE_VAL, least = HUGE_VAL;
    for (size_t i = 0; i < w->size; i++) {
        struct side *s = &w->side[i];
        double h = 2 * GPAI_CROWD_REACH / cells;
        const gpai_plausible *q = w->e->plausible;
        axis[i] = s->axis;
        shift[i] = s->terms.shift;
        count[i] = s->count;
        widen[i] = s->scores ? h * h / 12 : 0;
        double z0 = q->z[q->crowd->trait[s->axis].first];
        for (size_t c = 0; c < s->count && s->scores; c++)
            s->own[c] += gpai_plausible_widened(s->terms.shift[c] + z0, widen[i]);
    }
    gpai_linked_take(&w->linked, axis, w->size, widen);
    gpai_linked_prune(&w->linked, shift, count);
    size_t n = w->linked.components;
    for (size_t k = 0; k < n; k++) {
        double base = w->linked.base[k];
        top = base > top ? base : top;
        least = base < least ? base : least;
    }
    for (size_t k = 0; k < n; k++)
        w->linked.base[k] -= top;
    w->range = top - least;
    for (size_t i = 0; i < w->size; i++) {
        struct side *s = &w->side[i];
        w->range += gpai_linked_terms(&w->linked, i, s->terms.shift, s->count, s->ld,
                                      s->own, s->log, s->top);
        for (size_t c = 0; c < s->count && i == 0; c++)
            s->own[c] += top;
    }
    for (size_t i = 0; i < w->size; i++) {
        struct side *s = &w->side[i];
        for (size_t c = 0; c < s->count && n == 1; c++)
            s->own[c] += s->log[c];
        if (n > 1)
            turn(w, s, i == 0);
    }
}

/* dz_a' P dz_b of a box. */
static double cross(const gpai_boxes *w, size_t a, size_t b, const struct box *x)
{
    const gpai_linked *k = &w->linked;
    size_t m = k->first[a + 1] - k->first[a], n = k->first[b + 1] - k->first[b];
    const double *u = w->side[a].terms.shift + x->at[a] * m;
    const double *v = w->side[b].terms.shift + x->at[b] * n;
    const double *p = k->p + k->first[a] * k->n + k->first[b];
    if (m == 1 && n == 1)
        return *u * *p * *v;
    double sum = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            sum += u[i] * p[i * k->n + j] * v[j];
    return sum;
}

/* The sum over the components at a box; ln of it where factors are logs. */
static double mix(gpai_boxes *w, const struct box *x, bool logs)
{
    size_t n = w->linked.components, next = padded(n);
    const double *f[MOST] = {0};
    for (size_t i = 0; i < w->size; i++)
        f[i] = w->side[i].factor + x->at[i] * next;
    if (!logs && w->size == 2)
        return w->v->dot(f[0], f[1], n);
    if (!logs)
        return w->v->dot_of_three(f[0], f[1], f[2], n);
    for (size_t k = 0; k < next; k++)
        w->joint[k] = f[0][k] + f[1][k] + (w->size == 3 ? f[2][k] : 0);
    return w->v->log_sum(w->joint, n);
}

/* What a single component says is in `own`, but for what links the axes. */
static void add_plausible(gpai_boxes *w)
{
    bool logs = w->range > SAFE_RANGE, one = w->linked.components == 1;
    double *sum = w->mean.t, trust = w->trust;
    for (size_t i = 0; i < w->count; i++)
        sum[i] = one ? 0 : mix(w, &w->box[i], logs);
    if (!logs && !one)
        w->v->log(sum, w->count);
    for (size_t i = 0; i < w->count; i++) {
        const struct box *x = &w->box[i];
        w->l[i] += trust * (sum[i] - cross(w, 0, 1, x));
        if (w->size == 3)
            w->l[i] -= trust * (cross(w, 0, 2, x) + cross(w, 1, 2, x));
    }
}

/* Row t, which is one of several: what those before say of the place within a box
 * counts. */
static void add_together(gpai_boxes *w, size_t t)
{
    static const double A = GPAI_LIKELIHOOD_SHAPE;
    size_t each = gpai_within_size(w->size);
    for (size_t i = 0; i < w->count; i++) {
        double r = w->e->residual[t], across[MOST];
        for (size_t j = 0; j < w->size; j++) {
            const struct side *s = &w->side[j];
            r -= s->u[w->box[i].at[j]];
            across[j] = 2 * s->half[w->box[i].at[j]];
        }
        double y = gpai_within_row(w->within + i * each, w->size, across, w->e->b, &r);
        w->l[i] -= (A + 0.5) * log1p(r * r / (2 * y)) + 0.5 * log(y / w->e->b);
    }
}

/* By how much f is off in the middle of a box, how far it goes from there along each
 * axis, and the mean square of the smallest change. */
static inline double off_by(const gpai_boxes *w, const struct box *x, double residual,
                            double *half, double *least)
{
    *least = HUGE_VAL;
    for (size_t j = 0; j < w->size; j++) {
        double u = w->side[j].u[x->at[j]], h = fabs(w->side[j].half[x->at[j]]);
        double square = u * u + h * h / 3;
        residual -= u;
        half[j] = h;
        *least = square < *least ? square : *least;
    }
    return residual;
}

/* Row t by itself: its likelihood's mean over the boxes. */
static void add_alone(gpai_boxes *w, size_t t)
{
    const gpai_likelihood *m = &w->mean;
    double residual = w->e->residual[t], half[MOST] = {0};
    for (size_t i = 0; i < w->count; i++) {
        m->t[i] = off_by(w, &w->box[i], residual, half, &m->share[i]);
        for (size_t j = 0; j < 2 && w->size == 3; j++) {
            double least = half[j] < half[2] ? half[j] : half[2];
            half[j] = half[j] < half[2] ? half[2] : half[j];
            half[2] = least;
        }
        for (size_t j = 0; j < MOST; j++)
            m->half[j][i] = half[j];
    }
    gpai_likelihood_add(m, w->v, w->count, w->size == 3, w->l);
}

/* l += what the places of each box have of their own. */
static void add_own(gpai_boxes *w)
{
    const double *a = w->side[0].own, *b = w->side[1].own, *c = w->side[2].own;
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t *at = w->box[i].at;
        w->l[i] += a[at[0]] + b[at[1]] + (w->size == 3 ? c[at[2]] : 0);
    }
}

/* Places have what they add to plausibility, and, in the last row, their chance. */
static void settle_own(const gpai_boxes *w, struct side *s, bool last)
{
    for (size_t c = 0; c < s->count; c++)
        s->own[c] = w->trust * s->own[c] + (last ? s->chance[c] : 0);
}

/* ln of what is in each box at hand. */
static void weigh(gpai_boxes *w, size_t cells)
{
    const gpai_evidence *e = w->e;
    for (size_t i = 0; i < w->size; i++) {
        if (w->side[i].line)
            cut_line(e, &w->side[i], (double)cells);
        find_places(e, &w->side[i]);
    }
    memset(w->l, 0, w->count * sizeof *w->l);
    for (size_t i = 0; i < w->count && e->rows > 1; i++)
        gpai_within_start(w->within + i * gpai_within_size(w->size), w->size);
    for (size_t r = 0; r < e->rows; r++) {
        size_t t = gpai_evidence_row(e, r);
        if (e->plausible != NULL)
            gpai_plausible_row(e->plausible, t);
        for (size_t i = 0; i < w->size; i++)
            load_side(w, &w->side[i], t, cells);
        if (e->plausible != NULL) {
            link_sides(w, (double)cells);
            add_plausible(w);
        }
        for (size_t i = 0; i < w->size; i++)
            settle_own(w, &w->side[i], r + 1 == e->rows);
        add_own(w);
        (e->rows > 1 ? add_together : add_alone)(w, t);
    }
}

/* All boxes of the first level. */
static void start(gpai_boxes *w)
{
    size_t n[MOST] = {1, 1, 1};
    w->count = w->olds = 0;
    w->done = w->sure = -HUGE_VAL;
    for (size_t i = 0; i < w->size; i++) {
        struct side *s = &w->side[i];
        for (size_t c = 0; c < w->cells && s->line; c++)
            s->index[c] = c;
        n[i] = s->count = s->line ? w->cells : s->count;
    }
    for (size_t k = 0; k < n[2]; k++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t i = 0; i < n[0]; i++)
                w->box[w->count++] =
                    (struct box){.at = {(uint32_t)i, (uint32_t)j, (uint32_t)k}};
}

/* The halves of the places that boxes which are cut have; false: too many. */
static bool cut_places(gpai_boxes *w, const double *cut)
{
    for (size_t i = 0; i < w->size; i++) {
        struct side *s = &w->side[i];
        size_t used = 0;
        if (!s->line)
            continue;
        memset(s->next, 0, s->count * sizeof *s->next);
        for (size_t j = 0; j < w->count; j++)
            if (cut[j] > 0)
                s->next[w->box[j].at[i]] = 1;
        for (size_t c = 0; c < s->count; c++)
            used += s->next[c];
        if (2 * used > w->places)
            return false;
    }
    return true;
}

/* Places become their halves. */
static void halve_places(struct side *s)
{
    size_t used = 0;
    for (size_t c = 0; c < s->count; c++)
        if (s->next[c] != 0) {
            s->next[c] = 2 * used;
            s->top[used++] = (double)s->index[c];
        }
    s->count = 2 * used;
    for (size_t c = 0; c < used; c++) {
        s->index[2 * c] = 2 * (size_t)s->top[c];
        s->index[2 * c + 1] = s->index[2 * c] + 1;
    }
}

/* Boxes that are to be cut become their parts, the others are done. */
static void cut(gpai_boxes *w, const double *chosen)
{
    struct box *old = w->box;
    size_t lines = 0, n = 0, m = 0;
    double done = 0;
    for (size_t i = 0; i < w->size; i++) {
        lines += w->side[i].line;
        if (w->side[i].line)
            halve_places(&w->side[i]);
    }
    w->box = w->old;
    w->old = old;
    for (size_t i = 0; i < w->count; i++) {
        if (!(chosen[i] > 0)) {
            done += w->share[i];
            continue;
        }
        for (size_t part = 0; part < (size_t)1 << lines; part++) {
            struct box *x = &w->box[n++];
            x->parent = (uint32_t)m;
            x->calm = old[i].calm;
            for (size_t j = 0, bit = 0; j < w->size; j++) {
                const struct side *s = &w->side[j];
                size_t at = old[i].at[j];
                x->at[j] = (uint32_t)(s->line ? s->next[at] + (part >> bit & 1) : at);
                bit += s->line;
            }
        }
        w->was[m++] = w->l[i];
    }
    w->count = n;
    w->olds = m;
    if (done > 0)
        w->done = gpai_log_add(w->done, w->top + log(done));
}

/* How many times as high components are as they seem, all rows taken together. */
static double blur_of(const gpai_boxes *w)
{
    if (w->e->plausible == NULL)
        return 1;
    if (w->e->rows == 1)
        return fmin(w->linked.blur, MORE);
    return fmin(pow(w->linked.blur, w->trust * (double)w->e->rows), MORE_OF_SEVERAL);
}

/* How many times as much as it seems box i may hold, `blur` at most: the likelihood's
 * mean over it was noted where gpai_likelihood_add puts it. */
static double may_hold(const gpai_boxes *w, size_t i, double blur)
{
    if (w->e->rows > 1 || w->e->plausible == NULL)
        return blur;
    double half[MOST] = {0}, least, share = w->mean.share[i];
    double r =
        off_by(w, &w->box[i], w->e->residual[gpai_evidence_row(w->e, 0)], half, &least);
    double near = fmax(fabs(r) - half[0] - half[1] - half[2], 0) * share;
    double highest =
        log(share) - GPAI_LIKELIHOOD_POWER * log1p(near * near / (2 * w->e->b));
    return fmin(blur, exp(highest - w->mean.half[2][i]));
}

/* Which boxes are cut next: chosen[i] > 0. False: none. `all`: ln of the evidence. */
static bool choose(gpai_boxes *w, double all, double level, double *chosen)
{
    static const double FAR = 700;
    size_t lines = 0, count = 0;
    double aim = fmin(all, w->aim), odds = fmin(level - aim, FAR);
    double share = exp(fmin(w->top - aim, FAR)) / (1 + exp(odds)); /* of the answer */
    double blur = blur_of(w), sure = 0;
    for (size_t i = 0; i < w->size; i++)
        lines += w->side[i].line;
    for (size_t i = 0; i < w->olds; i++) {
        w->was[i] = exp(fmin(w->was[i] - w->top, FAR));
        w->sum[i] = -w->was[i];
    }
    for (size_t i = 0; i < w->count && w->olds > 0; i++)
        w->sum[w->box[i].parent] += w->share[i];
    for (size_t i = 0; i < w->count; i++) {
        double had = share * w->share[i];
        double more = blur > BLURRED && blur * had > LITTLE ? may_hold(w, i, blur) : 1;
        struct box *x = &w->box[i];
        bool calm =
            w->olds > 0 && !(fabs(w->sum[x->parent]) > CHANGED * w->was[x->parent] &&
                             fabs(w->sum[x->parent]) * share > NOTICED);
        bool known = calm && (x->calm || had < MUCH) && !(more > BLURRED);
        x->calm = calm;
        chosen[i] = !known && more * had > LITTLE ? more * had : 0;
        count += chosen[i] > 0;
        sure += known ? w->share[i] : 0;
    }
    if (sure > 0)
        w->sure = gpai_log_add(w->sure, w->top + log(sure));
    double least = LITTLE;
    while (lines > 0 && count > 0 &&
           (count << lines > w->room || !cut_places(w, chosen))) {
        least *= 2;
        count = 0;
        for (size_t i = 0; i < w->count; i++) {
            chosen[i] = chosen[i] > least ? chosen[i] : 0;
            count += chosen[i] > 0;
        }
    }
    return lines > 0 && count > 0;
}

/* What each box at hand has, over exp(top); gives ln of all. */
static double add_up(gpai_boxes *w)
{
    double top = w->done, sum = 0;
    for (size_t i = 0; i < w->count; i++)
        top = w->l[i] > top ? w->l[i] : top;
    w->top = top;
    if (!isfinite(top))
        return -HUGE_VAL;
    for (size_t i = 0; i < w->count; i++)
        w->share[i] = w->l[i] - top;
    w->v->exp(w->share, w->count);
    for (size_t i = 0; i < w->count; i++)
        sum += w->share[i];
    return top + log(exp(w->done - top) + sum);
}

/* Cuts boxes from the first level on; *most: the largest sum on the way. */
static double look(gpai_boxes *w, double level, double *most)
{
    double all = -HUGE_VAL;
    *most = -HUGE_VAL;
    start(w);
    for (int i = 0; i <= LEVELS; i++) {
        weigh(w, w->cells << i);
        all = add_up(w);
        *most = fmax(*most, all);
        if (!isfinite(all) || i == LEVELS || !choose(w, all, level, w->mean.t))
            break;
        cut(w, w->mean.t);
    }
    if (w->done < all) /* what is at hand */
        w->sure = gpai_log_add(w->sure, all + log1p(-exp(w->done - all)));
    return all;
}

gpa_status gpai_boxes_open(gpai_boxes **b, const gpai_evidence *e, size_t size,
                           size_t cells, gpa_error *err)
{
    const gpai_plausible *q = e->plausible;
    gpai_boxes *w = *b = gpai_calloc(1, sizeof *w);
    size_t places = cells;
    if (w == NULL)
        return gpai_nomem(err, "culprit");
    for (size_t i = 0; i < e->s->axes; i++)
        if (!e->moves[i].line && e->moves[i].count > places)
            places = e->moves[i].count;
    *w = (gpai_boxes){.e = e,
                      .v = gpai_vectors_at(0),
                      .size = size,
                      .room = places * places * (size == 3 ? places : 1),
                      .places = PLACES,
                      .trust = q != NULL ? q->trust : 1,
                      .mean = {.b = e->b},
                      .components = q != NULL ? q->crowd->components : 0};
    w->room = w->room > BOXES ? w->room : BOXES;
    w->block = gpai_carve_bare(lay_out, w);
    gpa_status st = w->block != NULL ? GPA_OK : gpai_nomem(err, "culprit");
    if (st == GPA_OK && q != NULL)
        st = gpai_linked_open(&w->linked, q, err);
    if (st != GPA_OK) {
        gpai_boxes_close(w);
        *b = NULL;
    }
    return st;
}

void gpai_boxes_close(gpai_boxes *b)
{
    if (b == NULL)
        return;
    gpai_linked_close(&b->linked);
    gpai_free(b->block);
    gpai_free(b);
}

void gpai_boxes_weigh(gpai_boxes *w, size_t cells, double level, gpai_subset *subset)
{
    enum { LOOKS = 6 };
    w->cells = cells;
    w->aim = HUGE_VAL;
    for (size_t i = 0; i < w->size; i++)
        take_axis(w->e, subset->axis[i], &w->side[i]);
    /* What is little of too much may be all that there is. */
    for (int i = 0; i < LOOKS; i++) {
        double most, all = subset->log_evidence = look(w, level, &most);
        double sure = w->e->rows > 1 ? fmax(w->sure, all - STEP) : all;
        if (!(most - all > FALLEN || all - sure > FALLEN) || !(sure < w->aim - CHANGED))
            break;
        w->aim = sure;
    }
}
