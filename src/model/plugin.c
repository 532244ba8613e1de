#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "model/spec.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ABI = 1, TEXT = 256 };

/* The shared object and how instances are made; shared by all clones. */
struct library {
    atomic_size_t instances;
    void *handle;
    char *path;   /* as in the spec, for messages */
    char *config; /* handed to every instance */
    int (*abi)(void);
    void *(*open)(const char *config, size_t *inputs, char *error, size_t error_size);
    int (*predict)(void *model, const double *x, size_t rows, size_t inputs, double *y);
    void (*close)(void *model);
};

struct plugin {
    struct library *library;
    void *model;
    size_t inputs;
};

/* Texts of strangers go into one-line messages: no control characters. */
static void flatten(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = ' ';
    }
}

static gpa_status fail_read(const struct library *l, int code, gpa_error *err)
{
    char reason[TEXT] = "";
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return gpai_fail(err, GPA_IO, "plugin: %s: cannot read: %s",
                     gpai_show_path(l->path).text, reason);
}

static gpa_status fail_loader(const struct library *l, gpa_error *err)
{
    char reason[TEXT] = "unknown reason";
    const char *said = dlerror();
    if (said != NULL)
        strncpy(reason, said, sizeof reason - 1);
    flatten(reason);
    return gpai_fail(err, GPA_IO, "plugin: %s: cannot load: %s",
                     gpai_show_path(l->path).text, reason);
}

static void drop_library(struct library *l)
{
    if (atomic_fetch_sub(&l->instances, 1) != 1)
        return;
    if (l->handle != NULL)
        dlclose(l->handle);
    gpai_free(l->config);
    gpai_free(l->path);
    gpai_free(l);
}

/* The loader would look for a name without a slash on its own search path. */
static gpa_status load(struct library *l, gpa_error *err)
{
    size_t length = strlen(l->path);
    char *path = gpai_calloc(length + 3, 1);
    if (path == NULL)
        return gpai_nomem(err, "plugin");
    if (strchr(l->path, '/') == NULL)
        memcpy(path, "./", 2);
    memcpy(path + strlen(path), l->path, length);
    gpa_status st = GPA_OK;
    if (access(path, R_OK) != 0)
        st = fail_read(l, errno, err);
    else if ((l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL)
        st = fail_loader(l, err);
    gpai_free(path);
    return st;
}

/* `function` is the address of a function pointer. ISO C has no conversion between the
 * two kinds of pointer, POSIX promises the same representation. */
static gpa_status find(struct library *l, const char *name, void *function,
                       gpa_error *err)
{
    void *symbol = dlsym(l->handle, name);
    if (symbol == NULL)
        return gpai_fail(err, GPA_MODEL, "plugin: %s: has no function %s",
                         gpai_show_path(l->path).text, name);
    memcpy(function, &symbol, sizeof symbol);
    return GPA_OK;
}

static gpa_status find_all(struct library *l, gpa_error *err)
{
    gpa_status st = find(l, "gpa_plugin_abi", &l->abi, err);
    if (st != GPA_OK)
        return st;
    int abi = l->abi();
    if (abi != ABI)
        return gpai_fail(err, GPA_MODEL,
                         "plugin: %s: interface version %d, expected %d",
                         gpai_show_path(l->path).text, abi, ABI);
    st = find(l, "gpa_plugin_open", &l->open, err);
    if (st == GPA_OK)
        st = find(l, "gpa_plugin_predict", &l->predict, err);
    if (st == GPA_OK)
        st = find(l, "gpa_plugin_close", &l->close, err);
    return st;
}

static gpa_status open_library(struct library **out, const gpai_spec *s, gpa_error *err)
{
    *out = NULL;
    struct library *l = gpai_calloc(1, sizeof *l);
    if (l == NULL)
        return gpai_nomem(err, "plugin");
    atomic_store(&l->instances, 1); /* the caller's hold on it */
    l->path = gpai_strdup(s->rest);
    l->config = gpai_strdup(s->config);
    gpa_status st = GPA_OK;
    if (l->path == NULL || l->config == NULL)
        st = gpai_nomem(err, "plugin");
    if (st == GPA_OK)
        st = load(l, err);
    if (st == GPA_OK)
        st = find_all(l, err);
    if (st == GPA_OK)
        *out = l;
    else
        drop_library(l);
    return st;
}

static void close_plugin(void *self)
{
    struct plugin *p = self;
    if (p->model != NULL)
        p->library->close(p->model);
    drop_library(p->library);
    gpai_free(p);
}

static gpa_status open_model(struct plugin *p, gpa_error *err)
{
    const struct library *l = p->library;
    char reason[TEXT] = "";
    p->model = l->open(l->config, &p->inputs, reason, sizeof reason);
    reason[sizeof reason - 1] = '\0';
    flatten(reason);
    if (p->model == NULL)
        return gpai_fail(err, GPA_MODEL, "plugin: %s: %s", gpai_show_path(l->path).text,
                         reason[0] != '\0' ? reason : "does not open, gives no reason");
    if (p->inputs == 0)
        return gpai_fail(err, GPA_MODEL, "plugin: %s: says it has 0 inputs",
                         gpai_show_path(l->path).text);
    return GPA_OK;
}

static gpa_status new_plugin(struct plugin **out, struct library *l, gpa_error *err)
{
    *out = NULL;
    struct plugin *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return gpai_nomem(err, "plugin");
    p->library = l;
    atomic_fetch_add(&l->instances, 1);
    gpa_status st = open_model(p, err);
    if (st == GPA_OK)
        *out = p;
    else
        close_plugin(p);
    return st;
}

static gpa_status predict(void *self, const double *x, size_t n, size_t d, double *y,
                          gpa_error *err)
{
    const struct plugin *p = self;
    int code = p->library->predict(p->model, x, n, d, y);
    if (code != 0)
        return gpai_fail(err, GPA_MODEL, "plugin: %s: predict returned %d for %zu rows",
                         gpai_show_path(p->library->path).text, code, n);
    return GPA_OK;
}

static gpa_status clone(void **out, const void *self, gpa_error *err)
{
    const struct plugin *p = self;
    struct plugin *copy = NULL;
    gpa_status st = new_plugin(&copy, p->library, err);
    if (st == GPA_OK && copy->inputs != p->inputs) {
        st = gpai_fail(err, GPA_MODEL,
                       "plugin: %s: opened again it has %zu inputs, not %zu",
                       gpai_show_path(p->library->path).text, copy->inputs, p->inputs);
        close_plugin(copy);
        copy = NULL;
    }
    *out = copy;
    return st;
}

static const gpai_model_ops ops = {
    .kind = "plugin",
    .predict = predict,
    .clone = clone,
    .close = close_plugin,
    .in_process = true,
};

gpa_status gpai_plugin_open(gpa_model **out, const gpai_spec *s, gpa_error *err)
{
    struct library *l = NULL;
    struct plugin *p = NULL;
    *out = NULL;
    gpa_status st = open_library(&l, s, err);
    if (st != GPA_OK)
        return st;
    st = new_plugin(&p, l, err);
    drop_library(l); /* the instance holds it now */
    if (st != GPA_OK)
        return st;
    gpai_model_info info = {s->text, p->inputs, s->batch_rows, NULL};
    return gpai_model_wrap(out, &ops, p, &info, err);
}
