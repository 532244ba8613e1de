#include "model/onnx/ops/ops.h"
#include <float.h>

static gpa_status unary(gpai_onnx_node *o)
{
    return gpai_onnx_emit_unary(o, o->which, 0, 0, gpai_onnx_in(o, 0),
                                gpai_onnx_out(o, 0));
}

/* Functions with parameters: their names and what they are when the file is silent. */
static gpa_status tuned(gpai_onnx_node *o)
{
    static const struct {
        int function;
        const char *p, *q;
        double first, second;
    } all[] = {
        {GPAI_ONNX_LEAKY_RELU, "alpha", "", (double)0.01f, 0},
        {GPAI_ONNX_ELU, "alpha", "", 1, 0},
        {GPAI_ONNX_CELU, "alpha", "", 1, 0},
        {GPAI_ONNX_THRESHOLDED, "alpha", "", 1, 0},
        {GPAI_ONNX_SELU, "alpha", "gamma", 1.67326319217681884765625,
         1.05070102214813232421875},
        {GPAI_ONNX_HARD_SIGMOID, "alpha", "beta", (double)0.2f, 0.5},
    };
    size_t i = 0;
    while (all[i].function != o->which)
        i++;
    double p = gpai_onnx_float(o, all[i].p, all[i].first);
    double q = all[i].second;
    if (all[i].q[0] != '\0')
        q = gpai_onnx_float(o, all[i].q, q);
    return gpai_onnx_emit_unary(o, o->which, p, q, gpai_onnx_in(o, 0),
                                gpai_onnx_out(o, 0));
}

static gpa_status gelu(gpai_onnx_node *o)
{
    gpai_onnx_only(o, "approximate", "none");
    return unary(o);
}

/* A bound of Clip: an attribute in old files, a constant input in new ones. */
static void bound(gpai_onnx_node *o, const char *name, size_t input, double *to)
{
    const gpai_onnx_value *v = gpai_onnx_in(o, input);
    *to = gpai_onnx_float(o, name, *to);
    if (v == NULL)
        return;
    if (v->kind != GPAI_ONNX_CONSTANT || v->n != 1 || v->store == GPAI_ONNX_WHOLE)
        gpai_onnx_fail(o, GPA_UNSUPPORTED, "not supported: a %s that is not constant",
                       name);
    else
        *to = gpai_onnx_number(v, 0);
}

/* Without bounds it still keeps infinite numbers out. */
static gpa_status clip(gpai_onnx_node *o)
{
    bool wide = gpai_onnx_in(o, 0)->store == GPAI_ONNX_WIDE;
    double high = wide ? DBL_MAX : (double)FLT_MAX, low = -high;
    bound(o, "min", 1, &low);
    bound(o, "max", 2, &high);
    low = low < high ? low : high; /* what is above the upper bound is that bound */
    return gpai_onnx_emit_unary(o, o->which, low, high, gpai_onnx_in(o, 0),
                                gpai_onnx_out(o, 0));
}

/* Shapes are computed with whole numbers. The number of rows is unknown and takes no
 * part. */
static bool whole_result(int which, int64_t x, int64_t y, int64_t *to)
{
    if (x == GPAI_ONNX_BATCH || y == GPAI_ONNX_BATCH)
        return false;
    if (which == GPAI_ONNX_ADD)
        return !__builtin_add_overflow(x, y, to);
    if (which == GPAI_ONNX_SUB)
        return !__builtin_sub_overflow(x, y, to);
    if (which == GPAI_ONNX_MUL)
        return !__builtin_mul_overflow(x, y, to);
    *to = which == GPAI_ONNX_DIV && y > 0 ? x / y : 0;
    return which == GPAI_ONNX_DIV && y > 0;
}

static gpa_status whole(gpai_onnx_node *o, const gpai_onnx_value *a,
                        const gpai_onnx_value *b, gpai_onnx_value *out)
{
    gpai_onnx_value v = a->n >= b->n ? *a : *b;
    if (a->type != b->type || (a->n != b->n && a->n != 1 && b->n != 1) ||
        a->shape.rank > 1 || b->shape.rank > 1 || v.n == 0)
        return gpai_onnx_refuse(o, "whole numbers of this shape");
    int64_t *to = gpai_onnx_room(o, v.n, sizeof *to);
    for (size_t i = 0; to != NULL && i < v.n; i++)
        if (!whole_result(o->which, ((const int64_t *)a->data)[a->n > 1 ? i : 0],
                          ((const int64_t *)b->data)[b->n > 1 ? i : 0], &to[i]))
            return gpai_onnx_refuse(o, "this computation with whole numbers");
    v.data = to;
    *out = v;
    return o->st;
}

