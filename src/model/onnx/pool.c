#include "model/onnx/pool.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"

struct gpai_onnx_block {
    struct gpai_onnx_block *next;
    max_align_t start[];
};

void *gpai_onnx_take(gpai_onnx_pool *pool, size_t n, size_t size)
{
    if (n > pool->left / size) {
        pool->full = true;
        return NULL;
    }
    struct gpai_onnx_block *b = gpai_calloc(1, sizeof *b + n * size);
    if (b == NULL)
        return NULL;
    pool->left -= n * size;
    b->next = pool->blocks;
    pool->blocks = b;
    return b->start;
}

void gpai_onnx_drop(gpai_onnx_pool *pool)
{
    while (pool->blocks != NULL) {
        struct gpai_onnx_block *b = pool->blocks;
        pool->blocks = b->next;
        gpai_free(b);
    }
}

gpa_status gpai_onnx_starved(const gpai_onnx_pool *pool, const char *path,
                             gpa_error *err)
{
    if (!pool->full)
        return gpai_nomem(err, "onnx");
    return gpai_fail_file(err, GPA_UNSUPPORTED, path,
                          "its constants take more memory than the limit of 512 MB and "
                          "eight times the file's size");
}
