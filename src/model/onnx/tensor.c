#include "model/onnx/tensor.h"
#include "base/text/show.h"
#include "data/bits.h"
#include "model/onnx/file.h"
#include <string.h>

/* In the order of their numbers in files. */
static const char *const names[] = {
    "undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
    "int32",     "int64",  "string",    "bool",       "float16", "double",
    "uint32",    "uint64", "complex64", "complex128", "bfloat16"};

const char *gpai_onnx_type_name(int64_t type)
{
    const int64_t n = sizeof names / sizeof names[0];
    return type >= 0 && type < n ? names[type] : "an unknown type";
}

bool gpai_onnx_type_store(int64_t type, gpai_onnx_store *store)
{
    if (type == GPAI_ONNX_FLOAT)
        *store = GPAI_ONNX_NARROW;
    else if (type == GPAI_ONNX_DOUBLE)
        *store = GPAI_ONNX_WIDE;
    else
        *store = GPAI_ONNX_WHOLE;
    return type == GPAI_ONNX_FLOAT || type == GPAI_ONNX_DOUBLE ||
           type == GPAI_ONNX_INT32 || type == GPAI_ONNX_INT64 || type == GPAI_ONNX_BOOL;
}

bool gpai_onnx_count(const gpai_onnx_shape *s, size_t most, size_t *n)
{
    *n = 1;
    for (size_t i = 0; i < s->rank; i++) {
        if (s->dim[i] != 0 && *n > most / s->dim[i])
            return false;
        *n *= s->dim[i];
    }
    return true;
}

/* A tensor being read: its numbers lie in one of the lists of the message, or are
 * little-endian bytes there or in another file. */
struct source {
    const GpaiOnnx__Tensor *t;
    const char *path;
    const char *bytes; /* NULL: in a list */
    size_t size;
};

static gpa_status wrong(const struct source *s, gpa_status status, const char *what,
                        gpa_error *err)
{
    return gpai_fail_file(err, status, s->path, "tensor '%s': %s",
                          gpai_show_text(gpai_onnx_text(s->t->name)).text, what);
}

static size_t size_in_file(gpai_onnx_type type)
{
    return type == GPAI_ONNX_BOOL                               ? 1
           : type == GPAI_ONNX_FLOAT || type == GPAI_ONNX_INT32 ? 4
                                                                : 8;
}

static void read_bytes(const struct source *s, const gpai_onnx_value *v, void *to)
{
    size_t size = size_in_file(v->type);
    for (size_t i = 0; i < v->n; i++) {
        uint64_t bits = gpai_little_endian(s->bytes + i * size, size);
        uint32_t low = (uint32_t)bits;
        if (v->store == GPAI_ONNX_NARROW)
            memcpy((float *)to + i, &low, sizeof low);
        else if (v->type == GPAI_ONNX_INT32)
            ((int64_t *)to)[i] = (int32_t)low;
        else
            memcpy((char *)to + 8 * i, &bits, sizeof bits);
    }
}

/* The list for its type, and how many numbers it holds. */
static const void *listed(const GpaiOnnx__Tensor *t, gpai_onnx_type type, size_t *n)
{
    if (type == GPAI_ONNX_FLOAT) {
        *n = t->n_float_data;
        return t->float_data;
    }
    if (type == GPAI_ONNX_DOUBLE) {
        *n = t->n_double_data;
        return t->double_data;
    }
    bool wide = type == GPAI_ONNX_INT64;
    *n = wide ? t->n_int64_data : t->n_int32_data;
    return wide ? (const void *)t->int64_data : t->int32_data;
}

static void read_list(const struct source *s, const gpai_onnx_value *v, void *to)
{
    size_t n;
    const void *list = listed(s->t, v->type, &n);
    if (v->type == GPAI_ONNX_INT32 || v->type == GPAI_ONNX_BOOL)
        for (size_t i = 0; i < n; i++)
            ((int64_t *)to)[i] = ((const int32_t *)list)[i];
    else if (n > 0)
        memcpy(to, list, n * gpai_onnx_size(v->store));
}

