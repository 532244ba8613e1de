#ifndef GPA_LAB_PAPER_RIDGES_H
#define GPA_LAB_PAPER_RIDGES_H
#include "lab/paper/data_set.h"

/* Draws the distributions of an explanation, input by input, leaving out the input
 * `hidden` (SIZE_MAX: none); with `other`, its normal distributions beside them. */
gpa_status paper_ridges(struct paper *p, const struct paper_set *s,
                        const gpa_explanation *e, const gpa_attribution *other,
                        size_t hidden, gpa_error *err);

/* A table of the same: MAP, mean, 90 % interval, information. */
gpa_status paper_distributions(struct paper *p, const struct paper_set *s,
                               const gpa_explanation *e, size_t hidden,
                               const char *name, const char *title, gpa_error *err);

#endif
