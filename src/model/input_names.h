#ifndef GPAI_MODEL_INPUT_NAMES_H
#define GPAI_MODEL_INPUT_NAMES_H
#include <gpa/status.h>
#include <jansson.h>
#include <stddef.h>

/* The names under "variables" in a model file with d inputs; NULL when there are none.
 * The list is gpai_free'd, the names in it belong to `root`. A list of another length
 * is GPA_DATA. */
gpa_status gpai_input_names_read(const char ***out, const json_t *root, size_t d,
                                 const char *path, gpa_error *err);

#endif
