#ifndef GPAI_ENGINE_MARGINALS_QUANTILES_H
#define GPAI_ENGINE_MARGINALS_QUANTILES_H
#include "engine/space.h"

/* The map between z, in which the prior of every axis is N(0, 1), and the values of a
 * space: value = gpai_axis_quantile(Phi(z)), but fast enough for many draws and exact
 * far out in the tails. */
typedef struct gpai_quantiles_axis {
    size_t values; /* CHOICE, and STEP with few values: how many; else 0 */
    double *value; /* values: steps, ascending; levels, by their order */
    double *edge;  /* values + 1: value j is z in (edge[j], edge[j + 1]] */
    double *table; /* z to value on a PLAIN axis with bounds around 0; or NULL */
    double first;  /* z where it begins */
} gpai_quantiles_axis;

/* Which of the values z stands for. */
static inline size_t gpai_quantiles_index(const gpai_quantiles_axis *a, double z)
{
    size_t j = 0;
    while (j + 1 < a->values && z > a->edge[j + 1])
        j++;
    return j;
}

typedef struct gpai_quantiles {
    const gpai_space *space;
    gpai_quantiles_axis *axis;
    double *table; /* |z| to |value| on an axis without bounds */
    void *block;
} gpai_quantiles;

/* `s` must outlive it. gpai_quantiles_close frees. */
gpa_status gpai_quantiles_open(gpai_quantiles *c, const gpai_space *s, gpa_error *err);
void gpai_quantiles_close(gpai_quantiles *c);

double gpai_quantiles_value(const gpai_quantiles *c, size_t axis, double z);

/* The values of n places, as gpai_quantiles_value gives them. */
void gpai_quantiles_values(const gpai_quantiles *c, size_t axis, const double *z,
                           size_t n, double *value);

/* The inverse on a PLAIN or STEP axis; always finite. */
double gpai_quantiles_z(const gpai_quantiles *c, size_t axis, double value);

/* The z that stands for value j where they are few: the middle of its probability,
 * which is `chance`; within +-9. */
double gpai_quantiles_middle(const gpai_quantiles_axis *a, size_t j, double *chance);

/* Perturbations (n by d) that draws z (n by axes) stand for. */
void gpai_quantiles_delta(const gpai_quantiles *c, const double *z, size_t n,
                          double *delta);

#endif
