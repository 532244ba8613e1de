#ifndef GPAI_AXIS_H
#define GPAI_AXIS_H
#include "report/view.h"

/* The values that something covers; empty to begin with. */
typedef struct gpai_span {
    double low, high;
} gpai_span;

gpai_span gpai_span_empty(void);
bool gpai_drawable(double v); /* finite, and not so large that sums overflow */
void gpai_span_add(gpai_span *s, double v);     /* what is not drawable is left out */
void gpai_span_air(gpai_span *s, double share); /* widens both ends; never empty then */

/* Values low..high lie at from..to, in pixels (either way round). */
typedef struct gpai_axis {
    double low, high, from, to;
} gpai_axis;

gpai_axis gpai_axis_make(gpai_span s, double from, double to);
double gpai_axis_at(const gpai_axis *a, double v); /* held within from..to */
bool gpai_axis_has(const gpai_axis *a, double v);

/* Ticks at multiples of 1, 2 or 5 times a power of ten, with labels of equal precision.
 * Very large and small values are shown in units of 10^power. */
typedef struct gpai_ticks {
    double first, step; /* the i-th tick is at (first + i) step */
    size_t count;
    int decimals, power;
} gpai_ticks;

gpai_ticks gpai_ticks_make(const gpai_axis *a, size_t most);
/* The same, as many as fit side by side in text of `size` pixels. */
gpai_ticks gpai_ticks_across(const gpai_axis *a, double size);
double gpai_tick(const gpai_ticks *k, size_t i);
gpai_cell gpai_tick_text(const gpai_ticks *k, size_t i, bool plus);
/* "×10⁶", or nothing. */
gpai_cell gpai_tick_power(const gpai_ticks *k);

#endif
