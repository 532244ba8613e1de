#include "base/text/words.h"
#include "model/onnx/ops/ops.h"
#include <math.h>
#include <string.h>

/* The input as a list of columns of float or double, for operators whose result is
 * float whatever goes in. */
static void check_columns(gpai_onnx_node *o, const gpai_onnx_value *a)
{
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank != 1 || a->type == GPAI_ONNX_BOOL)
        gpai_onnx_refuse(o, "anything but a table of numbers");
}

/* A number for each column, or one for all. */
static gpa_status per_column(gpai_onnx_node *o, const char *name,
                             const gpai_onnx_value *a, gpai_onnx_value *out)
{
    size_t n;
    const float *numbers = gpai_onnx_floats(o, name, &n);
    if (n != 1 && n != a->n)
        return gpai_onnx_fail(o, GPA_DATA, "%s: %zu numbers for %zu columns", name, n,
                              a->n);
    return gpai_onnx_constant(o, numbers, n, a->type, out);
}

/* (x - offset) scale */
static gpa_status scaler(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value offset, scale, v;
    check_columns(o, a);
    per_column(o, "offset", a, &offset);
    per_column(o, "scale", a, &scale);
    gpai_onnx_emit_binary(o, GPAI_ONNX_SUB, a, &offset, &v);
    gpai_onnx_emit_binary(o, GPAI_ONNX_MUL, &v, &scale, &v);
    return gpai_onnx_emit_cast(o, &v, GPAI_ONNX_FLOAT, gpai_onnx_out(o, 0));
}

static gpa_status linear(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    size_t n, intercepts;
    gpai_onnx_value v;
    check_columns(o, a);
    gpai_onnx_only(o, "post_transform", "NONE");
    int64_t targets = gpai_onnx_int(o, "targets", 1);
    const float *coefficient = gpai_onnx_floats(o, "coefficients", &n);
    const float *intercept = gpai_onnx_floats(o, "intercepts", &intercepts);
    if (o->st != GPA_OK)
        return o->st;
    if (targets < 1 || n % a->n != 0 || (uint64_t)targets != n / a->n ||
        (intercepts != 0 && intercepts != (uint64_t)targets))
        return gpai_onnx_fail(o, GPA_DATA,
                              "%zu coefficients and %zu intercepts for %zu columns", n,
                              intercepts, a->n);
    gpai_onnx_value lines = gpai_onnx_floating(coefficient, n);
    gpai_onnx_value added = gpai_onnx_floating(intercept, intercepts);
    const void *w = gpai_onnx_matrix(o, &lines, a->store, a->n);
    const void *bias =
        gpai_onnx_bias(o, intercepts > 0 ? &added : NULL, a->store, (size_t)targets, 1);
    gpai_onnx_emit_gemm(o, a, w, bias, (size_t)targets, 1, &v);
    return gpai_onnx_emit_cast(o, &v, GPAI_ONNX_FLOAT, gpai_onnx_out(o, 0));
}

/* Missing numbers, which are NaN, become others. */
static gpa_status imputer(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value filling;
    check_columns(o, a);
    if (!isnan(gpai_onnx_float(o, "replaced_value_float", 0)))
        gpai_onnx_refuse(o, "any replaced_value_float but NaN");
    per_column(o, "imputed_value_floats", a, &filling);
    return gpai_onnx_emit_binary(o, o->which, a, &filling, gpai_onnx_out(o, 0));
}

/* Each row over its norm; a row of zeros stays. */
static gpa_status normalizer(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value norm, v;
    const char *name = "MAX";
    size_t length = 3;
    check_columns(o, a);
    gpai_onnx_string(o, "norm", &name, &length);
    bool one = gpai_word_is(name, length, "L1");
    if (!one && !gpai_word_is(name, length, "L2"))
        gpai_onnx_refuse(o, "any norm but L1 and L2");
    gpai_onnx_reduce(o, one ? GPAI_ONNX_SUM_ABS : GPAI_ONNX_ROOT_SQUARE, a, 1, &norm);
    gpai_onnx_emit_unary(o, GPAI_ONNX_ZERO_TO_ONE, 0, 0, &norm, &norm);
    gpai_onnx_emit_binary(o, GPAI_ONNX_DIV, a, &norm, &v);
    return gpai_onnx_emit_cast(o, &v, GPAI_ONNX_FLOAT, gpai_onnx_out(o, 0));
}

/* 1 above the threshold, else 0. */
static gpa_status binarizer(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_value border;
    check_columns(o, a);
    float number = (float)gpai_onnx_float(o, "threshold", 0);
    gpai_onnx_constant(o, &number, 1, a->type, &border);
    return gpai_onnx_emit_binary(o, o->which, &border, a, gpai_onnx_out(o, 0));
}

