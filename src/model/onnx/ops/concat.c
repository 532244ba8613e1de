#include "model/onnx/ops/emit.h"
#include "model/onnx/ops/ops.h"

/* How many lists lie before the axis. */
static size_t outer(const gpai_onnx_shape *s, size_t axis)
{
    size_t n = 1;
    for (size_t i = 0; i < axis; i++)
        n *= s->dim[i];
    return n;
}

/* What joined tensors must have in common; *size adds up along the axis. */
static gpa_status check_parts(gpai_onnx_node *o, const gpai_onnx_value **part, size_t n,
                              size_t axis, size_t *size)
{
    *size = 0;
    for (size_t k = 0; k < n; k++) {
        part[k] = gpai_onnx_in(o, k);
        if (part[k] == NULL || part[k]->shape.rank != part[0]->shape.rank ||
            part[k]->kind != part[0]->kind)
            return gpai_onnx_refuse(o, "tensors of different kinds");
        for (size_t i = 0; i < part[0]->shape.rank; i++)
            if (i != axis && part[k]->shape.dim[i] != part[0]->shape.dim[i])
                return gpai_onnx_fail(o, GPA_DATA, "shapes that do not match");
        *size += part[k]->shape.dim[axis];
    }
    return GPA_OK;
}

/* Where the numbers of the joined list go, when the axis is not the first. */
static gpa_status interleave(gpai_onnx_node *o, const gpai_onnx_value **part, size_t n,
                             size_t axis, const gpai_onnx_shape *shape,
                             gpai_onnx_value *v)
{
    size_t lines = outer(shape, axis);
    uint32_t *map = gpai_onnx_map(o, v->n);
    size_t k = 0;
    if (map == NULL)
        return o->st;
    for (size_t i = 0; i < lines; i++) {
        for (size_t p = 0, first = 0; p < n; first += part[p++]->n) {
            size_t length = part[p]->n / lines;
            for (size_t m = 0; m < length; m++)
                map[k++] = (uint32_t)(first + i * length + m);
        }
    }
    return gpai_onnx_emit_pick(o, v, shape, map, v);
}

gpa_status gpai_onnx_join(gpai_onnx_node *o, size_t axis)
{
    size_t n = o->file->n_input;
    gpai_onnx_value v = {0};
    gpai_onnx_shape shape = gpai_onnx_in(o, 0)->shape;
    const gpai_onnx_value **part = gpai_onnx_room(o, n, sizeof *part);
    if (part == NULL || check_parts(o, part, n, axis, &shape.dim[axis]) != GPA_OK ||
        gpai_onnx_emit_join(o, part, n, &v) != GPA_OK)
        return o->st;
    if (v.n > 0 && outer(&shape, axis) > 1)
        interleave(o, part, n, axis, &shape, &v);
    gpai_onnx_reshaped(&v, &shape, gpai_onnx_out(o, 0));
    return o->st;
}

gpa_status gpai_onnx_concat(gpai_onnx_node *o)
{
    int64_t written = 0;
    size_t axis = 0;
    if (!gpai_onnx_has(o, "axis"))
        return gpai_onnx_fail(o, GPA_DATA, "no axis");
    gpai_onnx_int(o, "axis", &written);
    gpai_onnx_own_axis(o, gpai_onnx_in(o, 0), written, &axis);
    return o->st == GPA_OK ? gpai_onnx_join(o, axis) : o->st;
}
