#include "engine/culprit/density/context.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>

/* Standard deviations from what the others let expect, and their square. */
static const double ODD = 3;

enum {
    SCORES_MOST = 256, /* of more, all have a say: the matrix below would be large */
    LEAVE_MOST = 16    /* inputs that do not fit */
};

struct work {
    gpai_plausible *q;
    const bool *blind;
    size_t n, rows;
    double *p;    /* n by n: the precision of the scores that are left */
    double *z;    /* rows by n */
    double *pull; /* n */
    double *rank; /* scratch of the copula */
    double *odd;  /* axes: mean over the rows of its squared distance */
};

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    w->p = gpai_take(a, w->n, w->n);
    w->z = gpai_take(a, w->rows, w->n);
    w->pull = gpai_take(a, w->n, 1);
    w->rank = gpai_take(a, w->q->crowd->copula.rank, 1);
    w->odd = gpai_take(a, w->q->crowd->axes, 1);
}

/* The score of a number, beyond everything seen as far as it really is: kernels with
 * wide tails let what is far outside seem hardly unusual. */
static double far_score(const gpai_trait *t, double value, double score)
{
    const gpai_kernels *c = &t->kernels;
    size_t last = c->count - 1;
    double x = value / t->unit, sd = c->mad > 0 ? c->mad : c->width;
    if (x < c->centre[0])
        return t->known[0] + (x - c->centre[0]) / sd;
    if (x > c->centre[last])
        return t->known[last] + (x - c->centre[last]) / sd;
    return score;
}

static void take_rows(struct work *w)
{
    const gpai_plausible *q = w->q;
    const gpai_crowd *d = q->crowd;
    for (size_t t = 0; t < w->rows; t++) {
        double *z = w->z + t * w->n;
        gpai_plausible_row(w->q, t);
        for (size_t k = 0; k < w->n; k++)
            z[k] = q->z[k];
        for (size_t i = 0; i < d->axes; i++) {
            double v = q->p->x[t * q->p->d + q->s->axis[i].input];
            if (d->trait[i].kind == GPAI_TRAIT_NUMBER && isfinite(v))
                z[d->trait[i].first] =
                    far_score(&d->trait[i], v, q->z[d->trait[i].first]);
        }
    }
}

static void take_links(struct work *w)
{
    const gpai_copula *c = &w->q->crowd->copula;
    for (size_t j = 0; j < w->n; j++)
        for (size_t k = 0; k < w->n; k++)
            w->p[j * w->n + k] = gpai_copula_link(c, j, k);
}

/* A score leaves: the others' precision without it. */
static void leave(struct work *w, size_t score)
{
    size_t n = w->n;
    double own = w->p[score * n + score];
    for (size_t j = 0; j < n; j++)
        w->pull[j] = w->p[j * n + score];
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            w->p[j * n + k] -= own > 0 ? w->pull[j] * w->pull[k] / own : 0;
    for (size_t j = 0; j < n; j++)
        w->p[j * n + score] = w->p[score * n + j] = 0;
}

/* How far each axis of one score is from what the others let expect. */
static void find_odd(struct work *w)
{
    const gpai_crowd *d = w->q->crowd;
    for (size_t i = 0; i < d->axes; i++) {
        size_t k = d->trait[i].first;
        const double *p = w->p + k * w->n;
        w->odd[i] = 0;
        for (size_t t = 0; t < w->rows && d->trait[i].width == 1 && p[k] > 0; t++) {
            double pull = 0;
            for (size_t j = 0; j < w->n; j++)
                pull += p[j] * w->z[t * w->n + j];
            w->odd[i] += pull * pull / (p[k] * (double)w->rows);
        }
    }
}

static size_t farthest(const struct work *w)
{
    size_t axes = w->q->crowd->axes, best = axes;
    for (size_t i = 0; i < axes; i++)
        if (w->odd[i] > (best < axes ? w->odd[best] : ODD * ODD))
            best = i;
    return best;
}

static size_t let_go(struct work *w, bool *silent)
{
    const gpai_crowd *d = w->q->crowd;
    size_t count = 0;
    take_links(w);
    for (size_t i = 0; i < d->axes; i++)
        for (size_t k = 0; w->q->s->axis[i].gap && k < d->trait[i].width; k++)
            leave(w, d->trait[i].first + k);
    for (int gone = 0; gone < LEAVE_MOST; gone++) {
        find_odd(w);
        size_t axis = farthest(w);
        if (axis == d->axes)
            break;
        leave(w, d->trait[axis].first);
        silent[axis] = w->blind[axis];
        count += silent[axis];
    }
    return count;
}

/* Whether some blind axis may have to go: mostly none. */
static bool any_odd(struct work *w)
{
    const gpai_crowd *d = w->q->crowd;
    const gpai_copula *c = &d->copula;
    for (size_t t = 0; t < w->rows; t++) {
        gpai_copula_pull(c, w->z + t * w->n, w->rank, w->pull);
        for (size_t i = 0; i < d->axes; i++) {
            size_t k = d->trait[i].first;
            if (w->blind[i] && !w->q->s->axis[i].gap && d->trait[i].width == 1 &&
                w->pull[k] * w->pull[k] > ODD * ODD * gpai_copula_link(c, k, k))
                return true;
        }
    }
    return false;
}

gpa_status gpai_context_check(gpai_plausible *q, const bool *blind, bool *silent,
                              size_t *count, gpa_error *err)
{
    struct work w = {.q = q, .blind = blind, .n = q->crowd->scores, .rows = q->p->n};
    bool any = false;
    *count = 0;
    for (size_t i = 0; i < q->crowd->axes; i++) {
        silent[i] = false;
        any = any || blind[i];
    }
    if (w.n > SCORES_MOST || !any)
        return GPA_OK;
    double *block = gpai_carve_bare(lay_out, &w);
    if (block == NULL)
        return gpai_nomem(err, "culprit");
    take_rows(&w);
    if (any_odd(&w))
        *count = let_go(&w, silent);
    gpai_free(block);
    return GPA_OK;
}
