#ifndef GPAI_MODEL_ONNX_NODE_H
#define GPAI_MODEL_ONNX_NODE_H
#include "model/onnx/graph.h"

/* A node of the graph while it becomes steps. */
typedef struct gpai_onnx_node {
    gpai_onnx_graph *g;
    const GpaiOnnx__Node *file;
    size_t index;            /* for messages */
    uint64_t read;           /* attributes that were asked for, a bit each */
    int64_t opset;           /* version of its domain's operators */
    int which;               /* of the operators that share a function */
    gpai_onnx_value *unused; /* a first output that nobody needs */
    gpa_status st;
    gpa_error *err;
} gpai_onnx_node;

/* The first failure sticks, in o->st: whatever is called for the node afterwards does
 * nothing, so that a row of calls needs to be looked after once, at its end. All give
 * o->st back but for those that have something better. */

/* "model.onnx: node 3 (Gemm 'fc1'): …" */
gpa_status gpai_onnx_fail(gpai_onnx_node *o, gpa_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "…: not supported: what" */
gpa_status gpai_onnx_refuse(gpai_onnx_node *o, const char *what);
gpa_status gpai_onnx_no_room(gpai_onnx_node *o);

/* "ai.onnx.ml.Scaler"; operators of the standard have no domain before them. */
gpa_status gpai_onnx_unknown(gpai_onnx_node *o);

/* An input, NULL when it was left out; where an output goes, NULL when nobody needs it,
 * but for the first. */
const gpai_onnx_value *gpai_onnx_in(const gpai_onnx_node *o, size_t i);
gpai_onnx_value *gpai_onnx_out(const gpai_onnx_node *o, size_t i);

/* Attributes. Those that are missing are the default, or leave what stands in *out; a
 * list that is missing has no numbers and a tensor is NULL then. */
int64_t gpai_onnx_int(gpai_onnx_node *o, const char *name, int64_t otherwise);
double gpai_onnx_float(gpai_onnx_node *o, const char *name, double otherwise);
void gpai_onnx_string(gpai_onnx_node *o, const char *name, const char **out,
                      size_t *length);
const int64_t *gpai_onnx_ints(gpai_onnx_node *o, const char *name, size_t *n);
const float *gpai_onnx_floats(gpai_onnx_node *o, const char *name, size_t *n);
const ProtobufCBinaryData *gpai_onnx_strings(gpai_onnx_node *o, const char *name,
                                             size_t *n);
const GpaiOnnx__Tensor *gpai_onnx_tensor(gpai_onnx_node *o, const char *name);
bool gpai_onnx_has(const gpai_onnx_node *o, const char *name);
void gpai_onnx_ignore(gpai_onnx_node *o, const char *name); /* it changes nothing */

/* Whole numbers that are an attribute in old files and a constant input in new ones;
 * NULL when there are none. */
const int64_t *gpai_onnx_list(gpai_onnx_node *o, const char *attribute, size_t input,
                              size_t *n);

/* A tensor of the file as a constant. */
gpa_status gpai_onnx_load(gpai_onnx_node *o, const GpaiOnnx__Tensor *t,
                          gpai_onnx_value *out);

/* Refuses attributes nobody asked for: they would change what is computed. */
gpa_status gpai_onnx_all_read(gpai_onnx_node *o);

#endif
