#ifndef GPAI_HTML_PAGE_H
#define GPAI_HTML_PAGE_H
#include "report/text.h"

/* A page that needs nothing but itself. What is written between open and style is its
 * title, between body and close what it shows; `extra` is more style, or NULL. */
void gpai_page_open(gpa_text *t);
void gpai_page_body(gpa_text *t, const char *extra);
void gpai_page_close(gpa_text *t, const char *footnote);

/* A name and a value in a list of details; nothing for NULL and for what is no number.
 */
void gpai_page_term(gpa_text *t, const char *name, const char *text);
void gpai_page_number(gpa_text *t, const char *name, double value);

#endif
