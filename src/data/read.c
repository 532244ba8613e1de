#include <gpa/data.h>

#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "data/formats.h"
#include "data/live/sqlite.h"
#include "data/packed/unpack.h"
#include "data/parquet/parquet.h"
#include "data/slurp.h"
#include <stdint.h>
#include <string.h>

/* gpa_table_read and gpa_table_parse: which format is it? */

static const gpa_table_options defaults = {.struct_size = sizeof defaults,
                                           .max_bytes = (size_t)2 << 30};

void gpa_table_options_init_sized(gpa_table_options *opt, size_t size)
{
    gpai_sized_init(opt, size, &defaults, sizeof defaults);
}

gpa_status gpai_table_settle_options(gpa_table_options *own,
                                     const gpa_table_options *opt, gpa_error *err)
{
    *own = defaults;
    return gpai_sized_copy(own, sizeof *own, opt,
                           "table: options not set by gpa_table_options_init", err);
}

/* A file's content and what it is called, without the packing that was around it. */
struct content {
    const char *bytes;
    size_t size;
    const char *name;
    size_t name_length;
};

static bool ends_with(const struct content *c, const char *ending)
{
    size_t m = strlen(ending);
    if (c->name_length < m)
        return false;
    for (size_t i = 0; i < m; i++) {
        char letter = c->name[c->name_length - m + i];
        if ((letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter) !=
            ending[i])
            return false;
    }
    return true;
}

static bool starts_with(const struct content *c, const char *start, size_t length)
{
    return c->size >= length && memcmp(c->bytes, start, length) == 0;
}

#define WORKBOOK "run: ssconvert book.xlsx book.csv (gnumeric), or save it as CSV"

/* Files that are no tables of ours but are handed to us all the same, by the bytes at
 * their start, or near it. */
static const struct {
    size_t at;
    const char *start;
    size_t length;
    const char *what;
} strangers[] = {
    {0, "\x1f\x8b", 2, "compressed twice: unpack it first"},
    {0, "\x28\xb5\x2f\xfd", 4, "compressed twice: unpack it first"},
    {0, "BZh91AY", 7, "compressed with bzip2: unpack it first"},
    {0, "\3757zXZ", 5, "compressed with xz: unpack it first"},
    {257, "ustar", 5, "a tar archive: unpack it first"},
    {0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, "an Excel workbook (.xls): " WORKBOOK},
    {0, "\x89HDF", 4, "an HDF5 file: save the table as CSV"},
    {0, "ARROW1", 6, "an Arrow (Feather) file: save the table as Parquet or CSV"},
    {0, "ORC", 3, "an ORC file: save the table as Parquet or CSV"},
    {0, "Obj\1", 4, "an Avro file: save the table as Parquet or CSV"},
    {8, "DUCK", 4,
     "a DuckDB database; run: duckdb FILE -csv -c 'SELECT ...' | gpa ... -"},
    {0, "PGDMP", 5,
     "a dump of PostgreSQL; run: psql --csv -c 'SELECT ...' | gpa ... -"},
    {4, "Standard Jet DB", 15,
     "an Access database; run: mdb-export FILE TABLE | gpa ... -"},
    {4, "Standard ACE DB", 15,
     "an Access database; run: mdb-export FILE TABLE | gpa ... -"},
    {0, "\xff\xfe", 2, "UTF-16 text: save it as UTF-8"},
    {0, "\xfe\xff", 2, "UTF-16 text: save it as UTF-8"},
};

/* Whether some text is there near either end of an archive: names are. */
static bool mentions(const struct content *c, const char *word)
{
    enum { NEAR = 1 << 16 };
    size_t m = strlen(word), n = c->size;
    for (size_t i = 0; i + m <= n; i++) {
        if (i == NEAR && n > 2 * (size_t)NEAR)
            i = n - NEAR;
        if (memcmp(c->bytes + i, word, m) == 0)
            return true;
    }
    return false;
}

