#include "methods/linear/standardise.h"
#include "base/alloc.h"
#include "base/math/spd.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* Vectors that are worth adding at once. Chosen: 32 columns of them fit a cache. */
enum { DEPTH = 256 };

/* Columns at once, as in base/math/spd.c: what is above the diagonal of a block is
 * computed for nothing. */
enum { BLOCK = 32 };

void gpai_gram_add(const gpai_vectors *v, const double *z, size_t m, size_t ld,
                   size_t depth, double *g)
{
    size_t rows = (m + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    for (size_t j = 0; j < m; j += BLOCK) {
        size_t width = m - j < BLOCK ? m - j : BLOCK;
        v->multiply(1, z + j, ld, z + j, ld, 1, rows - j, width, depth, g + j * ld + j,
                    ld);
    }
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_standardised *s = work;
    GPAI_TAKE_EACH(a, s->d + 1, 1, &s->first, &s->mean, &s->spread, &s->row,
                   &s->square);
    if (s->tall) {
        s->gram = gpai_take(a, s->ld, s->ld);
        s->gap = gpai_take(a, s->ld, 1);
        s->panel = gpai_take(a, DEPTH, s->ld);
    } else {
        s->z = gpai_take(a, s->d, s->ldz);
        GPAI_TAKE_EACH(a, s->ldz, 1, &s->t, &s->rest);
    }
}

gpa_status gpai_standardised_open(gpai_standardised *s, size_t n, size_t d,
                                  const char *unit, gpa_error *err)
{
    *s = (gpai_standardised){.n = n, .d = d, .tall = n > d, .v = gpai_vectors_at(0)};
    s->ld = gpai_spd_ld(d + 1);
    s->ldz = gpai_spd_ld(n);
    s->block = gpai_carve(lay_out, s);
    if (s->block == NULL)
        return gpai_fail(err, GPA_NOMEM,
                         "%s: out of memory for %zu samples of %zu inputs", unit, n, d);
    return GPA_OK;
}

void gpai_standardised_close(gpai_standardised *s)
{
    gpai_free(s->block);
    *s = (gpai_standardised){0};
}

/* Row i with t behind it, as differences from the first row: what is large and the same
 * in all rows is gone without rounding. */
static void take_row(gpai_standardised *s, const double *x, const double *t, size_t i)
{
    for (size_t j = 0; j < s->d; j++)
        s->row[j] = x[i * s->d + j] - s->first[j];
    s->row[s->d] = t[i] - s->first[s->d];
}

/* Means and standard deviations. Squares are taken of numbers around 1, so that none
 * overflows or is lost; the spreads hold each column's largest number in between. */
static void measure(gpai_standardised *s, const double *x, const double *t)
{
    size_t d1 = s->d + 1;
    double n = (double)s->n;
    memset(s->mean, 0, d1 * sizeof *s->mean);
    memset(s->spread, 0, d1 * sizeof *s->spread);
    memset(s->square, 0, d1 * sizeof *s->square);
    for (size_t i = 0; i < s->n; i++) {
        take_row(s, x, t, i);
        for (size_t j = 0; j < d1; j++) {
            s->mean[j] += s->row[j] / n;
            s->spread[j] = fmax(s->spread[j], fabs(s->row[j]));
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        take_row(s, x, t, i);
        for (size_t j = 0; j < d1; j++) {
            double top = s->spread[j];
            double off = top > 0 ? (s->row[j] - s->mean[j]) / top : 0;
            s->square[j] += off * off;
        }
    }
    for (size_t j = 0; j < d1; j++)
        s->spread[j] *= sqrt(s->square[j] / n);
}

static void take_standard_row(gpai_standardised *s, const double *x, const double *t,
                              size_t i)
{
    double root = sqrt((double)s->n);
    take_row(s, x, t, i);
    for (size_t j = 0; j <= s->d; j++) {
        double off = s->row[j] - s->mean[j];
        s->row[j] = s->spread[j] > 0 ? off / s->spread[j] / root : 0;
    }
}

static void fill_gram(gpai_standardised *s, const double *x, const double *t)
{
    size_t d1 = s->d + 1;
    memset(s->gram, 0, s->ld * s->ld * sizeof *s->gram);
    for (size_t i = 0; i < s->n; i += DEPTH) {
        size_t depth = s->n - i < DEPTH ? s->n - i : DEPTH;
        for (size_t k = 0; k < depth; k++) { /* from d + 1 on the panel stays 0 */
            take_standard_row(s, x, t, i + k);
            memcpy(s->panel + k * s->ld, s->row, d1 * sizeof *s->row);
        }
        gpai_gram_add(s->v, s->panel, d1, s->ld, depth, s->gram);
    }
    for (size_t j = 0; j < d1; j++)
        for (size_t i = j + 1; i < d1; i++)
            s->gram[i * s->ld + j] = s->gram[j * s->ld + i];
}

static void fill_columns(gpai_standardised *s, const double *x, const double *t)
{
    for (size_t i = 0; i < s->n; i++) {
        take_standard_row(s, x, t, i);
        for (size_t j = 0; j < s->d; j++)
            s->z[j * s->ldz + i] = s->row[j];
        s->t[i] = s->row[s->d];
    }
}

bool gpai_standardised_fill(gpai_standardised *s, const double *x, const double *t)
{
    memcpy(s->first, x, s->d * sizeof *s->first);
    s->first[s->d] = t[0];
    measure(s, x, t);
    if (s->spread[s->d] == 0)
        return false;
    if (s->tall)
        fill_gram(s, x, t);
    else
        fill_columns(s, x, t);
    gpai_standardised_reset(s);
    return true;
}

void gpai_standardised_reset(gpai_standardised *s)
{
    if (s->tall)
        memcpy(s->gap, s->gram + s->d * s->ld, s->d * sizeof *s->gap);
    else
        memcpy(s->rest, s->t, s->n * sizeof *s->rest);
}

void gpai_standardised_add(gpai_standardised *s, size_t j, double a)
{
    if (s->tall)
        s->v->axpy(a, s->gram + j * s->ld, s->d, s->gap);
    else
        s->v->axpy(a, s->z + j * s->ldz, s->n, s->rest);
}

double gpai_standardised_product(const gpai_standardised *s, size_t j)
{
    return s->tall ? s->gap[j] : s->v->dot(s->z + j * s->ldz, s->rest, s->n);
}

double gpai_standardised_pair(const gpai_standardised *s, size_t i, size_t j)
{
    return s->tall ? s->gram[i * s->ld + j]
                   : s->v->dot(s->z + i * s->ldz, s->z + j * s->ldz, s->n);
}

double gpai_standardised_back(const gpai_standardised *s, double *w)
{
    double height = s->spread[s->d], constant = s->first[s->d] + s->mean[s->d];
    for (size_t j = 0; j < s->d; j++) {
        w[j] = w[j] == 0 ? 0 : w[j] * (height / s->spread[j]); /* no 0 / 0, no -0 */
        constant -= w[j] * (s->first[j] + s->mean[j]);
    }
    return constant;
}
