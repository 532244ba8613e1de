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
    gpai_onnx_value *unused; /* a first output that nobody needs */
    gpa_error *err;
} gpai_onnx_node;

/* "model.onnx: node 3 (Gemm 'fc1'): …" */
gpa_status gpai_onnx_fail(const gpai_onnx_node *o, gpa_status status,
                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "…: not supported: what" */
gpa_status gpai_onnx_refuse(const gpai_onnx_node *o, const char *what);
gpa_status gpai_onnx_no_room(const gpai_onnx_node *o);

/* "ai.onnx.ml.Scaler"; operators of the standard have no domain before them. */
gpa_status gpai_onnx_unknown(const gpai_onnx_node *o);

/* An input, NULL when it was left out; where an output goes, NULL when nobody needs it,
 * but for the first. */
const gpai_onnx_value *gpai_onnx_in(const gpai_onnx_node *o, size_t i);
gpai_onnx_value *gpai_onnx_out(const gpai_onnx_node *o, size_t i);

/* Attributes. Those that are missing leave the default that stands in *out. */
gpa_status gpai_onnx_int(gpai_onnx_node *o, const char *name, int64_t *out);
gpa_status gpai_onnx_float(gpai_onnx_node *o, const char *name, double *out);
gpa_status gpai_onnx_string(gpai_onnx_node *o, const char *name, const char **out,
                            size_t *length);
gpa_status gpai_onnx_ints(gpai_onnx_node *o, const char *name, const int64_t **out,
                          size_t *n);
gpa_status gpai_onnx_floats(gpai_onnx_node *o, const char *name, const float **out,
                            size_t *n);
gpa_status gpai_onnx_strings(gpai_onnx_node *o, const char *name,
                             const ProtobufCBinaryData **out, size_t *n);
gpa_status gpai_onnx_tensor(gpai_onnx_node *o, const char *name,
                            const GpaiOnnx__Tensor **out);
bool gpai_onnx_has(const gpai_onnx_node *o, const char *name);
void gpai_onnx_ignore(gpai_onnx_node *o, const char *name); /* it changes nothing */

/* Whole numbers that are an attribute in old files and a constant input in new ones:
 * *out is NULL when there are none. */
gpa_status gpai_onnx_list(gpai_onnx_node *o, const char *attribute, size_t input,
                          const int64_t **out, size_t *n);

/* Refuses attributes nobody asked for: they would change what is computed. */
gpa_status gpai_onnx_all_read(const gpai_onnx_node *o);

#endif
