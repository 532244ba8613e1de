#include "base/alloc.h"
#include "base/text/escape.h"
#include "report/embedded.h"
#include "report/html/parts.h"
#include <gpa/data.h>
#include <gpa/version.h>
#include <math.h>
#include <string.h>

void gpai_page_open(gpa_text *t)
{
    gpai_text_add(
        t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<title>");
}

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

/* A content security policy that allows one style sheet and one script (NULL: none),
 * those with these very bytes, and nothing else: no network, no frames, no forms. */
static void policy(gpa_text *t, const char *style, const char *script)
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

/* The policy names the digest of the style that comes after it. */
void gpai_page_body(gpa_text *t, const char *extra, const char *script)
{
    gpai_text_add(t, "</title>\n");
    size_t start = t->length;
    gpai_text_printf(t, "%s\n%s\n%s", gpai_look_css, gpai_page_css, gpai_picture_css);
    if (extra != NULL)
        gpai_text_printf(t, "%s\n", extra);
    char *style = gpai_text_take(t, start);
    if (style == NULL)
        return;
    policy(t, style, script);
    gpai_text_printf(t, "<style>%s</style>\n</head>\n<body>\n<main>\n", style);
    gpai_free(style);
}

void gpai_page_close(gpa_text *t, const char *footnote, const char *script)
{
    gpai_html_in(t, "<footer>Made with gpa ", gpa_version(), ". ");
    gpai_html_text(t, footnote);
    gpai_text_add(t, "</footer>\n</main>\n");
    if (script != NULL) {
        gpai_text_add(t, "<script>");
        gpai_text_add(t, script);
        gpai_text_add(t, "</script>\n");
    }
    gpai_text_add(t, "</body>\n</html>\n");
}

void gpai_page_term(gpa_text *t, const char *name, const char *text)
{
    if (text == NULL)
        return;
    gpai_text_printf(t, "<dt>%s</dt><dd>", name);
    gpai_html_text(t, text);
    gpai_text_add(t, "</dd>\n");
}

void gpai_page_number(gpa_text *t, const char *name, double value)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(value))
        return;
    gpai_number_text(value, number);
    gpai_page_term(t, name, number);
}
