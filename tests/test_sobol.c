#include "support.h"

#include "base/alloc.h"
#include "base/math/sobol.h"

static gpai_sobol opened(size_t d, uint64_t seed, uint64_t stream)
{
    gpai_sobol s;
    assert_int_equal(gpai_sobol_open(&s, d, seed, stream, NULL), GPA_OK);
    return s;
}

/* What makes it a Sobol sequence: 2^k points, one in each of 2^k equal parts. */
static void every_dimension_is_stratified(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 10, 100, GPAI_SOBOL_DIMENSIONS};
    enum { MOST = 1024 };
    for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
        size_t d = dims[i];
        gpai_sobol s = opened(d, 3 + i, i);
        double *u = calloc(MOST * d, sizeof *u);
        gpai_sobol_fill(&s, MOST, u);
        for (size_t k = 0; (1u << k) <= MOST; k++)
            for (size_t from = 0; from < MOST; from += 1u << k)
                for (size_t j = 0; j < d; j++) {
                    unsigned char seen[MOST] = {0};
                    for (size_t p = from; p < from + (1u << k); p++) {
                        double v = u[p * d + j];
                        assert_true(v >= 1e-9 && v <= 1 - 1e-9);
                        seen[(size_t)(v * (double)(1u << k))]++;
                    }
                    for (size_t b = 0; b < 1u << k; b++)
                        assert_int_equal(seen[b], 1);
                    if (d == GPAI_SOBOL_DIMENSIONS && from > 0)
                        j += 36; /* enough to see */
                }
        free(u);
        gpai_sobol_close(&s);
    }
}

/* In two dimensions every dyadic rectangle of area 2^(t - k) holds 2^t of 2^k points;
 * the first dimensions reach small t, and all pairs of ten t <= 5 at 1024 points. */
static void pairs_fill_rectangles(void **state)
{
    (void)state;
    enum { D = 10, LOG = 10, N = 1 << LOG, T = 5 };
    static double u[N * D];
    gpai_sobol s = opened(D, 8, 1);
    gpai_sobol_fill(&s, N, u);
    for (size_t a = 0; a < D; a++)
        for (size_t b = 0; b < a; b++)
            for (int i = 0; i <= LOG - T; i++) {
                int count[1 << (LOG - T)] = {0};
                for (size_t p = 0; p < N; p++) {
                    size_t x = (size_t)(u[p * D + a] * (1 << i));
                    size_t y = (size_t)(u[p * D + b] * (1 << (LOG - T - i)));
                    count[x * (1u << (LOG - T - i)) + y]++;
                }
                for (size_t c = 0; c < 1u << (LOG - T); c++)
                    assert_int_equal(count[c], 1 << T);
            }
    gpai_sobol_close(&s);
}

/* The mean over (0, 1)^10 of prod (1 + (u_j - 1/2)) is 1; its variance under plain
 * Monte Carlo is (13/12)^10 - 1. */
static void smooth_integrals_beat_monte_carlo(void **state)
{
    (void)state;
    enum { D = 10, N = 4096, SEEDS = 16 };
    static double u[N * D];
    double square = 0, plain = (pow(13.0 / 12, D) - 1) / N;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        gpai_sobol s = opened(D, seed, 5);
        gpai_sobol_fill(&s, N, u);
        double sum = 0;
        for (size_t p = 0; p < N; p++) {
            double v = 1;
            for (size_t j = 0; j < D; j++)
                v *= 0.5 + u[p * D + j];
            sum += v;
        }
        square += (sum / N - 1) * (sum / N - 1) / SEEDS;
        gpai_sobol_close(&s);
    }
    print_message("root mean square error: %.3g of plain Monte Carlo's\n",
                  sqrt(square / plain));
    assert_true(square < plain / (10 * 10));
}

static void seeds_and_streams(void **state)
{
    (void)state;
    enum { D = 5, N = 100 };
    double a[N * D], b[N * D];
    static const struct {
        uint64_t seed, stream;
        bool same;
    } cases[] = {{1, 2, true}, {2, 1, false}, {1, 3, false}, {7, 2, false}};
    gpai_sobol s = opened(D, 1, 2);
    gpai_sobol_fill(&s, N, a);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpai_sobol_restart(&s, cases[i].seed, cases[i].stream);
        gpai_sobol_fill(&s, 37, b); /* pieces give the same points */
        gpai_sobol_fill(&s, N - 37, b + 37 * D);
        assert_true((memcmp(a, b, sizeof a) == 0) == cases[i].same);
    }
    gpai_sobol_close(&s);
}

/* Each point on its own is uniform over the scrambles. */
static void scrambling_is_uniform(void **state)
{
    (void)state;
    enum { SEEDS = 4000 };
    gpai_sobol s = opened(3, 0, 0);
    double mean[3] = {0}, square[3] = {0}, u[3 * 3];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        gpai_sobol_restart(&s, seed, 9);
        gpai_sobol_fill(&s, 3, u);
        for (size_t p = 0; p < 3; p++) {
            mean[p] += u[p * 3 + p] / SEEDS;
            square[p] += u[p * 3 + p] * u[p * 3 + p] / SEEDS;
        }
    }
    for (size_t p = 0; p < 3; p++) { /* five standard errors */
        assert_close(mean[p], 0.5, 5 * sqrt(1.0 / 12 / SEEDS));
        assert_close(square[p], 1.0 / 3, 5 * sqrt(4.0 / 45 / SEEDS));
    }
    gpai_sobol_close(&s);
}

static void more_dimensions_than_the_table(void **state)
{
    (void)state;
    enum { D = GPAI_SOBOL_DIMENSIONS + 200, N = 512 };
    gpai_sobol s = opened(D, 4, 4);
    double *u = calloc((size_t)N * D, sizeof *u), worst = 0;
    gpai_sobol_fill(&s, N, u);
    for (size_t j = GPAI_SOBOL_DIMENSIONS; j < D; j++) {
        double mean = 0;
        for (size_t p = 0; p < N; p++) {
            assert_true(u[p * D + j] >= 1e-9 && u[p * D + j] <= 1 - 1e-9);
            mean += u[p * D + j] / N;
        }
        worst = fmax(worst, fabs(mean - 0.5));
    }
    assert_true(worst < 5 * sqrt(1.0 / 12 / N));
    assert_true(worst > 1e-4); /* and are not stratified by accident */
    free(u);
    gpai_sobol_close(&s);
}

static void memory_runs_out(void **state)
{
    (void)state;
    gpai_sobol s;
    gpai_alloc_fail_at(1, false);
    assert_int_equal(gpai_sobol_open(&s, 4, 1, 1, NULL), GPA_NOMEM);
    gpai_sobol_close(&s);
    gpai_alloc_fail_at(0, false);
    s = opened(4, 1, 1);
    gpai_sobol_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dimension_is_stratified),
        cmocka_unit_test(pairs_fill_rectangles),
        cmocka_unit_test(smooth_integrals_beat_monte_carlo),
        cmocka_unit_test(seeds_and_streams),
        cmocka_unit_test(scrambling_is_uniform),
        cmocka_unit_test(more_dimensions_than_the_table),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
