/* What is drawn must be what is weighed: draws of a part and the prior's draws weighted
 * by its density must agree; and linear fits must find what is linear. */
#include "sampling_support.h"

#include "base/math/matrix.h"
#include "base/math/sobol.h"
#include "engine/marginals/linear_fit.h"

enum { M = 3, N = 1 << 14, MOST = 3 };

/* Arrays for one part. */
struct room {
    double direction[MOST * M], mean[MOST], factor[MOST * MOST], inverse[MOST * MOST];
    double edge[GPAI_PART_CELLS + 1], sum[GPAI_PART_CELLS + 1], ratio[GPAI_PART_CELLS];
    double scratch[3 * MOST];
};

static gpai_part part_in(struct room *r, size_t rank)
{
    return (gpai_part){.m = M,
                       .rank = rank,
                       .draws = 1,
                       .direction = r->direction,
                       .mean = r->mean,
                       .factor = r->factor,
                       .inverse = r->inverse,
                       .edge = r->edge,
                       .sum = r->sum,
                       .ratio = r->ratio,
                       .scratch = r->scratch};
}

static double *normals(uint64_t seed)
{
    double *z = calloc(N * M, sizeof *z);
    gpai_sobol s;
    assert_int_equal(gpai_sobol_open(&s, M, seed, 1, NULL), GPA_OK);
    gpai_sobol_fill(&s, N, z);
    for (size_t i = 0; i < N * M; i++)
        z[i] = gpai_norm_quantile(z[i]);
    gpai_sobol_close(&s);
    return z;
}

/* Some function to average: bounded, without symmetry. */
static double watch(const double *z)
{
    return atan(z[0] + 0.5 * z[1]) + 0.3 * cos(z[2] - 1) + 0.2 * (z[1] > 0.3);
}

static void check_part(const char *name, const gpai_part *p, double tol)
{
    double *drawn = normals(1), *prior = normals(2);
    double *q = calloc(N, sizeof *q), *r = calloc(N, sizeof *r);
    double *blocks = calloc(gpai_blocks_size(N, M), sizeof *blocks);
    double total = 0, weighed = 0, mean = 0, inverse = 0;
    gpai_blocks_fill(blocks, prior, M, 0, N);
    gpai_part_add_ratio(p, blocks, 0, N, q);
    gpai_part_move(p, drawn, N);
    gpai_blocks_fill(blocks, drawn, M, 0, N);
    gpai_part_add_ratio(p, blocks, 0, 100, r); /* in the midst of a block */
    gpai_part_add_ratio(p, blocks, 100, N, r);
    free(blocks);
    for (size_t i = 0; i < N; i++) {
        total += q[i] / N;
        weighed += q[i] * watch(prior + i * M) / N;
        mean += watch(drawn + i * M) / N;
        inverse += r[i] > 0.1 ? 1 / r[i] / N : 0; /* prior mass where q > p / 10 */
    }
    double there = 0;
    for (size_t i = 0; i < N; i++)
        there += q[i] > 0.1 ? 1.0 / N : 0;
    print_message("%s: total %.4f, mean %.4f and %.4f\n", name, total, mean, weighed);
    assert_close(total, 1, tol);
    assert_close(mean, weighed, tol);
    assert_close(inverse, there, tol);
    free(drawn);
    free(prior);
    free(q);
    free(r);
}

