#ifndef GPAI_BASE_ALLOC_H
#define GPAI_BASE_ALLOC_H
#include <stdbool.h>
#include <stddef.h>

/* The library's only way to memory, so that tests can make any allocation fail. All
 * give NULL on failure, also when the product overflows. Zeroed unless it is a regrow.
 */
void *gpai_calloc(size_t n, size_t size);
void *gpai_regrow(void *p, size_t n, size_t size); /* p stays valid on failure */

/* Room for `need` things in an array that doubles, `array` being the pointer's address.
 * False, and nothing changed, when there is none. */
bool gpai_grow(void *array, size_t *room, size_t need, size_t size);

/* Before work that takes and gives back the same blocks for every row of a table: says
 * that some megabytes are usual. Otherwise the C library may hand the end of its heap
 * back to the system after each row, and ask for it again, page by page, at the next.
 */
void gpai_expect_rows(void);

char *gpai_strdup(const char *text);
char *gpai_strndup(const char *text, size_t length);
void gpai_free(void *p);

/* Tests only: the k-th allocation from now (from 1) fails, once or for ever; 0 never.
 * gpai_alloc_count says how many were tried since. Not for several threads. */
void gpai_alloc_fail_at(size_t k, bool for_ever);
size_t gpai_alloc_count(void);

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

/* The same, of anything: for what is written before it is read. */
double *gpai_carve_bare(void (*lay_out)(void *work, gpai_arena *a), void *work);

#endif
