#include "model/http/server.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/json.h"
#include <stdio.h>
#include <string.h>

static void drop(gpai_server *s)
{
    if (atomic_fetch_sub(&s->holds, 1) != 1)
        return;
    gpai_tensors_free(&s->in);
    gpai_model_kinds_free(&s->kinds);
    gpai_free(s->signature);
    gpai_free(s->output);
    gpai_free(s->url);
    gpai_endpoint_close(&s->endpoint);
    gpai_free(s);
}

static bool can_be_binary(const gpai_server *s)
{
    for (size_t k = 0; k < s->in.n; k++)
        if (s->in.tensor[k].texts != GPAI_TEXTS_ALL &&
            gpai_datatype_size(s->in.tensor[k].type) == 0)
            return false;
    return s->protocol->binary;
}

gpa_status gpai_server_clone(void **out, const void *self, gpa_error *err)
{
    const gpai_handle *h = self;
    *out = NULL;
    gpai_handle *copy = gpai_calloc(1, sizeof *copy);
    if (copy == NULL)
        return gpai_nomem(err, h->server->protocol->url.kind);
    copy->server = h->server;
    atomic_fetch_add(&copy->server->holds, 1);
    gpa_status st = gpai_http_new(&copy->http, &copy->server->endpoint, err);
    if (st == GPA_OK)
        *out = copy;
    else
        gpai_server_close(copy);
    return st;
}

void gpai_server_close(void *self)
{
    gpai_handle *h = self;
    gpai_http_free(h->http);
    gpai_free(h->mended);
    drop(h->server);
    gpai_free(h);
}

gpa_status gpai_server_set_inputs(void *self, size_t d, const char *const *names,
                                  gpa_error *err)
{
    gpai_server *s = ((gpai_handle *)self)->server;
    gpa_status st = gpai_model_kinds_columns(&s->kinds, d, names, err);
    if (st == GPA_OK && gpai_tensors_width(&s->in) == 0)
        gpai_tensors_widen(&s->in, d);
    return st;
}

gpa_status gpai_server_set_kinds(void *self, const gpa_input *inputs, size_t d,
                                 gpa_error *err)
{
    gpai_server *s = ((gpai_handle *)self)->server;
    gpa_status st = gpai_model_kinds_copy(&s->kinds, inputs, d, s->endpoint.who, err);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0, from = 0; k < s->in.n; from += s->in.tensor[k++].width) {
        const gpai_tensor *t = &s->in.tensor[k];
        for (size_t j = 0; t->texts == GPAI_TEXTS_NONE && j < t->width; j++) {
            char why[224];
            snprintf(why, sizeof why, "its tensor '%s' (%s) takes numbers only",
                     gpai_show_text(t->name).text, gpai_tensor_type(t));
            if (gpai_kinds_is_text(&s->kinds, from + j))
                return gpai_kinds_refuse(&s->kinds, from + j, s->endpoint.who, why,
                                         err);
        }
    }
    return GPA_OK;
}

static gpa_status read_json(void *self, size_t i, const gpai_transfer *t,
                            gpa_error *err)
{
    (void)i;
    char name[224];
    snprintf(name, sizeof name, "%s: metadata", t->endpoint->who);
    gpa_status st = gpai_json_parse(self, t->reply.size > 0 ? t->reply.at : "",
                                    t->reply.size, name, err);
    if (st == GPA_DATA) {
        st = GPA_MODEL;
        if (err != NULL)
            err->status = st;
    }
    return st;
}

gpa_status gpai_server_fetch(gpai_value **out, gpai_server *s, gpai_http *h,
                             const char *ending, double deadline, gpa_error *err)
{
    *out = NULL;
    char *url = gpai_endpoint_url(&s->endpoint, ending);
    if (url == NULL)
        return gpai_nomem(err, s->protocol->url.kind);
    gpai_job job = {.self = out,
                    .requests = 1,
                    .url = url,
                    .get = true,
                    .deadline = deadline,
                    .read = read_json};
    gpa_status st = gpai_http_run(h, &job, err);
    if (job.status == 404 || job.status == 405 || job.status == 501)
        st = GPA_OK;
    gpai_free(url);
    return st;
}

gpa_status gpai_server_assume(gpai_server *s, const char *name, gpa_error *err)
{
    gpa_status st = gpai_tensors_new(&s->in, 1, err);
    s->assumed = true;
    if (st == GPA_OK)
        st = gpai_tensors_describe(&s->in, 0, name, "FP64", NULL, 0, s->endpoint.who,
                                   err);
    return st;
}

/* The k-th output that metadata describes, in a list or by name. */
static const gpai_value *output_at(const gpai_value *outputs, size_t k,
                                   const char **name)
{
    const gpai_value *item = gpai_value_at(outputs, k);
    *name = gpai_value_text(gpai_value_get(item, "name"));
    if (gpai_value_is_object(outputs)) {
        *name = gpai_value_key(outputs, k);
        item = gpai_value_member(outputs, k);
    }
    *name = *name != NULL ? *name : "";
    return item;
}

/* "a, b, ..." for a message. */
static void list_outputs(const gpai_value *outputs, size_t n, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t k = 0; k < n; k++) {
        const char *text;
        (void)output_at(outputs, k, &text);
        gpai_shown name = gpai_show_text(text);
        if (strlen(out) + strlen(name.text) + sizeof ", ..." > size) {
            strcat(out, ", ...");
            return;
        }
        strcat(strcat(out, k > 0 ? ", " : ""), name.text);
    }
}

