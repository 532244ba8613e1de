#include "support.h"

#include "base/alloc.h"
#include <gpa/gpa.h>

static gpa_model *sinusoid(void)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    return m;
}

static double at(gpa_model *m, double x1, double x2)
{
    const double x[2] = {x1, x2};
    double y = (double)NAN;
    assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
    return y;
}

static void test_exact_places(void **state)
{
    gpa_model *m = sinusoid();
    (void)state;
    for (double k = -6; k <= 6; k++) {
        double sign = fmod(fabs(k), 2) == 0 ? 1 : -1;
        assert_true(at(m, k, 0) == 2 * sign);
        assert_true(at(m, 0, k) == 2 * sign);
        assert_true(at(m, k + 0.5, 0.3) == 0);
        assert_true(at(m, 0.3, k + 0.5) == 0);
    }
    assert_true(at(m, 9007199254740992.0, 1e300) == 2);
    gpa_model_free(m);
}

/* 2 cos(pi a) cos(pi b) by Python, whole turns taken off; the angles of the hexagon and
 * pentagon by geometry.
 */
static void test_values(void **state)
{
    static const struct {
        double x1, x2, want;
    } cases[] = {
        {1.0 / 3, 0, 1},
        {2.0 / 3, 0, -1},
        {0.25, 0, 1.4142135623730951},
        {0.75, 0, -1.4142135623730951},
        {0.25, 0.25, 1},
        {1.75, -0.25, 1},
        {0.2, 0.4, 0.5},  /* cos 36 cos 72 = 1/4 */
        {0.4, 0.8, -0.5}, /* cos 72 cos 144 = -1/4 */
        {0.1, 0.7, -1.1180339887498947},
        {-1.3, 0.9, 1.1180339887498947},
        {12.34, 5.67, 0.49046514461536067},
    };
    gpa_model *m = sinusoid();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        assert_close(at(m, cases[c].x1, cases[c].x2), cases[c].want, 4e-15);
    gpa_model_free(m);
}

static void test_without_number(void **state)
{
    gpa_model *m = sinusoid();
    (void)state;
    assert_true(isnan(at(m, (double)NAN, 0)));
    assert_true(isnan(at(m, 0, HUGE_VAL)));
    gpa_model_free(m);
}

static void test_what_it_tells(void **state)
{
    gpa_model *m = sinusoid(), *copy = NULL, *none = m;
    gpa_error err;
    (void)state;
    assert_int_equal(gpa_model_dim(m), 2);
    assert_string_equal(gpa_model_variable(m, 0), "x1");
    assert_string_equal(gpa_model_variable(m, 1), "x2");
    assert_true(gpa_model_in_process(m));
    assert_true(gpa_model_refuses_missing(m));
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    gpa_model_free(m);
    assert_true(at(copy, 0, 0) == 2);
    assert_string_equal(gpa_model_spec(copy), "builtin:sinusoid2d");
    gpa_model_free(copy);
    assert_int_equal(gpa_model_open(&none, "builtin:cube", NULL, &err), GPA_INVALID);
    assert_string_equal(err.message, "builtin: no model 'cube'; there is sinusoid2d");
    assert_null(none);
}

static void test_without_memory(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? m != NULL : st == GPA_NOMEM && m == NULL);
            gpa_model_free(m);
        }
        assert_true(k > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_places),   cmocka_unit_test(test_values),
        cmocka_unit_test(test_without_number), cmocka_unit_test(test_what_it_tells),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
