#ifndef GPAI_GATE_H
#define GPAI_GATE_H
#include <gpa/status.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* How many connections all handles on a server may use together. */
typedef struct gpai_gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;   /* there is something to destroy */
    size_t limit; /* 0: one per handle at work, and a few more while there are few */
    size_t used, waiting, failures;
    gpa_error last; /* why the last call failed */
} gpai_gate;

enum { GPAI_GATE_FEW = 4 };

bool gpai_gate_init(gpai_gate *g, size_t limit);
void gpai_gate_destroy(gpai_gate *g); /* also when it could not be made */

/* Between 1 and `wanted` connections, for one call; waits until there is one. When the
 * call of another handle fails meanwhile this fails with it: behind a dead server the
 * time-outs of many handles must not add up. */
gpa_status gpai_gate_enter(gpai_gate *g, size_t wanted, size_t *got, gpa_error *err);

/* Gives them back; `err` says why, when the call failed (NULL: it did not). */
void gpai_gate_leave(gpai_gate *g, size_t got, const gpa_error *err);

#endif
