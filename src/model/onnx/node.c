#include "model/onnx/node.h"
#include "base/status.h"
#include "base/text/show.h"
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

gpa_status gpai_onnx_fail(const gpai_onnx_node *o, gpa_status status,
                          const char *format, ...)
{
    char text[240], name[120], called[64] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    operator_name(o->file, name, sizeof name);
    if (gpai_onnx_text(o->file->name)[0] != '\0')
        snprintf(called, sizeof called, " '%.50s'", gpai_show_text(o->file->name).text);
    return gpai_fail(o->err, status, "%s: node %zu (%s%s): %s",
                     gpai_show_path(o->g->file->path).text, o->index + 1, name, called,
                     text);
}

gpa_status gpai_onnx_refuse(const gpai_onnx_node *o, const char *what)
{
    return gpai_onnx_fail(o, GPA_UNSUPPORTED, "not supported: %s", what);
}

gpa_status gpai_onnx_no_room(const gpai_onnx_node *o)
{
    const gpai_onnx_pool *kept = gpai_onnx_keep(o->g->program);
    return gpai_onnx_starved(kept->full ? kept : &o->g->pool, o->g->file->path, o->err);
}

gpa_status gpai_onnx_unknown(const gpai_onnx_node *o)
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

static const GpaiOnnx__Attribute *find(const gpai_onnx_node *o, const char *name,
                                       size_t *index)
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
    return find(o, name, &i) != NULL;
}

void gpai_onnx_ignore(gpai_onnx_node *o, const char *name)
{
    size_t i;
    if (find(o, name, &i) != NULL && i < 64)
        o->read |= (uint64_t)1 << i;
}

/* The attribute, of the kind it must be; *out is NULL when there is none. Very old
 * files do not say the kind. */
static gpa_status attribute(gpai_onnx_node *o, const char *name, int32_t kind,
                            const GpaiOnnx__Attribute **out)
{
    size_t i;
    *out = find(o, name, &i);
    if (*out == NULL)
        return GPA_OK;
    gpai_onnx_ignore(o, name);
    if (gpai_onnx_text((*out)->ref_attr_name)[0] != '\0')
        return gpai_onnx_refuse(o, "attributes of functions");
    if ((*out)->type != 0 && (*out)->type != kind)
        return gpai_onnx_fail(o, GPA_DATA, "attribute '%s' is of a wrong kind", name);
    return GPA_OK;
}

/* Numbers that are 0 may be left out of a file. */
gpa_status gpai_onnx_int(gpai_onnx_node *o, const char *name, int64_t *out)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, INT, &a);
    if (st == GPA_OK && a != NULL)
        *out = a->i;
    return st;
}

gpa_status gpai_onnx_float(gpai_onnx_node *o, const char *name, double *out)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, FLOAT, &a);
    if (st == GPA_OK && a != NULL)
        *out = (double)a->f;
    return st;
}

gpa_status gpai_onnx_string(gpai_onnx_node *o, const char *name, const char **out,
                            size_t *length)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, STRING, &a);
    if (st != GPA_OK || a == NULL)
        return st;
    *out = a->s.len > 0 ? (const char *)a->s.data : "";
    *length = a->s.len;
    return GPA_OK;
}

gpa_status gpai_onnx_ints(gpai_onnx_node *o, const char *name, const int64_t **out,
                          size_t *n)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, INTS, &a);
    *out = NULL;
    *n = 0;
    if (st == GPA_OK && a != NULL) {
        *out = a->ints;
        *n = a->n_ints;
    }
    return st;
}

gpa_status gpai_onnx_floats(gpai_onnx_node *o, const char *name, const float **out,
                            size_t *n)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, FLOATS, &a);
    *out = NULL;
    *n = 0;
    if (st == GPA_OK && a != NULL) {
        *out = a->floats;
        *n = a->n_floats;
    }
    return st;
}

gpa_status gpai_onnx_strings(gpai_onnx_node *o, const char *name,
                             const ProtobufCBinaryData **out, size_t *n)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, STRINGS, &a);
    *out = NULL;
    *n = 0;
    if (st == GPA_OK && a != NULL) {
        *out = a->strings;
        *n = a->n_strings;
    }
    return st;
}

gpa_status gpai_onnx_tensor(gpai_onnx_node *o, const char *name,
                            const GpaiOnnx__Tensor **out)
{
    const GpaiOnnx__Attribute *a;
    gpa_status st = attribute(o, name, TENSOR, &a);
    *out = NULL;
    if (st == GPA_OK && a != NULL)
        *out = a->t;
    return st;
}

gpa_status gpai_onnx_list(gpai_onnx_node *o, const char *name, size_t input,
                          const int64_t **out, size_t *n)
{
    const gpai_onnx_value *v = gpai_onnx_in(o, input);
    gpa_status st = gpai_onnx_ints(o, name, out, n);
    if (st != GPA_OK || v == NULL)
        return st;
    if (v->kind != GPAI_ONNX_CONSTANT)
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "its %s must be constant", name);
    if (v->store != GPAI_ONNX_WHOLE || v->shape.rank > 1)
        return gpai_onnx_fail(o, GPA_DATA, "its %s are not a list of whole numbers",
                              name);
    *out = v->data;
    *n = v->n;
    return GPA_OK;
}

gpa_status gpai_onnx_all_read(const gpai_onnx_node *o)
{
    for (size_t i = 0; i < o->file->n_attribute; i++) {
        if (i >= 64 || (o->read >> i & 1) == 0)
            return gpai_onnx_fail(
                o, GPA_UNSUPPORTED, "its attribute '%s' is not supported",
                gpai_show_text(gpai_onnx_text(o->file->attribute[i]->name)).text);
    }
    return GPA_OK;
}
