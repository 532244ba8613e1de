/* JSON trees: what RFC 8259 allows, what it forbids, and our limits. */
#include "data_support.h"

#include "data/json.h"

static gpai_value *parse_json(const char *text)
{
    gpa_error err = {GPA_OK, ""};
    gpai_value *root = NULL;
    if (gpai_json_parse(&root, text, strlen(text), "a.json", &err) != GPA_OK)
        print_error("%s\n", err.message);
    assert_non_null(root);
    return root;
}

static void test_values(void **state)
{
    gpai_value *root =
        parse_json("\xef\xbb\xbf {\"a\" : [1, -2.5e1, true,\r\n false, null],\n"
                   "\t\"s\\u0062\": \"x\\n\\\"\\/\", \"o\": {}, \"e\": []} ");
    const gpai_value *a = gpai_value_get(root, "a");
    (void)state;
    assert_int_equal(gpai_value_members(root), 4);
    assert_int_equal(gpai_value_items(a), 5);
    assert_int_equal(gpai_value_whole(gpai_value_at(a, 0)), 1);
    assert_true(gpai_value_number(gpai_value_at(a, 1)) == -25.0);
    assert_true(gpai_value_is_true(gpai_value_at(a, 2)));
    assert_true(!gpai_value_is_true(gpai_value_at(a, 3)));
    assert_true(gpai_value_is_null(gpai_value_at(a, 4)));
    assert_string_equal(gpai_value_text(gpai_value_get(root, "sb")), "x\n\"/");
    assert_int_equal(gpai_value_members(gpai_value_get(root, "o")), 0);
    assert_true(gpai_value_is_object(gpai_value_get(root, "o")));
    assert_true(gpai_value_is_list(gpai_value_get(root, "e")));
    gpai_value_free(root);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        bool integer;
        double want;
    } cases[] = {
        {"0", true, 0},
        {"-0.0", false, -0.0},
        {"0.1", false, 0.1},
        {"9223372036854775807", true, 0x1p63},
        {"-9223372036854775807", true, -0x1p63},
        {"9223372036854775808", false, 0x1p63},
        {"123456789012345678901234567890", false, 123456789012345678901234567890.0},
        {"0.12345678901234567", false, 0.12345678901234567},
        {"5e-324", false, 5e-324},
        {"1e2", false, 100},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpai_value *v = NULL;
        assert_int_equal(
            gpai_json_parse(&v, cases[i].text, strlen(cases[i].text), "n", NULL),
            GPA_OK);
        assert_int_equal(gpai_value_is_whole(v), cases[i].integer);
        assert_true(gpai_value_number(v) == cases[i].want);
        gpai_value_free(v);
    }
}

static void test_strings(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"\"\"", ""},
        {"\"\\b\\f\\n\\r\\t\\\\\"", "\b\f\n\r\t\\"},
        {"\"\\u00e9\\u20AC\"", "\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!"},
        {"\"\xc3\xa9\"", "\xc3\xa9"},
        {"\"\\u0001\"", "\x01"},
        {"\"\\uffff\\u0800\\u07ff\\u007f\"", "\xef\xbf\xbf\xe0\xa0\x80\xdf\xbf\x7f"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpai_value *v = parse_json(cases[i].text);
        assert_string_equal(gpai_value_text(v), cases[i].want);
        gpai_value_free(v);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", "empty, not JSON"},
        {" \n ", "empty, not JSON"},
        {"{", "line 1: unexpected at the end"},
        {"[1,\n2", "line 2: unexpected at the end"},
        {"[1,]", "line 1: unexpected: ]"},
        {"{\"a\":1,}", "line 1: unexpected: }"},
        {"{\"a\" 1}", "line 1: unexpected: 1"},
        {"{a:1}", "line 1: unexpected: a"},
        {"{1:1}", "line 1: unexpected: 1"},
        {"[1 2]", "line 1: unexpected: 2"},
        {"[1}", "line 1: unexpected: }"},
        {"1 2", "line 1: unexpected: 2"},
        {"[]\n]", "line 2: unexpected: ]"},
        {"{\"a\":1,\n\"a\":2}", "line 2: the same key twice: a"},
        {"{\"a\":1,\"\\u0061\":2}", "line 1: the same key twice: \\u0061"},
        {"[NaN]", "line 1: unexpected: NaN"},
        {"[Infinity]", "line 1: unexpected: Infinity"},
        {"[-Infinity]", "line 1: not a number: -Infinity"},
        {"tru", "line 1: unexpected: tru"},
        {"[1e999]", "line 1: out of range: 1e999"},
        {"[01]", "line 1: not a number: 01"},
        {"[-01]", "line 1: not a number: -01"},
        {"[+1]", "line 1: unexpected: +"},
        {"[.5]", "line 1: unexpected: ."},
        {"[5.]", "line 1: not a number: 5."},
        {"[-.5]", "line 1: not a number: -.5"},
        {"[1.e5]", "line 1: not a number: 1.e5"},
        {"[0x10]", "line 1: not a number: 0x10"},
        {"[-]", "line 1: not a number: -"},
        {"\"abc", "line 1: a string that never ends"},
        {"\"abc\\", "line 1: a broken escape inside a string"},
        {"\"\\u12\"", "line 1: a broken escape inside a string"},
        {"\"\\x41\"", "line 1: a broken escape inside a string"},
        {"\"\\u0000\"", "line 1: a broken escape inside a string"},
        {"\"\\ud83d\"", "line 1: a broken escape inside a string"},
        {"\"\\ud83dx\\ude00\"", "line 1: a broken escape inside a string"},
        {"\"\\ude00\\ud83d\"", "line 1: a broken escape inside a string"},
        {"\"a\nb\"", "line 1: a control character inside a string"},
        {"\"\xff\"", "line 1: a string that is not UTF-8"},
        {"[\x1b]", "line 1: unexpected: \\x1b"},
        {"// no comments\n1", "line 1: unexpected: /"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_error err = {GPA_OK, ""};
        gpai_value *v = NULL;
        char want[128];
        gpa_status st =
            gpai_json_parse(&v, cases[i].text, strlen(cases[i].text), "a.json", &err);
        snprintf(want, sizeof want, "a.json: %s", cases[i].want);
        assert_int_equal(st, GPA_DATA);
        assert_string_equal(err.message, want);
        assert_null(v);
    }
}

