#include <gpa/data.h>

#include "base/status.h"
#include "base/text/nearest.h"
#include "data/table.h"
#include <stdio.h>
#include <string.h>

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

gpa_status gpa_table_find(const gpa_table *t, const char *name, size_t *column,
                          gpa_error *err)
{
    char names[LIST_ROOM] = "";
    if (t == NULL || name == NULL || column == NULL)
        return gpai_fail(err, GPA_INVALID, "table: no table or no name to find");
    if (gpai_table_lookup(t, name, strlen(name), column))
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
