#include "model/onnx/ops/ops.h"
#include "model/onnx/run/program.h"
#include <string.h>

/* Numbers of a row, and of a constant, at most; maps count in 32 bits. */
enum { MAX_WIDTH = 1 << 22, MAX_NUMBERS = 1 << 30 };
/* Operations for one constant at most: it is computed while the file is read. */
#define MAX_FOLDING 1e9

static void *take(gpai_onnx_node *o, gpai_onnx_pool *pool, size_t n, size_t size)
{
    void *p = o->st == GPA_OK ? gpai_onnx_take(pool, n, size) : NULL;
    if (p == NULL)
        gpai_onnx_no_room(o);
    return p;
}

void *gpai_onnx_room(gpai_onnx_node *o, size_t n, size_t size)
{
    return take(o, &o->g->pool, n, size);
}

void *gpai_onnx_kept(gpai_onnx_node *o, size_t n, size_t size)
{
    return take(o, &o->g->program->pool, n, size);
}

const uint32_t *gpai_onnx_walk(gpai_onnx_node *o, const gpai_onnx_shape *shape,
                               const size_t *stride, size_t n)
{
    size_t at[GPAI_ONNX_RANK] = {0}, next = 0;
    uint32_t *map = gpai_onnx_kept(o, n, sizeof *map);
    for (size_t k = 0; map != NULL && k < n; k++) {
        map[k] = (uint32_t)next;
        for (size_t i = shape->rank; i-- > 0;) {
            next += stride[i];
            if (++at[i] < shape->dim[i])
                break;
            next -= stride[i] * shape->dim[i];
            at[i] = 0;
        }
    }
    return map;
}

double gpai_onnx_number(const gpai_onnx_value *v, size_t i)
{
    if (v->store == GPAI_ONNX_NARROW)
        return (double)((const float *)v->data)[i];
    if (v->store == GPAI_ONNX_WIDE)
        return ((const double *)v->data)[i];
    return (double)((const int64_t *)v->data)[i];
}

gpai_onnx_value gpai_onnx_floating(const float *numbers, size_t n)
{
    return (gpai_onnx_value){.kind = GPAI_ONNX_CONSTANT,
                             .type = GPAI_ONNX_FLOAT,
                             .store = GPAI_ONNX_NARROW,
                             .shape = {1, {n}},
                             .n = n,
                             .data = numbers};
}

gpa_status gpai_onnx_constant(gpai_onnx_node *o, const float *numbers, size_t n,
                              gpai_onnx_type type, gpai_onnx_value *out)
{
    const gpai_onnx_value v = gpai_onnx_floating(numbers, n);
    return gpai_onnx_emit_cast(o, &v, type, out);
}

void gpai_onnx_reshaped(const gpai_onnx_value *a, const gpai_onnx_shape *shape,
                        gpai_onnx_value *out)
{
    gpai_onnx_value v = *a;
    v.shape = *shape;
    *out = v;
}

static bool constant(const gpai_onnx_value *v)
{
    return v == NULL || v->kind == GPAI_ONNX_CONSTANT;
}

gpa_status gpai_onnx_fits(gpai_onnx_node *o, bool rows, const gpai_onnx_shape *shape,
                          size_t *n)
{
    const int most = rows ? MAX_WIDTH : MAX_NUMBERS;
    if (gpai_onnx_count(shape, (size_t)most, n))
        return o->st;
    return gpai_onnx_fail(o, GPA_UNSUPPORTED, "its result has more than %d numbers%s",
                          most, rows ? ", the limit for a row" : "");
}

static void check_size(gpai_onnx_node *o, gpai_onnx_value *v)
{
    bool rows = v->kind == GPAI_ONNX_ROWS;
    gpai_onnx_fits(o, rows, &v->shape, &v->n);
    if (rows && v->n == 0)
        gpai_onnx_refuse(o, "an empty result");
}

/* All that is needed is known: computed at once, as a single row. */
static void fold(gpai_onnx_node *o, const gpai_onnx_step *s, double cost,
                 gpai_onnx_value *v)
{
    gpai_onnx_call call = {.step = s, .lanes = 1, .a = s->a.data, .b = s->b.data};
    if (cost > MAX_FOLDING)
        gpai_onnx_refuse(o, "constants that take this long to compute");
    call.out = gpai_onnx_room(o, v->n, gpai_onnx_size(v->store));
    if (call.out != NULL)
        gpai_onnx_compute(gpai_onnx_kernels_at(0), &call);
    v->data = call.out;
}

