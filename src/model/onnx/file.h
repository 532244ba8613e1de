#ifndef GPAI_MODEL_ONNX_FILE_H
#define GPAI_MODEL_ONNX_FILE_H
#include "model/onnx/onnx.pb-c.h"
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of an ONNX file as messages (onnx.proto). */
typedef struct gpai_onnx_file {
    const char *path; /* borrowed */
    GpaiOnnx__Model *model;
    size_t left; /* bytes that unpacking may still ask for */
    bool starved;
} gpai_onnx_file;

/* Unpacks and checks what concerns the file as a whole: that it has a graph of not too
 * many nodes and operator sets of versions that are known. To be closed also when it
 * fails. */
gpa_status gpai_onnx_file_read(gpai_onnx_file *f, const char *path, const char *bytes,
                               size_t size, gpa_error *err);
void gpai_onnx_file_close(gpai_onnx_file *f);

/* The version of a domain's operators ("" and "ai.onnx" are the same); 0 when the file
 * imports none. */
int64_t gpai_onnx_opset(const gpai_onnx_file *f, const char *domain);

/* A text that a file may lack: "" then. */
const char *gpai_onnx_text(const char *text);

#endif
