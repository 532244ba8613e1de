#include "lab/write.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char DIGITS[] = "0123456789";

bool word_real(const char *word, double *value)
{
    const char *p = word + (*word == '-' || *word == '+');
    size_t whole = strspn(p, DIGITS), part = 0;
    p += whole;
    if (*p == '.') {
        part = strspn(p + 1, DIGITS);
        p += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '-' || p[1] == '+');
        size_t exponent = strspn(p, DIGITS);
        p += exponent;
        if (exponent == 0)
            return false;
    }
    if (*p != '\0')
        return false;
    *value = strtod(word, NULL); /* this program never leaves the "C" locale */
    return isfinite(*value);
}

bool word_count(const char *word, uint64_t *value)
{
    if (*word == '\0' || word[strspn(word, DIGITS)] != '\0')
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

const char *word_nearest(const char *word, const char *const *names, size_t n)
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

size_t word_utf8(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t length = *p < 0x80                  ? 1
                    : *p >= 0xC2 && *p <= 0xDF ? 2
                    : *p >= 0xE0 && *p <= 0xEF ? 3
                    : *p >= 0xF0 && *p <= 0xF4 ? 4
                                               : 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (*p == 0xE0 && p[1] < 0xA0) || (*p == 0xF0 && p[1] < 0x90);
    bool beyond = (*p == 0xED && p[1] > 0x9F) || (*p == 0xF4 && p[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

/* C0, delete, C1, line ends and the marks that turn the direction of writing. */
static bool steers(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    if (length == 1)
        return *p < 0x20 || *p == 0x7F;
    if (length == 2)
        return *p == 0xC2 && p[1] < 0xA0;
    return length == 3 && *p == 0xE2 &&
           ((p[1] == 0x80 && p[2] >= 0x8B && p[2] <= 0xAE) ||
            (p[1] == 0x81 && p[2] >= 0xA0 && p[2] <= 0xAF));
}

void word_safe(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text != '\0') {
        size_t length = word_utf8(text);
        bool bad = length == 0 || steers(text, length);
        if (used + (bad ? 1 : length) + 1 > size)
            break;
        if (bad)
            out[used++] = '?';
        else
            memcpy(out + used, text, length);
        used += bad ? 0 : length;
        text += length == 0 ? 1 : length;
    }
    out[used] = '\0';
}

void word_plain(FILE *f, const char *text)
{
    char safe[241];
    size_t used = 0;
    word_safe(safe, sizeof safe, text);
    for (size_t n = 0; n < 60 && safe[used] != '\0'; n++) {
        size_t length = word_utf8(safe + used);
        used += length > 0 ? length : 1;
    }
    fprintf(f, "%.*s%s", (int)used, safe, safe[used] != '\0' ? "..." : "");
}

void word_json(FILE *f, const char *text)
{
    fputc('"', f);
    while (*text != '\0') {
        size_t length = word_utf8(text);
        if (length == 0)
            fputs("\\ufffd", f);
        else if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            fprintf(f, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, length, f);
        text += length == 0 ? 1 : length;
    }
    fputc('"', f);
}

void word_json_real(FILE *f, double value)
{
    char number[32] = "null";
    for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    fputs(number, f);
}

gpa_status fail(gpa_error *err, gpa_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

void *room(size_t n, size_t size)
{
    return calloc(n > 0 ? n : 1, size);
}
