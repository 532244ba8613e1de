#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "model/trees/xgboost.h"
#include <math.h>
#include <string.h>

enum { MAX_CATEGORIES = 1 << 24 }; /* XGBoost's own limit */

/* The columns of one tree, an item per node. */
enum column { LEFT, RIGHT, INPUT, CONDITION, DEFAULT_LEFT, TYPE, COLUMNS };
static const char *const column_name[COLUMNS] = {"left_children", "right_children",
                                                 "split_indices", "split_conditions",
                                                 "default_left",  "split_type"};

struct reader {
    const char *file;
    const gpai_value *trees, *weight;
    size_t *start;
    gpai_node *node;
    uint32_t *bits;
    size_t words, room; /* used, and allocated */
    double *column[COLUMNS];
    size_t tree;
    gpa_error *err;
};

static gpa_status bad(const struct reader *r, const char *what, const char *why)
{
    return gpai_bad_file(r->err, r->file, "tree %zu: %s: %s", r->tree, what, why);
}

gpa_status gpai_xgboost_count(size_t *out, const gpai_value *object, const char *key,
                              size_t most, const char *file, gpa_error *err)
{
    const gpai_value *item = gpai_value_get(object, key);
    const char *text = gpai_value_text(item);
    double v = gpai_value_is_whole(item) ? gpai_value_number(item) : -1;
    if (text != NULL && gpai_number(text, strlen(text), &v) != GPAI_NUMBER)
        v = -1;
    if (!(v >= 0 && v <= (double)most) || v != floor(v))
        return gpai_bad_file(err, file, "%s: missing, or not a number up to %zu", key,
                             most);
    *out = (size_t)v;
    return GPA_OK;
}

/* n numbers; old versions write true and false where later ones have 1 and 0. What is
 * no number becomes NaN: the conditions of categorical splits are none. */
static gpa_status read_column(const struct reader *r, const gpai_value *list,
                              const char *name, size_t n, double *out)
{
    if (gpai_value_items(list) != n)
        return bad(r, name, "not as many numbers as nodes");
    for (size_t i = 0; i < n; i++) {
        const gpai_value *value = gpai_value_at(list, i);
        out[i] = gpai_value_is_number(value)  ? gpai_value_number(value)
                 : gpai_value_is_truth(value) ? (double)gpai_value_is_true(value)
                                              : (double)NAN;
    }
    return GPA_OK;
}

static bool is_index(double v)
{
    return v == floor(v) && v >= -1 && v <= INT32_MAX;
}

static gpa_status read_columns(const struct reader *r, const gpai_value *tree, size_t n)
{
    for (int c = 0; c < COLUMNS; c++) {
        const gpai_value *list = gpai_value_get(tree, column_name[c]);
        if (c == TYPE && list == NULL) { /* there were no categories then */
            memset(r->column[c], 0, n * sizeof *r->column[c]);
            continue;
        }
        gpa_status st = read_column(r, list, column_name[c], n, r->column[c]);
        if (st != GPA_OK)
            return st;
        for (size_t i = 0; c != CONDITION && i < n; i++)
            if (!is_index(r->column[c][i]))
                return bad(r, column_name[c], "not a whole number");
    }
    return GPA_OK;
}

/* What goes left in XGBoost goes right here and the other way round: its sets hold what
 * goes right, ours what goes left. */
static void flip(gpai_node *n, size_t word, size_t words)
{
    int32_t left = n->left;
    n->left = n->right;
    n->right = left;
    n->default_left = !n->default_left;
    n->category = (int32_t)word;
    n->category_words = (int32_t)words;
}

static gpa_status grow_bits(struct reader *r, size_t more)
{
    if (r->words + more > INT32_MAX)
        return bad(r, "categories", "too many");
    if (!gpai_grow(&r->bits, &r->room, r->words + more, sizeof *r->bits))
        return gpai_nomem(r->err, "xgboost");
    memset(r->bits + r->words, 0, more * sizeof *r->bits);
    return GPA_OK;
}

