#include "base/alloc.h"
#include "data/packed/unpack.h"
#include "fuzz.h"
#include <zlib.h>
#include <zstd.h>

/* gzip and zstd around a table. The first byte says what the rest is: packed bytes, or
 * text that is packed here, in one piece or two. */

enum { MOST = 1 << 20 };

static size_t pack(bool gzip, const char *from, size_t size, char *to, size_t room)
{
    if (!gzip) {
        size_t n = ZSTD_compress(to, room, from, size, 1);
        MUST(!ZSTD_isError(n));
        return n;
    }
    z_stream z = {.avail_in = (uInt)size, .avail_out = (uInt)room};
    z.next_in = (Bytef *)(uintptr_t)from;
    z.next_out = (Bytef *)to;
    MUST(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    MUST(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t n = (size_t)z.total_out;
    MUST(deflateEnd(&z) == Z_OK);
    return n;
}

/* What is packed here comes out again, but not beyond a limit; what is behind it, or
 * missing at its end, is seen. */
static void check_text(const char *text, size_t size, bool gzip, bool twice)
{
    size_t room = 2 * (size + 1024), half = twice ? size / 2 : size, got = 0;
    char *packed = malloc(room), *out = NULL;
    gpa_error err = {0};
    MUST(packed != NULL);
    size_t n = pack(gzip, text, half, packed, room);
    if (twice)
        n += pack(gzip, text + half, size - half, packed + n, room - n);
    MUST(gpai_packing_of(packed, n) == (gzip ? GPAI_GZIP : GPAI_ZSTD));
    MUST(gpai_unpack(&out, &got, packed, n, "a.csv", MOST, &err) == GPA_OK);
    MUST(got == size && memcmp(out, text, size) == 0 && out[size] == '\0');
    gpai_free(out);
    out = NULL;
    if (size > 0)
        MUST(gpai_unpack(&out, &got, packed, n, "a", size - 1, NULL) == GPA_DATA);
    MUST(gpai_unpack(&out, &got, packed, n - 1, "a", MOST, NULL) == GPA_DATA);
    free(packed);
}

/* The table of packed bytes is that of what is in them, or refused in the same words
 * but for the name. */
static void check_table_of(const char *bytes, size_t size)
{
    gpa_table_options opt;
    gpa_table *t = NULL, *plain = NULL;
    gpa_error err = {0};
    char *out = NULL;
    size_t n = 0;
    gpa_table_options_init(&opt);
    opt.max_bytes = MOST;
    gpa_status st = gpa_table_parse(&t, bytes, size, "a.csv", &opt, &err);
    bool packed = gpai_packing_of(bytes, size) != GPAI_PLAIN;
    if (packed && gpai_unpack(&out, &n, bytes, size, "a.csv", MOST, NULL) == GPA_OK &&
        gpai_packing_of(out, n) == GPAI_PLAIN) {
        gpa_status same = gpa_table_parse(&plain, out, n, "a.csv", &opt, NULL);
        MUST(same == st);
        MUST(gpa_table_rows(t) == gpa_table_rows(plain));
        MUST(gpa_table_columns(t) == gpa_table_columns(plain));
    }
    gpa_table_free(plain);
    gpai_free(out);
    check_table(st, t, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = copy_of(data + 1, size - 1);
    if (data[0] < 128)
        check_table_of(text, size - 1);
    else
        check_text(text, size - 1, data[0] & 1, data[0] & 2);
    free(text);
    return 0;
}
