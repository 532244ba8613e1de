#include "model/onnx/ops/emit.h"
#include "model/onnx/ops/ops.h"

/* Which numbers of `a` make each number of the result: those along the axes with a bit.
 * The result keeps these axes, with one place. */
static gpa_status reduce_map(gpai_onnx_node *o, const gpai_onnx_value *a, unsigned bits,
                             gpai_onnx_shape *shape, size_t *k, uint32_t **out)
{
    size_t at[GPAI_ONNX_RANK] = {0}, stride[GPAI_ONNX_RANK], order[GPAI_ONNX_RANK];
    size_t rank = a->shape.rank, n = 0, step = 1, next = 0;
    *shape = a->shape;
    *k = 1;
    for (size_t i = rank; i-- > 0; step *= a->shape.dim[i])
        stride[i] = step;
    for (size_t i = 0; i < rank; i++) /* the axes that go vary fastest */
        if (!(bits >> i & 1))
            order[n++] = i;
    for (size_t i = 0; i < rank; i++) {
        if (bits >> i & 1) {
            order[n++] = i;
            *k *= a->shape.dim[i];
            shape->dim[i] = 1;
        }
    }
    if (a->n > UINT32_MAX || a->n == 0)
        return gpai_onnx_refuse(o, "an input that is empty or this large");
    *out = gpai_onnx_map(o, a->n);
    if (*out == NULL)
        return gpai_onnx_no_room(o);
    for (size_t m = 0; m < a->n; m++) {
        (*out)[m] = (uint32_t)next;
        for (size_t i = rank; i-- > 0;) {
            next += stride[order[i]];
            if (++at[i] < a->shape.dim[order[i]])
                break;
            next -= stride[order[i]] * a->shape.dim[order[i]];
            at[i] = 0;
        }
    }
    return GPA_OK;
}

gpa_status gpai_onnx_reduce(gpai_onnx_node *o, gpai_onnx_reduction function,
                            const gpai_onnx_value *a, unsigned bits,
                            gpai_onnx_value *out)
{
    gpai_onnx_shape shape;
    uint32_t *map = NULL;
    size_t k;
    gpa_status st = reduce_map(o, a, bits, &shape, &k, &map);
    if (st == GPA_OK)
        st = gpai_onnx_emit_reduce(o, function, a, &shape, map, k, out);
    return st;
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

static gpa_status reduce(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value *out = gpai_onnx_out(o, 0);
    int64_t keep = 1, nothing = 0;
    const int64_t *axes;
    unsigned bits = 0;
    size_t n, axis;
    gpa_status st = gpai_onnx_list(o, "axes", 1, &axes, &n);
    if (st == GPA_OK)
        st = gpai_onnx_int(o, "keepdims", &keep);
    if (st == GPA_OK)
        st = gpai_onnx_int(o, "noop_with_empty_axes", &nothing);
    if (st == GPA_OK && (n == 0 || nothing != 0))
        st = gpai_onnx_refuse(o, "anything but axes that it names");
    for (size_t i = 0; st == GPA_OK && i < n; i++) {
        st = gpai_onnx_own_axis(o, a, axes[i], &axis);
        bits |= st == GPA_OK ? 1U << axis : 0;
    }
    if (st == GPA_OK)
        st = gpai_onnx_reduce(o, (gpai_onnx_reduction)which, a, bits, out);
    if (st == GPA_OK && keep == 0)
        drop_axes(bits, out);
    return st;
}

/* (x - mean) / sqrt(variance + epsilon) over the last axes, then scale and bias. */
static gpa_status layer_norm(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *bias = gpai_onnx_in(o, 2);
    gpai_onnx_value mean, centred, spread, square, epsilon, *out = gpai_onnx_out(o, 0);
    int64_t written = -1, stash = 1;
    double small = (double)1e-5f;
    size_t axis = 0;
    unsigned bits = 0;
    (void)which;
    gpa_status st = gpai_onnx_int(o, "axis", &written);
    if (st == GPA_OK)
        st = gpai_onnx_int(o, "stash_type", &stash);
    if (st == GPA_OK)
        st = gpai_onnx_float(o, "epsilon", &small);
    if (st == GPA_OK)
        st = gpai_onnx_own_axis(o, a, written, &axis);
    if (st != GPA_OK)
        return st;
    for (size_t i = axis; i < a->shape.rank; i++)
        bits |= 1U << i;
    float number = (float)small;
    st = gpai_onnx_constant(o, &number, 1, a->type, &epsilon);
    if (st == GPA_OK)
        st = gpai_onnx_reduce(o, GPAI_ONNX_MEAN, a, bits, &mean);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_SUB, a, &mean, &centred);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &centred, &centred, &square);
    if (st == GPA_OK)
        st = gpai_onnx_reduce(o, GPAI_ONNX_MEAN, &square, bits, &spread);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_ADD, &spread, &epsilon, &spread);
    if (st == GPA_OK)
        st = gpai_onnx_emit_unary(o, GPAI_ONNX_SQRT, 0, 0, &spread, &spread);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_DIV, &centred, &spread, &centred);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &centred, gpai_onnx_in(o, 1), out);
    if (st == GPA_OK && bias != NULL)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_ADD, out, bias, out);
    return st;
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
