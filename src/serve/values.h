#ifndef GPA_SERVE_VALUES_H
#define GPA_SERVE_VALUES_H
#include "serve/serving.h"

/* Pieces of JSON that answers share. */

/* A number, or null. */
void values_field(gpa_text *t, const char *name, double v);
/* d values of a row, as the user writes them. */
void values_row(gpa_text *t, const char *name, const gpa_study *s, const double *x);
/* The fields of a verdict. */
void values_who(gpa_text *t, struct serving *v, const struct who *w);

#endif
