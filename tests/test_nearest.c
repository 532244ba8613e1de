/* Edit distance, and the name that a slip was meant to be. */
#include "support.h"

#include "base/text/nearest.h"

static void test_edits(void **state)
{
    static const struct {
        const char *a, *b;
        size_t edits, any_case;
    } cases[] = {
        {"", "", 0, 0},           {"", "abc", 3, 3},   {"abc", "abc", 0, 0},
        {"abc", "abd", 1, 1},     {"abc", "ac", 1, 1}, {"kitten", "sitting", 3, 3},
        {"modle", "model", 1, 1}, {"ab", "ba", 1, 1},  {"Bmi", "bMI", 3, 0},
        {"aB", "bA", 2, 1},       {"@", "`", 1, 1},    {"\xc3\x84", "\xc3\xa4", 1, 1},
    };
    char longest[66];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(gpai_edits(cases[i].a, cases[i].b, false), cases[i].edits);
        assert_int_equal(gpai_edits(cases[i].b, cases[i].a, false), cases[i].edits);
        assert_int_equal(gpai_edits(cases[i].a, cases[i].b, true), cases[i].any_case);
    }
    memset(longest, 'x', 65);
    longest[65] = '\0';
    assert_int_equal(gpai_edits(longest, "x", false), SIZE_MAX);
    assert_int_equal(gpai_edits("x", longest, false), SIZE_MAX);
    assert_int_equal(gpai_edits(longest + 1, "x", false), 63);
}

static void test_nearest(void **state)
{
    static const char *const names[] = {"explain", "compare", "lime", "line", "z"};
    (void)state;
    assert_string_equal(gpai_nearest("explian", names, 5), "explain");
    assert_string_equal(gpai_nearest("limo", names, 5), "lime"); /* the first */
    assert_string_equal(gpai_nearest("zz", names, 5), "z");
    assert_null(gpai_nearest("zzz", names, 5));
    assert_null(gpai_nearest("EXPLAIN", names, 5));
    assert_null(gpai_nearest("explain", names, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
