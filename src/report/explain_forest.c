#include "report/explain_plot.h"
#include <gpa/plot.h>
#include <math.h>
#include <stdio.h>

/* The changes of an explanation with their intervals. */

enum { SHOWN = 20 };

/* The likeliest culprit first: the plot sorts by weight. */
static void fill(const gpai_sketch *s, gpa_forest_plot *p, const char **names)
{
    double *at = s->numbers, *point = at, *low50 = at + p->n, *high50 = at + 2 * p->n,
           *low90 = at + 3 * p->n, *high90 = at + 4 * p->n, *weight = at + 5 * p->n;
    for (size_t i = 0; i < p->n; i++) {
        size_t k = s->inputs[i];
        const gpa_marginal *m = gpa_explanation_marginal(s->view.e, k);
        const double none = (double)NAN;
        names[i] = s->names[k];
        point[i] = s->view.delta[k];
        low50[i] = m != NULL ? m->interval50[0] : none;
        high50[i] = m != NULL ? m->interval50[1] : none;
        low90[i] = m != NULL ? m->interval90[0] : none;
        high90[i] = m != NULL ? m->interval90[1] : none;
        weight[i] = (double)(p->n - i);
    }
    p->point = point;
    p->low50 = low50;
    p->high50 = high50;
    p->low90 = low90;
    p->high90 = high90;
    p->weight = weight;
    p->names = names;
}

gpa_status gpa_plot_explanation_forest(gpa_text *t, const gpa_report_info *info,
                                       const gpa_explanation *e, gpa_error *err)
{
    gpai_sketch s;
    const char *names[SHOWN];
    char note[120] = "likeliest culprit first";
    gpa_status st = gpai_sketch_make(&s, t, info, e, 6 * SHOWN, err);
    if (st != GPA_OK)
        return st;
    gpa_forest_plot p;
    gpa_forest_plot_init(&p);
    p.n = s.n < SHOWN ? s.n : SHOWN;
    p.x_label = "change, in units of the input's spread";
    if (s.view.c == NULL)
        snprintf(note, sizeof note, "largest change first");
    if (s.n > p.n)
        snprintf(note, sizeof note, "the first %zu of %zu inputs", p.n, s.n);
    p.note = note;
    fill(&s, &p, names);
    st = gpa_plot_forest(t, &p, err);
    gpai_sketch_free(&s);
    return st;
}
