#include "model/onnx/ops/ops.h"
#include <math.h>
#include <string.h>

const void *gpai_onnx_matrix(gpai_onnx_node *o, const gpai_onnx_value *v,
                             gpai_onnx_store store, size_t columns)
{
    void *to = gpai_onnx_kept(o, v->n, gpai_onnx_size(store));
    size_t lines = columns > 0 ? v->n / columns : 0;
    for (size_t i = 0; to != NULL && i < v->n; i++) {
        size_t from = columns > 0 ? i % lines * columns + i / lines : i;
        if (store == GPAI_ONNX_WIDE)
            ((double *)to)[i] = gpai_onnx_number(v, from);
        else
            ((float *)to)[i] = (float)gpai_onnx_number(v, from);
    }
    return to;
}

const void *gpai_onnx_bias(gpai_onnx_node *o, const gpai_onnx_value *c,
                           gpai_onnx_store store, size_t n, double beta)
{
    void *to = gpai_onnx_kept(o, n, gpai_onnx_size(store));
    for (size_t i = 0; to != NULL && c != NULL && i < n; i++) {
        double number = gpai_onnx_number(c, c->n == 1 ? 0 : i);
        if (store == GPAI_ONNX_WIDE)
            ((double *)to)[i] = beta * number;
        else
            ((float *)to)[i] = (float)beta * (float)number;
    }
    return to;
}

/* Both factors are of one type, which is float or double, and the second is constant.
 */
static gpa_status check_factors(gpai_onnx_node *o, const gpai_onnx_value *a,
                                const gpai_onnx_value *b)
{
    if (o->st != GPA_OK)
        return o->st;
    if (a->type != b->type || a->store == GPAI_ONNX_WHOLE || a->type == GPAI_ONNX_BOOL)
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "factors of type %s and %s",
                              gpai_onnx_type_name(a->type),
                              gpai_onnx_type_name(b->type));
    if (b->kind != GPAI_ONNX_CONSTANT)
        return gpai_onnx_refuse(o, "a second factor that is not constant");
    return GPA_OK;
}

static gpa_status matmul(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *b = gpai_onnx_in(o, 1);
    gpai_onnx_value *out = gpai_onnx_out(o, 0);
    if (check_factors(o, a, b) != GPA_OK)
        return o->st;
    if (a->shape.rank == 0 || b->shape.rank == 0 || b->shape.rank > 2)
        return gpai_onnx_refuse(o, "a second factor that is no matrix or list");
    size_t k = a->shape.dim[a->shape.rank - 1];
    size_t n = b->shape.rank == 2 ? b->shape.dim[1] : 1;
    if (b->shape.dim[0] != k)
        return gpai_onnx_fail(o, GPA_DATA, "%zu columns times %zu lines", k,
                              b->shape.dim[0]);
    const void *w = gpai_onnx_matrix(o, b, a->store, 0);
    const void *bias = gpai_onnx_bias(o, NULL, a->store, n, 0);
    gpai_onnx_emit_gemm(o, a, w, bias, n, 1, out);
    if (o->st == GPA_OK && b->shape.rank == 1)
        out->shape.rank--;
    return o->st;
}

/* What is added: a number, one for each column, or that as a matrix of one line. */
static gpa_status check_bias(gpai_onnx_node *o, const gpai_onnx_value *c, size_t n)
{
    if (c == NULL)
        return GPA_OK;
    if (c->kind != GPAI_ONNX_CONSTANT || c->store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "adding what is not constant");
    size_t last = c->shape.rank > 0 ? c->shape.dim[c->shape.rank - 1] : 1;
    if (c->shape.rank > 2 || c->n != last || (last != 1 && last != n))
        return gpai_onnx_refuse(o, "adding what differs from row to row");
    return GPA_OK;
}

