#ifndef GPAI_STUDY_KINDS_PARTS_H
#define GPAI_STUDY_KINDS_PARTS_H
#include "study/kinds.h"

/* A rule holds when so many of n rows break it: one in 200, and one in any case. */
size_t gpai_kinds_tolerated(size_t n);

/* Why an input is held that never changes. */
#define GPAI_ONE_VALUE "one value"

/* Of the inference, when each column is known by itself: one-hot groups among those of
 * 0 and 1 (onehot.c). */
gpa_status gpai_kinds_infer_groups(gpai_known_kinds *k, const gpai_kind_column *columns,
                                   size_t n, gpa_error *err);

/* Room that lives as long as `k`; NULL when there is none. And a text in it, a format
 * of texts and whole numbers. */
void *gpai_kinds_room(gpai_known_kinds *k, size_t n, size_t size);
char *gpai_kinds_text(gpai_known_kinds *k, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Levels of an input: n values, names or NULL. Copied. */
gpa_status gpai_kinds_put_levels(gpai_known_kinds *k, size_t i, const double *value,
                                 const char *const *name, size_t n, gpa_error *err);

enum { GPAI_MOST_PROPOSED = 64 }; /* levels of a choice; the rarest are left out */

/* Marks the levels of input i that are not proposed: those never seen, and the rarest
 * beyond GPAI_MOST_PROPOSED. `count` says how often each was seen, `first` in which row
 * first: between equals the earlier one stays. */
gpa_status gpai_kinds_mark_rare(gpai_known_kinds *k, size_t i, const size_t *count,
                                const size_t *first, gpa_error *err);

#endif
