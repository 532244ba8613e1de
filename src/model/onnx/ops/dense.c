#include "model/onnx/ops/emit.h"
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

const gpai_onnx_op gpai_onnx_dense_ops[] = {
    {"MatMul", matmul, 0, 2, 2},
    {"Gemm", gemm, 0, 2, 3},
    {"BatchNormalization", batch_norm, 0, 5, 5},
    {NULL, NULL, 0, 0, 0},
};
