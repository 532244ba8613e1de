#include "base/text/words.h"
#include "model/onnx/ops/emit.h"
#include "model/onnx/ops/ops.h"
#include <string.h>

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

gpa_status gpai_onnx_svm_regressor(gpai_onnx_node *o)
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
