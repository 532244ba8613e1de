#include "data/parquet/footer.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/parquet/thrift.h"

enum { REQUIRED, OPTIONAL, REPEATED };

/* The older names of what values mean; -1: none. */
enum converted {
    UTF8 = 0,
    ENUM = 4,
    DECIMAL = 5,
    DATE = 6,
    TIME_MILLIS = 7,
    TIME_MICROS = 8,
    STAMP_MILLIS = 9,
    STAMP_MICROS = 10,
    UINT_8 = 11,
    UINT_64 = 14,
    JSON = 19,
    BSON = 20,
    INTERVAL = 21
};

/* The newer ones: which of a union is there; 0: none. */
enum logical {
    L_STRING = 1,
    L_ENUM = 4,
    L_DECIMAL = 5,
    L_DATE = 6,
    L_TIME = 7,
    L_STAMP = 8,
    L_INTEGER = 10,
    L_JSON = 12,
    L_BSON = 13,
    L_UUID = 14,
    L_FLOAT16 = 15,
    L_GEOMETRY = 17,
    L_GEOGRAPHY = 18
};

/* A node of the schema as it is written. */
struct node {
    const char *name;
    size_t name_length;
    int64_t type, length, repetition, children, converted, scale;
    int logical;
    bool is_signed, utc;
    int64_t units;
};

/* TIME and TIMESTAMP: whether in UTC, and a union of units. */
static void read_clock(gpai_thrift *r, struct node *n)
{
    static const int64_t PER_SECOND[] = {0, 1000, 1000000, 1000000000};
    gpai_thrift_field f = {0, 0}, unit = {0, 0};
    while (gpai_thrift_next(r, &f)) {
        if (f.id == 1)
            n->utc = gpai_thrift_whole(r, &f) != 0;
        else if (f.id == 2 && gpai_thrift_struct(r, &f))
            for (unit = (gpai_thrift_field){0, 0}; gpai_thrift_next(r, &unit);) {
                n->units = unit.id >= 1 && unit.id <= 3 ? PER_SECOND[unit.id] : 0;
                gpai_thrift_skip(r, &unit);
            }
        else
            gpai_thrift_skip(r, &f);
    }
}

/* DECIMAL and INTEGER: numbers of which one counts. */
static void read_number(gpai_thrift *r, struct node *n)
{
    gpai_thrift_field f = {0, 0};
    while (gpai_thrift_next(r, &f)) {
        if (n->logical == L_DECIMAL && f.id == 1)
            n->scale = gpai_thrift_whole(r, &f);
        else if (n->logical == L_INTEGER && f.id == 2)
            n->is_signed = gpai_thrift_whole(r, &f) != 0;
        else
            gpai_thrift_skip(r, &f);
    }
}

static void read_logical(gpai_thrift *r, struct node *n)
{
    gpai_thrift_field f = {0, 0};
    while (gpai_thrift_next(r, &f)) {
        n->logical = f.id;
        if ((f.id == L_TIME || f.id == L_STAMP) && gpai_thrift_struct(r, &f))
            read_clock(r, n);
        else if ((f.id == L_DECIMAL || f.id == L_INTEGER) && gpai_thrift_struct(r, &f))
            read_number(r, n);
        else
            gpai_thrift_skip(r, &f);
    }
}

static void read_node(gpai_thrift *r, struct node *n)
{
    gpai_thrift_field f = {0, 0};
    *n = (struct node){.type = -1, .converted = -1, .is_signed = true};
    while (gpai_thrift_next(r, &f)) {
        if (f.id == 4)
            n->name = gpai_thrift_text(r, &f, &n->name_length);
        else if (f.id == 1)
            n->type = gpai_thrift_whole(r, &f);
        else if (f.id == 2)
            n->length = gpai_thrift_whole(r, &f);
        else if (f.id == 3)
            n->repetition = gpai_thrift_whole(r, &f);
        else if (f.id == 5)
            n->children = gpai_thrift_whole(r, &f);
        else if (f.id == 6)
            n->converted = gpai_thrift_whole(r, &f);
        else if (f.id == 7)
            n->scale = gpai_thrift_whole(r, &f);
        else if (f.id == 10 && gpai_thrift_struct(r, &f))
            read_logical(r, n);
        else
            gpai_thrift_skip(r, &f);
    }
    if (n->name == NULL || n->children < 0)
        r->bad = true;
}

