#include "model/onnx/ops/emit.h"
#include "model/onnx/run/kernels.h"
#include <string.h>

/* Numbers of a row, and of a constant, at most; maps count in 32 bits. */
enum { MAX_WIDTH = 1 << 22, MAX_NUMBERS = 1 << 30 };
/* Operations for one constant at most: it is computed while the file is read. */
#define MAX_FOLDING 1e9

void *gpai_onnx_room(gpai_onnx_node *o, size_t n, size_t size)
{
    return gpai_onnx_take(&o->g->pool, n, size);
}

void *gpai_onnx_kept(gpai_onnx_node *o, size_t n, size_t size)
{
    return gpai_onnx_take(gpai_onnx_keep(o->g->program), n, size);
}

uint32_t *gpai_onnx_map(gpai_onnx_node *o, size_t n)
{
    return gpai_onnx_kept(o, n, sizeof(uint32_t));
}

double gpai_onnx_number(const gpai_onnx_value *v, size_t i)
{
    if (v->store == GPAI_ONNX_NARROW)
        return (double)((const float *)v->data)[i];
    if (v->store == GPAI_ONNX_WIDE)
        return ((const double *)v->data)[i];
    return (double)((const int64_t *)v->data)[i];
}

gpa_status gpai_onnx_constant(gpai_onnx_node *o, const float *numbers, size_t n,
                              gpai_onnx_type type, gpai_onnx_value *out)
{
    gpai_onnx_value v = {.kind = GPAI_ONNX_CONSTANT, .type = GPAI_ONNX_FLOAT};
    v.shape = (gpai_onnx_shape){1, {n}};
    v.n = n;
    v.data = numbers;
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
        return GPA_OK;
    return gpai_onnx_fail(o, GPA_UNSUPPORTED, "its result has more than %d numbers%s",
                          most, rows ? ", the limit for a row" : "");
}

static gpa_status check_size(gpai_onnx_node *o, gpai_onnx_value *v)
{
    bool rows = v->kind == GPAI_ONNX_ROWS;
    gpa_status st = gpai_onnx_fits(o, rows, &v->shape, &v->n);
    if (st == GPA_OK && rows && v->n == 0)
        st = gpai_onnx_refuse(o, "an empty result");
    return st;
}

/* All that is needed is known: computed at once, as a single row. */
static gpa_status fold(gpai_onnx_node *o, const gpai_onnx_step *s, double cost,
                       gpai_onnx_value *v)
{
    gpai_onnx_call call = {.step = s, .lanes = 1, .a = s->a.data, .b = s->b.data};
    if (cost > MAX_FOLDING)
        return gpai_onnx_refuse(o, "constants that take this long to compute");
    call.out = gpai_onnx_room(o, v->n, gpai_onnx_size(v->store));
    if (call.out == NULL)
        return gpai_onnx_no_room(o);
    gpai_onnx_compute(0, &call);
    v->data = call.out;
    return GPA_OK;
}

/* Where a step finds a tensor: constants are copied to where the program keeps them. */
static gpa_status find_place(gpai_onnx_node *o, const gpai_onnx_value *v, bool keep,
                             gpai_onnx_place *to)
{
    *to = (gpai_onnx_place){0};
    if (v == NULL)
        return GPA_OK;
    *to = (gpai_onnx_place){v->reg, v->first, NULL};
    if (v->kind != GPAI_ONNX_CONSTANT)
        return GPA_OK;
    to->data = v->data;
    if (!keep)
        return GPA_OK;
    void *copy = gpai_onnx_kept(o, v->n, gpai_onnx_size(v->store));
    if (copy == NULL)
        return gpai_onnx_no_room(o);
    if (v->n > 0)
        memcpy(copy, v->data, v->n * gpai_onnx_size(v->store));
    to->data = copy;
    return GPA_OK;
}

