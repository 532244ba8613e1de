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

enum { LONGEST = 32 };

/* Letters to insert, drop or change, swapping neighbours counted once. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t d[LONGEST + 1][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *gpai_word_nearest(const char *word, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t least =
        strlen(word) < 4 ? 2 : 3; /* as far off as that is a guess, no help */
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(word, names[i]);
        if (d < least) {
            least = d;
            nearest = names[i];
        }
    }
    return nearest;
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
