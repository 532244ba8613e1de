#include "base/text/show.h"
#include "base/text/words.h"
#include "model/onnx/ops/ops.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What TreeEnsembleRegressor says: parallel lists about nodes, and about the weights of
 * leaves. All but the tensors are the file's. */
struct ensemble {
    size_t nodes;
    const int64_t *tree, *node, *input, *yes, *no;
    const int64_t *tracks; /* NULL: nothing goes the yes-way because it is missing */
    const ProtobufCBinaryData *mode;
    gpai_onnx_value threshold;
    size_t leaves;
    const int64_t *leaf_tree, *leaf_node, *leaf_target;
    gpai_onnx_value weight, base;
    bool average; /* of the trees, not their sum */
};

/* A node's name, and its place in the lists of the file. */
struct key {
    int64_t tree, node;
    size_t at;
};

/* How a node decides: `x <= t` to one side, or to the other, where t may have to be the
 * next smaller number (for `<`). */
enum { LEQ, LT, GTE, GT, LEAF, MODES };

/* The trees as they are made. */
struct maker {
    struct ensemble e;
    struct key *key; /* sorted */
    double *value;   /* of leaves, in the order of the keys */
    bool *has_value, *has_parent;
    size_t *start;
    gpai_node *out;
    size_t trees;
};

static const int64_t *read_ints(gpai_onnx_node *o, const char *name, size_t n)
{
    size_t have;
    const int64_t *list = gpai_onnx_ints(o, name, &have);
    if (have != n)
        gpai_onnx_fail(o, GPA_DATA, "%s: %zu numbers, expected %zu", name, have, n);
    return list;
}

/* Numbers that stand in a list of float or, for double, in a tensor. */
static void read_numbers(gpai_onnx_node *o, const char *name, gpai_onnx_value *out)
{
    char as_tensor[64];
    snprintf(as_tensor, sizeof as_tensor, "%s_as_tensor", name);
    const GpaiOnnx__Tensor *t = gpai_onnx_tensor(o, as_tensor);
    if (t == NULL) {
        const float *list = gpai_onnx_floats(o, name, &out->n);
        *out = gpai_onnx_floating(list, out->n);
        return;
    }
    if (gpai_onnx_load(o, t, out) == GPA_OK && out->store == GPAI_ONNX_WHOLE)
        gpai_onnx_fail(o, GPA_DATA, "%s: whole numbers", as_tensor);
}

static void read_nodes(gpai_onnx_node *o, struct ensemble *e)
{
    size_t modes, tracks;
    e->tree = gpai_onnx_ints(o, "nodes_treeids", &e->nodes);
    if (e->nodes == 0 || e->nodes > INT32_MAX)
        gpai_onnx_fail(o, GPA_DATA, "no nodes, or too many");
    e->node = read_ints(o, "nodes_nodeids", e->nodes);
    e->input = read_ints(o, "nodes_featureids", e->nodes);
    e->yes = read_ints(o, "nodes_truenodeids", e->nodes);
    e->no = read_ints(o, "nodes_falsenodeids", e->nodes);
    e->tracks = gpai_onnx_ints(o, "nodes_missing_value_tracks_true", &tracks);
    if (tracks == 0)
        e->tracks = NULL;
    e->mode = gpai_onnx_strings(o, "nodes_modes", &modes);
    read_numbers(o, "nodes_values", &e->threshold);
    if (modes != e->nodes || e->threshold.n != e->nodes ||
        (tracks != 0 && tracks != e->nodes))
        gpai_onnx_fail(o, GPA_DATA, "lists of different lengths about %zu nodes",
                       e->nodes);
    gpai_onnx_ignore(o, "nodes_hitrates");
    gpai_onnx_ignore(o, "nodes_hitrates_as_tensor");
}

static void read_leaves(gpai_onnx_node *o, struct ensemble *e)
{
    e->leaf_tree = gpai_onnx_ints(o, "target_treeids", &e->leaves);
    e->leaf_node = read_ints(o, "target_nodeids", e->leaves);
    e->leaf_target = read_ints(o, "target_ids", e->leaves);
    read_numbers(o, "target_weights", &e->weight);
    if (e->weight.n != e->leaves)
        gpai_onnx_fail(o, GPA_DATA, "target_weights: %zu numbers, expected %zu",
                       e->weight.n, e->leaves);
}

