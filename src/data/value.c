#include "data/value.h"
#include "base/alloc.h"
#include <string.h>

/* A double stands as it is. All else is written as numbers that are none: those whose
 * first 13 bits are ones, with what it is in the next three and 48 bits of content, for
 * most of them how far off their bytes are. No offset: an empty list or object. */
enum tag { NOTHING, NO, YES, WHOLE, LARGE, TEXT, LIST, OBJECT };

static const uint64_t MARK = UINT64_C(0xfff8) << 48;

static bool is_tagged(const gpai_value *v)
{
    return v != NULL && v->bits >= MARK;
}

static enum tag tag_of(const gpai_value *v)
{
    return (enum tag)(v->bits >> 48 & 7);
}

static bool has_tag(const gpai_value *v, enum tag tag)
{
    return is_tagged(v) && tag_of(v) == tag;
}

static int64_t content(const gpai_value *v)
{
    uint64_t low = v->bits & ((UINT64_C(1) << 48) - 1);
    return (int64_t)(low ^ UINT64_C(1) << 47) - (INT64_C(1) << 47);
}

static void put(gpai_value *to, enum tag tag, int64_t value)
{
    to->bits =
        MARK | (uint64_t)tag << 48 | ((uint64_t)value & ((UINT64_C(1) << 48) - 1));
}

static const gpai_value *target(const gpai_value *v)
{
    return (const gpai_value *)(const void *)((const char *)v + content(v));
}

/* The values of a list or object, or NULL; how many there are stands before them. */
static const gpai_value *inside(const gpai_value *v, enum tag tag)
{
    return has_tag(v, tag) && content(v) != 0 ? target(v) + 1 : NULL;
}

static size_t count_of(const gpai_value *v, enum tag tag)
{
    const gpai_value *first = inside(v, tag);
    return first == NULL ? 0 : (size_t)first[-1].bits;
}

gpai_value_kind gpai_value_is(const gpai_value *v)
{
    static const gpai_value_kind KINDS[] = {
        GPAI_VALUE_NULL,   GPAI_VALUE_TRUTH, GPAI_VALUE_TRUTH, GPAI_VALUE_NUMBER,
        GPAI_VALUE_NUMBER, GPAI_VALUE_TEXT,  GPAI_VALUE_LIST,  GPAI_VALUE_OBJECT};
    return v == NULL      ? GPAI_VALUE_NONE
           : is_tagged(v) ? KINDS[tag_of(v)]
                          : GPAI_VALUE_NUMBER;
}

bool gpai_value_is_null(const gpai_value *v)
{
    return has_tag(v, NOTHING);
}

bool gpai_value_is_truth(const gpai_value *v)
{
    return has_tag(v, NO) || has_tag(v, YES);
}

bool gpai_value_is_true(const gpai_value *v)
{
    return has_tag(v, YES);
}

bool gpai_value_is_number(const gpai_value *v)
{
    return gpai_value_is(v) == GPAI_VALUE_NUMBER;
}

bool gpai_value_is_whole(const gpai_value *v)
{
    return has_tag(v, WHOLE) || has_tag(v, LARGE);
}

bool gpai_value_is_text(const gpai_value *v)
{
    return has_tag(v, TEXT);
}

bool gpai_value_is_list(const gpai_value *v)
{
    return has_tag(v, LIST);
}

bool gpai_value_is_object(const gpai_value *v)
{
    return has_tag(v, OBJECT);
}

int64_t gpai_value_whole(const gpai_value *v)
{
    if (has_tag(v, LARGE))
        return (int64_t)target(v)->bits;
    return has_tag(v, WHOLE) ? content(v) : 0;
}

double gpai_value_number(const gpai_value *v)
{
    double number = 0;
    if (v == NULL || is_tagged(v))
        return (double)gpai_value_whole(v);
    memcpy(&number, &v->bits, sizeof number);
    return number;
}

const char *gpai_value_text(const gpai_value *v)
{
    return has_tag(v, TEXT) ? (const char *)v + content(v) : NULL;
}

size_t gpai_value_items(const gpai_value *v)
{
    return count_of(v, LIST);
}

const gpai_value *gpai_value_at(const gpai_value *v, size_t i)
{
    return i < count_of(v, LIST) ? inside(v, LIST) + i : NULL;
}

size_t gpai_value_members(const gpai_value *v)
{
    return count_of(v, OBJECT);
}

const char *gpai_value_key(const gpai_value *v, size_t i)
{
    return i < count_of(v, OBJECT) ? gpai_value_text(inside(v, OBJECT) + 2 * i) : NULL;
}

const gpai_value *gpai_value_member(const gpai_value *v, size_t i)
{
    return i < count_of(v, OBJECT) ? inside(v, OBJECT) + 2 * i + 1 : NULL;
}

const gpai_value *gpai_value_get(const gpai_value *v, const char *key)
{
    const gpai_value *at = inside(v, OBJECT);
    for (size_t n = count_of(v, OBJECT); n > 0; n--, at += 2)
        if (strcmp(gpai_value_text(at), key) == 0)
            return at + 1;
    return NULL;
}

