/* tanh and the logistic function of many numbers, in place; the second half of the
 * template in dense_kernel.h. Not libm's, for speed and because these give the same
 * bytes with every instruction set and C library. Good to about 2 units in the last
 * place; NaN stays NaN. */

typedef unsigned long long NAMED(bits) __attribute__((vector_size(8 * LANES)));

/* `yes` where `when` is all ones, `no` where it is 0. */
TARGET static inline NAMED(vec)
    NAMED(choose)(NAMED(bits) when, NAMED(vec) yes, NAMED(vec) no)
{
    return (NAMED(vec))(((NAMED(bits))yes & when) | ((NAMED(bits))no & ~when));
}

/* exp(t) = s (1 + p) with s a power of two and p = exp(r) - 1, |r| <= ln(2) / 2; t in
 * [-708, 0]. */
TARGET static inline NAMED(vec) NAMED(split_exp)(NAMED(vec) t, NAMED(vec) * s)
{
    /* Adding this rounds to an integer, which then stands in the lowest bits. */
    const double shift = 0x1.8p52;
    NAMED(vec) shifted = t * (1 / LN2) + shift, k = shifted - shift;
    NAMED(vec) r = t - k * LN2_HIGH - k * LN2_LOW, q = r * TAYLOR(13) + TAYLOR(12);
    *s = (NAMED(vec))(((NAMED(bits))shifted << 52) + (1023ULL << 52));
    q = q * r + TAYLOR(11);
    q = q * r + TAYLOR(10);
    q = q * r + TAYLOR(9);
    q = q * r + TAYLOR(8);
    q = q * r + TAYLOR(7);
    q = q * r + TAYLOR(6);
    q = q * r + TAYLOR(5);
    q = q * r + TAYLOR(4);
    q = q * r + TAYLOR(3);
    q = q * r + TAYLOR(2);
    return q * (r * r) + r;
}

/* With m = exp(-2 |x|) - 1: tanh |x| = -m / (2 + m), without cancellation. Beyond
 * |x| = 40 it is 1. */
TARGET static inline NAMED(vec) NAMED(tanh)(NAMED(vec) x)
{
    const NAMED(vec) zero = {0}, least = zero - 80;
    const NAMED(bits) sign = (NAMED(bits))(-zero);
    NAMED(vec) t = (NAMED(vec))((NAMED(bits))x | sign) * 2, s;
    t = NAMED(choose)((NAMED(bits))(t < least), least, t);
    NAMED(vec) p = NAMED(split_exp)(t, &s), m = s * p + (s - 1), y = m / (m + 2);
    return (NAMED(vec))(((NAMED(bits))y & ~sign) | ((NAMED(bits))x & sign));
}

/* With e = exp(-|x|): 1 / (1 + e) or e / (1 + e). Beyond |x| = 708 e is 0. */
TARGET static inline NAMED(vec) NAMED(logistic)(NAMED(vec) x)
{
    const NAMED(vec) zero = {0}, least = zero - 708;
    const NAMED(bits) sign = (NAMED(bits))(-zero);
    NAMED(vec) t = (NAMED(vec))((NAMED(bits))x | sign), s;
    const NAMED(bits) tiny = (NAMED(bits))(t < least);
    t = NAMED(choose)(tiny, least, t);
    NAMED(vec) p = NAMED(split_exp)(t, &s), e = NAMED(choose)(tiny, zero, s * p + s);
    return NAMED(choose)((NAMED(bits))(x < zero), e, zero + 1) / (e + 1);
}

#define IN_PLACE(function)                                                             \
    TARGET static void NAMED(all_##function)(double *z, size_t n)                      \
    {                                                                                  \
        size_t i = 0;                                                                  \
        for (; i + LANES <= n; i += LANES)                                             \
            *(NAMED(vec) *)(z + i) = NAMED(function)(*(const NAMED(vec) *)(z + i));    \
        if (i < n) {                                                                   \
            double last[LANES] = {0};                                                  \
            memcpy(last, z + i, (n - i) * sizeof *z);                                  \
            *(NAMED(vec) *)last = NAMED(function)(*(const NAMED(vec) *)last);          \
            memcpy(z + i, last, (n - i) * sizeof *z);                                  \
        }                                                                              \
    }
IN_PLACE(tanh)
IN_PLACE(logistic)
#undef IN_PLACE
