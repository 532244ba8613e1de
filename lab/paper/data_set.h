#ifndef GPA_LAB_PAPER_SET_H
#define GPA_LAB_PAPER_SET_H
#include "lab/paper/paper.h"

/* One of the paper's data sets with its model, trained before if need be. */
struct paper_set {
    const char *name, *label; /* "boston", "Boston Housing" */
    const char *kind;         /* of model */
    double kappa, cb, eta;    /* of the paper's table 2 */
    gpa_model *model;
    gpa_table *train_table, *test_table;
    double *block; /* owns all arrays */
    gpa_sample train, test;
    const char **features;
    const char *target;
    double *score, sigma;
    size_t *order; /* test rows, the highest score first */
};

gpa_status paper_set_open(struct paper_set *s, struct paper *p, const char *name,
                          gpa_error *err);
void paper_set_free(struct paper_set *s);

/* The options of the paper for `rows` rows together. */
gpa_explain_options paper_set_options(const struct paper *p, const struct paper_set *s,
                                      size_t rows);

/* What all other methods are told: the paper's choices. */
gpa_attribute_options paper_set_methods(const struct paper_set *s,
                                        const gpa_explain_options *explain);

/* The n rows of highest score as a sample of their own; free its x. */
gpa_status paper_set_top(const struct paper_set *s, size_t n, gpa_sample *out,
                         gpa_error *err);

/* The row number of an input; SIZE_MAX when there is none of that name. */
size_t paper_set_input(const struct paper_set *s, const char *name);

/* A scatter plot of two inputs against y in the held-out rows, nothing marked yet. */
gpa_scatter_plot paper_set_scatter(const struct paper_set *s, const size_t inputs[2]);

/* The inputs by name, for reports. */
gpa_report_info paper_set_info(const struct paper_set *s, const struct paper *p);

#endif
