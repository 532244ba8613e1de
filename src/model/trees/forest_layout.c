#include "model/trees/forest_layout.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/trees/forest_masks.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { NO_VIEW = 0 }; /* in the table of views, whose entries are indices from 1 */

/* What is needed only while a forest is built. */
struct builder {
    const gpai_forest_spec *spec;
    const char *file;
    gpai_forest *f;
    uint32_t *order; /* of the tree at hand: its nodes, breadth first */
    bool *seen;
    uint32_t *view;    /* by input and kind */
    gpai_plain *plain; /* all nodes, as masks are made of them */
    size_t splits, links, odd, values;
};

static gpa_status broken(const char *file, size_t tree, size_t node, const char *what,
                         int32_t value, gpa_error *err)
{
    return gpai_bad_file(err, file, "tree %zu: node %zu: %s %ld", tree, node, what,
                         (long)value);
}

/* Goes through tree t breadth first: its nodes into b->order, their number and the
 * depth into `tree`. Nodes that make no tree are GPA_DATA. */
static gpa_status visit(struct builder *b, size_t t, gpai_tree *tree, gpa_error *err)
{
    const gpai_forest_spec *spec = b->spec;
    uint32_t *order = b->order;
    bool *seen = b->seen;
    const gpai_node *node = spec->node + spec->start[t];
    size_t n = spec->start[t + 1] - spec->start[t], filled = 1, level = 1;
    *tree = (gpai_tree){.nodes = 0};
    if (n == 0)
        return gpai_bad_file(err, b->file, "tree %zu: no nodes", t);
    memset(seen, 0, n * sizeof *seen);
    order[0] = 0;
    seen[0] = true;
    for (size_t i = 0; i < filled; i++) {
        const gpai_node *at = &node[order[i]];
        if (i == level) { /* the first of the next level */
            tree->depth++;
            level = filled;
        }
        if (at->input < 0)
            continue;
        if ((size_t)at->input >= spec->inputs)
            return broken(b->file, t, order[i], "there is no input", at->input, err);
        const int32_t child[2] = {at->left, at->right};
        for (int k = 0; k < 2; k++) {
            if (child[k] < 0 || (size_t)child[k] >= n)
                return broken(b->file, t, order[i], "there is no node", child[k], err);
            if (seen[child[k]])
                return broken(b->file, t, order[i], "a second way to node", child[k],
                              err);
            seen[child[k]] = true;
            order[filled++] = (uint32_t)child[k];
        }
    }
    tree->nodes = filled;
    return GPA_OK;
}

/* The number below which x goes left; NaN when comparing with one number will not do.
 * Infinite x are no larger than the largest number where `<=` is asked (fill_view in
 * forest_kernel.h), so that +infinity is free for missing ones; that largest number
 * itself is then no threshold. */
static double bound(gpai_forest_arithmetic arithmetic, double t)
{
    if (arithmetic == GPAI_FOREST_FLOAT_LT)
        return (double)(float)t;
    if (arithmetic == GPAI_FOREST_DOUBLE_LE)
        return t == DBL_MAX ? (double)NAN : nextafter(t, HUGE_VAL);
    float f = (float)t;
    if ((double)f > t)
        f = nextafterf(f, -HUGE_VALF);
    if (f == FLT_MAX)
        return (double)NAN;
    return (double)nextafterf(f, HUGE_VALF);
}

static gpai_view_kind view_kind(const gpai_node *n)
{
    switch ((gpai_missing_way)n->missing) {
    case GPAI_MISSING_NONE:
        return GPAI_VIEW_NAN_ZERO;
    case GPAI_MISSING_NAN:
        return n->default_left ? GPAI_VIEW_NAN_LEFT : GPAI_VIEW_NAN_RIGHT;
    case GPAI_MISSING_ZERO:
        return n->default_left ? GPAI_VIEW_ZERO_LEFT : GPAI_VIEW_ZERO_RIGHT;
    case GPAI_MISSING_RIGHT:
        break;
    }
    return GPAI_VIEW_NAN_RIGHT;
}

static uint32_t *view_of(struct builder *b, const gpai_node *n)
{
    return &b->view[(size_t)n->input * GPAI_VIEW_KINDS + view_kind(n)];
}

/* Decides how the tree in b->order is to lie; notes the views it needs. */
static void place(struct builder *b, size_t t, gpai_tree *tree)
{
    const gpai_node *node = b->spec->node + b->spec->start[t];
    gpai_plain *plain = b->plain + b->spec->start[t];
    uint32_t filled = 1;
    tree->kind =
        tree->depth <= GPAI_FOREST_COMPLETE ? GPAI_TREE_COMPLETE : GPAI_TREE_LINKED;
    for (size_t i = 0; i < tree->nodes; i++) {
        const gpai_node *n = &node[b->order[i]];
        plain[i] = (gpai_plain){.t = n->threshold};
        if (n->input < 0)
            continue;
        double below = bound(b->spec->arithmetic, n->threshold);
        if (n->category >= 0 || isnan(below)) {
            tree->kind = GPAI_TREE_ODD;
            return;
        }
        if (*view_of(b, n) == NO_VIEW)
            *view_of(b, n) = (uint32_t)++b->f->views;
        plain[i] = (gpai_plain){below, *view_of(b, n) - 1, filled};
        filled += 2;
    }
}

