#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "data/formats.h"
#include "data/slurp.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(const gpai_csv_reader *r, char c)
{
    return (c == ' ' || c == '\t') && c != r->separator;
}

static bool is_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Steps over one line end; CR LF is one. */
static void end_line(gpai_csv_reader *r)
{
    bool cr = *r->at++ == '\r';
    if (cr && r->at < r->end && *r->at == '\n')
        r->at++;
    r->line++;
}

static gpa_status fail_line(const gpai_csv_reader *r, size_t line, const char *what)
{
    return gpai_fail(r->err, GPA_DATA, "%s: line %zu: %s", r->source, line, what);
}

/* Goes to where the next row starts; false at the end of the file. */
static bool to_row(gpai_csv_reader *r)
{
    for (;;) {
        const char *p = r->at;
        while (p < r->end && is_blank(r, *p))
            p++;
        if (p == r->end)
            return false;
        if (!is_end(*p))
            return true;
        r->at = p;
        end_line(r);
    }
}

/* The inside of a quoted cell; r->at stands on the opening quote, then past the closing
 * one and the blanks after it. */
static gpa_status read_quoted(gpai_csv_reader *r, gpai_csv_cell *c)
{
    size_t opened = r->line;
    const char *p = r->at + 1;
    c->text = p;
    for (; p < r->end; p++) {
        if (*p == '"' && p + 1 < r->end && p[1] == '"') {
            c->doubled++;
            p++;
        } else if (*p == '"') {
            break;
        } else if (*p == '\n' || (*p == '\r' && (p + 1 == r->end || p[1] != '\n'))) {
            r->line++;
        }
    }
    if (p == r->end)
        return fail_line(r, opened, "a quote is opened and never closed");
    c->length = (size_t)(p - c->text);
    if (c->length > GPAI_MAX_CELL)
        return fail_line(
            r, opened,
            "a quoted cell of more than 1 MiB (is a closing quote missing?)");
    for (p++; p < r->end && is_blank(r, *p); p++)
        continue;
    r->at = p;
    if (p < r->end && *p != r->separator && !is_end(*p))
        return fail_line(r, r->line, "text after a closing quote");
    return GPA_OK;
}

static gpa_status read_plain(gpai_csv_reader *r, gpai_csv_cell *c)
{
    const char *p = r->at;
    const char separator = r->separator;
    c->text = p;
    while (p < r->end && *p != separator && !is_end(*p))
        p++;
    r->at = p;
    while (p > c->text && is_blank(r, p[-1]))
        p--;
    c->length = (size_t)(p - c->text);
    if (c->length > GPAI_MAX_CELL)
        return fail_line(r, r->line, "a cell of more than 1 MiB");
    return GPA_OK;
}

gpa_status gpai_csv_next(gpai_csv_reader *r, gpai_csv_cell *c)
{
    *c = (gpai_csv_cell){.last = true};
    while (r->at < r->end && is_blank(r, *r->at))
        r->at++;
    gpa_status st =
        r->at < r->end && *r->at == '"' ? read_quoted(r, c) : read_plain(r, c);
    if (st != GPA_OK || r->at == r->end)
        return st;
    if (*r->at == r->separator) {
        c->last = false;
        r->at++;
    } else {
        end_line(r);
    }
    return GPA_OK;
}

/* Blanks inside quotes are text, but do not keep a number from being one. */
static gpai_csv_cell trim(gpai_csv_cell c)
{
    for (; c.length > 0 && (*c.text == ' ' || *c.text == '\t'); c.length--)
        c.text++;
    while (c.length > 0 &&
           (c.text[c.length - 1] == ' ' || c.text[c.length - 1] == '\t'))
        c.length--;
    return c;
}

void gpai_csv_copy(const gpai_csv_cell *c, char *out)
{
    for (const char *p = c->text, *end = p + c->length; p < end; p++) {
        *out++ = *p;
        if (c->doubled > 0 && *p == '"')
            p++;
    }
    *out = '\0';
}

char gpai_csv_separator(const gpai_csv_reader *r)
{
    static const char other[] = ";\t|";
    size_t count[3] = {0, 0, 0}, best = 0;
    bool quoted = false, fresh = true; /* a quote opens only where a cell starts */
    for (const char *p = r->at; p < r->end && (quoted || !is_end(*p)); p++) {
        const char *which = memchr(other, *p, 3);
        if (*p == '"' && (quoted || fresh))
            quoted = !quoted;
        else if (!quoted && *p == ',')
            return ',';
        else if (!quoted && which != NULL)
            count[which - other]++;
        fresh = which != NULL || *p == ' ' || *p == '"';
    }
    for (size_t i = 1; i < 3; i++)
        if (count[i] > count[best])
            best = i;
    return count[best] > 0 ? other[best] : ',';
}

