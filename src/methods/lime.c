#include "methods/attribute.h"
#include "methods/linear/lasso.h"
#include "methods/linear/local_samples.h"
#include <math.h>

/* Algorithm 1 of the paper's section 4.1: a linear model f = b0 + b' x / unit of the
 * samples around x with an l1 weight. The observed y moves b0 alone: it is left out.
 * The intercept reported is b0, the local model's prediction where every input is 0. */
static gpa_status explain_row(gpai_attribute *w, gpai_local_samples *local,
                              gpai_lasso *lasso, size_t t)
{
    const double *at = w->s->x + t * w->s->d;
    gpa_status st = gpai_local_samples_ask(local, w, t);
    if (st != GPA_OK)
        return st;
    gpai_lasso_fit fit =
        gpai_lasso_solve(lasso, local->x, local->f, w->opt->lime_l1, local->w);
    w->a->iterations += fit.sweeps;
    w->a->converged = w->a->converged && fit.converged;
    double intercept = fit.constant;
    for (size_t k = 0; k < w->s->d; k++) /* the samples were measured from x */
        intercept -= local->w[k] * (at[k] / w->explain->unit[k]);
    w->a->extra += intercept / (double)w->s->n;
    return gpai_local_samples_score(local, w, fit.constant);
}

gpa_status gpai_lime(gpai_attribute *w)
{
    gpai_local_samples local;
    gpai_lasso lasso = {0};
    gpa_status st = gpai_local_samples_open(&local, w);
    if (st == GPA_OK)
        st = gpai_lasso_open(&lasso, local.n, local.d, "lime", w->err);
    w->a->extra_name = "intercept";
    w->a->extra = 0;
    for (size_t t = 0; t < w->s->n && st == GPA_OK; t++)
        st = explain_row(w, &local, &lasso, t);
    if (!isfinite(w->a->extra)) { /* the slopes are fine all the same */
        w->a->extra_name = NULL;
        w->a->extra = (double)NAN;
    }
    if (!w->a->converged)
        gpai_attribution_note(w->a,
                              "the lasso did not converge in %zu sweeps: take more "
                              "samples, or a larger l1 weight",
                              w->a->iterations);
    gpai_lasso_close(&lasso);
    gpai_local_samples_close(&local);
    return st;
}
