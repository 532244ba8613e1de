#include "data/parquet/thrift.h"

enum { DEEPEST = 32 };

static void *fail(gpai_thrift *r)
{
    r->bad = true;
    r->at = r->end;
    return NULL;
}

static unsigned char next_byte(gpai_thrift *r)
{
    if (r->at < r->end)
        return *r->at++;
    (void)fail(r);
    return 0;
}

uint64_t gpai_thrift_varint(gpai_thrift *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned char b = next_byte(r);
        value |= (uint64_t)(b & 127) << shift;
        if (b < 128)
            return r->bad ? 0 : value;
    }
    (void)fail(r);
    return 0;
}

int64_t gpai_thrift_zigzag(gpai_thrift *r)
{
    uint64_t v = gpai_thrift_varint(r);
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

bool gpai_thrift_next(gpai_thrift *r, gpai_thrift_field *f)
{
    unsigned char head = next_byte(r);
    if (r->bad || head == 0)
        return false;
    int64_t id = head >> 4 != 0 ? f->id + (head >> 4) : gpai_thrift_zigzag(r);
    f->type = head & 15;
    if (f->type == 0 || f->type > GPAI_THRIFT_UUID || id < INT16_MIN || id > INT16_MAX)
        (void)fail(r);
    f->id = r->bad ? 0 : (int)id;
    return !r->bad;
}

int64_t gpai_thrift_whole(gpai_thrift *r, const gpai_thrift_field *f)
{
    if (f->type == GPAI_THRIFT_TRUE || f->type == GPAI_THRIFT_FALSE)
        return f->type == GPAI_THRIFT_TRUE;
    if (f->type == GPAI_THRIFT_BYTE) {
        unsigned char b = next_byte(r);
        return b < 128 ? b : b - 256;
    }
    if (f->type >= GPAI_THRIFT_I16 && f->type <= GPAI_THRIFT_I64)
        return gpai_thrift_zigzag(r);
    (void)fail(r);
    return 0;
}

/* So many bytes, where they are. */
static const unsigned char *take(gpai_thrift *r, uint64_t length)
{
    const unsigned char *at = r->at;
    if (length > (uint64_t)(r->end - r->at))
        return fail(r);
    r->at += length;
    return at;
}

const char *gpai_thrift_text(gpai_thrift *r, const gpai_thrift_field *f, size_t *length)
{
    *length = 0;
    if (f->type != GPAI_THRIFT_BINARY)
        return fail(r);
    uint64_t n = gpai_thrift_varint(r);
    const unsigned char *at = take(r, n);
    if (at != NULL)
        *length = (size_t)n;
    return (const char *)at;
}

bool gpai_thrift_struct(gpai_thrift *r, const gpai_thrift_field *f)
{
    if (f->type != GPAI_THRIFT_STRUCT)
        (void)fail(r);
    return !r->bad;
}

/* The items of a list or set, each of at least a byte, and their type. */
static size_t begin_list(gpai_thrift *r, int *type)
{
    unsigned char head = next_byte(r);
    uint64_t n = head >> 4 < 15 ? head >> 4 : gpai_thrift_varint(r);
    *type = head & 15;
    if (n > (uint64_t)(r->end - r->at))
        (void)fail(r);
    return r->bad ? 0 : (size_t)n;
}

size_t gpai_thrift_structs(gpai_thrift *r, const gpai_thrift_field *f)
{
    int type = 0;
    size_t n = f->type == GPAI_THRIFT_LIST ? begin_list(r, &type) : 0;
    if (f->type != GPAI_THRIFT_LIST || (n > 0 && type != GPAI_THRIFT_STRUCT))
        (void)fail(r);
    return r->bad ? 0 : n;
}

static void skip(gpai_thrift *r, int type, bool listed, int depth);

static void skip_list(gpai_thrift *r, int depth)
{
    int type = 0;
    for (size_t n = begin_list(r, &type); n > 0 && !r->bad; n--)
        skip(r, type, true, depth + 1);
}

static void skip_map(gpai_thrift *r, int depth)
{
    uint64_t n = gpai_thrift_varint(r);
    unsigned char types = n > 0 ? next_byte(r) : 0;
    for (; n > 0 && !r->bad; n--) {
        skip(r, types >> 4, true, depth + 1);
        skip(r, types & 15, true, depth + 1);
    }
}

static void skip_struct(gpai_thrift *r, int depth)
{
    gpai_thrift_field f = {0, 0};
    while (gpai_thrift_next(r, &f))
        skip(r, f.type, false, depth + 1);
}

/* In a list a truth has a byte of its own; as a field its type says it all. */
static void skip(gpai_thrift *r, int type, bool listed, int depth)
{
    if (depth > DEEPEST)
        (void)fail(r);
    else if (type == GPAI_THRIFT_TRUE || type == GPAI_THRIFT_FALSE)
        (void)take(r, listed ? 1 : 0);
    else if (type == GPAI_THRIFT_BYTE)
        (void)take(r, 1);
    else if (type >= GPAI_THRIFT_I16 && type <= GPAI_THRIFT_I64)
        (void)gpai_thrift_varint(r);
    else if (type == GPAI_THRIFT_DOUBLE)
        (void)take(r, 8);
    else if (type == GPAI_THRIFT_BINARY)
        (void)take(r, gpai_thrift_varint(r));
    else if (type == GPAI_THRIFT_LIST || type == GPAI_THRIFT_SET)
        skip_list(r, depth);
    else if (type == GPAI_THRIFT_MAP)
        skip_map(r, depth);
    else if (type == GPAI_THRIFT_STRUCT)
        skip_struct(r, depth);
    else if (type == GPAI_THRIFT_UUID)
        (void)take(r, 16);
    else
        (void)fail(r);
}

void gpai_thrift_skip(gpai_thrift *r, const gpai_thrift_field *f)
{
    skip(r, f->type, false, 0);
}
