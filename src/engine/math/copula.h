#ifndef GPAI_ENGINE_MATH_COPULA_H
#define GPAI_ENGINE_MATH_COPULA_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* The inverse of the correlations of a sample of scores. Scores come in blocks, one per
 * input: a number has one score, a choice one per level. The correlations are shrunk
 * towards 0 as Schaefer and Strimmer do, by how uncertain those between blocks are, or
 * farther, as rows need that they do not know, and once more for scores of rare levels.
 * R^-1 itself is never formed: with few rows and many columns it would be the larger
 * matrix by far. */
typedef struct gpai_copula {
    size_t m, n;      /* scores, rows */
    size_t rank;      /* 0: the scores are independent */
    double shrinkage; /* t, 0.02 to 1 */
    double left_out;  /* the t that rows it does not know need; 0: independent */
    double sign;      /* R^-1 = diag(own) + sign V'V */
    double *own;      /* m */
    double *v;        /* m by rank: the columns of V */
    double *factor;   /* rank by rank: of what is inverted */
    double *z;        /* m by n: standardised scores times `rare` */
    double *block;
} gpai_copula;

typedef struct gpai_scores {
    size_t m, n, blocks;
    const double *z;     /* m by n, one score after another */
    const size_t *first; /* blocks + 1: where each block starts */
    const double *rare;  /* m: what its correlations are multiplied with */
    double left_out;     /* that of nearly the same rows; 0: not known */
} gpai_scores;

/* A constant score has correlation 0. joint: else R = I. gpai_copula_close frees. */
gpa_status gpai_copula_open(gpai_copula *c, const gpai_scores *s, bool joint,
                            gpa_error *err);
void gpai_copula_close(gpai_copula *c);

/* R_jk, and of its inverse. */
double gpai_copula_correlation(const gpai_copula *c, size_t j, size_t k);
double gpai_copula_link(const gpai_copula *c, size_t j, size_t k);

/* out = R^-1 z for one row's scores; `scratch` holds c->rank numbers. */
void gpai_copula_pull(const gpai_copula *c, const double *z, double *scratch,
                      double *out);

#endif
