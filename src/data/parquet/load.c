#include "data/parquet/load.h"
#include "base/alloc.h"
#include "base/status.h"
#include "data/bits.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char SPOILT[] = "a page of values is spoilt";

/* Whether values are numbers as they stand, so that many can be taken at once. */
static bool is_number(const gpai_parquet_column *c)
{
    return c->meaning == MEANS_NUMBER &&
           (c->type == PARQUET_DOUBLE || c->type == PARQUET_FLOAT ||
            c->type == PARQUET_INT32 || c->type == PARQUET_INT64);
}

static bool has_slices(const gpai_parquet_column *c)
{
    return c->type == PARQUET_BYTES || c->type == PARQUET_FIXED;
}

/* A whole number with its sign. */
static int64_t whole(const unsigned char *at, size_t size)
{
    uint64_t bits = gpai_little_endian(at, size);
    return size == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

static void to_reals(int type, const unsigned char *from, size_t n, double *to)
{
    switch (type) {
    case PARQUET_DOUBLE:
        if (gpai_is_little_endian()) {
            memcpy(to, from, 8 * n);
            break;
        }
        for (size_t i = 0; i < n; i++)
            to[i] = gpai_bits_real(gpai_little_endian(from + 8 * i, 8), 8);
        break;
    case PARQUET_FLOAT:
        for (size_t i = 0; i < n; i++)
            to[i] = gpai_bits_real(gpai_little_endian(from + 4 * i, 4), 4);
        break;
    case PARQUET_INT32:
        for (size_t i = 0; i < n; i++)
            to[i] = (double)whole(from + 4 * i, 4);
        break;
    default:
        for (size_t i = 0; i < n; i++)
            to[i] = (double)whole(from + 8 * i, 8);
    }
}

/* Nanoseconds of a day, then the Julian day: as nanoseconds where those fit, which are
 * some centuries, or as seconds. */
static gpa_status put_int96(gpai_parquet_load *l, const unsigned char *at)
{
    static const int64_t EPOCH = 2440588, SECOND = 1000000000, DAY = 86400,
                         FAR = 100000;
    int64_t nanos = (int64_t)gpai_little_endian(at, 8);
    int64_t days = (int32_t)(uint32_t)gpai_little_endian(at + 8, 4) - EPOCH;
    if (nanos < 0 || nanos > SECOND * DAY)
        return gpai_fail(
            l->b->err, GPA_DATA, "%s: column \"%s\": a time beyond its day",
            l->b->t->source.text, gpai_show_text(l->b->t->column[l->k].name).text);
    if (days > -FAR && days < FAR)
        return gpai_build_stamp(l->b, l->k, days * SECOND * DAY + nanos, SECOND, false);
    return gpai_build_stamp(l->b, l->k, days * DAY + nanos / SECOND, 1, false);
}

static gpa_status put_decimal(gpai_parquet_load *l, gpai_slice s)
{
    unsigned char turned[8];
    int scale = l->column->scale;
    if (!has_slices(l->column)) {
        for (size_t i = 0; i < s.size; i++)
            turned[i] = s.at[s.size - 1 - i];
        return gpai_build_decimal(l->b, l->k, turned, s.size, scale);
    }
    while (s.size > 1 && (s.at[0] == 0 || s.at[0] == 255) &&
           (s.at[0] ^ s.at[1]) < 128) { /* a byte that only repeats the sign */
        s.at++;
        s.size--;
    }
    if (s.size == 0 || s.size > 16)
        return gpai_fail(
            l->b->err, GPA_DATA, "%s: column \"%s\": a decimal of more than 38 digits",
            l->b->t->source.text, gpai_show_text(l->b->t->column[l->k].name).text);
    return gpai_build_decimal(l->b, l->k, s.at, s.size, scale);
}

static gpa_status put_uuid(gpai_parquet_load *l, const unsigned char *at)
{
    char text[40] = "";
    for (size_t i = 0, n = 0; i < 16; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%02x",
                              i >= 4 && i <= 10 && i % 2 == 0 ? "-" : "", at[i]);
    return gpai_build_text(l->b, l->k, text, strlen(text));
}

static gpa_status put_number(gpai_parquet_load *l, gpai_slice s)
{
    const gpai_parquet_column *c = l->column;
    if (c->type == PARQUET_BOOLEAN)
        return gpai_build_truth(l->b, l->k, s.at[0] != 0);
    if (c->type == PARQUET_FLOAT || c->type == PARQUET_DOUBLE)
        return gpai_build_real(
            l->b, l->k, gpai_bits_real(gpai_little_endian(s.at, s.size), s.size));
    return gpai_build_whole(l->b, l->k, whole(s.at, s.size));
}

/* One value, whatever it means. */
static gpa_status put(gpai_parquet_load *l, gpai_slice s)
{
    const gpai_parquet_column *c = l->column;
    switch (c->meaning) {
    case MEANS_UNSIGNED:
        return gpai_build_unsigned(l->b, l->k, gpai_little_endian(s.at, s.size));
    case MEANS_DECIMAL:
        return put_decimal(l, s);
    case MEANS_HALF:
        return gpai_build_real(l->b, l->k, gpai_half(gpai_little_endian(s.at, 2)));
    case MEANS_TEXT:
        return gpai_build_text(l->b, l->k, (const char *)s.at, s.size);
    case MEANS_DATE:
        return gpai_build_day(l->b, l->k, whole(s.at, s.size));
    case MEANS_TIME:
        return gpai_build_real(l->b, l->k,
                               (double)whole(s.at, s.size) / (double)c->units);
    case MEANS_STAMP:
        return c->type == PARQUET_INT96
                   ? put_int96(l, s.at)
                   : gpai_build_stamp(l->b, l->k, whole(s.at, s.size), c->units,
                                      c->utc);
    case MEANS_UUID:
        return put_uuid(l, s.at);
    case MEANS_NUMBER:
    case MEANS_NOTHING_READ:
    default:
        return put_number(l, s);
    }
}

/* Keeps the dictionary's words where they are; as reals where they are numbers. */
static gpa_status take_dictionary(gpai_parquet_load *l, gpai_parquet_pages *pages,
                                  const gpai_parquet_page *page)
{
    const char *wrong = gpai_values_open(l->v, l->column, page);
    bool no_memory = false;
    size_t least = l->v->width > 0 ? l->v->width : 4; /* bytes of a word */
    if (wrong != NULL || l->v->encoding != PARQUET_PLAIN ||
        l->column->type == PARQUET_BOOLEAN || page->values > page->size / least)
        return gpai_parquet_fail(pages, wrong != NULL ? wrong : SPOILT);
    l->words = (size_t)page->values;
    l->raw = page->data;
    if (has_slices(l->column)) {
        if (!gpai_grow(&l->slice, &l->slice_room, l->words + 1, sizeof *l->slice))
            return gpai_nomem(pages->err, "parquet");
        for (size_t i = 0; i < l->words; i++)
            if (!gpai_values_slice(l->v, &l->slice[i], &no_memory))
                return gpai_parquet_fail(pages, SPOILT);
    } else if (is_number(l->column)) {
        if (!gpai_grow(&l->real, &l->real_room, l->words + 1, sizeof *l->real))
            return gpai_nomem(pages->err, "parquet");
        to_reals(l->column->type, l->raw, l->words, l->real);
    }
    return GPA_OK;
}

static bool codes_of(gpai_parquet_load *l, uint32_t *code, size_t n)
{
    uint32_t most = 0;
    if (!gpai_values_codes(l->v, code, n))
        return false;
    for (size_t i = 0; i < n; i++)
        most = code[i] > most ? code[i] : most;
    return n == 0 || most < l->words;
}

/* A piece of numbers: `there` of n rows have one. */
static gpa_status take_numbers(gpai_parquet_load *l, gpai_parquet_pages *pages,
                               const uint32_t *level, size_t n, size_t there)
{
    uint32_t code[GPAI_PARQUET_PIECE];
    double *to = gpai_build_room(l->b, l->k, n);
    if (to == NULL)
        return l->b->err->status;
    if (l->v->encoding == PARQUET_DICTIONARY) {
        if (!codes_of(l, code, there))
            return gpai_parquet_fail(pages, SPOILT);
        for (size_t i = 0; i < there; i++)
            to[i] = l->real[code[i]];
    } else {
        const unsigned char *raw = gpai_values_raw(l->v, there);
        if (raw == NULL)
            return gpai_parquet_fail(pages, SPOILT);
        to_reals(l->column->type, raw, there, to);
    }
    for (size_t i = n, j = there; i-- > 0 && j < i + 1;) /* apart, from the last */
        to[i] = level[i] != 0 ? to[--j] : (double)NAN;
    return gpai_build_filled(l->b, l->k, n);
}

/* A piece of anything, value by value. */
static gpa_status take_values(gpai_parquet_load *l, gpai_parquet_pages *pages,
                              const uint32_t *level, size_t n, size_t there)
{
    uint32_t code[GPAI_PARQUET_PIECE];
    bool coded = l->v->encoding == PARQUET_DICTIONARY, no_memory = false;
    bool slices = has_slices(l->column);
    size_t width = l->v->width, next = 0;
    const unsigned char *raw = coded    ? l->raw
                               : slices ? NULL
                                        : gpai_values_raw(l->v, there);
    gpa_status st = GPA_OK;
    if (coded ? !codes_of(l, code, there) : !slices && raw == NULL)
        return gpai_parquet_fail(pages, SPOILT);
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        gpai_slice s = {NULL, width};
        if (level[i] == 0) {
            st = gpai_build_missing(l->b, l->k);
            continue;
        }
        size_t at = coded ? code[next] : next;
        next++;
        if (!slices)
            s.at = raw + at * width;
        else if (coded)
            s = l->slice[at];
        else if (!gpai_values_slice(l->v, &s, &no_memory))
            return no_memory ? gpai_nomem(pages->err, "parquet")
                             : gpai_parquet_fail(pages, SPOILT);
        st = put(l, s);
    }
    return st;
}

