#ifndef GPAI_MODEL_EXEC_WIRE_H
#define GPAI_MODEL_EXEC_WIRE_H
#include "model/exec/child.h"
#include <stdint.h>

/* Bytes to and from a child, never for longer than until a deadline: a moment of the
 * monotonic clock in nanoseconds. */
int64_t gpai_deadline(double seconds); /* from now; 0 is for ever */

/* How talking to a child went. */
typedef enum gpai_talk {
    GPAI_TALK_FINE,
    GPAI_TALK_ENDED, /* it is no more, or closed its output */
    GPAI_TALK_LATE,
    GPAI_TALK_WRONG, /* what it said makes no sense */
    GPAI_TALK_NOMEM
} gpai_talk;

/* What is still to be sent, in two pieces. */
typedef struct gpai_sending {
    const void *bytes[2];
    size_t left[2];
} gpai_sending;

/* FINE, ENDED or LATE. Waits until `size` bytes have come, of which *got are there
 * already. Sends meanwhile (NULL: nothing to send), and listens to standard error, so
 * that the two never wait for each other. Sending may not be through when this is. */
gpai_talk gpai_wire_read(gpai_child *c, gpai_sending *s, void *into, size_t size,
                         size_t *got, int64_t deadline);

/* What comes from a child that was asked nothing: up to `size` bytes, at once. ENDED:
 * it is no more. */
gpai_talk gpai_wire_stray(gpai_child *c, void *into, size_t size, size_t *got);

#endif
