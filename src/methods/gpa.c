#include "engine/explain.h"
#include "methods/attribute.h"
#include <string.h>

gpa_explain_options gpai_attribute_explain(const gpai_attribute *w)
{
    gpa_explain_options o = *w->explain;
    if (o.progress == NULL) {
        o.progress = w->opt->progress;
        o.progress_ctx = w->opt->progress_ctx;
    }
    return o;
}

/* An explanation becomes an attribution. */
static void take_delta(gpai_attribute *w, const gpa_explanation *e)
{
    gpa_attribution *a = w->a;
    const gpa_summary *s = &e->summary;
    memcpy(a->score, e->delta, e->d * sizeof *a->score);
    a->rows = s->model_rows;
    a->calls = s->model_calls;
    a->iterations = s->iterations;
    a->converged = s->converged;
    a->eta = s->eta;
    a->sigma = s->sigma;
    if (s->budget_hit)
        gpai_attribution_note(a, "the budget of %zu rows is used up",
                              w->explain->budget);
    for (size_t i = 0; i < e->n_notes; i++)
        if (i < e->culprit_notes[0] || i >= e->culprit_notes[1]) /* not shown here */
            gpai_attribution_note(a, "%s", e->notes[i]);
}

gpa_status gpai_attribute_map(gpai_attribute *w, gpa_explain_options *o,
                              void (*change)(gpa_explanation *e,
                                             const gpa_explain_options *o))
{
    gpa_explanation *e = NULL;
    gpa_status st = gpai_explain_begin(&e, w->model, w->s, o, w->a->rows > 0, w->err);
    if (st == GPA_OK && change != NULL)
        change(e, o);
    if (st == GPA_OK)
        st = gpai_explain_run(e, w->model, o, w->err);
    if (st == GPA_OK)
        take_delta(w, e);
    gpa_explanation_free(e);
    return st;
}

gpa_status gpai_attribute_gpa(gpai_attribute *w)
{
    gpa_explain_options o = gpai_attribute_explain(w);
    if (o.marginals == GPA_MARGINALS_AUTO)
        o.marginals = GPA_MARGINALS_NONE; /* a comparison looks at the MAP alone */
    if (o.culprit == GPA_CULPRIT_AUTO)
        o.culprit = GPA_CULPRIT_OFF;
    return gpai_attribute_map(w, &o, NULL);
}