static const char *which_archive(const struct content *c)
{
    if (mentions(c, "xl/workbook"))
        return "an Excel workbook (.xlsx): " WORKBOOK;
    if (mentions(c, "opendocument.spreadsheet"))
        return "a spreadsheet (.ods): " WORKBOOK;
    return "a zip archive (.npz is, too): unpack it first";
}

static gpa_status refuse_stranger(const gpa_table *t, const struct content *c,
                                  gpa_error *err)
{
    size_t n = sizeof strangers / sizeof strangers[0];
    const char *what = starts_with(c, "PK\x03\x04", 4) ? which_archive(c) : NULL;
    for (size_t i = 0; i < n && what == NULL; i++)
        if (c->size >= strangers[i].at + strangers[i].length &&
            memcmp(c->bytes + strangers[i].at, strangers[i].start,
                   strangers[i].length) == 0)
            what = strangers[i].what;
    return what == NULL ? GPA_OK
                        : gpai_fail(err, GPA_DATA, "%s: %s", t->source.text, what);
}

/* No text has a zero byte in it. */
static gpa_status refuse_binary(const gpa_table *t, const struct content *c,
                                gpa_error *err)
{
    const char *zero = memchr(c->bytes, '\0', c->size);
    size_t line = 1;
    if (zero == NULL)
        return GPA_OK;
    for (const char *p = c->bytes; p < zero; p++)
        line += *p == '\n' || (*p == '\r' && p[1] != '\n');
    return gpai_fail(err, GPA_DATA,
                     "%s: line %zu: a zero byte, this is not a text file",
                     t->source.text, line);
}

/* A name that says so decides; otherwise the first character that is not blank does. */
static bool is_jsonl(const struct content *c)
{
    if (ends_with(c, ".jsonl") || ends_with(c, ".ndjson"))
        return true;
    if (ends_with(c, ".csv") || ends_with(c, ".tsv"))
        return false;
    size_t i = starts_with(c, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (i < c->size && memchr(" \t\r\n", c->bytes[i], 4) != NULL)
        i++;
    return i < c->size && (c->bytes[i] == '{' || c->bytes[i] == '[');
}

static gpa_status fill(gpa_table *t, const struct content *c,
                       const gpa_table_options *opt, gpa_error *err)
{
    if (c->size == 0)
        return gpai_fail(err, GPA_DATA, "%s: empty", t->source.text);
    if (starts_with(c, GPAI_NPY_MAGIC, GPAI_NPY_MAGIC_LENGTH) || ends_with(c, ".npy"))
        return gpai_npy_parse(t, c->bytes, c->size, opt, err);
    if (gpai_is_parquet(c->bytes, c->size))
        return gpai_parquet_parse(t, c->bytes, c->size, opt, err);
    if (gpai_is_sqlite(c->bytes, c->size))
        return gpai_sqlite_parse(t, c->bytes, c->size, NULL, opt, err);
    gpa_status st = refuse_stranger(t, c, err);
    if (st == GPA_OK)
        st = refuse_binary(t, c, err);
    if (st != GPA_OK)
        return st;
    if (is_jsonl(c))
        return gpai_jsonl_parse(t, c->bytes, c->size, opt, err);
    return gpai_csv_parse(t, c->bytes, c->size, opt, err);
}

/* The same from packed bytes, of which the plain ones are forgotten as they are read
 * where `own` are not NULL; those may go at once. */
static gpa_status fill_packed(gpa_table *t, struct content *c, char *own,
                              const gpa_table_options *opt, gpa_error *err)
{
    char *plain = NULL;
    const char *end = c->bytes + c->size;
    gpa_status st =
        gpai_unpack(&plain, &c->size, c->bytes, c->size, c->name, opt->max_bytes, err);
    if (own != NULL)
        gpai_forget(own, end);
    c->bytes = plain;
    c->name_length = gpai_packing_name(c->name);
    t->bytes = own != NULL ? plain : NULL;
    if (st == GPA_OK)
        st = fill(t, c, opt, err);
    gpai_free(plain);
    return st;
}

/* `own`: the same bytes, if they may be forgotten once they are read, or NULL. Then
 * nothing comes out, with GPA_OK, where they are needed once more. */
static gpa_status parse(gpa_table **out, const char *bytes, size_t size, char *own,
                        const char *name, const gpa_table_options *opt, gpa_error *err)
{
    gpa_table *t = NULL;
    gpa_status st = gpai_table_new(&t, name, err);
    if (st != GPA_OK)
        return st;
    struct content c = {bytes, size, name, strlen(name)};
    gpa_digest(bytes, size, t->digest);
    t->bytes = own;
    if (size > opt->max_bytes)
        st = gpai_fail(err, GPA_DATA, "%s: larger than the limit of %zu bytes",
                       t->source.text, opt->max_bytes);
    else if (gpai_packing_of(bytes, size) != GPAI_PLAIN)
        st = fill_packed(t, &c, own, opt, err);
    else
        st = fill(t, &c, opt, err);
    t->bytes = NULL;
    if (st == GPA_OK && !t->again)
        *out = t;
    else
        gpa_table_free(t);
    return st;
}

gpa_status gpa_table_parse(gpa_table **out, const char *bytes, size_t size,
                           const char *name, const gpa_table_options *opt,
                           gpa_error *err)
{
    gpa_table_options own;
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "table: nowhere to put it");
    *out = NULL;
    if (bytes == NULL && size > 0)
        return gpai_fail(err, GPA_INVALID, "table: no bytes");
    gpa_status st = gpai_table_settle_options(&own, opt, err);
    if (st == GPA_OK)
        st = parse(out, bytes, size, NULL, name != NULL ? name : "table", &own, err);
    return st;
}

