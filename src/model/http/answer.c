#include "model/http/answer.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "model/http/transport/server_message.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 100, NAME = 512 };

void gpai_reader_start(gpai_reader *r, const gpai_answer *a, gpa_error *err)
{
    size_t size = a->head > 0 ? a->head : a->size;
    *r = (gpai_reader){.scan = {a->bytes, a->bytes + size, 1, r->source, true},
                       .answer = a,
                       .err = err};
    snprintf(r->source, sizeof r->source, "%s: reply", a->who);
}

gpa_status gpai_reader_next(gpai_reader *r, gpai_token *token)
{
    gpa_status st = gpai_json_next(&r->scan, token, r->err);
    if (st == GPA_DATA) { /* bad data of a server is a bad server */
        st = GPA_MODEL;
        if (r->err != NULL)
            r->err->status = st;
    }
    return st;
}

static gpa_status unexpected(gpai_reader *r, const gpai_token *token)
{
    if (token->kind == 0)
        return gpai_reader_fail(r, "ends too early");
    return gpai_reader_fail(r, "line %zu: unexpected %s", r->scan.line,
                            gpai_show(token->text, token->length).text);
}

gpa_status gpai_reader_item(gpai_reader *r, bool first, gpai_token *item)
{
    gpa_status st = gpai_reader_next(r, item);
    if (st != GPA_OK || item->kind == ']' || item->kind == '}')
        return st;
    if (first)
        return item->kind == 0 ? unexpected(r, item) : GPA_OK;
    if (item->kind != ',')
        return unexpected(r, item);
    st = gpai_reader_next(r, item);
    if (st == GPA_OK && memchr("]},:", item->kind, 5) != NULL) /* 5: the end too */
        st = unexpected(r, item);
    return st;
}

static gpa_status read_key(gpai_reader *r, bool first, gpai_token *key)
{
    gpai_token colon;
    gpa_status st = gpai_reader_item(r, first, key);
    if (st != GPA_OK || key->kind == '}')
        return st;
    if (key->kind != 's')
        return unexpected(r, key);
    st = gpai_reader_next(r, &colon);
    if (st == GPA_OK && colon.kind != ':')
        st = unexpected(r, &colon);
    return st;
}

gpa_status gpai_reader_members(gpai_reader *r, gpai_member_fn read, void *ctx)
{
    for (bool first = true;; first = false) {
        gpai_token key, value;
        gpa_status st = read_key(r, first, &key);
        if (st != GPA_OK || key.kind == '}')
            return st;
        r->before = r->scan;
        st = gpai_reader_next(r, &value);
        if (st == GPA_OK)
            st = read(r, &key, &value, ctx);
        if (st != GPA_OK)
            return st;
    }
}

gpa_status gpai_reader_whole(gpai_reader *r, const char *key, gpai_member_fn read,
                             void *ctx)
{
    gpai_token token;
    gpa_status st = gpai_reader_next(r, &token);
    if (st == GPA_OK && token.kind != '{')
        return gpai_reader_lacks(r, key);
    if (st == GPA_OK)
        st = gpai_reader_members(r, read, ctx);
    if (st == GPA_OK)
        st = gpai_reader_next(r, &token);
    return st == GPA_OK && token.kind != 0 ? unexpected(r, &token) : st;
}

gpa_status gpai_reader_skip(gpai_reader *r, const gpai_token *first)
{
    gpai_token token = *first;
    gpa_status st = GPA_OK;
    for (int depth = 0; st == GPA_OK; st = gpai_reader_next(r, &token)) {
        if (token.kind == 0 || depth > DEPTH)
            return unexpected(r, &token);
        depth += token.kind == '{' || token.kind == '[';
        depth -= token.kind == '}' || token.kind == ']';
        if (depth <= 0)
            return depth == 0 ? GPA_OK : unexpected(r, &token);
    }
    return st;
}

gpa_status gpai_reader_fail_row(gpai_reader *r, size_t row, const char *what,
                                const gpai_token *token)
{
    return gpai_reader_fail(r, "row %zu: %s%s", r->answer->first + row, what,
                            token == NULL ? ""
                                          : gpai_show(token->text, token->length).text);
}

gpa_status gpai_reader_fail(gpai_reader *r, const char *format, ...)
{
    char text[240];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gpai_fail(r->err, GPA_MODEL, "%s: %s", r->source, text);
}

gpa_status gpai_reader_lacks(gpai_reader *r, const char *key)
{
    size_t size = (size_t)(r->scan.end - r->answer->bytes);
    gpai_server_message message = gpai_server_message_read(r->answer->bytes, size);
    return gpai_fail(r->err, GPA_MODEL, "%s: no \"%s\"%s%s", r->source, key,
                     message.text[0] != '\0' ? " in: " : "; it is empty", message.text);
}

bool gpai_token_is(const gpai_token *token, const char *text)
{
    char name[NAME];
    if (token->kind != 's' || token->length >= NAME)
        return false;
    gpai_json_decode(token, name);
    return strcmp(name, text) == 0;
}

bool gpai_token_number(const gpai_token *token, double *value)
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
