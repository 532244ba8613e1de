#include "support.h"

#include "base/text/quote.h"

static void test_quotes(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {" \n", ""},
        {"ValueError: no", "ValueError: no"},
        {"  two\n\tlines \r\n", "two lines"},
        {"red \x1b[31m", "red \\x1b[31m"},
        {"caf\xc3\xa9 \xe2\x82\xac \xff", "caf\xc3\xa9 \xe2\x82\xac \\xff"},
        {"right \xe2\x80\xae to left", "right \\u202e to left"},
        {"123456789 123456789 123456789 123456789 123456789 123456789 123",
         "123456789 123456789 123456789 123456789 123456789 123456789 123"},
        {"123456789 123456789 123456789 123456789 123456789 123456789 1234",
         "123456789 123456789 123456789 123456789 123456789 123456789 ..."},
        {"123456789 123456789 123456789 123456789 123456789 12345678 \xff\xff",
         "123456789 123456789 123456789 123456789 123456789 12345678 ..."},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char out[64];
        memset(out, 'x', sizeof out);
        gpai_quote(out, sizeof out, cases[c].text, strlen(cases[c].text));
        assert_string_equal(out, cases[c].want);
    }
}

/* No text of any length writes past the room, or gives a line that is not closed. */
static void test_room(void **state)
{
    char text[300], out[80];
    (void)state;
    for (size_t n = 0; n <= sizeof text; n++)
        for (int c = 0; c < 256; c += 15) {
            memset(text, c, n);
            memset(out, 'x', sizeof out);
            gpai_quote(out, 70, text, n);
            assert_non_null(memchr(out, '\0', 70));
            for (size_t i = 70; i < sizeof out; i++)
                assert_int_equal(out[i], 'x');
        }
}

static void test_last_line(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"one", "one"},
        {"one\ntwo\n", "two"},
        {"one\n\n \n", "one"},
        {"\ntwo words \r\n", "two words"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const char *line = NULL;
        size_t n = gpai_last_line(&line, cases[c].text, strlen(cases[c].text));
        assert_int_equal(n, strlen(cases[c].want));
        assert_memory_equal(line, cases[c].want, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_last_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
