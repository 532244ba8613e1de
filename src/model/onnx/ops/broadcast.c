#include "model/onnx/ops/emit.h"

/* The shape that a tensor has beside `other`: a constant may have a dimension for the
 * rows, but not a number for each. */
static gpa_status row_shape(gpai_onnx_node *o, const gpai_onnx_value *v,
                            const gpai_onnx_value *other, gpai_onnx_shape *shape)
{
    *shape = v->shape;
    if (v->kind == other->kind && v->kind == GPAI_ONNX_CONSTANT)
        return GPA_OK;
    if (v->kind == other->kind)
        return v->shape.rank == other->shape.rank
                   ? GPA_OK
                   : gpai_onnx_refuse(o, "tensors of different rank that both depend "
                                         "on the input");
    if (v->kind == GPAI_ONNX_ROWS || v->shape.rank <= other->shape.rank)
        return GPA_OK;
    if (v->shape.rank > other->shape.rank + 1 || v->shape.dim[0] != 1)
        return gpai_onnx_refuse(o, "a constant that would differ from row to row");
    shape->rank--;
    for (size_t i = 0; i < shape->rank; i++)
        shape->dim[i] = v->shape.dim[i + 1];
    return GPA_OK;
}

/* Dimension i of `rank`, counted so that the last ones match. */
static size_t dimension(const gpai_onnx_shape *s, size_t rank, size_t i)
{
    return i + s->rank < rank ? 1 : s->dim[i + s->rank - rank];
}

static gpa_status common_shape(gpai_onnx_node *o, const gpai_onnx_shape *a,
                               const gpai_onnx_shape *b, gpai_onnx_shape *out)
{
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    for (size_t i = 0; i < out->rank; i++) {
        size_t x = dimension(a, out->rank, i), y = dimension(b, out->rank, i);
        if (x != y && x != 1 && y != 1)
            return gpai_onnx_fail(
                o, GPA_DATA, "shapes that do not match: %zu and %zu numbers", x, y);
        out->dim[i] = x == 1 ? y : x;
    }
    return GPA_OK;
}

/* Which number of `from` belongs to each of `to`; NULL when it is the same one. */
static gpa_status make_map(gpai_onnx_node *o, const gpai_onnx_shape *from,
                           const gpai_onnx_shape *to, const uint32_t **out)
{
    size_t stride[GPAI_ONNX_RANK] = {0}, at[GPAI_ONNX_RANK] = {0};
    size_t n, many, next = 0, step = 1;
    *out = NULL;
    if (!gpai_onnx_count(to, UINT32_MAX, &n) ||
        !gpai_onnx_count(from, UINT32_MAX, &many))
        return gpai_onnx_refuse(o, "a tensor this large");
    if (n == many)
        return GPA_OK;
    uint32_t *map = gpai_onnx_map(o, n);
    if (map == NULL)
        return gpai_onnx_no_room(o);
    for (size_t i = to->rank; i-- > 0;) {
        size_t size = dimension(from, to->rank, i);
        stride[i] = size == 1 ? 0 : step;
        step *= size;
    }
    for (size_t k = 0; k < n; k++) {
        map[k] = (uint32_t)next;
        for (size_t i = to->rank; i-- > 0;) {
            next += stride[i];
            if (++at[i] < to->dim[i])
                break;
            next -= stride[i] * to->dim[i];
            at[i] = 0;
        }
    }
    *out = map;
    return GPA_OK;
}

gpa_status gpai_onnx_emit_binary(gpai_onnx_node *o, int function,
                                 const gpai_onnx_value *a, const gpai_onnx_value *b,
                                 gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_BINARY_STEP, .function = function};
    gpai_onnx_shape of_a, of_b;
    gpai_onnx_value v = *a;
    if (a->store != b->store || a->type != b->type)
        return gpai_onnx_fail(o, GPA_DATA, "operands of type %s and %s",
                              gpai_onnx_type_name(a->type),
                              gpai_onnx_type_name(b->type));
    if (a->store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "whole numbers");
    gpa_status st = row_shape(o, a, b, &of_a);
    if (st == GPA_OK)
        st = row_shape(o, b, a, &of_b);
    if (st == GPA_OK)
        st = common_shape(o, &of_a, &of_b, &v.shape);
    if (st == GPA_OK)
        st = gpai_onnx_fits(o, a->kind != b->kind || a->kind == GPAI_ONNX_ROWS,
                            &v.shape, &v.n);
    if (st == GPA_OK)
        st = make_map(o, &of_a, &v.shape, &s.map_a);
    if (st == GPA_OK)
        st = make_map(o, &of_b, &v.shape, &s.map_b);
    if (st == GPA_OK)
        st = gpai_onnx_emit(o, &s, a, b, 1, &v);
    if (st == GPA_OK)
        *out = v;
    return st;
}
