#define ZLIB_CONST
#include "console/pack.h"
#include "base/alloc.h"
#include "base/status.h"
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

enum { ROOM = 1 << 16 };

struct pack {
    z_stream gzip;
    bool is_gzip;
    ZSTD_CCtx *zstd; /* NULL: it is gzip */
    char room[ROOM];
};

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcasecmp(name + n - m, ending) == 0;
}

/* A name that promises what we do not do: nobody could read the file. */
static gpa_status refuse_others(const char *name, gpa_error *err)
{
    static const char *const OTHERS[] = {".xz", ".bz2", ".lz4", ".lzma",
                                         ".lz", ".zip", ".tgz", ".br",
                                         ".7z", ".Z",   ".sz",  ".rar"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (ends_with(name, OTHERS[i]))
            return gpai_fail(err, GPA_INVALID,
                             "%.300s: an output is compressed where its name ends in "
                             ".gz or .zst, not %s; any other ending leaves it as it is",
                             name, OTHERS[i]);
    return GPA_OK;
}

gpa_status pack_open(struct pack **out, const char *name, gpa_error *err)
{
    enum { WINDOW = 15, AS_GZIP = 16, MEMORY = 8, LEVEL = 9 };
    bool gzip = ends_with(name, ".gz"), zstd = ends_with(name, ".zst");
    *out = NULL;
    if (!gzip && !zstd)
        return refuse_others(name, err);
    struct pack *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return gpai_nomem(err, "pack");
    if (gzip)
        p->is_gzip = deflateInit2(&p->gzip, LEVEL, Z_DEFLATED, WINDOW + AS_GZIP, MEMORY,
                                  Z_DEFAULT_STRATEGY) == Z_OK;
    else
        p->zstd = ZSTD_createCCtx();
    if (!p->is_gzip && p->zstd == NULL) {
        gpai_free(p);
        return gpai_nomem(err, "pack");
    }
    if (zstd)
        (void)ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
    *out = p;
    return GPA_OK;
}

static gpa_status write_gzip(struct pack *p, const char *bytes, size_t n, bool end,
                             pack_fn put, void *to, gpa_error *err)
{
    gpa_status st = GPA_OK;
    int done = Z_OK;
    p->gzip.next_in = (const Bytef *)bytes;
    while (st == GPA_OK && (n > 0 || (end && done != Z_STREAM_END))) {
        uInt some = n < UINT_MAX ? (uInt)n : UINT_MAX;
        p->gzip.avail_in = some;
        p->gzip.next_out = (Bytef *)p->room;
        p->gzip.avail_out = ROOM;
        done = deflate(&p->gzip, end && n == some ? Z_FINISH : Z_NO_FLUSH);
        n -= some - p->gzip.avail_in;
        st = put(to, p->room, ROOM - p->gzip.avail_out, err);
    }
    return st;
}

static gpa_status write_zstd(struct pack *p, const char *bytes, size_t n, bool end,
                             pack_fn put, void *to, gpa_error *err)
{
    ZSTD_inBuffer in = {bytes, n, 0};
    gpa_status st = GPA_OK;
    for (size_t left = end; st == GPA_OK && (in.pos < in.size || (end && left > 0));) {
        ZSTD_outBuffer out = {p->room, ROOM, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in,
                                    end ? ZSTD_e_end : ZSTD_e_continue);
        st = ZSTD_isError(left) ? gpai_nomem(err, "pack")
                                : put(to, p->room, out.pos, err);
    }
    return st;
}

gpa_status pack_write(struct pack *p, const char *bytes, size_t n, bool end,
                      pack_fn put, void *to, gpa_error *err)
{
    return (p->is_gzip ? write_gzip : write_zstd)(p, bytes, n, end, put, to, err);
}

void pack_close(struct pack *p)
{
    if (p == NULL)
        return;
    if (p->is_gzip)
        (void)deflateEnd(&p->gzip);
    (void)ZSTD_freeCCtx(p->zstd);
    gpai_free(p);
}
