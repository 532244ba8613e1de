#include "report/table/sheet.h"
#include "base/alloc.h"
#include "base/text/utf8.h"
#include <math.h>
#include <string.h>

void gpai_paint(gpa_text *t, const gpa_report_info *info, gpai_colour_code colour)
{
    static const char *const codes[] = {"\033[0m", "\033[91m", "\033[94m", "\033[2m",
                                        "\033[1m"};
    if (info->colour)
        gpai_text_add(t, codes[colour]);
}

size_t gpai_line_columns(const gpa_report_info *info, size_t usual)
{
    enum { NARROWEST = 40, WIDEST = 160 };
    size_t width = info->width > 0 ? info->width : usual;
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

size_t gpai_prose_columns(const gpa_report_info *info, size_t usual)
{
    enum { PROSE = 92 };
    size_t width = gpai_line_columns(info, usual);
    return width < PROSE ? width : PROSE;
}

void gpai_line_trim(gpa_text *t)
{
    while (t->length > 0 && t->data[t->length - 1] == ' ')
        gpai_text_cut(t, t->length - 1);
}

void gpai_line_end(gpa_text *t, const gpa_report_info *info)
{
    gpai_line_trim(t);
    gpai_paint(t, info, GPAI_PLAIN);
    gpai_text_add(t, "\n");
}

void gpai_line_pad(gpa_text *t, size_t start, size_t width, bool right)
{
    size_t has = t->failed ? width : gpai_utf8_width(t->data + start);
    size_t gap = has < width ? width - has : 0;
    gpai_text_repeat(t, " ", gap);
    if (!right || gap == 0 || t->failed)
        return;
    memmove(t->data + start + gap, t->data + start, t->length - start - gap);
    memset(t->data + start, ' ', gap);
}

void gpai_line_bar(gpa_text *t, double share, size_t full, bool left, bool ascii)
{
    share = share > 0 ? fmin(share, 1) : 0; /* 0: also what is not known */
    size_t halves = (size_t)floor(2 * (double)full * share + 0.5);
    size_t whole = ascii ? (halves + 1) / 2 : halves / 2;
    size_t half = ascii ? 0 : halves % 2;
    const char *block = ascii ? "#" : "█";
    gpai_text_repeat(t, " ", left ? full - whole - half : 0);
    gpai_text_repeat(t, "▐", left ? half : 0);
    gpai_text_repeat(t, block, whole);
    gpai_text_repeat(t, "▌", left ? 0 : half);
    gpai_text_repeat(t, " ", left ? 0 : full - whole - half);
}

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
