#ifndef GPAI_METHODS_LINEAR_LASSO_H
#define GPAI_METHODS_LINEAR_LASSO_H
#include "methods/linear/standardise.h"

/* The lasso with a constant that is free of charge:
 *
 *     min over b0, w of  1/(2 n) |t - b0 - X w|^2 + l1 |w|_1
 *
 * by coordinate descent in standard columns, with now and then a jump to the solution
 * for the signs found so far: it makes the last digits exact, where descent alone would
 * creep. A column that is constant gets 0; of columns that are the same one gets
 * everything. Where the solution is not unique (l1 = 0 and fewer rows than columns) it
 * is one of them.
 *
 * While no slope changes its sign the objective is quadratic in those of the columns
 * that take part, and its minimum the solution of a linear system, whose factor is kept
 * up to date as columns come and go. */
typedef struct gpai_lasso {
    gpai_standardised s; /* its residual follows w */
    size_t most;         /* columns there is room for in the factor */
    size_t k;            /* columns in it */
    size_t *chosen;      /* k: which */
    double *block;       /* owns all arrays */
    double *w;           /* d slopes */
    double *lambda; /* d: weights of |w_j|; infinite for columns that are constant */
    double *factor; /* most + 1 rows of most: L with L L' = their products */
    double *step;   /* most */
    double *turn;   /* 2 by most: rotations */
    double work;    /* multiplications so far */
} gpai_lasso;

typedef struct gpai_lasso_fit {
    double constant; /* b0 */
    size_t sweeps;   /* looks at all columns, or those that take part */
    bool converged;
} gpai_lasso_fit;

/* Room for problems of n rows (at least 1) and d columns; `unit` is for messages. */
gpa_status gpai_lasso_open(gpai_lasso *l, size_t n, size_t d, const char *unit,
                           gpa_error *err);
void gpai_lasso_close(gpai_lasso *l);

/* Solves for w (d numbers); x is n by d, row-major, finite like t. The constant is NaN
 * when differences between rows overflow. */
gpai_lasso_fit gpai_lasso_solve(gpai_lasso *l, const double *x, const double *t,
                                double l1, double *w);

#endif
