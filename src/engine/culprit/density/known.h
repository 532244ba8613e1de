#ifndef GPAI_ENGINE_CULPRIT_DENSITY_KNOWN_H
#define GPAI_ENGINE_CULPRIT_DENSITY_KNOWN_H
#include "engine/culprit/density/crowd.h"
#include "engine/culprit/density/witness.h"

/* What belongs to a table and not to a row of it: the rows that say what is plausible,
 * and their density. Several explanations share it, on any thread; whoever comes first
 * fills it, and the same comes out whoever that is. */
typedef struct gpai_known gpai_known;

gpa_status gpai_known_new(gpai_known **out, gpa_error *err);
void gpai_known_free(gpai_known *k);

/* Which of n rows speak for a table: all but its own `n_own`; of very many
 * GPAI_CROWD_MOST that are evenly spaced, but for a single one of its own; where it has
 * several, the next one in place of each. Gives how many. */
size_t gpai_other_rows(size_t n, const size_t *own, size_t n_own,
                       size_t rows[GPAI_CROWD_MOST]);

/* Those of `from` that are witnesses, or all (`every`), as if none were its own, and
 * their medians. NULL without memory. */
typedef struct gpai_plausible_rows {
    size_t n;
    size_t row[GPAI_CROWD_MOST]; /* n: where they stand */
    double *x;                   /* n by d */
    double *median;              /* d: of the values that are there; NaN: too few */
} gpai_plausible_rows;

const gpai_plausible_rows *gpai_known_rows(gpai_known *k, const gpa_sample *from,
                                           const gpa_input *inputs, bool every);

/* The density of these rows for the axes of s, in those units. NULL: not enough memory,
 * or too many kinds of axes to remember. */
const gpai_crowd *gpai_known_crowd(gpai_known *k, const gpai_space *s,
                                   const double *unit, bool joint);

/* gpai_witness_spread of the table. */
double gpai_known_spread(gpai_known *k, const gpa_sample *from, bool every);

/* d medians of n rows; values that are not there, or a missing code, are passed over.
 * `column` is room for n numbers. */
void gpai_medians(const double *x, size_t n, size_t d, const gpa_input *inputs,
                  double *column, double *median);

#endif
