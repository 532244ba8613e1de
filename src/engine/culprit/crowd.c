#include "engine/culprit/crowd.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Chosen on held-out rows of seven tables: the share of a whole number's mass that is
 * its frequency (the rest is the kernels'); rows at which a level's correlations count
 * half; fewer rows than MIXED cannot choose alpha. */
static const double ATOM = 0.8, RARE = 10;
enum { MIXED = 30, LONGEST_RANGE = 25 };
static const double ALPHAS[] = {0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98};

/* A density below this is as good as none; its logarithm stays a number. */
static const double LEAST_DENSITY = 1e-300;

/* What only gpai_crowd_open needs. */
struct making {
    gpai_crowd *d;
    const gpai_space *s;
    const double *unit, *rows;
    size_t n_rows;
    const gpai_vectors *v;
    size_t levels, squares; /* all levels + 1, and their squares */
    double *centre, *known; /* axes by rows: for the columns */
    double *mark, *plain;   /* axes by marks */
    double *level;          /* room for what has one number per level, and so on */
    double *score, *form;
    double *z, *pull; /* scores by rows, ld apart */
    double *rare;     /* scores */
    double *gram;     /* rows by rows, ld apart */
    double *own;      /* ld: its diagonal */
    double *e;        /* ld */
    double *raw;      /* rows */
    double *in, *out; /* scores */
    double *rank;
    size_t *first; /* axes + 1 */
    double *small; /* widest squared, twice */
    size_t widest;
};

/* An input of the i-th row that is used: of all, or of evenly spaced ones. */
static double cell_at(const struct making *w, size_t i, size_t input)
{
    size_t row = i * w->n_rows / w->d->rows;
    return w->rows[row * w->s->d + input];
}

/* Sizes. */

static bool is_short_range(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_STEP && a->in != NULL &&
           a->in->kind == GPA_KIND_WHOLE && a->in->high - a->in->low < LONGEST_RANGE &&
           a->in->high > a->in->low;
}

static void measure(struct making *w)
{
    gpai_crowd *d = w->d;
    for (size_t i = 0; i < d->axes; i++) {
        const gpai_axis *a = &w->s->axis[i];
        gpai_trait *t = &d->trait[i];
        t->unit = w->unit[a->input];
        t->first = d->scores;
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
        d->scores += t->width;
        w->widest = t->width > w->widest ? t->width : w->widest;
        if (t->levels > 0) {
            w->levels += t->levels + 1;
            w->squares += (t->levels + 1) * (t->levels + 1);
        }
    }
}

static void lay_out(void *work, gpai_arena *a)
{
    struct making *w = work;
    gpai_crowd *d = w->d;
    GPAI_TAKE_EACH(a, d->axes, d->rows, &w->centre, &w->known);
    GPAI_TAKE_EACH(a, d->axes, GPAI_CROWD_MARKS, &w->mark, &w->plain);
    w->level = gpai_take(a, 2, w->levels);
    w->score = gpai_take(a, w->levels, w->widest);
    w->form = gpai_take(a, w->squares, 1);
    GPAI_TAKE_EACH(a, d->scores, d->ld, &d->centre, &d->pull);
}

static void lay_out_scratch(void *work, gpai_arena *a)
{
    struct making *w = work;
    gpai_crowd *d = w->d;
    size_t n = d->rows, rank = n < d->scores ? n : d->scores;
    GPAI_TAKE_EACH(a, d->scores, d->ld, &w->z, &w->pull);
    w->gram = gpai_take(a, d->ld, d->ld);
    GPAI_TAKE_EACH(a, d->ld, 1, &w->own, &w->e, &w->raw);
    GPAI_TAKE_EACH(a, d->scores, 1, &w->in, &w->out, &w->rare);
    w->rank = gpai_take(a, rank, 1);
    w->small = gpai_take(a, w->widest * w->widest, 1);
    w->first = gpai_take_bytes(a, d->axes + 1, sizeof *w->first);
}

/* Columns of numbers. */

/* What a cell of a numeric axis counts as; NaN: missing. */
static double number_at(const struct making *w, size_t axis, size_t i)
{
    const gpai_axis *a = &w->s->axis[axis];
    const gpai_trait *t = &w->d->trait[axis];
    double v = cell_at(w, i, a->input);
    if (!isfinite(v) || (a->in != NULL && v == a->in->missing))
        return (double)NAN;
    if (t->kind == GPAI_TRAIT_WHOLE &&
        (v != nearbyint(v) || v < t->low || v > t->low + (double)(t->levels - 1)))
        return (double)NAN;
    return v;
}

/* Kernels around the numbers, their scores, mean 0 and standard deviation 1. */
static void fit_column(struct making *w, size_t axis)
{
    gpai_crowd *d = w->d;
    gpai_trait *t = &d->trait[axis];
    double *centre = w->centre + axis * d->rows, *z = w->z + t->first * d->ld;
    size_t n = 0;
    w->rare[t->first] = 1;
    for (size_t i = 0; i < d->rows; i++) {
        double v = number_at(w, axis, i);
        if (!isnan(v))
            centre[n++] = v / t->unit;
    }
    if (n >= GPAI_CROWD_LEAST)
        t->column = gpai_column_make(centre, n, w->raw);
    if (n < GPAI_CROWD_LEAST || !isfinite(t->column.width)) {
        t->kind = GPAI_TRAIT_UNKNOWN;
        t->levels = 0;
        return;
    }
    t->median = gpai_sorted_median(centre, n) * t->unit;
    double sum = 0, square = 0;
    for (size_t i = 0; i < d->rows; i++)
        w->raw[i] = number_at(w, axis, i) / t->unit;
    gpai_column_at(&t->column, 0, w->raw, d->rows, w->e, z);
    for (size_t i = 0; i < d->rows; i++)
        sum += isnan(w->raw[i]) ? 0 : z[i];
    t->shift = sum / (double)n;
    for (size_t i = 0; i < d->rows; i++)
        square += isnan(w->raw[i]) ? 0 : (z[i] - t->shift) * (z[i] - t->shift);
    double sd = sqrt(square / (double)n);
    t->spread = sd > 1e-9 ? sd : 1;
    for (size_t i = 0; i < d->rows; i++)
        z[i] = isnan(w->raw[i]) ? 0 : (z[i] - t->shift) / t->spread;
    t->known = w->known + axis * d->rows;
    n = 0;
    for (size_t i = 0; i < d->rows; i++)
        if (!isnan(w->raw[i]))
            t->known[n++] = z[i];
    gpai_sort(t->known, n); /* scores rise with values */
    t->mark = w->mark + axis * GPAI_CROWD_MARKS;
    t->plain = w->plain + axis * GPAI_CROWD_MARKS;
}

/* Score and density per unit of numbers, as in the rows; `score` may be `density`. */
static void column_at(const gpai_trait *t, const double *value, size_t count,
                      double *density, double *score)
{
    for (size_t i = 0; i < count; i++)
        density[i] = value[i] / t->unit;
    gpai_column_at(&t->column, 0, density, count, density, score);
    for (size_t i = 0; i < count; i++)
        score[i] = (score[i] - t->shift) / t->spread;
}

/* How far out a tail of Cauchy kernels has this score: of one kernel in the middle. */
static double tail_at(const gpai_trait *t, double score)
{
    double raw = fmin(fabs(t->shift + t->spread * score), 6);
    return t->column.width / (GPAI_PI * gpai_norm_cdf(-raw));
}

/* About the value at a score, in units: on straight lines between known ones. */
static double guess_value(const gpai_trait *t, double score)
{
    const double *z = t->known, *x = t->column.centre;
    size_t n = t->column.count, low = 0, high = n - 1;
    if (score <= z[0])
        return x[0] - fmax(tail_at(t, score) - tail_at(t, z[0]), 0);
    if (score >= z[n - 1])
        return x[n - 1] + fmax(tail_at(t, score) - tail_at(t, z[n - 1]), 0);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(z[middle] <= score ? &low : &high) = middle;
    }
    double gap = z[high] - z[low];
    return x[low] + (gap > 0 ? (x[high] - x[low]) * (score - z[low]) / gap : 0);
}

