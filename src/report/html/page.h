#ifndef GPAI_HTML_PAGE_H
#define GPAI_HTML_PAGE_H
#include "base/text/text.h"

/* A page that needs nothing but itself: its style, that of pictures and its script are
 * in it, and its policy forbids everything else. What is written between open and body
 * is its title, between body and close what it shows; `extra` is more style, or NULL;
 * `script` is the same in body and close, or NULL. */
void gpai_page_open(gpa_text *t);
void gpai_page_body(gpa_text *t, const char *extra, const char *script);
void gpai_page_close(gpa_text *t, const char *footnote, const char *script);

/* A name and a value in a list of details; nothing for NULL and for what is no number.
 */
void gpai_page_term(gpa_text *t, const char *name, const char *text);
void gpai_page_number(gpa_text *t, const char *name, double value);

#endif
