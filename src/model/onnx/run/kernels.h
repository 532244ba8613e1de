#ifndef GPAI_MODEL_ONNX_RUN_KERNELS_H
#define GPAI_MODEL_ONNX_RUN_KERNELS_H
#include "model/onnx/run/program.h"

/* One step with its addresses, for `lanes` rows: 1 or a multiple of 8. */
typedef struct gpai_onnx_call {
    const gpai_onnx_step *step;
    size_t lanes;
    void *out;
    const void *a, *b;
} gpai_onnx_call;

/* How many instruction sets this machine has code for. */
size_t gpai_onnx_sets(void);

/* Computes any step but casts and forests, with the i-th instruction set that this
 * machine has. Every set gives the same bytes. */
void gpai_onnx_compute(size_t isa, const gpai_onnx_call *c);

#endif
