#ifndef GPAI_ENGINE_MATH_KRIGING_FIT_H
#define GPAI_ENGINE_MATH_KRIGING_FIT_H
#include "base/alloc.h"
#include "engine/math/kriging.h"

/* What a fit predicts: a copy of it that stays when rows are added and the next fit is
 * made. Sums run in floats, good to about 1e-6 of an output's spread. */
typedef struct gpai_kriging_fit {
    const gpai_kriging *k; /* whose rows it was made from */
    size_t panels, bad_panels;
    double *lambda; /* axes */
    double s2;
    double *centre, *size; /* outputs */
    double *slope;         /* outputs by axes: the linear term */
    double *g_slope;       /* outputs by features */
    double *square;        /* outputs by axes^2: the quadratic form of z */
    double *g_square;      /* outputs by features^2: of g */
    float *row, *bad;      /* u lambda, in panels of rows */
    float *weight;         /* panels by outputs */
    double *column;        /* axes by GPAI_VBLOCK */
    double *g;             /* features by GPAI_VBLOCK */
    double *z;             /* axes by GPAI_VBLOCK */
    float *point;          /* the same, scaled */
    float *part;           /* outputs by GPAI_VBLOCK */
    double *sum;           /* likewise */
} gpai_kriging_fit;

/* Takes the arrays from an arena, for a fit of k, which must outlive it. */
void gpai_kriging_fit_lay_out(gpai_kriging_fit *g, const gpai_kriging *k,
                              gpai_arena *a);

/* Copies the fit. */
void gpai_kriging_fit_keep(gpai_kriging_fit *g);

/* Predictions at z (n by axes) into f (outputs by ld). A point whose nearest row had
 * no finite outputs gets NaN. */
void gpai_kriging_fit_predict(const gpai_kriging_fit *g, const double *z, size_t n,
                              double *f, size_t ld);

#endif
