#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "data/json.h"
#include "model/http/server.h"
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 100, NAME = 512 };

/* The tokens of an answer. */
struct reader {
    gpai_json_scan scan;
    gpai_json_scan before; /* where the value of a member begins */
    const gpai_answer *answer;
    char source[224];
    gpa_error *err;
};

__attribute__((format(printf, 2, 3))) static gpa_status fail(struct reader *r,
                                                             const char *format, ...)
{
    char text[240];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gpai_fail(r->err, GPA_MODEL, "%s: %s", r->source, text);
}

static gpa_status fail_row(struct reader *r, size_t row, const char *what,
                           const gpai_token *token)
{
    return fail(r, "%s %zu: %s%s", gpai_asked_word(r->answer->asked),
                gpai_asked_number(r->answer->asked, row), what,
                token == NULL ? "" : gpai_show(token->text, token->length).text);
}

/* The answer has no such key: with what the server said instead, if anything. */
static gpa_status lacks(struct reader *r, const char *key)
{
    size_t size = (size_t)(r->scan.end - r->answer->bytes);
    gpai_server_message message = gpai_server_message_read(r->answer->bytes, size);
    return gpai_fail(r->err, GPA_MODEL, "%s: no \"%s\"%s%s", r->source, key,
                     message.text[0] != '\0' ? " in: " : "; it is empty", message.text);
}

static void start(struct reader *r, const gpai_answer *a, gpa_error *err)
{
    size_t size = a->head > 0 ? a->head : a->size;
    *r = (struct reader){.scan = {a->bytes, a->bytes + size, 1, r->source, true},
                         .answer = a,
                         .err = err};
    snprintf(r->source, sizeof r->source, "%s: reply", a->who);
}

static gpa_status next(struct reader *r, gpai_token *token)
{
    gpa_status st = gpai_json_next(&r->scan, token, r->err);
    if (st == GPA_DATA) { /* bad data of a server is a bad server */
        st = GPA_MODEL;
        if (r->err != NULL)
            r->err->status = st;
    }
    return st;
}

/* A key that is there twice says two things. */
static gpa_status once(struct reader *r, bool *seen, const char *key)
{
    if (*seen)
        return fail(r, "line %zu: \"%s\" a second time", r->scan.line, key);
    *seen = true;
    return GPA_OK;
}

static gpa_status unexpected(struct reader *r, const gpai_token *token)
{
    if (token->kind == 0)
        return fail(r, "ends too early");
    return fail(r, "line %zu: unexpected %s", r->scan.line,
                gpai_show(token->text, token->length).text);
}

/* The next item of a list, `first` at its beginning; the closing bracket at its end. */
static gpa_status next_item(struct reader *r, bool first, gpai_token *item)
{
    gpa_status st = next(r, item);
    if (st != GPA_OK || item->kind == ']' || item->kind == '}')
        return st;
    if (first)
        return item->kind == 0 ? unexpected(r, item) : GPA_OK;
    if (item->kind != ',')
        return unexpected(r, item);
    st = next(r, item);
    if (st == GPA_OK && memchr("]},:", item->kind, 5) != NULL) /* 5: the end too */
        st = unexpected(r, item);
    return st;
}

static gpa_status read_key(struct reader *r, bool first, gpai_token *key)
{
    gpai_token colon;
    gpa_status st = next_item(r, first, key);
    if (st != GPA_OK || key->kind == '}')
        return st;
    if (key->kind != 's')
        return unexpected(r, key);
    st = next(r, &colon);
    if (st == GPA_OK && colon.kind != ':')
        st = unexpected(r, &colon);
    return st;
}

typedef gpa_status (*member_fn)(struct reader *r, const gpai_token *key,
                                const gpai_token *value, void *ctx);

/* Goes over the members of an object whose bracket is read: `read` reads the value that
 * begins with a token. */
static gpa_status read_members(struct reader *r, member_fn read, void *ctx)
{
    for (bool first = true;; first = false) {
        gpai_token key, value;
        gpa_status st = read_key(r, first, &key);
        if (st != GPA_OK || key.kind == '}')
            return st;
        r->before = r->scan;
        st = next(r, &value);
        if (st == GPA_OK)
            st = read(r, &key, &value, ctx);
        if (st != GPA_OK)
            return st;
    }
}

/* The same for the whole answer, an object that should have `key` and nothing after it.
 */
