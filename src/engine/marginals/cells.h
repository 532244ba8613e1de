#ifndef GPAI_ENGINE_MARGINALS_CELLS_H
#define GPAI_ENGINE_MARGINALS_CELLS_H
#include "base/math/vectors.h"
#include "engine/marginals/quantiles.h"
#include "engine/math/smooth.h"
#include "result/explanation.h"
#include <stdint.h>

/* Posterior masses on the axes of a space, and what a result shows of them.
 *
 * A place on an axis is z, with prior N(0, 1): value = gpai_axis_quantile(Phi(z)). A
 * PLAIN axis has GPAI_CELLS cells of equal prior probability, unless gpai_cells_aim
 * found its sample so narrow or so far out that they would not resolve it: then its
 * cells have equal probability under the normal of the sample's mean and spread. CHOICE
 * axes, and STEP axes of few values, have one cell per value. */
typedef struct gpai_cell_axis {
    size_t count;         /* cells */
    double *mass;         /* count */
    double centre, scale; /* cells are equal under N(centre, scale^2) in z */
} gpai_cell_axis;

typedef struct gpai_cells {
    const gpai_space *space;
    gpai_quantiles quantiles;
    gpai_cell_axis *axis; /* one per axis of the space */
    double *moment;       /* d by 3: sums of w delta, w delta^2, w [delta > 0] */
    double weight;        /* sum of w with a delta; 0: moments come from the cells */
    double *edge;         /* GPAI_CELLS + 1: cells of N(0, 1) */
    double *middle;       /* GPAI_CELLS */
    double *value;        /* GPAI_CELLS + 1: values at the edges, without bounds */
    uint16_t *guide;      /* where to look for a cell */
    const gpai_vectors *v;
    double *scratch;
    double *block;
} gpai_cells;

/* What a sampler has to say besides the masses. */
typedef struct gpai_sampling {
    size_t draws;        /* each cost one row per observed row; 0: nothing was done */
    double ess;          /* effective draws */
    double log_evidence; /* ln of the likelihood's mean under the prior */
    bool budget_hit;     /* fewer draws than wanted */
    double surrogate_error; /* largest over the rows, in noise scales; else NaN */
    bool still; /* the surrogate's marginals stood still before all rows were asked */
    double change; /* the largest (total variation) in its last round; else NaN */
} gpai_sampling;

/* Empty masses for all axes of `s`, which must outlive them. gpai_cells_close frees. */
gpa_status gpai_cells_open(gpai_cells *c, const gpai_space *s, gpa_error *err);
void gpai_cells_close(gpai_cells *c);

/* Fits the cells of the PLAIN axes to a weighted sample z (n by axes) that is about to
 * be added. Optional; before the first gpai_cells_add. */
void gpai_cells_aim(gpai_cells *c, const double *z, const double *w, size_t n);

/* The same for one axis whose mean and spread in z are known. */
void gpai_cells_aim_at(gpai_cells *c, size_t axis, double mean, double sd);

/* Adds weighted draws z (n by axes). With `delta` (n by d: the perturbations they stand
 * for) mean, sd and P(delta > 0) will be those of the draws, else those of the cells.
 */
void gpai_cells_add(gpai_cells *c, const double *z, const double *delta,
                    const double *w, size_t n);

/* Normalises the masses; with ess > 0 (the effective number of draws behind them) those
 * of axes with cells are smoothed. */
void gpai_cells_finish(gpai_cells *c, double ess);

/* The prior's own masses, exactly. */
void gpai_cells_prior(gpai_cells *c);

/* Prior probability of cell j. */
double gpai_cells_prior_mass(const gpai_cells *c, size_t axis, size_t j);

/* z at the middle of cell j, of an axis whose cells are not values. */
double gpai_cells_middle(const gpai_cells *c, size_t axis, size_t j);

/* Fills e->marginals of all inputs (e->points points at most each, e->delta is their
 * `map`), frozen ones included. */
gpa_status gpai_cells_show(const gpai_cells *c, gpa_explanation *e, gpa_error *err);

/* Of them those of choices: masses of levels, shared by all columns of a group. */
gpa_status gpai_cells_levels(const gpai_cells *c, gpa_explanation *e, gpa_error *err);

/* The same where no input may move: there is nothing to show but the `map`. */
void gpai_cells_frozen(gpa_explanation *e);

#endif
