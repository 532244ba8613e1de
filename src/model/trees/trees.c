#include "model/trees/trees.h"
#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/text/show.h"
#include <math.h>

/* What messages call trees that are in no file. */
static const char nowhere[] = "trees";

struct gpai_trees {
    gpai_forest *forest;
    double divide;
    gpa_tree_output output;
};

static void compute(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y)
{
    const gpai_trees *m = self;
    (void)scratch;
    gpai_forest_predict(m->forest, x, n, d, y);
    for (size_t r = 0; m->divide != 1 && r < n; r++)
        y[r] /= m->divide;
    for (size_t r = 0; m->output == GPA_TREE_EXP && r < n; r++)
        y[r] = exp(y[r]);
    for (size_t r = 0; m->output == GPA_TREE_LOGISTIC && r < n; r++)
        y[r] = 1 / (1 + exp(-y[r]));
}

/* The same for trees that do not tell where missing inputs go: there is no answer. */
static void compute_complete(const void *self, void *scratch, const double *x, size_t n,
                             size_t d, double *y)
{
    compute(self, scratch, x, n, d, y);
    for (size_t i = 0; i < n * d; i++)
        if (isnan(x[i]))
            y[i / d] = (double)NAN;
}

void gpai_trees_free(void *trees)
{
    gpai_trees *m = trees;
    if (m == NULL)
        return;
    gpai_forest_free(m->forest);
    gpai_free(m);
}

const gpai_model_ops *gpai_trees_ops(bool missing)
{
    static const gpai_model_ops ops[2] = {{.kind = "trees",
                                           .compute = compute_complete,
                                           .close = gpai_trees_free,
                                           .in_process = true,
                                           .refuses_missing = true},
                                          {.kind = "trees",
                                           .compute = compute,
                                           .close = gpai_trees_free,
                                           .in_process = true}};
    return &ops[missing];
}

gpa_status gpai_trees_new(gpai_trees **out, const gpai_forest_spec *spec, double divide,
                          gpa_tree_output output, const char *file, gpa_error *err)
{
    *out = NULL;
    gpai_trees *m = gpai_calloc(1, sizeof *m);
    if (m == NULL)
        return gpai_nomem(err, "trees");
    m->divide = divide;
    m->output = output;
    gpa_status st = gpai_forest_new(&m->forest, spec, file, err);
    if (st == GPA_OK)
        *out = m;
    else
        gpai_trees_free(m);
    return st;
}

/* From arrays */

static const gpa_trees defaults = {.struct_size = sizeof defaults, .divide = 1};

void gpa_trees_init_sized(gpa_trees *trees, size_t size)
{
    gpai_sized_init(trees, size, &defaults, sizeof defaults);
}

static gpa_status check(const gpa_trees *t, gpa_error *err)
{
    if (t->inputs < 1 || t->inputs > GPAI_TREES_INPUTS)
        return gpai_fail(err, GPA_INVALID, "trees: %zu inputs", t->inputs);
    if (t->start == NULL || t->start[0] != 0)
        return gpai_fail(err, GPA_INVALID, "trees: start does not begin with 0");
    for (size_t i = 0; i < t->n; i++)
        if (t->start[i + 1] < t->start[i])
            return gpai_fail(err, GPA_INVALID, "trees: tree %zu ends before it starts",
                             i);
    if (t->start[t->n] > 0 &&
        (t->input == NULL || t->left == NULL || t->right == NULL ||
         t->threshold == NULL || t->value == NULL))
        return gpai_fail(err, GPA_INVALID, "trees: NULL array");
    if (!isfinite(t->base) || !isfinite(t->divide) || t->divide == 0)
        return gpai_fail(err, GPA_INVALID, "trees: base %g, divide %g", t->base,
                         t->divide);
    if ((unsigned)t->arithmetic > GPA_TREE_FLOAT_LE ||
        (unsigned)t->output > GPA_TREE_LOGISTIC)
        return gpai_fail(err, GPA_INVALID, "trees: no such arithmetic or output");
    return GPA_OK;
}

static gpa_status fill(gpai_node *node, const gpa_trees *t, gpa_error *err)
{
    for (size_t i = 0; i < t->start[t->n]; i++) {
        bool leaf = t->input[i] < 0;
        double number = leaf ? t->value[i] : t->threshold[i];
        if (leaf ? !isfinite(number) : isnan(number))
            return gpai_fail(err, GPA_DATA, "trees: node %zu of all: %s is no number",
                             i, leaf ? "value" : "threshold");
        node[i] = (gpai_node){
            .input = leaf ? -1 : t->input[i],
            .left = t->left[i],
            .right = t->right[i],
            .threshold = number,
            .missing = t->missing_left != NULL ? GPAI_MISSING_NAN : GPAI_MISSING_RIGHT,
            .default_left = t->missing_left != NULL && t->missing_left[i] != 0,
            .category = -1};
    }
    return GPA_OK;
}

gpa_status gpa_model_from_trees(gpa_model **out, const gpa_trees *given, gpa_error *err)
{
    gpai_trees *made = NULL;
    gpai_node *node = NULL;
    gpa_trees t = defaults;
    if (out != NULL)
        *out = NULL;
    if (out == NULL || given == NULL)
        return gpai_fail(err, GPA_INVALID, "trees: NULL");
    gpa_status st = gpai_sized_copy(&t, sizeof t, given,
                                    "trees: not filled by gpa_trees_init", err);
    if (st == GPA_OK)
        st = check(&t, err);
    if (st != GPA_OK)
        return st;
    node = gpai_calloc(t.start[t.n], sizeof *node);
    if (node == NULL)
        return gpai_nomem(err, "trees");
    st = fill(node, &t, err);
    if (st != GPA_OK)
        goto done;
    const gpai_forest_spec spec = {.arithmetic = (gpai_forest_arithmetic)t.arithmetic,
                                   .inputs = t.inputs,
                                   .trees = t.n,
                                   .start = t.start,
                                   .node = node,
                                   .base = t.base};
    st = gpai_trees_new(&made, &spec, t.divide, t.output, nowhere, err);
    if (st != GPA_OK)
        goto done;
    const gpai_model_info info = {
        .spec = nowhere, .d = t.inputs, .input_names = t.names};
    st = gpai_model_wrap(out, gpai_trees_ops(t.missing_left != NULL), made, &info, err);
done:
    gpai_free(node);
    return st;
}
