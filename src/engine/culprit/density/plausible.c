#include "engine/culprit/density/plausible.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/culprit/moves.h"
#include <math.h>
#include <string.h>

/* Even cells come in blocks of GPAI_VPAD; steeper within one, and their exponentials
 * might be no numbers. */
enum { BLOCKS = GPAI_CROWD_CELLS / GPAI_VPAD };
static const double STEEPEST = 600;

static double full_link(const gpai_plausible *q, size_t j, size_t k)
{
    return q->crowd->sharp * gpai_copula_link(&q->crowd->copula, j, k);
}

/* Whether the scores of an axis have left the density. */
static bool is_gone(const gpai_plausible *q, size_t axis)
{
    return q->s->axis[axis].gap || (q->silent != NULL && q->silent[axis]);
}

double gpai_plausible_link(const gpai_plausible *q, size_t j, size_t k)
{
    size_t m = q->crowd->scores;
    double v = full_link(q, j, k);
    for (size_t u = 0; u < q->gone; u++)
        v -= q->links[u * m + j] * q->solved[u * m + k];
    return v;
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_plausible *q = work;
    const gpai_crowd *d = q->crowd;
    size_t most = GPAI_MOVES_MOST > d->axes ? GPAI_MOVES_MOST : d->axes;
    GPAI_TAKE_EACH(a, q->gone, d->scores, &q->links, &q->solved);
    q->inverse = gpai_take(a, q->gone, q->gone);
    q->own = gpai_take(a, d->axes, 1);
    GPAI_TAKE_EACH(a, d->scores, 1, &q->z, &q->pulled);
    q->g = gpai_take(a, d->scores, d->ld);
    q->mean = gpai_take(a, q->gone, d->ld);
    q->base = gpai_take(a, d->ld, 1);
    q->rank = gpai_take(a, d->copula.rank, 1);
    q->place = gpai_take(a, most + 2 * GPAI_VPAD, 4);
    q->half = gpai_take(a, d->ld, 1);
    q->step = gpai_take(a, d->components, GPAI_VPAD);
    q->anchor = gpai_take(a, d->components + 4, BLOCKS);
    q->sums = gpai_take(a, BLOCKS + 4, GPAI_VPAD);
    q->small = gpai_take(a, 3 * q->widest, q->widest > 64 ? q->widest : 64);
    q->missing = gpai_take_bytes(a, q->gone, sizeof *q->missing);
}

/* What the missing scores have to do with all others. */
static gpa_status remove_missing(gpai_plausible *q, gpa_error *err)
{
    const gpai_crowd *d = q->crowd;
    size_t m = d->scores, n = q->gone, at = 0;
    for (size_t i = 0; i < d->axes; i++)
        for (size_t k = 0; is_gone(q, i) && k < d->trait[i].width; k++)
            q->missing[at++] = d->trait[i].first + k;
    double *factor = gpai_calloc(n, n * sizeof *factor);
    double *column = gpai_calloc(n, sizeof *column);
    gpa_status st =
        factor == NULL || column == NULL ? gpai_nomem(err, "plausible") : GPA_OK;
    if (st != GPA_OK)
        goto done;
    for (size_t u = 0; u < n; u++) {
        for (size_t k = 0; k < m; k++)
            q->links[u * m + k] = full_link(q, q->missing[u], k);
        for (size_t w = 0; w <= u; w++)
            factor[u * n + w] = q->links[u * m + q->missing[w]];
    }
    if (!gpai_cholesky(factor, n)) {
        st = gpai_fail(err, GPA_NUMERIC, "plausible: correlations are not definite");
        goto done;
    }
    for (size_t u = 0; u < n; u++) {
        memset(column, 0, n * sizeof *column);
        column[u] = 1;
        gpai_cholesky_solve(factor, n, column);
        for (size_t w = 0; w < n; w++)
            q->inverse[w * n + u] = column[w];
    }
    for (size_t u = 0; u < n; u++)
        for (size_t w = 0; w < n; w++)
            for (size_t k = 0; k < m; k++)
                q->solved[u * m + k] += q->inverse[u * n + w] * q->links[w * m + k];
done:
    gpai_free(column);
    gpai_free(factor);
    return st;
}