static gpa_status binary(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *b = gpai_onnx_in(o, 1);
    if (a->store == GPAI_ONNX_WHOLE && b->store == GPAI_ONNX_WHOLE)
        return whole(o, a, b, gpai_onnx_out(o, 0));
    return gpai_onnx_emit_binary(o, o->which, a, b, gpai_onnx_out(o, 0));
}

/* Max, Min and Sum of any number of tensors. */
static gpa_status variadic(gpai_onnx_node *o)
{
    gpai_onnx_value v = *gpai_onnx_in(o, 0);
    if (v.store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "whole numbers");
    for (size_t i = 1; o->st == GPA_OK && i < o->file->n_input; i++) {
        const gpai_onnx_value *next = gpai_onnx_in(o, i);
        if (next == NULL)
            return gpai_onnx_fail(o, GPA_DATA, "input %zu is missing", i + 1);
        gpai_onnx_emit_binary(o, o->which, &v, next, &v);
    }
    *gpai_onnx_out(o, 0) = v;
    return o->st;
}

static bool all_two(const gpai_onnx_value *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (gpai_onnx_number(v, i) != 2)
            return false;
    return v->n == 1;
}

/* The exponent may be of another type. Squares, as in norms, are products. */
static gpa_status power(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *b = gpai_onnx_in(o, 1);
    gpai_onnx_value exponent = *b, *out = gpai_onnx_out(o, 0);
    if (a->store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "whole numbers");
    if (b->kind == GPAI_ONNX_CONSTANT && all_two(b) && b->shape.rank <= a->shape.rank)
        return gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, a, a, out);
    if (b->type != a->type)
        gpai_onnx_emit_cast(o, b, a->type, &exponent);
    return gpai_onnx_emit_binary(o, o->which, a, &exponent, out);
}

/* Comparisons; a negative `which` is one with its sides changed. */
static gpa_status compare(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *b = gpai_onnx_in(o, 1);
    gpai_onnx_value *out = gpai_onnx_out(o, 0);
    if (o->which < 0)
        gpai_onnx_emit_binary(o, -o->which, b, a, out);
    else
        gpai_onnx_emit_binary(o, o->which, a, b, out);
    out->type = GPAI_ONNX_BOOL;
    return o->st;
}

/* Truths that depend on the input, of which there are 0 and 1. */
static void check_truth(gpai_onnx_node *o, const gpai_onnx_value *v)
{
    if (v->type != GPAI_ONNX_BOOL || v->store == GPAI_ONNX_WHOLE)
        gpai_onnx_refuse(o, "anything but comparisons that depend on the input");
}

static gpa_status logic(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *b = gpai_onnx_in(o, 1);
    check_truth(o, a);
    if (b == NULL)
        return unary(o);
    check_truth(o, b);
    return gpai_onnx_emit_binary(o, o->which, a, b, gpai_onnx_out(o, 0));
}

/* (a where it holds, else 0) + (b where it does not, else 0) */
static gpa_status where(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 1), *b = gpai_onnx_in(o, 2);
    gpai_onnx_value mask = *gpai_onnx_in(o, 0), kept, other;
    check_truth(o, &mask);
    if (a->store == GPAI_ONNX_WHOLE)
        gpai_onnx_refuse(o, "whole numbers");
    mask.type = mask.store == GPAI_ONNX_WIDE ? GPAI_ONNX_DOUBLE : GPAI_ONNX_FLOAT;
    gpai_onnx_emit_cast(o, &mask, a->type, &mask);
    gpai_onnx_emit_binary(o, GPAI_ONNX_KEEP, &mask, a, &kept);
    gpai_onnx_emit_binary(o, GPAI_ONNX_DROP, &mask, b, &other);
    return gpai_onnx_emit_binary(o, o->which, &kept, &other, gpai_onnx_out(o, 0));
}

static gpa_status cast(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value truth = *a, *out = gpai_onnx_out(o, 0);
    gpai_onnx_store store;
    int64_t to = gpai_onnx_int(o, "to", 0);
    gpai_onnx_ignore(o, "saturate"); /* for types that are not supported */
    if (!gpai_onnx_type_store(to, &store))
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "to %s is not supported",
                              gpai_onnx_type_name(to));
    /* Truths are 0 and 1 of a type that is no longer the one they say. */
    if (a->type == GPAI_ONNX_BOOL && a->store != GPAI_ONNX_WHOLE)
        truth.type = a->store == GPAI_ONNX_WIDE ? GPAI_ONNX_DOUBLE : GPAI_ONNX_FLOAT;
    return gpai_onnx_emit_cast(o, &truth, (gpai_onnx_type)to, out);
}

