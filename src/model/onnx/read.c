#include "base/alloc.h"
#include "base/status.h"
#include "model/onnx/graph.h"
#include "model/spec.h"
#include <stdint.h>

/* What constants may take: this much and so much for each byte of the file. */
enum { MEMORY = 1 << 29, MEMORY_PER_BYTE = 8, LINE = 64 };

/* One handle's use of a program: the program is shared, the scratch is not. */
struct user {
    gpai_onnx_program *program;
    char *scratch;
};

static void close_user(void *self)
{
    struct user *u = self;
    gpai_onnx_program_free(u->program);
    gpai_free(u->scratch);
    gpai_free(u);
}

/* Takes a hold of its own. */
static gpa_status new_user(struct user **out, gpai_onnx_program *p, gpa_error *err)
{
    *out = NULL;
    struct user *u = gpai_calloc(1, sizeof *u);
    if (u == NULL)
        return gpai_nomem(err, "onnx");
    gpai_onnx_hold(p);
    u->program = p;
    u->scratch = gpai_calloc(gpai_onnx_scratch(p) + LINE, 1);
    if (u->scratch == NULL) {
        close_user(u);
        return gpai_nomem(err, "onnx");
    }
    *out = u;
    return GPA_OK;
}

static gpa_status clone_user(void **out, const void *self, gpa_error *err)
{
    const struct user *from = self;
    struct user *u = NULL;
    gpa_status st = new_user(&u, from->program, err);
    *out = u;
    return st;
}

static gpa_status predict(void *self, const double *x, size_t n, size_t d, double *y,
                          gpa_error *err)
{
    struct user *u = self;
    size_t over = (uintptr_t)u->scratch % LINE;
    (void)d;
    (void)err;
    gpai_onnx_run(u->program, 0, u->scratch + (over == 0 ? 0 : LINE - over), x, n, y);
    return GPA_OK;
}

static const gpai_model_ops ops = {.kind = "onnx",
                                   .predict = predict,
                                   .clone = clone_user,
                                   .close = close_user,
                                   .in_process = true};

static gpa_status wrap(gpa_model **out, const gpai_spec *s, const gpai_onnx_graph *g,
                       gpa_error *err)
{
    struct user *u = NULL;
    gpa_status st = new_user(&u, g->program, err);
    if (st != GPA_OK)
        return st;
    gpai_model_info info = {s->text, gpai_onnx_inputs(g->program), s->batch_rows,
                            g->input_names};
    return gpai_model_wrap(out, &ops, u, &info, err);
}

gpa_status gpai_onnx_open(gpa_model **out, const gpai_spec *s, const char *bytes,
                          size_t size, gpa_error *err)
{
    gpai_onnx_file file = {0};
    gpai_onnx_graph graph = {0};
    *out = NULL;
    gpa_status st = gpai_onnx_file_read(&file, s->rest, bytes, size, err);
    if (st == GPA_OK)
        st = gpai_onnx_compile(&graph, &file, s->config,
                               MEMORY + size * (size_t)MEMORY_PER_BYTE, err);
    if (st == GPA_OK)
        st = wrap(out, s, &graph, err);
    gpai_onnx_graph_close(&graph);
    gpai_onnx_file_close(&file);
    return st;
}
