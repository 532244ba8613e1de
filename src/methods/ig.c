#include "base/alloc.h"
#include "base/status.h"
#include "methods/path.h"
#include <math.h>

/* Where the paths begin. */
static void baseline(const gpai_attribute *w, double *x0)
{
    const gpa_sample *r = w->opt->reference;
    size_t d = w->s->d;
    for (size_t k = 0; k < d; k++)
        x0[k] = w->opt->baseline == GPA_BASELINE_GIVEN ? w->opt->baseline_x[k] : 0;
    if (w->opt->baseline != GPA_BASELINE_REFERENCE)
        return;
    for (size_t i = 0; i < r->n; i++) /* a running mean: no sum to overflow */
        for (size_t k = 0; k < d; k++)
            x0[k] += (r->x[i * d + k] - x0[k]) / (double)(i + 1);
}

/* Integrated gradients of f; those of f - y are the same. Several rows: their mean. */
gpa_status gpai_ig(gpai_attribute *w)
{
    gpai_path p = {0};
    double *x0 = gpai_calloc(w->s->d, sizeof *x0);
    gpa_status st = x0 == NULL ? gpai_nomem(w->err, "ig") : gpai_path_open(&p, w, 1);
    if (st == GPA_OK) {
        baseline(w, x0);
        st = gpai_path_ask(&p, x0, (double)NAN);
    }
    if (st == GPA_OK)
        st = gpai_path_finish(&p, "f(x) - f(x0)");
    gpai_path_close(&p);
    gpai_free(x0);
    return st;
}
