#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "model/trees/forest.h"
#include "model/trees/forest_masks.h"
#include <float.h>
#include <gpa/gpa.h>

/* The rules of forest.h, once more and one node at a time: what the fast walks must
 * give bit for bit. */
static bool left_of(const gpai_forest_spec *s, const gpai_node *n, double x)
{
    bool missing = isnan(x);
    if (s->arithmetic != GPAI_FOREST_DOUBLE_LE)
        x = (double)(float)x;
    if (n->category >= 0) {
        if (missing)
            return n->default_left;
        if (s->arithmetic == GPAI_FOREST_FLOAT_LT ? x < 0 : x <= -1)
            return false;
        for (int32_t i = 0; i < 32 * n->category_words; i++)
            if (trunc(x) == (double)i)
                return s->bits[n->category + i / 32] >> i % 32 & 1;
        return false;
    }
    if (missing && n->missing == GPAI_MISSING_NONE) {
        x = 0;
        missing = false;
    }
    if (n->missing == GPAI_MISSING_ZERO && fabs(x) <= (double)1e-35f)
        missing = true;
    if (missing)
        return n->missing == GPAI_MISSING_RIGHT ? false : n->default_left;
    switch (s->arithmetic) {
    case GPAI_FOREST_FLOAT_LT:
        return (float)x < (float)n->threshold;
    case GPAI_FOREST_DOUBLE_LE:
        return x <= n->threshold;
    case GPAI_FOREST_FLOAT_X_LE:
        break;
    }
    return (double)(float)x <= n->threshold;
}

static double slowly(const gpai_forest_spec *s, const double *x)
{
    double sum = s->base;
    float small = (float)s->base;
    for (size_t t = 0; t < s->trees; t++) {
        const gpai_node *tree = s->node + s->start[t], *at = tree;
        while (at->input >= 0)
            at = tree + (left_of(s, at, x[at->input]) ? at->left : at->right);
        sum += at->threshold;
        small += (float)at->threshold;
    }
    return s->arithmetic == GPAI_FOREST_FLOAT_LT ? (double)small : sum;
}

enum { INPUTS = 5, MAX_NODES = 1 << 15, MAX_TREES = 24, ROWS = 600 };

/* Random trees, and rows that come close to their thresholds. */
struct random {
    gpai_rng rng;
    size_t start[MAX_TREES + 1];
    gpai_node node[MAX_NODES];
    uint32_t bits[8];
    double x[ROWS * INPUTS], y[ROWS];
    bool odd;  /* may have categories and thresholds without a number */
    bool many; /* thresholds are all different */
};

static size_t below(struct random *r, size_t n)
{
    return (size_t)(gpai_rng_unit(&r->rng) * (double)n);
}

/* Few different values, so that rows meet thresholds; some from the edge. */
static double threshold(struct random *r)
{
    static const double edge[] = {0,         -0.0,      1e-35,    -1e-36,   HUGE_VAL,
                                  -HUGE_VAL, 1e-320,    -1e-320,  1e300,    -1e300,
                                  0.1,       1.0 / 3.0, 16777217, 1 + 1e-12};
    if (r->odd && below(r, 20) == 0)
        return below(r, 2) ? DBL_MAX : (double)FLT_MAX;
    if (r->many)
        return 2 * gpai_rng_unit(&r->rng) - 1;
    if (below(r, 6) == 0)
        return edge[below(r, sizeof edge / sizeof edge[0])];
    return (double)below(r, 16) / 8 - 1;
}

static double input_value(struct random *r)
{
    double t = threshold(r);
    switch (below(r, 8)) {
    case 0:
        return (double)NAN;
    case 1:
        return nextafter(t, HUGE_VAL);
    case 2:
        return nextafter(t, -HUGE_VAL);
    case 3:
        return (double)nextafterf((float)t, HUGE_VALF);
    case 4:
        return t;
    default:
        return 3 * gpai_rng_unit(&r->rng) - 1.5;
    }
}