/* Units of a clock by the older names, which are always in UTC. */
static void take_units(gpai_parquet_column *c, const struct node *n)
{
    c->units = n->units;
    c->utc = n->utc;
    if (n->logical != 0)
        return;
    c->units =
        n->converted == TIME_MILLIS || n->converted == STAMP_MILLIS ? 1000 : 1000000;
    c->utc = true;
}

static bool is(const struct node *n, int logical, int converted)
{
    return n->logical != 0 ? n->logical == logical : n->converted == converted;
}

static bool is_whole(int type)
{
    return type == PARQUET_INT32 || type == PARQUET_INT64;
}

static enum gpai_parquet_meaning refuse(gpai_parquet_column *c, const char *why)
{
    c->why = why;
    return MEANS_NOTHING_READ;
}

static enum gpai_parquet_meaning meaning_of_bytes(gpai_parquet_column *c,
                                                  const struct node *n)
{
    if (is(n, L_BSON, BSON))
        return refuse(c, "BSON");
    if (n->logical >= L_GEOMETRY && n->logical <= L_GEOGRAPHY)
        return refuse(c, "shapes (GEOMETRY)");
    if (c->type == PARQUET_BYTES) /* older writers do not say that it is text */
        return MEANS_TEXT;
    if (is(n, L_UUID, -2) && c->length == 16)
        return MEANS_UUID;
    if (is(n, L_FLOAT16, -2) && c->length == 2)
        return MEANS_HALF;
    return refuse(c, is(n, -2, INTERVAL) ? "intervals of time"
                                         : "bytes of a fixed length");
}

static enum gpai_parquet_meaning meaning_of_numbers(gpai_parquet_column *c,
                                                    const struct node *n)
{
    bool is_time = n->logical != 0
                       ? n->logical == L_TIME
                       : n->converted == TIME_MILLIS || n->converted == TIME_MICROS;
    bool is_stamp = n->logical != 0
                        ? n->logical == L_STAMP
                        : n->converted == STAMP_MILLIS || n->converted == STAMP_MICROS;
    if (c->type == PARQUET_INT96)
        return MEANS_STAMP;
    if (is_whole(c->type) && (is_time || is_stamp)) {
        take_units(c, n);
        if (c->units == 0)
            return refuse(c, "times in unknown units");
        return is_time ? MEANS_TIME : MEANS_STAMP;
    }
    if (c->type == PARQUET_INT32 && is(n, L_DATE, DATE))
        return MEANS_DATE;
    if (is_whole(c->type) &&
        (n->logical == L_INTEGER
             ? !n->is_signed
             : n->logical == 0 && n->converted >= UINT_8 && n->converted <= UINT_64))
        return MEANS_UNSIGNED;
    return MEANS_NUMBER;
}

static enum gpai_parquet_meaning meaning_of(gpai_parquet_column *c,
                                            const struct node *n)
{
    enum { MOST_SCALE = 1000 };
    if (n->children > 0 || n->type < 0)
        return refuse(c, "nested");
    if (n->repetition == REPEATED)
        return refuse(c, "a list (repeated)");
    if (n->repetition != REQUIRED && n->repetition != OPTIONAL)
        return refuse(c, "of unknown repetition");
    if (n->type > PARQUET_FIXED)
        return refuse(c, "of an unknown type");
    if (c->type == PARQUET_FIXED && (n->length <= 0 || n->length > 1 << 20))
        return refuse(c, "bytes of no length");
    if (is(n, L_DECIMAL, DECIMAL) && c->type != PARQUET_BOOLEAN &&
        c->type != PARQUET_INT96 && c->type != PARQUET_FLOAT &&
        c->type != PARQUET_DOUBLE) {
        c->scale = (int)n->scale;
        return n->scale < 0 || n->scale > MOST_SCALE ||
                       (c->type == PARQUET_FIXED && c->length > 16)
                   ? refuse(c, "decimals of more than 38 digits")
                   : MEANS_DECIMAL;
    }
    return c->type == PARQUET_BYTES || c->type == PARQUET_FIXED
               ? meaning_of_bytes(c, n)
               : meaning_of_numbers(c, n);
}

