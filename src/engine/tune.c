#include "engine/tune.h"
#include "base/math/vectors.h"
#include "engine/prior.h"
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

struct rate_equation {
    const double *residual, *weight;
    size_t n;
    double a, total;
};

/* Minus the equation's right side at ln b; grows with ln b. */
static double rate_gap(void *ctx, double log_b)
{
    const struct rate_equation *q = ctx;
    double b = exp(log_b), sum = 0;
    for (size_t i = 0; i < q->n; i++)
        sum += q->weight[i] * b / (2 * b + q->residual[i] * q->residual[i]);
    return (2 * q->a + 1) / q->a * sum - q->total;
}

double gpai_noise_rate(const double *residual, const double *weight, size_t n, double a)
{
    struct rate_equation q = {.residual = residual, .weight = weight, .n = n, .a = a};
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        q.total += weight[i];
        if (weight[i] > 0)
            largest = fmax(largest, fabs(residual[i]));
    }
    if (!(largest > 0 && q.total > 0))
        return 0;
    /* at b = a max r^2 every term is at least its share of the total */
    double hi = log(a) + 2 * log(largest), lo = hi;
    for (int i = 0; i < 60;
         i++) { /* down to exp(-120) of it: then all residuals are 0 */
        lo -= 2;
        if (rate_gap(&q, lo) < 0)
            return exp(gpai_root(rate_gap, &q, lo, hi, 1e-13));
    }
    return 0;
}

/* A column of a one-hot group: the first of it counts, and a 1 anywhere is not bare. */
static gpai_distance column_distance(const gpa_input *inputs, const double *x, size_t d,
                                     size_t k, bool *first)
{
    gpai_distance found = GPAI_DISTANCE_BARE;
    *first = true;
    for (size_t j = 0; j < d; j++)
        if (inputs[j].group == inputs[k].group) {
            *first = *first && j >= k;
            found = x[j] == 1 ? GPAI_DISTANCE_COLUMN : found;
        }
    return found;
}

size_t gpai_distances(const gpa_input *inputs, const double *x, size_t d,
                      unsigned char *distance)
{
    size_t count = 0;
    for (size_t k = 0; k < d; k++) {
        gpa_kind kind = inputs[k].kind;
        bool counts = kind != GPA_KIND_HELD;
        gpai_distance by = kind == GPA_KIND_HELD ? GPAI_DISTANCE_NONE
                           : kind == GPA_KIND_FLAG || kind == GPA_KIND_CHOICE
                               ? GPAI_DISTANCE_LEVEL
                               : GPAI_DISTANCE_NUMBER;
        if (by == GPAI_DISTANCE_LEVEL && inputs[k].group != 0)
            by = column_distance(inputs, x, d, k, &counts);
        distance[k] = (unsigned char)by;
        count += counts ? 1 : 0;
    }
    return count;
}

/* Squared; a missing cell tells nothing. */
static double square_of(gpai_distance by, double x, double other, double unit)
{
    double u = (other - x) / unit;
    switch (by) {
    case GPAI_DISTANCE_NUMBER:
        return isfinite(u) ? u * u : 0;
    case GPAI_DISTANCE_LEVEL:
        return isfinite(u) && x != other ? 1 : 0;
    case GPAI_DISTANCE_COLUMN:
        return x == 1 && isfinite(other) && other != 1 ? 1 : 0;
    case GPAI_DISTANCE_BARE:
        return isfinite(x) && other == 1 ? 1 : 0;
    case GPAI_DISTANCE_NONE:
        break;
    }
    return 0;
}

/* The squared distance of rows of numbers, all known; else no finite one. */
static double plain_square(const double *x, const double *other, const double *unit,
                           size_t d)
{
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        double u = (other[k] - x[k]) / unit[k];
        sum += u * u;
    }
    return sum;
}

size_t gpai_kernel_weights(const gpa_sample *rows, size_t stride, const double *unit,
                           const unsigned char *distance, const double *x, size_t self,
                           double width, double floor, double *weight)
{
    size_t count = 0, d = rows->d;
    bool plain = true;
    for (size_t k = 0; k < d && distance != NULL; k++)
        plain = plain && distance[k] == GPAI_DISTANCE_NUMBER;
    for (size_t i = 0; i < rows->n; i += stride) {
        const double *row = rows->x + i * d;
        double sum = plain ? plain_square(x, row, unit, d) : (double)NAN;
        if (!isfinite(sum)) {
            sum = 0;
            for (size_t k = 0; k < d; k++)
                sum +=
                    square_of(plain ? GPAI_DISTANCE_NUMBER : (gpai_distance)distance[k],
                              x[k], row[k], unit[k]);
        }
        weight[count++] = -0.5 * sum / (width * width);
    }
    gpai_vectors_at(0)->exp(weight, count);
    for (size_t i = 0; i < count; i++)
        weight[i] = i * stride == self ? 0 : floor + weight[i];
    return count;
}

struct eta_equation {
    double nu, ratio; /* squared slopes over target */
};

static double eta_gap(void *ctx, double log_eta)
{
    const struct eta_equation *q = ctx;
    gpai_prior p = gpai_prior_make(exp(log_eta), q->nu);
    return log(gpai_prior_variance(&p) * q->ratio);
}

double gpai_automatic_eta(double mean_square_slope, double target, double nu)
{
    /* eq. 26; chosen: on three data sets the marginal likelihood prefers values well
     * inside. Where there is no slope at all, a prior of about one unit. */
    static const double LOW = 0.05, HIGH = 4, FALLBACK = 0.4;
    struct eta_equation q = {.nu = nu,
                             .ratio = mean_square_slope / fmax(target, 1e-12)};
    if (!(mean_square_slope > 0) || !isfinite(q.ratio) || !isfinite(target))
        return FALLBACK;
    if (eta_gap(&q, log(LOW)) <= 0)
        return LOW;
    if (eta_gap(&q, log(HIGH)) >= 0)
        return HIGH;
    return exp(gpai_root(eta_gap, &q, log(LOW), log(HIGH), 1e-10));
}