/* Where the tree begins, and how far it goes. */
static void count(struct builder *b, size_t t, gpai_tree *tree)
{
    const size_t nodes = b->spec->start[t + 1] - b->spec->start[t];
    const size_t leaves = (size_t)1
                          << (tree->depth <= GPAI_FOREST_COMPLETE ? tree->depth : 0);
    const struct {
        size_t *next, parts, values;
    } kinds[] = {[GPAI_TREE_COMPLETE] = {&b->splits, leaves - 1, leaves},
                 [GPAI_TREE_LINKED] = {&b->links, tree->nodes, tree->nodes},
                 [GPAI_TREE_ODD] = {&b->odd, nodes, 0}};
    tree->first = *kinds[tree->kind].next;
    tree->value = b->values;
    *kinds[tree->kind].next += kinds[tree->kind].parts;
    b->values += kinds[tree->kind].values;
}

/* What a tree takes when it is filled up. */
static size_t filled(const gpai_tree *tree)
{
    return tree->kind == GPAI_TREE_COMPLETE ? (size_t)2 << tree->depth : 0;
}

/* A few filled up trees may be mostly empty; when that comes to much memory, thin ones
 * are linked. */
static void link_thin(struct builder *b)
{
    enum { ANYWAY = 1 << 20, OF_ALL = 6, OF_ONE = 4 };
    size_t all = 0, nodes = b->spec->start[b->spec->trees];
    for (size_t t = 0; t < b->spec->trees; t++)
        all += filled(&b->f->tree[t]);
    for (size_t t = 0; all > ANYWAY + OF_ALL * nodes && t < b->spec->trees; t++)
        if (filled(&b->f->tree[t]) > OF_ONE * b->f->tree[t].nodes)
            b->f->tree[t].kind = GPAI_TREE_LINKED;
}

static gpa_status measure(struct builder *b, gpa_error *err)
{
    size_t number = gpai_forest_wide(b->f) ? sizeof(double) : sizeof(float);
    for (size_t t = 0; t < b->spec->trees; t++) {
        gpa_status st = visit(b, t, &b->f->tree[t], err);
        if (st != GPA_OK)
            return st;
        place(b, t, &b->f->tree[t]);
    }
    link_thin(b);
    bool too_many = b->f->views > GPAI_FOREST_ROOM / GPAI_FOREST_GROUP / number;
    if (too_many)
        b->f->views = 0;
    for (size_t t = 0; t < b->spec->trees; t++) {
        if (too_many)
            b->f->tree[t].kind = GPAI_TREE_ODD;
        count(b, t, &b->f->tree[t]);
    }
    return GPA_OK;
}

static bool take_memory(struct builder *b)
{
    gpai_forest *f = b->f;
    size_t words = 0;
    for (size_t i = 0; i < b->spec->start[b->spec->trees]; i++) {
        const gpai_node *n = &b->spec->node[i];
        if (n->category >= 0 && words < (size_t)n->category + (size_t)n->category_words)
            words = (size_t)n->category + (size_t)n->category_words;
    }
    bool wide = gpai_forest_wide(f);
    f->view = gpai_calloc(f->views, sizeof *f->view);
    f->split =
        gpai_calloc(b->splits, wide ? sizeof(gpai_split64) : sizeof(gpai_split32));
    f->link = gpai_calloc(b->links, wide ? sizeof(gpai_link64) : sizeof(gpai_link32));
    f->value =
        gpai_calloc(b->values, f->arithmetic == GPAI_FOREST_FLOAT_LT ? sizeof(float)
                                                                     : sizeof(double));
    f->odd = gpai_calloc(b->odd, sizeof *f->odd);
    f->bits = gpai_calloc(words, sizeof *f->bits);
    if (f->view == NULL || f->split == NULL || f->link == NULL || f->value == NULL ||
        f->odd == NULL || f->bits == NULL)
        return false;
    if (words > 0)
        memcpy(f->bits, b->spec->bits, words * sizeof *f->bits);
    return true;
}

static uint32_t view_at(struct builder *b, const gpai_node *n)
{
    return (*view_of(b, n) - 1) * GPAI_FOREST_GROUP;
}

static void put_split(struct builder *b, size_t i, const gpai_node *n)
{
    double t = bound(b->spec->arithmetic, n->threshold);
    if (gpai_forest_wide(b->f))
        ((gpai_split64 *)b->f->split)[i] = (gpai_split64){t, view_at(b, n)};
    else
        ((gpai_split32 *)b->f->split)[i] = (gpai_split32){(float)t, view_at(b, n)};
}

static void put_link(struct builder *b, size_t i, double t, uint32_t at, size_t left)
{
    uint32_t l = (uint32_t)left;
    if (gpai_forest_wide(b->f))
        ((gpai_link64 *)b->f->link)[i] = (gpai_link64){t, at, l};
    else
        ((gpai_link32 *)b->f->link)[i] = (gpai_link32){(float)t, at, l};
}

