#ifndef GPAI_METHODS_ATTRIBUTE_H
#define GPAI_METHODS_ATTRIBUTE_H
#include "result/attribution.h"
#include <gpa/compare.h>

/* One method at work. The public call has checked everything: sizes agree, x and y are
 * finite where needed, the reference is there for methods that need it, the options are
 * complete (explain is never NULL, explain->unit never NULL, no count is 0, no number
 * NaN but those that only gpa and lc settle). */
typedef struct gpai_attribute {
    gpa_attribution *a; /* to fill; zero scores */
    gpa_model *model;
    const gpa_sample *s;                /* rows to explain; s->f is there */
    const gpa_attribute_options *opt;   /* resolved copy */
    const gpa_explain_options *explain; /* opt->explain */
    gpa_error *err;
} gpai_attribute;

typedef gpa_status (*gpai_attribute_fn)(gpai_attribute *w);

/* How a method runs. */
typedef struct gpai_method {
    const char *name; /* as in gpa_method */
    bool needs_reference;
    bool takes_text; /* it asks the model for values that were seen, and no others */
    gpai_attribute_fn run;
} gpai_method;

const gpai_method *gpai_method_find(const char *name);

/* Whether a method cannot run for want of reference rows. */
bool gpai_attribute_lacks_reference(const gpai_method *method,
                                    const gpa_attribute_options *o);

/* Copies the caller's options (of whatever size; opt may be NULL) over the defaults,
 * refuses what makes no sense and completes the rest; `e` becomes out->explain, whose
 * unit may still be NULL. */
gpa_status gpai_attribute_resolve(gpa_attribute_options *out, gpa_explain_options *e,
                                  const gpai_method *method,
                                  const gpa_attribute_options *opt, size_t d,
                                  gpa_error *err);

/* gpa_explain_many where rows have other `names`, their numbers in the data, in
 * messages; gpa_compare where, besides, some rows are not as they are in the data:
 * `context` has all of them as they are. */
gpa_status gpai_explain_named(gpa_model *m, const gpa_sample *all, const size_t *names,
                              const size_t *rows, size_t n_rows, size_t threads,
                              const gpa_explain_options *opt, gpa_explanation_sink sink,
                              void *ctx, gpa_error *err);
gpa_status gpai_compare_edited(gpa_comparison **out, gpa_model *m,
                               const gpa_sample *all, const gpa_sample *context,
                               const size_t *names, const size_t *rows, size_t n_rows,
                               const gpa_compare_options *opt, gpa_error *err);

/* The methods. gpa and lc are in gpa.c, ig and eig in path.c. */
gpa_status gpai_attribute_gpa(gpai_attribute *w);
gpa_status gpai_lc(gpai_attribute *w);
gpa_status gpai_lime(gpai_attribute *w);
gpa_status gpai_baylime(gpai_attribute *w);
gpa_status gpai_ig(gpai_attribute *w);
gpa_status gpai_eig(gpai_attribute *w);
gpa_status gpai_shapley(gpai_attribute *w);
gpa_status gpai_zscore(gpai_attribute *w);

/* Predictions of n rows for a method: asked, counted in w->a, all finite. A non-finite
 * one is GPA_NUMERIC and named by its place and the method. */
gpa_status gpai_attribute_predict(gpai_attribute *w, const double *x, size_t n,
                                  double *y);

/* Tells the caller how far it is; GPA_STOPPED when the caller wants no more. */
gpa_status gpai_attribute_progress(gpai_attribute *w, uint64_t done, uint64_t total);

#endif