/* Stands the reader on the first row, knowing the separator. */
static gpa_status begin(gpai_csv_reader *r)
{
    r->separator = ',';
    if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0)
        r->at += 3;
    if (r->end - r->at > 5 && memcmp(r->at, "sep=", 4) == 0 &&
        memchr(",;\t|", r->at[4], 4) != NULL && is_end(r->at[5])) {
        r->separator = r->at[4]; /* a line that spreadsheets write and understand */
        r->at += 5;
        end_line(r);
        if (to_row(r))
            return GPA_OK;
    } else if (to_row(r)) {
        r->separator = gpai_csv_separator(r);
        return GPA_OK;
    }
    return gpai_fail(r->err, GPA_DATA, "%s: empty, no column names and no rows",
                     r->source);
}

/* Adds a column under its name in the header, which lies on `line`. */
static gpa_status add_named(gpai_csv_reader *r, gpa_table *t, const gpai_csv_cell *c,
                            size_t line)
{
    gpai_csv_cell trimmed = trim(*c);
    size_t there = 0, room = trimmed.length + sizeof "column" + 20;
    char *name = gpai_calloc(room, 1);
    if (name == NULL)
        return gpai_nomem(r->err, "csv");
    gpai_csv_copy(&trimmed, name);
    if (name[0] == '\0')
        snprintf(name, room, "column%zu", t->n_columns + 1);
    gpa_status st;
    if (gpai_table_lookup(t, name, strlen(name), &there))
        st = gpai_fail(
            r->err, GPA_DATA, "%s: line %zu: columns %zu and %zu are both named \"%s\"",
            r->source, line, there + 1, t->n_columns + 1, gpai_show_text(name).text);
    else
        st = gpai_table_add(t, name, strlen(name), r->err);
    gpai_free(name);
    return st;
}

/* A number, NaN where missing; false for anything else. */
static bool read_value(const gpai_csv_cell *c, double *value)
{
    gpai_csv_cell s = trim(*c);
    if (gpai_number(s.text, s.length, value) == GPAI_NUMBER)
        return true;
    *value = (double)NAN;
    return gpai_missing(s.text, s.length);
}

static gpa_status read_header(gpai_csv_reader *r, gpa_table *t)
{
    gpai_csv_cell c;
    size_t line = r->line, numbers = 0, others = 0;
    do {
        double value = 0;
        gpa_status st = gpai_csv_next(r, &c);
        if (st == GPA_OK)
            st = add_named(r, t, &c, line);
        if (st != GPA_OK)
            return st;
        if (!read_value(&c, &value))
            others++;
        else if (!isnan(value))
            numbers++;
    } while (!c.last);
    if (numbers > 0 && others == 0)
        return fail_line(
            r, line,
            "the first line looks like data, not column names: add a header "
            "line or use --no-header");
    return GPA_OK;
}

/* Without a header the first row says how many columns there are. */
static gpa_status count_columns(const gpai_csv_reader *r, gpa_table *t)
{
    gpai_csv_reader ahead = *r;
    gpai_csv_cell c;
    size_t n = 0;
    do {
        gpa_status st = gpai_csv_next(&ahead, &c);
        if (st != GPA_OK)
            return st;
        n++;
    } while (!c.last);
    return gpai_table_add_numbered(t, n, r->err);
}

/* At most so many rows are ahead: as there are lines, and as fit the bytes when a row
 * of c cells takes at least c bytes, so that no file can ask for much more than its
 * size. */
static size_t most_rows(const gpai_csv_reader *r, size_t columns)
{
    size_t lines = 1, by_size = (size_t)(r->end - r->at) / columns + 1;
    for (const char *p = r->at; p < r->end; p++)
        lines += *p == '\n';
    if (memchr(r->at, '\r', (size_t)(r->end - r->at)) != NULL)
        for (const char *p = r->at; p < r->end; p++)
            lines += *p == '\r' && (p + 1 == r->end || p[1] != '\n');
    return lines < by_size ? lines : by_size;
}

/* 007: may be a code, whose zeros count. */
static bool is_padded(const gpai_csv_cell *c)
{
    return c->length > 1 && c->text[0] == '0' && c->text[1] >= '0' && c->text[1] <= '9';
}

static void put_other(gpa_table *t, size_t row, size_t column, const gpai_csv_cell *c)
{
    bool value = false;
    gpai_spelling spelling = gpai_boolean(c->text, c->length, &value);
    if (spelling != GPAI_NO_BOOLEAN)
        gpai_table_put_boolean(t, row, column, value, spelling);
    else
        gpai_table_put_bad(t, row, column, c->length - c->doubled);
}

