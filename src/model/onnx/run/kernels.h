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

/* The steps for one instruction set, by their kind and type of number; none for casts
 * and forests. Every set gives the same bytes. */
typedef void (*gpai_onnx_kernel)(const gpai_onnx_call *c);
struct gpai_onnx_kernels {
    const gpai_onnx_kernel *narrow, *wide;
};

/* The i-th instruction set that this machine has, fastest first; NULL beyond the last.
 */
const gpai_onnx_kernels *gpai_onnx_kernels_at(size_t i);

void gpai_onnx_compute(const gpai_onnx_kernels *k, const gpai_onnx_call *c);

#endif
