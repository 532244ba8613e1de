#include "data/build.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/input.h"
#include "base/text/number.h"
#include "data/slurp.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

gpa_status gpai_build_open(gpai_build *b, gpa_table *t, const char *text_column,
                           size_t most, gpa_error *err)
{
    *b = (gpai_build){.t = t, .most = most};
    b->err = err != NULL ? err : &b->none;
    b->column = gpai_calloc(t->n_columns + 1, sizeof *b->column);
    if (b->column == NULL)
        return gpai_nomem(err, "table");
    for (size_t k = 0; k < t->n_columns; k++)
        t->column[k].keep =
            text_column != NULL && strcmp(t->column[k].name, text_column) == 0;
    return GPA_OK;
}

void gpai_build_close(gpai_build *b)
{
    gpai_free(b->column);
    b->column = NULL;
}

static gpa_status take(gpai_build *b, size_t n, size_t size)
{
    if (n > (b->most - b->taken) / size)
        return gpai_fail(b->err, GPA_DATA, "%s: larger than the limit of %zu bytes",
                         b->t->source.text, b->most);
    b->taken += n * size;
    return GPA_OK;
}

static bool is_text(const gpai_column *c)
{
    return c->numbers == NULL && c->start != NULL;
}

bool gpai_build_is_plain(const gpai_build *b, size_t column)
{
    const gpai_column *c = &b->t->column[column];
    return !c->keep && c->start == NULL;
}

gpa_status gpai_build_expect(gpai_build *b, size_t column, size_t rows, bool text)
{
    gpai_column *c = &b->t->column[column];
    gpai_built *has = &b->column[column];
    size_t each = text ? sizeof *c->start : sizeof *c->numbers;
    if (rows > b->most / sizeof(double)) /* it would be refused later */
        rows = b->most / sizeof(double);
    void *block = gpai_regrow(NULL, rows + 1, each);
    if (block == NULL)
        return gpai_nomem(b->err, "table");
    gpai_large(block, (rows + 1) * each);
    *(text ? &has->start_room : &has->number_room) = rows + 1;
    if (text)
        c->start = block;
    else
        c->numbers = block;
    return GPA_OK;
}

double *gpai_build_room(gpai_build *b, size_t column, size_t n)
{
    gpai_column *c = &b->t->column[column];
    gpai_built *has = &b->column[column];
    if (take(b, n, sizeof *c->numbers) != GPA_OK)
        return NULL;
    if (!gpai_grow(&c->numbers, &has->number_room, has->rows + n, sizeof *c->numbers)) {
        (void)gpai_nomem(b->err, "table");
        return NULL;
    }
    return c->numbers + has->rows;
}

/* A cell's text, or NULL for none, into row `row`. */
static gpa_status store(gpai_build *b, size_t column, size_t row, const char *text,
                        size_t length)
{
    gpai_column *c = &b->t->column[column];
    gpai_built *has = &b->column[column];
    gpa_status st = take(b, 1, sizeof *c->start + (text != NULL ? length + 1 : 0));
    if (st != GPA_OK)
        return st;
    if (!gpai_grow(&c->start, &has->start_room, row + 1, sizeof *c->start) ||
        (text != NULL &&
         !gpai_grow(&c->text, &has->text_room, c->text_used + length + 1, 1)))
        return gpai_nomem(b->err, "table");
    c->start[row] = text != NULL ? c->text_used : GPAI_NO_ROW;
    if (text == NULL)
        return GPA_OK;
    memcpy(c->text + c->text_used, text, length);
    c->text[c->text_used + length] = '\0';
    c->text_used += length + 1;
    return GPA_OK;
}

static gpa_status store_real(gpai_build *b, size_t column, size_t row, double value)
{
    char text[GPAI_NUMBER_ROOM] = "";
    if (!isnan(value))
        gpai_number_text(value, text);
    return store(b, column, row, isnan(value) ? NULL : text, strlen(text));
}

/* The column is text from now on, because of the cell of that row; the numbers before
 * it, and behind it up to those there are, become text. */
static gpa_status make_text(gpai_build *b, size_t column, size_t row)
{
    gpai_column *c = &b->t->column[column];
    gpa_status st = GPA_OK;
    if (c->bad_row == GPAI_NO_ROW)
        c->bad_row = row;
    for (size_t i = 0; i < b->column[column].rows && !c->keep && st == GPA_OK; i++)
        st = store_real(b, column, i, c->numbers[i]);
    gpai_free(c->numbers);
    c->numbers = NULL;
    b->column[column].number_room = 0;
    return st;
}

gpa_status gpai_build_filled(gpai_build *b, size_t column, size_t n)
{
    gpai_column *c = &b->t->column[column];
    size_t from = b->column[column].rows, infinite = 0;
    b->column[column].rows += n;
    for (size_t i = 0; i < n; i++)
        infinite += isinf(c->numbers[from + i]) ? 1 : 0;
    for (size_t i = from; infinite > 0; i++)
        if (isinf(c->numbers[i]))
            return make_text(b, column, i);
    return GPA_OK;
}

