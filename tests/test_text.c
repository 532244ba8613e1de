#include "base/alloc.h"
#include "base/rng.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static gpa_text *fresh(void)
{
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    return t;
}

/* The right column is what Python's repr or '%.15g' prints, whichever is shorter. */
static void exact_numbers(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *want;
    } cases[] = {
        {0, "0"},
        {1, "1"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e22, "1e+22"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {5e-324, "4.94065645841247e-324"},
    };
    char out[GPAI_REAL_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpai_number_text(cases[i].v, out);
        assert_string_equal(out, cases[i].want);
    }
}

static void exact_numbers_read_back(void **state)
{
    (void)state;
    gpai_rng rng = gpai_rng_make(7, 0);
    char out[GPAI_REAL_SIZE];
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = gpai_rng_bits(&rng);
        double v;
        memcpy(&v, &bits, sizeof v);
        if (!isfinite(v))
            continue;
        gpai_number_text(v, out);
        assert_true(strtod(out, NULL) == v);
    }
}

static void numbers_for_people(void **state)
{
    (void)state;
    static const struct {
        double v;
        int digits;
        const char *want;
    } cases[] = {
        {238.0312, 5, "238.03"},
        {99, 5, "99"},
        {1234567, 3, "1234567"},
        {0.05, 3, "0.05"},
        {-0.0004567, 2, "-0.00046"},
        {1e-9, 3, "1e-09"},
        {1e15, 3, "1e+15"},
        {12.5, 5, "12.5"},
        {0, 3, "0"},
    };
    char out[GPAI_REAL_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpai_real_people(out, cases[i].v, cases[i].digits);
        assert_string_equal(out, cases[i].want);
    }
    gpai_real_people(out, (double)NAN, 3);
    assert_string_equal(out, "n/a");
    gpai_real_fixed(out, -0.001, 2);
    assert_string_equal(out, "0.00");
    /* digits, not noughts */
    gpai_real_fixed(out, 3.7081e-15, gpai_decimals(1.6e-16, 3));
    assert_string_equal(out, "3.708e-15");
    gpai_real_fixed(out, -2e-19, gpai_decimals(1.6e-16, 3));
    assert_string_equal(out, "0");
    gpai_real_fixed(out, 5.25, gpai_decimals(1.6e-16, 3));
    assert_string_equal(out, "5.25");
    gpai_real_fixed(out, 1e-300, gpai_decimals(1e-300, 3));
    assert_string_equal(out, "1e-300");
    gpai_real_fixed(out, 1e300, 2);
    assert_string_equal(out, "1e+300");
}

/* Where a locale with a comma is installed, numbers must not follow it. */
static void numbers_ignore_the_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "de_DE", "nl_NL.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found)
        skip();
    char out[GPAI_REAL_SIZE];
    gpai_number_text(0.1 + 0.2, out);
    assert_string_equal(out, "0.30000000000000004");
    gpai_real_fixed(out, -1234.5, 2);
    assert_string_equal(out, "-1234.50");
    gpai_real_digits(out, 1.5e-7, 3);
    assert_string_equal(out, "1.5e-07");
    setlocale(LC_ALL, "C");
}

