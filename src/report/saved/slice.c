#include "report/saved/slice.h"
#include "base/text/words.h"

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
                   .scan = {value.at, value.at + value.size, 1, r->name},
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
    return token->kind == 's' && !token->escaped &&
           gpai_word_is(token->text, token->length, text);
}
