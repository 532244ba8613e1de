#include "model/onnx/ops/emit.h"

/* The shape that a tensor has beside `other`: a constant may have a dimension for the
 * rows, but not a number for each. */
static void row_shape(gpai_onnx_node *o, const gpai_onnx_value *v,
                      const gpai_onnx_value *other, gpai_onnx_shape *shape)
{
    *shape = v->shape;
    if (v->kind == other->kind) {
        if (v->kind == GPAI_ONNX_ROWS && v->shape.rank != other->shape.rank)
            gpai_onnx_refuse(o,
                             "tensors of different rank that both depend on the input");
        return;
    }
    if (v->kind == GPAI_ONNX_ROWS || v->shape.rank <= other->shape.rank)
        return;
    if (v->shape.rank > other->shape.rank + 1 || v->shape.dim[0] != 1)
        gpai_onnx_refuse(o, "a constant that would differ from row to row");
    shape->rank--;
    for (size_t i = 0; i < shape->rank; i++)
        shape->dim[i] = v->shape.dim[i + 1];
}

/* Dimension i of `rank`, counted so that the last ones match. */
static size_t dimension(const gpai_onnx_shape *s, size_t rank, size_t i)
{
    return i + s->rank < rank ? 1 : s->dim[i + s->rank - rank];
}

static void common_shape(gpai_onnx_node *o, const gpai_onnx_shape *a,
                         const gpai_onnx_shape *b, gpai_onnx_shape *out)
{
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    for (size_t i = 0; i < out->rank; i++) {
        size_t x = dimension(a, out->rank, i), y = dimension(b, out->rank, i);
        if (x != y && x != 1 && y != 1)
            gpai_onnx_fail(o, GPA_DATA, "shapes that do not match: %zu and %zu numbers",
                           x, y);
        out->dim[i] = x == 1 ? y : x;
    }
}

/* Which number of `from` belongs to each of `to`; NULL when it is the same one. */
static const uint32_t *make_map(gpai_onnx_node *o, const gpai_onnx_shape *from,
                                const gpai_onnx_shape *to)
{
    size_t stride[GPAI_ONNX_RANK] = {0}, n, many, step = 1;
    if (!gpai_onnx_count(to, UINT32_MAX, &n) ||
        !gpai_onnx_count(from, UINT32_MAX, &many)) {
        gpai_onnx_refuse(o, "a tensor this large");
        return NULL;
    }
    if (n == many)
        return NULL;
    for (size_t i = to->rank; i-- > 0;) {
        size_t size = dimension(from, to->rank, i);
        stride[i] = size == 1 ? 0 : step;
        step *= size;
    }
    return gpai_onnx_walk(o, to, stride, n);
}

gpa_status gpai_onnx_emit_binary(gpai_onnx_node *o, int function,
                                 const gpai_onnx_value *a, const gpai_onnx_value *b,
                                 gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_BINARY_STEP, .function = function};
    gpai_onnx_shape of_a, of_b;
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_value v = *a;
    if (a->store != b->store || a->type != b->type)
        return gpai_onnx_fail(o, GPA_DATA, "operands of type %s and %s",
                              gpai_onnx_type_name(a->type),
                              gpai_onnx_type_name(b->type));
    if (a->store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "whole numbers");
    row_shape(o, a, b, &of_a);
    row_shape(o, b, a, &of_b);
    common_shape(o, &of_a, &of_b, &v.shape);
    gpai_onnx_fits(o, a->kind != b->kind || a->kind == GPAI_ONNX_ROWS, &v.shape, &v.n);
    s.map_a = o->st == GPA_OK ? make_map(o, &of_a, &v.shape) : NULL;
    s.map_b = o->st == GPA_OK ? make_map(o, &of_b, &v.shape) : NULL;
    return gpai_onnx_emit(o, &s, a, b, 1, &v, out);
}
