#include "engine/math/bfgs.h"
#include <math.h>
#include <string.h>

/* No coordinate moves further than this in one step: the coordinates are logarithms,
 * and a factor of 4.5 is far enough from one look. Chosen; half of it before anything
 * is known of the curvature. */
static const double LONGEST_STEP = 1.5;

size_t gpai_bfgs_room(size_t n)
{
    return n * n + 7 * n;
}

static void forget(gpai_bfgs *b)
{
    memset(b->inverse, 0, b->n * b->n * sizeof *b->inverse);
    for (size_t i = 0; i < b->n; i++)
        b->inverse[i * b->n + i] = 1;
    b->learned = false;
}

void gpai_bfgs_init(gpai_bfgs *b, size_t n, double lo, double hi, double *room)
{
    *b = (gpai_bfgs){.n = n, .lo = lo, .hi = hi, .inverse = room};
    b->x = room + n * n;
    b->gradient = b->x + n;
    b->step = b->gradient + n;
    b->trial = b->step + n;
    b->trial_gradient = b->trial + n;
    b->change = b->trial_gradient + n;
    b->product = b->change + n;
    forget(b);
}

/* Whether the box holds coordinate i where it is. */
static bool held(const gpai_bfgs *b, size_t i)
{
    return (b->x[i] <= b->lo && b->gradient[i] > 0) ||
           (b->x[i] >= b->hi && b->gradient[i] < 0);
}

/* The quasi-Newton step of the coordinates that are not held; its slope. */
static double find_step(gpai_bfgs *b)
{
    double slope = 0, longest = 0;
    for (size_t i = 0; i < b->n; i++) {
        b->step[i] = 0;
        if (held(b, i))
            continue;
        for (size_t j = 0; j < b->n; j++)
            if (!held(b, j))
                b->step[i] -= b->inverse[i * b->n + j] * b->gradient[j];
        longest = fmax(longest, fabs(b->step[i]));
    }
    double most = b->learned ? LONGEST_STEP : LONGEST_STEP / 2;
    double shrink = longest > most || !b->learned ? most / fmax(longest, 1e-300) : 1;
    for (size_t i = 0; i < b->n; i++) {
        b->step[i] *= shrink;
        slope += b->step[i] * b->gradient[i];
    }
    return slope;
}

/* Goes along the step, shorter and shorter, until the function falls; whether it did.
 * The gain must be a part of what the slope promises. */
static bool search(gpai_bfgs *b, gpai_bfgs_fn fn, void *ctx, double slope, size_t last,
                   double *value)
{
    double length = 1;
    while (b->evaluations < last && length > 1e-3) {
        for (size_t i = 0; i < b->n; i++)
            b->trial[i] = fmin(fmax(b->x[i] + length * b->step[i], b->lo), b->hi);
        *value = fn(ctx, b->trial, b->trial_gradient);
        b->evaluations++;
        if (*value <= b->value + 1e-4 * length * slope)
            return true;
        /* The parabola through both values and the slope. */
        double bend = *value - b->value - length * slope;
        double best =
            isfinite(bend) && bend > 0 ? -slope * length * length / (2 * bend) : 0;
        length = fmin(fmax(best, 0.1 * length), 0.5 * length);
    }
    return false;
}

/* The BFGS update of the inverse from the last move and the change of the gradient. */
static void learn(gpai_bfgs *b)
{
    size_t n = b->n;
    double *move = b->step, sy = 0, yy = 0, yhy = 0;
    for (size_t i = 0; i < n; i++) {
        move[i] = b->trial[i] - b->x[i];
        b->change[i] = b->trial_gradient[i] - b->gradient[i];
        sy += move[i] * b->change[i];
        yy += b->change[i] * b->change[i];
    }
    if (!(sy > 1e-10 * yy))
        return; /* bends the wrong way: nothing to learn */
    if (!b->learned)
        for (size_t i = 0; i < n; i++)
            b->inverse[i * n + i] = sy / yy;
    for (size_t i = 0; i < n; i++) {
        b->product[i] = 0;
        for (size_t j = 0; j < n; j++)
            b->product[i] += b->inverse[i * n + j] * b->change[j];
        yhy += b->product[i] * b->change[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            b->inverse[i * n + j] +=
                ((1 + yhy / sy) * move[i] * move[j] - b->product[i] * move[j] -
                 move[i] * b->product[j]) /
                sy;
    b->learned = true;
}

void gpai_bfgs_minimise(gpai_bfgs *b, gpai_bfgs_fn fn, void *ctx, size_t evaluations,
                        double tol)
{
    b->evaluations = 1;
    b->value = fn(ctx, b->x, b->gradient);
    while (isfinite(b->value)) {
        double value, slope = find_step(b);
        if (!(slope < 0) && b->learned) {
            forget(b);
            slope = find_step(b);
        }
        if (!(slope < 0) || !search(b, fn, ctx, slope, evaluations, &value))
            break;
        learn(b);
        double gain = b->value - value;
        b->value = value;
        memcpy(b->x, b->trial, b->n * sizeof *b->x);
        memcpy(b->gradient, b->trial_gradient, b->n * sizeof *b->gradient);
        if (gain < tol)
            break;
    }
}
