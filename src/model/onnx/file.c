#include "model/onnx/file.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include <string.h>

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
