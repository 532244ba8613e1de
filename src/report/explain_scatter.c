#include "base/alloc.h"
#include "base/status.h"
#include "report/explain_plot.h"
#include <gpa/plot.h>
#include <math.h>
#include <stdio.h>

/* The inputs that carry the change against y, among all rows. */

enum { SHOWN = 4 };

/* Those that change most; where fewer than two do, the likeliest culprits as well. */
static size_t choose(const gpai_sketch *s, size_t *inputs)
{
    size_t n = 0;
    for (size_t i = 0; i < s->view.moved && n < SHOWN; i++)
        inputs[n++] = s->view.largest[i];
    for (size_t i = 0; i < s->n && n < 2; i++)
        if (n == 0 || inputs[0] != s->inputs[i])
            inputs[n++] = s->inputs[i];
    return n;
}

static gpa_status check(const gpai_sketch *s, gpa_error *err)
{
    const gpa_background *b = s->info.background;
    if (b == NULL || b->n == 0 || b->x == NULL || b->y == NULL || b->d != s->view.d)
        return gpai_fail(err, GPA_INVALID, "scatter plot: no rows of the same inputs");
    for (size_t t = 0; t < s->view.n; t++)
        if (gpai_background_place(b, gpa_explanation_row(s->view.e, t)) == b->n)
            return gpai_fail(err, GPA_INVALID,
                             "scatter plot: row %zu is not among the rows",
                             gpa_explanation_row(s->view.e, t));
    return GPA_OK;
}

static gpa_status draw(gpa_text *t, const gpai_sketch *s, size_t *marked,
                       gpa_error *err)
{
    const gpa_background *b = s->info.background;
    size_t inputs[SHOWN], n = s->view.n, d = s->view.d;
    char note[120] = "";
    for (size_t i = 0; i < n; i++) {
        marked[i] = gpai_background_place(b, gpa_explanation_row(s->view.e, i));
        for (size_t k = 0; k < d; k++)
            s->numbers[i * d + k] = s->view.raw[k];
    }
    if (b->n < b->total)
        snprintf(note, sizeof note, "%zu of %zu rows", b->n, b->total);
    gpa_scatter_plot p;
    gpa_scatter_plot_init(&p);
    p.note = note[0] != '\0' ? note : NULL;
    p.n = b->n;
    p.d = d;
    p.x = b->x;
    p.y = b->y;
    p.rows = b->rows;
    p.names = s->names;
    p.y_label = s->info.target;
    p.inputs = inputs;
    p.n_inputs = choose(s, inputs);
    p.marked = marked;
    p.n_marked = n;
    p.delta = s->numbers;
    return gpa_plot_scatter(t, &p, err);
}

gpa_status gpa_plot_explanation_scatter(gpa_text *t, const gpa_report_info *info,
                                        const gpa_explanation *e, gpa_error *err)
{
    gpai_sketch s;
    size_t n = e != NULL ? gpa_explanation_rows(e) : 0;
    size_t d = e != NULL ? gpa_explanation_dim(e) : 0; /* x took as much */
    gpa_status st = gpai_sketch_make(&s, t, info, e, n * d, err);
    if (st != GPA_OK)
        return st;
    size_t *marked = gpai_calloc(n, sizeof *marked);
    st = marked != NULL ? check(&s, err) : gpai_nomem(err, "scatter plot");
    if (st == GPA_OK)
        st = draw(t, &s, marked, err);
    gpai_free(marked);
    gpai_sketch_free(&s);
    return st;
}
