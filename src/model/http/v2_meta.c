#include "model/http/v2_meta.h"
#include "base/alloc.h"
#include "base/status.h"
#include <string.h>

static gpa_status fail_meta(const gpai_server *s, const char *what, size_t k,
                            gpa_error *err)
{
    return gpai_fail(err, GPA_MODEL, "%s: metadata: inputs: item %zu: %s",
                     s->endpoint.who, k + 1, what);
}

/* One of {"name": "x", "datatype": "FP64", "shape": [-1, 10]}. */
static gpa_status read_input(gpai_server *s, size_t k, const json_t *item,
                             gpa_error *err)
{
    const char *name = json_string_value(json_object_get(item, "name"));
    const char *type = json_string_value(json_object_get(item, "datatype"));
    const json_t *list = json_object_get(item, "shape"), *size;
    long long shape[GPAI_RANK + 1] = {0};
    size_t i, rank = json_array_size(list);
    if (name == NULL)
        return fail_meta(s, "no name", k, err);
    if (rank > GPAI_RANK)
        return fail_meta(s, "too many dimensions", k, err);
    json_array_foreach(list, i, size)
    {
        if (!json_is_integer(size))
            return fail_meta(s, "a size that is no whole number", k, err);
        shape[i] = json_integer_value(size);
    }
    return gpai_tensors_describe(&s->in, k, name, type != NULL ? type : "FP64", shape,
                                 rank, s->endpoint.who, err);
}

static gpa_status read_inputs(gpai_server *s, const json_t *list, gpa_error *err)
{
    size_t n = json_array_size(list);
    if (n == 0)
        return gpai_server_assume(s, "input-0", err);
    if (n > GPAI_MAX_INPUTS)
        return fail_meta(s, "too many inputs", n - 1, err);
    gpa_status st = gpai_tensors_new(&s->in, n, err);
    for (size_t k = 0; st == GPA_OK && k < n; k++)
        st = read_input(s, k, json_array_get(list, k), err);
    return st;
}

static gpa_status read_outputs(gpai_server *s, const json_t *list, gpa_error *err)
{
    size_t n = json_array_size(list), k;
    const char **names = gpai_calloc(n, sizeof *names);
    bool *numeric = gpai_calloc(n, sizeof *numeric);
    gpa_status st = GPA_OK;
    const json_t *item;
    if (names == NULL || numeric == NULL) {
        st = gpai_nomem(err, "v2");
        goto done;
    }
    json_array_foreach(list, k, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *type = json_string_value(json_object_get(item, "datatype"));
        gpai_datatype t =
            type == NULL ? GPAI_FP64 : gpai_datatype_find(type, strlen(type));
        names[k] = name != NULL ? name : "";
        numeric[k] = t != GPAI_NOT_A_TYPE;
        if (numeric[k] && gpai_datatype_size(t) == 0)
            atomic_store(&s->binary, -1); /* half floats come back as text only */
    }
    st = gpai_server_choose(s, names, numeric, n, err);
done:
    gpai_free(numeric);
    gpai_free(names);
    return st;
}

gpa_status gpai_v2_discover(gpai_server *s, gpai_http *h, double deadline,
                            gpa_error *err)
{
    json_t *root = NULL;
    gpa_status st = gpai_server_fetch(&root, s, h, "", deadline, err);
    if (st == GPA_OK)
        st = read_inputs(s, json_object_get(root, "inputs"), err);
    if (st == GPA_OK)
        st = read_outputs(s, json_object_get(root, "outputs"), err);
    json_decref(root);
    return st;
}
