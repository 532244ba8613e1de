#include "engine/cells.h"
#include "base/alloc.h"
#include "base/special.h"
#include "base/status.h"
#include "base/workspace.h"
#include <math.h>
#include <string.h>

/* A guide from x in (-3, 3) to the cell where the search for x starts; the first and
 * last cells reach beyond. */
enum { GUIDE = 768 };
static const double GUIDE_END = 3;

static size_t lay_out(gpai_cells *c, double *base, bool *overflow)
{
    gpai_arena a = {.base = base};
    for (size_t i = 0; i < c->space->axes; i++)
        c->axis[i].mass = gpai_take(&a, c->axis[i].count, 1);
    c->moment = gpai_take(&a, c->space->d, 3);
    c->edge = gpai_take(&a, GPAI_CELLS + 1, 1);
    c->middle = gpai_take(&a, GPAI_CELLS, 1);
    c->guide = (size_t *)(void *)gpai_take(&a, GUIDE, 1);
    c->scratch = gpai_take(&a, GPAI_SMOOTH_SCRATCH, 1);
    *overflow = a.overflow;
    return a.used;
}

static void fill_guide(gpai_cells *c)
{
    for (size_t j = 0; j <= GPAI_CELLS; j++)
        c->edge[j] = gpai_norm_quantile((double)j / GPAI_CELLS);
    for (size_t j = 0; j < GPAI_CELLS; j++)
        c->middle[j] = gpai_norm_quantile(((double)j + 0.5) / GPAI_CELLS);
    size_t j = 0;
    for (size_t i = 0; i < GUIDE; i++) {
        double x = GUIDE_END * (2 * (double)i / GUIDE - 1);
        while (j + 1 < GPAI_CELLS && c->edge[j + 1] <= x)
            j++;
        c->guide[i] = j;
    }
}

gpa_status gpai_cells_open(gpai_cells *c, const gpai_space *s, gpa_error *err)
{
    bool overflow = false;
    *c = (gpai_cells){.space = s};
    gpa_status st = gpai_chart_open(&c->chart, s, err);
    if (st != GPA_OK)
        return st;
    c->axis = gpai_calloc(s->axes + 1, sizeof *c->axis);
    if (c->axis != NULL) {
        for (size_t i = 0; i < s->axes; i++) {
            size_t values = c->chart.axis[i].values;
            c->axis[i].count = values > 0 ? values : GPAI_CELLS;
            c->axis[i].scale = 1;
        }
        size_t need = lay_out(c, NULL, &overflow);
        c->block = overflow ? NULL : gpai_calloc(need, sizeof *c->block);
    }
    if (c->block == NULL) {
        gpai_cells_close(c);
        return gpai_nomem(err, "marginals");
    }
    lay_out(c, c->block, &overflow);
    fill_guide(c);
    return GPA_OK;
}

void gpai_cells_close(gpai_cells *c)
{
    gpai_free(c->block);
    gpai_free(c->axis);
    gpai_chart_close(&c->chart);
    *c = (gpai_cells){0};
}

/* Cells of equal prior probability do not do where the sample's spread is less than
 * about eight of them, nor where its 5 % tail lies in the outermost one. */
void gpai_cells_aim_at(gpai_cells *c, size_t axis, double mean, double sd)
{
    gpai_cell_axis *a = &c->axis[axis];
    bool narrow = sd * gpai_norm_pdf(mean) < 8.0 / GPAI_CELLS;
    bool far_out = fabs(mean) + 1.645 * sd > 2.6;
    if (c->chart.axis[axis].values > 0 || !(narrow || far_out))
        return;
    a->centre = mean;
    a->scale = fmax(sd, 1e-6 * fmax(1, fabs(mean))); /* what the chart resolves */
}

