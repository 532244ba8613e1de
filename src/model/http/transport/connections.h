#ifndef GPAI_MODEL_HTTP_TRANSPORT_CONNECTIONS_H
#define GPAI_MODEL_HTTP_TRANSPORT_CONNECTIONS_H
#include <gpa/status.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* How many connections all handles on a server may use together. */
typedef struct gpai_connections {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;   /* there is something to destroy */
    size_t limit; /* 0: one per handle at work, and a few more while there are few */
    size_t used, waiting, failures;
    gpa_error last; /* why the last call failed */
} gpai_connections;

enum { GPAI_CONNECTIONS_FEW = 4 };

bool gpai_connections_init(gpai_connections *c, size_t limit);
void gpai_connections_destroy(gpai_connections *c); /* also when it could not be made */

/* Between 1 and `wanted` connections, for one call; waits until there is one. When the
 * call of another handle fails meanwhile this fails with it: behind a dead server the
 * time-outs of many handles must not add up. */
gpa_status gpai_connections_take(gpai_connections *c, size_t wanted, size_t *got,
                                 gpa_error *err);

/* Gives them back; `err` says why, when the call failed (NULL: it did not). */
void gpai_connections_return(gpai_connections *c, size_t got, const gpa_error *err);

#endif
