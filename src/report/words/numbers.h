#ifndef GPAI_CELLS_H
#define GPAI_CELLS_H
#include "report/view.h"

/* Numbers as they stand in tables for people; "n/a" where there is none. */
gpai_cell gpai_cell_value(double x, bool ascii); /* as in the data, if short */
gpai_cell gpai_cell_change(double x, int decimals, bool ascii); /* with sign */
gpai_cell gpai_cell_raw(double x, bool ascii); /* with sign, three digits */
gpai_cell gpai_cell_people(double x, int digits, bool ascii); /* 0.05, 1234567 */
/* An observed value: as it stands in the data unless that is unreasonably long. */
gpai_cell gpai_cell_observed(double x, bool ascii);
gpai_cell gpai_cell_fixed(double x, int decimals, bool ascii);
gpai_cell gpai_cell_probability(double p);

/* Decimals that show three digits of the largest change. */
int gpai_cell_decimals(const gpai_view *v);

#endif
