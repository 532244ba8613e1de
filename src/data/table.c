#include "data/table.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/nearest.h"
#include "base/text/number.h"
#include <assert.h>
#include <gpa/data.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

gpa_status gpai_table_new(gpa_table **out, const char *source, gpa_error *err)
{
    *out = gpai_calloc(1, sizeof **out);
    if (*out == NULL)
        return gpai_nomem(err, "table");
    (*out)->source = gpai_show_path(source);
    return GPA_OK;
}

void gpa_table_free(gpa_table *t)
{
    if (t == NULL)
        return;
    for (size_t k = 0; k < t->n_columns; k++) {
        gpai_free(t->column[k].name);
        gpai_free(t->column[k].numbers);
        gpai_free(t->column[k].text);
        gpai_free(t->column[k].start);
    }
    gpai_free(t->column);
    gpai_free(t->line);
    gpai_free(t->slot);
    gpai_free(t->measured);
    if (t->later != NULL)
        t->later->close(t->later);
    gpai_free(t);
}

/* Whether a name is that of a column, or that without its unit. */
static bool is_called(const gpai_column *c, const char *name, size_t length, bool bare)
{
    const char *unit;
    size_t there = bare ? gpai_name_unit(c->name, &unit) : strlen(c->name);
    return there == length && memcmp(c->name, name, length) == 0;
}

/* The slot that holds a name, or the free one where it belongs (FNV-1a, linear steps);
 * bare: among those without their unit. */
static size_t *find_slot(const gpa_table *t, const char *name, size_t length, bool bare)
{
    size_t *slot = bare ? t->measured : t->slot;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    hash ^= hash >> 32;
    for (size_t i = (size_t)hash & (t->n_slots - 1);; i = (i + 1) & (t->n_slots - 1))
        if (slot[i] == 0 || is_called(&t->column[slot[i] - 1], name, length, bare))
            return &slot[i];
}

bool gpai_table_lookup(const gpa_table *t, const char *name, size_t length,
                       size_t *column)
{
    if (t->n_columns == 0)
        return false;
    size_t found = *find_slot(t, name, length, false);
    if (found > 0)
        *column = found - 1;
    return found > 0;
}

/* Puts column k where its name is looked for. */
static void note_name(gpa_table *t, size_t k)
{
    const char *unit, *name = t->column[k].name;
    size_t length = gpai_name_unit(name, &unit);
    *find_slot(t, name, strlen(name), false) = k + 1;
    if (unit == NULL)
        return;
    size_t *slot = find_slot(t, name, length, true);
    if (*slot > 0)
        t->column[*slot - 1].shared = true;
    else
        *slot = k + 1;
}

/* Room for one more column, in the array and (at most half full) in the hash table. */
static gpa_status grow(gpa_table *t, gpa_error *err)
{
    if (t->n_columns < t->room)
        return GPA_OK;
    size_t room = t->room;
    if (!gpai_grow(&t->column, &room, room + 1, sizeof *t->column))
        return gpai_nomem(err, "table");
    size_t *slot = gpai_calloc(2 * room, sizeof *slot);
    size_t *measured = gpai_calloc(2 * room, sizeof *measured);
    if (slot == NULL || measured == NULL) {
        gpai_free(slot);
        gpai_free(measured);
        return gpai_nomem(err, "table");
    }
    gpai_free(t->slot);
    gpai_free(t->measured);
    t->slot = slot;
    t->measured = measured;
    t->n_slots = 2 * room;
    t->room = room;
    for (size_t k = 0; k < t->n_columns; k++)
        note_name(t, k);
    return GPA_OK;
}

gpa_status gpai_table_add(gpa_table *t, const char *name, size_t length, gpa_error *err)
{
    if (t->n_columns >= GPAI_MAX_COLUMNS)
        return gpai_fail(err, GPA_DATA, "%s: more than %d columns", t->source.text,
                         GPAI_MAX_COLUMNS);
    gpa_status st = grow(t, err);
    if (st != GPA_OK)
        return st;
    char *copy = gpai_strndup(name, length);
    if (copy == NULL)
        return gpai_nomem(err, "table");
    t->column[t->n_columns] = (gpai_column){.name = copy, .bad_row = GPAI_NO_ROW};
    note_name(t, t->n_columns++);
    return GPA_OK;
}

