#include "report/words/sentence.h"
#include <math.h>

/* The values of one input alone that would look normal. */

bool gpai_view_open(const gpai_view *v, size_t k)
{
    static const double LITTLE = 0.1;
    double low = v->c->low[k], high = v->c->high[k];
    return (low * high < 0 && fmin(-low, high) > LITTLE * (high - low)) ||
           gpai_view_change(v, k) == 0;
}

/* The step on one side, within the interval that holds 90 %, that brings f nearest to
 * y; NaN where none looks normal. */
static double nearest_step(const gpai_view *v, size_t k, double side)
{
    const gpa_axis *axis = gpa_explanation_axis(v->e, k);
    double least = GPAI_LOOKS_NORMAL * v->s->sigma, best = (double)NAN;
    for (size_t i = 0; axis != NULL && !axis->gap && i < axis->points; i++) {
        double change = axis->change[i], off = fabs(v->y[0] - axis->f[i]);
        bool within = change >= v->c->low[k] && change <= v->c->high[k];
        if (change * side > 0 && within && off <= least) {
            best = v->x[k] + gpai_raw(change, v->unit[k]);
            least = off;
        }
    }
    return best;
}

/* A number that may be too high as well as too low has no one value; a whole number may
 * have one on each side, the likelier side first. */
static gpai_ways on_both_sides(const gpai_view *v, size_t k)
{
    gpai_ways w = {.n = 0};
    double first = gpai_view_change(v, k) < 0 ? -1 : 1;
    if (v->n > 1 || !gpai_is_whole(&v->kinds, k))
        return w;
    for (int i = 0; i < 2; i++) {
        double value = nearest_step(v, k, i == 0 ? first : -first);
        if (!isnan(value))
            w.value[w.n++] = value;
    }
    return w;
}

gpai_ways gpai_view_ways(const gpai_view *v, size_t k)
{
    bool number = !gpai_has_levels(&v->kinds, k) && !gpai_view_gap(v, k);
    double normal = gpai_view_normal(v, k);
    if (number && !isfinite(gpai_view_x(v, k)))
        return (gpai_ways){.n = 0};
    if (number && gpai_view_open(v, k))
        return on_both_sides(v, k);
    return (gpai_ways){{normal, normal}, !isnan(normal) && gpai_view_shared(v, k)};
}
