#include "methods/consistency.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One input: its absolute scores in the one and the other attribution. */
struct item {
    double key, other;
};

struct work {
    size_t d;
    struct item *item;     /* d */
    gpai_ranked *ranked;   /* d */
    double *value, *spare; /* d each */
    double *rank[2];       /* d each: of the reference, of the other */
    unsigned char *top[2]; /* d flags each: in the top quarter */
};

static int compare(double x, double y)
{
    return x < y ? -1 : x > y;
}

static int by_both(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int by_key = compare(x->key, y->key);
    return by_key != 0 ? by_key : compare(x->other, y->other);
}

static uint64_t pairs(uint64_t n)
{
    return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}

/* Sorts v by merging and gives the number of pairs that stood the wrong way round. */
static uint64_t exchanges(double *v, double *spare, size_t n)
{
    uint64_t count = 0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n;
            size_t end = middle + width < n ? middle + width : n;
            size_t i = start, j = middle;
            for (size_t k = start; k < end; k++) {
                bool right = i == middle || (j < end && v[j] < v[i]);
                count += right ? middle - i : 0;
                spare[k] = right ? v[j++] : v[i++];
            }
        }
        memcpy(v, spare, n * sizeof *v);
    }
    return count;
}

/* Kendall's tau-b from the exchanges that sort one score when the other is in order. */
static double kendall(struct work *w, size_t d)
{
    uint64_t all = pairs(d), same = 0, tied = 0, tied_other = 0;
    size_t run = 1, run_both = 1, run_other = 1;
    qsort(w->item, d, sizeof *w->item, by_both);
    for (size_t i = 0; i < d; i++)
        w->value[i] = w->item[i].other;
    for (size_t i = 1; i <= d; i++) {
        bool key = i < d && w->item[i].key == w->item[i - 1].key;
        bool both = key && w->item[i].other == w->item[i - 1].other;
        tied += key ? 0 : pairs(run);
        same += both ? 0 : pairs(run_both);
        run = key ? run + 1 : 1;
        run_both = both ? run_both + 1 : 1;
    }
    uint64_t wrong = exchanges(w->value, w->spare, d);
    for (size_t i = 1; i <= d; i++) {
        bool other = i < d && w->value[i] == w->value[i - 1];
        tied_other += other ? 0 : pairs(run_other);
        run_other = other ? run_other + 1 : 1;
    }
    if (tied == all || tied_other == all)
        return (double)NAN; /* one of them has no order at all */
    double surplus = (double)(all - tied - tied_other + same) - 2 * (double)wrong;
    double tau =
        surplus / sqrt((double)(all - tied)) / sqrt((double)(all - tied_other));
    return fmax(-1, fmin(1, tau));
}

/* Average ranks from 0 at the largest, and who is in the top quarter. */
static void rank(struct work *w, const double *score, size_t d, double *ranks,
                 unsigned char *top)
{
    size_t quarter = d / 4 > 0 ? d / 4 : 1;
    for (size_t k = 0; k < d; k++)
        w->value[k] = fabs(score[k]);
    gpai_rank(w->value, d, w->ranked);
    for (size_t i = 0, end; i < d; i = end) {
        for (end = i + 1; end < d && w->ranked[end].value == w->ranked[i].value;)
            end++;
        for (size_t j = i; j < end; j++) {
            ranks[w->ranked[j].place] = 0.5 * (double)(i + end - 1);
            top[w->ranked[j].place] = j < quarter;
        }
    }
}

/* Pearson's correlation of the ranks, whose mean is (d - 1) / 2 each. */
static double spearman(const double *a, const double *b, size_t d)
{
    double mean = 0.5 * ((double)d - 1), both = 0, aa = 0, bb = 0;
    for (size_t k = 0; k < d; k++) {
        both += (a[k] - mean) * (b[k] - mean);
        aa += (a[k] - mean) * (a[k] - mean);
        bb += (b[k] - mean) * (b[k] - mean);
    }
    return aa > 0 && bb > 0 ? fmax(-1, fmin(1, both / sqrt(aa) / sqrt(bb)))
                            : (double)NAN;
}

