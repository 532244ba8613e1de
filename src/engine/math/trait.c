#include "engine/math/trait.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include <math.h>
#include <string.h>

/* Chosen on held-out rows of seven tables: the share of a whole number's mass that is
 * its frequency (the rest is the kernels'); rows at which a level's correlations count
 * half. */
static const double ATOM = 0.8, RARE = 10;

/* A density below this is as good as none; its logarithm stays a number. */
static const double LEAST_DENSITY = 1e-300;

double gpai_trait_log(double density)
{
    return log(fmax(density, LEAST_DENSITY));
}

/* Columns of numbers. */

/* Raw scores become those of mean 0 and standard deviation 1, of a missing number 0. */
static void standardise(gpai_trait *t, const double *raw, size_t rows, double *z)
{
    double sum = 0, square = 0, n = (double)t->kernels.count;
    for (size_t i = 0; i < rows; i++)
        sum += isnan(raw[i]) ? 0 : z[i];
    t->shift = sum / n;
    for (size_t i = 0; i < rows; i++)
        square += isnan(raw[i]) ? 0 : (z[i] - t->shift) * (z[i] - t->shift);
    double sd = sqrt(square / n);
    t->spread = sd > 1e-9 ? sd : 1;
    for (size_t i = 0; i < rows; i++)
        z[i] = isnan(raw[i]) ? 0 : (z[i] - t->shift) / t->spread;
}

/* Kernels around the numbers, and their scores. */
static void fit_column(gpai_trait *t, const double *value, size_t rows,
                       gpai_trait_room *room)
{
    size_t n = 0;
    room->rare[0] = 1;
    for (size_t i = 0; i < rows; i++)
        if (!isnan(value[i]))
            room->centre[n++] = value[i] / t->unit;
    if (n >= GPAI_CROWD_LEAST)
        t->kernels = gpai_kernels_make(room->centre, n, room->raw);
    if (n < GPAI_CROWD_LEAST || !isfinite(t->kernels.width)) {
        t->kind = GPAI_TRAIT_UNKNOWN;
        t->levels = 0;
        return;
    }
    for (size_t i = 0; i < rows; i++)
        room->raw[i] = value[i] / t->unit;
    gpai_kernels_at(&t->kernels, 0, room->raw, rows, room->e, room->z);
    standardise(t, room->raw, rows, room->z);
    t->known = room->known;
    n = 0;
    for (size_t i = 0; i < rows; i++)
        if (!isnan(value[i]))
            t->known[n++] = room->z[i];
    gpai_sort(t->known, n); /* scores rise with values */
}

/* Numbers of the column that count. */
static double numbers_of(const gpai_trait *t)
{
    return (double)(t->kernels.count - (isnan(t->left_out) ? 0 : 1));
}

/* The column's density without what is left out, at x in units. */
static double without(const gpai_trait *t, double density, double x)
{
    if (isnan(t->left_out))
        return density;
    double q = (x - t->left_out) / t->kernels.width;
    return ((double)t->kernels.count * density - 1 / (1 + q * q)) / numbers_of(t);
}

void gpai_trait_number(const gpai_trait *t, const double *value, size_t count,
                       double *density, double *score)
{
    enum { TOGETHER = 64 };
    double x[TOGETHER];
    for (size_t at = 0; at < count; at += TOGETHER) {
        size_t n = count - at < TOGETHER ? count - at : TOGETHER;
        for (size_t i = 0; i < n; i++)
            x[i] = value[at + i] / t->unit;
        gpai_kernels_at(&t->kernels, 0, x, n, density + at, score + at);
        for (size_t i = 0; i < n; i++) {
            density[at + i] = without(t, density[at + i], x[i]);
            score[at + i] = (score[at + i] - t->shift) / t->spread;
        }
    }
}

/* How far out a tail of Cauchy kernels has this score: of one kernel in the middle. */
static double tail_at(const gpai_trait *t, double score)
{
    double raw = fmin(fabs(t->shift + t->spread * score), 6);
    return t->kernels.width / (GPAI_PI * gpai_norm_cdf(-raw));
}