/* Numbers that are none become null where that is asked for, and nothing else does. */
static void test_lax(void **state)
{
    static const char text[] = "[NaN, Infinity,-Infinity,-NaN,-1,\"NaN\"]";
    static const char *const refused[] = {"[nan]", "[-]",         "[--1]",    "[-null]",
                                          "[- 1]", "[Infinity1]", "[-Infinit"};
    gpai_value *v = NULL;
    (void)state;
    assert_int_equal(gpai_json_parse_lax(&v, text, sizeof text - 1, "a.json", NULL),
                     GPA_OK);
    for (size_t i = 0; i < 4; i++)
        assert_true(gpai_value_is_null(gpai_value_at(v, i)));
    assert_int_equal(gpai_value_whole(gpai_value_at(v, 4)), -1);
    assert_string_equal(gpai_value_text(gpai_value_at(v, 5)), "NaN");
    gpai_value_free(v);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_int_equal(
            gpai_json_parse_lax(&v, refused[i], strlen(refused[i]), "a.json", NULL),
            GPA_DATA);
}

/* Zero bytes and cut-off text at every place: an answer, and no byte beyond the end. */
static void test_cut(void **state)
{
    static const char whole[] =
        "{\"a\":[1.5e3,true,\"\\ud83d\\ude00\xc3\xa9\",null],\"b\":{\"c\":-0.25}}";
    (void)state;
    for (size_t n = 0; n < sizeof whole - 1; n++) {
        char *copy = malloc(n > 0 ? n : 1); /* exactly as long, for the sanitizer */
        gpai_value *v = NULL;
        memcpy(copy, whole, n);
        assert_int_equal(gpai_json_parse(&v, copy, n, "cut", NULL), GPA_DATA);
        assert_null(v);
        free(copy);
    }
    gpai_value *v = NULL;
    assert_int_equal(gpai_json_parse(&v, "[1\0]", 4, "zero", NULL), GPA_DATA);
}

static void test_depth(void **state)
{
    char text[2 * 101 + 1];
    gpa_error err = {GPA_OK, ""};
    gpai_value *v = NULL;
    (void)state;
    memset(text, '[', 100);
    memset(text + 100, ']', 100);
    assert_int_equal(gpai_json_parse(&v, text, 200, "deep", &err), GPA_OK);
    gpai_value_free(v);
    memset(text, '[', 101);
    memset(text + 101, ']', 101);
    assert_int_equal(gpai_json_parse(&v, text, 202, "deep", &err), GPA_DATA);
    assert_string_equal(err.message, "deep: line 1: nested too deep");
}

/* Whole numbers around what eight bytes hold beside their kind, and texts at odd
 * places. */
static void test_packing(void **state)
{
    char text[256];
    static const long long around[] = {0, 1LL << 46, 1LL << 47, 1LL << 48,
                                       INT64_MAX - 1};
    (void)state;
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++)
        for (long long d = -1; d < 2; d++) {
            long long n = around[i] + d;
            snprintf(text, sizeof text, "{\"\":[%lld,\"\",%lld,\"a\",1e-320,[],{}]}", n,
                     -n);
            gpai_value *v = parse_json(text);
            const gpai_value *list = gpai_value_get(v, "");
            assert_int_equal(gpai_value_items(list), 7);
            assert_true(gpai_value_whole(gpai_value_at(list, 0)) == n);
            assert_true(gpai_value_whole(gpai_value_at(list, 2)) == -n);
            assert_string_equal(gpai_value_text(gpai_value_at(list, 1)), "");
            assert_string_equal(gpai_value_text(gpai_value_at(list, 3)), "a");
            assert_true(gpai_value_number(gpai_value_at(list, 4)) == 1e-320);
            assert_true(gpai_value_is_list(gpai_value_at(list, 5)));
            assert_null(gpai_value_at(gpai_value_at(list, 5), 0));
            assert_null(gpai_value_member(gpai_value_at(list, 6), 0));
            assert_null(gpai_value_at(list, 7));
            gpai_value_free(v);
        }
}

