#include "engine/culprit/density/crowd.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/math/vectors.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Fewer rows cannot choose alpha. */
enum { MIXED = 30 };
static const double ALPHAS[] = {0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98};
enum { N_ALPHAS = sizeof ALPHAS / sizeof *ALPHAS };

/* What only gpai_crowd_open and gpai_crowd_without need. */
struct making {
    gpai_crowd *d;
    const gpai_crowd *all; /* without a row: what all of them say; else NULL */
    const gpai_space *s;
    const double *unit, *rows; /* d; n_rows by d */
    size_t n_rows, used;       /* all of them, or so many that are evenly spaced */
    const gpai_vectors *v;
    size_t levels, squares, level_scores; /* all levels + 1, their squares, scores */
    double *centre, *known;               /* axes by rows: for the columns */
    double *mark, *dense, *plain;         /* axes by marks */
    double *level;                        /* what has one number per level, and so on */
    double *score, *form;
    double *pull;            /* scores by rows, ld apart */
    double *through;         /* rank by rows, ld apart */
    double *rare;            /* scores */
    double *gram;            /* rows by rows, ld apart */
    double *e, *raw, *value; /* ld, and one row more */
    double *others;          /* three of those, without a row */
    double *in, *out;        /* scores */
    double *rank;
    size_t *first; /* axes + 1 */
    double *small; /* widest squared */
    size_t widest;
};

/* What an axis has in a row. */

/* The i-th row that is used. */
static const double *row_at(const struct making *w, size_t i)
{
    return w->rows + i * w->n_rows / w->used * w->s->d;
}

/* What a cell of a numeric axis counts as; NaN: missing. */
static double number_at(const gpai_trait *t, const gpai_axis *a, const double *row)
{
    double v = row[a->input];
    if (!isfinite(v) || (a->in != NULL && v == a->in->missing))
        return (double)NAN;
    if (t->kind == GPAI_TRAIT_WHOLE &&
        (v != nearbyint(v) || v < t->low || v > t->low + (double)(t->levels - 1)))
        return (double)NAN;
    return v;
}

/* The level of a choice that a row is in; a->levels: none. */
static double level_at(const gpai_axis *a, const double *row)
{
    for (size_t l = 0; l < a->levels; l++) {
        size_t j = 0;
        while (j < a->members && row[a->member[j]] == gpai_axis_level(a, l, j))
            j++;
        if (j == a->members)
            return (double)l;
    }
    return (double)a->levels;
}

static double value_at(const struct making *w, size_t axis, size_t i)
{
    const gpai_axis *a = &w->s->axis[axis];
    const gpai_trait *t = &w->d->trait[axis];
    return t->kind == GPAI_TRAIT_CHOICE ? level_at(a, row_at(w, i))
                                        : number_at(t, a, row_at(w, i));
}

static bool is_short_range(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_STEP && a->in != NULL &&
           a->in->kind == GPA_KIND_WHOLE &&
           a->in->high - a->in->low < GPAI_LONGEST_RANGE && a->in->high > a->in->low;
}

/* Kind, unit and sizes. */
static void start_trait(gpai_trait *t, const gpai_axis *a, double unit)
{
    t->unit = unit;
    t->width = 1;
    if (a->kind == GPAI_AXIS_CHOICE) {
        t->kind = GPAI_TRAIT_CHOICE;
        t->levels = a->levels;
        t->width = a->levels > 2 ? a->levels : 1;
    } else if (is_short_range(a)) {
        t->kind = GPAI_TRAIT_WHOLE;
        t->low = a->in->low;
        t->levels = (size_t)(a->in->high - a->in->low) + 1;
    } else {
        t->kind = GPAI_TRAIT_NUMBER;
    }
}

