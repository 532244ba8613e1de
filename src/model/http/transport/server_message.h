#ifndef GPAI_MODEL_HTTP_TRANSPORT_SERVER_MESSAGE_H
#define GPAI_MODEL_HTTP_TRANSPORT_SERVER_MESSAGE_H
#include <stddef.h>

/* What a server said went wrong, as one safe line; empty when it said nothing. */
typedef struct gpai_server_message {
    char text[224];
} gpai_server_message;

/* Knows {"error": …}, {"error_code": …, "message": …}, {"detail": …} with a text or a
 * list of {"loc": …, "msg": …}, the title of an HTML page, and plain text. */
gpai_server_message gpai_server_message_read(const char *body, size_t size);

#endif