gpa_status gpai_table_add_numbered(gpa_table *t, size_t n, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < n && st == GPA_OK; k++) {
        char name[32];
        int length = snprintf(name, sizeof name, "x%zu", k + 1);
        st = gpai_table_add(t, name, (size_t)length, err);
    }
    return st;
}

gpa_status gpai_table_reserve(gpa_table *t, size_t rows, bool lines,
                              const char *text_column, gpa_error *err)
{
    for (size_t k = 0; k < t->n_columns; k++) {
        gpai_column *c = &t->column[k];
        c->keep = text_column != NULL && strcmp(c->name, text_column) == 0;
        c->numbers = gpai_calloc(rows, sizeof *c->numbers);
        if (c->numbers == NULL)
            return gpai_nomem(err, "table");
    }
    if (lines) {
        t->line = gpai_calloc(rows, sizeof *t->line);
        if (t->line == NULL)
            return gpai_nomem(err, "table");
    }
    t->row_room = rows;
    return GPA_OK;
}

/* The column is text from now on, because of the cell of that row. */
static void make_text(gpai_column *c, size_t row)
{
    c->bad_row = row;
    gpai_free(c->numbers);
    c->numbers = NULL;
}

void gpai_table_put_bad(gpa_table *t, size_t row, size_t column, size_t length)
{
    gpai_column *c = &t->column[column];
    c->text_size += length + 1;
    if (c->numbers != NULL)
        make_text(c, c->booleans > 0 && !t->mixes ? c->boolean : row);
}

/* The words for true and false, by their spelling. */
static const char *const WORDS[][2] = {
    [GPAI_NO_BOOLEAN] = {NULL, NULL},
    [GPAI_LOWER] = {"false", "true"},
    [GPAI_TITLE] = {"False", "True"},
    [GPAI_UPPER] = {"FALSE", "TRUE"},
};

gpai_spelling gpai_boolean(const char *text, size_t length, bool *value)
{
    *value = length == 4;
    if (length != 4 && length != 5)
        return GPAI_NO_BOOLEAN;
    for (size_t i = GPAI_LOWER; i <= GPAI_UPPER; i++)
        if (memcmp(text, WORDS[i][*value], length) == 0)
            return (gpai_spelling)i;
    return GPAI_NO_BOOLEAN;
}

void gpai_table_put_boolean(gpa_table *t, size_t row, size_t column, bool value,
                            gpai_spelling spelling)
{
    gpai_column *c = &t->column[column];
    if (c->booleans++ == 0) {
        c->boolean = row;
        c->spelling = spelling;
    }
    gpai_table_put(t, row, column, value ? 1 : 0, value ? 4 : 5);
}

void gpai_table_put_real(gpa_table *t, size_t row, size_t column, double value)
{
    if (isinf(value))
        gpai_table_put_bad(t, row, column, GPAI_NUMBER_ROOM);
    else
        gpai_table_put(t, row, column, value, GPAI_NUMBER_ROOM);
}

/* Gives back what the guess at the rows was too large by. */
static gpa_status shrink(gpa_table *t, gpa_error *err)
{
    assert(t->line != NULL); /* others know how many rows they have */
    size_t *line = gpai_regrow(t->line, t->n_rows, sizeof *line);
    if (line == NULL)
        return gpai_nomem(err, "table");
    t->line = line;
    for (size_t k = 0; k < t->n_columns; k++) {
        double *from = t->column[k].numbers;
        double *to = from == NULL ? NULL : gpai_regrow(from, t->n_rows, sizeof *to);
        if (from != NULL && to == NULL)
            return gpai_nomem(err, "table");
        t->column[k].numbers = to;
    }
    return GPA_OK;
}

/* A column of true and false stays one only when nothing else is in it; among numbers
 * the words are text, or 1 and 0 where the format says what they are. */
static void settle_booleans(const gpa_table *t, gpai_column *c)
{
    size_t values = 0;
    for (size_t i = 0; c->numbers != NULL && i < t->n_rows; i++)
        values += isnan(c->numbers[i]) ? 0 : 1;
    if (values == c->booleans)
        return;
    if (c->numbers != NULL && !t->mixes)
        make_text(c, c->boolean);
    c->spelling = GPAI_NO_BOOLEAN;
}

bool gpai_table_wants_text(const gpa_table *t, size_t column)
{
    const gpai_column *c = &t->column[column];
    return c->numbers == NULL || c->keep || c->padded;
}

