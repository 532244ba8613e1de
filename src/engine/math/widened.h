#ifndef GPAI_ENGINE_MATH_WIDENED_H
#define GPAI_ENGINE_MATH_WIDENED_H
#include "base/math/vectors.h"

/* The likelihood of an observation around a surrogate's prediction, widened by the
 * surrogate's own error (eq. 23), as a table: its logarithm at GPAI_WIDENED + 1
 * distances, straight between them. Their places x / (2 + x) are even, x being the
 * distance in the scale of noise and error together. */
enum { GPAI_WIDENED = 1024, GPAI_WIDENED_HALF = 2 }; /* half within 2 */

typedef struct gpai_widened {
    double y, scale; /* 1 / that scale */
    double *log;     /* GPAI_WIDENED + 1 */
} gpai_widened;

/* For Student's t of shape a and scale b (a = 0: a normal of variance b) and an error
 * of variance v. `log` is set already. */
void gpai_widened_fill(gpai_widened *w, const gpai_vectors *set, double y, double a,
                       double b, double v);

/* total[i] += power ln lik~ of prediction f[i]; NaN where f is. */
void gpai_widened_add(const gpai_widened *w, double power, const double *f, size_t n,
                      double *total);

#endif
