#include "model/net.h"
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

static void free_dense(gpai_dense *l)
{
    gpai_free(l->b);
    gpai_free(l->w);
    *l = (gpai_dense){0};
}

/* Copies `w` (row-major, in by out) and `b`. */
static gpa_status init_dense(gpai_dense *l, size_t in, size_t out, const double *w,
                             const double *b, gpa_error *err)
{
    *l = (gpai_dense){.in = in, .out = out};
    double *to =
        out > SIZE_MAX / sizeof *to / in ? NULL : gpai_calloc(in * out, sizeof *to);
    l->w = to;
    l->b = gpai_calloc(out, sizeof *l->b);
    if (l->w == NULL || l->b == NULL) {
        free_dense(l);
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

enum { BLOCK = GPAI_DENSE_BLOCK };

struct gpai_net {
    gpai_activation activation;
    size_t max_layers, layers;
    /* Two buffers take turns: the inputs and the outputs of every second layer lie in
     * the first, the others in the second. So wide each must be. */
    size_t width[2];
    gpai_dense layer[];
};

gpa_status gpai_net_new(gpai_net **out, gpai_activation activation, size_t max_layers,
                        gpa_error *err)
{
    *out = gpai_calloc(1, sizeof **out + max_layers * sizeof(gpai_dense));
    if (*out == NULL)
        return gpai_nomem(err, "net");
    (*out)->activation = activation;
    (*out)->max_layers = max_layers;
    return GPA_OK;
}

static void widen(size_t *width, size_t to)
{
    if (*width < to)
        *width = to;
}

gpa_status gpai_net_add(gpai_net *net, size_t in, size_t out, const double *w,
                        const double *b, gpa_error *err)
{
    gpa_status st = init_dense(&net->layer[net->layers], in, out, w, b, err);
    if (st != GPA_OK)
        return st;
    widen(&net->width[net->layers % 2], in);
    net->layers++;
    widen(&net->width[net->layers % 2], out);
    return GPA_OK;
}

void gpai_net_free(void *self)
{
    gpai_net *net = self;
    if (net == NULL)
        return;
    for (size_t i = 0; i < net->layers; i++)
        free_dense(&net->layer[i]);
    gpai_free(net);
}

size_t gpai_net_scratch(const gpai_net *net)
{
    return BLOCK * (net->width[0] + net->width[1]);
}

/* The layer itself has done GPAI_RELU. */
static void activate(const gpai_net *net, const gpai_isa *isa, double *z, size_t n)
{
    if (net->activation == GPAI_TANH)
        isa->tanh(z, n);
    else if (net->activation == GPAI_LOGISTIC)
        isa->logistic(z, n);
}

static size_t padded(size_t rows)
{
    return (rows + GPAI_DENSE_PAD - 1) / GPAI_DENSE_PAD * GPAI_DENSE_PAD;
}

/* The same for the outputs of a block, whose columns beyond the padding are not used.
 */
static void activate_block(const gpai_net *net, const gpai_isa *isa, double *z,
                           size_t out, size_t rows)
{
    if (padded(rows) == BLOCK)
        activate(net, isa, z, out * BLOCK);
    else
        for (size_t j = 0; j < out; j++)
            activate(net, isa, z + j * BLOCK, padded(rows));
}

/* Columns of inputs, one per row; the columns that fill up the last vector are 0. Four
 * rows at a time, for stores that lie together can become one. */
static void transpose(const double *x, size_t rows, size_t d, double *a)
{
    size_t end = padded(rows);
    size_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const double *x0 = x + r * d, *x1 = x0 + d, *x2 = x1 + d, *x3 = x2 + d;
        double *to = a + r;
        for (size_t k = 0; k < d; k++, to += BLOCK) {
            to[0] = x0[k];
            to[1] = x1[k];
            to[2] = x2[k];
            to[3] = x3[k];
        }
    }
    for (; r < end; r++) {
        for (size_t k = 0; k < d; k++)
            a[k * BLOCK + r] = r < rows ? x[r * d + k] : 0;
    }
}

static void run_block(const gpai_net *net, const gpai_isa *isa, double *const buffer[2],
                      const double *x, size_t rows, double *y)
{
    transpose(x, rows, net->layer[0].in, buffer[0]);
    for (size_t i = 0; i < net->layers; i++) {
        const gpai_dense *l = &net->layer[i];
        bool last = i + 1 == net->layers;
        double *z = buffer[(i + 1) % 2];
        isa->block(l, !last && net->activation == GPAI_RELU, buffer[i % 2], rows, z);
        if (!last)
            activate_block(net, isa, z, l->out, rows);
    }
    memcpy(y, buffer[net->layers % 2], rows * sizeof *y);
}

static void run_row(const gpai_net *net, const gpai_isa *isa, double *const buffer[2],
                    const double *x, double *y)
{
    const double *a = x;
    for (size_t i = 0; i < net->layers; i++) {
        const gpai_dense *l = &net->layer[i];
        bool last = i + 1 == net->layers;
        double *z = buffer[(i + 1) % 2];
        isa->row(l, !last && net->activation == GPAI_RELU, a, z);
        if (!last)
            activate(net, isa, z, l->out);
        a = z;
    }
    *y = a[0];
}

void gpai_net_run(const gpai_net *net, const gpai_isa *isa, double *scratch,
                  const double *x, size_t n, double *y)
{
    size_t d = net->layer[0].in;
    /* Fewer rows than this are faster one by one than as a vector with empty lanes. */
    size_t few = isa->lanes < 4 ? isa->lanes : 4;
    double *const buffer[2] = {scratch, scratch + BLOCK * net->width[0]};
    while (n > 0) {
        size_t rows = n < BLOCK ? n : BLOCK, rest = rows % isa->lanes;
        if (rest < few)
            rows -= rest;
        if (rows > 0) {
            run_block(net, isa, buffer, x, rows, y);
        } else {
            run_row(net, isa, buffer, x, y);
            rows = 1;
        }
        x += rows * d;
        y += rows;
        n -= rows;
    }
}

static void compute(const void *self, void *scratch, const double *x, size_t n,
                    size_t d, double *y)
{
    (void)d;
    gpai_net_run(self, gpai_isa_at(0), scratch, x, n, y);
}

static size_t scratch_bytes(const void *self)
{
    return gpai_net_scratch(self) * sizeof(double);
}

const gpai_model_ops gpai_net_ops = {
    .kind = "net",
    .compute = compute,
    .scratch = scratch_bytes,
    .close = gpai_net_free,
    .in_process = true,
    .refuses_missing = true, /* any NaN among the inputs is one in the prediction */
};
