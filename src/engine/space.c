#include "engine/space.h"
#include <math.h>

void gpai_space_set_prior(gpai_space *s, double eta, double nu)
{
    s->prior = gpai_prior_make(eta, nu);
    for (size_t i = 0; i < s->axes; i++) {
        gpai_axis *a = &s->axis[i];
        a->u_lo = isfinite(a->lo) ? gpai_prior_cdf(&s->prior, a->lo) : 0;
        a->u_hi = isfinite(a->hi) ? gpai_prior_cdf(&s->prior, a->hi) : 1;
        a->side = a->lo > 0 ? 1 : a->hi < 0 ? -1 : 0;
        double near = a->side > 0 ? a->lo : -a->hi, far = a->side > 0 ? a->hi : -a->lo;
        if (a->side == 0)
            continue;
        a->log_near = gpai_prior_log_tail(&s->prior, near);
        a->log_share = isfinite(far) ? gpai_prior_log_tail(&s->prior, far) - a->log_near
                                     : -HUGE_VAL;
    }
}

/* A box on one side of 0, u from its nearer end on: by the tail beyond, never by 1 -
 * it. */
static double tail_quantile(const gpai_space *s, const gpai_axis *a, double u)
{
    double beyond = log1p(-u * -expm1(a->log_share));
    return gpai_prior_tail_quantile(&s->prior, a->log_near + beyond);
}

static double tail_cdf(const gpai_space *s, const gpai_axis *a, double t)
{
    double whole = -expm1(a->log_share);
    double part = -expm1(gpai_prior_log_tail(&s->prior, t) - a->log_near);
    return whole > 0 ? part / whole : 0.5;
}

bool gpai_axis_is_free(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_PLAIN && a->lo == -HUGE_VAL && a->hi == HUGE_VAL;
}

double gpai_axis_inside(const gpai_axis *a, double v)
{
    if (a->kind == GPAI_AXIS_STEP)
        v = a->base + a->step * nearbyint((v - a->base) / a->step);
    else if (a->kind == GPAI_AXIS_CHOICE)
        v = nearbyint(v);
    return v < a->lo ? a->lo : v > a->hi ? a->hi : v;
}

double gpai_axis_snap(const gpai_axis *a, double v)
{
    double inside = gpai_axis_inside(a, v);
    return a->apart && fabs(v) < fabs(v - inside) ? 0 : inside;
}

/* Where delta puts input k of the first row. */
static double moved_to(const gpai_space *s, size_t k, const double *delta)
{
    return s->x[k] + s->unit[k] * delta[k];
}

/* The level nearest to where delta puts a column; that of the largest column. */
static size_t nearest_code(const gpai_axis *a, double v)
{
    size_t best = 0;
    for (size_t j = 1; j < a->levels; j++)
        if (fabs(v - a->level[j]) < fabs(v - a->level[best]))
            best = j;
    return best;
}

static size_t nearest_column(const gpai_space *s, const gpai_axis *a,
                             const double *delta)
{
    size_t best = 0;
    double top = -HUGE_VAL;
    for (size_t j = 0; j < a->members; j++) {
        double v = moved_to(s, a->member[j], delta);
        if (v > top) {
            top = v;
            best = j;
        }
    }
    return top < 0.5 && a->levels > a->members ? a->members : best;
}

double gpai_axis_value(const gpai_space *s, size_t axis, const double *delta)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind != GPAI_AXIS_CHOICE)
        return delta[a->input];
    for (size_t j = 0; j < a->members; j++)
        if (delta[a->member[j]] != 0)
            return (double)(a->level != NULL
                                ? nearest_code(a, moved_to(s, a->input, delta))
                                : nearest_column(s, a, delta));
    return (double)a->now;
}

void gpai_axis_set(const gpai_space *s, size_t axis, double value, double *delta)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind != GPAI_AXIS_CHOICE) {
        delta[a->input] = value;
        return;
    }
    size_t to = (size_t)value;
    for (size_t j = 0; j < a->members; j++) {
        size_t k = a->member[j];
        delta[k] =
            to == a->now ? 0 : (gpai_axis_level(a, to, j) - s->x[k]) / s->unit[k];
    }
}

