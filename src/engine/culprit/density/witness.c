#include "engine/culprit/density/witness.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "engine/explain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CONTRADICTS = 4; /* sigma: one of 16,000 rows with normal noise */
static const double APART = 1;       /* of what the rest spreads */
static const double FEW = 0.05;      /* of the rows with outcomes, or one */
static const double FEW_BARE = 0.03; /* of rows without outcomes, or one */
static const double AGREES = 1.5;    /* sigma, root mean square, */
enum { AGREEING = 3 };               /* of as many rows */

/* Some rows of a table, on their way. */
struct rows {
    const gpa_sample *from;
    const size_t *row;
    size_t n;
    double middle, sigma;               /* of y - f; sigma NaN: not known */
    bool doubtful[GPAI_CROWD_MOST];     /* or a copy of one before */
    gpai_ranked order[GPAI_CROWD_MOST]; /* values of an input, the highest first */
    size_t place[GPAI_CROWD_MOST];      /* which of the rows they are of */
};

/* So many rows, evenly spaced, know the noise and the spread of a longer table: in one
 * of a million rows all of them took longer than the rest of an answer. */
enum { NOISE_ROWS = 8192 };

/* Outcomes and predictions of those rows, all of them where they are no more or without
 * memory; *block is to be freed. */
static gpa_sample thin(const gpa_sample *from, double **block)
{
    size_t n = NOISE_ROWS;
    gpa_sample few = *from;
    *block = from->n > n && from->y != NULL && from->f != NULL
                 ? gpai_calloc(2 * n, sizeof **block)
                 : NULL;
    if (*block == NULL)
        return few;
    for (size_t i = 0; i < n; i++) {
        size_t row = i * from->n / n;
        (*block)[i] = from->y[row];
        (*block)[n + i] = from->f[row];
    }
    few.y = *block;
    few.f = *block + n;
    few.n = n;
    return few;
}

static double noise_of(const gpa_sample *from, double *middle)
{
    gpai_noise noise;
    double *block;
    const gpa_sample few = thin(from, &block);
    bool known = from->y != NULL && from->f != NULL &&
                 gpai_residual_noise(&few, &noise, NULL) == GPA_OK;
    gpai_free(block);
    *middle = known ? noise.middle : 0;
    return known ? noise.sigma : (double)NAN;
}

/* The spread of f where y - f is not farther from `middle` than `limit`. */
static double spread_within(const gpa_sample *s, double middle, double limit)
{
    double mean = 0, sum = 0, n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (fabs(s->y[i] - s->f[i] - middle) <= limit)
            mean += (s->f[i] - mean) / ++n;
    for (size_t i = 0; i < s->n; i++)
        if (fabs(s->y[i] - s->f[i] - middle) <= limit)
            sum += (s->f[i] - mean) * (s->f[i] - mean);
    return n > 0 ? sqrt(sum / n) : (double)NAN;
}

double gpai_witness_spread(const gpa_sample *from, bool every)
{
    double middle, *block;
    double sigma = every ? (double)NAN : noise_of(from, &middle);
    const gpa_sample few = thin(from, &block);
    double spread = few.n < GPAI_CROWD_LEAST ? (double)NAN
                    : isnan(sigma)           ? gpai_standard_deviation(few.f, few.n)
                                   : spread_within(&few, middle, CONTRADICTS * sigma);
    gpai_free(block);
    return spread;
}

static double off(const struct rows *w, size_t i)
{
    size_t row = w->row[i];
    return (w->from->y[row] - w->from->f[row] - w->middle) / w->sigma;
}

/* Whether `count` values from the `first` on belong to rows that the model knows. */
static bool agree(const struct rows *w, size_t first, size_t count)
{
    double sum = 0;
    if (isnan(w->sigma) || count < AGREEING)
        return false;
    for (size_t i = first; i < first + count; i++)
        sum += pow(off(w, w->place[w->order[i].place]), 2);
    return sum <= AGREES * AGREES * (double)count;
}

/* How many of the values from `first` to before `last`, at the high or the low end, lie
 * apart from all others, no more than `most`. */
static size_t apart(const struct rows *w, size_t first, size_t last, size_t most,
                    bool high)
{
    const gpai_ranked *v = w->order;
    for (size_t cut = most < last - first - 1 ? most : 0; cut > 0; cut--) {
        size_t a = high ? first + cut : first, b = high ? last : last - cut;
        double gap = high ? v[a - 1].value - v[a].value : v[b - 1].value - v[b].value;
        if (gap > APART * (v[a].value - v[b - 1].value))
            return cut;
    }
    return 0;
}