/* Columns side by side; what it says about their numbers we know. */
static gpa_status vectorizer(gpai_onnx_node *o)
{
    gpai_onnx_ignore(o, "inputdimensions");
    for (size_t i = 0; o->st == GPA_OK && i < o->file->n_input; i++) {
        if (gpai_onnx_in(o, i) != NULL)
            check_columns(o, gpai_onnx_in(o, i));
        else
            gpai_onnx_fail(o, GPA_DATA, "input %zu is missing", i + 1);
    }
    if (o->st == GPA_OK && gpai_onnx_in(o, 0)->type != GPAI_ONNX_FLOAT)
        gpai_onnx_refuse(o, "anything but float");
    return o->st == GPA_OK ? gpai_onnx_join(o, 0) : o->st;
}

/* What the node says; all lists are the file's. */
struct machine {
    const float *coefficient, *vector, *rho, *parameter;
    size_t coefficients, numbers, rhos, parameters;
    int64_t vectors, one_class;
    gpai_onnx_svm kernel;
};

static gpai_onnx_svm read_kernel(gpai_onnx_node *o)
{
    static const char *const names[] = {"LINEAR", "POLY", "RBF", "SIGMOID"};
    const char *text = "LINEAR";
    size_t length = 6, i = 0;
    gpai_onnx_string(o, "kernel_type", &text, &length);
    while (i < 4 && !gpai_word_is(text, length, names[i]))
        i++;
    if (i == 4)
        gpai_onnx_refuse(o, "this kernel_type");
    return (gpai_onnx_svm)i;
}

static gpa_status read_machine(gpai_onnx_node *o, struct machine *m)
{
    gpai_onnx_only(o, "post_transform", "NONE");
    m->vectors = gpai_onnx_int(o, "n_supports", 0);
    m->one_class = gpai_onnx_int(o, "one_class", 0);
    m->coefficient = gpai_onnx_floats(o, "coefficients", &m->coefficients);
    m->vector = gpai_onnx_floats(o, "support_vectors", &m->numbers);
    m->rho = gpai_onnx_floats(o, "rho", &m->rhos);
    m->parameter = gpai_onnx_floats(o, "kernel_params", &m->parameters);
    m->kernel = read_kernel(o);
    if (m->one_class != 0)
        gpai_onnx_refuse(o, "one_class");
    return o->st;
}

static gpa_status svm_regressor(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_step s = {.kind = GPAI_ONNX_SVM_STEP};
    gpai_onnx_value v = *a;
    struct machine m;
    if (read_machine(o, &m) != GPA_OK)
        return o->st;
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank != 1 || a->type != GPAI_ONNX_FLOAT)
        return gpai_onnx_refuse(o, "anything but a table of float");
    if (m.vectors < 1 || (uint64_t)m.vectors != m.coefficients ||
        m.numbers % m.coefficients != 0 || m.numbers / m.coefficients != a->n ||
        m.rhos != 1 || (m.parameters != 3 && m.kernel != GPAI_ONNX_SVM_LINEAR))
        return gpai_onnx_refuse(o, "anything but support vectors of all columns, one "
                                   "rho and three kernel_params");
    s.k = m.coefficients;
    s.d = a->n;
    s.function = (int)m.kernel;
    s.p = (double)m.rho[0];
    const gpai_onnx_value vectors = gpai_onnx_floating(m.vector, m.numbers);
    s.w = gpai_onnx_matrix(o, &vectors, GPAI_ONNX_NARROW, 0);
    float *bias = gpai_onnx_kept(o, m.coefficients + 3, sizeof *bias);
    if (bias == NULL)
        return o->st;
    memcpy(bias, m.coefficient, m.coefficients * sizeof *bias);
    if (m.parameters == 3)
        memcpy(bias + m.coefficients, m.parameter, 3 * sizeof *bias);
    s.bias = bias;
    v.shape = (gpai_onnx_shape){1, {1}};
    return gpai_onnx_emit(o, &s, a, NULL, (double)m.numbers, &v, gpai_onnx_out(o, 0));
}

const gpai_onnx_op gpai_onnx_ml_ops[] = {
    {"Scaler", scaler, 0, 1, 1},
    {"LinearRegressor", linear, 0, 1, 1},
    {"Imputer", imputer, GPAI_ONNX_FILL_NAN, 1, 1},
    {"Normalizer", normalizer, 0, 1, 1},
    {"Binarizer", binarizer, GPAI_ONNX_LESS, 1, 1},
    {"FeatureVectorizer", vectorizer, 0, 1, GPAI_ONNX_ANY},
    {"ArrayFeatureExtractor", gpai_onnx_columns, 0, 2, 2},
    {"SVMRegressor", svm_regressor, 0, 1, 1},
    {"TreeEnsembleRegressor", gpai_onnx_trees, 0, 1, 1},
    {NULL, NULL, 0, 0, 0},
};
