#include "engine/math/copula.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/status.h"
#include <math.h>

/* Chosen: below it duplicate inputs would make R singular. */
static const double LEAST_SHRINKAGE = 0.02;

/* Mean 0 and standard deviation 1; a constant becomes 0. */
static void standardise(const double *z, size_t n, double *out)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        mean += z[i];
    mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        square += (z[i] - mean) * (z[i] - mean);
    double sd = sqrt(square / (double)n);
    for (size_t i = 0; i < n; i++)
        out[i] = sd > 1e-9 ? (z[i] - mean) / sd : 0;
}

/* Either side of the sample's Gram matrix, lower half of `rank` by rank: Z Z' (scores)
 * or Z' Z (rows). They have the same norm and the same inverse in disguise. */
static void gram(const double *z, size_t n, size_t m, bool of_rows, double *a)
{
    if (!of_rows) {
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k <= j; k++)
                a[j * m + k] = gpai_dot(z + j * n, z + k * n, n);
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
    for (size_t i = 0; i < rank; i++) {
        const double *row = a + i * rank;
        sum += 2 * gpai_dot(row, row, i) + row[i] * row[i];
    }
    return sum;
}

/* Sums over all pairs of scores of one block. */
static double squares_inside(const gpai_copula *c, const gpai_scores *s)
{
    double sum = 0;
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t j = s->first[b]; j < s->first[b + 1]; j++)
            for (size_t k = s->first[b]; k < s->first[b + 1]; k++) {
                double r = gpai_dot(c->z + j * c->n, c->z + k * c->n, c->n);
                sum += r * r;
            }
    return sum;
}

/* sum mean_i z_ij^2 z_ik^2 over pairs of scores of different blocks. */
static double fourth_moments(const gpai_copula *c, const gpai_scores *s)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++) {
        double row = 0, inside = 0;
        for (size_t b = 0; b < s->blocks; b++) {
            double block = 0;
            for (size_t j = s->first[b]; j < s->first[b + 1]; j++)
                block += c->z[j * c->n + i] * c->z[j * c->n + i];
            row += block;
            inside += block * block;
        }
        sum += row * row - inside;
    }
    return sum / (double)c->n;
}

/* Schaefer and Strimmer: t = sum var(r_jk) / sum r_jk^2 over pairs of different blocks,
 * within [0.02, 1]; var(r_jk) is the variance over the rows of z_ij z_ik divided by
 * n - 1. */
static double find_shrinkage(const gpai_copula *c, const gpai_scores *s)
{
    if (s->blocks < 2)
        return 1;
    double rows = (double)c->n;
    double r2 = (squares(c->factor, c->rank) - squares_inside(c, s)) / (rows * rows);
    double variance = (fourth_moments(c, s) - r2) / (rows - 1);
    double t = variance / fmax(r2, 1e-12);
    return t < 1 ? fmax(t, LEAST_SHRINKAGE) : 1;
}

/* a = L L' in the lower half. `a` has eigenvalues well above 0 by shrinkage, so this
 * never fails, as gpai_cholesky may. */
static void factor(double *a, size_t rank)
{
    for (size_t i = 0; i < rank; i++) {
        double *row = a + i * rank;
        for (size_t k = 0; k < i; k++)
            row[k] = (row[k] - gpai_dot(row, a + k * rank, k)) / a[k * rank + k];
        row[i] = sqrt(fmax(row[i] - gpai_dot(row, row, i), 1e-12));
    }
}

static bool varies(const gpai_copula *c, size_t j)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->z[j * c->n + i] != 0)
            return true;
    return false;
}

/* R itself is inverted: R^-1 = (L^-1)'(L^-1). */
static void prepare_scores(gpai_copula *c)
{
    for (size_t j = 0; j < c->m; j++) {
        for (size_t k = 0; k <= j; k++)
            c->factor[j * c->m + k] = gpai_copula_correlation(c, j, k);
        c->own[j] = 0;
        c->v[j * c->rank + j] = 1;
    }
    c->sign = 1;
}

