#include "engine/marginals/grid.h"
#include "base/alloc.h"
#include "base/status.h"
#include "engine/ask.h"
#include "engine/marginals/marginals.h"
#include "engine/objective.h"
#include <math.h>
#include <stdint.h>

static const double MARGIN = 1.15; /* the authors' (docs/methods.md, disagreement 6) */

/* Half the width of the grid. A largest |map| below a thousandth of the prior's range
 * counts as 0. */
static double half_width(const gpai_problem *p, const double *map)
{
    gpai_prior prior = gpai_prior_make(p->eta, p->nu);
    double range = gpai_prior_quantile(&prior, 0.9995), largest = 0;
    for (size_t k = 0; k < p->d; k++)
        largest = fmax(largest, fabs(map[k]));
    return largest > 1e-3 * range ? MARGIN * largest : range;
}

static void fill_grid(double *grid, size_t d, size_t points, double half)
{
    for (size_t i = 0; i < points; i++) {
        double share = (double)i / (double)(points - 1);
        for (size_t k = 0; k < d; k++)
            grid[k * points + i] = half * (2 * share - 1);
    }
}

/* Log posterior along axis k at its grid points, then the density. */
static void weigh_axis(const gpai_problem *p, const double *grid, const double *f,
                       size_t points, double *density)
{
    gpai_prior prior = gpai_prior_make(p->eta, p->nu);
    bool known = false;
    for (size_t i = 0; i < points; i++) {
        density[i] =
            -gpai_data_term(p, f + i * p->n) - gpai_prior_penalty(&prior, grid[i]);
        known = known || isfinite(density[i]);
    }
    if (known)
        gpai_density_normalise(grid, density, points);
    for (size_t i = 0; !known && i < points; i++)
        density[i] = (double)NAN; /* no prediction anywhere along this input */
}

gpa_status gpai_marginal_grid(gpai_problem *p, const double *map, size_t points,
                              double *grid, double *density, gpa_error *err)
{
    size_t d = p->d;
    bool huge = p->n > SIZE_MAX / (d * points);
    double *f = huge ? NULL : gpai_calloc(p->n * d * points, sizeof *f);
    if (f == NULL)
        return gpai_nomem(err, "marginals");
    fill_grid(grid, d, points, half_width(p, map));
    gpa_status st = gpai_predict_inputs(p, map, grid, points, false, f, err);
    for (size_t k = 0; k < d && st == GPA_OK; k++)
        weigh_axis(p, grid + k * points, f + k * points * p->n, points,
                   density + k * points);
    gpai_free(f);
    return st;
}

void gpai_density_normalise(const double *grid, double *log_density, size_t points)
{
    double top = -HUGE_VAL, total = 0;
    for (size_t i = 0; i < points; i++)
        if (log_density[i] > top)
            top = log_density[i];
    for (size_t i = 0; i < points; i++)
        log_density[i] = isfinite(top) ? exp(log_density[i] - top) : 1;
    for (size_t i = 1; i < points; i++)
        total += 0.5 * (grid[i] - grid[i - 1]) * (log_density[i] + log_density[i - 1]);
    for (size_t i = 0; i < points; i++)
        log_density[i] /= total;
}

/* Mass of the first part, of width s, of a cell with densities lo and hi and width w.
 */
static double part_mass(double lo, double hi, double w, double s)
{
    return s * (lo + 0.5 * s / w * (hi - lo));
}

double gpai_density_cdf(const double *grid, const double *density, size_t points,
                        double x)
{
    double sum = 0;
    for (size_t i = 1; i < points; i++) {
        double w = grid[i] - grid[i - 1];
        if (x <= grid[i - 1])
            break;
        sum +=
            part_mass(density[i - 1], density[i], w, x < grid[i] ? x - grid[i - 1] : w);
    }
    return sum < 1 ? sum : 1;
}

double gpai_density_quantile(const double *grid, const double *density, size_t points,
                             double u)
{
    double sum = 0;
    for (size_t i = 1; i < points; i++) {
        double w = grid[i] - grid[i - 1], lo = density[i - 1], hi = density[i];
        double mass = part_mass(lo, hi, w, w);
        if (sum + mass >= u && mass > 0) {
            /* (hi - lo)/2w s^2 + lo s = rest, solved without cancellation */
            double rest = u - sum, slope = (hi - lo) / w;
            double s = 2 * rest / (lo + sqrt(fmax(lo * lo + 2 * slope * rest, 0)));
            return grid[i - 1] + fmin(fmax(s, 0), w);
        }
        sum += mass;
    }
    return grid[points - 1];
}

/* First and second moment, exact for the piecewise linear density. */
static void moments(const double *grid, const double *density, size_t points,
                    double *first, double *second)
{
    *first = *second = 0;
    for (size_t i = 1; i < points; i++) {
        double a = grid[i - 1], b = grid[i], lo = density[i - 1], hi = density[i];
        *first += (b - a) / 6 * (a * (2 * lo + hi) + b * (lo + 2 * hi));
        *second += (b - a) / 12 *
                   (lo * (3 * a * a + 2 * a * b + b * b) +
                    hi * (a * a + 2 * a * b + 3 * b * b));
    }
}

/* KL(q || prior) in nats, by the trapezoid rule; 0 ln 0 = 0. */
static double information(const double *grid, const double *density, size_t points,
                          const gpai_prior *prior)
{
    double sum = 0, last = 0;
    for (size_t i = 0; i < points; i++) {
        double q = density[i];
        double now = q > 0 ? q * (log(q) - gpai_prior_logpdf(prior, grid[i])) : 0;
        if (i > 0)
            sum += 0.5 * (grid[i] - grid[i - 1]) * (now + last);
        last = now;
    }
    return sum > 0 ? sum : 0;
}

void gpai_density_summarise(const double *grid, const double *density, size_t points,
                            const gpai_prior *prior, gpa_marginal *m)
{
    double second;
    m->points = points;
    m->grid = grid;
    m->density = density;
    if (isnan(density[0])) {
        m->mean = m->sd = m->p_positive = m->information = (double)NAN;
        for (size_t i = 0; i < 2; i++)
            m->interval50[i] = m->interval90[i] = (double)NAN;
        return;
    }
    moments(grid, density, points, &m->mean, &second);
    m->sd = sqrt(fmax(second - m->mean * m->mean, 0));
    m->interval50[0] = gpai_density_quantile(grid, density, points, 0.25);
    m->interval50[1] = gpai_density_quantile(grid, density, points, 0.75);
    m->interval90[0] = gpai_density_quantile(grid, density, points, 0.05);
    m->interval90[1] = gpai_density_quantile(grid, density, points, 0.95);
    m->p_positive = 1 - gpai_density_cdf(grid, density, points, 0);
    m->information = information(grid, density, points, prior);
}