/* Where a step finds a tensor: constants are copied to where the program keeps them. */
static void find_place(gpai_onnx_node *o, const gpai_onnx_value *v, bool keep,
                       gpai_onnx_place *to)
{
    *to = (gpai_onnx_place){v->reg, v->first, NULL};
    if (v->kind != GPAI_ONNX_CONSTANT)
        return;
    size_t size = v->n * gpai_onnx_size(v->store);
    void *copy = keep ? gpai_onnx_kept(o, v->n, gpai_onnx_size(v->store)) : NULL;
    if (copy != NULL && size > 0)
        memcpy(copy, v->data, size);
    to->data = keep ? copy : v->data;
}

static void append(gpai_onnx_node *o, gpai_onnx_step *s, double cost,
                   gpai_onnx_value *v)
{
    bool room = gpai_onnx_register(o->g->program, v->n, s->wide, &v->reg);
    v->first = 0;
    s->out = (gpai_onnx_place){v->reg, 0, NULL};
    if (!room || !gpai_onnx_append(o->g->program, s, cost))
        gpai_onnx_no_room(o);
}

gpa_status gpai_onnx_emit(gpai_onnx_node *o, gpai_onnx_step *s,
                          const gpai_onnx_value *a, const gpai_onnx_value *b,
                          double cost, const gpai_onnx_value *like,
                          gpai_onnx_value *out)
{
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_value v = *like;
    bool known = constant(a) && constant(b);
    v.kind = known ? GPAI_ONNX_CONSTANT : GPAI_ONNX_ROWS;
    check_size(o, &v);
    find_place(o, a, !known, &s->a);
    if (b != NULL)
        find_place(o, b, !known, &s->b);
    if (o->st != GPA_OK)
        return o->st;
    s->n = v.n;
    s->wide = v.store != GPAI_ONNX_NARROW;
    cost *= (double)v.n;
    if (known)
        fold(o, s, cost, &v);
    else
        append(o, s, cost, &v);
    if (o->st == GPA_OK)
        *out = v;
    return o->st;
}

gpa_status gpai_onnx_emit_unary(gpai_onnx_node *o, int function, double p, double q,
                                const gpai_onnx_value *a, gpai_onnx_value *out)
{
    gpai_onnx_step s = {
        .kind = GPAI_ONNX_UNARY_STEP, .function = function, .p = p, .q = q};
    if (o->st == GPA_OK && a->store == GPAI_ONNX_WHOLE)
        gpai_onnx_refuse(o, "whole numbers");
    return gpai_onnx_emit(o, &s, a, NULL, 1, a, out);
}

gpa_status gpai_onnx_emit_gemm(gpai_onnx_node *o, const gpai_onnx_value *a,
                               const void *w, const void *bias, size_t n, double p,
                               gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_GEMM_STEP, .p = p, .w = w, .bias = bias};
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_value v = *a;
    size_t last = a->shape.rank - 1;
    s.k = a->shape.dim[last];
    if (s.k == 0 || a->n == 0 || n == 0)
        return gpai_onnx_refuse(o, "an empty matrix");
    s.m = a->n / s.k;
    v.shape.dim[last] = n;
    return gpai_onnx_emit(o, &s, a, NULL, (double)s.k, &v, out);
}

/* Whole numbers and truths become numbers, and numbers each other. */
static void cast_numbers(const gpai_onnx_value *a, gpai_onnx_store store, void *to)
{
    for (size_t i = 0; i < a->n; i++) {
        if (store == GPAI_ONNX_WHOLE)
            ((int64_t *)to)[i] = ((const int64_t *)a->data)[i];
        else if (store == GPAI_ONNX_WIDE)
            ((double *)to)[i] = gpai_onnx_number(a, i);
        else if (a->store == GPAI_ONNX_WHOLE)
            ((float *)to)[i] = (float)((const int64_t *)a->data)[i];
        else
            ((float *)to)[i] = (float)gpai_onnx_number(a, i);
    }
}

/* The number of rows is unknown and never becomes a number. */
static bool tells_rows(const gpai_onnx_value *a)
{
    for (size_t i = 0; a->store == GPAI_ONNX_WHOLE && i < a->n; i++)
        if (((const int64_t *)a->data)[i] == GPAI_ONNX_BATCH)
            return true;
    return false;
}

static void cast_constant(gpai_onnx_node *o, const gpai_onnx_value *a,
                          gpai_onnx_value *v)
{
    if (tells_rows(a))
        gpai_onnx_refuse(o, "what depends on the number of rows");
    void *to = gpai_onnx_room(o, a->n, gpai_onnx_size(v->store));
    if (to != NULL)
        cast_numbers(a, v->store, to);
    v->data = to;
}

