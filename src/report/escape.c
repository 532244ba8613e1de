#include "report/escape.h"
#include "base/alloc.h"
#include "report/utf8.h"

void gpai_html_point(gpa_text *t, uint32_t c)
{
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'')
        gpai_text_printf(t, "&#%u;", (unsigned)c);
    else
        gpai_text_point(t, gpai_utf8_unsafe(c) ? 0xFFFD : c);
}

void gpai_html_text(gpa_text *t, const char *text)
{
    while (*text != '\0') {
        uint32_t c = gpai_utf8_next(&text);
        if (c == ' ' && *text == '%') /* a number and its % stay together */
            gpai_text_add(t, "&#160;");
        else
            gpai_html_point(t, c);
    }
}

void gpai_html_tail(gpa_text *t, size_t start)
{
    if (t->failed)
        return;
    char *copy = gpai_strndup(t->data + start, t->length - start);
    if (copy == NULL) {
        t->failed = true;
        return;
    }
    t->length = start;
    t->data[start] = '\0';
    gpai_html_text(t, copy);
    gpai_free(copy);
}
