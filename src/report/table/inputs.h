#ifndef GPAI_TABLE_INPUTS_H
#define GPAI_TABLE_INPUTS_H
#include "report/view.h"

/* The table of inputs for terminals, no line wider than `columns`; what does not fit is
 * left out, the least important column first. `explain` adds what the columns mean. */
void gpai_table_inputs(gpa_text *t, const gpai_view *v, size_t columns, bool explain);

/* Colours, where they are wanted. */
typedef enum gpai_paint {
    GPAI_PLAIN,
    GPAI_RED,
    GPAI_BLUE,
    GPAI_DIM,
    GPAI_BOLD
} gpai_paint;
void gpai_paint_text(gpa_text *t, const gpa_report_info *info, gpai_paint colour);

#endif
