#include "report/saved/value.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/words.h"
#include <gpa/explain.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gpai_read_fail(gpai_reader *r, const char *key, const char *format, ...)
{
    char what[200];
    va_list args;
    if (r->status != GPA_OK)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    r->status = gpai_fail(r->err, GPA_DATA, "%s: %s%s%s", r->name,
                          key != NULL ? key : "", key != NULL ? ": " : "", what);
}

void gpai_read_nomem(gpai_reader *r)
{
    if (r->status == GPA_OK)
        r->status = gpai_nomem(r->err, "report");
}

void *gpai_read_room(gpai_reader *r, size_t n, size_t size)
{
    void *room = r->status == GPA_OK ? gpai_calloc(n, size) : NULL;
    if (room == NULL)
        gpai_read_nomem(r);
    return room;
}

/* It has room for 16, then for 32, 64, … */
void *gpai_read_grow(gpai_reader *r, void *list, size_t n, size_t size)
{
    bool full = n == 0 || (n >= 16 && (n & (n - 1)) == 0);
    if (!full || r->status != GPA_OK)
        return list;
    void *more = gpai_regrow(list, n > 0 ? 2 * n : 16, size);
    if (more == NULL)
        gpai_read_nomem(r);
    return more != NULL ? more : list;
}

static const gpai_value *member(gpai_reader *r, const gpai_value *o, const char *key,
                                bool optional)
{
    const gpai_value *value = gpai_value_get(o, key);
    if (r->status != GPA_OK)
        return NULL;
    if (value != NULL && !gpai_value_is_null(value))
        return value;
    if (!optional)
        gpai_read_fail(r, key, value == NULL ? "missing" : "null");
    return NULL;
}

/* The same, of a type; `fault` says what another is. */
static const gpai_value *typed(gpai_reader *r, const gpai_value *o, const char *key,
                               bool optional, gpai_value_kind kind, const char *fault)
{
    const gpai_value *value = member(r, o, key, optional);
    if (value != NULL && gpai_value_is(value) != kind)
        gpai_read_fail(r, key, "%s", fault);
    return r->status == GPA_OK ? value : NULL;
}

const gpai_value *gpai_read_object(gpai_reader *r, const gpai_value *o, const char *key,
                                   bool optional)
{
    return typed(r, o, key, optional, GPAI_VALUE_OBJECT, "not an object");
}

const gpai_value *gpai_read_list(gpai_reader *r, const gpai_value *o, const char *key,
                                 bool optional)
{
    return typed(r, o, key, optional, GPAI_VALUE_LIST, "not a list");
}

const char *gpai_read_text(gpai_reader *r, const gpai_value *o, const char *key,
                           bool optional)
{
    return gpai_value_text(typed(r, o, key, optional, GPAI_VALUE_TEXT, "not a text"));
}

const char *gpai_read_text_at(gpai_reader *r, const gpai_value *list, const char *key,
                              size_t i)
{
    const char *text = gpai_value_text(gpai_value_at(list, i));
    if (text == NULL)
        gpai_read_fail(r, key, "entry %zu is not a text", i + 1);
    return text;
}

bool gpai_read_bool(gpai_reader *r, const gpai_value *o, const char *key)
{
    const gpai_value *value = member(r, o, key, false);
    if (value != NULL && !gpai_value_is_truth(value))
        gpai_read_fail(r, key, "neither true nor false");
    return r->status == GPA_OK && gpai_value_is_true(value);
}

static uint64_t whole(gpai_reader *r, const gpai_value *value, const char *key)
{
    int64_t n = gpai_value_whole(value);
    if (!gpai_value_is_whole(value) || n < 0)
        gpai_read_fail(r, key, "not a whole number");
    return r->status == GPA_OK ? (uint64_t)n : 0;
}

uint64_t gpai_read_count(gpai_reader *r, const gpai_value *o, const char *key)
{
    const gpai_value *value = member(r, o, key, false);
    return value != NULL ? whole(r, value, key) : 0;
}

double gpai_read_number(gpai_reader *r, const gpai_value *o, const char *key)
{
    const gpai_value *value = gpai_value_get(o, key);
    if (r->status != GPA_OK || gpai_value_is_null(value))
        return (double)NAN;
    if (value == NULL)
        gpai_read_fail(r, key, "missing");
    else if (!gpai_value_is_number(value))
        gpai_read_fail(r, key, "not a number");
    return r->status == GPA_OK ? gpai_value_number(value) : (double)NAN;
}

double gpai_read_share(gpai_reader *r, const gpai_value *o, const char *key)
{
    double p = gpai_read_number(r, o, key);
    if (r->status == GPA_OK && !(p >= 0 && p <= 1 + 1e-9))
        gpai_read_fail(r, key, "not a probability");
    return p;
}

static bool sized(gpai_reader *r, const gpai_value *list, const char *key, size_t n)
{
    if (r->status != GPA_OK)
        return false;
    if (!gpai_value_is_list(list))
        gpai_read_fail(r, key, "not a list of numbers");
    else if (gpai_value_items(list) != n)
        gpai_read_fail(r, key, "%zu entries, expected %zu", gpai_value_items(list), n);
    return r->status == GPA_OK;
}

