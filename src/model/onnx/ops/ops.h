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
extern const gpai_onnx_op gpai_onnx_math_ops[];  /* number by number */
extern const gpai_onnx_op gpai_onnx_shape_ops[]; /* the same numbers, another shape */
extern const gpai_onnx_op gpai_onnx_move_ops[];  /* numbers moved about */
extern const gpai_onnx_op gpai_onnx_dense_ops[]; /* matrices, many numbers to one */
extern const gpai_onnx_op gpai_onnx_ml_ops[];    /* of the domain ai.onnx.ml */

/* Of ai.onnx.ml too, in files of their own. */
gpa_status gpai_onnx_trees(gpai_onnx_node *o);
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

/* The ways to make a tensor out of others. Each appends a step to the program, or, when
 * all it needs is constant, computes it at once. */

gpa_status gpai_onnx_emit_unary(gpai_onnx_node *o, int function, double p, double q,
                                const gpai_onnx_value *a, gpai_onnx_value *out);

/* With the usual broadcasting; a and b must be of one type. */
gpa_status gpai_onnx_emit_binary(gpai_onnx_node *o, int function,
                                 const gpai_onnx_value *a, const gpai_onnx_value *b,
                                 gpai_onnx_value *out);

/* The numbers of a that `map` names, in its order, as a tensor of that shape. Takes no
 * step when they lie together. The map is from gpai_onnx_map. */
gpa_status gpai_onnx_emit_pick(gpai_onnx_node *o, const gpai_onnx_value *a,
                               const gpai_onnx_shape *shape, const uint32_t *map,
                               gpai_onnx_value *out);

/* All numbers of several tensors of one type, one after the other, as a list. */
gpa_status gpai_onnx_emit_join(gpai_onnx_node *o, const gpai_onnx_value *const *part,
                               size_t parts, gpai_onnx_value *out);

/* p a w + bias: a's last dimension becomes that of w (k by n numbers of a's type, as
 * `bias`, both from the program's pool). */
gpa_status gpai_onnx_emit_gemm(gpai_onnx_node *o, const gpai_onnx_value *a,
                               const void *w, const void *bias, size_t n, double p,
                               gpai_onnx_value *out);

/* As float, double or, for constants, whole numbers. */
gpa_status gpai_onnx_emit_cast(gpai_onnx_node *o, const gpai_onnx_value *a,
                               gpai_onnx_type type, gpai_onnx_value *out);

/* a's numbers in another shape. */
void gpai_onnx_reshaped(const gpai_onnx_value *a, const gpai_onnx_shape *shape,
                        gpai_onnx_value *out);

/* Any step, whose kind, function and parameters are set: a (and b, for pairs) are what
 * it reads; the result has the type and shape of `like`. */
gpa_status gpai_onnx_emit(gpai_onnx_node *o, gpai_onnx_step *s,
                          const gpai_onnx_value *a, const gpai_onnx_value *b,
                          double cost, const gpai_onnx_value *like,
                          gpai_onnx_value *out);

/* Counts the numbers of a result, before there is memory for it: GPA_UNSUPPORTED, with
 * the limit, when there are too many of them. */
gpa_status gpai_onnx_fits(gpai_onnx_node *o, bool rows, const gpai_onnx_shape *shape,
                          size_t *n);

/* Room for constants, for numbers that steps point to, and for maps; NULL when there is
 * none, which is a failure of the node. */
void *gpai_onnx_room(gpai_onnx_node *o, size_t n, size_t size);
void *gpai_onnx_kept(gpai_onnx_node *o, size_t n, size_t size);
uint32_t *gpai_onnx_map(gpai_onnx_node *o, size_t n);

/* The map to all n numbers of a shape in their order, when a step along each of its
 * dimensions is so many numbers of what is read. */
const uint32_t *gpai_onnx_walk(gpai_onnx_node *o, const gpai_onnx_shape *shape,
                               const size_t *stride, size_t n);

/* A constant's numbers in a type, for steps to point to. With `columns` other than 0
 * the matrix is turned: it has so many of them. */
const void *gpai_onnx_matrix(gpai_onnx_node *o, const gpai_onnx_value *v,
                             gpai_onnx_store store, size_t columns);

/* The same for n numbers beta c, where c may be a single one, or none (NULL). */
const void *gpai_onnx_bias(gpai_onnx_node *o, const gpai_onnx_value *c,
                           gpai_onnx_store store, size_t n, double beta);

/* A list of n numbers as a constant: as they are, and as float or double. */
gpai_onnx_value gpai_onnx_floating(const float *numbers, size_t n);
gpa_status gpai_onnx_constant(gpai_onnx_node *o, const float *numbers, size_t n,
                              gpai_onnx_type type, gpai_onnx_value *out);

/* Number i of a constant, whatever its type. */
double gpai_onnx_number(const gpai_onnx_value *v, size_t i);

#endif
