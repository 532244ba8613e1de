#ifndef GPAI_MODEL_TREES_LIGHTGBM_H
#define GPAI_MODEL_TREES_LIGHTGBM_H
#include "model/trees/forest.h"
#include "model/trees/levels.h"

/* Text made of lines `key=value`, as LightGBM writes its models. Nothing is copied. */
typedef struct gpai_key_lines {
    const char *at, *end; /* what is left */
    const char *file;     /* for messages */
    size_t line;          /* number of the line read last, from 1 */
} gpai_key_lines;

typedef struct gpai_key_line {
    const char *key, *value; /* not terminated; value NULL: no `=` in the line */
    size_t key_length, length;
} gpai_key_line;

/* The next line, without its end; false when there is none. */
bool gpai_key_lines_next(gpai_key_lines *k, gpai_key_line *out);

/* Whether the line has this key. */
bool gpai_key_is(const gpai_key_line *l, const char *key);

/* Which of n <= 32 keys the line has, n for none of them, or a line without `=`. One
 * that `seen` (a bit each) has already is GPA_DATA: which of the two would count? */
gpa_status gpai_key_once(const gpai_key_lines *k, const gpai_key_line *l,
                         const char *const keys[], size_t n, uint32_t *seen,
                         size_t *which, gpa_error *err);

/* Counts words separated by blanks. */
size_t gpai_key_words(const gpai_key_line *l);

/* Exactly n numbers separated by blanks; GPA_DATA names file, line and key. `inf` and
 * `-inf` count as numbers. */
gpa_status gpai_key_numbers(const gpai_key_lines *k, const gpai_key_line *l, size_t n,
                            double *out, gpa_error *err);

/* One whole number between 0 and `most`. */
gpa_status gpai_key_count(const gpai_key_lines *k, const gpai_key_line *l, size_t most,
                          size_t *out, gpa_error *err);

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

/* Where a file says what its features are, apart from the trees; NULL: nowhere. */
typedef struct gpai_lightgbm_tail {
    const char *infos;    /* feature_infos: ranges of numbers, codes of categories */
    const char *declared; /* features that the training was told are categorical */
    const char *lists;    /* pandas_categorical: names of categories, as JSON */
    size_t infos_length, declared_length, lists_length;
} gpai_lightgbm_tail;

/* Names of categories, and inputs whose codes are compared like numbers. */
typedef struct gpai_lightgbm_levels {
    gpai_tree_levels of;
    size_t ordered; /* such inputs */
    bool *is_ordered;
} gpai_lightgbm_levels;

/* All stays without names when it cannot be told which inputs the lists belong to;
 * lists that are none are GPA_DATA. To be freed in any case. */
gpa_status gpai_lightgbm_levels_read(gpai_lightgbm_levels *to, size_t inputs,
                                     const gpai_lightgbm_tail *tail, const char *file,
                                     gpa_error *err);
void gpai_lightgbm_levels_free(gpai_lightgbm_levels *l);

/* A code that is none of the list is missing, as to pandas. Only where codes are
 * compared like numbers: elsewhere both go the same way. Only when there are such. */
void gpai_lightgbm_levels_mend(const gpai_lightgbm_levels *l, double *x, size_t n,
                               size_t d);

#endif