static void make_split(struct random *r, gpai_node *n, size_t left)
{
    *n = (gpai_node){.input = (int32_t)below(r, INPUTS),
                     .left = (int32_t)left,
                     .right = (int32_t)left + 1,
                     .threshold = threshold(r),
                     .missing = (uint8_t)below(r, 4),
                     .default_left = below(r, 2) == 1,
                     .category = -1};
    if (r->odd && below(r, 8) == 0) {
        n->category = (int32_t)below(r, 8);
        n->category_words = 1 + (int32_t)below(r, 8 - (size_t)n->category);
    }
    if (below(r, 2) == 1) { /* the file's order is not ours */
        n->left++;
        n->right--;
    }
}

/* Grows a tree to about `depth`; `chance` in 8 that a node splits. Returns its
 * nodes. */
static size_t grow(struct random *r, gpai_node *node, size_t room, size_t depth,
                   size_t chance)
{
    size_t filled = 1, end = 1, d = 0;
    for (size_t i = 0; i < filled; i++) {
        if (i == end) {
            d++;
            end = filled;
        }
        bool first = i == 0 || node[i].left == -7; /* the spine goes all the way */
        if (d < depth && filled + 2 <= room && (first || below(r, 8) < chance)) {
            make_split(r, &node[i], filled);
            node[filled].left = first ? -7 : 0;
            node[filled + 1].left = 0;
            filled += 2;
        } else {
            node[i] = (gpai_node){.input = -1,
                                  .left = -1,
                                  .right = -1,
                                  .threshold = gpai_rng_unit(&r->rng) - 0.5,
                                  .category = -1};
        }
    }
    return filled;
}

static gpai_forest_spec make_forest(struct random *r, size_t trees, size_t depth,
                                    size_t chance, gpai_forest_arithmetic arithmetic)
{
    for (size_t t = 0; t < trees; t++)
        r->start[t + 1] =
            r->start[t] + grow(r, r->node + r->start[t],
                               (MAX_NODES - r->start[t]) / (trees - t), depth, chance);
    for (size_t i = 0; i < 8; i++)
        r->bits[i] = (uint32_t)below(r, UINT32_MAX);
    for (size_t i = 0; i < ROWS * INPUTS; i++)
        r->x[i] = below(r, 4) == 0 ? (double)below(r, 300) - 20 : input_value(r);
    return (gpai_forest_spec){arithmetic, INPUTS,  trees, r->start,
                              r->node,    r->bits, 0.25};
}

static void check(const gpai_forest_spec *s, const double *x, size_t d, size_t n,
                  double *y)
{
    gpai_forest *f = NULL;
    gpa_error err = {GPA_OK, ""};
    if (gpai_forest_new(&f, s, "f.json", &err) != GPA_OK)
        fail_msg("%s", err.message);
    memset(y, 0x55, n * sizeof *y);
    gpai_forest_predict(f, x, n, d, y);
    for (size_t i = 0; i < n; i++) {
        double want = slowly(s, x + i * d);
        if (memcmp(&want, &y[i], sizeof want) != 0)
            fail_msg("arithmetic %d, %zu trees, row %zu of %zu: %.17g, not %.17g",
                     (int)s->arithmetic, s->trees, i, n, y[i], want);
    }
    gpai_forest_free(f);
}

static void test_against_slow_walk(void **state)
{
    static const struct {
        size_t trees, depth, chance;
    } shapes[] = {{1, 0, 8}, {3, 1, 8},  {7, 3, 7},  {20, 6, 7},  {5, 8, 8},
                  {4, 9, 7}, {6, 12, 7}, {2, 40, 4}, {3, 300, 3}, {24, 20, 6}};
    struct random *r = calloc(1, sizeof *r);
    (void)state;
    assert_non_null(r);
    for (size_t c = 0; c < 10 * sizeof shapes / sizeof shapes[0]; c++) {
        size_t shape = c / 10;
        r->rng = gpai_rng_make(7, c);
        r->odd = c % 10 >= 7;
        for (int a = 0; a < 3; a++) {
            gpai_forest_spec s =
                make_forest(r, shapes[shape].trees, shapes[shape].depth,
                            shapes[shape].chance, (gpai_forest_arithmetic)a);
            check(&s, r->x, INPUTS, c % 10 == 0 || r->odd ? ROWS : 1 + c % 40, r->y);
        }
    }
    free(r);
}

