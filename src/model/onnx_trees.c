#include "base/alloc.h"
#include "data/show.h"
#include "model/onnx_emit.h"
#include "model/onnx_ops.h"
#include "model/onnx_tensor.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A node's name, and its place in the lists of the file. */
struct key {
    int64_t tree, node;
    size_t at;
};

/* How a node decides: `x <= t` to one side, or to the other, where t may have to be the
 * next smaller number (for `<`). */
enum { LEQ, LT, GTE, GT, LEAF, MODES };

/* What the operator says: parallel lists, nodes first. */
struct ensemble {
    size_t nodes;
    const int64_t *tree, *node, *input, *yes, *no;
    const int64_t *tracks; /* NULL: nothing goes the yes-way because it is missing */
    const ProtobufCBinaryData *mode;
    gpai_onnx_value threshold;
    size_t leaves;
    const int64_t *leaf_tree, *leaf_node, *leaf_target;
    gpai_onnx_value weight, base;
    double divisor;
    /* Made from it. */
    struct key *key; /* sorted */
    double *value;   /* of leaves, in the order of the keys */
    bool *has_value, *has_parent;
    size_t *start;
    gpai_node *out;
    size_t trees;
};

static gpa_status read_ints(gpai_onnx_node *o, const char *name, size_t n,
                            const int64_t **out)
{
    size_t have;
    gpa_status st = gpai_onnx_ints(o, name, out, &have);
    if (st == GPA_OK && have != n)
        st = gpai_onnx_fail(o, GPA_DATA, "%s: %zu numbers, expected %zu", name, have,
                            n);
    return st;
}

/* Numbers that stand in a list of float or, for double, in a tensor. */
static gpa_status read_numbers(gpai_onnx_node *o, const char *name,
                               gpai_onnx_value *out)
{
    char as_tensor[64];
    const GpaiOnnx__Tensor *t;
    const float *list;
    snprintf(as_tensor, sizeof as_tensor, "%s_as_tensor", name);
    gpa_status st = gpai_onnx_tensor(o, as_tensor, &t);
    if (st == GPA_OK && t != NULL)
        st = gpai_onnx_tensor_read(out, t, &o->g->external, &o->g->pool, o->err);
    if (st == GPA_OK && t != NULL && out->store == GPAI_ONNX_WHOLE)
        st = gpai_onnx_fail(o, GPA_DATA, "%s: whole numbers", as_tensor);
    if (st != GPA_OK || t != NULL)
        return st;
    *out = (gpai_onnx_value){.kind = GPAI_ONNX_CONSTANT, .type = GPAI_ONNX_FLOAT};
    st = gpai_onnx_floats(o, name, &list, &out->n);
    out->data = list;
    return st;
}

static gpa_status read_nodes(gpai_onnx_node *o, struct ensemble *e)
{
    size_t modes, tracks;
    gpa_status st = gpai_onnx_ints(o, "nodes_treeids", &e->tree, &e->nodes);
    if (st == GPA_OK && (e->nodes == 0 || e->nodes > INT32_MAX))
        st = gpai_onnx_fail(o, GPA_DATA, "no nodes, or too many");
    if (st == GPA_OK)
        st = read_ints(o, "nodes_nodeids", e->nodes, &e->node);
    if (st == GPA_OK)
        st = read_ints(o, "nodes_featureids", e->nodes, &e->input);
    if (st == GPA_OK)
        st = read_ints(o, "nodes_truenodeids", e->nodes, &e->yes);
    if (st == GPA_OK)
        st = read_ints(o, "nodes_falsenodeids", e->nodes, &e->no);
    if (st == GPA_OK)
        st = gpai_onnx_ints(o, "nodes_missing_value_tracks_true", &e->tracks, &tracks);
    if (st == GPA_OK && tracks == 0)
        e->tracks = NULL;
    if (st == GPA_OK)
        st = gpai_onnx_strings(o, "nodes_modes", &e->mode, &modes);
    if (st == GPA_OK)
        st = read_numbers(o, "nodes_values", &e->threshold);
    if (st == GPA_OK && (modes != e->nodes || e->threshold.n != e->nodes ||
                         (tracks != 0 && tracks != e->nodes)))
        st = gpai_onnx_fail(o, GPA_DATA, "lists of different lengths about %zu nodes",
                            e->nodes);
    gpai_onnx_ignore(o, "nodes_hitrates");
    gpai_onnx_ignore(o, "nodes_hitrates_as_tensor");
    return st;
}

