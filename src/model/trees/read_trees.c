#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/spec.h"
#include "model/trees/trees.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Our own format for tree ensembles: docs/connect/scikit-learn-files.md. */

enum { NONE = INT32_MIN };

struct reader {
    const char *file;
    const gpai_value *root, *trees;
    size_t inputs;
    double divide;
    gpa_tree_output output;
    size_t *start;
    gpai_node *node;
    bool missing; /* the trees tell where missing inputs go */
    gpa_error *err;
};

static gpa_status bad(const struct reader *r, const char *what, const char *why)
{
    return gpai_bad_file(r->err, r->file, "%s: %s", what, why);
}

static gpa_status bad_tree(const struct reader *r, size_t t, const char *what,
                           const char *why)
{
    char where[64];
    snprintf(where, sizeof where, "tree %zu: %s", t, what);
    return bad(r, where, why);
}

/* One of the words under `key`; `fallback` when there is none, -1: there must be. */
static gpa_status read_word(const struct reader *r, const char *key,
                            const char *const *words, int n, int fallback, int *out)
{
    const gpai_value *item = gpai_value_get(r->root, key);
    const char *text = gpai_value_text(item);
    char why[128] = "missing, or not";
    if (item == NULL && fallback >= 0) {
        *out = fallback;
        return GPA_OK;
    }
    for (int i = 0; i < n; i++) {
        if (text != NULL && strcmp(text, words[i]) == 0) {
            *out = i;
            return GPA_OK;
        }
        size_t used = strlen(why);
        snprintf(why + used, sizeof why - used, "%s %s", i == 0 ? "" : ",", words[i]);
    }
    return bad(r, key, why);
}

static gpa_status read_number(const struct reader *r, const char *key, double fallback,
                              double *out)
{
    const gpai_value *item = gpai_value_get(r->root, key);
    *out = item == NULL ? fallback : gpai_value_number(item);
    if ((item != NULL && !gpai_value_is_number(item)) || !isfinite(*out))
        return bad(r, key, "not a number");
    return GPA_OK;
}

static gpa_status read_head(struct reader *r, gpai_forest_spec *spec)
{
    static const char *const arithmetics[] = {"float32-lt", "float64-le", "float32-le"};
    static const char *const outputs[] = {"identity", "exp", "logistic"};
    int arithmetic = 0, output = 0;
    double inputs = 0;
    size_t names = gpai_value_items(gpai_value_get(r->root, "variables"));
    gpa_status st = read_word(r, "arithmetic", arithmetics, 3, -1, &arithmetic);
    if (st == GPA_OK)
        st = read_word(r, "output", outputs, 3, GPA_TREE_IDENTITY, &output);
    if (st == GPA_OK)
        st = read_number(r, "base", 0, &spec->base);
    if (st == GPA_OK)
        st = read_number(r, "divide", 1, &r->divide);
    if (st == GPA_OK)
        st = read_number(r, "inputs", (double)names, &inputs);
    if (st != GPA_OK)
        return st;
    if (r->divide == 0)
        return bad(r, "divide", "is 0");
    if (!(inputs >= 1 && inputs <= GPAI_TREES_INPUTS) || inputs != floor(inputs))
        return bad(r, "inputs", "neither their number nor their names (variables)");
    spec->arithmetic = (gpai_forest_arithmetic)arithmetic;
    r->output = (gpa_tree_output)output;
    r->inputs = (size_t)inputs;
    return GPA_OK;
}

/* Whole number `i` of a list, or NONE. */
static int32_t whole(const gpai_value *list, size_t i)
{
    const gpai_value *item = gpai_value_at(list, i);
    int64_t v = gpai_value_is_whole(item) ? gpai_value_whole(item) : NONE;
    return v < INT32_MIN || v > INT32_MAX ? NONE : (int32_t)v;
}

