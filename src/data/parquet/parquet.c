#include "data/parquet/parquet.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/bits.h"
#include "data/parquet/load.h"
#include "data/slurp.h"
#include <stdio.h>
#include <string.h>

/* A file that is open: on disk, or in memory. */
struct parquet {
    gpai_later later; /* the first, by which the table knows it */
    gpai_file file;   /* fd -1: */
    const char *bytes;
    size_t size, most;
    char *text_column, *path;
    char *footer_bytes;
    gpai_parquet_footer footer;
    size_t *shown; /* columns of the table, by their places in the footer */
};

bool gpai_is_parquet(const char *bytes, size_t size)
{
    return size >= 4 &&
           (memcmp(bytes, GPAI_PARQUET_MAGIC, 4) == 0 || memcmp(bytes, "PARE", 4) == 0);
}

static void close_parquet(gpai_later *l)
{
    struct parquet *p = (struct parquet *)l;
    gpai_file_close(&p->file);
    gpai_parquet_footer_close(&p->footer);
    gpai_free(p->footer_bytes);
    gpai_free(p->shown);
    gpai_free(p->text_column);
    gpai_free(p->path);
    gpai_free(p);
}

static gpa_status get(const struct parquet *p, size_t at, size_t size, void *to,
                      gpa_error *err)
{
    if (p->file.fd >= 0)
        return gpai_file_get(&p->file, at, size, to, err);
    memcpy(to, p->bytes + at, size);
    return GPA_OK;
}

/* The footer's bytes: its length and the magic are the last eight of the file. */
static gpa_status get_footer(struct parquet *p, const gpa_table *t, gpa_error *err)
{
    char end[8] = "";
    gpa_status st = p->size < 12 ? GPA_DATA : get(p, p->size - 8, 8, end, err);
    if (st == GPA_OK && memcmp(end + 4, "PARE", 4) == 0)
        return gpai_fail(err, GPA_DATA,
                         "%s: an encrypted Parquet file: decrypt it first",
                         t->source.text);
    size_t size = (size_t)gpai_little_endian(end, 4);
    if (p->size < 12 || (st == GPA_OK && (memcmp(end + 4, GPAI_PARQUET_MAGIC, 4) != 0 ||
                                          size > p->size - 12)))
        return gpai_fail(err, GPA_DATA, "%s: the Parquet file is cut off",
                         t->source.text);
    if (st != GPA_OK)
        return st;
    p->footer_bytes = gpai_regrow(NULL, size + 1, 1);
    if (p->footer_bytes == NULL)
        return gpai_nomem(err, "parquet");
    st = get(p, p->size - 8 - size, size, p->footer_bytes, err);
    if (st == GPA_OK)
        st = gpai_parquet_footer_open(&p->footer, p->footer_bytes, size, t->source.text,
                                      err);
    return st;
}

static gpa_status add_column(gpa_table *t, const gpai_parquet_column *c, gpa_error *err)
{
    char numbered[32];
    const char *name = c->name;
    size_t length = c->name_length, there = 0;
    if (length == 0) {
        length =
            (size_t)snprintf(numbered, sizeof numbered, "column%zu", t->n_columns + 1);
        name = numbered;
    }
    if (memchr(name, '\0', length) != NULL)
        return gpai_fail(err, GPA_DATA, "%s: a zero byte in the name of column %zu",
                         t->source.text, t->n_columns + 1);
    if (gpai_table_lookup(t, name, length, &there))
        return gpai_fail(err, GPA_DATA, "%s: columns %zu and %zu are both named \"%s\"",
                         t->source.text, there + 1, t->n_columns + 1,
                         gpai_show(name, length).text);
    return gpai_table_add(t, name, length, err);
}

/* The names of the columns, but those that pandas made of an index. */
static gpa_status add_columns(struct parquet *p, gpa_table *t, gpa_error *err)
{
    static const char INDEX[] = "__index_level_";
    const gpai_parquet_footer *f = &p->footer;
    gpa_status st = GPA_OK;
    p->shown = gpai_calloc(f->n_columns + 1, sizeof *p->shown);
    if (p->shown == NULL)
        return gpai_nomem(err, "parquet");
    for (size_t i = 0; i < f->n_columns && st == GPA_OK; i++) {
        const gpai_parquet_column *c = &f->column[i];
        if (c->name_length > strlen(INDEX) &&
            memcmp(c->name, INDEX, strlen(INDEX)) == 0)
            continue;
        p->shown[t->n_columns] = i;
        st = add_column(t, c, err);
    }
    if (st == GPA_OK && (f->n_rows == 0 || t->n_columns == 0))
        st = gpai_fail(err, GPA_DATA, "%s: empty, no %s", t->source.text,
                       t->n_columns == 0 ? "columns" : "rows");
    t->n_rows = f->n_rows;
    return st;
}

static gpa_status refuse(const gpa_table *t, size_t k, const char *what, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA,
                     "%s: column \"%s\" is %s, which is not read: leave it out",
                     t->source.text, gpai_show_text(t->column[k].name).text, what);
}

