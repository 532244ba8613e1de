#ifndef GPAI_SENTENCE_H
#define GPAI_SENTENCE_H
#include "report/view.h"

/* What the sentences share; the sentences themselves are in view.h. */

enum { GPAI_SAY_NAME = 24 }; /* columns of a name */

/* "63", or "63 (pump 7)" where the data has names for its rows. */
void gpai_say_row(gpa_text *t, const gpa_report_info *info, size_t row);
/* A number for people, with at least so many digits. */
gpai_cell gpai_say_number(const gpai_view *v, double value, int digits);
/* Decimals of a change of x: two digits of it, or three where x has as many. */
int gpai_say_decimals(double change, double x);

#endif
