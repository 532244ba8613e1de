#ifndef GPAI_MODEL_TREES_TREES_H
#define GPAI_MODEL_TREES_TREES_H
#include "model/model.h"
#include "model/trees/forest.h"

/* A forest, what its sum is divided by, and what is made of that: the model behind
 * trees from arrays and from files of our own. Constant once it is made. */
typedef struct gpai_trees gpai_trees;

enum { GPAI_TREES_INPUTS = 1 << 20 }; /* at most */

/* Checks `spec` as gpai_forest_new does; `divide` is not 0. */
gpa_status gpai_trees_new(gpai_trees **out, const gpai_forest_spec *spec, double divide,
                          gpa_tree_output output, const char *file, gpa_error *err);
void gpai_trees_free(void *trees);

/* The ways to ask them; `missing`: they tell where missing inputs go. */
const gpai_model_ops *gpai_trees_ops(bool missing);

#endif
