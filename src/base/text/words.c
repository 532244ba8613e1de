#include "base/text/words.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gpai_word_real(const char *word, double *value)
{
    return gpai_number(word, strlen(word), value) == GPAI_NUMBER;
}

bool gpai_word_count(const char *word, uint64_t *value)
{
    if (*word == '\0' || word[strspn(word, "0123456789")] != '\0')
        return false;
    errno = 0;
    *value = strtoull(word, NULL, 10);
    return errno == 0;
}

void gpai_word_safe(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text != '\0') {
        const char *from = text;
        uint32_t point = gpai_utf8_next(&text);
        size_t length = (size_t)(text - from);
        bool bad = gpai_utf8_unsafe(point) || (point == 0xFFFD && length == 1);
        if (used + (bad ? 1 : length) + 1 > size)
            break;
        if (bad)
            out[used] = '?';
        else
            memcpy(out + used, from, length);
        used += bad ? 1 : length;
    }
    out[used] = '\0';
}