const gpai_onnx_op gpai_onnx_math_ops[] = {
    {"Abs", unary, GPAI_ONNX_ABS, 1, 1},
    {"Neg", unary, GPAI_ONNX_NEG, 1, 1},
    {"Exp", unary, GPAI_ONNX_EXP, 1, 1},
    {"Log", unary, GPAI_ONNX_LOG, 1, 1},
    {"Sqrt", unary, GPAI_ONNX_SQRT, 1, 1},
    {"Reciprocal", unary, GPAI_ONNX_RECIPROCAL, 1, 1},
    {"Floor", unary, GPAI_ONNX_FLOOR, 1, 1},
    {"Ceil", unary, GPAI_ONNX_CEIL, 1, 1},
    {"Round", unary, GPAI_ONNX_ROUND, 1, 1},
    {"Sign", unary, GPAI_ONNX_SIGN, 1, 1},
    {"Sin", unary, GPAI_ONNX_SIN, 1, 1},
    {"Cos", unary, GPAI_ONNX_COS, 1, 1},
    {"Tan", unary, GPAI_ONNX_TAN, 1, 1},
    {"Atan", unary, GPAI_ONNX_ATAN, 1, 1},
    {"Erf", unary, GPAI_ONNX_ERF, 1, 1},
    {"Relu", unary, GPAI_ONNX_RELU, 1, 1},
    {"Tanh", unary, GPAI_ONNX_TANH, 1, 1},
    {"Sigmoid", unary, GPAI_ONNX_LOGISTIC, 1, 1},
    {"Softplus", unary, GPAI_ONNX_SOFTPLUS, 1, 1},
    {"Softsign", unary, GPAI_ONNX_SOFTSIGN, 1, 1},
    {"HardSwish", unary, GPAI_ONNX_HARD_SWISH, 1, 1},
    {"Gelu", gelu, GPAI_ONNX_GELU, 1, 1},
    {"LeakyRelu", tuned, GPAI_ONNX_LEAKY_RELU, 1, 1},
    {"Elu", tuned, GPAI_ONNX_ELU, 1, 1},
    {"Celu", tuned, GPAI_ONNX_CELU, 1, 1},
    {"Selu", tuned, GPAI_ONNX_SELU, 1, 1},
    {"ThresholdedRelu", tuned, GPAI_ONNX_THRESHOLDED, 1, 1},
    {"HardSigmoid", tuned, GPAI_ONNX_HARD_SIGMOID, 1, 1},
    {"Clip", clip, GPAI_ONNX_CLIP, 1, 3},
    {"Add", binary, GPAI_ONNX_ADD, 2, 2},
    {"Sub", binary, GPAI_ONNX_SUB, 2, 2},
    {"Mul", binary, GPAI_ONNX_MUL, 2, 2},
    {"Div", binary, GPAI_ONNX_DIV, 2, 2},
    {"PRelu", binary, GPAI_ONNX_PRELU, 2, 2},
    {"Pow", power, GPAI_ONNX_POW, 2, 2},
    {"Max", variadic, GPAI_ONNX_MAX, 1, GPAI_ONNX_ANY},
    {"Min", variadic, GPAI_ONNX_MIN, 1, GPAI_ONNX_ANY},
    {"Sum", variadic, GPAI_ONNX_ADD, 1, GPAI_ONNX_ANY},
    {"Less", compare, GPAI_ONNX_LESS, 2, 2},
    {"LessOrEqual", compare, GPAI_ONNX_LESS_EQUAL, 2, 2},
    {"Greater", compare, -GPAI_ONNX_LESS, 2, 2},
    {"GreaterOrEqual", compare, -GPAI_ONNX_LESS_EQUAL, 2, 2},
    {"Equal", compare, GPAI_ONNX_EQUAL, 2, 2},
    {"And", logic, GPAI_ONNX_AND, 2, 2},
    {"Or", logic, GPAI_ONNX_OR, 2, 2},
    {"Not", logic, GPAI_ONNX_NOT, 1, 1},
    {"Where", where, GPAI_ONNX_ADD, 3, 3},
    {"Cast", cast, 0, 1, 1},
    {NULL, NULL, 0, 0, 0},
};