/* What happens to the sum of the leaves. */
static void read_end(gpai_onnx_node *o, struct ensemble *e)
{
    const char *how = "SUM";
    size_t length = 3;
    gpai_onnx_only(o, "post_transform", "NONE");
    int64_t targets = gpai_onnx_int(o, "n_targets", 1);
    if (targets != 1)
        gpai_onnx_fail(o, GPA_UNSUPPORTED,
                       "%lld targets; only one number per row is supported",
                       (long long)targets);
    gpai_onnx_string(o, "aggregate_function", &how, &length);
    read_numbers(o, "base_values", &e->base);
    if (e->base.n > 1)
        gpai_onnx_fail(o, GPA_DATA, "%zu base_values for one target", e->base.n);
    e->average = gpai_word_is(how, length, "AVERAGE");
    if (!e->average && !gpai_word_is(how, length, "SUM"))
        gpai_onnx_fail(
            o, GPA_UNSUPPORTED,
            "aggregate_function '%s' is not supported, only 'SUM' and 'AVERAGE'",
            gpai_show(how, length).text);
}

static int compare(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Place of a node among the sorted keys; m->e.nodes when there is none. */
static size_t find(const struct maker *m, int64_t tree, int64_t node)
{
    const struct key wanted = {tree, node, 0};
    const struct key *found =
        bsearch(&wanted, m->key, m->e.nodes, sizeof *m->key, compare);
    return found != NULL ? (size_t)(found - m->key) : m->e.nodes;
}

static gpa_status sort_keys(gpai_onnx_node *o, struct maker *m)
{
    for (size_t i = 0; i < m->e.nodes; i++)
        m->key[i] = (struct key){m->e.tree[i], m->e.node[i], i};
    qsort(m->key, m->e.nodes, sizeof *m->key, compare);
    for (size_t i = 0; i < m->e.nodes; i++) {
        if (i > 0 && compare(&m->key[i - 1], &m->key[i]) == 0)
            return gpai_onnx_fail(o, GPA_DATA, "tree %lld: node %lld is there twice",
                                  (long long)m->key[i].tree, (long long)m->key[i].node);
        if (i == 0 || m->key[i - 1].tree != m->key[i].tree)
            m->start[m->trees++] = i;
    }
    m->start[m->trees] = m->e.nodes;
    return GPA_OK;
}

static int read_mode(gpai_onnx_node *o, const struct maker *m, size_t at)
{
    static const char *const names[MODES] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                             "BRANCH_GT", "LEAF"};
    const ProtobufCBinaryData *text = &m->e.mode[at];
    for (int mode = 0; mode < MODES; mode++)
        if (gpai_word_is((const char *)text->data, text->len, names[mode]))
            return mode;
    gpai_onnx_fail(
        o, GPA_UNSUPPORTED, "nodes of mode '%s' are not supported",
        gpai_show(text->len > 0 ? (const char *)text->data : "", text->len).text);
    return LEAF;
}

/* Leaves get their values. One that has none adds nothing. */
static gpa_status place_weights(gpai_onnx_node *o, struct maker *m)
{
    for (size_t i = 0; i < m->e.leaves; i++) {
        size_t k = find(m, m->e.leaf_tree[i], m->e.leaf_node[i]);
        int mode = k < m->e.nodes ? read_mode(o, m, m->key[k].at) : LEQ;
        if (k == m->e.nodes || mode != LEAF || m->has_value[k])
            return gpai_onnx_fail(
                o, GPA_DATA,
                "tree %lld: a weight for node %lld, which is no leaf or has one",
                (long long)m->e.leaf_tree[i], (long long)m->e.leaf_node[i]);
        if (m->e.leaf_target[i] != 0)
            return gpai_onnx_fail(o, GPA_DATA, "a weight for target %lld of one",
                                  (long long)m->e.leaf_target[i]);
        m->has_value[k] = true;
        m->value[k] = gpai_onnx_number(&m->e.weight, i);
    }
    return o->st;
}

/* A child as a place in the tree that starts at `first`. */
static int32_t find_child(gpai_onnx_node *o, struct maker *m, size_t k, int64_t child,
                          size_t first)
{
    size_t found = find(m, m->key[k].tree, child);
    if (found < m->e.nodes)
        m->has_parent[found] = true;
    else
        gpai_onnx_fail(o, GPA_DATA, "tree %lld: node %lld: no child %lld",
                       (long long)m->key[k].tree, (long long)m->key[k].node,
                       (long long)child);
    return (int32_t)(found - first);
}

