#include "model/http/tensors.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/input.h"
#include "base/text/show.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the length before a text in a binary tensor. */
enum { TEXT_HEAD = 4 };

gpa_status gpai_tensors_new(gpai_tensors *t, size_t n, gpa_error *err)
{
    t->tensor = gpai_calloc(n, sizeof *t->tensor);
    if (t->tensor == NULL)
        return gpai_nomem(err, "tensors");
    t->n = n;
    t->one_row = false;
    return GPA_OK;
}

void gpai_tensors_free(gpai_tensors *t)
{
    for (size_t k = 0; k < t->n; k++)
        gpai_free(t->tensor[k].name);
    gpai_free(t->tensor);
    *t = (gpai_tensors){NULL, 0, false};
}

static gpa_status refuse(const char *who, const char *name, const char *what,
                         gpa_error *err)
{
    return gpai_fail(err, GPA_UNSUPPORTED, "%s: input '%s': %s", who,
                     gpai_show_text(name).text, what);
}

/* One row of the tensor: the dimensions after the first, which counts rows. */
static gpa_status take_shape(gpai_tensors *all, gpai_tensor *t, const long long *shape,
                             size_t rank, const char *who, gpa_error *err)
{
    if (rank > GPAI_RANK)
        return refuse(who, t->name, "too many dimensions", err);
    if (rank > 0 && shape[0] != -1 && shape[0] != 1)
        return refuse(who, t->name,
                      "its first dimension must be -1, for any number of rows", err);
    all->one_row = all->one_row || (rank > 0 && shape[0] == 1);
    t->width = 1;
    if (rank == 0) { /* the server does not say: a column, or all of them */
        t->width = t->dims[0] = all->n == 1 ? 0 : 1;
        t->rank = 1;
    }
    for (size_t i = 1; i < rank; i++) {
        if (shape[i] == -1 && rank == 2 && all->n == 1) {
            t->width = 0;
        } else if (shape[i] < 1 || shape[i] > GPAI_MAX_INPUTS ||
                   t->width * (size_t)shape[i] > GPAI_MAX_INPUTS) {
            return refuse(who, t->name, "a size that is open, 0 or too large", err);
        }
        t->dims[t->rank++] = t->width == 0 ? 0 : (size_t)shape[i];
        t->width *= t->width == 0 ? 0 : (size_t)shape[i];
    }
    return GPA_OK;
}

gpa_status gpai_tensors_describe(gpai_tensors *t, size_t k, const char *name,
                                 const char *type, const long long *shape, size_t rank,
                                 const char *who, gpa_error *err)
{
    gpai_tensor *to = &t->tensor[k];
    to->name = gpai_strdup(name);
    if (to->name == NULL)
        return gpai_nomem(err, "tensors");
    to->type = gpai_datatype_find(type, strlen(type));
    if (strcmp(type, "BYTES") == 0 || strcmp(type, "DT_STRING") == 0)
        to->texts = GPAI_TEXTS_ALL;
    else if (to->type == GPAI_NOT_A_TYPE)
        return gpai_fail(err, GPA_UNSUPPORTED,
                         "%s: input '%s': %s is no type of number or text", who,
                         gpai_show_text(name).text, gpai_show_text(type).text);
    return take_shape(t, to, shape, rank, who, err);
}

size_t gpai_tensors_width(const gpai_tensors *t)
{
    size_t d = 0;
    for (size_t k = 0; k < t->n; k++) {
        if (t->tensor[k].width == 0)
            return 0;
        d += t->tensor[k].width;
    }
    return d;
}

void gpai_tensors_widen(gpai_tensors *t, size_t d)
{
    for (size_t k = 0; k < t->n; k++) {
        if (t->tensor[k].width == 0) {
            t->tensor[k].width = d;
            t->tensor[k].dims[0] = d;
        }
    }
}

const char *gpai_tensor_type(const gpai_tensor *t)
{
    return t->texts == GPAI_TEXTS_ALL ? "BYTES" : gpai_datatype_name(t->type);
}

/* Whether a column of a tensor goes out as text. */
static bool is_text(const gpai_tensor *t, const gpai_rows *r, size_t column)
{
    return t->texts == GPAI_TEXTS_ALL ||
           (t->texts == GPAI_TEXTS_SOME && gpai_kinds_is_written(r->kinds, column));
}

static const char *text_of(const gpai_rows *r, size_t row, size_t column,
                           char room[GPAI_INPUT_ROOM])
{
    static const gpa_input NUMBER = {.writing = GPA_WRITING_NUMBER};
    const gpa_input *in = r->kinds->input != NULL ? &r->kinds->input[column] : &NUMBER;
    return gpai_input_text(in, r->x[row * r->d + column], room);
}

static gpa_status fail_value(const gpai_tensor *t, const gpai_rows *r, size_t row,
                             size_t column, size_t within, const char *why,
                             gpa_error *err)
{
    char number[GPAI_NUMBER_ROOM], place[32] = "";
    char *const *names = r->kinds->column;
    const char *name = names != NULL ? names[column] : t->name;
    gpai_number_text(r->x[row * r->d + column], number);
    if (t->width > 1 && names == NULL)
        snprintf(place, sizeof place, "[%zu]", within);
    return gpai_fail(err, GPA_MODEL, "%s: %s %zu: input '%s'%s (%s): %s %s", r->who,
                     gpai_asked_word(r->asked), gpai_asked_number(r->asked, row),
                     gpai_show_text(name).text, place, gpai_datatype_name(t->type),
                     number, why);
}