static gpa_status read_leaves(gpai_onnx_node *o, struct ensemble *e)
{
    gpa_status st = gpai_onnx_ints(o, "target_treeids", &e->leaf_tree, &e->leaves);
    if (st == GPA_OK)
        st = read_ints(o, "target_nodeids", e->leaves, &e->leaf_node);
    if (st == GPA_OK)
        st = read_ints(o, "target_ids", e->leaves, &e->leaf_target);
    if (st == GPA_OK)
        st = read_numbers(o, "target_weights", &e->weight);
    if (st == GPA_OK && e->weight.n != e->leaves)
        st = gpai_onnx_fail(o, GPA_DATA, "target_weights: %zu numbers, expected %zu",
                            e->weight.n, e->leaves);
    return st;
}

/* What happens to the sum of the leaves. */
static gpa_status read_end(gpai_onnx_node *o, struct ensemble *e)
{
    const char *how = "SUM";
    size_t length = 3;
    int64_t targets = 1;
    gpa_status st = gpai_onnx_only(o, "post_transform", "NONE");
    if (st == GPA_OK)
        st = gpai_onnx_int(o, "n_targets", &targets);
    if (st == GPA_OK && targets != 1)
        st = gpai_onnx_fail(o, GPA_UNSUPPORTED,
                            "%lld targets; only one number per row is supported",
                            (long long)targets);
    if (st == GPA_OK)
        st = gpai_onnx_string(o, "aggregate_function", &how, &length);
    if (st == GPA_OK)
        st = read_numbers(o, "base_values", &e->base);
    if (st == GPA_OK && e->base.n > 1)
        st = gpai_onnx_fail(o, GPA_DATA, "%zu base_values for one target", e->base.n);
    if (st != GPA_OK)
        return st;
    e->divisor = 1;
    if (length == 7 && memcmp(how, "AVERAGE", 7) == 0)
        e->divisor = 0; /* to be the number of trees */
    else if (length != 3 || memcmp(how, "SUM", 3) != 0)
        return gpai_onnx_fail(
            o, GPA_UNSUPPORTED,
            "aggregate_function '%s' is not supported, only 'SUM' and 'AVERAGE'",
            gpai_show(how, length).text);
    return GPA_OK;
}

static int compare(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Place of a node among the sorted keys; e->nodes when there is none. */
static size_t find(const struct ensemble *e, int64_t tree, int64_t node)
{
    const struct key wanted = {tree, node, 0};
    const struct key *found =
        bsearch(&wanted, e->key, e->nodes, sizeof *e->key, compare);
    return found != NULL ? (size_t)(found - e->key) : e->nodes;
}

static gpa_status sort_keys(gpai_onnx_node *o, struct ensemble *e)
{
    for (size_t i = 0; i < e->nodes; i++)
        e->key[i] = (struct key){e->tree[i], e->node[i], i};
    qsort(e->key, e->nodes, sizeof *e->key, compare);
    for (size_t i = 0; i < e->nodes; i++) {
        if (i > 0 && compare(&e->key[i - 1], &e->key[i]) == 0)
            return gpai_onnx_fail(o, GPA_DATA, "tree %lld: node %lld is there twice",
                                  (long long)e->key[i].tree,
                                  (long long)e->key[i].node);
        if (i == 0 || e->key[i - 1].tree != e->key[i].tree)
            e->start[e->trees++] = i;
    }
    e->start[e->trees] = e->nodes;
    return GPA_OK;
}

static gpa_status read_mode(gpai_onnx_node *o, const struct ensemble *e, size_t at,
                            int *mode)
{
    static const char *const names[MODES] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                             "BRANCH_GT", "LEAF"};
    const ProtobufCBinaryData *text = &e->mode[at];
    for (*mode = 0; *mode < MODES; ++*mode)
        if (strlen(names[*mode]) == text->len &&
            memcmp(names[*mode], text->data, text->len) == 0)
            return GPA_OK;
    return gpai_onnx_fail(
        o, GPA_UNSUPPORTED, "nodes of mode '%s' are not supported",
        gpai_show(text->len > 0 ? (const char *)text->data : "", text->len).text);
}

