#ifndef GPAI_MODEL_DENSE_H
#define GPAI_MODEL_DENSE_H
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* One dense layer, z = b + x W, and the vector code that computes it.
 *
 * Every way of computing it (block or single row, any instruction set) adds b first and
 * then x[0] W[0][j], x[1] W[1][j], … in this order, each product rounded before it is
 * added. So they all give the same bytes, and a row's result never depends on its
 * neighbours. */
typedef struct gpai_dense {
    size_t in, out;
    double *w; /* in panels: see dense.c */
    double *b;
} gpai_dense;

/* Copies `w` (row-major, in by out) and `b`. */
gpa_status gpai_dense_init(gpai_dense *l, size_t in, size_t out, const double *w,
                           const double *b, gpa_error *err);
void gpai_dense_free(gpai_dense *l);

/* Rows in a block, and the numbers it is padded to a multiple of: the widest vector. */
enum { GPAI_DENSE_BLOCK = 16, GPAI_DENSE_PAD = 8 };

/* What one instruction set offers. With `relu`, negative results become 0; NaN stays.
 */
typedef struct gpai_isa {
    const char *name;
    size_t lanes; /* rows that are computed together */
    /* `a` is in by GPAI_DENSE_BLOCK, `z` out by GPAI_DENSE_BLOCK: a column per row. The
     * first `rows` columns count; those up to the next multiple of GPAI_DENSE_PAD must
     * hold numbers and may be written. */
    void (*block)(const gpai_dense *l, bool relu, const double *a, size_t rows,
                  double *z);
    /* `a` holds the inputs of one row, `z` takes its outputs. */
    void (*row)(const gpai_dense *l, bool relu, const double *a, double *z);
    /* Functions of n numbers, in place. */
    void (*tanh)(double *z, size_t n);
    void (*logistic)(double *z, size_t n);
} gpai_isa;

/* The i-th instruction set that this machine has, fastest first; NULL beyond the last.
 */
const gpai_isa *gpai_isa_at(size_t i);

#endif
