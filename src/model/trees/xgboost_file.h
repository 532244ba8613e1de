#ifndef GPAI_MODEL_TREES_XGBOOST_FILE_H
#define GPAI_MODEL_TREES_XGBOOST_FILE_H
#include <gpa/status.h>
#include <jansson.h>
#include <stddef.h>

/* What XGBoost's save_model wrote, JSON or UBJ, as a tree. Numbers that are none (NaN,
 * Infinity) become something that is no number. `bytes` is followed by a zero. */
gpa_status gpai_xgboost_parse(json_t **out, const char *bytes, size_t size,
                              const char *file, gpa_error *err);

#endif
