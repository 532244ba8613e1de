#include "engine/marginals/free_draws.h"
#include "base/math/matrix.h"
#include <math.h>
#include <string.h>

/* The normal is this much wider than the moments: its tails must cover. Chosen, like
 * the effective draws (200, and five for each coordinate) that moments must rest on. */
static const double WIDER = 1.15;

void gpai_free_draws_lay_out(gpai_free_draws *p, gpai_arena *a)
{
    size_t most = p->most_kept + p->most_directions;
    p->v = gpai_vectors_at(0);
    p->direction = gpai_take(a, p->most_directions, p->axes);
    GPAI_TAKE_EACH(a, most, 1, &p->mean, &p->c, &p->c0);
    p->root = gpai_take(a, most, most);
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

/* Makes the last direction orthogonal to those before it and of length 1; whether
 * anything is left of it. */
static bool straighten(gpai_free_draws *p, size_t last)
{
    double *d = p->direction + last * p->axes, before = 0, square = 0;
    for (size_t a = 0; a < p->axes; a++)
        before += d[a] * d[a];
    for (size_t t = 0; t < last; t++) {
        const double *other = p->direction + t * p->axes;
        double product = 0;
        for (size_t a = 0; a < p->axes; a++)
            product += d[a] * other[a];
        for (size_t a = 0; a < p->axes; a++)
            d[a] -= product * other[a];
    }
    for (size_t a = 0; a < p->axes; a++)
        square += d[a] * d[a];
    if (!(square > 1e-12 * before))
        return false;
    for (size_t a = 0; a < p->axes; a++)
        d[a] /= sqrt(square);
    return true;
}

void gpai_free_draws_coordinates(gpai_free_draws *p, const size_t *keep, size_t kept,
                                 const double *slopes, size_t n)
{
    if (p->keep == NULL || p->most_directions > 0)
        p->matched = false;
    p->keep = keep;
    p->kept = kept;
    p->directions = 0;
    for (size_t t = 0; t < n && p->directions < p->most_directions; t++) {
        double *to = p->direction + p->directions * p->axes;
        memcpy(to, slopes + t * p->axes, p->axes * sizeof *to);
        for (size_t i = 0; i < kept; i++)
            to[keep[i]] = 0;
        p->directions += straighten(p, p->directions) ? 1 : 0;
    }
}

static void read_coordinates(const gpai_free_draws *p, const double *z, double *c)
{
    for (size_t i = 0; i < p->kept; i++)
        c[i] = z[p->keep[i]];
    for (size_t t = 0; t < p->directions; t++) {
        const double *d = p->direction + t * p->axes;
        double sum = 0;
        for (size_t a = 0; a < p->axes; a++)
            sum += d[a] * z[a];
        c[p->kept + t] = sum;
    }
}

/* Turns a standard normal draw z into one from the matched normal. */
static void move(const gpai_free_draws *p, const double *c0, double *z)
{
    size_t q = p->kept + p->directions;
    for (size_t i = 0; i < q; i++) {
        double sum = p->mean[i];
        for (size_t j = 0; j <= i; j++)
            sum += p->root[i * q + j] * c0[j];
        p->c[i] = sum;
    }
    for (size_t i = 0; i < p->kept; i++)
        z[p->keep[i]] = p->c[i];
    for (size_t t = 0; t < p->directions; t++) {
        const double *d = p->direction + t * p->axes;
        double by = p->c[p->kept + t] - c0[p->kept + t];
        for (size_t a = 0; a < p->axes; a++)
            z[a] += by * d[a];
    }
}

/* What standard normal draw the matched normal would have made c from. */
static void move_back(const gpai_free_draws *p, const double *c, double *c0)
{
    size_t q = p->kept + p->directions;
    for (size_t i = 0; i < q; i++) {
        double sum = c[i] - p->mean[i];
        for (size_t j = 0; j < i; j++)
            sum -= p->root[i * q + j] * c0[j];
        c0[i] = sum / p->root[i * q + i];
    }
}

void gpai_free_draws_draw(gpai_free_draws *p, size_t first, size_t n)
{
    size_t q = p->kept + p->directions, half = p->matched ? n / 2 : n;
    memcpy(p->z, p->e + first * p->axes, n * p->axes * sizeof *p->z);
    memset(p->log_w, 0, n * sizeof *p->log_w);
    for (size_t i = 0; i < n && p->matched; i++) {
        double *z = p->z + i * p->axes, ratio = -p->log_root;
        if (i < half) {
            read_coordinates(p, z, p->c);
            move_back(p, p->c, p->c0);
        } else {
            read_coordinates(p, z, p->c0);
            move(p, p->c0, z);
        }
        for (size_t j = 0; j < q; j++)
            ratio += 0.5 * (p->c[j] * p->c[j] - p->c0[j] * p->c0[j]);
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
    size_t q = p->kept + p->directions;
    memset(p->mean, 0, q * sizeof *p->mean);
    memset(p->root, 0, q * q * sizeof *p->root);
    for (size_t i = 0; i < n; i++) {
        read_coordinates(p, p->z + i * p->axes, p->c);
        for (size_t j = 0; j < q; j++)
            p->mean[j] += w[i] * p->c[j];
    }
    for (size_t i = 0; i < n; i++) {
        if (w[i] < 1e-12)
            continue;
        read_coordinates(p, p->z + i * p->axes, p->c);
        for (size_t j = 0; j < q; j++)
            p->c[j] -= p->mean[j];
        for (size_t j = 0; j < q; j++)
            for (size_t k = 0; k <= j; k++)
                p->root[j * q + k] += w[i] * p->c[j] * p->c[k];
    }
}

/* Moments that rest on too few draws are those of softened weights; their correlations
 * are shrunk. */
void gpai_free_draws_match(gpai_free_draws *p, size_t n)
{
    size_t q = p->kept + p->directions;
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
