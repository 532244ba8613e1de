#include "report/table/wrap.h"
#include "base/alloc.h"
#include "base/text/utf8.h"
#include <string.h>

/* Whether a word stays with the one before it: numbers, their % and sigma, and =. */
static bool clings(const char *word)
{
    static const char minus[] = "−";
    if (strncmp(word, minus, strlen(minus)) == 0)
        word += strlen(minus);
    else if (*word == '+' || *word == '-')
        word++;
    return (*word >= '0' && *word <= '9') || *word == '%' || *word == '=' ||
           strncmp(word, "sigma", 5) == 0;
}

/* The end of the longest beginning of `text` that fits, at a space; the end of the text
 * where all of it fits or it has no space to break at. */
static const char *line_end(const char *text, size_t columns)
{
    const char *space = NULL, *p = text + strspn(text, " ");
    size_t used = (size_t)(p - text);
    while (*p != '\0') {
        const char *at = p;
        uint32_t c = gpai_utf8_next(&p);
        if (c == ' ' && at[-1] != ' ' && !clings(p))
            space = at;
        used += gpai_point_width(c);
        if (used > columns && space != NULL)
            return space;
    }
    return p;
}

void gpai_text_wrap(gpa_text *t, size_t start, size_t columns, size_t indent)
{
    char *copy = gpai_text_take(t, start);
    const char *line = copy;
    for (size_t room = columns; line != NULL && *line != '\0';
         room = columns > indent ? columns - indent : 1) {
        const char *end = line_end(line, room);
        gpai_text_bytes(t, line, (size_t)(end - line));
        line = end + strspn(end, " ");
        if (*line != '\0') {
            gpai_text_add(t, "\n");
            gpai_text_repeat(t, " ", indent);
        }
    }
    gpai_free(copy);
}