void gpai_read_numbers(gpai_reader *r, const gpai_value *list, const char *key,
                       size_t n, gpai_holes holes, double *out)
{
    if (!sized(r, list, key, n))
        return;
    for (size_t i = 0; i < n; i++) {
        const gpai_value *item = gpai_value_at(list, i);
        bool hole = gpai_value_is_null(item) && holes == GPAI_HOLES;
        if (!gpai_value_is_number(item) && !hole) {
            gpai_read_fail(r, key, "entry %zu is not a number", i + 1);
            return;
        }
        out[i] = hole ? (double)NAN : gpai_value_number(item);
    }
}

void gpai_read_number_list(gpai_reader *r, const gpai_value *o, const char *key,
                           size_t n, gpai_holes holes, double *out)
{
    gpai_read_numbers(r, gpai_read_list(r, o, key, false), key, n, holes, out);
}

void gpai_read_counts(gpai_reader *r, const gpai_value *list, const char *key, size_t n,
                      size_t *out)
{
    if (!sized(r, list, key, n))
        return;
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        out[i] = (size_t)whole(r, gpai_value_at(list, i), key);
}

static const char *name_of(gpai_choice choice, int i)
{
    switch (choice) {
    case GPAI_SOLVER:
        return gpa_solver_name((gpa_solver)i);
    case GPAI_MARGINALS:
        return gpa_marginals_name((gpa_marginals)i);
    case GPAI_NOISE:
        return gpa_noise_name((gpa_noise)i);
    case GPAI_VERDICT:
        return gpa_verdict_name((gpa_verdict)i);
    case GPAI_PLAUSIBLE:
        return gpa_plausible_name((gpa_plausible)i);
    case GPAI_KIND:
        break;
    }
    return gpa_kind_name((gpa_kind)i);
}

int gpai_read_name(gpai_reader *r, const char *key, const char *text,
                   gpai_choice choice)
{
    if (r->status != GPA_OK || text == NULL)
        return 0;
    for (int i = 0; name_of(choice, i) != NULL; i++)
        if (strcmp(name_of(choice, i), text) == 0)
            return i;
    gpai_read_fail(r, key, "'%s' is not known", gpai_show_text(text).text);
    return 0;
}

enum { DEPTH = 100 }; /* as in data/json.c */

static void unexpected(gpai_walk *w, const gpai_token *token)
{
    if (w->r->status == GPA_OK)
        w->r->status = gpai_json_fail(&w->scan, "unexpected", token, w->r->err);
}

/* The next token; false once something is wrong. */
static bool take(gpai_walk *w, gpai_token *token)
{
    if (w->r->status == GPA_OK)
        w->r->status = gpai_json_next(&w->scan, token, w->r->err);
    return w->r->status == GPA_OK;
}

gpai_walk gpai_walk_open(gpai_reader *r, gpai_slice value, char bracket)
{
    gpai_token token;
    gpai_walk w = {.r = r,
                   .scan = {value.at, value.at + value.size, 1, r->name, false},
                   .close = bracket == '{' ? '}' : ']'};
    if (take(&w, &token) && token.kind != bracket)
        unexpected(&w, &token);
    return w;
}

/* Goes to the end of the value that starts with `token`. */
static void skip(gpai_walk *w, gpai_token token)
{
    char close[DEPTH];
    size_t depth = 0;
    do {
        bool end = token.kind == '}' || token.kind == ']';
        if (token.kind == 0 ||
            (depth == 0 && (token.kind == ',' || token.kind == ':')) ||
            (end && (depth == 0 || token.kind != close[depth - 1]))) {
            unexpected(w, &token);
        } else if (end) {
            depth--;
        } else if (token.kind == '{' || token.kind == '[') {
            if (depth == DEPTH)
                w->r->status =
                    gpai_json_fail(&w->scan, "nested too deep", NULL, w->r->err);
            else
                close[depth++] = token.kind == '{' ? '}' : ']';
        }
    } while (depth > 0 && take(w, &token));
}

/* The first token of a value behind its comma; false at the end. */
static bool step(gpai_walk *w, gpai_token *token)
{
    if (!take(w, token) || token->kind == w->close)
        return false;
    if (w->begun && token->kind != ',')
        unexpected(w, token);
    else if (w->begun && take(w, token) && token->kind == w->close)
        unexpected(w, token);
    w->begun = true;
    return w->r->status == GPA_OK;
}

bool gpai_walk_next(gpai_walk *w, gpai_token *key, gpai_slice *value)
{
    gpai_token token;
    if (!step(w, &token))
        return false;
    if (w->close == '}') {
        if (token.kind != 's')
            unexpected(w, &token);
        if (key != NULL)
            *key = token;
        if (take(w, &token) && token.kind != ':')
            unexpected(w, &token);
        if (!take(w, &token))
            return false;
    }
    value->at = token.text - (token.kind == 's'); /* with its quote */
    skip(w, token);
    value->size = (size_t)(w->scan.at - value->at);
    return w->r->status == GPA_OK;
}

void gpai_walk_end(gpai_walk *w)
{
    gpai_token token;
    if (take(w, &token) && token.kind != 0)
        unexpected(w, &token);
}

bool gpai_json_token_is(const gpai_token *token, const char *text)
{
    char plain[64];
    if (token->kind != 's' || token->length >= sizeof plain)
        return false;
    return gpai_word_is(plain, gpai_json_decode(token, plain), text);
}