static gpa_status read_whole_answer(struct reader *r, const char *key, member_fn read,
                                    void *ctx)
{
    gpai_token token;
    gpa_status st = next(r, &token);
    if (st == GPA_OK && token.kind != '{')
        return lacks(r, key);
    if (st == GPA_OK)
        st = read_members(r, read, ctx);
    if (st == GPA_OK)
        st = next(r, &token);
    return st == GPA_OK && token.kind != 0 ? unexpected(r, &token) : st;
}

/* The rest of a value that begins with a token. */
static gpa_status skip(struct reader *r, const gpai_token *first)
{
    gpai_token token = *first;
    gpa_status st = GPA_OK;
    for (int depth = 0; st == GPA_OK; st = next(r, &token)) {
        if (token.kind == 0 || depth > DEPTH)
            return unexpected(r, &token);
        depth += token.kind == '{' || token.kind == '[';
        depth -= token.kind == '}' || token.kind == ']';
        if (depth <= 0)
            return depth == 0 ? GPA_OK : unexpected(r, &token);
    }
    return st;
}

/* A string, this one. */
static bool is_text(const gpai_token *token, const char *text)
{
    char name[NAME];
    if (token->kind != 's' || token->length >= NAME)
        return false;
    gpai_json_decode(token, name);
    return strcmp(name, text) == 0;
}

static bool is_number(const gpai_token *token, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"null", (double)NAN},
                 {"NaN", (double)NAN},
                 {"Infinity", HUGE_VAL},
                 {"-Infinity", -HUGE_VAL}};
    if (token->kind == 'n')
        return gpai_number(token->text, token->length, value) == GPAI_NUMBER;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (gpai_token_is_word(token, words[i].word)) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

/* Lists around a single number at most. */
enum { NESTED = 8 };

static gpa_status read_one(struct reader *r, const gpai_token *first, size_t row,
                           int depth, double *y);

/* [1.5], [[1.5]] */
static gpa_status read_list(struct reader *r, size_t row, int depth, double *y)
{
    gpai_token token;
    gpa_status st = next_item(r, true, &token);
    if (st == GPA_OK && token.kind == ']')
        return fail_row(r, row, "an empty list, expected one number", NULL);
    if (st == GPA_OK)
        st = read_one(r, &token, row, depth + 1, y);
    if (st == GPA_OK)
        st = next_item(r, false, &token);
    if (st == GPA_OK && token.kind != ']')
        st = fail_row(r, row, "several numbers, expected one", NULL);
    return st;
}

/* One of several outputs, or the only one. */
struct choice {
    size_t row, found;
    int depth;
    double *y;
};

static gpa_status read_choice(struct reader *r, const gpai_token *key,
                              const gpai_token *value, void *ctx)
{
    struct choice *c = ctx;
    const char *wanted = r->answer->output;
    if (wanted != NULL && !is_text(key, wanted))
        return skip(r, value);
    if (c->found++ > 0 && wanted != NULL)
        return fail_row(r, c->row, "an output a second time: ", key);
    return read_one(r, value, c->row, c->depth + 1, c->y);
}

/* {"price": 1.5}, or the wanted one of several */
static gpa_status read_object(struct reader *r, size_t row, int depth, double *y)
{
    struct choice c = {row, 0, depth, y};
    gpa_status st = read_members(r, read_choice, &c);
    if (st != GPA_OK || c.found == 1)
        return st;
    return fail_row(r, row,
                    c.found == 0 ? "no such output"
                                 : "several outputs; say which with "
                                   "--model-config output=NAME",
                    NULL);
}

static gpa_status read_one(struct reader *r, const gpai_token *first, size_t row,
                           int depth, double *y)
{
    if (is_number(first, y))
        return GPA_OK;
    if (depth < NESTED && first->kind == '[')
        return read_list(r, row, depth, y);
    if (depth < NESTED && first->kind == '{')
        return read_object(r, row, depth, y);
    return fail_row(r, row, "expected a number, not ", first);
}

static gpa_status read_rows(struct reader *r, const gpai_token *first, size_t n,
                            double *y)
{
    size_t rows = 0;
    if (first->kind != '[')
        return fail(r, "predictions: expected a list of %zu numbers", n);
    for (gpai_token token;; rows++) {
        gpa_status st = next_item(r, rows == 0, &token);
        if (st == GPA_OK && token.kind == ']')
            break;
        if (st == GPA_OK)
            st = rows < n ? read_one(r, &token, rows, 0, &y[rows]) : skip(r, &token);
        if (st != GPA_OK)
            return st;
    }
    return rows == n ? GPA_OK : fail(r, "%zu predictions, expected %zu", rows, n);
}