static void measure(struct making *w)
{
    gpai_crowd *d = w->d;
    for (size_t i = 0; i < d->axes; i++) {
        const gpai_axis *a = &w->s->axis[i];
        gpai_trait *t = &d->trait[i];
        if (w->all != NULL)
            *t = w->all->trait[i];
        else
            start_trait(t, a, w->unit[a->input]);
        t->first = d->scores;
        d->scores += t->width;
        w->widest = t->width > w->widest ? t->width : w->widest;
        if (t->levels > 0) {
            w->levels += t->levels + 1;
            w->squares += (t->levels + 1) * (t->levels + 1);
            w->level_scores += (t->levels + 1) * t->width;
        }
    }
}

static void lay_out(void *work, gpai_arena *a)
{
    struct making *w = work;
    gpai_crowd *d = w->d;
    w->plain = gpai_take(a, d->axes, GPAI_CROWD_MARKS);
    w->level = gpai_take(a, 2, w->levels);
    w->form = gpai_take(a, w->squares, 1);
    GPAI_TAKE_EACH(a, d->scores, d->ld, &d->centre, &d->pull, &d->z);
    if (w->all != NULL)
        return;
    GPAI_TAKE_EACH(a, d->axes, d->rows, &w->centre, &w->known);
    GPAI_TAKE_EACH(a, d->axes, GPAI_CROWD_MARKS, &w->mark, &w->dense);
    w->score = gpai_take(a, w->level_scores, 1);
    d->square = gpai_take(a, d->ld, 1);
    d->likely = gpai_take(a, N_ALPHAS, d->ld);
}

static void lay_out_scratch(void *work, gpai_arena *a)
{
    struct making *w = work;
    gpai_crowd *d = w->d;
    size_t n = d->rows + 1, rank = n < d->scores ? n : d->scores;
    w->pull = gpai_take(a, d->scores, d->ld);
    w->through = gpai_take(a, rank, d->ld);
    GPAI_TAKE_EACH(a, d->ld + GPAI_VPAD, 1, &w->e, &w->raw, &w->value);
    w->others = gpai_take(a, d->ld + GPAI_VPAD, 3);
    GPAI_TAKE_EACH(a, d->scores, 1, &w->in, &w->out, &w->rare);
    w->rank = gpai_take(a, rank, 1);
    w->small = gpai_take(a, w->widest * w->widest, 1);
    w->first = gpai_take_bytes(a, d->axes + 1, sizeof *w->first);
    if (w->all == NULL)
        w->gram = gpai_take(a, d->ld, d->ld);
}

/* s_l' R_b^-1 s_m of all levels: R_b = L L', and scores become L^-1 s. */
static gpa_status find_form(struct making *w, const gpai_trait *t, gpa_error *err)
{
    size_t n = t->width;
    const gpai_copula *c = &w->d->copula;
    double *l = w->small;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k <= j; k++)
            l[j * n + k] = gpai_copula_correlation(c, t->first + j, t->first + k);
    if (!gpai_cholesky(l, n))
        return gpai_fail(err, GPA_NUMERIC, "plausible: correlations are not definite");
    for (size_t a = 0; a <= t->levels; a++)
        for (size_t b = 0; b <= t->levels; b++) {
            for (size_t k = 0; k < n; k++) {
                w->in[k] = t->score[a * n + k];
                w->out[k] = t->score[b * n + k];
            }
            gpai_lower_solve(l, n, n, w->in);
            gpai_lower_solve(l, n, n, w->out);
            t->form[a * (t->levels + 1) + b] = gpai_dot(w->in, w->out, n);
        }
    return GPA_OK;
}

/* The mixture. */

/* The choices' blocks against their own: ties would otherwise make the largest alpha
 * win. */
static double blocks_alone(const gpai_crowd *d, double alpha)
{
    double sum = 0;
    for (size_t a = 0; a < d->axes; a++) {
        const gpai_trait *t = &d->trait[a];
        for (size_t l = 0; t->levels > 0 && l <= t->levels; l++)
            if (t->count[l] > 0)
                sum += t->count[l] * gpai_trait_level(t, alpha, l, l);
    }
    return sum;
}

/* Leave-one-out likelihood of the rows, given what the others say of each. */
static double likelihood(const gpai_crowd *d, double alpha, double sum)
{
    double sharp = 1 / (1 - alpha * alpha), rows = (double)d->rows;
    sum += 0.5 * rows * (double)d->scores * log(sharp);
    return (sum - blocks_alone(d, alpha)) / rows - log(rows);
}

