#ifndef GPAI_MODEL_INPUT_NAMES_H
#define GPAI_MODEL_INPUT_NAMES_H
#include "model/spec.h"

/* A handle on the model in a JSON file, whose d inputs are called as its "variables"
 * say, if it has any; GPA_DATA for a list of another length. `self` belongs to the
 * handle from here on, and is closed also when this fails. */
gpa_status gpai_model_named(gpa_model **out, const gpai_model_ops *ops, void *self,
                            size_t d, const gpai_spec *s, const json_t *root,
                            gpa_error *err);

#endif
