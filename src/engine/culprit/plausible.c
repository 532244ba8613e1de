#include "engine/culprit/plausible.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/culprit/moves.h"
#include <math.h>
#include <string.h>

static const unsigned long long SIGN = 1ull << 63;

/* Four places are worked on together. */
enum { LANES = 4 };
typedef double vec __attribute__((vector_size(8 * LANES)));
typedef unsigned long long bits __attribute__((vector_size(8 * LANES)));

/* What the kernels add up to at four places, with q_i = (x - c_i) / width: sum 1 / (1 +
 * q^2), and the complex product of all (1 + i q), whose angle is sum atan q. Its full
 * turns are counted on the way, so that one arc tangent is enough. */
struct sums {
    vec density, re, im;
    bits turns; /* modulo 2^64 */
};

/* The product grows with every factor, up to 1e15 each; only its angle is wanted. */
enum { PAIRS_BEFORE_SHORTENING = 8 };

#define absolute(v) ((vec)((bits)(v) & ~SIGN))

/* Whether the product went across the negative half of the real axis: 1 anticlockwise,
 * -1 clockwise, by signs alone: those of its imaginary part before and after, and that
 * of the turn, which is less than half a circle. */
#define turn(before, after, by)                                                        \
    (((~(bits)(before) & (bits)(after) & ~(bits)(by)) >> 63) -                         \
     (((bits)(before) & ~(bits)(after) & (bits)(by)) >> 63))

/* Two kernels a step: (1 + i q)(1 + i p) = a + i b has an angle within a half turn, and
 * its squared length is the common denominator of both densities. */
static void add_kernels(struct sums *s, const gpai_column *c, const vec *at)
{
    const vec x = *at;
    const double *centre = c->centre, inverse = 1 / c->width;
    vec density = s->density, re = s->re, im = s->im;
    bits turns = s->turns;
    size_t pairs = c->count / 2;
    for (size_t i = 0; i < pairs; i++) {
        vec q = (x - centre[2 * i]) * inverse, p = (x - centre[2 * i + 1]) * inverse;
        vec a = 1 - q * p, b = q + p;
        density += (b * b + 2 * a) / (a * a + b * b);
        vec before = im;
        im = re * b + im * a;
        re = re * a - before * b;
        turns += turn(before, im, b);
        if (i % PAIRS_BEFORE_SHORTENING == PAIRS_BEFORE_SHORTENING - 1) {
            vec length = absolute(re) + absolute(im);
            re /= length;
            im /= length;
        }
    }
    *s = (struct sums){density, re, im, turns};
}

/* The last of an odd number of kernels. */
static void add_last(struct sums *s, const gpai_column *c, const vec *at)
{
    vec q = (*at - c->centre[c->count - 1]) / c->width;
    vec before = s->im;
    s->density += 1 / (1 + q * q);
    s->im = s->re * q + s->im;
    s->re = s->re - before * q;
    s->turns += turn(before, s->im, q);
}

static void add_densities(struct sums *s, const gpai_column *c, const vec *at)
{
    const vec x = *at;
    const double *centre = c->centre, inverse = 1 / c->width;
    vec density = s->density;
    for (size_t i = 0; i < c->count; i++) {
        vec q = (x - centre[i]) * inverse;
        density += 1 / (1 + q * q);
    }
    s->density = density;
}

/* The distribution function is kept away from 0 and 1. */
static double normal_score(double re, double im, long long turns, size_t count)
{
    double angle = atan2(im, re) + 2 * GPAI_PI * (double)turns;
    double u = 0.5 + angle / (GPAI_PI * (double)count);
    return gpai_norm_quantile(fmin(fmax(u, 1e-9), 1 - 1e-9));
}

void gpai_column_at(const gpai_column *c, double from, const double *move, size_t count,
                    double *density, double *score)
{
    /* further out nothing changes any more, and nothing must overflow */
    double low = c->centre[0] - 1e15 * c->width;
    double high = c->centre[c->count - 1] + 1e15 * c->width;
    for (size_t i = 0; i < count; i += LANES) {
        size_t lanes = count - i < LANES ? count - i : LANES;
        struct sums s = {.re = {1, 1, 1, 1}};
        vec x;
        for (size_t l = 0; l < LANES; l++)
            x[l] = fmin(fmax(from + move[i + (l < lanes ? l : 0)], low), high);
        if (score == NULL) {
            add_densities(&s, c, &x);
        } else {
            add_kernels(&s, c, &x);
            if (c->count % 2 == 1)
                add_last(&s, c, &x);
        }
        for (size_t l = 0; l < lanes; l++) {
            density[i + l] = s.density[l] / (double)c->count;
            if (score != NULL)
                score[i + l] =
                    normal_score(s.re[l], s.im[l], (long long)s.turns[l], c->count);
        }
    }
}

