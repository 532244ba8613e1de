#include "engine/marginals/cells.h"

#include "base/math/matrix.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include <math.h>

/* The share of the mass that a grid leaves out at each end. Chosen: of 100 points none
 * is then spent on tails that nobody can see. */
static const double LEFT_OUT = 4e-4;

/* The ends of the 90 % and 50 % intervals. */
static const double SHARE[4] = {0.05, 0.25, 0.75, 0.95};

static void set_intervals(gpa_marginal *m, const double x[4])
{
    m->interval90[0] = x[0];
    m->interval50[0] = x[1];
    m->interval50[1] = x[2];
    m->interval90[1] = x[3];
}

/* Scales ordinates to a trapezoid integral of 1; returns the points, or 0 when there is
 * nothing to scale. */
static size_t scale_density(const double *grid, double *density, size_t points)
{
    double area = 0;
    for (size_t i = 1; i < points; i++)
        area += 0.5 * (grid[i] - grid[i - 1]) * (density[i] + density[i - 1]);
    if (!(area > 0 && isfinite(area)))
        return 0;
    for (size_t i = 0; i < points; i++)
        density[i] *= 1 / area;
    return points;
}

/* One axis whose cells are not values, with the running sums of its masses. */
struct view {
    const gpai_cells *c;
    size_t axis;
    const gpai_axis *own;
    const gpai_cell_axis *cells;
    double *sum; /* GPAI_CELLS + 1, from 0 to 1 */
    bool aimed;  /* at the sample: cells are not of equal prior probability */
};

static struct view look_at(const gpai_cells *c, size_t axis)
{
    struct view v = {c,
                     axis,
                     &c->space->axis[axis],
                     &c->axis[axis],
                     c->scratch + GPAI_CELLS,
                     c->axis[axis].centre != 0 || c->axis[axis].scale != 1};
    v.sum[0] = 0;
    for (size_t j = 0; j < GPAI_CELLS; j += 4) { /* one addition waits for another */
        const double *q = v.cells->mass + j;
        double start = v.sum[j], two = q[0] + q[1], three = two + q[2];
        v.sum[j + 1] = start + q[0];
        v.sum[j + 2] = start + two;
        v.sum[j + 3] = start + three;
        v.sum[j + 4] = start + (three + q[3]);
    }
    return v;
}

/* z below which a share of the mass lies: even inside a cell, and the outermost cells
 * end somewhere. */
static double quantile(const struct view *v, double share)
{
    const double end = 0.05 / GPAI_CELLS;
    size_t lo = 0, hi = GPAI_CELLS;
    while (hi - lo > 1) {
        size_t j = (lo + hi) / 2;
        if (v->sum[j] < share)
            lo = j;
        else
            hi = j;
    }
    double mass = v->cells->mass[lo];
    double part = mass > 0 ? (share - v->sum[lo]) / mass : 0.5;
    double t = ((double)lo + fmin(fmax(part, 0), 1)) / GPAI_CELLS;
    return v->cells->centre +
           v->cells->scale * gpai_norm_quantile(fmin(fmax(t, end), 1 - end));
}

/* Where z lies among the cells, from 0 to GPAI_CELLS. */
static double place(const struct view *v, double z)
{
    return GPAI_CELLS * gpai_norm_cdf((z - v->cells->centre) / v->cells->scale);
}

static double mass_below(const struct view *v, double z)
{
    double t = place(v, z);
    size_t j = t < GPAI_CELLS ? (size_t)t : GPAI_CELLS - 1;
    return v->sum[j] + (t - (double)j) * v->cells->mass[j];
}

static void set_moments(gpa_marginal *m, double first, double second, double positive)
{
    m->mean = first;
    m->sd = sqrt(fmax(second - first * first, 0));
    m->p_positive = fmin(fmax(positive, 0), 1);
}

