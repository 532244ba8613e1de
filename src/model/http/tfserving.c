#include "base/alloc.h"
#include "base/status.h"
#include "model/http/server.h"
#include <stdlib.h>
#include <string.h>

static const char USUAL[] = "serving_default";

static gpa_status fail_meta(const gpai_server *s, const char *what, gpa_error *err)
{
    return gpai_fail(err, GPA_MODEL, "%s: metadata: %s", s->endpoint.who, what);
}

/* Numbers that protobuf writes as texts: "-1". */
static bool read_size(const gpai_value *dim, long long *out)
{
    const gpai_value *size = gpai_value_get(dim, "size");
    const char *text = gpai_value_text(size);
    char *end = NULL;
    if (gpai_value_is_whole(size)) {
        *out = gpai_value_whole(size);
        return true;
    }
    *out = text != NULL ? strtoll(text, &end, 10) : 0;
    return end != NULL && end != text && *end == '\0';
}

/* {"dtype":"DT_FLOAT","tensor_shape":{"dim":[{"size":"-1"},{"size":"10"}]}} */
static gpa_status read_input(gpai_server *s, size_t k, const char *name,
                             const gpai_value *item, gpa_error *err)
{
    const char *type = gpai_value_text(gpai_value_get(item, "dtype"));
    const gpai_value *dims =
        gpai_value_get(gpai_value_get(item, "tensor_shape"), "dim");
    long long shape[GPAI_RANK + 1] = {0};
    size_t rank = gpai_value_items(dims);
    if (rank > GPAI_RANK)
        return fail_meta(s, "an input of too many dimensions", err);
    for (size_t i = 0; i < rank; i++)
        if (!read_size(gpai_value_at(dims, i), &shape[i]))
            return fail_meta(s, "a size that is no whole number", err);
    return gpai_tensors_describe(&s->in, k, name, type != NULL ? type : "DT_DOUBLE",
                                 shape, rank, s->endpoint.who, err);
}

static gpa_status read_inputs(gpai_server *s, const gpai_value *inputs, gpa_error *err)
{
    size_t n = gpai_value_members(inputs);
    if (n == 0) {
        gpa_status assumed = gpai_server_assume(s, "instances", err);
        if (assumed == GPA_OK)
            s->in.tensor[0].texts = GPAI_TEXTS_SOME; /* a list holds anything */
        return assumed;
    }
    if (n > GPAI_MAX_INPUTS)
        return fail_meta(s, "too many inputs", err);
    gpa_status st = gpai_tensors_new(&s->in, n, err);
    for (size_t k = 0; st == GPA_OK && k < n; k++)
        st = read_input(s, k, gpai_value_key(inputs, k), gpai_value_member(inputs, k),
                        err);
    return st;
}

/* The signature that is meant: the usual one, or else the first that can be called. */
static gpa_status find_signature(gpai_server *s, const gpai_value *all,
                                 const gpai_value **out, gpa_error *err)
{
    *out = gpai_value_get(all, USUAL);
    if (*out != NULL)
        return GPA_OK;
    for (size_t i = 0; i < gpai_value_members(all); i++) {
        const gpai_value *item = gpai_value_member(all, i);
        if (gpai_value_members(gpai_value_get(item, "inputs")) > 0) {
            s->signature = gpai_strdup(gpai_value_key(all, i));
            *out = item;
            return s->signature == NULL ? gpai_nomem(err, "tfserving") : GPA_OK;
        }
    }
    return GPA_OK;
}

static gpa_status discover(gpai_server *s, gpai_http *h, double deadline,
                           gpa_error *err)
{
    gpai_value *root = NULL;
    const gpai_value *signature = NULL, *all;
    gpa_status st = gpai_server_fetch(&root, s, h, "/metadata", deadline, err);
    if (st != GPA_OK)
        return st;
    all = gpai_value_get(gpai_value_get(root, "metadata"), "signature_def");
    st = find_signature(s, gpai_value_get(all, "signature_def"), &signature, err);
    if (st == GPA_OK)
        st = read_inputs(s, gpai_value_get(signature, "inputs"), err);
    if (st == GPA_OK)
        st = gpai_server_outputs(s, gpai_value_get(signature, "outputs"), "dtype", err);
    gpai_value_free(root);
    return st;
}

/* [1.5,2.0], or {"sex":["f"],"age":[2.0]} for several tensors */
static void write_instance(const gpai_tensors *t, const gpai_rows *r, size_t i,
                           gpai_bytes *b)
{
    if (t->n == 1) {
        gpai_tensor_nested(&t->tensor[0], r, i, 0, b);
        return;
    }
    for (size_t k = 0, from = 0; k < t->n; from += t->tensor[k++].width) {
        gpai_bytes_text(b, k > 0 ? "," : "{");
        gpai_bytes_quote(b, t->tensor[k].name);
        gpai_bytes_text(b, ":");
        gpai_tensor_nested(&t->tensor[k], r, i, from, b);
    }
    gpai_bytes_text(b, "}");
}

/* {"signature_name":…,"instances":[…]} */
static void write(const gpai_server *s, const gpai_rows *r, gpai_transfer *t)
{
    gpai_bytes *b = &t->request;
    gpai_bytes_text(b, "{");
    if (s->signature != NULL) {
        gpai_bytes_text(b, "\"signature_name\":");
        gpai_bytes_quote(b, s->signature);
        gpai_bytes_text(b, ",");
    }
    gpai_bytes_text(b, "\"instances\":");
    for (size_t i = 0; i < r->n; i++) {
        gpai_bytes_text(b, i > 0 ? "," : "[");
        write_instance(&s->in, r, i, b);
    }
    gpai_bytes_text(b, "]}");
}

static const gpai_protocol protocol = {
    .url = {.kind = "tfserving",
            .must = "/v1/models/",
            .ending = ":predict",
            .like = "tfserving:http://HOST:8501/v1/models/NAME"},
    .call = ":predict",
    .config = "output=NAME",
    .discover = discover,
    .write = write,
    .read = gpai_predictions_read,
};

static const gpai_model_ops ops = {
    .kind = "tfserving",
    .predict_all = gpai_server_predict_all,
    .clone = gpai_server_clone,
    .close = gpai_server_close,
    .set_inputs = gpai_server_set_inputs,
    .set_kinds = gpai_server_set_kinds,
    .refuses_missing = true,
};

gpa_status gpai_tfserving_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    return gpai_server_open(out, &protocol, &ops, s, err);
}
