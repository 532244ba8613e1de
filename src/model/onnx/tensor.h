#ifndef GPAI_MODEL_ONNX_TENSOR_H
#define GPAI_MODEL_ONNX_TENSOR_H
#include "model/onnx/onnx.pb-c.h"
#include "model/onnx/pool.h"
#include "model/onnx/value.h"

/* Numbers of tensors that lie in files beside the model. The last file read is kept,
 * for all tensors are usually in one. Zeroed but for `path`, the model's own. */
typedef struct gpai_onnx_external {
    const char *path;
    char *location;
    char *bytes;
    size_t size;
} gpai_onnx_external;

/* The bytes of `t`, which stay until the next call or the close. The file must lie in
 * the model's folder or below it, and is read only if its real place does so too: a
 * model from somebody else must not open other files of its user. */
gpa_status gpai_onnx_external_read(gpai_onnx_external *e, const GpaiOnnx__Tensor *t,
                                   const char **bytes, size_t *size, gpa_error *err);
void gpai_onnx_external_close(gpai_onnx_external *e);

/* A tensor of the file as a constant, its numbers in `pool`. */
gpa_status gpai_onnx_tensor_read(gpai_onnx_value *out, const GpaiOnnx__Tensor *t,
                                 gpai_onnx_external *e, gpai_onnx_pool *pool,
                                 gpa_error *err);

#endif
