#ifndef GPAI_REPORT_KINDS_H
#define GPAI_REPORT_KINDS_H
#include <gpa/report.h>

/* The inputs as the user sees them: a one-hot group is one choice, whose levels are the
 * places of its columns. */
typedef struct gpai_kinds {
    size_t d;
    gpa_input *input;  /* d: what each is; the columns of a group share its choice */
    const char **name; /* d: as it is, not yet safe to show; that of the group */
    const char *
        *label;      /* d: with what it is measured in: "bmi [kg/m2]"; as it is, too */
    size_t *first;   /* d: the first column of its group; without one, itself */
    size_t *seen, n; /* n: the first column of each input */
    bool mixed;      /* some input is more than a plain number */
    double *block;   /* owns all of it */
} gpai_kinds;

gpa_status gpai_kinds_make(gpai_kinds *s, const gpa_report_info *info, size_t d,
                           gpa_error *err);
void gpai_kinds_free(gpai_kinds *s);

/* What "all columns of the group are 0" is called. */
#define GPAI_NO_LEVEL "none of them"

/* Whether input k is a choice between levels: a flag, a choice, a one-hot group. What
 * is held has no distribution, but its values may still have names. */
bool gpai_has_levels(const gpai_kinds *s, size_t k);
bool gpai_is_group(const gpai_kinds *s, size_t k);
/* Whether its values are days or seconds. */
bool gpai_is_date(const gpai_kinds *s, size_t k);
/* Whether the model is given text: its numbers are codes that mean nothing. */
bool gpai_is_text(const gpai_kinds *s, size_t k);
/* Whether only whole numbers make sense. */
bool gpai_is_whole(const gpai_kinds *s, size_t k);

/* The value of input k in a row of d numbers; of a group the place of its 1, -1 where
 * all are 0, and where they are neither, GPAI_NOT_ONE. */
double gpai_value_in(const gpai_kinds *s, size_t k, const double *row);
#define GPAI_NOT_ONE (-2.0)
/* The same of row + change, which may be off by rounding. */
double gpai_value_moved(const gpai_kinds *s, size_t k, const double *row,
                        const double *change);
/* The level next to a value that may be off by rounding; the value itself where the
 * input has none. */
double gpai_level_near(const gpai_kinds *s, size_t k, double value);

#endif