static double item(const gpai_value *list, size_t i)
{
    const gpai_value *number = gpai_value_at(list, i);
    return gpai_value_is_whole(number) ? gpai_value_number(number) : -1;
}

/* The set of one node: `size` categories from `begin` on. */
static gpa_status read_set(struct reader *r, const gpai_value *list, double begin,
                           double size, gpai_node *n)
{
    size_t most = 0;
    if (!(begin >= 0 && size >= 1 && begin + size <= (double)gpai_value_items(list)))
        return bad(r, "categories_segments", "outside the categories");
    size_t first = (size_t)begin, count = (size_t)size;
    for (size_t i = first; i < first + count; i++) {
        double category = item(list, i);
        if (!(category >= 0 && category < MAX_CATEGORIES))
            return bad(r, "categories", "not a list of categories");
        if (most < (size_t)category)
            most = (size_t)category;
    }
    size_t words = most / 32 + 1;
    gpa_status st = grow_bits(r, words);
    if (st != GPA_OK)
        return st;
    for (size_t i = first; i < first + count; i++) {
        size_t category = (size_t)item(list, i);
        r->bits[r->words + category / 32] |= (uint32_t)1 << category % 32;
    }
    flip(n, r->words, words);
    r->words += words;
    return GPA_OK;
}

/* The sets of the tree's categorical splits, which are marked 1 in its types. */
static gpa_status read_sets(struct reader *r, const gpai_value *tree, gpai_node *node,
                            size_t n)
{
    const gpai_value *nodes = gpai_value_get(tree, "categories_nodes");
    const gpai_value *begin = gpai_value_get(tree, "categories_segments");
    const gpai_value *size = gpai_value_get(tree, "categories_sizes");
    const gpai_value *list = gpai_value_get(tree, "categories");
    for (size_t i = 0; i < gpai_value_items(nodes); i++) {
        double at = item(nodes, i);
        if (!(at >= 0 && at < (double)n) || r->column[TYPE][(size_t)at] != 1)
            return bad(r, "categories_nodes", "not a categorical split");
        r->column[TYPE][(size_t)at] = 0; /* done */
        gpa_status st =
            read_set(r, list, item(begin, i), item(size, i), &node[(size_t)at]);
        if (st != GPA_OK)
            return st;
    }
    for (size_t i = 0; i < n; i++)
        if (r->column[TYPE][i] != 0 && node[i].input >= 0)
            return bad(r, "split_type", "a categorical split without categories");
    return GPA_OK;
}

static gpa_status read_tree(struct reader *r, const gpai_value *tree, gpai_node *node,
                            size_t n)
{
    size_t leaf_size = 0;
    const gpai_value *param = gpai_value_get(tree, "tree_param");
    gpa_status st = gpai_xgboost_count(&leaf_size, param, "size_leaf_vector", INT32_MAX,
                                       r->file, r->err);
    if (st == GPA_OK && leaf_size > 1)
        st = gpai_fail_file(
            r->err, GPA_UNSUPPORTED, r->file,
            "tree %zu: leaves of %zu numbers (several outputs) are not supported",
            r->tree, leaf_size);
    if (st == GPA_OK)
        st = read_columns(r, tree, n);
    if (st != GPA_OK)
        return st;
    double weight = gpai_value_number(gpai_value_at(r->weight, r->tree));
    for (size_t i = 0; i < n; i++) {
        bool leaf = r->column[LEFT][i] < 0;
        float number = (float)r->column[CONDITION][i];
        if (leaf && r->weight != NULL)
            number *= (float)weight;
        node[i] = (gpai_node){.input = leaf ? -1 : (int32_t)r->column[INPUT][i],
                              .left = (int32_t)r->column[LEFT][i],
                              .right = (int32_t)r->column[RIGHT][i],
                              .threshold = (double)number,
                              .missing = GPAI_MISSING_NAN,
                              .default_left = r->column[DEFAULT_LEFT][i] != 0,
                              .category = -1};
        if (!leaf && node[i].input < 0)
            return bad(r, "split_indices", "-1 at a split");
        if (!isfinite(number) && (leaf || r->column[TYPE][i] != 1))
            return bad(r, "split_conditions", "not a list of numbers");
    }
    return read_sets(r, tree, node, n);
}

