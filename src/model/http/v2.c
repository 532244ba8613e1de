#include "base/status.h"
#include "model/http/server.h"

static gpa_status fail_meta(const gpai_server *s, const char *what, size_t k,
                            gpa_error *err)
{
    return gpai_fail(err, GPA_MODEL, "%s: metadata: inputs: item %zu: %s",
                     s->endpoint.who, k + 1, what);
}

/* One of {"name": "x", "datatype": "FP64", "shape": [-1, 10]}. */
static gpa_status read_input(gpai_server *s, size_t k, const gpai_value *item,
                             gpa_error *err)
{
    const char *name = gpai_value_text(gpai_value_get(item, "name"));
    const char *type = gpai_value_text(gpai_value_get(item, "datatype"));
    const gpai_value *list = gpai_value_get(item, "shape");
    long long shape[GPAI_RANK + 1] = {0};
    size_t rank = gpai_value_items(list);
    if (name == NULL)
        return fail_meta(s, "no name", k, err);
    if (rank > GPAI_RANK)
        return fail_meta(s, "too many dimensions", k, err);
    for (size_t i = 0; i < rank; i++) {
        const gpai_value *size = gpai_value_at(list, i);
        if (!gpai_value_is_whole(size))
            return fail_meta(s, "a size that is no whole number", k, err);
        shape[i] = gpai_value_whole(size);
    }
    return gpai_tensors_describe(&s->in, k, name, type != NULL ? type : "FP64", shape,
                                 rank, s->endpoint.who, err);
}

static gpa_status read_inputs(gpai_server *s, const gpai_value *list, gpa_error *err)
{
    size_t n = gpai_value_items(list);
    if (n == 0)
        return gpai_server_assume(s, "input-0", err);
    if (n > GPAI_MAX_INPUTS)
        return fail_meta(s, "too many inputs", n - 1, err);
    gpa_status st = gpai_tensors_new(&s->in, n, err);
    for (size_t k = 0; st == GPA_OK && k < n; k++)
        st = read_input(s, k, gpai_value_at(list, k), err);
    return st;
}

static gpa_status discover(gpai_server *s, gpai_http *h, double deadline,
                           gpa_error *err)
{
    gpai_value *root = NULL;
    gpa_status st = gpai_server_fetch(&root, s, h, "", deadline, err);
    if (st == GPA_OK)
        st = read_inputs(s, gpai_value_get(root, "inputs"), err);
    if (st == GPA_OK)
        st = gpai_server_outputs(s, gpai_value_get(root, "outputs"), "datatype", err);
    gpai_value_free(root);
    return st;
}

/* [rows,10] */
static void write_shape(const gpai_tensor *t, size_t n, gpai_bytes *b)
{
    gpai_bytes_text(b, "[");
    gpai_bytes_count(b, n);
    for (size_t i = 0; i < t->rank; i++) {
        gpai_bytes_text(b, ",");
        gpai_bytes_count(b, t->dims[i]);
    }
    gpai_bytes_text(b, "]");
}

/* Whether every column is a tensor of its own, as the server does not say what it takes
 * and there are texts. */
static bool is_frame(const gpai_server *s)
{
    return s->assumed && s->kinds.input != NULL && s->kinds.column != NULL;
}

/* How MLServer, which may have no metadata, makes a text of bytes. */
static const char *content_type(const gpai_server *s, const gpai_tensor *t, size_t from)
{
    return !is_frame(s) || t->texts != GPAI_TEXTS_ALL ? NULL
           : gpai_kinds_is_text(&s->kinds, from)      ? "\"content_type\":\"str\""
                                                      : "\"content_type\":\"datetime\"";
}

/* "parameters":{"binary_data_size":160}, of which JSON has no need. */
static void write_parameters(const gpai_server *s, const gpai_tensor *t,
                             const gpai_rows *r, size_t from, gpai_bytes *b)
{
    const char *content = content_type(s, t, from);
    if (content == NULL && r->json)
        return;
    gpai_bytes_text(b, ",\"parameters\":{");
    gpai_bytes_text(b, content != NULL ? content : "");
    if (!r->json) {
        gpai_bytes_text(b, content != NULL ? "," : "");
        gpai_bytes_text(b, "\"binary_data_size\":");
        gpai_bytes_count(b, gpai_tensor_raw_size(t, r, from));
    }
    gpai_bytes_text(b, "}");
}

/* {"name":"x","shape":[2,10],"datatype":"FP64","data":[…]}, without data in a binary
 * request. */
