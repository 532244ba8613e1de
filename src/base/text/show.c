#include "base/text/show.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH_TEXT = 40, WIDTH_PATH = 120 };

size_t gpai_utf8(const char *text, size_t length, unsigned long *code)
{
    static const unsigned long least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0)
        return 0;
    unsigned long c = (unsigned char)text[0];
    size_t n = c < 0x80   ? 1
               : c < 0xc2 ? 0
               : c < 0xe0 ? 2
               : c < 0xf0 ? 3
               : c < 0xf5 ? 4
                          : 0;
    if (n == 0 || n > length)
        return 0;
    if (n > 1)
        c &= 0x7fUL >> n;
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | ((unsigned char)text[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *code = c;
    return n;
}

/* Characters that a terminal acts on or that hide: C0 and C1 controls, zero-width and
 * direction marks, line separators, the byte order mark. */
static bool unseen(unsigned long c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

/* One character as it is shown, with its width in columns; gives the bytes it took. */
static size_t piece(char out[16], size_t *width, const char *text, size_t length)
{
    unsigned long c = 0;
    size_t n = gpai_utf8(text, length, &c);
    if (n > 0 && !unseen(c)) {
        memcpy(out, text, n);
        out[n] = '\0';
        *width = 1;
        return n;
    }
    if (n == 0)
        snprintf(out, 16, "\\x%02x", (unsigned)(unsigned char)text[0]);
    else if (c == '\n' || c == '\t' || c == '\r')
        snprintf(out, 16, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
    else
        snprintf(out, 16, c < 0x80 ? "\\x%02lx" : "\\u%04lx", c);
    *width = strlen(out);
    return n > 0 ? n : 1;
}

/* Shows at most `limit` columns; says whether all of the text went in. */
static bool show(gpai_shown *s, size_t used, size_t limit, const char *text,
                 size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length;) {
        char out[16];
        size_t width = 0;
        i += piece(out, &width, text + i, length - i);
        size_t size = strlen(out);
        if (columns + width > limit || used + size >= sizeof s->text)
            return false;
        memcpy(s->text + used, out, size + 1);
        used += size;
        columns += width;
    }
    return true;
}

gpai_shown gpai_show(const char *text, size_t length)
{
    gpai_shown s = {""};
    if (!show(&s, 0, WIDTH_TEXT, text, length)) {
        s = (gpai_shown){""};
        (void)show(&s, 0, WIDTH_TEXT - 3, text, length);
        strcat(s.text, "...");
    }
    return s;
}

gpai_shown gpai_show_text(const char *text)
{
    return gpai_show(text, strlen(text));
}

gpai_shown gpai_show_path(const char *path)
{
    gpai_shown s = {""};
    if (strcmp(path, "-") == 0)
        path = "standard input";
    size_t length = strlen(path);
    if (show(&s, 0, WIDTH_PATH, path, length))
        return s;
    /* the end says most about a path: drop characters from the front until it fits */
    size_t from = length > WIDTH_PATH ? length - WIDTH_PATH : 0;
    do {
        s = (gpai_shown){"..."};
        while (((unsigned char)path[++from] & 0xc0) == 0x80)
            continue;
    } while (!show(&s, 3, WIDTH_PATH - 3, path + from, length - from));
    return s;
}
