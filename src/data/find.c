#include <gpa/data.h>

#include "base/status.h"
#include "data/table.h"
#include <stdio.h>
#include <string.h>

/* gpa_table_find, which takes some care over what it says when there is no such column.
 */

enum { NAME_MAX_LENGTH = 64, LIST_ROOM = 200 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edits (insert, remove, change a character) from one name to another, letter case left
 * out; names beyond NAME_MAX_LENGTH are far from everything. */
static size_t edits(const char *a, const char *b)
{
    size_t row[NAME_MAX_LENGTH + 1], n = strlen(b);
    if (strlen(a) > NAME_MAX_LENGTH || n > NAME_MAX_LENGTH)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            row[j] = min3(row[j] + 1, row[j - 1] + 1, change);
        }
    }
    return row[n];
}

/* The nearest name when it is close enough to be meant; or NULL. */
static const char *nearest(const gpa_table *t, const char *name)
{
    size_t best = strlen(name) / 3 + 2; /* of bmi, bm and BMX, but not age */
    const char *found = NULL;
    for (size_t k = 0; k < t->n_columns; k++) {
        size_t far = edits(name, t->column[k].name);
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

gpa_status gpa_table_find(const gpa_table *t, const char *name, size_t *column,
                          gpa_error *err)
{
    char names[LIST_ROOM] = "";
    if (t == NULL || name == NULL || column == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no table or no name to find");
    if (gpai_table_lookup(t, name, strlen(name), column))
        return GPA_OK;
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