gpa_status gpai_plausible_open(gpai_plausible *q, const gpai_crowd *d,
                               const gpai_problem *p, const gpai_space *s,
                               const bool *silent, gpa_error *err)
{
    *q = (gpai_plausible){.crowd = d,
                          .p = p,
                          .s = s,
                          .silent = silent,
                          .v = gpai_vectors_at(0),
                          .trust = 1 / sqrt((double)p->n),
                          .widest = 1};
    for (size_t i = 0; i < d->axes; i++) {
        q->gone += is_gone(q, i) ? d->trait[i].width : 0;
        if (d->trait[i].width > q->widest)
            q->widest = d->trait[i].width;
    }
    q->block = gpai_carve(lay_out, q);
    gpa_status st = q->block == NULL ? gpai_nomem(err, "plausible") : GPA_OK;
    if (st == GPA_OK && q->gone > 0)
        st = remove_missing(q, err);
    if (st != GPA_OK)
        gpai_plausible_close(q);
    return st;
}

void gpai_plausible_close(gpai_plausible *q)
{
    gpai_free(q->block);
    *q = (gpai_plausible){0};
}

/* A place on an axis as the density wants it. */
static double raw_value(const gpai_plausible *q, size_t axis, size_t t, double value)
{
    const gpai_axis *a = &q->s->axis[axis];
    if (a->kind == GPAI_AXIS_CHOICE || a->gap)
        return value;
    double v = q->p->x[t * q->p->d + a->input] + q->p->unit[a->input] * value;
    return a->kind == GPAI_AXIS_STEP && value != 0 && a->in != NULL ? nearbyint(v) : v;
}

/* Scores of the row, and what each axis has of its own. */
static void place_row(gpai_plausible *q, size_t t)
{
    const gpai_crowd *d = q->crowd;
    for (size_t i = 0; i < d->axes; i++) {
        const gpai_axis *a = &q->s->axis[i];
        double *z = q->z + d->trait[i].first;
        memset(z, 0, d->trait[i].width * sizeof *z);
        if (is_gone(q, i))
            continue;
        double v = raw_value(q, i, t, a->kind == GPAI_AXIS_CHOICE ? (double)a->now : 0);
        if (isfinite(v))
            gpai_crowd_place(d, i, &v, 1, &q->own[i], z);
        else
            q->own[i] = 0;
    }
}

/* Means of the missing scores given the others, and g and base without them. */
static void leave_missing(gpai_plausible *q)
{
    const gpai_crowd *d = q->crowd;
    for (size_t u = 0; u < q->gone; u++) {
        double *mean = q->mean + u * d->ld;
        memset(mean, 0, d->ld * sizeof *mean);
        for (size_t w = 0; w < q->gone; w++)
            q->v->axpy(-q->inverse[u * q->gone + w], q->g + q->missing[w] * d->ld,
                       d->components, mean);
    }
    for (size_t k = 0; k < d->scores; k++)
        for (size_t u = 0; u < q->gone; u++)
            q->v->axpy(q->links[u * d->scores + k], q->mean + u * d->ld, d->components,
                       q->g + k * d->ld);
    for (size_t u = 0; u < q->gone; u++) /* rounding leaves a little */
        memset(q->g + q->missing[u] * d->ld, 0, d->ld * sizeof *q->g);
}

void gpai_plausible_row(gpai_plausible *q, size_t t)
{
    const gpai_crowd *d = q->crowd;
    size_t n = d->components;
    if (q->taken && q->row == t)
        return;
    q->row = t;
    q->taken = true;
    place_row(q, t);
    gpai_copula_pull(&d->copula, q->z, q->rank, q->pulled);
    for (size_t k = 0; k < d->scores; k++) {
        double w = d->sharp * q->pulled[k];
        for (size_t i = 0; i < n; i++)
            q->g[k * d->ld + i] = w - d->pull[k * d->ld + i];
    }
    if (q->gone > 0)
        leave_missing(q);
    memset(q->base, 0, d->ld * sizeof *q->base);
    for (size_t k = 0; k < d->scores; k++)
        for (size_t i = 0; i < n; i++)
            q->base[i] -=
                0.5 * q->g[k * d->ld + i] * (q->z[k] - d->centre[k * d->ld + i]);
    double all = q->v->log_sum(q->base, n);
    for (size_t i = 0; i < n; i++)
        q->base[i] -= all;
    for (size_t i = n; i < d->ld; i++)
        q->base[i] = -HUGE_VAL;
    q->log_row =
        all - log((double)n) + 0.5 * (double)(d->scores - q->gone) * log(d->sharp);
    for (size_t i = 0; i < d->axes; i++)
        q->log_row += is_gone(q, i) ? 0 : q->own[i];
}

