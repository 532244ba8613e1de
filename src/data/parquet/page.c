#define ZLIB_CONST
#include "data/parquet/page.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/parquet/thrift.h"
#include <snappy-c.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum kind { DATA = 0, DICTIONARY = 2, DATA_V2 = 3 };
enum codec { PLAIN = 0, SNAPPY = 1, GZIP = 2, ZSTD = 6 };

struct header {
    int64_t kind, plain, packed; /* sizes, unpacked and as it is */
    bool has_crc, have;          /* the part that its kind needs */
    uint32_t crc;
    int64_t values, encoding, level_encoding, levels, repeats;
    bool is_packed;
};

bool gpai_parquet_codec(int codec, const char **name)
{
    static const char *const NAMES[] = {"no compression", "snappy", "gzip", "LZO",
                                        "Brotli",         "LZ4",    "zstd", "LZ4"};
    bool known = codec >= 0 && codec < (int)(sizeof NAMES / sizeof NAMES[0]);
    *name = known ? NAMES[codec] : "an unknown codec";
    return codec == PLAIN || codec == SNAPPY || codec == GZIP || codec == ZSTD;
}

gpa_status gpai_parquet_fail(const gpai_parquet_pages *p, const char *what)
{
    return gpai_fail(p->err, GPA_DATA, "%s: column \"%s\": %s", p->source, p->column,
                     what);
}

/* The part about a page of data or a dictionary; fields differ by version. */
static void read_part(gpai_thrift *r, struct header *h, int kind)
{
    gpai_thrift_field f = {0, 0};
    h->have = h->have || kind == h->kind;
    while (gpai_thrift_next(r, &f)) {
        int64_t *to = NULL;
        if (f.id == 1)
            to = &h->values;
        else if (f.id == (kind == DATA_V2 ? 4 : 2))
            to = &h->encoding;
        else if (kind == DATA && f.id == 3)
            to = &h->level_encoding;
        else if (kind == DATA_V2 && f.id == 5)
            to = &h->levels;
        else if (kind == DATA_V2 && f.id == 6)
            to = &h->repeats;
        if (to != NULL)
            *to = gpai_thrift_whole(r, &f);
        else if (kind == DATA_V2 && f.id == 7)
            h->is_packed = gpai_thrift_whole(r, &f) != 0;
        else
            gpai_thrift_skip(r, &f);
    }
}

static bool read_header(gpai_thrift *r, struct header *h)
{
    gpai_thrift_field f = {0, 0};
    *h = (struct header){.kind = -1, .is_packed = true, .level_encoding = PARQUET_RLE};
    while (gpai_thrift_next(r, &f)) {
        int kind = f.id == 5 ? DATA : f.id == 7 ? DICTIONARY : f.id == 8 ? DATA_V2 : -1;
        if (f.id == 1)
            h->kind = gpai_thrift_whole(r, &f);
        else if (f.id == 2)
            h->plain = gpai_thrift_whole(r, &f);
        else if (f.id == 3)
            h->packed = gpai_thrift_whole(r, &f);
        else if (f.id == 4) {
            h->has_crc = true;
            h->crc = (uint32_t)gpai_thrift_whole(r, &f);
        } else if (kind >= 0 && gpai_thrift_struct(r, &f))
            read_part(r, h, kind);
        else
            gpai_thrift_skip(r, &f);
    }
    bool ours = h->kind == DATA || h->kind == DATA_V2 || h->kind == DICTIONARY;
    return !r->bad && h->plain >= 0 && h->packed >= 0 && (h->have || !ours) &&
           h->values >= 0 && h->levels >= 0 && h->repeats >= 0 &&
           h->levels <= h->packed && h->repeats <= h->packed - h->levels &&
           h->levels + h->repeats <= h->plain && h->packed <= (int64_t)(r->end - r->at);
}