/* Whether a column can be read at all, in every row group. */
static gpa_status check_column(const struct parquet *p, const gpa_table *t, size_t k,
                               gpa_error *err)
{
    const gpai_parquet_footer *f = &p->footer;
    const gpai_parquet_column *c = &f->column[p->shown[k]];
    const char *codec = NULL;
    if (c->meaning == MEANS_NOTHING_READ)
        return refuse(t, k, c->why, err);
    for (size_t g = 0; g < f->n_groups; g++) {
        const gpai_parquet_chunk *u = &f->chunk[g * f->n_leaves + c->leaf];
        if (u->encrypted)
            return refuse(t, k, "encrypted", err);
        if (u->elsewhere)
            return refuse(t, k, "in another file", err);
        if (!gpai_parquet_codec(u->codec, &codec))
            return gpai_fail(err, GPA_DATA,
                             "%s: column \"%s\" is compressed with %s, which is not "
                             "read: write it with snappy, gzip, zstd or none",
                             t->source.text, gpai_show_text(t->column[k].name).text,
                             codec);
        if (u->type != c->type || u->start > p->size || u->size > p->size - u->start ||
            u->values < 0 || (uint64_t)u->values != f->rows[g])
            return gpai_fail(err, GPA_DATA,
                             "%s: column \"%s\": the footer of the Parquet file is "
                             "spoilt",
                             t->source.text, gpai_show_text(t->column[k].name).text);
    }
    return GPA_OK;
}

/* A chunk's bytes, where they are or read into `room`. */
static gpa_status get_chunk(const struct parquet *p, const gpai_parquet_chunk *c,
                            gpai_parquet_room *room, const unsigned char **bytes,
                            gpa_error *err)
{
    size_t size = (size_t)c->size;
    if (p->file.fd < 0) {
        *bytes = (const unsigned char *)p->bytes + c->start;
        return GPA_OK;
    }
    if (!gpai_grow(&room->bytes, &room->size, size + 1, 1))
        return gpai_nomem(err, "parquet");
    *bytes = room->bytes;
    return gpai_file_get(&p->file, (size_t)c->start, size, room->bytes, err);
}

static gpa_status load_group(struct parquet *p, gpai_parquet_load *l, size_t group,
                             gpai_parquet_room *room, gpa_error *err)
{
    const gpai_parquet_footer *f = &p->footer;
    const gpai_parquet_chunk *c = &f->chunk[group * f->n_leaves + l->column->leaf];
    gpai_shown name = gpai_show_text(l->b->t->column[l->k].name);
    gpai_parquet_pages pages = {.codec = c->codec,
                                .most = p->most,
                                .source = l->b->t->source.text,
                                .column = name.text,
                                .err = l->b->err};
    gpa_status st = get_chunk(p, c, room, &pages.at, err);
    if (st != GPA_OK)
        return st;
    pages.end = pages.at + c->size;
    return gpai_parquet_load_chunk(l, &pages, f->rows[group]);
}

static gpa_status load(gpai_later *later, gpa_table *t, const size_t *columns, size_t n,
                       gpa_error *err)
{
    struct parquet *p = (struct parquet *)later;
    const gpai_parquet_footer *f = &p->footer;
    gpai_build b;
    gpai_parquet_load l = {.b = &b, .v = gpai_calloc(1, sizeof *l.v)};
    gpai_parquet_room room = {NULL, 0};
    gpa_status st = gpai_build_open(&b, t, p->text_column, p->most, err);
    if (st == GPA_OK && l.v == NULL)
        st = gpai_nomem(err, "parquet");
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        st = check_column(p, t, columns[i], err);
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        enum gpai_parquet_meaning m = f->column[p->shown[columns[i]]].meaning;
        st = gpai_build_expect(&b, columns[i], f->n_rows,
                               m == MEANS_TEXT || m == MEANS_DATE || m == MEANS_STAMP ||
                                   m == MEANS_UUID);
    }
    for (size_t g = 0; g < f->n_groups && st == GPA_OK; g++)
        for (size_t i = 0; i < n && st == GPA_OK; i++) {
            l.k = columns[i];
            l.column = &f->column[p->shown[l.k]];
            st = load_group(p, &l, g, &room, err);
        }
    if (st == GPA_OK)
        st = gpai_build_end(&b, f->n_rows);
    gpai_free(room.bytes);
    gpai_parquet_load_close(&l);
    gpai_build_close(&b);
    return st;
}

/* What is the same of a file and of memory, once their bytes can be got. */
static gpa_status open_any(struct parquet *p, gpa_table *t,
                           const gpa_table_options *opt, gpa_error *err)
{
    p->most = opt->max_bytes;
    if (opt->text_column != NULL) {
        p->text_column = gpai_strdup(opt->text_column);
        if (p->text_column == NULL)
            return gpai_nomem(err, "parquet");
    }
    gpa_status st = get_footer(p, t, err);
    return st == GPA_OK ? add_columns(p, t, err) : st;
}

static struct parquet *make(gpa_table *t)
{
    struct parquet *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->later = (gpai_later){load, close_parquet};
    p->file.fd = -1;
    t->later = &p->later; /* the table closes it */
    return p;
}

gpa_status gpai_parquet_open(gpa_table *t, const char *path,
                             const gpa_table_options *opt, gpa_error *err)
{
    struct parquet *p = make(t);
    if (p == NULL || (p->path = gpai_strdup(path)) == NULL)
        return gpai_nomem(err, "parquet");
    gpa_status st = gpai_file_open(&p->file, p->path, opt->max_bytes, err);
    p->size = p->file.size;
    if (st == GPA_OK)
        st = open_any(p, t, opt, err);
    return st == GPA_OK ? gpai_file_digest(&p->file, t->digest, err) : st;
}

gpa_status gpai_parquet_parse(gpa_table *t, const char *bytes, size_t size,
                              const gpa_table_options *opt, gpa_error *err)
{
    struct parquet *p = make(t);
    if (p == NULL)
        return gpai_nomem(err, "parquet");
    p->bytes = bytes;
    p->size = size;
    gpa_status st = open_any(p, t, opt, err);
    return st == GPA_OK ? gpai_table_load(t, NULL, 0, err) : st;
}
