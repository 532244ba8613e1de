#include "model/onnx/ops/ops.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Kinds of attributes, with the numbers they have in files. */
enum { FLOAT = 1, INT = 2, STRING = 3, TENSOR = 4, FLOATS = 6, INTS = 7, STRINGS = 8 };

/* "Gemm", "ai.onnx.ml.Scaler" */
static void operator_name(const GpaiOnnx__Node *n, char *to, size_t size)
{
    const char *domain = gpai_onnx_text(n->domain);
    bool standard = domain[0] == '\0' || strcmp(domain, "ai.onnx") == 0;
    snprintf(to, size, "%.50s%s%.50s", standard ? "" : gpai_show_text(domain).text,
             standard ? "" : ".", gpai_show_text(gpai_onnx_text(n->op_type)).text);
}

gpa_status gpai_onnx_fail(gpai_onnx_node *o, gpa_status status, const char *format, ...)
{
    char text[240], name[120], called[64] = "";
    va_list list;
    if (o->st != GPA_OK)
        return o->st;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    operator_name(o->file, name, sizeof name);
    if (gpai_onnx_text(o->file->name)[0] != '\0')
        snprintf(called, sizeof called, " '%.50s'", gpai_show_text(o->file->name).text);
    o->st = gpai_fail_file(o->err, status, o->g->file->path, "node %zu (%s%s): %s",
                           o->index + 1, name, called, text);
    return o->st;
}

gpa_status gpai_onnx_refuse(gpai_onnx_node *o, const char *what)
{
    return gpai_onnx_fail(o, GPA_UNSUPPORTED, "not supported: %s", what);
}

gpa_status gpai_onnx_no_room(gpai_onnx_node *o)
{
    const gpai_onnx_pool *kept = &o->g->program->pool;
    if (o->st == GPA_OK)
        o->st = gpai_onnx_starved(kept->full ? kept : &o->g->pool, o->g->file->path,
                                  o->err);
    return o->st;
}

static gpa_status unknown(gpai_onnx_node *o)
{
    char name[120];
    operator_name(o->file, name, sizeof name);
    return gpai_onnx_fail(o, GPA_UNSUPPORTED,
                          "the operator %s is not supported; let its own library "
                          "compute the model, through exec:",
                          name);
}

const gpai_onnx_value *gpai_onnx_in(const gpai_onnx_node *o, size_t i)
{
    if (i >= o->file->n_input || o->file->input[i][0] == '\0')
        return NULL;
    const gpai_onnx_named *found = gpai_onnx_find(o->g, o->file->input[i]);
    return found != NULL ? &found->v : NULL;
}

gpai_onnx_value *gpai_onnx_out(const gpai_onnx_node *o, size_t i)
{
    gpai_onnx_named *found = NULL;
    if (i < o->file->n_output && o->file->output[i][0] != '\0')
        found = gpai_onnx_find(o->g, o->file->output[i]);
    if (found != NULL && found->needed)
        return &found->v;
    return i == 0 ? o->unused : NULL;
}

static const GpaiOnnx__Attribute *find_attribute(const gpai_onnx_node *o,
                                                 const char *name, size_t *index)
{
    for (size_t i = 0; i < o->file->n_attribute; i++) {
        if (strcmp(gpai_onnx_text(o->file->attribute[i]->name), name) == 0) {
            *index = i;
            return o->file->attribute[i];
        }
    }
    return NULL;
}

bool gpai_onnx_has(const gpai_onnx_node *o, const char *name)
{
    size_t i;
    return find_attribute(o, name, &i) != NULL;
}

void gpai_onnx_ignore(gpai_onnx_node *o, const char *name)
{
    size_t i;
    if (find_attribute(o, name, &i) != NULL && i < 64)
        o->read |= (uint64_t)1 << i;
}

/* The attribute, of the kind it must be; NULL when there is none. Very old files do not
 * say the kind. */
