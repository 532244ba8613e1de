#include "cli/again.h"
#include "cli/say.h"
#include <errno.h>
#include <gpa/data.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void again_open(struct again *g, struct out *o, gpa_format *format)
{
    out_open_memory(o, &g->result);
    *format = g->page ? GPA_FORMAT_HTML : GPA_FORMAT_JSON;
}

gpa_status again_check(struct again *g, const struct load *l, gpa_error *err)
{
    if (g->model_digest == NULL || strcmp(g->model_digest, l->probe) == 0)
        return GPA_OK;
    g->differs = true;
    return fail(err, GPA_STOPPED,
                "the model answers differently: its predictions of the rows have the "
                "digest %.80s, in the report %.80s",
                l->probe, g->model_digest);
}

/* A report may name anything as its data: only a file that ends is read. */
static gpa_status check_file(const char *path, gpa_error *err)
{
    struct stat there;
    gpa_table_options table;
    gpa_table_options_init(&table);
    if (stat(path, &there) != 0)
        return fail(err, GPA_IO, "%.300s: cannot read: %s", path, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return fail(err, GPA_IO, "%.300s: not a file", path);
    if ((uintmax_t)there.st_size > table.max_bytes)
        return fail(err, GPA_DATA, "%.300s: too large", path);
    return GPA_OK;
}

gpa_status file_digest(const char *path, char *digest, gpa_error *err)
{
    struct memory m = {0};
    char piece[1 << 16];
    struct out o;
    gpa_status st = check_file(path, err);
    if (st != GPA_OK)
        return st;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return fail(err, GPA_IO, "%.300s: cannot read: %s", path, strerror(errno));
    out_open_memory(&o, &m);
    for (size_t n = 1; n > 0 && st == GPA_OK;) {
        n = fread(piece, 1, sizeof piece, f);
        st = out_write(&o, piece, n, err);
    }
    if (st == GPA_OK && ferror(f))
        st = fail(err, GPA_IO, "%.300s: cannot read: %s", path, strerror(errno));
    if (st == GPA_OK)
        gpa_digest(m.bytes, m.size, digest);
    fclose(f);
    free(m.bytes);
    return st;
}
