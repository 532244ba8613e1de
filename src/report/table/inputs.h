#ifndef GPAI_TABLE_INPUTS_H
#define GPAI_TABLE_INPUTS_H
#include "report/view.h"

/* The table of inputs for terminals, no line wider than `columns`; what does not fit is
 * left out, the least important column first. `explain` adds what the columns mean. */
void gpai_table_inputs(gpa_text *t, const gpai_view *v, size_t columns, bool explain);

#endif
