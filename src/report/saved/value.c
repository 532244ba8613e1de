#include "report/saved/value.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/show.h"
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

static const json_t *member(gpai_reader *r, const json_t *o, const char *key,
                            bool optional)
{
    const json_t *value = json_object_get(o, key);
    if (r->status != GPA_OK)
        return NULL;
    if (value != NULL && !json_is_null(value))
        return value;
    if (!optional)
        gpai_read_fail(r, key, value == NULL ? "missing" : "null");
    return NULL;
}

/* The same, of a type; `fault` says what another is. */
static const json_t *typed(gpai_reader *r, const json_t *o, const char *key,
                           bool optional, json_type type, const char *fault)
{
    const json_t *value = member(r, o, key, optional);
    if (value != NULL && json_typeof(value) != type)
        gpai_read_fail(r, key, "%s", fault);
    return r->status == GPA_OK ? value : NULL;
}

const json_t *gpai_read_object(gpai_reader *r, const json_t *o, const char *key,
                               bool optional)
{
    return typed(r, o, key, optional, JSON_OBJECT, "not an object");
}

const json_t *gpai_read_list(gpai_reader *r, const json_t *o, const char *key,
                             bool optional)
{
    return typed(r, o, key, optional, JSON_ARRAY, "not a list");
}

const char *gpai_read_text(gpai_reader *r, const json_t *o, const char *key,
                           bool optional)
{
    return json_string_value(typed(r, o, key, optional, JSON_STRING, "not a text"));
}

const char *gpai_read_text_at(gpai_reader *r, const json_t *list, const char *key,
                              size_t i)
{
    const char *text = json_string_value(json_array_get(list, i));
    if (text == NULL)
        gpai_read_fail(r, key, "entry %zu is not a text", i + 1);
    return text;
}

bool gpai_read_bool(gpai_reader *r, const json_t *o, const char *key)
{
    const json_t *value = member(r, o, key, false);
    if (value != NULL && !json_is_boolean(value))
        gpai_read_fail(r, key, "neither true nor false");
    return r->status == GPA_OK && json_is_true(value);
}

static uint64_t whole(gpai_reader *r, const json_t *value, const char *key)
{
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0)
        gpai_read_fail(r, key, "not a whole number");
    return r->status == GPA_OK ? (uint64_t)n : 0;
}

uint64_t gpai_read_count(gpai_reader *r, const json_t *o, const char *key)
{
    const json_t *value = member(r, o, key, false);
    return value != NULL ? whole(r, value, key) : 0;
}

double gpai_read_number(gpai_reader *r, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);
    if (r->status != GPA_OK || json_is_null(value))
        return (double)NAN;
    if (value == NULL)
        gpai_read_fail(r, key, "missing");
    else if (!json_is_number(value))
        gpai_read_fail(r, key, "not a number");
    return r->status == GPA_OK ? json_number_value(value) : (double)NAN;
}

double gpai_read_share(gpai_reader *r, const json_t *o, const char *key)
{
    double p = gpai_read_number(r, o, key);
    if (r->status == GPA_OK && !(p >= 0 && p <= 1 + 1e-9))
        gpai_read_fail(r, key, "not a probability");
    return p;
}

static bool sized(gpai_reader *r, const json_t *list, const char *key, size_t n)
{
    if (r->status != GPA_OK)
        return false;
    if (!json_is_array(list))
        gpai_read_fail(r, key, "not a list of numbers");
    else if (json_array_size(list) != n)
        gpai_read_fail(r, key, "%zu entries, expected %zu", json_array_size(list), n);
    return r->status == GPA_OK;
}

void gpai_read_numbers(gpai_reader *r, const json_t *list, const char *key, size_t n,
                       gpai_holes holes, double *out)
{
    if (!sized(r, list, key, n))
        return;
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);
        bool hole = json_is_null(item) && holes == GPAI_HOLES;
        if (!json_is_number(item) && !hole) {
            gpai_read_fail(r, key, "entry %zu is not a number", i + 1);
            return;
        }
        out[i] = hole ? (double)NAN : json_number_value(item);
    }
}

void gpai_read_number_list(gpai_reader *r, const json_t *o, const char *key, size_t n,
                           gpai_holes holes, double *out)
{
    gpai_read_numbers(r, gpai_read_list(r, o, key, false), key, n, holes, out);
}

void gpai_read_counts(gpai_reader *r, const json_t *list, const char *key, size_t n,
                      size_t *out)
{
    if (!sized(r, list, key, n))
        return;
    for (size_t i = 0; i < n && r->status == GPA_OK; i++)
        out[i] = (size_t)whole(r, json_array_get(list, i), key);
}

int gpai_read_name(gpai_reader *r, const char *key, const char *text,
                   const char *(*name_of)(int))
{
    if (r->status != GPA_OK || text == NULL)
        return -1;
    for (int i = 0; name_of(i) != NULL; i++)
        if (strcmp(name_of(i), text) == 0)
            return i;
    gpai_read_fail(r, key, "'%s' is not known", gpai_show_text(text).text);
    return -1;
}
