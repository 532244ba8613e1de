#include "base/alloc.h"
#include "base/status.h"
#include "report/saved/saved.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which name belongs to which row: the explained ones and, in a result that was saved
 * in full, those behind them. */

struct named {
    size_t row;
    const char *id;
};

struct names {
    gpa_saved *s;
    struct named *named;
    size_t n;
    bool telling; /* some name is more than the row's number */
    gpa_error *err;
};

static int by_row(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    return p->row < q->row ? -1 : p->row > q->row;
}

static gpa_status add(struct names *w, const json_t *row, const json_t *id)
{
    char number[24];
    const char *text = json_string_value(id);
    if (!json_is_integer(row) || json_integer_value(row) < 0 || text == NULL)
        return gpai_fail(w->err, GPA_DATA,
                         "%s: a row is not a whole number, or its id not a text",
                         w->s->name.text);
    struct named *more = gpai_list_grow(w->named, w->n, sizeof *more);
    if (more == NULL)
        return gpai_nomem(w->err, "report");
    w->named = more;
    snprintf(number, sizeof number, "%zu", (size_t)json_integer_value(row));
    w->telling = w->telling || strcmp(number, text) != 0;
    w->named[w->n++] = (struct named){(size_t)json_integer_value(row), text};
    return GPA_OK;
}

/* The names of the reference rows. */
static gpa_status take_reference(struct names *w)
{
    const json_t *o = json_object_get(w->s->head, "background");
    const json_t *rows = json_object_get(o, "rows"), *ids = json_object_get(o, "ids");
    gpa_status st = GPA_OK;
    if (ids == NULL)
        return GPA_OK;
    if (json_array_size(ids) != json_array_size(rows))
        return gpai_fail(w->err, GPA_DATA, "%s: background: rows and ids do not match",
                         w->s->name.text);
    for (size_t i = 0; i < json_array_size(ids) && st == GPA_OK; i++)
        st = add(w, json_array_get(rows, i), json_array_get(ids, i));
    return st;
}

/* The members `rows` and `ids` (or `row` and `id`) of one item, nothing else of it. */
static gpa_status find(struct names *w, gpai_slice item, json_t **rows, json_t **ids)
{
    const char *file = w->s->name.text;
    bool many = w->s->kind == GPA_SAVED_EXPLANATIONS;
    gpai_walk walk;
    gpa_status st = gpai_walk_open(&walk, item, file, '{', w->err);
    while (st == GPA_OK && (*rows == NULL || *ids == NULL)) {
        gpai_token key;
        gpai_slice value;
        st = gpai_walk_next(&walk, &key, &value, w->err);
        if (st == GPA_OK && value.size == 0)
            return gpai_fail(w->err, GPA_DATA, "%s: a result without its rows and ids",
                             file);
        if (st != GPA_OK)
            break;
        json_t **into = gpai_json_token_is(&key, many ? "rows" : "row") ? rows
                        : gpai_json_token_is(&key, many ? "ids" : "id") ? ids
                                                                        : NULL;
        if (into != NULL && *into == NULL)
            st = gpai_json_parse(into, value.at, value.size, file, w->err);
    }
    return st;
}

static gpa_status take_item(struct names *w, gpai_slice item)
{
    json_t *rows = NULL, *ids = NULL;
    gpa_status st = find(w, item, &rows, &ids);
    size_t n = json_array_size(rows);
    bool many = w->s->kind == GPA_SAVED_EXPLANATIONS;
    if (st == GPA_OK && !many)
        st = add(w, rows, ids);
    else if (st == GPA_OK && (n == 0 || json_array_size(ids) != n))
        st = gpai_fail(w->err, GPA_DATA, "%s: rows and ids are not two lists alike",
                       w->s->name.text);
    for (size_t i = 0; many && i < n && st == GPA_OK; i++)
        st = add(w, json_array_get(rows, i), json_array_get(ids, i));
    json_decref(rows);
    if (ids != NULL && json_array_append_new(w->s->id_trees, ids) != 0 && st == GPA_OK)
        st = gpai_nomem(w->err, "report");
    return st;
}

/* The rows in the order of the file, for pictures of all rows. */
static gpa_status keep_marked(struct names *w)
{
    gpa_saved *s = w->s;
    s->marked = gpai_calloc(w->n, sizeof *s->marked);
    if (s->marked == NULL)
        return gpai_nomem(w->err, "report");
    for (size_t i = 0; i < w->n; i++)
        s->marked[i] = w->named[i].row;
    s->info.marked = s->marked;
    s->info.n_marked = w->n;
    s->info.explanations = s->n_items;
    return GPA_OK;
}

static gpa_status keep(struct names *w)
{
    gpa_saved *s = w->s;
    qsort(w->named, w->n, sizeof *w->named, by_row);
    s->id_rows = gpai_calloc(w->n, sizeof *s->id_rows);
    s->ids = gpai_calloc(w->n, sizeof *s->ids);
    if (s->id_rows == NULL || s->ids == NULL)
        return gpai_nomem(w->err, "report");
    for (size_t i = 0; i < w->n; i++) {
        s->id_rows[i] = w->named[i].row;
        s->ids[i] = w->named[i].id;
    }
    s->info.id_rows = s->id_rows;
    s->info.ids = s->ids;
    s->info.n_ids = w->n;
    return GPA_OK;
}

gpa_status gpai_saved_ids(gpa_saved *s, gpa_error *err)
{
    struct names w = {.s = s, .err = err};
    s->id_trees = json_array();
    gpa_status st = s->id_trees != NULL ? GPA_OK : gpai_nomem(err, "report");
    for (size_t i = 0; i < s->n_items && st == GPA_OK; i++)
        st = take_item(&w, s->items[i]);
    if (st == GPA_OK)
        st = keep_marked(&w);
    if (st == GPA_OK)
        st = take_reference(&w);
    if (st == GPA_OK && w.telling)
        st = keep(&w);
    gpai_free(w.named);
    return st;
}
