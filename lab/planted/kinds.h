#ifndef GPA_LAB_PLANTED_KINDS_H
#define GPA_LAB_PLANTED_KINDS_H
#include "lab/planted/faults.h"
#include "study/options.h"
#include <jansson.h>

/* Says what the inputs of a set from files are: inferred from its unlabelled rows, with
 * the names of levels and the one-hot groups that its description (`meta`) has, and
 * --kind. Tells the model, too. */
gpa_status kinds_find(struct fault_set *s, const gpai_options *a, const json_t *meta,
                      gpa_error *err);

#endif
