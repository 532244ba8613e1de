#include "result/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/saved/saved.h"
#include <gpa/attribute.h>
#include <math.h>
#include <string.h>

/* A comparison, as compare_json.c wrote it. */

enum { MOST_NOTES = 16 };

struct work {
    const gpa_saved *s;
    const char **methods; /* m names; borrowed */
    size_t m;
    double *numbers; /* scores, spreads and flipped scores of one method; d each */
    gpa_comparison *c;
    gpa_error *err;
};

static void read_extra(gpai_reader *r, const json_t *o, const char *method,
                       gpai_comparison_entry *e)
{
    const json_t *all = gpai_read_object(r, o, "extra", true);
    const json_t *one = all != NULL ? gpai_read_object(r, all, method, true) : NULL;
    if (one == NULL)
        return;
    e->extra_name = gpai_read_text(r, one, "name", false);
    e->extra = gpai_read_number(r, one, "value");
}

static void read_notes(gpai_reader *r, const json_t *o, const char *method,
                       const char **notes, gpai_comparison_entry *e)
{
    const json_t *all = gpai_read_object(r, o, "notes", true);
    const json_t *list = all != NULL ? gpai_read_list(r, all, method, true) : NULL;
    size_t n = json_array_size(list);
    e->notes = notes;
    for (; e->n_notes < n && e->n_notes < MOST_NOTES; e->n_notes++) {
        notes[e->n_notes] = json_string_value(json_array_get(list, e->n_notes));
        if (notes[e->n_notes] == NULL) {
            gpai_read_fail(r, "notes", "not a text");
            return;
        }
    }
}

/* A member of `key` that some methods have: a list of d numbers. */
static const double *read_some(gpai_reader *r, const json_t *o, const char *key,
                               const char *method, size_t d, double *into)
{
    const json_t *all = gpai_read_object(r, o, key, true);
    const json_t *list = all != NULL ? gpai_read_list(r, all, method, true) : NULL;
    if (list == NULL)
        return NULL;
    gpai_read_numbers(r, list, key, d, GPAI_HOLES, into);
    return into;
}

/* A whole number that a method has in the object `key`. */
static uint64_t read_of(gpai_reader *r, const json_t *o, const char *key,
                        const char *method)
{
    return gpai_read_count(r, gpai_read_object(r, o, key, false), method);
}

static void read_answer(gpai_reader *r, struct work *w, const json_t *o,
                        const char *method, gpai_comparison_entry *e)
{
    size_t d = w->s->d;
    e->score = read_some(r, o, "scores", method, d, w->numbers);
    e->sd = read_some(r, o, "sd", method, d, w->numbers + d);
    e->flipped = read_some(r, o, "flip", method, d, w->numbers + 2 * d);
    e->model_rows = read_of(r, o, "model_rows", method);
    e->model_calls = read_of(r, o, "model_calls", method);
    e->iterations = (size_t)read_of(r, o, "iterations", method);
    const json_t *converged = gpai_read_object(r, o, "converged", false);
    const json_t *reacts = gpai_read_object(r, o, "reacts", false);
    e->converged = gpai_read_bool(r, converged, method);
    const json_t *known = json_object_get(reacts, method);
    e->reacts = json_is_true(known) ? 1 : json_is_false(known) ? 0 : -1;
    read_extra(r, o, method, e);
}

static void read_method(gpai_reader *r, struct work *w, const json_t *o, size_t i,
                        size_t j)
{
    const char *notes[MOST_NOTES], *method = w->methods[j];
    gpai_comparison_entry e = {.reacts = -1, .extra = (double)NAN};
    const json_t *scores = gpai_read_object(r, o, "scores", false);
    const json_t *skipped = gpai_read_object(r, o, "skipped", false);
    if (r->status == GPA_OK && json_is_array(json_object_get(scores, method))) {
        read_answer(r, w, o, method, &e);
        read_notes(r, o, method, notes, &e);
    } else {
        e.skipped = gpai_read_text(r, skipped, method, false);
    }
    if (r->status == GPA_OK)
        r->status = gpai_comparison_set(w->c, i, j, &e, r->err);
}

