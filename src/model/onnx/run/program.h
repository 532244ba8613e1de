#ifndef GPAI_MODEL_ONNX_RUN_PROGRAM_H
#define GPAI_MODEL_ONNX_RUN_PROGRAM_H
#include "model/trees/forest.h"
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A graph as a list of steps. Each step computes, for a block of rows at once, the
 * numbers of one register from those of others. In memory a register is a matrix with a
 * line per number and a column ("lane") per row of the block; a constant has one column
 * that stands for all. */

/* Functions of one number x, with parameters p and q. M(f) is f of the type at hand,
 * R(c) a constant of it. NaN stays NaN but for THRESHOLDED. TANH, LOGISTIC are computed
 * elsewhere. */
#define GPAI_ONNX_UNARY(X)                                                             \
    X(ABS, M(fabs)(x))                                                                 \
    X(NEG, -x)                                                                         \
    X(EXP, M(exp)(x))                                                                  \
    X(LOG, M(log)(x))                                                                  \
    X(SQRT, M(sqrt)(x))                                                                \
    X(RECIPROCAL, 1 / x)                                                               \
    X(FLOOR, M(floor)(x))                                                              \
    X(CEIL, M(ceil)(x))                                                                \
    X(ROUND, M(rint)(x))                                                               \
    X(SIGN, x > 0 ? 1 : x < 0 ? -1 : x)                                                \
    X(SIN, M(sin)(x))                                                                  \
    X(COS, M(cos)(x))                                                                  \
    X(TAN, M(tan)(x))                                                                  \
    X(ATAN, M(atan)(x))                                                                \
    X(ERF, M(erf)(x))                                                                  \
    X(RELU, x < 0 ? 0 : x)                                                             \
    X(LEAKY_RELU, x < 0 ? p * x : x)                                                   \
    X(ELU, x < 0 ? p * M(expm1)(x) : x)                                                \
    X(SELU, x > 0 ? q * x : q * p * M(expm1)(x))                                       \
    X(CELU, x > 0 ? x : p * M(expm1)(x / p))                                           \
    X(THRESHOLDED, x > p ? x : 0)                                                      \
    X(HARD_SIGMOID, CLAMP(p *x + q, 0, 1))                                             \
    X(HARD_SWISH, x *CLAMP(x / 6 + R(0.5), 0, 1))                                      \
    X(SOFTPLUS, M(log1p)(M(exp)(-M(fabs)(x))) + (x < 0 ? 0 : x))                       \
    X(SOFTSIGN, x / (1 + M(fabs)(x)))                                                  \
    X(GELU, R(0.5) * x * (1 + M(erf)(x * R(0.70710678118654752440))))                  \
    X(CLIP, CLAMP(x, p, q))                                                            \
    X(NOT, 1 - x)                                                                      \
    X(ZERO_TO_ONE, x<0 || x> 0 || x != x ? x : 1)

/* Functions of two numbers x and y. */
#define GPAI_ONNX_BINARY(X)                                                            \
    X(ADD, x + y)                                                                      \
    X(SUB, x - y)                                                                      \
    X(MUL, x *y)                                                                       \
    X(DIV, x / y)                                                                      \
    X(POW, M(pow)(x, y))                                                               \
    X(MAX, x > y || x != x ? x : y)                                                    \
    X(MIN, x < y || x != x ? x : y)                                                    \
    X(PRELU, x < 0 ? x * y : x)                                                        \
    X(LESS, x < y)                                                                     \
    X(LESS_EQUAL, x <= y)                                                              \
    X(EQUAL, SAME(x, y))                                                               \
    X(AND, x *y)                                                                       \
    X(OR, x + y - x * y)                                                               \
    X(FILL_NAN, x != x ? y : x)                                                        \
    X(KEEP, x > 0 ? y : 0)                                                             \
    X(DROP, x > 0 ? 0 : y)

/* What is made of many numbers. */
typedef enum gpai_onnx_reduction {
    GPAI_ONNX_SUM,
    GPAI_ONNX_MEAN,
    GPAI_ONNX_LEAST,
    GPAI_ONNX_GREATEST,
    GPAI_ONNX_SUM_ABS,
    GPAI_ONNX_SUM_SQUARE,
    GPAI_ONNX_ROOT_SQUARE
} gpai_onnx_reduction;

/* Kernels of support vector machines. */
typedef enum gpai_onnx_svm {
    GPAI_ONNX_SVM_LINEAR,
    GPAI_ONNX_SVM_POLY,
    GPAI_ONNX_SVM_RBF,
    GPAI_ONNX_SVM_SIGMOID
} gpai_onnx_svm;

enum {
#define X(name, expression) GPAI_ONNX_##name,
    GPAI_ONNX_UNARY(X) GPAI_ONNX_TANH,
    GPAI_ONNX_LOGISTIC
};
enum {
    GPAI_ONNX_BINARY(X) GPAI_ONNX_BINARIES
#undef X
};

