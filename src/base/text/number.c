#include "base/text/number.h"
#include "base/text/powers_of_5.h"
#include "base/text/shortest.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits that can decide the rounding of a double: the longest halfway case has 767.
 * What comes after them can only break a tie, and one more digit stands for all of it.
 */
enum { DIGITS = 800 };

/* Exponents beyond this are the same as it: no cell is long enough to bring them back.
 */
static const int64_t FAR = INT64_C(1000000000000000);

/* A number as written: the digits of `text` from the first that is not 0, times 10^exp.
 */
struct decimal {
    bool negative;
    uint64_t head;     /* the digits as an integer when there are at most 19 */
    size_t digits;     /* how many, from the first that is not 0 */
    const char *first; /* where they start; the point may be among them */
    int64_t exp;       /* exponent of the last digit */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *read_digits(struct decimal *d, const char *p, const char *end)
{
    for (; p < end && is_digit(*p); p++) {
        if (d->digits == 0 && *p == '0')
            continue;
        if (d->digits++ == 0)
            d->first = p;
        if (d->digits <= 19)
            d->head = 10 * d->head + (uint64_t)(*p - '0');
    }
    return p;
}

/* Reads "e-12"; NULL when there are no digits. */
static const char *read_exponent(int64_t *exp, const char *p, const char *end)
{
    bool negative = p < end && *p == '-';
    int64_t e = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return NULL;
    for (; p < end && is_digit(*p); p++)
        e = e < FAR ? 10 * e + (*p - '0') : FAR;
    *exp += negative ? -e : e;
    return p;
}

static bool read_decimal(struct decimal *d, const char *p, const char *end)
{
    *d = (struct decimal){.negative = p < end && *p == '-', .first = p};
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    const char *start = p, *point;
    size_t seen;
    p = read_digits(d, p, end);
    seen = (size_t)(p - start);
    if (p < end && *p == '.') {
        point = ++p;
        p = read_digits(d, p, end);
        d->exp = -(int64_t)(p - point);
        seen += (size_t)(p - point);
    }
    if (seen > 0 && p < end && (*p == 'e' || *p == 'E'))
        p = read_exponent(&d->exp, p + 1, end);
    return seen > 0 && p == end;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* (q + something in [0, 1), above 0 when sticky) times 2^e, rounded half to even. q has
 * at least 64 bits' worth of value or is exact; the result is never subnormal here. */
static double round_wide(wide q, int e, bool sticky)
{
    uint64_t high = (uint64_t)(q >> 64), low = (uint64_t)q;
    int length = high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
    int drop = length - 53;
    if (drop <= 0)
        return ldexp((double)low, e);
    wide half = (wide)1 << (drop - 1), rest = q & ((half << 1) - 1);
    uint64_t kept = (uint64_t)(q >> drop);
    if (rest > half || (rest == half && (sticky || (kept & 1) != 0)))
        kept++;
    return ldexp((double)kept, e + drop);
}

/* 2^e of a double that is not subnormal. */
static double power_of_2(int e)
{
    uint64_t bits = (uint64_t)(1023 + e) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* head / 10^k by a product with 1 / 5^k, of which 64 bits are known: too large by less
 * than one of the lowest of 64, so that one case in a thousand cannot be decided. */
static bool divide_quickly(uint64_t head, int k, double *value)
{
    enum { KEPT = 53 };
    int shift = __builtin_clzll(head);
    wide product = (wide)(head << shift) * OVER_POWER_OF_5[k];
    uint64_t high = (uint64_t)(product >> 64);
    int e = 64 - shift - 63 - (64 - __builtin_clzll(POWER_OF_5[k])) - k;
    int drop = (high >> 63 != 0 ? 64 : 63) - KEPT;
    uint64_t half = UINT64_C(1) << (drop - 1), rest = high & (2 * half - 1);
    if (rest == half)
        return false;
    *value = (double)((high >> drop) + (rest > half)) * power_of_2(e + drop);
    return true;
}

/* head * 10^exp in exact integers: 10 = 2 * 5, the twos go to the binary exponent. */
static bool convert_exactly(const struct decimal *d, double *value)
{
    if (d->digits > 19 || d->exp > FIVES || d->exp < -FIVES)
        return false;
    int e = (int)d->exp;
    if (e >= 0) {
        *value = round_wide((wide)d->head * POWER_OF_5[e], e, false);
    } else if (!divide_quickly(d->head, -e, value)) {
        int shift = 64 + __builtin_clzll(d->head); /* the quotient keeps 64 bits */
        wide n = (wide)d->head << shift;
        uint64_t by = POWER_OF_5[-e];
        wide q = n / by;
        *value = round_wide(q, e - shift, q * by != n);
    }
    return true;
}
#else
static bool convert_exactly(const struct decimal *d, double *value)
{
    (void)d;
    (void)value;
    return false;
}
#endif

/* The same by strtod, which is given no point that another locale would misread. */
static double convert_by_library(const struct decimal *d)
{
    char text[DIGITS + 32];
    size_t n = 0, seen = 0;
    bool more = false; /* a digit other than 0 beyond the ones kept */
    for (const char *p = d->first; seen < d->digits; p++) {
        if (*p == '.')
            continue;
        seen++;
        if (n < DIGITS)
            text[n++] = *p;
        else
            more = more || *p != '0';
    }
    int64_t exp = d->exp + (int64_t)(seen - n);
    if (more) {
        text[n++] = '1';
        exp--;
    }
    snprintf(text + n, sizeof text - n, "e%lld", (long long)exp);
    int saved = errno;
    double value = strtod(text, NULL);
    errno = saved;
    return value;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Eight digits at once, where there are. */
static inline bool read_eight(const char *p, const char *end, uint64_t *head)
{
    static const uint64_t ZEROS = UINT64_C(0x3030303030303030),
                          HIGH = UINT64_C(0xf0f0f0f0f0f0f0f0),
                          SIX = UINT64_C(0x0606060606060606);
    uint64_t v;
    if (end - p < 8)
        return false;
    memcpy(&v, p, sizeof v);
    if ((v & HIGH) != ZEROS || ((v + SIX) & HIGH) != ZEROS)
        return false;
    v -= ZEROS; /* pairs, fours, all: each is ten, a hundred, ten thousand times */
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    v = (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
    *head = *head * 100000000 + v;
    return true;
}
#else
static inline bool read_eight(const char *p, const char *end, uint64_t *head)
{
    (void)p, (void)end, (void)head;
    return false;
}
#endif

/* All digits from p on, into a head that may overflow: their number says so. */
static inline const char *read_run(const char *p, const char *end, uint64_t *head,
                                   bool is_long)
{
    while (is_long && read_eight(p, end, head))
        p += 8;
    for (; p < end && is_digit(*p); p++)
        *head = 10 * *head + (uint64_t)(*p - '0');
    return p;
}

const char *gpai_number_at(const char *text, const char *end, double *value)
{
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    bool negative = text < end && *text == '-';
    const char *start = text + negative, *p = start;
    struct decimal d = {.head = 0};
    p = read_run(p, end, &d.head, false);
    size_t digits = (size_t)(p - start);
    if (p < end && *p == '.') {
        const char *point = ++p;
        p = read_run(p, end, &d.head, true);
        d.exp = -(int64_t)(p - point);
        digits += (size_t)(p - point);
    }
    if (digits == 0 || digits > 19 || (p < end && (*p == 'e' || *p == 'E')))
        return NULL;
    double v = 0;
    if (d.head <= UINT64_C(1) << 53) /* both exact, so that the ratio is rounded once */
        v = (double)d.head / TENS[-d.exp];
    else if (!convert_exactly(&d, &v))
        return NULL;
    *value = negative ? -v : v;
    return p;
}

gpai_number_kind gpai_number(const char *text, size_t length, double *value)
{
    struct decimal d;
    double v = 0;
    if (gpai_number_at(text, text + length, &v) == text + length && length > 0) {
        *value = v;
        return GPAI_NUMBER;
    }
    if (!read_decimal(&d, text, text + length))
        return GPAI_NUMBER_NOT;
    int64_t magnitude = d.exp + (int64_t)d.digits; /* below 10^magnitude */
    if (d.digits > 0 && magnitude > 400)
        return GPAI_NUMBER_RANGE;
    if (d.digits > 0 && magnitude > -400 && !convert_exactly(&d, &v))
        v = convert_by_library(&d);
    if (isinf(v))
        return GPAI_NUMBER_RANGE;
    *value = d.negative ? -v : v;
    return GPAI_NUMBER;
}

bool gpai_missing(const char *text, size_t length)
{
    static const char *const words[] = {"NA",   "N/A",  "n/a",  "#N/A", "<NA>",
                                        "NaN",  "nan",  "-nan", "NaT",  "null",
                                        "NULL", "None", "?"};
    if (length == 0)
        return true;
    if (length > 4)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}

/* Whatever the locale put between the digits, perhaps of many bytes, becomes a point.
 */
static void make_point(char *number)
{
    char *to = number;
    bool foreign = false;
    for (const char *p = number; *p != '\0'; p++) {
        bool known = strchr("0123456789+-eEinfaINFA", *p) != NULL;
        if (known)
            *to++ = *p;
        else if (!foreign)
            *to++ = '.';
        foreign = !known;
    }
    *to = '\0';
}

void gpai_number_text(double value, char out[GPAI_NUMBER_ROOM])
{
    if (!isfinite(value)) {
        strcpy(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    if (gpai_digits_text(value, 15, 17, out) > 0)
        return;
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0;
        snprintf(out, GPAI_NUMBER_ROOM, "%.*g", digits, value);
        make_point(out);
        if (gpai_number(out, strlen(out), &back) == GPAI_NUMBER && back == value)
            return;
    }
}

size_t gpai_real_digits(char *out, double v, int digits)
{
    size_t length = digits <= 17 ? gpai_digits_text(v, digits, digits, out) : 0;
    if (length > 0)
        return length;
    snprintf(out, GPAI_REAL_SIZE, "%.*g", digits, v);
    make_point(out);
    return strlen(out);
}

/* More decimals are noughts that nobody counts: 3.71e-12. */
enum { MOST_DECIMALS = 9, MOST_DIGITS = 17 };

/* The digits of v up to so many decimals, which are many. */
static void few_digits(char *out, double v, int decimals)
{
    int digits = v != 0 ? decimals + 1 + (int)floor(log10(fabs(v))) : 0;
    if (digits < 1)
        strcpy(out, "0"); /* as far as it is shown */
    else
        gpai_real_digits(out, v, digits < MOST_DIGITS ? digits : MOST_DIGITS);
}

void gpai_real_fixed(char *out, double v, int decimals)
{
    if (!(fabs(v) < 1e15)) {
        gpai_real_digits(out, v, 6);
        return;
    }
    if (decimals > MOST_DECIMALS) {
        few_digits(out, v, decimals);
        return;
    }
    snprintf(out, GPAI_REAL_SIZE, "%.*f", decimals, v);
    make_point(out);
    if (out[0] == '-' && strspn(out + 1, "0.") == strlen(out + 1)) /* no "-0.00" */
        memmove(out, out + 1, strlen(out));
}

int gpai_decimals(double v, int digits)
{
    if (v == 0 || !isfinite(v))
        return 0;
    int decimals = digits - 1 - (int)floor(log10(fabs(v)));
    return decimals < 0 ? 0 : decimals;
}

void gpai_trim_zeros(char *number)
{
    if (strchr(number, '.') == NULL || strchr(number, 'e') != NULL)
        return;
    char *end = number + strlen(number);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
}

void gpai_real_people(char *out, double v, int digits)
{
    double size = fabs(v);
    if (!isfinite(v)) {
        snprintf(out, GPAI_REAL_SIZE, "n/a");
    } else if (size != 0 && (size < 1e-4 || size >= 1e12)) {
        gpai_real_digits(out, v, digits);
    } else {
        gpai_real_fixed(out, v, gpai_decimals(v, digits));
        gpai_trim_zeros(out);
    }
}
