#include "base/alloc.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The one piece of static mutable data in the library: a test hook. Atomic, because
 * workers allocate too. */
static struct {
    atomic_size_t fail_at;
    atomic_size_t count;
    atomic_bool for_ever;
} hook;

void gpai_alloc_fail_at(size_t k, bool for_ever)
{
    atomic_store(&hook.count, 0);
    atomic_store(&hook.for_ever, for_ever);
    atomic_store(&hook.fail_at, k);
}

size_t gpai_alloc_count(void)
{
    return atomic_load(&hook.count);
}

static bool must_fail(void)
{
    size_t k = atomic_load_explicit(&hook.fail_at, memory_order_relaxed);
    if (k == 0) /* also keeps the counter out of the way of several threads */
        return false;
    size_t now = atomic_fetch_add(&hook.count, 1) + 1;
    return now == k || (now > k && atomic_load(&hook.for_ever));
}

void *gpai_calloc(size_t n, size_t size)
{
    if (must_fail())
        return NULL;
    return calloc(n > 0 ? n : 1, size > 0 ? size : 1);
}

void *gpai_regrow(void *p, size_t n, size_t size)
{
    if (must_fail() || (size != 0 && n > SIZE_MAX / size))
        return NULL;
    return realloc(p, n * size > 0 ? n * size : 1);
}

char *gpai_strndup(const char *text, size_t length)
{
    char *copy = gpai_calloc(length + 1, 1);
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}

bool gpai_grow(void *array, size_t *room, size_t need, size_t size)
{
    void *p;
    size_t n = *room > 0 ? *room : 16;
    if (need <= *room)
        return true;
    while (n < need)
        n = n > SIZE_MAX / 2 ? need : 2 * n;
    memcpy(&p, array, sizeof p);
    p = gpai_regrow(p, n, size);
    if (p == NULL)
        return false;
    memcpy(array, &p, sizeof p);
    *room = n;
    return true;
}

char *gpai_strdup(const char *text)
{
    return gpai_strndup(text, strlen(text));
}

/* glibc learns from the largest block that was given back: larger ones than that come
 * from the system, and twice as much may stay at the end of a heap. */
void gpai_expect_rows(void)
{
    enum { USUAL = 4 << 20 }; /* chosen: several times what a row of 100 inputs takes */
    void *volatile block = malloc(USUAL); /* volatile: not to be left out as useless */
    free(block);
}

void gpai_free(void *p)
{
    free(p);
}

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

static double *carve(void (*lay_out)(void *work, gpai_arena *a), void *work, bool bare)
{
    gpai_arena a = {0};
    double *block = NULL;
    lay_out(work, &a);
    if (!a.overflow)
        block = bare ? gpai_regrow(NULL, a.used, sizeof *block)
                     : gpai_calloc(a.used, sizeof *block);
    a = (gpai_arena){.base = block};
    if (block != NULL)
        lay_out(work, &a);
    return block;
}

double *gpai_carve(void (*lay_out)(void *work, gpai_arena *a), void *work)
{
    return carve(lay_out, work, false);
}

double *gpai_carve_bare(void (*lay_out)(void *work, gpai_arena *a), void *work)
{
    return carve(lay_out, work, true);
}
