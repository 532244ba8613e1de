#ifndef GPAI_SAID_H
#define GPAI_SAID_H
#include <stddef.h>

/* What a server said went wrong, as one safe line; empty when it said nothing. */
typedef struct gpai_said {
    char text[224];
} gpai_said;

/* Knows {"error": …}, {"error_code": …, "message": …}, {"detail": …} with a text or a
 * list of {"loc": …, "msg": …}, the title of an HTML page, and plain text. */
gpai_said gpai_said_read(const char *body, size_t size);

#endif
