#include "result/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include "report/saved/saved.h"
#include <gpa/attribute.h>
#include <stdio.h>

/* A comparison, as compare_json.c wrote it. */

struct work {
    const gpa_saved *s;
    const gpa_method **methods; /* m */
    size_t m;
    gpa_comparison *c;
    gpa_error *err;
};

/* What a method has in the object `key`, which not all of them have: a list, or NULL.
 */
static const gpai_value *list_of(gpai_reader *r, const gpai_value *o, const char *key,
                                 const char *method)
{
    const gpai_value *all = gpai_read_object(r, o, key, true);
    return all != NULL ? gpai_read_list(r, all, method, true) : NULL;
}

static void read_extra(gpai_reader *r, const gpai_value *o, gpa_attribution *a)
{
    const gpai_value *all = gpai_read_object(r, o, "extra", true);
    const gpai_value *one =
        all != NULL ? gpai_read_object(r, all, a->method->name, true) : NULL;
    const char *name = one != NULL ? gpai_read_text(r, one, "name", false) : NULL;
    if (name == NULL)
        return;
    snprintf(a->extra_room, sizeof a->extra_room, "%s", name);
    a->extra_name = a->extra_room;
    a->extra = gpai_read_number(r, one, "value");
}

static void read_notes(gpai_reader *r, const gpai_value *o, gpa_attribution *a)
{
    const gpai_value *list = list_of(r, o, "notes", a->method->name);
    for (size_t i = 0; i < gpai_value_items(list) && r->status == GPA_OK; i++) {
        const char *note = gpai_value_text(gpai_value_at(list, i));
        if (note != NULL)
            gpai_attribution_note(a, "%s", note);
        else
            gpai_read_fail(r, "notes", "not a text");
    }
}

/* The verdict on the row is gpa's. */
static void read_verdict(gpai_reader *r, const gpai_value *o, gpa_attribution *a)
{
    const gpai_value *verdict = gpai_read_object(r, o, "verdict", true);
    if (verdict == NULL)
        return;
    const char *kind = gpai_read_text(r, verdict, "kind", false);
    const char *text = gpai_read_text(r, verdict, "text", false);
    a->verdict = (gpa_verdict)gpai_read_name(r, "verdict", kind, GPAI_VERDICT);
    a->verdict_text = text != NULL ? gpai_strdup(text) : NULL;
    if (text != NULL && a->verdict_text == NULL)
        gpai_read_nomem(r);
}

/* d numbers that some methods have; whether this one does. */
static bool read_some(gpai_reader *r, const gpai_value *o, const char *key,
                      const gpa_attribution *a, double *into)
{
    const gpai_value *list = list_of(r, o, key, a->method->name);
    if (list != NULL)
        gpai_read_numbers(r, list, key, a->d, GPAI_HOLES, into);
    return list != NULL;
}

/* A whole number that a method has in the object `key`. */
static uint64_t read_of(gpai_reader *r, const gpai_value *o, const char *key,
                        const gpa_attribution *a)
{
    return gpai_read_count(r, gpai_read_object(r, o, key, false), a->method->name);
}

static void read_answer(gpai_reader *r, const gpai_value *o, gpai_compared *cell)
{
    gpa_attribution *a = cell->a;
    const char *method = a->method->name;
    read_some(r, o, "scores", a, a->score);
    a->has_sd = read_some(r, o, "sd", a, a->sd);
    a->has_responsible = read_some(r, o, "responsible", a, a->responsible);
    if (a->has_responsible) {
        a->output = gpai_read_share(r, gpai_read_object(r, o, "output", false), method);
        read_verdict(r, o, a);
    }
    cell->has_flipped = read_some(r, o, "flip", a, cell->flipped);
    a->rows = read_of(r, o, "model_rows", a);
    a->calls = read_of(r, o, "model_calls", a);
    a->iterations = (size_t)read_of(r, o, "iterations", a);
    const gpai_value *converged = gpai_read_object(r, o, "converged", false);
    const gpai_value *reacts = gpai_read_object(r, o, "reacts", false);
    a->converged = gpai_read_bool(r, converged, method);
    const gpai_value *known = gpai_value_get(reacts, method);
    cell->reacts = gpai_value_is_true(known) ? 1 : gpai_value_is_truth(known) ? 0 : -1;
    read_extra(r, o, a);
    read_notes(r, o, a);
}

static void read_method(gpai_reader *r, struct work *w, const gpai_value *o, size_t i,
                        size_t j)
{
    const gpa_method *method = w->methods[j];
    gpai_compared *cell = gpai_comparison_cell(w->c, i, j);
    const gpai_value *scores = gpai_read_object(r, o, "scores", false);
    const gpai_value *skipped = gpai_read_object(r, o, "skipped", false);
    if (r->status == GPA_OK &&
        gpai_value_is_list(gpai_value_get(scores, method->name))) {
        r->status = gpai_attribution_new(&cell->a, method, w->s->d, r->err);
        if (r->status == GPA_OK)
            read_answer(r, o, cell);
        return;
    }
    const char *why = gpai_read_text(r, skipped, method->name, false);
    cell->skipped = why != NULL ? gpai_strdup(why) : NULL;
    if (cell->skipped == NULL)
        gpai_read_nomem(r);
}

static gpa_status read_row(struct work *w, size_t i)
{
    gpai_shown name;
    gpai_reader r = {.err = w->err};
    gpai_value *o = gpai_saved_item(&r, w->s, i, &name);
    w->c->row[i] = (size_t)gpai_read_count(&r, o, "row");
    w->c->y[i] = gpai_read_number(&r, o, "y");
    w->c->f[i] = gpai_read_number(&r, o, "f");
    for (size_t j = 0; j < w->m && r.status == GPA_OK; j++)
        read_method(&r, w, o, i, j);
    gpai_value_free(o);
    return r.status;
}

static gpa_spread read_spread(gpai_reader *r, const gpai_value *o, const char *key)
{
    const gpai_value *one = gpai_read_object(r, o, key, false);
    return (gpa_spread){.mean = gpai_read_number(r, one, "mean"),
                        .sd = gpai_read_number(r, one, "sd"),
                        .n = (size_t)gpai_read_count(r, one, "n")};
}

/* gpa itself is what the others are compared with: it has none. */
static gpa_status read_consistency(struct work *w)
{
    gpai_reader r = {.name = w->s->name.text, .err = w->err};
    const gpai_value *all = gpai_read_object(&r, w->s->head, "consistency", false);
    for (size_t j = 0; j < w->m && r.status == GPA_OK; j++) {
        const gpai_value *one = gpai_read_object(&r, all, w->methods[j]->name, true);
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
    const gpai_value *list = gpai_read_list(&r, w->s->head, "methods", false);
    w->m = gpai_value_items(list);
    if (w->m > gpa_method_count())
        gpai_read_fail(&r, "methods", "%zu, more than this library has", w->m);
    w->methods = gpai_read_room(&r, w->m, sizeof *w->methods);
    for (size_t j = 0; j < w->m && r.status == GPA_OK; j++) {
        const char *name = gpai_read_text_at(&r, list, "methods", j);
        w->methods[j] = gpa_method_find(name);
        if (name != NULL && w->methods[j] == NULL)
            r.status = gpai_fail(w->err, GPA_UNSUPPORTED,
                                 "compare: no method is called '%.40s'", name);
    }
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
    gpa_status st = gpai_comparison_new(&w->c, n, w->s->d, w->m, true, w->err);
    for (size_t j = 0; j < w->m && st == GPA_OK; j++)
        w->c->method[j] = w->methods[j];
    return st;
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
    gpai_free(w.methods);
    return st;
}