/* A row's answer does not depend on the rows around it. */
static void test_batches(void **state)
{
    struct random *r = calloc(1, sizeof *r);
    double y[ROWS];
    gpai_forest *f = NULL;
    (void)state;
    assert_non_null(r);
    r->rng = gpai_rng_make(8, 0);
    gpai_forest_spec s = make_forest(r, 20, 11, 6, GPAI_FOREST_FLOAT_LT);
    assert_int_equal(gpai_forest_new(&f, &s, "f.json", NULL), GPA_OK);
    gpai_forest_predict(f, r->x, ROWS, INPUTS, r->y);
    for (size_t n = 1; n < 40; n++) {
        for (size_t i = 0; i < ROWS; i += n)
            gpai_forest_predict(f, r->x + i * INPUTS, i + n < ROWS ? n : ROWS - i,
                                INPUTS, y + i);
        assert_memory_equal(y, r->y, sizeof y);
    }
    gpai_forest_free(f);
    free(r);
}

/* Inputs with more thresholds than one column of ranks has room for, trees up to the
 * most leaves that masks are made for and beyond; rows at the thresholds. */
static void test_many_thresholds(void **state)
{
    static const size_t depths[] = {7, 8, 9};
    struct random *r = calloc(1, sizeof *r);
    (void)state;
    assert_non_null(r);
    r->many = true;
    for (size_t c = 0; c < 3; c++) {
        r->rng = gpai_rng_make(10, c);
        for (int a = 0; a < 3; a++) {
            gpai_forest_spec s =
                make_forest(r, 24, depths[c], 8, (gpai_forest_arithmetic)a);
            for (size_t i = 0; i < ROWS * INPUTS; i += 2) {
                const gpai_node *n = &r->node[below(r, r->start[24])];
                r->x[i] = n->threshold;
            }
            check(&s, r->x, INPUTS, ROWS, r->y);
        }
    }
    free(r);
}

/* With every instruction set the leaves are those that remain when masks are applied
 * one by one, by the definition in forest_masks.h. */
static void test_masks(void **state)
{
    enum { CHUNK = GPAI_MASK_ROWS, N = 3 * CHUNK, COLUMNS = 5, MASKS = 400 };
    static int8_t rank[N * COLUMNS];
    static gpai_mask mask[MASKS];
    gpai_rng rng = gpai_rng_make(11, 0);
    (void)state;
    for (size_t i = 0; i < sizeof rank; i++)
        rank[i] = (int8_t)(gpai_rng_unit(&rng) * 256 - 128);
    for (size_t planes = 1; planes <= 32; planes++) {
        uint32_t end[33] = {0};
        uint8_t leaf[N];
        for (size_t p = 1; p <= planes; p++) /* plane 2 has none */
            end[p] = end[p - 1] + (p == 3 ? 0 : (uint32_t)(gpai_rng_unit(&rng) * 12));
        for (size_t i = 0; i < end[planes]; i++) {
            uint32_t t = (uint32_t)(gpai_rng_unit(&rng) * 256);
            uint32_t keep = (uint32_t)(gpai_rng_unit(&rng) * 256);
            mask[i] = (gpai_mask){(uint32_t)(gpai_rng_unit(&rng) * COLUMNS) * CHUNK,
                                  t * 0x01010101u, keep * 0x01010101u};
        }
        mask[end[planes]] = (gpai_mask){0, 0, 0xffffffffu};
        for (size_t i = 0; gpai_masks_leaves_at(i) != NULL; i++) {
            gpai_masks_leaves_at(i)(mask, end + 1, planes, rank, COLUMNS, N, leaf);
            for (size_t row = 0; row < N; row++) {
                const int8_t *x = rank + row / CHUNK * CHUNK * COLUMNS + row % CHUNK;
                int want = -1;
                for (int l = 0; l < 8 * (int)planes && want < 0; l++) {
                    bool stays = true;
                    for (size_t k = end[l / 8]; k < end[l / 8 + 1]; k++)
                        stays &= x[mask[k].at] < (int8_t)(mask[k].rank & 0xff) ||
                                 (mask[k].keep >> (l % 8) & 1) != 0;
                    want = stays ? l : -1;
                }
                if (want >= 0) /* one always remains of a tree */
                    assert_int_equal(leaf[row], want);
            }
        }
    }
}

