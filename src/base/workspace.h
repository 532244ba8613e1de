#ifndef GPAI_WORKSPACE_H
#define GPAI_WORKSPACE_H
#include <stdbool.h>
#include <stddef.h>

/* Carves one block of doubles into arrays. A lay-out function is run twice: with base
 * NULL it only measures, with the block it hands out. Arrays start on cache lines. */
typedef struct gpai_arena {
    double *base;
    size_t used; /* doubles */
    bool overflow;
} gpai_arena;

double *gpai_take(gpai_arena *a, size_t n, size_t size);

#endif