static void moments_of_cells(const struct view *v, gpa_marginal *m)
{
    double first = 0, second = 0;
    for (size_t j = 0; j < GPAI_CELLS; j++) {
        double q = v->cells->mass[j];
        double value = gpai_quantiles_value(&v->c->quantiles, v->axis,
                                            gpai_cells_middle(v->c, v->axis, j));
        first += q * value;
        second += q * value * value;
    }
    /* on a STEP axis what rounds to 0 is 0; a leap to the right begins inside */
    double zero = v->own->kind == GPAI_AXIS_STEP ? 0.5 * v->own->step : 0;
    bool leaps = gpai_axis_leaps(v->own);
    double from = leaps && v->own->lo > 0 ? v->own->lo : zero;
    double below =
        v->own->lo > 0 && !leaps ? 0
        : v->own->hi <= 0
            ? 1
            : mass_below(v, gpai_quantiles_z(&v->c->quantiles, v->axis, from));
    set_moments(m, first, second, 1 - below);
}

/* KL(q || prior): the cells against N(centre, scale^2), and that against the prior. */
static double information_of_cells(const struct view *v)
{
    double *l = v->c->scratch, sum = 0;
    const double *q = v->cells->mass;
    for (size_t j = 0; j < GPAI_CELLS; j++) /* no mass, no divergence */
        l[j] = q[j] > 1e-300 ? q[j] * GPAI_CELLS : 1;
    gpai_vectors_at(0)->log(l, GPAI_CELLS);
    for (size_t j = 0; j < GPAI_CELLS && v->aimed; j++) {
        double z = gpai_cells_middle(v->c, v->axis, j), x = v->c->middle[j];
        l[j] += 0.5 * (z * z - x * x);
    }
    sum = gpai_dot(q, l, GPAI_CELLS) - log(v->cells->scale);
    return sum > 0 ? sum : 0;
}

static void summarise_cells(const struct view *v, gpa_marginal *m)
{
    double x[4], weight = v->c->weight;
    const double *sum = v->c->moment + 3 * v->own->input;
    for (size_t i = 0; i < 4; i++)
        x[i] = gpai_quantiles_value(&v->c->quantiles, v->axis, quantile(v, SHARE[i]));
    set_intervals(m, x);
    m->information = information_of_cells(v);
    if (weight > 0) /* a sample's own moments are not smoothed */
        set_moments(m, sum[0] / weight, sum[1] / weight, sum[2] / weight);
    else
        moments_of_cells(v, m);
}

/* Densities of n <= TOGETHER values at z: that of the cells, linear between their
 * middles, times what the map from z to the value does to it. */
enum { TOGETHER = 32 };
static void find_density(const struct view *v, const double *z, const double *value,
                         size_t n, double *density)
{
    const double *mass = v->cells->mass;
    double at[TOGETHER] = {0}, tilt[TOGETHER] = {0}, by = 1 / v->cells->scale;
    for (size_t i = 0; i < n; i++) {
        double x = (z[i] - v->cells->centre) * by;
        at[i] = x;
        tilt[i] = 0.5 * (z[i] * z[i] - x * x) +
                  gpai_prior_logpdf(&v->c->space->prior, value[i]);
    }
    v->c->v->cdf(at, n);
    v->c->v->exp(tilt, n);
    for (size_t i = 0; i < n; i++) {
        double t = GPAI_CELLS * at[i] - 0.5;
        t = t > 0 ? t : 0;
        size_t j = t < GPAI_CELLS - 1 ? (size_t)t : GPAI_CELLS - 2;
        double part = t < GPAI_CELLS - 1 ? t - (double)j : 1;
        density[i] = ((1 - part) * mass[j] + part * mass[j + 1]) * tilt[i];
    }
}

static double edge_place(const struct view *v, size_t j)
{
    return v->cells->centre + v->cells->scale * v->c->edge[j];
}