static void draws_match_weights(void **state)
{
    (void)state;
    static const gpai_part_line lines[] = {
        {0.8, 0.5, 6}, {-1.5, 0.3, 6}, {0.3, 0.05, 6}, {0, 3, 1}, {2, 300, 1e5}};
    struct room r;
    for (size_t i = 0; i < 5; i++) {
        gpai_part p = part_in(&r, 1);
        r.direction[0] = 0.6;
        r.direction[1] = 0;
        r.direction[2] = -0.8;
        assert_true(gpai_part_fit_line(&p, &lines[i]));
        check_part("line", &p, 0.03);
    }
    gpai_part p = part_in(&r, 2); /* a normal in the plane z0 + z1 = 0, z2 */
    double plane[6] = {sqrt(0.5), -sqrt(0.5), 0, 0, 0, 1};
    double covariance[4] = {0.5, 0, 0.2, 0.8};
    memcpy(r.direction, plane, sizeof plane);
    memcpy(r.factor, covariance, sizeof covariance);
    r.mean[0] = 0.7;
    r.mean[1] = -0.4;
    assert_true(gpai_part_fit_normal(&p));
    check_part("plane", &p, 0.02);
    p = part_in(&r, 3);
    p.direction = NULL;
    double full[9] = {0.6, 0, 0, -0.1, 0.9, 0, 0.2, 0.1, 0.7};
    memcpy(r.factor, full, sizeof full);
    r.mean[2] = 0.2;
    assert_true(gpai_part_fit_normal(&p));
    check_part("space", &p, 0.02);
    r.factor[0] = -1;
    assert_false(gpai_part_fit_normal(&p));
}

/* A line's posterior against quadrature: mean and variance of s. */
static void lines_are_exact(void **state)
{
    (void)state;
    static const gpai_part_line lines[] = {
        {1, 0.5, 6},      {5, 1e-3, 6},   {-3, 1e-6, 1e4},
        {40, 1, 6},       {20, 500, 1e6}, /* a normal, far out */
        {0.2, 1e-4, 1.5}, {6, 0.2, 2},    /* two modes: at 0 and at 6 */
    };
    struct room r;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        gpai_part p = part_in(&r, 1);
        assert_true(gpai_part_fit_line(&p, &lines[i]));
        double mean = 0, square = 0;
        for (size_t j = 0; j < GPAI_PART_CELLS; j++) {
            double a = r.edge[j], b = r.edge[j + 1], q = r.ratio[j];
            assert_true(b >= a);
            mean += q * (b - a) * 0.5 * (a + b);
            square += q * (b * b * b - a * a * a) / 3;
        }
        /* around the likelihood's centre and around the prior's */
        double want = 0, second = 0, total = 0, top = -HUGE_VAL;
        double width = lines[i].scale / sqrt(lines[i].power);
        for (int pass = 0; pass < 2; pass++)
            for (int j = -400000; j <= 400000; j++) {
                double t = (double)j / 400000;
                double s = lines[i].centre + width * sinh(25 * t);
                double d = width * cosh(25 * t);
                if (fabs(s) > 40)
                    continue;
                double x = (lines[i].centre - s) / lines[i].scale;
                double l = -0.5 * s * s - lines[i].power * log1p(0.5 * x * x);
                if (pass == 0) {
                    top = fmax(top, l);
                } else {
                    double q = exp(l - top) * d;
                    total += q;
                    want += q * s;
                    second += q * s * s;
                }
            }
        want /= total;
        double sd = sqrt(second / total - want * want);
        print_message("line %zu: mean %g (%g), sd %g (%g)\n", i, mean, want,
                      sqrt(fmax(square - mean * mean, 0)), sd);
        assert_close(mean, want, 0.02 * sd);
        if (sd > 1e-6 * fabs(want)) /* else it drowns in rounding here */
            assert_close(sqrt(fmax(square - mean * mean, 0)), sd, 0.02 * sd);
    }
}

static void a_point_is_no_line(void **state)
{
    (void)state;
    struct room r;
    gpai_part p = part_in(&r, 1);
    assert_false(gpai_part_fit_line(&p, &(gpai_part_line){1, 1e-250, 6}));
}

