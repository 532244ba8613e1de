#include "engine/culprit/column.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include <math.h>

static const unsigned long long SIGN = 1ull << 63;

/* Four places are worked on together. */
enum { LANES = 4 };
typedef double vec __attribute__((vector_size(8 * LANES)));
typedef unsigned long long bits __attribute__((vector_size(8 * LANES)));

/* What the kernels add up to at four places, with q_i = (x - c_i) / width: sum 1 / (1 +
 * q^2), and the complex product of all (1 + i q), whose angle is sum atan q. Its full
 * turns are counted on the way, so that one arc tangent is enough. */
struct sums {
    vec density, re, im;
    bits turns; /* modulo 2^64 */
};

/* The product grows with every factor, up to 1e15 each; only its angle is wanted. */
enum { PAIRS_BEFORE_SHORTENING = 8 };

#define absolute(v) ((vec)((bits)(v) & ~SIGN))

/* Whether the product went across the negative half of the real axis: 1 anticlockwise,
 * -1 clockwise, by signs alone: those of its imaginary part before and after, and that
 * of the turn, which is less than half a circle. */
#define turn(before, after, by)                                                        \
    (((~(bits)(before) & (bits)(after) & ~(bits)(by)) >> 63) -                         \
     (((bits)(before) & ~(bits)(after) & (bits)(by)) >> 63))

/* Two kernels a step: (1 + i q)(1 + i p) = a + i b has an angle within a half turn, and
 * its squared length is the common denominator of both densities. */
static void add_kernels(struct sums *s, const gpai_column *c, const vec *at)
{
    const vec x = *at;
    const double *centre = c->centre, inverse = 1 / c->width;
    vec density = s->density, re = s->re, im = s->im;
    bits turns = s->turns;
    size_t pairs = c->count / 2;
    for (size_t i = 0; i < pairs; i++) {
        vec q = (x - centre[2 * i]) * inverse, p = (x - centre[2 * i + 1]) * inverse;
        vec a = 1 - q * p, b = q + p;
        density += (b * b + 2 * a) / (a * a + b * b);
        vec before = im;
        im = re * b + im * a;
        re = re * a - before * b;
        turns += turn(before, im, b);
        if (i % PAIRS_BEFORE_SHORTENING == PAIRS_BEFORE_SHORTENING - 1) {
            vec length = absolute(re) + absolute(im);
            re /= length;
            im /= length;
        }
    }
    *s = (struct sums){density, re, im, turns};
}

/* The last of an odd number of kernels. */
static void add_last(struct sums *s, const gpai_column *c, const vec *at)
{
    vec q = (*at - c->centre[c->count - 1]) / c->width;
    vec before = s->im;
    s->density += 1 / (1 + q * q);
    s->im = s->re * q + s->im;
    s->re = s->re - before * q;
    s->turns += turn(before, s->im, q);
}

static void add_densities(struct sums *s, const gpai_column *c, const vec *at)
{
    const vec x = *at;
    const double *centre = c->centre, inverse = 1 / c->width;
    vec density = s->density;
    for (size_t i = 0; i < c->count; i++) {
        vec q = (x - centre[i]) * inverse;
        density += 1 / (1 + q * q);
    }
    s->density = density;
}

/* The distribution function is kept away from 0 and 1. */
static double normal_score(double re, double im, long long turns, size_t count)
{
    double angle = atan2(im, re) + 2 * GPAI_PI * (double)turns;
    double u = 0.5 + angle / (GPAI_PI * (double)count);
    return gpai_norm_quantile(fmin(fmax(u, 1e-9), 1 - 1e-9));
}

void gpai_column_at(const gpai_column *c, double from, const double *move, size_t count,
                    double *density, double *score)
{
    /* further out nothing changes any more, and nothing must overflow */
    double low = c->centre[0] - 1e15 * c->width;
    double high = c->centre[c->count - 1] + 1e15 * c->width;
    for (size_t i = 0; i < count; i += LANES) {
        size_t lanes = count - i < LANES ? count - i : LANES;
        struct sums s = {.re = {1, 1, 1, 1}};
        vec x;
        for (size_t l = 0; l < LANES; l++)
            x[l] = fmin(fmax(from + move[i + (l < lanes ? l : 0)], low), high);
        if (score == NULL) {
            add_densities(&s, c, &x);
        } else {
            add_kernels(&s, c, &x);
            if (c->count % 2 == 1)
                add_last(&s, c, &x);
        }
        for (size_t l = 0; l < lanes; l++) {
            density[i + l] = s.density[l] / (double)c->count;
            if (score != NULL)
                score[i + l] =
                    normal_score(s.re[l], s.im[l], (long long)s.turns[l], c->count);
        }
    }
}

static double standard_deviation(const double *value, size_t n)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (value[i] - mean) * (value[i] - mean) / (double)n;
    return sqrt(square);
}

gpai_column gpai_column_make(double *value, size_t n, double *scratch)
{
    double sd = standard_deviation(value, n);
    if (!(sd > 1e-9))
        sd = 1;
    gpai_sort(value, n);
    double median = gpai_sorted_median(value, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(value[i] - median);
    gpai_sort(scratch, n);
    double mad = 1.4826 * gpai_sorted_median(scratch, n);
    double w = mad > 1e-9 ? fmin(mad, sd) : sd;
    double width = 1.5 * fmax(1.06 * w * pow((double)n, -0.2), 0.05 * sd);
    return (gpai_column){.count = n, .centre = value, .width = width};
}