/* The values at the edges, all but the outermost. */
static const double *edge_values(const struct view *v)
{
    const gpai_cells *c = v->c;
    double *value = c->scratch;
    if (!v->aimed && gpai_axis_is_free(v->own))
        return c->value;
    for (size_t j = 1; j < GPAI_CELLS; j++)
        value[j] = edge_place(v, j);
    gpai_quantiles_values(&c->quantiles, v->axis, value + 1, GPAI_CELLS - 1, value + 1);
    return value;
}

/* How many grid points lie below each edge, of which half are spread evenly over the
 * range of the value and half over the mass: a plot needs both its flat parts and its
 * peaks. */
static void count_below(const double *restrict value, const double *restrict sum,
                        double by_value, double by_mass, double start,
                        double *restrict below)
{
    for (size_t j = 0; j < GPAI_CELLS; j++)
        below[j] = by_value * value[j] + (by_mass * sum[j] - start);
}

/* Places z of the grid points. False when all mass is at one value. */
static bool spread_points(const struct view *v, double *place_of, size_t points)
{
    double za = quantile(v, LEFT_OUT), zb = quantile(v, 1 - LEFT_OUT);
    double a = gpai_quantiles_value(&v->c->quantiles, v->axis, za);
    double b = gpai_quantiles_value(&v->c->quantiles, v->axis, zb);
    double pa = mass_below(v, za), pb = mass_below(v, zb), last = (double)(points - 1);
    double by_value = 0.5 * last / (b - a), by_mass = 0.5 * last / (pb - pa);
    double z = za, reached = 0; /* the previous edge, and how many points lie below */
    double below[GPAI_CELLS + 1];
    size_t i = 0, j = 1;
    if (!(b > a && pb > pa))
        return false;
    count_below(edge_values(v), v->sum, by_value, by_mass, by_value * a + by_mass * pa,
                below);
    while (j < GPAI_CELLS && edge_place(v, j) <= za)
        j++;
    for (; i < points; j++) {
        double next = edge_place(v, j);
        bool end = next >= zb || j == GPAI_CELLS;
        next = end ? zb : next;
        below[j] = end ? last : below[j];
        if (below[j] >= (double)i) {
            double gap = below[j] - reached, slope = gap > 0 ? (next - z) / gap : 0;
            for (; i < points && (double)i <= below[j]; i++)
                place_of[i] = z + slope * ((double)i - reached);
        }
        z = next;
        reached = below[j];
    }
    place_of[points - 1] = zb;
    return true;
}

/* The prior has a kink at 0: the nearest inner point moves there. */
static void keep_kink(const struct view *v, double *grid, double *z, size_t points)
{
    size_t i = 1;
    while (i + 1 < points && grid[i] < 0)
        i++;
    if (i > 1 && -grid[i - 1] < grid[i])
        i--;
    if (i + 1 < points && grid[i - 1] < 0 && grid[i + 1] > 0) {
        grid[i] = 0;
        z[i] = gpai_quantiles_z(&v->c->quantiles, v->axis, 0);
    }
}

static bool ascends(const double *grid, size_t points)
{
    for (size_t i = 1; i < points; i++)
        if (!(grid[i] > grid[i - 1]))
            return false;
    return points > 1;
}

static size_t draw_plain(const struct view *v, double *grid, double *density,
                         size_t points)
{
    double *z = density; /* until there are densities */
    if (!spread_points(v, z, points))
        return 0;
    gpai_quantiles_values(&v->c->quantiles, v->axis, z, points, grid);
    keep_kink(v, grid, z, points);
    if (!ascends(grid, points)) /* all mass at one number */
        return 0;
    for (size_t i = 0; i < points; i += TOGETHER) {
        size_t n = points - i < TOGETHER ? points - i : TOGETHER;
        find_density(v, z + i, grid + i, n, density + i);
    }
    return scale_density(grid, density, points);
}

