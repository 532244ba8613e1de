#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "data/formats.h"
#include "data/json.h"
#include <math.h>
#include <string.h>

/* Cells there may be for each byte of the file, before a table of mostly missing cells
 * (every line another key) is refused instead of filling the memory. */
enum { CELLS_PER_BYTE = 16, CELLS_ANYWAY = 1 << 20 };

/* What a pass over the lines does: name the columns, put numbers, put text. */
enum pass { NAMES, NUMBERS, TEXT };

struct reader {
    gpa_table *t;
    gpai_json_scan scan; /* of one line */
    const char *at, *end;
    enum pass pass;
    char kind; /* '{' or '[', set by the first line */
    size_t row;
    size_t
        *seen; /* by column: the last row with a cell, from 1; from the second pass */
    char *scratch; /* a key without escapes */
    size_t room;
    gpa_error *err;
};

static gpa_status next(struct reader *r, gpai_token *token)
{
    return gpai_json_next(&r->scan, token, r->err);
}

static gpa_status fail(struct reader *r, const char *what, const gpai_token *token)
{
    return gpai_json_fail(&r->scan, what, token, r->err);
}

static bool is_missing(const gpai_token *v)
{
    return gpai_token_is_word(v, "null") || gpai_token_is_word(v, "NaN");
}

/* Refuses what fits no cell; `key` is where it was found, NULL in a list. */
static gpa_status check_value(struct reader *r, const gpai_token *v,
                              const gpai_token *key)
{
    if (v->kind == '{' || v->kind == '[')
        return fail(r, "a list or object inside a cell (flatten it into columns)", key);
    if (v->length > GPAI_MAX_CELL)
        return fail(r, "a cell of more than 1 MiB", key);
    if (v->kind == 's' || v->kind == 'n' || gpai_token_is_word(v, "true") ||
        gpai_token_is_word(v, "false") || is_missing(v))
        return GPA_OK;
    return fail(r, "unexpected", v);
}

static void put_number(struct reader *r, size_t column, const gpai_token *v)
{
    double value = (double)NAN;
    bool yes = false;
    gpai_spelling spelling =
        v->kind == 'w' ? gpai_boolean(v->text, v->length, &yes) : GPAI_NO_BOOLEAN;
    if (v->kind == 's') {
        gpai_table_put_bad(r->t, r->row, column, v->length);
    } else if (spelling != GPAI_NO_BOOLEAN) {
        gpai_table_put_boolean(r->t, r->row, column, yes, spelling);
    } else {
        if (v->kind == 'n') /* the scanner has checked it */
            (void)gpai_number(v->text, v->length, &value);
        gpai_table_put(r->t, r->row, column, value, v->kind == 'n' ? v->length : 0);
    }
}

/* Strings without their escapes (never longer), anything else as it stands. */
static void put_text(struct reader *r, size_t column, const gpai_token *v)
{
    if (is_missing(v)) {
        gpai_table_put_no_text(r->t, r->row, column);
        return;
    }
    char *to = gpai_table_put_text(r->t, r->row, column, v->length);
    if (to != NULL)
        (void)gpai_json_decode(v, to);
}

static void put(struct reader *r, size_t column, const gpai_token *v)
{
    r->seen[column] = r->row + 1;
    if (r->pass == NUMBERS)
        put_number(r, column, v);
    else
        put_text(r, column, v);
}

/* The column of a key, made when it is new. */
static gpa_status find_column(struct reader *r, const gpai_token *key, size_t *column)
{
    if (key->kind != 's')
        return fail(r, "unexpected", key);
    if (key->length > GPAI_MAX_CELL)
        return fail(r, "a key of more than 1 MiB", NULL);
    if (!gpai_grow(&r->scratch, &r->room, key->length + 1, 1))
        return gpai_nomem(r->err, "jsonl");
    size_t length = gpai_json_decode(key, r->scratch);
    if (gpai_table_lookup(r->t, r->scratch, length, column)) {
        if (r->pass != NAMES && r->seen[*column] == r->row + 1)
            return fail(r, "the same key twice", key);
        return GPA_OK;
    }
    *column = r->t->n_columns;
    return gpai_table_add(r->t, r->scratch, length, r->err);
}

/* One `"key": value`. */
static gpa_status read_member(struct reader *r, const gpai_token *key)
{
    gpai_token token;
    size_t column = 0;
    gpa_status st = find_column(r, key, &column);
    if (st == GPA_OK)
        st = next(r, &token);
    if (st == GPA_OK && token.kind != ':')
        st = fail(r, "unexpected", &token);
    if (st == GPA_OK)
        st = next(r, &token);
    if (st == GPA_OK)
        st = check_value(r, &token, key);
    if (st == GPA_OK && r->pass != NAMES)
        put(r, column, &token);
    return st;
}

/* The k-th item of a list. */
static gpa_status read_item(struct reader *r, const gpai_token *v, size_t k)
{
    gpa_status st = check_value(r, v, NULL);
    if (st == GPA_OK && r->pass != NAMES)
        put(r, k, v);
    return st;
}

/* What stands between the brackets of a line, and how many. */
static gpa_status read_cells(struct reader *r, size_t *cells)
{
    char close = r->kind == '{' ? '}' : ']';
    gpai_token token;
    for (*cells = 0;; ++*cells) {
        gpa_status st = gpai_json_item(&r->scan, close, *cells == 0, &token, r->err);
        if (st == GPA_OK && token.kind == close)
            return GPA_OK;
        if (st == GPA_OK)
            st = close == '}' ? read_member(r, &token) : read_item(r, &token, *cells);
        if (st != GPA_OK)
            return st;
    }
}

