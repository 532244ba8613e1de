#include "base/status.h"
#include "base/text/words.h"
#include "data/bits.h"
#include "data/formats.h"
#include <math.h>
#include <string.h>

/* What the header says, and where the numbers are. */
struct array {
    const char *data;
    size_t data_size;
    char type; /* 'f', 'i', 'u' or 'b', of `width` bytes */
    size_t width;
    bool big_endian;
    bool fortran;
    size_t axes, shape[2];
};

/* A cursor over the header, which is a Python dictionary written out. */
struct text {
    const char *at, *end;
};

static gpa_status fail(const gpa_table *t, const char *what, gpa_error *err)
{
    return gpai_fail(err, GPA_DATA, "%s: %s", t->source.text, what);
}

static void skip_blanks(struct text *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n'))
        s->at++;
}

/* Steps over one character when it is the next. */
static bool take(struct text *s, char c)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

/* A string in single or double quotes. */
static bool take_string(struct text *s, struct text *out)
{
    skip_blanks(s);
    if (s->at == s->end || (*s->at != '\'' && *s->at != '"'))
        return false;
    const char *close = memchr(s->at + 1, *s->at, (size_t)(s->end - s->at - 1));
    if (close == NULL)
        return false;
    *out = (struct text){s->at + 1, close};
    s->at = close + 1;
    return true;
}

static bool is(struct text s, const char *word)
{
    return gpai_word_is(s.at, (size_t)(s.end - s.at), word);
}

static bool take_bool(struct text *s, bool *out)
{
    skip_blanks(s);
    for (int value = 0; value < 2; value++) {
        const char *word = value ? "True" : "False";
        size_t length = strlen(word);
        if ((size_t)(s->end - s->at) >= length && memcmp(s->at, word, length) == 0) {
            s->at += length;
            *out = value;
            return true;
        }
    }
    return false;
}

static bool take_size(struct text *s, size_t *out)
{
    skip_blanks(s);
    const char *start = s->at;
    *out = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
        size_t digit = (size_t)(*s->at - '0');
        if (*out > (SIZE_MAX - digit) / 10)
            return false;
        *out = 10 * *out + digit;
    }
    return s->at > start;
}

/* "(3, 2)", "(3,)" or "()"; axes beyond the second are only counted. */
static bool take_shape(struct text *s, struct array *a)
{
    if (!take(s, '('))
        return false;
    for (a->axes = 0; !take(s, ')');) {
        size_t n = 0;
        if (!take_size(s, &n))
            return false;
        if (a->axes < 2)
            a->shape[a->axes] = n;
        a->axes++;
        if (!take(s, ','))
            return take(s, ')');
    }
    return true;
}

/* The entries of the dictionary, in any order. A dtype of several fields is a list: it
 * is given as it stands, and nothing after it is looked at. */
static bool read_entries(struct text s, struct array *a, struct text *type)
{
    bool have_type = false, have_order = false, have_shape = false;
    struct text key;
    if (!take(&s, '{'))
        return false;
    while (!take(&s, '}')) {
        if (!take_string(&s, &key) || !take(&s, ':'))
            return false;
        if (is(key, "descr") && take(&s, '[')) {
            *type = (struct text){s.at - 1, s.end};
            return true;
        }
        if (is(key, "descr") && !have_type) /* a second one is refused, too */
            have_type = take_string(&s, type);
        else if (is(key, "fortran_order") && !have_order)
            have_order = take_bool(&s, &a->fortran);
        else if (is(key, "shape") && !have_shape)
            have_shape = take_shape(&s, a);
        else
            return false;
        if (!take(&s, ','))
            return take(&s, '}') && have_type && have_order && have_shape;
    }
    return have_type && have_order && have_shape;
}

/* "<f8" and its like. */
static bool read_type(struct text s, struct array *a)
{
    static const char *const known[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                        "i8", "u1", "u2", "u4", "u8", "b1"};
    char order = '=';
    if (s.at < s.end && memchr("<>=|", *s.at, 4) != NULL)
        order = *s.at++;
    a->big_endian = order == '>' || (order == '=' && !gpai_is_little_endian());
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!is(s, known[i]))
            continue;
        a->type = known[i][0];
        a->width = (size_t)(known[i][1] - '0');
        return order != '|' || a->width == 1;
    }
    return false;
}

