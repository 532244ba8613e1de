#ifndef GPAI_STUDY_KINDS_FACTS_H
#define GPAI_STUDY_KINDS_FACTS_H
#include "study/kinds.h"

/* What the rules ask about a column of numbers, from one pass over it. */

typedef struct gpai_value {
    double value;
    size_t count;
} gpai_value;

typedef struct gpai_facts {
    size_t n; /* values that are not missing */
    double min, max;
    size_t parts;    /* values that are not whole, or too large to be meant so */
    size_t negative; /* values below 0 */
    size_t repeats;  /* rows whose value had come before, as far as they were counted */
    gpai_value *list; /* its values, ascending; NULL: too many to count */
    size_t m;         /* how many of them */
} gpai_facts;

/* `skip` is a value that is passed over like a missing one; NaN: none. With many values
 * (more than rules that look at each of them can use) the list is NULL. */
gpa_status gpai_facts_find(gpai_facts *f, const gpai_kind_column *column, size_t n,
                           double skip, gpa_error *err);
void gpai_facts_free(gpai_facts *f);

/* Whether a number is whole, and small enough to be meant so. */
bool gpai_whole(double v);

#endif
