#ifndef GPAI_MODEL_EXEC_CHILDREN_H
#define GPAI_MODEL_EXEC_CHILDREN_H
#include "model/exec/hello.h"
#include "model/spec.h"

/* The children of one exec: model, which all handles on it share: started when they are
 * needed, kept while they behave, replaced when they do not. */
typedef struct gpai_children gpai_children;

/* Starts the first one and hears its hello. */
gpa_status gpai_children_new(gpai_children **out, const gpai_spec *s, gpa_error *err);
void gpai_children_free(gpai_children *p); /* ends them all; NULL is fine */

const gpai_hello *gpai_children_hello(const gpai_children *p);
const char *gpai_children_command(const gpai_children *p); /* for messages */

/* A child for the caller alone; waits while there are as many as there may be, and all
 * are busy. The time that it has counts from when there is one: *deadline is set unless
 * it is set already (not 0). */
gpa_status gpai_children_take(gpai_child **out, gpai_children *p, int64_t *deadline,
                              gpa_error *err);

void gpai_children_give(gpai_children *p, gpai_child *c); /* back, for others */

/* Ends one that was taken, and says why (model/exec/failure.h). */
gpa_status gpai_children_lose(gpai_children *p, gpai_child *c, gpai_talk how,
                              const char *what, gpa_error *err);

#endif
