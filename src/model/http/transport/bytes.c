#include "model/http/transport/bytes.h"
#include "base/alloc.h"
#include "base/text/utf8.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void gpai_bytes_clear(gpai_bytes *b)
{
    b->size = 0;
    b->failed = false;
}

void gpai_bytes_free(gpai_bytes *b)
{
    gpai_free(b->at);
    *b = (gpai_bytes){NULL, 0, 0, false};
}

char *gpai_bytes_room(gpai_bytes *b, size_t n)
{
    if (b->failed)
        return NULL;
    b->failed = b->size + n < n || !gpai_grow(&b->at, &b->room, b->size + n, 1);
    if (b->failed)
        return NULL;
    return b->at + b->size;
}

void gpai_bytes_add(gpai_bytes *b, const char *bytes, size_t n)
{
    char *to = gpai_bytes_room(b, n);
    if (to == NULL || n == 0)
        return;
    memcpy(to, bytes, n);
    b->size += n;
}

void gpai_bytes_text(gpai_bytes *b, const char *text)
{
    gpai_bytes_add(b, text, strlen(text));
}

void gpai_bytes_count(gpai_bytes *b, size_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", n);
    gpai_bytes_text(b, text);
}

void gpai_bytes_quote(gpai_bytes *b, const char *text)
{
    gpai_bytes_text(b, "\"");
    for (size_t left = strlen(text), n; left > 0; text += n, left -= n) {
        uint32_t code = 0;
        char escape[8];
        n = gpai_utf8(text, left, &code);
        if (n == 0) { /* JSON is UTF-8 throughout */
            n = 1;
            code = 0xfffd;
        }
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(code & 0xffff));
        if (code < 0x20 || code == '"' || code == '\\' || code == 0xfffd)
            gpai_bytes_text(b, escape);
        else
            gpai_bytes_add(b, text, n);
    }
    gpai_bytes_text(b, "\"");
}
