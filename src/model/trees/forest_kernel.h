/* The walk for one arithmetic; a template without include guard. forest.c includes it
 * once for each, with these macros:
 *
 * - REAL, REAL_MAX: the type that inputs and thresholds are compared in
 * - SUM: the type that leaves are added up in
 * - SPLIT, LINK: the structs of REAL in forest_layout.h
 * - CLAMP: whether infinity belongs to missing values (forest_layout.c)
 * - NAMED(x): the name that x gets in this instance */

/* One view of a group's rows, at most GROUP of them; the last one stands in for those
 * that are not there. */
static void NAMED(fill_view)(gpai_view view, const double *x, size_t rows, size_t d,
                             REAL *to)
{
    bool zero = view.kind == GPAI_VIEW_ZERO_LEFT || view.kind == GPAI_VIEW_ZERO_RIGHT;
    bool left = view.kind == GPAI_VIEW_NAN_LEFT || view.kind == GPAI_VIEW_ZERO_LEFT;
    REAL missing = left                              ? (REAL)NAN
                   : view.kind == GPAI_VIEW_NAN_ZERO ? 0
                                                     : (REAL)HUGE_VAL;
    for (size_t r = 0; r < GROUP; r++) {
        double v = x[(r < rows ? r : rows - 1) * d + view.input];
        REAL number = (REAL)v;
        if (CLAMP && number > REAL_MAX)
            number = REAL_MAX;
        to[r] = isnan(v) || (zero && fabs(v) <= (double)1e-35f) ? missing : number;
    }
}

static void NAMED(fill)(const gpai_forest *f, const double *x, size_t rows, size_t d,
                        REAL *block)
{
    for (size_t r = 0; r < rows; r += GROUP) {
        for (size_t v = 0; v < f->views; v++, block += GROUP)
            NAMED(fill_view)(f->view[v], x + r * d, rows - r, d, block);
    }
}

/* Some rows of a group through one tree. Each has a local of its own, which the
 * compiler keeps in a register. */
#define START(r) size_t a##r = 0;
#define DOWN(r)  a##r = 2 * a##r + 2 - !(x[(size_t)s[a##r].at + r] >= s[a##r].t);
#define ADD(r)   sum[r] += value[a##r - splits];
#define COMPLETE(rows, EACH)                                                           \
    static void NAMED(complete##rows)(const SPLIT *s, size_t depth, const SUM *value,  \
                                      const REAL *x, SUM *sum)                         \
    {                                                                                  \
        EACH(START)                                                                    \
        for (size_t i = 0; i < depth; i++) {                                           \
            EACH(DOWN)                                                                 \
        }                                                                              \
        const size_t splits = ((size_t)1 << depth) - 1;                                \
        EACH(ADD)                                                                      \
    }
COMPLETE(8, EACH8)
COMPLETE(1, EACH1)
#undef DOWN
#undef ADD

/* Places grow on the way down; when their sum does not, all rows are at leaves. */
#define DOWN(r)  a##r = s[a##r].left + (x[(size_t)s[a##r].at + r] >= s[a##r].t);
#define ADD(r)   sum[r] += value[a##r];
#define TOTAL(r) +a##r
#define LINKED(rows, EACH)                                                             \
    static void NAMED(linked##rows)(const LINK *s, size_t depth, const SUM *value,     \
                                    const REAL *x, SUM *sum)                           \
    {                                                                                  \
        size_t before, after = 0;                                                      \
        EACH(START)                                                                    \
        (void)depth;                                                                   \
        do {                                                                           \
            before = after;                                                            \
            for (int i = 0; i < 4; i++) {                                              \
                EACH(DOWN)                                                             \
            }                                                                          \
            after = EACH(TOTAL);                                                       \
        } while (after != before);                                                     \
        EACH(ADD)                                                                      \
    }
LINKED(8, EACH8)
LINKED(1, EACH1)
#undef START
#undef DOWN
#undef ADD
#undef TOTAL
#undef COMPLETE
#undef LINKED

/* All rows of a block through one tree: in groups, and one by one when there are too
 * few for that. */
