#ifndef GPAI_MODEL_NET_H
#define GPAI_MODEL_NET_H
#include "model/model.h"

/* One dense layer, z = b + x W, and the vector code that computes it.
 *
 * Every way of computing it (block or single row, any instruction set) adds b first and
 * then x[0] W[0][j], x[1] W[1][j], … in this order, each product rounded before it is
 * added. So they all give the same bytes, and a row's result never depends on its
 * neighbours. */
typedef struct gpai_dense {
    size_t in, out;
    double *w; /* in panels: see net.c */
    double *b;
} gpai_dense;

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

/* What stands between two dense layers. */
typedef enum gpai_activation {
    GPAI_IDENTITY,
    GPAI_RELU,
    GPAI_TANH,
    GPAI_LOGISTIC
} gpai_activation;

/* A stack of dense layers, with an activation after all but the last. Built layer by
 * layer, then constant. */
typedef struct gpai_net gpai_net;

gpa_status gpai_net_new(gpai_net **out, gpai_activation activation, size_t max_layers,
                        gpa_error *err);

/* Appends a layer; `w` is row-major, in by out, `in` the outputs of the layer before.
 */
gpa_status gpai_net_add(gpai_net *net, size_t in, size_t out, const double *w,
                        const double *b, gpa_error *err);
void gpai_net_free(void *net);

/* First output of n rows. `scratch` holds gpai_net_scratch numbers, and belongs to one
 * thread; best on a cache line, so that no vector lies across two. A row's result is
 * the same bytes whatever n, its place and the isa. */
size_t gpai_net_scratch(const gpai_net *net);
void gpai_net_run(const gpai_net *net, const gpai_isa *isa, double *scratch,
                  const double *x, size_t n, double *y);

/* A model made of a net, which the handles share. */
extern const gpai_model_ops gpai_net_ops;

#endif
