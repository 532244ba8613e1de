#ifndef GPA_LAB_CONTEST_H
#define GPA_LAB_CONTEST_H
#include "console/progress.h"
#include "lab/planted/methods.h"

/* How well a method did on a case, by measure. NaN: does not apply. */
enum measure {
    RECALL, /* share of the culprits among as many first ones; ties share it */
    OUTPUT, /* P(the output is at fault) */
    HOLDS,  /* 1 when the 90 % set holds the culprit */
    SIZE,   /* of the 90 % set */
    ERROR,  /* relative, of the move of the culprit */
    ROWS,   /* model rows */
    MEASURES
};

struct mark {
    double of[MEASURES];
};

/* Asks every method about every case; marks[method * n_faults + case]. Works on
 * `threads` workers; the marks do not depend on their number. */
gpa_status contest_run(const struct fault_set *s, const struct rival *const *rivals,
                       size_t n_rivals, uint64_t seed, size_t threads,
                       struct mark *marks, struct progress *progress, gpa_error *err);

#endif