/* The first bytes of a plain file; none of anything else, and of what cannot be read.
 */
static size_t peek(const char *path, char *out, size_t size)
{
    gpai_file f;
    if (!gpai_is_file(path) || gpai_file_open(&f, path, SIZE_MAX, NULL) != GPA_OK)
        return 0;
    size = f.size < size ? f.size : size;
    if (gpai_file_get(&f, 0, size, out, NULL) != GPA_OK)
        size = 0;
    gpai_file_close(&f);
    return size;
}

/* A database where it lies; one that is packed, or comes through a pipe, in memory. */
static gpa_status read_database(gpa_table *t, const char *file, const char *rest,
                                const gpa_table_options *opt, gpa_error *err)
{
    char head[16], *bytes = NULL;
    size_t size = 0;
    if (gpai_is_file(file) &&
        gpai_packing_of(head, peek(file, head, sizeof head)) == GPAI_PLAIN)
        return gpai_sqlite_read(t, file, rest, opt, err);
    gpa_status st = gpai_slurp_unpacked(&bytes, &size, file, opt->max_bytes, err);
    if (st == GPA_OK && !gpai_is_sqlite(bytes, size))
        st = gpai_fail(err, GPA_DATA, "%s: no SQLite database", t->source.text);
    if (st == GPA_OK)
        st = gpai_sqlite_parse(t, bytes, size, rest, opt, err);
    gpai_free(bytes);
    return st;
}

/* A file that is not read from one end to the other: one of columns, which are left for
 * later, or a database, with what is wanted of it. */
static gpa_status open_part(gpa_table **out, const char *path, bool columns,
                            const gpa_table_options *opt, gpa_error *err)
{
    gpa_table *t = NULL;
    const char *rest = NULL;
    char *file = gpai_strndup(path, gpai_sqlite_split(path, &rest));
    gpa_status st =
        file != NULL ? gpai_table_new(&t, path, err) : gpai_nomem(err, "table");
    if (st == GPA_OK)
        st = columns ? gpai_parquet_open(t, path, opt, err)
                     : read_database(t, file, rest, opt, err);
    gpai_free(file);
    if (st == GPA_OK)
        *out = t;
    else
        gpa_table_free(t);
    return st;
}