/* Worked out by hand: x0 < 1 ? 10 : (x1 < 2 ? 20 : 30), missing x0 right, x1 left. */
static void test_by_hand(void **state)
{
    static const size_t start[] = {0, 5};
    gpai_node node[] = {
        {.input = 0,
         .left = 1,
         .right = 2,
         .threshold = 1,
         .missing = 1,
         .category = -1},
        {.input = -1, .threshold = 10},
        {.input = 1,
         .left = 3,
         .right = 4,
         .threshold = 2,
         .missing = 1,
         .default_left = true,
         .category = -1},
        {.input = -1, .threshold = 20},
        {.input = -1, .threshold = 30},
    };
    static const struct {
        double x[2], lt, le, rounded;
    } cases[] = {
        {{0, 9}, 15, 15, 15},
        {{1, 9}, 35, 15, 15},
        {{1 + 1e-12, 9}, 35, 35, 15}, /* is 1 as a float */
        {{1 - 1e-12, 9}, 35, 15, 15},
        {{3, 2}, 35, 25, 25},
        {{3, 1}, 25, 25, 25},
        {{(double)NAN, 1}, 25, 25, 25},
        {{(double)NAN, (double)NAN}, 25, 25, 25},
        {{-HUGE_VAL, 0}, 15, 15, 15},
        {{HUGE_VAL, HUGE_VAL}, 35, 35, 35},
    };
    (void)state;
    for (int a = 0; a < 3; a++) {
        const gpai_forest_spec s = {
            (gpai_forest_arithmetic)a, 2, 1, start, node, NULL, 5};
        gpai_forest *f = NULL;
        assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            double y = 0, want = a == GPAI_FOREST_FLOAT_LT    ? cases[c].lt
                                 : a == GPAI_FOREST_DOUBLE_LE ? cases[c].le
                                                              : cases[c].rounded;
            gpai_forest_predict(f, cases[c].x, 1, 2, &y);
            assert_true(y == want);
        }
        gpai_forest_free(f);
    }
}

/* The set {3, 40}: members left. XGBoost's inputs are floats before they are cut. */
static void test_categories(void **state)
{
    static const struct {
        double x;
        bool float_lt, double_le;
    } cases[] = {
        {3, true, true},          {40, true, true},   {40.9, true, true},
        {2.9, false, false},      {41, false, false}, {1e9, false, false},
        {-0.5, false, false},     {-3, false, false}, {HUGE_VAL, false, false},
        {3 - 1e-12, true, false}, {64, false, false}, {-HUGE_VAL, false, false},
        {(double)NAN, true, true}};
    static const uint32_t bits[] = {99, 1u << 3, 1u << 8};
    static const size_t start[] = {0, 3};
    const gpai_node node[] = {{.input = 0,
                               .left = 1,
                               .right = 2,
                               .missing = GPAI_MISSING_NAN,
                               .default_left = true,
                               .category = 1,
                               .category_words = 2},
                              {.input = -1, .threshold = 1},
                              {.input = -1, .threshold = 0}};
    (void)state;
    for (int a = 0; a < 2; a++) {
        const gpai_forest_spec s = {
            (gpai_forest_arithmetic)a, 1, 1, start, node, bits, 0};
        gpai_forest *f = NULL;
        assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            double y = -1;
            bool left =
                a == GPAI_FOREST_FLOAT_LT ? cases[c].float_lt : cases[c].double_le;
            gpai_forest_predict(f, &cases[c].x, 1, 1, &y);
            if (y != (left ? 1 : 0))
                fail_msg("arithmetic %d, category %g: %g", a, cases[c].x, y);
        }
        gpai_forest_free(f);
    }
}

