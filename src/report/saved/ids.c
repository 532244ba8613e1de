#include "base/alloc.h"
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
    gpai_reader *r;
    gpa_saved *s;
    struct named *named;
    size_t n;
    bool telling; /* some name is more than the row's number */
};

static int by_row(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    return p->row < q->row ? -1 : p->row > q->row;
}

static void add(struct names *w, const json_t *row, const json_t *id)
{
    char number[24];
    const char *text = json_string_value(id);
    if (!json_is_integer(row) || json_integer_value(row) < 0 || text == NULL)
        gpai_read_fail(w->r, NULL, "a row is not a whole number, or its id not a text");
    w->named = gpai_read_grow(w->r, w->named, w->n, sizeof *w->named);
    if (w->r->status != GPA_OK)
        return;
    snprintf(number, sizeof number, "%zu", (size_t)json_integer_value(row));
    w->telling = w->telling || strcmp(number, text) != 0;
    w->named[w->n++] = (struct named){(size_t)json_integer_value(row), text};
}

static void add_all(struct names *w, const json_t *rows, const json_t *ids)
{
    for (size_t i = 0; i < json_array_size(ids) && w->r->status == GPA_OK; i++)
        add(w, json_array_get(rows, i), json_array_get(ids, i));
}

/* The names of the reference rows. */
static void take_reference(struct names *w)
{
    const json_t *o = json_object_get(w->s->head, "background");
    const json_t *rows = json_object_get(o, "rows"), *ids = json_object_get(o, "ids");
    if (ids != NULL && json_array_size(ids) != json_array_size(rows))
        gpai_read_fail(w->r, "background", "rows and ids do not match");
    add_all(w, rows, ids);
}

/* The members `rows` and `ids` (or `row` and `id`) of one item, nothing else of it. */
static void find(struct names *w, gpai_slice item, json_t **rows, json_t **ids)
{
    bool many = w->s->kind == GPA_SAVED_EXPLANATIONS;
    gpai_reader *r = w->r;
    gpai_token key;
    gpai_slice value;
    gpai_walk walk = gpai_walk_open(r, item, '{');
    while ((*rows == NULL || *ids == NULL) && gpai_walk_next(&walk, &key, &value)) {
        json_t **into = gpai_json_token_is(&key, many ? "rows" : "row") ? rows
                        : gpai_json_token_is(&key, many ? "ids" : "id") ? ids
                                                                        : NULL;
        if (into != NULL && *into == NULL)
            r->status = gpai_json_parse(into, value.at, value.size, r->name, r->err);
    }
    if (*rows == NULL || *ids == NULL)
        gpai_read_fail(r, NULL, "a result without its rows and ids");
}

static void take_item(struct names *w, gpai_slice item)
{
    json_t *rows = NULL, *ids = NULL;
    find(w, item, &rows, &ids);
    if (w->r->status == GPA_OK && w->s->kind != GPA_SAVED_EXPLANATIONS) {
        add(w, rows, ids);
    } else if (w->r->status == GPA_OK) {
        size_t n = json_array_size(rows);
        if (n == 0 || json_array_size(ids) != n)
            gpai_read_fail(w->r, NULL, "rows and ids are not two lists alike");
        add_all(w, rows, ids);
    }
    json_decref(rows);
    if (ids != NULL && json_array_append_new(w->s->id_trees, ids) != 0)
        gpai_read_nomem(w->r);
}

/* The rows in the order of the file, for pictures of all rows. */
static void keep_marked(struct names *w)
{
    gpa_saved *s = w->s;
    s->marked = gpai_read_room(w->r, w->n, sizeof *s->marked);
    for (size_t i = 0; i < w->n && w->r->status == GPA_OK; i++)
        s->marked[i] = w->named[i].row;
    s->info.marked = s->marked;
    s->info.n_marked = w->n;
    s->info.explanations = s->n_items;
}

static void keep(struct names *w)
{
    gpa_saved *s = w->s;
    qsort(w->named, w->n, sizeof *w->named, by_row);
    s->id_rows = gpai_read_room(w->r, w->n, sizeof *s->id_rows);
    s->ids = gpai_read_room(w->r, w->n, sizeof *s->ids);
    for (size_t i = 0; i < w->n && w->r->status == GPA_OK; i++) {
        s->id_rows[i] = w->named[i].row;
        s->ids[i] = w->named[i].id;
    }
    s->info.id_rows = s->id_rows;
    s->info.ids = s->ids;
    s->info.n_ids = w->n;
}

void gpai_saved_ids(gpai_reader *r, gpa_saved *s)
{
    struct names w = {.r = r, .s = s};
    s->id_trees = json_array();
    if (s->id_trees == NULL)
        gpai_read_nomem(r);
    for (size_t i = 0; i < s->n_items && r->status == GPA_OK; i++)
        take_item(&w, s->items[i]);
    keep_marked(&w);
    take_reference(&w);
    if (r->status == GPA_OK && w.telling)
        keep(&w);
    gpai_free(w.named);
}
