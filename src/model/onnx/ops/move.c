#include "model/onnx/ops/ops.h"
#include <string.h>

/* A tensor around one of its axes: outer by size by inner numbers. */
struct around {
    size_t outer, size, inner;
};

static struct around split_at(const gpai_onnx_shape *s, size_t axis)
{
    struct around a = {1, s->dim[axis], 1};
    for (size_t i = 0; i < axis; i++)
        a.outer *= s->dim[i];
    for (size_t i = axis + 1; i < s->rank; i++)
        a.inner *= s->dim[i];
    return a;
}

/* The tensor with other numbers along the axis: those at index[0], index[1], … */
static gpa_status take(gpai_onnx_node *o, const gpai_onnx_value *a, size_t axis,
                       const size_t *index, size_t n, const gpai_onnx_shape *shape,
                       gpai_onnx_value *out)
{
    struct around s = split_at(&a->shape, axis);
    size_t all, k = 0;
    gpai_onnx_fits(o, a->kind == GPAI_ONNX_ROWS, shape, &all);
    if (a->n > UINT32_MAX)
        gpai_onnx_refuse(o, "a tensor this large");
    uint32_t *map = gpai_onnx_kept(o, all, sizeof *map);
    if (map == NULL)
        return o->st;
    for (size_t i = 0; i < s.outer; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t m = 0; m < s.inner; m++)
                map[k++] = (uint32_t)((i * s.size + index[j]) * s.inner + m);
    return gpai_onnx_emit_pick(o, a, shape, map, out);
}

/* `count` of them from `first` on, in steps. */
static gpa_status take_range(gpai_onnx_node *o, const gpai_onnx_value *a, size_t axis,
                             int64_t first, int64_t step, size_t count,
                             gpai_onnx_value *out)
{
    gpai_onnx_shape shape = a->shape;
    shape.dim[axis] = count;
    size_t all;
    gpai_onnx_fits(o, a->kind == GPAI_ONNX_ROWS, &shape, &all);
    size_t *index = gpai_onnx_room(o, count, sizeof *index);
    if (index == NULL)
        return o->st;
    for (size_t i = 0; i < count; i++)
        index[i] = (size_t)(first + (int64_t)i * step);
    return take(o, a, axis, index, count, &shape, out);
}

/* Whole numbers of a constant as places along an axis of `size`; negative ones count
 * from the end. */
static size_t *read_index(gpai_onnx_node *o, const gpai_onnx_value *v, size_t size)
{
    if (v->kind != GPAI_ONNX_CONSTANT || v->store != GPAI_ONNX_WHOLE)
        gpai_onnx_refuse(o, "indices that are not constant");
    size_t *out = gpai_onnx_room(o, v->n, sizeof *out);
    for (size_t i = 0; out != NULL && i < v->n; i++) {
        int64_t written = ((const int64_t *)v->data)[i];
        int64_t k = written + (written < 0 ? (int64_t)size : 0);
        if (k < 0 || (uint64_t)k >= size)
            gpai_onnx_fail(o, GPA_DATA, "index %lld of %zu", (long long)written, size);
        out[i] = (size_t)k;
    }
    return out;
}

/* The indices' own dimensions stand in the place of the axis. */
static gpa_status gather(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *at = gpai_onnx_in(o, 1);
    gpai_onnx_shape shape = {0};
    size_t axis = gpai_onnx_own_axis(o, a, gpai_onnx_int(o, "axis", 0));
    if (o->st != GPA_OK)
        return o->st;
    const size_t *index = read_index(o, at, a->shape.dim[axis]);
    if (a->shape.rank - 1 + at->shape.rank > GPAI_ONNX_RANK)
        gpai_onnx_refuse(o, "more than 8 dimensions");
    if (o->st != GPA_OK)
        return o->st;
    for (size_t i = 0; i < axis; i++)
        shape.dim[shape.rank++] = a->shape.dim[i];
    for (size_t i = 0; i < at->shape.rank; i++)
        shape.dim[shape.rank++] = at->shape.dim[i];
    for (size_t i = axis + 1; i < a->shape.rank; i++)
        shape.dim[shape.rank++] = a->shape.dim[i];
    return take(o, a, axis, index, at->n, &shape, gpai_onnx_out(o, 0));
}

/* Some columns, as numbers of a list. */
gpa_status gpai_onnx_columns(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0), *at = gpai_onnx_in(o, 1);
    gpai_onnx_shape shape = a->shape;
    if (a->kind != GPAI_ONNX_ROWS || a->shape.rank == 0)
        return gpai_onnx_refuse(o, "anything but rows that depend on the input");
    size_t axis = a->shape.rank - 1;
    const size_t *index = read_index(o, at, a->shape.dim[axis]);
    shape.dim[axis] = at->n;
    return o->st == GPA_OK ? take(o, a, axis, index, at->n, &shape, gpai_onnx_out(o, 0))
                           : o->st;
}

