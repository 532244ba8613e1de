#include "engine/marginals/cells.h"
#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

/* A guide from x in (-3, 3) to the cell of x or the one before it: its 1024 places are
 * narrower (0.0059) than any cell (0.0063 in the middle), and the first and last cells
 * begin at 2.81. */
enum { GUIDE = 1024 };
static const double GUIDE_END = 3;

static void lay_out(void *work, gpai_arena *a)
{
    gpai_cells *c = work;
    for (size_t i = 0; i < c->space->axes; i++)
        c->axis[i].mass = gpai_take(a, c->axis[i].count, 1);
    c->moment = gpai_take(a, c->space->d, 3);
    GPAI_TAKE_EACH(a, GPAI_CELLS + 1, 1, &c->edge, &c->value);
    c->middle = gpai_take(a, GPAI_CELLS, 1);
    c->guide = gpai_take_bytes(a, GUIDE, sizeof *c->guide);
    c->scratch = gpai_take(a, GPAI_SMOOTH_SCRATCH, 1);
}

static void fill_edges(gpai_cells *c)
{
    for (size_t j = 0; j <= GPAI_CELLS / 2; j++) {
        c->edge[j] = gpai_norm_quantile((double)j / GPAI_CELLS);
        c->edge[GPAI_CELLS - j] = -c->edge[j];
    }
    for (size_t j = 0; j < GPAI_CELLS / 2; j++) {
        c->middle[j] = gpai_norm_quantile(((double)j + 0.5) / GPAI_CELLS);
        c->middle[GPAI_CELLS - 1 - j] = -c->middle[j];
    }
    for (size_t i = 0; i < c->space->axes; i++)
        if (gpai_axis_is_free(&c->space->axis[i])) {
            gpai_quantiles_values(&c->quantiles, i, c->edge + 1, GPAI_CELLS - 1,
                                  c->value + 1);
            break;
        }
}

static void fill_guide(gpai_cells *c)
{
    size_t j = 0;
    for (size_t i = 0; i < GUIDE; i++) {
        double x = GUIDE_END * (2 * (double)i / GUIDE - 1);
        j += c->edge[j + 1] <= x ? 1 : 0;
        c->guide[i] = (uint16_t)j;
    }
}

gpa_status gpai_cells_open(gpai_cells *c, const gpai_space *s, gpa_error *err)
{
    *c = (gpai_cells){.space = s};
    gpa_status st = gpai_quantiles_open(&c->quantiles, s, err);
    if (st != GPA_OK)
        return st;
    c->axis = gpai_calloc(s->axes + 1, sizeof *c->axis);
    if (c->axis != NULL) {
        for (size_t i = 0; i < s->axes; i++) {
            size_t values = c->quantiles.axis[i].values;
            c->axis[i].count = values > 0 ? values : GPAI_CELLS;
            c->axis[i].scale = 1;
        }
        c->block = gpai_carve(lay_out, c);
    }
    if (c->block == NULL) {
        gpai_cells_close(c);
        return gpai_nomem(err, "marginals");
    }
    c->v = gpai_vectors_at(0);
    fill_edges(c);
    fill_guide(c);
    return GPA_OK;
}

void gpai_cells_close(gpai_cells *c)
{
    gpai_free(c->block);
    gpai_free(c->axis);
    gpai_quantiles_close(&c->quantiles);
    *c = (gpai_cells){0};
}

/* Cells of equal prior probability do not do where the sample's spread is less than
 * about eight of them, nor where its 5 % tail lies in the outermost one (which begins
 * at 2.81; 2.6 is a little before). */
void gpai_cells_aim_at(gpai_cells *c, size_t axis, double mean, double sd)
{
    gpai_cell_axis *a = &c->axis[axis];
    bool narrow = sd * gpai_norm_pdf(mean) < 8.0 / GPAI_CELLS;
    bool far_out = fabs(mean) + 1.645 * sd > 2.6;
    if (c->quantiles.axis[axis].values > 0 || !(narrow || far_out))
        return;
    a->centre = mean;
    a->scale = fmax(sd, 1e-6 * fmax(1, fabs(mean))); /* what the quantiles resolve */
}

void gpai_cells_aim(gpai_cells *c, const double *z, const double *w, size_t n)
{
    size_t axes = c->space->axes;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += w[i];
    for (size_t k = 0; k < axes; k += GPAI_VPAD) {
        double mean[GPAI_VPAD] = {0}, first[GPAI_VPAD], second[GPAI_VPAD],
               above[GPAI_VPAD];
        size_t count = axes - k < GPAI_VPAD ? axes - k : GPAI_VPAD;
        c->v->columns(z + k, axes, w, n, count, mean, first, second, above);
        for (size_t j = 0; j < count; j++)
            mean[j] = first[j] / sum;
        c->v->columns(z + k, axes, w, n, count, mean, first, second, above);
        for (size_t j = 0; j < count; j++)
            gpai_cells_aim_at(c, k + j, mean[j], sqrt(second[j] / sum));
    }
}

