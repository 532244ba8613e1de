#ifndef GPAI_MODEL_TREES_FOREST_MASKS_H
#define GPAI_MODEL_TREES_FOREST_MASKS_H
#include "model/trees/forest_layout.h"

/* Leaves by masks, many rows at once and without following any path: QuickScorer
 * (Lucchese and others 2015), its masks in bytes side by side as in RapidScorer (Ye and
 * others 2018).
 *
 * The leaves of a tree are numbered from left to right. A split that sends a row right
 * strikes out the leaves to its left; when all splits have spoken, the first leaf that
 * is left is the row's. Splits do not wait for each other, and are asked of 32 rows by
 * one comparison: inputs are ranks, how many of the thresholds in the forest they
 * reach, in one byte. An input with more than 255 thresholds has several columns of
 * ranks, each for the next 255. */

enum {
    GPAI_MASK_ROWS = 32,   /* that are asked at once: a chunk */
    GPAI_MASK_LEAVES = 256 /* of a tree at most: their numbers are bytes */
};

/* A split, for the eight leaves of one plane; bytes, four times each. */
typedef struct gpai_mask {
    uint32_t at;   /* where its column begins in a chunk of ranks */
    uint32_t rank; /* the first that goes right; 128 less, to be signed */
    uint32_t keep; /* leaves that are not to the split's left */
} gpai_mask;

/* A tree: masks of plane p, for leaves from 8 p on, are mask[end[p - 1]] up to end[p];
 * the first ones are at end[-1]. */
typedef struct gpai_mask_tree {
    size_t planes; /* 0: this tree is better walked */
    size_t end;    /* in gpai_masks.end */
    size_t value;  /* of its first leaf, in gpai_masks.value */
} gpai_mask_tree;

/* The thresholds of a view, in order, and its columns of ranks. */
typedef struct gpai_cuts {
    size_t first, n, column;
} gpai_cuts;

struct gpai_masks {
    size_t columns;
    size_t few; /* rows, at most, that are better walked than asked as a chunk */
    gpai_mask_tree *tree;
    gpai_cuts *view;
    double *cut;
    gpai_mask *mask;
    uint32_t *end;
    void *value; /* float for GPAI_FOREST_FLOAT_LT, else double */
};

/* A node as every arithmetic has it after gpai_view and the bound of forest_layout.c:
 * right when the view is >= t. Breadth first, two children side by side. */
typedef struct gpai_plain {
    double t; /* a leaf's value */
    uint32_t view;
    uint32_t left; /* 0: a leaf */
} gpai_plain;

/* Masks for the trees of a forest that are no odd ones, whose nodes begin at
 * node[start[t]]; *out is NULL when none is better asked so. */
gpa_status gpai_masks_new(gpai_masks **out, const gpai_forest *f,
                          const gpai_plain *node, const size_t *start, gpa_error *err);
void gpai_masks_free(gpai_masks *m);

/* The number of the leaf of one tree, for each of the rows; writes whole chunks. Ranks
 * are those of a chunk, column after column, then of the next one. */
typedef void (*gpai_masks_leaves)(const gpai_mask *mask, const uint32_t *end,
                                  size_t planes, const int8_t *rank, size_t columns,
                                  size_t rows, uint8_t *leaf);

/* The i-th that this processor can run, best first; NULL beyond the last. */
gpai_masks_leaves gpai_masks_leaves_at(size_t i);

#endif
