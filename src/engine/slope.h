#ifndef GPAI_ENGINE_SLOPE_H
#define GPAI_ENGINE_SLOPE_H
#include "engine/problem.h"

/* Appendix C: the slope of f along input k is the mean of [f(x + h e_k) - f(x)] / h
 * over perturbations h ~ N(0, sd^2), here a fixed list of them for all inputs. */
typedef struct gpai_slope {
    size_t nodes;
    double *h;       /* nodes, in units of the input; owned */
    double *inverse; /* nodes: 1 / h */
    bool symmetric;  /* h[j] = -h[nodes - 1 - j]: f(x) cancels */
} gpai_slope;

/* The given perturbations; those nearer to 0 than 1e-8 sd are left out. GPA_INVALID
 * when none is left. */
gpa_status gpai_slope_given(gpai_slope *s, const double *h, size_t n, double sd,
                            gpa_error *err);

/* Means of the n equal-probability cells of N(0, sd^2); a cell around 0 is left out. */
gpa_status gpai_slope_nodes(gpai_slope *s, size_t n, double sd, gpa_error *err);

/* What the options say: a list, draws (the paper's solver), or else nodes, of which
 * there must be two; `unit` is for that message. */
gpa_status gpai_slope_choose(gpai_slope *s, const gpa_explain_options *o,
                             const char *unit, gpa_error *err);

void gpai_slope_free(gpai_slope *s);

/* What gpai_mean_slopes needs: numbers of doubles. */
size_t gpai_slope_scratch(const gpai_problem *p, const gpai_slope *s);

/* Predictions (n) and mean slopes (n by d) at delta. One call, n (1 + nodes d) rows. A
 * perturbed point without a finite prediction is left out of its mean; a mean of
 * nothing is 0. */
gpa_status gpai_mean_slopes(gpai_problem *p, const gpai_slope *s, const double *delta,
                            double *scratch, double *f, double *slope, gpa_error *err);

#endif
