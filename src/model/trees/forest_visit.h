#ifndef GPAI_MODEL_TREES_FOREST_VISIT_H
#define GPAI_MODEL_TREES_FOREST_VISIT_H
#include "model/trees/forest_layout.h"

/* Goes through tree t breadth first: its nodes into `order`, their number and the depth
 * into `tree`. Nodes that make no tree are GPA_DATA. Both arrays have room for all. */
gpa_status gpai_forest_visit(const gpai_forest_spec *spec, size_t t, const char *file,
                             uint32_t *order, bool *seen, gpai_tree *tree,
                             gpa_error *err);

#endif
