#include "watch/lines/map.h"
#include "base/alloc.h"

uint64_t map_key(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u ^ length;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u; /* all bits depend on all letters */
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 32;
    return h != 0 ? h : 1;
}

bool map_open(struct map *m, size_t most)
{
    size_t size = 16;
    while (size < 2 * most)
        size *= 2;
    *m = (struct map){.slot = gpai_calloc(size, sizeof *m->slot), .mask = size - 1};
    return m->slot != NULL;
}

void map_close(struct map *m)
{
    gpai_free(m->slot);
    *m = (struct map){.slot = NULL};
}

/* Where a key is, or would go. */
static size_t place(const struct map *m, uint64_t key)
{
    size_t at = key & m->mask;
    while (m->slot[at].key != 0 && m->slot[at].key != key)
        at = (at + 1) & m->mask;
    return at;
}

uint64_t *map_find(const struct map *m, uint64_t key)
{
    struct map_slot *s = &m->slot[place(m, key)];
    return s->key == key ? &s->value : NULL;
}

void map_put(struct map *m, uint64_t key, uint64_t value)
{
    m->slot[place(m, key)] = (struct map_slot){key, value};
}

/* Those behind it move up, as far as they then stand no further from where they belong.
 */
void map_drop(struct map *m, uint64_t key)
{
    size_t hole = place(m, key);
    if (m->slot[hole].key == 0)
        return;
    for (size_t at = (hole + 1) & m->mask; m->slot[at].key != 0;
         at = (at + 1) & m->mask) {
        size_t home = m->slot[at].key & m->mask;
        if (((at - home) & m->mask) >= ((at - hole) & m->mask)) {
            m->slot[hole] = m->slot[at];
            hole = at;
        }
    }
    m->slot[hole].key = 0;
}
