#ifndef GPAI_WORKSPACE_H
#define GPAI_WORKSPACE_H
#include <stdbool.h>
#include <stddef.h>

/* Carves one block into arrays. A lay-out function is run twice: with base NULL it only
 * measures, with the block it hands out. Arrays start on cache lines. */
typedef struct gpai_arena {
    double *base;
    size_t used; /* doubles */
    bool overflow;
} gpai_arena;

/* The next array: n times `size` doubles, or n things of so many bytes. */
double *gpai_take(gpai_arena *a, size_t n, size_t size);
void *gpai_take_bytes(gpai_arena *a, size_t n, size_t bytes);

/* Several arrays like the first, into the pointers whose addresses follow. */
#define GPAI_TAKE_EACH(a, n, size, ...)                                                \
    gpai_take_each(a, n, size, (double **const[]){__VA_ARGS__},                        \
                   sizeof((double **const[]){__VA_ARGS__}) / sizeof(double **))
void gpai_take_each(gpai_arena *a, size_t n, size_t size, double **const *to,
                    size_t count);

/* Measures, allocates and hands out. The block of zeros, to be freed; NULL when there
 * is not so much memory. */
double *gpai_carve(void (*lay_out)(void *work, gpai_arena *a), void *work);

#endif
