#ifndef GPAI_MODEL_TREES_FOREST_LAYOUT_H
#define GPAI_MODEL_TREES_FOREST_LAYOUT_H
#include "model/trees/forest.h"

/* How a forest lies in memory. Every split is brought to one form, "right when x >= t",
 * whatever the arithmetic and wherever missing values go:
 *
 * - `x <= t` is `x < t'` with the next larger number t'.
 * - Missing values are turned into numbers before the walk: NaN is no larger than
 *   anything and goes left, +infinity goes right. Each way of doing so makes another
 *   view of an input, and a split looks at a view.
 *
 * What does not fit (categories, NaN as threshold) makes its tree an odd one, which is
 * walked node by node as the file has it. */

/* Rows walk a tree in groups of this many, side by side in memory: their loads do not
 * wait for each other. */
enum { GPAI_FOREST_GROUP = 8 };

typedef enum gpai_view_kind {
    GPAI_VIEW_NAN_LEFT, /* NaN stays, and goes left */
    GPAI_VIEW_NAN_RIGHT,
    GPAI_VIEW_NAN_ZERO,
    GPAI_VIEW_ZERO_LEFT, /* so do numbers around 0 */
    GPAI_VIEW_ZERO_RIGHT,
    GPAI_VIEW_KINDS
} gpai_view_kind;

typedef struct gpai_view {
    uint32_t input;
    gpai_view_kind kind;
} gpai_view;

/* A shallow tree is padded to a complete one: the children of i are 2i + 1 and 2i + 2.
 * `at` is where the view's numbers begin in a group: its index times the group. */
typedef struct gpai_split32 {
    float t;
    uint32_t at;
} gpai_split32;
typedef struct gpai_split64 {
    double t;
    uint32_t at;
} gpai_split64;

/* A deep one has its nodes breadth first, two children side by side. A leaf has NaN as
 * threshold and itself as left child: walking on from it stays there. */
typedef struct gpai_link32 {
    float t;
    uint32_t at, left;
} gpai_link32;
typedef struct gpai_link64 {
    double t;
    uint32_t at, left;
} gpai_link64;

typedef enum gpai_tree_kind {
    GPAI_TREE_COMPLETE,
    GPAI_TREE_LINKED,
    GPAI_TREE_ODD
} gpai_tree_kind;

typedef struct gpai_tree {
    gpai_tree_kind kind;
    uint32_t depth; /* splits from the root to the deepest leaf */
    size_t nodes;   /* that can be reached */
    size_t first;   /* its first split, link or node */
    size_t value;   /* its first leaf value; of all nodes of a linked tree */
} gpai_tree;

typedef struct gpai_masks gpai_masks; /* forest_masks.h */

struct gpai_forest {
    gpai_forest_arithmetic arithmetic;
    size_t trees, views;
    double base;
    gpai_tree *tree;
    gpai_view *view;
    void *split; /* gpai_split32 or gpai_split64 */
    void *link;  /* gpai_link32 or gpai_link64 */
    void *value; /* float for GPAI_FOREST_FLOAT_LT, else double */
    gpai_node *odd;
    uint32_t *bits;    /* of categories */
    gpai_masks *masks; /* for many rows at once; or NULL */
};

/* LightGBM's comparisons need doubles; the others compare floats. */
static inline bool gpai_forest_wide(const gpai_forest *f)
{
    return f->arithmetic == GPAI_FOREST_DOUBLE_LE;
}

/* Trees of at most this depth are padded: there are 2^depth leaves then. */
enum { GPAI_FOREST_COMPLETE = 8 };

/* Room for the views of a block of rows, in bytes; a forest with more views than fit
 * for one group has odd trees only. */
enum { GPAI_FOREST_ROOM = 1 << 16 };

#endif
