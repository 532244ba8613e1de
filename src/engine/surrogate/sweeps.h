#ifndef GPAI_ENGINE_SURROGATE_SWEEPS_H
#define GPAI_ENGINE_SURROGATE_SWEEPS_H
#include "base/math/sort.h"
#include "base/rng.h"
#include "engine/marginals/cells.h"
#include "engine/math/kriging_fit.h"
#include "engine/math/widened.h"

/* Gibbs sweeps over a surrogate's posterior, and its marginals as means of conditional
 * densities, which are far less noisy than counts of draws (Rao and Blackwell).
 *
 * An axis has some tens of cells of equal probability, under the prior or under a
 * normal where that is too coarse; one whose values are few has one for each. With all
 * other axes held, the kernel's sum at all of them takes one pass over the rows in the
 * order of the axis from the left and one from the right, because exp(-|t - t'|) only
 * fades on the way. The trends are polynomials. */
enum {
    GPAI_CHAINS = 32, /* chains that move together */
    GPAI_SWEEP_CELLS = 40,
    GPAI_SWEEP_FINE = 160, /* for GPAI_SWEEP_FEW axes: little is averaged out there, */
    GPAI_SWEEP_FEW = 4,
    GPAI_SWEEP_ALONE = 8192 /* and nothing for one: a cell decides about a mode */
};

typedef struct gpai_sweep_axis {
    size_t cells;
    bool listed;          /* a cell is a value */
    double centre, scale; /* else they are equal under N(centre, scale^2) in z */
    double *z, *t;        /* cells: where it is */
    double *g;            /* each by cells */
    double *prior;        /* cells: ln of its probability, up to a constant */
    float *weight;        /* cells: the probability */
    float *x;             /* 1 + each by cells: z and g */
    float *own;           /* outputs by cells: what they add by themselves */
    double *mass;         /* cells */
    float *total;         /* cells by GPAI_CHAINS: sums for it */
    /* of the fit: its rows in the order of t, as the loops want them */
    uint32_t *row, *start;      /* rows; cells + 2 */
    float *up, *down;           /* rows, in their own order: e^(lambda t), e^-.. */
    float *left, *right, *fade; /* outputs by rows; outputs by rows; cells */
} gpai_sweep_axis;

typedef struct gpai_sweeps {
    const gpai_vectors *v;
    const gpai_kriging *k;
    const gpai_kriging_fit *fit;
    const gpai_widened *lik; /* outputs */
    double power;            /* of the likelihood */
    const gpai_quantiles *quantiles;
    size_t axes, outputs, each, most_chains, most_sweeps;
    gpai_sweep_axis *axis;
    gpai_ranked *ranked; /* rows */
    double *lambda;      /* axes */
    double *uniform;     /* most_sweeps * axes by most_chains */
    float *table;        /* outputs by 2 GPAI_WIDENED: ln of the likelihood, or */
    bool plain;          /* itself: one output, and no number is too small */
    bool far;            /* exponentials that floats cannot hold */
    float *row, *place;  /* rows by axes, axes by GPAI_CHAINS: lambda t */
    double *room;        /* rows or cells by GPAI_CHAINS */
    float *cover;        /* rows by GPAI_CHAINS */
    float *f, *p;        /* most cells by GPAI_CHAINS */
    float *z, *g;        /* axes, features by GPAI_CHAINS */
    double *t;           /* axes by GPAI_CHAINS */
    float *up, *down;    /* 2 by GPAI_CHAINS: of the axis before, and of this one */
    size_t *at;          /* axes by GPAI_CHAINS: cells */
} gpai_sweeps;

/* Takes the arrays from an arena. k, quantiles, most_chains (a multiple of GPAI_CHAINS)
 * and most_sweeps are set; both must outlive it. */
void gpai_sweeps_lay_out(gpai_sweeps *s, gpai_arena *a);

/* Sets the grids by a weighted sample z (n by axes) of the posterior. */
void gpai_sweeps_aim(gpai_sweeps *s, const double *z, const double *w, size_t n);

/* Sweeps `chains` chains from z (chains by axes, snapped) over the posterior of k's
 * last fit, whose copy is `fit`; z ends where they do, somewhere in their cells. Fills
 * axis[].mass. */
void gpai_sweeps_run(gpai_sweeps *s, const gpai_kriging_fit *fit,
                     const gpai_widened *lik, double power, double *z, size_t chains,
                     size_t sweeps, gpai_rng *rng);

/* The probability below z of an axis that is not listed. */
double gpai_sweeps_below(const gpai_sweep_axis *a, const double *mass, double z);

/* Gives the prior a share of the masses, as far as an axis's cells reach. */
void gpai_sweeps_blend(gpai_sweeps *s, double share);

/* The masses as a result's cells. */
void gpai_sweeps_show(const gpai_sweeps *s, gpai_cells *cells);

#endif
