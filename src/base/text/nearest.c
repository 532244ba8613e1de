#include "base/text/nearest.h"
#include <stdint.h>
#include <string.h>

enum { LONGEST = 64 };

static bool same(char a, char b, bool any_case)
{
    bool letter = (a >= 'A' && a <= 'Z') || (a >= 'a' && a <= 'z');
    return a == b || (any_case && letter && (a ^ b) == ('a' ^ 'A'));
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t gpai_edits(const char *a, const char *b, bool any_case)
{
    size_t row[3][LONGEST + 1], n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3];
        const size_t *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = last[j - 1] + !same(a[i - 1], b[j - 1], any_case);
            now[j] = smaller(change, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2], any_case) &&
                same(a[i - 2], b[j - 1], any_case))
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *gpai_nearest(const char *word, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    size_t least = length < 4 ? 2 : 3; /* what is as far off is a guess, no help */
    for (size_t i = 0; i < n; i++) {
        size_t other = strlen(names[i]);
        if ((other > length ? other - length : length - other) >= least)
            continue; /* it takes as many edits at least */
        size_t far = gpai_edits(word, names[i], false);
        if (far < least) {
            least = far;
            nearest = names[i];
        }
    }
    return nearest;
}