gpa_status gpai_densities_open(gpai_densities *b, const gpai_crowd *crowd,
                               const gpai_problem *p, const gpai_space *s,
                               const bool *silent, gpa_error *err)
{
    gpa_status st = GPA_OK;
    *b = (gpai_densities){.share = {0}};
    for (const gpai_crowd *d = crowd; d != NULL && st == GPA_OK; d = d->plain) {
        st = gpai_plausible_open(&b->q[b->count], d, p, s, silent, err);
        b->count += st == GPA_OK;
    }
    double all = -HUGE_VAL;
    for (size_t i = 0; i < b->count && b->count > 1; i++) {
        for (size_t t = 0; t < p->n; t++) {
            gpai_plausible_row(&b->q[i], t);
            b->share[i] += b->q[i].trust * b->q[i].log_row;
        }
        all = gpai_log_add(all, b->share[i]);
    }
    for (size_t i = 0; i < b->count && b->count > 1; i++)
        b->share[i] -= all;
    if (st != GPA_OK)
        gpai_densities_close(b);
    return st;
}

void gpai_densities_close(gpai_densities *b)
{
    for (size_t i = 0; i < b->count; i++)
        gpai_plausible_close(&b->q[i]);
    b->count = 0;
}

double gpai_densities_join(const gpai_densities *b, const double *log)
{
    double l = log[0] + b->share[0];
    return b->count > 1 ? gpai_log_add(l, log[1] + b->share[1]) : l;
}

double gpai_plausible_strange(const gpai_plausible *q, size_t axis)
{
    size_t k = q->crowd->trait[axis].first;
    return q->pulled[k] * q->pulled[k] / gpai_copula_link(&q->crowd->copula, k, k);
}

/* Points: e = -g dz, and dz' P dz / 2 is the same for all components. */
static void shift_points(gpai_plausible *q, const gpai_trait *trait, gpai_terms *t)
{
    const gpai_crowd *d = q->crowd;
    size_t width = trait->width;
    for (size_t j = 0; j < width; j++)
        for (size_t k = 0; k < width; k++)
            q->small[j * width + k] =
                gpai_plausible_link(q, trait->first + j, trait->first + k);
    for (size_t c = 0; c < t->count; c++) {
        const double *dz = t->shift + c * width;
        for (size_t j = 0; j < width; j++)
            t->own[c] -= 0.5 * dz[j] * gpai_dot(q->small + j * width, dz, width);
    }
    for (size_t i = 0; i < d->components; i++) {
        double *e = t->e + i * t->ld;
        for (size_t c = 0; c < t->count; c++)
            e[c] = 0;
        for (size_t k = 0; k < width; k++) {
            double g = q->g[(trait->first + k) * d->ld + i];
            for (size_t c = 0; c < t->count; c++)
                e[c] -= g * t->shift[c * width + k];
        }
    }
}

/* The missing block's precision given the others into q->small; ln of its determinant
 * is returned. `at`: its first among the missing scores. */
static double missing_precision(gpai_plausible *q, size_t at, size_t width)
{
    double *l = q->small, *p = l + width * width, log_det = 0;
    for (size_t j = 0; j < width; j++)
        for (size_t k = 0; k <= j; k++)
            l[j * width + k] = q->inverse[(at + j) * q->gone + at + k];
    gpai_cholesky(l, width); /* part of an inverse that has been factored */
    for (size_t j = 0; j < width; j++) {
        double *column = p + j * width;
        memset(column, 0, width * sizeof *column);
        column[j] = 1;
        gpai_cholesky_solve(l, width, column);
        log_det -= 2 * log(l[j * width + j]);
    }
    memcpy(l, p, width * width * sizeof *l);
    return log_det;
}

