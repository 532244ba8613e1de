#ifndef GPAI_STUDY_INPUTS_H
#define GPAI_STUDY_INPUTS_H
#include "data/dates.h"
#include "data/levels.h"

/* Where the numbers of an input come from. */

typedef struct gpai_names {
    char **name;
    size_t n;
} gpai_names;

void gpai_names_free(gpai_names *l);

typedef struct gpai_source {
    gpa_writing writing; /* NUMBER: the table has numbers */
    gpai_names names;    /* that fix the first codes: --levels, or the model file's */
    gpai_levels levels;  /* LEVEL */
    gpai_dates dates;    /* DATE, TIME */
} gpai_source;

#endif