void gpai_value_free(gpai_value *v)
{
    gpai_free(v);
}

/* What may be made of a text of so many bytes: seven times as much, or a little. */
enum { PER_BYTE = 7, ANYWAY = 1 << 16 };

/* Keys up to which they are compared one by one. */
enum { FEW = 16 };

static void point(gpai_value *to, enum tag tag, const void *at)
{
    put(to, tag, (int64_t)((intptr_t)at - (intptr_t)to));
}

bool gpai_make_open(gpai_maker *m, gpai_value *to, bool object, gpai_made *c)
{
    *c = (gpai_made){.object = object, .which = m->opened};
    if (to == NULL) {
        if (!gpai_grow(&m->count, &m->room, m->opened + 1, sizeof *m->count))
            return false;
        m->count[m->opened++] = 0;
        return true;
    }
    size_t n = m->count[m->opened++];
    put(to, object ? OBJECT : LIST, 0);
    if (n == 0)
        return true;
    gpai_value *head = m->block + m->slots;
    m->slots += 1 + n;
    head->bits = object ? n / 2 : n;
    point(to, object ? OBJECT : LIST, head);
    c->first = c->at = head + 1;
    if (!object || n <= 2 * FEW)
        return true;
    for (c->mask = 2 * FEW; c->mask < n;) /* half of it stays free */
        c->mask *= 2;
    c->hash = gpai_calloc(c->mask--, sizeof *c->hash);
    return c->hash != NULL;
}

void gpai_make_close(gpai_made *c)
{
    gpai_free(c->hash);
    c->hash = NULL;
}

gpai_value *gpai_make_item(gpai_maker *m, gpai_made *c)
{
    if (m->block != NULL)
        return c->at++;
    uint32_t *n = &m->count[c->which];
    m->slots += *n == 0 ? 2 : 1; /* with the number of them before the first */
    ++*n;
    return NULL;
}

/* Where a key stands, or belongs. It begins elsewhere in every run of the program, so
 * that nobody can make keys that all belong in the same place. */
static uint32_t *find(const gpai_made *c, const char *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)(uintptr_t)c->first;
    for (const char *p = key; *p != '\0'; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    hash ^= hash >> 32;
    for (size_t i = (size_t)hash & c->mask;; i = (i + 1) & c->mask)
        if (c->hash[i] == 0 ||
            strcmp(gpai_value_text(c->first + 2 * (c->hash[i] - 1)), key) == 0)
            return &c->hash[i];
}

bool gpai_make_twice(const gpai_made *c, const gpai_value *key)
{
    const char *text = gpai_value_text(key);
    if (key == NULL)
        return false;
    if (c->hash != NULL) {
        uint32_t *slot = find(c, text);
        bool there = *slot != 0;
        *slot = (uint32_t)((key - c->first) / 2) + 1;
        return there;
    }
    for (const gpai_value *at = c->first; at < key; at += 2)
        if (strcmp(gpai_value_text(at), text) == 0)
            return true;
    return false;
}

void gpai_make_null(gpai_value *to)
{
    if (to != NULL)
        put(to, NOTHING, 0);
}

void gpai_make_truth(gpai_value *to, bool yes)
{
    if (to != NULL)
        put(to, yes ? YES : NO, 0);
}

void gpai_make_real(gpai_value *to, double v)
{
    if (to != NULL)
        memcpy(&to->bits, &v, sizeof v);
}

void gpai_make_whole(gpai_maker *m, gpai_value *to, int64_t v)
{
    const int64_t most = (INT64_C(1) << 47) - 1;
    bool small = v >= -most && v <= most;
    if (to != NULL && small) {
        put(to, WHOLE, v);
    } else if (to != NULL) {
        m->block[m->slots].bits = (uint64_t)v;
        point(to, LARGE, &m->block[m->slots]);
    }
    m->slots += !small;
}

char *gpai_make_text(gpai_maker *m, gpai_value *to, size_t most)
{
    if (to == NULL) {
        m->bytes += most + 1;
        return NULL;
    }
    point(to, TEXT, m->text);
    return m->text;
}

void gpai_make_text_end(gpai_maker *m, size_t length)
{
    if (m->block == NULL)
        return;
    m->text[length] = '\0';
    m->text += length + 1;
}

gpai_make_result gpai_make_block(gpai_maker *m, size_t size)
{
    size_t slots = m->slots + 1; /* the value itself */
    size_t need = slots * sizeof *m->block + m->bytes;
    if (need + m->opened * sizeof *m->count > ANYWAY + size * PER_BYTE)
        return GPAI_MAKE_LARGE;
    m->block = gpai_calloc(need, 1);
    if (m->block == NULL)
        return GPAI_MAKE_NOMEM;
    m->text = (char *)(m->block + slots);
    m->slots = 1;
    m->opened = 0;
    return GPAI_MAKE_FINE;
}

gpai_value *gpai_make_end(gpai_maker *m, bool good)
{
    gpai_value *v = m->block;
    gpai_free(m->count);
    if (!good)
        gpai_free(v);
    *m = (gpai_maker){0};
    return good ? v : NULL;
}
