#ifndef GPA_LAB_TALLY_H
#define GPA_LAB_TALLY_H
#include "lab/planted/marks.h"
#include "lab/planted/reliability.h"

/* What the marks come to: by kind and in total (cases with gaps apart), with intervals:
 * exact ones of shares, others from drawing the cases of every kind again, with
 * replacement. */

enum { RESAMPLES = 1000 };

struct summary {
    struct fault_kind kinds[FAULT_KINDS];
    size_t n_kinds, n_methods;
    size_t total;  /* cases without gaps */
    double *draws; /* by kind (the last: total), method, measure and draw */
    double *cases; /* by kind, method and measure: how many cases a figure rests on; of
                    * a mean over sets, as many as would give its variance */
    /* by method, of the largest P of single faults and of P(output); a mean over sets
     * has none */
    struct reliability (*reliable)[2];
};

/* The cases of a set, and every method's marks. */
struct marked {
    const char *name; /* what the draws depend on besides the seed; borrowed */
    struct fault_kind kinds[FAULT_KINDS];
    size_t n_kinds;
    struct fault *faults; /* kind, n, culprits, gap, weight */
    size_t n_faults;
    struct mark *marks; /* [method * n_faults + case] */
};

/* A mean (ERROR: the median; OUTPUT: the area under the curve of output faults against
 * input faults; SURE: by how much it is off in the mean over ten bins) with its 90 %
 * interval; NaN: there is none. */
struct figure {
    double value, low, high;
};

/* The same seed and name draw the same cases, for all methods alike. */
gpa_status summary_make(struct summary *t, const struct marked *s, size_t n_methods,
                        uint64_t seed, gpa_error *err);

/* All cases of all sets as if they were one. */
gpa_status summary_pool(struct summary *out, const struct marked *sets, size_t n,
                        size_t n_methods, uint64_t seed, gpa_error *err);

/* The mean over sets: of each kind over those that have it. */
gpa_status summary_mean(struct summary *out, const struct summary *sets, size_t n,
                        gpa_error *err);

/* `kind` n_kinds is the total. */
struct figure summary_figure(const struct summary *t, size_t kind, size_t method,
                             enum measure m);
size_t summary_cases(const struct summary *t, size_t kind);

/* How reliable what a method states is: the largest P of faults of one input, or
 * P(output) at equal odds of all causes. NULL: it states none. */
const struct reliability *summary_reliable(const struct summary *t, size_t method,
                                           bool output);

/* Gives the cases of a set with so many inputs their weights: as if each input and the
 * output were at fault equally often. */
void marked_weigh(struct marked *m, size_t inputs);

void summary_free(struct summary *t);
void marked_free(struct marked *m);

#endif
