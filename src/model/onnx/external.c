#define _XOPEN_SOURCE 700 /* realpath */
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "data/slurp.h"
#include "model/onnx/file.h"
#include "model/onnx/tensor.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

gpa_status gpai_onnx_external_read(gpai_onnx_external *e, const GpaiOnnx__Tensor *t,
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
