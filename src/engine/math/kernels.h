#ifndef GPAI_ENGINE_MATH_KERNELS_H
#define GPAI_ENGINE_MATH_KERNELS_H
#include <stdbool.h>
#include <stddef.h>

/* The density of one input: the mean of Cauchy kernels around known values. */
typedef struct gpai_kernels {
    size_t count;         /* kernels */
    const double *centre; /* count, ascending */
    double width;
    double mad; /* what the width is made of, besides the standard deviation */
} gpai_kernels;

/* Kernels around n values, which are sorted, and of which this keeps hold;
 * `scratch` holds n numbers. Their width is 1.5 max(1.06 w n^-1/5, 0.05 sd), w =
 * min(1.4826 MAD, sd) or sd when the MAD is 0; equal ones have sd 1. 1.06 and
 * 1.4826 are Silverman's rule and the sd of a normal with that MAD; 1.5 (Cauchy kernels
 * are peaked) and the least width were chosen on planted faults. */
gpai_kernels gpai_kernels_make(double *value, size_t n, double *scratch);

/* Whether one value, which is among them, changes the width by more than a tenth. It
 * can through the standard deviation alone. */
bool gpai_kernels_sways(const gpai_kernels *c, double value);

/* Density (up to a constant factor) and, unless NULL, normal score, Phi^-1 of the
 * distribution function, at the `count` places from + move[i]. `density` may be `move`.
 */
void gpai_kernels_at(const gpai_kernels *c, double from, const double *move,
                     size_t count, double *density, double *score);

#endif