gpa_status gpai_table_settle(gpa_table *t, size_t rows, bool *want_text, gpa_error *err)
{
    *want_text = false;
    t->n_rows = rows;
    gpa_status st = rows < t->row_room ? shrink(t, err) : GPA_OK;
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < t->n_columns; k++) {
        gpai_column *c = &t->column[k];
        if (c->booleans > 0)
            settle_booleans(t, c);
        if (!gpai_table_wants_text(t, k))
            continue;
        c->text = gpai_calloc(c->text_size, 1);
        c->start = gpai_calloc(rows, sizeof *c->start);
        if (c->text == NULL || c->start == NULL)
            return gpai_nomem(err, "table");
        *want_text = true;
    }
    return GPA_OK;
}

char *gpai_table_put_text(gpa_table *t, size_t row, size_t column, size_t length)
{
    gpai_column *c = &t->column[column];
    if (c->text == NULL)
        return NULL;
    char *to = c->text + c->text_used;
    c->start[row] = c->text_used;
    c->text_used += length + 1;
    return to;
}

void gpai_table_put_no_text(gpa_table *t, size_t row, size_t column)
{
    if (t->column[column].text != NULL)
        t->column[column].start[row] = GPAI_NO_ROW;
}

void gpai_table_put_real_text(gpa_table *t, size_t row, size_t column, double value)
{
    char text[GPAI_NUMBER_ROOM] = "";
    if (isnan(value)) {
        gpai_table_put_no_text(t, row, column);
        return;
    }
    gpai_number_text(value, text);
    char *to = gpai_table_put_text(t, row, column, strlen(text));
    if (to != NULL)
        strcpy(to, text);
}

size_t gpa_table_rows(const gpa_table *t)
{
    return t == NULL ? 0 : t->n_rows;
}

size_t gpa_table_columns(const gpa_table *t)
{
    return t == NULL ? 0 : t->n_columns;
}

const char *gpa_table_name(const gpa_table *t, size_t column)
{
    return column < gpa_table_columns(t) ? t->column[column].name : NULL;
}

bool gpa_table_is_numeric(const gpa_table *t, size_t column)
{
    return column < gpa_table_columns(t) && t->column[column].numbers != NULL;
}

const char *gpa_table_text(const gpa_table *t, size_t row, size_t column)
{
    if (row >= gpa_table_rows(t) || column >= t->n_columns)
        return NULL;
    const gpai_column *c = &t->column[column];
    if (c->text == NULL)
        return NULL;
    return c->start[row] == GPAI_NO_ROW ? "" : c->text + c->start[row];
}

bool gpai_table_missing(const gpa_table *t, size_t row, size_t column)
{
    const gpai_column *c = &t->column[column];
    if (c->numbers != NULL)
        return isnan(c->numbers[row]);
    if (c->start[row] == GPAI_NO_ROW)
        return true;
    const char *text = c->text + c->start[row] + strspn(c->text + c->start[row], " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return t->na_words && gpai_missing(text, length);
}

const char *const *gpai_table_booleans(const gpa_table *t, size_t column)
{
    const gpai_column *c = &t->column[column];
    return c->numbers == NULL || c->spelling == GPAI_NO_BOOLEAN ? NULL
                                                                : WORDS[c->spelling];
}

bool gpai_table_padded(const gpa_table *t, size_t column)
{
    return t->column[column].padded && t->column[column].numbers != NULL;
}

size_t gpa_table_line(const gpa_table *t, size_t row)
{
    if (row >= gpa_table_rows(t))
        return 0;
    return t->line == NULL ? row + 1 : t->line[row];
}

const char *gpa_table_digest(const gpa_table *t)
{
    return t == NULL || t->digest[0] == '\0' ? NULL : t->digest;
}

/* "data.csv: line 12, column "bmi"", the start of every message about a cell. */
struct place {
    char text[420];
};

static struct place place_of(const gpa_table *t, size_t row, size_t column)
{
    struct place p;
    size_t number = t->line == NULL ? row : t->line[row];
    snprintf(p.text, sizeof p.text, "%s: %s %zu%s, column \"%s\"", t->source.text,
             t->line == NULL ? "row" : "line", number,
             t->line == NULL ? " (counted from 0)" : "",
             gpai_show_text(t->column[column].name).text);
    return p;
}

static gpa_status fail_column(const gpa_table *t, size_t column, gpa_error *err)
{
    return gpai_fail(err, GPA_INVALID, "%s: column %zu of %zu", t->source.text, column,
                     t->n_columns);
}

/* Of the cells of a column that is meant to hold numbers. */
#define MOSTLY 0.8

/* "72,09": a number as half of Europe writes it. */
bool gpai_decimal_comma(const char *cell)
{
    static const char digits[] = "0123456789";
    cell += *cell == '-' || *cell == '+';
    size_t whole = strspn(cell, digits);
    size_t rest = cell[whole] == ',' ? strspn(cell + whole + 1, digits) : 0;
    return whole > 0 && rest > 0 && cell[whole + 1 + rest] == '\0';
}

/* Whether a cell is a number with a decimal comma, whole, or missing. */
static bool fits_commas(const gpa_table *t, size_t row, size_t column)
{
    const char *cell = gpa_table_text(t, row, column);
    const char *whole = cell + (*cell == '-' || *cell == '+');
    return gpai_decimal_comma(cell) || gpai_table_missing(t, row, column) ||
           (*whole != '\0' && whole[strspn(whole, "0123456789")] == '\0');
}

/* Whether all cells of a column of text are whole numbers or have a decimal comma, and
 * one has; `sure`: one has not three digits behind it, as thousands would. */
static bool all_commas(const gpa_table *t, size_t column, bool *sure)
{
    size_t commas = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        const char *cell = gpa_table_text(t, row, column);
        bool comma = gpai_decimal_comma(cell);
        if (!fits_commas(t, row, column))
            return false;
        commas += comma;
        *sure = *sure || (comma && strlen(strchr(cell, ',') + 1) != 3);
    }
    return commas > 0;
}

