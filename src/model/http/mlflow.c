#include "model/http/server.h"

/* MLflow serves no metadata: the names of the columns come from the data. */
static gpa_status discover(gpai_server *s, gpai_http *h, double deadline,
                           gpa_error *err)
{
    (void)h;
    (void)deadline;
    return gpai_server_assume(s, "inputs", err);
}

static gpa_status set_inputs(void *self, size_t d, const char *const *names,
                             gpa_error *err)
{
    gpai_server *s = ((gpai_handle *)self)->server;
    gpai_tensors columns = {NULL, 0, false};
    const long long any[1] = {-1};
    if (names == NULL || s->unnamed)
        return gpai_server_set_inputs(self, d, names, err);
    gpa_status st = gpai_model_kinds_columns(&s->kinds, d, names, err);
    if (st == GPA_OK)
        st = gpai_tensors_new(&columns, d, err);
    for (size_t k = 0; st == GPA_OK && k < d; k++) {
        st = gpai_tensors_describe(&columns, k, names[k], "FP64", any, 1,
                                   s->endpoint.who, err);
        columns.tensor[k].texts = GPAI_TEXTS_SOME; /* as the data frame has them */
    }
    gpai_tensors_free(st == GPA_OK ? &s->in : &columns);
    if (st == GPA_OK)
        s->in = columns;
    return st;
}

/* Whether each column is a tensor with a name, not all of them one list. */
static bool is_named(const gpai_tensors *t)
{
    return t->tensor[0].rank == 0;
}

static void write_columns(const gpai_tensors *t, gpai_bytes *b)
{
    gpai_bytes_text(b, "{\"columns\":[");
    for (size_t k = 0; k < t->n; k++) {
        gpai_bytes_text(b, k > 0 ? "," : "");
        gpai_bytes_quote(b, t->tensor[k].name);
    }
    gpai_bytes_text(b, "],\"data\":");
}

/* [1.5,"a"] */
static void write_row(const gpai_tensors *t, const gpai_rows *r, size_t i,
                      gpai_bytes *b)
{
    gpai_bytes_text(b, is_named(t) ? "[" : "");
    for (size_t k = 0, from = 0; k < t->n; from += t->tensor[k++].width) {
        gpai_bytes_text(b, k > 0 ? "," : "");
        gpai_tensor_nested(&t->tensor[k], r, i, from, b);
    }
    gpai_bytes_text(b, is_named(t) ? "]" : "");
}

/* {"dataframe_split":{"columns":[…],"data":[[…],…]}} or {"inputs":[[…],…]} */
static void write(const gpai_server *s, const gpai_rows *r, gpai_transfer *t)
{
    gpai_bytes *b = &t->request;
    bool named = is_named(&s->in);
    gpai_bytes_text(b, named ? "{\"dataframe_split\":" : "{\"inputs\":");
    if (named)
        write_columns(&s->in, b);
    for (size_t i = 0; i < r->n; i++) {
        gpai_bytes_text(b, i > 0 ? "," : "[");
        write_row(&s->in, r, i, b);
    }
    gpai_bytes_text(b, named ? "]}}" : "]}");
}

static const gpai_protocol protocol = {
    .url = {.kind = "mlflow",
            .ending = "/invocations",
            .like = "mlflow:http://HOST:5000"},
    .call = "/invocations",
    .config = "output=NAME, names=off",
    .frame = true,
    .discover = discover,
    .write = write,
    .read = gpai_predictions_read,
};

static const gpai_model_ops ops = {
    .kind = "mlflow",
    .predict_all = gpai_server_predict_all,
    .clone = gpai_server_clone,
    .close = gpai_server_close,
    .set_inputs = set_inputs,
    .set_kinds = gpai_server_set_kinds,
    .refuses_missing = true,
};

gpa_status gpai_mlflow_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    return gpai_server_open(out, &protocol, &ops, s, err);
}