static void write_tensor(const gpai_server *s, const gpai_tensor *t, const gpai_rows *r,
                         size_t from, gpai_bytes *b)
{
    gpai_bytes_text(b, "{\"name\":");
    gpai_bytes_quote(b, t->name);
    gpai_bytes_text(b, ",\"shape\":");
    write_shape(t, r->n, b);
    gpai_bytes_text(b, ",\"datatype\":\"");
    gpai_bytes_text(b, gpai_tensor_type(t));
    gpai_bytes_text(b, "\"");
    write_parameters(s, t, r, from, b);
    if (r->json) {
        gpai_bytes_text(b, ",\"data\":[");
        gpai_tensor_json(t, r, from, b);
        gpai_bytes_text(b, "]");
    }
    gpai_bytes_text(b, "}");
}

/* Which output we want, and in which form; and what all tensors together are. */
static void write_wish(const gpai_server *s, bool json, gpai_bytes *b)
{
    bool frame = is_frame(s);
    bool binary = s->output == NULL && !json;
    if (s->output != NULL) {
        gpai_bytes_text(b, ",\"outputs\":[{\"name\":");
        gpai_bytes_quote(b, s->output);
        gpai_bytes_text(b, json ? "}]" : ",\"parameters\":{\"binary_data\":true}}]");
    }
    if (!frame && !binary)
        return;
    gpai_bytes_text(b, ",\"parameters\":{");
    gpai_bytes_text(b, frame ? "\"content_type\":\"pd\"" : "");
    gpai_bytes_text(b, frame && binary ? "," : "");
    gpai_bytes_text(b, binary ? "\"binary_data_output\":true" : "");
    gpai_bytes_text(b, "}");
}

static void write(const gpai_server *s, const gpai_rows *r, gpai_transfer *t)
{
    gpai_bytes *b = &t->request;
    size_t from = 0;
    gpai_bytes_text(b, "{\"inputs\":[");
    for (size_t k = 0; k < s->in.n; from += s->in.tensor[k++].width) {
        gpai_bytes_text(b, k > 0 ? "," : "");
        write_tensor(s, &s->in.tensor[k], r, from, b);
    }
    gpai_bytes_text(b, "]");
    write_wish(s, r->json, b);
    gpai_bytes_text(b, "}");
    if (r->json)
        return;
    t->head = b->size;
    from = 0;
    for (size_t k = 0; k < s->in.n; from += s->in.tensor[k++].width)
        gpai_tensor_raw(&s->in.tensor[k], r, from, b);
}

/* A tensor for every column, where the server does not say what it takes. */
static gpa_status spread(gpai_server *s, const gpa_input *inputs, size_t d,
                         gpa_error *err)
{
    gpai_tensors columns = {NULL, 0, false};
    const long long one[2] = {-1, 1};
    gpa_status st = gpai_tensors_new(&columns, d, err);
    for (size_t k = 0; st == GPA_OK && k < d; k++)
        st = gpai_tensors_describe(&columns, k, s->kinds.column[k],
                                   inputs[k].writing == GPA_WRITING_NUMBER ? "FP64"
                                                                           : "BYTES",
                                   one, 2, s->endpoint.who, err);
    gpai_tensors_free(st == GPA_OK ? &s->in : &columns);
    if (st == GPA_OK)
        s->in = columns;
    return st;
}

static gpa_status set_kinds(void *self, const gpa_input *inputs, size_t d,
                            gpa_error *err)
{
    gpai_server *s = ((gpai_handle *)self)->server;
    gpa_status st = gpai_model_kinds_copy(&s->kinds, inputs, d, s->endpoint.who, err);
    if (st == GPA_OK && is_frame(s))
        st = spread(s, inputs, d, err);
    return st == GPA_OK ? gpai_server_set_kinds(self, inputs, d, err) : st;
}

static const gpai_protocol protocol = {
    .url = {.kind = "v2",
            .must = "/v2/models/",
            .ending = "/infer",
            .like = "v2:http://HOST:8000/v2/models/NAME"},
    .call = "/infer",
    .config = "output=NAME",
    .binary = true,
    .discover = discover,
    .write = write,
    .read = gpai_outputs_read,
};

static const gpai_model_ops ops = {
    .kind = "v2",
    .predict_all = gpai_server_predict_all,
    .clone = gpai_server_clone,
    .close = gpai_server_close,
    .set_inputs = gpai_server_set_inputs,
    .set_kinds = set_kinds,
};

gpa_status gpai_v2_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    return gpai_server_open(out, &protocol, &ops, s, err);
}