static void put_value(struct builder *b, size_t i, double value)
{
    if (b->spec->arithmetic == GPAI_FOREST_FLOAT_LT)
        ((float *)b->f->value)[i] = (float)value;
    else
        ((double *)b->f->value)[i] = value;
}

/* Fills places level by level: order[i] is the node that stands at place i of the
 * complete tree, or above it when the branch ended there, in which case the leaf is
 * passed on to both places below. What such a place asks does not matter. */
static void lay_complete(struct builder *b, const gpai_node *node,
                         const gpai_tree *tree)
{
    size_t splits = ((size_t)1 << tree->depth) - 1;
    b->order[0] = 0;
    for (size_t i = 0; i < splits; i++) {
        const gpai_node *n = &node[b->order[i]];
        bool leaf = n->input < 0;
        if (!leaf)
            put_split(b, tree->first + i, n);
        b->order[2 * i + 1] = leaf ? b->order[i] : (uint32_t)n->left;
        b->order[2 * i + 2] = leaf ? b->order[i] : (uint32_t)n->right;
    }
    for (size_t i = 0; i <= splits; i++)
        put_value(b, tree->value + i, node[b->order[splits + i]].threshold);
}

static void lay_linked(struct builder *b, const gpai_node *node, const gpai_tree *tree)
{
    size_t filled = 1;
    b->order[0] = 0;
    for (size_t i = 0; i < filled; i++) {
        const gpai_node *n = &node[b->order[i]];
        if (n->input < 0) {
            put_link(b, tree->first + i, (double)NAN, 0, i);
            put_value(b, tree->value + i, n->threshold);
            continue;
        }
        put_link(b, tree->first + i, bound(b->spec->arithmetic, n->threshold),
                 view_at(b, n), filled);
        b->order[filled++] = (uint32_t)n->left;
        b->order[filled++] = (uint32_t)n->right;
    }
}

static void lay_views(struct builder *b)
{
    for (size_t i = 0; i < b->spec->inputs * GPAI_VIEW_KINDS && b->f->views > 0; i++) {
        if (b->view[i] != NO_VIEW)
            b->f->view[b->view[i] - 1] = (gpai_view){
                (uint32_t)(i / GPAI_VIEW_KINDS), (gpai_view_kind)(i % GPAI_VIEW_KINDS)};
    }
}

static void lay_out(struct builder *b)
{
    lay_views(b);
    for (size_t t = 0; t < b->spec->trees; t++) {
        const gpai_tree *tree = &b->f->tree[t];
        const gpai_node *node = b->spec->node + b->spec->start[t];
        if (tree->kind == GPAI_TREE_COMPLETE)
            lay_complete(b, node, tree);
        else if (tree->kind == GPAI_TREE_LINKED)
            lay_linked(b, node, tree);
        else
            memcpy(b->f->odd + tree->first, node,
                   (b->spec->start[t + 1] - b->spec->start[t]) * sizeof *node);
    }
}

/* The builder's own arrays: room for the nodes of any tree, padded or not. */
static bool prepare(struct builder *b)
{
    size_t most = (size_t)2 << GPAI_FOREST_COMPLETE;
    for (size_t t = 0; t < b->spec->trees; t++) {
        size_t n = b->spec->start[t + 1] - b->spec->start[t];
        if (most < n)
            most = n;
    }
    b->order = gpai_calloc(most, sizeof *b->order);
    b->seen = gpai_calloc(most, sizeof *b->seen);
    b->view = gpai_calloc(b->spec->inputs, GPAI_VIEW_KINDS * sizeof *b->view);
    b->plain = gpai_calloc(b->spec->start[b->spec->trees], sizeof *b->plain);
    b->f->tree = gpai_calloc(b->spec->trees, sizeof *b->f->tree);
    return b->order != NULL && b->seen != NULL && b->view != NULL && b->plain != NULL &&
           b->f->tree != NULL;
}

gpa_status gpai_forest_new(gpai_forest **out, const gpai_forest_spec *spec,
                           const char *file, gpa_error *err)
{
    struct builder b = {.spec = spec, .file = file};
    gpa_status st = GPA_OK;
    *out = NULL;
    b.f = gpai_calloc(1, sizeof *b.f);
    if (b.f == NULL)
        return gpai_nomem(err, "forest");
    b.f->arithmetic = spec->arithmetic;
    b.f->trees = spec->trees;
    b.f->base = spec->base;
    if (!prepare(&b)) {
        st = gpai_nomem(err, "forest");
        goto done;
    }
    st = measure(&b, err);
    if (st != GPA_OK)
        goto done;
    if (!take_memory(&b)) {
        st = gpai_nomem(err, "forest");
        goto done;
    }
    lay_out(&b);
    st = gpai_masks_new(&b.f->masks, b.f, b.plain, spec->start, err);
    if (st != GPA_OK)
        goto done;
    *out = b.f;
    b.f = NULL;
done:
    gpai_free(b.plain);
    gpai_free(b.view);
    gpai_free(b.seen);
    gpai_free(b.order);
    gpai_forest_free(b.f);
    return st;
}
