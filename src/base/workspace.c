#include "base/workspace.h"
#include "base/alloc.h"
#include <stdint.h>

/* Doubles per cache line: arrays written in the same loop never share one. */
enum { LINE = 8 };

double *gpai_take(gpai_arena *a, size_t n, size_t size)
{
    double *p = a->base == NULL ? NULL : a->base + a->used;
    size_t limit = SIZE_MAX / sizeof(double) - LINE;
    if (size != 0 && n > limit / size) {
        a->overflow = true;
        return NULL;
    }
    size_t need = (n * size + LINE - 1) / LINE * LINE;
    if (need > limit - a->used) {
        a->overflow = true;
        return NULL;
    }
    a->used += need;
    return p;
}

void *gpai_take_bytes(gpai_arena *a, size_t n, size_t bytes)
{
    bool huge = bytes > 0 && n > (SIZE_MAX - sizeof(double)) / bytes;
    a->overflow = a->overflow || huge;
    return huge ? NULL
                : gpai_take(a, (n * bytes + sizeof(double) - 1) / sizeof(double), 1);
}

void gpai_take_each(gpai_arena *a, size_t n, size_t size, double **const *to,
                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        *to[i] = gpai_take(a, n, size);
}

double *gpai_carve(void (*lay_out)(void *work, gpai_arena *a), void *work)
{
    gpai_arena a = {0};
    lay_out(work, &a);
    double *block = a.overflow ? NULL : gpai_calloc(a.used, sizeof *block);
    a = (gpai_arena){.base = block};
    if (block != NULL)
        lay_out(work, &a);
    return block;
}
