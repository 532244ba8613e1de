#ifndef GPAI_MODEL_HTTP_TRANSPORT_BYTES_H
#define GPAI_MODEL_HTTP_TRANSPORT_BYTES_H
#include <stdbool.h>
#include <stddef.h>

/* A growing message. Running out of memory sticks: later additions do nothing, so that
 * writers need not look after every one. The memory is kept from message to message. */
typedef struct gpai_bytes {
    char *at;
    size_t size, room;
    bool failed;
} gpai_bytes;

void gpai_bytes_clear(gpai_bytes *b); /* empty again, as good as new */
void gpai_bytes_free(gpai_bytes *b);

/* Makes room for n more, whose number is not counted in yet; NULL without memory. */
char *gpai_bytes_room(gpai_bytes *b, size_t n);

void gpai_bytes_add(gpai_bytes *b, const char *bytes, size_t n);
void gpai_bytes_text(gpai_bytes *b, const char *text);
void gpai_bytes_count(gpai_bytes *b, size_t n);         /* in decimal */
void gpai_bytes_quote(gpai_bytes *b, const char *text); /* as a JSON string */

#endif
