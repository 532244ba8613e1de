#include "result/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/workspace.h"
#include <stdint.h>

static void lay_out(void *work, gpai_arena *a)
{
    gpa_comparison *c = work;
    size_t cells = c->m > 0 && c->n > SIZE_MAX / c->m ? SIZE_MAX : c->n * c->m;
    c->row = gpai_take_bytes(a, c->n, sizeof *c->row);
    c->y = gpai_take(a, c->n, 1);
    c->f = gpai_take(a, c->n, 1);
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

size_t gpa_comparison_rows(const gpa_comparison *c)
{
    return c->n;
}

size_t gpa_comparison_row(const gpa_comparison *c, size_t i)
{
    return c->row[i];
}

size_t gpa_comparison_dim(const gpa_comparison *c)
{
    return c->d;
}

size_t gpa_comparison_methods(const gpa_comparison *c)
{
    return c->m;
}

const gpa_method *gpa_comparison_method(const gpa_comparison *c, size_t j)
{
    return j < c->m ? c->method[j] : NULL;
}

double gpa_comparison_y(const gpa_comparison *c, size_t i)
{
    return c->y[i];
}

double gpa_comparison_f(const gpa_comparison *c, size_t i)
{
    return c->f[i];
}

const char *gpa_comparison_skipped(const gpa_comparison *c, size_t i, size_t j)
{
    return gpai_comparison_cell(c, i, j)->skipped;
}

const gpa_attribution *gpa_comparison_at(const gpa_comparison *c, size_t i, size_t j)
{
    return gpai_comparison_cell(c, i, j)->a;
}

const double *gpa_comparison_flipped(const gpa_comparison *c, size_t i, size_t j)
{
    const gpai_cell *cell = gpai_comparison_cell(c, i, j);
    return cell->has_flipped ? cell->flipped : NULL;
}

int gpa_comparison_reacts(const gpa_comparison *c, size_t i, size_t j)
{
    return gpai_comparison_cell(c, i, j)->reacts;
}

const gpa_consistency *gpa_comparison_consistency(const gpa_comparison *c, size_t j)
{
    return c->consistent[j] ? &c->consistency[j] : NULL;
}
