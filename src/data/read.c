#include <gpa/data.h>

#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "data/formats.h"
#include "data/slurp.h"
#include <string.h>

/* gpa_table_read and gpa_table_parse: which format is it? */

static const gpa_table_options defaults = {.struct_size = sizeof defaults,
                                           .max_bytes = (size_t)2 << 30};

void gpa_table_options_init_sized(gpa_table_options *opt, size_t size)
{
    gpai_sized_init(opt, size, &defaults, sizeof defaults);
}

/* The caller's options over the defaults. */
static gpa_status settle_options(gpa_table_options *own, const gpa_table_options *opt,
                                 gpa_error *err)
{
    *own = defaults;
    return gpai_sized_copy(own, sizeof *own, opt,
                           "table: options not set by gpa_table_options_init", err);
}

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    if (n < m)
        return false;
    for (size_t i = 0; i < m; i++) {
        char c = name[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != ending[i])
            return false;
    }
    return true;
}

static bool starts_with(const char *bytes, size_t size, const char *start,
                        size_t length)
{
    return size >= length && memcmp(bytes, start, length) == 0;
}

/* Files that are no tables of ours but are handed to us all the same. */
static const struct {
    const char *start;
    size_t length;
    const char *what;
} strangers[] = {
    {"\x1f\x8b", 2, "compressed with gzip: unpack it first"},
    {"BZh91AY", 7, "compressed with bzip2: unpack it first"},
    {"\3757zXZ", 5, "compressed with xz: unpack it first"},
    {"\x28\xb5\x2f\xfd", 4, "compressed with zstd: unpack it first"},
    {"PK\x03\x04", 4, "a zip archive (.xlsx and .npz are too): save the table as CSV"},
    {"PAR1\x15", 5, "a Parquet file: save the table as CSV"},
    {"\x89HDF", 4, "an HDF5 file: save the table as CSV"},
    {"\xff\xfe", 2, "UTF-16 text: save it as UTF-8"},
    {"\xfe\xff", 2, "UTF-16 text: save it as UTF-8"},
};

static gpa_status refuse_stranger(const gpa_table *t, const char *bytes, size_t size,
                                  gpa_error *err)
{
    size_t n = sizeof strangers / sizeof strangers[0];
    for (size_t i = 0; i < n; i++)
        if (starts_with(bytes, size, strangers[i].start, strangers[i].length))
            return gpai_fail(err, GPA_DATA, "%s: %s", t->source.text,
                             strangers[i].what);
    return GPA_OK;
}

/* No text has a zero byte in it. */
static gpa_status refuse_binary(const gpa_table *t, const char *bytes, size_t size,
                                gpa_error *err)
{
    const char *zero = memchr(bytes, '\0', size);
    size_t line = 1;
    if (zero == NULL)
        return GPA_OK;
    for (const char *p = bytes; p < zero; p++)
        line += *p == '\n' || (*p == '\r' && p[1] != '\n');
    return gpai_fail(err, GPA_DATA,
                     "%s: line %zu: a zero byte, this is not a text file",
                     t->source.text, line);
}

/* A name that says so decides; otherwise the first character that is not blank does. */
static bool is_jsonl(const char *bytes, size_t size, const char *name)
{
    if (ends_with(name, ".jsonl") || ends_with(name, ".ndjson"))
        return true;
    if (ends_with(name, ".csv") || ends_with(name, ".tsv"))
        return false;
    size_t i = starts_with(bytes, size, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (i < size && memchr(" \t\r\n", bytes[i], 4) != NULL)
        i++;
    return i < size && (bytes[i] == '{' || bytes[i] == '[');
}

static gpa_status fill(gpa_table *t, const char *bytes, size_t size, const char *name,
                       const gpa_table_options *opt, gpa_error *err)
{
    if (size == 0)
        return gpai_fail(err, GPA_DATA, "%s: empty", t->source.text);
    if (starts_with(bytes, size, GPAI_NPY_MAGIC, GPAI_NPY_MAGIC_LENGTH) ||
        ends_with(name, ".npy"))
        return gpai_npy_parse(t, bytes, size, opt, err);
    gpa_status st = refuse_stranger(t, bytes, size, err);
    if (st == GPA_OK)
        st = refuse_binary(t, bytes, size, err);
    if (st != GPA_OK)
        return st;
    if (is_jsonl(bytes, size, name))
        return gpai_jsonl_parse(t, bytes, size, opt, err);
    return gpai_csv_parse(t, bytes, size, opt, err);
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
    gpa_digest(bytes, size, t->digest);
    t->bytes = own;
    if (size > opt->max_bytes)
        st = gpai_fail(err, GPA_DATA, "%s: larger than the limit of %zu bytes",
                       t->source.text, opt->max_bytes);
    else
        st = fill(t, bytes, size, name, opt, err);
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
    gpa_status st = settle_options(&own, opt, err);
    if (st == GPA_OK)
        st = parse(out, bytes, size, NULL, name != NULL ? name : "table", &own, err);
    return st;
}

gpa_status gpa_table_read(gpa_table **out, const char *path,
                          const gpa_table_options *opt, gpa_error *err)
{
    gpa_table_options own;
    char *bytes = NULL;
    size_t size = 0;
    if (out == NULL || path == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no file name or nowhere to put it");
    *out = NULL;
    gpa_status st = settle_options(&own, opt, err);
    for (bool forget = gpai_is_file(path); st == GPA_OK && *out == NULL;
         forget = false) {
        st = gpai_slurp(&bytes, &size, path, own.max_bytes, err);
        if (st == GPA_OK)
            st = parse(out, bytes, size, forget ? bytes : NULL, path, &own, err);
        gpai_free(bytes);
    }
    return st;
}
