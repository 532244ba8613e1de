/* The code of one dense layer for one instruction set; a template without include
 * guard. net.c includes it once per instruction set, with these macros:
 *
 * - LANES: doubles in a vector
 * - EACH_VECTOR: the EACH macro for 8 / LANES
 * - TARGET: the attribute that allows the instructions
 * - NAMED(x): the name that x gets in this instance
 *
 * A plain inline function would not do: gcc splits vectors that the caller's target has
 * but the function's own does not, before it inlines. */

typedef double NAMED(vec)
    __attribute__((vector_size(8 * LANES), aligned(8), __may_alias__));
typedef long long NAMED(mask) __attribute__((vector_size(8 * LANES)));

/* Not `z > 0 ? z : 0`, which would make a number of NaN. */
#define RELU(z) ((NAMED(vec))((NAMED(mask))(z) & ~(NAMED(mask))((z) < zero)))

/* LANES rows times the outputs of a panel: each accumulator is one output, its lanes
 * the rows. Eight of them hide the latency of an addition. */
#define START(j) NAMED(vec) acc##j = b[j] - zero;
#define STEP(j)  acc##j += in * w[j];
#define STORE(j)                                                                       \
    *(NAMED(vec) *)(z + j * GPAI_DENSE_BLOCK) = relu ? RELU(acc##j) : acc##j;
#define PANEL(width, EACH)                                                             \
    TARGET static void NAMED(panel##width)(size_t n, bool relu, const double *w,       \
                                           const double *b, const double *a,           \
                                           double *z)                                  \
    {                                                                                  \
        const NAMED(vec) zero = {0};                                                   \
        EACH(START)                                                                    \
        for (size_t k = 0; k < n; k++, w += width, a += GPAI_DENSE_BLOCK) {            \
            const NAMED(vec) in = *(const NAMED(vec) *)a;                              \
            EACH(STEP)                                                                 \
        }                                                                              \
        EACH(STORE)                                                                    \
    }
PANEL(8, EACH8)
PANEL(4, EACH4)
PANEL(2, EACH2)
PANEL(1, EACH1)
#undef START
#undef STEP
#undef STORE
#undef PANEL

TARGET static void NAMED(block)(const gpai_dense *l, bool relu, const double *a,
                                size_t rows, double *z)
{
    const double *w = l->w;
    for (size_t j = 0, width; j < l->out; j += width, w += width * l->in) {
        width = panel_width(l->out - j);
        for (size_t r = 0; r < rows; r += LANES) {
            double *to = z + j * GPAI_DENSE_BLOCK + r;
            if (width == 8)
                NAMED(panel8)(l->in, relu, w, l->b + j, a + r, to);
            else if (width == 4)
                NAMED(panel4)(l->in, relu, w, l->b + j, a + r, to);
            else if (width == 2)
                NAMED(panel2)(l->in, relu, w, l->b + j, a + r, to);
            else
                NAMED(panel1)(l->in, relu, w, l->b + j, a + r, to);
        }
    }
}

/* One row: the lanes are the outputs of a panel, whose eight take 8 / LANES vectors. */
#define START(v) NAMED(vec) acc##v = *(const NAMED(vec) *)(b + v * LANES);
#define STEP(v)  acc##v += *(const NAMED(vec) *)(w + v * LANES) * a[k];
#define STORE(v) *(NAMED(vec) *)(z + v * LANES) = relu ? RELU(acc##v) : acc##v;
TARGET static void NAMED(row8)(size_t n, bool relu, const double *w, const double *b,
                               const double *a, double *z)
{
    const NAMED(vec) zero = {0};
    EACH_VECTOR(START)
    for (size_t k = 0; k < n; k++, w += 8) {
        EACH_VECTOR(STEP)
    }
    EACH_VECTOR(STORE)
}
#undef START
#undef STEP
#undef STORE

TARGET static void NAMED(row)(const gpai_dense *l, bool relu, const double *a,
                              double *z)
{
    const double *w = l->w;
    for (size_t j = 0, width; j < l->out; j += width, w += width * l->in) {
        width = panel_width(l->out - j);
        if (width == 8)
            NAMED(row8)(l->in, relu, w, l->b + j, a, z + j);
        else
            row_tail(l->in, width, relu, w, l->b + j, a, z + j);
    }
}

#include "model/activation_kernel.h"

#undef RELU
#undef LANES
#undef EACH_VECTOR
#undef TARGET
#undef NAMED
