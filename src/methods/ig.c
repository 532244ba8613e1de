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
    const gpa_sample *s = w->s;
    gpai_path p = {0};
    gpai_differences q = {0};
    double *x0 = gpai_calloc(s->d, 2 * sizeof *x0);
    gpa_status st = x0 == NULL ? gpai_nomem(w->err, "ig") : gpai_path_open(&p, w, 1);
    if (st == GPA_OK)
        st = gpai_differences_open(&q, w, s->n * gpai_path_rows(&p, s->d));
    if (st != GPA_OK)
        goto done;
    double *from = x0 + s->d;
    baseline(w, x0);
    for (size_t t = 0; t < s->n && st == GPA_OK; t++) {
        const double *x = s->x + t * s->d;
        gpai_hold_frozen(w, x, x0, from);
        st = gpai_path_ask(&p, &q, (gpai_end){from, (double)NAN},
                           (gpai_end){x, s->f[t]}, 1 / (double)s->n);
    }
    if (st == GPA_OK)
        st = gpai_differences_fold(&q);
    if (st == GPA_OK)
        st = gpai_differences_finish(&q);
    w->a->extra_name = "f(x) - f(x0)";
    if (st == GPA_OK)
        gpai_path_note(&p, w);
done:
    gpai_differences_close(&q);
    gpai_path_close(&p);
    gpai_free(x0);
    return st;
}
