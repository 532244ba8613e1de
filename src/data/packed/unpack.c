#define ZLIB_CONST /* it does not write to what it reads */
#include "data/packed/unpack.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/slurp.h"
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* What is unpacked so far; one byte of the room is for the zero at the end. */
struct buffer {
    char *bytes;
    size_t size, room, most;
    const char *path;
    gpa_error *err;
};

enum { FIRST = 1 << 16 };

gpai_packing gpai_packing_of(const char *bytes, size_t size)
{
    if (size >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0)
        return GPAI_GZIP;
    if (size >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0)
        return GPAI_ZSTD;
    return GPAI_PLAIN;
}

size_t gpai_packing_name(const char *name)
{
    static const char *const ENDINGS[] = {".gz", ".zst", ".GZ", ".ZST"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        size_t n = strlen(ENDINGS[i]);
        if (length > n && strcmp(name + length - n, ENDINGS[i]) == 0)
            return length - n;
    }
    return length;
}

/* Room for more, twice what there is; never more than one byte beyond the most. */
static gpa_status more_room(struct buffer *b)
{
    size_t room = b->room <= b->most / 2 ? 2 * b->room : b->most + 2;
    if (b->size > b->most)
        return gpai_bad_file(b->err, b->path,
                             "unpacked it is larger than the limit of %zu bytes",
                             b->most);
    if (b->size + 1 < b->room)
        return GPA_OK;
    char *bytes = gpai_regrow(b->bytes, room, 1);
    if (bytes == NULL)
        return gpai_nomem(b->err, "unpack");
    b->bytes = bytes;
    b->room = room;
    return GPA_OK;
}

static gpa_status fail(const struct buffer *b, const char *what, const char *why)
{
    return gpai_bad_file(b->err, b->path, "the %s data %s", what, why);
}

static gpa_status spoilt(const struct buffer *b, const char *what, const char *why)
{
    return gpai_bad_file(b->err, b->path, "the %s data is spoilt: %s", what, why);
}

static const char CUT_OFF[] = "ends early: is the file cut off?";
static const char MORE[] = "has other bytes behind it";

/* One member of gzip; `z` stands behind it then. */
static gpa_status inflate_member(struct buffer *b, z_stream *z, const char *end)
{
    int done = Z_OK;
    while (done != Z_STREAM_END) {
        gpa_status st = more_room(b);
        if (st != GPA_OK)
            return st;
        size_t in = (size_t)(end - (const char *)z->next_in);
        size_t out = b->room - b->size - 1;
        z->avail_in = in < UINT_MAX ? (uInt)in : UINT_MAX;
        z->avail_out = out < UINT_MAX ? (uInt)out : UINT_MAX;
        uInt room = z->avail_out;
        z->next_out = (Bytef *)b->bytes + b->size;
        done = inflate(z, Z_NO_FLUSH);
        b->size += room - z->avail_out;
        if (done == Z_MEM_ERROR)
            return gpai_nomem(b->err, "unpack");
        if (done != Z_OK && done != Z_STREAM_END && done != Z_BUF_ERROR)
            return spoilt(b, "gzip", z->msg != NULL ? z->msg : "no gzip");
        if (done == Z_BUF_ERROR && (const char *)z->next_in == end)
            return fail(b, "gzip", CUT_OFF);
    }
    return GPA_OK;
}

static bool all_zero(const char *from, const char *end)
{
    while (from < end && *from == '\0')
        from++;
    return from == end;
}

static gpa_status unpack_gzip(struct buffer *b, const char *bytes, size_t size)
{
    enum { WINDOW = 15, AS_GZIP = 16 };
    z_stream z = {.next_in = (const Bytef *)bytes};
    const char *end = bytes + size;
    gpa_status st = GPA_OK;
    if (inflateInit2(&z, WINDOW + AS_GZIP) != Z_OK)
        return gpai_nomem(b->err, "unpack");
    for (;;) {
        st = inflate_member(b, &z, end);
        const char *at = (const char *)z.next_in;
        if (st != GPA_OK || all_zero(at, end)) /* tapes are filled up with zeros */
            break;
        if (gpai_packing_of(at, (size_t)(end - at)) != GPAI_GZIP) {
            st = fail(b, "gzip", MORE);
            break;
        }
        (void)inflateReset(&z);
    }
    (void)inflateEnd(&z);
    return st;
}

static gpa_status unpack_zstd(struct buffer *b, const char *bytes, size_t size)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {bytes, size, 0};
    gpa_status st = z != NULL ? GPA_OK : gpai_nomem(b->err, "unpack");
    for (size_t left = 1; st == GPA_OK && (in.pos < in.size || left > 0);) {
        st = more_room(b);
        if (st != GPA_OK)
            break;
        ZSTD_outBuffer out = {b->bytes, b->room - 1, b->size};
        left = ZSTD_decompressStream(z, &out, &in);
        bool stuck = out.pos == b->size && in.pos == in.size;
        b->size = out.pos;
        if (ZSTD_isError(left))
            st = spoilt(b, "zstd", ZSTD_getErrorName(left));
        else if (stuck && left > 0)
            st = fail(b, "zstd", CUT_OFF);
    }
    (void)ZSTD_freeDStream(z);
    return st;
}

gpa_status gpai_unpack(char **out, size_t *out_size, const char *bytes, size_t size,
                       const char *path, size_t max_bytes, gpa_error *err)
{
    struct buffer b = {.most = max_bytes < SIZE_MAX / 4 ? max_bytes : SIZE_MAX / 4,
                       .path = path,
                       .err = err};
    *out = NULL;
    b.room = FIRST < b.most ? FIRST : b.most + 2;
    b.bytes = gpai_calloc(b.room, 1);
    if (b.bytes == NULL)
        return gpai_nomem(err, "unpack");
    gpa_status st = gpai_packing_of(bytes, size) == GPAI_GZIP
                        ? unpack_gzip(&b, bytes, size)
                        : unpack_zstd(&b, bytes, size);
    if (st == GPA_OK) /* the last piece may have been the one too much */
        st = more_room(&b);
    if (st != GPA_OK) {
        gpai_free(b.bytes);
        return st;
    }
    b.bytes[b.size] = '\0';
    *out = b.bytes;
    *out_size = b.size;
    return GPA_OK;
}

gpa_status gpai_slurp_unpacked(char **bytes, size_t *size, const char *path,
                               size_t max_bytes, gpa_error *err)
{
    char *plain = NULL;
    gpa_status st = gpai_slurp(bytes, size, path, max_bytes, err);
    if (st != GPA_OK || gpai_packing_of(*bytes, *size) == GPAI_PLAIN)
        return st;
    st = gpai_unpack(&plain, size, *bytes, *size, path, max_bytes, err);
    gpai_free(*bytes);
    *bytes = plain;
    return st;
}
