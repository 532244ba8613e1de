#include "support.h"

#include "base/rng.h"
#include "base/text/shortest.h"
#include <float.h>
#include <locale.h>

static void test_texts(void **state)
{
    /* repr() of Python, and numpy's of float32 */
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0.0"},
        {-0.0, "-0.0"},
        {1, "1.0"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {0.30000000000000004, "0.30000000000000004"},
        {2.0 / 3, "0.6666666666666666"},
        {999999.9999999999, "999999.9999999999"},
        {123456789012, "123456789012.0"},
        {0.000125, "0.000125"},
        {6.02214076e23, "6.02214076e+23"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {-5e-7, "-5e-07"},
    };
    static const struct {
        float value;
        const char *text;
    } floats[] = {
        {0.1f, "0.1"},
        {16777216.0f, "16777216.0"},
        {3.14159274f, "3.1415927"},
        {1.17549421e-5f, "0.0000117549425"},
        {-1.0f / 3, "-0.33333334"},
        {8589973504.0f, "8589973504.0"},
    };
    char out[GPAI_NUMBER_ROOM];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpai_shortest(cases[c].value, out);
        assert_string_equal(out, cases[c].text);
    }
    for (size_t c = 0; c < sizeof floats / sizeof floats[0]; c++) {
        gpai_shortest_float(floats[c].value, out);
        assert_string_equal(out, floats[c].text);
    }
}

/* Reads back as itself, with strtod and ours, and has a point or an exponent. */
static void check(double value)
{
    char out[GPAI_NUMBER_ROOM], plain[GPAI_NUMBER_ROOM];
    double back = 0;
    float single = (float)value;
    gpai_shortest(value, out);
    assert_true(strlen(out) < sizeof out && strpbrk(out, ".e") != NULL);
    if (strtod(out, NULL) != value ||
        gpai_number(out, strlen(out), &back) != GPAI_NUMBER || back != value)
        fail_msg("%a became %s", value, out);
    gpai_number_text(value, plain);
    assert_true(strlen(out) <= strlen(plain) + 6); /* 0.0000 for an exponent */
    if (fabs(value) > (double)FLT_MAX)
        return;
    gpai_shortest_float(single, out);
    if (strtof(out, NULL) != single || (float)strtod(out, NULL) != single)
        fail_msg("%a became %s", (double)single, out);
}

static void test_reads_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 50000; i++) {
        gpai_rng rng = gpai_rng_make(1, i);
        uint64_t bits = gpai_rng_bits(&rng);
        double any, u = gpai_rng_unit(&rng);
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any))
            check(any);
        check(u);
        check(-1e6 * u);
        check(floor(1e4 * u) / 100);
        check(ldexp(1, (int)(120 * u) - 60)); /* where numbers below are closer */
        check(nextafter(ldexp(1, (int)(120 * u) - 60), 0));
        check(nextafter(pow(10, (int)(30 * u) - 10), 0));
    }
}

static void test_any_locale(void **state)
{
    char out[GPAI_NUMBER_ROOM];
    (void)state;
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
        print_message("SKIP: no German locale\n");
    gpai_shortest(1.5, out);
    assert_string_equal(out, "1.5");
    gpai_shortest(1.5e300, out);
    assert_string_equal(out, "1.5e+300");
    setlocale(LC_NUMERIC, "C");
}

/* The same bytes as printf's, for any number of digits, wherever it answers. */
static void test_as_printf(void **state)
{
    (void)state;
    gpai_rng rng = gpai_rng_make(3, 0);
    size_t fast = 0;
    enum { TRIES = 200000 };
    for (size_t i = 0; i < TRIES; i++) {
        double u = gpai_rng_unit(&rng), v = ldexp(u - 0.5, (int)(i % 80) - 40);
        if (i % 3 == 1)
            v = floor(1e6 * u) / 64; /* ties */
        if (i % 3 == 2)
            v = floor(1e6 * u) / 1e4;
        char got[GPAI_NUMBER_ROOM], want[GPAI_NUMBER_ROOM];
        int digits = 1 + (int)(i % 17), least = 14;
        if (gpai_digits_text(v, digits, digits, got)) {
            snprintf(want, sizeof want, "%.*g", digits, v);
            assert_string_equal(got, want);
            fast++;
        }
        do
            snprintf(want, sizeof want, "%.*g", ++least, v);
        while (strtod(want, NULL) != v);
        if (gpai_digits_text(v, 15, 17, got))
            assert_string_equal(got, want);
    }
    assert_true(fast > TRIES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_as_printf),
        cmocka_unit_test(test_reads_back),
        cmocka_unit_test(test_any_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
