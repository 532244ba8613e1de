#include "model/onnx/ops/emit.h"
#include <string.h>

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
