#include "base/text/number.h"
#include "model/http/answer.h"
#include "model/http/tensors.h"
#include <stdint.h>
#include <stdio.h>

/* One of the reply's outputs, as far as it was described. */
struct output {
    bool wanted;
    gpai_json_scan data; /* stands before its value; at is NULL without */
    size_t rank, dims[GPAI_RANK];
    gpai_datatype type;
    bool binary;
    size_t size, from; /* of its bytes behind the JSON */
    size_t all;        /* bytes of all outputs */
};

/* Below 2^53, so that no sum or product of two overflows. */
static bool read_whole(const gpai_token *token, size_t *out)
{
    double value = 0;
    if (token->kind != 'n' || !gpai_token_number(token, &value) || value < 0 ||
        value > 9e15)
        return false;
    *out = (size_t)value;
    return (double)*out == value;
}

static gpa_status read_shape(gpai_reader *r, const gpai_token *first, struct output *o)
{
    if (first->kind != '[')
        return gpai_reader_fail(r, "shape: no list");
    for (o->rank = 0;; o->rank++) {
        gpai_token token;
        gpa_status st = gpai_reader_item(r, o->rank == 0, &token);
        if (st != GPA_OK || token.kind == ']')
            return st;
        if (o->rank == GPAI_RANK || !read_whole(&token, &o->dims[o->rank]))
            return gpai_reader_fail(
                r, "shape: a size that is no whole number, or too many of them");
    }
}

static gpa_status read_parameter(gpai_reader *r, const gpai_token *key,
                                 const gpai_token *value, void *output)
{
    struct output *o = output;
    if (!gpai_token_is(key, "binary_data_size"))
        return gpai_reader_skip(r, value);
    o->binary = true;
    return read_whole(value, &o->size)
               ? GPA_OK
               : gpai_reader_fail(r, "binary_data_size: no number of bytes");
}

/* One key of an output. */
static gpa_status read_part(gpai_reader *r, const gpai_token *key,
                            const gpai_token *value, void *output)
{
    struct output *o = output;
    if (gpai_token_is(key, "shape"))
        return read_shape(r, value, o);
    if (gpai_token_is(key, "parameters") && value->kind == '{')
        return gpai_reader_members(r, read_parameter, o);
    if (gpai_token_is(key, "data"))
        o->data = r->before;
    else if (gpai_token_is(key, "name"))
        o->wanted =
            r->answer->output == NULL || gpai_token_is(value, r->answer->output);
    else if (gpai_token_is(key, "datatype") && value->kind == 's')
        o->type = gpai_datatype_find(value->text, value->length);
    return gpai_reader_skip(r, value);
}

static gpa_status read_output(gpai_reader *r, const gpai_token *opening,
                              struct output *o)
{
    *o = (struct output){.wanted = r->answer->output == NULL, .type = GPAI_FP64};
    if (opening->kind != '{')
        return gpai_reader_fail(r, "outputs: expected a list of objects");
    return gpai_reader_members(r, read_part, o);
}

/* Finds the wanted one; the bytes of those before it come before its own. */
static gpa_status find_output(gpai_reader *r, const gpai_token *key,
                              const gpai_token *opening, void *output)
{
    struct output *out = output;
    size_t found = 0, from = 0;
    if (!gpai_token_is(key, "outputs"))
        return gpai_reader_skip(r, opening);
    if (opening->kind != '[')
        return gpai_reader_fail(r, "outputs: expected a list");
    for (bool first = true;; first = false) {
        gpai_token token;
        struct output o;
        gpa_status st = gpai_reader_item(r, first, &token);
        if (st == GPA_OK && token.kind == ']')
            break;
        if (st == GPA_OK)
            st = read_output(r, &token, &o);
        if (st != GPA_OK)
            return st;
        if (o.wanted && found++ == 0) {
            *out = o;
            out->from = from;
        }
        from = from < SIZE_MAX / 4 ? from + o.size : from;
    }
    out->all = from;
    if (found == 1)
        return GPA_OK;
    return found == 0 ? gpai_reader_fail(r, "outputs: not the one that was asked for")
                      : gpai_reader_fail(
                            r, "%zu outputs; say which with --model-config output=NAME",
                            found);
}

