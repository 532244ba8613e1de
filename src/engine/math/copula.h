#ifndef GPAI_ENGINE_MATH_COPULA_H
#define GPAI_ENGINE_MATH_COPULA_H
#include <gpa/status.h>
#include <stddef.h>

/* What makes inputs with normal scores z depend on each other in a Gaussian copula: the
 * log density gains -z'Cz/2 over independence, C = R^-1 - I. R holds the correlations
 * of a sample of scores, shrunk towards 0 as Schaefer and Strimmer do. C itself is
 * never formed: with few rows and many columns it would be the larger matrix by far. */
typedef struct gpai_copula {
    size_t m, rank;
    double shrinkage; /* 0.02 to 1 */
    double sign;      /* C = diag(own) + sign V'V */
    double *own;      /* m */
    double *v;        /* m by rank: the columns of V */
    double *factor;   /* rank by rank: of what is inverted */
    double *block;
} gpai_copula;

/* From the scores of n rows: z is m by n, one input after another, and is standardised
 * in place. A constant input has correlation 0. gpai_copula_close frees. */
gpa_status gpai_copula_open(gpai_copula *c, double *z, size_t n, size_t m,
                            gpa_error *err);
void gpai_copula_close(gpai_copula *c);

/* C_jk. */
double gpai_copula_link(const gpai_copula *c, size_t j, size_t k);

/* out = C z for one row's scores; `scratch` holds c->rank numbers. */
void gpai_copula_pull(const gpai_copula *c, const double *z, double *scratch,
                      double *out);

#endif
