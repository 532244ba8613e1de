#ifndef GPAI_ENGINE_MATH_STUDENT_H
#define GPAI_ENGINE_MATH_STUDENT_H
#include <stddef.h>

/* The mean of (1 + x^2)^-6, Student's likelihood of shape 11/2, over x = t + a v + b w
 * with v and w anywhere between -1 and 1; to 1e-5 of itself, however far t is, up to
 * 1e20, and however wide or narrow a and b are. A t that is no number is as unlikely as
 * what is farther, 1e-240; a width that is none counts as 0.
 *
 * With H'' = (1 + x^2)^-6 it is the second difference of H over a and b, where
 *     H(x) = (1 + x^2)^-5 / 10 - x G(x),   G(x) = the integral from x on.
 * In s = 1 - x / sqrt(1 + x^2) = 1 - sin(atan x) G is s^(11/2) times a series. */
void gpai_student_mean(const double *t, const double *a, const double *b, size_t n,
                       double *out);

/* From units of f to those of that: over sqrt(2 (b + doubt share)), where share is the
 * mean square of what is in doubt; it becomes sqrt(2 b) over that. */
void gpai_student_scale(double b, double doubt, size_t n, double *t, double *a,
                        double *c, double *share);

#endif
