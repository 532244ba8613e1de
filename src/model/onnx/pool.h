#ifndef GPAI_MODEL_ONNX_POOL_H
#define GPAI_MODEL_ONNX_POOL_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Memory that is freed all at once, with a limit in all: what a file makes the reader
 * compute can be far larger than the file itself. */
typedef struct gpai_onnx_pool {
    struct gpai_onnx_block *blocks;
    size_t left; /* bytes */
    bool full;   /* the limit was met */
} gpai_onnx_pool;

void *gpai_onnx_take(gpai_onnx_pool *pool, size_t n, size_t size); /* zeroed, or NULL */
void gpai_onnx_drop(gpai_onnx_pool *pool);

/* The answer when gpai_onnx_take gave nothing. */
gpa_status gpai_onnx_starved(const gpai_onnx_pool *pool, const char *path,
                             gpa_error *err);

#endif
