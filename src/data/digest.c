#include <gpa/data.h>
#include <nettle/sha2.h>
#include <string.h>

void gpa_digest(const void *bytes, size_t size, char *out)
{
    static const char hex[] = "0123456789abcdef";
    struct sha256_ctx context;
    uint8_t sum[SHA256_DIGEST_SIZE];
    if (out == NULL)
        return;
    sha256_init(&context);
    if (bytes != NULL)
        sha256_update(&context, size, bytes);
    sha256_digest(&context, sizeof sum, sum);
    memcpy(out, "sha256:", 7);
    for (size_t i = 0; i < sizeof sum; i++) {
        out[7 + 2 * i] = hex[sum[i] >> 4];
        out[8 + 2 * i] = hex[sum[i] & 15];
    }
    out[7 + 2 * sizeof sum] = '\0';
}
