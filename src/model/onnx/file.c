#define _XOPEN_SOURCE 700 /* realpath */
#include "model/onnx/file.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/bits.h"
#include "data/slurp.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Nodes and tensors of a graph at most; what unpacking may ask for at most: this and so
 * much for each byte of the file (a field of two bytes takes some forty while it is
 * read). */
enum { MAX_PARTS = 1 << 14, MEMORY = 1 << 28, MEMORY_PER_BYTE = 24 };

/* The operator sets whose meaning is known. */
static const struct {
    const char *domain;
    int64_t first, last;
} known[] = {{"", 7, 25}, {"ai.onnx.ml", 1, 5}};

static void *take(void *data, size_t size)
{
    gpai_onnx_file *f = data;
    void *p = size > f->left ? NULL : gpai_calloc(1, size);
    if (p == NULL)
        f->starved = true;
    else
        f->left -= size;
    return p;
}

static void give_back(void *data, void *p)
{
    (void)data;
    gpai_free(p);
}

const char *gpai_onnx_text(const char *text)
{
    return text != NULL ? text : "";
}

static bool same_domain(const char *a, const char *b)
{
    a = strcmp(a, "ai.onnx") == 0 ? "" : a;
    b = strcmp(b, "ai.onnx") == 0 ? "" : b;
    return strcmp(a, b) == 0;
}

static size_t imports(const gpai_onnx_file *f, const char *domain)
{
    size_t n = 0;
    for (size_t i = 0; i < f->model->n_opset_import; i++)
        n += same_domain(gpai_onnx_text(f->model->opset_import[i]->domain), domain);
    return n;
}

int64_t gpai_onnx_opset(const gpai_onnx_file *f, const char *domain)
{
    int64_t version = 0;
    for (size_t i = 0; i < f->model->n_opset_import; i++) {
        const GpaiOnnx__OperatorSet *set = f->model->opset_import[i];
        if (same_domain(gpai_onnx_text(set->domain), domain))
            version = set->version;
    }
    return version;
}

static gpa_status unpack(gpai_onnx_file *f, const char *bytes, size_t size,
                         gpa_error *err)
{
    ProtobufCAllocator memory = {take, give_back, f};
    f->model = gpai_onnx__model__unpack(&memory, size, (const uint8_t *)bytes);
    if (f->model != NULL)
        return GPA_OK;
    if (f->starved)
        return gpai_nomem(err, "onnx");
    return gpai_bad_file(err, f->path, "not an ONNX file, or cut off");
}

static gpa_status check_graph(const gpai_onnx_file *f, gpa_error *err)
{
    const GpaiOnnx__Graph *g = f->model->graph;
    if (g == NULL || g->n_output == 0)
        return gpai_bad_file(err, f->path, "no graph, or none with an output");
    if (g->n_node > MAX_PARTS || g->n_initializer > MAX_PARTS || g->n_input > MAX_PARTS)
        return gpai_fail_file(err, GPA_UNSUPPORTED, f->path,
                              "%zu nodes, %zu tensors and %zu inputs, at most %d each",
                              g->n_node, g->n_initializer, g->n_input, MAX_PARTS);
    return GPA_OK;
}

static gpa_status check_opsets(const gpai_onnx_file *f, gpa_error *err)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int64_t version = gpai_onnx_opset(f, known[i].domain);
        if (imports(f, known[i].domain) > 1)
            return gpai_bad_file(err, f->path, "imports the operators '%s' twice",
                                 i == 0 ? "ai.onnx" : known[i].domain);
        if (version != 0 && (version < known[i].first || version > known[i].last))
            return gpai_fail_file(err, GPA_UNSUPPORTED, f->path,
                                  "version %lld of the operators '%s', known are %lld "
                                  "to %lld; export it with one of these",
                                  (long long)version,
                                  i == 0 ? "ai.onnx" : known[i].domain,
                                  (long long)known[i].first, (long long)known[i].last);
    }
    return GPA_OK;
}

gpa_status gpai_onnx_file_read(gpai_onnx_file *f, const char *path, const char *bytes,
                               size_t size, gpa_error *err)
{
    *f =
        (gpai_onnx_file){.path = path, .left = MEMORY + size * (size_t)MEMORY_PER_BYTE};
    gpa_status st = unpack(f, bytes, size, err);
    if (st == GPA_OK)
        st = check_graph(f, err);
    if (st == GPA_OK)
        st = check_opsets(f, err);
    return st;
}

void gpai_onnx_file_close(gpai_onnx_file *f)
{
    ProtobufCAllocator memory = {take, give_back, f};
    if (f->model != NULL)
        gpai_onnx__model__free_unpacked(f->model, &memory);
    f->model = NULL;
}

/* In the order of their numbers in files. */
static const char *const type_names[] = {
    "undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
    "int32",     "int64",  "string",    "bool",       "float16", "double",
    "uint32",    "uint64", "complex64", "complex128", "bfloat16"};

const char *gpai_onnx_type_name(int64_t type)
{
    const int64_t n = sizeof type_names / sizeof type_names[0];
    return type >= 0 && type < n ? type_names[type] : "an unknown type";
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

enum { MAX_BYTES = 1 << 30 };
#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* What a tensor says about its place. */
struct place {
    const char *location;
    uint64_t offset, length;
    bool has_length;
};

static bool parse(const char *text, uint64_t *to)
{
    *to = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (*to > (UINT64_MAX - 9) / 10)
            return false;
        *to = 10 * *to + (uint64_t)(*text - '0');
    }
    return *text == '\0';
}

