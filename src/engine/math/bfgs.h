#ifndef GPAI_ENGINE_MATH_BFGS_H
#define GPAI_ENGINE_MATH_BFGS_H
#include <stdbool.h>
#include <stddef.h>

/* The value at x and its gradient; HUGE_VAL where there is none. */
typedef double (*gpai_bfgs_fn)(void *ctx, const double *x, double *gradient);

/* A smooth function's minimum inside the box [lo, hi]^n, for a few dozen coordinates
 * and a function so dear that every evaluation counts: the curvature that was learned
 * stays for the next, similar function. */
typedef struct gpai_bfgs {
    size_t n;
    double lo, hi;
    double *x;       /* n: where it starts and ends */
    double *inverse; /* n by n: the inverse of the second derivatives, as known */
    bool learned;    /* whether that is more than a guess */
    double value;    /* at x */
    size_t evaluations;
    double *gradient, *step, *trial, *trial_gradient, *change, *product;
} gpai_bfgs;

/* How many doubles gpai_bfgs_init divides up. */
size_t gpai_bfgs_room(size_t n);
void gpai_bfgs_init(gpai_bfgs *b, size_t n, double lo, double hi, double *room);

/* Ends after so many evaluations, or when a step gains less than tol, or finds nothing
 * lower. x is the best point seen. */
void gpai_bfgs_minimise(gpai_bfgs *b, gpai_bfgs_fn fn, void *ctx, size_t evaluations,
                        double tol);

#endif
