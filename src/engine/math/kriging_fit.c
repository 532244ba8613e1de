#include "engine/math/kriging_fit.h"
#include <math.h>
#include <string.h>

static size_t panels_of(size_t rows)
{
    return (rows + GPAI_VPANEL - 1) / GPAI_VPANEL;
}

void gpai_kriging_fit_lay_out(gpai_kriging_fit *g, const gpai_kriging *k, gpai_arena *a)
{
    size_t rows = GPAI_VPANEL * panels_of(k->room); /* either kind, and its panels */
    *g = (gpai_kriging_fit){.k = k};
    g->lambda = gpai_take(a, k->axes, 1);
    GPAI_TAKE_EACH(a, k->outputs, 1, &g->centre, &g->size);
    size_t squares = k->features > 0 ? k->axes * k->axes : 0;
    g->slope = gpai_take(a, k->outputs, k->axes);
    g->g_slope = gpai_take(a, k->outputs, k->features);
    g->square = gpai_take(a, k->outputs, squares);
    g->g_square = gpai_take(a, k->outputs * k->features, k->features);
    g->g = gpai_take(a, k->features, GPAI_VBLOCK);
    g->z = gpai_take(a, k->axes, GPAI_VBLOCK);
    g->row = gpai_take_bytes(a, rows * k->axes, sizeof(float));
    g->bad = gpai_take_bytes(a, rows * k->axes, sizeof(float));
    g->weight = gpai_take_bytes(a, rows * k->outputs, sizeof(float));
    g->column = gpai_take(a, k->axes, GPAI_VBLOCK);
    g->point = gpai_take_bytes(a, GPAI_VBLOCK * k->axes, sizeof(float));
    g->part = gpai_take_bytes(a, GPAI_VBLOCK * k->outputs, sizeof(float));
    g->sum = gpai_take(a, k->outputs, GPAI_VBLOCK);
}

/* Rows first, first + 1, ... as panels of scaled coordinates; the last row repeats. */
static void pack_rows(const gpai_kriging_fit *g, size_t first, size_t rows, float *to)
{
    const gpai_kriging *k = g->k;
    for (size_t panel = 0; panel < panels_of(rows); panel++)
        for (size_t a = 0; a < k->axes; a++)
            for (size_t j = 0; j < GPAI_VPANEL; j++) {
                size_t i = panel * GPAI_VPANEL + j;
                i = first + (i < rows ? i : rows - 1);
                *to++ = (float)(g->lambda[a] * k->u[a * k->ld + i]);
            }
}

static void pack_weights(const gpai_kriging_fit *g, float *to)
{
    const gpai_kriging *k = g->k;
    for (size_t panel = 0; panel < g->panels; panel++)
        for (size_t t = 0; t < k->outputs; t++)
            for (size_t j = 0; j < GPAI_VPANEL; j++) {
                size_t i = panel * GPAI_VPANEL + j;
                *to++ = i < k->rows ? (float)(g->s2 * k->alpha[t * k->ld + i]) : 0;
            }
}

/* The weights of alpha in a trend: by * sum_i alpha_i row_i, and row_i row_i'. `row` is
 * count by ld; `slope` outputs by count, `square` (or NULL) outputs by count^2. */
static void collapse(const gpai_kriging *k, const double *row, size_t count, double by,
                     double by_square, double *slope, double *square)
{
    for (size_t t = 0; t < k->outputs; t++) {
        const double *alpha = k->alpha + t * k->ld;
        for (size_t a = 0; a < count; a++) {
            const double *one = row + a * k->ld;
            slope[t * count + a] = by * k->v->dot(one, alpha, k->rows);
            for (size_t b = 0; square != NULL && b <= a; b++) {
                const double *other = row + b * k->ld;
                double sum = 0;
                for (size_t i = 0; i < k->rows; i++)
                    sum += alpha[i] * one[i] * other[i];
                square[(t * count + a) * count + b] = by_square * sum;
                square[(t * count + b) * count + a] = by_square * sum;
            }
        }
    }
}

