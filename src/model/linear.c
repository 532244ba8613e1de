#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/json.h"
#include "model/net.h"
#include "model/spec.h"
#include <math.h>

enum { MAX_INPUTS = 65536 };

/* f(x) = b + w . x is a net of one layer with one output. */
static gpa_status build(gpai_net **out, const json_t *root, const char *path,
                        gpa_error *err)
{
    const json_t *list = json_object_get(root, "w"), *b = json_object_get(root, "b");
    size_t d = json_array_size(list); /* 0 when it is no list */
    *out = NULL;
    if (d == 0 || d > MAX_INPUTS)
        return gpai_bad_file(err, path, "w: not a list of 1 to %d numbers", MAX_INPUTS);
    if (!json_is_number(b) || !isfinite(json_number_value(b)))
        return gpai_bad_file(err, path, "b: %s",
                             b == NULL ? "missing (write \"b\": 0 for none)"
                                       : "not a number");
    double intercept = json_number_value(b);
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

gpa_status gpai_linear_open(gpa_model **out, const gpai_spec *s, const json_t *root,
                            gpa_error *err)
{
    gpai_net *net = NULL;
    size_t d = json_array_size(json_object_get(root, "w"));
    *out = NULL;
    gpa_status st = build(&net, root, s->rest, err);
    if (st == GPA_OK)
        return gpai_model_named(out, &gpai_net_ops, net, d, s, root, err);
    gpai_net_free(net);
    return st;
}
