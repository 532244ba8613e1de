#ifndef GPA_LAB_PLANTED_METHODS_H
#define GPA_LAB_PLANTED_METHODS_H
#include "lab/planted/faults.h"
#include <stdint.h>

/* The methods that are asked who did it. */

/* What a method is told about a case. */
struct question {
    gpa_model *model;
    gpa_sample sample;    /* the spoilt rows */
    gpa_sample reference; /* unlabelled rows, the case's own left out; x, n, d */
    const double *unit;   /* d */
    double sigma;
    uint64_t seed;
};

/* What it says. Arrays of d that belong to whoever asks. */
struct answer {
    double *blame; /* the larger, the more suspect */
    double *move;  /* what would undo it, in the data's units; NaN: not said */
    size_t *set;   /* its 90 % set */
    size_t n_set;  /* 0: it has none */
    double output; /* P(the output is at fault); NaN: not said */
    double rows;   /* model rows asked */
};

struct asked_method {
    const char *name, *title; /* for --methods, for people */
    bool rows;                /* needs unlabelled rows */
    gpa_status (*ask)(struct answer *a, const struct asked_method *m,
                      const struct question *q, gpa_error *err);
    /* for those that go through gpa_explain: how, and what to read from it */
    gpa_solver solver;
    gpa_culprit_mode culprit;
    gpa_marginals marginals;
    void (*take)(struct answer *a, const gpa_explanation *e);
};

enum { METHODS_MOST = 32 };

/* Those that --methods names ("A,B"; NULL: all), in the order of the tables. */
gpa_status methods_choose(const char *names, const struct asked_method **out, size_t *n,
                          gpa_error *err);

#endif
