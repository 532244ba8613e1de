#include "base/workspace.h"
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