double gpai_space_penalty(const gpai_space *s, const double *delta)
{
    double square = 0, absolute = 0, switches = 0;
    const gpai_prior *p = &s->prior;
    for (size_t k = 0; k < s->d; k++) {
        size_t i = s->axis_of[k];
        if (i < s->axes && s->axis[i].kind == GPAI_AXIS_CHOICE)
            continue;
        square += delta[k] * delta[k];
        absolute += fabs(delta[k]);
    }
    for (size_t i = 0; i < s->axes; i++)
        if (s->axis[i].kind == GPAI_AXIS_CHOICE)
            switches += gpai_axis_penalty(s, i, gpai_axis_value(s, i, delta));
    return 0.5 * p->eta * square + p->eta * p->nu * absolute + switches;
}

/* Levels in their order, each with the prior's weight of the move to it. */
static double choose(const gpai_space *s, size_t axis, double u)
{
    const gpai_axis *a = &s->axis[axis];
    double total = 0, sum = 0;
    size_t values = gpai_axis_choices(a);
    for (size_t j = 0; j < values; j++)
        total += exp(-gpai_axis_penalty(s, axis, (double)j));
    for (size_t j = 0; j < values; j++) {
        sum += exp(-gpai_axis_penalty(s, axis, (double)j));
        if (u * total <= sum)
            return (double)j;
    }
    return (double)(values - 1);
}

/* The probability of [lo, hi], which lies on one side of 0. */
static double side_mass(const gpai_axis *a)
{
    return 0.5 * exp(a->log_near) * -expm1(a->log_share);
}

double gpai_axis_leap(const gpai_space *s, size_t axis, double beyond)
{
    const gpai_axis *a = &s->axis[axis];
    double mass = side_mass(a);
    if (!(beyond < mass))
        return 0;
    return gpai_axis_inside(a, a->side * tail_quantile(s, a, 1 - beyond / mass));
}

double gpai_axis_beyond(const gpai_space *s, size_t axis, double value)
{
    const gpai_axis *a = &s->axis[axis];
    double t = a->side * value, near = a->side > 0 ? a->lo : -a->hi;
    if (t < near)
        return t < 0 ? 1 : side_mass(a);
    return side_mass(a) * (1 - fmin(fmax(tail_cdf(s, a, t), 0), 1));
}

double gpai_axis_quantile(const gpai_space *s, size_t axis, double u)
{
    const gpai_axis *a = &s->axis[axis];
    if (a->kind == GPAI_AXIS_CHOICE)
        return choose(s, axis, u);
    if (gpai_axis_leaps(a))
        return gpai_axis_leap(s, axis, a->side > 0 ? 1 - u : u);
    if (a->side > 0)
        return gpai_axis_snap(a, tail_quantile(s, a, u));
    if (a->side < 0)
        return gpai_axis_snap(a, -tail_quantile(s, a, 1 - u));
    return gpai_axis_snap(
        a, gpai_prior_quantile(&s->prior, a->u_lo + u * (a->u_hi - a->u_lo)));
}

double gpai_axis_cdf(const gpai_space *s, size_t axis, double value)
{
    const gpai_axis *a = &s->axis[axis];
    double width = a->u_hi - a->u_lo, u = 0.5;
    if (gpai_axis_leaps(a)) {
        double beyond = gpai_axis_beyond(s, axis, value);
        return value == 0 ? 0.5 : a->side > 0 ? 1 - beyond : beyond;
    }
    if (value < a->lo)
        return 0;
    if (value > a->hi)
        return 1;
    if (a->side != 0)
        u = a->side > 0 ? tail_cdf(s, a, value) : 1 - tail_cdf(s, a, -value);
    else if (width > 0)
        u = (gpai_prior_cdf(&s->prior, value) - a->u_lo) / width;
    return u < 0 ? 0 : u > 1 ? 1 : u;
}

void gpai_space_project(const gpai_space *s, double *delta)
{
    for (size_t k = 0; k < s->d; k++)
        if (s->axis_of[k] == s->axes)
            delta[k] = 0;
    for (size_t i = 0; i < s->axes; i++) {
        const gpai_axis *a = &s->axis[i];
        if (a->kind == GPAI_AXIS_CHOICE)
            gpai_axis_set(s, i, gpai_axis_value(s, i, delta), delta);
        else
            delta[a->input] = gpai_axis_snap(a, delta[a->input]);
    }
}