/* Leaves get their values. One that has none adds nothing. */
static gpa_status place_weights(gpai_onnx_node *o, struct ensemble *e)
{
    for (size_t i = 0; i < e->leaves; i++) {
        size_t k = find(e, e->leaf_tree[i], e->leaf_node[i]);
        int mode = LEQ;
        if (k < e->nodes && read_mode(o, e, e->key[k].at, &mode) != GPA_OK)
            return GPA_UNSUPPORTED;
        if (k == e->nodes || mode != LEAF || e->has_value[k])
            return gpai_onnx_fail(
                o, GPA_DATA,
                "tree %lld: a weight for node %lld, which is no leaf or has one",
                (long long)e->leaf_tree[i], (long long)e->leaf_node[i]);
        if (e->leaf_target[i] != 0)
            return gpai_onnx_fail(o, GPA_DATA, "a weight for target %lld of one",
                                  (long long)e->leaf_target[i]);
        e->has_value[k] = true;
        e->value[k] = gpai_onnx_number(&e->weight, i);
    }
    return GPA_OK;
}

/* A child as a place in the tree that starts at `first`. */
static gpa_status find_child(gpai_onnx_node *o, struct ensemble *e, size_t k,
                             int64_t child, size_t first, int32_t *out)
{
    size_t found = find(e, e->key[k].tree, child);
    if (found == e->nodes)
        return gpai_onnx_fail(o, GPA_DATA, "tree %lld: node %lld: no child %lld",
                              (long long)e->key[k].tree, (long long)e->key[k].node,
                              (long long)child);
    e->has_parent[found] = true;
    *out = (int32_t)(found - first);
    return GPA_OK;
}

static gpa_status make_branch(gpai_onnx_node *o, struct ensemble *e, size_t k, int mode,
                              size_t first)
{
    const size_t at = e->key[k].at;
    const bool swapped = mode == GT || mode == GTE;
    const bool tracks = e->tracks != NULL && e->tracks[at] != 0;
    gpai_node *to = &e->out[k];
    double t = gpai_onnx_number(&e->threshold, at);
    if (isnan(t) || ((mode == LT || mode == GTE) && t == -HUGE_VAL))
        return gpai_onnx_fail(o, GPA_UNSUPPORTED,
                              "tree %lld: node %lld: a threshold of %g",
                              (long long)e->key[k].tree, (long long)e->key[k].node, t);
    if (e->input[at] < 0 || e->input[at] > INT32_MAX)
        return gpai_onnx_fail(o, GPA_DATA, "tree %lld: node %lld: no input %lld",
                              (long long)e->key[k].tree, (long long)e->key[k].node,
                              (long long)e->input[at]);
    to->input = (int32_t)e->input[at];
    to->threshold = mode == LT || mode == GTE ? nextafter(t, -HUGE_VAL) : t;
    to->missing = GPAI_MISSING_NAN;
    to->default_left = swapped != tracks;
    gpa_status st =
        find_child(o, e, k, e->yes[at], first, swapped ? &to->right : &to->left);
    if (st == GPA_OK)
        st = find_child(o, e, k, e->no[at], first, swapped ? &to->left : &to->right);
    return st;
}

/* The root comes first; those before it move up by one. */
static void put_first(gpai_node *tree, size_t n, size_t root)
{
    gpai_node keep = tree[root];
    memmove(tree + 1, tree, root * sizeof *tree);
    tree[0] = keep;
    for (size_t i = 0; i < n; i++) {
        int32_t *child[2] = {&tree[i].left, &tree[i].right};
        for (int k = 0; k < 2 && tree[i].input >= 0; k++)
            if ((size_t)*child[k] <= root)
                *child[k] = (size_t)*child[k] == root ? 0 : *child[k] + 1;
    }
}

