#ifndef GPAI_MODEL_EXEC_FAILURE_H
#define GPAI_MODEL_EXEC_FAILURE_H
#include "model/exec/wire.h"
#include <gpa/status.h>

/* Why a child was given up, for a person: GPA_MODEL, or GPA_NOMEM. It has ended; `who`
 * is its command, and `what` goes on from there: the wrong it said, what it did not do
 * in time, or before what it ended. */
gpa_status gpai_child_failure(const gpai_child *c, gpai_talk how, const char *who,
                              const char *what, double timeout, gpa_error *err);

#endif
