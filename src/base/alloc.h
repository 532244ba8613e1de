#ifndef GPAI_ALLOC_H
#define GPAI_ALLOC_H
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

char *gpai_strdup(const char *text);
char *gpai_strndup(const char *text, size_t length);
void gpai_free(void *p);

/* Tests only: the k-th allocation from now (from 1) fails, once or for ever; 0 never.
 * gpai_alloc_count says how many were tried since. Not for several threads. */
void gpai_alloc_fail_at(size_t k, bool for_ever);
size_t gpai_alloc_count(void);

#endif