static gpa_status make_tree(gpai_onnx_node *o, struct ensemble *e, size_t t)
{
    const size_t first = e->start[t], end = e->start[t + 1];
    size_t roots = 0, root = first;
    gpa_status st = GPA_OK;
    for (size_t k = first; st == GPA_OK && k < end; k++) {
        int mode = LEAF;
        e->out[k] = (gpai_node){.input = -1, .category = -1, .threshold = e->value[k]};
        st = read_mode(o, e, e->key[k].at, &mode);
        if (st == GPA_OK && mode != LEAF)
            st = make_branch(o, e, k, mode, first);
    }
    for (size_t k = first; k < end; k++) {
        if (!e->has_parent[k] && roots++ == 0)
            root = k;
    }
    if (st == GPA_OK && roots != 1)
        st = gpai_onnx_fail(o, GPA_DATA, "tree %lld: %zu roots",
                            (long long)e->key[first].tree, roots);
    if (st == GPA_OK)
        put_first(e->out + first, end - first, root - first);
    return st;
}

static gpa_status make_room(gpai_onnx_node *o, struct ensemble *e)
{
    e->key = gpai_onnx_room(o, e->nodes, sizeof *e->key);
    e->value = gpai_onnx_room(o, e->nodes, sizeof *e->value);
    e->has_value = gpai_onnx_room(o, e->nodes, sizeof *e->has_value);
    e->has_parent = gpai_onnx_room(o, e->nodes, sizeof *e->has_parent);
    e->start = gpai_onnx_room(o, e->nodes + 1, sizeof *e->start);
    e->out = gpai_onnx_room(o, e->nodes, sizeof *e->out);
    if (e->key == NULL || e->value == NULL || e->has_value == NULL ||
        e->has_parent == NULL || e->start == NULL || e->out == NULL)
        return gpai_onnx_no_room(o);
    return GPA_OK;
}

/* The step, once the trees are there. */
static gpa_status emit(gpai_onnx_node *o, const struct ensemble *e)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    const bool wide = a->store == GPAI_ONNX_WIDE;
    const gpai_forest_spec spec = {.arithmetic = wide ? GPAI_FOREST_DOUBLE_LE
                                                      : GPAI_FOREST_FLOAT_X_LE,
                                   .inputs = a->n,
                                   .trees = e->trees,
                                   .start = e->start,
                                   .node = e->out};
    gpai_onnx_step s = {.kind = GPAI_ONNX_FOREST_STEP, .function = wide, .d = a->n};
    gpai_onnx_value v = *a;
    v.type = GPAI_ONNX_FLOAT;
    v.store = GPAI_ONNX_NARROW;
    v.shape = (gpai_onnx_shape){1, {1}};
    s.p = e->divisor > 0 ? e->divisor : (double)e->trees;
    s.q = e->base.n > 0 ? gpai_onnx_number(&e->base, 0) : 0;
    gpa_status st = gpai_forest_new(&s.forest, &spec, o->g->file->path, o->err);
    if (st != GPA_OK)
        return st;
    if (gpai_onnx_register(o->g->program, a->n + 1, true, &s.b.reg))
        st = gpai_onnx_emit(o, &s, a, NULL, (double)e->trees, &v);
    else
        st = gpai_onnx_no_room(o);
    if (st == GPA_OK)
        *gpai_onnx_out(o, 0) = v;
    else
        gpai_forest_free(s.forest);
    return st;
}

gpa_status gpai_onnx_trees(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    struct ensemble e = {0};
    (void)which;
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank != 1 || a->type == GPAI_ONNX_BOOL)
        return gpai_onnx_refuse(o, "only for a table of numbers");
    gpa_status st = read_end(o, &e);
    if (st == GPA_OK)
        st = read_nodes(o, &e);
    if (st == GPA_OK)
        st = read_leaves(o, &e);
    if (st == GPA_OK)
        st = make_room(o, &e);
    if (st == GPA_OK)
        st = sort_keys(o, &e);
    if (st == GPA_OK)
        st = place_weights(o, &e);
    for (size_t t = 0; st == GPA_OK && t < e.trees; t++)
        st = make_tree(o, &e, t);
    return st == GPA_OK ? emit(o, &e) : st;
}
