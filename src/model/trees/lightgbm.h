#ifndef GPAI_MODEL_TREES_LIGHTGBM_H
#define GPAI_MODEL_TREES_LIGHTGBM_H
#include "model/trees/forest.h"
#include "model/trees/key_lines.h"

/* Trees of a LightGBM model on their way into a forest: grows tree by tree. */
typedef struct gpai_lightgbm_trees {
    size_t inputs;
    size_t trees, *start; /* trees + 1 once there is one */
    size_t nodes;
    gpai_node *node;
    size_t words;
    uint32_t *bits;
    size_t start_room, node_room, bits_room;
    double *fields; /* of the tree being read */
    size_t fields_room;
} gpai_lightgbm_trees;

/* Reads the lines of one tree, up to the blank line behind it. Linear trees are
 * GPA_UNSUPPORTED, what does not fit together is GPA_DATA. */
gpa_status gpai_lightgbm_tree(gpai_lightgbm_trees *t, gpai_key_lines *k,
                              gpa_error *err);
void gpai_lightgbm_trees_free(gpai_lightgbm_trees *t);

#endif