/* Whether it is a whole number already, of this type or a smaller one. */
static bool widens(const gpai_onnx_value *a, gpai_onnx_type type)
{
    if (a->store != GPAI_ONNX_WHOLE)
        return false;
    return a->type == type || (type != GPAI_ONNX_BOOL && a->type == GPAI_ONNX_BOOL) ||
           (type == GPAI_ONNX_INT64 && a->type == GPAI_ONNX_INT32);
}

gpa_status gpai_onnx_emit_cast(gpai_onnx_node *o, const gpai_onnx_value *a,
                               gpai_onnx_type type, gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_CAST_STEP};
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_value v = *a;
    (void)gpai_onnx_type_store(type, &v.store);
    v.type = type;
    if (v.store == GPAI_ONNX_WHOLE && !widens(a, type))
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "from %s to %s is not supported",
                              gpai_onnx_type_name(a->type), gpai_onnx_type_name(type));
    if (v.store != a->store && a->kind != GPAI_ONNX_CONSTANT)
        return gpai_onnx_emit(o, &s, a, NULL, 1, &v, out);
    if (v.store != a->store)
        cast_constant(o, a, &v);
    *out = v;
    return o->st;
}

/* The shape that a tensor has beside `other`: a constant may have a dimension for the
 * rows, but not a number for each. */
static void row_shape(gpai_onnx_node *o, const gpai_onnx_value *v,
                      const gpai_onnx_value *other, gpai_onnx_shape *shape)
{
    *shape = v->shape;
    if (v->kind == other->kind) {
        if (v->kind == GPAI_ONNX_ROWS && v->shape.rank != other->shape.rank)
            gpai_onnx_refuse(o,
                             "tensors of different rank that both depend on the input");
        return;
    }
    if (v->kind == GPAI_ONNX_ROWS || v->shape.rank <= other->shape.rank)
        return;
    if (v->shape.rank > other->shape.rank + 1 || v->shape.dim[0] != 1)
        gpai_onnx_refuse(o, "a constant that would differ from row to row");
    shape->rank--;
    for (size_t i = 0; i < shape->rank; i++)
        shape->dim[i] = v->shape.dim[i + 1];
}

/* Dimension i of `rank`, counted so that the last ones match. */
static size_t dimension(const gpai_onnx_shape *s, size_t rank, size_t i)
{
    return i + s->rank < rank ? 1 : s->dim[i + s->rank - rank];
}

static void common_shape(gpai_onnx_node *o, const gpai_onnx_shape *a,
                         const gpai_onnx_shape *b, gpai_onnx_shape *out)
{
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    for (size_t i = 0; i < out->rank; i++) {
        size_t x = dimension(a, out->rank, i), y = dimension(b, out->rank, i);
        if (x != y && x != 1 && y != 1)
            gpai_onnx_fail(o, GPA_DATA, "shapes that do not match: %zu and %zu numbers",
                           x, y);
        out->dim[i] = x == 1 ? y : x;
    }
}

/* Which number of `from` belongs to each of `to`; NULL when it is the same one. */
static const uint32_t *make_map(gpai_onnx_node *o, const gpai_onnx_shape *from,
                                const gpai_onnx_shape *to)
{
    size_t stride[GPAI_ONNX_RANK] = {0}, n, many, step = 1;
    if (!gpai_onnx_count(to, UINT32_MAX, &n) ||
        !gpai_onnx_count(from, UINT32_MAX, &many)) {
        gpai_onnx_refuse(o, "a tensor this large");
        return NULL;
    }
    if (n == many)
        return NULL;
    for (size_t i = to->rank; i-- > 0;) {
        size_t size = dimension(from, to->rank, i);
        stride[i] = size == 1 ? 0 : step;
        step *= size;
    }
    return gpai_onnx_walk(o, to, stride, n);
}

gpa_status gpai_onnx_emit_binary(gpai_onnx_node *o, int function,
                                 const gpai_onnx_value *a, const gpai_onnx_value *b,
                                 gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_BINARY_STEP, .function = function};
    gpai_onnx_shape of_a, of_b;
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_value v = *a;
    if (a->store != b->store || a->type != b->type)
        return gpai_onnx_fail(o, GPA_DATA, "operands of type %s and %s",
                              gpai_onnx_type_name(a->type),
                              gpai_onnx_type_name(b->type));
    if (a->store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "whole numbers");
    row_shape(o, a, b, &of_a);
    row_shape(o, b, a, &of_b);
    common_shape(o, &of_a, &of_b, &v.shape);
    gpai_onnx_fits(o, a->kind != b->kind || a->kind == GPAI_ONNX_ROWS, &v.shape, &v.n);
    s.map_a = o->st == GPA_OK ? make_map(o, &of_a, &v.shape) : NULL;
    s.map_b = o->st == GPA_OK ? make_map(o, &of_b, &v.shape) : NULL;
    return gpai_onnx_emit(o, &s, a, b, 1, &v, out);
}

