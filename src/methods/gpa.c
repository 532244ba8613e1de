#include "engine/explain.h"
#include "methods/attribute.h"
#include <math.h>
#include <string.h>

/* What the engine is told. */
static gpa_explain_options options_of(const gpai_attribute *w)
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
    a->verdict = e->culprit.verdict;
    a->has_responsible = a->verdict != GPA_VERDICT_UNKNOWN;
    if (a->has_responsible) {
        memcpy(a->responsible, e->culprit.responsible, e->d * sizeof *a->responsible);
        a->output = e->culprit.output;
    }
    if (s->budget_hit)
        gpai_attribution_note(a, "the budget of %zu rows is used up",
                              w->explain->budget);
    for (size_t i = 0; i < e->n_notes; i++)
        if (i < e->culprit_notes[0] || i >= e->culprit_notes[1]) /* not shown here */
            gpai_attribution_note(a, "%s", e->notes[i]);
}

/* The search, whose delta are the scores; `change` (or NULL) may alter what was chosen
 * before it begins. */
static gpa_status search(gpai_attribute *w, gpa_explain_options *o,
                         void (*change)(gpa_explanation *e,
                                        const gpa_explain_options *o))
{
    gpa_explanation *e = NULL;
    gpa_status st = gpai_explain_begin(&e, w->model, w->s, o, w->a->rows > 0, w->err);
    if (st == GPA_OK && change != NULL)
        change(e, o);
    if (st == GPA_OK)
        st = gpai_explain_run(e, w->model, o, NULL, w->err);
    if (st == GPA_OK)
        take_delta(w, e);
    if (st == GPA_OK && w->a->has_responsible)
        w->a->explanation = e; /* its verdict is said in words from it */
    else
        gpa_explanation_free(e);
    return st;
}

gpa_status gpai_attribute_gpa(gpai_attribute *w)
{
    gpa_explain_options o = options_of(w);
    if (o.marginals == GPA_MARGINALS_AUTO)
        o.marginals = GPA_MARGINALS_NONE; /* a comparison looks at the MAP alone */
    if (o.culprit == GPA_CULPRIT_AUTO)
        o.culprit = GPA_CULPRIT_OFF;
    return search(w, &o, NULL);
}

/* Likelihood compensation (appendix A): the same prior and the same searches as gpa,
 * but the noise is Gaussian with a known precision, O(delta) = eta/2 |delta|^2 + eta nu
 * |delta|_1 + sum_t r_t^2 / 2 sigma^2, which the engine knows as the limit a ->
 * infinity. Without sigma, b0/a0 is the variance: 1 over the precision that gpa's prior
 * expects. */
static void make_gaussian(gpa_explanation *e, const gpa_explain_options *o)
{
    gpa_summary *s = &e->summary;
    double variance = isnan(s->sigma) ? o->b0 / s->a0 : s->sigma * s->sigma;
    s->sigma = sqrt(variance);
    s->a0 = 0;
    for (size_t t = 0; t < e->n; t++)
        e->b[t] = variance;
}

gpa_status gpai_lc(gpai_attribute *w)
{
    gpa_explain_options o = options_of(w);
    o.marginals = GPA_MARGINALS_NONE; /* a point estimate, nothing else */
    o.culprit = GPA_CULPRIT_OFF;
    o.noise = GPA_NOISE_CONSTANT;
    return search(w, &o, make_gaussian);
}
