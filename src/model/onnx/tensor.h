#ifndef GPAI_MODEL_ONNX_TENSOR_H
#define GPAI_MODEL_ONNX_TENSOR_H
#include "model/onnx/external.h"
#include "model/onnx/pool.h"
#include "model/onnx/value.h"

/* A tensor of the file as a constant, its numbers in `pool`. */
gpa_status gpai_onnx_tensor_read(gpai_onnx_value *out, const GpaiOnnx__Tensor *t,
                                 gpai_onnx_external *e, gpai_onnx_pool *pool,
                                 gpa_error *err);

#endif
