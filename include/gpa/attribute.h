#ifndef GPA_ATTRIBUTE_H
#define GPA_ATTRIBUTE_H
#include <gpa/explain.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a method needs and gives: one line of the paper's comparison chart. */
typedef struct gpa_method {
    const char *name;  /* as in --methods */
    const char *title; /* for people */
    bool training_data_free;
    bool baseline_free;
    bool sees_y;                 /* its answer depends on the observed y */
    bool distribution;           /* gives a distribution, not only a number */
    const char *gives;           /* one sentence */
    const char *label;           /* short, for tables and pictures: "LIME" */
    const char *reference_point; /* what its scores are measured from */
    const char
        *positive; /* what a positive score says of an input: "should be higher" */
} gpa_method;

/** Number of methods in this library. */
GPA_API size_t gpa_method_count(void);

/** The i-th method; NULL beyond the last. */
GPA_API const gpa_method *gpa_method_at(size_t i);

/** The method of this name; NULL when there is none. */
GPA_API const gpa_method *gpa_method_find(const char *name);

/** Where the path of integrated gradients begins. */
typedef enum gpa_baseline {
    GPA_BASELINE_ZERO = 0,      /* every input 0, in the model's own units */
    GPA_BASELINE_REFERENCE = 1, /* the mean of the reference rows */
    GPA_BASELINE_GIVEN = 2      /* opt->baseline_x */
} gpa_baseline;

/** How Shapley values are computed. */
typedef enum gpa_shapley {
    GPA_SHAPLEY_AUTO = 0,   /* exact where that asks no more rows, else sampled */
    GPA_SHAPLEY_SAMPLE = 1, /* random permutations and reference rows */
    GPA_SHAPLEY_EXACT = 2   /* all subsets of at most 20 inputs, all reference rows */
} gpa_shapley;

/** How the integral over the path of IG and EIG is taken. */
typedef enum gpa_quadrature {
    GPA_QUADRATURE_AUTO = 0,     /* fewer points at no larger an error */
    GPA_QUADRATURE_TRAPEZOID = 1 /* the paper's: `intervals` equal ones */
} gpa_quadrature;

/**
 * What a method may be told; each reads what concerns it. Fill with
 * gpa_attribute_options_init; a number that is NaN, or a count that is 0, is chosen
 * automatically. All pointers are borrowed.
 */
typedef struct gpa_attribute_options {
    size_t struct_size;

    /* gpa, lc: everything; all: seed, unit, slope_sd, slope_nodes, slope_list, frozen.
     * NULL: the defaults. gpa is the MAP alone unless its marginals say otherwise. */
    const gpa_explain_options *explain;

    const gpa_sample *reference; /* rows for eig, sv, z; x, n, d, maybe f */

    /* lime, baylime: a linear model of f around x */
    size_t lime_samples;   /* 1000 */
    double lime_l1;        /* l1 weight; eta nu where eta is given, else 0.2 */
    double lime_sd;        /* spread of the samples, in units: 1 */
    const double *lime_x;  /* or the very samples, lime_samples by d */
    double lime_precision; /* lambda of baylime's observations: 1 */

    /* ig, eig */
    gpa_baseline baseline;
    const double *baseline_x; /* d numbers for GPA_BASELINE_GIVEN */
    gpa_quadrature quadrature;
    size_t intervals; /* of the path: 100 for the trapezoid */
    size_t eig_rows;  /* a seeded choice of so many reference rows; 0: all */

    /* sv */
    gpa_shapley shapley;
    size_t sv_configurations; /* 100 */
    bool sv_antithetic;       /* each permutation also backwards */
    const size_t *sv_rows;    /* the very draws: sv_configurations reference rows, */
    const size_t *sv_orders;  /* and as many permutations of the d inputs */

    gpa_progress_fn progress; /* gpa, lc: unless explain has one */
    void *progress_ctx;
} gpa_attribute_options;

#define gpa_attribute_options_init(opt)                                                \
    gpa_attribute_options_init_sized((opt), sizeof *(opt))
GPA_API void gpa_attribute_options_init_sized(gpa_attribute_options *opt, size_t size);

/** What a method says about one row (or several together): a score per input. */
typedef struct gpa_attribution gpa_attribution;

/**
 * Runs the method `name` of gpa_method_find on the rows of `s` (one row: the usual
 * case). gpa and lc find one perturbation shared by all rows, the others give the mean
 * over the rows. GPA_INVALID for a name nobody knows and when a method that needs
 * reference rows has none. Only gpa and lc look at s->y: in f - y, which the others are
 * about, y cancels.
 */
GPA_API GPA_CHECKED gpa_status gpa_attribute(gpa_attribution **out, const char *name,
                                             gpa_model *m, const gpa_sample *s,
                                             const gpa_attribute_options *opt,
                                             gpa_error *err);

GPA_API void gpa_attribution_free(gpa_attribution *a);

/** The method, as in the table. */
GPA_API const gpa_method *gpa_attribution_method(const gpa_attribution *a);

/** Number of inputs, and one score for each of them. */
GPA_API size_t gpa_attribution_dim(const gpa_attribution *a);
GPA_API const double *gpa_attribution_score(const gpa_attribution *a);

/** Standard deviation of each score where the method has one, else NULL: the posterior
 * of baylime, the sampling error of sv and eig. */
GPA_API const double *gpa_attribution_sd(const gpa_attribution *a);

/** Who is responsible, beside the change that the scores of gpa are: d probabilities,
 * and that of the outcome or the model, as in gpa_culprit. NULL and NaN where culprits
 * were not asked for (gpa_compare does), and of all other methods. */
GPA_API const double *gpa_attribution_responsible(const gpa_attribution *a);
GPA_API double gpa_attribution_output(const gpa_attribution *a);

/** Rows and calls the method asked of the model. */
GPA_API uint64_t gpa_attribution_model_rows(const gpa_attribution *a);
GPA_API uint64_t gpa_attribution_model_calls(const gpa_attribution *a);

/** Iterations it took and whether it converged; 0 and true for direct methods. */
GPA_API size_t gpa_attribution_iterations(const gpa_attribution *a);
GPA_API bool gpa_attribution_converged(const gpa_attribution *a);

/** What a number beside the scores is called and is: lime's intercept, ig's f(x) -
 * f(x0), sv's and eig's f(x) - mean f. NULL and NaN where there is none. */
GPA_API const char *gpa_attribution_extra_name(const gpa_attribution *a);
GPA_API double gpa_attribution_extra(const gpa_attribution *a);

/** What the user should know, one line each; NULL at the end. */
GPA_API const char *gpa_attribution_note(const gpa_attribution *a, size_t i);

#ifdef __cplusplus
}
#endif
#endif
