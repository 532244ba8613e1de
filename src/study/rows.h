#ifndef GPAI_STUDY_ROWS_H
#define GPAI_STUDY_ROWS_H
#include "study/options.h"
#include <gpa/study.h>

/* The rows a question is about, in the order in which they are shown. */
typedef struct gpai_chosen {
    size_t *rows;
    size_t n;
    gpa_text *text; /* --rows in a canonical form, whatever the order given; or NULL */
} gpai_chosen;

/* Chooses among the rows that can be used by --rows, --top, --threshold or --all.
 * Without any: all of them for score, else the worst. Worst first with --top and for
 * score, ascending otherwise; ties by row. */
gpa_status gpai_choose_rows(gpai_chosen *c, const gpa_study *s, gpa_error *err);
void gpai_chosen_free(gpai_chosen *c);

/* "3, 17, 40, ...": rows for a message, of which the first few are named. */
typedef struct gpai_row_names {
    char text[160];
    size_t n; /* also those that are not named */
} gpai_row_names;

void gpai_row_names_add(gpai_row_names *names, size_t row);

#endif