static gpa_status check_shape(gpai_reader *r, const struct output *o, size_t n)
{
    size_t each = 1;
    for (size_t i = 1; i < o->rank; i++)
        each = o->dims[i] == 1 ? each : 0;
    if (o->rank == 0 || (o->dims[0] == n && each == 1))
        return GPA_OK;
    char text[128] = "";
    for (size_t i = 0, used = 0; i < o->rank && used + 24 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu",
                                 i > 0 ? "," : "", o->dims[i]);
    return gpai_reader_fail(r, "shape [%s], expected [%zu] or [%zu,1]", text, n, n);
}

/* Numbers in row-major order, whatever the brackets around them. */
static gpa_status read_json(gpai_reader *r, const struct output *o, size_t n, double *y)
{
    size_t rows = 0;
    gpai_token token;
    r->scan = o->data;
    gpa_status st = gpai_reader_next(r, &token);
    if (st == GPA_OK && token.kind != '[')
        return gpai_reader_fail(r, "data: expected a list of %zu numbers", n);
    for (int depth = 1; st == GPA_OK && depth > 0;) {
        double value = 0;
        st = gpai_reader_next(r, &token);
        if (st != GPA_OK)
            return st;
        depth += token.kind == '[' ? 1 : token.kind == ']' ? -1 : 0;
        if (token.kind == '[' || token.kind == ']' || token.kind == ',')
            continue;
        if (!gpai_token_number(&token, &value))
            return gpai_reader_fail_row(r, rows, "expected a number, not ", &token);
        if (rows < n)
            y[rows] = value;
        rows++;
    }
    return rows == n || st != GPA_OK
               ? st
               : gpai_reader_fail(r, "%zu predictions, expected %zu", rows, n);
}

static gpa_status read_binary(gpai_reader *r, const struct output *o, size_t n,
                              double *y)
{
    const gpai_answer *a = r->answer;
    size_t each = o->type == GPAI_NOT_A_TYPE ? 0 : gpai_datatype_size(o->type);
    if (each == 0)
        return gpai_reader_fail(r, "a binary output of a type that is not known");
    if (a->head == 0 || o->from > a->size - a->head ||
        o->size > a->size - a->head - o->from)
        return gpai_reader_fail(r, "the binary output ends too early");
    if (o->size % each != 0 || o->size / each != n)
        return gpai_reader_fail(r, "%zu bytes of %s, expected %zu of them", o->size,
                                gpai_datatype_name(o->type), n);
    for (size_t i = 0; i < n; i++)
        y[i] = gpai_datatype_get(o->type, a->bytes + a->head + o->from + i * each);
    return GPA_OK;
}

static gpa_status read_data(gpai_reader *r, const struct output *o, size_t n, double *y)
{
    const gpai_answer *a = r->answer;
    gpa_status st = check_shape(r, o, n);
    if (st != GPA_OK)
        return st;
    if (a->head > 0 && a->size - a->head > o->all)
        return gpai_reader_fail(r, "%zu bytes behind the JSON, expected %zu",
                                a->size - a->head, o->all);
    if (o->binary)
        return read_binary(r, o, n, y);
    return o->data.at != NULL ? read_json(r, o, n, y)
                              : gpai_reader_fail(r, "outputs: an output without data");
}

gpa_status gpai_outputs_read(const gpai_answer *a, size_t n, double *y, gpa_error *err)
{
    gpai_reader r;
    struct output o = {.wanted = false};
    gpai_reader_start(&r, a, err);
    if (a->head > a->size)
        return gpai_reader_fail(&r, "ends before its JSON does");
    gpa_status st = gpai_reader_whole(&r, "outputs", find_output, &o);
    if (st != GPA_OK)
        return st;
    return o.wanted ? read_data(&r, &o, n, y) : gpai_reader_lacks(&r, "outputs");
}
