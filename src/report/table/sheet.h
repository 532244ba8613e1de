#ifndef GPAI_TABLE_SHEET_H
#define GPAI_TABLE_SHEET_H
#include "report/view.h"

/* The cells of the table of inputs, and how wide its columns are. */

/* The columns, from left to right. With culprits the bar is that of BLAME, without them
 * that of the change, behind RAW. */
typedef enum gpai_column {
    GPAI_NAME,
    GPAI_X,
    GPAI_BLAME,
    GPAI_ALONE,
    GPAI_DELTA,
    GPAI_RAW,
    GPAI_LOW,
    GPAI_HIGH,
    GPAI_P,
    GPAI_BARS,
    GPAI_COLUMNS
} gpai_column;

enum { GPAI_BAR = 8, GPAI_BLAME_BAR = 6 }; /* columns of the bars */

/* What is the same for all lines of one table. Line `d` is that of the outcome. */
typedef struct gpai_sheet {
    const gpai_view *v;
    size_t shown;
    int decimals; /* of delta and its interval */
    double longest;
    size_t name_most;
    size_t width[GPAI_COLUMNS];
    bool has[GPAI_COLUMNS];
    bool culprits;
} gpai_sheet;

/* Lays out lines of at most `columns`; what does not fit is left out, the least
 * important column first. Names get what the numbers leave. */
void gpai_sheet_make(gpa_text *t, gpai_sheet *s, const gpai_view *v, size_t columns);

const char *gpai_sheet_head(const gpai_sheet *s, gpai_column c);
/* A cell of input k as it is; and, behind other text, set to the right of its column,
 * where the table has that. */
void gpai_sheet_cell(gpa_text *t, const gpai_sheet *s, size_t k, gpai_column c);
void gpai_sheet_right(gpa_text *t, const char *before, const gpai_sheet *s, size_t k,
                      gpai_column c);

/* The table of inputs for terminals, no line wider than `columns`; what does not fit is
 * left out, the least important column first. `explain` adds what the columns mean. */
void gpai_table_inputs(gpa_text *t, const gpai_view *v, size_t columns, bool explain);

#endif
