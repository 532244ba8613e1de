#include "report/html/policy.h"
#include <gpa/data.h>
#include <string.h>

static unsigned hex(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* "sha256-" and the digest in base64, as browsers want it. */
static void source(gpa_text *t, const char *text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char digest[GPA_DIGEST_SIZE], out[4];
    unsigned char b[33] = {0}; /* 32 bytes and one of 0: eleven groups of three */
    gpa_digest(text, strlen(text), digest);
    const char *digits = strchr(digest, ':') + 1;
    for (size_t i = 0; i < 32; i++)
        b[i] = (unsigned char)(hex(digits[2 * i]) << 4 | hex(digits[2 * i + 1]));
    gpai_text_add(t, "'sha256-");
    for (size_t i = 0; i < 33; i += 3) {
        out[0] = letters[b[i] >> 2];
        out[1] = letters[(b[i] & 3) << 4 | b[i + 1] >> 4];
        out[2] = letters[(b[i + 1] & 15) << 2 | b[i + 2] >> 6];
        out[3] = letters[b[i + 2] & 63];
        gpai_text_bytes(t, out, i < 30 ? 4 : 3);
    }
    gpai_text_add(t, "='");
}

void gpai_html_policy(gpa_text *t, const char *style, const char *script)
{
    gpai_text_add(t, "<meta http-equiv=\"Content-Security-Policy\" "
                     "content=\"default-src 'none'; style-src ");
    source(t, style);
    if (script != NULL) {
        gpai_text_add(t, "; script-src ");
        source(t, script);
    }
    gpai_text_add(t, "; base-uri 'none'; form-action 'none'\">\n");
}
