#include "model/onnx/ops/emit.h"
#include "model/onnx/ops/ops.h"
#include <math.h>

enum { ANY = 1 << 14 };

/* The input as a list of columns of float or double, for operators whose result is
 * float whatever goes in. */
static gpa_status check_columns(gpai_onnx_node *o, const gpai_onnx_value *a)
{
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank != 1 || a->type == GPAI_ONNX_BOOL)
        return gpai_onnx_refuse(o, "anything but a table of numbers");
    return GPA_OK;
}

/* A number for each column, or one for all. */
static gpa_status per_column(gpai_onnx_node *o, const char *name,
                             const gpai_onnx_value *a, gpai_onnx_value *out)
{
    const float *numbers;
    size_t n;
    gpa_status st = gpai_onnx_floats(o, name, &numbers, &n);
    if (st != GPA_OK)
        return st;
    if (n != 1 && n != a->n)
        return gpai_onnx_fail(o, GPA_DATA, "%s: %zu numbers for %zu columns", name, n,
                              a->n);
    return gpai_onnx_constant(o, numbers, n, a->type, out);
}

/* (x - offset) scale */
static gpa_status scaler(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value offset, scale, v = *a;
    (void)which;
    gpa_status st = check_columns(o, a);
    if (st == GPA_OK)
        st = per_column(o, "offset", a, &offset);
    if (st == GPA_OK)
        st = per_column(o, "scale", a, &scale);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_SUB, a, &offset, &v);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &v, &scale, &v);
    if (st == GPA_OK)
        st = gpai_onnx_emit_cast(o, &v, GPAI_ONNX_FLOAT, gpai_onnx_out(o, 0));
    return st;
}

/* The numbers of an attribute as a matrix that is turned (so many columns), or a list
 * of n of which none need be there. */
static gpa_status keep(gpai_onnx_node *o, const float *numbers, size_t n, bool wide,
                       size_t columns, const void **out)
{
    void *to = gpai_onnx_kept(o, n, wide ? sizeof(double) : sizeof(float));
    size_t lines = columns > 0 ? n / columns : 0;
    if (to == NULL)
        return gpai_onnx_no_room(o);
    *out = to;
    for (size_t i = 0; numbers != NULL && i < n; i++) {
        float number = numbers[columns > 0 ? i % lines * columns + i / lines : i];
        if (wide)
            ((double *)to)[i] = (double)number;
        else
            ((float *)to)[i] = number;
    }
    return GPA_OK;
}

static gpa_status linear(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    const float *coefficient, *intercept;
    size_t n, intercepts;
    int64_t targets = 1;
    const void *w, *bias;
    gpai_onnx_value v;
    (void)which;
    gpa_status st = check_columns(o, a);
    if (st == GPA_OK)
        st = gpai_onnx_only(o, "post_transform", "NONE");
    if (st == GPA_OK)
        st = gpai_onnx_int(o, "targets", &targets);
    if (st == GPA_OK)
        st = gpai_onnx_floats(o, "coefficients", &coefficient, &n);
    if (st == GPA_OK)
        st = gpai_onnx_floats(o, "intercepts", &intercept, &intercepts);
    if (st != GPA_OK)
        return st;
    if (targets < 1 || n % a->n != 0 || (uint64_t)targets != n / a->n ||
        (intercepts != 0 && intercepts != (uint64_t)targets))
        return gpai_onnx_fail(o, GPA_DATA,
                              "%zu coefficients and %zu intercepts for %zu columns", n,
                              intercepts, a->n);
    bool wide = a->store == GPAI_ONNX_WIDE;
    st = keep(o, coefficient, n, wide, a->n, &w);
    if (st == GPA_OK)
        st = keep(o, intercept, (size_t)targets, wide, 0, &bias);
    if (st == GPA_OK)
        st = gpai_onnx_emit_gemm(o, a, w, bias, (size_t)targets, 1, &v);
    if (st == GPA_OK)
        st = gpai_onnx_emit_cast(o, &v, GPAI_ONNX_FLOAT, gpai_onnx_out(o, 0));
    return st;
}

