#ifndef GPAI_ENGINE_PROBLEM_H
#define GPAI_ENGINE_PROBLEM_H
#include <gpa/explain.h>
#include <gpa/model.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What x_k + unit_k delta_k is rounded to when delta_k is not 0: rounding through units
 * must not show in the rows that are asked. */
typedef struct gpai_exact {
    enum {
        GPAI_EXACT_NOT,   /* any number */
        GPAI_EXACT_SHIFT, /* the change is a whole number */
        GPAI_EXACT_WHOLE, /* the result is a whole number */
        GPAI_EXACT_LEVEL  /* the result is one of the levels below */
    } to;
    size_t levels;
    const double *level; /* ascending */
} gpai_exact;

/* x moved by delta units. */
double gpai_exact_move(const gpai_exact *exact, double x, double unit, double delta);

/* One attribution problem: n observed rows, one perturbation delta of their d inputs,
 * and everything the model was asked for it. delta is in units; the model sees x + unit
 * delta. */
typedef struct gpai_problem {
    gpa_model *model;
    size_t n, d;
    const double *x;         /* n by d */
    const double *y;         /* n */
    const double *unit;      /* d */
    const gpai_exact *exact; /* d; or NULL: nothing is rounded */
    const double *b;         /* n: noise scale; its variance where a is 0 */
    double a;                /* noise shape; 0: Gaussian noise, as for a -> inf */
    double eta, nu;

    uint64_t rows, calls, nonfinite; /* asked so far; calls before batches split them */
    uint64_t budget;                 /* rows at most; 0: no limit */
    gpa_progress_fn progress;        /* asked before each question; NULL: nobody */
    void *progress_ctx;

    size_t capacity; /* rows that fit into the buffers below */
    double *probe;   /* capacity by d */
    double *base;    /* n by d: the rows at the delta of an axis scan */
    double *block;
} gpai_problem;

/* Buffers for calls of up to `largest` rows. gpai_problem_close frees them. */
gpa_status gpai_problem_open(gpai_problem *p, size_t largest, gpa_error *err);
void gpai_problem_close(gpai_problem *p);

/* Whether so many further rows stay within the budget. */
bool gpai_problem_affords(const gpai_problem *p, uint64_t rows);

#endif
