#ifndef GPAI_JSON_PARTS_H
#define GPAI_JSON_PARTS_H
#include "report/view.h"

/* How every result begins: format, version, options, digests. */
void gpai_json_head(gpa_text *t, const gpa_report_info *info, const char *format);

/* What holds for the whole table, on a line of its own; nothing where there is nothing.
 */
void gpai_json_notes_field(gpa_text *t, const gpa_report_info *info);

/* What is said about each input. Values are numbers, the names of levels, or dates as
 * text; a value that is missing is null. */
typedef struct gpai_kinds_table {
    const double *x; /* n by d */
    size_t n, d;
} gpai_kinds_table;
void gpai_json_values_field(gpa_text *t, const gpa_report_info *info, const char *name,
                            const gpai_kinds_table *x);
/* "delta", "delta_raw" and, where kinds are known, "moved". */
void gpai_json_delta_fields(gpa_text *t, const gpai_view *v);
/* "kinds", on a line of its own; nothing where they are not known. */
void gpai_json_kinds_field(gpa_text *t, const gpai_view *v);
void gpai_json_alone_field(gpa_text *t, const gpai_view *v);
/* "output_alone": the y that would look normal. */
void gpai_json_output_field(gpa_text *t, const gpai_view *v);
void gpai_json_marginals_field(gpa_text *t, const gpai_view *v);
void gpai_json_profiles_field(gpa_text *t, const gpai_view *v);

/* A page's receipt: with what is in it the result can be made again and compared. It is
 * JSON in an element that shows text, so that the page stays without scripts. */
#define GPAI_RECEIPT_OPEN  "<pre id=\"gpa-receipt\""
#define GPAI_RECEIPT_CLOSE "</pre>"
/* What precedes the digest of one result, and ends the row numbers before it. */
#define GPAI_RESULT_OPEN   "<dd data-gpa-rows=\""
#define GPAI_RESULT_MIDDLE "\">"

/* A model as pages name it, and the options as in a receipt: files without the folders
 * they are in, unless info->paths. */
void gpai_html_model(gpa_text *t, const gpa_report_info *info, size_t columns);
void gpai_json_shown_options(gpa_text *t, const gpa_report_info *info);

/* The receipt of a page of `format`; nothing when the options are not known. */
void gpai_html_receipt(gpa_text *t, const gpa_report_info *info, const char *format);

/* The digest of what JSON says about an explanation or a comparison. */
void gpai_html_explanation_digest(gpa_text *t, const gpai_view *v);
void gpai_html_comparison_digest(gpa_text *t, const gpa_report_info *info,
                                 const gpa_comparison *c);

#endif
