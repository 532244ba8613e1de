#ifndef GPAI_METHODS_LINEAR_LOCAL_SAMPLES_H
#define GPAI_METHODS_LINEAR_LOCAL_SAMPLES_H
#include "methods/attribute.h"

/* Samples around a row and what the model says of them: what lime and baylime fit a
 * linear model to. All rows get the same draws, so that the mean over rows is the mean
 * of what each would get alone. */
typedef struct gpai_local_samples {
    size_t n, d;
    double *block; /* owns the arrays below */
    double *x;     /* n by d: where the samples are, from the row, in units */
    double *f;     /* n: the model there */
    double *w;     /* d: for the caller */
} gpai_local_samples;

gpa_status gpai_local_samples_open(gpai_local_samples *l, const gpai_attribute *w);
void gpai_local_samples_close(gpai_local_samples *l);

/* Asks the model around row t of w->s: x + unit sd N(0, I), or the samples of the
 * options. Inputs that are frozen stay where they are. */
gpa_status gpai_local_samples_ask(gpai_local_samples *l, gpai_attribute *w, size_t t);

/* Adds l->w, the slopes at one row, to the scores, which become the mean over rows;
 * `constant` is the fit's prediction at the row. GPA_NUMERIC when they are not finite.
 */
gpa_status gpai_local_samples_score(const gpai_local_samples *l, gpai_attribute *w,
                                    double constant);

#endif
