#include "engine/math/copula.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdbool.h>

/* Chosen: below it duplicate inputs would make R singular. */
static const double LEAST_SHRINKAGE = 0.02;

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Mean 0 and standard deviation 1; a constant becomes 0. */
static bool standardise(double *z, size_t n)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += z[i];
    mean /= (double)n;
    for (size_t i = 0; i < n; i++) {
        z[i] -= mean;
        square += z[i] * z[i];
    }
    double sd = sqrt(square / (double)n);
    bool varies = sd > 1e-9;
    for (size_t i = 0; i < n; i++)
        z[i] = varies ? z[i] / sd : 0;
    return varies;
}

/* Either side of the sample's Gram matrix, lower half of `rank` by rank: Z Z' (inputs)
 * or Z' Z (rows). They have the same norm and the same inverse in disguise. */
static void gram(const double *z, size_t n, size_t m, bool of_rows, double *a)
{
    if (!of_rows) {
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k <= j; k++)
                a[j * m + k] = dot(z + j * n, z + k * n, n);
        return;
    }
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k <= i; k++)
                a[i * n + k] += z[j * n + i] * z[j * n + k];
}

/* Sum of squares of a symmetric matrix given by its lower half. */
static double squares(const double *a, size_t rank)
{
    double sum = 0;
    for (size_t i = 0; i < rank; i++)
        sum +=
            2 * dot(a + i * rank, a + i * rank, i) + a[i * rank + i] * a[i * rank + i];
    return sum;
}

/* sum_j<>k mean_i z_ij^2 z_ik^2. */
static double fourth_moments(const double *z, size_t n, size_t m)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0, diagonal = 0;
        for (size_t j = 0; j < m; j++) {
            double square = z[j * n + i] * z[j * n + i];
            row += square;
            diagonal += square * square;
        }
        sum += row * row - diagonal;
    }
    return sum / (double)n;
}

/* Schaefer and Strimmer: t = sum_j<>k var(r_jk) / sum_j<>k r_jk^2 within [0.02, 1];
 * var(r_jk) is the variance over the rows of z_ij z_ik divided by n - 1. */
static double find_shrinkage(const double *z, size_t n, size_t m, const double *a,
                             size_t rank, size_t varying)
{
    if (m < 2)
        return 1;
    double rows = (double)n;
    double r2 = squares(a, rank) / (rows * rows) - (double)varying;
    double variance = (fourth_moments(z, n, m) - r2) / (rows - 1);
    double t = variance / fmax(r2, 1e-12);
    return t < 1 ? fmax(t, LEAST_SHRINKAGE) : 1;
}

/* a = L L' in the lower half. `a` has eigenvalues well above 0 by shrinkage, so this
 * never fails, as gpai_cholesky may; and its sums run one after the other, which the
 * last digits of every probability of a culprit rest on. */
static void factor(double *a, size_t rank)
{
    for (size_t i = 0; i < rank; i++) {
        for (size_t k = 0; k < i; k++)
            a[i * rank + k] = (a[i * rank + k] - dot(a + i * rank, a + k * rank, k)) /
                              a[k * rank + k];
        double pivot = a[i * rank + i] - dot(a + i * rank, a + i * rank, i);
        a[i * rank + i] = sqrt(fmax(pivot, 1e-12));
    }
}

/* v = L^-1 v. */
static void solve(const double *l, size_t rank, double *v)
{
    for (size_t i = 0; i < rank; i++)
        v[i] = (v[i] - dot(l + i * rank, v, i)) / l[i * rank + i];
}

/* R itself is inverted: C = -I + (L^-1)'(L^-1). */
static void invert_inputs(gpai_copula *c, double *a, size_t n)
{
    double keep = (1 - c->shrinkage) / (double)n;
    for (size_t j = 0; j < c->m; j++) {
        for (size_t k = 0; k < j; k++)
            a[j * c->m + k] *= keep;
        a[j * c->m + j] = 1;
        c->own[j] = -1;
        c->v[j * c->rank + j] = 1;
    }
    c->sign = 1;
}

/* Woodbury: R = D + (1 - t)/n Z Z' with D = t (1 for a constant), so that
 * R^-1 = D^-1 - W' (n/(1 - t) I + Z' D^-1 Z)^-1 W, W = Z' D^-1. */
static void invert_rows(gpai_copula *c, const double *z, double *a, size_t n)
{
    double t = c->shrinkage;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++)
            a[i * n + k] /= t;
        a[i * n + i] += (double)n / (1 - t);
    }
    for (size_t j = 0; j < c->m; j++) {
        bool varies = dot(z + j * n, z + j * n, n) > 0;
        c->own[j] = varies ? 1 / t - 1 : 0;
        for (size_t i = 0; i < n; i++)
            c->v[j * n + i] = z[j * n + i] / t;
    }
    c->sign = -1;
}

static void lay_out(void *work, gpai_arena *arena)
{
    gpai_copula *c = work;
    c->own = gpai_take(arena, c->m, 1);
    c->v = gpai_take(arena, c->m, c->rank);
    c->factor = gpai_take(arena, c->rank, c->rank);
}

gpa_status gpai_copula_open(gpai_copula *c, double *z, size_t n, size_t m,
                            gpa_error *err)
{
    bool of_rows = n < m;
    *c = (gpai_copula){.m = m, .rank = of_rows ? n : m};
    c->block = gpai_carve(lay_out, c);
    if (c->block == NULL)
        return gpai_nomem(err, "plausible");
    double *a = c->factor;
    size_t varying = 0;
    for (size_t j = 0; j < m; j++)
        varying += standardise(z + j * n, n) ? 1 : 0;
    gram(z, n, m, of_rows, a);
    c->shrinkage = find_shrinkage(z, n, m, a, c->rank, varying);
    if (c->shrinkage >= 1) { /* independent: C = 0 */
        c->rank = 0;
        return GPA_OK;
    }
    if (of_rows)
        invert_rows(c, z, a, n);
    else
        invert_inputs(c, a, n);
    factor(a, c->rank);
    for (size_t j = 0; j < m; j++)
        solve(a, c->rank, c->v + j * c->rank);
    return GPA_OK;
}

void gpai_copula_close(gpai_copula *c)
{
    gpai_free(c->block);
    *c = (gpai_copula){0};
}

double gpai_copula_link(const gpai_copula *c, size_t j, size_t k)
{
    const double *v = c->v;
    return (j == k ? c->own[j] : 0) +
           c->sign * dot(v + j * c->rank, v + k * c->rank, c->rank);
}

void gpai_copula_pull(const gpai_copula *c, const double *z, double *scratch,
                      double *out)
{
    for (size_t i = 0; i < c->rank; i++)
        scratch[i] = 0;
    for (size_t j = 0; j < c->m; j++)
        for (size_t i = 0; i < c->rank; i++)
            scratch[i] += c->v[j * c->rank + i] * z[j];
    for (size_t j = 0; j < c->m; j++)
        out[j] = c->own[j] * z[j] + c->sign * dot(c->v + j * c->rank, scratch, c->rank);
}
