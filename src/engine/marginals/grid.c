#include "base/alloc.h"
#include "base/status.h"
#include "engine/ask.h"
#include "engine/marginals/density.h"
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
