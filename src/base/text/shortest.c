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

static struct binary take_apart(double magnitude, int bits)
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

/* `digits` holds n digits, the first of which stands for 10^exponent. */
static void lay_out(const char digits[DIGITS], int n, int exponent, char *out)
{
    int point = exponent + 1; /* digits before the point */
    while (n > 1 && digits[n - 1] == '0')
        n--;
    if (point <= 0) {
        memcpy(out, "0.000000", 8);
        memcpy(out + 2 - point, digits, DIGITS);
        out[2 - point + n] = '\0';
        return;
    }
    memcpy(out, digits, DIGITS);
    if (point < n) {
        memcpy(out + point + 1, digits + point, (size_t)(n - point));
        out[point] = '.';
        out[n + 1] = '\0';
        return;
    }
    memset(out + n, '0', (size_t)(point - n));
    strcpy(out + point, ".0");
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
 * for that. */
static bool round_to(const struct binary *b, int k, struct rounded *r)
{
    int down = -(b->e + k);
    if (k < 0 || k > FIVES || down >= 120 || down <= -8)
        return false;
    uint64_t five = POWER_OF_5[k];
    wide exact = (wide)b->m * five, back, off;
    if (down <= 0) {
        *r = (struct rounded){(uint64_t)(exact << -down), true, false};
        return true;
    }
    r->units = (uint64_t)((exact + ((wide)1 << (down - 1))) >> down);
    back = (wide)r->units << down;
    off = back > exact ? back - exact : exact - back;
    r->tie = off == (wide)1 << (down - 1);
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

/* The last n digits of `units`, two at a time. */
static void put_few(uint32_t units, int n, char *digits)
{
    static const char PAIRS[] =
        "000102030405060708091011121314151617181920212223242526272829"
        "303132333435363738394041424344454647484950515253545556575859"
        "606162636465666768697071727374757677787980818283848586878889"
        "90919293949596979899";
    for (; n > 1; n -= 2, units /= 100)
        memcpy(digits + n - 2, PAIRS + 2 * (units % 100), 2);
    if (n == 1)
        digits[0] = (char)('0' + (int)(units % 10));
}

/* Halves do not wait for each other, and are small enough for cheap divisions. */
static void put_digits(uint64_t units, int n, char digits[DIGITS])
{
    enum { HALF = 8, TEN_TO_HALF = 100000000 };
    if (n <= HALF) {
        put_few((uint32_t)units, n, digits);
        return;
    }
    put_few((uint32_t)(units % TEN_TO_HALF), HALF, digits + n - HALF);
    put_few((uint32_t)(units / TEN_TO_HALF), n - HALF, digits);
}

/* The fewest of `least` to `most` digits that read back; `most` always do. */
static bool print(const struct binary *b, int least, int most, char *out)
{
    /* of the first digit; may be one less, as 2^(e+bits-1) <= value says no more */
    int exponent = (int)floor((b->e + b->bits - 1) * 0.30102999566398120);
    struct rounded r = {0, false, false};
    char digits[DIGITS] = {0};
    if (!round_to(b, most - 1 - exponent, &r))
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
static void lay_out_short(const char digits[DIGITS], int n, int exponent, char *out)
{
    bool powers = exponent < -4 || exponent >= n;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    if (!powers) {
        lay_out(digits, n, exponent, out);
        if (exponent + 1 >= n)
            out[strlen(out) - 2] = '\0'; /* .0 */
        return;
    }
    *out++ = digits[0];
    if (n > 1)
        *out++ = '.';
    memcpy(out, digits + 1, (size_t)n - 1);
    out += n - 1;
    int size = exponent < 0 ? -exponent : exponent; /* below 100: see round_to */
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    *out++ = (char)('0' + size / 10);
    *out++ = (char)('0' + size % 10);
    *out = '\0';
}

bool gpai_digits_text(double value, int least, int most, char *out)
{
    struct binary b = take_apart(fabs(value), 53);
    struct rounded r = {0, false, false};
    char digits[DIGITS] = {0};
    if (b.m == 0)
        return false;
    int exponent = (int)floor((b.e + b.bits - 1) * 0.30102999566398120);
    if (!round_to(&b, most - 1 - exponent, &r))
        return false;
    bool again = r.units >= power_of_10(most); /* one digit too many */
    exponent += again ? 1 : 0;
    if (signbit(value))
        *out++ = '-';
    for (int n = least; n <= most; n++) {
        int first = exponent;
        again = again || n < most || least < most;
        if ((again && !round_to(&b, n - 1 - first, &r)) || r.tie)
            return false;
        bool even = (b.m & (b.m - 1)) == 0; /* of two: reads_back is too strict */
        if (!r.reads_back && n < most && even)
            return false;
        if (!r.reads_back && n < most)
            continue;
        if (r.units >= power_of_10(n)) { /* 99.9... became 100 */
            r.units /= 10;
            first++;
        }
        put_digits(r.units, n, digits);
        lay_out_short(digits, n, first, out);
        return true;
    }
    return false;
}
#else
bool gpai_digits_text(double value, int least, int most, char *out)
{
    (void)value;
    (void)least;
    (void)most;
    (void)out;
    return false;
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