/* Doubts rows by the values of one input, n of them in order. */
static void doubt_far(struct rows *w, size_t n)
{
    double few = isnan(w->sigma) ? FEW_BARE : FEW;
    size_t first = 0, last = n, most = (size_t)(few * (double)n), cut;
    most = most > 0 ? most : 1;
    if (n < GPAI_CROWD_ENOUGH ||
        !(w->order[n / 4].value > w->order[n - 1 - n / 4].value))
        return; /* mostly one value: no other is near it */
    for (int high = 1; high >= 0; high--)
        while ((cut = apart(w, first, last, most, high)) > 0) {
            size_t from = high ? first : last - cut;
            if (agree(w, from, cut))
                break;
            for (size_t i = from; i < from + cut; i++)
                w->doubtful[w->place[w->order[i].place]] = true;
            first += high ? cut : 0;
            last -= high ? 0 : cut;
            most -= cut;
        }
}

/* The values of input k in order; gives how many there are. */
static size_t take_values(struct rows *w, size_t k, double missing)
{
    double value[GPAI_CROWD_MOST];
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        double v = w->from->x[w->row[i] * w->from->d + k];
        if (!isfinite(v) || v == missing)
            continue;
        w->place[n] = i;
        value[n++] = v;
    }
    gpai_rank(value, n, w->order);
    return n;
}

static bool is_number(const gpa_input *in)
{
    return in == NULL || ((in->kind == GPA_KIND_NUMBER || in->kind == GPA_KIND_WHOLE) &&
                          in->writing != GPA_WRITING_LEVEL && in->group == 0);
}

size_t gpai_witnesses(const gpa_sample *from, const gpa_input *inputs, size_t *row,
                      size_t n)
{
    struct rows w = {.from = from, .row = row, .n = n};
    size_t kept = 0;
    w.sigma = noise_of(from, &w.middle);
    for (size_t i = 0; i < n && !isnan(w.sigma); i++)
        w.doubtful[i] = fabs(off(&w, i)) > CONTRADICTS;
    for (size_t k = 0; k < from->d; k++) {
        const gpa_input *in = inputs != NULL ? &inputs[k] : NULL;
        if (is_number(in))
            doubt_far(&w, take_values(&w, k, in != NULL ? in->missing : (double)NAN));
    }
    for (size_t i = 0; i < n; i++)
        kept += !w.doubtful[i];
    if (kept < GPAI_CROWD_LEAST)
        return n;
    kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!w.doubtful[i])
            row[kept++] = row[i];
    return kept;
}

static bool same(const struct rows *w, size_t i, size_t j)
{
    size_t d = w->from->d;
    const double *x = w->from->x;
    return memcmp(x + w->row[i] * d, x + w->row[j] * d, d * sizeof *x) == 0;
}

/* How many different values input k has. */
static size_t count_values(struct rows *w, size_t k, double missing)
{
    size_t n = take_values(w, k, missing), values = n > 0;
    for (size_t i = 1; i < n; i++)
        values += w->order[i].value < w->order[i - 1].value;
    return values;
}

/* Whether rows that are the same by chance would be a wonder: some number has half as
 * many values as there are different rows. */
static bool are_copies(struct rows *w, const gpa_input *inputs, size_t different)
{
    for (size_t k = 0; k < w->from->d; k++) {
        const gpa_input *in = inputs != NULL ? &inputs[k] : NULL;
        double missing = in != NULL ? in->missing : (double)NAN;
        if (is_number(in) && 2 * count_values(w, k, missing) >= different)
            return true;
    }
    return false;
}

size_t gpai_witness_distinct(const gpa_sample *from, const gpa_input *inputs,
                             size_t *row, size_t n)
{
    struct rows w = {.from = from, .row = row, .n = n};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i && !w.doubtful[i]; j++)
            w.doubtful[i] = !w.doubtful[j] && same(&w, i, j);
        kept += !w.doubtful[i];
    }
    if (kept == n || !are_copies(&w, inputs, kept))
        return n;
    if (kept < GPAI_CROWD_LEAST)
        return 0;
    kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!w.doubtful[i])
            row[kept++] = row[i];
    return kept;
}