static bool is_number(gpai_server *s, const gpai_value *output, const char *type_key)
{
    const char *text = gpai_value_text(gpai_value_get(output, type_key));
    gpai_datatype t = text == NULL ? GPAI_FP64 : gpai_datatype_find(text, strlen(text));
    if (t != GPAI_NOT_A_TYPE && gpai_datatype_size(t) == 0)
        atomic_store(&s->binary, -1); /* half floats come back as text only */
    return t != GPAI_NOT_A_TYPE;
}

gpa_status gpai_server_outputs(gpai_server *s, const gpai_value *outputs,
                               const char *type_key, gpa_error *err)
{
    size_t n = gpai_value_items(outputs) + gpai_value_members(outputs), found = 0;
    const char *name, *last = "";
    char list[240];
    for (size_t k = 0; k < n; k++) {
        bool number = is_number(s, output_at(outputs, k, &name), type_key);
        if (s->output == NULL ? number : strcmp(name, s->output) == 0) {
            found++;
            last = name;
        }
    }
    if (n == 0 || (found == 1 && (n == 1 || s->output != NULL)))
        return GPA_OK;
    if (found == 1) {
        s->output = gpai_strdup(last);
        return s->output == NULL ? gpai_nomem(err, "server") : GPA_OK;
    }
    list_outputs(outputs, n, list, sizeof list);
    return s->output != NULL
               ? gpai_fail(err, GPA_INVALID, "%s: no output '%s'; there is %s",
                           s->endpoint.who, gpai_show_text(s->output).text, list)
               : gpai_fail(err, GPA_INVALID,
                           "%s: %zu outputs are numbers (%s): say which with "
                           "--model-config output=NAME",
                           s->endpoint.who, found, list);
}

/* "output=NAME": which of the model's outputs is meant. "names=off": the columns are
 * sent without names. Separated by ';'. */
static gpa_status configure(gpai_server *s, const char *text, gpa_error *err)
{
    const char *known = s->protocol->config;
    for (size_t n = 0; *text != '\0'; text += n, text += *text == ';') {
        n = strcspn(text, ";");
        if (n > 7 && strncmp(text, "output=", 7) == 0) {
            if (s->output != NULL)
                return gpai_fail(err, GPA_INVALID,
                                 "%s: --model-config: output= a second time",
                                 s->protocol->url.kind);
            s->output = gpai_strndup(text + 7, n - 7);
            if (s->output == NULL)
                return gpai_nomem(err, s->protocol->url.kind);
        } else if (n == 9 && strncmp(text, "names=off", n) == 0 &&
                   strstr(known, "names=off") != NULL) {
            s->unnamed = true;
        } else if (n > 0) {
            return gpai_fail(err, GPA_INVALID,
                             "%s: --model-config: '%s' is not known; there is %s",
                             s->protocol->url.kind, gpai_show(text, n).text, known);
        }
    }
    return GPA_OK;
}

/* Everything but the connection. */
static gpa_status new_server(gpai_server **out, const gpai_protocol *p,
                             const gpai_spec *spec, gpa_error *err)
{
    *out = NULL;
    gpai_server *s = gpai_calloc(1, sizeof *s);
    if (s == NULL)
        return gpai_nomem(err, p->url.kind);
    s->protocol = p;
    atomic_store(&s->holds, 1);
    gpa_status st = gpai_endpoint_open(&s->endpoint, &p->url, spec, err);
    if (st == GPA_OK)
        st = configure(s, spec->config, err);
    if (st == GPA_OK) {
        s->url = gpai_endpoint_url(&s->endpoint, p->call);
        st = s->url == NULL ? gpai_nomem(err, p->url.kind) : GPA_OK;
    }
    if (st == GPA_OK)
        *out = s;
    else
        drop(s);
    return st;
}

/* Names of the inputs, when every tensor is one of them; NULL when not. */
static gpa_status list_names(const char ***out, const gpai_tensors *t, gpa_error *err)
{
    *out = NULL;
    for (size_t k = 0; k < t->n; k++)
        if (t->tensor[k].width != 1)
            return GPA_OK;
    const char **names = gpai_calloc(t->n, sizeof *names);
    if (names == NULL)
        return gpai_nomem(err, "server");
    for (size_t k = 0; k < t->n; k++)
        names[k] = t->tensor[k].name;
    *out = names;
    return GPA_OK;
}

/* Asks the server what it serves and makes a model of it, which takes `h` over. */
static gpa_status make_model(gpa_model **out, gpai_handle *h, const gpai_model_ops *ops,
                             const gpai_spec *s, gpa_error *err)
{
    gpai_server *server = h->server;
    const char **names = NULL;
    gpa_status st =
        server->protocol->discover(server, h->http, gpai_server_deadline(server), err);
    if (st == GPA_OK)
        st = list_names(&names, &server->in, err);
    if (st != GPA_OK) {
        gpai_endpoint_hush(&server->endpoint, err);
        gpai_server_close(h);
        return st;
    }
    if (!can_be_binary(server))
        atomic_store(&server->binary, -1);
    gpai_model_info info = {s->text, gpai_tensors_width(&server->in), s->batch_rows,
                            names};
    st = gpai_model_wrap(out, ops, h, &info, err);
    gpai_free(names);
    return st;
}

gpa_status gpai_server_open(gpa_model **out, const gpai_protocol *p,
                            const gpai_model_ops *ops, const gpai_spec *s,
                            gpa_error *err)
{
    gpai_server *server = NULL;
    void *self = NULL;
    *out = NULL;
    gpa_status st = new_server(&server, p, s, err);
    if (st != GPA_OK)
        return st;
    const gpai_handle first = {.server = server};
    st = gpai_server_clone(&self, &first, err);
    drop(server); /* the handle holds it now */
    return st == GPA_OK ? make_model(out, self, ops, s, err) : st;
}
