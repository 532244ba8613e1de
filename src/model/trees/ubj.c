#include "model/trees/ubj.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/utf8.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* XGBoost nests less than ten deep. */
enum { DEPTH = 32 };

struct reader {
    const unsigned char *start, *at, *end;
    const char *name;
    gpa_error *err;
};

static gpa_status value(struct reader *r, char type, int depth, json_t **out);

static gpa_status fail(const struct reader *r, const char *what)
{
    return gpai_bad_file(r->err, r->name, "byte %zu: %s", (size_t)(r->at - r->start),
                         what);
}

static bool next_is(const struct reader *r, char c)
{
    return r->at < r->end && *r->at == (unsigned char)c;
}

static gpa_status marker(struct reader *r, char *type)
{
    if (r->at == r->end)
        return fail(r, "the file ends too early");
    *type = (char)*r->at++;
    return GPA_OK;
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
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case 'd':
        memcpy(&f, &low, sizeof f);
        return real((double)f);
    case 'D':
        memcpy(&d, &bits, sizeof d);
        return real(d);
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

/* A count or a length: any type of whole number, not negative. */
static gpa_status length(struct reader *r, size_t *n)
{
    char type = 0;
    gpa_status st = marker(r, &type);
    if (st != GPA_OK)
        return st;
    if (width(type) == 0 || type == 'd' || type == 'D')
        return fail(r, "no length where one is expected");
    if ((size_t)(r->end - r->at) < width(type))
        return fail(r, "the file ends too early");
    size_t bytes = width(type);
    uint64_t bits = take(r, bytes);
    bool negative = type != 'U' && bits >> (8 * bytes - 1) & 1;
    if (negative || bits > (uint64_t)(r->end - r->at))
        return fail(r, "a length beyond the end of the file");
    *n = (size_t)bits;
    return GPA_OK;
}

/* Text whose bytes are in the file: UTF-8 without zeros. */
static gpa_status text(struct reader *r, const char **out, size_t *n)
{
    gpa_status st = length(r, n);
    if (st != GPA_OK)
        return st;
    *out = (const char *)r->at;
    for (size_t i = 0, step; i < *n; i += step) {
        uint32_t code = 0;
        step = gpai_utf8(*out + i, *n - i, &code);
        if (step == 0 || code == 0)
            return fail(r, "a text that is not UTF-8");
    }
    r->at += *n;
    return GPA_OK;
}

static gpa_status string(struct reader *r, json_t **out)
{
    const char *bytes = NULL;
    size_t n = 0;
    gpa_status st = text(r, &bytes, &n);
    if (st != GPA_OK)
        return st;
    *out = json_stringn_nocheck(bytes, n);
    return *out == NULL ? gpai_nomem(r->err, "ubj") : GPA_OK;
}

static gpa_status append(struct reader *r, json_t *array, json_t *item)
{
    if (item == NULL || json_array_append_new(array, item) != 0)
        return gpai_nomem(r->err, "ubj");
    return GPA_OK;
}

/* `count` numbers of one type, without markers. */
static gpa_status numbers(struct reader *r, char type, size_t count, json_t *array)
{
    gpa_status st = GPA_OK;
    if (width(type) == 0)
        return fail(r, "an array of a type that is not known");
    if (count > (size_t)(r->end - r->at) / width(type))
        return fail(r, "the file ends too early");
    for (size_t i = 0; st == GPA_OK && i < count; i++)
        st = append(r, array, number(r, type));
    return st;
}

static gpa_status element(struct reader *r, int depth, json_t *array)
{
    char type = 0;
    json_t *item = NULL;
    gpa_status st = marker(r, &type);
    if (st == GPA_OK)
        st = value(r, type, depth, &item);
    return st == GPA_OK ? append(r, array, item) : st;
}

static gpa_status elements(struct reader *r, int depth, json_t *array)
{
    bool counted = next_is(r, '$') || next_is(r, '#');
    char type = 0;
    size_t count = 0;
    gpa_status st = GPA_OK;
    if (next_is(r, '$')) {
        r->at++;
        st = marker(r, &type);
    }
    if (st == GPA_OK && counted) {
        if (!next_is(r, '#'))
            return fail(r, "an array without its length");
        r->at++;
        st = length(r, &count);
    }
    if (st == GPA_OK && type != 0)
        return numbers(r, type, count, array);
    for (size_t i = 0; st == GPA_OK && (counted ? i < count : !next_is(r, ']')); i++)
        st = element(r, depth, array);
    if (st == GPA_OK && !counted)
        r->at++;
    return st;
}

static gpa_status member(struct reader *r, int depth, json_t *object)
{
    const char *key = NULL;
    size_t n = 0;
    char type = 0, *name = NULL;
    json_t *item = NULL;
    gpa_status st = text(r, &key, &n);
    if (st == GPA_OK)
        st = marker(r, &type);
    if (st == GPA_OK)
        st = value(r, type, depth, &item);
    if (st != GPA_OK)
        return st;
    name = gpai_strndup(key, n);
    if (name != NULL && json_object_get(object, name) != NULL)
        st = fail(r, "the same key twice");
    else if (name == NULL || json_object_set_nocheck(object, name, item) != 0)
        st = gpai_nomem(r->err, "ubj");
    gpai_free(name);
    json_decref(item);
    return st;
}

static gpa_status members(struct reader *r, int depth, json_t *object)
{
    gpa_status st = GPA_OK;
    while (st == GPA_OK && !next_is(r, '}'))
        st = member(r, depth, object);
    r->at += st == GPA_OK;
    return st;
}

static gpa_status container(struct reader *r, char type, int depth, json_t **out)
{
    json_t *into = type == '{' ? json_object() : json_array();
    if (into == NULL)
        return gpai_nomem(r->err, "ubj");
    gpa_status st = depth >= DEPTH ? fail(r, "nested too deep")
                    : type == '{'  ? members(r, depth + 1, into)
                                   : elements(r, depth + 1, into);
    if (st == GPA_OK)
        *out = into;
    else
        json_decref(into);
    return st;
}

static gpa_status value(struct reader *r, char type, int depth, json_t **out)
{
    if (type == '{' || type == '[')
        return container(r, type, depth, out);
    if (type == 'S')
        return string(r, out);
    if (width(type) > (size_t)(r->end - r->at))
        return fail(r, "the file ends too early");
    if (width(type) > 0)
        *out = number(r, type);
    else if (type == 'T' || type == 'F')
        *out = json_boolean(type == 'T');
    else if (type == 'Z')
        *out = json_null();
    else
        return fail(r, "a type that is not known");
    return *out == NULL ? gpai_nomem(r->err, "ubj") : GPA_OK;
}

gpa_status gpai_ubj_parse(json_t **out, const char *bytes, size_t size,
                          const char *name, gpa_error *err)
{
    const unsigned char *start = (const unsigned char *)bytes;
    struct reader r = {start, start, start + size, name, err};
    json_t *root = NULL;
    char type = 0;
    *out = NULL;
    gpa_status st = marker(&r, &type);
    if (st == GPA_OK && type != '{')
        st = fail(&r, "not an object of universal binary JSON");
    if (st == GPA_OK)
        st = value(&r, type, 0, &root);
    if (st == GPA_OK && r.at != r.end)
        st = fail(&r, "more bytes than the model has");
    if (st == GPA_OK)
        *out = root;
    else
        json_decref(root);
    return st;
}