typedef enum gpai_onnx_kind {
    GPAI_ONNX_UNARY_STEP,  /* out[i] = f(a[i]) */
    GPAI_ONNX_BINARY_STEP, /* out[i] = f(a[map_a[i]], b[map_b[i]]) */
    GPAI_ONNX_PICK_STEP,   /* out[i] = a[map_a[i]] */
    GPAI_ONNX_REDUCE_STEP, /* out[i] = f(a[map_a[k i]], …, a[map_a[k i + k - 1]]) */
    GPAI_ONNX_GEMM_STEP,   /* out (m by n / m) = p a (m by k) w + bias */
    GPAI_ONNX_SVM_STEP,    /* out = sum_j bias[j] K(a, w[j]) + p, of k vectors */
    GPAI_ONNX_CAST_STEP,   /* to `wide` from the other type */
    GPAI_ONNX_FOREST_STEP  /* out = forest(a) / p + q as float; b is room to work in,
                            * `function` says whether a is double */
} gpai_onnx_kind;

/* Numbers of a register from `first` on, or constant ones. */
typedef struct gpai_onnx_place {
    size_t reg, first;
    const void *data; /* NULL: the register */
} gpai_onnx_place;

typedef struct gpai_onnx_step {
    gpai_onnx_kind kind;
    int function;
    bool wide; /* double, not float */
    gpai_onnx_place out, a, b;
    const uint32_t *map_a, *map_b; /* NULL: i itself */
    size_t n;                      /* numbers of a row in `out` */
    size_t m, k, d;                /* d: numbers of a row in `a` */
    const void *w, *bias;
    double p, q;
    gpai_forest *forest; /* the program's */
} gpai_onnx_step;

/* The inputs stand in two registers of their own, as float and as double. */
enum { GPAI_ONNX_INPUT = 0, GPAI_ONNX_INPUT_WIDE = 1 };

/* Numbers of a row that steps fill and read. */
typedef struct gpai_onnx_reg {
    size_t bytes;  /* per row */
    size_t last;   /* the last step that has to do with it */
    size_t buffer; /* from 1; 0: none yet */
    bool used;
} gpai_onnx_reg;

/* Memory for registers, one after the other. */
typedef struct gpai_onnx_buffer {
    size_t bytes, offset;
    bool busy;
} gpai_onnx_buffer;

/* Memory that is freed all at once, with a limit in all: what a file makes the reader
 * compute can be far larger than the file itself. */
typedef struct gpai_onnx_pool {
    struct gpai_onnx_block *blocks;
    size_t left; /* bytes */
    bool full;   /* the limit was met */
} gpai_onnx_pool;

void *gpai_onnx_take(gpai_onnx_pool *pool, size_t n, size_t size); /* zeroed, or NULL */
void gpai_onnx_drop(gpai_onnx_pool *pool);

/* The answer when gpai_onnx_take gave nothing. */
gpa_status gpai_onnx_starved(const gpai_onnx_pool *pool, const char *path,
                             gpa_error *err);

typedef struct gpai_onnx_program {
    gpai_onnx_pool pool; /* for what steps point to */
    size_t inputs;
    gpai_onnx_step *step;
    gpai_onnx_reg *reg;
    gpai_onnx_buffer *buffer;
    size_t steps, regs, buffers;
    size_t step_room, reg_room;
    size_t block; /* rows */
    size_t bytes; /* of scratch for gpai_onnx_run */
    double cost;
    gpai_onnx_place out;
    bool out_wide;
} gpai_onnx_program;

gpa_status gpai_onnx_program_new(gpai_onnx_program **out, size_t inputs, size_t memory,
                                 gpa_error *err);
void gpai_onnx_program_free(void *program);

/* A register of n numbers; false when there is no memory. */
bool gpai_onnx_register(gpai_onnx_program *p, size_t n, bool wide, size_t *reg);

/* Appends a step, which costs so many operations a row; the forest is taken over. */
bool gpai_onnx_append(gpai_onnx_program *p, const gpai_onnx_step *step, double cost);

/* Says which number is the prediction and finds a place for every register; `path` is
 * for the message when the program is too large. */
gpa_status gpai_onnx_finish(gpai_onnx_program *p, gpai_onnx_place out, bool wide,
                            const char *path, gpa_error *err);

/* A forest on the inputs themselves reads the caller's rows. */
static inline bool gpai_onnx_reads_rows(const gpai_onnx_step *s)
{
    return s->kind == GPAI_ONNX_FOREST_STEP && s->a.reg <= GPAI_ONNX_INPUT_WIDE;
}

/* One step with its addresses, for `lanes` rows: 1 or a multiple of 8. */
typedef struct gpai_onnx_call {
    const gpai_onnx_step *step;
    size_t lanes;
    void *out;
    const void *a, *b;
} gpai_onnx_call;

/* The steps for one instruction set, by their kind and type of number; none for casts
 * and forests. Every set gives the same bytes. */
typedef void (*gpai_onnx_kernel)(const gpai_onnx_call *c);
typedef struct gpai_onnx_kernels {
    const gpai_onnx_kernel *narrow, *wide;
} gpai_onnx_kernels;

/* The i-th instruction set that this machine has, fastest first; NULL beyond the last.
 */
const gpai_onnx_kernels *gpai_onnx_kernels_at(size_t i);

void gpai_onnx_compute(const gpai_onnx_kernels *k, const gpai_onnx_call *c);

/* Predictions of n rows. `scratch` holds p->bytes, starts on a cache line and belongs
 * to one thread. A row's result is the same bytes whatever n, its place and the
 * instruction set. */
void gpai_onnx_run(const gpai_onnx_program *p, const gpai_onnx_kernels *kernels,
                   char *scratch, const double *x, size_t n, double *y);

#endif
