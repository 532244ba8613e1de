#ifndef GPAI_CSV_CELL_H
#define GPAI_CSV_CELL_H
#include "base/text/text.h"

/* A cell of text: quoted where it must be, and what a spreadsheet would run as a
 * formula begins with a '. Numbers stay as they are. */
void gpai_csv_text(gpa_text *t, const char *text);
/* The same in pieces: the beginning of a quoted cell, then its parts; the caller adds
 * the last quote. */
void gpai_csv_guard(gpa_text *t, const char *text);
void gpai_csv_quoted(gpa_text *t, const char *text);

/* A comma before each number; one that does not exist is an empty cell. */
void gpai_csv_numbers(gpa_text *t, const double *v, size_t n);

#endif