/* Marks: the values whose scores are equally far apart. Newton's steps, within what
 * the places seen so far leave; scores rise with values. Most are there after a few
 * rounds, those far out take many: only who is still under way is looked at again. */
static void find_marks(gpai_trait *t)
{
    enum { ROUNDS = 40, N = GPAI_CROWD_MARKS };
    static const double CLOSE = 1e-10;
    double low[N], high[N], place[N], density[N], score[N];
    size_t under_way[N], left = N;
    for (size_t i = 0; i < N; i++) {
        t->mark[i] = guess_value(t, gpai_mark_score(i));
        low[i] = -HUGE_VAL;
        high[i] = HUGE_VAL;
        under_way[i] = i;
    }
    for (size_t round = 0; round < ROUNDS && left > 0; round++) {
        size_t looked_at = left;
        left = 0;
        for (size_t j = 0; j < looked_at; j++)
            place[j] = t->mark[under_way[j]];
        gpai_column_at(&t->column, 0, place, looked_at, density, score);
        for (size_t j = 0; j < looked_at; j++) {
            size_t i = under_way[j];
            double raw = score[j], *x = &t->mark[i];
            double off = (raw - t->shift) / t->spread - gpai_mark_score(i);
            *(off > 0 ? &high[i] : &low[i]) = *x;
            /* d score / d x: the density over that of the raw score, and its spread */
            double rise = density[j] / (GPAI_PI * t->column.width) * sqrt(2 * GPAI_PI) *
                          exp(0.5 * raw * raw) / t->spread;
            double next = *x - off / rise;
            bool within = next > low[i] && next < high[i];
            if (within)
                *x = next;
            if (fabs(off) < CLOSE)
                continue; /* one that is there must not be sent away again */
            under_way[left++] = i;
            if (within)
                continue;
            if (isfinite(low[i]) && isfinite(high[i]))
                *x = 0.5 * (low[i] + high[i]);
            else
                *x = off > 0 ? *x - 2 * t->column.width : *x + 2 * t->column.width;
        }
    }
    gpai_column_at(&t->column, 0, t->mark, N, t->plain, score);
    for (size_t i = 0; i < N; i++)
        t->plain[i] = log(fmax(t->plain[i], LEAST_DENSITY)) +
                      0.5 * gpai_mark_score(i) * gpai_mark_score(i);
}