static double standard_deviation(const double *value, size_t n)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (value[i] - mean) * (value[i] - mean) / (double)n;
    return sqrt(square);
}

gpai_column gpai_column_make(double *value, size_t n, double *scratch)
{
    double sd = standard_deviation(value, n);
    if (!(sd > 1e-9))
        sd = 1;
    gpai_sort(value, n);
    double median = gpai_sorted_median(value, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(value[i] - median);
    gpai_sort(scratch, n);
    double mad = 1.4826 * gpai_sorted_median(scratch, n);
    double w = mad > 1e-9 ? fmin(mad, sd) : sd;
    double width = 1.5 * fmax(1.06 * w * pow((double)n, -0.2), 0.05 * sd);
    return (gpai_column){.count = n, .centre = value, .width = width};
}

/* A density below this is as good as none; its logarithm stays a number. */
static const double LEAST_DENSITY = 1e-300;

/* An input of the i-th row that is used: of all, or of evenly spaced ones. */
static double cell_at(const gpai_plausible *q, const double *rows, size_t n_rows,
                      size_t i, size_t input)
{
    double step = (double)n_rows / (double)q->rows;
    size_t row = q->rows == n_rows ? i : (size_t)((double)i * step);
    return rows[row * q->space->d + input];
}

/* The finite numbers of an axis' input, in units, and their kernel width. */
static void fit_column(gpai_plausible *q, size_t axis, const double *rows,
                       size_t n_rows, double *centre, double *scratch)
{
    const gpai_space *s = q->space;
    size_t input = s->axis[axis].input, count = 0;
    for (size_t i = 0; i < q->rows; i++) {
        double v = cell_at(q, rows, n_rows, i, input) / s->unit[input];
        if (isfinite(v))
            centre[count++] = v;
    }
    if (count < GPAI_PLAUSIBLE_LEAST)
        return;
    gpai_column c = gpai_column_make(centre, count, scratch);
    if (isfinite(c.width))
        q->column[axis] = c;
}

/* Shares of the categories, each counted half a row more than it was seen. */
static void fit_shares(gpai_plausible *q, size_t axis, const double *rows,
                       size_t n_rows, double *share)
{
    const gpai_space *s = q->space;
    const gpai_axis *a = &s->axis[axis];
    double total = 0;
    for (size_t j = 0; j < a->members; j++) {
        share[j] = 0.5;
        for (size_t i = 0; i < q->rows; i++)
            if (cell_at(q, rows, n_rows, i, a->member[j]) == 1)
                share[j] += 1;
        total += share[j];
    }
    for (size_t j = 0; j < a->members; j++)
        share[j] = log(share[j] / total);
    q->log_share[axis] = share;
}

/* Densities and scores of the observed rows. One that cannot be judged gets 0. */
static void judge_observed(gpai_plausible *q, const gpai_problem *p)
{
    for (size_t i = 0; i < q->space->axes; i++) {
        const gpai_column *c = &q->column[i];
        size_t input = q->space->axis[i].input;
        double *at = q->at + i * q->n;
        for (size_t t = 0; t < q->n; t++)
            at[t] = p->x[t * p->d + input] / p->unit[input];
        if (c->count == 0)
            continue;
        double *l = q->log_density + i * q->n;
        gpai_column_at(c, 0, at, q->n, l, q->joint ? q->score + i * q->n : NULL);
        for (size_t t = 0; t < q->n; t++) {
            l[t] = isfinite(at[t]) ? log(fmax(l[t], LEAST_DENSITY)) : 0;
            if (!isfinite(at[t]))
                q->score[i * q->n + t] = 0;
        }
    }
}

/* The copula from the scores of the rows themselves, z: axes by q->rows, where the
 * scores of a cell that is not finite are 0. */
static gpa_status join(gpai_plausible *q, const double *rows, size_t n_rows, double *z,
                       double *density, gpa_error *err)
{
    const gpai_space *s = q->space;
    for (size_t a = 0; a < s->axes; a++) {
        double *to = z + a * q->rows;
        if (q->column[a].count == 0)
            continue;
        size_t input = s->axis[a].input;
        for (size_t i = 0; i < q->rows; i++)
            density[i] = cell_at(q, rows, n_rows, i, input) / s->unit[input];
        gpai_column_at(&q->column[a], 0, density, q->rows, density, to);
        for (size_t i = 0; i < q->rows; i++)
            if (!isfinite(cell_at(q, rows, n_rows, i, input)))
                to[i] = 0;
    }
    return gpai_copula_open(&q->copula, z, q->rows, s->axes, err);
}

/* C times the scores of every observed row. */
static void find_pulls(gpai_plausible *q, double *z, double *out, double *scratch)
{
    size_t m = q->space->axes;
    for (size_t t = 0; t < q->n; t++) {
        for (size_t i = 0; i < m; i++)
            z[i] = q->score[i * q->n + t];
        gpai_copula_pull(&q->copula, z, scratch, out);
        for (size_t i = 0; i < m; i++)
            q->pull[i * q->n + t] = out[i];
    }
}

/* What only gpai_plausible_open needs. */
struct scratch {
    gpai_plausible *q;
    double *z;        /* axes by rows */
    double *row;      /* rows */
    double *in, *out; /* axes */
    double *rank;
    double *centre, *share; /* where the next kernels and shares of the result go */
};

static void lay_out_scratch(void *work, gpai_arena *a)
{
    struct scratch *w = work;
    size_t axes = w->q->space->axes, rows = w->q->rows;
    w->z = gpai_take(a, axes, w->q->joint ? rows : 0);
    GPAI_TAKE_EACH(a, rows, 1, &w->row, &w->rank);
    GPAI_TAKE_EACH(a, axes, 1, &w->in, &w->out);
}

static void lay_out(void *work, gpai_arena *a)
{
    struct scratch *w = work;
    gpai_plausible *q = w->q;
    size_t axes = q->space->axes;
    GPAI_TAKE_EACH(a, axes, q->n, &q->at, &q->log_density, &q->score, &q->pull);
    w->centre = gpai_take(a, axes, q->rows);
    w->share = gpai_take(a, q->space->d, 1);
    q->column = gpai_take_bytes(a, axes, sizeof *q->column);
    q->log_share = gpai_take_bytes(a, axes, sizeof *q->log_share);
}

gpa_status gpai_plausible_open(gpai_plausible *q, const gpai_problem *p,
                               const gpai_space *s, const double *rows, size_t n_rows,
                               bool joint, gpa_error *err)
{
    struct scratch w = {.q = q};
    *q = (gpai_plausible){.space = s,
                          .n = p->n,
                          .rows = n_rows < GPAI_PLAUSIBLE_MOST ? n_rows
                                                               : GPAI_PLAUSIBLE_MOST,
                          .joint = joint};
    double *block = gpai_carve(lay_out_scratch, &w);
    q->block = gpai_carve(lay_out, &w);
    gpa_status st = GPA_OK;
    if (block == NULL || q->block == NULL) {
        st = gpai_nomem(err, "plausible");
        goto done;
    }
    for (size_t i = 0; i < s->axes; i++, w.centre += q->rows) {
        if (s->axis[i].kind != GPAI_AXIS_CHOICE) {
            fit_column(q, i, rows, n_rows, w.centre, w.row);
            continue;
        }
        fit_shares(q, i, rows, n_rows, w.share);
        w.share += s->axis[i].members;
    }
    judge_observed(q, p);
    if (joint) {
        st = join(q, rows, n_rows, w.z, w.row, err);
        if (st == GPA_OK)
            find_pulls(q, w.in, w.out, w.rank);
    }
done:
    gpai_free(block);
    if (st != GPA_OK)
        gpai_plausible_close(q);
    return st;
}

void gpai_plausible_close(gpai_plausible *q)
{
    gpai_copula_close(&q->copula);
    gpai_free(q->block);
    *q = (gpai_plausible){0};
}

/* One row's part of gpai_plausible_judge; `score` (count) receives the shifts. */
static void judge_row(const gpai_plausible *q, size_t axis, size_t t,
                      const double *value, size_t count, double *gain, double *score)
{
    double density[GPAI_MOVES];
    size_t own = axis * q->n + t;
    gpai_column_at(&q->column[axis], q->at[own], value, count, density,
                   q->joint ? score : NULL);
    for (size_t i = 0; i < count; i++)
        gain[i] += log(fmax(density[i], LEAST_DENSITY)) - q->log_density[own];
    if (!q->joint)
        return;
    double link = gpai_copula_link(&q->copula, axis, axis);
    for (size_t i = 0; i < count; i++) {
        score[i] -= q->score[own];
        gain[i] -= (q->pull[own] + 0.5 * link * score[i]) * score[i];
    }
}

void gpai_plausible_judge(const gpai_plausible *q, size_t axis, const double *value,
                          size_t count, double *gain, double *shift)
{
    double unwanted[GPAI_MOVES];
    const gpai_axis *a = &q->space->axis[axis];
    const double *share = q->log_share[axis];
    for (size_t i = 0; i < count; i++)
        gain[i] = a->kind != GPAI_AXIS_CHOICE
                      ? 0
                      : (double)q->n * (share[(size_t)value[i]] - share[a->now]);
    if (shift != NULL)
        memset(shift, 0, q->n * count * sizeof *shift);
    for (size_t t = 0; t < q->n; t++)
        if (q->column[axis].count > 0 && isfinite(q->at[axis * q->n + t]))
            judge_row(q, axis, t, value, count, gain,
                      shift != NULL ? shift + t * count : unwanted);
}

double gpai_plausible_link(const gpai_plausible *q, size_t j, size_t k)
{
    return q->joint ? gpai_copula_link(&q->copula, j, k) : 0;
}