/* A value for what is missing: e is its density given the others, in the scores. */
static void fill_missing(gpai_plausible *q, const gpai_trait *trait, gpai_terms *t)
{
    const gpai_crowd *d = q->crowd;
    size_t width = trait->width, at = 0;
    while (q->missing[at] != trait->first)
        at++;
    double log_det = missing_precision(q, at, width), *p = q->small;
    double *mean = p + width * width, *pull = mean + width;
    for (size_t i = 0; i < d->components; i++) {
        double *e = t->e + i * t->ld, square = 0;
        for (size_t k = 0; k < width; k++)
            mean[k] = q->mean[(at + k) * d->ld + i];
        for (size_t k = 0; k < width; k++) {
            pull[k] = gpai_dot(p + k * width, mean, width);
            square += pull[k] * mean[k];
        }
        for (size_t c = 0; c < t->count; c++)
            e[c] = gpai_dot(t->shift + c * width, pull, width) - 0.5 * square;
    }
    for (size_t c = 0; c < t->count; c++) {
        double *z = t->shift + c * width;
        if (trait->kind == GPAI_TRAIT_NUMBER) /* equally likely values */
            t->own[c] = 0.5 * z[0] * z[0];
        t->own[c] += 0.5 * log_det;
        for (size_t k = 0; k < width; k++)
            t->own[c] -= 0.5 * z[k] * gpai_dot(p + k * width, z, width);
    }
    memset(t->shift, 0, t->count * width * sizeof *t->shift);
}

/* Places of the row at hand by themselves, with what gives their scores. */
static void place(gpai_plausible *q, size_t axis, const double *value, size_t count,
                  gpai_placing *find, gpai_terms *t)
{
    const gpai_trait *trait = &q->crowd->trait[axis];
    bool gap = q->s->axis[axis].gap;
    t->count = count;
    for (size_t c = 0; c < count; c++)
        q->place[c] = raw_value(q, axis, q->row, value[c]);
    find(q->crowd, axis, q->place, count, t->own, t->shift);
    for (size_t c = 0; c < count && !gap; c++) {
        t->own[c] -= q->own[axis];
        for (size_t k = 0; k < trait->width; k++)
            t->shift[c * trait->width + k] -= q->z[trait->first + k];
    }
}

void gpai_plausible_place(gpai_plausible *q, size_t axis, const double *value,
                          size_t count, gpai_terms *t)
{
    place(q, axis, value, count, gpai_crowd_place_about, t);
}

void gpai_plausible_terms(gpai_plausible *q, size_t axis, const double *value,
                          size_t count, gpai_terms *t)
{
    const gpai_trait *trait = &q->crowd->trait[axis];
    place(q, axis, value, count, gpai_crowd_place, t);
    if (q->s->axis[axis].gap)
        fill_missing(q, trait, t);
    else
        shift_points(q, trait, t);
}

void gpai_plausible_even(gpai_plausible *q, size_t axis, gpai_strip c, gpai_terms *t)
{
    double z = q->z[q->crowd->trait[axis].first];
    t->count = c.count;
    gpai_crowd_cells_own(q->crowd, axis, c, t->own);
    for (size_t i = 0; i < c.count; i++) {
        t->own[i] -= q->own[axis];
        t->shift[i] = gpai_mark_score(c.first + (2 * i + 1) * c.half) - z;
    }
}

void gpai_plausible_cells(gpai_plausible *q, size_t axis, const gpai_terms *t,
                          const double *width, double *gain)
{
    const gpai_crowd *d = q->crowd;
    size_t first = d->trait[axis].first, ld = t->ld + GPAI_VPAD;
    double p = gpai_plausible_link(q, first, first);
    double *slope = q->place, *curve = slope + ld, *out = curve + ld;
    for (size_t c = 0; c < t->count; c++) {
        double v = width[c] * width[c] / 12, s = 1 + p * v;
        slope[c] = -t->shift[c] / s;
        curve[c] = 0.5 * (1 - 1 / s) / p;
        gain[c] += q->trust *
                   (t->own[c] + gpai_plausible_widened(q->z[first] + t->shift[c], v) -
                    0.5 * p * t->shift[c] * t->shift[c] / s - 0.5 * log(s));
    }
    q->v->mixture(q->base, q->g + first * d->ld, d->components, slope, curve, t->count,
                  out, out + ld);
    for (size_t c = 0; c < t->count; c++)
        gain[c] += q->trust * out[c];
}