/* Passes over what is below a group; counts the leaves. */
static void pass_group(gpai_thrift *r, int64_t children, size_t *left, size_t *leaves)
{
    struct node n;
    for (uint64_t open = (uint64_t)children; open > 0 && !r->bad; open--) {
        if (*left == 0) {
            r->bad = true;
            return;
        }
        read_node(r, &n);
        --*left;
        if (n.children > INT32_MAX)
            r->bad = true;
        else if (n.children > 0)
            open += (uint64_t)n.children;
        else
            ++*leaves;
    }
}

/* The schema: a root, and its columns in order. */
static gpa_status read_schema(gpai_parquet_footer *t, gpai_thrift *r, size_t nodes,
                              gpa_error *err)
{
    struct node n;
    read_node(r, &n);
    size_t left = nodes > 0 ? nodes - 1 : 0;
    if (nodes == 0 || (uint64_t)n.children > left || t->column != NULL)
        r->bad = true;
    if (r->bad)
        return GPA_OK;
    t->column = gpai_calloc((size_t)n.children + 1, sizeof *t->column);
    if (t->column == NULL)
        return gpai_nomem(err, "parquet");
    for (size_t i = (size_t)n.children; i > 0 && left > 0 && !r->bad; i--) {
        gpai_parquet_column *c = &t->column[t->n_columns];
        read_node(r, &n);
        left--;
        if (r->bad)
            break;
        *c = (gpai_parquet_column){
            .name = n.name,
            .name_length = n.name_length,
            .leaf = t->n_leaves,
            .type = n.type <= PARQUET_FIXED ? (int)n.type : -1,
            .length = n.length > 0 && n.length <= 1 << 20 ? (int)n.length : 0,
            .optional = n.repetition == OPTIONAL};
        c->meaning = meaning_of(c, &n);
        t->n_columns++;
        if (n.children > 0)
            pass_group(r, n.children, &left, &t->n_leaves);
        else
            t->n_leaves++;
    }
    if (left > 0)
        r->bad = true;
    return GPA_OK;
}

static uint64_t position(gpai_thrift *r, const gpai_thrift_field *f)
{
    int64_t at = gpai_thrift_whole(r, f);
    if (at < 0)
        r->bad = true;
    return at < 0 ? 0 : (uint64_t)at;
}

static void read_chunk_meta(gpai_thrift *r, gpai_parquet_chunk *c)
{
    gpai_thrift_field f = {0, 0};
    uint64_t data = 0, dictionary = 0;
    while (gpai_thrift_next(r, &f)) {
        if (f.id == 1)
            c->type = (int)gpai_thrift_whole(r, &f);
        else if (f.id == 4)
            c->codec = (int)gpai_thrift_whole(r, &f);
        else if (f.id == 5)
            c->values = gpai_thrift_whole(r, &f);
        else if (f.id == 7)
            c->size = position(r, &f);
        else if (f.id == 9)
            data = position(r, &f);
        else if (f.id == 11)
            dictionary = position(r, &f);
        else
            gpai_thrift_skip(r, &f);
    }
    c->start = dictionary > 0 && dictionary < data ? dictionary : data;
}