static gpa_status read_header(struct array *a, const gpa_table *t, const char *bytes,
                              size_t size, gpa_error *err)
{
    const unsigned char *u = (const unsigned char *)bytes;
    struct text type = {bytes, bytes};
    size_t at = GPAI_NPY_MAGIC_LENGTH + 2;
    if (size < at + 4 || memcmp(bytes, GPAI_NPY_MAGIC, GPAI_NPY_MAGIC_LENGTH) != 0)
        return fail(t, "not a NumPy array file", err);
    if (u[6] < 1 || u[6] > 3 || u[7] != 0)
        return gpai_fail(err, GPA_DATA, "%s: NumPy format version %d.%d is not known",
                         t->source.text, u[6], u[7]);
    size_t prefix = u[6] == 1 ? 2 : 4,
           length = (size_t)gpai_little_endian(u + at, prefix);
    at += prefix;
    if (length > size - at)
        return fail(t, "the file ends inside its header", err);
    if (!read_entries((struct text){bytes + at, bytes + at + length}, a, &type))
        return fail(t, "the header is not that of a NumPy array", err);
    if (!read_type(type, a))
        return gpai_fail(
            err, GPA_DATA, "%s: arrays of dtype %s are not read (save them as float64)",
            t->source.text, gpai_show(type.at, (size_t)(type.end - type.at)).text);
    a->data = bytes + at + length;
    a->data_size = size - at - length;
    return GPA_OK;
}

/* One or two axes with something in them, and all the bytes they need. */
static gpa_status check_shape(struct array *a, const gpa_table *t, gpa_error *err)
{
    if (a->axes != 1 && a->axes != 2)
        return gpai_fail(err, GPA_DATA, "%s: an array of %zu axes, expected 1 or 2",
                         t->source.text, a->axes);
    if (a->axes == 1)
        a->shape[1] = 1;
    if (a->shape[0] == 0 || a->shape[1] == 0)
        return gpai_fail(err, GPA_DATA,
                         "%s: empty, an array of %zu rows by %zu columns",
                         t->source.text, a->shape[0], a->shape[1]);
    if (a->shape[1] > a->data_size / a->width / a->shape[0])
        return fail(t, "the file ends inside its data", err);
    if (a->shape[0] * a->shape[1] * a->width != a->data_size)
        return fail(t, "there are bytes after the data", err);
    return GPA_OK;
}

static double element(const struct array *a, size_t row, size_t column)
{
    size_t index = a->fortran ? column * a->shape[0] + row : row * a->shape[1] + column;
    const unsigned char *p = (const unsigned char *)a->data + index * a->width;
    uint64_t bits = 0;
    for (size_t i = 0; i < a->width; i++)
        bits = bits << 8 | p[a->big_endian ? i : a->width - 1 - i];
    uint64_t sign = UINT64_C(1) << (8 * a->width - 1);
    if (a->type == 'f')
        return gpai_bits_real(bits, a->width);
    if (a->type == 'b')
        return bits != 0;
    if (a->type == 'i' && (bits & sign) != 0) /* two's complement of any width */
        return -(double)((sign << 1) - bits);
    return (double)bits;
}

typedef void (*put_fn)(gpa_table *t, size_t row, size_t column, double value);

static void put_all(gpa_table *t, const struct array *a, put_fn put)
{
    for (size_t row = 0; row < a->shape[0]; row++)
        for (size_t k = 0; k < a->shape[1]; k++)
            put(t, row, k, element(a, row, k));
}

gpa_status gpai_npy_parse(gpa_table *t, const char *bytes, size_t size,
                          const gpa_table_options *opt, gpa_error *err)
{
    struct array a = {.axes = 0};
    bool want_text = false;
    gpa_status st = read_header(&a, t, bytes, size, err);
    if (st == GPA_OK)
        st = check_shape(&a, t, err);
    if (st == GPA_OK)
        st = gpai_table_add_numbered(t, a.shape[1], err);
    if (st == GPA_OK)
        st = gpai_table_reserve(t, a.shape[0], false, opt->text_column, err);
    if (st != GPA_OK)
        return st;
    put_all(t, &a, gpai_table_put_real);
    st = gpai_table_settle(t, a.shape[0], &want_text, err);
    if (st == GPA_OK && want_text)
        put_all(t, &a, gpai_table_put_real_text);
    return st;
}