/* Thresholds and inputs from the end of the number line; left is 1, right is 0. */
static void test_largest(void **state)
{
    static const struct {
        gpai_forest_arithmetic arithmetic;
        double t, x, want;
    } cases[] = {
        {GPAI_FOREST_DOUBLE_LE, HUGE_VAL, HUGE_VAL, 1},
        {GPAI_FOREST_DOUBLE_LE, HUGE_VAL, DBL_MAX, 1},
        {GPAI_FOREST_DOUBLE_LE, HUGE_VAL, (double)NAN, 0},
        {GPAI_FOREST_DOUBLE_LE, DBL_MAX, HUGE_VAL, 0},
        {GPAI_FOREST_DOUBLE_LE, DBL_MAX, DBL_MAX, 1},
        {GPAI_FOREST_DOUBLE_LE, -HUGE_VAL, -HUGE_VAL, 1},
        {GPAI_FOREST_DOUBLE_LE, -HUGE_VAL, -DBL_MAX, 0},
        {GPAI_FOREST_DOUBLE_LE, (double)NAN, 0, 0},
        {GPAI_FOREST_FLOAT_X_LE, HUGE_VAL, HUGE_VAL, 1},
        {GPAI_FOREST_FLOAT_X_LE, HUGE_VAL, (double)NAN, 0},
        {GPAI_FOREST_FLOAT_X_LE, 1e300, 1e200, 0}, /* infinite as a float */
        {GPAI_FOREST_FLOAT_X_LE, (double)FLT_MAX, HUGE_VAL, 0},
        {GPAI_FOREST_FLOAT_X_LE, (double)FLT_MAX, (double)FLT_MAX, 1},
        {GPAI_FOREST_FLOAT_X_LE, -1e300, -HUGE_VAL, 1},
        {GPAI_FOREST_FLOAT_LT, HUGE_VAL, HUGE_VAL, 0},
        {GPAI_FOREST_FLOAT_LT, HUGE_VAL, (double)FLT_MAX, 1},
        {GPAI_FOREST_FLOAT_LT, -HUGE_VAL, -HUGE_VAL, 0},
        {GPAI_FOREST_FLOAT_LT, (double)NAN, 0, 0},
    };
    static const size_t start[] = {0, 3};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const gpai_node node[] = {{.input = 0,
                                   .left = 1,
                                   .right = 2,
                                   .threshold = cases[c].t,
                                   .missing = GPAI_MISSING_NAN,
                                   .category = -1},
                                  {.input = -1, .threshold = 1},
                                  {.input = -1, .threshold = 0}};
        const gpai_forest_spec s = {cases[c].arithmetic, 1, 1, start, node, NULL, 0};
        gpai_forest *f = NULL;
        double y = -1;
        assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
        gpai_forest_predict(f, &cases[c].x, 1, 1, &y);
        if (y != cases[c].want)
            fail_msg("case %zu: %g", c, y);
        gpai_forest_free(f);
    }
}

/* XGBoost adds floats, tree by tree: 2^24 + 1 + 1 stays 2^24. */
static void test_order_of_sums(void **state)
{
    static const size_t start[] = {0, 1, 2, 3};
    const gpai_node node[] = {{.input = -1, .threshold = 16777216},
                              {.input = -1, .threshold = 1},
                              {.input = -1, .threshold = 1}};
    const double x = 0;
    gpai_forest_spec s = {GPAI_FOREST_FLOAT_LT, 1, 3, start, node, NULL, 0};
    gpai_forest *f = NULL;
    double y = 0;
    (void)state;
    assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
    gpai_forest_predict(f, &x, 1, 1, &y);
    assert_true(y == 16777216);
    gpai_forest_free(f);
    s.arithmetic = GPAI_FOREST_DOUBLE_LE;
    assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
    gpai_forest_predict(f, &x, 1, 1, &y);
    assert_true(y == 16777218);
    gpai_forest_free(f);
}

/* No trees: the base alone. A tree of 100,000 levels: no stack is used up. More inputs
 * than a block of rows has room for. */
