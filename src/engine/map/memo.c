#include "engine/map/memo.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include <string.h>

/* What coordinate k at value v adds to a key. -0 and 0 are one point, and so are values
 * that differ in their last ten bits only: they came by different roundings. */
static uint64_t part(size_t k, double v)
{
    uint64_t bits;
    v = v == 0 ? 0 : v;
    memcpy(&bits, &v, sizeof bits);
    bits = (bits + 512) >> 10;
    return gpai_rng_mix(gpai_rng_mix(bits + GPAI_RNG_STEP) + (uint64_t)k);
}

uint64_t gpai_memo_key(const double *delta, size_t d)
{
    uint64_t key = 1;
    for (size_t k = 0; k < d; k++)
        key += part(k, delta[k]);
    return key;
}

uint64_t gpai_memo_change(uint64_t key, size_t k, double from, double to)
{
    return key - part(k, from) + part(k, to);
}

gpa_status gpai_memo_open(gpai_memo *m, size_t n, size_t d, size_t room,
                          bool keep_points, gpa_error *err)
{
    *m = (gpai_memo){.n = n, .d = d, .room = room, .slots = 16};
    while (m->slots < 2 * room)
        m->slots *= 2;
    size_t width = n + (keep_points ? d : 0);
    m->f = gpai_calloc(room, width * sizeof *m->f);
    m->block = gpai_calloc(m->slots, sizeof *m->key + sizeof *m->index);
    if (m->f == NULL || m->block == NULL) {
        gpai_memo_close(m);
        return gpai_nomem(err, "explain");
    }
    m->delta = keep_points ? m->f + room * n : NULL;
    m->key = m->block;
    m->index = (size_t *)(void *)(m->key + m->slots);
    return GPA_OK;
}

void gpai_memo_close(gpai_memo *m)
{
    gpai_free(m->block);
    gpai_free(m->f);
    *m = (gpai_memo){0};
}

static size_t slot_of(const gpai_memo *m, uint64_t key)
{
    size_t i = (size_t)key & (m->slots - 1);
    while (m->key[i] != 0 && m->key[i] != key)
        i = (i + 1) & (m->slots - 1);
    return i;
}

static uint64_t stored(uint64_t key)
{
    return key != 0 ? key : 1; /* 0 marks an empty slot */
}

const double *gpai_memo_find(const gpai_memo *m, uint64_t key)
{
    size_t i = slot_of(m, stored(key));
    return m->key[i] == 0 ? NULL : m->f + m->index[i] * m->n;
}

const double *gpai_memo_add(gpai_memo *m, uint64_t key, const double *delta,
                            const double *f)
{
    size_t i = slot_of(m, stored(key));
    if (m->key[i] != 0 || m->used == m->room)
        return f;
    m->key[i] = stored(key);
    m->index[i] = m->used;
    memcpy(m->f + m->used * m->n, f, m->n * sizeof *f);
    if (m->delta != NULL)
        memcpy(m->delta + m->used * m->d, delta, m->d * sizeof *delta);
    return m->f + m->used++ * m->n;
}
