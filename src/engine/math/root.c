#include "engine/math/root.h"
#include <math.h>
#include <stdbool.h>

/* Brent's method: b is the best point, [b, c] holds the root, a is the point before b.
 * A secant or inverse quadratic step is taken when it stays well inside, a bisection
 * otherwise. */
struct bracket {
    double a, fa, b, fb, c, fc, step, last;
};

static void keep_best(struct bracket *s)
{
    if (fabs(s->fc) >= fabs(s->fb))
        return;
    s->a = s->b, s->fa = s->fb;
    s->b = s->c, s->fb = s->fc;
    s->c = s->a, s->fc = s->fa;
}

/* Sets step to an interpolated one if it is acceptable. */
static bool interpolate(struct bracket *s, double half, double tol)
{
    double r = s->fb / s->fa, p, q;
    if (fabs(s->last) < tol || fabs(s->fa) <= fabs(s->fb))
        return false;
    if (s->a == s->c) { /* secant */
        p = 2 * half * r;
        q = 1 - r;
    } else { /* inverse quadratic */
        double u = s->fa / s->fc, v = s->fb / s->fc;
        p = r * (2 * half * u * (u - v) - (s->b - s->a) * (v - 1));
        q = (u - 1) * (v - 1) * (r - 1);
    }
    q = p > 0 ? -q : q;
    p = fabs(p);
    if (2 * p >= fmin(3 * half * q - fabs(tol * q), fabs(s->last * q)))
        return false;
    s->last = s->step;
    s->step = p / q;
    return true;
}

double gpai_root(double (*fn)(void *ctx, double x), void *ctx, double lo, double hi,
                 double tol)
{
    struct bracket s = {.a = lo, .b = hi};
    s.fa = fn(ctx, lo);
    s.fb = fn(ctx, hi);
    s.c = s.a, s.fc = s.fa;
    s.step = s.last = s.b - s.a;
    for (int i = 0; i < 200; i++) {
        if ((s.fb > 0) == (s.fc > 0)) {
            s.c = s.a, s.fc = s.fa;
            s.step = s.last = s.b - s.a;
        }
        keep_best(&s);
        double half = 0.5 * (s.c - s.b);
        double small = 0.5 * tol + 2 * 2.2e-16 * fabs(s.b);
        if (fabs(half) <= small || s.fb == 0)
            return s.b;
        if (!interpolate(&s, half, small))
            s.step = s.last = half;
        s.a = s.b, s.fa = s.fb;
        s.b += fabs(s.step) > small ? s.step : copysign(small, half);
        s.fb = fn(ctx, s.b);
    }
    return s.b;
}
