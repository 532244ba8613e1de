#ifndef GPAI_MODEL_TREES_UBJ_H
#define GPAI_MODEL_TREES_UBJ_H
#include <gpa/status.h>
#include <jansson.h>
#include <stddef.h>

/* Universal binary JSON, as far as XGBoost writes it, to the tree that JSON text would
 * give: objects, arrays (also of a type and a length known beforehand), strings in
 * UTF-8, numbers, true, false and null. A number that is not finite becomes null.
 * `name` stands for the file in messages, which tell the byte; GPA_DATA for anything
 * else. */
gpa_status gpai_ubj_parse(json_t **out, const char *bytes, size_t size,
                          const char *name, gpa_error *err);

#endif
