#ifndef GPAI_ENGINE_MATH_KRIGING_H
#define GPAI_ENGINE_MATH_KRIGING_H
#include "base/math/vectors.h"
#include "engine/math/bfgs.h"
#include "engine/math/warp.h"
#include <gpa/status.h>

/* Kriging (Gaussian-process interpolation) of the predictions f_t of several outputs t
 * from rows in prior coordinates: z_k with prior N(0, 1) on each axis, u_k = Phi(z_k).
 * One kernel for all outputs, which are standardised first:
 *
 *     k(u, u') = s2 exp(-sum_k lambda_k |u_k - u'_k|) + t2 z.z'/M + noise [u = u']
 *
 * The first term has kinks and no smoothness assumption, so it suits trees as well as
 * networks; the second carries the trend. An axis the rows say nothing about gets a
 * small lambda_k. The logarithms of lambda, s2, t2 and noise maximise the marginal
 * likelihood times a normal prior.
 *
 * Where f along the axes is known (warp.h), t(u) takes the place of u, and there are
 * three more trends: g.g'/M, (z.z'/M)^2 and (g.g'/M)^2, each with a weight of its own.
 *
 * The parameters are fitted to some of the rows, since each evaluation grows with the
 * cube of them: GPAI_KRIGING_SUBSET, or as many as `most` says. */
enum { GPAI_KRIGING_SUBSET = 160, GPAI_KRIGING_SUBSET_MOST = 256 };

/* With more axes than this a few hundred rows cannot tell the lambdas apart: there is
 * no surrogate. */
enum { GPAI_KRIGING_AXES = 48 };

/* The parameters behind the lambdas, in their order; the last three with a warp. */
enum {
    GPAI_KRIGING_S2,
    GPAI_KRIGING_Z,
    GPAI_KRIGING_NOISE,
    GPAI_KRIGING_G,
    GPAI_KRIGING_Z2,
    GPAI_KRIGING_G2,
    GPAI_KRIGING_OTHERS
};

typedef struct gpai_kriging {
    const gpai_vectors *v;
    size_t axes, outputs;
    const gpai_warp *warp; /* or NULL; it must outlive this */
    size_t features;       /* profiles in all */
    size_t others;         /* parameters behind the lambdas: 3, with a warp 6 */
    size_t design;         /* rows with a lower number say what is standard */
    size_t most;           /* rows that the likelihood is computed on */
    size_t room, ld;       /* rows that fit; how far columns are apart (spd.h) */
    size_t rows;           /* with finite outputs: the first ones of the arrays */
    size_t bad;            /* the others: the last ones, from the end */
    size_t *id;            /* room: the caller's number of each row */
    double *z;             /* axes by ld */
    double *u;             /* axes by ld: u, or t(u) */
    double *g;             /* features by ld */
    double *f;             /* outputs by ld */
    double *gram;          /* ld by ld, lower: z.z' */
    double *g_gram;        /* the same: g.g' */

    /* the fit */
    gpai_bfgs search;      /* x: ln lambda (axes), and of the others */
    double *centre, *size; /* outputs: mean and standard deviation; size 0: constant */
    double *alpha;         /* outputs by ld: K^-1 y */
    double *left_out;      /* outputs by ld: f - what the other rows predict there */
    bool flat;             /* every output is constant */

    /* room for it */
    double *matrix;                 /* ld by ld */
    double *second, *scratch;       /* for spd.h */
    size_t *chosen;                 /* rows that the likelihood is computed on */
    size_t subset, subset_ld;       /* how many, and how far columns are apart */
    size_t pairs;                   /* of them */
    double *gap, *gap_gram, *cover; /* axes by pairs; pairs; pairs */
    double *pull;                   /* pairs: d value / d K */
    double *own_gram;               /* subset: z.z of each */
    double *gap_g, *own_g;          /* the same of g */
    double *target, *solved;        /* outputs by subset_ld */
    size_t pair_room;
    double *block;
} gpai_kriging;

/* Room for so many rows, good and bad together; warp may be NULL. GPA_NOMEM is the
 * only failure. gpai_kriging_close frees. */
gpa_status gpai_kriging_open(gpai_kriging *k, size_t axes, size_t outputs, size_t room,
                             const gpai_warp *warp, gpa_error *err);
void gpai_kriging_close(gpai_kriging *k);

/* Adds n rows: z (n by axes), f (n by outputs), numbered from `first`. */
void gpai_kriging_add(gpai_kriging *k, const double *z, const double *f, size_t n,
                      size_t first);

/* Fits to all rows; at most so many evaluations of the likelihood, each on at most
 * `most` rows, the design's first, from where the last fit ended. At least
 * one row must have finite outputs. GPA_NUMERIC when the matrix cannot be factored. */
gpa_status gpai_kriging_estimate(gpai_kriging *k, size_t evaluations, gpa_error *err);

/* Minus the log marginal likelihood and prior at theta (axes + others), its gradient,
 * on the rows of the last fit; HUGE_VAL where it does not exist. ctx: the kriging. */
double gpai_kriging_misfit(void *ctx, const double *theta, double *gradient);

#endif
