#include "base/text/show.h"
#include "base/text/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH_TEXT = 40, WIDTH_PATH = 120 };

/* One character as it is shown, with its width in columns; gives the bytes it took. */
static size_t piece(char out[16], size_t *width, const char *text, size_t length)
{
    uint32_t c = 0;
    size_t n = gpai_utf8(text, length, &c);
    if (n > 0 && !gpai_utf8_unsafe(c)) {
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
        snprintf(out, 16, c < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)c);
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

gpa_status gpai_fail_file(gpa_error *err, gpa_status status, const char *path,
                          const char *format, ...)
{
    if (err != NULL) {
        int used = snprintf(err->message, sizeof err->message,
                            "%s: ", gpai_show_path(path).text);
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->message + used, sizeof err->message - (size_t)used, format,
                  args);
        va_end(args);
    }
    return status;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t without_last_blanks(const char *text, size_t length)
{
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    return length;
}

void gpai_show_line(char *out, size_t size, const char *text, size_t length)
{
    size_t used = 0, cut = 0; /* cut: where dots would still fit */
    length = without_last_blanks(text, length);
    for (size_t i = 0; i < length;) {
        char one[16];
        size_t width = 0;
        i += piece(one, &width, is_blank(text[i]) ? " " : text + i, length - i);
        size_t more = strlen(one);
        if (one[0] == ' ' && (used == 0 || out[used - 1] == ' '))
            more = 0; /* blanks in a row are one */
        if (used + 4 <= size)
            cut = used;
        if (used + more >= size) {
            memcpy(out + cut, "...", 3);
            used = cut + 3;
            break;
        }
        memcpy(out + used, one, more);
        used += more;
    }
    out[used] = '\0';
}

size_t gpai_last_line(const char **line, const char *text, size_t length)
{
    size_t from = length = without_last_blanks(text, length);
    while (from > 0 && text[from - 1] != '\n')
        from--;
    *line = text + from;
    return length - from;
}
