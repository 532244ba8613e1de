#include "model/onnx/graph.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/onnx/ops/ops.h"
#include "model/spec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INPUTS = 1 << 16 };

static int by_name(const void *a, const void *b)
{
    const gpai_onnx_named *x = a, *y = b;
    return strcmp(x->name, y->name);
}

gpai_onnx_named *gpai_onnx_find(const gpai_onnx_graph *g, const char *name)
{
    const gpai_onnx_named wanted = {.name = name};
    return bsearch(&wanted, g->value, g->values, sizeof *g->value, by_name);
}

static gpa_status fail(const gpai_onnx_graph *g, gpa_status status, const char *what,
                       const char *name, gpa_error *err)
{
    return gpai_fail_file(err, status, g->file->path, "'%s' %s",
                          gpai_show_text(name).text, what);
}

static void add_name(gpai_onnx_graph *g, const char *name, const GpaiOnnx__Tensor *t,
                     bool computed)
{
    if (gpai_onnx_text(name)[0] != '\0')
        g->value[g->values++] =
            (gpai_onnx_named){.name = name, .tensor = t, .computed = computed};
}

/* Old files list constants among the inputs too: the two become one. */
static gpa_status merge_names(gpai_onnx_graph *g, gpa_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->values; i++) {
        if (kept == 0 || strcmp(g->value[kept - 1].name, g->value[i].name) != 0) {
            g->value[kept++] = g->value[i];
            continue;
        }
        gpai_onnx_named *old = &g->value[kept - 1];
        if (old->computed || g->value[i].computed ||
            (old->tensor == NULL) == (g->value[i].tensor == NULL))
            return fail(g, GPA_DATA, "is defined twice", old->name, err);
        if (old->tensor == NULL)
            old->tensor = g->value[i].tensor;
    }
    g->values = kept;
    return GPA_OK;
}

static gpa_status collect_names(gpai_onnx_graph *g, gpa_error *err)
{
    const GpaiOnnx__Graph *f = g->file->model->graph;
    size_t n = f->n_input + f->n_initializer;
    for (size_t i = 0; i < f->n_node; i++)
        n += f->node[i]->n_output;
    g->value = gpai_calloc(n, sizeof *g->value);
    if (g->value == NULL)
        return gpai_nomem(err, "onnx");
    for (size_t i = 0; i < f->n_input; i++)
        add_name(g, f->input[i]->name, NULL, false);
    for (size_t i = 0; i < f->n_initializer; i++)
        add_name(g, f->initializer[i]->name, f->initializer[i], false);
    for (size_t i = 0; i < f->n_node; i++)
        for (size_t k = 0; k < f->node[i]->n_output; k++)
            add_name(g, f->node[i]->output[k], NULL, true);
    qsort(g->value, g->values, sizeof *g->value, by_name);
    return merge_names(g, err);
}

