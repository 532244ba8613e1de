/* The steps of a program for one type of number and one instruction set; a template
 * without include guard. kernels.c includes it with these macros:
 *
 * - REAL: float or double
 * - M(f): the C library's f for this type
 * - TARGET: the attribute that allows the instructions
 * - NAMED(x): the name that x gets in this instance
 *
 * No sum depends on the number of lanes, so every way to compute one gives the same
 * bytes. */

#define LANES (32 / sizeof(REAL))
typedef REAL NAMED(vec)
    __attribute__((vector_size(32), aligned(sizeof(REAL)), __may_alias__));

TARGET static inline REAL NAMED(clamp)(REAL x, REAL low, REAL high)
{
    return x < low ? low : x > high ? high : x;
}
#define CLAMP(x, low, high) NAMED(clamp)(x, low, high)
#define R(c)                ((REAL)(c))

/* Through double, whose functions are vectorised. */
TARGET static void NAMED(through)(void (*function)(double *, size_t), const REAL *a,
                                  REAL *out, size_t n)
{
    double buffer[64];
    for (size_t i = 0, some; i < n; i += some) {
        some = n - i < 64 ? n - i : 64;
        for (size_t k = 0; k < some; k++)
            buffer[k] = (double)a[i + k];
        function(buffer, some);
        for (size_t k = 0; k < some; k++)
            out[i + k] = (REAL)buffer[k];
    }
}

#define X(name, expression)                                                            \
    case GPAI_ONNX_##name:                                                             \
        for (size_t i = 0; i < n; i++) {                                               \
            const REAL x = a[i];                                                       \
            out[i] = expression;                                                       \
        }                                                                              \
        break;
TARGET static void NAMED(unary)(const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
    const REAL *a = c->a, p = (REAL)s->p, q = (REAL)s->q;
    const size_t n = s->n * c->lanes;
    REAL *out = c->out;
    switch (s->function) {
        GPAI_ONNX_UNARY(X)
    case GPAI_ONNX_TANH:
        NAMED(through)(gpai_isa_at(0)->tanh, a, out, n);
        break;
    default:
        NAMED(through)(gpai_isa_at(0)->logistic, a, out, n);
        break;
    }
}
#undef X

/* One function for n pairs; a step of 0 repeats the same number. */
#define X(name, expression)                                                            \
    case GPAI_ONNX_##name:                                                             \
        for (size_t i = 0; i < n; i++) {                                               \
            const REAL x = a[i * step_a], y = b[i * step_b];                           \
            out[i] = (REAL)(expression);                                               \
        }                                                                              \
        break;
TARGET static void NAMED(pairs)(int function, size_t n, const REAL *a, size_t step_a,
                                const REAL *b, size_t step_b, REAL *out)
{
    switch (function) {
        GPAI_ONNX_BINARY(X)
    default:
        break;
    }
}
#undef X

TARGET static void NAMED(binary)(const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
    const size_t step_a = s->a.data == NULL, step_b = s->b.data == NULL;
    const size_t wide_a = step_a ? c->lanes : 1, wide_b = step_b ? c->lanes : 1;
    const REAL *a = c->a, *b = c->b;
    REAL *out = c->out;
    if (step_a && step_b && s->map_a == NULL && s->map_b == NULL) {
        NAMED(pairs)(s->function, s->n * c->lanes, a, 1, b, 1, out);
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t from_a = s->map_a != NULL ? s->map_a[i] : i;
        size_t from_b = s->map_b != NULL ? s->map_b[i] : i;
        NAMED(pairs)
        (s->function, c->lanes, a + from_a * wide_a, step_a, b + from_b * wide_b,
         step_b, out + i * c->lanes);
    }
}

TARGET static void NAMED(pick)(const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
    const REAL *a = c->a;
    REAL *out = c->out;
    for (size_t i = 0; i < s->n; i++, out += c->lanes) {
        size_t from = s->map_a != NULL ? s->map_a[i] : i;
        if (s->a.data == NULL)
            memcpy(out, a + from * c->lanes, c->lanes * sizeof *out);
        else
            for (size_t l = 0; l < c->lanes; l++)
                memcpy(out + l, a + from, sizeof *out);
    }
}

TARGET static inline REAL NAMED(joined)(int function, REAL sum, REAL x)
{
    switch (function) {
    case GPAI_ONNX_LEAST:
        return sum < x || sum != sum ? sum : x;
    case GPAI_ONNX_GREATEST:
        return sum > x || sum != sum ? sum : x;
    case GPAI_ONNX_SUM_ABS:
        return sum + M(fabs)(x);
    case GPAI_ONNX_SUM_SQUARE:
    case GPAI_ONNX_ROOT_SQUARE:
        return sum + x * x;
    default:
        return sum + x;
    }
}

TARGET static void NAMED(reduce)(const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
    const bool extreme =
        s->function == GPAI_ONNX_LEAST || s->function == GPAI_ONNX_GREATEST;
    const REAL *a = c->a;
    REAL *out = c->out;
    for (size_t i = 0; i < s->n * c->lanes; i++) {
        const uint32_t *from = s->map_a + i / c->lanes * s->k;
        REAL sum = extreme ? a[from[0] * c->lanes + i % c->lanes] : 0;
        for (size_t j = 0; j < s->k; j++)
            sum = NAMED(joined)(s->function, sum, a[from[j] * c->lanes + i % c->lanes]);
        if (s->function == GPAI_ONNX_MEAN)
            sum /= (REAL)s->k;
        out[i] = s->function == GPAI_ONNX_ROOT_SQUARE ? M(sqrt)(sum) : sum;
    }
}

