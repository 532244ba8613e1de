#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/json.h"
#include "model/net.h"
#include "model/spec.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LAYERS = 64, MAX_WIDTH = 65536 };

/* The file being read, and where in it. */
struct reader {
    const char *path;
    const char *activation; /* its name */
    size_t layers, layer;   /* how many; the one being read, from 1 */
    size_t in, out;
};

static const struct {
    const char *name;
    gpai_activation activation;
} activations[] = {
    {"relu", GPAI_RELU},
    {"tanh", GPAI_TANH},
    {"logistic", GPAI_LOGISTIC},
    {"identity", GPAI_IDENTITY},
};

static gpa_status read_activation(gpai_activation *out, struct reader *r,
                                  const gpai_value *root, gpa_error *err)
{
    r->activation = gpai_value_text(gpai_value_get(root, "activation"));
    if (r->activation == NULL)
        return gpai_bad_file(err, r->path, "activation: missing, or not a text");
    for (size_t i = 0; i < sizeof activations / sizeof activations[0]; i++) {
        if (strcmp(r->activation, activations[i].name) == 0) {
            *out = activations[i].activation;
            return GPA_OK;
        }
    }
    return gpai_bad_file(err, r->path,
                         "activation: '%s' is not relu, tanh, logistic or identity",
                         gpai_show_text(r->activation).text);
}

/* Keys that nobody knows are passed over, but one that names another activation than
 * the one used would make every prediction wrong. */
static gpa_status refuse(const struct reader *r, const gpai_value *object,
                         const char *key, const char *used, gpa_error *err)
{
    const gpai_value *value = gpai_value_get(object, key);
    const char *name = gpai_value_text(value);
    char where[32] = "";
    if (value == NULL || gpai_value_is_null(value) ||
        (name != NULL && strcmp(name, used) == 0))
        return GPA_OK;
    if (r->layer > 0)
        snprintf(where, sizeof where, "layer %zu: ", r->layer);
    return gpai_bad_file(
        err, r->path, "%s%s: '%s' is not supported here, only '%s'", where, key,
        name != NULL ? gpai_show_text(name).text : "a value that is no text", used);
}

/* Finds the layer's sizes. All rows are measured before any memory is taken, so that it
 * never exceeds what the file holds. */
static gpa_status measure(struct reader *r, const gpai_value *w, gpa_error *err)
{
    size_t in = gpai_value_items(w), expected = r->out;
    r->out = gpai_value_items(gpai_value_at(w, 0));
    if (in == 0 || r->out == 0)
        return gpai_bad_file(err, r->path,
                             "layer %zu: W: not a list of lists of numbers", r->layer);
    if (r->layer > 1 && in != expected)
        return gpai_bad_file(err, r->path,
                             "layer %zu: W: %zu rows, but layer %zu has %zu outputs",
                             r->layer, in, r->layer - 1, expected);
    if (in > MAX_WIDTH || r->out > MAX_WIDTH)
        return gpai_bad_file(err, r->path, "layer %zu: W: %zu by %zu, at most %d",
                             r->layer, in, r->out, MAX_WIDTH);
    for (size_t k = 0; k < in; k++) {
        size_t n = gpai_value_items(gpai_value_at(w, k));
        if (n != r->out)
            return gpai_bad_file(err, r->path,
                                 "layer %zu: W: row %zu has %zu numbers, expected %zu",
                                 r->layer, k + 1, n, r->out);
    }
    r->in = in;
    return GPA_OK;
}

/* The measured layer's weights and, after them, its biases. */
static gpa_status read_numbers(const struct reader *r, const gpai_value *w,
                               const gpai_value *b, double *to, gpa_error *err)
{
    char what[64];
    for (size_t k = 0; k < r->in; k++, to += r->out) {
        snprintf(what, sizeof what, "layer %zu: W: row %zu", r->layer, k + 1);
        gpa_status st =
            gpai_json_numbers(gpai_value_at(w, k), r->out, to, r->path, what, err);
        if (st != GPA_OK)
            return st;
    }
    snprintf(what, sizeof what, "layer %zu: b", r->layer);
    return gpai_json_numbers(b, r->out, to, r->path, what, err);
}

