#include "engine/culprit/moves.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include <math.h>

/* The longest list of steps: more are a line. */
enum { STEPS = GPAI_MOVES_LISTED + 1 };

/* Chosen: P(another level) is 1/2 at most, also of a flag. Equal weight with a number
 * accuses flags too often (planted faults in tables with flags). */
static const double SWITCH = 0.5;

/* Beyond so many units the prior has next to nothing. */
static const double FAR_STEP = 10;

size_t gpai_candidates_most(const gpai_space *s)
{
    size_t most = STEPS;
    for (size_t i = 0; i < s->axes; i++)
        if (s->axis[i].kind == GPAI_AXIS_CHOICE && s->axis[i].levels > most)
            most = s->axis[i].levels;
    return most;
}

/* Steps from v = base + step `from` on to `to`; 0: too many. */
static size_t step_range(const gpai_axis *a, double *from, double *to)
{
    double reach = fmax(FAR_STEP, a->step + fabs(a->base));
    *from = ceil((a->lo - a->base) / a->step - 1e-9);
    *to = floor((a->hi - a->base) / a->step + 1e-9);
    if (*to - *from < STEPS)
        return (size_t)(*to - *from) + 1;
    if (a->gap)
        return 0;
    *from = fmax(*from, ceil((-reach - a->base) / a->step));
    *to = fmin(*to, floor((reach - a->base) / a->step));
    return *to - *from < STEPS && *to >= *from ? (size_t)(*to - *from) + 1 : 0;
}

/* ln P(0 is read | v is true) over all that could be read instead of v: the other
 * steps, and 0. */
static double step_chance(const gpai_space *s, const gpai_axis *a, double from,
                          size_t count, double v)
{
    double read[STEPS + 1];
    size_t n = 0;
    bool zero = false;
    for (size_t i = 0; i < count; i++) {
        double other = a->base + a->step * (from + (double)i);
        zero = zero || fabs(other) < 0.5 * a->step * 1e-6;
        if (other != v)
            read[n++] = -gpai_prior_penalty(&s->prior, other - v);
    }
    if (!zero)
        read[n++] = -gpai_prior_penalty(&s->prior, v);
    return -gpai_prior_penalty(&s->prior, v) - gpai_vectors_at(0)->log_sum(read, n);
}

static size_t list_steps(const gpai_space *s, const gpai_axis *a, double *value,
                         double *chance)
{
    double from, to;
    size_t steps = step_range(a, &from, &to), n = 0;
    for (size_t i = 0; i < steps; i++) {
        double v = a->base + a->step * (from + (double)i);
        if (!a->gap && fabs(v) < 0.5 * a->step * 1e-6)
            continue;
        value[n] = v;
        chance[n++] = a->gap ? 0 : step_chance(s, a, from, steps, v);
    }
    return n;
}

size_t gpai_candidates(const gpai_space *s, size_t axis, double *value, double *chance)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind == GPAI_AXIS_PLAIN)
        return 0;
    if (a->kind == GPAI_AXIS_STEP)
        return list_steps(s, a, value, chance);
    size_t n = 0, all = gpai_axis_choices(a);
    double each = fmin(SWITCH, 1 / fmax((double)all - 1, 1));
    for (size_t l = 0; l < a->levels; l++)
        if (l != a->now) {
            value[n] = (double)l;
            chance[n++] = a->gap ? 0 : log(each);
        }
    return n;
}

double gpai_line_mass(const gpai_axis *a)
{
    if (a->side == 0)
        return log(a->u_hi - a->u_lo);
    return a->log_near + log(-expm1(a->log_share)) - GPAI_LN2;
}

double gpai_line_at(const gpai_space *s, const gpai_axis *a, double share)
{
    double v;
    if (a->side == 0) {
        v = gpai_prior_quantile(&s->prior, a->u_lo + (a->u_hi - a->u_lo) * share);
    } else {
        double u = a->side > 0 ? share : 1 - share;
        double beyond = log1p(u * expm1(a->log_share));
        v = a->side * gpai_prior_tail_quantile(&s->prior, a->log_near + beyond);
    }
    return v < a->lo ? a->lo : v > a->hi ? a->hi : v;
}

double gpai_line_room(const gpai_space *s, const gpai_axis *a, double value)
{
    double below = 1, above = 0;
    if (a->side != 0 || gpai_axis_is_free(a))
        return 0;
    if (isfinite(a->lo))
        below = gpai_prior_cdf(&s->prior, value - a->lo);
    if (isfinite(a->hi))
        above = gpai_prior_cdf(&s->prior, value - a->hi);
    return log(fmax(below - above, 1e-12));
}

/* The share of the line below border i of `count` cells. The outermost of even cells
 * would be wide, and most of what it holds at its inner end: each of the last few holds
 * half as much as the one before. */
static double share_below(size_t i, size_t count)
{
    size_t few = count / 16, even = count - 2 * few;
    double each = 1 / (double)even;
    if (i == 0 || i == count)
        return i == 0 ? 0 : 1;
    if (i > count / 2)
        return 1 - share_below(count - i, count);
    return i > few ? (double)(i - few) * each : ldexp(each, (int)i - 1 - (int)few);
}

void gpai_line_cells(const gpai_space *s, const gpai_axis *a, size_t count,
                     double *value, double *chance)
{
    double mass = gpai_line_mass(a), below = 0;
    for (size_t i = 0; i < count; i++) {
        double share = share_below(i + 1, count);
        value[i] = gpai_line_at(s, a, 0.5 * (below + share));
        chance[i] = mass + log(share - below) - gpai_line_room(s, a, value[i]);
        below = share;
    }
}

void gpai_line_borders(const gpai_space *s, const gpai_axis *a, size_t count,
                       double *border)
{
    double last = 0.25 * share_below(1, count);
    for (size_t i = 0; i <= count; i++)
        border[i] =
            gpai_line_at(s, a, fmin(fmax(share_below(i, count), last), 1 - last));
}
