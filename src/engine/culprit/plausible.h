#ifndef GPAI_ENGINE_CULPRIT_PLAUSIBLE_H
#define GPAI_ENGINE_CULPRIT_PLAUSIBLE_H
#include "engine/math/copula.h"
#include "engine/space.h"
#include <stddef.h>

/* The density of one input: the mean of Cauchy kernels around known values. */
typedef struct gpai_column {
    size_t count;         /* kernels */
    const double *centre; /* count, ascending */
    double width;
} gpai_column;

/* Kernels around n values, which are sorted, and of which the column keeps hold;
 * `scratch` holds n numbers. Their width is 1.5 max(1.06 w n^-1/5, 0.05 sd), w =
 * min(1.4826 MAD, sd) or sd when the MAD is 0; a constant column has sd 1. 1.06 and
 * 1.4826 are Silverman's rule and the sd of a normal with that MAD; 1.5 (Cauchy kernels
 * are peaked) and the least width were chosen on planted faults. */
gpai_column gpai_column_make(double *value, size_t n, double *scratch);

/* Density (up to a constant factor) and, unless NULL, normal score, Phi^-1 of the
 * distribution function, at the `count` places from + move[i]. `density` may be `move`.
 */
void gpai_column_at(const gpai_column *c, double from, const double *move, size_t count,
                    double *density, double *score);

/* How plausible repaired rows are, judged by rows without outcome: a density of every
 * input from Cauchy kernels, joined (where asked for) by a Gaussian copula of its
 * normal scores. A one-hot group has the shares of its categories, and no dependence.
 * All values are in units. */
enum {
    GPAI_PLAUSIBLE_LEAST = 20, /* chosen: fewer rows say nothing about a density */
    GPAI_PLAUSIBLE_MOST = 200  /* of more, so many evenly spaced ones: 100 sufficed for
                                  planted faults, and time grows with them */
};

typedef struct gpai_plausible {
    const gpai_space *space;
    size_t n, rows; /* observed rows; rows that the densities rest on */
    bool joint;
    gpai_column *column; /* one per axis; without kernels: cannot be judged */
    double **log_share;  /* axes: CHOICE: ln of each category's share */
    double *at;          /* axes by n: the observed values; not finite: not judged */
    double *log_density; /* axes by n: there */
    double *score;       /* axes by n: normal scores there */
    double *pull;        /* axes by n: C times the scores of a row */
    gpai_copula copula;
    double *block;
} gpai_plausible;

/* From n_rows rows (row-major, all d inputs, not scaled) of which the problem's own are
 * none; a cell that is not finite is passed over. At least GPAI_PLAUSIBLE_LEAST of
 * them. gpai_plausible_close frees. */
gpa_status gpai_plausible_open(gpai_plausible *q, const gpai_problem *p,
                               const gpai_space *s, const double *rows, size_t n_rows,
                               bool joint, gpa_error *err);
void gpai_plausible_close(gpai_plausible *q);

/* What a move of one axis to each of `count` values (GPAI_MOVES at most) does to the
 * rows: into `gain` ln p(moved rows) - ln p(rows), summed over the rows; into `shift`
 * (n by count; NULL: not wanted) how far the axis' normal score moves. */
void gpai_plausible_judge(const gpai_plausible *q, size_t axis, const double *value,
                          size_t count, double *gain, double *shift);

/* Two axes that both move gain in addition -link sum_t shift_j shift_k; 0 unless joint.
 */
double gpai_plausible_link(const gpai_plausible *q, size_t j, size_t k);

#endif
