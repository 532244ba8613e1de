#include "model/onnx/ops/emit.h"
#include "model/onnx/ops/ops.h"

/* Which numbers of `a` make each number of the result, k of them together: those along
 * the axes with a bit, which vary fastest. The result keeps these axes, with one place.
 */
gpa_status gpai_onnx_reduce(gpai_onnx_node *o, gpai_onnx_reduction function,
                            const gpai_onnx_value *a, unsigned bits,
                            gpai_onnx_value *out)
{
    size_t stride[GPAI_ONNX_RANK] = {0}, step[GPAI_ONNX_RANK] = {0}, k = 1;
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_shape shape = a->shape, order = {0};
    for (size_t i = a->shape.rank, all = 1; i-- > 0; all *= a->shape.dim[i])
        step[i] = all;
    for (unsigned goes = 0; goes < 2; goes++) {
        for (size_t i = 0; i < a->shape.rank; i++) {
            if ((bits >> i & 1) != goes)
                continue;
            stride[order.rank] = step[i];
            order.dim[order.rank++] = a->shape.dim[i];
            k *= goes ? a->shape.dim[i] : 1;
            shape.dim[i] = goes ? 1 : shape.dim[i];
        }
    }
    if (a->n > UINT32_MAX || a->n == 0)
        return gpai_onnx_refuse(o, "an input that is empty or this large");
    gpai_onnx_step s = {.kind = GPAI_ONNX_REDUCE_STEP,
                        .function = (int)function,
                        .map_a = gpai_onnx_walk(o, &order, stride, a->n),
                        .k = k};
    gpai_onnx_value v = *a;
    v.shape = shape;
    if (a->store == GPAI_ONNX_WHOLE)
        gpai_onnx_refuse(o, "whole numbers");
    return gpai_onnx_emit(o, &s, a, NULL, (double)k, &v, out);
}

/* Without the axes that have been reduced. */
static void drop_axes(unsigned bits, gpai_onnx_value *v)
{
    gpai_onnx_shape shape = {0};
    for (size_t i = 0; i < v->shape.rank; i++)
        if (!(bits >> i & 1))
            shape.dim[shape.rank++] = v->shape.dim[i];
    v->shape = shape;
}

static gpa_status reduce(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value *out = gpai_onnx_out(o, 0);
    unsigned bits = 0;
    size_t n;
    const int64_t *axes = gpai_onnx_list(o, "axes", 1, &n);
    int64_t keep = gpai_onnx_int(o, "keepdims", 1);
    int64_t nothing = gpai_onnx_int(o, "noop_with_empty_axes", 0);
    if (n == 0 || nothing != 0)
        gpai_onnx_refuse(o, "anything but axes that it names");
    for (size_t i = 0; o->st == GPA_OK && i < n; i++)
        bits |= 1U << gpai_onnx_own_axis(o, a, axes[i]);
    gpai_onnx_reduce(o, (gpai_onnx_reduction)o->which, a, bits, out);
    if (o->st == GPA_OK && keep == 0)
        drop_axes(bits, out);
    return o->st;
}

/* (x - mean) / sqrt(variance + epsilon) over the last axes, then scale and bias. */
static gpa_status layer_norm(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *bias = gpai_onnx_in(o, 2);
    gpai_onnx_value mean, centred, spread, square, epsilon, *out = gpai_onnx_out(o, 0);
    int64_t axis = gpai_onnx_int(o, "axis", -1);
    unsigned bits = 0;
    (void)gpai_onnx_int(o, "stash_type", 1);
    float number = (float)gpai_onnx_float(o, "epsilon", (double)1e-5f);
    for (size_t i = gpai_onnx_own_axis(o, a, axis); i < a->shape.rank; i++)
        bits |= 1U << i;
    gpai_onnx_constant(o, &number, 1, a->type, &epsilon);
    gpai_onnx_reduce(o, GPAI_ONNX_MEAN, a, bits, &mean);
    gpai_onnx_emit_binary(o, GPAI_ONNX_SUB, a, &mean, &centred);
    gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &centred, &centred, &square);
    gpai_onnx_reduce(o, GPAI_ONNX_MEAN, &square, bits, &spread);
    gpai_onnx_emit_binary(o, GPAI_ONNX_ADD, &spread, &epsilon, &spread);
    gpai_onnx_emit_unary(o, GPAI_ONNX_SQRT, 0, 0, &spread, &spread);
    gpai_onnx_emit_binary(o, GPAI_ONNX_DIV, &centred, &spread, &centred);
    gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &centred, gpai_onnx_in(o, 1), out);
    return bias == NULL ? o->st
                        : gpai_onnx_emit_binary(o, GPAI_ONNX_ADD, out, bias, out);
}

const gpai_onnx_op gpai_onnx_reduce_ops[] = {
    {"ReduceSum", reduce, GPAI_ONNX_SUM, 1, 2},
    {"ReduceMean", reduce, GPAI_ONNX_MEAN, 1, 2},
    {"ReduceMin", reduce, GPAI_ONNX_LEAST, 1, 2},
    {"ReduceMax", reduce, GPAI_ONNX_GREATEST, 1, 2},
    {"ReduceL1", reduce, GPAI_ONNX_SUM_ABS, 1, 2},
    {"ReduceL2", reduce, GPAI_ONNX_ROOT_SQUARE, 1, 2},
    {"ReduceSumSquare", reduce, GPAI_ONNX_SUM_SQUARE, 1, 2},
    {"LayerNormalization", layer_norm, 0, 2, 3},
    {NULL, NULL, 0, 0, 0},
};