/* Servers that are given as files: the line that asks them. */
static gpa_status refuse_server(const char *path, gpa_error *err)
{
    static const struct {
        const char *scheme, *line;
    } KNOWN[] = {
        {"postgres", "psql --csv -c 'SELECT ...' URL | gpa ... -"},
        {"mysql:", "mysql --batch -e 'SELECT ...' DATABASE | gpa ... -"},
        {"mariadb:", "mariadb --batch -e 'SELECT ...' DATABASE | gpa ... -"},
        {"http", "curl -sf URL | gpa ... -"},
        {"s3:", "aws s3 cp URL - | gpa ... -"},
    };
    for (size_t i = 0;
         strstr(path, "://") != NULL && i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (strncmp(path, KNOWN[i].scheme, strlen(KNOWN[i].scheme)) == 0)
            return gpai_fail_file(err, GPA_IO, path, "not a file; run: %s",
                                  KNOWN[i].line);
    return GPA_OK;
}

gpa_status gpai_table_open(gpa_table **out, const char *path,
                           const gpa_table_options *opt, gpa_error *err)
{
    gpa_table_options own;
    char *bytes = NULL, head[16];
    const char *rest = NULL;
    size_t size = 0;
    if (out != NULL)
        *out = NULL;
    if (out == NULL || path == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no file name or nowhere to put it");
    gpa_status st = gpai_table_settle_options(&own, opt, err);
    if (st == GPA_OK)
        st = refuse_server(path, err);
    if (st != GPA_OK)
        return st;
    size_t n = peek(path, head, sizeof head);
    if (gpai_is_parquet(head, n))
        return open_part(out, path, true, &own, err);
    if (gpai_is_sqlite(head, n) || (gpai_sqlite_split(path, &rest) > 0 && rest != NULL))
        return open_part(out, path, false, &own, err);
    for (bool forget = gpai_is_file(path); st == GPA_OK && *out == NULL;
         forget = false) {
        st = gpai_slurp(&bytes, &size, path, own.max_bytes, err);
        if (st == GPA_OK)
            st = parse(out, bytes, size, forget ? bytes : NULL, path, &own, err);
        gpai_free(bytes);
    }
    return st;
}

gpa_status gpai_table_digest(const char *path, char digest[GPA_DIGEST_SIZE],
                             gpa_error *err)
{
    gpa_table *t = NULL;
    char head[16];
    gpai_file f;
    if (gpai_is_file(path) && !gpai_is_sqlite(head, peek(path, head, sizeof head))) {
        gpa_status st = gpai_file_open(&f, path, defaults.max_bytes, err);
        if (st != GPA_OK)
            return st;
        st = gpai_file_digest(&f, digest, err);
        gpai_file_close(&f);
        return st;
    }
    gpa_status st = gpai_table_open(&t, path, NULL, err);
    if (st == GPA_OK)
        memcpy(digest, t->digest, GPA_DIGEST_SIZE);
    gpa_table_free(t);
    return st;
}

gpa_status gpai_table_load(gpa_table *t, const size_t *columns, size_t n,
                           gpa_error *err)
{
    gpai_later *later = t->later;
    size_t all = t->n_columns, wanted = 0;
    if (later == NULL)
        return GPA_OK;
    size_t *each = gpai_calloc(2 * all + 1, sizeof *each), *is = each + all;
    if (each == NULL)
        return gpai_nomem(err, "table");
    for (size_t i = 0; i < (columns != NULL ? n : all); i++)
        is[columns != NULL ? columns[i] : i] = 1;
    for (size_t k = 0; k < all; k++)
        if (is[k] != 0)
            each[wanted++] = k;
    gpa_status st = later->load(later, t, each, wanted, err);
    gpai_free(each);
    t->later = NULL;
    later->close(later);
    return st;
}

gpa_status gpa_table_read(gpa_table **out, const char *path,
                          const gpa_table_options *opt, gpa_error *err)
{
    gpa_status st = gpai_table_open(out, path, opt, err);
    if (st == GPA_OK)
        st = gpai_table_load(*out, NULL, 0, err);
    if (st != GPA_OK && out != NULL) {
        gpa_table_free(*out);
        *out = NULL;
    }
    return st;
}