static void put_number(gpa_table *t, size_t row, size_t column, const gpai_csv_cell *c)
{
    double value = 0;
    if (!read_value(c, &value)) {
        put_other(t, row, column, c);
        return;
    }
    gpai_table_put(t, row, column, value, c->length - c->doubled);
    if (is_padded(c))
        t->column[column].padded = true;
}

static void put_text(gpa_table *t, size_t row, size_t column, const gpai_csv_cell *c)
{
    char *to = gpai_table_put_text(t, row, column, c->length - c->doubled);
    if (to != NULL)
        gpai_csv_copy(c, to);
}

typedef void (*put_fn)(gpa_table *t, size_t row, size_t column, const gpai_csv_cell *c);

/* A cell that is a plain number with nothing around it: most are, and need not be
 * looked at twice. */
static bool quick_number(gpai_csv_reader *r, gpa_table *t, size_t row, size_t column,
                         bool *last)
{
    double value = 0;
    const char *text = r->at, *end = gpai_number_at(text, r->end, &value);
    if (end == NULL || end == r->end || (*end != r->separator && *end != '\n'))
        return false;
    const gpai_csv_cell c = {.text = text, .length = (size_t)(end - text)};
    gpai_table_put(t, row, column, value, c.length);
    if (is_padded(&c))
        t->column[column].padded = true;
    r->at = end + 1;
    *last = *end == '\n';
    r->line += *last;
    return true;
}

static gpa_status read_row(gpai_csv_reader *r, gpa_table *t, size_t row, put_fn put)
{
    gpai_csv_cell c = {.last = false};
    size_t k = 0, line = r->line;
    do {
        if (put == put_number && k < t->n_columns &&
            quick_number(r, t, row, k, &c.last)) {
            k++;
            continue;
        }
        gpa_status st = gpai_csv_next(r, &c);
        if (st != GPA_OK)
            return st;
        if (k < t->n_columns)
            put(t, row, k, &c);
        k++;
    } while (!c.last);
    t->line[row] = line;
    if (k != t->n_columns)
        return gpai_fail(r->err, GPA_DATA, "%s: line %zu: %zu field%s, expected %zu",
                         r->source, line, k, k == 1 ? "" : "s", t->n_columns);
    return GPA_OK;
}

/* Numbers are read once: what lies behind may go, a good deal at a time, so that a long
 * file is not there beside all of its numbers. Not where text is wanted by now, for
 * which it is read once more. */
static void forget(gpa_table *t, const char *read)
{
    enum { DEAL = 4 << 20 };
    size_t size = (size_t)(read - t->bytes);
    if (size < DEAL)
        return;
    for (size_t k = 0; k < t->n_columns; k++)
        if (gpai_table_wants_text(t, k)) {
            t->bytes = NULL;
            return;
        }
    gpai_forget(t->bytes, read);
    t->bytes += size;
    t->again = true; /* should it be needed */
}

static gpa_status read_rows(gpai_csv_reader r, gpa_table *t, put_fn put, size_t *rows)
{
    gpa_status st = GPA_OK;
    for (*rows = 0; st == GPA_OK && to_row(&r); ++*rows) {
        if (t->bytes != NULL && put == put_number)
            forget(t, r.at);
        st = read_row(&r, t, *rows, put);
    }
    return st;
}

gpa_status gpai_csv_parse(gpa_table *t, const char *bytes, size_t size,
                          const gpa_table_options *opt, gpa_error *err)
{
    gpai_csv_reader r = {bytes, bytes + size, 1, ',', t->source.text, err};
    bool want_text = false;
    size_t rows = 0;
    t->na_words = true;
    gpa_status st = begin(&r);
    if (st == GPA_OK)
        st = opt->no_header ? count_columns(&r, t) : read_header(&r, t);
    if (st == GPA_OK && !to_row(&r))
        st = gpai_fail(err, GPA_DATA, "%s: no rows below the column names",
                       t->source.text);
    if (st == GPA_OK)
        st = gpai_table_reserve(t, most_rows(&r, t->n_columns), true, opt->text_column,
                                err);
    if (st == GPA_OK)
        st = read_rows(r, t, put_number, &rows);
    if (st == GPA_OK)
        st = gpai_table_settle(t, rows, &want_text, err);
    t->again = t->again && want_text;
    if (st == GPA_OK && want_text && !t->again)
        st = read_rows(r, t, put_text, &rows);
    if (st == GPA_OK && want_text && !t->again && r.separator != ',')
        st = gpai_table_take_commas(t, err);
    return st;
}
