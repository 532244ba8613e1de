#include "engine/surrogate/free_draws.h"
#include "base/math/matrix.h"
#include <math.h>
#include <string.h>

/* The normal is this much wider than the moments: its tails must cover. Chosen, like
 * the effective draws (200, and five for each coordinate) that moments must rest on. */
static const double WIDER = 1.15;

void gpai_free_draws_lay_out(gpai_free_draws *p, gpai_arena *a)
{
    p->v = gpai_vectors_at(0);
    GPAI_TAKE_EACH(a, p->axes, 1, &p->mean, &p->c);
    p->root = gpai_take(a, p->axes, p->axes);
    GPAI_TAKE_EACH(a, p->room, p->axes, &p->e, &p->z);
    GPAI_TAKE_EACH(a, p->room, 1, &p->log_w, &p->w, &p->temper);
}

void gpai_free_draws_fill(gpai_free_draws *p, gpai_sobol *s, size_t n)
{
    if (n <= p->filled)
        return;
    double *to = p->e + p->filled * p->axes;
    gpai_sobol_fill(s, n - p->filled, to);
    p->v->quantile(to, (n - p->filled) * p->axes);
    p->filled = n;
}

/* The matched normal's draw from a standard normal one. */
static void move(const gpai_free_draws *p, const double *from, double *to)
{
    size_t q = p->axes;
    for (size_t i = 0; i < q; i++) {
        double sum = p->mean[i];
        for (size_t j = 0; j <= i; j++)
            sum += p->root[i * q + j] * from[j];
        to[i] = sum;
    }
}

/* What standard normal draw the matched normal would have made z from. */
static void move_back(const gpai_free_draws *p, const double *z, double *from)
{
    size_t q = p->axes;
    for (size_t i = 0; i < q; i++) {
        double sum = z[i] - p->mean[i];
        for (size_t j = 0; j < i; j++)
            sum -= p->root[i * q + j] * from[j];
        from[i] = sum / p->root[i * q + i];
    }
}

void gpai_free_draws_draw(gpai_free_draws *p, size_t first, size_t n)
{
    size_t q = p->axes, half = n / 2;
    memcpy(p->z, p->e + first * q, n * q * sizeof *p->z);
    memset(p->log_w, 0, n * sizeof *p->log_w);
    for (size_t i = 0; i < n && p->matched; i++) {
        double *z = p->z + i * q, ratio = -p->log_root;
        const double *from = i < half ? p->c : p->e + (first + i) * q;
        if (i < half)
            move_back(p, z, p->c);
        else
            move(p, from, z);
        for (size_t j = 0; j < q; j++)
            ratio += 0.5 * (z[j] * z[j] - from[j] * from[j]);
        /* ln of prior / (prior/2 + normal/2) */
        p->log_w[i] = ratio > 0 ? -ratio - log(0.5 + 0.5 * exp(-ratio))
                                : -log(0.5 + 0.5 * exp(ratio));
    }
}

/* exp(power (log_w - peak)) over its sum into w; the effective number of draws. */
static double soften(const gpai_free_draws *p, size_t n, double power, double peak,
                     double *w, double *total)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        w[i] = power * (p->log_w[i] - peak);
    p->v->exp(w, n);
    for (size_t i = 0; i < n; i++)
        sum += w[i];
    for (size_t i = 0; i < n; i++) {
        w[i] /= sum;
        squares += w[i] * w[i];
    }
    *total = sum;
    return 1 / squares;
}

static double find_peak(const gpai_free_draws *p, size_t n)
{
    double peak = -HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        peak = fmax(peak, p->log_w[i]);
    return peak;
}

bool gpai_free_draws_weigh(gpai_free_draws *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(p->log_w[i]))
            p->log_w[i] = -HUGE_VAL;
    double sum, peak = find_peak(p, n);
    if (!isfinite(peak))
        return false;
    p->ess = soften(p, n, 1, peak, p->w, &sum);
    p->log_norm = peak + log(sum / (double)n);
    return true;
}

/* Weighted mean and (lower) covariance of the coordinates. */
static void find_moments(gpai_free_draws *p, const double *w, size_t n)
{
    size_t q = p->axes;
    memset(p->mean, 0, q * sizeof *p->mean);
    memset(p->root, 0, q * q * sizeof *p->root);
    for (size_t i = 0; i < n; i++) {
        const double *z = p->z + i * q;
        for (size_t j = 0; j < q; j++)
            p->mean[j] += w[i] * z[j];
    }
    for (size_t i = 0; i < n; i++) {
        if (w[i] < 1e-12)
            continue;
        for (size_t j = 0; j < q; j++)
            p->c[j] = p->z[i * q + j] - p->mean[j];
        for (size_t j = 0; j < q; j++)
            for (size_t k = 0; k <= j; k++)
                p->root[j * q + k] += w[i] * p->c[j] * p->c[k];
    }
}

/* Moments that rest on too few draws are those of softened weights; their correlations
 * are shrunk. */
void gpai_free_draws_match(gpai_free_draws *p, size_t n)
{
    size_t q = p->axes;
    double peak = find_peak(p, n), power = 1, sum, ess = p->ess;
    double enough = fmax(200, 5 * (double)q);
    memcpy(p->temper, p->w, n * sizeof *p->temper);
    while (ess < enough && power > 0.01) {
        power *= 0.8;
        ess = soften(p, n, power, peak, p->temper, &sum);
    }
    find_moments(p, p->temper, n);
    double shrink = (double)q / (ess + (double)q);
    for (size_t j = 0; j < q; j++)
        for (size_t k = 0; k <= j; k++)
            p->root[j * q + k] *= WIDER * (j == k ? 1 : 1 - shrink);
    p->matched = gpai_cholesky(p->root, q);
    p->log_root = 0;
    for (size_t j = 0; j < q && p->matched; j++)
        p->log_root += log(p->root[j * q + j]);
}
