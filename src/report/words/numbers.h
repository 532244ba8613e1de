#ifndef GPAI_CELLS_H
#define GPAI_CELLS_H
#include "report/view.h"

/* Numbers as they stand in tables for people; "n/a" where there is none. */
void gpai_cell_value(gpa_text *t, double x, bool ascii); /* as in the data, if short */
void gpai_cell_change(gpa_text *t, double x, int decimals, bool ascii); /* with sign */
void gpai_cell_raw(gpa_text *t, double x, bool ascii); /* with sign, three digits */
void gpai_cell_people(gpa_text *t, double x, int digits,
                      bool ascii); /* 0.05, 1234567 */
/* An observed value: as it stands in the data unless that is unreasonably long. */
void gpai_cell_observed(gpa_text *t, double x, bool ascii);
void gpai_cell_fixed(gpa_text *t, double x, int decimals, bool ascii);
void gpai_cell_probability(gpa_text *t, double p);

/* Decimals that show three digits of the largest change. */
int gpai_cell_decimals(const gpai_view *v);

#endif
