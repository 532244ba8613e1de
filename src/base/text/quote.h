#ifndef GPAI_QUOTE_H
#define GPAI_QUOTE_H
#include <stddef.h>

/* What a stranger said, as one safe line (data/show.h) of at most size - 1 bytes: line
 * ends and tabs become blanks, what does not fit is cut with "...". size >= 64. */
void gpai_quote(char *out, size_t size, const char *text, size_t length);

/* The last line of `text` that is not blank; 0 when there is none. */
size_t gpai_last_line(const char **line, const char *text, size_t length);

#endif