gpa_status gpai_tensors_check(const gpai_tensors *t, const gpai_rows *r, gpa_error *err)
{
    for (size_t k = 0, from = 0; k < t->n; from += t->tensor[k++].width) {
        const gpai_tensor *now = &t->tensor[k];
        if ((now->type == GPAI_FP64 && !r->json) || now->texts == GPAI_TEXTS_ALL)
            continue; /* takes everything */
        for (size_t i = 0; i < r->n; i++) {
            for (size_t j = 0; j < now->width; j++) {
                if (now->texts != GPAI_TEXTS_NONE && is_text(now, r, from + j))
                    continue;
                const char *why = gpai_datatype_refuses(
                    now->type, r->x[i * r->d + from + j], r->json);
                if (why != NULL)
                    return fail_value(now, r, i, from + j, j, why, err);
            }
        }
    }
    return GPA_OK;
}

static void add_number(gpai_datatype type, double value, gpai_bytes *out)
{
    char *to = gpai_bytes_room(out, GPAI_NUMBER_ROOM);
    if (to == NULL)
        return;
    gpai_datatype_text(type, value, to);
    out->size += strlen(to);
}

static void add_cell(const gpai_tensor *t, const gpai_rows *r, size_t row,
                     size_t column, gpai_bytes *out)
{
    char room[GPAI_INPUT_ROOM];
    double value = r->x[row * r->d + column];
    if (t->texts == GPAI_TEXTS_NONE || !is_text(t, r, column))
        add_number(t->type, value, out);
    else if (isnan(value) && r->frame)
        gpai_bytes_text(out, "null");
    else if (r->frame && gpai_kinds_is_truth(r->kinds, column))
        gpai_bytes_text(out, gpai_kinds_true(text_of(r, row, column, room)) ? "true"
                                                                            : "false");
    else
        gpai_bytes_quote(out, text_of(r, row, column, room));
}

void gpai_tensor_json(const gpai_tensor *t, const gpai_rows *r, size_t from,
                      gpai_bytes *out)
{
    for (size_t i = 0; i < r->n; i++) {
        for (size_t j = 0; j < t->width; j++) {
            if (i > 0 || j > 0)
                gpai_bytes_add(out, ",", 1);
            add_cell(t, r, i, from + j, out);
        }
    }
}

/* Whether a double in memory is what a binary tensor holds. */
static bool same_bytes(gpai_datatype type)
{
    const double probe = 1.5;
    char bytes[8];
    gpai_datatype_put(GPAI_FP64, probe, bytes);
    return type == GPAI_FP64 && memcmp(bytes, &probe, sizeof probe) == 0;
}

size_t gpai_tensor_raw_size(const gpai_tensor *t, const gpai_rows *r, size_t from)
{
    char room[GPAI_INPUT_ROOM];
    size_t size = 0;
    if (t->texts == GPAI_TEXTS_NONE)
        return r->n * t->width * gpai_datatype_size(t->type);
    for (size_t i = 0; i < r->n; i++)
        for (size_t j = 0; j < t->width; j++)
            size += TEXT_HEAD + strlen(text_of(r, i, from + j, room));
    return size;
}

/* Each text behind its length, as 32 bits. */
static void add_raw_texts(const gpai_tensor *t, const gpai_rows *r, size_t from,
                          gpai_bytes *out)
{
    char room[GPAI_INPUT_ROOM], head[TEXT_HEAD];
    for (size_t i = 0; i < r->n; i++) {
        for (size_t j = 0; j < t->width; j++) {
            const char *text = text_of(r, i, from + j, room);
            size_t length = strlen(text);
            gpai_datatype_put(GPAI_UINT32, (double)length, head);
            gpai_bytes_add(out, head, sizeof head);
            gpai_bytes_add(out, text, length);
        }
    }
}

void gpai_tensor_raw(const gpai_tensor *t, const gpai_rows *r, size_t from,
                     gpai_bytes *out)
{
    if (t->texts != GPAI_TEXTS_NONE) {
        add_raw_texts(t, r, from, out);
        return;
    }
    size_t size = gpai_datatype_size(t->type), row = t->width * size;
    char *to = gpai_bytes_room(out, r->n * row);
    bool plain = same_bytes(t->type);
    if (to == NULL)
        return;
    for (size_t i = 0; i < r->n; i++, to += row) {
        const double *x = r->x + i * r->d + from;
        if (plain)
            memcpy(to, x, row);
        for (size_t j = 0; !plain && j < t->width; j++)
            gpai_datatype_put(t->type, x[j], to + j * size);
    }
    out->size += r->n * row;
}

void gpai_tensor_nested(const gpai_tensor *t, const gpai_rows *r, size_t row,
                        size_t from, gpai_bytes *out)
{
    for (size_t j = 0; j < t->width; j++) {
        size_t span = t->width; /* numbers in each list of a dimension */
        if (j > 0)
            gpai_bytes_add(out, ",", 1);
        for (size_t i = 0; i < t->rank; span /= t->dims[i++])
            if (j % span == 0)
                gpai_bytes_add(out, "[", 1);
        add_cell(t, r, row, from + j, out);
        span = t->width;
        for (size_t i = 0; i < t->rank; span /= t->dims[i++])
            if ((j + 1) % span == 0)
                gpai_bytes_add(out, "]", 1);
    }
}
