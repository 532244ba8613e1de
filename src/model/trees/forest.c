#include "model/trees/forest.h"
#include "base/alloc.h"
#include "model/trees/forest_masks.h"
#include <float.h>
#include <math.h>

/* A rest of up to FEW rows is faster one by one than as a group with empty places. */
enum {
    GROUP = GPAI_FOREST_GROUP,
    CHUNK = GPAI_MASK_ROWS,
    FEW = 2,
    MAX_ROWS = 512,
    TREES = 4 /* whose leaves are found before they are added up */
};

void gpai_forest_free(gpai_forest *f)
{
    if (f == NULL)
        return;
    gpai_masks_free(f->masks);
    gpai_free(f->bits);
    gpai_free(f->odd);
    gpai_free(f->value);
    gpai_free(f->link);
    gpai_free(f->split);
    gpai_free(f->view);
    gpai_free(f->tree);
    gpai_free(f);
}

/* Whether the whole part of x is in the set. XGBoost calls -0.5 negative, LightGBM cuts
 * it to 0. */
static bool in_set(const gpai_forest *f, const gpai_node *n, double x)
{
    bool negative = f->arithmetic == GPAI_FOREST_FLOAT_LT ? x < 0 : x <= -1;
    if (negative || !(x < 32.0 * n->category_words))
        return false;
    size_t i = x < 0 ? 0 : (size_t)x;
    return f->bits[(size_t)n->category + i / 32] >> (i % 32) & 1;
}

static bool goes_left(const gpai_forest *f, const gpai_node *n, double x)
{
    if (f->arithmetic != GPAI_FOREST_DOUBLE_LE)
        x = (double)(float)x;
    if (n->category >= 0)
        return isnan(x) ? n->default_left : in_set(f, n, x);
    if (isnan(x) && n->missing == GPAI_MISSING_NONE)
        x = 0;
    if (isnan(x))
        return n->missing != GPAI_MISSING_RIGHT && n->default_left;
    if (n->missing == GPAI_MISSING_ZERO && fabs(x) <= (double)1e-35f)
        return n->default_left;
    if (f->arithmetic == GPAI_FOREST_FLOAT_LT)
        return x < (double)(float)n->threshold;
    return x <= n->threshold;
}

/* The leaf that a row comes to, node by node as the file has them. */
static double odd_leaf(const gpai_forest *f, const gpai_node *node, const double *x)
{
    const gpai_node *at = node;
    while (at->input >= 0)
        at = node + (goes_left(f, at, x[at->input]) ? at->left : at->right);
    return at->threshold;
}

/* Of a group's rows, how many of the column's cuts they reach when so many cuts are
 * before it; 128 less, to be signed. */
static void rank_in_column(const uint32_t *reached, uint32_t before, bool only,
                           int8_t *to)
{
    for (size_t r = 0; only && r < GROUP; r++)
        to[r] = (int8_t)(reached[r] - 128);
    for (size_t r = 0; !only && r < GROUP; r++) {
        uint32_t in = reached[r] < before ? 0 : reached[r] - before;
        to[r] = (int8_t)((in < 255 ? in : 255) - 128);
    }
}

/* How many of n rows are next: at most `most`, and no chunk of masks for a few. */
static size_t block_of(const gpai_forest *f, size_t n, size_t most)
{
    size_t rows = n < most ? n : most, rest = rows % CHUNK;
    bool walk_rest = f->masks != NULL && rest > 0 && rest <= f->masks->few;
    return walk_rest && rows > CHUNK ? rows - rest : rows;
}

#define EACH1(X) X(0)
#define EACH8(X) EACH1(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

#define REAL     float
#define REAL_MAX FLT_MAX
#define SUM      float
#define SPLIT    gpai_split32
#define LINK     gpai_link32
#define CLAMP    false
#define NAMED(x) float_lt_##x
#include "model/trees/forest_kernel.h"

#define REAL     float
#define REAL_MAX FLT_MAX
#define SUM      double
#define SPLIT    gpai_split32
#define LINK     gpai_link32
#define CLAMP    true
#define NAMED(x) float_le_##x
#include "model/trees/forest_kernel.h"

#define REAL     double
#define REAL_MAX DBL_MAX
#define SUM      double
#define SPLIT    gpai_split64
#define LINK     gpai_link64
#define CLAMP    true
#define NAMED(x) double_le_##x
#include "model/trees/forest_kernel.h"

void gpai_forest_predict(const gpai_forest *f, const double *x, size_t n, size_t d,
                         double *y)
{
    if (f->arithmetic == GPAI_FOREST_FLOAT_LT)
        float_lt_predict(f, x, n, d, y);
    else if (f->arithmetic == GPAI_FOREST_FLOAT_X_LE)
        float_le_predict(f, x, n, d, y);
    else
        double_le_predict(f, x, n, d, y);
}