/* The terms of the mixture are exponentials of straight lines: with even cells in
 * blocks, those of the blocks' middles times those of the steps within a block. */
void gpai_plausible_even_cells(gpai_plausible *q, size_t axis, const gpai_terms *t,
                               double width, double *gain)
{
    enum { STEPS = GPAI_VPAD };
    const gpai_crowd *d = q->crowd;
    size_t first = d->trait[axis].first, n = d->components, blocks = t->count / STEPS;
    const double *g = q->g + first * d->ld;
    double v = width * width / 12;
    double p = gpai_plausible_link(q, first, first), s = 1 + p * v;
    double curve = 0.5 * (1 - 1 / s) / p, top[BLOCKS], steepest = 0;
    for (size_t b = 0; b < blocks; b++)
        top[b] = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        double rise = -g[i] * width / s, *anchor = q->anchor + i * blocks;
        double line = q->base[i] + g[i] * g[i] * curve - g[i] * t->shift[0] / s;
        steepest = fabs(rise) > steepest ? fabs(rise) : steepest;
        q->half[i] = 0.5 * rise;
        for (size_t b = 0; b < blocks; b++) {
            anchor[b] = line + rise * ((double)(b * STEPS) + (STEPS - 1) / 2.0);
            top[b] = anchor[b] > top[b] ? anchor[b] : top[b];
        }
    }
    if (steepest * STEPS > STEEPEST) {
        double each[GPAI_MOVES_MOST];
        for (size_t c = 0; c < t->count; c++)
            each[c] = width;
        gpai_plausible_cells(q, axis, t, each, gain);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < blocks; b++)
            q->anchor[i * blocks + b] -= top[b];
    q->v->exp(q->half, n);
    for (size_t i = 0; i < n; i++) {
        double half = q->half[i], rise = half * half;
        _Static_assert(STEPS == 8, "7 halves below the middle of a block");
        gpai_powers(1 / (rise * rise * rise * half), rise, STEPS, q->step + i * STEPS);
    }
    q->v->exp(q->anchor, n * blocks);
    memset(q->sums, 0, (blocks + 4) * STEPS * sizeof *q->sums);
    q->v->multiply(1, q->step, STEPS, q->anchor, blocks, 1, STEPS, blocks, n, q->sums,
                   STEPS);
    q->v->log(q->sums, t->count);
    for (size_t c = 0; c < t->count; c++)
        gain[c] += q->trust *
                   (t->own[c] + gpai_plausible_widened(q->z[first] + t->shift[c], v) -
                    0.5 * p * t->shift[c] * t->shift[c] / s - 0.5 * log(s) +
                    top[c / STEPS] + q->sums[c]);
}

void gpai_plausible_gain(const gpai_plausible *q, gpai_terms *t, double *top,
                         double *sum, double *gain)
{
    size_t n = q->crowd->components, count = t->count;
    for (size_t c = 0; c < count; c++) {
        top[c] = -HUGE_VAL;
        sum[c] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        double *e = t->e + i * t->ld, base = q->base[i];
        for (size_t c = 0; c < count; c++) {
            e[c] += base;
            top[c] = e[c] > top[c] ? e[c] : top[c];
        }
    }
    for (size_t i = 0; i < n; i++) {
        double *e = t->e + i * t->ld;
        for (size_t c = 0; c < count; c++)
            e[c] -= top[c];
        q->v->exp(e, count);
        for (size_t c = 0; c < count; c++)
            sum[c] += e[c];
    }
    for (size_t c = 0; c < count; c++)
        gain[c] += q->trust * (t->own[c] + top[c] + log(sum[c]));
}
