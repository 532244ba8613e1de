#include "result/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void lay_out(void *work, gpai_arena *a)
{
    gpa_comparison *c = work;
    size_t cells = c->m > 0 && c->n > SIZE_MAX / c->m ? SIZE_MAX : c->n * c->m;
    c->row = gpai_take_bytes(a, c->n, sizeof *c->row);
    GPAI_TAKE_EACH(a, c->n, 1, &c->y, &c->f);
    c->method = gpai_take_bytes(a, c->m, sizeof *c->method);
    c->cell = gpai_take_bytes(a, cells, sizeof *c->cell);
    c->consistency = gpai_take_bytes(a, c->m, sizeof *c->consistency);
    c->consistent = gpai_take_bytes(a, c->m, sizeof *c->consistent);
    c->flipped = c->flip ? gpai_take(a, cells, c->d) : NULL;
}

gpa_status gpai_comparison_new(gpa_comparison **out, size_t n, size_t d, size_t m,
                               bool flip, gpa_error *err)
{
    *out = NULL;
    gpa_comparison *c = gpai_calloc(1, sizeof *c);
    if (c == NULL)
        return gpai_nomem(err, "compare");
    c->n = n;
    c->d = d;
    c->m = m;
    c->flip = flip;
    c->block = gpai_carve(lay_out, c);
    if (c->block == NULL) {
        gpai_free(c);
        return gpai_nomem(err, "compare");
    }
    for (size_t i = 0; i < n * m; i++) {
        c->cell[i].reacts = -1;
        c->cell[i].flipped = flip ? c->flipped + i * d : NULL;
    }
    *out = c;
    return GPA_OK;
}

void gpa_comparison_free(gpa_comparison *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n * c->m; i++) {
        gpa_attribution_free(c->cell[i].a);
        gpai_free(c->cell[i].skipped);
    }
    gpai_free(c->block);
    gpai_free(c);
}

gpai_cell *gpai_comparison_cell(const gpa_comparison *c, size_t i, size_t j)
{
    return &c->cell[i * c->m + j];
}

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

/* The answers to questions about a comparison: type, name, answer; _AT: about one
 * row or method, _CELL: about a method on a row. tools/check_layers.py finds these
 * functions by the names in the lists. */
#define GET(type, name, answer)                                                        \
    type name(const gpa_comparison *c)                                                 \
    {                                                                                  \
        return answer;                                                                 \
    }
#define GET_AT(type, name, answer)                                                     \
    type name(const gpa_comparison *c, size_t i)                                       \
    {                                                                                  \
        return answer;                                                                 \
    }
#define GET_CELL(type, name, answer)                                                   \
    type name(const gpa_comparison *c, size_t i, size_t j)                             \
    {                                                                                  \
        return answer;                                                                 \
    }

GET(size_t, gpa_comparison_rows, c->n)
GET(size_t, gpa_comparison_dim, c->d)
GET(size_t, gpa_comparison_methods, c->m)
GET_AT(size_t, gpa_comparison_row, c->row[i])
GET_AT(const gpa_method *, gpa_comparison_method, i < c->m ? c->method[i] : NULL)
GET_AT(double, gpa_comparison_y, c->y[i])
GET_AT(double, gpa_comparison_f, c->f[i])
GET_AT(const gpa_consistency *, gpa_comparison_consistency,
       c->consistent[i] ? &c->consistency[i] : NULL)
GET_CELL(const char *, gpa_comparison_skipped, gpai_comparison_cell(c, i, j)->skipped)
GET_CELL(const gpa_attribution *, gpa_comparison_at, gpai_comparison_cell(c, i, j)->a)
GET_CELL(int, gpa_comparison_reacts, gpai_comparison_cell(c, i, j)->reacts)
GET_CELL(const double *, gpa_comparison_flipped,
         gpai_comparison_cell(c, i, j)->has_flipped
             ? gpai_comparison_cell(c, i, j)->flipped
             : NULL)
