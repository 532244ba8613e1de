/* Values of inputs as text; the calendar against that of the C library. */
#include "support.h"

#include "base/text/input.h"
#include <math.h>
#include <time.h>

static void test_dates(void **state)
{
    (void)state;
    for (int64_t days = -800000; days <= 800000; days += 37) {
        int64_t year = 0;
        unsigned month = 0, day = 0;
        time_t t = (time_t)(days * 86400);
        struct tm tm = {0};
        assert_true(gmtime_r(&t, &tm) != NULL);
        gpai_date_from_days(days, &year, &month, &day);
        assert_true(year == tm.tm_year + 1900 && month == (unsigned)tm.tm_mon + 1 &&
                    day == (unsigned)tm.tm_mday);
        assert_true(gpai_days_from_date(year, month, day) == days);
    }
}

static void test_text(void **state)
{
    (void)state;
    static const double LEVEL[] = {0, 1, 4};
    static const char *const NAME[] = {"north", "a,b", ""};
    char room[GPAI_INPUT_ROOM];
    gpa_input choice = {.kind = GPA_KIND_CHOICE,
                        .writing = GPA_WRITING_LEVEL,
                        .levels = 3,
                        .level = LEVEL,
                        .level_name = NAME};
    assert_string_equal(gpai_input_text(&choice, 1, room), "a,b");
    assert_string_equal(gpai_input_text(&choice, 4, room), "");
    assert_string_equal(gpai_input_text(&choice, 2, room), "2");
    assert_string_equal(gpai_input_text(&choice, (double)NAN, room), "");
    assert_true(gpai_input_level(&choice, 4) == 2 && gpai_input_level(&choice, 5) == 3);
    gpa_input date = {.writing = GPA_WRITING_DATE},
              when = {.writing = GPA_WRITING_TIME};
    assert_string_equal(gpai_input_text(&date, 19782, room), "2024-02-29");
    assert_string_equal(gpai_input_text(&date, -1, room), "1969-12-31");
    assert_string_equal(gpai_input_text(&when, 1709210096, room),
                        "2024-02-29 12:34:56");
    assert_string_equal(gpai_input_text(&when, -1, room), "1969-12-31 23:59:59");
    assert_string_equal(gpai_input_text(&when, 7.25, room), "1970-01-01 00:00:07");
    assert_string_equal(gpai_input_exact(&when, 7.25, room), "1970-01-01 00:00:07.25");
    assert_string_equal(gpai_input_exact(&when, -0.5, room), "1969-12-31 23:59:59.5");
    assert_string_equal(gpai_input_exact(&when, 1709210096, room),
                        "2024-02-29 12:34:56");
    assert_string_equal(gpai_input_exact(&when, 1709210096.05, room),
                        "2024-02-29 12:34:56.05");
    assert_string_equal(gpai_input_exact(&when, 1e13 + 0.5, room), "10000000000000.5");
    assert_string_equal(gpai_input_exact(&date, 19782.5, room), "2024-02-29");
    assert_string_equal(gpai_input_exact(&choice, 1, room), "a,b");
    gpa_input number = {.kind = GPA_KIND_NUMBER};
    assert_string_equal(gpai_input_text(&number, 0.1, room), "0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
