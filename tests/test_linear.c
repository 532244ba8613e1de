#include "support.h"

#include "base/alloc.h"
#include "data/json.h"
#include "model/spec.h"
#include <gpa/gpa.h>

static gpa_status open_text(gpa_model **out, const char *text, gpa_error *err)
{
    const gpai_spec s = {.text = "linear:l.json", .rest = "l.json", .config = ""};
    gpai_value *root = NULL;
    *out = NULL;
    gpa_status st = gpai_json_parse(&root, text, strlen(text), "m", err);
    if (st == GPA_OK)
        st = gpai_linear_open(out, &s, root, err);
    gpai_value_free(root);
    return st;
}

static void test_values(void **state)
{
    static const struct {
        const char *text;
        double x[3], want;
    } cases[] = {
        {"{\"w\":[0,0,0],\"b\":0}", {1, 2, 3}, 0},
        {"{\"w\":[1,-2,0.5],\"b\":0}", {1, 2, 4}, -1},
        {"{\"w\":[1,-2,0.5],\"b\":7.25,\"other\":[]}", {0, 0, 0}, 7.25},
        {"{\"w\":[1e3,1,-1],\"b\":-1}", {2, 0.25, 0.5}, 1998.75},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        double y = (double)NAN;
        assert_int_equal(open_text(&m, cases[c].text, NULL), GPA_OK);
        assert_int_equal(gpa_model_dim(m), 3);
        assert_int_equal(gpa_model_predict(m, cases[c].x, 1, &y, NULL), GPA_OK);
        assert_true(y == cases[c].want); /* every number here is a short binary one */
        gpa_model_free(m);
    }
}

static void test_what_it_tells(void **state)
{
    gpa_model *m = NULL;
    const double x[2] = {1, (double)NAN};
    double y = 0;
    (void)state;
    assert_int_equal(
        open_text(&m, "{\"w\":[1,2],\"b\":3,\"variables\":[\"a\",\"\\u00e9\"]}", NULL),
        GPA_OK);
    assert_string_equal(gpa_model_variable(m, 0), "a");
    assert_string_equal(gpa_model_variable(m, 1), "\xc3\xa9");
    assert_null(gpa_model_variable(m, 2));
    assert_string_equal(gpa_model_spec(m), "linear:l.json");
    assert_true(gpa_model_refuses_missing(m));
    assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
    assert_true(isnan(y));
    gpa_model_free(m);
}

static void test_malformed(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"b\":0}", "l.json: w: not a list of 1 to 65536 numbers"},
        {"{\"w\":[],\"b\":0}", "l.json: w: not a list of 1 to 65536 numbers"},
        {"{\"w\":{\"a\":1},\"b\":0}", "l.json: w: not a list of 1 to 65536 numbers"},
        {"{\"w\":[1,\"2\"],\"b\":0}", "l.json: w: item 2 is not a number"},
        {"{\"w\":[1]}", "l.json: b: missing (write \"b\": 0 for none)"},
        {"{\"w\":[1],\"b\":[0]}", "l.json: b: not a number"},
        {"{\"w\":[1],\"b\":0,\"variables\":[]}",
         "l.json: variables: 0 names for 1 inputs"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(open_text(&m, cases[c].text, &err), GPA_DATA);
        assert_string_equal(err.message, cases[c].message);
        assert_null(m);
    }
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
            st = open_text(&m, "{\"w\":[1,2],\"b\":3,\"variables\":[\"a\",\"b\"]}",
                           NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? m != NULL : st == GPA_NOMEM && m == NULL);
            gpa_model_free(m);
        }
        assert_true(k > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_what_it_tells),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
