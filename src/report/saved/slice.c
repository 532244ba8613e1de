#include "report/saved/slice.h"
#include "base/alloc.h"
#include <string.h>

enum { DEPTH = 100 }; /* as in data/json.c */

static gpa_status unexpected(const gpai_walk *w, const gpai_token *token,
                             gpa_error *err)
{
    return gpai_json_fail(&w->scan, "unexpected", token, err);
}

gpa_status gpai_walk_open(gpai_walk *w, gpai_slice value, const char *source,
                          char bracket, gpa_error *err)
{
    gpai_token token;
    *w = (gpai_walk){.scan = {value.at, value.at + value.size, 1, source},
                     .close = bracket == '{' ? '}' : ']'};
    gpa_status st = gpai_json_next(&w->scan, &token, err);
    if (st == GPA_OK && token.kind != bracket)
        st = unexpected(w, &token, err);
    return st;
}

/* Goes to the end of the value that starts with `first`. */
static gpa_status skip(gpai_walk *w, const gpai_token *first, gpa_error *err)
{
    char close[DEPTH];
    size_t depth = 0;
    gpai_token token = *first;
    for (;;) {
        if (token.kind == 0 || (depth == 0 && strchr(",:]}", token.kind) != NULL))
            return unexpected(w, &token, err);
        if (token.kind == '{' || token.kind == '[') {
            if (depth == DEPTH)
                return gpai_json_fail(&w->scan, "nested too deep", NULL, err);
            close[depth++] = token.kind == '{' ? '}' : ']';
        } else if (token.kind == '}' || token.kind == ']') {
            if (token.kind != close[depth - 1])
                return unexpected(w, &token, err);
            depth--;
        }
        if (depth == 0)
            return GPA_OK;
        gpa_status st = gpai_json_next(&w->scan, &token, err);
        if (st != GPA_OK)
            return st;
    }
}

/* The comma before a value, or the end. */
static gpa_status step(gpai_walk *w, gpai_token *token, gpa_error *err)
{
    gpa_status st = gpai_json_next(&w->scan, token, err);
    if (st != GPA_OK || token->kind == w->close)
        return st;
    if (w->begun) {
        if (token->kind != ',')
            return unexpected(w, token, err);
        st = gpai_json_next(&w->scan, token, err);
        if (st == GPA_OK && token->kind == w->close)
            return unexpected(w, token, err);
    }
    w->begun = true;
    return st;
}

gpa_status gpai_walk_next(gpai_walk *w, gpai_token *key, gpai_slice *value,
                          gpa_error *err)
{
    gpai_token token;
    *value = (gpai_slice){w->scan.at, 0};
    gpa_status st = step(w, &token, err);
    if (st != GPA_OK || token.kind == w->close)
        return st;
    if (w->close == '}') {
        if (token.kind != 's')
            return unexpected(w, &token, err);
        if (key != NULL)
            *key = token;
        st = gpai_json_next(&w->scan, &token, err);
        if (st == GPA_OK && token.kind != ':')
            st = unexpected(w, &token, err);
        if (st == GPA_OK)
            st = gpai_json_next(&w->scan, &token, err);
    }
    if (st != GPA_OK)
        return st;
    value->at = token.text - (token.kind == 's'); /* with its quote */
    st = skip(w, &token, err);
    value->size = st == GPA_OK ? (size_t)(w->scan.at - value->at) : 0;
    return st;
}

bool gpai_walk_more(gpai_walk *w, gpai_token *key, gpai_slice *value, gpa_status *st,
                    gpa_error *err)
{
    if (*st == GPA_OK)
        *st = gpai_walk_next(w, key, value, err);
    return *st == GPA_OK && value->size > 0;
}

gpa_status gpai_walk_end(gpai_walk *w, gpa_error *err)
{
    gpai_token token;
    gpa_status st = gpai_json_next(&w->scan, &token, err);
    return st == GPA_OK && token.kind != 0 ? unexpected(w, &token, err) : st;
}

bool gpai_json_token_is(const gpai_token *token, const char *text)
{
    return token->kind == 's' && !token->escaped && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

/* It has room for 16, then for 32, 64, … */
void *gpai_list_grow(void *list, size_t n, size_t size)
{
    bool full = n == 0 || (n >= 16 && (n & (n - 1)) == 0);
    return full ? gpai_regrow(list, n > 0 ? 2 * n : 16, size) : list;
}
