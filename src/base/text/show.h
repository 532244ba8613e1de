#ifndef GPAI_SHOW_H
#define GPAI_SHOW_H
#include <stddef.h>

/* Text from files, made fit for a one-line message: control characters, invisible or
 * direction-changing ones and invalid UTF-8 become escapes (\n, \x1b, \u202e), and what
 * is long is cut with "...". Returned by value, so that it can stand among the
 * arguments of gpai_fail: gpai_show(cell, length).text */
typedef struct gpai_shown {
    char text[168];
} gpai_shown;

/* At most 40 characters, for cells and column names. */
gpai_shown gpai_show(const char *text, size_t length);
gpai_shown gpai_show_text(const char *text);

/* A file name: at most 120 characters, of which the last ones are kept; "-" is standard
 * input. */
gpai_shown gpai_show_path(const char *path);

/* Bytes of the UTF-8 character that starts at `text`, 1 to 4 with its code point in
 * `*code`; 0 when it is not one. Overlong forms and surrogates are not. */
size_t gpai_utf8(const char *text, size_t length, unsigned long *code);

#endif
