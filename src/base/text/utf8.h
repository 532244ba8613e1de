#ifndef GPAI_UTF8_H
#define GPAI_UTF8_H
#include "base/text/text.h"

/* Bytes of the UTF-8 character that starts at `text`, 1 to 4 with its code point in
 * `*point`; 0 when it is none. Overlong forms and surrogates are not. */
size_t gpai_utf8(const char *text, size_t length, uint32_t *point);
/* Whether all of a text that ends with a zero is UTF-8. */
bool gpai_utf8_all(const char *text);
/* The bytes of a code point, and how many. */
size_t gpai_utf8_put(char out[4], uint32_t point);

/* Goes through text that ends with a zero; what is no UTF-8 comes out as U+FFFD. */
uint32_t gpai_utf8_next(const char **text);
void gpai_text_point(gpa_text *t, uint32_t point);
/* Control characters, and those that reorder or hide what stands around them. */
bool gpai_utf8_unsafe(uint32_t point);
size_t gpai_point_width(uint32_t point); /* columns on a terminal */
size_t gpai_utf8_width(const char *text);
/* Adds text that may come from anywhere: unsafe points become U+FFFD, at most `columns`
 * wide (0: any), with an ellipsis when cut. `ascii` makes everything beyond ASCII '?'.
 */
void gpai_text_visible(gpa_text *t, const char *text, size_t columns, bool ascii);

#endif
