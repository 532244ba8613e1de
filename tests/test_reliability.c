#include "support.h"

#include "lab/planted/reliability.h"
#include <math.h>

static void cases_fall_into_bins(void **state)
{
    (void)state;
    struct reliability r = {0};
    /* 0.3, 0.5 and 1 belong to what begins there, 1 to the last */
    static const double p[] = {0, 0.299, 0.3, 0.499, 0.5, 0.97, 0.985, 0.99, 1};
    static const size_t count[RELIABILITY_BINS] = {2, 2, 1, 0, 0, 2, 2};
    static const double stated[] = {0.1495, 0.3995, 0.5, 0, 0, 0.9775, 0.995};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        reliability_add(&r, p[i], i % 2 == 1, 1);
    for (size_t i = 0; i < RELIABILITY_BINS; i++) {
        struct agreement a = reliability_bin(&r, i);
        assert_int_equal(a.cases, count[i]);
        if (count[i] > 0)
            assert_close(a.stated, stated[i], 1e-15);
        else
            assert_true(isnan(a.stated) && isnan(a.share));
    }
}

/* 5 of 10 came true: the interval is that of SciPy's beta distribution. */
static void shares_are_exact(void **state)
{
    (void)state;
    struct reliability r = {0};
    for (int i = 0; i < 10; i++)
        reliability_add(&r, 0.8, i < 5, 3); /* whatever all of them weigh */
    struct agreement a = reliability_bin(&r, 3);
    assert_close(a.from, 0.7, 0);
    assert_close(a.to, 0.9, 0);
    assert_close(a.share, 0.5, 1e-15);
    assert_close(a.low, 0.222441101008129, 1e-12);
    assert_close(a.high, 0.777558898991871, 1e-12);
    assert_close(reliability_error(&r), 0.3, 1e-15);
}

/* Weights 1, 1, 1 and 3: half of it came true, and it is known as well as from
 * 36 / 12 = 3 cases. Expected: SciPy's beta.ppf(.05, 1.5, 2.5), (.95, 2.5, 1.5). */
static void weights_count(void **state)
{
    (void)state;
    struct reliability r = {0};
    for (int i = 0; i < 3; i++)
        reliability_add(&r, 0.1, false, 1);
    reliability_add(&r, 0.2, true, 3);
    struct agreement a = reliability_bin(&r, 0);
    assert_int_equal(a.cases, 4);
    assert_close(a.stated, 0.15, 1e-15);
    assert_close(a.share, 0.5, 1e-15);
    assert_close(a.low, 0.062412523857915, 1e-12);
    assert_close(a.high, 0.937587476142085, 1e-12);
    /* (3 * 0.1 + 3 * 0.8) / 6 */
    assert_close(reliability_error(&r), 0.45, 1e-15);
}

/* Errors of one tenth cancel, those of two do not. */
static void errors_are_by_tenths(void **state)
{
    (void)state;
    struct reliability one = {0}, two = {0};
    assert_true(isnan(reliability_error(&one)));
    reliability_add(&one, 0.5, true, 1);
    reliability_add(&one, 0.5, false, 1);
    assert_close(reliability_error(&one), 0, 1e-15);
    reliability_add(&two, 0.55, true, 1);
    reliability_add(&two, 0.45, false, 1);
    assert_close(reliability_error(&two), 0.45, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_fall_into_bins), cmocka_unit_test(shares_are_exact),
        cmocka_unit_test(weights_count), cmocka_unit_test(errors_are_by_tenths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
