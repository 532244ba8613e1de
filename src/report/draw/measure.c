#include "base/text/utf8.h"
#include "report/draw/draw.h"
#include <string.h>

/* Advance widths by groups of characters; each is the largest of its group. */
static double ascii_width(char c)
{
    static const struct {
        const char *characters;
        double width;
    } groups[] = {
        {" '|.,:;/\\ijlI", 0.35},   {"()[]!\"-frtJ", 0.47}, {"M#+<=>^~w", 0.87},
        {"ABCDGHKNOQRUVXZ&", 0.79}, {"@%mW", 1.0},
    };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strchr(groups[i].characters, c) != NULL)
            return groups[i].width;
    return 0.64;
}

double gpai_measure_point(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        double width;
    } ranges[] = {
        {0x1C4, 0x1CC, 1.6},   {0x1F1, 0x1F3, 1.6},   {0xA0, 0xA0, 0.35},
        {0xA1, 0x3FF, 0.95},   {0x400, 0x52F, 1.15},  {0x530, 0x6FF, 1.05},
        {0x2009, 0x200A, 0.3}, {0x2070, 0x209F, 0.5}, {0x2100, 0x23FF, 1.1},
        {0xFDF0, 0xFDFF, 12},  {0x12000, 0x1254F, 4}, {0x1F000, 0x1FAFF, 1.45},
    };
    if (c < 0x80 && c >= ' ')
        return ascii_width((char)c);
    if (gpai_point_width(c) == 0) /* marks on the letter before */
        return 0;
    if (!gpai_utf8_unsafe(c))
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            if (c >= ranges[i].first && c <= ranges[i].last)
                return ranges[i].width;
    return 1.2;
}

double gpai_measure(const char *text, size_t length)
{
    double sum = 0;
    for (const char *p = text; p < text + length;)
        sum += gpai_measure_point(gpai_utf8_next(&p));
    return sum;
}

size_t gpai_measure_fit(const char *text, size_t length, double room)
{
    const double ellipsis = 1;
    double sum = 0;
    size_t kept = 0;
    for (const char *p = text; p < text + length;) {
        sum += gpai_measure_point(gpai_utf8_next(&p));
        if (sum > room)
            return kept;
        if (sum + ellipsis <= room)
            kept = (size_t)(p - text);
    }
    return length;
}

size_t gpai_measure_line(const char *text, double room)
{
    double sum = 0;
    size_t blank = 0;
    for (const char *p = text; *p != '\0';) {
        size_t at = (size_t)(p - text);
        uint32_t c = gpai_utf8_next(&p);
        if (c == ' ')
            blank = at;
        sum += gpai_measure_point(c);
        if (sum > room)
            return blank > 0 ? blank : at > 0 ? at : (size_t)(p - text);
    }
    return strlen(text);
}
