/* Lines of JSON: columns from keys, missing keys, text, and what does not fit a cell.
 */
#include "data/table.h"
#include "data_support.h"

#define MISSING ((double)NAN)

static void test_objects(void **state)
{
    static const char text[] = "\xef\xbb\xbf{\"a\":1,\"b\":true}\r\n"
                               "\n"
                               "{\"b\":null,\"c\":-2.5e-1}\n"
                               "  {}  \n"
                               "{\"c\":NaN,\"\\u0061\":4,\"b\":false}";
    gpa_table *t = parse_ok(BYTES(text), "t.jsonl", NULL);
    static const char *const names[] = {"a", "b", "c"};
    static const size_t lines[] = {1, 3, 4, 5};
    (void)state;
    assert_int_equal(gpa_table_columns(t), 3);
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(gpa_table_name(t, k), names[k]);
    assert_column(t, 0, (const double[]){1, MISSING, MISSING, 4}, 4);
    assert_column(t, 1, (const double[]){1, MISSING, MISSING, 0}, 4);
    assert_column(t, 2, (const double[]){MISSING, -0.25, MISSING, MISSING}, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(gpa_table_line(t, i), lines[i]);
    gpa_table_free(t);
}

static void test_lists(void **state)
{
    gpa_table *t = parse_ok(BYTES("[1,2]\n[3,null]\n"), "-", NULL);
    (void)state;
    assert_string_equal(gpa_table_name(t, 1), "x2");
    assert_column(t, 0, (const double[]){1, 3}, 2);
    assert_column(t, 1, (const double[]){2, MISSING}, 2);
    gpa_table_free(t);
}

static void test_text(void **state)
{
    static const char text[] = "{\"id\":\"r\\u00e9\\n1\",\"x\":1.50,\"n\":\"5\"}\n"
                               "{\"id\":null,\"x\":2e0}\n"
                               "{\"id\":7,\"x\":3,\"n\":6}\n";
    static const char *const ids[] = {"r\xc3\xa9\n1", "", "7"};
    static const char *const xs[] = {"1.50", "2e0", "3"};
    static const char *const ns[] = {"5", "", "6"};
    gpa_table_options opt;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    gpa_table_options_init(&opt);
    opt.text_column = "x";
    gpa_table *t = parse_ok(BYTES(text), "t.jsonl", &opt);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(gpa_table_text(t, i, 0), ids[i]);
        assert_string_equal(gpa_table_text(t, i, 1), xs[i]);
        assert_string_equal(gpa_table_text(t, i, 2), ns[i]);
    }
    assert_column(t, 1, (const double[]){1.5, 2, 3}, 3);
    assert_null(gpa_table_numbers(t, 0, &err));
    assert_string_equal(
        err.message,
        "t.jsonl: line 1, column \"id\": \"r\xc3\xa9\\n1\" is not a number "
        "(encode text columns as numbers, or leave the column out with "
        "--drop)");
    assert_null(gpa_table_numbers(t, 2, &err));
    assert_string_equal(err.message,
                        "t.jsonl: line 1, column \"n\": \"5\" is text, not a number "
                        "(write it without quotes, in SQL as CAST(... AS REAL), or "
                        "leave the column out with --drop)");
    gpa_table_free(t);
}