/* About the value at a score, in units: on straight lines between known ones. */
static double guess_value(const gpai_trait *t, double score)
{
    const double *z = t->known, *x = t->kernels.centre;
    size_t n = t->kernels.count, low = 0, high = n - 1;
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

/* `own` at the marks. */
static void set_plain(gpai_trait *t, double *plain)
{
    double density[GPAI_CROWD_MARKS + GPAI_VPAD];
    for (size_t i = 0; i < GPAI_CROWD_MARKS; i++)
        density[i] = fmax(without(t, t->dense[i], t->mark[i]), LEAST_DENSITY);
    gpai_vectors_at(0)->log(density, GPAI_CROWD_MARKS);
    t->plain = plain;
    for (size_t i = 0; i < GPAI_CROWD_MARKS; i++)
        plain[i] = density[i] + 0.5 * gpai_mark_score(i) * gpai_mark_score(i);
}

/* Marks: the values whose scores are equally far apart, to CLOSE, and their density.
 * Newton's steps, within what the places seen so far leave; scores rise with values.
 * Most are there after a few rounds, those far out take many: only who is still under
 * way is looked at again. */
static void find_marks(gpai_trait *t)
{
    enum { ROUNDS = 40, N = GPAI_CROWD_MARKS };
    static const double CLOSE = 1e-8;
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
        gpai_kernels_at(&t->kernels, 0, place, looked_at, density, score);
        for (size_t j = 0; j < looked_at; j++) {
            size_t i = under_way[j];
            double raw = score[j], *x = &t->mark[i];
            double off = (raw - t->shift) / t->spread - gpai_mark_score(i);
            t->dense[i] = density[j];
            if (fabs(off) < CLOSE)
                continue;
            *(off > 0 ? &high[i] : &low[i]) = *x;
            /* d score / d x: the density over that of the raw score, and its spread */
            double rise = density[j] / (GPAI_PI * t->kernels.width) *
                          sqrt(2 * GPAI_PI) * exp(0.5 * raw * raw) / t->spread;
            double next = *x - off / rise;
            under_way[left++] = i;
            if (next > low[i] && next < high[i])
                *x = next;
            else if (isfinite(low[i]) && isfinite(high[i]))
                *x = 0.5 * (low[i] + high[i]);
            else
                *x = off > 0 ? *x - 2 * t->kernels.width : *x + 2 * t->kernels.width;
        }
    }
}

static void fit_number(gpai_trait *t, const double *value, size_t rows,
                       gpai_trait_room *room)
{
    fit_column(t, value, rows, room);
    if (t->kind != GPAI_TRAIT_NUMBER)
        return;
    t->mark = room->mark;
    t->dense = room->dense;
    find_marks(t);
    set_plain(t, room->plain);
}

/* Levels. */

static double *take(double **from, size_t n)
{
    double *v = *from;
    *from += n;
    return v;
}

/* Room for what has a number per level, and changes with a row. */
static void give_levels(gpai_trait *t, gpai_trait_room *room)
{
    size_t n = t->levels + 1;
    t->count = take(&room->level, n);
    t->own = take(&room->level, n);
    t->form = take(&room->form, n * n);
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

/* Masses of the levels, and how much their correlations count. */
static void set_masses(gpai_trait *t, double rows, double *rare)
{
    double seen = rows - t->count[t->levels];
    for (size_t k = 0; k < t->width; k++) {
        double n = t->count[k];
        if (t->levels == 2)
            n = fmin(n, t->count[1]);
        rare[k] = n / (n + RARE);
    }
    for (size_t l = 0; l <= t->levels; l++)
        t->own[l] =
            log(l < t->levels ? (t->count[l] + 0.5) / (seen + 0.5 * (double)t->levels)
                              : 0.5 / (rows + 1));
}

static void fit_choice(gpai_trait *t, const double *value, size_t rows,
                       gpai_trait_room *room)
{
    give_levels(t, room);
    t->score = take(&room->score, (t->levels + 1) * t->width);
    for (size_t i = 0; i < rows; i++)
        t->count[(size_t)value[i]] += 1;
    set_scores(t, (double)rows - t->count[t->levels]);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < t->width; k++)
            room->z[k * room->ld + i] = t->score[(size_t)value[i] * t->width + k];
    set_masses(t, (double)rows, room->rare);
}