/* The sum over the rows of ln what the others give each. */
static double leave_one_out(struct making *w, size_t choice)
{
    const gpai_crowd *d = w->d;
    size_t n = d->rows;
    double alpha = ALPHAS[choice], sharp = 1 / (1 - alpha * alpha), sum = 0;
    double *likely = d->likely + choice * d->ld;
    for (size_t j = 0; j < n; j++)
        w->raw[j] = -0.5 * sharp * alpha * alpha * d->square[j];
    for (size_t i = 0; i < n; i++) {
        memcpy(w->e, w->raw, n * sizeof *w->e);
        w->v->axpy(sharp * alpha, w->gram + i * d->ld, n, w->e);
        w->e[i] = -HUGE_VAL;
        likely[i] = w->v->log_sum(w->e, n);
        sum += likely[i] - 0.5 * sharp * d->square[i];
    }
    return sum;
}

/* R^-1 Z, R^-1 being diag(own) + sign V'V (copula.h). */
static void find_pull(struct making *w)
{
    const gpai_crowd *d = w->d;
    const gpai_copula *c = &d->copula;
    memset(w->through, 0, c->rank * d->ld * sizeof *w->through);
    memset(w->pull, 0, d->scores * d->ld * sizeof *w->pull);
    for (size_t j = 0; j < d->scores; j++)
        for (size_t i = 0; i < c->rank; i++)
            if (c->v[j * c->rank + i] != 0)
                w->v->axpy(c->v[j * c->rank + i], d->z + j * d->ld, d->rows,
                           w->through + i * d->ld);
    for (size_t j = 0; j < d->scores; j++) {
        w->v->axpy(c->own[j], d->z + j * d->ld, d->rows, w->pull + j * d->ld);
        for (size_t i = 0; i < c->rank; i++)
            if (c->v[j * c->rank + i] != 0)
                w->v->axpy(c->sign * c->v[j * c->rank + i], w->through + i * d->ld,
                           d->rows, w->pull + j * d->ld);
    }
}

/* The products of all rows in the metric of R^-1. */
static void find_gram(struct making *w)
{
    const gpai_crowd *d = w->d;
    w->v->multiply(1, d->z, d->ld, w->pull, d->ld, 1, d->ld, d->rows, d->scores,
                   w->gram, d->ld);
    for (size_t i = 0; i < d->rows; i++)
        d->square[i] = w->gram[i * d->ld + i];
}

/* out[j] = z_i' R^-1 z_j of all rows j, with the R of all. */
static void find_products(struct making *w, size_t i, double *out)
{
    const gpai_crowd *all = w->all;
    for (size_t k = 0; k < all->scores; k++)
        w->in[k] = all->z[k * all->ld + i];
    gpai_copula_pull(&all->copula, w->in, w->rank, w->out);
    memset(out, 0, all->ld * sizeof *out);
    for (size_t k = 0; k < all->scores; k++)
        w->v->axpy(w->out[k], all->z + k * all->ld, all->rows, out);
}

/* What the others but `row` give row i, where nearly all of it came from `row`. */
static double likely_anew(struct making *w, size_t choice, size_t i, size_t row,
                          double *e)
{
    const gpai_crowd *all = w->all;
    double alpha = ALPHAS[choice], sharp = 1 / (1 - alpha * alpha);
    find_products(w, i, e);
    for (size_t j = 0; j < all->rows; j++)
        e[j] = sharp * alpha * (e[j] - 0.5 * alpha * all->square[j]);
    e[i] = e[row] = -HUGE_VAL;
    return w->v->log_sum(e, all->rows);
}

