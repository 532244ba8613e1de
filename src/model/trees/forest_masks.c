#include "model/trees/forest_masks.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

#define GPAI_LOOPS "model/trees/forest_masks_loops.h"
#include "base/cpu_sets.h"

enum {
    PLANE = 8,     /* leaves */
    COLUMN = 255,  /* ranks from 0 to it */
    PER_LEVEL = 32 /* masks that take no longer than one step down for every row */
};

#define SET(x) x##_leaves
static const gpai_masks_leaves SETS[] = {GPAI_CPU_SETS(SET)};

gpai_masks_leaves gpai_masks_leaves_at(size_t i)
{
    const gpai_masks_leaves *found = gpai_cpu_at(SETS, sizeof SETS[0], i);
    return found != NULL ? *found : NULL;
}

void gpai_masks_free(gpai_masks *m)
{
    if (m == NULL)
        return;
    gpai_free(m->value);
    gpai_free(m->end);
    gpai_free(m->mask);
    gpai_free(m->cut);
    gpai_free(m->view);
    gpai_free(m->tree);
    gpai_free(m);
}

/* What is needed only while masks are made. */
struct builder {
    const gpai_forest *f;
    const gpai_plain *node;
    const size_t *start;
    gpai_masks *m;
    uint32_t *leaves; /* below each node of the tree at hand */
    uint32_t *first;  /* the number of the first of them */
    size_t masks, ends, values;
    size_t levels; /* of all trees with masks */
};

/* Leaves below each node, from the last node up, then their numbers from the root
 * down. */
static void number_leaves(struct builder *b, const gpai_plain *node, size_t n)
{
    for (size_t i = n; i-- > 0;)
        b->leaves[i] = node[i].left == 0
                           ? 1
                           : b->leaves[node[i].left] + b->leaves[node[i].left + 1];
    b->first[0] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t left = node[i].left;
        if (left == 0)
            continue;
        b->first[left] = b->first[i];
        b->first[left + 1] = b->first[i] + b->leaves[left];
    }
}

/* The planes that a split strikes leaves out of, from *plane on. */
static size_t planes_of(const struct builder *b, const gpai_plain *split, size_t *plane)
{
    size_t first = b->first[split->left], last = first + b->leaves[split->left] - 1;
    *plane = first / PLANE;
    return last / PLANE - *plane + 1;
}

/* Whether masks are worth it for tree t, and room for them. */
static void choose(struct builder *b, size_t t)
{
    const gpai_tree *tree = &b->f->tree[t];
    const gpai_plain *node = b->node + b->start[t];
    if (tree->kind == GPAI_TREE_ODD || tree->nodes > 2 * GPAI_MASK_LEAVES - 1)
        return;
    number_leaves(b, node, tree->nodes);
    size_t masks = 0, plane;
    for (size_t i = 0; i < tree->nodes; i++)
        if (node[i].left != 0)
            masks += planes_of(b, &node[i], &plane);
    if (masks > PER_LEVEL * (size_t)tree->depth)
        return;
    size_t planes = (b->leaves[0] + PLANE - 1) / PLANE;
    b->m->tree[t] = (gpai_mask_tree){planes, b->ends + 1, b->values};
    b->masks += masks;
    b->ends += planes + 1;
    b->values += b->leaves[0];
    b->levels += tree->depth;
    for (size_t i = 0; i < tree->nodes; i++)
        if (node[i].left != 0)
            b->m->view[node[i].view].n++;
}

/* As measured, with trees of 3 to 15 levels and 8 to 250 leaves: a chunk takes as long
 * as 5 to 30 rows take that walk. */
static size_t few_rows(const struct builder *b)
{
    return 4 + (b->masks + 3 * b->ends) / (2 * b->levels + 1);
}

/* The thresholds of every view, sorted, each once, and what columns that makes. */
static void lay_cuts(struct builder *b)
{
    gpai_masks *m = b->m;
    size_t filled = 0;
    for (size_t v = 0; v < b->f->views; v++) {
        m->view[v].first = filled;
        filled += m->view[v].n;
        m->view[v].n = 0;
    }
    for (size_t t = 0; t < b->f->trees; t++) {
        const gpai_plain *node = b->node + b->start[t];
        for (size_t i = 0; m->tree[t].planes > 0 && i < b->f->tree[t].nodes; i++) {
            gpai_cuts *of = &m->view[node[i].view];
            if (node[i].left != 0)
                m->cut[of->first + of->n++] = node[i].t;
        }
    }
    for (size_t v = 0; v < b->f->views; v++) {
        gpai_cuts *of = &m->view[v];
        gpai_sort(m->cut + of->first, of->n);
        of->n = gpai_sorted_distinct(m->cut + of->first, of->n, (double)NAN);
        of->column = m->columns;
        m->columns += (of->n + COLUMN - 1) / COLUMN;
    }
}

