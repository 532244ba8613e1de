#ifndef GPAI_MODEL_TREES_XGBOOST_H
#define GPAI_MODEL_TREES_XGBOOST_H
#include "data/value.h"
#include "model/trees/forest.h"
#include "model/trees/levels.h"

/* The trees of an XGBoost model: `model` is what stands under that key of a gbtree,
 * `weight` the list of factors of dart, or NULL. The forest's sums start at `base`. */
gpa_status gpai_xgboost_trees(gpai_forest **out, const gpai_value *model,
                              const gpai_value *weight, size_t inputs, float base,
                              const char *file, gpa_error *err);

/* Names of categories, which files of version 3.1 and later have for data frames. What
 * makes no sense is left without names. False without memory. */
bool gpai_xgboost_levels(gpai_tree_levels *to, const gpai_value *model, size_t inputs);

/* A whole number that XGBoost writes as text ("8") or as a number, of at most
 * `most`. */
gpa_status gpai_xgboost_count(size_t *out, const gpai_value *object, const char *key,
                              size_t most, const char *file, gpa_error *err);

/* Universal binary JSON, as far as XGBoost writes it, to the tree that JSON text would
 * give: objects, arrays (also of a type and a length known beforehand), strings in
 * UTF-8, numbers, true, false and null. A number that is not finite becomes null.
 * `name` stands for the file in messages, which tell the byte; GPA_DATA for anything
 * else. */
gpa_status gpai_ubj_parse(gpai_value **out, const char *bytes, size_t size,
                          const char *name, gpa_error *err);

#endif
