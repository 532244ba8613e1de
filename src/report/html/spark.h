#ifndef GPAI_SPARK_H
#define GPAI_SPARK_H
#include "report/draw/axis.h"
#include "report/view.h"

/* Pictures as small as a word, for tables in pages; colours are the page's. */

/* A bar for a share of 1; it fills whatever width the page gives it. */
void gpai_spark_bar(gpa_text *t, double share);

/* The density of input k's change on a common axis, of as few bytes as possible. */
gpai_axis gpai_spark_axis(const gpai_view *v, size_t shown);
void gpai_spark_density(gpa_text *t, const gpai_axis *x, const gpa_marginal *m);

#endif
