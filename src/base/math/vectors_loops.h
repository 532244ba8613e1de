/* The loops of vectors.h for one instruction set, for base/cpu_sets.h; floats are twice
 * as many in a vector. */

#define VF NAMED(floats)
#define VI NAMED(ints)
typedef float VF __attribute__((vector_size(8 * LANES), aligned(4), __may_alias__));
typedef unsigned VI __attribute__((vector_size(8 * LANES)));

/* yes where the mask is set, else no. */
#define PICK(mask, yes, no) ((VD)(((VL)(mask) & (VL)(yes)) | (~(VL)(mask) & (VL)(no))))

FN VD NAMED(polynomial)(VD x, const double *c, int degree)
{
    VD p = x * c[degree] + c[degree - 1];
    for (int i = degree - 2; i >= 0; i--)
        p = p * x + c[i];
    return p;
}

FN VD NAMED(exp_of)(VD x)
{
    const VD zero = {0}, most = zero + 708;
    VL small = (VL)(x < -708.0);
    x = PICK(x > most, most, x);
    VD k = x * LOG2E + ROUND; /* the whole number is in the last bits */
    VD n = k - ROUND;
    VD r = (x - n * LN2_HIGH) - n * LN2_LOW;
    VD p = NAMED(polynomial)(r, EXP, EXP_DEGREE);
    return (VD)(((VL)p + ((VL)k << 52)) & ~small);
}

/* For positive normal numbers. The quicker logarithm, where five digits less do: its
 * bytes are in every result of the surrogate, so the finer one below is not put here.
 */
