#ifndef GPAI_MODEL_NET_H
#define GPAI_MODEL_NET_H
#include "model/dense.h"
#include "model/model.h"

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
 * thread. A row's result is the same bytes whatever n, its place and the isa. */
size_t gpai_net_scratch(const gpai_net *net);
void gpai_net_run(const gpai_net *net, const gpai_isa *isa, double *scratch,
                  const double *x, size_t n, double *y);

/* A model made of a net, which the handles share. */
extern const gpai_model_ops gpai_net_ops;

#endif
