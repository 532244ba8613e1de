#ifndef GPAI_MODEL_ONNX_GRAPH_H
#define GPAI_MODEL_ONNX_GRAPH_H
#include "model/onnx/file.h"

/* A tensor of the graph by its name. */
typedef struct gpai_onnx_named {
    const char *name;               /* the file's */
    const GpaiOnnx__Tensor *tensor; /* not read yet; or NULL */
    bool computed;                  /* by a node */
    bool needed;                    /* for the prediction */
    gpai_onnx_value v;
} gpai_onnx_named;

/* A graph on its way to a program. */
typedef struct gpai_onnx_graph {
    const gpai_onnx_file *file;
    gpai_onnx_program *program;
    gpai_onnx_external external;
    gpai_onnx_pool pool;    /* for constants */
    gpai_onnx_named *value; /* by name */
    size_t values;
    int64_t batch;            /* rows the file was made for; -1: any number */
    const char **input_names; /* names of the inputs, or NULL */
} gpai_onnx_graph;

/* Makes a program of a file. `config` may say "output=NAME". The graph is to be closed
 * also when it fails; the program is the caller's when it does not. */
gpa_status gpai_onnx_compile(gpai_onnx_graph *g, const gpai_onnx_file *file,
                             const char *config, size_t memory, gpa_error *err);
void gpai_onnx_graph_close(gpai_onnx_graph *g);

/* NULL when there is none of that name. */
gpai_onnx_named *gpai_onnx_find(const gpai_onnx_graph *g, const char *name);

#endif
