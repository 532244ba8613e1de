#include <gpa/data.h>

#include "base/status.h"
#include "data/table.h"
#include <math.h>
#include <string.h>

/* gpa_table_from_columns: the caller's arrays, copied the way a reader copies a file.
 */

static gpa_status check(const gpa_column *c, size_t k, gpa_error *err)
{
    if (c->name == NULL)
        return gpai_fail(err, GPA_INVALID, "table: column %zu has no name", k);
    if ((c->numbers == NULL) == (c->text == NULL))
        return gpai_fail(err, GPA_INVALID,
                         "table: column \"%s\" has %s: either of the two makes one",
                         gpai_show_text(c->name).text,
                         c->text == NULL ? "neither numbers nor text"
                                         : "both numbers and text");
    return GPA_OK;
}

static gpa_status add(gpa_table *t, const gpa_column *c, gpa_error *err)
{
    size_t there = 0, length = strlen(c->name);
    if (gpai_table_lookup(t, c->name, length, &there))
        return gpai_fail(
            err, GPA_INVALID, "%s: columns %zu and %zu are both named \"%s\"",
            t->source.text, there + 1, t->n_columns + 1, gpai_show_text(c->name).text);
    return gpai_table_add(t, c->name, length, err);
}

static double number_at(const gpa_column *c, size_t row)
{
    return c->numbers[row * (c->stride > 1 ? c->stride : 1)];
}

/* Text is text, whatever it says; a cell that is missing says nothing. */
static void put(gpa_table *t, size_t row, size_t k, const gpa_column *c)
{
    if (c->text == NULL)
        gpai_table_put_real(t, row, k, number_at(c, row));
    else if (c->text[row] != NULL)
        gpai_table_put_bad(t, row, k, strlen(c->text[row]));
    else
        gpai_table_put(t, row, k, (double)NAN, 0);
}

static void put_text(gpa_table *t, size_t row, size_t k, const gpa_column *c)
{
    if (c->text == NULL) {
        gpai_table_put_real_text(t, row, k, number_at(c, row));
        return;
    }
    const char *text = c->text[row];
    if (text == NULL)
        gpai_table_put_no_text(t, row, k);
    else
        strcpy(gpai_table_put_text(t, row, k, strlen(text)), text);
}

static gpa_status fill(gpa_table *t, size_t n, const gpa_column *columns,
                       size_t n_columns, gpa_error *err)
{
    bool want_text = false;
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < n_columns && st == GPA_OK; k++)
        st = add(t, &columns[k], err);
    if (st == GPA_OK)
        st = gpai_table_reserve(t, n, false, NULL, err);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < n_columns; k++) {
        t->column[k].keep = columns[k].text != NULL;
        for (size_t row = 0; row < n; row++)
            put(t, row, k, &columns[k]);
    }
    st = gpai_table_settle(t, n, &want_text, err);
    for (size_t k = 0; k < n_columns && st == GPA_OK; k++)
        for (size_t row = 0; row < n && t->column[k].text != NULL; row++)
            put_text(t, row, k, &columns[k]);
    return st;
}

gpa_status gpa_table_set_boolean(gpa_table *t, size_t column, gpa_error *err)
{
    if (t == NULL || column >= t->n_columns)
        return gpai_fail(err, GPA_INVALID, "table: no column %zu", column);
    gpai_column *c = &t->column[column];
    for (size_t i = 0; i < t->n_rows; i++)
        if (c->numbers == NULL ||
            (c->numbers[i] != 0 && c->numbers[i] != 1 && !isnan(c->numbers[i])))
            return gpai_fail(err, GPA_INVALID,
                             "table: column \"%s\" has more than 0 and 1",
                             gpai_show_text(c->name).text);
    c->spelling = GPAI_TITLE;
    return GPA_OK;
}

gpa_status gpa_table_from_columns(gpa_table **out, size_t n, const gpa_column *columns,
                                  size_t n_columns, const char *name, gpa_error *err)
{
    gpa_table *t = NULL;
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "table: nowhere to put it");
    *out = NULL;
    if (n == 0 || n_columns == 0 || columns == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no rows or no columns");
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < n_columns && st == GPA_OK; k++)
        st = check(&columns[k], k, err);
    if (st == GPA_OK)
        st = gpai_table_new(&t, name != NULL ? name : "table", err);
    if (st == GPA_OK)
        st = fill(t, n, columns, n_columns, err);
    if (st == GPA_OK)
        *out = t;
    else
        gpa_table_free(t);
    return st;
}