static void agree(struct work *w, const double *reference, const double *other,
                  size_t d, gpa_agreement *out)
{
    size_t opposed = 0, hits = 0, quarter = d / 4 > 0 ? d / 4 : 1;
    rank(w, reference, d, w->rank[0], w->top[0]);
    rank(w, other, d, w->rank[1], w->top[1]);
    for (size_t k = 0; k < d; k++) {
        opposed +=
            (reference[k] < 0 && other[k] > 0) || (reference[k] > 0 && other[k] < 0);
        hits += w->top[0][k] && w->top[1][k];
        w->item[k] = (struct item){fabs(reference[k]), fabs(other[k])};
    }
    out->tau = kendall(w, d);
    out->rho = spearman(w->rank[0], w->rank[1], d);
    out->smr = 1 - (double)opposed / (double)d;
    bool order = false; /* nothing but zeros has no top quarter */
    for (size_t k = 0; k < d; k++)
        order = order || reference[k] != 0;
    out->hit25 = order ? (double)hits / (double)quarter : (double)NAN;
}

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    GPAI_TAKE_EACH(a, w->d, 1, &w->value, &w->spare, &w->rank[0], &w->rank[1]);
    w->item = gpai_take_bytes(a, w->d, sizeof *w->item);
    w->ranked = gpai_take_bytes(a, w->d, sizeof *w->ranked);
    for (size_t i = 0; i < 2; i++)
        w->top[i] = gpai_take_bytes(a, w->d, sizeof *w->top[i]);
}

gpa_status gpa_agree(const double *reference, const double *other, size_t d,
                     gpa_agreement *out, gpa_error *err)
{
    if (reference == NULL || other == NULL || d == 0 || out == NULL)
        return gpai_fail(err, GPA_INVALID, "compare: two attributions are needed");
    for (size_t k = 0; k < d; k++)
        if (!isfinite(reference[k]) || !isfinite(other[k]))
            return gpai_fail(err, GPA_NUMERIC,
                             "compare: the scores of input %zu are %g and %g, must be "
                             "finite",
                             k, reference[k], other[k]);
    struct work w = {.d = d};
    double *block = gpai_carve(lay_out, &w);
    if (block == NULL)
        return gpai_nomem(err, "compare");
    agree(&w, reference, other, d, out);
    gpai_free(block);
    return GPA_OK;
}

/* One more value of a figure; sd is the sum of squares about the mean until the end. */
static void add(gpa_spread *s, double v)
{
    if (isnan(v))
        return;
    s->n++;
    double before = v - s->mean;
    s->mean += before / (double)s->n;
    s->sd += before * (v - s->mean);
}

static void finish(gpa_spread *s)
{
    s->sd = s->n > 1 ? sqrt(s->sd / (double)(s->n - 1)) : (double)NAN;
    s->mean = s->n > 0 ? s->mean : (double)NAN;
}

void gpai_consistency(const gpa_agreement *a, size_t n, gpa_consistency *out)
{
    *out = (gpa_consistency){0};
    gpa_spread *figure[4] = {&out->tau, &out->rho, &out->smr, &out->hit25};
    for (size_t i = 0; i < n; i++) {
        const double v[4] = {a[i].tau, a[i].rho, a[i].smr, a[i].hit25};
        for (size_t k = 0; k < 4; k++)
            add(figure[k], v[k]);
    }
    for (size_t k = 0; k < 4; k++)
        finish(figure[k]);
}

gpa_status gpai_comparison_finish(gpa_comparison *c, gpa_error *err)
{
    gpa_agreement *rows = gpai_calloc(c->n, sizeof *rows);
    if (rows == NULL)
        return gpai_nomem(err, "compare");
    for (size_t j = 0; j < c->m; j++) {
        size_t said = 0;
        for (size_t i = 0; i < c->n; i++)
            if (gpai_comparison_cell(c, i, j)->agrees)
                rows[said++] = gpai_comparison_cell(c, i, j)->agreement;
        c->consistent[j] = said > 0;
        gpai_consistency(rows, said, &c->consistency[j]);
    }
    gpai_free(rows);
    return GPA_OK;
}
