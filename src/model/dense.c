#include "model/dense.h"
#include "base/alloc.h"
#include "base/cpu.h"
#include "base/status.h"
#include <stdint.h>
#include <string.h>

/* Weights lie in panels of 8 outputs, the rest in panels of 4, 2 and 1: all weights of
 * a panel are next to each other, inputs outside, outputs inside. A panel is what one
 * pass over the inputs computes. */
static size_t panel_width(size_t outputs_left)
{
    return outputs_left >= 8 ? 8 : outputs_left >= 4 ? 4 : outputs_left >= 2 ? 2 : 1;
}

gpa_status gpai_dense_init(gpai_dense *l, size_t in, size_t out, const double *w,
                           const double *b, gpa_error *err)
{
    *l = (gpai_dense){.in = in, .out = out};
    double *to =
        out > SIZE_MAX / sizeof *to / in ? NULL : gpai_calloc(in * out, sizeof *to);
    l->w = to;
    l->b = gpai_calloc(out, sizeof *l->b);
    if (l->w == NULL || l->b == NULL) {
        gpai_dense_free(l);
        return gpai_nomem(err, "dense");
    }
    for (size_t j = 0, width; j < out; j += width) {
        width = panel_width(out - j);
        for (size_t k = 0; k < in; k++) {
            for (size_t i = 0; i < width; i++)
                *to++ = w[k * out + j + i];
        }
    }
    for (size_t j = 0; j < out; j++)
        l->b[j] = b[j];
    return GPA_OK;
}

void gpai_dense_free(gpai_dense *l)
{
    gpai_free(l->b);
    gpai_free(l->w);
    *l = (gpai_dense){0};
}

/* A panel of fewer than 8 outputs for one row. */
static void row_tail(size_t n, size_t width, bool relu, const double *w,
                     const double *b, const double *a, double *z)
{
    for (size_t j = 0; j < width; j++) {
        double acc = b[j];
        for (size_t k = 0; k < n; k++)
            acc += a[k] * w[k * width + j];
        z[j] = relu && acc < 0 ? 0 : acc;
    }
}

/* For exp: ln 2 in two parts, of which the first times a small integer is exact; and
 * the coefficients of its series. */
#define LN2          0x1.62e42fefa39efp-1
#define LN2_HIGH     0x1.62e42feep-1
#define LN2_LOW      0x1.a39ef35793c76p-33
#define TAYLOR(n)    (1.0 / FACTORIAL_##n)
#define FACTORIAL_2  2
#define FACTORIAL_3  6
#define FACTORIAL_4  24
#define FACTORIAL_5  120
#define FACTORIAL_6  720
#define FACTORIAL_7  5040
#define FACTORIAL_8  40320
#define FACTORIAL_9  362880
#define FACTORIAL_10 3628800
#define FACTORIAL_11 39916800
#define FACTORIAL_12 479001600
#define FACTORIAL_13 6227020800

#define EACH1(X) X(0)
#define EACH2(X) EACH1(X) X(1)
#define EACH4(X) EACH2(X) X(2) X(3)
#define EACH8(X) EACH4(X) X(4) X(5) X(6) X(7)

#if GPAI_X86
#define LANES       8
#define EACH_VECTOR EACH1
#define TARGET      __attribute__((target("avx512f")))
#define NAMED(x)    avx512_##x
#include "model/dense_kernel.h"

#define LANES       4
#define EACH_VECTOR EACH2
#define TARGET      __attribute__((target("avx2")))
#define NAMED(x)    avx2_##x
#include "model/dense_kernel.h"
#endif

#define LANES       2
#define EACH_VECTOR EACH4
#define TARGET
#define NAMED(x) plain_##x
#include "model/dense_kernel.h"

static const gpai_isa sets[] = {
#if GPAI_X86
    {"avx512", 8, avx512_block, avx512_row, avx512_all_tanh, avx512_all_logistic},
    {"avx2", 4, avx2_block, avx2_row, avx2_all_tanh, avx2_all_logistic},
#endif
    {"plain", 2, plain_block, plain_row, plain_all_tanh, plain_all_logistic},
};

const gpai_isa *gpai_isa_at(size_t i)
{
    i += gpai_cpu_lacks();
    return i < sizeof sets / sizeof sets[0] ? &sets[i] : NULL;
}