/* Which values are there: of an optional column, one bit each. In version 1 they stand
 * before the data, with their length unless they are packed the old way. */
static bool open_levels(gpai_runs *r, gpai_parquet_page *page, bool *old)
{
    size_t before = 4;
    *old = false;
    if (page->levels != NULL) {
        *r = gpai_runs_open(page->levels, page->levels_size, 1);
        return true;
    }
    uint64_t size = 0;
    *old = page->level_encoding == PARQUET_BIT_PACKED;
    if (*old) {
        before = 0;
        size = page->values / 8 + (page->values % 8 > 0);
    } else if (page->level_encoding != PARQUET_RLE || page->size < 4) {
        return false;
    } else {
        size = gpai_little_endian(page->data, 4);
    }
    if (size > page->size - before)
        return false;
    *r = gpai_runs_open(page->data + before, (size_t)size, 1);
    page->data += before + size;
    page->size -= before + (size_t)size;
    return true;
}

static gpa_status take_page(gpai_parquet_load *l, gpai_parquet_pages *pages,
                            gpai_parquet_page *page)
{
    uint32_t level[GPAI_PARQUET_PIECE];
    gpai_runs levels;
    bool old = false, optional = l->column->optional;
    gpa_status st = GPA_OK;
    if (optional && !open_levels(&levels, page, &old))
        return gpai_parquet_fail(pages, SPOILT);
    const char *wrong = gpai_values_open(l->v, l->column, page);
    if (wrong == NULL && l->v->encoding == PARQUET_DICTIONARY && l->raw == NULL)
        wrong = "a page needs a dictionary, and there is none";
    if (wrong != NULL)
        return gpai_parquet_fail(pages, wrong);
    for (size_t i = 0; i < GPAI_PARQUET_PIECE; i++)
        level[i] = 1;
    for (uint64_t left = page->values; left > 0 && st == GPA_OK;) {
        size_t n = left < GPAI_PARQUET_PIECE ? (size_t)left : GPAI_PARQUET_PIECE;
        size_t there = n;
        if (optional && !(old ? gpai_runs_read_old(&levels, level, n)
                              : gpai_runs_read(&levels, level, n)))
            return gpai_parquet_fail(pages, SPOILT);
        for (size_t i = 0; optional && i < n; i++)
            there -= level[i] == 0;
        st = is_number(l->column) && gpai_build_is_plain(l->b, l->k)
                 ? take_numbers(l, pages, level, n, there)
                 : take_values(l, pages, level, n, there);
        left -= n;
    }
    return st;
}

