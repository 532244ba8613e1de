#ifndef GPAI_MODEL_ONNX_FILE_H
#define GPAI_MODEL_ONNX_FILE_H
#include "model/onnx/onnx.pb-c.h"
#include "model/onnx/run/program.h"

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

enum { GPAI_ONNX_RANK = 8 }; /* dimensions at most */

/* Types of tensors that are understood, with the numbers they have in files. */
typedef enum gpai_onnx_type {
    GPAI_ONNX_FLOAT = 1,
    GPAI_ONNX_INT32 = 6,
    GPAI_ONNX_INT64 = 7,
    GPAI_ONNX_BOOL = 9,
    GPAI_ONNX_DOUBLE = 11
} gpai_onnx_type;

/* How their numbers lie in memory: as float, double or int64_t. Whole numbers and
 * truths are int64_t in constants; truths that depend on the input are 0 and 1 of the
 * type that was compared. */
typedef enum gpai_onnx_store {
    GPAI_ONNX_NARROW,
    GPAI_ONNX_WIDE,
    GPAI_ONNX_WHOLE
} gpai_onnx_store;

typedef struct gpai_onnx_shape {
    size_t rank, dim[GPAI_ONNX_RANK];
} gpai_onnx_shape;

/* A tensor of the graph: a constant, or one that depends on the input and then has a
 * row per row of it. The dimension of the rows, always the first, is left out of its
 * shape. */
typedef struct gpai_onnx_value {
    enum { GPAI_ONNX_NOTHING, GPAI_ONNX_CONSTANT, GPAI_ONNX_ROWS } kind;
    gpai_onnx_type type;
    gpai_onnx_store store;
    gpai_onnx_shape shape;
    size_t n;          /* numbers, of a row if it has rows */
    const void *data;  /* of a constant; in a pool */
    size_t reg, first; /* of rows: the register, and its first number there */
} gpai_onnx_value;

/* Stands for the unknown number of rows where a graph computes with shapes. */
#define GPAI_ONNX_BATCH (INT64_MIN + 1)

static inline size_t gpai_onnx_size(gpai_onnx_store store)
{
    return store == GPAI_ONNX_NARROW ? sizeof(float) : 8;
}

/* Numbers of a shape; false when they are more than `most`. */
bool gpai_onnx_count(const gpai_onnx_shape *s, size_t most, size_t *n);

/* "double", or the like, for messages. */
const char *gpai_onnx_type_name(int64_t type);
bool gpai_onnx_type_store(int64_t type, gpai_onnx_store *store);

/* Numbers of tensors that lie in files beside the model. The last file read is kept,
 * for all tensors are usually in one. Zeroed but for `path`, the model's own. */
typedef struct gpai_onnx_external {
    const char *path;
    char *location;
    char *bytes;
    size_t size;
} gpai_onnx_external;
void gpai_onnx_external_close(gpai_onnx_external *e);

/* A tensor of the file as a constant, its numbers in `pool`. */
gpa_status gpai_onnx_tensor_read(gpai_onnx_value *out, const GpaiOnnx__Tensor *t,
                                 gpai_onnx_external *e, gpai_onnx_pool *pool,
                                 gpa_error *err);

#endif
