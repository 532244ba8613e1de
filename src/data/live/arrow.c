#include <gpa/arrow.h>

#include "base/status.h"
#include "base/text/show.h"
#include "data/bits.h"
#include "data/build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the values of a column are. */
enum kind {
    NOTHING, /* nulls only */
    TRUTH,
    SIGNED,
    UNSIGNED,
    REAL,
    TEXT, /* offsets of 4 or 8 bytes, or views */
    DECIMAL,
    DAY,
    STAMP,
    SPAN, /* a time of the day or a duration, in seconds */
    REFUSED
};

struct type {
    enum kind kind;
    size_t width;   /* of a value; of an offset, 0: views */
    int64_t units;  /* in a second */
    int64_t divide; /* dates in milliseconds: those of a day */
    int scale;
    bool utc;
};

struct reader {
    gpai_build b;
    struct ArrowArrayStream *stream;
    gpa_error *err;
};

static int64_t units_of(char letter)
{
    return letter == 's'   ? 1
           : letter == 'm' ? 1000
           : letter == 'u' ? 1000000
           : letter == 'n' ? 1000000000
                           : 0;
}

/* Dates and times: t, then which of them, then units. */
static struct type clock_type(const char *f)
{
    struct type t = {.kind = REFUSED, .width = 8, .divide = 1};
    if (strcmp(f, "tdD") == 0)
        return (struct type){.kind = DAY, .width = 4, .divide = 1};
    if (strcmp(f, "tdm") == 0)
        return (struct type){.kind = DAY, .width = 8, .divide = 86400000};
    if (f[1] != '\0' && f[2] != '\0')
        t.units = units_of(f[2]);
    if (t.units == 0)
        return t;
    if (f[1] == 's' && f[3] == ':') {
        t.kind = STAMP;
        t.utc = f[4] != '\0';
    } else if (f[1] == 't' || f[1] == 'D') {
        t.kind = SPAN;
        t.width = f[1] == 't' && t.units <= 1000 ? 4 : 8;
    }
    return t;
}

/* Decimals: d:digits,scale[,bits]. */
static struct type decimal_type(const char *f)
{
    char *end = NULL;
    struct type t = {.kind = DECIMAL, .width = 16};
    (void)strtol(f + 2, &end, 10);
    if (f[1] != ':' || *end != ',')
        return (struct type){.kind = REFUSED};
    long scale = strtol(end + 1, &end, 10), bits = 128;
    if (*end == ',')
        bits = strtol(end + 1, &end, 10);
    t.scale = (int)scale;
    t.width = (size_t)bits / 8;
    if (*end != '\0' || scale < 0 || scale > 1000 ||
        (bits != 32 && bits != 64 && bits != 128))
        t.kind = REFUSED;
    return t;
}