gpa_status gpai_build_number(gpai_build *b, size_t column, double value,
                             const char *text)
{
    gpai_column *c = &b->t->column[column];
    size_t row = b->column[column].rows;
    bool text_only = is_text(c);
    gpa_status st = GPA_OK;
    if (!text_only) {
        double *to = gpai_build_room(b, column, 1);
        if (to == NULL)
            return b->err->status;
        *to = value;
    }
    if (c->keep || text_only)
        st = text != NULL && !isnan(value) ? store(b, column, row, text, strlen(text))
                                           : store_real(b, column, row, value);
    if (st == GPA_OK && gpai_build_is_plain(b, column))
        return gpai_build_filled(b, column, 1);
    b->column[column].rows++;
    return st == GPA_OK && isinf(value) && !text_only ? make_text(b, column, row) : st;
}

gpa_status gpai_build_real(gpai_build *b, size_t column, double value)
{
    return gpai_build_number(b, column, value, NULL);
}

gpa_status gpai_build_missing(gpai_build *b, size_t column)
{
    return gpai_build_number(b, column, (double)NAN, NULL);
}

gpa_status gpai_build_text(gpai_build *b, size_t column, const char *text,
                           size_t length)
{
    gpai_column *c = &b->t->column[column];
    size_t row = b->column[column].rows;
    gpa_status st = GPA_OK;
    if (length > GPAI_MAX_CELL || (length > 0 && memchr(text, '\0', length) != NULL))
        return gpai_fail(b->err, GPA_DATA,
                         "%s: row %zu (counted from 0), column \"%s\": %s",
                         b->t->source.text, row, gpai_show_text(c->name).text,
                         length > GPAI_MAX_CELL ? "a cell of more than 1 MiB"
                                                : "a zero byte, this is not text");
    if (!is_text(c))
        st = make_text(b, column, row);
    if (c->bad_row == GPAI_NO_ROW)
        c->bad_row = row;
    if (st == GPA_OK)
        st = store(b, column, row, text, length);
    b->column[column].rows++;
    return st;
}

gpa_status gpai_build_truth(gpai_build *b, size_t column, bool value)
{
    gpai_column *c = &b->t->column[column];
    if (c->booleans++ == 0) {
        c->boolean = b->column[column].rows;
        c->spelling = GPAI_LOWER;
    }
    return gpai_build_number(b, column, value ? 1 : 0, value ? "true" : "false");
}

/* Cells that are more than a number or a text. */

gpa_status gpai_build_whole(gpai_build *b, size_t column, int64_t value)
{
    char text[GPAI_NUMBER_ROOM];
    if (gpai_build_is_plain(b, column))
        return gpai_build_real(b, column, (double)value);
    snprintf(text, sizeof text, "%lld", (long long)value);
    return gpai_build_number(b, column, (double)value, text);
}

gpa_status gpai_build_unsigned(gpai_build *b, size_t column, uint64_t value)
{
    char text[GPAI_NUMBER_ROOM];
    if (gpai_build_is_plain(b, column))
        return gpai_build_real(b, column, (double)value);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return gpai_build_number(b, column, (double)value, text);
}

enum { LIMBS = 4, DIGITS = 40 };

/* The magnitude of a number in bytes, the highest first, as digits; `negative` says on
 * which side of 0 it was. */
static size_t magnitude(const unsigned char *bytes, size_t size, bool *negative,
                        char digits[DIGITS])
{
    uint32_t limb[LIMBS] = {0};
    char turned[DIGITS];
    size_t n = 0;
    *negative = size > 0 && bytes[0] >= 128;
    for (size_t i = 0; i < 4 * (size_t)LIMBS; i++) { /* from the lowest byte */
        unsigned char byte = i < size ? bytes[size - 1 - i] : *negative ? 255 : 0;
        limb[i / 4] |= (uint32_t)byte << (8 * (i % 4));
    }
    for (size_t i = 0, carry = 1; *negative && i < LIMBS; i++) {
        uint64_t turn = (uint64_t)(uint32_t)~limb[i] + carry;
        limb[i] = (uint32_t)turn;
        carry = (size_t)(turn >> 32);
    }
    for (uint32_t any = 1; any != 0 && n < DIGITS;) {
        uint64_t rest = 0;
        any = 0;
        for (size_t i = LIMBS; i-- > 0; any |= limb[i]) {
            uint64_t now = rest << 32 | limb[i];
            limb[i] = (uint32_t)(now / 10);
            rest = now % 10;
        }
        turned[n++] = (char)('0' + rest);
    }
    for (size_t i = 0; i < n; i++)
        digits[i] = turned[n - 1 - i];
    return n;
}

/* The same at once where both are exact as doubles, so that their ratio is rounded but
 * once. */
static bool quick_decimal(const unsigned char *bytes, size_t size, int scale,
                          double *value)
{
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int64_t whole = size > 0 && bytes[0] >= 128 ? -1 : 0;
    if (size > 8 || scale < 0 || scale > 22)
        return false;
    for (size_t i = 0; i < size; i++)
        whole = (int64_t)((uint64_t)whole << 8 | bytes[i]);
    *value = (double)whole / TENS[scale];
    return whole >= -(INT64_C(1) << 53) && whole <= INT64_C(1) << 53;
}

