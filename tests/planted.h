#ifndef TEST_PLANTED_H
#define TEST_PLANTED_H
#include <gpa/gpa.h>
#include <stdbool.h>

/* Planted faults: rows that were spoilt on purpose, so that the culprit is known. */

enum { PLANTED_SETS = 5, PLANTED_INPUTS = 10 };
extern const char *const planted_names[PLANTED_SETS];

struct planted_case {
    const char *kind; /* "single", "coll", "out", ... */
    size_t n;         /* rows that share the fault */
    const double *x, *y;
    const double *source; /* n: the normal rows they were made of */
    const double *repair; /* n by d: what undoes the fault */
    bool guilty[PLANTED_INPUTS];
};

struct planted_set {
    const char *name;
    gpa_model *model;
    size_t d, n_cases, n_batch;
    double sigma;
    double scale[PLANTED_INPUTS];
    struct planted_case *cases; /* in the order of their numbers */
    double *batch;              /* n_batch by d: reference rows */
    const double *batch_row;    /* n_batch: their numbers in the sense of `source` */
    double *x, *repair;
    gpa_table *case_table, *batch_table;
};

/* Reads a set; false, with a loud line, when it or its model is not there. */
bool planted_open(struct planted_set *s, const char *name);
void planted_close(struct planted_set *s);

/* The reference rows without a case's own into `out` (n_batch by d); how many. */
size_t planted_reference(const struct planted_set *s, const struct planted_case *c,
                         double *out);

#endif