#define TREE(kind, type)                                                               \
    static void NAMED(add_##kind)(const type *s, size_t depth, const SUM *value,       \
                                  const REAL *x, size_t step, size_t rows, SUM *sum)   \
    {                                                                                  \
        size_t r = 0;                                                                  \
        for (; r + FEW < rows; r += GROUP, x += step)                                  \
            NAMED(kind##8)(s, depth, value, x, sum + r);                               \
        for (; r < rows; r++, x++)                                                     \
            NAMED(kind##1)(s, depth, value, x, sum + r);                               \
    }
TREE(complete, SPLIT)
TREE(linked, LINK)
#undef TREE

static void NAMED(add_odd)(const gpai_forest *f, const gpai_node *node, const double *x,
                           size_t rows, size_t d, SUM *sum)
{
    for (size_t r = 0; r < rows; r++)
        sum[r] += (SUM)odd_leaf(f, node, x + r * d);
}

static void NAMED(add_tree)(const gpai_forest *f, const gpai_tree *tree,
                            const REAL *block, const double *x, size_t rows, size_t d,
                            SUM *sum)
{
    const SUM *value = (const SUM *)f->value + tree->value;
    size_t step = f->views * GROUP;
    switch (tree->kind) {
    case GPAI_TREE_COMPLETE:
        NAMED(add_complete)
        ((const SPLIT *)f->split + tree->first, tree->depth, value, block, step, rows,
         sum);
        break;
    case GPAI_TREE_LINKED:
        NAMED(add_linked)
        ((const LINK *)f->link + tree->first, tree->depth, value, block, step, rows,
         sum);
        break;
    case GPAI_TREE_ODD:
        NAMED(add_odd)(f, f->odd + tree->first, x, rows, d, sum);
        break;
    }
}

/* How many of n cuts in their order each row of a group reaches; NaN none. */
#define START(r) size_t a##r = 0;
#define HALVE(r) a##r += (double)x[r] >= cut[a##r + half - 1] ? half : 0;
#define LAST(r)  out[r] = (uint32_t)(a##r + ((double)x[r] >= cut[a##r]));
static void NAMED(reached)(const double *cut, size_t n, const REAL *x, uint32_t *out)
{
    EACH8(START)
    for (size_t half; n > 1; n -= half) {
        half = n / 2;
        EACH8(HALVE)
    }
    EACH8(LAST)
}
#undef START
#undef HALVE
#undef LAST

/* The ranks of a group's rows into a chunk of them, from its place there on. */
static void NAMED(rank_group)(const gpai_forest *f, const REAL *block, int8_t *rank)
{
    for (size_t v = 0; v < f->views; v++, block += GROUP) {
        const gpai_cuts *of = &f->masks->view[v];
        uint32_t reached[GROUP];
        if (of->n == 0)
            continue;
        NAMED(reached)(f->masks->cut + of->first, of->n, block, reached);
        int8_t *to = rank + of->column * CHUNK;
        for (uint32_t before = 0; before < of->n; before += 255, to += CHUNK)
            rank_in_column(reached, before, of->n <= 255, to);
    }
}

static void NAMED(rank)(const gpai_forest *f, const REAL *block, size_t rows,
                        int8_t *rank)
{
    for (size_t r = 0; r < rows; r += GROUP, block += f->views * GROUP)
        NAMED(rank_group)
    (f, block, rank + r / CHUNK * CHUNK * f->masks->columns + r % CHUNK);
}

/* Adds the leaves of `trees` trees, in their order. */
static inline void NAMED(add_leaves)(const SUM *const *value, uint8_t (*leaf)[MAX_ROWS],
                                     size_t trees, size_t rows, SUM *sum)
{
    for (size_t r = 0; r < rows; r++) {
        SUM s = sum[r];
        for (size_t t = 0; t < trees; t++)
            s += value[t][leaf[t][r]];
        sum[r] = s;
    }
}

/* Some trees from t on that have masks; how many. */
static size_t NAMED(add_masked)(const gpai_forest *f, size_t t, const int8_t *rank,
                                size_t rows, SUM *sum)
{
    const gpai_masks *m = f->masks;
    gpai_masks_leaves leaves = gpai_masks_leaves_at(0);
    uint8_t leaf[TREES][MAX_ROWS];
    const SUM *value[TREES];
    size_t n = 0;
    for (; n < TREES && t + n < f->trees && m->tree[t + n].planes > 0; n++) {
        const gpai_mask_tree *tree = &m->tree[t + n];
        value[n] = (const SUM *)m->value + tree->value;
        leaves(m->mask, m->end + tree->end, tree->planes, rank, m->columns, rows,
               leaf[n]);
    }
    if (n == TREES) /* the compiler makes one sum of it */
        NAMED(add_leaves)(value, leaf, TREES, rows, sum);
    else
        NAMED(add_leaves)(value, leaf, n, rows, sum);
    return n;
}

static void NAMED(add_all)(const gpai_forest *f, const REAL *block, const int8_t *rank,
                           const double *x, size_t rows, size_t d, SUM *sum)
{
    for (size_t t = 0, n; t < f->trees; t += n) {
        n = rank != NULL ? NAMED(add_masked)(f, t, rank, rows, sum) : 0;
        if (n > 0)
            continue;
        NAMED(add_tree)(f, &f->tree[t], block, x, rows, d, sum);
        n = 1;
    }
}

static size_t NAMED(most_rows)(const gpai_forest *f)
{
    size_t most = GPAI_FOREST_ROOM / sizeof(REAL) / (f->views + 1) / GROUP * GROUP;
    size_t ranked = f->masks == NULL
                        ? MAX_ROWS
                        : GPAI_FOREST_ROOM / (f->masks->columns + 1) / CHUNK * CHUNK;
    most = most < ranked ? most : ranked;
    return most < GROUP ? GROUP : most > MAX_ROWS ? MAX_ROWS : most;
}

static void NAMED(predict)(const gpai_forest *f, const double *x, size_t n, size_t d,
                           double *y)
{
    REAL block[GPAI_FOREST_ROOM / sizeof(REAL)];
    int8_t rank[GPAI_FOREST_ROOM];
    SUM sum[MAX_ROWS + GROUP];
    const size_t most = NAMED(most_rows)(f);
    for (size_t done = 0, rows; done < n; done += rows, x += rows * d) {
        rows = block_of(f, n - done, most);
        bool masked = f->masks != NULL && rows > f->masks->few;
        for (size_t r = 0; r < rows + GROUP; r++)
            sum[r] = (SUM)f->base;
        NAMED(fill)(f, x, rows, d, block);
        if (masked)
            NAMED(rank)(f, block, rows, rank);
        NAMED(add_all)(f, block, masked ? rank : NULL, x, rows, d, sum);
        for (size_t r = 0; r < rows; r++)
            y[done + r] = (double)sum[r];
    }
}

#undef REAL
#undef REAL_MAX
#undef SUM
#undef SPLIT
#undef LINK
#undef CLAMP
#undef NAMED
