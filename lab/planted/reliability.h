#ifndef GPA_LAB_PLANTED_RELIABILITY_H
#define GPA_LAB_PLANTED_RELIABILITY_H
#include <stdbool.h>
#include <stddef.h>

/* Probabilities as they were stated, and how often they came true. */

enum { RELIABILITY_BINS = 7, RELIABILITY_TENTHS = 10 };

struct reliability {
    struct {
        size_t cases;
        double weight, square, stated, true_ones; /* sums; square: of weights */
    } bin[RELIABILITY_BINS];
    double off[RELIABILITY_TENTHS], weight; /* stated minus true, by tenths */
};

/* One bin, from <= P < to; the last has P = 1, too. */
struct agreement {
    double from, to;
    size_t cases;
    double stated;           /* their mean; NaN: no cases */
    double share, low, high; /* that came true, with its exact 90 % interval: of cases
                              * that do not weigh alike, with as many as would give its
                              * variance */
};

/* `weight` > 0: how much the case counts. */
void reliability_add(struct reliability *r, double p, bool came_true, double weight);

struct agreement reliability_bin(const struct reliability *r, size_t i);

/* The expected calibration error: how far stated and true are apart in the mean over
 * ten bins of equal width; NaN: no cases. */
double reliability_error(const struct reliability *r);

#endif