/* Levels. */

static double *take(double **from, size_t n)
{
    double *v = *from;
    *from += n;
    return v;
}

/* Room for what has a number per level. */
static void give_levels(struct making *w, gpai_trait *t)
{
    size_t n = t->levels + 1;
    t->count = take(&w->level, n);
    t->own = take(&w->level, n);
    t->score = take(&w->score, n * t->width);
    t->form = take(&w->form, n * n);
}

/* The level of a choice that the i-th row is in; a->levels: none. */
static size_t level_at(const struct making *w, const gpai_axis *a, size_t i)
{
    for (size_t l = 0; l < a->levels; l++) {
        size_t j = 0;
        while (j < a->members &&
               cell_at(w, i, a->member[j]) == gpai_axis_level(a, l, j))
            j++;
        if (j == a->members)
            return l;
    }
    return a->levels;
}

/* Standardised 0/1 of one level, or of each: half a row more than was seen of each. */
static void set_scores(gpai_trait *t, double seen)
{
    size_t n = t->levels;
    for (size_t l = 0; l < n && t->width > 1; l++) {
        double p = (t->count[l] + 0.5) / (seen + 0.5 * (double)n);
        for (size_t m = 0; m < n; m++)
            t->score[m * n + l] = ((m == l) - p) / sqrt(p * (1 - p));
    }
    if (n == 2) {
        double p = (t->count[1] + 0.5) / (seen + 1);
        t->score[0] = -p / sqrt(p * (1 - p));
        t->score[1] = (1 - p) / sqrt(p * (1 - p));
    }
}

