#include "base/text/utf8.h"
#include <string.h>

enum { REPLACEMENT = 0xFFFD, MAX_POINT = 0x10FFFF };

size_t gpai_utf8(const char *text, size_t length, uint32_t *point)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0)
        return 0;
    uint32_t c = (unsigned char)text[0];
    size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (n == 0 || c > 0xF4 || n > length)
        return 0;
    if (n > 1)
        c &= 0x7Fu >> n;
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | ((unsigned char)text[i] & 0x3F);
    }
    if (c < least[n] || c > MAX_POINT || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    *point = c;
    return n;
}

uint32_t gpai_utf8_next(const char **text)
{
    uint32_t point = REPLACEMENT;
    size_t n = gpai_utf8(*text, 4, &point); /* reads nothing behind a final zero */
    *text += n > 0 ? n : 1; /* so that the start of the next one is never lost */
    return point;
}

bool gpai_utf8_all(const char *text)
{
    size_t length = strlen(text), bytes = 1;
    uint32_t point;
    for (; length > 0 && bytes > 0; text += bytes, length -= bytes)
        bytes = gpai_utf8(text, length, &point);
    return bytes > 0;
}

size_t gpai_utf8_put(char out[4], uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    out[0] = (char)(n == 1 ? c : (0xF00u >> n & 0xFF) | c >> 6 * (n - 1));
    for (size_t i = 1; i < n; i++)
        out[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 0x3F));
    return n;
}

void gpai_text_point(gpa_text *t, uint32_t c)
{
    char bytes[4];
    gpai_text_bytes(t, bytes, gpai_utf8_put(bytes, c));
}

struct range {
    uint32_t first, last;
};

static bool within(uint32_t c, const struct range *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c >= r[i].first && c <= r[i].last)
            return true;
    return false;
}

bool gpai_utf8_unsafe(uint32_t point)
{
    static const struct range unsafe[] = {
        {0, 0x1F},        {0x7F, 0x9F},       /* C0, delete, C1 */
        {0xAD, 0xAD},     {0x61C, 0x61C},     /* soft hyphen, Arabic letter mark */
        {0x200B, 0x200F}, {0x2028, 0x202E},   /* zero width, line ends, bidi */
        {0x2060, 0x206F}, {0xFEFF, 0xFEFF},   /* joiners, isolates, byte order mark */
        {0xFFF0, 0xFFFB}, {0xE0000, 0xE0FFF}, /* interlinear, tags */
        {0xFFFE, 0xFFFF},                     /* no characters; XML forbids them */
    };
    return within(point, unsafe, sizeof unsafe / sizeof unsafe[0]);
}

/* A short wcwidth that does not ask the locale. */
size_t gpai_point_width(uint32_t c)
{
    static const struct range none[] = {
        {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
        {0x64B, 0x65F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
        {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
    static const struct range wide[] = {
        {0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
        {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
    if (within(c, none, sizeof none / sizeof none[0]))
        return 0;
    return within(c, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

size_t gpai_utf8_width(const char *text)
{
    size_t width = 0;
    while (*text != '\0')
        width += gpai_point_width(gpai_utf8_next(&text));
    return width;
}

/* What is really shown for a point. */
static uint32_t shown(uint32_t point, bool ascii)
{
    if (gpai_utf8_unsafe(point))
        point = REPLACEMENT;
    if (ascii && point == 0x2212) /* the minus sign of our own numbers */
        return '-';
    return ascii && point >= 0x80 ? '?' : point;
}

void gpai_text_visible(gpa_text *t, const char *text, size_t columns, bool ascii)
{
    size_t total = 0;
    for (const char *p = text; *p != '\0';)
        total += gpai_point_width(shown(gpai_utf8_next(&p), ascii));
    const char *dots = ascii ? "..." : "…";
    bool cut = columns > 0 && total > columns;
    size_t room = cut ? columns - (ascii ? 3 : 1) : total, used = 0;
    while (*text != '\0') {
        uint32_t point = shown(gpai_utf8_next(&text), ascii);
        used += gpai_point_width(point);
        if (used > room)
            break;
        gpai_text_point(t, point);
    }
    if (cut)
        gpai_text_add(t, dots);
}