gpa_status gpai_build_decimal(gpai_build *b, size_t column, const unsigned char *bytes,
                              size_t size, int scale)
{
    char text[DIGITS + 16] = "-";
    bool negative = false;
    double value = 0;
    if (gpai_build_is_plain(b, column) && quick_decimal(bytes, size, scale, &value))
        return gpai_build_real(b, column, value);
    size_t n = 1 + magnitude(bytes, size, &negative, text + 1);
    const char *from = negative ? text : text + 1;
    snprintf(text + n, sizeof text - n, "e%d", -scale);
    if (scale == 0)
        text[n] = '\0';
    (void)gpai_number(from, strlen(from), &value); /* at most 39 digits */
    return gpai_build_number(b, column, value, scale == 0 ? from : NULL);
}

gpa_status gpai_build_day(gpai_build *b, size_t column, int64_t days)
{
    return gpai_build_stamp(b, column, days, 0, false);
}

gpa_status gpai_build_stamp(gpai_build *b, size_t column, int64_t value, int64_t units,
                            bool utc)
{
    enum { DAY = 24 * 60 * 60 };
    char text[96];
    int64_t per_day = units > 0 ? units * DAY : 1, year = 0;
    int64_t days = value / per_day, rest = value % per_day;
    unsigned month = 0, day = 0;
    if (rest < 0) {
        days--;
        rest += per_day;
    }
    gpai_date_from_days(days, &year, &month, &day);
    int n =
        snprintf(text, sizeof text, "%04lld-%02u-%02u", (long long)year, month, day);
    b->column[column].stamps = b->column[column].stamps || units > 0;
    b->column[column].times = b->column[column].times || rest > 0;
    if (units > 0) {
        int64_t second = rest / units, part = rest % units;
        n +=
            snprintf(text + n, sizeof text - (size_t)n, "T%02d:%02d:%02d",
                     (int)(second / 3600), (int)(second / 60 % 60), (int)(second % 60));
        int decimals = units == 1000 ? 3 : units == 1000000 ? 6 : 9;
        if (part > 0) {
            n += snprintf(text + n, sizeof text - (size_t)n, ".%0*lld", decimals,
                          (long long)part);
            while (text[n - 1] == '0')
                text[--n] = '\0';
        }
        if (utc)
            n += snprintf(text + n, sizeof text - (size_t)n, "Z");
    }
    return gpai_build_text(b, column, text, (size_t)n);
}

/* Times that are all midnight are dates: the same without what follows the day. */
static void end_days(gpai_build *b, size_t column)
{
    const gpai_column *c = &b->t->column[column];
    for (size_t i = 0; i < b->column[column].rows; i++) {
        char *time =
            c->start[i] != GPAI_NO_ROW ? strchr(c->text + c->start[i], 'T') : NULL;
        if (time != NULL)
            *time = '\0';
    }
}

/* A column declared as text that has none is one of numbers, all missing. */
static gpa_status end_empty(gpai_build *b, size_t column, size_t rows)
{
    gpai_column *c = &b->t->column[column];
    gpai_free(c->start);
    gpai_free(c->text);
    c->start = NULL;
    c->text = NULL;
    c->bad_row = GPAI_NO_ROW;
    c->numbers = gpai_calloc(rows, sizeof *c->numbers);
    if (c->numbers == NULL)
        return gpai_nomem(b->err, "table");
    for (size_t i = 0; i < rows; i++)
        c->numbers[i] = (double)NAN;
    return GPA_OK;
}

/* Gives back what the guess was too large by. */
static gpa_status shrink(gpai_build *b, size_t column, size_t rows)
{
    gpai_column *c = &b->t->column[column];
    double *numbers =
        c->numbers == NULL ? NULL : gpai_regrow(c->numbers, rows, sizeof *numbers);
    if (c->numbers != NULL && numbers == NULL)
        return gpai_nomem(b->err, "table");
    c->numbers = numbers;
    if (c->start == NULL)
        return GPA_OK;
    size_t *start = gpai_regrow(c->start, rows, sizeof *start);
    char *text = gpai_regrow(c->text, c->text_used + 1, 1);
    c->start = start != NULL ? start : c->start;
    c->text = text != NULL ? text : c->text;
    return start != NULL && text != NULL ? GPA_OK : gpai_nomem(b->err, "table");
}

gpa_status gpai_build_end(gpai_build *b, size_t rows)
{
    gpa_status st = GPA_OK;
    b->t->n_rows = rows;
    for (size_t k = 0; k < b->t->n_columns && st == GPA_OK; k++) {
        const gpai_column *c = &b->t->column[k];
        if (b->column[k].rows == 0)
            continue;
        if (b->column[k].stamps && !b->column[k].times)
            end_days(b, k);
        st = is_text(c) && c->text_used == 0 ? end_empty(b, k, rows)
                                             : shrink(b, k, rows);
    }
    return st;
}