/* Cells are looked up for many draws before their masses are added, so that neither
 * waits for the other. Chosen: what fits the nearest cache. */
enum { TOGETHER = GPAI_VCELLS };
static void add_masses(gpai_cells *c, size_t axis, const double *z, const double *w,
                       size_t n)
{
    const gpai_quantiles_axis *own = &c->quantiles.axis[axis];
    const gpai_cell_axis *a = &c->axis[axis];
    size_t stride = c->space->axes;
    uint32_t cell[TOGETHER];
    if (own->values > 0)
        for (size_t i = 0; i < n; i++)
            cell[i] = (uint32_t)gpai_quantiles_index(own, z[i * stride]);
    else
        c->v->cells(z, stride, n, a->centre, 1 / a->scale, c->guide, GUIDE, GUIDE_END,
                    c->edge, cell);
    for (size_t i = 0; i < n; i++)
        a->mass[cell[i]] += w[i];
}

static void add_moments(gpai_cells *c, const double *delta, const double *w, size_t n)
{
    static const double zero[GPAI_VPAD] = {0};
    size_t d = c->space->d;
    for (size_t k = 0; k < d; k += GPAI_VPAD) {
        double first[GPAI_VPAD], second[GPAI_VPAD], above[GPAI_VPAD];
        size_t count = d - k < GPAI_VPAD ? d - k : GPAI_VPAD;
        c->v->columns(delta + k, d, w, n, count, zero, first, second, above);
        for (size_t j = 0; j < count; j++) {
            double *m = c->moment + 3 * (k + j);
            m[0] += first[j];
            m[1] += second[j];
            m[2] += above[j];
        }
    }
}

void gpai_cells_add(gpai_cells *c, const double *z, const double *delta,
                    const double *w, size_t n)
{
    size_t axes = c->space->axes, d = c->space->d;
    for (size_t i = 0; i < n; i += TOGETHER) {
        size_t count = n - i < TOGETHER ? n - i : TOGETHER;
        for (size_t k = 0; k < axes; k++)
            add_masses(c, k, z + i * axes + k, w + i, count);
        if (delta == NULL)
            continue;
        add_moments(c, delta + i * d, w + i, count);
        for (size_t j = i; j < i + count; j++)
            c->weight += w[j];
    }
}

static void normalise(double *mass, size_t count)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        s0 += mass[j];
        s1 += mass[j + 1];
        s2 += mass[j + 2];
        s3 += mass[j + 3];
    }
    for (; j < count; j++)
        s0 += mass[j];
    double sum = (s0 + s1) + (s2 + s3), by = sum > 0 ? 1 / sum : 0;
    double rest = sum > 0 ? 0 : 1 / (double)count;
    for (j = 0; j < count; j++)
        mass[j] = mass[j] * by + rest;
}

void gpai_cells_finish(gpai_cells *c, double ess)
{
    gpai_smoother smoother;
    double *waiting = NULL; /* for another one: two are smoothed together */
    if (ess > 0)
        gpai_smoother_make(&smoother);
    for (size_t k = 0; k < c->space->axes; k++) {
        double *mass = c->axis[k].mass;
        normalise(mass, c->axis[k].count);
        if (!(ess > 0) || c->quantiles.axis[k].values > 0)
            continue;
        if (waiting != NULL)
            gpai_smooth_two(&smoother, waiting, mass, ess, c->scratch);
        waiting = waiting != NULL ? NULL : mass;
    }
    if (waiting != NULL)
        gpai_smooth_two(&smoother, waiting, NULL, ess, c->scratch);
    for (size_t k = 0; k < c->space->axes && ess > 0; k++)
        normalise(c->axis[k].mass, c->axis[k].count);
}

/* P(from < z <= to) under N(0, 1), without cancellation in the upper tail. */
static double normal_between(double from, double to)
{
    return from > 0 ? gpai_norm_cdf(-from) - gpai_norm_cdf(-to)
                    : gpai_norm_cdf(to) - gpai_norm_cdf(from);
}

double gpai_cells_prior_mass(const gpai_cells *c, size_t axis, size_t j)
{
    const gpai_quantiles_axis *own = &c->quantiles.axis[axis];
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
