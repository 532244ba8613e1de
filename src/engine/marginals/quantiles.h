#ifndef GPAI_CHART_H
#define GPAI_CHART_H
#include "engine/space.h"

/* The map between z, in which the prior of every axis is N(0, 1), and the values of a
 * space: value = gpai_axis_quantile(Phi(z)), but fast enough for many draws and exact
 * far out in the tails. */
typedef struct gpai_chart_axis {
    size_t values; /* CHOICE, and STEP with few values: how many; else 0 */
    double first;  /* value 0; the others follow by `step` */
    double step;
    double *edge; /* values + 1: value j is z in (edge[j], edge[j + 1]] */
} gpai_chart_axis;

typedef struct gpai_chart {
    const gpai_space *space;
    gpai_chart_axis *axis;
    double *table; /* |z| to |value| on an axis without bounds */
    void *block;
} gpai_chart;

/* `s` must outlive it. gpai_chart_close frees. */
gpa_status gpai_chart_open(gpai_chart *c, const gpai_space *s, gpa_error *err);
void gpai_chart_close(gpai_chart *c);

double gpai_chart_value(const gpai_chart *c, size_t axis, double z);

/* The values of n places, as gpai_chart_value gives them. */
void gpai_chart_values(const gpai_chart *c, size_t axis, const double *z, size_t n,
                       double *value);

/* Whether an axis is PLAIN and without bounds: all such axes have the same values. */
bool gpai_chart_is_free(const gpai_chart *c, size_t axis);

/* The inverse on a PLAIN or STEP axis; always finite. */
double gpai_chart_z(const gpai_chart *c, size_t axis, double value);

/* Perturbations (n by d) that draws z (n by axes) stand for. */
void gpai_chart_delta(const gpai_chart *c, const double *z, size_t n, double *delta);

#endif
