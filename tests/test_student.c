#include "support.h"

#include "engine/math/student.h"

/* ln of the mean of (1 + x^2)^-6 over t + a v + b w: second differences of its second
 * integral by incomplete beta functions, with 40 digits (mpmath). */
static void means(void **state)
{
    static const double cases[][4] = {
        {0, 0, 0, 0},
        {0, 1, 0, -0.957356039134},
        {0.5, 0.3, 0.2, -1.08897786008},
        {2, 1, 0.5, -5.46270768499},
        {2, 1, 2, -2.33675450032},
        {-3, 5, 1, -2.56020084674},
        {7, 0.01, 0.02, -23.4718836334},
        {40, 39, 3, -5.71263172562},
        {1000, 1, 2, -82.8929393482},
        {1e6, 10, 1e5, -165.5321395},
        {3, 1e-7, 1e-9, -13.815510558},
        {0.7, 50, 1e-3, -4.86248301823},
        {12, 30, 30, -4.57480094577},
        /* far, and as wide as that */
        {1e4, 9997, 1e-3, -24.9210167430887},
        {1e5, 99997, 1e-3, -27.2238718806418},
        {1e7, 9999997, 1e-3, -31.8290717670798},
        {1e9, 999999998, 1e-3, -32.5731456407774},
        {1e6, 1000003, 1e-7, -14.7659739594349},
        {1e6, 1e6, 1e-3, -15.4591177513228},
        {1e6, 999000, 5, -92.8903156838912},
        {1e8, 5e7, 1e-3, -215.821450859113},
        {300, 299.5, 0.2, -9.26150184687659},
        {1e5, 1e5, 1e5, -13.1565326583287},
        {1e4, 9990, 9980, -10.8539495713507},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double *c = cases[i];
        double mean, other, t = -c[0];
        gpai_student_mean(&c[0], &c[1], &c[2], 1, &mean);
        gpai_student_mean(&t, &c[2], &c[1], 1, &other); /* no order, no sign */
        assert_close(log(mean), c[3], 1e-5);
        assert_close(log(other), c[3], 1e-5);
    }
}

/* Cut in two, a box has the mean of its halves. */
static void halves(void **state)
{
    (void)state;
    for (double t = -20; t < 20; t += 0.37)
        for (double a = 1e-3; a < 30; a *= 3) {
            double b = 0.7 * a, half = 0.5 * a, left = t - half, right = t + half;
            double whole, l, r;
            gpai_student_mean(&t, &a, &b, 1, &whole);
            gpai_student_mean(&left, &half, &b, 1, &l);
            gpai_student_mean(&right, &half, &b, 1, &r);
            assert_close(log(0.5 * (l + r) / whole), 0, 1e-5);
        }
}

/* However far, and however wide: a number above 0, of which there is a logarithm. */
static void extremes(void **state)
{
    static const double at[] = {0, 1, 1e10, 1e20, 1e100, 1e300};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            for (size_t k = 0; k < 6; k++) {
                double mean;
                gpai_student_mean(&at[i], &at[j], &at[k], 1, &mean);
                assert_true(mean > 1e-300 && mean <= 1 + 1e-6);
            }
}

/* So has a place that is no number; a width that is none counts for nothing. */
static void no_numbers(void **state)
{
    const double nan = (double)NAN, one = 1, two = 2, none = 0;
    double mean, other;
    (void)state;
    gpai_student_mean(&nan, &one, &two, 1, &mean);
    assert_close(log10(mean), -240, 1e-9);
    gpai_student_mean(&one, &two, &none, 1, &mean);
    gpai_student_mean(&one, &two, &nan, 1, &other);
    assert_close(other, mean, 1e-12);
    gpai_student_mean(&one, &nan, &two, 1, &other);
    assert_close(other, mean, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means),
        cmocka_unit_test(halves),
        cmocka_unit_test(extremes),
        cmocka_unit_test(no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
