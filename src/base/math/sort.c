#include "base/math/sort.h"
#include "base/alloc.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int rising_index(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static int falling(const void *a, const void *b)
{
    const gpai_ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Up to so many are sorted here, without a call for each comparison: half the time. */
enum { FEW = 1024 };

/* Distances over which numbers are moved first, by Ciura. */
static const size_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
enum { GAPS = sizeof gaps / sizeof gaps[0] };

void gpai_sort(double *value, size_t n)
{
    if (n > FEW) {
        qsort(value, n, sizeof *value, rising);
        return;
    }
    for (size_t g = 0; g < GAPS; g++)
        for (size_t i = gaps[g]; i < n; i++) {
            double own = value[i];
            size_t at = i;
            for (; at >= gaps[g] && value[at - gaps[g]] > own; at -= gaps[g])
                value[at] = value[at - gaps[g]];
            value[at] = own;
        }
}

void gpai_sort_indices(size_t *value, size_t n)
{
    qsort(value, n, sizeof *value, rising_index);
}

size_t gpai_sorted_distinct(double *value, size_t n, double without)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (value[i] != without && (kept == 0 || value[i] != value[kept - 1]))
            value[kept++] = value[i];
    return kept;
}

void gpai_rank(const double *value, size_t n, gpai_ranked *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (gpai_ranked){value[i], i};
    if (n > FEW) {
        qsort(out, n, sizeof *out, falling);
        return;
    }
    for (size_t g = 0; g < GAPS; g++)
        for (size_t i = gaps[g]; i < n; i++) {
            gpai_ranked own = out[i];
            size_t at = i;
            for (; at >= gaps[g] && falling(&out[at - gaps[g]], &own) > 0;
                 at -= gaps[g])
                out[at] = out[at - gaps[g]];
            out[at] = own;
        }
}

/* A number whose order as a whole number is that of the double. */
static uint64_t order_key(double v, bool down)
{
    uint64_t bits;
    if (isnan(v))
        return UINT64_MAX;
    v = v == 0 ? 0 : v; /* -0 is 0 */
    memcpy(&bits, &v, sizeof bits);
    bits = bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
    return down ? ~bits : bits;
}

enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS, RADIX_PASSES = 6 };

/* One digit of all keys: from one pair of arrays into the other. False: all have the
 * same, and nothing was done. */
static bool order_pass(const uint64_t *key, const uint32_t *place, size_t n,
                       unsigned shift, uint64_t *key_to, uint32_t *place_to)
{
    size_t start[RADIX + 1] = {0};
    for (size_t i = 0; i < n; i++)
        start[(key[i] >> shift) % RADIX + 1]++;
    for (size_t d = 0; d < RADIX; d++) {
        if (start[d + 1] == n)
            return false;
        start[d + 1] += start[d];
    }
    for (size_t i = 0; i < n; i++) {
        size_t to = start[(key[i] >> shift) % RADIX]++;
        key_to[to] = key[i];
        place_to[to] = place[i];
    }
    return true;
}

bool gpai_order(const double *value, size_t n, bool down, uint32_t *out)
{
    uint64_t *key = gpai_calloc(n > 0 ? n : 1, 2 * sizeof *key), *other = key + n;
    uint32_t *place = gpai_calloc(n > 0 ? n : 1, sizeof *place);
    uint32_t *at = out, *to = place;
    if (key == NULL || place == NULL) {
        gpai_free(key);
        gpai_free(place);
        return false;
    }
    uint64_t *from = key;
    for (size_t i = 0; i < n; i++) {
        from[i] = order_key(value[i], down);
        out[i] = (uint32_t)i;
    }
    for (unsigned pass = 0; pass < RADIX_PASSES; pass++) {
        if (!order_pass(from, at, n, RADIX_BITS * pass, other, to))
            continue;
        uint64_t *keys = from;
        uint32_t *places = at;
        from = other;
        at = to;
        other = keys;
        to = places;
    }
    if (at != out)
        memcpy(out, at, n * sizeof *out);
    gpai_free(key);
    gpai_free(place);
    return true;
}

/* Numbers are counted by their first bits: sign, exponent, and four of the mantissa. */
enum { FIRST_BITS = 16, FIRST = 1 << FIRST_BITS, COUNT_FROM = 4096 };

static size_t first_bits(double v)
{
    return (size_t)(order_key(v, false) >> (64 - FIRST_BITS));
}

void gpai_sort_around(double *value, size_t n, const size_t *place, size_t count,
                      size_t *at)
{
    size_t *from = n >= COUNT_FROM ? gpai_calloc(FIRST, sizeof *from) : NULL;
    size_t kept = 0, below = 0;
    for (size_t i = 0; i < count; i++)
        at[i] = place[i];
    if (from == NULL) { /* few, or no memory */
        gpai_sort(value, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        from[first_bits(value[i])]++;
    for (size_t b = 0; b < FIRST; b++) { /* which of them hold a place? */
        size_t here = from[b];
        from[b] = 0;
        for (size_t i = 0; here > 0 && i < count; i++)
            if (place[i] >= below && place[i] - below < here) {
                at[i] = kept + place[i] - below;
                from[b] = 1;
            }
        kept += from[b] * here;
        below += here;
    }
    kept = 0;
    for (size_t i = 0; i < n; i++) {
        double v = value[i];
        value[kept] = v;
        kept += from[first_bits(v)];
    }
    gpai_free(from);
    gpai_sort(value, kept);
}

double gpai_sorted_median(const double *value, size_t n)
{
    return n % 2 == 1 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}

double gpai_standard_deviation(const double *value, size_t n)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (value[i] - mean) * (value[i] - mean) / (double)n;
    return sqrt(square);
}

void gpai_near(const double *ascending, size_t n, double *low, double *high)
{
    /* times what the middle half covers: long tails reach so far, codes farther */
    static const double APART = 8;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    if (n == 0)
        return;
    double a = ascending[n / 4], b = ascending[n - 1 - n / 4];
    double far = b > a ? APART * (b - a) : HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        if (ascending[i] >= a - far && ascending[i] <= b + far) {
            *low = fmin(*low, ascending[i]);
            *high = ascending[i];
        }
}
