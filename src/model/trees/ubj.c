#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/utf8.h"
#include "data/bits.h"
#include "model/trees/xgboost.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* XGBoost nests less than ten deep. */
enum { DEPTH = 32 };

/* The first failure sticks, in `st`: nothing is read after it. */
struct reader {
    const unsigned char *start, *at, *end;
    const char *name;
    gpa_status st;
    gpa_error *err;
};

static json_t *value(struct reader *r, int depth);

/* Gives NULL. */
static void *fail(struct reader *r, const char *what)
{
    if (r->st == GPA_OK)
        r->st = gpai_bad_file(r->err, r->name, "byte %zu: %s",
                              (size_t)(r->at - r->start), what);
    r->end = r->at;
    return NULL;
}

static void *no_memory(struct reader *r)
{
    if (r->st == GPA_OK)
        r->st = gpai_nomem(r->err, "ubj");
    return NULL;
}

static bool next_is(const struct reader *r, char c)
{
    return r->at < r->end && *r->at == (unsigned char)c;
}

/* Whether the next byte is this one, which is then passed. */
static bool skip(struct reader *r, char c)
{
    bool is = next_is(r, c);
    r->at += is;
    return is;
}

static char marker(struct reader *r)
{
    if (r->at < r->end)
        return (char)*r->at++;
    fail(r, "the file ends too early");
    return '\0';
}

/* Bytes of a number of this type; 0: it is no type of a number. */
static size_t width(char type)
{
    static const char types[] = "iUIldLD";
    static const unsigned char bytes[] = {1, 1, 2, 4, 4, 8, 8};
    const char *found = type == '\0' ? NULL : strchr(types, type);
    return found == NULL ? 0 : bytes[found - types];
}

/* Big-endian, `n` bytes of which are there. */
static uint64_t take(struct reader *r, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits = bits << 8 | *r->at++;
    return bits;
}

static json_t *real(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

/* A number whose bytes are there; NULL when memory ran out. */
static json_t *number(struct reader *r, char type)
{
    uint64_t bits = take(r, width(type));
    switch (type) {
    case 'd':
    case 'D':
        return real(gpai_bits_real(bits, width(type)));
    case 'i':
        return json_integer((int8_t)bits);
    case 'I':
        return json_integer((int16_t)bits);
    case 'l':
        return json_integer((int32_t)bits);
    default: /* U, L */
        return json_integer((json_int_t)bits);
    }
}

/* A count or a length: any type of whole number, not negative. 0 after a failure. */
static size_t length(struct reader *r)
{
    char type = marker(r);
    size_t bytes = width(type);
    if (bytes == 0 || type == 'd' || type == 'D')
        fail(r, "no length where one is expected");
    else if ((size_t)(r->end - r->at) < bytes)
        fail(r, "the file ends too early");
    if (r->st != GPA_OK)
        return 0;
    uint64_t bits = take(r, bytes);
    bool negative = type != 'U' && bits >> (8 * bytes - 1) & 1;
    if (negative || bits > (uint64_t)(r->end - r->at))
        fail(r, "a length beyond the end of the file");
    return r->st == GPA_OK ? (size_t)bits : 0;
}

/* Text whose bytes are in the file: UTF-8 without zeros. */
static const char *text(struct reader *r, size_t *n)
{
    *n = length(r);
    const char *bytes = (const char *)r->at;
    for (size_t i = 0, step; i < *n; i += step) {
        uint32_t code = 0;
        step = gpai_utf8(bytes + i, *n - i, &code);
        if (step == 0 || code == 0) {
            *n = 0;
            return fail(r, "a text that is not UTF-8");
        }
    }
    r->at += *n;
    return bytes;
}

static json_t *string(struct reader *r)
{
    size_t n;
    const char *bytes = text(r, &n);
    return r->st == GPA_OK ? json_stringn_nocheck(bytes, n) : NULL;
}

static void append(struct reader *r, json_t *array, json_t *item)
{
    if (item == NULL || json_array_append_new(array, item) != 0)
        no_memory(r);
}

/* `count` numbers of one type, without markers. */
static void numbers(struct reader *r, char type, size_t count, json_t *array)
{
    if (width(type) == 0)
        fail(r, "an array of a type that is not known");
    else if (count > (size_t)(r->end - r->at) / width(type))
        fail(r, "the file ends too early");
    for (size_t i = 0; r->st == GPA_OK && i < count; i++)
        append(r, array, number(r, type));
}

static void elements(struct reader *r, int depth, json_t *array)
{
    bool typed = skip(r, '$');
    char type = typed ? marker(r) : '\0';
    bool counted = skip(r, '#');
    size_t count = counted ? length(r) : 0;
    if (typed && !counted)
        fail(r, "an array without its length");
    if (type != '\0')
        numbers(r, type, count, array);
    else
        for (size_t i = 0; r->st == GPA_OK && (counted ? i < count : !skip(r, ']'));
             i++)
            append(r, array, value(r, depth));
}

static void member(struct reader *r, int depth, json_t *object)
{
    size_t n;
    const char *key = text(r, &n);
    json_t *item = value(r, depth);
    char *name = item != NULL ? gpai_strndup(key, n) : NULL;
    if (name != NULL && json_object_get(object, name) != NULL)
        fail(r, "the same key twice");
    else if (name == NULL || json_object_set_nocheck(object, name, item) != 0)
        no_memory(r);
    gpai_free(name);
    json_decref(item);
}

static json_t *container(struct reader *r, char type, int depth)
{
    json_t *into = type == '{' ? json_object() : json_array();
    if (depth >= DEPTH)
        fail(r, "nested too deep");
    else if (into != NULL && type == '[')
        elements(r, depth + 1, into);
    while (into != NULL && type == '{' && r->st == GPA_OK && !skip(r, '}'))
        member(r, depth + 1, into);
    return into;
}

/* NULL after a failure. */
static json_t *value(struct reader *r, int depth)
{
    char type = marker(r);
    json_t *out = NULL;
    if (r->st != GPA_OK)
        return NULL;
    if (type == '{' || type == '[')
        out = container(r, type, depth);
    else if (type == 'S')
        out = string(r);
    else if (width(type) > (size_t)(r->end - r->at))
        fail(r, "the file ends too early");
    else if (width(type) > 0)
        out = number(r, type);
    else if (type == 'T' || type == 'F')
        out = json_boolean(type == 'T');
    else if (type == 'Z')
        out = json_null();
    else
        fail(r, "a type that is not known");
    if (out == NULL)
        no_memory(r);
    if (r->st == GPA_OK)
        return out;
    json_decref(out);
    return NULL;
}

gpa_status gpai_ubj_parse(json_t **out, const char *bytes, size_t size,
                          const char *name, gpa_error *err)
{
    const unsigned char *start = (const unsigned char *)bytes;
    struct reader r = {start, start, start + size, name, GPA_OK, err};
    *out = NULL;
    if (size > 0 && !next_is(&r, '{')) {
        r.at++;
        fail(&r, "not an object of universal binary JSON");
    }
    json_t *root = value(&r, 0);
    if (r.st == GPA_OK && r.at != r.end)
        fail(&r, "more bytes than the model has");
    if (r.st == GPA_OK)
        *out = root;
    else
        json_decref(root);
    return r.st;
}