FN VD NAMED(log_of)(VD x)
{
    const VD zero = {0}, one = zero + 1;
    VL bits = (VL)x;
    VD exponent = (VD)((bits >> 52) | 0x4330000000000000) - 4503599627371519.0;
    VD m = (VD)((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    VL high = (VL)(m > SQRT2);
    m = PICK(high, m * 0.5, m);
    exponent += PICK(high, one, zero);
    VD s = (m - 1) / (m + 1);
    VD series = NAMED(polynomial)(s * s, LOG, LOG_DEGREE);
    return exponent * LN2 + s * series;
}

/* Series are chains of additions that wait for each other. Four vectors in step keep a
 * processor busy that cannot look far ahead; each is what it would be by itself. */
enum { NAMED(STEP) = 4 * LANES };
#define EACH for (int v = 0; v < 4; v++)

FN void NAMED(polynomials)(const VD x[4], const double *c, int degree, VD p[4])
{
    EACH p[v] = x[v] * c[degree] + c[degree - 1];
    for (int i = degree - 2; i >= 0; i--)
        EACH p[v] = p[v] * x[v] + c[i];
}

FN void NAMED(exp_step)(double *to)
{
    const VD zero = {0}, most = zero + 708;
    VD x[4], k[4], r[4], p[4];
    EACH x[v] = NAMED(load)(to + v * LANES);
    EACH
    {
        VD low = PICK(x[v] > most, most, x[v]);
        k[v] = low * LOG2E + ROUND;
        VD n = k[v] - ROUND;
        r[v] = (low - n * LN2_HIGH) - n * LN2_LOW;
    }
    NAMED(polynomials)(r, EXP, EXP_DEGREE, p);
    EACH *(VD *)(to + v * LANES) =
        (VD)(((VL)p[v] + ((VL)k[v] << 52)) & ~(VL)(x[v] < -708.0));
}

TARGET static void NAMED(exp)(double *x, size_t n)
{
    size_t i = 0;
    for (; i + NAMED(STEP) <= n; i += NAMED(STEP))
        NAMED(exp_step)(x + i);
    for (; i < n; i += LANES)
        *(VD *)(x + i) = NAMED(exp_of)(*(const VD *)(x + i));
}

/* ln m = 2 artanh s = s (2 + 2/3 s^2 + ...), s = (m - 1) / (m + 1), where m is the
 * mantissa in (0.707, 1.414). */
FN void NAMED(log_vectors)(double *x, int count)
{
    const VL low = (VL){0} + LOW_MANTISSA;
    VD exponent[4], s[4], z[4], p[4];
    for (int v = 0; v < count; v++) {
        VL top = (VL)NAMED(load)(x + v * LANES) - low;
        /* 2^52 + 1024 + exponent: a double's last bits are a whole number */
        exponent[v] = (VD)(((top + BIAS) >> 52) | WHOLE) - WHOLE_BIAS;
        VD m = (VD)((top & MANTISSA) + low);
        s[v] = (m - 1) / (m + 1);
        z[v] = s[v] * s[v];
        p[v] = z[v] * FINE_LOG[FINE_DEGREE];
    }
    for (int k = FINE_DEGREE - 1; k > 0; k--)
        for (int v = 0; v < count; v++)
            p[v] = (p[v] + FINE_LOG[k]) * z[v];
    for (int v = 0; v < count; v++)
        *(VD *)(x + v * LANES) = exponent[v] * LN2 + s[v] * (p[v] + FINE_LOG[0]);
}

TARGET static void NAMED(log)(double *x, size_t n)
{
    size_t i = 0;
    for (; i + NAMED(STEP) <= n; i += NAMED(STEP))
        NAMED(log_vectors)(x + i, 4);
    for (; i < n; i += LANES)
        NAMED(log_vectors)(x + i, 1);
}

/* Phi(-x) = t exp(-x^2/2 + P(t)), t = 1 / (1 + 0.3 x) for x >= 0. */
TARGET static void NAMED(cdf)(double *z, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        VD at = *(const VD *)(z + i);
        VD x = (VD)((VL)at & 0x7fffffffffffffff);
        VD t = 1 / (1 + 0.3 * x);
        VD tail =
            t * NAMED(exp_of)(NAMED(polynomial)(t, CDF, CDF_DEGREE) - 0.5 * x * x);
        *(VD *)(z + i) = PICK(at > 0.0, 1 - tail, tail);
    }
}

/* Phi^-1(u) = (2 u - 1) P(w / (w + 8)), w = -ln(4 u (1 - u)): odd about u = 1/2. */
FN void NAMED(quantile_step)(double *u)
{
    const VD zero = {0}, one = zero + 1;
    VD at[4], exponent[4], s[4], x[4], p[4];
    EACH at[v] = NAMED(load)(u + v * LANES);
    EACH /* log_of */
    {
        VL bits = (VL)(4 * at[v] * (1 - at[v]));
        VD m = (VD)((bits & MANTISSA) | 0x3ff0000000000000);
        VL high = (VL)(m > SQRT2);
        exponent[v] = (VD)((bits >> 52) | WHOLE) - 4503599627371519.0;
        exponent[v] += PICK(high, one, zero);
        m = PICK(high, m * 0.5, m);
        s[v] = (m - 1) / (m + 1);
        x[v] = s[v] * s[v];
    }
    NAMED(polynomials)(x, LOG, LOG_DEGREE, p);
    EACH
    {
        VD w = -(exponent[v] * LN2 + s[v] * p[v]);
        x[v] = w / (w + 8);
    }
    NAMED(polynomials)(x, QUANTILE, QUANTILE_DEGREE, p);
    EACH *(VD *)(u + v * LANES) = (2 * at[v] - 1) * p[v];
}

TARGET static void NAMED(quantile)(double *u, size_t n)
{
    size_t i = 0;
    for (; i + NAMED(STEP) <= n; i += NAMED(STEP))
        NAMED(quantile_step)(u + i);
    for (; i < n; i += LANES) {
        VD at = *(const VD *)(u + i);
        VD w = -NAMED(log_of)(4 * at * (1 - at));
        *(VD *)(u + i) =
            (2 * at - 1) * NAMED(polynomial)(w / (w + 8), QUANTILE, QUANTILE_DEGREE);
    }
}

/* Everything is relative to the largest of the 7 terms, so nothing underflows. */
TARGET static void NAMED(student)(const gpai_vstudent *s, const double *f,
                                  const double *spread, size_t n, double *total)
{
    for (size_t i = 0; i < n; i += LANES) {
        VD r = s->y - *(const VD *)(f + i), sd = s->error * *(const VD *)(spread + i);
        VD q[NODES], least, sum = {0};
        for (int j = 0; j < NODES; j++) {
            VD e = r - sd * NODE[j];
            q[j] = 1 + e * e * s->inverse;
            least = j == 0 ? q[0] : PICK(q[j] < least, q[j], least);
        }
        for (int j = 0; j < NODES; j++)
            sum +=
                NODE_WEIGHT[j] * NAMED(exp_of)(-s->power * NAMED(log_of)(q[j] / least));
        *(VD *)(total + i) += NAMED(log_of)(sum) - s->power * NAMED(log_of)(least);
    }
}

FN int NAMED(any)(VL mask)
{
    unsigned long long all = 0;
    for (int l = 0; l < LANES; l++)
        all |= mask[l];
    return all != 0;
}

/* Eight lanes whatever the vectors' width. */
FN void NAMED(larger)(const double *x, VD *top)
{
    for (int j = 0; j < 8 / LANES; j++) {
        VD e = NAMED(load)(x + j * LANES);
        top[j] = PICK(e > top[j], e, top[j]);
    }
}

FN void NAMED(add_exps)(const double *x, double top, VD *sum)
{
    for (int j = 0; j < 8 / LANES; j++) {
        VD e = NAMED(load)(x + j * LANES) - top;
        VL counts = (VL)(e > -40.0);
        if (NAMED(any)(counts))
            sum[j] += (VD)((VL)NAMED(exp_of)(e) & counts);
    }
}

TARGET static double NAMED(log_sum)(const double *x, size_t n)
{
    VD top[8 / LANES], sum[8 / LANES];
    double last[8], lane[8], most = -HUGE_VAL, total = 0;
    size_t whole = n - n % 8;
    for (size_t i = 0; i < 8; i++)
        last[i] = whole + i < n ? x[whole + i] : -HUGE_VAL;
    for (int j = 0; j < 8 / LANES; j++) {
        top[j] = NAMED(load)(last + j * LANES);
        sum[j] = (VD){0};
    }
    for (size_t i = 0; i < whole; i += 8)
        NAMED(larger)(x + i, top);
    for (int j = 0; j < 8 / LANES; j++)
        *(VD *)(lane + j * LANES) = top[j];
    for (int j = 0; j < 8; j++)
        most = lane[j] > most ? lane[j] : most;
    if (!(most > -HUGE_VAL))
        return -HUGE_VAL;
    for (size_t i = 0; i < whole; i += 8)
        NAMED(add_exps)(x + i, most, sum);
    NAMED(add_exps)(last, most, sum);
    for (int j = 0; j < 8 / LANES; j++)
        *(VD *)(lane + j * LANES) = sum[j];
    for (int j = 0; j < 8; j++)
        total += lane[j];
    return most + log(total);
}

/* ln of a component's share at a vector of places. */
#define SHARE(v) (base[i] + g[i] * (slope##v + g[i] * curve##v))

/* Two vectors of places (of eight lanes one, twice): twice through the components, for
 * the largest and for the sum. What is dropped is dropped place by place: the vectors'
 * width must not show. */
FN void NAMED(mix)(const double *base, const double *g, size_t m, const double *slope,
                   const double *curve, double *out, double *top)
{
    enum { NEXT = LANES < 8 ? LANES : 0 };
    const VD slope0 = NAMED(load)(slope), slope1 = NAMED(load)(slope + NEXT);
    const VD curve0 = NAMED(load)(curve), curve1 = NAMED(load)(curve + NEXT);
    VD sum0 = {0}, sum1 = {0}, top0 = sum0 - HUGE_VAL, top1 = top0;
    for (size_t i = 0; i < m; i++) {
        VD e0 = SHARE(0), e1 = SHARE(1);
        top0 = PICK(e0 > top0, e0, top0);
        top1 = PICK(e1 > top1, e1, top1);
    }
    for (size_t i = 0; i < m; i++) {
        VD e0 = SHARE(0) - top0, e1 = SHARE(1) - top1;
        VL some0 = (VL)(e0 > -40.0), some1 = (VL)(e1 > -40.0);
        if (NAMED(any)(some0 | some1)) {
            sum0 += (VD)((VL)NAMED(exp_of)(e0) & some0);
            sum1 += (VD)((VL)NAMED(exp_of)(e1) & some1);
        }
    }
    *(VD *)out = sum0;
    *(VD *)top = top0;
    *(VD *)(out + NEXT) = sum1;
    *(VD *)(top + NEXT) = top1;
}
#undef SHARE

TARGET static void NAMED(mixture)(const double *base, const double *g, size_t m,
                                  const double *slope, const double *curve, size_t n,
                                  double *out, double *top)
{
    for (size_t c = 0; c < n; c += LANES < 8 ? 2 * LANES : LANES)
        NAMED(mix)(base, g, m, slope + c, curve + c, out + c, top + c);
    NAMED(log)(out, n);
    for (size_t c = 0; c < n; c += LANES)
        *(VD *)(out + c) += NAMED(load)(top + c);
}

/* Of 32 partial sums, halves on halves, whatever the vectors' width. */
TARGET static double NAMED(add_up)(const VD *part)
{
    double lane[32];
    memcpy(lane, part, sizeof lane);
    for (int half = 16; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lane[j] += lane[j + half];
    return lane[0];
}

TARGET static double NAMED(dot)(const double *a, const double *b, size_t n)
{
    enum { PARTS = 32 / LANES };
    VD sum[PARTS] = {{0}};
    size_t i = 0;
    for (; i + 32 <= n; i += 32)
        for (int j = 0; j < PARTS; j++)
            sum[j] +=
                *(const VD *)(a + i + j * LANES) * *(const VD *)(b + i + j * LANES);
    for (; i < n; i += 8)
        for (int j = 0; j < 8 / LANES; j++)
            sum[j] +=
                *(const VD *)(a + i + j * LANES) * *(const VD *)(b + i + j * LANES);
    return NAMED(add_up)(sum);
}

TARGET static double NAMED(dot_of_three)(const double *a, const double *b,
                                         const double *c, size_t n)
{
    enum { PARTS = 32 / LANES };
    VD sum[PARTS] = {{0}};
    size_t i = 0;
    for (; i + 32 <= n; i += 32)
        for (int j = 0; j < PARTS; j++)
            sum[j] += *(const VD *)(a + i + j * LANES) *
                      *(const VD *)(b + i + j * LANES) *
                      *(const VD *)(c + i + j * LANES);
    for (; i < n; i += 8)
        for (int j = 0; j < 8 / LANES; j++)
            sum[j] += *(const VD *)(a + i + j * LANES) *
                      *(const VD *)(b + i + j * LANES) *
                      *(const VD *)(c + i + j * LANES);
    return NAMED(add_up)(sum);
}

TARGET static void NAMED(axpy)(double a, const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i += LANES)
        *(VD *)(y + i) += a * *(const VD *)(x + i);
}

TARGET static void NAMED(add_gap)(double scale, const double *x, double at, size_t n,
                                  double *sum)
{
    for (size_t i = 0; i < n; i += LANES) {
        VD gap = *(const VD *)(x + i) - at;
        *(VD *)(sum + i) += scale * (VD)((VL)gap & 0x7fffffffffffffff);
    }
}

/* One column of a tile: two vectors of sums, or one. By hand, as a loop over an array
 * of them would keep it in memory. */
#define COLUMN(j, x0, x1) (low##j += (x0)*b[j * next_j], high##j += (x1)*b[j * next_j])
#define STORE(j)                                                                       \
    do {                                                                               \
        *(VD *)(c + j * ldc) += sign * low##j;                                         \
        if (two)                                                                       \
            *(VD *)(c + j * ldc + LANES) += sign * high##j;                            \
    } while (0)

/* Two vectors of rows, or one, by four columns. */
FN void NAMED(tile)(double sign, const double *a, size_t lda, const double *b,
                    size_t next_k, size_t next_j, size_t depth, int two, double *c,
                    size_t ldc)
{
    VD low0 = {0}, low1 = {0}, low2 = {0}, low3 = {0};
    VD high0 = {0}, high1 = {0}, high2 = {0}, high3 = {0};
    for (size_t k = 0; k < depth; k++, a += lda, b += next_k) {
        const VD x0 = NAMED(load)(a), x1 = NAMED(load)(a + (two ? LANES : 0));
        COLUMN(0, x0, x1);
        COLUMN(1, x0, x1);
        COLUMN(2, x0, x1);
        COLUMN(3, x0, x1);
    }
    STORE(0);
    STORE(1);
    STORE(2);
    STORE(3);
}
#undef COLUMN
#undef STORE

/* So much of the depth at once that the rows of a tile stay in the nearest cache. */
TARGET static void NAMED(multiply)(double sign, const double *a, size_t lda,
                                   const double *b, size_t next_k, size_t next_j,
                                   size_t m, size_t n, size_t depth, double *c,
                                   size_t ldc)
{
    for (size_t k = 0; k < depth; k += DEPTH) {
        size_t count = depth - k < DEPTH ? depth - k : DEPTH;
        for (size_t i = 0; i < m; i += 2 * LANES)
            for (size_t j = 0; j < n; j += 4) {
                const double *x = a + k * lda + i, *y = b + k * next_k + j * next_j;
                double *to = c + j * ldc + i;
                if (i + LANES < m)
                    NAMED(tile)(sign, x, lda, y, next_k, next_j, count, 1, to, ldc);
                else
                    NAMED(tile)(sign, x, lda, y, next_k, next_j, count, 0, to, ldc);
            }
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

/* Sixteen draws at a time: a number of `lower` serves all of them. */
TARGET static void NAMED(squares)(const double *at, const double *mean,
                                  const double *lower, size_t rank, double *off,
                                  double *out)
{
    enum { PARTS = 16 / LANES };
    for (size_t k = 0; k < GPAI_VDRAWS; k += 16) {
        VD sum[PARTS] = {{0}};
        for (size_t i = 0; i < rank; i++) {
            const double *x = at + i * GPAI_VDRAWS + k;
            VD white[PARTS] = {{0}};
            for (int v = 0; v < PARTS; v++)
                *(VD *)(off + i * GPAI_VDRAWS + k + v * LANES) =
                    NAMED(load)(x + v * LANES) - mean[i];
            for (size_t j = 0; j <= i; j++) {
                const double *y = off + j * GPAI_VDRAWS + k, by = lower[i * rank + j];
                for (int v = 0; v < PARTS; v++)
                    white[v] += by * NAMED(load)(y + v * LANES);
            }
            for (int v = 0; v < PARTS; v++) {
                VD own = NAMED(load)(x + v * LANES);
                sum[v] += own * own - white[v] * white[v];
            }
        }
        for (int v = 0; v < PARTS; v++)
            *(VD *)(out + k + v * LANES) = sum[v];
    }
}

TARGET static void NAMED(project)(const double *at, const double *row, size_t m,
                                  double *out)
{
    size_t whole = m - m % 4;
    for (size_t k = 0; k < GPAI_VDRAWS; k += LANES) {
        VD s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        const double *x = at + k;
        for (size_t i = 0; i < whole; i += 4, x += 4 * GPAI_VDRAWS) {
            s0 += row[i] * NAMED(load)(x);
            s1 += row[i + 1] * NAMED(load)(x + GPAI_VDRAWS);
            s2 += row[i + 2] * NAMED(load)(x + 2 * GPAI_VDRAWS);
            s3 += row[i + 3] * NAMED(load)(x + 3 * GPAI_VDRAWS);
        }
        for (size_t i = whole; i < m; i++, x += GPAI_VDRAWS)
            s0 += row[i] * NAMED(load)(x);
        *(VD *)(out + k) = (s0 + s1) + (s2 + s3);
    }
}

/* One row: its part in three sums. */
#define ADD_ROW(x, w, first, second)                                                   \
    for (int v = 0; v < PARTS; v++) {                                                  \
        VD at = NAMED(load)((x) + v * LANES), r = at - mean[v], wr = (w)*r;            \
        first[v] += wr;                                                                \
        second[v] += wr * r;                                                           \
        above[v] += (VD)((VL)(at > 0) & (VL)((VD){0} + (w)));                          \
    }

TARGET static void NAMED(columns)(const double *x, size_t stride, const double *w,
                                  size_t n, size_t count, const double *from,
                                  double *first, double *second, double *positive)
{
    enum { PARTS = GPAI_VPAD / LANES };
    VD f0[PARTS] = {{0}}, f1[PARTS] = {{0}}, s0[PARTS] = {{0}}, s1[PARTS] = {{0}};
    VD above[PARTS] = {{0}}, mean[PARTS];
    double last[GPAI_VPAD] = {0}, shift[GPAI_VPAD] = {0};
    for (size_t k = 0; k < count; k++)
        shift[k] = from[k];
    for (int v = 0; v < PARTS; v++)
        mean[v] = NAMED(load)(shift + v * LANES);
    /* Behind the last row there may be nothing: rows that vectors would read past it
     * are copied. */
    size_t i = 0, all = n > 0 ? (n - 1) * stride + count : 0;
    size_t end = all < GPAI_VPAD ? 0 : (all - GPAI_VPAD) / stride + 1;
    for (; i + 2 <= end; i += 2) {
        ADD_ROW(x + i * stride, w[i], f0, s0)
        ADD_ROW(x + (i + 1) * stride, w[i + 1], f1, s1)
    }
    for (; i < n; i++) {
        for (size_t k = 0; k < count; k++)
            last[k] = x[i * stride + k];
        if (i % 2 == 0)
            ADD_ROW(last, w[i], f0, s0)
        else
            ADD_ROW(last, w[i], f1, s1)
    }
    for (size_t k = 0; k < count; k++) {
        size_t v = k / LANES, l = k % LANES;
        first[k] = f0[v][l] + f1[v][l];
        second[k] = s0[v][l] + s1[v][l];
        positive[k] = above[v][l];
    }
}
#undef ADD_ROW

/* Step by step, so that no place waits for another. */
TARGET static bool NAMED(series)(const double *table, double per_unit, double end,
                                 const double *z, size_t step, double *out, size_t next)
{
    typedef double pair __attribute__((vector_size(16), aligned(8), __may_alias__));
    double at[GPAI_VPOINTS];
    int node[GPAI_VPOINTS], far = 0;
    for (size_t i = 0; i < GPAI_VPOINTS; i++)
        at[i] = fabs(z[i * step]) * per_unit;
    for (size_t i = 0; i < GPAI_VPOINTS; i++)
        far |= !(at[i] < end); /* also what is not a number */
    if (far)
        return false;
    for (size_t i = 0; i < GPAI_VPOINTS; i++) {
        node[i] = (int)(at[i] + 0.5);
        at[i] -= node[i];
    }
    for (size_t i = 0; i < GPAI_VPOINTS; i++) {
        const pair *n = (const pair *)(table + 8 * (ptrdiff_t)node[i]);
        double t = at[i], t2 = t * t;
        pair sum = (n[0] + n[1] * t) + (n[2] + n[3] * t) * t2;
        at[i] = sum[0] + sum[1] * (t2 * t2);
    }
    for (size_t i = 0; i < GPAI_VPOINTS; i++)
        out[i * next] = copysign(at[i], z[i * step]);
    return true;
}

TARGET static void NAMED(cells)(const double *z, size_t step, size_t n, double centre,
                                double by, const uint16_t *guide, size_t places,
                                double end, const double *edge, uint32_t *cell)
{
    double x[GPAI_VCELLS], last = (double)places - 1,
                           scale = (double)places / (2 * end);
    int place[GPAI_VCELLS];
    for (size_t i = 0; i < n; i++)
        x[i] = (z[i * step] - centre) * by;
    for (size_t i = 0; i < n; i++) {
        double at = (x[i] + end) * scale;
        at = at > 0 ? at : 0;
        place[i] = (int)(at < last ? at : last);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t j = guide[place[i]];
        cell[i] = j + (uint32_t)(x[i] > edge[j + 1]);
    }
}

/* exp(-x) for x >= 0. */
FN VF NAMED(decay)(VF x)
{
    VF k = x * -LOG2E_F + ROUND_F;
    VF n = k - ROUND_F;
    VF r = (-x - n * LN2_HIGH_F) - n * LN2_LOW_F;
    VF p = r * EXP_F[5] + EXP_F[4];
    for (int i = 3; i >= 0; i--)
        p = p * r + EXP_F[i];
    return (VF)(((VI)p + ((VI)k << 23)) & (VI)(x < 87.0f));
}

TARGET static void NAMED(decays)(float *x, size_t n)
{
    for (size_t i = 0; i < n; i += 2 * LANES)
        *(VF *)(x + i) = NAMED(decay)(*(const VF *)(x + i));
}

#define GAP(j) sum##j += (VF)((VI)(x - row[j]) & 0x7fffffff);
#define DISTANCES(first)                                                               \
    VF sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};                                 \
    for (size_t k = 0; k < dims; k++, row += GPAI_VPANEL) {                            \
        const VF x = *(const VF *)(point + k * GPAI_VBLOCK + first);                   \
        GAP(0) GAP(1) GAP(2) GAP(3)                                                    \
    }

#define NEARER(j)                                                                      \
    least = (VF)(((VI)(sum##j < least) & (VI)sum##j) |                                 \
                 (~(VI)(sum##j < least) & (VI)least));

/* Floats: the sums over 64 rows are short, and the longer ones are in doubles. */
TARGET static void NAMED(kernel_sums)(const float *point, const float *rows,
                                      const float *weights, size_t panels, size_t dims,
                                      size_t outputs, float *part, double *out)
{
    const VF zero = {0};
    size_t numbers = outputs * GPAI_VBLOCK;
    for (size_t i = 0; i < numbers; i++)
        out[i] = 0;
    for (size_t start = 0; start < panels; start += 16) {
        size_t end = panels < start + 16 ? panels : start + 16;
        for (size_t i = 0; i < numbers; i += 2 * LANES)
            *(VF *)(part + i) = zero;
        for (size_t first = 0; first < GPAI_VBLOCK; first += 2 * LANES) {
            const float *row = rows + start * dims * GPAI_VPANEL;
            const float *w = weights + start * outputs * GPAI_VPANEL;
            for (size_t panel = start; panel < end; panel++) {
                DISTANCES(first)
                sum0 = NAMED(decay)(sum0);
                sum1 = NAMED(decay)(sum1);
                sum2 = NAMED(decay)(sum2);
                sum3 = NAMED(decay)(sum3);
                for (size_t t = 0; t < outputs; t++, w += GPAI_VPANEL) {
                    VF *to = (VF *)(part + t * GPAI_VBLOCK + first);
                    *to += (w[0] * sum0 + w[1] * sum1) + (w[2] * sum2 + w[3] * sum3);
                }
            }
        }
        for (size_t i = 0; i < numbers; i++)
            out[i] += (double)part[i];
    }
}

TARGET static void NAMED(nearest)(const float *point, const float *rows, size_t panels,
                                  size_t dims, float *out)
{
    for (size_t first = 0; first < GPAI_VBLOCK; first += 2 * LANES) {
        VF least = {0};
        const float *row = rows;
        least += FAR;
        for (size_t panel = 0; panel < panels; panel++) {
            DISTANCES(first)
            NEARER(0)
            NEARER(1)
            NEARER(2)
            NEARER(3)
        }
        *(VF *)(out + first) = least;
    }
}

#undef NEARER
#undef DISTANCES
#undef GAP
#undef PICK
#undef VI
#undef VF
