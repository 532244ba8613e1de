#ifndef GPAI_STUDY_OTHER_METHODS_H
#define GPAI_STUDY_OTHER_METHODS_H
#include <gpa/attribute.h>
#include <gpa/study.h>

/* What is said about the methods beside gpa, and which ones to run. */
typedef struct gpai_other_methods {
    gpa_attribute_options opt;
    const char **names; /* --methods, or NULL: all */
    size_t n_names;
    gpa_sample complete; /* the reference rows without gaps, where some have them */
    double *complete_x;
    double *baseline;
    size_t *sv_rows, *sv_orders;
    char *list;
} gpai_other_methods;

gpa_status gpai_other_methods_read(gpai_other_methods *o, gpa_study *s, gpa_error *err);
void gpai_other_methods_free(gpai_other_methods *o);

#endif
