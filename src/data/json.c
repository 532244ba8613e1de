#include "data/json.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/number.h"
#include "base/text/show.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include "data/packed/unpack.h"
#include <math.h>
#include <stdint.h>
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

/* No file of ours nests anywhere near as deep, and the stack holds. */
enum { DEPTH = 100 };

/* Reads a text twice: the first time to measure, then to make the value. */
struct parser {
    gpai_json_scan scan;
    gpai_maker maker;
    const char *gap, *gap_end; /* a list that counts as null; NULL: none */
    gpa_error *err;
};

static gpa_status value(struct parser *p, const gpai_token *first, int depth,
                        gpai_value *to);

static gpa_status next(struct parser *p, gpai_token *token)
{
    return gpai_json_next(&p->scan, token, p->err);
}

static gpa_status unexpected(struct parser *p, const gpai_token *token)
{
    return gpai_json_fail(&p->scan, "unexpected", token, p->err);
}

static void put_text(struct parser *p, const gpai_token *token, gpai_value *to)
{
    char *room = gpai_make_text(&p->maker, to, token->length);
    if (room != NULL)
        gpai_make_text_end(&p->maker, gpai_json_decode(token, room));
}

/* Integers stay integers while 64 bits hold them. */
static void put_number(struct parser *p, const gpai_token *token, gpai_value *to)
{
    uint64_t whole = 0;
    size_t sign = token->text[0] == '-', i = sign;
    for (; i < token->length && token->text[i] >= '0' && token->text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(token->text[i] - '0');
        if (whole > (INT64_MAX - digit) / 10)
            break;
        whole = 10 * whole + digit;
    }
    double real = 0;
    if (i == token->length) {
        gpai_make_whole(&p->maker, to, sign ? -(int64_t)whole : (int64_t)whole);
    } else if (to != NULL) {
        (void)gpai_number(token->text, token->length, &real);
        gpai_make_real(to, real);
    }
}

/* What lax JSON has for numbers that are none: NaN and Infinity, with a sign or not. */
static bool is_unreal(const struct parser *p, const gpai_token *token)
{
    gpai_token word = *token;
    bool minus = word.length > 0 && *word.text == '-';
    word.text += minus;
    word.length -= minus;
    return p->scan.lax &&
           (gpai_token_is_word(&word, "NaN") || gpai_token_is_word(&word, "Infinity"));
}

/* Anything but an object or an array. */
static gpa_status scalar(struct parser *p, const gpai_token *token, gpai_value *to)
{
    if (token->kind == 's')
        put_text(p, token, to);
    else if (token->kind == 'n')
        put_number(p, token, to);
    else if (gpai_token_is_word(token, "true") || gpai_token_is_word(token, "false"))
        gpai_make_truth(to, token->length == 4);
    else if (gpai_token_is_word(token, "null") || is_unreal(p, token))
        gpai_make_null(to);
    else
        return unexpected(p, token);
    return GPA_OK;
}

/* One `"key": value` of an object. */
static gpa_status member(struct parser *p, const gpai_token *key, int depth,
                         gpai_made *object)
{
    gpai_token token;
    if (key->kind != 's')
        return unexpected(p, key);
    gpai_value *name = gpai_make_item(&p->maker, object);
    put_text(p, key, name);
    if (gpai_make_twice(object, name))
        return gpai_json_fail(&p->scan, "the same key twice", key, p->err);
    gpa_status st = next(p, &token);
    if (st == GPA_OK && token.kind != ':')
        st = unexpected(p, &token);
    if (st == GPA_OK)
        st = next(p, &token);
    return st == GPA_OK ? value(p, &token, depth, gpai_make_item(&p->maker, object))
                        : st;
}

/* The inside of an object or array, up to and with its closing bracket. */
static gpa_status items(struct parser *p, char close, int depth, gpai_made *into)
{
    for (bool first = true;; first = false) {
        gpai_token token;
        gpa_status st = gpai_json_item(&p->scan, close, first, &token, p->err);
        if (st != GPA_OK || token.kind == close)
            return st;
        st = close == '}' ? member(p, &token, depth, into)
                          : value(p, &token, depth, gpai_make_item(&p->maker, into));
        if (st != GPA_OK)
            return st;
    }
}

/* Steps over what is not to be read. */
static void skip_gap(struct parser *p)
{
    for (const char *at = p->gap; at < p->gap_end; at++)
        p->scan.line += *at == '\n';
    p->scan.at = p->gap_end;
}