static size_t nodes_of(const gpai_value *tree)
{
    return gpai_value_items(gpai_value_get(tree, column_name[LEFT]));
}

/* Where each tree's nodes begin, and memory for them and for the widest columns. */
static gpa_status prepare(struct reader *r)
{
    size_t trees = gpai_value_items(r->trees), most = 0, total = 0;
    r->start = gpai_calloc(trees + 1, sizeof *r->start);
    if (r->start == NULL)
        return gpai_nomem(r->err, "xgboost");
    for (size_t t = 0; t < trees; t++) {
        size_t n = nodes_of(gpai_value_at(r->trees, t));
        total += n;
        r->start[t + 1] = total;
        most = most < n ? n : most;
    }
    r->node = gpai_calloc(total, sizeof *r->node);
    r->column[0] = gpai_calloc(most, COLUMNS * sizeof *r->column[0]);
    if (r->node == NULL || r->column[0] == NULL)
        return gpai_nomem(r->err, "xgboost");
    for (size_t c = 1; c < COLUMNS; c++)
        r->column[c] = r->column[0] + c * most;
    return GPA_OK;
}

/* Trees of several outputs would be told apart by their group. */
static gpa_status check_lists(const struct reader *r, const gpai_value *model)
{
    const gpai_value *info = gpai_value_get(model, "tree_info");
    size_t trees = gpai_value_items(r->trees);
    if (!gpai_value_is_list(r->trees))
        return gpai_bad_file(r->err, r->file, "trees: not a list");
    for (size_t t = 0; t < gpai_value_items(info); t++)
        if (item(info, t) != 0)
            return gpai_fail_file(r->err, GPA_UNSUPPORTED, r->file,
                                  "tree_info: tree %zu belongs to another output; "
                                  "several outputs are not supported",
                                  t);
    if (r->weight != NULL && gpai_value_items(r->weight) != trees)
        return gpai_bad_file(r->err, r->file, "weight_drop: %zu numbers for %zu trees",
                             gpai_value_items(r->weight), trees);
    for (size_t t = 0; r->weight != NULL && t < trees; t++)
        if (!gpai_value_is_number(gpai_value_at(r->weight, t)))
            return gpai_bad_file(r->err, r->file, "weight_drop: not a list of numbers");
    return GPA_OK;
}

gpa_status gpai_xgboost_trees(gpai_forest **out, const gpai_value *model,
                              const gpai_value *weight, size_t inputs, float base,
                              const char *file, gpa_error *err)
{
    struct reader r = {.file = file,
                       .trees = gpai_value_get(model, "trees"),
                       .weight = weight,
                       .err = err};
    *out = NULL;
    gpa_status st = check_lists(&r, model);
    if (st == GPA_OK)
        st = prepare(&r);
    size_t trees = gpai_value_items(r.trees);
    for (; st == GPA_OK && r.tree < trees; r.tree++)
        st = read_tree(&r, gpai_value_at(r.trees, r.tree), r.node + r.start[r.tree],
                       r.start[r.tree + 1] - r.start[r.tree]);
    if (st == GPA_OK) {
        const gpai_forest_spec spec = {
            GPAI_FOREST_FLOAT_LT, inputs, trees, r.start, r.node, r.bits, (double)base};
        st = gpai_forest_new(out, &spec, file, err);
    }
    gpai_free(r.column[0]);
    gpai_free(r.bits);
    gpai_free(r.node);
    gpai_free(r.start);
    return st;
}