void gpai_kriging_fit_keep(gpai_kriging_fit *g)
{
    const gpai_kriging *k = g->k;
    const double *other = k->search.x + k->axes;
    double by = 1 / (double)k->axes;
    bool more = k->features > 0;
    g->s2 = exp(other[GPAI_KRIGING_S2]);
    g->panels = panels_of(k->rows);
    g->bad_panels = panels_of(k->bad);
    memcpy(g->centre, k->centre, k->outputs * sizeof *g->centre);
    memcpy(g->size, k->size, k->outputs * sizeof *g->size);
    for (size_t a = 0; a < k->axes; a++)
        g->lambda[a] = exp(k->search.x[a]);
    collapse(k, k->z, k->axes, by * exp(other[GPAI_KRIGING_Z]),
             more ? by * by * exp(other[GPAI_KRIGING_Z2]) : 0, g->slope,
             more ? g->square : NULL);
    if (more)
        collapse(k, k->g, k->features, by * exp(other[GPAI_KRIGING_G]),
                 by * by * exp(other[GPAI_KRIGING_G2]), g->g_slope, g->g_square);
    pack_rows(g, 0, k->rows, g->row);
    pack_rows(g, k->room - k->bad, k->bad, g->bad);
    pack_weights(g, g->weight);
}

/* The scaled coordinates of up to GPAI_VBLOCK points; the last one repeats. */
static void pack_points(const gpai_kriging_fit *g, const double *z, size_t n)
{
    for (size_t a = 0; a < g->k->axes; a++)
        for (size_t i = 0; i < GPAI_VBLOCK; i++)
            g->column[a * GPAI_VBLOCK + i] = z[(i < n ? i : n - 1) * g->k->axes + a];
    if (g->k->warp != NULL)
        memcpy(g->z, g->column, g->k->axes * GPAI_VBLOCK * sizeof *g->z);
    g->k->v->cdf(g->column, g->k->axes * GPAI_VBLOCK);
    for (size_t a = 0; a < g->k->axes && g->k->warp != NULL; a++)
        gpai_warp_places(g->k->warp, a, g->column + a * GPAI_VBLOCK, GPAI_VBLOCK,
                         g->g + a * g->k->warp->each * GPAI_VBLOCK, GPAI_VBLOCK);
    for (size_t a = 0; a < g->k->axes; a++)
        for (size_t i = 0; i < GPAI_VBLOCK; i++)
            g->point[a * GPAI_VBLOCK + i] =
                (float)(g->lambda[a] * g->column[a * GPAI_VBLOCK + i]);
}

static void mark_bad(const gpai_kriging_fit *g, size_t n, double *f, size_t ld)
{
    float good[GPAI_VBLOCK], bad[GPAI_VBLOCK];
    g->k->v->nearest(g->point, g->row, g->panels, g->k->axes, good);
    g->k->v->nearest(g->point, g->bad, g->bad_panels, g->k->axes, bad);
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; bad[i] < good[i] && t < g->k->outputs; t++)
            f[t * ld + i] = (double)NAN;
}

#define GPAI_LOOPS "engine/math/kriging_fit_loops.h"
#include "base/cpu_sets.h"

struct loops {
    void (*polynomial)(const double *slope, const double *square, const double *x,
                       size_t count, double *sum);
};

#define SET(x)                                                                         \
    {                                                                                  \
        x##_polynomial                                                                 \
    }

static const struct loops SETS[] = {GPAI_CPU_SETS(SET)};

static void add_polynomial(const double *slope, const double *square, const double *x,
                           size_t count, double *sum)
{
    const struct loops *loops = gpai_cpu_at(SETS, sizeof SETS[0], 0);
    loops->polynomial(slope, square, x, count, sum);
}

static void predict_block(const gpai_kriging_fit *g, const double *z, size_t n,
                          double *f, size_t ld)
{
    pack_points(g, z, n);
    g->k->v->kernel_sums(g->point, g->row, g->weight, g->panels, g->k->axes,
                         g->k->outputs, g->part, g->sum);
    size_t axes = g->k->axes, features = g->k->features;
    for (size_t t = 0; t < g->k->outputs; t++) {
        const double *slope = g->slope + t * axes;
        double *sum = g->sum + t * GPAI_VBLOCK;
        for (size_t a = 0; a < axes && features == 0; a++)
            for (size_t i = 0; i < n; i++)
                sum[i] += slope[a] * z[i * axes + a];
        if (features > 0) {
            add_polynomial(slope, g->square + t * axes * axes, g->z, axes, sum);
            add_polynomial(g->g_slope + t * features,
                           g->g_square + t * features * features, g->g, features, sum);
        }
        for (size_t i = 0; i < n; i++)
            f[t * ld + i] = g->centre[t] + g->size[t] * sum[i];
    }
    if (g->bad_panels > 0)
        mark_bad(g, n, f, ld);
}

void gpai_kriging_fit_predict(const gpai_kriging_fit *g, const double *z, size_t n,
                              double *f, size_t ld)
{
    for (size_t i = 0; i < n; i += GPAI_VBLOCK)
        predict_block(g, z + i * g->k->axes, n - i < GPAI_VBLOCK ? n - i : GPAI_VBLOCK,
                      f + i, ld);
}
