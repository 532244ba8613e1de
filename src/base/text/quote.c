#include "base/text/quote.h"
#include "base/text/show.h"
#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void gpai_quote(char *out, size_t size, const char *text, size_t length)
{
    size_t used = 0, cut = 0; /* cut: where dots would still fit */
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    for (size_t i = 0, n; i < length; i += n) {
        unsigned long code = 0;
        n = gpai_utf8(text + i, length - i, &code);
        n = n > 0 ? n : 1;
        gpai_shown one = gpai_show(is_blank(text[i]) ? " " : text + i, n);
        size_t more = strlen(one.text);
        if (one.text[0] == ' ' && (used == 0 || out[used - 1] == ' '))
            more = 0; /* blanks in a row are one */
        if (used + 4 <= size)
            cut = used;
        if (used + more >= size) {
            memcpy(out + cut, "...", 3);
            used = cut + 3;
            break;
        }
        memcpy(out + used, one.text, more);
        used += more;
    }
    out[used] = '\0';
}

size_t gpai_last_line(const char **line, const char *text, size_t length)
{
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    size_t from = length;
    while (from > 0 && text[from - 1] != '\n')
        from--;
    *line = text + from;
    return length - from;
}
