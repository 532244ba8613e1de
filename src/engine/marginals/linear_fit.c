#include "engine/marginals/linear_fit.h"
#include "base/math/matrix.h"
#include "base/math/vectors.h"
#include <math.h>
#include <string.h>

enum { GRADIENT_STEPS = 6 };

static const double WIDEN = 1.15; /* chosen: a fit is never quite right */

size_t gpai_linear_fit_rank(size_t m, size_t n)
{
    size_t rank = m < n ? m : n;
    return rank < GPAI_FIT_RANK ? rank : GPAI_FIT_RANK;
}

static double total(const double *w, size_t k, double *effective)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < k; i++) {
        sum += w[i];
        square += w[i] * w[i];
    }
    *effective = square > 0 ? sum * sum / square : 0;
    return sum;
}

/* Row i with a 1 behind it. */
static const double *padded(gpai_linear_fit *l, const double *z, size_t i)
{
    memcpy(l->row, z + i * l->m, l->m * sizeof *l->row);
    l->row[l->m] = 1;
    return l->row;
}

/* Draws at once, and the most numbers of each, that gather_wide takes. */
enum { TOGETHER = 32, WIDEST = 32 };

/* The numbers of draw i: z, 1, and the outputs; all 0 without weight, for then the
 * outputs may be NaN. */
static double pad(const gpai_linear_fit *l, const double *z, const double *f, double w,
                  double *to)
{
    if (!(w > 0)) {
        memset(to, 0, (l->m + 1 + l->n) * sizeof *to);
        return 0;
    }
    memcpy(to, z, l->m * sizeof *to);
    to[l->m] = 1;
    memcpy(to + l->m + 1, f, l->n * sizeof *to);
    return w;
}