/* On a STEP axis of many values the points are values, every g-th of them. */
static size_t draw_steps(const struct view *v, double *grid, double *density,
                         size_t points)
{
    const gpai_quantiles *quantiles = &v->c->quantiles;
    double step = v->own->step;
    double a = gpai_quantiles_value(quantiles, v->axis, quantile(v, LEFT_OUT));
    double b = gpai_quantiles_value(quantiles, v->axis, quantile(v, 1 - LEFT_OUT));
    double g = fmax(ceil((b - a) / step / (double)(points - 1) - 1e-9), 1);
    size_t used = 0;
    for (; used < points; used++) {
        double x = gpai_axis_snap(v->own, a + (double)used * g * step);
        if (used > 0 && (x <= grid[used - 1] || grid[used - 1] >= b))
            break;
        grid[used] = x;
        density[used] =
            mass_below(v, gpai_quantiles_z(quantiles, v->axis, x + 0.5 * g * step)) -
            mass_below(v, gpai_quantiles_z(quantiles, v->axis, x - 0.5 * g * step));
    }
    if (used < 2)
        return 0;
    return scale_density(grid, density, used);
}

/* Ends and middle of a line that stands for all the mass at 0, far from the rest. */
static void draw_stay(const struct view *v, double mass, double *grid, double *density)
{
    double near = v->own->lo > 0 ? v->own->lo : v->own->hi, half = 0.01 * fabs(near);
    for (int i = -1; i <= 1; i++) {
        grid[1 + i] = i * half;
        density[1 + i] = i == 0 ? mass / half : 0;
    }
}

/* The rest, evenly over its range, and where it begins, on the side of 0. */
static size_t draw_beyond(const struct view *v, double za, double zb, double mass,
                          double *grid, double *density, size_t points)
{
    const gpai_quantiles *quantiles = &v->c->quantiles;
    double a = gpai_quantiles_value(quantiles, v->axis, za);
    double b = gpai_quantiles_value(quantiles, v->axis, zb);
    size_t edge = v->own->lo > 0 ? 0 : points - 1, first = edge == 0 ? 1 : 0;
    double last = (double)(points - 2);
    if (!(b > a))
        return 0;
    for (size_t i = 0; i + 1 < points; i++)
        grid[first + i] = a + (b - a) * (double)i / last;
    for (size_t i = first; i < first + points - 1; i += TOGETHER) {
        size_t n =
            first + points - 1 - i < TOGETHER ? first + points - 1 - i : TOGETHER;
        double z[TOGETHER];
        for (size_t j = 0; j < n; j++)
            z[j] = gpai_quantiles_z(quantiles, v->axis, grid[i + j]);
        find_density(v, z, grid + i, n, density + i);
    }
    grid[edge] = edge == 0 ? a - 1e-6 * fabs(a) : b + 1e-6 * fabs(b);
    density[edge] = 0;
    if (scale_density(grid, density, points) == 0)
        return 0;
    for (size_t i = 0; i < points; i++)
        density[i] *= mass;
    return points;
}

/* An axis that leaps: the mass at 0 as a narrow line, then the rest. */
static size_t draw_leap(const struct view *v, double *grid, double *density,
                        size_t points)
{
    enum { LINE = 3, LEAST = 8 };
    bool right = v->own->lo > 0;
    double edge =
        gpai_quantiles_z(&v->c->quantiles, v->axis, right ? v->own->lo : v->own->hi);
    double below = mass_below(v, edge), stay = right ? below : 1 - below;
    if (stay < LEFT_OUT)
        return draw_plain(v, grid, density, points);
    if (points < LEAST || 1 - stay < LEFT_OUT)
        return 0;
    double cut = LEFT_OUT * (1 - stay);
    double za = right ? fmax(edge, quantile(v, below + cut)) : quantile(v, cut);
    double zb = right ? quantile(v, 1 - cut) : fmin(edge, quantile(v, below - cut));
    size_t rest = right ? LINE : 0, line = right ? 0 : points - LINE;
    draw_stay(v, stay, grid + line, density + line);
    if (draw_beyond(v, za, zb, 1 - stay, grid + rest, density + rest, points - LINE) ==
        0)
        return 0;
    return ascends(grid, points) ? scale_density(grid, density, points) : 0;
}