static void fit_choice(struct making *w, size_t axis)
{
    gpai_crowd *d = w->d;
    gpai_trait *t = &d->trait[axis];
    const gpai_axis *a = &w->s->axis[axis];
    give_levels(w, t);
    for (size_t i = 0; i < d->rows; i++)
        t->count[level_at(w, a, i)] += 1;
    double seen = (double)d->rows - t->count[t->levels];
    set_scores(t, seen);
    for (size_t i = 0; i < d->rows; i++) {
        size_t l = level_at(w, a, i);
        for (size_t k = 0; k < t->width; k++)
            w->z[(t->first + k) * d->ld + i] = t->score[l * t->width + k];
    }
    for (size_t k = 0; k < t->width; k++) {
        double n = t->count[k];
        if (t->levels == 2)
            n = fmin(n, t->count[1]);
        w->rare[t->first + k] = n / (n + RARE);
    }
    for (size_t l = 0; l <= t->levels; l++)
        t->own[l] =
            log(l < t->levels ? (t->count[l] + 0.5) / (seen + 0.5 * (double)t->levels)
                              : 0.5 / ((double)d->rows + 1));
}

/* ln of the mass of a whole number from its density per unit. */
static double log_mass(const gpai_trait *t, double value, double density)
{
    double n = (double)t->column.count, seen = 0;
    double level = value - t->low;
    if (level >= 0 && level < (double)t->levels && level == nearbyint(level))
        seen = t->count[(size_t)level] / n;
    double kernels = density / (GPAI_PI * t->column.width) / t->unit;
    return log(fmax(ATOM * seen + (1 - ATOM) * fmin(kernels, 1), LEAST_DENSITY));
}

