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
    double sigma, spread;
    const gpa_input *inputs;  /* d: what they are; NULL: numbers */
    const gpa_input *numbers; /* d: the same, with every input but text a number */
    uint64_t seed;
};

/* What it says. Arrays of d that belong to whoever asks. */
struct answer {
    double *blame;  /* the larger, the more suspect */
    double *single; /* P(it was this one, were it one); 0: not said */
    double *move;   /* what would undo it, in the data's units; NaN: not said */
    double *value;  /* what would look normal; NaN: not said */
    unsigned char *by_level; /* 1: `value` is one of the levels there are */
    size_t *set;             /* its 90 % set */
    size_t n_set;            /* 0: it has none */
    double output;           /* P(the output is at fault); NaN: not said */
    gpa_verdict verdict;     /* UNKNOWN: it says none */
    double rows;             /* model rows asked */
};

struct asked_method {
    const char *name, *title; /* for --methods, for people */
    bool rows;                /* needs unlabelled rows */
    bool all_numbers;         /* takes every input but text as a number */
    bool tables;              /* asked by --tables, unless --methods says more */
    gpa_status (*ask)(struct answer *a, const struct asked_method *m,
                      const struct question *q, gpa_error *err);
    /* for those that go through gpa_explain: how, and what to read from it */
    gpa_solver solver;
    gpa_culprit_mode culprit;
    gpa_marginals marginals;
    void (*take)(struct answer *a, const gpa_explanation *e);
};

enum { METHODS_MOST = 32 };

/* Those that --methods names ("A,B"; NULL: all, or those for --tables), in the order of
 * the tables. */
gpa_status methods_choose(const char *names, bool tables,
                          const struct asked_method **out, size_t *n, gpa_error *err);

#endif
