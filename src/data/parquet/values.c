#include "data/parquet/values.h"
#include "base/alloc.h"
#include "data/bits.h"
#include <string.h>

static size_t width_of(const gpai_parquet_column *c)
{
    static const size_t WIDTHS[] = {
        [PARQUET_BOOLEAN] = 1, [PARQUET_INT32] = 4, [PARQUET_INT64] = 8,
        [PARQUET_INT96] = 12,  [PARQUET_FLOAT] = 4, [PARQUET_DOUBLE] = 8,
        [PARQUET_BYTES] = 0};
    return c->type == PARQUET_FIXED ? (size_t)c->length : WIDTHS[c->type];
}

static bool has_slices(const gpai_values *v)
{
    return v->type == PARQUET_BYTES || v->type == PARQUET_FIXED;
}

static bool is_whole(int type)
{
    return type == PARQUET_INT32 || type == PARQUET_INT64;
}

static const char SPOILT[] = "a page of values is spoilt";

/* The numbers of one block of differences, passed over. */
static bool pass(gpai_delta d, const unsigned char **end)
{
    int64_t some[64];
    while (d.left > 0)
        if (!gpai_delta_read(&d, some, d.left < 64 ? (size_t)d.left : 64))
            return false;
    *end = gpai_delta_end(&d);
    return true;
}

/* Lengths, one block of them or two, then the bytes. */
static const char *open_lengths(gpai_values *v, uint64_t most)
{
    size_t size = (size_t)(v->end - v->at);
    if (!gpai_delta_open(&v->delta, v->at, size, most) || !pass(v->delta, &v->at))
        return SPOILT;
    if (v->encoding == PARQUET_DELTA_LENGTH)
        return NULL;
    size = (size_t)(v->end - v->at);
    return gpai_delta_open(&v->more, v->at, size, most) && pass(v->more, &v->at)
               ? NULL
               : SPOILT;
}

/* Truths in runs have their size before them. */
static const char *open_truths(gpai_values *v)
{
    size_t size = (size_t)(v->end - v->at);
    uint64_t length = size >= 4 ? gpai_little_endian(v->at, 4) : 0;
    if (size < 4 || length > size - 4)
        return SPOILT;
    v->runs = gpai_runs_open(v->at + 4, (size_t)length, 1);
    return NULL;
}

static const char *open_codes(gpai_values *v)
{
    unsigned width = *v->at;
    v->runs = gpai_runs_open(v->at + 1, (size_t)(v->end - v->at) - 1, width);
    return width <= 32 ? NULL : SPOILT;
}

const char *gpai_values_open(gpai_values *v, const gpai_parquet_column *c,
                             const gpai_parquet_page *page)
{
    v->encoding = page->encoding == PARQUET_PLAIN_DICTIONARY
                      ? (page->dictionary ? PARQUET_PLAIN : PARQUET_DICTIONARY)
                      : page->encoding;
    v->type = c->type;
    v->width = width_of(c);
    v->at = page->data;
    v->end = page->data + page->size;
    v->index = 0;
    v->value_size = 0;
    v->count = v->width > 0 ? page->size / v->width : 0;
    v->runs = (gpai_runs){.width = 0, .in.bad = true};
    v->delta = v->more = (gpai_delta){.left = 0};
    if (v->encoding == PARQUET_PLAIN)
        return NULL;
    bool fits =
        v->encoding == PARQUET_DICTIONARY
            ? v->type != PARQUET_BOOLEAN && !page->dictionary
        : v->encoding == PARQUET_RLE          ? v->type == PARQUET_BOOLEAN
        : v->encoding == PARQUET_DELTA        ? is_whole(v->type)
        : v->encoding == PARQUET_DELTA_LENGTH ? v->type == PARQUET_BYTES
        : v->encoding == PARQUET_DELTA_BYTES  ? has_slices(v)
        : v->encoding == PARQUET_STREAM_SPLIT
            ? v->width > 0 && v->type != PARQUET_BOOLEAN && v->type != PARQUET_INT96
            : false;
    if (!fits)
        return "an encoding that is not known, or not for values of this type";
    if (page->size == 0) /* all of them are null */
        return NULL;
    switch (v->encoding) {
    case PARQUET_DICTIONARY:
        return open_codes(v);
    case PARQUET_RLE:
        return open_truths(v);
    case PARQUET_DELTA:
        return gpai_delta_open(&v->delta, v->at, page->size, page->values) ? NULL
                                                                           : SPOILT;
    case PARQUET_STREAM_SPLIT:
        return page->size % v->width == 0 ? NULL : SPOILT;
    default:
        return open_lengths(v, page->values);
    }
}

void gpai_values_close(gpai_values *v)
{
    gpai_free(v->value);
    v->value = NULL;
    v->value_room = 0;
}

