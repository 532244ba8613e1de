#ifndef GPAI_MODEL_TREES_FOREST_H
#define GPAI_MODEL_TREES_FOREST_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One evaluator for all tree models. A reader describes its trees node by node with a
 * gpai_forest_spec; gpai_forest_new lays them out for speed; gpai_forest_predict walks
 * many rows at once. The reader keeps what is its own: transforms, base scores, names.
 */

/* How inputs are compared with thresholds, and leaves are added up. */
typedef enum gpai_forest_arithmetic {
    GPAI_FOREST_FLOAT_LT = 0,  /* XGBoost: (float)x < (float)t goes left; float sums in
                                * tree order, starting at the base */
    GPAI_FOREST_DOUBLE_LE = 1, /* LightGBM: x <= t goes left; double sums */
    GPAI_FOREST_FLOAT_X_LE = 2 /* scikit-learn: (float)x <= (double)t; double sums */
} gpai_forest_arithmetic;

/* What happens at a node whose input is missing. */
typedef enum gpai_missing_way {
    GPAI_MISSING_NONE = 0, /* NaN is treated as 0 (LightGBM) */
    GPAI_MISSING_NAN = 1,  /* NaN goes the default way */
    GPAI_MISSING_ZERO = 2, /* NaN and |x| <= 1e-35f go the default way (LightGBM) */
    GPAI_MISSING_RIGHT = 3 /* NaN compares false: right */
} gpai_missing_way;

typedef struct gpai_node {
    int32_t input; /* -1: a leaf */
    int32_t left, right;
    double threshold; /* value of a leaf */
    uint8_t missing;  /* gpai_missing_way */
    bool default_left;
    int32_t category; /* -1, or: a categorical split, its set in bits[category …] */
    int32_t category_words; /* members of the set go left (whole part of x as index);
                             * others and negative ones go right; missing ones go the
                             * default way, whatever `missing` says */
} gpai_node;

/* Trees one after the other: nodes of tree i are node[start[i]] up to start[i + 1],
 * children count from the tree's first node. Borrowed. */
typedef struct gpai_forest_spec {
    gpai_forest_arithmetic arithmetic;
    size_t inputs, trees;
    const size_t *start; /* trees + 1 */
    const gpai_node *node;
    const uint32_t *bits; /* of categorical splits */
    double base;          /* the sum starts here */
} gpai_forest_spec;

typedef struct gpai_forest gpai_forest;

/* Checks that every tree is one (children within it, no cycle, inputs in range), which
 * GPA_DATA denies naming tree and node after `file`, and lays it out. */
gpa_status gpai_forest_new(gpai_forest **out, const gpai_forest_spec *spec,
                           const char *file, gpa_error *err);
void gpai_forest_free(gpai_forest *f);

/* The sums of n rows of d inputs, nothing but additions behind them. Reads only; takes
 * 140 kB of the stack. A row's result is the same bytes whatever n and its place. */
void gpai_forest_predict(const gpai_forest *f, const double *x, size_t n, size_t d,
                         double *y);

#endif