/* A distribution on few values: mass q, prior p, n ascending values x. */
static void summarise_values(const double *x, const double *q, const double *p,
                             size_t n, gpa_marginal *m)
{
    double first = 0, second = 0, positive = 0, sum = 0, ends[4] = {0};
    size_t next = 0;
    for (size_t j = 0; j < n; j++) {
        first += q[j] * x[j];
        second += q[j] * x[j] * x[j];
        positive += x[j] > 0 ? q[j] : 0;
        m->information += q[j] > 0 && p[j] > 0 ? q[j] * log(q[j] / p[j]) : 0;
        sum += q[j];
        while (next < 4 && (sum >= SHARE[next] - 1e-12 || j + 1 == n))
            ends[next++] = x[j];
    }
    set_intervals(m, ends);
    set_moments(m, first, second, positive);
    m->information = fmax(m->information, 0);
}

/* The values that hold the mass, and at least one neighbour; beyond `points` of them
 * several share a point. */
static size_t draw_values(const double *x, const double *q, size_t n, double *grid,
                          double *density, size_t points)
{
    size_t from = 0, to = n;
    double below = 0, above = 0;
    while (from + 2 < to && below + q[from] < LEFT_OUT)
        below += q[from++];
    while (to > from + 2 && above + q[to - 1] < LEFT_OUT)
        above += q[--to];
    size_t together = (to - from + points - 1) / points, used = 0;
    if (to - from < 2)
        return 0;
    for (size_t j = from; j < to; j += together, used++) {
        size_t end = j + together < to ? j + together : to;
        grid[used] = x[(j + end - 1) / 2];
        density[used] = 0;
        for (size_t i = j; i < end; i++)
            density[used] += q[i];
    }
    return scale_density(grid, density, used);
}

static size_t show_steps(const gpai_cells *c, size_t axis, gpa_marginal *m,
                         double *grid, double *density, size_t points)
{
    const gpai_quantiles_axis *own = &c->quantiles.axis[axis];
    double *p = c->scratch;
    for (size_t j = 0; j < own->values; j++)
        p[j] = gpai_cells_prior_mass(c, axis, j);
    summarise_values(own->value, c->axis[axis].mass, p, own->values, m);
    return draw_values(own->value, c->axis[axis].mass, own->values, grid, density,
                       points);
}

static size_t show_input(const gpai_cells *c, size_t axis, gpa_marginal *m,
                         double *grid, double *density, size_t points)
{
    const gpai_axis *a = &c->space->axis[axis];
    if (c->quantiles.axis[axis].values > 0)
        return show_steps(c, axis, m, grid, density, points);
    struct view v = look_at(c, axis);
    summarise_cells(&v, m);
    if (gpai_axis_leaps(a))
        return draw_leap(&v, grid, density, points);
    return a->kind == GPAI_AXIS_PLAIN ? draw_plain(&v, grid, density, points)
                                      : draw_steps(&v, grid, density, points);
}

void gpai_cells_frozen(gpa_explanation *e)
{
    for (size_t k = 0; k < e->d; k++)
        e->marginals[k] = (gpa_marginal){.map = e->delta[k]};
}

gpa_status gpai_cells_show(const gpai_cells *c, gpa_explanation *e, gpa_error *err)
{
    for (size_t k = 0; k < e->d; k++) {
        gpa_marginal *m = &e->marginals[k];
        double *grid = e->grid + k * e->points, *density = e->density + k * e->points;
        size_t axis = c->space->axis_of[k];
        *m = (gpa_marginal){.map = e->delta[k]};
        if (axis < c->space->axes && e->points >= 2 &&
            c->space->axis[axis].kind != GPAI_AXIS_CHOICE)
            m->points = show_input(c, axis, m, grid, density, e->points);
        m->grid = grid;
        m->density = density;
    }
    return gpai_cells_levels(c, e, err);
}