static gpa_status read_shape(const struct source *s, gpai_onnx_value *v, gpa_error *err)
{
    if (s->t->n_dims > GPAI_ONNX_RANK)
        return wrong(s, GPA_UNSUPPORTED, "more than 8 dimensions", err);
    v->shape.rank = s->t->n_dims;
    for (size_t i = 0; i < s->t->n_dims; i++) {
        if (s->t->dims[i] < 0)
            return wrong(s, GPA_DATA, "a negative dimension", err);
        v->shape.dim[i] = (size_t)s->t->dims[i];
    }
    if (!gpai_onnx_count(&v->shape, SIZE_MAX / 8, &v->n))
        return wrong(s, GPA_DATA, "dimensions beyond all memory", err);
    return GPA_OK;
}

static gpa_status read_type(const struct source *s, gpai_onnx_value *v, gpa_error *err)
{
    if (!gpai_onnx_type_store(s->t->data_type, &v->store))
        return gpai_fail_file(err, GPA_UNSUPPORTED, s->path,
                              "tensor '%s': numbers of type %s are not supported",
                              gpai_show_text(gpai_onnx_text(s->t->name)).text,
                              gpai_onnx_type_name(s->t->data_type));
    v->type = (gpai_onnx_type)s->t->data_type;
    return GPA_OK;
}

/* Whether numbers stand in more than one of: another file, bytes, a list. */
static bool is_double(const GpaiOnnx__Tensor *t)
{
    size_t lists =
        t->n_float_data + t->n_double_data + t->n_int32_data + t->n_int64_data;
    return (t->data_location == 1) + (t->has_raw_data && t->raw_data.len > 0) +
               (lists > 0) >
           1;
}

/* Finds the numbers, as many as the shape says and no more: so memory is never taken
 * for what the file does not hold. */
static gpa_status find_numbers(struct source *s, const gpai_onnx_value *v,
                               gpai_onnx_external *e, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (s->t->data_location == 1) {
        st = gpai_onnx_external_read(e, s->t, &s->bytes, &s->size, err);
    } else if (s->t->has_raw_data) {
        s->bytes = (const char *)s->t->raw_data.data;
        s->size = s->t->raw_data.len;
    }
    if (st != GPA_OK)
        return st;
    if (is_double(s->t))
        return wrong(s, GPA_DATA, "its numbers are in two places", err);
    bool raw = s->bytes != NULL;
    size_t have = s->size;
    if (!raw)
        (void)listed(s->t, v->type, &have);
    size_t want = raw ? v->n * size_in_file(v->type) : v->n;
    if (have != want)
        return gpai_bad_file(err, s->path, "tensor '%s': %zu %s, expected %zu",
                             gpai_show_text(gpai_onnx_text(s->t->name)).text, have,
                             raw ? "bytes" : "numbers", want);
    return GPA_OK;
}

gpa_status gpai_onnx_tensor_read(gpai_onnx_value *out, const GpaiOnnx__Tensor *t,
                                 gpai_onnx_external *e, gpai_onnx_pool *pool,
                                 gpa_error *err)
{
    struct source s = {.t = t, .path = e->path};
    gpai_onnx_value v = {.kind = GPAI_ONNX_CONSTANT};
    gpa_status st = read_type(&s, &v, err);
    if (st == GPA_OK)
        st = read_shape(&s, &v, err);
    if (st == GPA_OK)
        st = find_numbers(&s, &v, e, err);
    if (st != GPA_OK)
        return st;
    void *to = gpai_onnx_take(pool, v.n, gpai_onnx_size(v.store));
    if (to == NULL)
        return gpai_onnx_starved(pool, e->path, err);
    if (s.bytes != NULL)
        read_bytes(&s, &v, to);
    else
        read_list(&s, &v, to);
    v.data = to;
    *out = v;
    return GPA_OK;
}