/* Well-formed and ill-formed sequences of the Unicode standard, table 3-7. */
static void utf8_points(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t point;
        size_t length;
    } cases[] = {
        {"A", 'A', 1},
        {"\xC3\xA9", 0xE9, 2},
        {"\xE2\x82\xAC", 0x20AC, 3},
        {"\xF0\x9F\x98\x80", 0x1F600, 4},
        {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
        {"\xC0\x80", 0xFFFD, 1},         /* overlong zero */
        {"\xE0\x80\x80", 0xFFFD, 1},     /* overlong */
        {"\xF0\x80\x80\x80", 0xFFFD, 1}, /* overlong */
        {"\xED\xA0\x80", 0xFFFD, 1},     /* surrogate */
        {"\xF4\x90\x80\x80", 0xFFFD, 1}, /* beyond the last */
        {"\xFF", 0xFFFD, 1},
        {"\x80", 0xFFFD, 1},
        {"\xE2\x82", 0xFFFD, 1}, /* cut short */
        {"\xF0\x9F", 0xFFFD, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *p = cases[i].bytes;
        assert_int_equal(gpai_utf8_next(&p), cases[i].point);
        assert_int_equal(p - cases[i].bytes, cases[i].length);
    }
}

static void utf8_there_and_back(void **state)
{
    (void)state;
    gpa_text *t = fresh();
    for (uint32_t c = 1; c <= 0x10FFFF; c += c < 0x900 ? 1 : 37) {
        if (c >= 0xD800 && c <= 0xDFFF)
            continue;
        gpa_text_clear(t);
        gpai_text_point(t, c);
        const char *p = gpa_text_data(t);
        assert_int_equal(gpai_utf8_next(&p), c);
        assert_int_equal(*p, '\0');
    }
    gpa_text_free(t);
}

static void visible_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
        bool ascii;
        const char *want;
    } cases[] = {
        {"bmi", 24, false, "bmi"},
        {"\x1B[31mred\x7F", 0, false, "\xEF\xBF\xBD[31mred\xEF\xBF\xBD"},
        {"\xE2\x80\xAEx", 0, false, "\xEF\xBF\xBDx"}, /* right-to-left override */
        {"a\nb", 0, true, "a?b"},
        {"\xC3\xA9t\xC3\xA9", 0, true, "?t?"},
        {"abcdefghij", 6, false, "abcde\xE2\x80\xA6"},
        {"abcdefghij", 6, true, "abc..."},
        {"\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2", 4, false, "\xE6\xBC\xA2\xE2\x80\xA6"},
    };
    gpa_text *t = fresh();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_text_clear(t);
        gpai_text_visible(t, cases[i].text, cases[i].columns, cases[i].ascii);
        assert_string_equal(gpa_text_data(t), cases[i].want);
    }
    assert_int_equal(gpai_utf8_width("a\xE6\xBC\xA2"), 3);
    assert_int_equal(gpai_utf8_width("e\xCC\x81"), 1); /* a combining accent */
    gpa_text_free(t);
}

/* Memory that runs out sticks, is reported once, and leaves the text as it was. */
static void out_of_memory(void **state)
{
    (void)state;
    gpa_text *t = NULL;
    for (size_t k = 1; k <= 2; k++) {
        gpai_alloc_fail_at(k, false);
        assert_int_equal(gpa_text_new(&t, NULL), GPA_NOMEM);
        gpai_alloc_fail_at(0, false);
        assert_null(t);
    }
    t = fresh();
    gpai_text_add(t, "kept");
    size_t start = gpa_text_length(t);
    gpai_alloc_fail_at(1, false);
    for (int i = 0; i < 10000; i++)
        gpai_text_printf(t, "%d,", i);
    gpai_alloc_fail_at(0, false);
    gpai_text_add(t, "too late");
    assert_int_equal(gpai_text_seal(t, start, NULL), GPA_NOMEM);
    assert_string_equal(gpa_text_data(t), "kept");
    gpai_text_add(t, " on");
    assert_int_equal(gpai_text_seal(t, start, NULL), GPA_OK);
    assert_string_equal(gpa_text_data(t), "kept on");
    gpa_text_free(t);
}

static void null_handles(void **state)
{
    (void)state;
    gpa_error err;
    assert_int_equal(gpa_text_new(NULL, &err), GPA_INVALID);
    assert_string_equal(gpa_text_data(NULL), "");
    assert_int_equal(gpa_text_length(NULL), 0);
    gpa_text_clear(NULL);
    gpa_text_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_numbers),
        cmocka_unit_test(exact_numbers_read_back),
        cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(numbers_ignore_the_locale),
        cmocka_unit_test(utf8_points),
        cmocka_unit_test(utf8_there_and_back),
        cmocka_unit_test(visible_text),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(null_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