/* What is asked of an answer, and whether it was there. */
struct wish {
    size_t n;
    double *y;
    bool found;
};

static gpa_status read_member(struct reader *r, const gpai_token *key,
                              const gpai_token *value, void *ctx)
{
    struct wish *w = ctx;
    if (!is_text(key, "predictions"))
        return skip(r, value);
    gpa_status st = once(r, &w->found, "predictions");
    return st == GPA_OK ? read_rows(r, value, w->n, w->y) : st;
}

gpa_status gpai_predictions_read(const gpai_answer *a, size_t n, double *y,
                                 gpa_error *err)
{
    struct reader r;
    struct wish w = {n, y, false};
    start(&r, a, err);
    gpa_status st = read_whole_answer(&r, "predictions", read_member, &w);
    return st == GPA_OK && !w.found ? lacks(&r, "predictions") : st;
}

/* What is read of an output. */
enum part { SHAPE, PARAMETERS, DATA, OUTPUT_NAME, DATATYPE, PARTS };
static const char *const PART[PARTS] = {"shape", "parameters", "data", "name",
                                        "datatype"};

/* One of the reply's outputs, as far as it was described. */
struct output {
    bool wanted;
    gpai_json_scan data; /* stands before its value; at is NULL without */
    size_t rank, dims[GPAI_RANK];
    gpai_datatype type;
    bool binary;
    size_t size, from; /* of its bytes behind the JSON */
    size_t all;        /* bytes of all outputs */
    bool seen[PARTS], sized, listed;
};

/* Below 2^53, so that no sum or product of two overflows. */
static bool read_whole(const gpai_token *token, size_t *out)
{
    double value = 0;
    if (token->kind != 'n' || !is_number(token, &value) || value < 0 || value > 9e15)
        return false;
    *out = (size_t)value;
    return (double)*out == value;
}

static gpa_status read_shape(struct reader *r, const gpai_token *first,
                             struct output *o)
{
    if (first->kind != '[')
        return fail(r, "shape: no list");
    for (o->rank = 0;; o->rank++) {
        gpai_token token;
        gpa_status st = next_item(r, o->rank == 0, &token);
        if (st != GPA_OK || token.kind == ']')
            return st;
        if (o->rank == GPAI_RANK || !read_whole(&token, &o->dims[o->rank]))
            return fail(r,
                        "shape: a size that is no whole number, or too many of them");
    }
}

static gpa_status read_parameter(struct reader *r, const gpai_token *key,
                                 const gpai_token *value, void *output)
{
    struct output *o = output;
    if (!is_text(key, "binary_data_size"))
        return skip(r, value);
    gpa_status st = once(r, &o->sized, "binary_data_size");
    if (st != GPA_OK)
        return st;
    o->binary = true;
    return read_whole(value, &o->size)
               ? GPA_OK
               : fail(r, "binary_data_size: no number of bytes");
}

/* One key of an output. */
static gpa_status read_part(struct reader *r, const gpai_token *key,
                            const gpai_token *value, void *output)
{
    struct output *o = output;
    size_t part = 0;
    while (part < PARTS && !is_text(key, PART[part]))
        part++;
    gpa_status st = part < PARTS ? once(r, &o->seen[part], PART[part]) : GPA_OK;
    if (st != GPA_OK)
        return st;
    if (part == SHAPE)
        return read_shape(r, value, o);
    if (part == PARAMETERS && value->kind == '{')
        return read_members(r, read_parameter, o);
    if (part == DATA)
        o->data = r->before;
    else if (part == OUTPUT_NAME)
        o->wanted = r->answer->output == NULL || is_text(value, r->answer->output);
    else if (part == DATATYPE && value->kind == 's')
        o->type = gpai_datatype_find(value->text, value->length);
    return skip(r, value);
}

static gpa_status read_output(struct reader *r, const gpai_token *opening,
                              struct output *o)
{
    *o = (struct output){.wanted = r->answer->output == NULL, .type = GPAI_FP64};
    if (opening->kind != '{')
        return fail(r, "outputs: expected a list of objects");
    return read_members(r, read_part, o);
}

