#include "support.h"

#include "engine/marginals/grid.h"

enum { N = 4001 };

/* A fine grid of a normal density: all summaries have closed forms. */
static void normal_summaries(void **state)
{
    (void)state;
    static double grid[N], density[N];
    double mean = 0.7, sd = 0.3, eta = 0.4;
    for (int i = 0; i < N; i++) {
        grid[i] = mean + sd * 8 * (2.0 * i / (N - 1) - 1);
        double z = (grid[i] - mean) / sd;
        density[i] = -0.5 * z * z - 1e5; /* a constant must not matter */
    }
    gpai_prior prior = gpai_prior_make(eta, 0); /* N(0, 1/eta) */
    gpa_marginal m = {0};
    gpai_density_normalise(grid, density, N);
    gpai_density_summarise(grid, density, N, &prior, &m);
    assert_close(m.mean, mean, 1e-9);
    assert_close(m.sd, sd, 1e-5);
    assert_close(m.interval50[0], mean - 0.6744897501960817 * sd, 1e-5);
    assert_close(m.interval90[1], mean + 1.6448536269514722 * sd, 1e-5);
    assert_close(m.p_positive, 0.9901846713713547, 1e-6); /* Phi(7/3) */
    /* KL of two normals */
    double kl = 0.5 * (eta * sd * sd + eta * mean * mean - 1 - log(eta * sd * sd));
    assert_close(m.information, kl, 1e-5);
}

static void triangle(void **state)
{
    (void)state;
    /* the density x/2 on [0, 2]: cdf x^2/4, mean 4/3, variance 2/9 */
    double grid[3] = {0, 0.5, 2}, density[3] = {-HUGE_VAL, log(0.5), log(2)};
    gpai_prior prior = gpai_prior_make(1, 0.5);
    gpa_marginal m = {0};
    gpai_density_normalise(grid, density, 3);
    assert_close(density[2], 1, 1e-15);
    assert_close(gpai_density_cdf(grid, density, 3, 1.3), 1.3 * 1.3 / 4, 1e-15);
    assert_close(gpai_density_quantile(grid, density, 3, 0.36), 1.2, 1e-15);
    assert_close(gpai_density_quantile(grid, density, 3, 0.0025), 0.1, 1e-15);
    gpai_density_summarise(grid, density, 3, &prior, &m);
    assert_close(m.mean, 4.0 / 3, 1e-15);
    assert_close(m.sd * m.sd, 2.0 / 9, 1e-15);
    assert_close(m.p_positive, 1, 1e-15);
}

/* A density that is not known has no summaries either. */
static void unknown_stays_unknown(void **state)
{
    (void)state;
    double grid[2] = {0, 1}, density[2] = {(double)NAN, (double)NAN};
    gpai_prior prior = gpai_prior_make(1, 0.5);
    gpa_marginal m = {0};
    gpai_density_summarise(grid, density, 2, &prior, &m);
    assert_true(isnan(m.mean) && isnan(m.p_positive) && isnan(m.interval90[1]));
    assert_int_equal(m.points, 2);
}

static void nothing_finite_is_uniform(void **state)
{
    (void)state;
    double grid[3] = {-1, 0, 1}, density[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    gpai_density_normalise(grid, density, 3);
    assert_close(density[0], 0.5, 1e-15);
    assert_close(density[1], 0.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_summaries),
        cmocka_unit_test(triangle),
        cmocka_unit_test(nothing_finite_is_uniform),
        cmocka_unit_test(unknown_stays_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
