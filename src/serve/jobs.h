#ifndef GPA_SERVE_JOBS_H
#define GPA_SERVE_JOBS_H
#include "serve/exchange.h"
#include <gpa/status.h>

/* Workers who answer one question after the other, each with a model of its own. */
struct jobs;

/* As soon as there is a model; `most` may wait. */
gpa_status jobs_open(struct jobs **out, const gpa_model *model, size_t workers,
                     size_t most, gpa_error *err);

/* Hands an exchange over, which is held and gets an id from `id`; false: too many wait.
 */
bool jobs_add(struct jobs *j, struct exchange *x, unsigned id);

/* Ends the job of this id within a call of the model; false: there is none. */
bool jobs_cancel(struct jobs *j, unsigned id);

size_t jobs_waiting(struct jobs *j);
size_t jobs_running(struct jobs *j);

/* Waits until all is done, but not longer than so many seconds; whether it is. */
bool jobs_drain(struct jobs *j, double seconds);
/* Everything is cancelled; nothing more is taken. */
void jobs_stop(struct jobs *j);
/* Once they have drained; NULL is fine. */
void jobs_close(struct jobs *j);

#endif