/* A threshold may be null: every number goes left. */
static bool read_threshold(const gpai_value *item, bool leaf, double *out)
{
    *out = gpai_value_is_null(item) ? HUGE_VAL : gpai_value_number(item);
    return gpai_value_is_number(item) || (gpai_value_is_null(item) && !leaf);
}

static gpa_status read_nodes(const struct reader *r, size_t t, const gpai_value *tree,
                             gpai_node *node, size_t n)
{
    static const char *const keys[] = {"feature", "threshold", "left",
                                       "right",   "value",     "missing_left"};
    const gpai_value *list[6];
    for (size_t c = 0; c < 5 + (size_t)r->missing; c++) {
        list[c] = gpai_value_get(tree, keys[c]);
        if (gpai_value_items(list[c]) != n)
            return bad_tree(r, t, keys[c], "not a list as long as feature");
    }
    for (size_t i = 0; i < n; i++) {
        int32_t input = whole(list[0], i);
        bool leaf = input < 0;
        gpai_node *to = &node[i];
        *to = (gpai_node){.input = leaf ? -1 : input,
                          .left = whole(list[2], i),
                          .right = whole(list[3], i),
                          .missing = r->missing ? GPAI_MISSING_NAN : GPAI_MISSING_RIGHT,
                          .category = -1};
        if (input == NONE)
            return bad_tree(r, t, keys[0], "not a list of whole numbers");
        if (!read_threshold(gpai_value_at(list[leaf ? 4 : 1], i), leaf, &to->threshold))
            return bad_tree(r, t, keys[leaf ? 4 : 1], "not a list of numbers");
        if (r->missing && whole(list[5], i) != 0 && whole(list[5], i) != 1)
            return bad_tree(r, t, keys[5], "not a list of 0 and 1");
        to->default_left = r->missing && whole(list[5], i) == 1;
    }
    return GPA_OK;
}

static size_t nodes_of(const gpai_value *tree)
{
    return gpai_value_items(gpai_value_get(tree, "feature"));
}

static gpa_status read_trees(struct reader *r, gpai_forest_spec *spec)
{
    size_t trees = gpai_value_items(r->trees);
    gpa_status st = GPA_OK;
    if (!gpai_value_is_list(r->trees))
        return bad(r, "trees", "missing, or not a list");
    r->missing = gpai_value_get(gpai_value_at(r->trees, 0), "missing_left") != NULL;
    r->start = gpai_calloc(trees + 1, sizeof *r->start);
    if (r->start == NULL)
        return gpai_nomem(r->err, "trees");
    for (size_t t = 0; t < trees; t++)
        r->start[t + 1] = r->start[t] + nodes_of(gpai_value_at(r->trees, t));
    r->node = gpai_calloc(r->start[trees], sizeof *r->node);
    if (r->node == NULL)
        return gpai_nomem(r->err, "trees");
    for (size_t t = 0; st == GPA_OK && t < trees; t++)
        st = read_nodes(r, t, gpai_value_at(r->trees, t), r->node + r->start[t],
                        r->start[t + 1] - r->start[t]);
    spec->inputs = r->inputs;
    spec->trees = trees;
    spec->start = r->start;
    spec->node = r->node;
    return st;
}

gpa_status gpai_trees_open(gpa_model **out, const gpai_spec *s, const gpai_value *root,
                           gpa_error *err)
{
    struct reader r = {.file = s->rest, .root = root, .err = err};
    gpai_forest_spec spec = {0};
    gpai_trees *m = NULL;
    *out = NULL;
    r.trees = gpai_value_get(root, "trees");
    gpa_status st = read_head(&r, &spec);
    if (st == GPA_OK)
        st = read_trees(&r, &spec);
    if (st == GPA_OK)
        st = gpai_trees_new(&m, &spec, r.divide, r.output, s->rest, err);
    if (st == GPA_OK)
        st =
            gpai_model_named(out, gpai_trees_ops(r.missing), m, r.inputs, s, root, err);
    gpai_free(r.node);
    gpai_free(r.start);
    return st;
}