static const GpaiOnnx__Attribute *attribute(gpai_onnx_node *o, const char *name,
                                            int32_t kind)
{
    size_t i;
    const GpaiOnnx__Attribute *a = o->st == GPA_OK ? find_attribute(o, name, &i) : NULL;
    if (a == NULL)
        return NULL;
    gpai_onnx_ignore(o, name);
    if (gpai_onnx_text(a->ref_attr_name)[0] != '\0')
        gpai_onnx_refuse(o, "attributes of functions");
    if (a->type != 0 && a->type != kind)
        gpai_onnx_fail(o, GPA_DATA, "attribute '%s' is of a wrong kind", name);
    return o->st == GPA_OK ? a : NULL;
}

/* Numbers that are 0 may be left out of a file. */
int64_t gpai_onnx_int(gpai_onnx_node *o, const char *name, int64_t otherwise)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, INT);
    return a != NULL ? a->i : otherwise;
}

double gpai_onnx_float(gpai_onnx_node *o, const char *name, double otherwise)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, FLOAT);
    return a != NULL ? (double)a->f : otherwise;
}

void gpai_onnx_string(gpai_onnx_node *o, const char *name, const char **out,
                      size_t *length)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, STRING);
    if (a == NULL)
        return;
    *out = a->s.len > 0 ? (const char *)a->s.data : "";
    *length = a->s.len;
}

const int64_t *gpai_onnx_ints(gpai_onnx_node *o, const char *name, size_t *n)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, INTS);
    *n = a != NULL ? a->n_ints : 0;
    return a != NULL ? a->ints : NULL;
}

const float *gpai_onnx_floats(gpai_onnx_node *o, const char *name, size_t *n)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, FLOATS);
    *n = a != NULL ? a->n_floats : 0;
    return a != NULL ? a->floats : NULL;
}

const ProtobufCBinaryData *gpai_onnx_strings(gpai_onnx_node *o, const char *name,
                                             size_t *n)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, STRINGS);
    *n = a != NULL ? a->n_strings : 0;
    return a != NULL ? a->strings : NULL;
}

const GpaiOnnx__Tensor *gpai_onnx_tensor(gpai_onnx_node *o, const char *name)
{
    const GpaiOnnx__Attribute *a = attribute(o, name, TENSOR);
    return a != NULL ? a->t : NULL;
}

const int64_t *gpai_onnx_list(gpai_onnx_node *o, const char *name, size_t input,
                              size_t *n)
{
    const gpai_onnx_value *v = gpai_onnx_in(o, input);
    const int64_t *list = gpai_onnx_ints(o, name, n);
    if (v == NULL || o->st != GPA_OK)
        return list;
    if (v->kind != GPAI_ONNX_CONSTANT)
        gpai_onnx_fail(o, GPA_UNSUPPORTED, "its %s must be constant", name);
    if (v->store != GPAI_ONNX_WHOLE || v->shape.rank > 1)
        gpai_onnx_fail(o, GPA_DATA, "its %s are not a list of whole numbers", name);
    *n = o->st == GPA_OK ? v->n : 0;
    return o->st == GPA_OK ? v->data : NULL;
}

gpa_status gpai_onnx_load(gpai_onnx_node *o, const GpaiOnnx__Tensor *t,
                          gpai_onnx_value *out)
{
    if (o->st == GPA_OK)
        o->st = gpai_onnx_tensor_read(out, t, &o->g->external, &o->g->pool, o->err);
    return o->st;
}

/* Refuses attributes nobody asked for: they would change what is computed. */
static gpa_status all_read(gpai_onnx_node *o)
{
    for (size_t i = 0; i < o->file->n_attribute; i++) {
        if (i >= 64 || (o->read >> i & 1) == 0)
            return gpai_onnx_fail(
                o, GPA_UNSUPPORTED, "its attribute '%s' is not supported",
                gpai_show_text(gpai_onnx_text(o->file->attribute[i]->name)).text);
    }
    return GPA_OK;
}

