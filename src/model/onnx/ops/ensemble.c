#include "model/onnx/ops/ensemble.h"
#include "base/text/show.h"
#include "model/onnx/ops/ops.h"
#include "model/onnx/tensor.h"
#include <stdio.h>
#include <string.h>

static gpa_status read_ints(gpai_onnx_node *o, const char *name, size_t n,
                            const int64_t **out)
{
    size_t have;
    gpa_status st = gpai_onnx_ints(o, name, out, &have);
    if (st == GPA_OK && have != n)
        st =
            gpai_onnx_fail(o, GPA_DATA, "%s: %zu numbers, expected %zu", name, have, n);
    return st;
}

/* Numbers that stand in a list of float or, for double, in a tensor. */
static gpa_status read_numbers(gpai_onnx_node *o, const char *name,
                               gpai_onnx_value *out)
{
    char as_tensor[64];
    const GpaiOnnx__Tensor *t;
    const float *list;
    snprintf(as_tensor, sizeof as_tensor, "%s_as_tensor", name);
    gpa_status st = gpai_onnx_tensor(o, as_tensor, &t);
    if (st == GPA_OK && t != NULL)
        st = gpai_onnx_tensor_read(out, t, &o->g->external, &o->g->pool, o->err);
    if (st == GPA_OK && t != NULL && out->store == GPAI_ONNX_WHOLE)
        st = gpai_onnx_fail(o, GPA_DATA, "%s: whole numbers", as_tensor);
    if (st != GPA_OK || t != NULL)
        return st;
    *out = (gpai_onnx_value){.kind = GPAI_ONNX_CONSTANT, .type = GPAI_ONNX_FLOAT};
    st = gpai_onnx_floats(o, name, &list, &out->n);
    out->data = list;
    return st;
}

static gpa_status read_nodes(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    size_t modes, tracks;
    gpa_status st = gpai_onnx_ints(o, "nodes_treeids", &e->tree, &e->nodes);
    if (st == GPA_OK && (e->nodes == 0 || e->nodes > INT32_MAX))
        st = gpai_onnx_fail(o, GPA_DATA, "no nodes, or too many");
    if (st == GPA_OK)
        st = read_ints(o, "nodes_nodeids", e->nodes, &e->node);
    if (st == GPA_OK)
        st = read_ints(o, "nodes_featureids", e->nodes, &e->input);
    if (st == GPA_OK)
        st = read_ints(o, "nodes_truenodeids", e->nodes, &e->yes);
    if (st == GPA_OK)
        st = read_ints(o, "nodes_falsenodeids", e->nodes, &e->no);
    if (st == GPA_OK)
        st = gpai_onnx_ints(o, "nodes_missing_value_tracks_true", &e->tracks, &tracks);
    if (st == GPA_OK && tracks == 0)
        e->tracks = NULL;
    if (st == GPA_OK)
        st = gpai_onnx_strings(o, "nodes_modes", &e->mode, &modes);
    if (st == GPA_OK)
        st = read_numbers(o, "nodes_values", &e->threshold);
    if (st == GPA_OK && (modes != e->nodes || e->threshold.n != e->nodes ||
                         (tracks != 0 && tracks != e->nodes)))
        st = gpai_onnx_fail(o, GPA_DATA, "lists of different lengths about %zu nodes",
                            e->nodes);
    gpai_onnx_ignore(o, "nodes_hitrates");
    gpai_onnx_ignore(o, "nodes_hitrates_as_tensor");
    return st;
}

static gpa_status read_leaves(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    gpa_status st = gpai_onnx_ints(o, "target_treeids", &e->leaf_tree, &e->leaves);
    if (st == GPA_OK)
        st = read_ints(o, "target_nodeids", e->leaves, &e->leaf_node);
    if (st == GPA_OK)
        st = read_ints(o, "target_ids", e->leaves, &e->leaf_target);
    if (st == GPA_OK)
        st = read_numbers(o, "target_weights", &e->weight);
    if (st == GPA_OK && e->weight.n != e->leaves)
        st = gpai_onnx_fail(o, GPA_DATA, "target_weights: %zu numbers, expected %zu",
                            e->weight.n, e->leaves);
    return st;
}

/* What happens to the sum of the leaves. */
static gpa_status read_end(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    const char *how = "SUM";
    size_t length = 3;
    int64_t targets = 1;
    gpa_status st = gpai_onnx_only(o, "post_transform", "NONE");
    if (st == GPA_OK)
        st = gpai_onnx_int(o, "n_targets", &targets);
    if (st == GPA_OK && targets != 1)
        st = gpai_onnx_fail(o, GPA_UNSUPPORTED,
                            "%lld targets; only one number per row is supported",
                            (long long)targets);
    if (st == GPA_OK)
        st = gpai_onnx_string(o, "aggregate_function", &how, &length);
    if (st == GPA_OK)
        st = read_numbers(o, "base_values", &e->base);
    if (st == GPA_OK && e->base.n > 1)
        st = gpai_onnx_fail(o, GPA_DATA, "%zu base_values for one target", e->base.n);
    if (st != GPA_OK)
        return st;
    e->average = length == 7 && memcmp(how, "AVERAGE", 7) == 0;
    if (!e->average && (length != 3 || memcmp(how, "SUM", 3) != 0))
        return gpai_onnx_fail(
            o, GPA_UNSUPPORTED,
            "aggregate_function '%s' is not supported, only 'SUM' and 'AVERAGE'",
            gpai_show(how, length).text);
    return GPA_OK;
}

gpa_status gpai_onnx_ensemble_read(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    gpa_status st = read_end(o, e);
    if (st == GPA_OK)
        st = read_nodes(o, e);
    if (st == GPA_OK)
        st = read_leaves(o, e);
    return st;
}
