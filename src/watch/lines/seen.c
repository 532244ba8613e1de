#include "watch/lines/seen.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/words.h"
#include <string.h>

bool seen_open(struct seen *s)
{
    *s = (struct seen){.ring = gpai_calloc(SEEN_MOST, sizeof *s->ring)};
    return s->ring != NULL && map_open(&s->map, SEEN_MOST);
}

void seen_close(struct seen *s)
{
    gpai_free(s->ring);
    map_close(&s->map);
    *s = (struct seen){.ring = NULL};
}

bool seen_before(const struct seen *s, uint64_t key)
{
    return map_find(&s->map, key) != NULL;
}

void seen_add(struct seen *s, uint64_t key)
{
    uint64_t *place = &s->ring[s->n++ % SEEN_MOST];
    if (*place != 0)
        map_drop(&s->map, *place);
    *place = key;
    map_put(&s->map, key, 0);
}

enum { HALVES_BYTES = 16 << 20 };

gpa_status halves_open(struct halves *h, size_t d, const char *wait, gpa_error *err)
{
    char digits[32];
    size_t length = strlen(wait), bytes = sizeof *h->half + d * sizeof *h->x;
    bool seconds = length > 1 && wait[length - 1] == 's';
    uint64_t n = 0;
    *h = (struct halves){.d = d, .room = HALVES_BYTES / bytes + 1};
    length -= seconds;
    if (length < sizeof digits) {
        memcpy(digits, wait, length);
        digits[length] = '\0';
    }
    if (length >= sizeof digits || !gpai_word_count(digits, &n) || n == 0)
        return gpai_fail(err, GPA_INVALID,
                         "--wait: '%.60s' is no number of rows (500) or seconds (60s)",
                         wait);
    h->rows = seconds ? 0 : n;
    h->seconds = seconds ? (double)n : 0;
    if (!seconds && n < h->room / 4) /* some that are completed lie between them */
        h->room = 4 * (size_t)n + 64 < h->room ? 4 * (size_t)n + 64 : h->room;
    h->half = gpai_calloc(h->room, sizeof *h->half);
    h->x = gpai_calloc(h->room, d * sizeof *h->x);
    return h->half != NULL && h->x != NULL && map_open(&h->map, h->room)
               ? GPA_OK
               : gpai_nomem(err, "watch");
}

void halves_close(struct halves *h)
{
    gpai_free(h->half);
    gpai_free(h->x);
    map_close(&h->map);
}

struct half *halves_find(const struct halves *h, uint64_t key)
{
    const uint64_t *place = map_find(&h->map, key);
    return place != NULL ? &h->half[*place] : NULL;
}

double *half_x(const struct halves *h, const struct half *x)
{
    return h->x + (size_t)(x - h->half) * h->d;
}

void halves_add(struct halves *h, const struct half *half, const double *x)
{
    size_t place = (size_t)(h->last++ % h->room);
    h->half[place] = *half;
    memcpy(h->x + place * h->d, x, h->d * sizeof *x);
    map_put(&h->map, half->key, place);
}

void halves_drop(struct halves *h, struct half *x)
{
    map_drop(&h->map, x->key);
    x->key = 0;
}

struct half *halves_oldest(struct halves *h)
{
    while (h->first < h->last && h->half[h->first % h->room].key == 0)
        h->first++;
    return h->first < h->last ? &h->half[h->first % h->room] : NULL;
}

struct half *halves_late(struct halves *h, uint64_t at, double now)
{
    struct half *x = halves_oldest(h);
    if (x == NULL)
        return NULL;
    bool late = h->rows > 0 ? at - x->at > h->rows : now - x->time > h->seconds;
    return late || h->last - h->first == h->room ? x : NULL;
}
