#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/onnx/graph.h"

enum { MAX_INPUTS = 1 << 16 };

static gpa_status fail(const gpai_onnx_graph *g, gpa_status status, const char *what,
                       const char *name, gpa_error *err)
{
    return gpai_fail_file(err, status, g->file->path, "input '%s' %s",
                          gpai_show_text(name).text, what);
}

/* One input of the graph: rows of so many numbers. */
static gpa_status read_input(gpai_onnx_graph *g, const GpaiOnnx__ValueInfo *info,
                             gpai_onnx_value *v, gpa_error *err)
{
    const char *name = gpai_onnx_text(info->name);
    const GpaiOnnx__TensorType *t = info->type != NULL ? info->type->tensor_type : NULL;
    if (t == NULL ||
        (t->elem_type != GPAI_ONNX_FLOAT && t->elem_type != GPAI_ONNX_DOUBLE))
        return gpai_fail_file(
            err, GPA_UNSUPPORTED, g->file->path,
            "input '%s' is %s; export the model with inputs of type float or double",
            gpai_show_text(name).text,
            t != NULL ? gpai_onnx_type_name(t->elem_type) : "no tensor");
    const GpaiOnnx__Shape *s = t->shape;
    if (s == NULL || s->n_dim < 1 || s->n_dim > GPAI_ONNX_RANK ||
        (s->n_dim == 1 && s->dim[0]->dim_value > 1))
        return fail(g, GPA_UNSUPPORTED, "has no shape [rows, inputs]", name, err);
    v->kind = GPAI_ONNX_ROWS;
    v->type = (gpai_onnx_type)t->elem_type;
    (void)gpai_onnx_type_store(v->type, &v->store);
    v->reg = v->store == GPAI_ONNX_WIDE ? GPAI_ONNX_INPUT_WIDE : GPAI_ONNX_INPUT;
    v->shape.rank = s->n_dim - 1;
    for (size_t i = 1; i < s->n_dim; i++) {
        if (s->dim[i]->dim_value <= 0 || s->dim[i]->dim_value > MAX_INPUTS)
            return fail(g, GPA_UNSUPPORTED,
                        "does not say how many columns it has, or too many; export it "
                        "with a fixed number",
                        name, err);
        v->shape.dim[i - 1] = (size_t)s->dim[i]->dim_value;
    }
    if (!gpai_onnx_count(&v->shape, MAX_INPUTS, &v->n))
        return fail(g, GPA_UNSUPPORTED, "has too many columns", name, err);
    int64_t batch = s->dim[0]->dim_value > 0 ? s->dim[0]->dim_value : -1;
    if (g->batch == 0)
        g->batch = batch;
    else if (g->batch != batch)
        return fail(g, GPA_UNSUPPORTED,
                    "is made for another number of rows than the inputs before", name,
                    err);
    return GPA_OK;
}

/* All inputs side by side are the columns of a row. */
gpa_status gpai_onnx_read_inputs(gpai_onnx_graph *g, size_t *columns, gpa_error *err)
{
    const GpaiOnnx__Graph *f = g->file->model->graph;
    size_t inputs = 0;
    gpa_status st = GPA_OK;
    *columns = 0;
    g->input_names = gpai_calloc(f->n_input, sizeof *g->input_names);
    if (g->input_names == NULL)
        return gpai_nomem(err, "onnx");
    for (size_t i = 0; st == GPA_OK && i < f->n_input; i++) {
        gpai_onnx_named *v = gpai_onnx_find(g, gpai_onnx_text(f->input[i]->name));
        if (v == NULL || v->tensor != NULL)
            continue;
        st = read_input(g, f->input[i], &v->v, err);
        v->v.first = *columns;
        *columns += v->v.n;
        g->input_names[inputs++] = v->name;
    }
    if (st == GPA_OK && (*columns == 0 || *columns > MAX_INPUTS))
        st = gpai_fail_file(err, GPA_UNSUPPORTED, g->file->path,
                            "%zu input columns, 1 to %d can be", *columns, MAX_INPUTS);
    /* One input of many columns says nothing about the names of these. */
    if (inputs != *columns || inputs == 1) {
        gpai_free(g->input_names);
        g->input_names = NULL;
    }
    return st;
}
