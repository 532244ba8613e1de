/* Text of files in messages: nothing a terminal would act on, nothing long. */
#include "support.h"

#include "base/text/show.h"

static void test_show(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"a\tb\r\n", "a\\tb\\r\\n"},
        {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
        {"\x7f", "\\x7f"},
        {"Gr\xc3\xb6\xc3\x9f"
         "e",
         "Gr\xc3\xb6\xc3\x9f"
         "e"},
        {"\xc2\x9b"
         "31m",
         "\\u009b31m"}, /* the one-character escape */
        {"a\xe2\x80\xae"
         "b",
         "a\\u202eb"}, /* writing from right to left */
        {"\xef\xbb\xbf"
         "a",
         "\\ufeffa"}, /* byte order mark */
        {"Gr\xf6\xdf"
         "e",
         "Gr\\xf6\\xdfe"},                            /* Latin-1 */
        {"\xc0\xaf", "\\xc0\\xaf"},                   /* overlong */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* half a surrogate pair */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
        {"\xe2\x82", "\\xe2\\x82"},                   /* cut short */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"0123456789012345678901234567890123456789",
         "0123456789012345678901234567890123456789"},
        {"01234567890123456789012345678901234567890",
         "0123456789012345678901234567890123456..."},
        {"0123456789012345678901234567890123456\x1b\x1b",
         "0123456789012345678901234567890123456..."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(gpai_show_text(cases[i].text).text, cases[i].want);
    assert_string_equal(gpai_show("a\0b", 3).text, "a\\x00b");
}

/* Forty characters of four bytes: the largest text there is. */
static void test_wide(void **state)
{
    char text[4 * 50 + 1] = "", want[4 * 37 + 4] = "";
    (void)state;
    for (int i = 0; i < 50; i++)
        strcat(text, "\xf0\x9f\x98\x80");
    for (int i = 0; i < 37; i++)
        strcat(want, "\xf0\x9f\x98\x80");
    strcat(want, "...");
    assert_string_equal(gpai_show_text(text).text, want);
    text[4 * 40] = '\0';
    assert_string_equal(gpai_show_text(text).text, text);
}

static void test_path(void **state)
{
    char path[600] = "";
    (void)state;
    assert_string_equal(gpai_show_path("dir/data.csv").text, "dir/data.csv");
    assert_string_equal(gpai_show_path("-").text, "standard input");
    assert_string_equal(gpai_show_path("a\nb").text, "a\\nb");
    for (int i = 0; i < 100; i++)
        strcat(path, "\xc3\xa4/d");
    strcat(path, "/data.csv");
    gpai_shown s = gpai_show_path(path);
    assert_true(strlen(s.text) < sizeof s.text);
    assert_memory_equal(s.text, "...", 3);
    assert_string_equal(s.text + strlen(s.text) - 10, "d/data.csv");
    assert_null(strstr(s.text, "\\x")); /* not cut inside a character */
    memset(path, '\x1b', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_true(strlen(gpai_show_path(path).text) <= 123);
}

static void test_line(void **state)
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
        gpai_show_line(out, sizeof out, cases[c].text, strlen(cases[c].text));
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
            gpai_show_line(out, 70, text, n);
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
        cmocka_unit_test(test_show), cmocka_unit_test(test_wide),
        cmocka_unit_test(test_path), cmocka_unit_test(test_line),
        cmocka_unit_test(test_room), cmocka_unit_test(test_last_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