double gpai_trait_log_mass(const gpai_trait *t, double value, double density)
{
    double seen = 0, level = value - t->low;
    if (level >= 0 && level < (double)t->levels && level == nearbyint(level))
        seen = t->count[(size_t)level] / numbers_of(t);
    double kernels = density / (GPAI_PI * t->kernels.width) / t->unit;
    return gpai_trait_log(ATOM * seen + (1 - ATOM) * fmin(kernels, 1));
}

/* Masses of whole numbers; their scores, too. */
static void set_whole(gpai_trait *t, double *score)
{
    double density;
    for (size_t l = 0; l < t->levels; l++) {
        double v = t->low + (double)l;
        gpai_trait_number(t, &v, 1, &density, &score[l]);
        t->own[l] = gpai_trait_log_mass(t, v, density);
    }
}

/* The level of a whole number. */
static size_t level_of(const gpai_trait *t, double value)
{
    return isnan(value) ? t->levels : (size_t)(value - t->low);
}

static void fit_whole(gpai_trait *t, const double *value, size_t rows,
                      gpai_trait_room *room)
{
    fit_column(t, value, rows, room);
    if (t->kind != GPAI_TRAIT_WHOLE)
        return;
    give_levels(t, room);
    t->score = take(&room->score, t->levels + 1);
    for (size_t i = 0; i < rows; i++)
        t->count[level_of(t, value[i])] += 1;
    set_whole(t, t->score);
}

void gpai_trait_fit(gpai_trait *t, const double *value, size_t rows,
                    gpai_trait_room *room)
{
    t->left_out = (double)NAN;
    if (t->kind == GPAI_TRAIT_CHOICE)
        fit_choice(t, value, rows, room);
    else if (t->kind == GPAI_TRAIT_WHOLE)
        fit_whole(t, value, rows, room);
    else
        fit_number(t, value, rows, room);
}

/* All rows but one. */

/* The levels' counts in room of their own, one row less in `level`. */
static void leave_level(gpai_trait *t, size_t level, gpai_trait_room *room)
{
    const double *count = t->count, *form = t->form;
    size_t n = t->levels + 1;
    give_levels(t, room);
    memcpy(t->count, count, n * sizeof *count);
    memcpy(t->form, form, n * n * sizeof *form);
    t->count[level] -= 1;
}

bool gpai_trait_leave(gpai_trait *t, double value, size_t rows, gpai_trait_room *room)
{
    double score[GPAI_LONGEST_RANGE + 1];
    room->rare[0] = 1;
    if (t->kind == GPAI_TRAIT_UNKNOWN)
        return true;
    if (t->kind == GPAI_TRAIT_CHOICE) {
        leave_level(t, (size_t)value, room);
        set_masses(t, (double)(rows - 1), room->rare);
        return true;
    }
    t->left_out = value / t->unit;
    if (!isnan(value) && (t->kernels.count <= GPAI_CROWD_LEAST ||
                          gpai_kernels_sways(&t->kernels, t->left_out)))
        return false;
    if (t->kind == GPAI_TRAIT_WHOLE) {
        leave_level(t, level_of(t, value), room);
        set_whole(t, score);
    } else {
        set_plain(t, room->plain);
    }
    return true;
}

/* Levels among all of them. */

double gpai_trait_block(const gpai_trait *t, double alpha, double square,
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

double gpai_trait_level(const gpai_trait *t, double alpha, size_t l, size_t without)
{
    size_t n = t->levels + 1;
    return gpai_trait_block(t, alpha, t->form[l * n + l], t->form + l * n, without);
}