/* The sum of leave_one_out without a row, whose products with all rows are given. */
static double leave_two_out(struct making *w, size_t choice, size_t row,
                            const double *product)
{
    static const double MOST = 0.999; /* of a sum, so that the rest has digits left */
    const gpai_crowd *all = w->all;
    double alpha = ALPHAS[choice], sharp = 1 / (1 - alpha * alpha), sum = 0;
    const double *likely = all->likely + choice * all->ld;
    double *share = w->others, *e = share + all->ld, *rest = e + all->ld;
    for (size_t j = 0; j < all->rows; j++)
        share[j] =
            sharp * alpha * (product[j] - 0.5 * alpha * all->square[row]) - likely[j];
    w->v->exp(share, all->rows);
    for (size_t j = 0; j < all->rows; j++)
        rest[j] = share[j] < MOST ? 1 - share[j] : 1;
    w->v->log(rest, all->rows);
    for (size_t j = 0; j < all->rows; j++) {
        double others = likely[j] + rest[j];
        if (j != row && !(share[j] < MOST))
            others = likely_anew(w, choice, j, row, e);
        sum += j != row ? others - 0.5 * sharp * all->square[j] : 0;
    }
    return sum;
}

/* Of the rows, or without one of them. */
static void choose_alpha(struct making *w, size_t row)
{
    gpai_crowd *d = w->d;
    double best = -HUGE_VAL;
    if (!d->joint || d->rows < MIXED)
        return;
    if (w->all != NULL)
        find_products(w, row, w->raw);
    else
        find_gram(w);
    for (size_t i = 0; i < N_ALPHAS; i++) {
        double sum =
            w->all != NULL ? leave_two_out(w, i, row, w->raw) : leave_one_out(w, i);
        double v = likelihood(d, ALPHAS[i], sum);
        if (i == 0 || v > best + 1e-9) {
            best = v;
            d->alpha = ALPHAS[i];
        }
    }
}

/* The components, and the blocks of levels by themselves. */
static void set_components(struct making *w)
{
    gpai_crowd *d = w->d;
    d->sharp = 1 / (1 - d->alpha * d->alpha);
    d->components = d->alpha > 0 ? d->rows : 1;
    for (size_t i = 0; d->alpha > 0 && i < d->scores * d->ld; i++) {
        d->centre[i] = d->alpha * d->z[i];
        d->pull[i] = d->alpha * d->sharp * w->pull[i];
    }
    for (size_t a = 0; a < d->axes; a++)
        for (size_t l = 0; d->trait[a].levels > 0 && l <= d->trait[a].levels; l++)
            d->trait[a].own[l] -=
                gpai_trait_level(&d->trait[a], d->alpha, l, d->trait[a].levels + 1);
}

/* What belongs to a plain density: its traits have levels of their own. */
struct plain {
    gpai_crowd *d;
    size_t levels;
    double *own;
};

static void lay_out_plain(void *work, gpai_arena *a)
{
    struct plain *w = work;
    GPAI_TAKE_EACH(a, w->d->scores, w->d->ld, &w->d->centre, &w->d->pull);
    w->own = gpai_take(a, w->levels, 1);
}

/* The same rows by their correlations alone; all but that is d's. */
static gpa_status open_plain(gpai_crowd *d, gpa_error *err)
{
    gpai_crowd *p = d->plain = gpai_calloc(1, sizeof *p);
    struct plain w = {.d = p};
    if (p == NULL)
        return gpai_nomem(err, "plausible");
    *p = *d;
    p->plain = NULL;
    p->alpha = 0;
    p->sharp = 1;
    p->components = 1;
    p->ld = GPAI_VPAD;
    for (size_t a = 0; a < d->axes; a++)
        w.levels += d->trait[a].levels > 0 ? d->trait[a].levels + 1 : 0;
    p->trait = gpai_calloc(d->axes, sizeof *p->trait);
    p->block = gpai_carve(lay_out_plain, &w);
    if (p->trait == NULL || p->block == NULL)
        return gpai_nomem(err, "plausible");
    memcpy(p->trait, d->trait, d->axes * sizeof *p->trait);
    for (size_t a = 0; a < d->axes; a++) {
        gpai_trait *t = &p->trait[a];
        if (t->levels > 0)
            t->own = w.own;
        for (size_t l = 0; t->levels > 0 && l <= t->levels; l++)
            *w.own++ = d->trait[a].own[l] +
                       gpai_trait_level(t, d->alpha, l, t->levels + 1) -
                       gpai_trait_level(t, 0, l, t->levels + 1);
    }
    return GPA_OK;
}

