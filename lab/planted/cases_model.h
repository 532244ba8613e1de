#ifndef GPA_LAB_CASES_MODEL_H
#define GPA_LAB_CASES_MODEL_H
#include "lab/planted/cases.h"

/* Opens the model of a set: --model for the sets named by --set and for those whose
 * description holds none; else what the description holds or points to. Without any,
 * says why in `reason` and leaves s->model NULL. `meta` is the description's text. */
gpa_status cases_model(struct fault_set *s, const gpai_options *a, const char *meta,
                       char reason[REASON_SIZE], gpa_error *err);

#endif
