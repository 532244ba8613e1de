#ifndef GPAI_METHODS_DIFFERENCES_H
#define GPAI_METHODS_DIFFERENCES_H
#include "methods/attribute.h"

/* Sums of differences of predictions, which is what ig, eig and sampled sv are. A
 * method names the points in order; they are asked in chunks and the answers taken in
 * the same order. So memory does not grow with the number of points, and the bytes of
 * the result do not depend on the size of a chunk.
 *
 * Every prediction f is compared with a base, the last prediction that became one:
 *     sum[input] += weight (f - base)
 * The sums of one unit (a reference row, a permutation) are folded into the mean over
 * the units. Beside the d inputs there is one more sum, for the method's extra. */
typedef struct gpai_differences {
    gpai_attribute *w;
    size_t d;
    double base;
    double start;                /* the prediction that last went to the extra */
    double *sum, *mean, *square; /* d + 1; square: of deviations from the mean */
    size_t units;
    uint64_t before, expected; /* rows asked already, and at most now: for progress */

    struct gpai_point *list;
    size_t points, most_points;
    double *x, *f; /* those of the points that are asked */
    size_t rows, most_rows;
    void *block;
} gpai_differences;

/* What becomes of a prediction: where its difference goes, and whether it is the base
 * of the next ones. Weight 0: nothing is added. */
typedef struct gpai_use {
    double weight;
    uint32_t input; /* d: the extra */
    bool base;
} gpai_use; /* small enough for registers: it is passed a million times */

gpa_status gpai_differences_open(gpai_differences *q, gpai_attribute *w,
                                 uint64_t expected);
void gpai_differences_close(gpai_differences *q);

/* The next point: a row to ask, the same with input k at `value`, one whose prediction
 * is known, or one where the base returns to `start`. */
gpa_status gpai_differences_ask(gpai_differences *q, const double *row, gpai_use use);
gpa_status gpai_differences_ask_moved(gpai_differences *q, const double *row, size_t k,
                                      double value, gpai_use use);
gpa_status gpai_differences_know(gpai_differences *q, double f, gpai_use use);
gpa_status gpai_differences_restart(gpai_differences *q, gpai_use use);

/* Ends a unit. */
gpa_status gpai_differences_fold(gpai_differences *q);

/* Asks what is left and writes the means to the scores and the extra. */
gpa_status gpai_differences_finish(gpai_differences *q);

/* Standard errors of the mean over units, when these are some of `all` (0: of
 * infinitely many); fewer than 2 have none. */
void gpai_differences_error(const gpai_differences *q, size_t all);

/* GPA_NUMERIC when a score or the extra overflowed. */
gpa_status gpai_check_scores(gpai_attribute *w);

/* The row `from` with the frozen inputs as they are in x: what may not move stays in
 * place along every path and in every coalition, and gets 0. */
void gpai_hold_frozen(const gpai_attribute *w, const double *x, const double *from,
                      double *row);

/* The prediction at reference row r, when it is known and nothing is frozen; else NaN.
 */
double gpai_reference_f(const gpai_attribute *w, size_t r);

#endif
