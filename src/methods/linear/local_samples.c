#include "methods/linear/local_samples.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include <math.h>

/* The seed's stream for the samples (0 and 1 are the paper's solver's); rows asked
 * between two looks at whether the caller still wants to know (four batches; chosen).
 */
enum { STREAM = 2, PIECE = 16384 };

static void lay_out(void *work, gpai_arena *a)
{
    gpai_local_samples *l = work;
    l->x = gpai_take(a, l->n, l->d);
    l->f = gpai_take(a, l->n, 1);
    l->w = gpai_take(a, l->d, 1);
}

gpa_status gpai_local_samples_open(gpai_local_samples *l, const gpai_attribute *w)
{
    *l = (gpai_local_samples){.n = w->opt->lime_samples, .d = w->s->d};
    l->block = gpai_carve(lay_out, l);
    if (l->block == NULL)
        return gpai_fail(w->err, GPA_NOMEM,
                         "%s: out of memory for %zu samples of %zu inputs",
                         w->a->method->name, l->n, l->d);
    return GPA_OK;
}

void gpai_local_samples_close(gpai_local_samples *l)
{
    gpai_free(l->block);
    *l = (gpai_local_samples){0};
}

static bool frozen(const gpai_attribute *w, size_t k)
{
    return w->explain->frozen != NULL && w->explain->frozen[k] != 0;
}

/* Frozen inputs use up their draws, too: the others do not change with them. */
static void place(gpai_local_samples *l, const gpai_attribute *w, const double *at)
{
    const gpa_attribute_options *o = w->opt;
    gpai_rng rng = gpai_rng_make(w->explain->seed, STREAM);
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < l->d; k++) {
            size_t cell = i * l->d + k;
            double to = o->lime_x != NULL ? o->lime_x[cell]
                                          : at[k] + w->explain->unit[k] * o->lime_sd *
                                                        gpai_rng_normal(&rng);
            l->x[cell] = frozen(w, k) ? at[k] : to;
        }
}

gpa_status gpai_local_samples_ask(gpai_local_samples *l, gpai_attribute *w, size_t t)
{
    const double *at = w->s->x + t * l->d;
    uint64_t before = (uint64_t)t * l->n, total = (uint64_t)w->s->n * l->n;
    gpa_status st = GPA_OK;
    place(l, w, at);
    for (size_t i = 0; i < l->n && st == GPA_OK; i += PIECE) {
        size_t n = l->n - i < PIECE ? l->n - i : PIECE;
        st = gpai_attribute_predict(w, l->x + i * l->d, n, l->f + i);
        if (st == GPA_OK)
            st = gpai_attribute_progress(w, before + i + n, total);
    }
    /* from where they really are: x + h is rounded, and a small h is not h any more */
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < l->d; k++)
            l->x[i * l->d + k] = (l->x[i * l->d + k] - at[k]) / w->explain->unit[k];
    return st;
}

gpa_status gpai_local_samples_score(const gpai_local_samples *l, gpai_attribute *w,
                                    double constant)
{
    bool finite = isfinite(constant);
    for (size_t k = 0; k < l->d; k++) {
        finite = finite && isfinite(l->w[k]);
        w->a->score[k] += l->w[k] / (double)w->s->n;
    }
    if (finite)
        return GPA_OK;
    return gpai_fail(
        w->err, GPA_NUMERIC,
        "%s: no finite linear model around the row: the predictions or the "
        "units are too large or too small",
        w->a->method->name);
}
