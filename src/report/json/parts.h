#ifndef GPAI_JSON_PARTS_H
#define GPAI_JSON_PARTS_H
#include "report/view.h"

/* How every result begins: format, version, options, digests. */
void gpai_json_head(gpa_text *t, const gpa_report_info *info, const char *format);

/* A page's receipt: with what is in it the result can be made again and compared. It is
 * JSON in an element that shows text, so that the page stays without scripts. */
#define GPAI_RECEIPT_OPEN  "<pre id=\"gpa-receipt\""
#define GPAI_RECEIPT_CLOSE "</pre>"
/* What precedes the digest of one result, and ends the row numbers before it. */
#define GPAI_RESULT_OPEN   "<dd data-gpa-rows=\""
#define GPAI_RESULT_MIDDLE "\">"

/* The receipt of a page of `format`; nothing when the options are not known. */
void gpai_html_receipt(gpa_text *t, const gpa_report_info *info, const char *format);

/* The digest of what JSON says about an explanation or a comparison. */
void gpai_html_explanation_digest(gpa_text *t, const gpai_view *v);
void gpai_html_comparison_digest(gpa_text *t, const gpa_report_info *info,
                                 const gpa_comparison *c);

#endif