static double comma_value(const char *cell)
{
    char room[64];
    double value = 0;
    size_t length = strlen(cell);
    if (length >= sizeof room)
        return (double)NAN;
    memcpy(room, cell, length + 1);
    char *comma = strchr(room, ',');
    if (comma != NULL)
        *comma = '.';
    return gpai_number(room, length, &value) == GPAI_NUMBER ? value : (double)NAN;
}

bool gpai_table_comma(const gpa_table *t, const char *text, double *value)
{
    *value =
        t->commas > 0 && gpai_decimal_comma(text) ? comma_value(text) : (double)NAN;
    return !isnan(*value);
}

gpa_status gpai_table_take_commas(gpa_table *t, gpa_error *err)
{
    bool sure = false, some = false;
    t->commas_may = true;
    for (size_t k = 0; k < t->n_columns; k++) {
        bool one = false;
        if (t->column[k].numbers == NULL && t->column[k].text != NULL &&
            all_commas(t, k, &one)) {
            some = true;
            sure = sure || one;
        }
    }
    for (size_t k = 0; k < t->n_columns && some && sure; k++) {
        gpai_column *c = &t->column[k];
        bool one = false;
        if (c->numbers != NULL || c->text == NULL || !all_commas(t, k, &one))
            continue;
        double *numbers = gpai_calloc(t->n_rows, sizeof *numbers);
        if (numbers == NULL)
            return gpai_nomem(err, "table");
        for (size_t row = 0; row < t->n_rows; row++)
            numbers[row] = gpai_table_missing(t, row, k)
                               ? (double)NAN
                               : comma_value(gpa_table_text(t, row, k));
        c->numbers = numbers;
        c->bad_row = GPAI_NO_ROW;
        t->commas++;
        if (c->keep)
            continue;
        gpai_free(c->text);
        gpai_free(c->start);
        c->text = NULL;
        c->start = NULL;
    }
    return GPA_OK;
}

/* Cells of a column of text that are numbers all the same. */
static size_t count_numbers(const gpa_table *t, size_t column)
{
    size_t n = 0;
    double value = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        const char *cell = gpa_table_text(t, row, column);
        n += gpai_number(cell, strlen(cell), &value) == GPAI_NUMBER;
    }
    return n;
}

/* In a column of decimal commas, the cell that kept it from being read so; n_rows:
 * there is none, or commas are not read at all. */
static size_t odd_among_commas(const gpa_table *t, size_t column)
{
    size_t odd = t->n_rows, others = 0, commas = 0;
    for (size_t row = t->n_rows; row-- > 0 && t->commas_may;) {
        bool fits = fits_commas(t, row, column);
        odd = fits ? odd : row;
        others += fits ? 0 : 1;
        commas += gpai_decimal_comma(gpa_table_text(t, row, column)) ? 1 : 0;
    }
    return commas > 0 && 2 * others < t->n_rows ? odd : t->n_rows;
}