/* Many keys are compared quickly, whichever of them is there twice. */
static void test_many_keys(void **state)
{
    enum { KEYS = 200000 };
    char *text = calloc(KEYS + 2, 16), key[16];
    gpa_error err = {GPA_OK, ""};
    gpai_value *v = NULL;
    (void)state;
    for (int again = -1; again < KEYS; again += KEYS / 2) {
        char *at = text + sprintf(text, "{");
        for (int i = 0; i < KEYS; i++)
            at += sprintf(at, "%s\"%x\":%d", i > 0 ? "," : "", i, i);
        if (again >= 0)
            at += sprintf(at, ",\n\"%x\":0", again);
        at += sprintf(at, "}");
        snprintf(key, sizeof key, "%x", KEYS / 3);
        gpa_status st = gpai_json_parse(&v, text, (size_t)(at - text), "k", &err);
        assert_int_equal(st, again < 0 ? GPA_OK : GPA_DATA);
        if (st == GPA_OK)
            assert_int_equal(gpai_value_whole(gpai_value_get(v, key)), KEYS / 3);
        else
            assert_non_null(strstr(err.message, "k: line 2: the same key twice: "));
        gpai_value_free(v);
    }
    free(text);
}

/* No text, however made, takes more than a few times its size. */
static void test_nothing_but_lists(void **state)
{
    enum { SIZE = 1 << 20 };
    char *text = calloc(SIZE, 1);
    gpa_error err = {GPA_OK, ""};
    gpai_value *v = NULL;
    (void)state;
    text[0] = '[';
    for (size_t at = 1; at + 200 < SIZE; at += 199) {
        memset(text + at, '[', 99);
        memset(text + at + 99, ']', 99);
        text[at + 198] = at + 399 < SIZE ? ',' : ']';
    }
    assert_int_equal(gpai_json_parse(&v, text, strlen(text), "l", &err), GPA_DATA);
    assert_string_equal(err.message, "l: nothing but lists within lists");
    free(text);
}

static void test_number_lists(void **state)
{
    gpai_value *root = parse_json("{\"w\":[1,2.5],\"t\":[1,\"2\"],\"s\":3}");
    gpa_error err = {GPA_OK, ""};
    double w[2] = {0, 0};
    (void)state;
    assert_int_equal(
        gpai_json_numbers(gpai_value_get(root, "w"), 2, w, "m.json", "w", &err),
        GPA_OK);
    assert_true(w[0] == 1 && w[1] == 2.5);
    static const struct {
        const char *key;
        size_t n;
        const char *want;
    } cases[] = {
        {"w", 3, "m.json: w: 2 numbers, expected 3"},
        {"t", 2, "m.json: w: item 2 is not a number"},
        {"s", 1, "m.json: w: not a list of numbers"},
        {"gone", 1, "m.json: w: not a list of numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gpai_value *part = gpai_value_get(root, cases[i].key);
        assert_int_equal(gpai_json_numbers(part, cases[i].n, w, "m.json", "w", &err),
                         GPA_DATA);
        assert_string_equal(err.message, cases[i].want);
    }
    gpai_value_free(root);
}

static void test_file(void **state)
{
    struct scratch f = scratch_text("[1,2]");
    gpa_error err = {GPA_OK, ""};
    gpai_value *v = NULL;
    (void)state;
    assert_int_equal(gpai_json_read(&v, f.path, 100, &err), GPA_OK);
    assert_int_equal(gpai_value_items(v), 2);
    gpai_value_free(v);
    assert_int_equal(gpai_json_read(&v, f.path, 4, &err), GPA_DATA);
    assert_null(v);
    unlink(f.path);
    assert_int_equal(gpai_json_read(&v, f.path, 100, &err), GPA_IO);
    assert_null(v);
}

static const char EVERYTHING[] =
    "{\"a number of more than sixteen digits\":[0.12345678901234567,1,true,null],"
    "\"text\":\"\\u20ac\",\"deep\":{\"er\":[[],{},[1,2,3,4,5,6,7,8,9,10]]}}";

static gpa_status parse_everything(void *ctx, gpa_error *err)
{
    gpai_value *v = NULL;
    gpa_status st = gpai_json_parse(&v, EVERYTHING, sizeof EVERYTHING - 1, "x", err);
    (void)ctx;
    if (st == GPA_OK) {
        const gpai_value *a = gpai_value_get(v, "a number of more than sixteen digits");
        assert_true(gpai_value_number(gpai_value_at(a, 0)) == 0.12345678901234567);
    }
    gpai_value_free(v);
    return st;
}

static void test_no_memory(void **state)
{
    (void)state;
    every_allocation_fails(parse_everything, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_number_lists),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_lax),
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_nothing_but_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