static gpa_status make_branch(gpai_onnx_node *o, struct maker *m, size_t k, int mode,
                              size_t first)
{
    const size_t at = m->key[k].at;
    const bool swapped = mode == GT || mode == GTE;
    const bool tracks = m->e.tracks != NULL && m->e.tracks[at] != 0;
    gpai_node *to = &m->out[k];
    double t = gpai_onnx_number(&m->e.threshold, at);
    if (isnan(t) || ((mode == LT || mode == GTE) && t == -HUGE_VAL))
        return gpai_onnx_fail(o, GPA_UNSUPPORTED,
                              "tree %lld: node %lld: a threshold of %g",
                              (long long)m->key[k].tree, (long long)m->key[k].node, t);
    if (m->e.input[at] < 0 || m->e.input[at] > INT32_MAX)
        return gpai_onnx_fail(o, GPA_DATA, "tree %lld: node %lld: no input %lld",
                              (long long)m->key[k].tree, (long long)m->key[k].node,
                              (long long)m->e.input[at]);
    to->input = (int32_t)m->e.input[at];
    to->threshold = mode == LT || mode == GTE ? nextafter(t, -HUGE_VAL) : t;
    to->missing = GPAI_MISSING_NAN;
    to->default_left = swapped != tracks;
    *(swapped ? &to->right : &to->left) = find_child(o, m, k, m->e.yes[at], first);
    *(swapped ? &to->left : &to->right) = find_child(o, m, k, m->e.no[at], first);
    return o->st;
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

static gpa_status make_tree(gpai_onnx_node *o, struct maker *m, size_t t)
{
    const size_t first = m->start[t], end = m->start[t + 1];
    size_t roots = 0, root = first, low = SIZE_MAX, high = 0;
    for (size_t k = first; o->st == GPA_OK && k < end; k++) {
        m->out[k] = (gpai_node){.input = -1, .category = -1, .threshold = m->value[k]};
        int mode = read_mode(o, m, m->key[k].at);
        if (mode != LEAF)
            make_branch(o, m, k, mode, first);
    }
    for (size_t k = first; k < end; k++) {
        low = m->key[k].at < low ? m->key[k].at : low;
        high = m->key[k].at > high ? m->key[k].at : high;
        if (!m->has_parent[k] && roots++ == 0)
            root = k;
    }
    /* Others take a tree's first node in the list for its root, whatever the ids say:
     * what would not be the same is refused. */
    if (roots != 1 || m->key[root].at != low || high - low != end - 1 - first)
        gpai_onnx_fail(o, GPA_DATA,
                       "tree %lld: its nodes must stand together, the root, and no "
                       "other without a parent, first",
                       (long long)m->key[first].tree);
    if (o->st == GPA_OK)
        put_first(m->out + first, end - first, root - first);
    return o->st;
}

static gpa_status make_room(gpai_onnx_node *o, struct maker *m)
{
    m->key = gpai_onnx_room(o, m->e.nodes, sizeof *m->key);
    m->value = gpai_onnx_room(o, m->e.nodes, sizeof *m->value);
    m->has_value = gpai_onnx_room(o, m->e.nodes, sizeof *m->has_value);
    m->has_parent = gpai_onnx_room(o, m->e.nodes, sizeof *m->has_parent);
    m->start = gpai_onnx_room(o, m->e.nodes + 1, sizeof *m->start);
    m->out = gpai_onnx_room(o, m->e.nodes, sizeof *m->out);
    return o->st;
}

/* The step, once the trees are there. */
static gpa_status emit(gpai_onnx_node *o, const struct maker *m)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    const bool wide = a->store == GPAI_ONNX_WIDE;
    const gpai_forest_spec spec = {.arithmetic = wide ? GPAI_FOREST_DOUBLE_LE
                                                      : GPAI_FOREST_FLOAT_X_LE,
                                   .inputs = a->n,
                                   .trees = m->trees,
                                   .start = m->start,
                                   .node = m->out};
    gpai_onnx_step s = {.kind = GPAI_ONNX_FOREST_STEP, .function = wide, .d = a->n};
    gpai_onnx_value v = *a;
    v.type = GPAI_ONNX_FLOAT;
    v.store = GPAI_ONNX_NARROW;
    v.shape = (gpai_onnx_shape){1, {1}};
    s.p = m->e.average ? (double)m->trees : 1;
    s.q = m->e.base.n > 0 ? gpai_onnx_number(&m->e.base, 0) : 0;
    o->st = gpai_forest_new(&s.forest, &spec, o->g->file->path, o->err);
    if (o->st != GPA_OK)
        return o->st;
    if (!gpai_onnx_register(o->g->program, a->n + 1, true, &s.b.reg))
        gpai_onnx_no_room(o);
    gpai_onnx_emit(o, &s, a, NULL, (double)m->trees, &v, gpai_onnx_out(o, 0));
    if (o->st != GPA_OK)
        gpai_forest_free(s.forest);
    return o->st;
}

gpa_status gpai_onnx_trees(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    struct maker m = {0};
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank != 1 || a->type == GPAI_ONNX_BOOL)
        return gpai_onnx_refuse(o, "anything but a table of numbers");
    read_end(o, &m.e);
    read_nodes(o, &m.e);
    read_leaves(o, &m.e);
    if (o->st != GPA_OK || make_room(o, &m) != GPA_OK || sort_keys(o, &m) != GPA_OK ||
        place_weights(o, &m) != GPA_OK)
        return o->st;
    for (size_t t = 0; o->st == GPA_OK && t < m.trees; t++)
        make_tree(o, &m, t);
    return o->st == GPA_OK ? emit(o, &m) : o->st;
}
