#ifndef GPA_CLI_LOAD_H
#define GPA_CLI_LOAD_H
#include "cli/args.h"
#include <gpa/gpa.h>

/* A model and a table brought together: what every command starts from. */
struct load {
    gpa_model *model;
    gpa_table *table;
    size_t n, d;
    size_t target, id;     /* columns; id is NO_COLUMN without --id */
    bool nameless;         /* --no-header: its names mean nothing */
    size_t *columns;       /* d, the inputs in the model's order */
    const char **features; /* d, their names; borrowed from the table */
    const char **ids;      /* n, or NULL; borrowed */
    double *block;         /* owns the arrays below */
    double *x, *f, *score, *center, *unit;
    const double *y;
    gpa_sample sample;
    gpa_background all;       /* the same rows with their scores, for reports */
    double sigma, collective; /* NaN when nobody needs them and they are not known */
    double *background;       /* owns the rows of `reference` */
    gpa_sample reference;     /* --reference, inputs only; empty unless it is used */
    char probe[GPA_DIGEST_SIZE];
};

#define NO_COLUMN SIZE_MAX

/* The model alone. */
gpa_status load_model(struct load *l, const struct args *a, gpa_error *err);

/* The model and the inputs of the table's rows, nothing asked yet. */
gpa_status load_rows(struct load *l, const struct args *a, gpa_error *err);

/* Opens the model, reads the table, chooses columns, predicts and scores every row. */
gpa_status load_open(struct load *l, const struct args *a, gpa_error *err);

/* Reads --reference where it is used, and gives each input the centre and unit that
 * --scale says; warns about inputs without spread. */
gpa_status load_scale(struct load *l, const struct args *a, gpa_error *err);

/* What reports say about all of it; borrows from `l`, `a` and `options`. */
gpa_report_info load_info(const struct load *l, const struct args *a,
                          const char *options);

/* How tables are to look on this terminal. */
void load_look(gpa_report_info *info, const struct args *a);

void load_free(struct load *l);

#endif