/* Whether the map names numbers that lie together. */
static bool together(const uint32_t *map, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (map[i] != map[0] + i)
            return false;
    return true;
}

/* n numbers of a, from number `first` on. */
static void view(const gpai_onnx_value *a, size_t first, size_t n, gpai_onnx_value *v)
{
    v->n = n;
    if (a->kind == GPAI_ONNX_ROWS)
        v->first = a->first + first;
    else
        v->data = (const char *)a->data + first * gpai_onnx_size(a->store);
}

gpa_status gpai_onnx_emit_pick(gpai_onnx_node *o, const gpai_onnx_value *a,
                               const gpai_onnx_shape *shape, const uint32_t *map,
                               gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_PICK_STEP, .map_a = map};
    size_t n;
    if (o->st != GPA_OK)
        return o->st;
    gpai_onnx_value v = *a;
    v.shape = *shape;
    if (!gpai_onnx_count(shape, UINT32_MAX, &n) || n == 0 || !together(map, n))
        return gpai_onnx_emit(o, &s, a, NULL, 1, &v, out);
    view(a, map[0], n, &v);
    *out = v;
    return GPA_OK;
}

/* Whether the parts lie one behind the other already, as the columns of a table that
 * come in one by one do. */
static bool in_line(const gpai_onnx_value *const *part, size_t parts)
{
    for (size_t i = 0; i < parts; i++) {
        if (part[i]->kind != GPAI_ONNX_ROWS || part[i]->reg != part[0]->reg)
            return false;
        if (i > 0 && part[i]->first != part[i - 1]->first + part[i - 1]->n)
            return false;
    }
    return true;
}

static void join_constants(gpai_onnx_node *o, const gpai_onnx_value *const *part,
                           size_t parts, gpai_onnx_value *v)
{
    size_t size = gpai_onnx_size(v->store);
    char *to = gpai_onnx_room(o, v->n, size);
    v->data = to;
    for (size_t i = 0; to != NULL && i < parts; to += part[i++]->n * size)
        if (part[i]->n > 0)
            memcpy(to, part[i]->data, part[i]->n * size);
}

/* A step for each part, all into one register. */
static void join_rows(gpai_onnx_node *o, const gpai_onnx_value *const *part,
                      size_t parts, gpai_onnx_value *v)
{
    bool wide = v->store == GPAI_ONNX_WIDE;
    v->kind = GPAI_ONNX_ROWS;
    v->first = 0;
    if (!gpai_onnx_register(o->g->program, v->n, wide, &v->reg))
        gpai_onnx_no_room(o);
    for (size_t i = 0, first = 0; o->st == GPA_OK && i < parts; first += part[i++]->n) {
        gpai_onnx_step s = {.kind = GPAI_ONNX_PICK_STEP,
                            .n = part[i]->n,
                            .wide = wide,
                            .out = {v->reg, first, NULL},
                            .a = {part[i]->reg, part[i]->first, NULL}};
        if (part[i]->kind == GPAI_ONNX_CONSTANT)
            gpai_onnx_refuse(o, "constants beside tensors with rows");
        else if (!gpai_onnx_append(o->g->program, &s, (double)s.n))
            gpai_onnx_no_room(o);
    }
}

gpa_status gpai_onnx_emit_join(gpai_onnx_node *o, const gpai_onnx_value *const *part,
                               size_t parts, gpai_onnx_value *out)
{
    gpai_onnx_value v = *part[0];
    bool known = true;
    v.n = 0;
    for (size_t i = 0; i < parts; i++) {
        known = known && part[i]->kind == GPAI_ONNX_CONSTANT;
        if (part[i]->type != v.type || part[i]->store != v.store)
            return gpai_onnx_refuse(o, "tensors of different types");
        const gpai_onnx_shape line = {1, {v.n + part[i]->n}};
        if (gpai_onnx_fits(o, part[i]->kind == GPAI_ONNX_ROWS, &line, &v.n) != GPA_OK)
            return o->st;
    }
    v.shape = (gpai_onnx_shape){1, {v.n}};
    if (known)
        join_constants(o, part, parts, &v);
    else if (!in_line(part, parts))
        join_rows(o, part, parts, &v);
    *out = v;
    return o->st;
}
