#ifndef GPAI_ESCAPE_H
#define GPAI_ESCAPE_H
#include "base/text/text.h"

/* Adds text so that it is nothing but text in HTML and SVG, in elements and attributes.
 */
void gpai_html_text(gpa_text *t, const char *text);

/* The same between an opening and a closing tag. */
void gpai_html_in(gpa_text *t, const char *open, const char *text, const char *close);

/* The same of text that may come from anywhere, cut at `columns` (gpai_text_visible).
 */
void gpai_html_short(gpa_text *t, const char *text, size_t columns);

/* One code point of it. */
void gpai_html_point(gpa_text *t, uint32_t point);

/* Escapes what was added since `start`. */
void gpai_html_tail(gpa_text *t, size_t start);

#endif
