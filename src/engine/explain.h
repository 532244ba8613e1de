#ifndef GPAI_ENGINE_EXPLAIN_H
#define GPAI_ENGINE_EXPLAIN_H
#include "engine/culprit/density/known.h"
#include "result/explanation.h"
#include <gpa/model.h>

/* sigma, and what it rests on: all rows, or those whose y - f lies within `limit` of
 * `middle`. */
typedef struct gpai_noise {
    double sigma;
    double all;    /* the standard deviation over all rows */
    double middle; /* the median of y - f */
    double usual;  /* 1.4826 times the median distance from it; NaN: rounding */
    double limit;  /* infinite where no row was left out */
    size_t left_out;
} gpai_noise;

gpa_status gpai_residual_noise(const gpa_sample *s, gpai_noise *out, gpa_error *err);

/* Whether a number is far from all that is usual, from low to high: extent.c. How it is
 * said of names, and of how many more there are. */
bool gpai_is_far(double value, double low, double high);
#define GPAI_FAR_FROM_USUAL                                                            \
    "far from all that is usual: %s%s; a code for a missing value, another unit?"

/* gpa_explain for one of many rows of a table: what belongs to the table is found once
 * and kept in `known`, or NULL. The rest of `opt` that is about the table must stay the
 * same. */
gpa_status gpai_explain_known(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                              const gpa_explain_options *opt, gpai_known *known,
                              gpa_error *err);

/* gpa_explain in two halves, for methods that change something in between. */

/* An explanation with its rows, its predictions (asked for unless s->f is there) and
 * nothing left open: opt was resolved, and is complete afterwards. asked: s->f is
 * there, but asking for it counts. *out is to be freed also when this fails. */
gpa_status gpai_explain_begin(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                              gpa_explain_options *opt, bool asked, gpa_error *err);

/* Then the stages: culprit, MAP, marginals. */
gpa_status gpai_explain_run(gpa_explanation *e, gpa_model *m,
                            const gpa_explain_options *opt, gpai_known *known,
                            gpa_error *err);

#endif
