#ifndef GPA_LAB_TALLY_H
#define GPA_LAB_TALLY_H
#include "lab/planted/marks.h"

/* What the marks come to: by kind and in total, with intervals from drawing the cases
 * of every kind again, with replacement. */

enum { RESAMPLES = 1000 };

struct tally {
    struct fault_kind kinds[FAULT_KINDS];
    size_t n_kinds, n_rivals;
    double *draws; /* by kind (the last: total), rival, measure and draw */
};

/* A mean (ERROR: the median; OUTPUT: the area under the curve of output faults against
 * input faults) with its 90 % interval; NaN: there is none. */
struct figure {
    double value, low, high;
};

/* The same seed and name draw the same cases, for all methods alike. */
gpa_status tally_make(struct tally *t, const struct fault_set *s,
                      const struct mark *marks, size_t n_rivals, uint64_t seed,
                      gpa_error *err);

/* The mean over sets: of each kind over those that have it. */
gpa_status tally_mean(struct tally *out, const struct tally *sets, size_t n,
                      gpa_error *err);

/* `kind` n_kinds is the total. */
struct figure tally_figure(const struct tally *t, size_t kind, size_t rival,
                           enum measure m);
size_t tally_cases(const struct tally *t, size_t kind);

void tally_free(struct tally *t);

#endif