/* f = 2 + z.g exactly: slopes, no misfit, and a posterior along g. */
static void linear_is_found(void **state)
{
    (void)state;
    enum { K = 200, OUT = 2 };
    double f[K * OUT], w[K], b[OUT] = {1, 1}, y[OUT] = {3, 1};
    static const double g[OUT][M] = {{1, -2, 0.5}, {0.1, 0, 3}};
    double *z = normals(3);
    double gram[16], factor[16], sums[8], beta[8], misfit[2], row[4], scratch[12],
        reduced[4], length[2];
    for (size_t i = 0; i < K; i++) {
        w[i] = 1.0 + (double)(i % 3);
        for (size_t t = 0; t < OUT; t++)
            f[i * OUT + t] = 2 + gpai_dot(z + i * M, g[t], M);
        if (i == 7) { /* no prediction, no weight */
            f[i * OUT] = (double)NAN;
            w[i] = 0;
        }
    }
    double blocks[(K + GPAI_VDRAWS) * M];
    gpai_blocks_fill(blocks, z, M, 0, K);
    gpai_problem p = {.n = OUT, .y = y, .b = b, .a = 5.5};
    gpai_linear_fit l = {M,      OUT, gram,    factor,  sums,  beta,
                         misfit, row, scratch, reduced, length};
    assert_true(gpai_linear_fit_make(&l, &p, z, blocks, f, w, K));
    for (size_t t = 0; t < OUT; t++) {
        assert_close(beta[t * (M + 1) + M], 2, 1e-6);
        assert_close(misfit[t], 0, 1e-10);
        for (size_t k = 0; k < M; k++)
            assert_close(beta[t * (M + 1) + k], g[t][k], 1e-6);
    }
    struct room r;
    gpai_part part = part_in(&r, 2);
    assert_true(gpai_linear_fit_part(&l, &p, &part));
    assert_int_equal(part.rank, 2);
    for (size_t i = 0; i < 2; i++) /* orthonormal, and perpendicular to g0 x g1 */
        for (size_t j = 0; j <= i; j++)
            assert_close(gpai_dot(r.direction + i * M, r.direction + j * M, M), i == j,
                         1e-12);
    double normal[3] = {-6, -2.95, 0.2};
    assert_close(gpai_dot(normal, r.direction, M), 0, 1e-5);
    assert_close(gpai_dot(normal, r.direction + M, M), 0, 1e-5);
    for (size_t i = 0; i < K; i++)
        f[i * OUT] = f[i * OUT + 1] = 4;
    assert_false(gpai_linear_fit_make(&l, &p, z, blocks, f, w, K));
    free(z);
}

/* numpy.linalg.cholesky and inv of [[4, 2, -1], [2, 5, 3], [-1, 3, 6]]. */
static void small_matrices(void **state)
{
    (void)state;
    static const double want[9] = {2, 0, 0, 1, 2, 0, -0.5, 1.75, 1.6393596310755};
    double a[9] = {4, 9, 9, 2, 5, 9, -1, 3, 6}, b[3] = {1, 2, 3}, inverse[9], y[3];
    assert_true(gpai_cholesky(a, 3));
    for (size_t i = 0; i < 9; i++)
        assert_close(a[i], want[i], 1e-12);
    gpai_cholesky_solve(a, 3, b);
    for (size_t i = 0; i < 3; i++) { /* A b = (1, 2, 3) */
        static const double full[3][3] = {{4, 2, -1}, {2, 5, 3}, {-1, 3, 6}};
        assert_close(gpai_dot(full[i], b, 3), (double)(i + 1), 1e-12);
    }
    gpai_lower_invert(a, 3, inverse);
    for (size_t j = 0; j < 3; j++) {
        double column[3] = {inverse[j], inverse[3 + j], inverse[6 + j]};
        gpai_lower_times(a, 3, column, y);
        for (size_t i = 0; i < 3; i++)
            assert_close(y[i], i == j, 1e-14);
    }
    double singular[4] = {1, 0, 1, 1};
    assert_false(gpai_cholesky(singular, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_match_weights), cmocka_unit_test(lines_are_exact),
        cmocka_unit_test(a_point_is_no_line),  cmocka_unit_test(linear_is_found),
        cmocka_unit_test(small_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