static void test_extremes(void **state)
{
    enum { LONG = 200001, WIDE = 5000 };
    size_t start[] = {0, LONG};
    gpai_node *node = calloc(LONG, sizeof *node);
    double *x = calloc(WIDE, sizeof *x), y[9] = {0};
    gpai_forest *f = NULL;
    (void)state;
    assert_non_null(node);
    assert_non_null(x);
    gpai_forest_spec s = {GPAI_FOREST_DOUBLE_LE, 1, 0, start, node, NULL, 2.5};
    assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
    gpai_forest_predict(f, x, 9, 1, y);
    assert_true(y[0] == 2.5 && y[8] == 2.5);
    gpai_forest_free(f);
    for (int32_t i = 0; i < LONG; i++) {
        bool split = i % 2 == 0 && i + 2 < LONG;
        node[i] = (gpai_node){.input = split ? 0 : -1,
                              .left = i + 1,
                              .right = i + 2,
                              .threshold = i,
                              .missing = GPAI_MISSING_NAN,
                              .category = -1};
    }
    s.trees = 1;
    for (int rows = 1; rows <= 9; rows += 8) {
        const double wide[9] = {1e9, -1, 0, 1, 2, 3, 100000.5, 199998, (double)NAN};
        static const double leaf[9] = {LONG - 1, 1,      1,      3,       3,
                                       5,        100003, 199999, LONG - 1};
        assert_int_equal(gpai_forest_new(&f, &s, "f", NULL), GPA_OK);
        gpai_forest_predict(f, wide, (size_t)rows, 1, y);
        for (int i = 0; i < rows; i++)
            assert_true(y[i] == 2.5 + leaf[i]);
        gpai_forest_free(f);
    }
    for (int32_t i = 0; i + 2 < LONG; i += 2)
        node[i].input = i / 2 % WIDE;
    s.inputs = WIDE;
    for (int a = 0; a < 3; a++) {
        s.arithmetic = (gpai_forest_arithmetic)a;
        for (int32_t k = 0; k < WIDE; k++)
            x[k] = k == 1234 ? 2468 : 1e6;
        check(&s, x, WIDE, 1, y);
        assert_true(y[0] == 2.5 + (a == GPAI_FOREST_FLOAT_LT ? 12469 : 2469));
    }
    free(x);
    free(node);
}

static void test_malformed(void **state)
{
    static const struct {
        int32_t input, left, right;
        const char *message;
    } cases[] = {
        {2, 1, 2, "m.json: tree 1: node 0: there is no input 2"},
        {0, 3, 2, "m.json: tree 1: node 0: there is no node 3"},
        {0, 1, -1, "m.json: tree 1: node 0: there is no node -1"},
        {0, 1, 0, "m.json: tree 1: node 0: a second way to node 0"},
        {0, 1, 1, "m.json: tree 1: node 0: a second way to node 1"},
        {0, INT32_MIN, 1, "m.json: tree 1: node 0: there is no node -2147483648"},
    };
    static const size_t start[] = {0, 1, 4};
    gpai_node node[4] = {{.input = -1}, {.input = 0}, {.input = -1}, {.input = -1}};
    const gpai_forest_spec s = {GPAI_FOREST_DOUBLE_LE, 2, 2, start, node, NULL, 0};
    gpai_forest *f = NULL;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        node[1] = (gpai_node){.input = cases[c].input,
                              .left = cases[c].left,
                              .right = cases[c].right,
                              .category = -1};
        assert_int_equal(gpai_forest_new(&f, &s, "m.json", &err), GPA_DATA);
        assert_string_equal(err.message, cases[c].message);
        assert_null(f);
    }
    static const size_t empty[] = {0, 0};
    const gpai_forest_spec none = {GPAI_FOREST_DOUBLE_LE, 2, 1, empty, node, NULL, 0};
    assert_int_equal(gpai_forest_new(&f, &none, "m.json", &err), GPA_DATA);
    assert_string_equal(err.message, "m.json: tree 0: no nodes");
}

static void test_without_memory(void **state)
{
    struct random *r = calloc(1, sizeof *r);
    (void)state;
    assert_non_null(r);
    r->rng = gpai_rng_make(9, 0);
    r->odd = true;
    gpai_forest_spec s = make_forest(r, 6, 10, 6, GPAI_FOREST_FLOAT_LT);
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpai_forest *f = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpai_forest_new(&f, &s, "f", NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? f != NULL : st == GPA_NOMEM && f == NULL);
            gpai_forest_free(f);
        }
        assert_true(k > 10);
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_slow_walk), cmocka_unit_test(test_batches),
        cmocka_unit_test(test_by_hand),           cmocka_unit_test(test_largest),
        cmocka_unit_test(test_categories),        cmocka_unit_test(test_order_of_sums),
        cmocka_unit_test(test_extremes),          cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_without_memory),    cmocka_unit_test(test_masks),
        cmocka_unit_test(test_many_thresholds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
