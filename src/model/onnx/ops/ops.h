#ifndef GPAI_MODEL_ONNX_OPS_OPS_H
#define GPAI_MODEL_ONNX_OPS_OPS_H
#include "model/onnx/graph.h"

/* A node of the graph while it becomes steps. */
typedef struct gpai_onnx_node {
    gpai_onnx_graph *g;
    const GpaiOnnx__Node *file;
    size_t index;            /* for messages */
    uint64_t read;           /* attributes that were asked for, a bit each */
    int64_t opset;           /* version of its domain's operators */
    int which;               /* of the operators that share a function */
    gpai_onnx_value *unused; /* a first output that nobody needs */
    gpa_status st;
    gpa_error *err;
} gpai_onnx_node;

/* The first failure sticks, in o->st: whatever is called for the node afterwards does
 * nothing, so that a row of calls needs to be looked after once, at its end. All give
 * o->st back but for those that have something better. */

/* "model.onnx: node 3 (Gemm 'fc1'): …" */
gpa_status gpai_onnx_fail(gpai_onnx_node *o, gpa_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "…: not supported: what" */
gpa_status gpai_onnx_refuse(gpai_onnx_node *o, const char *what);
gpa_status gpai_onnx_no_room(gpai_onnx_node *o);

/* An input, NULL when it was left out; where an output goes, NULL when nobody needs it,
 * but for the first. */
const gpai_onnx_value *gpai_onnx_in(const gpai_onnx_node *o, size_t i);
gpai_onnx_value *gpai_onnx_out(const gpai_onnx_node *o, size_t i);

/* Attributes. Those that are missing are the default, or leave what stands in *out; a
 * list that is missing has no numbers and a tensor is NULL then. */
int64_t gpai_onnx_int(gpai_onnx_node *o, const char *name, int64_t otherwise);
double gpai_onnx_float(gpai_onnx_node *o, const char *name, double otherwise);
void gpai_onnx_string(gpai_onnx_node *o, const char *name, const char **out,
                      size_t *length);
const int64_t *gpai_onnx_ints(gpai_onnx_node *o, const char *name, size_t *n);
const float *gpai_onnx_floats(gpai_onnx_node *o, const char *name, size_t *n);
const ProtobufCBinaryData *gpai_onnx_strings(gpai_onnx_node *o, const char *name,
                                             size_t *n);
const GpaiOnnx__Tensor *gpai_onnx_tensor(gpai_onnx_node *o, const char *name);
bool gpai_onnx_has(const gpai_onnx_node *o, const char *name);
void gpai_onnx_ignore(gpai_onnx_node *o, const char *name); /* it changes nothing */

/* Whole numbers that are an attribute in old files and a constant input in new ones;
 * NULL when there are none. */
const int64_t *gpai_onnx_list(gpai_onnx_node *o, const char *attribute, size_t input,
                              size_t *n);

/* A tensor of the file as a constant. */
gpa_status gpai_onnx_load(gpai_onnx_node *o, const GpaiOnnx__Tensor *t,
                          gpai_onnx_value *out);

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
 * step when they lie together. The map is from gpai_onnx_kept. */
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

/* Room for constants, and for numbers and maps that steps point to; NULL when there is
 * none, which is a failure of the node. */
void *gpai_onnx_room(gpai_onnx_node *o, size_t n, size_t size);
void *gpai_onnx_kept(gpai_onnx_node *o, size_t n, size_t size);

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
