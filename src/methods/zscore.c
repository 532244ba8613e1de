#include "base/alloc.h"
#include "base/status.h"
#include "methods/attribute.h"
#include <math.h>

/* One input over the reference rows. */
struct column {
    size_t n;          /* cells that are there */
    double first;      /* one of them; the rest is measured from it */
    double least, top; /* smallest and largest */
    double mean;
    double square; /* sum of squared deviations, in terms of the range */
};

/* Two passes, so that neither large means nor large numbers cost digits. A cell without
 * a number is passed over. */
static void measure(struct column *c, const gpa_sample *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->d; k++) {
            double x = r->x[i * r->d + k];
            if (!isfinite(x))
                continue;
            if (c[k].n++ == 0)
                c[k].first = c[k].least = c[k].top = x;
            c[k].least = fmin(c[k].least, x);
            c[k].top = fmax(c[k].top, x);
            c[k].mean += x - c[k].first;
        }
    for (size_t k = 0; k < r->d; k++)
        if (c[k].n > 0)
            c[k].mean = c[k].first + c[k].mean / (double)c[k].n;
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->d; k++) {
            double x = r->x[i * r->d + k], range = c[k].top - c[k].least;
            double off = (x - c[k].mean) / range;
            if (isfinite(off))
                c[k].square += off * off;
        }
}

/* Z = (x - mean) / sd, sd divided by n. False where there is no such number: the input
 * does not vary, or so little that the quotient overflows. */
static bool standardise(const struct column *c, double x, double *z)
{
    double sd = (c->top - c->least) * sqrt(c->square / (double)c->n);
    *z = (x - c->mean) / sd;
    return isfinite(*z);
}

gpa_status gpai_zscore(gpai_attribute *w)
{
    const gpa_sample *s = w->s, *r = w->opt->reference;
    struct column *c = gpai_calloc(s->d, sizeof *c);
    if (c == NULL)
        return gpai_nomem(w->err, "z");
    measure(c, r);
    size_t constant = 0, other = 0;
    for (size_t k = 0; k < s->d; k++) {
        bool varies = true, differs = false;
        double sum = 0, z;
        for (size_t t = 0; t < s->n; t++) {
            double x = s->x[t * s->d + k];
            varies = standardise(&c[k], x, &z) && varies;
            differs = differs || x != c[k].first;
            sum += z / (double)s->n;
        }
        w->a->score[k] = varies ? sum : 0;
        constant += !varies;
        other += !varies && differs;
    }
    if (constant > 0)
        gpai_attribution_note(w->a,
                              "%zu of %zu inputs do not vary in the reference rows: "
                              "their Z is 0 (%zu of them have another value here)",
                              constant, s->d, other);
    gpai_free(c);
    return GPA_OK;
}
