#include "base/text/shortest.h"
#include "base/text/powers_of_5.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* |value| = m 2^e, with `bits` bits in m. */
struct binary {
    uint64_t m;
    int e, bits;
};

static const struct binary BROKEN = {0, 0, 0};

static inline struct binary take_apart(double magnitude, int bits)
{
    uint64_t word;
    int e = 0;
    memcpy(&word, &magnitude, sizeof word);
    uint64_t power = word >> 52; /* neither 0 nor tiny, infinite or NaN: as it stands */
    if (bits == 53 && power > 0 && power < 2047)
        return (struct binary){(word & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52,
                               (int)power - 1075, bits};
    double fraction = frexp(magnitude, &e); /* in [0.5, 1) */
    if (!(fraction > 0 && isfinite(magnitude)))
        return BROKEN;
    return (struct binary){(uint64_t)ldexp(fraction, bits), e - bits, bits};
}

/* Room for the digits of a number; copied as a whole, which is quicker than as many as
 * there are. With a sign, a point and zeros it fits into GPAI_NUMBER_ROOM. */
enum { DIGITS = 24 };

/* `digits` holds n digits, the first of which stands for 10^exponent. Gives the length.
 */
static size_t lay_out(const char digits[DIGITS], int n, int exponent, char *out)
{
    int point = exponent + 1; /* digits before the point */
    while (n > 1 && digits[n - 1] == '0')
        n--;
    int length = point <= 0 ? 2 - point + n : n + 1;
    if (point <= 0) {
        memcpy(out, "0.000000", 8);
        memcpy(out + 2 - point, digits, DIGITS);
    } else if (point < n) {
        memcpy(out + 1, digits, DIGITS);
        for (int i = 0; i < point; i++)
            out[i] = digits[i];
        out[point] = '.';
    } else {
        memcpy(out, digits, DIGITS);
        memset(out + n, '0', (size_t)(point - n));
        memcpy(out + point, ".0", 2);
        length = point + 2;
    }
    out[length] = '\0';
    return (size_t)length;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

enum { NEAREST = -5 };

/* What some number of digits makes of a value, in units of 10^-k. */
struct rounded {
    uint64_t units;
    bool reads_back;
    bool tie; /* half way between two of them */
};

/* Rounds value 10^k = m 5^k 2^(e+k), in exact integers; false where they are too small
 * for that. Does not say whether that reads back. */
static bool round_off(const struct binary *b, int k, struct rounded *r)
{
    int down = -(b->e + k);
    if (k < 0 || k > FIVES || down >= 120 || down <= -8)
        return false;
    wide exact = (wide)b->m * POWER_OF_5[k];
    if (down <= 0) {
        *r = (struct rounded){(uint64_t)(exact << -down), true, false};
        return true;
    }
    exact += (wide)1 << (down - 1);
    uint64_t high = (uint64_t)(exact >> 64), low = (uint64_t)exact;
    if (down < 64) { /* nearly always; wide shifts take long */
        r->units = high << (64 - down) | low >> down;
        r->tie = low << (64 - down) == 0;
    } else {
        r->units = high >> (down - 64);
        r->tie = low == 0 && (uint64_t)(r->units << (down - 64)) == high;
    }
    return true;
}

static bool round_to(const struct binary *b, int k, struct rounded *r)
{
    int down = -(b->e + k);
    if (!round_off(b, k, r))
        return false;
    if (down <= 0)
        return true;
    uint64_t five = POWER_OF_5[k];
    wide exact = (wide)b->m * five, back = (wide)r->units << down;
    wide off = back > exact ? back - exact : exact - back;
    /* nearer than half the distance to the next number, which is five / 2; a quarter
     * at a power of two, where the numbers below are closer. The margin keeps a float
     * clear of the midpoint that a double on the way could round to. */
    if ((b->m & (b->m - 1)) == 0)
        off *= 2;
    r->reads_back = 2 * off < five - (b->bits < 53 ? five >> 20 : 0);
    return true;
}

static uint64_t power_of_10(int n)
{
    return POWER_OF_5[n] << n;
}

/* The exponent of the first digit; may be one less: for m = 2^i (1 + f), log2(m) is at
 * least i + f. */
static int leading(const struct binary *b)
{
    double f = (double)(int64_t)b->m * (b->bits == 53 ? 0x1p-52 : 0x1p-23) - 1;
    double log = ((double)(b->e + b->bits - 1) + f) * 0.30102999566398120;
    int whole = (int)log;
    return log < whole ? whole - 1 : whole;
}

/* Eight digits. */
static void put_eight(uint32_t v, char *out)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* fours, pairs, digits: each the quotient, and beside it what is left */
    uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32, high;
    high = (x * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    x = high | (x - 100 * high) << 16;
    high = (x * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    x = high | (x - 10 * high) << 8 | UINT64_C(0x3030303030303030);
    memcpy(out, &x, sizeof x);
#else
    for (int i = 7; i >= 0; i--, v /= 10)
        out[i] = (char)('0' + (int)(v % 10));
#endif
}

/* The last n of 17 digits. */
static void put_digits(uint64_t units, int n, char digits[DIGITS])
{
    enum { MOST = 17, EIGHT = 100000000 };
    char all[MOST + DIGITS] = {0};
    uint64_t high = units / EIGHT;
    all[0] = (char)('0' + (int)(high / EIGHT));
    put_eight((uint32_t)(high % EIGHT), all + 1);
    put_eight((uint32_t)(units % EIGHT), all + 9);
    memcpy(digits, all + MOST - n, DIGITS);
}

/* The fewest of `least` to `most` digits that read back; `most` always do. */
static bool print(const struct binary *b, int least, int most, char *out)
{
    int exponent = leading(b);
    struct rounded r = {0, false, false};
    char digits[DIGITS];
    if (!round_off(b, most - 1 - exponent, &r))
        return false;
    exponent += r.units >= power_of_10(most);
    if (exponent < NEAREST)
        return false;
    for (int n = least; n <= most; n++) {
        if (!round_to(b, n - 1 - exponent, &r))
            return false;
        if (!r.reads_back && n < most)
            continue;
        if (r.units >= power_of_10(n)) { /* 99.9... became 100 */
            r.units /= 10;
            exponent++;
        }
        put_digits(r.units, n, digits);
        lay_out(digits, n, exponent, out);
        return true;
    }
    return false;
}

/* As %.{n}g writes `n` digits, the first of which stands for 10^exponent. */
static size_t lay_out_short(const char digits[DIGITS], int n, int exponent, char *out)
{
    bool powers = exponent < -4 || exponent >= n;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    if (!powers) {
        size_t length = lay_out(digits, n, exponent, out);
        length -= exponent + 1 >= n ? 2 : 0; /* .0 */
        out[length] = '\0';
        return length;
    }
    char *to = out;
    *to++ = digits[0];
    if (n > 1)
        *to++ = '.';
    memcpy(to, digits + 1, (size_t)n - 1);
    to += n - 1;
    int size = exponent < 0 ? -exponent : exponent; /* below 100: see round_off */
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    *to++ = (char)('0' + size / 10);
    *to++ = (char)('0' + size % 10);
    *to = '\0';
    return (size_t)(to - out);
}

/* n digits of `units`, which may be one too many: 99.9... became 100. */
static size_t write_units(uint64_t units, int n, int exponent, char *out)
{
    char digits[DIGITS];
    bool more = units >= power_of_10(n);
    put_digits(more ? units / 10 : units, n, digits);
    return lay_out_short(digits, n, exponent + (more ? 1 : 0), out);
}

size_t gpai_digits_text(double value, int least, int most, char *out)
{
    struct binary b = take_apart(fabs(value), 53);
    struct rounded r = {0, false, false};
    size_t sign = signbit(value) ? 1 : 0;
    if (value == 0)
        return strlen(strcpy(out, sign > 0 ? "-0" : "0"));
    if (b.m == 0)
        return 0;
    int exponent = leading(&b);
    if (!round_off(&b, most - 1 - exponent, &r))
        return 0;
    bool again = r.units >= power_of_10(most); /* one digit too many */
    exponent += again ? 1 : 0;
    out[0] = '-';
    out += sign;
    int n = least;
    for (; n < most; n++) {
        if (!round_to(&b, n - 1 - exponent, &r) || r.tie)
            return 0;
        if (r.reads_back)
            break;
        if ((b.m & (b.m - 1)) == 0) /* of two: reads_back is too strict */
            return 0;
    }
    again = n == most && (again || least < most);
    if ((again && !round_off(&b, most - 1 - exponent, &r)) || r.tie)
        return 0;
    return sign + write_units(r.units, n, exponent, out);
}
#else
size_t gpai_digits_text(double value, int least, int most, char *out)
{
    (void)value;
    (void)least;
    (void)most;
    (void)out;
    return 0;
}

static bool print(const struct binary *b, int least, int most, char *out)
{
    (void)b;
    (void)least;
    (void)most;
    (void)lay_out;
    (void)out;
    return false;
}
#endif

static void finish(double value, const struct binary *b, int least, int most, char *out)
{
    char *to = out;
    if (signbit(value))
        *to++ = '-';
    if (value == 0) {
        strcpy(to, "0.0");
    } else if (b->m == 0 || !print(b, least, most, to)) {
        gpai_number_text(value, out);
        if (strpbrk(out, ".en") == NULL)
            strcat(out, ".0");
    }
}

void gpai_shortest(double value, char out[GPAI_NUMBER_ROOM])
{
    struct binary b = take_apart(fabs(value), 53);
    finish(value, &b, 15, 17, out);
}

void gpai_shortest_float(float value, char out[GPAI_NUMBER_ROOM])
{
    struct binary b = take_apart(fabs((double)value), 24);
    finish((double)value, &b, 6, 9, out);
}