static gpa_status value(struct parser *p, const gpai_token *first, int depth,
                        gpai_value *to)
{
    gpai_made into;
    if (first->kind != '{' && first->kind != '[')
        return scalar(p, first, to);
    if (first->text == p->gap) {
        gpai_make_null(to);
        skip_gap(p);
        return GPA_OK;
    }
    if (depth >= DEPTH)
        return gpai_json_fail(&p->scan, "nested too deep", NULL, p->err);
    gpa_status st = gpai_make_open(&p->maker, to, first->kind == '{', &into)
                        ? items(p, first->kind == '{' ? '}' : ']', depth + 1, &into)
                        : gpai_nomem(p->err, "json");
    gpai_make_close(&into);
    return st;
}

/* One pass over the whole text. */
static gpa_status pass(struct parser *p, gpai_value *to)
{
    gpai_token token;
    gpa_status st = next(p, &token);
    if (st == GPA_OK && token.kind == 0)
        st = gpai_fail(p->err, GPA_DATA, "%s: empty, not JSON", p->scan.source);
    if (st == GPA_OK)
        st = value(p, &token, 0, to);
    if (st == GPA_OK)
        st = next(p, &token);
    if (st == GPA_OK && token.kind != 0)
        st = unexpected(p, &token);
    return st;
}

gpa_status gpai_make_check(gpai_make_result result, const char *name, gpa_error *err)
{
    if (result == GPAI_MAKE_NOMEM)
        return gpai_nomem(err, "json");
    return result == GPAI_MAKE_FINE
               ? GPA_OK
               : gpai_bad_file(err, name, "nothing but lists within lists");
}

static gpa_status parse(gpai_value **out, const struct parser *how, const char *bytes,
                        size_t size, const char *name, bool lax)
{
    gpai_shown source = gpai_show_path(name);
    struct parser p = *how;
    *out = NULL;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    const gpai_json_scan start = {bytes, bytes + size, 1, source.text, lax};
    p.scan = start;
    gpa_status st = pass(&p, NULL);
    if (st == GPA_OK)
        st = gpai_make_check(gpai_make_block(&p.maker, size), name, p.err);
    p.scan = start;
    if (st == GPA_OK)
        st = pass(&p, p.maker.block);
    *out = gpai_make_end(&p.maker, st == GPA_OK);
    return st;
}

gpa_status gpai_json_parse(gpai_value **out, const char *bytes, size_t size,
                           const char *name, gpa_error *err)
{
    return parse(out, &(struct parser){.err = err}, bytes, size, name, false);
}

gpa_status gpai_json_parse_lax(gpai_value **out, const char *bytes, size_t size,
                               const char *name, gpa_error *err)
{
    return parse(out, &(struct parser){.err = err}, bytes, size, name, true);
}

gpa_status gpai_json_parse_around(gpai_value **out, const char *bytes, size_t size,
                                  const char *gap, size_t gap_size, const char *name,
                                  gpa_error *err)
{
    const struct parser how = {
        .gap = gap, .gap_end = gap != NULL ? gap + gap_size : NULL, .err = err};
    return parse(out, &how, bytes, size, name, false);
}

gpa_status gpai_json_read(gpai_value **out, const char *path, size_t max_bytes,
                          gpa_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    gpa_status st = gpai_slurp_unpacked(&bytes, &size, path, max_bytes, err);
    if (st == GPA_OK)
        st = gpai_json_parse(out, bytes, size, path, err);
    gpai_free(bytes);
    return st;
}

gpa_status gpai_json_numbers(const gpai_value *array, size_t n, double *out,
                             const char *name, const char *what, gpa_error *err)
{
    if (!gpai_value_is_list(array))
        return gpai_bad_file(err, name, "%s: not a list of numbers", what);
    if (gpai_value_items(array) != n)
        return gpai_bad_file(err, name, "%s: %zu numbers, expected %zu", what,
                             gpai_value_items(array), n);
    for (size_t i = 0; i < n; i++) {
        const gpai_value *item = gpai_value_at(array, i);
        if (!gpai_value_is_number(item) || !isfinite(gpai_value_number(item)))
            return gpai_bad_file(err, name, "%s: item %zu is not a number", what,
                                 i + 1);
        out[i] = gpai_value_number(item);
    }
    return GPA_OK;
}
