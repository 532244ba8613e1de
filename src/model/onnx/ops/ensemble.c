#include "model/onnx/ops/ensemble.h"
#include "base/text/show.h"
#include "base/text/word.h"
#include "model/onnx/ops/emit.h"
#include "model/onnx/ops/ops.h"
#include <stdio.h>
#include <string.h>

static const int64_t *read_ints(gpai_onnx_node *o, const char *name, size_t n)
{
    size_t have;
    const int64_t *list = gpai_onnx_ints(o, name, &have);
    if (have != n)
        gpai_onnx_fail(o, GPA_DATA, "%s: %zu numbers, expected %zu", name, have, n);
    return list;
}

/* Numbers that stand in a list of float or, for double, in a tensor. */
static void read_numbers(gpai_onnx_node *o, const char *name, gpai_onnx_value *out)
{
    char as_tensor[64];
    snprintf(as_tensor, sizeof as_tensor, "%s_as_tensor", name);
    const GpaiOnnx__Tensor *t = gpai_onnx_tensor(o, as_tensor);
    if (t == NULL) {
        const float *list = gpai_onnx_floats(o, name, &out->n);
        *out = gpai_onnx_floating(list, out->n);
        return;
    }
    if (gpai_onnx_load(o, t, out) == GPA_OK && out->store == GPAI_ONNX_WHOLE)
        gpai_onnx_fail(o, GPA_DATA, "%s: whole numbers", as_tensor);
}

static void read_nodes(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    size_t modes, tracks;
    e->tree = gpai_onnx_ints(o, "nodes_treeids", &e->nodes);
    if (e->nodes == 0 || e->nodes > INT32_MAX)
        gpai_onnx_fail(o, GPA_DATA, "no nodes, or too many");
    e->node = read_ints(o, "nodes_nodeids", e->nodes);
    e->input = read_ints(o, "nodes_featureids", e->nodes);
    e->yes = read_ints(o, "nodes_truenodeids", e->nodes);
    e->no = read_ints(o, "nodes_falsenodeids", e->nodes);
    e->tracks = gpai_onnx_ints(o, "nodes_missing_value_tracks_true", &tracks);
    if (tracks == 0)
        e->tracks = NULL;
    e->mode = gpai_onnx_strings(o, "nodes_modes", &modes);
    read_numbers(o, "nodes_values", &e->threshold);
    if (modes != e->nodes || e->threshold.n != e->nodes ||
        (tracks != 0 && tracks != e->nodes))
        gpai_onnx_fail(o, GPA_DATA, "lists of different lengths about %zu nodes",
                       e->nodes);
    gpai_onnx_ignore(o, "nodes_hitrates");
    gpai_onnx_ignore(o, "nodes_hitrates_as_tensor");
}

static void read_leaves(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    e->leaf_tree = gpai_onnx_ints(o, "target_treeids", &e->leaves);
    e->leaf_node = read_ints(o, "target_nodeids", e->leaves);
    e->leaf_target = read_ints(o, "target_ids", e->leaves);
    read_numbers(o, "target_weights", &e->weight);
    if (e->weight.n != e->leaves)
        gpai_onnx_fail(o, GPA_DATA, "target_weights: %zu numbers, expected %zu",
                       e->weight.n, e->leaves);
}

/* What happens to the sum of the leaves. */
static void read_end(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    const char *how = "SUM";
    size_t length = 3;
    int64_t targets = 1;
    gpai_onnx_only(o, "post_transform", "NONE");
    gpai_onnx_int(o, "n_targets", &targets);
    if (targets != 1)
        gpai_onnx_fail(o, GPA_UNSUPPORTED,
                       "%lld targets; only one number per row is supported",
                       (long long)targets);
    gpai_onnx_string(o, "aggregate_function", &how, &length);
    read_numbers(o, "base_values", &e->base);
    if (e->base.n > 1)
        gpai_onnx_fail(o, GPA_DATA, "%zu base_values for one target", e->base.n);
    e->average = gpai_word_is(how, length, "AVERAGE");
    if (!e->average && !gpai_word_is(how, length, "SUM"))
        gpai_onnx_fail(
            o, GPA_UNSUPPORTED,
            "aggregate_function '%s' is not supported, only 'SUM' and 'AVERAGE'",
            gpai_show(how, length).text);
}

gpa_status gpai_onnx_ensemble_read(gpai_onnx_node *o, gpai_onnx_ensemble *e)
{
    read_end(o, e);
    read_nodes(o, e);
    read_leaves(o, e);
    return o->st;
}