static const unsigned char *plain_truths(gpai_values *v, size_t n)
{
    unsigned char *to = (unsigned char *)v->piece;
    size_t there = (size_t)(v->end - v->at) * 8;
    if (n > there - v->index)
        return NULL;
    for (size_t i = 0; i < n; i++, v->index++)
        to[i] = v->at[v->index / 8] >> (v->index % 8) & 1;
    return to;
}

static const unsigned char *run_truths(gpai_values *v, size_t n)
{
    unsigned char *to = (unsigned char *)v->piece;
    uint32_t some[256];
    for (size_t done = 0; done < n;) {
        size_t m = n - done < 256 ? n - done : 256;
        if (!gpai_runs_read(&v->runs, some, m))
            return NULL;
        for (size_t i = 0; i < m; i++)
            to[done++] = some[i] != 0;
    }
    return to;
}

/* Differences, of which INT32 has the lower half. */
static const unsigned char *differences(gpai_values *v, size_t n)
{
    unsigned char *to = (unsigned char *)v->piece;
    int64_t some[256];
    for (size_t done = 0; done < n;) {
        size_t m = n - done < 256 ? n - done : 256;
        if (!gpai_delta_read(&v->delta, some, m))
            return NULL;
        for (size_t i = 0; i < m; i++, done++)
            gpai_put_little_endian(to + done * v->width, (uint64_t)some[i], v->width);
    }
    return to;
}

/* One value whose bytes lie in as many streams. */
static void gather(gpai_values *v, unsigned char *to)
{
    for (size_t j = 0; j < v->width; j++)
        to[j] = v->at[j * v->count + v->index];
    v->index++;
}

const unsigned char *gpai_values_raw(gpai_values *v, size_t n)
{
    unsigned char *piece = (unsigned char *)v->piece;
    const unsigned char *at = v->at;
    if (v->type == PARQUET_BOOLEAN)
        return v->encoding == PARQUET_PLAIN ? plain_truths(v, n) : run_truths(v, n);
    if (v->encoding == PARQUET_DELTA)
        return differences(v, n);
    if (v->encoding == PARQUET_STREAM_SPLIT) {
        if (n > v->count - v->index)
            return NULL;
        for (size_t i = 0; i < n; i++)
            gather(v, piece + i * v->width);
        return piece;
    }
    if (v->encoding != PARQUET_PLAIN || n > (size_t)(v->end - v->at) / v->width)
        return NULL;
    v->at += n * v->width;
    return at;
}

/* So many bytes, where they are. */
static bool take(gpai_values *v, uint64_t size, gpai_slice *out)
{
    if (size > (uint64_t)(v->end - v->at))
        return false;
    *out = (gpai_slice){v->at, (size_t)size};
    v->at += size;
    return true;
}

static bool plain_slice(gpai_values *v, gpai_slice *out)
{
    uint64_t size = v->width;
    if (v->type == PARQUET_BYTES) {
        if (v->end - v->at < 4)
            return false;
        size = gpai_little_endian(v->at, 4);
        v->at += 4;
    }
    return take(v, size, out);
}

/* What it has in common with the value before, which lies there already, and the rest.
 */
static bool joined_slice(gpai_values *v, gpai_slice *out, bool *no_memory)
{
    int64_t same = 0, rest = 0;
    gpai_slice more;
    if (!gpai_delta_read(&v->delta, &same, 1) || !gpai_delta_read(&v->more, &rest, 1) ||
        same < 0 || rest < 0 || (uint64_t)same > v->value_size ||
        !take(v, (uint64_t)rest, &more))
        return false;
    size_t size = (size_t)same + more.size;
    if (!gpai_grow(&v->value, &v->value_room, size + 1, 1)) {
        *no_memory = true;
        return false;
    }
    if (more.size > 0)
        memcpy(v->value + same, more.at, more.size);
    v->value_size = size;
    *out = (gpai_slice){v->value, size};
    return v->type == PARQUET_BYTES || size == v->width;
}

static bool split_slice(gpai_values *v, gpai_slice *out, bool *no_memory)
{
    if (v->index >= v->count)
        return false;
    *no_memory = !gpai_grow(&v->value, &v->value_room, v->width, 1);
    if (*no_memory)
        return false;
    gather(v, v->value);
    *out = (gpai_slice){v->value, v->width};
    return true;
}

bool gpai_values_slice(gpai_values *v, gpai_slice *out, bool *no_memory)
{
    int64_t size = 0;
    switch (v->encoding) {
    case PARQUET_PLAIN:
        return plain_slice(v, out);
    case PARQUET_STREAM_SPLIT:
        return split_slice(v, out, no_memory);
    case PARQUET_DELTA_LENGTH:
        return gpai_delta_read(&v->delta, &size, 1) && size >= 0 &&
               take(v, (uint64_t)size, out);
    case PARQUET_DELTA_BYTES:
        return joined_slice(v, out, no_memory);
    default:
        return false;
    }
}

bool gpai_values_codes(gpai_values *v, uint32_t *out, size_t n)
{
    return gpai_runs_read(&v->runs, out, n);
}
