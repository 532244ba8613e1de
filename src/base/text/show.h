#ifndef GPAI_SHOW_H
#define GPAI_SHOW_H
#include <gpa/status.h>
#include <stddef.h>

/* Text of strangers, made fit for a one-line message: control characters, invisible or
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

/* gpai_fail (base/status.h) about a file: "FILE: …"; and what is bad in it, GPA_DATA.
 */
gpa_status gpai_fail_file(gpa_error *err, gpa_status status, const char *path,
                          const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define gpai_bad_file(err, ...) gpai_fail_file(err, GPA_DATA, __VA_ARGS__)

/* What a program or a server said, as one such line of at most size - 1 bytes: line
 * ends and tabs become blanks, what does not fit is cut with "...". size >= 64. */
void gpai_show_line(char *out, size_t size, const char *text, size_t length);

/* The last line of `text` that is not blank; 0 when there is none. */
size_t gpai_last_line(const char **line, const char *text, size_t length);

#endif
