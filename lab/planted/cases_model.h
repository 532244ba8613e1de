#ifndef GPA_LAB_PLANTED_CASES_MODEL_H
#define GPA_LAB_PLANTED_CASES_MODEL_H
#include "lab/planted/cases.h"
#include <jansson.h>

/* Opens the model of a set: --model for the sets named by --set and for those whose
 * description holds none; else what the description holds or points to. Without any,
 * says why in `reason` and leaves s->model NULL. `meta` is the description. */
gpa_status cases_model(struct fault_set *s, const gpai_options *a, const json_t *meta,
                       char reason[REASON_SIZE], gpa_error *err);

#endif
