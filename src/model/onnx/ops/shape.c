#include "model/onnx/ops/ops.h"
#include <string.h>

static gpa_status same(gpai_onnx_node *o)
{
    *gpai_onnx_out(o, 0) = *gpai_onnx_in(o, 0);
    return GPA_OK;
}

/* Nothing is dropped when predicting. */
static gpa_status dropout(gpai_onnx_node *o)
{
    const gpai_onnx_value *training = gpai_onnx_in(o, 2);
    gpai_onnx_ignore(o, "ratio");
    gpai_onnx_ignore(o, "seed");
    if (training != NULL && (training->kind != GPAI_ONNX_CONSTANT || training->n != 1 ||
                             gpai_onnx_number(training, 0) != 0))
        return gpai_onnx_refuse(o, "a model exported for training");
    return same(o);
}

/* What follows from a list of numbers in an attribute. */
static gpa_status listed(gpai_onnx_node *o, const void *numbers, size_t n,
                         gpai_onnx_type type, bool list, gpai_onnx_value *out)
{
    gpai_onnx_value v = {.kind = GPAI_ONNX_CONSTANT, .type = type, .n = n};
    (void)gpai_onnx_type_store(type, &v.store);
    v.shape = (gpai_onnx_shape){list ? 1 : 0, {n}};
    void *to = gpai_onnx_room(o, n, gpai_onnx_size(v.store));
    if (to != NULL && n > 0)
        memcpy(to, numbers, n * gpai_onnx_size(v.store));
    v.data = to;
    *out = v;
    return o->st;
}

static gpa_status constant(gpai_onnx_node *o)
{
    gpai_onnx_value *out = gpai_onnx_out(o, 0);
    const GpaiOnnx__Tensor *t = gpai_onnx_tensor(o, "value");
    size_t n = 0;
    if (t != NULL)
        return gpai_onnx_load(o, t, out);
    if (gpai_onnx_has(o, "value_int")) {
        const int64_t whole = gpai_onnx_int(o, "value_int", 0);
        return listed(o, &whole, 1, GPAI_ONNX_INT64, false, out);
    }
    if (gpai_onnx_has(o, "value_float")) {
        const float f = (float)gpai_onnx_float(o, "value_float", 0);
        return listed(o, &f, 1, GPAI_ONNX_FLOAT, false, out);
    }
    if (gpai_onnx_has(o, "value_ints")) {
        const int64_t *ints = gpai_onnx_ints(o, "value_ints", &n);
        return listed(o, ints, n, GPAI_ONNX_INT64, true, out);
    }
    if (gpai_onnx_has(o, "value_floats")) {
        const float *floats = gpai_onnx_floats(o, "value_floats", &n);
        return listed(o, floats, n, GPAI_ONNX_FLOAT, true, out);
    }
    return gpai_onnx_refuse(o, "anything but tensors, numbers and lists of them");
}

/* The number of rows stays unknown. */
static gpa_status shape_of(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    int64_t dims[GPAI_ONNX_RANK + 1], start = gpai_onnx_int(o, "start", 0);
    size_t n = 0;
    if (gpai_onnx_int(o, "end", INT64_MAX) != INT64_MAX || start != 0)
        gpai_onnx_refuse(o, "start and end");
    if (a->kind == GPAI_ONNX_ROWS)
        dims[n++] = GPAI_ONNX_BATCH;
    for (size_t i = 0; i < a->shape.rank; i++)
        dims[n++] = (int64_t)a->shape.dim[i];
    return listed(o, dims, n, GPAI_ONNX_INT64, true, gpai_onnx_out(o, 0));
}

/* The dimensions after those of the rows: they must hold the numbers of a row. 0 copies
 * a dimension, -1 is what is left over. */
static gpa_status resolve(gpai_onnx_node *o, const gpai_onnx_value *a,
                          const int64_t *want, size_t n, gpai_onnx_shape *shape)
{
    size_t left = n, count;
    if (n > GPAI_ONNX_RANK)
        return gpai_onnx_refuse(o, "more than 8 dimensions");
    shape->rank = n;
    for (size_t i = 0; i < n; i++) {
        shape->dim[i] = want[i] > 0 ? (size_t)want[i] : 1;
        if (want[i] == 0 && i < a->shape.rank)
            shape->dim[i] = a->shape.dim[i];
        else if (want[i] == -1 && left == n)
            left = i;
        else if (want[i] <= 0)
            return gpai_onnx_fail(o, GPA_UNSUPPORTED, "a dimension of %lld",
                                  (long long)want[i]);
    }
    if (!gpai_onnx_count(shape, SIZE_MAX / 2, &count) || count == 0 ||
        a->n % count != 0 || (left == n && a->n != count))
        return gpai_onnx_fail(
            o, GPA_UNSUPPORTED,
            "%zu numbers%s do not fit the shape; rows must stay apart", a->n,
            a->kind == GPAI_ONNX_ROWS ? " of a row" : "");
    if (left < n)
        shape->dim[left] = a->n / count;
    return GPA_OK;
}