/* Where a threshold stands among the cuts of its view. */
static size_t place_of(const gpai_masks *m, const gpai_cuts *of, double t)
{
    const double *cut = m->cut + of->first;
    size_t low = 0, high = of->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (cut[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t four_times(uint32_t byte)
{
    return (byte & 0xff) * UINT32_C(0x01010101);
}

/* The leaves of plane p that a split leaves alone. */
static uint32_t kept(const struct builder *b, const gpai_plain *split, size_t p)
{
    size_t first = b->first[split->left], end = first + b->leaves[split->left];
    uint32_t keep = 0;
    for (size_t i = 0; i < PLANE; i++)
        if (PLANE * p + i < first || PLANE * p + i >= end)
            keep |= 1u << i;
    return keep;
}

static void put_split(struct builder *b, const gpai_plain *split, uint32_t *end)
{
    const gpai_cuts *of = &b->m->view[split->view];
    size_t place = place_of(b->m, of, split->t), plane;
    size_t column = of->column + place / COLUMN;
    size_t planes = planes_of(b, split, &plane);
    for (size_t p = plane; p < plane + planes; p++)
        b->m->mask[end[p]++] =
            (gpai_mask){(uint32_t)(column * GPAI_MASK_ROWS),
                        four_times((uint32_t)(place % COLUMN) + 1 - 128),
                        four_times(kept(b, split, p))};
}

static void put_value(const struct builder *b, size_t i, double value)
{
    if (b->f->arithmetic == GPAI_FOREST_FLOAT_LT)
        ((float *)b->m->value)[i] = (float)value;
    else
        ((double *)b->m->value)[i] = value;
}

/* The masks of tree t, from mask `filled` on; where they end. */
static size_t lay_tree(struct builder *b, size_t t, size_t filled)
{
    const gpai_mask_tree *tree = &b->m->tree[t];
    const gpai_plain *node = b->node + b->start[t];
    size_t nodes = b->f->tree[t].nodes, plane;
    uint32_t *end = b->m->end + tree->end;
    number_leaves(b, node, nodes);
    for (size_t i = 0; i < nodes; i++) { /* first, how many each plane has */
        size_t planes = node[i].left != 0 ? planes_of(b, &node[i], &plane) : 0;
        for (size_t p = 0; p < planes; p++)
            end[plane + p]++;
        if (node[i].left == 0)
            put_value(b, tree->value + b->first[i], node[i].t);
    }
    end[-1] = (uint32_t)filled;
    for (size_t p = 0; p < tree->planes; p++) { /* then, where each begins */
        size_t masks = end[p];
        end[p] = (uint32_t)filled;
        filled += masks;
    }
    for (size_t i = 0; i < nodes; i++)
        if (node[i].left != 0)
            put_split(b, &node[i], end);
    return filled;
}

static bool take_memory(struct builder *b)
{
    gpai_masks *m = b->m;
    size_t cuts = 0;
    for (size_t v = 0; v < b->f->views; v++)
        cuts += m->view[v].n;
    m->cut = gpai_calloc(cuts, sizeof *m->cut);
    m->mask = gpai_calloc(b->masks, sizeof *m->mask);
    m->end = gpai_calloc(b->ends, sizeof *m->end);
    m->value = gpai_calloc(b->values, b->f->arithmetic == GPAI_FOREST_FLOAT_LT
                                          ? sizeof(float)
                                          : sizeof(double));
    return m->cut != NULL && m->mask != NULL && m->end != NULL && m->value != NULL;
}

static bool prepare(struct builder *b)
{
    enum { NODES = 2 * GPAI_MASK_LEAVES };
    b->m = gpai_calloc(1, sizeof *b->m);
    b->leaves = gpai_calloc(NODES, sizeof *b->leaves);
    b->first = gpai_calloc(NODES, sizeof *b->first);
    if (b->m == NULL || b->leaves == NULL || b->first == NULL)
        return false;
    b->m->tree = gpai_calloc(b->f->trees, sizeof *b->m->tree);
    b->m->view = gpai_calloc(b->f->views, sizeof *b->m->view);
    return b->m->tree != NULL && b->m->view != NULL;
}

gpa_status gpai_masks_new(gpai_masks **out, const gpai_forest *f,
                          const gpai_plain *node, const size_t *start, gpa_error *err)
{
    struct builder b = {.f = f, .node = node, .start = start};
    gpa_status st = GPA_OK;
    *out = NULL;
    if (!prepare(&b)) {
        st = gpai_nomem(err, "forest");
        goto done;
    }
    for (size_t t = 0; t < f->trees; t++)
        choose(&b, t);
    if (b.values == 0 || b.masks > UINT32_MAX)
        goto done;
    if (!take_memory(&b)) {
        st = gpai_nomem(err, "forest");
        goto done;
    }
    b.m->few = few_rows(&b);
    lay_cuts(&b);
    if (b.m->columns * GPAI_MASK_ROWS > GPAI_FOREST_ROOM)
        goto done;
    for (size_t t = 0, filled = 0; t < f->trees; t++)
        if (b.m->tree[t].planes > 0)
            filled = lay_tree(&b, t, filled);
    *out = b.m;
    b.m = NULL;
done:
    gpai_free(b.first);
    gpai_free(b.leaves);
    gpai_masks_free(b.m);
    return st;
}
