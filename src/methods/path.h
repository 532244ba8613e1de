#ifndef GPAI_METHODS_PATH_H
#define GPAI_METHODS_PATH_H
#include "engine/slope.h"
#include "methods/differences.h"

/* The integral of ig and eig (eq. of section 4.1.2),
 *     (x_k - x0_k) int_0^1 slope_k(x0 + alpha (x - x0)) d alpha,
 * for all inputs in one sweep. slope_k is the mean slope of appendix C, so this is a
 * double integral: over alpha and over the perturbation h.
 *
 * GPA_QUADRATURE_TRAPEZOID takes the same h at every alpha, as published.
 * GPA_QUADRATURE_AUTO takes midpoints, at which the |h| turn by the golden ratio from
 * point to point, so that every level of h is met: fewer rows, and closer to the double
 * integral, also where f has kinks or steps (bench/bench_methods.py measures it). The h
 * of a slope list or of the paper's solver stay the same ones everywhere.
 *
 * An input that is the same at both ends asks nothing and gets 0. */
typedef struct gpai_path {
    gpai_attribute *w;
    gpai_differences q;
    size_t points;
    bool trapezoid;
    double *h; /* symmetric: the positive ones, in units */
    size_t n_h;
    bool symmetric;     /* each h also as -h: f on the path itself is not needed */
    bool turning;       /* h changes from point to point */
    double turn;        /* in [0, 1) */
    double *row, *from; /* d each: the point under way, and the path's beginning */
    gpai_slope slope;
    double *block;
} gpai_path;

/* For so many beginnings. gpai_path_close frees what it holds, also on failure. */
gpa_status gpai_path_open(gpai_path *p, gpai_attribute *w, size_t paths);
void gpai_path_close(gpai_path *p);

/* Asks the paths from x0, but for what is frozen, to all rows: one unit of the mean. f0
 * is the prediction at x0; NaN: not known, to be asked. */
gpa_status gpai_path_ask(gpai_path *p, const double *x0, double f0);

/* Fills the scores and the extra, f(x) - f(x0), which has this name. */
gpa_status gpai_path_finish(gpai_path *p, const char *extra_name);

#endif