/* Whether the first dimension of a new shape is that of the rows: 0 and the number that
 * the file was made for say so, and -1 if the others leave nothing else. */
static bool is_batch(const gpai_onnx_node *o, int64_t first)
{
    return first == GPAI_ONNX_BATCH || first == 0 || first == -1 ||
           (first > 0 && first == o->g->batch);
}

static gpa_status reshape(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_shape shape;
    size_t n;
    const int64_t *want = gpai_onnx_list(o, "shape", 1, &n);
    if (gpai_onnx_int(o, "allowzero", 0) != 0)
        gpai_onnx_refuse(o, "allowzero");
    if (o->st != GPA_OK)
        return o->st;
    if (a->kind == GPAI_ONNX_ROWS) {
        if (n == 0 || !is_batch(o, want[0]))
            return gpai_onnx_refuse(o, "what mixes rows");
        /* With -1 for the rows, no other may be -1. */
        for (size_t i = 1; i < n && want[0] == -1; i++)
            if (want[i] == -1)
                return gpai_onnx_fail(o, GPA_DATA, "a shape with -1 twice");
        want++;
        n--;
    }
    if (resolve(o, a, want, n, &shape) == GPA_OK)
        gpai_onnx_reshaped(a, &shape, gpai_onnx_out(o, 0));
    return o->st;
}

static gpa_status flatten(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_shape shape = {1, {a->n}};
    int64_t axis = gpai_onnx_int(o, "axis", 1);
    if (a->kind != GPAI_ONNX_ROWS || (axis != 1 && axis != -(int64_t)a->shape.rank))
        gpai_onnx_refuse(o, "anything but axis 1 of rows");
    gpai_onnx_reshaped(a, &shape, gpai_onnx_out(o, 0));
    return o->st;
}

/* Which axes of `rank` are meant, a bit each. */
static unsigned marked(gpai_onnx_node *o, const int64_t *axis, size_t n, size_t rank)
{
    unsigned bits = 0;
    size_t k = 0;
    for (size_t i = 0; i < n && gpai_onnx_axis(o, axis[i], rank, &k) == GPA_OK; i++)
        bits |= 1U << k;
    return bits;
}

static gpa_status squeeze(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_shape shape = {0};
    size_t rows = a->kind == GPAI_ONNX_ROWS, n;
    const int64_t *axis = gpai_onnx_list(o, "axes", 1, &n);
    unsigned bits = marked(o, axis, n, a->shape.rank + rows);
    if (rows && (bits & 1 || (axis == NULL && o->g->batch == 1)))
        gpai_onnx_refuse(o, "what takes away the dimension of the rows");
    for (size_t i = 0; i < a->shape.rank; i++) {
        bool gone = axis == NULL ? a->shape.dim[i] == 1 : bits >> (i + rows) & 1;
        if (gone && a->shape.dim[i] != 1)
            gpai_onnx_fail(o, GPA_DATA, "a dimension of %zu", a->shape.dim[i]);
        if (!gone)
            shape.dim[shape.rank++] = a->shape.dim[i];
    }
    gpai_onnx_reshaped(a, &shape, gpai_onnx_out(o, 0));
    return o->st;
}

static gpa_status unsqueeze(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    gpai_onnx_shape shape = {0};
    size_t rows = a->kind == GPAI_ONNX_ROWS, n, next = 0;
    const int64_t *axis = gpai_onnx_list(o, "axes", 1, &n);
    if (n > GPAI_ONNX_RANK - a->shape.rank)
        return gpai_onnx_refuse(o, "more than 8 dimensions");
    unsigned bits = marked(o, axis, n, a->shape.rank + rows + n);
    if (rows && bits & 1)
        gpai_onnx_refuse(o, "a dimension before that of the rows");
    shape.rank = a->shape.rank + n;
    for (size_t i = 0; i < shape.rank; i++) {
        bool fresh = bits >> (i + rows) & 1;
        if (!fresh && next == a->shape.rank)
            return gpai_onnx_fail(o, GPA_DATA, "an axis twice");
        shape.dim[i] = fresh ? 1 : a->shape.dim[next++];
    }
    gpai_onnx_reshaped(a, &shape, gpai_onnx_out(o, 0));
    return o->st;
}

const gpai_onnx_op gpai_onnx_shape_ops[] = {
    {"Identity", same, 0, 1, 1},     {"Dropout", dropout, 0, 1, 3},
    {"Constant", constant, 0, 0, 0}, {"Shape", shape_of, 0, 1, 1},
    {"Reshape", reshape, 0, 1, 2},   {"Flatten", flatten, 0, 1, 1},
    {"Squeeze", squeeze, 0, 1, 2},   {"Unsqueeze", unsqueeze, 0, 1, 2},
    {NULL, NULL, 0, 0, 0},
};
