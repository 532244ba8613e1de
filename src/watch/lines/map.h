#ifndef GPA_WATCH_LINES_MAP_H
#define GPA_WATCH_LINES_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of rows, as 64 bits each, and a place for each: of a fixed size. */

uint64_t map_key(const char *text, size_t length); /* never 0 */

struct map {
    struct map_slot {
        uint64_t key; /* 0: free */
        uint64_t value;
    } * slot;
    size_t mask;
};

bool map_open(struct map *m, size_t most); /* false without memory */
void map_close(struct map *m);
/* Its place; NULL: it is not there. */
uint64_t *map_find(const struct map *m, uint64_t key);
/* Of a key that is not there, with room for it. */
void map_put(struct map *m, uint64_t key, uint64_t value);
void map_drop(struct map *m, uint64_t key);

#endif