/* True and false are 1 and 0, also among numbers; beside a string they are text. */
static void test_booleans(void **state)
{
    gpa_table *t = parse_ok(BYTES("{\"a\":true,\"b\":true,\"c\":true}\n"
                                  "{\"a\":false,\"b\":7,\"c\":\"maybe\"}\n"),
                            "t.jsonl", NULL);
    gpa_error err = {GPA_OK, ""};
    (void)state;
    assert_column(t, 0, (const double[]){1, 0}, 2);
    assert_column(t, 1, (const double[]){1, 7}, 2);
    assert_string_equal(gpai_table_booleans(t, 0)[true], "true");
    assert_null(gpai_table_booleans(t, 1));
    assert_null(gpai_table_booleans(t, 2));
    assert_null(gpa_table_numbers(t, 2, &err));
    assert_non_null(strstr(err.message, "t.jsonl: line 2, column \"c\": \"maybe\" is"));
    assert_string_equal(gpa_table_text(t, 0, 2), "true");
    gpa_table_free(t);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"\n \n", "empty, no rows"},
        {"{}\n{}\n", "empty, no columns"},
        {"[]\n", "empty, no columns"},
        {"{\"a\":1}\n\n{\"a\":[1]}\n",
         "line 3: a list or object inside a cell (flatten it into columns): a"},
        {"[1,{}]\n",
         "line 1: a list or object inside a cell (flatten it into columns)"},
        {"{\"a\":1}\n[1]\n", "line 2: expected an object: ["},
        {"[1]\n{\"a\":1}\n", "line 2: expected a list: {"},
        {"{\"a\":1}\n5\n", "line 2: expected an object: 5"},
        {"[1,2]\n[1]\n", "line 2: 1 field, expected 2"},
        {"[1,2]\n[1,2,3]\n", "line 2: 3 fields, expected 2"},
        {"{\"a\":1}\n{\"a\":1,\"a\":2}\n", "line 2: the same key twice: a"},
        {"{\"a\":1} {\"a\":2}\n", "line 1: unexpected: {"},
        {"{\"a\":1,\n\"b\":2}\n", "line 1: unexpected at the end"},
        {"{\"a\":1e999}\n", "line 1: out of range: 1e999"},
        {"{\"a\":Infinity}\n", "line 1: unexpected: Infinity"},
        {"{\"a\":yes}\n", "line 1: unexpected: yes"},
        {"{\"a\"}\n", "line 1: unexpected: }"},
        {"{a:1}\n", "line 1: unexpected: a"},
        {"{\"a\":1,}\n", "line 1: unexpected: }"},
        {"[1 2]\n", "line 1: unexpected: 2"},
        {"{\"a\":\"x}\n", "line 1: a string that never ends"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char want[160];
        snprintf(want, sizeof want, "t.jsonl: %s", cases[i].want);
        parse_refused(cases[i].text, strlen(cases[i].text), "t.jsonl", NULL, want);
    }
}

/* Every line another key: rows times columns would be a thousand times the file. */
static void test_sparse(void **state)
{
    size_t n = 20000, used = 0;
    char *text = malloc(24 * n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "{\"k%zu\":1}\n", i);
    parse_refused(text, used, "t.jsonl", NULL,
                  "t.jsonl: 20000 columns in 20000 rows, nearly all of them missing");
    free(text);
}

/* Content tells when the name does not; a name that does is believed. */
static void test_told_apart(void **state)
{
    gpa_table *t = parse_ok(BYTES("\n {\"a\":1}\n"), "data.txt", NULL);
    (void)state;
    assert_column(t, 0, (const double[]){1}, 1);
    gpa_table_free(t);
    t = parse_ok(BYTES("[a],b\n1,2\n"), "data.CSV", NULL);
    assert_string_equal(gpa_table_name(t, 0), "[a]");
    gpa_table_free(t);
    parse_refused(BYTES("a,b\n1,2\n"), "data.jsonl", NULL,
                  "data.jsonl: line 1: expected an object: a");
}

static gpa_status parse_all(void *ctx, gpa_error *err)
{
    static const char text[] =
        "{\"a\":1,\"b\":\"x\",\"c\":3}\n{\"d\":0.12345678901234567}\n";
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_table_options_init(&opt);
    opt.text_column = "d";
    (void)ctx;
    gpa_status st = gpa_table_parse(&t, text, sizeof text - 1, "t.jsonl", &opt, err);
    if (st == GPA_OK)
        assert_string_equal(gpa_table_text(t, 1, 3), "0.12345678901234567");
    gpa_table_free(t);
    return st;
}

static void test_no_memory(void **state)
{
    (void)state;
    every_allocation_fails(parse_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects),    cmocka_unit_test(test_lists),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_booleans),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_told_apart), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