bool gpai_table_meant_as_numbers(const gpa_table *t, size_t column)
{
    const gpai_column *c = &t->column[column];
    return c->numbers == NULL &&
           (gpai_decimal_comma(gpa_table_text(t, c->bad_row, column)) ||
            odd_among_commas(t, column) < t->n_rows ||
            (double)count_numbers(t, column) > MOSTLY * (double)t->n_rows);
}

/* "1.713,0": points between thousands. */
static bool has_thousands(const char *cell)
{
    char room[64];
    size_t length = strlen(cell), n = 0;
    for (size_t i = 0; i < length && length < sizeof room; i++)
        if (cell[i] != '.')
            room[n++] = cell[i];
    room[n] = '\0';
    return n < length && gpai_decimal_comma(room);
}

static gpa_status fail_odd(const gpa_table *t, size_t row, size_t column,
                           gpa_error *err)
{
    const char *cell = gpa_table_text(t, row, column);
    return gpai_fail(err, GPA_DATA,
                     "%s: \"%s\" is not a number as those with a decimal comma in this "
                     "column are: %s",
                     place_of(t, row, column).text, gpai_show_text(cell).text,
                     has_thousands(cell) ? "write nothing between thousands"
                                         : "correct it, or leave the cell empty");
}

static gpa_status fail_bad(const gpa_table *t, size_t column, gpa_error *err)
{
    size_t odd = odd_among_commas(t, column);
    size_t row = t->column[column].bad_row;
    const char *cell = gpa_table_text(t, row, column);
    double value = 0;
    gpai_number_kind kind = gpai_number(cell, strlen(cell), &value);
    struct place place = place_of(t, row, column);
    if (kind == GPAI_NUMBER_RANGE || strcmp(cell, "inf") == 0 ||
        strcmp(cell, "-inf") == 0)
        return gpai_fail(err, GPA_DATA, "%s: %s is out of range", place.text,
                         gpai_show_text(cell).text);
    if (odd < t->n_rows)
        return fail_odd(t, odd, column, err);
    if (gpai_decimal_comma(cell))
        return gpai_fail(
            err, GPA_DATA,
            "%s: \"%s\" is not a number here: write a decimal point, not a comma, and "
            "nothing between thousands",
            place.text, gpai_show_text(cell).text);
    if (kind != GPAI_NUMBER && gpai_table_meant_as_numbers(t, column))
        return gpai_fail(err, GPA_DATA,
                         "%s: \"%s\" is not a number, as %zu of the column's %zu cells "
                         "are: correct it, or leave the cell empty",
                         place.text, gpai_show_text(cell).text,
                         count_numbers(t, column), t->n_rows);
    bool digits = kind == GPAI_NUMBER; /* quoted in JSON, or a column of text */
    return gpai_fail(err, GPA_DATA,
                     "%s: \"%s\" is %s (%s, or leave the column out with --drop)",
                     place.text, gpai_show_text(cell).text,
                     digits ? "text, not a number" : "not a number",
                     digits ? "write it without quotes, in SQL as CAST(... AS REAL)"
                            : "encode text columns as numbers");
}

const double *gpa_table_numbers(const gpa_table *t, size_t column, gpa_error *err)
{
    if (t == NULL) {
        (void)gpai_fail(err, GPA_INVALID, "table: no table");
        return NULL;
    }
    if (column >= t->n_columns)
        (void)fail_column(t, column, err);
    else if (t->column[column].numbers == NULL && t->column[column].start == NULL)
        (void)gpai_fail(err, GPA_INVALID, "%s: column \"%s\" was not read",
                        t->source.text, gpai_show_text(t->column[column].name).text);
    else if (t->column[column].numbers == NULL)
        (void)fail_bad(t, column, err);
    else
        return t->column[column].numbers;
    return NULL;
}

void gpai_table_let_go(gpa_table *t, size_t column, size_t row)
{
    double **numbers = &t->column[column].numbers;
    double *kept = row > 0 ? gpai_regrow(*numbers, row, sizeof *kept) : NULL;
    if (row == 0)
        gpai_free(*numbers);
    *numbers = row > 0 && kept == NULL ? *numbers : kept;
}

/* One column into a row-major matrix. */
static gpa_status copy_column(const gpa_table *t, size_t column, size_t step,
                              bool refuse_missing, double *x, gpa_error *err)
{
    gpa_error none;
    const double *from = gpa_table_numbers(t, column, err != NULL ? err : &none);
    if (from == NULL)
        return err != NULL ? err->status : none.status;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (refuse_missing && isnan(from[i]))
            return gpai_fail(err, GPA_DATA, "%s: missing value",
                             place_of(t, i, column).text);
        x[i * step] = from[i];
    }
    return GPA_OK;
}