static gpa_status read_layer(struct reader *r, gpai_net *net, const gpai_value *layer,
                             gpa_error *err)
{
    const gpai_value *w = gpai_value_get(layer, "W"), *b = gpai_value_get(layer, "b");
    gpa_status st = refuse(r, layer, "activation",
                           r->layer < r->layers ? r->activation : "identity", err);
    if (st == GPA_OK)
        st = measure(r, w, err);
    if (st != GPA_OK)
        return st;
    double *numbers = gpai_calloc(r->in * r->out + r->out, sizeof *numbers);
    if (numbers == NULL)
        return gpai_nomem(err, "mlp");
    st = read_numbers(r, w, b, numbers, err);
    if (st == GPA_OK)
        st = gpai_net_add(net, r->in, r->out, numbers, numbers + r->in * r->out, err);
    gpai_free(numbers);
    return st;
}

static gpa_status read_head(gpai_net **net, struct reader *r, const gpai_value *root,
                            gpa_error *err)
{
    gpai_activation activation = GPAI_IDENTITY;
    gpa_status st = read_activation(&activation, r, root, err);
    if (st == GPA_OK)
        st = refuse(r, root, "out_activation", "identity", err);
    if (st != GPA_OK)
        return st;
    r->layers = gpai_value_items(gpai_value_get(root, "layers"));
    if (r->layers == 0 || r->layers > MAX_LAYERS)
        return gpai_bad_file(err, r->path, "layers: not a list of 1 to %d layers",
                             MAX_LAYERS);
    return gpai_net_new(net, activation, r->layers, err);
}

static gpa_status build_mlp(gpai_net **net, size_t *inputs, const gpai_value *root,
                            const char *path, gpa_error *err)
{
    const gpai_value *layers = gpai_value_get(root, "layers");
    struct reader r = {.path = path};
    gpa_status st = read_head(net, &r, root, err);
    for (size_t i = 0; st == GPA_OK && i < r.layers; i++) {
        r.layer = i + 1;
        st = read_layer(&r, *net, gpai_value_at(layers, i), err);
        if (i == 0)
            *inputs = r.in;
    }
    if (st == GPA_OK && r.out != 1)
        st = gpai_bad_file(err, path, "layer %zu: %zu outputs, expected 1 at the end",
                           r.layers, r.out);
    return st;
}

/* f(x) = b + w . x is a net of one layer with one output. */
static gpa_status build_linear(gpai_net **out, size_t *inputs, const gpai_value *root,
                               const char *path, gpa_error *err)
{
    const gpai_value *list = gpai_value_get(root, "w"), *b = gpai_value_get(root, "b");
    size_t d = *inputs = gpai_value_items(list); /* 0 when it is no list */
    *out = NULL;
    if (d == 0 || d > MAX_WIDTH)
        return gpai_bad_file(err, path, "w: not a list of 1 to %d numbers", MAX_WIDTH);
    if (!gpai_value_is_number(b) || !isfinite(gpai_value_number(b)))
        return gpai_bad_file(err, path, "b: %s",
                             b == NULL ? "missing (write \"b\": 0 for none)"
                                       : "not a number");
    double intercept = gpai_value_number(b);
    double *w = gpai_calloc(d, sizeof *w);
    gpa_status st = w == NULL ? gpai_nomem(err, "linear")
                              : gpai_json_numbers(list, d, w, path, "w", err);
    if (st == GPA_OK)
        st = gpai_net_new(out, GPAI_IDENTITY, 1, err);
    if (st == GPA_OK)
        st = gpai_net_add(*out, d, 1, w, &intercept, err);
    gpai_free(w);
    return st;
}

typedef gpa_status (*build_fn)(gpai_net **, size_t *, const gpai_value *, const char *,
                               gpa_error *);

static gpa_status open_net(gpa_model **out, build_fn build, const gpai_spec *s,
                           const gpai_value *root, gpa_error *err)
{
    gpai_net *net = NULL;
    size_t d = 0;
    *out = NULL;
    gpa_status st = build(&net, &d, root, s->rest, err);
    if (st == GPA_OK)
        return gpai_model_named(out, &gpai_net_ops, net, d, s, root, err);
    gpai_net_free(net);
    return st;
}

gpa_status gpai_mlp_open(gpa_model **out, const gpai_spec *s, const gpai_value *root,
                         gpa_error *err)
{
    return open_net(out, build_mlp, s, root, err);
}

gpa_status gpai_linear_open(gpa_model **out, const gpai_spec *s, const gpai_value *root,
                            gpa_error *err)
{
    return open_net(out, build_linear, s, root, err);
}
