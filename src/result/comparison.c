#include "result/comparison.h"
#include "base/alloc.h"
#include "base/status.h"
#include <stdint.h>

static bool allocate(gpa_comparison *c, bool flip)
{
    size_t n = c->n, m = c->m, d = c->d;
    if (n > 0 && (m > SIZE_MAX / n || d > SIZE_MAX / (n * m) / (2 * sizeof(double))))
        return false;
    c->row = gpai_calloc(n, sizeof *c->row);
    c->y = gpai_calloc(n, 2 * sizeof *c->y);
    c->method = gpai_calloc(m, sizeof *c->method);
    c->cell = gpai_calloc(n * m, sizeof *c->cell);
    c->consistency = gpai_calloc(m, sizeof *c->consistency);
    c->consistent = gpai_calloc(m, sizeof *c->consistent);
    if (flip)
        c->flipped = gpai_calloc(n * m * d, sizeof *c->flipped);
    return c->row != NULL && c->y != NULL && c->method != NULL && c->cell != NULL &&
           c->consistency != NULL && c->consistent != NULL &&
           (!flip || c->flipped != NULL);
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
    if (!allocate(c, flip)) {
        gpa_comparison_free(c);
        return gpai_nomem(err, "compare");
    }
    c->f = c->y + n;
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
    for (size_t i = 0; c->cell != NULL && i < c->n * c->m; i++) {
        gpa_attribution_free(c->cell[i].a);
        gpai_free(c->cell[i].skipped);
    }
    gpai_free(c->flipped);
    gpai_free(c->consistent);
    gpai_free(c->consistency);
    gpai_free(c->cell);
    gpai_free(c->method);
    gpai_free(c->y);
    gpai_free(c->row);
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