/* Woodbury: R = D + (1 - t)/n Z Z', D = 1 - the diagonal of the second term, so that
 * R^-1 = D^-1 - W' (n/(1 - t) I + Z' D^-1 Z)^-1 W, W = Z' D^-1. */
static void prepare_rows(gpai_copula *c, const double *rare)
{
    size_t n = c->n;
    for (size_t i = 0; i < n * n; i++)
        c->factor[i] = 0;
    for (size_t j = 0; j < c->m; j++) {
        const double *z = c->z + j * n;
        double d = varies(c, j) ? 1 - (1 - c->shrinkage) * rare[j] * rare[j] : 1;
        c->own[j] = 1 / d;
        for (size_t i = 0; i < n; i++) {
            c->v[j * n + i] = z[i] / d;
            for (size_t k = 0; k <= i; k++)
                c->factor[i * n + k] += z[i] * z[k] / d;
        }
    }
    for (size_t i = 0; i < n; i++)
        c->factor[i * n + i] += (double)n / (1 - c->shrinkage);
    c->sign = -1;
}

static void lay_out(void *work, gpai_arena *arena)
{
    gpai_copula *c = work;
    c->own = gpai_take(arena, c->m, 1);
    c->v = gpai_take(arena, c->m, c->rank);
    c->factor = gpai_take(arena, c->rank, c->rank);
    c->z = gpai_take(arena, c->m, c->n);
}

gpa_status gpai_copula_open(gpai_copula *c, const gpai_scores *s, bool joint,
                            gpa_error *err)
{
    bool of_rows = s->n < s->m;
    *c = (gpai_copula){
        .m = s->m, .n = s->n, .rank = of_rows ? s->n : s->m, .shrinkage = 1};
    c->block = gpai_carve(lay_out, c);
    if (c->block == NULL)
        return gpai_nomem(err, "plausible");
    for (size_t j = 0; j < c->m; j++) {
        standardise(s->z + j * c->n, c->n, c->z + j * c->n);
        c->own[j] = 1;
    }
    if (joint) {
        gram(c->z, c->n, c->m, of_rows, c->factor);
        c->shrinkage = find_shrinkage(c, s);
    }
    for (size_t j = 0; j < c->m; j++)
        for (size_t i = 0; i < c->n; i++)
            c->z[j * c->n + i] *= s->rare[j];
    if (c->shrinkage >= 1) { /* independent: R = I */
        c->rank = 0;
        return GPA_OK;
    }
    if (of_rows)
        prepare_rows(c, s->rare);
    else
        prepare_scores(c);
    factor(c->factor, c->rank);
    for (size_t j = 0; j < c->m; j++)
        gpai_lower_solve(c->factor, c->rank, c->rank, c->v + j * c->rank);
    return GPA_OK;
}

void gpai_copula_close(gpai_copula *c)
{
    gpai_free(c->block);
    *c = (gpai_copula){0};
}

double gpai_copula_correlation(const gpai_copula *c, size_t j, size_t k)
{
    if (j == k)
        return 1;
    return (1 - c->shrinkage) / (double)c->n *
           gpai_dot(c->z + j * c->n, c->z + k * c->n, c->n);
}

double gpai_copula_link(const gpai_copula *c, size_t j, size_t k)
{
    const double *v = c->v;
    double own = j == k ? c->own[j] : 0;
    if (c->rank == 0)
        return own;
    return own + c->sign * gpai_dot(v + j * c->rank, v + k * c->rank, c->rank);
}

void gpai_copula_pull(const gpai_copula *c, const double *z, double *scratch,
                      double *out)
{
    for (size_t i = 0; i < c->rank; i++)
        scratch[i] = 0;
    for (size_t j = 0; j < c->m && c->rank > 0; j++)
        for (size_t i = 0; i < c->rank; i++)
            scratch[i] += c->v[j * c->rank + i] * z[j];
    for (size_t j = 0; j < c->m; j++) {
        out[j] = c->own[j] * z[j];
        if (c->rank > 0)
            out[j] += c->sign * gpai_dot(c->v + j * c->rank, scratch, c->rank);
    }
}
