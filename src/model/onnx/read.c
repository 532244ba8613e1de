#include "model/onnx/graph.h"
#include "model/onnx/run/kernels.h"
#include "model/spec.h"

/* What constants may take: this much and so much for each byte of the file. */
enum { MEMORY = 1 << 29, MEMORY_PER_BYTE = 8 };

static void compute(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y)
{
    (void)d;
    gpai_onnx_run(self, gpai_onnx_kernels_at(0), scratch, x, n, y);
}

static size_t scratch_bytes(const void *self)
{
    return ((const gpai_onnx_program *)self)->bytes;
}

static const gpai_model_ops ops = {.kind = "onnx",
                                   .compute = compute,
                                   .scratch = scratch_bytes,
                                   .close = gpai_onnx_program_free,
                                   .in_process = true};

gpa_status gpai_onnx_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                          size_t size, gpa_error *err)
{
    gpai_onnx_file file = {0};
    gpai_onnx_graph graph = {0};
    *out = NULL;
    gpa_status st = gpai_onnx_file_read(&file, s->rest, bytes, size, err);
    if (st == GPA_OK)
        st = gpai_onnx_compile(&graph, &file, s->config,
                               MEMORY + size * (size_t)MEMORY_PER_BYTE, err);
    if (st == GPA_OK) {
        gpai_onnx_program *p = graph.program;
        const gpai_model_info info = {s->text, p->inputs, s->batch_rows,
                                      graph.input_names};
        graph.program = NULL; /* the handle's, also when this fails */
        st = gpai_model_wrap(out, &ops, p, &info, err);
    }
    gpai_onnx_graph_close(&graph);
    gpai_onnx_file_close(&file);
    return st;
}