static const gpai_onnx_op *find(const gpai_onnx_op *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

static const gpai_onnx_op *find_operator(const gpai_onnx_node *o)
{
    static const gpai_onnx_op *const standard[] = {
        gpai_onnx_math_ops, gpai_onnx_shape_ops, gpai_onnx_move_ops,
        gpai_onnx_dense_ops};
    const char *domain = gpai_onnx_text(o->file->domain);
    const char *name = gpai_onnx_text(o->file->op_type);
    const gpai_onnx_op *found = NULL;
    if (strcmp(domain, "ai.onnx.ml") == 0)
        return find(gpai_onnx_ml_ops, name);
    if (domain[0] != '\0' && strcmp(domain, "ai.onnx") != 0)
        return NULL;
    for (size_t i = 0; i < sizeof standard / sizeof standard[0] && found == NULL; i++)
        found = find(standard[i], name);
    return found;
}

/* Every input that is there has been computed, and there are as many as must be. */
static gpa_status check_inputs(gpai_onnx_node *o, const gpai_onnx_op *op)
{
    size_t n = o->file->n_input;
    if (n > op->most)
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "%zu inputs, at most %zu", n,
                              op->most);
    for (size_t i = 0; i < n || i < op->least; i++) {
        bool given = i < n && o->file->input[i][0] != '\0';
        const gpai_onnx_value *v = gpai_onnx_in(o, i);
        if (!given && i < op->least)
            return gpai_onnx_fail(o, GPA_DATA, "input %zu is missing", i + 1);
        if (given && (v == NULL || v->kind == GPAI_ONNX_NOTHING))
            return gpai_onnx_fail(o, GPA_DATA,
                                  "input %zu is computed nowhere before it", i + 1);
    }
    return GPA_OK;
}

/* An operator that fills the first of several outputs leaves the others empty. */
static gpa_status check_outputs(gpai_onnx_node *o)
{
    for (size_t i = 0; i < o->file->n_output; i++) {
        const gpai_onnx_value *v = gpai_onnx_out(o, i);
        if (v != NULL && v->kind == GPAI_ONNX_NOTHING)
            return gpai_onnx_fail(o, GPA_UNSUPPORTED, "its output %zu is not supported",
                                  i + 1);
    }
    return GPA_OK;
}

gpa_status gpai_onnx_apply(gpai_onnx_node *o)
{
    const gpai_onnx_op *op = find_operator(o);
    if (op == NULL)
        return unknown(o);
    if (o->opset == 0)
        return gpai_onnx_fail(o, GPA_DATA,
                              "the file does not say which version of it is meant");
    o->which = op->which;
    if (check_inputs(o, op) == GPA_OK && op->fn(o) == GPA_OK && all_read(o) == GPA_OK)
        check_outputs(o);
    return o->st;
}

gpa_status gpai_onnx_axis(gpai_onnx_node *o, int64_t axis, size_t rank, size_t *out)
{
    int64_t n = (int64_t)rank;
    if (axis < -n || axis >= n)
        return gpai_onnx_fail(o, GPA_DATA, "axis %lld of %zu dimensions",
                              (long long)axis, rank);
    *out = (size_t)(axis < 0 ? axis + n : axis);
    return o->st;
}

size_t gpai_onnx_own_axis(gpai_onnx_node *o, const gpai_onnx_value *v, int64_t axis)
{
    size_t own = 0, rows = v->kind == GPAI_ONNX_ROWS;
    if (gpai_onnx_axis(o, axis, v->shape.rank + rows, &own) == GPA_OK && own < rows)
        gpai_onnx_refuse(o, "what mixes rows");
    return o->st == GPA_OK ? own - rows : 0;
}

void gpai_onnx_only(gpai_onnx_node *o, const char *name, const char *supported)
{
    const char *text = supported;
    size_t length = strlen(supported);
    gpai_onnx_string(o, name, &text, &length);
    if (!gpai_word_is(text, length, supported))
        gpai_onnx_fail(o, GPA_UNSUPPORTED, "%s '%s' is not supported, only '%s'", name,
                       gpai_show(text, length).text, supported);
}
