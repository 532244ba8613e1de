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

static void NAMED(predict)(const gpai_forest *f, const double *x, size_t n, size_t d,
                           double *y)
{
    REAL block[GPAI_FOREST_ROOM / sizeof(REAL)];
    SUM sum[MAX_ROWS + GROUP];
    size_t most = GPAI_FOREST_ROOM / sizeof(REAL) / (f->views + 1) / GROUP * GROUP;
    most = most < GROUP ? GROUP : most > MAX_ROWS ? MAX_ROWS : most;
    for (size_t done = 0, rows; done < n; done += rows, x += rows * d) {
        rows = n - done < most ? n - done : most;
        for (size_t r = 0; r < rows + GROUP; r++)
            sum[r] = (SUM)f->base;
        NAMED(fill)(f, x, rows, d, block);
        for (size_t t = 0; t < f->trees; t++)
            NAMED(add_tree)(f, &f->tree[t], block, x, rows, d, sum);
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
