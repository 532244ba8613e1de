#include "result/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include <stdint.h>

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

gpai_compared *gpai_comparison_cell(const gpa_comparison *c, size_t i, size_t j)
{
    return &c->cell[i * c->m + j];
}

const gpa_attribution *gpai_comparison_gpa(const gpa_comparison *c, size_t i)
{
    for (size_t j = 0; j < c->m; j++) {
        const gpa_attribution *a = gpai_comparison_cell(c, i, j)->a;
        if (a != NULL && a->has_responsible)
            return a;
    }
    return NULL;
}

gpa_verdict gpa_comparison_verdict(const gpa_comparison *c, size_t i)
{
    const gpa_attribution *a = gpai_comparison_gpa(c, i);
    return a != NULL ? a->verdict : GPA_VERDICT_UNKNOWN;
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