void gpai_cells_aim(gpai_cells *c, const double *z, const double *w, size_t n)
{
    size_t axes = c->space->axes;
    for (size_t k = 0; k < axes; k++) {
        double sum = 0, mean = 0, spread = 0;
        for (size_t i = 0; i < n; i++) {
            sum += w[i];
            mean += w[i] * z[i * axes + k];
        }
        mean /= sum;
        for (size_t i = 0; i < n; i++) {
            double r = z[i * axes + k] - mean;
            spread += w[i] * r * r;
        }
        gpai_cells_aim_at(c, k, mean, sqrt(spread / sum));
    }
}

static size_t find_cell(const gpai_cells *c, double x)
{
    if (!(x > -GUIDE_END))
        return 0;
    if (x >= GUIDE_END)
        return GPAI_CELLS - 1;
    size_t j = c->guide[(size_t)((x + GUIDE_END) * (GUIDE / (2 * GUIDE_END)))];
    while (j + 1 < GPAI_CELLS && x > c->edge[j + 1])
        j++;
    return j;
}

static size_t find_value(const gpai_chart_axis *a, double z)
{
    size_t j = 0;
    while (j + 1 < a->values && z > a->edge[j + 1])
        j++;
    return j;
}

static void add_moments(gpai_cells *c, const double *delta, double w)
{
    double *m = c->moment;
    for (size_t k = 0; k < c->space->d; k++, m += 3) {
        double v = delta[k];
        m[0] += w * v;
        m[1] += w * v * v;
        m[2] += v > 0 ? w : 0;
    }
}

void gpai_cells_add(gpai_cells *c, const double *z, const double *delta,
                    const double *w, size_t n)
{
    size_t axes = c->space->axes, d = c->space->d;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] > 0))
            continue;
        for (size_t k = 0; k < axes; k++) {
            const gpai_chart_axis *own = &c->chart.axis[k];
            gpai_cell_axis *a = &c->axis[k];
            double x = z[i * axes + k];
            size_t j = own->values > 0 ? find_value(own, x)
                                       : find_cell(c, (x - a->centre) / a->scale);
            a->mass[j] += w[i];
        }
        if (delta != NULL) {
            add_moments(c, delta + i * d, w[i]);
            c->weight += w[i];
        }
    }
}

static void normalise(double *mass, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++)
        sum += mass[j];
    for (size_t j = 0; j < count; j++)
        mass[j] = sum > 0 ? mass[j] / sum : 1 / (double)count;
}

void gpai_cells_finish(gpai_cells *c, double ess)
{
    for (size_t k = 0; k < c->space->axes; k++) {
        gpai_cell_axis *a = &c->axis[k];
        normalise(a->mass, a->count);
        if (ess > 0 && c->chart.axis[k].values == 0) {
            gpai_smooth(a->mass, ess, c->scratch);
            normalise(a->mass, a->count);
        }
    }
}

/* P(from < z <= to) under N(0, 1), without cancellation in the upper tail. */
static double normal_between(double from, double to)
{
    return from > 0 ? gpai_norm_cdf(-from) - gpai_norm_cdf(-to)
                    : gpai_norm_cdf(to) - gpai_norm_cdf(from);
}

double gpai_cells_prior_mass(const gpai_cells *c, size_t axis, size_t j)
{
    const gpai_chart_axis *own = &c->chart.axis[axis];
    const gpai_cell_axis *a = &c->axis[axis];
    if (own->values > 0)
        return normal_between(own->edge[j], own->edge[j + 1]);
    if (a->centre == 0 && a->scale == 1)
        return 1.0 / GPAI_CELLS;
    return normal_between(a->centre + a->scale * c->edge[j],
                          a->centre + a->scale * c->edge[j + 1]);
}

double gpai_cells_middle(const gpai_cells *c, size_t axis, size_t j)
{
    return c->axis[axis].centre + c->axis[axis].scale * c->middle[j];
}

void gpai_cells_prior(gpai_cells *c)
{
    for (size_t k = 0; k < c->space->axes; k++) {
        c->axis[k].centre = 0;
        c->axis[k].scale = 1;
        for (size_t j = 0; j < c->axis[k].count; j++)
            c->axis[k].mass[j] = gpai_cells_prior_mass(c, k, j);
    }
    c->weight = 0;
}
