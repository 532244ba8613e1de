#ifndef GPAI_STUDY_SETTINGS_H
#define GPAI_STUDY_SETTINGS_H
#include "study/options.h"
#include <gpa/study.h>

/* --freeze, --bounds, --integer, --onehot as arrays over the inputs. */
typedef struct gpai_limit_options {
    double *lower, *upper; /* lower owns them all */
    size_t *onehot;
    unsigned char *frozen, *integer;
} gpai_limit_options;

/* The options of an explanation as given, for the rows at hand: fills s->explain. */
gpa_status gpai_study_settings(gpa_study *s, gpa_error *err);

/* Numbers as given in place of a file, or read from it (then *owned, to be freed by
 * gpa_numbers_free). */
gpa_status gpai_option_numbers(const gpai_options *o, enum option_id id,
                               const double **out, size_t *n, double **owned,
                               gpa_error *err);

#endif
