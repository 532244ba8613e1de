#include "base/text/utf8.h"

enum { REPLACEMENT = 0xFFFD, MAX_POINT = 0x10FFFF };

/* Length of the sequence that a first byte announces, its payload and the smallest
 * point it may stand for; 0 when no sequence starts so. */
static int announced(unsigned char c, uint32_t *point, uint32_t *least)
{
    if (c >= 0xC2 && c <= 0xDF) {
        *point = c & 0x1Fu;
        *least = 0x80;
        return 2;
    }
    if (c >= 0xE0 && c <= 0xEF) {
        *point = c & 0x0Fu;
        *least = 0x800;
        return 3;
    }
    if (c >= 0xF0 && c <= 0xF4) {
        *point = c & 0x07u;
        *least = 0x10000;
        return 4;
    }
    return 0;
}

uint32_t gpai_utf8_next(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    uint32_t point = *p, least = 0;
    *text += 1; /* a broken sequence costs one byte, so the next start is never lost */
    if (*p < 0x80)
        return point;
    int length = announced(*p, &point, &least);
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return REPLACEMENT;
        point = point << 6 | (p[i] & 0x3Fu);
    }
    bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (length == 0 || point < least || point > MAX_POINT || surrogate)
        return REPLACEMENT;
    *text += length - 1;
    return point;
}

void gpai_text_point(gpa_text *t, uint32_t c)
{
    char b[4];
    size_t n = 1;
    if (c < 0x80) {
        b[0] = (char)c;
    } else if (c < 0x800) {
        b[0] = (char)(0xC0 | c >> 6);
        n = 2;
    } else if (c < 0x10000) {
        b[0] = (char)(0xE0 | c >> 12);
        n = 3;
    } else {
        b[0] = (char)(0xF0 | c >> 18);
        n = 4;
    }
    for (size_t i = 1; i < n; i++)
        b[i] = (char)(0x80 | (c >> (6 * (n - 1 - i)) & 0x3F));
    gpai_text_bytes(t, b, n);
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