static gpa_status gemm(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *b = gpai_onnx_in(o, 1);
    const gpai_onnx_value *c = gpai_onnx_in(o, 2);
    double alpha = gpai_onnx_float(o, "alpha", 1), beta = gpai_onnx_float(o, "beta", 1);
    int64_t trans_a = gpai_onnx_int(o, "transA", 0);
    int64_t trans_b = gpai_onnx_int(o, "transB", 0);
    if (check_factors(o, a, b) != GPA_OK)
        return o->st;
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank != 1 || trans_a != 0)
        return gpai_onnx_refuse(o, "a first factor that is not rows, or turned");
    if (b->shape.rank != 2)
        return gpai_onnx_fail(o, GPA_DATA, "the second factor is no matrix");
    size_t k = b->shape.dim[trans_b != 0], n = b->shape.dim[trans_b == 0];
    if (k != a->shape.dim[0])
        return gpai_onnx_fail(o, GPA_DATA, "%zu columns times %zu lines",
                              a->shape.dim[0], k);
    if (check_bias(o, c, n) != GPA_OK)
        return o->st;
    const void *w = gpai_onnx_matrix(o, b, a->store, trans_b != 0 ? k : 0);
    const void *bias = gpai_onnx_bias(o, c, a->store, n, beta);
    return gpai_onnx_emit_gemm(o, a, w, bias, n, alpha, gpai_onnx_out(o, 0));
}

/* A list with a number per channel, the first dimension after the rows, in a shape that
 * broadcasts. */
static gpa_status per_channel(gpai_onnx_node *o, const gpai_onnx_value *a, size_t input,
                              gpai_onnx_value *out)
{
    const gpai_onnx_value *v = gpai_onnx_in(o, input);
    gpai_onnx_shape shape = {a->shape.rank, {0}};
    if (v->kind != GPAI_ONNX_CONSTANT || v->n != a->shape.dim[0] || v->type != a->type)
        return gpai_onnx_refuse(o, "anything but constants, one per channel");
    for (size_t i = 0; i < shape.rank; i++)
        shape.dim[i] = i == 0 ? v->n : 1;
    gpai_onnx_reshaped(v, &shape, out);
    return GPA_OK;
}

/* x s + (bias - mean s) with s = scale / sqrt(variance + epsilon). */
static gpa_status normalise(gpai_onnx_node *o, const gpai_onnx_value *a, float epsilon)
{
    gpai_onnx_value scale, bias, mean, spread, small, *out = gpai_onnx_out(o, 0);
    per_channel(o, a, 1, &scale);
    per_channel(o, a, 2, &bias);
    per_channel(o, a, 3, &mean);
    per_channel(o, a, 4, &spread);
    gpai_onnx_constant(o, &epsilon, 1, a->type, &small);
    gpai_onnx_emit_binary(o, GPAI_ONNX_ADD, &spread, &small, &spread);
    gpai_onnx_emit_unary(o, GPAI_ONNX_SQRT, 0, 0, &spread, &spread);
    gpai_onnx_emit_binary(o, GPAI_ONNX_DIV, &scale, &spread, &scale);
    gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &mean, &scale, &mean);
    gpai_onnx_emit_binary(o, GPAI_ONNX_SUB, &bias, &mean, &bias);
    gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, a, &scale, out);
    return gpai_onnx_emit_binary(o, GPAI_ONNX_ADD, out, &bias, out);
}

static gpa_status batch_norm(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    double epsilon = gpai_onnx_float(o, "epsilon", (double)1e-5f);
    (void)gpai_onnx_float(o, "momentum", 0);
    if (gpai_onnx_int(o, "training_mode", 0) != 0)
        gpai_onnx_refuse(o, "a model exported for training");
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank == 0)
        gpai_onnx_refuse(o, "anything but rows that depend on the input");
    return o->st == GPA_OK ? normalise(o, a, (float)epsilon) : o->st;
}

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

const gpai_onnx_op gpai_onnx_dense_ops[] = {
    {"MatMul", matmul, 0, 2, 2},
    {"Gemm", gemm, 0, 2, 3},
    {"BatchNormalization", batch_norm, 0, 5, 5},
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
