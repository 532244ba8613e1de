#include "base/alloc.h"
#include "base/sized.h"
#include "base/status.h"
#include "result/comparison.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A comparison filled by hand. */

gpa_status gpa_comparison_new(gpa_comparison **out, size_t n, size_t d,
                              const char *const *methods, size_t n_methods,
                              bool flipped, gpa_error *err)
{
    if (out == NULL || (methods == NULL && n_methods > 0))
        return gpai_fail(err, GPA_INVALID, "compare: no methods, or nowhere to put it");
    *out = NULL;
    for (size_t j = 0; j < n_methods; j++)
        if (methods[j] == NULL || gpa_method_find(methods[j]) == NULL)
            return gpai_fail(err, GPA_UNSUPPORTED,
                             "compare: no method is called '%.40s'",
                             methods[j] != NULL ? methods[j] : "");
    gpa_status st = gpai_comparison_new(out, n, d, n_methods, flipped, err);
    for (size_t j = 0; j < n_methods && st == GPA_OK; j++)
        (*out)->method[j] = gpa_method_find(methods[j]);
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        (*out)->y[i] = (*out)->f[i] = (double)NAN;
    return st;
}

static gpa_status check(const gpa_comparison *c, size_t i, size_t j, gpa_error *err)
{
    if (c != NULL && i < c->n && j < c->m)
        return GPA_OK;
    return gpai_fail(err, GPA_INVALID, "compare: there is no row %zu or method %zu", i,
                     j);
}

gpa_status gpa_comparison_set_row(gpa_comparison *c, size_t i, size_t row, double y,
                                  double f, gpa_error *err)
{
    if (c == NULL || i >= c->n)
        return gpai_fail(err, GPA_INVALID, "compare: there is no row %zu", i);
    c->row[i] = row;
    c->y[i] = y;
    c->f[i] = f;
    return GPA_OK;
}

static gpa_status fill(gpai_cell *cell, const gpa_method *method, size_t d,
                       const gpa_comparison_entry *e, gpa_error *err)
{
    gpa_status st = gpai_attribution_new(&cell->a, method, d, err);
    if (st != GPA_OK)
        return st;
    gpa_attribution *a = cell->a;
    memcpy(a->score, e->score, d * sizeof *a->score);
    a->has_sd = e->sd != NULL;
    if (a->has_sd)
        memcpy(a->sd, e->sd, d * sizeof *a->sd);
    a->rows = e->model_rows;
    a->calls = e->model_calls;
    a->iterations = e->iterations;
    a->converged = e->converged;
    if (e->extra_name != NULL) {
        snprintf(a->extra_room, sizeof a->extra_room, "%s", e->extra_name);
        a->extra_name = a->extra_room;
        a->extra = e->extra;
    }
    for (size_t i = 0; i < e->n_notes; i++)
        gpai_attribution_note(a, "%s", e->notes[i]);
    return GPA_OK;
}

static void empty(gpai_cell *cell)
{
    gpa_attribution_free(cell->a);
    gpai_free(cell->skipped);
    cell->a = NULL;
    cell->skipped = NULL;
    cell->has_flipped = false;
    cell->reacts = -1;
}

gpa_status gpa_comparison_set(gpa_comparison *c, size_t i, size_t j,
                              const gpa_comparison_entry *entry, gpa_error *err)
{
    gpa_comparison_entry e = {.reacts = -1};
    gpa_status st = check(c, i, j, err);
    if (st == GPA_OK)
        st = gpai_sized_copy(&e, sizeof e, entry,
                             "compare: an entry without its struct_size", err);
    if (st == GPA_OK && e.skipped == NULL && e.score == NULL)
        st = gpai_fail(err, GPA_INVALID, "compare: no scores, and no reason why");
    if (st != GPA_OK)
        return st;
    gpai_cell *cell = gpai_comparison_cell(c, i, j);
    empty(cell);
    if (e.skipped != NULL) {
        cell->skipped = gpai_strdup(e.skipped);
        return cell->skipped != NULL ? GPA_OK : gpai_nomem(err, "compare");
    }
    st = fill(cell, c->method[j], c->d, &e, err);
    if (st != GPA_OK)
        return st;
    cell->reacts = e.reacts;
    cell->has_flipped = e.flipped != NULL && cell->flipped != NULL;
    if (cell->has_flipped)
        memcpy(cell->flipped, e.flipped, c->d * sizeof *cell->flipped);
    return GPA_OK;
}

gpa_status gpa_comparison_set_consistency(gpa_comparison *c, size_t j,
                                          const gpa_consistency *consistency,
                                          gpa_error *err)
{
    if (c == NULL || j >= c->m)
        return gpai_fail(err, GPA_INVALID, "compare: there is no method %zu", j);
    c->consistent[j] = consistency != NULL;
    if (consistency != NULL)
        c->consistency[j] = *consistency;
    return GPA_OK;
}