/* A list's cells against the columns, which the first list makes. */
static gpa_status check_list(struct reader *r, size_t cells)
{
    if (r->row == 0 && r->pass == NAMES)
        return gpai_table_add_numbered(r->t, cells, r->err);
    if (cells != r->t->n_columns)
        return gpai_fail(r->err, GPA_DATA, "%s: line %zu: %zu field%s, expected %zu",
                         r->scan.source, r->scan.line, cells, cells == 1 ? "" : "s",
                         r->t->n_columns);
    return GPA_OK;
}

static gpa_status read_line(struct reader *r)
{
    static const gpai_token missing = {.kind = 'w', .text = "null", .length = 4};
    gpai_token token;
    size_t cells = 0;
    gpa_status st = next(r, &token);
    if (st != GPA_OK)
        return st;
    if (r->row == 0)
        r->kind = token.kind;
    if ((token.kind != '{' && token.kind != '[') || token.kind != r->kind)
        return fail(r, r->kind == '[' ? "expected a list" : "expected an object",
                    &token);
    st = read_cells(r, &cells);
    if (st == GPA_OK)
        st = next(r, &token);
    if (st == GPA_OK && token.kind != 0)
        st = fail(r, "unexpected", &token);
    if (st == GPA_OK && r->kind == '[')
        st = check_list(r, cells);
    if (st != GPA_OK || r->pass == NAMES)
        return st;
    for (size_t k = 0; k < r->t->n_columns; k++)
        if (r->seen[k] != r->row + 1)
            put(r, k, &missing);
    r->t->line[r->row] = r->scan.line;
    return GPA_OK;
}

static bool is_blank(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p == end;
}

/* Goes over all lines once. */
static gpa_status read_lines(struct reader *r, enum pass pass)
{
    gpa_status st = GPA_OK;
    size_t line = 1;
    r->pass = pass;
    r->row = 0;
    for (const char *p = r->at; p < r->end && st == GPA_OK; line++) {
        const char *stop = memchr(p, '\n', (size_t)(r->end - p));
        if (stop == NULL)
            stop = r->end;
        if (!is_blank(p, stop)) {
            r->scan = (gpai_json_scan){p, stop, line, r->t->source.text, false};
            st = read_line(r);
            r->row++;
        }
        p = stop < r->end ? stop + 1 : stop;
    }
    return st;
}

/* With names and rows known: room for the cells, within reason. */
static gpa_status reserve(struct reader *r, const char *text_column)
{
    gpa_table *t = r->t;
    size_t size = (size_t)(r->end - r->at);
    if (r->row == 0 || t->n_columns == 0)
        return gpai_fail(r->err, GPA_DATA, "%s: empty, no %s", t->source.text,
                         r->row == 0 ? "rows" : "columns");
    if (r->row > (CELLS_ANYWAY + CELLS_PER_BYTE * size) / t->n_columns)
        return gpai_fail(r->err, GPA_DATA,
                         "%s: %zu columns in %zu rows, nearly all of them missing",
                         t->source.text, t->n_columns, r->row);
    r->seen = gpai_calloc(t->n_columns, sizeof *r->seen);
    if (r->seen == NULL)
        return gpai_nomem(r->err, "jsonl");
    return gpai_table_reserve(t, r->row, true, text_column, r->err);
}

/* A whole document of JSON in place of lines, as many programs write it. */
static gpa_status refuse_document(const struct reader *r)
{
    const char *p = r->at;
    while (p < r->end && memchr(" \t\r\n", *p, 4) != NULL)
        p++;
    bool list = p < r->end && *p == '[';
    const char *inside = p < r->end ? p + 1 : p;
    while (inside < r->end && memchr(" \t\r\n", *inside, list ? 4 : 3) != NULL)
        inside++;
    if (inside == r->end ||
        !(list ? *inside == '{' || *inside == '[' : *inside == '\n'))
        return GPA_OK;
    return gpai_fail(
        r->err, GPA_DATA, "%s: %s: one row per line is wanted; run: jq -c %s FILE",
        r->t->source.text, list ? "one list of all rows" : "an object of several lines",
        list ? "'.[]'" : ".");
}

gpa_status gpai_jsonl_parse(gpa_table *t, const char *bytes, size_t size,
                            const gpa_table_options *opt, gpa_error *err)
{
    struct reader r = {.t = t, .at = bytes, .end = bytes + size, .err = err};
    bool want_text = false;
    t->mixes = true;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        r.at += 3;
    gpa_status st = refuse_document(&r);
    if (st == GPA_OK)
        st = read_lines(&r, NAMES);
    if (st == GPA_OK)
        st = reserve(&r, opt->text_column);
    if (st == GPA_OK)
        st = read_lines(&r, NUMBERS);
    if (st == GPA_OK)
        st = gpai_table_settle(t, r.row, &want_text, err);
    if (st == GPA_OK && want_text) {
        memset(r.seen, 0, t->n_columns * sizeof *r.seen);
        st = read_lines(&r, TEXT);
    }
    gpai_free(r.seen);
    gpai_free(r.scratch);
    return st;
}