gpa_status gpai_parquet_load_chunk(gpai_parquet_load *l, gpai_parquet_pages *pages,
                                   size_t rows)
{
    gpai_parquet_page page;
    uint64_t seen = 0;
    bool none = false;
    gpa_status st = GPA_OK;
    pages->data = &l->data;
    pages->dictionary = &l->dictionary;
    l->raw = NULL;
    l->words = 0;
    while (st == GPA_OK && seen < rows) {
        st = gpai_parquet_page_next(pages, &page, &none);
        if (st != GPA_OK || none)
            break;
        if (page.dictionary)
            st = l->raw == NULL ? take_dictionary(l, pages, &page)
                                : gpai_parquet_fail(pages, "two dictionaries");
        else if (page.values > rows - seen)
            st = gpai_parquet_fail(pages, "more values than its row group has rows");
        else
            st = take_page(l, pages, &page);
        seen += page.dictionary ? 0 : page.values;
    }
    return st == GPA_OK && seen < rows
               ? gpai_parquet_fail(pages, "fewer values than its row group has rows")
               : st;
}

void gpai_parquet_load_close(gpai_parquet_load *l)
{
    if (l->v != NULL)
        gpai_values_close(l->v);
    gpai_free(l->v);
    gpai_free(l->data.bytes);
    gpai_free(l->dictionary.bytes);
    gpai_free(l->slice);
    gpai_free(l->real);
}
