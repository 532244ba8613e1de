#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
#include "base/text/utf8.h"
#include "data/bits.h"
#include "data/json.h"
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
    gpai_maker maker;
    gpa_status st;
    gpa_error *err;
};

static void value(struct reader *r, int depth, gpai_value *to);

static void fail(struct reader *r, const char *what)
{
    if (r->st == GPA_OK)
        r->st = gpai_bad_file(r->err, r->name, "byte %zu: %s",
                              (size_t)(r->at - r->start), what);
    r->end = r->at;
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

static void put_real(double v, gpai_value *to)
{
    if (isfinite(v))
        gpai_make_real(to, v);
    else
        gpai_make_null(to);
}

/* A number whose bytes are there. */
static void number(struct reader *r, char type, gpai_value *to)
{
    uint64_t bits = take(r, width(type));
    switch (type) {
    case 'd':
    case 'D':
        put_real(gpai_bits_real(bits, width(type)), to);
        break;
    case 'i':
        gpai_make_whole(&r->maker, to, (int8_t)bits);
        break;
    case 'I':
        gpai_make_whole(&r->maker, to, (int16_t)bits);
        break;
    case 'l':
        gpai_make_whole(&r->maker, to, (int32_t)bits);
        break;
    default: /* U, L */
        gpai_make_whole(&r->maker, to, (int64_t)bits);
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
static void text(struct reader *r, gpai_value *to)
{
    size_t n = length(r);
    const char *bytes = (const char *)r->at;
    for (size_t i = 0, step; i < n; i += step) {
        uint32_t code = 0;
        step = gpai_utf8(bytes + i, n - i, &code);
        if (step == 0 || code == 0) {
            fail(r, "a text that is not UTF-8");
            n = 0;
            break;
        }
    }
    r->at += n;
    char *room = gpai_make_text(&r->maker, to, n);
    if (room != NULL) {
        memcpy(room, bytes, n);
        gpai_make_text_end(&r->maker, n);
    }
}

/* `count` numbers of one type, without markers. */
static void numbers(struct reader *r, char type, size_t count, gpai_made *list)
{
    if (width(type) == 0)
        fail(r, "an array of a type that is not known");
    else if (count > (size_t)(r->end - r->at) / width(type))
        fail(r, "the file ends too early");
    for (size_t i = 0; r->st == GPA_OK && i < count; i++)
        number(r, type, gpai_make_item(&r->maker, list));
}

static void elements(struct reader *r, int depth, gpai_made *list)
{
    bool typed = skip(r, '$');
    char type = typed ? marker(r) : '\0';
    bool counted = skip(r, '#');
    size_t count = counted ? length(r) : 0;
    if (typed && !counted)
        fail(r, "an array without its length");
    if (type != '\0')
        numbers(r, type, count, list);
    else
        for (size_t i = 0; r->st == GPA_OK && (counted ? i < count : !skip(r, ']'));
             i++)
            value(r, depth, gpai_make_item(&r->maker, list));
}

static void member(struct reader *r, int depth, gpai_made *object)
{
    gpai_value *key = gpai_make_item(&r->maker, object);
    text(r, key);
    if (r->st == GPA_OK)
        value(r, depth, gpai_make_item(&r->maker, object));
    if (r->st == GPA_OK && gpai_make_twice(object, key))
        fail(r, "the same key twice");
}

static void container(struct reader *r, char type, int depth, gpai_value *to)
{
    gpai_made into;
    if (depth >= DEPTH) {
        fail(r, "nested too deep");
        return;
    }
    if (!gpai_make_open(&r->maker, to, type == '{', &into))
        r->st = gpai_nomem(r->err, "ubj");
    else if (type == '[')
        elements(r, depth + 1, &into);
    while (type == '{' && r->st == GPA_OK && !skip(r, '}'))
        member(r, depth + 1, &into);
    gpai_make_close(&into);
}

static void value(struct reader *r, int depth, gpai_value *to)
{
    char type = marker(r);
    if (r->st != GPA_OK)
        return;
    if (type == '{' || type == '[')
        container(r, type, depth, to);
    else if (type == 'S')
        text(r, to);
    else if (width(type) > (size_t)(r->end - r->at))
        fail(r, "the file ends too early");
    else if (width(type) > 0)
        number(r, type, to);
    else if (type == 'T' || type == 'F')
        gpai_make_truth(to, type == 'T');
    else if (type == 'Z')
        gpai_make_null(to);
    else
        fail(r, "a type that is not known");
}

/* The whole file, once to measure it (`to` NULL) and once to make it. */
static void pass(struct reader *r, size_t size, gpai_value *to)
{
    r->at = r->start;
    r->end = r->start + size;
    if (size > 0 && !next_is(r, '{')) {
        r->at++;
        fail(r, "not an object of universal binary JSON");
    }
    value(r, 0, to);
    if (r->st == GPA_OK && r->at != r->end)
        fail(r, "more bytes than the model has");
}

gpa_status gpai_ubj_parse(gpai_value **out, const char *bytes, size_t size,
                          const char *name, gpa_error *err)
{
    struct reader r = {.start = (const unsigned char *)bytes, .name = name, .err = err};
    pass(&r, size, NULL);
    if (r.st == GPA_OK)
        r.st = gpai_make_check(gpai_make_block(&r.maker, size), name, err);
    if (r.st == GPA_OK)
        pass(&r, size, r.maker.block);
    *out = gpai_make_end(&r.maker, r.st == GPA_OK);
    return r.st;
}