static gpa_status fail_input(const gpai_onnx_graph *g, const char *what,
                             const char *name, gpa_error *err)
{
    return gpai_fail_file(err, GPA_UNSUPPORTED, g->file->path, "input '%s' %s",
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
        return fail_input(g, "has no shape [rows, inputs]", name, err);
    v->kind = GPAI_ONNX_ROWS;
    v->type = (gpai_onnx_type)t->elem_type;
    (void)gpai_onnx_type_store(v->type, &v->store);
    v->reg = v->store == GPAI_ONNX_WIDE ? GPAI_ONNX_INPUT_WIDE : GPAI_ONNX_INPUT;
    v->shape.rank = s->n_dim - 1;
    for (size_t i = 1; i < s->n_dim; i++) {
        if (s->dim[i]->dim_value <= 0 || s->dim[i]->dim_value > MAX_INPUTS)
            return fail_input(
                g,
                "does not say how many columns it has, or too many; export it "
                "with a fixed number",
                name, err);
        v->shape.dim[i - 1] = (size_t)s->dim[i]->dim_value;
    }
    if (!gpai_onnx_count(&v->shape, MAX_INPUTS, &v->n))
        return fail_input(g, "has too many columns", name, err);
    int64_t batch = s->dim[0]->dim_value > 0 ? s->dim[0]->dim_value : -1;
    if (g->batch == 0)
        g->batch = batch;
    else if (g->batch != batch)
        return fail_input(
            g, "is made for another number of rows than the inputs before", name, err);
    return GPA_OK;
}

/* Gives every input its columns of a row, `*columns` in all, and notes their names: all
 * inputs side by side are the row. */
static gpa_status read_inputs(gpai_onnx_graph *g, size_t *columns, gpa_error *err)
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

/* "y, z, …" */
static void list_outputs(const GpaiOnnx__Graph *f, char *to, size_t size)
{
    size_t used = 0;
    to[0] = '\0';
    for (size_t i = 0; i < f->n_output && used + 60 < size; i++) {
        const char *name = gpai_onnx_text(f->output[i]->name);
        int more = snprintf(to + used, size - used, "%s%.50s", i > 0 ? ", " : "",
                            gpai_show_text(name).text);
        used += more > 0 ? (size_t)more : 0;
    }
}

/* The output that is the prediction: the only one, or the one that is named. */
static gpa_status choose_output(const gpai_onnx_graph *g, const char *config,
                                const char **out, gpa_error *err)
{
    const GpaiOnnx__Graph *f = g->file->model->graph;
    char names[200];
    const char *wanted = NULL;
    if (strncmp(config, "output=", 7) == 0)
        wanted = config + 7;
    else if (config[0] != '\0')
        return gpai_fail_file(err, GPA_INVALID, g->file->path,
                              "--model-config is '%s', not output=NAME",
                              gpai_show_text(config).text);
    list_outputs(f, names, sizeof names);
    for (size_t i = 0; i < f->n_output; i++) {
        *out = gpai_onnx_text(f->output[i]->name);
        if (wanted == NULL ? f->n_output == 1 : strcmp(*out, wanted) == 0)
            return GPA_OK;
    }
    if (wanted != NULL)
        return gpai_fail_file(err, GPA_INVALID, g->file->path,
                              "no output '%s'; there is %s",
                              gpai_show_text(wanted).text, names);
    return gpai_fail_file(err, GPA_UNSUPPORTED, g->file->path,
                          "%zu outputs (%s); name one with --model-config output=NAME",
                          f->n_output, names);
}

static void need(gpai_onnx_graph *g, const char *name)
{
    gpai_onnx_named *v = gpai_onnx_find(g, name);
    if (v != NULL)
        v->needed = true;
}

/* Backwards from the output: nodes stand after what they use. */
static void mark_needed(gpai_onnx_graph *g, const char *output, bool *needed)
{
    const GpaiOnnx__Graph *f = g->file->model->graph;
    need(g, output);
    for (size_t i = f->n_node; i-- > 0;) {
        const GpaiOnnx__Node *n = f->node[i];
        for (size_t k = 0; k < n->n_output; k++) {
            const gpai_onnx_named *v = gpai_onnx_find(g, n->output[k]);
            needed[i] = needed[i] || (v != NULL && v->needed);
        }
        for (size_t k = 0; needed[i] && k < n->n_input; k++)
            need(g, n->input[k]);
    }
}

static gpa_status read_constants(gpai_onnx_graph *g, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; st == GPA_OK && i < g->values; i++)
        if (g->value[i].tensor != NULL && g->value[i].needed)
            st = gpai_onnx_tensor_read(&g->value[i].v, g->value[i].tensor, &g->external,
                                       &g->pool, err);
    return st;
}

static gpa_status apply_nodes(gpai_onnx_graph *g, const bool *needed, gpa_error *err)
{
    const GpaiOnnx__Graph *f = g->file->model->graph;
    gpa_status st = GPA_OK;
    for (size_t i = 0; st == GPA_OK && i < f->n_node; i++) {
        gpai_onnx_value unused = {0};
        gpai_onnx_node o = {
            .g = g, .file = f->node[i], .index = i, .unused = &unused, .err = err};
        o.opset = gpai_onnx_opset(g->file, gpai_onnx_text(o.file->domain));
        if (needed[i])
            st = gpai_onnx_apply(&o);
    }
    return st;
}

