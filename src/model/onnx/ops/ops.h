#ifndef GPAI_MODEL_ONNX_OPS_OPS_H
#define GPAI_MODEL_ONNX_OPS_OPS_H
#include "model/onnx/node.h"

/* An operator: what it does to the node's inputs. `which` tells those apart that share
 * one function, and becomes the node's. */
typedef struct gpai_onnx_op {
    const char *name;
    gpa_status (*fn)(gpai_onnx_node *o);
    int which;
    size_t least, most; /* inputs */
} gpai_onnx_op;

enum { GPAI_ONNX_ANY = 1 << 14 }; /* any number of inputs */

/* The tables of operators, each ended by an empty line. */
extern const gpai_onnx_op gpai_onnx_math_ops[];   /* number by number */
extern const gpai_onnx_op gpai_onnx_shape_ops[];  /* the same numbers, another shape */
extern const gpai_onnx_op gpai_onnx_move_ops[];   /* numbers moved about */
extern const gpai_onnx_op gpai_onnx_reduce_ops[]; /* many numbers to one */
extern const gpai_onnx_op gpai_onnx_dense_ops[];  /* matrices, normalisation */
extern const gpai_onnx_op gpai_onnx_ml_ops[];     /* of the domain ai.onnx.ml */

/* Of ai.onnx.ml too, in files of their own. */
gpa_status gpai_onnx_trees(gpai_onnx_node *o);
gpa_status gpai_onnx_svm_regressor(gpai_onnx_node *o);
gpa_status gpai_onnx_columns(gpai_onnx_node *o);

/* Refuses a text attribute that is there and not the one that is supported. */
void gpai_onnx_only(gpai_onnx_node *o, const char *name, const char *supported);

/* Joins tensors along an axis, which is of the shape. */
gpa_status gpai_onnx_join(gpai_onnx_node *o, size_t axis);

/* Many numbers to one, along the axes of the shape that have a bit; they stay, with one
 * place. */
gpa_status gpai_onnx_reduce(gpai_onnx_node *o, gpai_onnx_reduction function,
                            const gpai_onnx_value *a, unsigned bits,
                            gpai_onnx_value *out);

/* An axis as it may be written, of `rank` of them, counted from 0. */
gpa_status gpai_onnx_axis(gpai_onnx_node *o, int64_t axis, size_t rank, size_t *out);

/* The same as an axis of the tensor's shape, which does not count the rows: an operator
 * that would mix them is refused. 0 after a failure. */
size_t gpai_onnx_own_axis(gpai_onnx_node *o, const gpai_onnx_value *v, int64_t axis);

/* Compiles the node. */
gpa_status gpai_onnx_apply(gpai_onnx_node *o);

#endif