static void read_chunk(gpai_thrift *r, gpai_parquet_chunk *c)
{
    gpai_thrift_field f = {0, 0};
    *c = (gpai_parquet_chunk){.type = -1};
    while (gpai_thrift_next(r, &f)) {
        if (f.id == 3 && gpai_thrift_struct(r, &f)) {
            read_chunk_meta(r, c);
            continue;
        }
        c->elsewhere = c->elsewhere || f.id == 1;
        c->encrypted = c->encrypted || f.id == 8 || f.id == 9;
        gpai_thrift_skip(r, &f);
    }
}

static void read_group(gpai_parquet_footer *t, gpai_thrift *r, size_t g)
{
    gpai_thrift_field f = {0, 0};
    bool have = false;
    while (gpai_thrift_next(r, &f)) {
        if (f.id == 1 && !have) {
            size_t n = gpai_thrift_structs(r, &f);
            if (n != t->n_leaves)
                r->bad = true;
            for (size_t i = 0; i < n && !r->bad; i++)
                read_chunk(r, &t->chunk[g * t->n_leaves + i]);
            have = true;
        } else if (f.id == 3) {
            uint64_t rows = position(r, &f);
            t->rows[g] = (size_t)rows;
            if (rows > SIZE_MAX / 16 - t->n_rows)
                r->bad = true;
            else
                t->n_rows += (size_t)rows;
        } else {
            gpai_thrift_skip(r, &f);
        }
    }
    r->bad = r->bad || !have;
}

static gpa_status read_groups(gpai_parquet_footer *t, gpai_thrift *r,
                              const gpai_thrift_field *f, gpa_error *err)
{
    size_t n = gpai_thrift_structs(r, f);
    /* a chunk has a byte at least, so that no footer asks for much more than its size
     */
    if (t->chunk != NULL || t->n_leaves == 0 ||
        n > (size_t)(r->end - r->at) / t->n_leaves) {
        r->bad = true;
        return GPA_OK;
    }
    t->chunk = gpai_calloc(n * t->n_leaves + 1, sizeof *t->chunk);
    t->rows = gpai_calloc(n + 1, sizeof *t->rows);
    if (t->chunk == NULL || t->rows == NULL)
        return gpai_nomem(err, "parquet");
    for (size_t g = 0; g < n && !r->bad; g++)
        read_group(t, r, g);
    t->n_groups = n;
    return GPA_OK;
}

gpa_status gpai_parquet_footer_open(gpai_parquet_footer *t, const char *bytes,
                                    size_t size, const char *source, gpa_error *err)
{
    const unsigned char *at = (const unsigned char *)bytes;
    gpai_thrift r = {at, at + size, false};
    gpai_thrift_field f = {0, 0};
    gpa_status st = GPA_OK;
    int64_t rows = -1;
    *t = (gpai_parquet_footer){.n_rows = 0};
    while (st == GPA_OK && gpai_thrift_next(&r, &f)) {
        if (f.id == 2)
            st = read_schema(t, &r, gpai_thrift_structs(&r, &f), err);
        else if (f.id == 3)
            rows = gpai_thrift_whole(&r, &f);
        else if (f.id == 4) /* behind the schema, whose leaves it follows */
            st = read_groups(t, &r, &f, err);
        else
            gpai_thrift_skip(&r, &f);
    }
    if (st == GPA_OK && (r.bad || t->chunk == NULL))
        st = gpai_fail(err, GPA_DATA, "%s: the footer of the Parquet file is spoilt",
                       source);
    if (st == GPA_OK && (rows < 0 || (uint64_t)rows != t->n_rows))
        st = gpai_fail(err, GPA_DATA,
                       "%s: the Parquet file says it has %lld rows, but its row groups "
                       "have %zu",
                       source, (long long)rows, t->n_rows);
    return st;
}

void gpai_parquet_footer_close(gpai_parquet_footer *t)
{
    gpai_free(t->column);
    gpai_free(t->chunk);
    gpai_free(t->rows);
    *t = (gpai_parquet_footer){.n_rows = 0};
}
