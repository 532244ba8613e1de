#include "cli/again.h"
#include "cli/say.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

gpa_status file_digest(const char *path, char *digest, gpa_error *err)
{
    struct memory m = {0};
    char piece[1 << 16];
    gpa_status st = GPA_OK;
    struct out o;
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
