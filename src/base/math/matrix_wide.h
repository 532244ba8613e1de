/* The code of gpai_wide for one instruction set; a template without include guard.
 * small.c includes it once per instruction set with
 *     LANES     doubles in a vector (8, 4 or 2)
 *     TARGET    the attribute that allows the instructions
 *     NAMED(x)  the name x gets in this instance */

#define VD NAMED(doubles)
#define VL NAMED(longs)
#define FN TARGET static inline __attribute__((always_inline))
typedef double VD __attribute__((vector_size(8 * LANES), aligned(8), __may_alias__));
typedef unsigned long long VL __attribute__((vector_size(8 * LANES)));

FN VD NAMED(load)(const double *x)
{
    return *(const VD *)x;
}

/* ln m = 2 artanh s = s (2 + 2/3 s^2 + ...), s = (m - 1) / (m + 1), where m is the
 * mantissa in (0.707, 1.414). */
TARGET static void NAMED(log)(double *x, size_t n)
{
    const VL low = (VL){0} + LOW_MANTISSA;
    for (size_t i = 0; i < n; i += LANES) {
        VL bits = (VL)NAMED(load)(x + i), top = bits - low;
        /* 2^52 + 1024 + exponent: a double's last bits are a whole number */
        VD exponent = (VD)(((top + BIAS) >> 52) | WHOLE) - WHOLE_BIAS;
        VD m = (VD)((top & MANTISSA) + low);
        VD s = (m - 1) / (m + 1), z = s * s, p = z * LOG[LOG_DEGREE];
        for (int k = LOG_DEGREE - 1; k > 0; k--)
            p = (p + LOG[k]) * z;
        *(VD *)(x + i) = exponent * LN2 + s * (p + LOG[0]);
    }
}

/* Four draws at a time, so that g is read and written less often. */
FN void NAMED(add_four)(const double *row, const double *w, size_t m, size_t stride,
                        double *by, double *g)
{
    for (size_t i = 0; i < 4; i++)
        for (size_t a = 0; a < m; a += LANES)
            *(VD *)(by + i * stride + a) = w[i] * NAMED(load)(row + i * stride + a);
    for (size_t b = 0; b < m; b += LANES) {
        VD r0 = NAMED(load)(row + b), r1 = NAMED(load)(row + stride + b),
           r2 = NAMED(load)(row + 2 * stride + b),
           r3 = NAMED(load)(row + 3 * stride + b);
        for (size_t a = b; a < m; a++) {
            VD *to = (VD *)(g + a * stride + b);
            VD x = by[a] * r0 + by[stride + a] * r1;
            *to += x + (by[2 * stride + a] * r2 + by[3 * stride + a] * r3);
        }
    }
}

TARGET static void NAMED(gram)(const double *row, const double *w, size_t n, size_t m,
                               size_t stride, double *by, double *g)
{
    for (size_t i = 0; i < n; i += 4, row += 4 * stride)
        NAMED(add_four)(row, w + i, m, stride, by, g);
}

TARGET static void NAMED(squares)(const double *at, const double *mean,
                                  const double *lower, size_t rank, double *off,
                                  double *out)
{
    for (size_t k = 0; k < GPAI_WIDE_DRAWS; k += LANES) {
        VD sum = {0};
        for (size_t i = 0; i < rank; i++) {
            VD x = NAMED(load)(at + i * GPAI_WIDE_DRAWS + k);
            *(VD *)(off + i * GPAI_WIDE_DRAWS + k) = x - mean[i];
            VD white = {0};
            for (size_t j = 0; j <= i; j++)
                white +=
                    lower[i * rank + j] * NAMED(load)(off + j * GPAI_WIDE_DRAWS + k);
            sum += x * x - white * white;
        }
        *(VD *)(out + k) = sum;
    }
}

#undef FN
#undef VL
#undef VD
#undef LANES
#undef TARGET
#undef NAMED