static void fit_whole(struct making *w, size_t axis)
{
    gpai_crowd *d = w->d;
    gpai_trait *t = &d->trait[axis];
    fit_column(w, axis);
    if (t->kind != GPAI_TRAIT_WHOLE)
        return;
    give_levels(w, t);
    for (size_t i = 0; i < d->rows; i++) {
        double v = number_at(w, axis, i);
        t->count[isnan(v) ? t->levels : (size_t)(v - t->low)] += 1;
    }
    for (size_t l = 0; l < t->levels; l++) {
        double v = t->low + (double)l;
        column_at(t, &v, 1, &t->own[l], &t->score[l]);
        t->own[l] = log_mass(t, v, t->own[l]);
    }
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

/* ln of the mean over the rows of N(s; alpha s_i, (1 - alpha^2) R_b), up to a constant,
 * for a block whose rows are in levels. |s|^2, and s . s_m of level m, in the metric of
 * R_b; without: a level of which one row less counts. */
static double block_density(const gpai_trait *t, double alpha, double square,
                            const double *product, size_t without)
{
    double sharp = 1 / (1 - alpha * alpha), top = -HUGE_VAL, sum = 0, rows = 0;
    size_t n = t->levels + 1;
    for (int round = 0; round < 2; round++)
        for (size_t m = 0; m < n; m++) {
            double own = t->form[m * n + m];
            double e =
                -0.5 * sharp * (square + alpha * alpha * own - 2 * alpha * product[m]);
            double count = t->count[m] - (m == without ? 1 : 0);
            if (round == 0) {
                top = count > 0 && e > top ? e : top;
                rows += t->count[m];
            } else {
                sum += count > 0 ? count * exp(e - top) : 0;
            }
        }
    return top + log(sum / rows) + 0.5 * (double)t->width * log(sharp);
}

/* The same at a level. */
static double level_density(const gpai_trait *t, double alpha, size_t l, size_t without)
{
    size_t n = t->levels + 1;
    return block_density(t, alpha, t->form[l * n + l], t->form + l * n, without);
}

/* Leave-one-out likelihood of the rows, the choices' blocks against their own: ties
 * would otherwise make the largest alpha win. */
static double leave_one_out(struct making *w, double alpha)
{
    const gpai_crowd *d = w->d;
    size_t n = d->rows;
    double sharp = 1 / (1 - alpha * alpha), sum = 0;
    for (size_t j = 0; j < n; j++)
        w->raw[j] = -0.5 * sharp * alpha * alpha * w->own[j];
    for (size_t i = 0; i < n; i++) {
        memcpy(w->e, w->raw, n * sizeof *w->e);
        w->v->axpy(sharp * alpha, w->gram + i * d->ld, n, w->e);
        w->e[i] = -HUGE_VAL;
        sum += w->v->log_sum(w->e, n) - 0.5 * sharp * w->own[i] - log((double)n);
    }
    sum += 0.5 * (double)(n * d->scores) * log(sharp);
    for (size_t a = 0; a < d->axes; a++) {
        const gpai_trait *t = &d->trait[a];
        for (size_t l = 0; t->levels > 0 && l <= t->levels; l++)
            if (t->count[l] > 0)
                sum -= t->count[l] * level_density(t, alpha, l, l);
    }
    return sum / (double)n;
}

/* R^-1 Z, and the products of all rows in its metric. */
static void find_gram(struct making *w)
{
    const gpai_crowd *d = w->d;
    for (size_t i = 0; i < d->rows; i++) {
        for (size_t k = 0; k < d->scores; k++)
            w->in[k] = w->z[k * d->ld + i];
        gpai_copula_pull(&d->copula, w->in, w->rank, w->out);
        for (size_t k = 0; k < d->scores; k++)
            w->pull[k * d->ld + i] = w->out[k];
    }
    memset(w->gram, 0, d->ld * d->ld * sizeof *w->gram);
    w->v->multiply(1, w->z, d->ld, w->pull, d->ld, 1, d->ld, d->rows, d->scores,
                   w->gram, d->ld);
    for (size_t i = 0; i < d->rows; i++)
        w->own[i] = w->gram[i * d->ld + i];
}

static void choose_alpha(struct making *w, bool joint)
{
    gpai_crowd *d = w->d;
    double best = -HUGE_VAL;
    find_gram(w);
    for (size_t i = 0; joint && d->rows >= MIXED && i < sizeof ALPHAS / sizeof *ALPHAS;
         i++) {
        double v = leave_one_out(w, ALPHAS[i]);
        if (i == 0 || v > best + 1e-9) {
            best = v;
            d->alpha = ALPHAS[i];
        }
    }
    d->sharp = 1 / (1 - d->alpha * d->alpha);
    d->components = d->alpha > 0 ? d->rows : 1;
    for (size_t i = 0; d->alpha > 0 && i < d->scores * d->ld; i++) {
        d->centre[i] = d->alpha * w->z[i];
        d->pull[i] = d->alpha * d->sharp * w->pull[i];
    }
    for (size_t a = 0; a < d->axes; a++)
        for (size_t l = 0; d->trait[a].levels > 0 && l <= d->trait[a].levels; l++)
            d->trait[a].own[l] -=
                level_density(&d->trait[a], d->alpha, l, d->trait[a].levels + 1);
}

static gpa_status join(struct making *w, bool joint, gpa_error *err)
{
    gpai_crowd *d = w->d;
    for (size_t i = 0; i < d->axes; i++)
        w->first[i] = d->trait[i].first;
    w->first[d->axes] = d->scores;
    for (size_t k = 0; k < d->scores; k++) /* the copula has no gaps between scores */
        memcpy(w->pull + k * d->rows, w->z + k * d->ld, d->rows * sizeof *w->z);
    gpai_scores s = {.m = d->scores,
                     .n = d->rows,
                     .blocks = d->axes,
                     .z = w->pull,
                     .first = w->first,
                     .rare = w->rare};
    gpa_status st = gpai_copula_open(&d->copula, &s, joint, err);
    memset(w->pull, 0, d->scores * d->ld * sizeof *w->pull);
    for (size_t i = 0; st == GPA_OK && i < d->axes; i++)
        if (d->trait[i].levels > 0)
            st = find_form(w, &d->trait[i], err);
    if (st == GPA_OK)
        choose_alpha(w, joint);
    return st;
}

gpa_status gpai_crowd_open(gpai_crowd *d, const gpai_space *s, const double *unit,
                           const double *rows, size_t n_rows, bool joint,
                           gpa_error *err)
{
    struct making w = {.d = d,
                       .s = s,
                       .unit = unit,
                       .rows = rows,
                       .n_rows = n_rows,
                       .v = gpai_vectors_at(0)};
    *d = (gpai_crowd){.axes = s->axes,
                      .rows = n_rows < GPAI_CROWD_MOST ? n_rows : GPAI_CROWD_MOST};
    d->ld = (d->rows + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    d->trait = gpai_calloc(d->axes > 0 ? d->axes : 1, sizeof *d->trait);
    double *block = NULL;
    gpa_status st = d->trait == NULL ? gpai_nomem(err, "plausible") : GPA_OK;
    if (st != GPA_OK)
        goto done;
    measure(&w);
    d->block = gpai_carve(lay_out, &w);
    block = gpai_carve(lay_out_scratch, &w);
    if (block == NULL || d->block == NULL) {
        st = gpai_nomem(err, "plausible");
        goto done;
    }
    for (size_t i = 0; i < d->axes; i++)
        if (d->trait[i].kind == GPAI_TRAIT_CHOICE)
            fit_choice(&w, i);
        else if (d->trait[i].kind == GPAI_TRAIT_WHOLE)
            fit_whole(&w, i);
        else
            fit_column(&w, i);
    for (size_t i = 0; i < d->axes; i++)
        if (d->trait[i].kind == GPAI_TRAIT_NUMBER)
            find_marks(&d->trait[i]);
    st = join(&w, joint, err);
done:
    gpai_free(block);
    if (st != GPA_OK)
        gpai_crowd_close(d);
    return st;
}

void gpai_crowd_close(gpai_crowd *d)
{
    gpai_copula_close(&d->copula);
    gpai_free(d->block);
    gpai_free(d->trait);
    *d = (gpai_crowd){0};
}

/* A whole number: from its level, or as a stranger. */
static void place_whole(const gpai_crowd *d, const gpai_trait *t, double value,
                        double *own, double *score)
{
    double level = value - t->low, density, product[LONGEST_RANGE + 1];
    if (level >= 0 && level < (double)t->levels && level == nearbyint(level)) {
        *own = t->own[(size_t)level];
        *score = t->score[(size_t)level];
        return;
    }
    column_at(t, &value, 1, &density, score);
    for (size_t m = 0; m <= t->levels; m++)
        product[m] = *score * t->score[m];
    *own = log_mass(t, value, density) -
           block_density(t, d->alpha, *score * *score, product, t->levels + 1);
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
        column_at(t, value, count, own, score);
        for (size_t i = 0; i < count; i++)
            own[i] = log(fmax(own[i], LEAST_DENSITY)) + 0.5 * score[i] * score[i];
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
    double at = u * (double)(t->column.count - 1);
    size_t i = (size_t)at;
    double low = t->column.centre[i], share = at - (double)i;
    double high = i + 1 < t->column.count ? t->column.centre[i + 1] : low;
    return (low + share * (high - low)) * t->unit;
}

bool gpai_crowd_knows(const gpai_crowd *d, size_t axis)
{
    return d->trait[axis].kind != GPAI_TRAIT_UNKNOWN;
}
