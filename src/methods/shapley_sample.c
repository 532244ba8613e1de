#include "base/alloc.h"
#include "base/rng.h"
#include "base/status.h"
#include "methods/differences.h"
#include "methods/shapley.h"
#include <math.h>

enum { STREAM_DRAWS = 4 }; /* of the seed: 0 to 3 serve slopes, samples and rows */

/* One configuration: a reference row and an order of the inputs. */
struct draw {
    size_t row;
    const size_t *order; /* d */
};

struct work {
    gpai_attribute *w;
    gpai_differences q;
    gpai_rng rng;
    double *point; /* d */
    size_t *order; /* d */
};

uint64_t gpai_shapley_sample_rows(const gpai_attribute *w)
{
    uint64_t chain = gpai_shapley_players(w); /* without x itself, which is known */
    if (w->opt->sv_antithetic && chain > 0)
        chain += chain - 1; /* the reference row is shared */
    return chain * w->s->n * w->opt->sv_configurations;
}

/* Uniform in 0 .. n - 1. The bits above the largest multiple of n are drawn again. */
static size_t below(gpai_rng *rng, size_t n)
{
    uint64_t bits, limit = UINT64_MAX - UINT64_MAX % n;
    do
        bits = gpai_rng_bits(rng);
    while (bits >= limit);
    return (size_t)(bits % n);
}

/* The c-th configuration: the given one, or the next draw. */
static struct draw draw(struct work *v, size_t c)
{
    const gpa_attribute_options *o = v->w->opt;
    size_t d = v->w->s->d;
    if (o->sv_rows != NULL)
        return (struct draw){o->sv_rows[c], o->sv_orders + c * d};
    size_t row = below(&v->rng, o->reference->n);
    for (size_t j = 0; j < d; j++) { /* Fisher and Yates, from the inside out */
        size_t i = below(&v->rng, j + 1);
        v->order[j] = v->order[i];
        v->order[i] = j;
    }
    return (struct draw){row, v->order};
}

/* f(x) - f(reference row) goes to the extra, and the reference row's f is the base. */
static gpa_status begin(struct work *v, size_t row, double f_x, double weight)
{
    gpai_differences *q = &v->q;
    double f = gpai_reference_f(v->w, row);
    gpai_use use = {.input = (uint32_t)q->d, .weight = -weight, .base = true};
    gpa_status st = gpai_differences_know(q, f_x, (gpai_use){.base = true});
    if (st != GPA_OK)
        return st;
    return isfinite(f) ? gpai_differences_know(q, f, use)
                       : gpai_differences_ask(q, v->point, use);
}

/* From the reference row to x in this order, or in the opposite one. */
static gpa_status walk(struct work *v, const struct draw *c, bool backwards,
                       const double *x, double f_x, double weight)
{
    gpai_differences *q = &v->q;
    size_t d = q->d, left = 0;
    gpa_status st = GPA_OK;
    for (size_t k = 0; k < d; k++)
        left += v->point[k] != x[k];
    for (size_t j = 0; left > 0 && st == GPA_OK; j++) {
        size_t k = c->order[backwards ? d - 1 - j : j];
        gpai_use use = {.input = (uint32_t)k, .weight = weight, .base = true};
        if (v->point[k] == x[k])
            continue;
        v->point[k] = x[k];
        left--;
        st = left > 0 ? gpai_differences_ask(q, v->point, use)
                      : gpai_differences_know(q, f_x, use);
    }
    return st;
}

/* One configuration for row t. */
static gpa_status play(struct work *v, const struct draw *c, size_t t)
{
    const gpa_sample *s = v->w->s;
    const double *x = s->x + t * s->d, *r = v->w->opt->reference->x + c->row * s->d;
    bool twice = v->w->opt->sv_antithetic;
    double weight = 1 / (double)s->n, each = twice ? 0.5 * weight : weight;
    gpai_hold_frozen(v->w, x, r, v->point);
    gpa_status st = begin(v, c->row, s->f[t], weight);
    if (st == GPA_OK)
        st = walk(v, c, false, x, s->f[t], each);
    if (st != GPA_OK || !twice)
        return st;
    gpai_hold_frozen(v->w, x, r, v->point);
    st = gpai_differences_restart(&v->q, (gpai_use){.base = true});
    return st == GPA_OK ? walk(v, c, true, x, s->f[t], each) : st;
}

static gpa_status play_all(struct work *v)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < v->w->opt->sv_configurations && st == GPA_OK; i++) {
        struct draw c = draw(v, i);
        for (size_t t = 0; t < v->w->s->n && st == GPA_OK; t++)
            st = play(v, &c, t);
        if (st == GPA_OK)
            st = gpai_differences_fold(&v->q);
    }
    return st == GPA_OK ? gpai_differences_finish(&v->q) : st;
}

gpa_status gpai_shapley_sample(gpai_attribute *w)
{
    size_t d = w->s->d;
    struct work v = {.w = w, .rng = gpai_rng_make(w->explain->seed, STREAM_DRAWS)};
    v.point = gpai_calloc(d, sizeof *v.point);
    v.order = gpai_calloc(d, sizeof *v.order);
    gpa_status st = GPA_OK;
    if (v.point == NULL || v.order == NULL)
        st = gpai_nomem(w->err, "sv");
    if (st == GPA_OK)
        st = gpai_differences_open(&v.q, w, gpai_shapley_sample_rows(w));
    if (st == GPA_OK)
        st = play_all(&v);
    if (st == GPA_OK)
        gpai_differences_error(&v.q, 0);
    gpai_differences_close(&v.q);
    gpai_free(v.order);
    gpai_free(v.point);
    return st;
}
