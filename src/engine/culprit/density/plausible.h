#ifndef GPAI_ENGINE_CULPRIT_DENSITY_PLAUSIBLE_H
#define GPAI_ENGINE_CULPRIT_DENSITY_PLAUSIBLE_H
#include "base/math/vectors.h"
#include "engine/culprit/density/crowd.h"
#include <math.h>

/* How much more plausible a row is with one or more axes changed: ratios of a density,
 * row by row. Rows that are explained together mostly have more in common than what is
 * wrong: what is unusual about one is so in all of them. So n of them say no more than
 * sqrt(n) that have nothing in common: each counts for 1 / sqrt(n). Chosen on planted
 * faults (docs/methods.md, "Several rows"). In the scores a change of axis k by dz
 * multiplies component i by exp(-g_ik dz - dz' P dz / 2), g_i = P (z - alpha z_i); two
 * changes have the factor exp(-dz_j' P_jk dz_k) besides, which does not depend on i.
 * Missing values have left the precision P; if one of them gets a value, the component
 * is multiplied by what the others say of it. */
typedef struct gpai_plausible {
    const gpai_crowd *crowd;
    const gpai_problem *p; /* the rows */
    const gpai_space *s;
    const bool *silent; /* axes that have no say, as if they were missing; or NULL */
    const gpai_vectors *v;
    double trust;    /* what ln of a row's ratios count for */
    size_t gone;     /* scores of missing values */
    size_t *missing; /* gone: which */
    double *links;   /* gone by scores: their rows of the full precision */
    double *inverse; /* gone by gone: of what it has among them */
    double *solved;  /* gone by scores: inverse times links */

    bool taken;     /* a row is at hand: */
    size_t row;     /* which, and: */
    double *own;    /* axes: ln of what each has of its own */
    double *z;      /* scores; 0 where missing */
    double *g;      /* scores by ld */
    double *mean;   /* gone by ld: where the components expect what is missing */
    double *base;   /* ld: ln share of each component */
    double log_row; /* ln density of it, up to what all alphas have in common */
    double *pulled, *rank, *place;
    double *half, *step, *anchor, *sums; /* even cells: components by GPAI_VPAD etc. */
    double *small;                       /* three blocks squared */
    size_t widest;
    double *block;
} gpai_plausible;

gpa_status gpai_plausible_open(gpai_plausible *q, const gpai_crowd *d,
                               const gpai_problem *p, const gpai_space *s,
                               const bool *silent, gpa_error *err);
void gpai_plausible_close(gpai_plausible *q);

/* Takes up a row. */
void gpai_plausible_row(gpai_plausible *q, size_t t);

/* A density and, where it has one, the plain one at its side. */
enum { GPAI_DENSITIES = 2 };
typedef struct gpai_densities {
    size_t count; /* 0: there are no rows */
    gpai_plausible q[GPAI_DENSITIES];
    /* ln of how far each is believed: both are as likely before the rows are seen, and
     * as good as what they let expect then. As the rows are wrong, this is no last
     * word: a density counts for this times the evidence that it gives. */
    double share[GPAI_DENSITIES];
} gpai_densities;

/* crowd: or NULL; silent: axes that have no say, or NULL. gpai_densities_close frees.
 */
gpa_status gpai_densities_open(gpai_densities *b, const gpai_crowd *crowd,
                               const gpai_problem *p, const gpai_space *s,
                               const bool *silent, gpa_error *err);
void gpai_densities_close(gpai_densities *b);

/* ln of what both say together, each having said log[i]. */
double gpai_densities_join(const gpai_densities *b, const double *log);

/* The precision of two scores that are there. */
double gpai_plausible_link(const gpai_plausible *q, size_t j, size_t k);

/* How little an axis of one score fits the others in the row at hand: its squared
 * distance from what they let expect, in standard deviations, by correlations alone. */
double gpai_plausible_strange(const gpai_plausible *q, size_t axis);

/* What changes of one axis do to the row at hand. */
typedef struct gpai_terms {
    size_t count, ld; /* values; from one component to the next in `e` */
    double *own;      /* count: ln factor of the row */
    double *shift;    /* count by width: dz; 0 of a missing value */
    double *e;        /* components by ld: ln factor of each component */
} gpai_terms;

/* What a number adds where components are widened by v: the density of its score is
 * divided by that of a widened normal. */
static inline double gpai_plausible_widened(double score, double v)
{
    return 0.5 * (log1p(v) - score * score * v / (1 + v));
}

/* `own` and `shift` in the middles of the even cells of a number
 * (gpai_crowd_cells). */
void gpai_plausible_even(gpai_plausible *q, size_t axis, gpai_strip c, gpai_terms *t);

/* At `count` places of an axis: `own` and `shift` alone, those of the axis for itself,
 * about (gpai_crowd_place_about); then, exactly, also what becomes of the components,
 * in `e` and `own`. */
void gpai_plausible_place(gpai_plausible *q, size_t axis, const double *value,
                          size_t count, gpai_terms *t);
void gpai_plausible_terms(gpai_plausible *q, size_t axis, const double *value,
                          size_t count, gpai_terms *t);

/* gain[c] += ln of the row's plausibility at place c of a number over that of the row,
 * with `own` and `shift` known. The places are middles of cells, `width` wide in the
 * score, over which the components are averaged: that widens the normals by width^2 /
 * 12. t->e is not used. Of even cells (gpai_plausible_even; a multiple of
 * GPAI_VPAD of them) all have the first width. */
void gpai_plausible_cells(gpai_plausible *q, size_t axis, const gpai_terms *t,
                          const double *width, double *gain);
void gpai_plausible_even_cells(gpai_plausible *q, size_t axis, const gpai_terms *t,
                               double width, double *gain);

/* gain[c] += ln of the row's plausibility with the change c over that without. t->e is
 * used up; `top` and `sum` have room for t->ld numbers. */
void gpai_plausible_gain(const gpai_plausible *q, gpai_terms *t, double *top,
                         double *sum, double *gain);

#endif
