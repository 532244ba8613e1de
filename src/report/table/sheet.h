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

/* Columns of a line: those that the caller knows, else `usual`; within reason. */
size_t gpai_line_columns(const gpa_report_info *info, size_t usual);
/* And of a line of prose, which nobody reads beyond 92. */
size_t gpai_prose_columns(const gpa_report_info *info, size_t usual);

/* Takes back blanks at the end. */
void gpai_line_trim(gpa_text *t);
/* Ends a line without blanks at its end, and in no colour. */
void gpai_line_end(gpa_text *t, const gpa_report_info *info);

/* Pads what was added since `start` to a width; with `right` it goes to the right. */
void gpai_line_pad(gpa_text *t, size_t start, size_t width, bool right);

/* A bar of `share` of the full length, in steps of half a character, on the left of its
 * axis or on its right. */
void gpai_line_bar(gpa_text *t, double share, size_t full, bool left, bool ascii);

/* Breaks what was added since `start` into lines of at most `columns` where a space
 * allows it; all but the first begin with `indent` spaces. A number stays with the word
 * before it and with its % or sigma. */
void gpai_text_wrap(gpa_text *t, size_t start, size_t columns, size_t indent);

/* Two tables of inputs, no line wider than `columns`; what does not fit is left out,
 * the least important column first: who is responsible (there must be culprits), and
 * the change of all inputs together. `explain` adds what the columns mean. */
void gpai_table_who(gpa_text *t, const gpai_view *v, size_t columns);
void gpai_table_change(gpa_text *t, const gpai_view *v, size_t columns, bool explain);

#endif