static gpa_status append(gpai_onnx_node *o, gpai_onnx_step *s, double cost,
                         gpai_onnx_value *v)
{
    if (!gpai_onnx_register(o->g->program, v->n, s->wide, &v->reg))
        return gpai_onnx_no_room(o);
    v->first = 0;
    s->out = (gpai_onnx_place){v->reg, 0, NULL};
    return gpai_onnx_append(o->g->program, s, cost) ? GPA_OK : gpai_onnx_no_room(o);
}

gpa_status gpai_onnx_emit(gpai_onnx_node *o, gpai_onnx_step *s,
                          const gpai_onnx_value *a, const gpai_onnx_value *b,
                          double cost, gpai_onnx_value *out)
{
    gpai_onnx_value v = *out;
    bool known = constant(a) && constant(b);
    v.kind = known ? GPAI_ONNX_CONSTANT : GPAI_ONNX_ROWS;
    gpa_status st = check_size(o, &v);
    if (st == GPA_OK)
        st = find_place(o, a, !known, &s->a);
    if (st == GPA_OK && b != NULL)
        st = find_place(o, b, !known, &s->b);
    if (st != GPA_OK)
        return st;
    s->n = v.n;
    s->wide = v.store != GPAI_ONNX_NARROW;
    cost *= (double)v.n;
    st = known ? fold(o, s, cost, &v) : append(o, s, cost, &v);
    if (st == GPA_OK)
        *out = v;
    return st;
}

gpa_status gpai_onnx_emit_unary(gpai_onnx_node *o, int function, double p, double q,
                                const gpai_onnx_value *a, gpai_onnx_value *out)
{
    gpai_onnx_step s = {
        .kind = GPAI_ONNX_UNARY_STEP, .function = function, .p = p, .q = q};
    gpai_onnx_value v = *a;
    if (a->store == GPAI_ONNX_WHOLE)
        return gpai_onnx_refuse(o, "whole numbers");
    gpa_status st = gpai_onnx_emit(o, &s, a, NULL, 1, &v);
    if (st == GPA_OK)
        *out = v;
    return st;
}

gpa_status gpai_onnx_emit_gemm(gpai_onnx_node *o, const gpai_onnx_value *a,
                               const void *w, const void *bias, size_t n, double p,
                               gpai_onnx_value *out)
{
    gpai_onnx_step s = {.kind = GPAI_ONNX_GEMM_STEP, .p = p, .w = w, .bias = bias};
    gpai_onnx_value v = *a;
    size_t last = a->shape.rank - 1;
    s.k = a->shape.dim[last];
    if (s.k == 0 || a->n == 0 || n == 0)
        return gpai_onnx_refuse(o, "an empty matrix");
    s.m = a->n / s.k;
    v.shape.dim[last] = n;
    gpa_status st = gpai_onnx_emit(o, &s, a, NULL, (double)s.k, &v);
    if (st == GPA_OK)
        *out = v;
    return st;
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

static gpa_status cast_constant(gpai_onnx_node *o, const gpai_onnx_value *a,
                                gpai_onnx_value *v)
{
    if (tells_rows(a))
        return gpai_onnx_refuse(o, "what depends on the number of rows");
    void *to = gpai_onnx_room(o, a->n, gpai_onnx_size(v->store));
    if (to == NULL)
        return gpai_onnx_no_room(o);
    cast_numbers(a, v->store, to);
    v->data = to;
    return GPA_OK;
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
    gpai_onnx_value v = *a;
    (void)gpai_onnx_type_store(type, &v.store);
    v.type = type;
    gpa_status st = GPA_OK;
    if (v.store == GPAI_ONNX_WHOLE && !widens(a, type))
        return gpai_onnx_fail(o, GPA_UNSUPPORTED, "from %s to %s is not supported",
                              gpai_onnx_type_name(a->type), gpai_onnx_type_name(type));
    if (v.store != a->store)
        st = a->kind == GPAI_ONNX_CONSTANT ? cast_constant(o, a, &v)
                                           : gpai_onnx_emit(o, &s, a, NULL, 1, &v);
    if (st == GPA_OK)
        *out = v;
    return st;
}
