#ifndef GPAI_METHODS_LINEAR_ACTIVE_SET_H
#define GPAI_METHODS_LINEAR_ACTIVE_SET_H
#include "methods/linear/standardise.h"

/* The columns of a lasso that take part. While no slope changes its sign the objective
 * is quadratic in theirs, and its minimum the solution of a linear system, whose factor
 * is kept up to date as columns come and go. */
typedef struct gpai_active_set {
    gpai_standardised *s; /* borrowed, like w and lambda; its residual follows w */
    double *w;            /* d slopes */
    double *lambda; /* d: weights of |w_j|; infinite for columns that are constant */
    size_t most;    /* columns there is room for */
    size_t k;       /* columns in the factor */
    size_t *chosen; /* k: which */
    double *block;  /* owns the arrays below */
    double *factor; /* most + 1 rows of most: L with L L' = their products */
    double *step;   /* most */
    double *turn;   /* 2 by most: rotations */
    double work;    /* multiplications so far */
} gpai_active_set;

gpa_status gpai_active_set_open(gpai_active_set *a, gpai_standardised *s,
                                const char *unit, gpa_error *err);
void gpai_active_set_close(gpai_active_set *a);

/* Sets w_j. */
void gpai_active_set_move(gpai_active_set *a, size_t j, double to);

/* Lets column j, whose slope is not 0, into the factor. If it is a mixture of those
 * that are there, one of them or j itself becomes 0 instead, at no cost. False when
 * there is no room. */
bool gpai_active_set_admit(gpai_active_set *a, size_t j);

/* Starts anew with all columns whose slope is not 0. False when there is no room. */
bool gpai_active_set_gather(gpai_active_set *a);

/* Goes to the minimum over the columns in the factor. Those whose sign would change on
 * the way leave it, with slope 0. */
void gpai_active_set_finish(gpai_active_set *a);

#endif