/* Missing numbers, which are NaN, become others. */
static gpa_status imputer(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value filling;
    double replaced = 0;
    gpa_status st = check_columns(o, a);
    if (st == GPA_OK)
        st = gpai_onnx_float(o, "replaced_value_float", &replaced);
    if (st == GPA_OK && !isnan(replaced))
        st = gpai_onnx_refuse(o, "any replaced_value_float but NaN");
    if (st == GPA_OK)
        st = per_column(o, "imputed_value_floats", a, &filling);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, which, a, &filling, gpai_onnx_out(o, 0));
    return st;
}

/* Each row over its norm; a row of zeros stays. */
static gpa_status normalizer(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value norm, v = *a;
    const char *name = "MAX";
    size_t length = 3;
    (void)which;
    gpa_status st = check_columns(o, a);
    if (st == GPA_OK)
        st = gpai_onnx_string(o, "norm", &name, &length);
    if (st != GPA_OK)
        return st;
    bool one = length == 2 && name[0] == 'L' && name[1] == '1';
    bool two = length == 2 && name[0] == 'L' && name[1] == '2';
    if (!one && !two)
        return gpai_onnx_refuse(o, "any norm but L1 and L2");
    st = gpai_onnx_reduce(o, one ? GPAI_ONNX_SUM_ABS : GPAI_ONNX_ROOT_SQUARE, a, 1,
                          &norm);
    if (st == GPA_OK)
        st = gpai_onnx_emit_unary(o, GPAI_ONNX_ZERO_TO_ONE, 0, 0, &norm, &norm);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, GPAI_ONNX_DIV, a, &norm, &v);
    if (st == GPA_OK)
        st = gpai_onnx_emit_cast(o, &v, GPAI_ONNX_FLOAT, gpai_onnx_out(o, 0));
    return st;
}

/* 1 above the threshold, else 0. */
static gpa_status binarizer(gpai_onnx_node *o, int which)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value border;
    double threshold = 0;
    gpa_status st = check_columns(o, a);
    if (st == GPA_OK)
        st = gpai_onnx_float(o, "threshold", &threshold);
    float number = (float)threshold;
    if (st == GPA_OK)
        st = gpai_onnx_constant(o, &number, 1, a->type, &border);
    if (st == GPA_OK)
        st = gpai_onnx_emit_binary(o, which, &border, a, gpai_onnx_out(o, 0));
    return st;
}

/* Columns side by side; what it says about their numbers we know. */
static gpa_status vectorizer(gpai_onnx_node *o, int which)
{
    gpai_onnx_ignore(o, "inputdimensions");
    (void)which;
    gpa_status st = GPA_OK;
    for (size_t i = 0; st == GPA_OK && i < o->file->n_input; i++)
        st = gpai_onnx_in(o, i) != NULL
                 ? check_columns(o, gpai_onnx_in(o, i))
                 : gpai_onnx_fail(o, GPA_DATA, "input %zu is missing", i + 1);
    if (st == GPA_OK && gpai_onnx_in(o, 0)->type != GPAI_ONNX_FLOAT)
        st = gpai_onnx_refuse(o, "anything but float");
    return st == GPA_OK ? gpai_onnx_join(o, 0) : st;
}

const gpai_onnx_op gpai_onnx_ml_ops[] = {
    {"Scaler", scaler, 0, 1, 1},
    {"LinearRegressor", linear, 0, 1, 1},
    {"Imputer", imputer, GPAI_ONNX_FILL_NAN, 1, 1},
    {"Normalizer", normalizer, 0, 1, 1},
    {"Binarizer", binarizer, GPAI_ONNX_LESS, 1, 1},
    {"FeatureVectorizer", vectorizer, 0, 1, ANY},
    {"ArrayFeatureExtractor", gpai_onnx_columns, 0, 2, 2},
    {"SVMRegressor", gpai_onnx_svm_regressor, 0, 1, 1},
    {"TreeEnsembleRegressor", gpai_onnx_trees, 0, 1, 1},
    {NULL, NULL, 0, 0, 0},
};
