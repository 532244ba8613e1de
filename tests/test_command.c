#include "support.h"

#include "base/alloc.h"
#include "model/exec/children.h"

/* Words as a POSIX shell makes them, for lines in which nothing but quotes, backslashes
 * and blanks is special to it. */
static void test_words(void **state)
{
    static const struct {
        const char *line;
        const char *words[6];
    } cases[] = {
        {"python3 -m gpa.worker m.joblib", {"python3", "-m", "gpa.worker", "m.joblib"}},
        {"  a\t b\r\n", {"a", "b"}},
        {"a 'b c' d", {"a", "b c", "d"}},
        {"a \"b c\" d", {"a", "b c", "d"}},
        {"a b\\ c", {"a", "b c"}},
        {"a '' \"\" b", {"a", "", "", "b"}},
        {"a'b'\"c\"d", {"abcd"}},
        {"a 'b\"c\\' \"d'e\"", {"a", "b\"c\\", "d'e"}},
        {"a \"b\\\"c\\\\d\\e\"", {"a", "b\"c\\d\\e"}},
        {"a \\'b\\\" \\\\", {"a", "'b\"", "\\"}},
        {"a $HOME * ; | > `b` ~ #c", {"a", "$HOME", "*", ";", "|", ">"}},
        {"\xc3\xa9 '\xe2\x82\xac 5'", {"\xc3\xa9", "\xe2\x82\xac 5"}},
        {"a", {"a"}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char **words = NULL;
        assert_int_equal(gpai_command_split(&words, cases[c].line, NULL), GPA_OK);
        size_t k = 0;
        for (; k < 6 && cases[c].words[k] != NULL; k++)
            assert_string_equal(words[k], cases[c].words[k]);
        if (k < 6)
            assert_null(words[k]);
        gpai_free(words);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"", "exec: : no program; write exec:PROGRAM ARGUMENT..."},
        {" \n", "exec:  \\n: no program; write exec:PROGRAM ARGUMENT..."},
        {"'' a", "exec: '' a: no program; write exec:PROGRAM ARGUMENT..."},
        {"a 'b", "exec: a 'b: a ' that is not closed"},
        {"a \"b\\\"", "exec: a \"b\\\": a \" that is not closed"},
        {"a \\", "exec: a \\: a backslash at the end"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char **words = NULL;
        gpa_error err;
        assert_int_equal(gpai_command_split(&words, cases[c].line, &err), GPA_INVALID);
        assert_string_equal(err.message, cases[c].says);
        assert_null(words);
    }
}

static void test_without_memory(void **state)
{
    char **words = NULL;
    (void)state;
    gpai_alloc_fail_at(1, false);
    assert_int_equal(gpai_command_split(&words, "a b", NULL), GPA_NOMEM);
    gpai_alloc_fail_at(0, false);
    assert_null(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