static gpa_status read_row(struct work *w, size_t i)
{
    gpai_shown name;
    gpai_reader r = {.err = w->err};
    json_t *o = gpai_saved_item(&r, w->s, i, &name);
    w->c->row[i] = (size_t)gpai_read_count(&r, o, "row");
    w->c->y[i] = gpai_read_number(&r, o, "y");
    w->c->f[i] = gpai_read_number(&r, o, "f");
    for (size_t j = 0; j < w->m && r.status == GPA_OK; j++)
        read_method(&r, w, o, i, j);
    json_decref(o);
    return r.status;
}

static gpa_spread read_spread(gpai_reader *r, const json_t *o, const char *key)
{
    const json_t *one = gpai_read_object(r, o, key, false);
    return (gpa_spread){.mean = gpai_read_number(r, one, "mean"),
                        .sd = gpai_read_number(r, one, "sd"),
                        .n = (size_t)gpai_read_count(r, one, "n")};
}

/* gpa itself is what the others are compared with: it has none. */
static gpa_status read_consistency(struct work *w)
{
    gpai_reader r = {.name = w->s->name.text, .err = w->err};
    const json_t *all = gpai_read_object(&r, w->s->head, "consistency", false);
    for (size_t j = 0; j < w->m && r.status == GPA_OK; j++) {
        const json_t *one = gpai_read_object(&r, all, w->methods[j], true);
        if (one == NULL)
            continue;
        w->c->consistent[j] = true;
        w->c->consistency[j] =
            (gpa_consistency){.tau = read_spread(&r, one, "tau"),
                              .rho = read_spread(&r, one, "rho"),
                              .smr = read_spread(&r, one, "smr"),
                              .hit25 = read_spread(&r, one, "hit25")};
    }
    return r.status;
}

static gpa_status read_methods(struct work *w)
{
    gpai_reader r = {.name = w->s->name.text, .err = w->err};
    const json_t *list = gpai_read_list(&r, w->s->head, "methods", false);
    w->m = json_array_size(list);
    if (w->m > gpa_method_count())
        gpai_read_fail(&r, "methods", "%zu, more than this library has", w->m);
    w->methods = gpai_read_room(&r, w->m, sizeof *w->methods);
    w->numbers = gpai_read_room(&r, w->s->d, 3 * sizeof *w->numbers);
    for (size_t j = 0; j < w->m && r.status == GPA_OK; j++)
        w->methods[j] = gpai_read_text_at(&r, list, "methods", j);
    return r.status;
}

/* No file may ask for much more memory than it has numbers. */
static gpa_status make_room(struct work *w)
{
    size_t n = w->s->n_items, m = w->m > 0 ? w->m : 1;
    if (w->s->d > 64 * w->s->size / m / (n > 0 ? n : 1))
        return gpai_fail(w->err, GPA_DATA,
                         "%s: %zu rows of %zu inputs, and few numbers", w->s->name.text,
                         n, w->s->d);
    return gpai_comparison_restore(&w->c, n, w->s->d, w->methods, w->m, w->err);
}

gpa_status gpa_saved_comparison(gpa_comparison **out, const gpa_saved *s,
                                gpa_error *err)
{
    struct work w = {.s = s, .err = err};
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "report: nowhere to put a comparison");
    *out = NULL;
    if (s == NULL || s->kind != GPA_SAVED_COMPARISON)
        return gpai_fail(err, GPA_INVALID, "report: there is no comparison");
    gpa_status st = read_methods(&w);
    if (st == GPA_OK)
        st = make_room(&w);
    for (size_t i = 0; i < s->n_items && st == GPA_OK; i++)
        st = read_row(&w, i);
    if (st == GPA_OK)
        st = read_consistency(&w);
    if (st == GPA_OK)
        *out = w.c;
    else
        gpa_comparison_free(w.c);
    gpai_free(w.numbers);
    gpai_free(w.methods);
    return st;
}