static gpa_status transpose(gpai_onnx_node *o)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    size_t rows = a->kind == GPAI_ONNX_ROWS, rank = a->shape.rank, n;
    size_t stride[GPAI_ONNX_RANK] = {0};
    gpai_onnx_shape shape = {rank, {0}};
    unsigned seen = 0;
    const int64_t *order = gpai_onnx_ints(o, "perm", &n);
    if (order != NULL && n != rank + rows)
        return gpai_onnx_fail(o, GPA_DATA, "an order of %zu dimensions, not %zu", n,
                              rank + rows);
    if (rows && (order == NULL ? rank > 0 : order[0] != 0))
        return gpai_onnx_refuse(o, "what mixes rows");
    for (size_t i = 0; i < rank; i++) {
        int64_t k =
            order != NULL ? order[i + rows] - (int64_t)rows : (int64_t)(rank - 1 - i);
        if (k < 0 || (uint64_t)k >= rank || seen >> k & 1)
            return gpai_onnx_fail(o, GPA_DATA, "not an order of its dimensions");
        seen |= 1U << k;
        shape.dim[i] = a->shape.dim[k];
        stride[i] = split_at(&a->shape, (size_t)k).inner;
    }
    if (a->n > UINT32_MAX)
        return gpai_onnx_refuse(o, "a tensor this large");
    const uint32_t *map = gpai_onnx_walk(o, &shape, stride, a->n);
    return gpai_onnx_emit_pick(o, a, &shape, map, gpai_onnx_out(o, 0));
}

/* One axis of Slice: where it begins and how many follow. */
static gpa_status range(gpai_onnx_node *o, int64_t size, int64_t *start, int64_t end,
                        int64_t step, size_t *count)
{
    if (step == 0 || step == INT64_MIN) /* which has no length */
        return gpai_onnx_fail(o, GPA_DATA, "a step of %lld", (long long)step);
    *start += *start < 0 ? size : 0;
    end += end < 0 ? size : 0;
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    *start = *start < 0 ? 0 : *start > high ? high : *start;
    end = end < low ? low : end > size ? size : end;
    int64_t way = step > 0 ? end - *start : *start - end;
    int64_t length = step > 0 ? step : -step;
    *count = way > 0 ? (size_t)((way - 1) / length + 1) : 0;
    return GPA_OK;
}

/* Bounds and steps: inputs in new files, attributes in old ones. */
static gpa_status slice(gpai_onnx_node *o)
{
    size_t n, ends, has_axes, steps, count = 0;
    gpai_onnx_value v = *gpai_onnx_in(o, 0);
    const int64_t *start = gpai_onnx_list(o, "starts", 1, &n);
    const int64_t *end = gpai_onnx_list(o, "ends", 2, &ends);
    const int64_t *axes = gpai_onnx_list(o, "axes", 3, &has_axes);
    const int64_t *step = gpai_onnx_list(o, "steps", 4, &steps);
    if (ends != n || (axes != NULL && has_axes != n) || (step != NULL && steps != n))
        gpai_onnx_fail(o, GPA_DATA, "lists of different lengths");
    for (size_t i = 0; o->st == GPA_OK && i < n; i++) {
        int64_t from = start[i], by = step != NULL ? step[i] : 1;
        size_t axis = gpai_onnx_own_axis(o, &v, axes != NULL ? axes[i] : (int64_t)i);
        if (from == GPAI_ONNX_BATCH || end[i] == GPAI_ONNX_BATCH)
            gpai_onnx_refuse(o, "what depends on the number of rows");
        if (o->st == GPA_OK)
            range(o, (int64_t)v.shape.dim[axis], &from, end[i], by, &count);
        if (o->st == GPA_OK)
            take_range(o, &v, axis, from, by, count, &v);
    }
    *gpai_onnx_out(o, 0) = v;
    return o->st;
}

/* Part i of Split, of which `left` numbers are left: as the file says, or one of equal
 * parts, the last of which may be smaller. */
static gpa_status part_size(gpai_onnx_node *o, const int64_t *size, size_t i,
                            size_t even, size_t left, size_t *out)
{
    *out = even < left ? even : left;
    if (size == NULL)
        return GPA_OK;
    if (size[i] < 0 || (uint64_t)size[i] > left)
        return gpai_onnx_fail(o, GPA_DATA, "parts that do not fit");
    *out = (size_t)size[i];
    return GPA_OK;
}

