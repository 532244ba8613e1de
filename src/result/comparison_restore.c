#include "base/alloc.h"
#include "base/status.h"
#include "result/comparison.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A comparison that was made elsewhere. */

gpa_status gpai_comparison_restore(gpa_comparison **out, size_t n, size_t d,
                                   const char *const *methods, size_t m, gpa_error *err)
{
    *out = NULL;
    for (size_t j = 0; j < m; j++)
        if (gpa_method_find(methods[j]) == NULL)
            return gpai_fail(err, GPA_UNSUPPORTED,
                             "compare: no method is called '%.40s'", methods[j]);
    gpa_status st = gpai_comparison_new(out, n, d, m, true, err);
    for (size_t j = 0; j < m && st == GPA_OK; j++)
        (*out)->method[j] = gpa_method_find(methods[j]);
    for (size_t i = 0; i < n && st == GPA_OK; i++)
        (*out)->y[i] = (*out)->f[i] = (double)NAN;
    return st;
}

static gpa_status fill(gpai_cell *cell, const gpa_method *method, size_t d,
                       const gpai_comparison_entry *e, gpa_error *err)
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

gpa_status gpai_comparison_set(gpa_comparison *c, size_t i, size_t j,
                               const gpai_comparison_entry *e, gpa_error *err)
{
    gpai_cell *cell = gpai_comparison_cell(c, i, j);
    if (e->skipped != NULL) {
        cell->skipped = gpai_strdup(e->skipped);
        return cell->skipped != NULL ? GPA_OK : gpai_nomem(err, "compare");
    }
    gpa_status st = fill(cell, c->method[j], c->d, e, err);
    if (st != GPA_OK)
        return st;
    cell->reacts = e->reacts;
    cell->has_flipped = e->flipped != NULL;
    if (cell->has_flipped)
        memcpy(cell->flipped, e->flipped, c->d * sizeof *cell->flipped);
    return GPA_OK;
}
