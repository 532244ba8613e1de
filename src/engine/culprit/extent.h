#ifndef GPAI_ENGINE_CULPRIT_EXTENT_H
#define GPAI_ENGINE_CULPRIT_EXTENT_H
#include "engine/culprit/culprit.h"
#include "result/explanation.h"

/* Rows that say what is plausible, n by d; `own` of them does not count (n: none). */
typedef struct gpai_usual {
    const double *x;
    size_t n, own;
} gpai_usual;

/* Numbers beyond all that is usual, unless they are said to be at fault: one far out
 * may be a code or in another unit, whatever the model makes of it; where several are
 * out, the model itself may be wrong, which is a note. Those far out are kept in
 * e->far, and a note, too, but where they are what the verdict itself begins with:
 * nothing else is unusual. */
void gpai_tell_extent(gpa_explanation *e, const gpa_explain_options *opt,
                      const gpai_problem *p, const gpai_space *s,
                      const gpai_usual *usual, const gpai_culprit *c);

#endif