/* What gather does, where the outputs are few: they are columns like the others. */
static void gather_wide(gpai_linear_fit *l, const double *z, const double *f,
                        const double *w, double sum, size_t k)
{
    size_t m1 = l->m + 1, size = m1 + l->n;
    size_t stride = (size + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    double g[WIDEST * WIDEST], row[TOGETHER * WIDEST], by[4 * WIDEST], weight[TOGETHER];
    const gpai_vectors *v = gpai_vectors_at(0);
    memset(g, 0, size * stride * sizeof *g);
    memset(row, 0, TOGETHER * stride * sizeof *row);
    for (size_t i = 0; i < k; i += TOGETHER) {
        for (size_t j = 0; j < TOGETHER; j++)
            weight[j] = i + j < k ? pad(l, z + (i + j) * l->m, f + (i + j) * l->n,
                                        w[i + j] / sum, row + j * stride)
                                  : 0;
        v->gram(row, weight, TOGETHER, size, stride, by, g);
    }
    for (size_t a = 0; a < m1; a++)
        memcpy(l->gram + a * m1, g + a * stride, m1 * sizeof *g);
    for (size_t t = 0; t < l->n; t++)
        memcpy(l->sums + t * m1, g + (m1 + t) * stride, m1 * sizeof *g);
}

/* Lower half of the weighted Gram matrix, and the right-hand sides. */
static void gather(gpai_linear_fit *l, const double *z, const double *f,
                   const double *w, double sum, size_t k)
{
    size_t m1 = l->m + 1;
    if (m1 + l->n <= WIDEST) {
        gather_wide(l, z, f, w, sum, k);
        return;
    }
    memset(l->gram, 0, m1 * m1 * sizeof *l->gram);
    memset(l->sums, 0, l->n * m1 * sizeof *l->sums);
    for (size_t i = 0; i < k; i++) {
        if (!(w[i] > 0))
            continue;
        const double *row = padded(l, z, i);
        for (size_t a = 0; a < m1; a++) {
            double wa = w[i] / sum * row[a], *line = l->gram + a * m1;
            for (size_t b = 0; b <= a; b++)
                line[b] += wa * row[b];
            for (size_t t = 0; t < l->n; t++)
                l->sums[t * m1 + a] += wa * f[i * l->n + t];
        }
    }
}

/* Slopes under a ridge from the gathered sums. */
static bool solve(gpai_linear_fit *l, double ridge)
{
    size_t m1 = l->m + 1;
    memcpy(l->factor, l->gram, m1 * m1 * sizeof *l->gram);
    memcpy(l->beta, l->sums, l->n * m1 * sizeof *l->beta);
    for (size_t a = 0; a < m1; a++)
        l->factor[a * m1 + a] += (a < l->m ? ridge : 0) + 1e-12;
    if (!gpai_cholesky(l->factor, m1))
        return false;
    for (size_t t = 0; t < l->n; t++)
        gpai_cholesky_solve(l->factor, m1, l->beta + t * m1);
    return true;
}

/* out = (A' W A + ridge) x for the padded rows A, one pass over the draws. */
static void apply(gpai_linear_fit *l, const double *z, const double *w, double sum,
                  double ridge, size_t k, const double *x, double *out)
{
    for (size_t a = 0; a <= l->m; a++)
        out[a] = (a < l->m ? ridge : 0) * x[a];
    for (size_t i = 0; i < k; i++) {
        if (!(w[i] > 0))
            continue;
        const double *row = z + i * l->m;
        double at = w[i] / sum * (gpai_dot(row, x, l->m) + x[l->m]);
        for (size_t a = 0; a < l->m; a++)
            out[a] += at * row[a];
        out[l->m] += at;
    }
}

/* Conjugate gradients for output t, whose right-hand side stands in beta. */
static void descend(gpai_linear_fit *l, const double *z, const double *w, double sum,
                    double ridge, size_t k, size_t t)
{
    size_t m1 = l->m + 1;
    double *x = l->beta + t * m1, *r = l->scratch, *d = r + m1, *ad = d + m1;
    memcpy(r, x, m1 * sizeof *r);
    memcpy(d, x, m1 * sizeof *d);
    memset(x, 0, m1 * sizeof *x);
    double rr = gpai_dot(r, r, m1), start = rr;
    for (int step = 0; step < GRADIENT_STEPS && rr > 1e-20 * start; step++) {
        apply(l, z, w, sum, ridge, k, d, ad);
        double along = rr / gpai_dot(d, ad, m1), before = rr;
        for (size_t a = 0; a < m1; a++) {
            x[a] += along * d[a];
            r[a] -= along * ad[a];
        }
        rr = gpai_dot(r, r, m1);
        for (size_t a = 0; a < m1; a++)
            d[a] = r[a] + rr / before * d[a];
    }
}

static void right_hand_sides(gpai_linear_fit *l, const double *z, const double *f,
                             const double *w, double sum, size_t k)
{
    size_t m1 = l->m + 1;
    for (size_t i = 0; i < k; i++)
        for (size_t t = 0; t < l->n && w[i] > 0; t++) {
            double wf = w[i] / sum * f[i * l->n + t], *b = l->beta + t * m1;
            for (size_t a = 0; a < l->m; a++)
                b[a] += wf * z[i * l->m + a];
            b[l->m] += wf;
        }
}

static void measure_misfit(gpai_linear_fit *l, const double *blocks, const double *f,
                           const double *w, double sum, size_t k)
{
    const gpai_vectors *v = gpai_vectors_at(0);
    double along[GPAI_VDRAWS];
    for (size_t t = 0; t < l->n; t++) {
        const double *b = l->beta + t * (l->m + 1);
        double misfit = 0, base = b[l->m];
        for (size_t i = 0; i < k; i += GPAI_VDRAWS) {
            size_t count = k - i < GPAI_VDRAWS ? k - i : GPAI_VDRAWS;
            v->project(gpai_block_of(blocks, i, l->m), b, l->m, along);
            for (size_t j = 0; j < count; j++) {
                double r = f[(i + j) * l->n + t] - base - along[j];
                if (w[i + j] > 0)
                    misfit += w[i + j] / sum * r * r;
            }
        }
        l->misfit[t] = misfit;
    }
}

/* Whether one prior standard deviation moves some output by a millionth of its noise,
 * and all numbers are finite. */
static bool worth_following(const gpai_linear_fit *l, const gpai_problem *p)
{
    bool worth = false;
    for (size_t t = 0; t < l->n; t++) {
        const double *b = l->beta + t * (l->m + 1);
        double square = gpai_dot(b, b, l->m);
        if (!isfinite(square) || !isfinite(l->misfit[t]) || !isfinite(b[l->m]))
            return false;
        worth = worth || square > 1e-12 * p->b[t] / p->a;
    }
    return worth;
}

/* Misfit in terms of the noise, summed over the outputs. */
static double total_misfit(const gpai_linear_fit *l, const gpai_problem *p)
{
    double sum = 0;
    for (size_t t = 0; t < l->n; t++)
        sum += l->misfit[t] / p->b[t];
    return sum;
}

/* With a ridge, which a rough f and few draws need; and without, which finds the slope
 * of an f that is really linear, if its misfit, for the freedom it took, is less. */
static bool fit_directly(gpai_linear_fit *l, const gpai_problem *p, const double *z,
                         const double *blocks, const double *f, const double *w,
                         double sum, size_t k, double effective)
{
    double ridge = 0.3 * fmax(1, (double)l->m / 10) / effective;
    gather(l, z, f, w, sum, k);
    if (!solve(l, ridge))
        return false;
    measure_misfit(l, blocks, f, w, sum, k);
    size_t numbers = l->n * (l->m + 1);
    bool saved = numbers + l->n <= 3 * (l->m + 1); /* what scratch holds */
    if (saved) {
        memcpy(l->scratch, l->beta, numbers * sizeof *l->beta);
        memcpy(l->scratch + numbers, l->misfit, l->n * sizeof *l->misfit);
    }
    double freedom = effective - (double)l->m - 1, with = total_misfit(l, p);
    if (freedom < 0.5 * effective)
        return true;
    if (solve(l, 0)) {
        measure_misfit(l, blocks, f, w, sum, k);
        for (size_t t = 0; t < l->n; t++)
            l->misfit[t] *= effective / freedom;
        if (total_misfit(l, p) < with)
            return true;
    }
    if (saved) {
        memcpy(l->beta, l->scratch, numbers * sizeof *l->beta);
        memcpy(l->misfit, l->scratch + numbers, l->n * sizeof *l->misfit);
    } else {
        solve(l, ridge);
        measure_misfit(l, blocks, f, w, sum, k);
    }
    return true;
}

bool gpai_linear_fit_make(gpai_linear_fit *l, const gpai_problem *p, const double *z,
                          const double *blocks, const double *f, const double *w,
                          size_t k)
{
    double effective, sum = total(w, k, &effective);
    if (!(sum > 0) || effective < 2)
        return false;
    if (l->m <= GPAI_FIT_DIRECT) {
        if (!fit_directly(l, p, z, blocks, f, w, sum, k, effective))
            return false;
    } else {
        double ridge = 0.03 * (double)l->m / effective;
        memset(l->beta, 0, l->n * (l->m + 1) * sizeof *l->beta);
        right_hand_sides(l, z, f, w, sum, k);
        for (size_t t = 0; t < l->n; t++)
            descend(l, z, w, sum, ridge, k, t);
        measure_misfit(l, blocks, f, w, sum, k);
    }
    return worth_following(l, p);
}

static double wide_b(const gpai_linear_fit *l, const gpai_problem *p, size_t t)
{
    return p->b[t] + p->a * l->misfit[t];
}

static bool fit_line(gpai_linear_fit *l, const gpai_problem *p, gpai_part *part)
{
    double norm = sqrt(gpai_dot(l->beta, l->beta, l->m));
    gpai_part_line line = {.centre = (p->y[0] - l->beta[l->m]) / norm,
                           .scale = sqrt(wide_b(l, p, 0)) / norm,
                           .power = p->a + 0.5};
    if (!(fabs(line.centre) < 1e150 * line.scale)) /* its square must stay finite */
        return false;
    for (size_t k = 0; k < l->m; k++)
        part->direction[k] = l->beta[k] / norm;
    return gpai_part_fit_line(part, &line);
}

/* What is left of output t's slope, in terms of its noise, once the directions found so
 * far are taken out. */
static double remainder_of(gpai_linear_fit *l, const gpai_problem *p,
                           const gpai_part *part, size_t t, double *rest)
{
    memcpy(rest, l->beta + t * (l->m + 1), l->m * sizeof *rest);
    for (int again = 0; again < 2; again++) /* twice is enough for rounding */
        for (size_t i = 0; i < part->rank; i++) {
            const double *q = part->direction + i * l->m;
            double along = gpai_dot(q, rest, l->m);
            for (size_t k = 0; k < l->m; k++)
                rest[k] -= along * q[k];
        }
    return gpai_dot(rest, rest, l->m) / wide_b(l, p, t);
}

/* Orthonormal directions that span the slopes, the steepest remainder first. */
static void find_directions(gpai_linear_fit *l, const gpai_problem *p, gpai_part *part)
{
    size_t most = gpai_linear_fit_rank(l->m, l->n);
    double *rest = l->scratch, first = 0;
    part->rank = 0;
    while (part->rank < most) {
        size_t best = 0;
        double top = -1;
        for (size_t t = 0; t < l->n; t++) {
            /* remainders only shrink: an old one that is lower cannot win */
            if (part->rank > 0 && l->length[t] <= top)
                continue;
            l->length[t] = remainder_of(l, p, part, t, rest);
            if (l->length[t] > top) {
                top = l->length[t];
                best = t;
            }
        }
        first = fmax(first, top);
        if (!(top > 1e-12 * first))
            return;
        remainder_of(l, p, part, best, rest);
        double norm = sqrt(gpai_dot(rest, rest, l->m));
        for (size_t k = 0; k < l->m; k++)
            part->direction[part->rank * l->m + k] = rest[k] / norm;
        part->rank++;
    }
}

/* One step of reweighting: precision I + R' W R into the part's factor, and the mean
 * that solves it. */
static bool reweigh(gpai_linear_fit *l, const gpai_problem *p, gpai_part *part,
                    double *next)
{
    size_t r = part->rank, m1 = l->m + 1;
    memset(part->factor, 0, r * r * sizeof *part->factor);
    memset(next, 0, r * sizeof *next);
    for (size_t t = 0; t < l->n; t++) {
        const double *slope = l->reduced + t * r;
        double target = p->y[t] - l->beta[t * m1 + l->m];
        double off = target - gpai_dot(slope, part->mean, r);
        double w = (2 * p->a + 1) / (2 * wide_b(l, p, t) + off * off);
        for (size_t i = 0; i < r; i++) {
            next[i] += w * target * slope[i];
            for (size_t j = 0; j <= i; j++)
                part->factor[i * r + j] += w * slope[i] * slope[j];
        }
    }
    for (size_t i = 0; i < r; i++)
        part->factor[i * r + i] += 1;
    if (!gpai_cholesky(part->factor, r))
        return false;
    gpai_cholesky_solve(part->factor, r, next);
    return true;
}

static bool fit_normal(gpai_linear_fit *l, const gpai_problem *p, gpai_part *part)
{
    find_directions(l, p, part);
    size_t r = part->rank;
    for (size_t t = 0; t < l->n; t++)
        for (size_t i = 0; i < r; i++)
            l->reduced[t * r + i] =
                gpai_dot(part->direction + i * l->m, l->beta + t * (l->m + 1), l->m);
    memset(part->mean, 0, r * sizeof *part->mean);
    for (int step = 0; step < 20; step++) {
        if (!reweigh(l, p, part, part->scratch))
            return false;
        memcpy(part->mean, part->scratch, r * sizeof *part->mean);
    }
    /* covariance = widened inverse of the precision L L' */
    gpai_lower_invert(part->factor, r, part->inverse);
    for (size_t i = 0; i < r; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = i; k < r; k++)
                sum += part->inverse[k * r + i] * part->inverse[k * r + j];
            part->factor[i * r + j] = WIDEN * sum;
        }
    return gpai_part_fit_normal(part);
}

bool gpai_linear_fit_part(gpai_linear_fit *l, const gpai_problem *p, gpai_part *part)
{
    return l->n == 1 ? fit_line(l, p, part) : fit_normal(l, p, part);
}
