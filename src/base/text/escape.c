#include "base/text/escape.h"
#include "base/alloc.h"
#include "base/text/utf8.h"

void gpai_html_point(gpa_text *t, uint32_t c)
{
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'')
        gpai_text_printf(t, "&#%u;", (unsigned)c);
    else
        gpai_text_point(t, gpai_utf8_unsafe(c) ? 0xFFFD : c);
}

/* Letters written from right to left, by their blocks. */
static bool leftwards(uint32_t c)
{
    return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
           (c >= 0xFE70 && c <= 0xFEFC) || (c >= 0x10800 && c <= 0x10FFF) ||
           (c >= 0x1E800 && c <= 0x1EFFF);
}

/* Whether a letter that is written from right to left comes before any other letter or
 * digit. */
static bool goes_on(const char *text)
{
    while (*text != '\0') {
        uint32_t c = gpai_utf8_next(&text);
        if (leftwards(c))
            return true;
        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
            (c >= 'a' && c <= 'z') || (c >= 0xC0 && c < 0x590) || c >= 0x900)
            return false;
    }
    return false;
}

/* Behind a name that is written from right to left a mark says that the sentence goes
 * on to the right; else the numbers that follow would stand on its other side. */
void gpai_html_text(gpa_text *t, const char *text)
{
    bool back = false, between = false; /* two such words: looked ahead already */
    while (*text != '\0') {
        const char *at = text;
        uint32_t c = gpai_utf8_next(&text);
        if (leftwards(c)) {
            back = true;
            between = false;
        } else if (back && !between) {
            between = goes_on(at);
            back = between;
            gpai_text_add(t, between ? "" : "&#8206;");
        }
        if (c == ' ' && *text == '%') /* a number and its % stay together */
            gpai_text_add(t, "&#160;");
        else
            gpai_html_point(t, c);
    }
}

void gpai_html_in(gpa_text *t, const char *open, const char *text, const char *close)
{
    gpai_text_add(t, open);
    gpai_html_text(t, text);
    gpai_text_add(t, close);
}

void gpai_html_tail(gpa_text *t, size_t start)
{
    char *copy = gpai_text_take(t, start);
    if (copy != NULL)
        gpai_html_text(t, copy);
    gpai_free(copy);
}

void gpai_html_short(gpa_text *t, const char *text, size_t columns)
{
    size_t start = t->length;
    gpai_text_visible(t, text, columns, false);
    gpai_html_tail(t, start);
}