static gpa_status split_along(gpai_onnx_node *o, size_t axis, const int64_t *size)
{
    const gpai_onnx_value *a = gpai_onnx_in(o, 0);
    size_t parts = o->file->n_output, left = a->shape.dim[axis], count = 0;
    size_t even = (left + parts - 1) / parts;
    for (size_t i = 0; o->st == GPA_OK && i < parts; i++, left -= count) {
        size_t first = a->shape.dim[axis] - left;
        count = 0;
        part_size(o, size, i, even, left, &count);
        if (o->st == GPA_OK && gpai_onnx_out(o, i) != NULL)
            take_range(o, a, axis, (int64_t)first, 1, count, gpai_onnx_out(o, i));
    }
    return left == 0 ? o->st : gpai_onnx_fail(o, GPA_DATA, "parts that do not fit");
}

static gpa_status split(gpai_onnx_node *o)
{
    size_t parts = o->file->n_output, sizes;
    int64_t axis = gpai_onnx_int(o, "axis", 0);
    int64_t told = gpai_onnx_int(o, "num_outputs", (int64_t)parts);
    const int64_t *size = gpai_onnx_list(o, "split", 1, &sizes);
    size_t own = gpai_onnx_own_axis(o, gpai_onnx_in(o, 0), axis);
    if ((size_t)told != parts || parts == 0 || (size != NULL && sizes != parts))
        gpai_onnx_fail(o, GPA_DATA, "another number of parts than of outputs");
    return o->st == GPA_OK ? split_along(o, own, size) : o->st;
}

/* What joined tensors must have in common; *size adds up along the axis. */
static gpa_status check_parts(gpai_onnx_node *o, const gpai_onnx_value **part, size_t n,
                              size_t axis, size_t *size)
{
    *size = 0;
    for (size_t k = 0; k < n; k++) {
        part[k] = gpai_onnx_in(o, k);
        if (part[k] == NULL || part[k]->shape.rank != part[0]->shape.rank ||
            part[k]->kind != part[0]->kind)
            return gpai_onnx_refuse(o, "tensors of different kinds");
        for (size_t i = 0; i < part[0]->shape.rank; i++)
            if (i != axis && part[k]->shape.dim[i] != part[0]->shape.dim[i])
                return gpai_onnx_fail(o, GPA_DATA, "shapes that do not match");
        *size += part[k]->shape.dim[axis];
    }
    return GPA_OK;
}

/* Where the numbers of the joined list go, when the axis is not the first. */
static gpa_status interleave(gpai_onnx_node *o, const gpai_onnx_value **part, size_t n,
                             size_t axis, const gpai_onnx_shape *shape,
                             gpai_onnx_value *v)
{
    size_t lines = split_at(shape, axis).outer;
    uint32_t *map = gpai_onnx_kept(o, v->n, sizeof *map);
    size_t k = 0;
    if (map == NULL)
        return o->st;
    for (size_t i = 0; i < lines; i++) {
        for (size_t p = 0, first = 0; p < n; first += part[p++]->n) {
            size_t length = part[p]->n / lines;
            for (size_t m = 0; m < length; m++)
                map[k++] = (uint32_t)(first + i * length + m);
        }
    }
    return gpai_onnx_emit_pick(o, v, shape, map, v);
}

gpa_status gpai_onnx_join(gpai_onnx_node *o, size_t axis)
{
    size_t n = o->file->n_input;
    gpai_onnx_value v = {0};
    gpai_onnx_shape shape = gpai_onnx_in(o, 0)->shape;
    const gpai_onnx_value **part = gpai_onnx_room(o, n, sizeof *part);
    if (part == NULL || check_parts(o, part, n, axis, &shape.dim[axis]) != GPA_OK ||
        gpai_onnx_emit_join(o, part, n, &v) != GPA_OK)
        return o->st;
    if (v.n > 0 && split_at(&shape, axis).outer > 1)
        interleave(o, part, n, axis, &shape, &v);
    gpai_onnx_reshaped(&v, &shape, gpai_onnx_out(o, 0));
    return o->st;
}

static gpa_status concat(gpai_onnx_node *o)
{
    if (!gpai_onnx_has(o, "axis"))
        return gpai_onnx_fail(o, GPA_DATA, "no axis");
    size_t axis =
        gpai_onnx_own_axis(o, gpai_onnx_in(o, 0), gpai_onnx_int(o, "axis", 0));
    return o->st == GPA_OK ? gpai_onnx_join(o, axis) : o->st;
}

const gpai_onnx_op gpai_onnx_move_ops[] = {
    {"Gather", gather, 0, 2, 2},
    {"Transpose", transpose, 0, 1, 1},
    {"Slice", slice, 0, 1, 5},
    {"Split", split, 0, 1, 2},
    {"Concat", concat, 0, 1, GPAI_ONNX_ANY},
    {NULL, NULL, 0, 0, 0},
};