gpa_status gpa_table_matrix(const gpa_table *t, const size_t *columns, size_t n_columns,
                            bool refuse_missing, double *x, gpa_error *err)
{
    gpa_status st = GPA_OK;
    if (t == NULL || (n_columns > 0 && (columns == NULL || x == NULL)))
        return gpai_fail(err, GPA_INVALID, "table: matrix of nothing");
    for (size_t k = 0; k < n_columns && st == GPA_OK; k++)
        st = copy_column(t, columns[k], n_columns, refuse_missing, x + k, err);
    return st;
}

/* gpa_table_find, which takes some care over what it says when there is no such column.
 */

enum { LIST_ROOM = 200 };

/* The nearest name when it is close enough to be meant; or NULL. */
static const char *nearest(const gpa_table *t, const char *name)
{
    size_t best = strlen(name) / 3 + 2; /* of bmi, bm and BMX, but not age */
    const char *found = NULL;
    for (size_t k = 0; k < t->n_columns; k++) {
        size_t far = gpai_edits(name, t->column[k].name, true);
        if (far < best && far < strlen(t->column[k].name)) {
            best = far;
            found = t->column[k].name;
        }
    }
    return found;
}

/* "age, sex, bmi, ..." as far as there is room. */
static void list(const gpa_table *t, char out[LIST_ROOM])
{
    size_t used = 0;
    for (size_t k = 0; k < t->n_columns; k++) {
        gpai_shown name = gpai_show_text(t->column[k].name);
        size_t size = strlen(name.text);
        if (used + size + sizeof ", , ..." > LIST_ROOM) {
            strcpy(out + used, used > 0 ? ", ..." : "...");
            return;
        }
        used += (size_t)snprintf(out + used, LIST_ROOM - used, "%s%s",
                                 k > 0 ? ", " : "", name.text);
    }
}

size_t gpai_name_unit(const char *name, const char **unit)
{
    size_t length = strlen(name), open = length;
    *unit = NULL;
    if (length < 5 || name[length - 1] != ']')
        return length;
    while (open > 0 && name[open - 1] != '[')
        open--;
    if (open < 3 || name[open - 2] != ' ' || open + 1 >= length ||
        strspn(name + open, "0123456789") == length - 1 - open) /* x [1] counts */
        return length;
    *unit = name + open;
    return open - 2;
}

/* The one column that is called so but for a unit, which either may have. */
static bool find_measured(const gpa_table *t, const char *name, size_t *column)
{
    const char *unit;
    size_t length = gpai_name_unit(name, &unit);
    if (unit != NULL || t->n_columns == 0)
        return unit != NULL && gpai_table_lookup(t, name, length, column);
    size_t found = *find_slot(t, name, length, true);
    if (found == 0 || t->column[found - 1].shared)
        return false;
    *column = found - 1;
    return true;
}

bool gpai_table_unique(const gpa_table *t, size_t column)
{
    const char *unit, *name = t->column[column].name;
    size_t length = gpai_name_unit(name, &unit), other;
    if (unit == NULL)
        return true;
    return !gpai_table_lookup(t, name, length, &other) &&
           !t->column[*find_slot(t, name, length, true) - 1].shared;
}

gpa_status gpa_table_find(const gpa_table *t, const char *name, size_t *column,
                          gpa_error *err)
{
    char names[LIST_ROOM] = "";
    if (t == NULL || name == NULL || column == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no table or no name to find");
    if (gpai_table_lookup(t, name, strlen(name), column) ||
        find_measured(t, name, column))
        return GPA_OK;
    if (err == NULL) /* who only asks pays for no advice */
        return GPA_INVALID;
    const char *meant = nearest(t, name);
    list(t, names);
    /* the list is what may be cut off at the end of the message */
    if (meant == NULL)
        return gpai_fail(err, GPA_INVALID, "%s: no column \"%s\" (there are %s)",
                         t->source.text, gpai_show_text(name).text, names);
    return gpai_fail(
        err, GPA_INVALID, "%s: no column \"%s\"; did you mean \"%s\"? (there are %s)",
        t->source.text, gpai_show_text(name).text, gpai_show_text(meant).text, names);
}
