#include "data/json_scan.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/utf8.h"
#include "base/text/word.h"
#include <string.h>

gpa_status gpai_json_fail(const gpai_json_scan *s, const char *what,
                          const gpai_token *token, gpa_error *err)
{
    if (token == NULL || token->kind == 0)
        return gpai_fail(err, GPA_DATA, "%s: line %zu: %s%s", s->source, s->line, what,
                         token == NULL ? "" : " at the end");
    return gpai_fail(err, GPA_DATA, "%s: line %zu: %s: %s", s->source, s->line, what,
                     gpai_show(token->text, token->length).text);
}

bool gpai_token_is_word(const gpai_token *token, const char *word)
{
    return token->kind == 'w' && gpai_word_is(token->text, token->length, word);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Four hexadecimal digits; false when they are not. */
static bool hex4(const char *p, const char *end, uint32_t *code)
{
    uint32_t c = 0;
    if (end - p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char h = p[i];
        if (is_digit(h))
            c = c << 4 | (uint32_t)(h - '0');
        else if ((h >= 'a' && h <= 'f') || (h >= 'A' && h <= 'F'))
            c = c << 4 | (uint32_t)((h | 0x20) - 'a' + 10);
        else
            return false;
    }
    *code = c;
    return true;
}

/* Reads the escape at `p` (past its backslash): its length, 0 when it is none. */
static size_t escape(const char *p, const char *end, uint32_t *code)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    uint32_t low = 0;
    if (p == end || *p == '\0')
        return 0;
    const char *simple = strchr(from, *p);
    if (simple != NULL) {
        *code = (unsigned char)to[simple - from];
        return 1;
    }
    if (*p != 'u' || !hex4(p + 1, end, code) || *code == 0)
        return 0;
    if (*code < 0xd800 || *code > 0xdfff)
        return 5;
    /* beyond 16 bits: two halves, which mean nothing apart */
    if (*code > 0xdbff || end - p < 11 || p[5] != '\\' || p[6] != 'u' ||
        !hex4(p + 7, end, &low) || low < 0xdc00 || low > 0xdfff)
        return 0;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return 11;
}

size_t gpai_json_decode(const gpai_token *token, char *out)
{
    const char *p = token->text, *end = p + token->length;
    char *to = out;
    if (!token->escaped) {
        memcpy(out, p, token->length);
        out[token->length] = '\0';
        return token->length;
    }
    while (p < end) {
        uint32_t code = 0;
        if (*p != '\\') {
            *to++ = *p++;
            continue;
        }
        p += 1 + escape(p + 1, end, &code);
        to += gpai_utf8_put(to, code);
    }
    *to = '\0';
    return (size_t)(to - out);
}

static gpa_status scan_string(gpai_json_scan *s, gpai_token *token, gpa_error *err)
{
    const char *p = s->at + 1;
    *token = (gpai_token){.kind = 's', .text = p};
    while (p < s->end && *p != '"') {
        uint32_t code = 0;
        size_t n = 1;
        if ((unsigned char)*p < 0x20)
            return gpai_json_fail(s, "a control character inside a string", NULL, err);
        if (*p == '\\') {
            token->escaped = true;
            n = escape(p + 1, s->end, &code);
            if (n == 0)
                return gpai_json_fail(s, "a broken escape inside a string", NULL, err);
            n++;
        } else if ((unsigned char)*p >= 0x80) {
            n = gpai_utf8(p, (size_t)(s->end - p), &code);
            if (n == 0)
                return gpai_json_fail(s, "a string that is not UTF-8", NULL, err);
        }
        p += n;
    }
    if (p >= s->end)
        return gpai_json_fail(s, "a string that never ends", NULL, err);
    token->length = (size_t)(p - token->text);
    s->at = p + 1;
    return GPA_OK;
}

/* JSON is stricter than gpai_number: no plus, no leading zeros, digits around the
 * point. */
static bool strict_form(const char *p, const char *end)
{
    p += *p == '-';
    if (p == end || !is_digit(*p) || (*p == '0' && end - p > 1 && is_digit(p[1])))
        return false;
    for (; p < end; p++)
        if (*p == '.' && (!is_digit(p[-1]) || end - p < 2 || !is_digit(p[1])))
            return false;
    return true;
}

static gpa_status scan_number(gpai_json_scan *s, gpai_token *token, gpa_error *err)
{
    const char *p = s->at;
    double value = 0;
    while (p < s->end && (is_digit(*p) || is_letter(*p) || strchr("+-.", *p) != NULL) &&
           *p != '\0')
        p++;
    *token = (gpai_token){.kind = 'n', .text = s->at, .length = (size_t)(p - s->at)};
    gpai_number_kind kind = gpai_number(token->text, token->length, &value);
    if (kind == GPAI_NUMBER_RANGE)
        return gpai_json_fail(s, "out of range", token, err);
    if (kind == GPAI_NUMBER_NOT || !strict_form(token->text, p))
        return gpai_json_fail(s, "not a number", token, err);
    s->at = p;
    return GPA_OK;
}

gpa_status gpai_json_next(gpai_json_scan *s, gpai_token *token, gpa_error *err)
{
    for (; s->at < s->end && memchr(" \t\r\n", *s->at, 4) != NULL; s->at++)
        s->line += *s->at == '\n';
    *token = (gpai_token){.kind = 0, .text = s->at};
    if (s->at == s->end)
        return GPA_OK;
    char c = *s->at;
    if (c == '"')
        return scan_string(s, token, err);
    bool minus_word = s->lax && c == '-' && s->end - s->at > 1 && is_letter(s->at[1]);
    if ((c == '-' || is_digit(c)) && !minus_word)
        return scan_number(s, token, err);
    token->length = 1;
    if (is_letter(c) || minus_word) {
        while (s->at + token->length < s->end && is_letter(s->at[token->length]))
            token->length++;
        token->kind = 'w';
    } else if (memchr("{}[],:", c, 6) != NULL) {
        token->kind = c;
    } else {
        token->kind = 'w'; /* only so that the message shows it */
        return gpai_json_fail(s, "unexpected", token, err);
    }
    s->at += token->length;
    return GPA_OK;
}

gpa_status gpai_json_item(gpai_json_scan *s, char close, bool first, gpai_token *token,
                          gpa_error *err)
{
    gpa_status st = gpai_json_next(s, token, err);
    if (st != GPA_OK || first || token->kind == close)
        return st;
    if (token->kind != ',')
        return gpai_json_fail(s, "unexpected", token, err);
    st = gpai_json_next(s, token, err);
    if (st == GPA_OK && token->kind == close)
        st = gpai_json_fail(s, "unexpected", token, err);
    return st;
}
