#include "base/alloc.h"
#include "base/status.h"
#include "data/slurp.h"
#include <gpa/data.h>
#include <nettle/sha2.h>
#include <string.h>

/* Digests of bytes, in memory or in a file. */

void gpai_digest_end(struct sha256_ctx *context, char *out)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t sum[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof sum, sum);
    memcpy(out, "sha256:", 7);
    for (size_t i = 0; i < sizeof sum; i++) {
        out[7 + 2 * i] = hex[sum[i] >> 4];
        out[8 + 2 * i] = hex[sum[i] & 15];
    }
    out[7 + 2 * sizeof sum] = '\0';
}

void gpa_digest(const void *bytes, size_t size, char *out)
{
    struct sha256_ctx context;
    if (out == NULL)
        return;
    sha256_init(&context);
    if (bytes != NULL)
        sha256_update(&context, size, bytes);
    gpai_digest_end(&context, out);
}

gpa_status gpai_file_digest(const gpai_file *f, char *out, gpa_error *err)
{
    enum { PIECE = 1 << 18 };
    struct sha256_ctx context;
    gpa_status st = GPA_OK;
    uint8_t *piece = gpai_regrow(NULL, PIECE, 1);
    if (piece == NULL)
        return gpai_nomem(err, "digest");
    sha256_init(&context);
    for (size_t at = 0; at < f->size && st == GPA_OK; at += PIECE) {
        size_t n = f->size - at < PIECE ? f->size - at : PIECE;
        st = gpai_file_get(f, at, n, piece, err);
        sha256_update(&context, n, piece);
    }
    gpai_digest_end(&context, out);
    gpai_free(piece);
    return st;
}
