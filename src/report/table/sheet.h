#ifndef GPAI_REPORT_TABLE_SHEET_H
#define GPAI_REPORT_TABLE_SHEET_H
#include "base/text/text.h"
#include "report/view.h"

/* Lines for a terminal. */

/* Colours, where they are wanted. */
typedef enum gpai_colour_code {
    GPAI_PLAIN,
    GPAI_RED,
    GPAI_BLUE,
    GPAI_DIM,
    GPAI_BOLD
} gpai_colour_code;
void gpai_paint(gpa_text *t, const gpa_report_info *info, gpai_colour_code colour);

/* Takes back blanks at the end. */
void gpai_line_trim(gpa_text *t);
/* Ends a line without blanks at its end, and in no colour. */
void gpai_line_end(gpa_text *t, const gpa_report_info *info);

/* Pads what was added since `start` to a width; with `right` it goes to the right. */
void gpai_line_pad(gpa_text *t, size_t start, size_t width, bool right);

/* Breaks what was added since `start` into lines of at most `columns` where a space
 * allows it; all but the first begin with `indent` spaces. A number stays with the word
 * before it and with its % or sigma. */
void gpai_text_wrap(gpa_text *t, size_t start, size_t columns, size_t indent);

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
