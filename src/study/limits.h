#ifndef GPAI_STUDY_LIMITS_H
#define GPAI_STUDY_LIMITS_H
#include <gpa/study.h>

/* --freeze, --bounds, --integer, --onehot as arrays over the inputs. */
typedef struct gpai_limit_options {
    unsigned char *frozen, *integer;
    double *lower, *upper;
    size_t *onehot;
} gpai_limit_options;

/* Reads the options and points s->explain at what they say. */
gpa_status gpai_limit_options_read(gpai_limit_options *m, gpa_study *s, gpa_error *err);
void gpai_limit_options_free(gpai_limit_options *m);

#endif