static bool inflate_all(const unsigned char *from, size_t size, unsigned char *to,
                        size_t room)
{
    enum { WINDOW = 15, ANY_HEADER = 32 };
    z_stream z = {.next_in = from, .avail_in = (uInt)size};
    if (inflateInit2(&z, WINDOW + ANY_HEADER) != Z_OK)
        return false;
    z.next_out = to;
    z.avail_out = (uInt)room;
    int done = inflate(&z, Z_FINISH);
    while (done == Z_STREAM_END && z.avail_in > 0 && z.avail_out > 0) {
        (void)inflateReset(&z); /* several members are one */
        done = inflate(&z, Z_FINISH);
    }
    (void)inflateEnd(&z);
    return done == Z_STREAM_END && z.avail_out == 0;
}

static bool unpack(int codec, const unsigned char *from, size_t size, unsigned char *to,
                   size_t room)
{
    size_t n = room;
    if (codec == SNAPPY)
        return snappy_uncompressed_length((const char *)from, size, &n) == SNAPPY_OK &&
               n == room &&
               snappy_uncompress((const char *)from, size, (char *)to, &n) ==
                   SNAPPY_OK &&
               n == room;
    if (codec == GZIP)
        return inflate_all(from, size, to, room);
    return ZSTD_decompress(to, room, from, size) == room;
}

/* The bytes of a page, unpacked where they are packed. Levels of version 2 stay as they
 * are; the others belong to the bytes. */
static gpa_status take_data(gpai_parquet_pages *p, const struct header *h,
                            gpai_parquet_page *page)
{
    size_t before = (size_t)(h->levels + h->repeats);
    size_t packed = (size_t)h->packed - before, plain = (size_t)h->plain - before;
    gpai_parquet_room *room = page->dictionary ? p->dictionary : p->data;
    page->data = p->at + before;
    page->size = packed;
    if (h->kind == DATA_V2) {
        page->levels = p->at + h->repeats;
        page->levels_size = (size_t)h->levels;
    }
    if (p->codec == PLAIN || !h->is_packed)
        return packed == plain ? GPA_OK
                               : gpai_parquet_fail(p, "a page is not of its size");
    if (plain > p->most)
        return gpai_fail(p->err, GPA_DATA, "%s: larger than the limit of %zu bytes",
                         p->source, p->most);
    if (plain > room->size) {
        gpai_free(room->bytes);
        room->size = 0;
        room->bytes = gpai_regrow(NULL, plain, 1);
        if (room->bytes == NULL)
            return gpai_nomem(p->err, "parquet");
        room->size = plain;
    }
    page->size = plain;
    if (plain == 0)
        return GPA_OK;
    page->data = room->bytes;
    if (!unpack(p->codec, p->at + before, packed, room->bytes, plain))
        return gpai_parquet_fail(p, "a page cannot be unpacked: it is spoilt");
    return GPA_OK;
}

static bool sound(const gpai_parquet_pages *p, const struct header *h)
{
    return !h->has_crc || crc32(0, p->at, (uInt)h->packed) == h->crc;
}

gpa_status gpai_parquet_page_next(gpai_parquet_pages *p, gpai_parquet_page *page,
                                  bool *none)
{
    gpa_status st = GPA_OK;
    struct header h = {.kind = -1};
    for (*none = false; p->at < p->end;) {
        gpai_thrift r = {p->at, p->end, false};
        if (!read_header(&r, &h) || h.packed > INT32_MAX || h.plain > INT32_MAX)
            return gpai_parquet_fail(p, "the header of a page is spoilt");
        p->at = r.at;
        if (!sound(p, &h))
            return gpai_parquet_fail(p, "a page is spoilt: its checksum is another");
        bool ours = h.kind == DATA || h.kind == DATA_V2 || h.kind == DICTIONARY;
        *page = (gpai_parquet_page){.dictionary = h.kind == DICTIONARY,
                                    .values = (uint64_t)h.values,
                                    .encoding = (int)h.encoding,
                                    .level_encoding = (int)h.level_encoding};
        if (ours)
            st = take_data(p, &h, page);
        p->at += h.packed;
        if (ours)
            return st;
    }
    *none = true;
    return GPA_OK;
}