static bool find_place(struct place *p, const GpaiOnnx__Tensor *t)
{
    bool fine = true;
    *p = (struct place){.location = ""};
    for (size_t i = 0; i < t->n_external_data; i++) {
        const char *key = gpai_onnx_text(t->external_data[i]->key);
        const char *value = gpai_onnx_text(t->external_data[i]->value);
        if (strcmp(key, "location") == 0)
            p->location = value;
        if (strcmp(key, "offset") == 0)
            fine = fine && parse(value, &p->offset);
        if (strcmp(key, "length") == 0) {
            fine = fine && parse(value, &p->length);
            p->has_length = true;
        }
    }
    return fine && p->location[0] != '\0';
}

/* No way up, and not from the root. */
static bool stays_below(const char *location)
{
    if (location[0] == '/')
        return false;
    for (const char *at = location; *at != '\0';) {
        size_t n = strcspn(at, "/");
        if (n == 2 && memcmp(at, "..", 2) == 0)
            return false;
        at += n + (at[n] == '/');
    }
    return true;
}

/* The folder of the model, with all links resolved and a slash at the end. */
static bool find_folder(const char *path, char *folder, size_t size)
{
    char given[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (strcmp(path, "-") == 0 || n >= sizeof given)
        return false;
    memcpy(given, path, n);
    given[n] = '\0';
    if (realpath(n > 0 ? given : ".", real) == NULL)
        return false;
    int used = snprintf(folder, size, "%s%s", real, strcmp(real, "/") == 0 ? "" : "/");
    return used > 0 && (size_t)used < size;
}

static gpa_status outside(const gpai_onnx_external *e, const GpaiOnnx__Tensor *t,
                          const char *location, gpa_error *err)
{
    return gpai_bad_file(err, e->path,
                         "tensor '%s': its numbers are in '%s', which is not a file "
                         "in the model's folder",
                         gpai_show_text(gpai_onnx_text(t->name)).text,
                         gpai_show_text(location).text);
}

/* The real path of a file that lies below the model's folder. */
static gpa_status find_file(const gpai_onnx_external *e, const GpaiOnnx__Tensor *t,
                            const char *location, char *real, gpa_error *err)
{
    char folder[PATH_MAX], file[2 * PATH_MAX];
    struct stat info;
    if (!stays_below(location) || strlen(location) >= PATH_MAX ||
        !find_folder(e->path, folder, sizeof folder))
        return outside(e, t, location, err);
    snprintf(file, sizeof file, "%s%s", folder, location);
    if (realpath(file, real) == NULL || stat(real, &info) != 0)
        return gpai_fail_file(err, GPA_IO, e->path,
                              "tensor '%s': no file '%s' in the model's folder",
                              gpai_show_text(gpai_onnx_text(t->name)).text,
                              gpai_show_text(location).text);
    if (strncmp(real, folder, strlen(folder)) != 0 || !S_ISREG(info.st_mode))
        return outside(e, t, location, err);
    return GPA_OK;
}

static gpa_status load(gpai_onnx_external *e, const GpaiOnnx__Tensor *t,
                       const char *location, gpa_error *err)
{
    char real[PATH_MAX];
    if (e->location != NULL && strcmp(e->location, location) == 0)
        return GPA_OK;
    gpai_onnx_external_close(e);
    gpa_status st = find_file(e, t, location, real, err);
    if (st == GPA_OK)
        st = gpai_slurp(&e->bytes, &e->size, real, MAX_BYTES, err);
    if (st != GPA_OK)
        return st;
    e->location = gpai_strdup(location);
    return e->location != NULL ? GPA_OK : gpai_nomem(err, "onnx");
}

/* The bytes of `t`, which stay until the next call or the close. The file must lie in
 * the model's folder or below it, and is read only if its real place does so too: a
 * model from somebody else must not open other files of its user. */
static gpa_status read_external(gpai_onnx_external *e, const GpaiOnnx__Tensor *t,
                                const char **bytes, size_t *size, gpa_error *err)
{
    struct place p;
    gpai_shown name = gpai_show_text(gpai_onnx_text(t->name));
    if (!find_place(&p, t))
        return gpai_bad_file(err, e->path,
                             "tensor '%s': its external data has no location, or an "
                             "offset or length that is no number",
                             name.text);
    gpa_status st = load(e, t, p.location, err);
    if (st != GPA_OK)
        return st;
    if (p.offset > e->size || (p.has_length && p.length > e->size - p.offset))
        return gpai_bad_file(
            err, e->path, "tensor '%s': its numbers would lie beyond the end of '%s'",
            name.text, gpai_show_text(p.location).text);
    *bytes = e->bytes + p.offset;
    *size = p.has_length ? (size_t)p.length : e->size - (size_t)p.offset;
    return GPA_OK;
}

void gpai_onnx_external_close(gpai_onnx_external *e)
{
    gpai_free(e->bytes);
    gpai_free(e->location);
    *e = (gpai_onnx_external){.path = e->path};
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
        st = read_external(e, s->t, &s->bytes, &s->size, err);
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
