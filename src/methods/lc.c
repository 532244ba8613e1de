#include "methods/attribute.h"
#include "result/explanation.h"
#include <math.h>

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
    gpa_explain_options o = gpai_attribute_explain(w);
    o.marginals = GPA_MARGINALS_NONE; /* a point estimate, nothing else */
    o.culprit = GPA_CULPRIT_OFF;
    o.noise = GPA_NOISE_CONSTANT;
    return gpai_attribute_map(w, &o, make_gaussian);
}
