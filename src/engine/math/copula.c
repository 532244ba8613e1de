#include "engine/math/copula.h"
#include "base/alloc.h"
#include "base/math/matrix.h"
#include "base/status.h"
#include <math.h>
#include <string.h>

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

/* Beyond it they are as good as independent. */
static const double MOST = 0.95;

/* The Gram matrix of the scores or, where they are more, of the rows; room for it with
 * something added, for its factor's inverse, and for a row. */
struct left_out {
    size_t m, n, rank;
    double *z; /* m by n */
    double *gram, *factor, *inverse, *x, *block;
};

static void lay_out_left_out(void *work, gpai_arena *a)
{
    struct left_out *w = work;
    w->z = gpai_take(a, w->m, w->n);
    GPAI_TAKE_EACH(a, w->rank, w->rank, &w->gram, &w->factor);
    w->inverse = gpai_take(a, w->rank < w->m ? w->rank : 0, w->rank);
    w->x = gpai_take(a, w->m, 1);
}

/* factor = the Cholesky factor of gram + ridge I; gives the logarithm of the
 * determinant, or NaN. */
static double add_ridge(struct left_out *w, double ridge)
{
    size_t rank = w->rank;
    double sum = 0;
    memcpy(w->factor, w->gram, rank * rank * sizeof *w->gram);
    for (size_t i = 0; i < rank; i++)
        w->factor[i * rank + i] += ridge;
    if (!gpai_cholesky(w->factor, rank))
        return (double)NAN;
    for (size_t i = 0; i < rank; i++)
        sum += 2 * log(w->factor[i * rank + i]);
    return sum;
}

/* z_i' (Z Z' + ridge I)^-1 z_i of row i; where rows were factored it is 1 - ridge times
 * the diagonal of (Z' Z + ridge I)^-1. */
static double leverage(const struct left_out *w, size_t i, double ridge)
{
    double sum = 0;
    if (w->rank == w->m) {
        for (size_t j = 0; j < w->m; j++)
            w->x[j] = w->z[j * w->n + i];
        gpai_lower_solve(w->factor, w->rank, w->rank, w->x);
        return gpai_dot(w->x, w->x, w->m);
    }
    for (size_t k = i; k < w->n; k++)
        sum += w->inverse[k * w->n + i] * w->inverse[k * w->n + i];
    return 1 - ridge * sum;
}

/* Minus twice the mean log likelihood of a row under the others, up to a constant. With
 * a = (1 - t) / (n - 1) their covariance and t I are a (Z Z' + ridge I) less a n / (n -
 * 1) z z', and the row is n / (n - 1) z from their mean. */
static double surprise(struct left_out *w, double t)
{
    double n = (double)w->n, m = (double)w->m, a = (1 - t) / (n - 1), ridge = t / a;
    double own = n / (n - 1), log_det = add_ridge(w, ridge), sum = 0;
    if (isnan(log_det))
        return HUGE_VAL;
    if (w->rank < w->m) {
        gpai_lower_invert(w->factor, w->rank, w->inverse);
        log_det += (m - n) * log(ridge);
    }
    for (size_t i = 0; i < w->n; i++) {
        double h = leverage(w, i, ridge), left = 1 - own * h;
        if (!(left > 0))
            return HUGE_VAL;
        sum += log(left) + own * own * h / (a * left);
    }
    return m * log(a) + log_det + sum / n;
}

/* By golden sections of the logarithm. */
static double minimise(struct left_out *w)
{
    enum { SECTIONS = 16 };
    static const double GOLDEN = 0.6180339887498949;
    double low = log(LEAST_SHRINKAGE), high = log(MOST);
    double x[2] = {high - GOLDEN * (high - low), low + GOLDEN * (high - low)};
    double f[2] = {surprise(w, exp(x[0])), surprise(w, exp(x[1]))};
    for (int i = 0; i < SECTIONS; i++) {
        bool left = f[0] <= f[1];
        *(left ? &high : &low) = x[left];
        x[left] = x[!left];
        f[left] = f[!left];
        x[!left] = left ? high - GOLDEN * (high - low) : low + GOLDEN * (high - low);
        f[!left] = surprise(w, exp(x[!left]));
    }
    double at = exp(0.5 * (low + high));
    return surprise(w, LEAST_SHRINKAGE) <= surprise(w, at) ? LEAST_SHRINKAGE : at;
}

/* The scores of a block with several (a choice) depend on each other in any row. */
static bool tells(const gpai_copula *c, const gpai_scores *s, size_t block)
{
    size_t first = s->first[block];
    return s->first[block + 1] - first == 1 && varies(c, first);
}

/* How far correlations must be shrunk towards 0 to expect rows that they do not know: t
 * maximises the likelihood of each row under the normal distribution of the others,
 *
 *     N(mean of the others, (1 - t) covariance of the others + t I).
 *
 * Schaefer and Strimmer's t is right for the correlations in the mean, and
 * far too small for their inverse where there are not many more rows than scores: there
 * are combinations in which so few rows hardly differ, and any other row does. */
static gpa_status find_left_out(const gpai_copula *c, const gpai_scores *s, double *t,
                                gpa_error *err)
{
    struct left_out w = {.n = s->n};
    for (size_t b = 0; b < s->blocks; b++)
        w.m += tells(c, s, b) ? 1 : 0;
    w.rank = w.m < w.n ? w.m : w.n;
    *t = LEAST_SHRINKAGE;
    if (w.m < 2 || w.n < 3)
        return GPA_OK;
    w.block = gpai_carve(lay_out_left_out, &w);
    if (w.block == NULL)
        return gpai_nomem(err, "plausible");
    for (size_t b = 0, j = 0; b < s->blocks; b++)
        if (tells(c, s, b))
            memcpy(w.z + j++ * w.n, c->z + s->first[b] * w.n, w.n * sizeof *w.z);
    gram(w.z, w.n, w.m, w.rank < w.m, w.gram);
    *t = minimise(&w);
    gpai_free(w.block);
    return GPA_OK;
}

static gpa_status shrink(gpai_copula *c, const gpai_scores *s, gpa_error *err)
{
    double least = find_shrinkage(c, s), t = s->left_out;
    gpa_status st = t > 0 ? GPA_OK : find_left_out(c, s, &t, err);
    c->left_out = t;
    c->shrinkage = t > least ? t : least;
    return st;
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
    gpa_status st = GPA_OK;
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
        st = shrink(c, s, err);
    }
    if (st != GPA_OK)
        return st;
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
