#include "model/onnx/ops/ops.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include <string.h>

static const gpai_onnx_op *find(const gpai_onnx_op *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

static const gpai_onnx_op *find_operator(const gpai_onnx_node *o)
{
    static const gpai_onnx_op *const standard[] = {
        gpai_onnx_math_ops, gpai_onnx_shape_ops, gpai_onnx_move_ops,
        gpai_onnx_dense_ops};
    const char *domain = gpai_onnx_text(o->file->domain);
    const char *name = gpai_onnx_text(o->file->op_type);
    const gpai_onnx_op *found = NULL;
    if (strcmp(domain, "ai.onnx.ml") == 0)
        return find(gpai_onnx_ml_ops, name);
    if (domain[0] != '\0' && strcmp(domain, "ai.onnx") != 0)
        return NULL;
    for (size_t i = 0; i < sizeof standard / sizeof standard[0] && found == NULL; i++)
        found = find(standard[i], name);
    return found;
}

/* Every input that is there has been computed, and there are as many as must be. */
static gpa_status check_inputs(gpai_onnx_node *o, const gpai_onnx_op *op)
{
    size_t n = o->file->n_input;
    if (n > op->most)
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "%zu inputs, at most %zu", n,
                              op->most);
    for (size_t i = 0; i < n || i < op->least; i++) {
        bool given = i < n && o->file->input[i][0] != '\0';
        const gpai_onnx_value *v = gpai_onnx_in(o, i);
        if (!given && i < op->least)
            return gpai_onnx_fail(o, GPA_DATA, "input %zu is missing", i + 1);
        if (given && (v == NULL || v->kind == GPAI_ONNX_NOTHING))
            return gpai_onnx_fail(o, GPA_DATA,
                                  "input %zu is computed nowhere before it", i + 1);
    }
    return GPA_OK;
}

/* An operator that fills the first of several outputs leaves the others empty. */
static gpa_status check_outputs(gpai_onnx_node *o)
{
    for (size_t i = 0; i < o->file->n_output; i++) {
        const gpai_onnx_value *v = gpai_onnx_out(o, i);
        if (v != NULL && v->kind == GPAI_ONNX_NOTHING)
            return gpai_onnx_fail(o, GPA_UNSUPPORTED, "its output %zu is not supported",
                                  i + 1);
    }
    return GPA_OK;
}

gpa_status gpai_onnx_apply(gpai_onnx_node *o)
{
    const gpai_onnx_op *op = find_operator(o);
    if (op == NULL)
        return gpai_onnx_unknown(o);
    if (o->opset == 0)
        return gpai_onnx_fail(o, GPA_DATA,
                              "the file does not say which version of it is meant");
    o->which = op->which;
    if (check_inputs(o, op) == GPA_OK && op->fn(o) == GPA_OK &&
        gpai_onnx_all_read(o) == GPA_OK)
        check_outputs(o);
    return o->st;
}

gpa_status gpai_onnx_axis(gpai_onnx_node *o, int64_t axis, size_t rank, size_t *out)
{
    int64_t n = (int64_t)rank;
    if (axis < -n || axis >= n)
        return gpai_onnx_fail(o, GPA_DATA, "axis %lld of %zu dimensions",
                              (long long)axis, rank);
    *out = (size_t)(axis < 0 ? axis + n : axis);
    return o->st;
}

size_t gpai_onnx_own_axis(gpai_onnx_node *o, const gpai_onnx_value *v, int64_t axis)
{
    size_t own = 0, rows = v->kind == GPAI_ONNX_ROWS;
    if (gpai_onnx_axis(o, axis, v->shape.rank + rows, &own) == GPA_OK && own < rows)
        gpai_onnx_refuse(o, "what mixes rows");
    return o->st == GPA_OK ? own - rows : 0;
}

void gpai_onnx_only(gpai_onnx_node *o, const char *name, const char *supported)
{
    const char *text = supported;
    size_t length = strlen(supported);
    gpai_onnx_string(o, name, &text, &length);
    if (!gpai_word_is(text, length, supported))
        gpai_onnx_fail(o, GPA_UNSUPPORTED, "%s '%s' is not supported, only '%s'", name,
                       gpai_show(text, length).text, supported);
}