/* The output must be one number per row. */
static gpa_status finish(gpai_onnx_graph *g, const char *output, gpa_error *err)
{
    const gpai_onnx_named *out = gpai_onnx_find(g, output);
    if (out == NULL || out->v.kind == GPAI_ONNX_NOTHING)
        return fail(g, GPA_DATA, "(output) is computed nowhere", output, err);
    if (out->v.kind == GPAI_ONNX_CONSTANT || out->v.type == GPAI_ONNX_BOOL)
        return fail(g, GPA_UNSUPPORTED,
                    "(output) does not depend on the input, or is not a number", output,
                    err);
    if (out->v.n != 1)
        return gpai_fail_file(
            err, GPA_UNSUPPORTED, g->file->path,
            "'%s' (output) is %zu numbers per row; only one is supported",
            gpai_show_text(output).text, out->v.n);
    const gpai_onnx_place at = {out->v.reg, out->v.first, NULL};
    return gpai_onnx_finish(g->program, at, out->v.store == GPAI_ONNX_WIDE,
                            g->file->path, err);
}

gpa_status gpai_onnx_compile(gpai_onnx_graph *g, const gpai_onnx_file *file,
                             const char *config, size_t memory, gpa_error *err)
{
    bool *needed = NULL;
    const char *output = "";
    size_t columns = 0;
    *g = (gpai_onnx_graph){.file = file};
    g->external.path = file->path;
    g->pool.left = memory;
    gpa_status st = choose_output(g, config, &output, err);
    if (st == GPA_OK)
        st = collect_names(g, err);
    if (st == GPA_OK)
        st = read_inputs(g, &columns, err);
    if (st != GPA_OK)
        goto done;
    needed = gpai_calloc(file->model->graph->n_node, sizeof *needed);
    if (needed == NULL) {
        st = gpai_nomem(err, "onnx");
        goto done;
    }
    mark_needed(g, output, needed);
    st = gpai_onnx_program_new(&g->program, columns, memory, err);
    if (st == GPA_OK)
        st = read_constants(g, err);
    if (st == GPA_OK)
        st = apply_nodes(g, needed, err);
    if (st == GPA_OK)
        st = finish(g, output, err);
done:
    gpai_free(needed);
    return st;
}

void gpai_onnx_graph_close(gpai_onnx_graph *g)
{
    gpai_free(g->input_names);
    gpai_free(g->value);
    gpai_onnx_drop(&g->pool);
    gpai_onnx_external_close(&g->external);
    gpai_onnx_program_free(g->program);
}

/* What constants may take: this much and so much for each byte of the file. */
enum { MEMORY = 1 << 29, MEMORY_PER_BYTE = 8 };

static void compute(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y)
{
    (void)d;
    gpai_onnx_run(self, gpai_onnx_kernels_at(0), scratch, x, n, y);
}

static size_t scratch_bytes(const void *self)
{
    return ((const gpai_onnx_program *)self)->bytes;
}

static const gpai_model_ops ops = {.kind = "onnx",
                                   .compute = compute,
                                   .scratch = scratch_bytes,
                                   .close = gpai_onnx_program_free,
                                   .in_process = true};

gpa_status gpai_onnx_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                          size_t size, gpa_error *err)
{
    gpai_onnx_file file = {0};
    gpai_onnx_graph graph = {0};
    *out = NULL;
    gpa_status st = gpai_onnx_file_read(&file, s->rest, bytes, size, err);
    if (st == GPA_OK)
        st = gpai_onnx_compile(&graph, &file, s->config,
                               MEMORY + size * (size_t)MEMORY_PER_BYTE, err);
    if (st == GPA_OK) {
        gpai_onnx_program *p = graph.program;
        const gpai_model_info info = {s->text, p->inputs, s->batch_rows,
                                      graph.input_names};
        graph.program = NULL; /* the handle's, also when this fails */
        st = gpai_model_wrap(out, &ops, p, &info, err);
    }
    gpai_onnx_graph_close(&graph);
    gpai_onnx_file_close(&file);
    return st;
}