static void close_plain(gpai_crowd *p)
{
    if (p == NULL)
        return;
    gpai_free(p->block);
    gpai_free(p->trait);
    gpai_free(p);
}

static gpa_status find_forms(struct making *w, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; st == GPA_OK && i < w->d->axes; i++)
        if (w->d->trait[i].levels > 0)
            st = find_form(w, &w->d->trait[i], err);
    return st;
}

/* Correlations. */
static gpa_status correlate(struct making *w, gpa_error *err)
{
    gpai_crowd *d = w->d;
    for (size_t i = 0; i < d->axes; i++)
        w->first[i] = d->trait[i].first;
    w->first[d->axes] = d->scores;
    for (size_t k = 0; k < d->scores; k++) /* the copula has no gaps between scores */
        memcpy(w->pull + k * d->rows, d->z + k * d->ld, d->rows * sizeof *d->z);
    gpai_scores s = {.m = d->scores,
                     .n = d->rows,
                     .blocks = d->axes,
                     .z = w->pull,
                     .first = w->first,
                     .rare = w->rare,
                     .left_out = w->all != NULL ? w->all->copula.left_out : 0};
    return gpai_copula_open(&d->copula, &s, d->joint, err);
}

static void open_room(const struct making *w, size_t axis, gpai_trait_room *room)
{
    const gpai_crowd *d = w->d;
    size_t first = d->trait[axis].first;
    room->ld = d->ld;
    room->raw = w->raw;
    room->e = w->e;
    room->z = d->z + first * d->ld;
    room->rare = w->rare + first;
    room->plain = w->plain + axis * GPAI_CROWD_MARKS;
    if (w->all != NULL)
        return;
    room->centre = w->centre + axis * d->rows;
    room->known = w->known + axis * d->rows;
    room->mark = w->mark + axis * GPAI_CROWD_MARKS;
    room->dense = w->dense + axis * GPAI_CROWD_MARKS;
}

/* What each axis has by itself, of all rows or of all but one. Gives whether it can be.
 */
static bool fit(struct making *w, size_t row)
{
    gpai_crowd *d = w->d;
    gpai_trait_room room = {.level = w->level, .score = w->score, .form = w->form};
    bool can = true;
    for (size_t i = 0; i < d->axes && can; i++) {
        open_room(w, i, &room);
        for (size_t j = 0; w->all == NULL && j < w->used; j++)
            w->value[j] = value_at(w, i, j);
        if (w->all == NULL)
            gpai_trait_fit(&d->trait[i], w->value, w->used, &room);
        else
            can = gpai_trait_leave(&d->trait[i], value_at(w, i, row), w->used, &room);
    }
    for (size_t k = 0; w->all != NULL && k < d->scores; k++) {
        const double *z = w->all->z + k * w->all->ld;
        memcpy(d->z + k * d->ld, z, row * sizeof *z);
        memcpy(d->z + k * d->ld + row, z + row + 1, (d->rows - row) * sizeof *z);
    }
    return can;
}

/* What the axes have to do with each other. Without a row alpha goes by the
 * correlations of all, which the forms still are at first. */
static gpa_status relate(struct making *w, size_t row, gpa_error *err)
{
    gpa_status st = correlate(w, err);
    if (st == GPA_OK && w->all != NULL)
        choose_alpha(w, row);
    if (st == GPA_OK)
        st = find_forms(w, err);
    if (st != GPA_OK)
        return st;
    find_pull(w);
    if (w->all == NULL)
        choose_alpha(w, row);
    set_components(w);
    return w->d->alpha > 0 ? open_plain(w->d, err) : GPA_OK;
}

