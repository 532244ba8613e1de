#include "support.h"

#include "base/math/special.h"
#include "base/rng.h"

/* Expected values: SciPy's ndtri, log_ndtr, erfcx, printed with 17 digits. */
static void quantile(void **state)
{
    (void)state;
    static const double cases[][2] = {
        {1e-300, -37.0470962993612}, {1e-10, -6.361340902404056},
        {0.001, -3.090232306167813}, {0.025, -1.9599639845400545},
        {0.07, -1.4757910281791706}, {0.3, -0.5244005127080409},
        {0.975, 1.959963984540054},  {0.9999, 3.719016485455709},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_close(gpai_norm_quantile(cases[i][0]), cases[i][1],
                     4e-15 * fabs(cases[i][1]));
    assert_true(gpai_norm_quantile(0.5) == 0);
    assert_true(isinf(gpai_norm_quantile(0)) && isinf(gpai_norm_quantile(1)));
    assert_true(isnan(gpai_norm_quantile(1.5)) &&
                isnan(gpai_norm_quantile((double)NAN)));
}

static void quantile_of_log(void **state)
{
    (void)state;
    /* the inverse of ln Phi, over its whole range */
    for (double z = -100; z < 0; z += 0.37)
        assert_close(gpai_norm_quantile_log(gpai_norm_logcdf(z)), z, 2e-13 * (1 - z));
}

static void logcdf(void **state)
{
    (void)state;
    static const double cases[][2] = {
        {-50, -1254.8313611394199},  {-15, -116.13138484571171},
        {-5, -15.064998393988727},   {-1, -1.841021645009264},
        {0, -0.6931471805599453},    {1, -0.1727537790234499},
        {6, -9.865876455243719e-10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_close(gpai_norm_logcdf(cases[i][0]), cases[i][1],
                     4e-15 * fabs(cases[i][1]));
}

static void erfcx_values(void **state)
{
    (void)state;
    static const double cases[][2] = {
        {0, 1},
        {0.5, 0.6156903441929259},
        {3, 0.17900115118138996},
        {9.99, 0.05619664070685882},
        {10.01, 0.056085454355001924},
        {50, 0.011281536265323772},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_close(gpai_erfcx(cases[i][0]), cases[i][1], 2e-14 * cases[i][1]);
}

static void log_gamma(void **state)
{
    (void)state;
    for (double x = 0.01; x < 1e9; x *= 1.37) /* against libm */
        assert_close(gpai_log_gamma(x), lgamma(x),
                     4e-15 * (1 + fabs(lgamma(x))) + 1e-14);
}

static void log_add(void **state)
{
    (void)state;
    assert_close(gpai_log_add(log(2), log(3)), log(5), 1e-15);
    assert_close(gpai_log_add(1000, 1000), 1000 + log(2), 1e-12);
    assert_true(gpai_log_add(-HUGE_VAL, 3) == 3 && gpai_log_add(3, -HUGE_VAL) == 3);
    assert_true(gpai_log_add(-HUGE_VAL, -HUGE_VAL) == -HUGE_VAL);
}

static void random_moments(void **state)
{
    (void)state;
    enum { N = 200000 };
    gpai_rng rng = gpai_rng_make(1, 7);
    double sum = 0, square = 0, fourth = 0, unit = 0;
    for (int i = 0; i < N; i++) {
        double z = gpai_rng_normal(&rng), u = gpai_rng_unit(&rng);
        assert_true(u >= 0 && u < 1);
        sum += z;
        square += z * z;
        fourth += z * z * z * z;
        unit += u;
    }
    /* five standard errors of each moment */
    assert_close(sum / N, 0, 5 / sqrt(N));
    assert_close(square / N, 1, 5 * sqrt(2.0 / N));
    assert_close(fourth / N, 3, 5 * sqrt(96.0 / N));
    assert_close(unit / N, 0.5, 5 * sqrt(1.0 / 12 / N));
}

static void streams_differ(void **state)
{
    (void)state;
    gpai_rng a = gpai_rng_make(1, 2), b = gpai_rng_make(2, 1), c = gpai_rng_make(1, 2);
    gpai_rng d = gpai_rng_make(1, 3);
    uint64_t first = gpai_rng_bits(&a);
    assert_true(first == gpai_rng_bits(&c));
    assert_true(first != gpai_rng_bits(&b) && first != gpai_rng_bits(&d));
}

static void powers(void **state)
{
    (void)state;
    for (size_t n = 0; n < 20; n++) {
        double to[20] = {0};
        gpai_powers(3, -0.5, n, to);
        for (size_t i = 0; i < 20; i++) /* powers of two: exact */
            assert_true(to[i] == (i < n ? 3 * pow(-0.5, (double)i) : 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantile),       cmocka_unit_test(quantile_of_log),
        cmocka_unit_test(logcdf),         cmocka_unit_test(erfcx_values),
        cmocka_unit_test(log_gamma),      cmocka_unit_test(log_add),
        cmocka_unit_test(random_moments), cmocka_unit_test(streams_differ),
        cmocka_unit_test(powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
