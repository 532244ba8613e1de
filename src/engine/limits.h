#ifndef GPAI_ENGINE_LIMITS_H
#define GPAI_ENGINE_LIMITS_H
#include "engine/space.h"
#include <gpa/explain.h>

/* What the options say may not move, or only so far (docs/methods.md, "Limits"). The
 * options are resolved. */

/* The axes of a problem under these limits; gpai_space_close frees. */
gpa_status gpai_limits_space(gpai_space *s, const gpai_problem *p,
                             const gpa_explain_options *o, gpa_error *err);

/* Flags of the d inputs that move in whole steps, integers and one-hot members, into
 * *whole, to be freed; NULL when there is none. */
gpa_status gpai_limits_whole(unsigned char **whole, size_t d,
                             const gpa_explain_options *o, gpa_error *err);

/* Whether a one-hot group cannot move although it might: the rows are in different
 * categories of it and have no move in common. */
bool gpai_limits_split_group(const gpai_space *s, size_t n,
                             const gpa_explain_options *o);

/* Limits that one of the rows cannot obey, whatever is asked: GPA_INVALID naming it,
 * before the first result is handed over. */
gpa_status gpai_limits_check(const gpa_sample *all, const size_t *rows, size_t n_rows,
                             const gpa_explain_options *o, gpa_error *err);

#endif