/* Of all rows (w->all is NULL) or without one; *can is false if that cannot be. */
static gpa_status make(struct making *w, size_t row, bool *can, gpa_error *err)
{
    gpai_crowd *d = w->d;
    double *block = NULL;
    gpa_status st = GPA_OK;
    *can = true;
    d->ld = (d->rows + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    d->trait = gpai_calloc(d->axes > 0 ? d->axes : 1, sizeof *d->trait);
    if (d->trait != NULL) {
        measure(w);
        d->block = gpai_carve(lay_out, w);
        block = gpai_carve(lay_out_scratch, w);
    }
    if (block == NULL || d->block == NULL) {
        st = gpai_nomem(err, "plausible");
        goto done;
    }
    *can = fit(w, row);
    if (*can)
        st = relate(w, row, err);
done:
    gpai_free(block);
    if (st != GPA_OK || !*can)
        gpai_crowd_close(d);
    return st;
}

gpa_status gpai_crowd_open(gpai_crowd *d, const gpai_space *s, const double *unit,
                           const double *rows, size_t n_rows, bool joint,
                           gpa_error *err)
{
    bool can;
    size_t used = n_rows < GPAI_CROWD_MOST ? n_rows : GPAI_CROWD_MOST;
    struct making w = {.d = d,
                       .s = s,
                       .unit = unit,
                       .rows = rows,
                       .n_rows = n_rows,
                       .used = used,
                       .v = gpai_vectors_at(0)};
    *d = (gpai_crowd){.axes = s->axes, .rows = used, .joint = joint};
    return make(&w, 0, &can, err);
}

/* From the others alone. */
static gpa_status open_anew(const struct making *w, size_t row, gpa_error *err)
{
    size_t size = w->s->d, kept = 0;
    double *others = gpai_calloc(w->used, size * sizeof *others);
    if (others == NULL)
        return gpai_nomem(err, "plausible");
    for (size_t i = 0; i < w->used; i++)
        if (i != row)
            memcpy(others + kept++ * size, row_at(w, i), size * sizeof *others);
    gpa_status st =
        gpai_crowd_open(w->d, w->s, w->unit, others, kept, w->all->joint, err);
    gpai_free(others);
    return st;
}

gpa_status gpai_crowd_without(gpai_crowd *d, const gpai_crowd *all, const gpai_space *s,
                              const double *unit, const double *rows, size_t n_rows,
                              size_t row, gpa_error *err)
{
    bool can;
    struct making w = {.d = d,
                       .all = all,
                       .s = s,
                       .unit = unit,
                       .rows = rows,
                       .n_rows = n_rows,
                       .used = all->rows,
                       .v = gpai_vectors_at(0)};
    *d = (gpai_crowd){.axes = s->axes, .rows = all->rows - 1, .joint = all->joint};
    gpa_status st = make(&w, row, &can, err);
    return st == GPA_OK && !can ? open_anew(&w, row, err) : st;
}

void gpai_crowd_close(gpai_crowd *d)
{
    close_plain(d->plain);
    gpai_copula_close(&d->copula);
    gpai_free(d->block);
    gpai_free(d->trait);
    *d = (gpai_crowd){0};
}

/* A whole number: from its level, or as a stranger. */
static void place_whole(const gpai_crowd *d, const gpai_trait *t, double value,
                        double *own, double *score)
{
    double level = value - t->low, density, product[GPAI_LONGEST_RANGE + 1];
    if (level >= 0 && level < (double)t->levels && level == nearbyint(level)) {
        *own = t->own[(size_t)level];
        *score = t->score[(size_t)level];
        return;
    }
    gpai_trait_number(t, &value, 1, &density, score);
    for (size_t m = 0; m <= t->levels; m++)
        product[m] = *score * t->score[m];
    *own = gpai_trait_log_mass(t, value, density) -
           gpai_trait_block(t, d->alpha, *score * *score, product, t->levels + 1);
}

void gpai_crowd_place(const gpai_crowd *d, size_t axis, const double *value,
                      size_t count, double *own, double *score)
{
    const gpai_trait *t = &d->trait[axis];
    switch (t->kind) {
    case GPAI_TRAIT_UNKNOWN:
        for (size_t i = 0; i < count; i++)
            own[i] = score[i] = 0;
        break;
    case GPAI_TRAIT_NUMBER:
        gpai_trait_number(t, value, count, own, score);
        for (size_t i = 0; i < count; i++)
            own[i] = gpai_trait_log(own[i]) + 0.5 * score[i] * score[i];
        break;
    case GPAI_TRAIT_WHOLE:
        for (size_t i = 0; i < count; i++)
            place_whole(d, t, value[i], own + i, score + i);
        break;
    case GPAI_TRAIT_CHOICE:
        for (size_t i = 0; i < count; i++) {
            size_t l = (size_t)value[i];
            memcpy(score + i * t->width, t->score + l * t->width,
                   t->width * sizeof *score);
            own[i] = t->own[l];
        }
        break;
    }
}

void gpai_crowd_place_about(const gpai_crowd *d, size_t axis, const double *value,
                            size_t count, double *own, double *score)
{
    const gpai_trait *t = &d->trait[axis];
    const double *mark = t->mark, unit = t->unit;
    size_t at = GPAI_CROWD_CELLS, last = GPAI_CROWD_MARKS - 1;
    if (t->kind != GPAI_TRAIT_NUMBER) {
        gpai_crowd_place(d, axis, value, count, own, score);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double x = value[i] / unit;
        if (!(x >= mark[0] && x < mark[last])) {
            gpai_crowd_place(d, axis, value + i, 1, own + i, score + i);
            continue;
        }
        while (x < mark[at]) /* places mostly ascend */
            at--;
        while (!(x < mark[at + 1]))
            at++;
        double share = (x - mark[at]) / (mark[at + 1] - mark[at]);
        own[i] = t->plain[at] + share * (t->plain[at + 1] - t->plain[at]);
        score[i] = gpai_mark_score(at) + share * (GPAI_CROWD_REACH / GPAI_CROWD_CELLS);
    }
}

double gpai_strip_width(gpai_strip c)
{
    return 2 * GPAI_CROWD_REACH * (double)c.half / GPAI_CROWD_CELLS;
}

void gpai_crowd_cells(const gpai_crowd *d, size_t axis, gpai_strip c, double *border,
                      double *middle)
{
    const gpai_trait *t = &d->trait[axis];
    for (size_t i = 0; i <= c.count; i++) {
        const double *mark = t->mark + c.first + 2 * c.half * i;
        border[i] = mark[0] * t->unit;
        if (i < c.count)
            middle[i] = mark[c.half] * t->unit;
    }
}

void gpai_crowd_cells_own(const gpai_crowd *d, size_t axis, gpai_strip c, double *own)
{
    const double *plain = d->trait[axis].plain + c.first + c.half;
    for (size_t i = 0; i < c.count; i++)
        own[i] = plain[2 * c.half * i];
}

double gpai_crowd_value(const gpai_crowd *d, size_t axis, double score)
{
    const gpai_trait *t = &d->trait[axis];
    double at = fmax((score / GPAI_CROWD_REACH + 1) * GPAI_CROWD_CELLS, 0);
    size_t i = at < GPAI_CROWD_MARKS - 1 ? (size_t)at : GPAI_CROWD_MARKS - 2;
    double share = fmin(at - (double)i, 1);
    return (t->mark[i] * (1 - share) + t->mark[i + 1] * share) * t->unit;
}

double gpai_crowd_quantile(const gpai_crowd *d, size_t axis, double u)
{
    const gpai_trait *t = &d->trait[axis];
    double at = u * (double)(t->kernels.count - 1);
    size_t i = (size_t)at;
    double low = t->kernels.centre[i], share = at - (double)i;
    double high = i + 1 < t->kernels.count ? t->kernels.centre[i + 1] : low;
    return (low + share * (high - low)) * t->unit;
}

bool gpai_crowd_knows(const gpai_crowd *d, size_t axis)
{
    return d->trait[axis].kind != GPAI_TRAIT_UNKNOWN;
}