static struct type type_of(const char *f)
{
    static const struct {
        const char *format;
        struct type type;
    } KNOWN[] = {{"n", {.kind = NOTHING}},
                 {"b", {.kind = TRUTH, .width = 1}},
                 {"c", {.kind = SIGNED, .width = 1}},
                 {"C", {.kind = UNSIGNED, .width = 1}},
                 {"s", {.kind = SIGNED, .width = 2}},
                 {"S", {.kind = UNSIGNED, .width = 2}},
                 {"i", {.kind = SIGNED, .width = 4}},
                 {"I", {.kind = UNSIGNED, .width = 4}},
                 {"l", {.kind = SIGNED, .width = 8}},
                 {"L", {.kind = UNSIGNED, .width = 8}},
                 {"e", {.kind = REAL, .width = 2}},
                 {"f", {.kind = REAL, .width = 4}},
                 {"g", {.kind = REAL, .width = 8}},
                 {"u", {.kind = TEXT, .width = 4}},
                 {"z", {.kind = TEXT, .width = 4}},
                 {"U", {.kind = TEXT, .width = 8}},
                 {"Z", {.kind = TEXT, .width = 8}},
                 {"vu", {.kind = TEXT, .width = 0}},
                 {"vz", {.kind = TEXT, .width = 0}}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (strcmp(f, KNOWN[i].format) == 0)
            return KNOWN[i].type;
    return f[0] == 't'   ? clock_type(f)
           : f[0] == 'd' ? decimal_type(f)
                         : (struct type){.kind = REFUSED};
}

/* A value of this machine as it lies in memory. */
static uint64_t bits_at(const void *values, size_t i, size_t width)
{
    const unsigned char *at = (const unsigned char *)values + i * width;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (width) {
    case 1:
        return *at;
    case 2:
        memcpy(&two, at, 2);
        return two;
    case 4:
        memcpy(&four, at, 4);
        return four;
    default:
        memcpy(&eight, at, 8);
        return eight;
    }
}

static int64_t signed_at(const void *values, size_t i, size_t width)
{
    uint64_t bits = bits_at(values, i, width);
    return width == 1   ? (int8_t)(uint8_t)bits
           : width == 2 ? (int16_t)(uint16_t)bits
           : width == 4 ? (int32_t)(uint32_t)bits
                        : (int64_t)bits;
}

static bool bit_at(const void *bits, size_t i)
{
    return (((const unsigned char *)bits)[i / 8] >> (i % 8) & 1) != 0;
}

/* Whether a value is there; without a bitmap all are. */
static bool is_there(const struct ArrowArray *a, size_t i)
{
    return a->null_count == 0 || a->n_buffers < 1 || a->buffers[0] == NULL ||
           bit_at(a->buffers[0], i);
}

/* A text: between two offsets; or a view, 16 bytes that hold it or say where it is. */
static gpa_status put_text(struct reader *r, size_t k, const struct ArrowArray *a,
                           size_t i, const struct type *t)
{
    const char *from;
    size_t length;
    if (t->width > 0) {
        int64_t start = signed_at(a->buffers[1], i, t->width);
        length = (size_t)(signed_at(a->buffers[1], i + 1, t->width) - start);
        from = (const char *)a->buffers[2] + start;
    } else {
        const char *view = (const char *)a->buffers[1] + 16 * i;
        int32_t size, buffer, offset;
        memcpy(&size, view, 4);
        memcpy(&buffer, view + 8, 4);
        memcpy(&offset, view + 12, 4);
        length = (size_t)size;
        from = size <= 12 ? view + 4 : (const char *)a->buffers[2 + buffer] + offset;
    }
    return gpai_build_text(&r->b, k, length > 0 ? from : "", length);
}

static gpa_status put_decimal(struct reader *r, size_t k, const struct ArrowArray *a,
                              size_t i, const struct type *t)
{
    const unsigned char *at = (const unsigned char *)a->buffers[1] + i * t->width;
    unsigned char turned[16];
    for (size_t j = 0; j < t->width; j++)
        turned[j] = at[gpai_is_little_endian() ? t->width - 1 - j : j];
    return gpai_build_decimal(&r->b, k, turned, t->width, t->scale);
}

/* Days, rounded down. */
static int64_t days_of(int64_t value, int64_t divide)
{
    return value / divide - (value % divide < 0);
}

static gpa_status put(struct reader *r, size_t k, const struct ArrowArray *a, size_t i,
                      const struct type *t)
{
    gpai_build *b = &r->b;
    const void *v = t->kind != NOTHING ? a->buffers[1] : NULL;
    switch (t->kind) {
    case TRUTH:
        return gpai_build_truth(b, k, bit_at(v, i));
    case SIGNED:
        return gpai_build_whole(b, k, signed_at(v, i, t->width));
    case UNSIGNED:
        return gpai_build_unsigned(b, k, bits_at(v, i, t->width));
    case REAL:
        return gpai_build_real(b, k, gpai_bits_real(bits_at(v, i, t->width), t->width));
    case TEXT:
        return put_text(r, k, a, i, t);
    case DECIMAL:
        return put_decimal(r, k, a, i, t);
    case DAY:
        return gpai_build_day(b, k, days_of(signed_at(v, i, t->width), t->divide));
    case STAMP:
        return gpai_build_stamp(b, k, signed_at(v, i, 8), t->units, t->utc);
    case SPAN:
        return gpai_build_real(b, k,
                               (double)signed_at(v, i, t->width) / (double)t->units);
    case NOTHING:
    case REFUSED:
    default:
        return gpai_build_missing(b, k);
    }
}

/* Doubles at once, where they are only that. */
static gpa_status put_doubles(struct reader *r, size_t k, const struct ArrowArray *a,
                              size_t n)
{
    size_t from = (size_t)a->offset;
    double *to = gpai_build_room(&r->b, k, n);
    if (to == NULL)
        return r->b.err->status;
    memcpy(to, (const double *)a->buffers[1] + from, n * sizeof *to);
    for (size_t i = 0; a->null_count != 0 && i < n; i++)
        if (!is_there(a, from + i))
            to[i] = (double)NAN;
    return gpai_build_filled(&r->b, k, n);
}

static gpa_status take_column(struct reader *r, size_t k, const struct ArrowSchema *s,
                              const struct ArrowArray *a, size_t n)
{
    struct type t = type_of(s->format), words = {.kind = NOTHING};
    gpa_status st = GPA_OK;
    if (s->dictionary != NULL)
        words = type_of(s->dictionary->format);
    else if (t.kind == REAL && t.width == 8 && gpai_build_is_plain(&r->b, k) && n > 0)
        return put_doubles(r, k, a, n);
    for (size_t row = 0; row < n && st == GPA_OK; row++) {
        size_t i = (size_t)a->offset + row;
        const struct ArrowArray *d = s->dictionary != NULL ? a->dictionary : NULL;
        bool there = t.kind != NOTHING && is_there(a, i);
        if (there && d != NULL) {
            i = (size_t)bits_at(a->buffers[1], i, t.width) + (size_t)d->offset;
            there = is_there(d, i);
        }
        st = !there ? gpai_build_missing(&r->b, k)
                    : put(r, k, d != NULL ? d : a, i, d != NULL ? &words : &t);
    }
    return st;
}

/* Names and types of the columns. */
static gpa_status add_columns(gpa_table *t, const struct ArrowSchema *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (s->format == NULL || strcmp(s->format, "+s") != 0 || s->n_children < 1)
        return gpai_fail(err, GPA_DATA, "%s: no stream of record batches",
                         t->source.text);
    for (int64_t k = 0; k < s->n_children && st == GPA_OK; k++) {
        const struct ArrowSchema *c = s->children[k];
        const char *name = c->name != NULL ? c->name : "";
        size_t there = 0;
        enum kind kind = type_of(c->format).kind;
        if (c->dictionary != NULL && (kind == SIGNED || kind == UNSIGNED))
            kind = type_of(c->dictionary->format).kind;
        if (kind == REFUSED)
            return gpai_fail(
                err, GPA_DATA,
                "%s: column \"%s\" is of Arrow's type %s, which is not read: leave it "
                "out",
                t->source.text, gpai_show_text(name).text,
                gpai_show_text(c->dictionary != NULL ? c->dictionary->format
                                                     : c->format)
                    .text);
        if (gpai_table_lookup(t, name, strlen(name), &there))
            return gpai_fail(
                err, GPA_DATA, "%s: columns %zu and %zu are both named \"%s\"",
                t->source.text, there + 1, t->n_columns + 1, gpai_show_text(name).text);
        st = gpai_table_add(t, name, strlen(name), err);
    }
    return st;
}

static gpa_status fail_stream(struct reader *r, const gpa_table *t)
{
    const char *why = r->stream->get_last_error(r->stream);
    char line[300] = "it does not say why";
    if (why != NULL)
        gpai_show_line(line, sizeof line, why, strlen(why));
    return gpai_fail(r->err, GPA_DATA, "%s: the Arrow stream failed: %s",
                     t->source.text, line);
}

static gpa_status take_batches(struct reader *r, gpa_table *t,
                               const struct ArrowSchema *s)
{
    gpa_status st = GPA_OK;
    size_t rows = 0;
    while (st == GPA_OK) {
        struct ArrowArray a = {.length = 0};
        if (r->stream->get_next(r->stream, &a) != 0)
            return fail_stream(r, t);
        if (a.release == NULL) /* the end */
            break;
        if (a.n_children != s->n_children || a.offset != 0)
            st = gpai_fail(r->err, GPA_DATA, "%s: a record batch of another shape",
                           t->source.text);
        for (size_t k = 0; k < t->n_columns && st == GPA_OK; k++) {
            if (a.children[k]->length < a.length)
                st = gpai_fail(r->err, GPA_DATA, "%s: a record batch of another shape",
                               t->source.text);
            else
                st = take_column(r, k, s->children[k], a.children[k], (size_t)a.length);
        }
        rows += (size_t)a.length;
        a.release(&a);
    }
    if (st == GPA_OK && rows == 0)
        st = gpai_fail(r->err, GPA_DATA, "%s: no rows", t->source.text);
    return st == GPA_OK ? gpai_build_end(&r->b, rows) : st;
}

gpa_status gpa_table_from_arrow_stream(gpa_table **out, struct ArrowArrayStream *stream,
                                       const char *name, const gpa_table_options *opt,
                                       gpa_error *err)
{
    gpa_table_options own;
    struct ArrowSchema schema = {.format = NULL};
    struct reader r = {.stream = stream, .err = err};
    gpa_table *t = NULL;
    if (out == NULL || stream == NULL || stream->release == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no stream, or nowhere to put it");
    *out = NULL;
    gpa_status st = gpai_table_settle_options(&own, opt, err);
    if (st == GPA_OK)
        st = gpai_table_new(&t, name != NULL ? name : "table", err);
    if (st == GPA_OK && stream->get_schema(stream, &schema) != 0)
        st = fail_stream(&r, t);
    if (st == GPA_OK)
        st = add_columns(t, &schema, err);
    if (st == GPA_OK)
        st = gpai_build_open(&r.b, t, own.text_column, own.max_bytes, err);
    if (st == GPA_OK)
        st = take_batches(&r, t, &schema);
    gpai_build_close(&r.b);
    if (schema.release != NULL)
        schema.release(&schema);
    stream->release(stream);
    if (st == GPA_OK)
        *out = t;
    else
        gpa_table_free(t);
    return st;
}