/* Finds the wanted one; the bytes of those before it come before its own. */
static gpa_status find_output(struct reader *r, const gpai_token *key,
                              const gpai_token *opening, void *output)
{
    struct output *out = output;
    size_t found = 0, from = 0;
    if (!is_text(key, "outputs"))
        return skip(r, opening);
    if (once(r, &out->listed, "outputs") != GPA_OK)
        return GPA_MODEL;
    if (opening->kind != '[')
        return fail(r, "outputs: expected a list");
    for (bool first = true;; first = false) {
        gpai_token token;
        struct output o;
        gpa_status st = next_item(r, first, &token);
        if (st == GPA_OK && token.kind == ']')
            break;
        if (st == GPA_OK)
            st = read_output(r, &token, &o);
        if (st != GPA_OK)
            return st;
        if (o.wanted && found++ == 0) {
            *out = o;
            out->listed = true;
            out->from = from;
        }
        from = from < SIZE_MAX / 4 ? from + o.size : from;
    }
    out->all = from;
    if (found == 1)
        return GPA_OK;
    return found == 0
               ? fail(r, "outputs: not the one that was asked for")
               : fail(r, "%zu outputs; say which with --model-config output=NAME",
                      found);
}

static gpa_status check_shape(struct reader *r, const struct output *o, size_t n)
{
    size_t each = 1;
    for (size_t i = 1; i < o->rank; i++)
        each = o->dims[i] == 1 ? each : 0;
    if (o->rank == 0 || (o->dims[0] == n && each == 1))
        return GPA_OK;
    char text[128] = "";
    for (size_t i = 0, used = 0; i < o->rank && used + 24 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu",
                                 i > 0 ? "," : "", o->dims[i]);
    return fail(r, "shape [%s], expected [%zu] or [%zu,1]", text, n, n);
}

/* Numbers in row-major order, whatever the brackets around them. */
static gpa_status read_json(struct reader *r, const struct output *o, size_t n,
                            double *y)
{
    size_t rows = 0;
    gpai_token token;
    r->scan = o->data;
    gpa_status st = next(r, &token);
    if (st == GPA_OK && token.kind != '[')
        return fail(r, "data: expected a list of %zu numbers", n);
    for (int depth = 1; st == GPA_OK && depth > 0;) {
        double value = 0;
        st = next(r, &token);
        if (st != GPA_OK)
            return st;
        depth += token.kind == '[' ? 1 : token.kind == ']' ? -1 : 0;
        if (token.kind == '[' || token.kind == ']' || token.kind == ',')
            continue;
        if (!is_number(&token, &value))
            return fail_row(r, rows, "expected a number, not ", &token);
        if (rows < n)
            y[rows] = value;
        rows++;
    }
    return rows == n || st != GPA_OK
               ? st
               : fail(r, "%zu predictions, expected %zu", rows, n);
}

static gpa_status read_binary(struct reader *r, const struct output *o, size_t n,
                              double *y)
{
    const gpai_answer *a = r->answer;
    size_t each = o->type == GPAI_NOT_A_TYPE ? 0 : gpai_datatype_size(o->type);
    if (each == 0)
        return fail(r, "a binary output of a type that is not known");
    if (a->head == 0 || o->from > a->size - a->head ||
        o->size > a->size - a->head - o->from)
        return fail(r, "the binary output ends too early");
    if (o->size % each != 0 || o->size / each != n)
        return fail(r, "%zu bytes of %s, expected %zu of them", o->size,
                    gpai_datatype_name(o->type), n);
    for (size_t i = 0; i < n; i++)
        y[i] = gpai_datatype_get(o->type, a->bytes + a->head + o->from + i * each);
    return GPA_OK;
}

static gpa_status read_data(struct reader *r, const struct output *o, size_t n,
                            double *y)
{
    const gpai_answer *a = r->answer;
    gpa_status st = check_shape(r, o, n);
    if (st != GPA_OK)
        return st;
    if (a->head > 0 && a->size - a->head > o->all)
        return fail(r, "%zu bytes behind the JSON, expected %zu", a->size - a->head,
                    o->all);
    if (o->binary)
        return read_binary(r, o, n, y);
    return o->data.at != NULL ? read_json(r, o, n, y)
                              : fail(r, "outputs: an output without data");
}

gpa_status gpai_outputs_read(const gpai_answer *a, size_t n, double *y, gpa_error *err)
{
    struct reader r;
    struct output o = {.wanted = false};
    start(&r, a, err);
    if (a->head > a->size)
        return fail(&r, "ends before its JSON does");
    gpa_status st = read_whole_answer(&r, "outputs", find_output, &o);
    if (st != GPA_OK)
        return st;
    return o.wanted ? read_data(&r, &o, n, y) : lacks(&r, "outputs");
}