/* Some outputs of one line of a times w, for LANES rows: each accumulator is an output,
 * its lanes the rows. */
#define START(j) NAMED(vec) sum##j = {0};
#define STEP(j)  sum##j += in * w[j];
#define STORE(j) *(NAMED(vec) *)(out + j * lanes) = sum##j * p + bias[j];
#define TILE(width, EACH)                                                              \
    TARGET static void NAMED(tile##width)(size_t k, size_t n, size_t lanes,            \
                                          const REAL *a, const REAL *w,                \
                                          const REAL *bias, REAL p, REAL *out)         \
    {                                                                                  \
        EACH(START)                                                                    \
        for (size_t i = 0; i < k; i++, a += lanes, w += n) {                           \
            const NAMED(vec) in = *(const NAMED(vec) *)a;                              \
            EACH(STEP)                                                                 \
        }                                                                              \
        EACH(STORE)                                                                    \
    }
TILE(4, EACH4)
TILE(1, EACH1)
#undef START
#undef STEP
#undef STORE
#undef TILE

/* One line of a, for many rows. */
TARGET static void NAMED(gemm_block)(const gpai_onnx_step *s, size_t lanes, size_t n,
                                     const REAL *a, REAL *out)
{
    const REAL *w = s->w, *bias = s->bias, p = (REAL)s->p;
    size_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (size_t l = 0; l < lanes; l += LANES)
            NAMED(tile4)
    (s->k, n, lanes, a + l, w + j, bias + j, p, out + j * lanes + l);
    for (; j < n; j++)
        for (size_t l = 0; l < lanes; l += LANES)
            NAMED(tile1)
    (s->k, n, lanes, a + l, w + j, bias + j, p, out + j * lanes + l);
}

/* The same for one row: now the lanes are the outputs. */
TARGET static void NAMED(gemm_row)(const gpai_onnx_step *s, size_t n, const REAL *a,
                                   REAL *out)
{
    const REAL *w = s->w, *bias = s->bias, p = (REAL)s->p;
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        NAMED(vec) sum = {0};
        for (size_t i = 0; i < s->k; i++)
            sum += a[i] * *(const NAMED(vec) *)(w + i * n + j);
        *(NAMED(vec) *)(out + j) = sum * p + *(const NAMED(vec) *)(bias + j);
    }
    for (; j < n; j++) {
        REAL sum = 0;
        for (size_t i = 0; i < s->k; i++)
            sum += a[i] * w[i * n + j];
        out[j] = sum * p + bias[j];
    }
}

TARGET static void NAMED(gemm)(const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
    const size_t n = s->n / s->m;
    for (size_t i = 0; i < s->m; i++) {
        const REAL *a = (const REAL *)c->a + i * s->k * c->lanes;
        REAL *out = (REAL *)c->out + i * n * c->lanes;
        if (c->lanes == 1)
            NAMED(gemm_row)(s, n, a, out);
        else
            NAMED(gemm_block)(s, c->lanes, n, a, out);
    }
}

/* K of one row, whose numbers lie `lanes` apart, and one support vector. Behind the
 * coefficients stand gamma, coef0 and the degree. */
TARGET static REAL NAMED(similar)(const gpai_onnx_step *s, const REAL *a, size_t lanes,
                                  const REAL *vector)
{
    const REAL *k = (const REAL *)s->bias + s->k;
    REAL sum = 0;
    for (size_t i = 0; i < s->d; i++) {
        REAL x = a[i * lanes];
        sum += s->function == GPAI_ONNX_SVM_RBF ? (x - vector[i]) * (x - vector[i])
                                                : x * vector[i];
    }
    switch (s->function) {
    case GPAI_ONNX_SVM_RBF:
        return M(exp)(-k[0] * sum);
    case GPAI_ONNX_SVM_POLY:
        return M(pow)(k[0] * sum + k[1], k[2]);
    case GPAI_ONNX_SVM_SIGMOID:
        return M(tanh)(k[0] * sum + k[1]);
    default:
        return sum;
    }
}

TARGET static void NAMED(svm)(const gpai_onnx_call *c)
{
    const gpai_onnx_step *s = c->step;
    const REAL *a = c->a, *w = s->w, *coefficient = s->bias;
    REAL *out = c->out;
    for (size_t l = 0; l < c->lanes; l++) {
        REAL sum = 0;
        for (size_t j = 0; j < s->k; j++)
            sum += coefficient[j] * NAMED(similar)(s, a + l, c->lanes, w + j * s->d);
        out[l] = sum + (REAL)s->p;
    }
}

/* In the order of gpai_onnx_kind. */
static const gpai_onnx_kernel NAMED(all)[] = {NAMED(unary),  NAMED(binary), NAMED(pick),
                                              NAMED(reduce), NAMED(gemm),   NAMED(svm)};

#undef CLAMP
#undef R
#undef REAL
#undef LANES
#undef M
#undef TARGET
#undef NAMED
