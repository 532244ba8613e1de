#ifndef GPA_COMPARE_H
#define GPA_COMPARE_H
#include <gpa/attribute.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How alike two attributions are; NaN where it does not exist (an all-zero vector has
 * no order). Frozen, like gpa_spread and gpa_consistency: callers give room for it. */
typedef struct gpa_agreement {
    double tau;   /* Kendall's tau-b of the absolute scores */
    double rho;   /* Spearman's rho of them */
    double smr;   /* share of inputs whose signs do not oppose each other */
    double hit25; /* share of the reference's top quarter in the other's */
} gpa_agreement;

/** Compares the scores `other` with those of `reference`, d numbers each (appendix E).
 */
GPA_API GPA_CHECKED gpa_status gpa_agree(const double *reference, const double *other,
                                         size_t d, gpa_agreement *out, gpa_error *err);

/** Mean and standard deviation (n - 1) over rows of one figure; `n` rows have one. */
typedef struct gpa_spread {
    double mean, sd;
    size_t n;
} gpa_spread;

typedef struct gpa_consistency {
    gpa_spread tau, rho, smr, hit25;
} gpa_consistency;

/** Every method on the same rows. */
typedef struct gpa_comparison gpa_comparison;

/** What a comparison may be told. Fill with gpa_compare_options_init. */
typedef struct gpa_compare_options {
    size_t struct_size;
    const char *const *methods; /* names, in the order to show; NULL: all there are */
    size_t n_methods;
    size_t threads; /* workers; the result does not depend on it */
    bool flip;      /* run each again with y reflected about f(x): true by default */
    const gpa_attribute_options *attribute; /* NULL: the defaults */
} gpa_compare_options;

#define gpa_compare_options_init(opt)                                                  \
    gpa_compare_options_init_sized((opt), sizeof *(opt))
GPA_API void gpa_compare_options_init_sized(gpa_compare_options *opt, size_t size);

/**
 * Runs the methods on each of `n_rows` rows of `all` (which needs f, and is the context
 * of gpa and lc). The consistency is with gpa, which is run for it also when it is not
 * among the methods. A method that needs reference rows and has none takes the others
 * of `all`, those that say what is plausible (300 evenly spaced ones of more), and
 * notes it; with fewer than 20 of them it is left out and says so, as is one whose
 * predictions are not finite. gpa's scores are the delta of gpa_explain.
 * opt->attribute->progress counts methods times rows.
 */
GPA_API GPA_CHECKED gpa_status gpa_compare(gpa_comparison **out, gpa_model *m,
                                           const gpa_sample *all, const size_t *rows,
                                           size_t n_rows,
                                           const gpa_compare_options *opt,
                                           gpa_error *err);

GPA_API void gpa_comparison_free(gpa_comparison *c);

GPA_API size_t gpa_comparison_rows(const gpa_comparison *c);
GPA_API size_t gpa_comparison_row(const gpa_comparison *c, size_t i);
GPA_API size_t gpa_comparison_dim(const gpa_comparison *c);
GPA_API size_t gpa_comparison_methods(const gpa_comparison *c);
GPA_API const gpa_method *gpa_comparison_method(const gpa_comparison *c, size_t j);

/** Outcome and prediction of the i-th row. */
GPA_API double gpa_comparison_y(const gpa_comparison *c, size_t i);
GPA_API double gpa_comparison_f(const gpa_comparison *c, size_t i);

/** What gpa_explain would say of the i-th row; GPA_VERDICT_UNKNOWN where gpa was not
 * among the methods, or has no answer. Reports say it in the words of an explanation.
 */
GPA_API gpa_verdict gpa_comparison_verdict(const gpa_comparison *c, size_t i);

/** Why method j says nothing about the i-th row (no reference rows; a prediction that
 * is no number); NULL when it does. */
GPA_API const char *gpa_comparison_skipped(const gpa_comparison *c, size_t i, size_t j);

/** What method j says about the i-th row; NULL when it says nothing. */
GPA_API const gpa_attribution *gpa_comparison_at(const gpa_comparison *c, size_t i,
                                                 size_t j);

/** The scores with y reflected about f(x); NULL without them. */
GPA_API const double *gpa_comparison_flipped(const gpa_comparison *c, size_t i,
                                             size_t j);

/** Whether method j reacted to it: 1 yes, 0 no, -1 unknown (not run, or y = f). */
GPA_API int gpa_comparison_reacts(const gpa_comparison *c, size_t i, size_t j);

/** Consistency of method j with gpa over the rows; NULL when it said nothing. */
GPA_API const gpa_consistency *gpa_comparison_consistency(const gpa_comparison *c,
                                                          size_t j);

#ifdef __cplusplus
}
#endif
#endif
