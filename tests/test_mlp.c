#include "support.h"

#include "base/alloc.h"
#include "data/json.h"
#include "model/spec.h"
#include <gpa/gpa.h>

/* Opens JSON text as if it stood in net.json. */
static gpa_status open_text(gpa_model **out, const char *text, gpa_error *err)
{
    const gpai_spec s = {.text = "mlp:net.json", .rest = "net.json", .config = ""};
    gpai_value *root = NULL;
    *out = NULL;
    gpa_status st = gpai_json_parse(&root, text, strlen(text), "m", err);
    if (st == GPA_OK)
        st = gpai_mlp_open(out, &s, root, err);
    gpai_value_free(root);
    return st;
}

/* f = 3 a(x1 - 2 x2 + 0.5) - a(-x1 + x2) + 10, by hand at three points: the two inner
 * sums are 0.5 and 0 at (0, 0), 1.5 and -1 at (1, 0), -2.5 and 1 at (1, 2). */
static void test_by_hand(void **state)
{
    static const struct {
        const char *activation;
        double want[3];
    } cases[] = {
        {"identity", {11.5, 15.5, 1.5}},
        {"relu", {11.5, 14.5, 9}},
        {"tanh",
         {10 + 3 * 0.46211715726000976,
          10 + 3 * 0.90514825364486643 + 0.76159415595576489,
          10 - 3 * 0.98661429815143029 - 0.76159415595576489}},
        {"logistic",
         {10 + 3 * 0.62245933120185459 - 0.5,
          10 + 3 * 0.81757447619364365 - 0.26894142136999512,
          10 + 3 * 0.075858180021243546 - 0.73105857863000488}},
    };
    const double x[] = {0, 0, 1, 0, 1, 2};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[256];
        gpa_model *m = NULL;
        double y[3];
        snprintf(
            text, sizeof text,
            "{\"type\":\"mlp\",\"activation\":\"%s\",\"note\":\"ignored\",\"layers\":"
            "[{\"W\":[[1,-1],[-2,1]],\"b\":[0.5,0]},{\"W\":[[3],[-1]],\"b\":[10]}]}",
            cases[c].activation);
        assert_int_equal(open_text(&m, text, NULL), GPA_OK);
        assert_int_equal(gpa_model_dim(m), 2);
        assert_string_equal(gpa_model_spec(m), "mlp:net.json");
        assert_null(gpa_model_variable(m, 0));
        assert_int_equal(gpa_model_predict(m, x, 3, y, NULL), GPA_OK);
        for (size_t i = 0; i < 3; i++)
            assert_close(y[i], cases[c].want[i], 1e-14 * fabs(cases[c].want[i]));
        gpa_model_free(m);
    }
}

static const char *source_file(char *path, size_t size, const char *name)
{
    const char *root = getenv("GPA_SOURCE_ROOT");
    snprintf(path, size, "%s/tests/data/%s", root != NULL ? root : ".", name);
    return path;
}

/* Row-major copy of a JSON matrix, or of a list as one column. */
static double *matrix(const gpai_value *list, size_t columns)
{
    size_t n = gpai_value_items(list);
    double *to = calloc(n * columns, sizeof *to);
    assert_non_null(to);
    for (size_t i = 0; i < n * columns; i++) {
        const gpai_value *row = gpai_value_at(list, i / columns);
        to[i] = gpai_value_number(
            gpai_value_is_list(row) ? gpai_value_at(row, i % columns) : row);
    }
    return to;
}

/* Random networks against NumPy; tools/make_mlp_fixture.py made the numbers. */
static void test_against_numpy(void **state)
{
    static const char *const names[] = {"mlp_relu.json", "mlp_tanh.json",
                                        "mlp_logistic.json", "mlp_identity.json"};
    (void)state;
    for (size_t c = 0; c < sizeof names / sizeof names[0]; c++) {
        char path[1024];
        gpa_model *m = NULL;
        gpai_value *root = NULL;
        source_file(path, sizeof path, names[c]);
        assert_int_equal(gpai_json_read(&root, path, 1 << 24, NULL), GPA_OK);
        size_t n = gpai_value_items(gpai_value_get(root, "y"));
        assert_int_equal(n, 41);
        assert_int_equal(gpa_model_open(&m, path, NULL, NULL),
                         GPA_OK); /* a bare file */
        assert_int_equal(gpa_model_dim(m), 7);
        assert_string_equal(gpa_model_variable(m, 6), "in6");
        double *x = matrix(gpai_value_get(root, "x"), 7), y[41];
        double *want = matrix(gpai_value_get(root, "y"), 1);
        assert_int_equal(gpa_model_predict(m, x, n, y, NULL), GPA_OK);
        for (size_t i = 0; i < n; i++)
            assert_close(y[i], want[i], 1e-13 * (0.1 + fabs(want[i])));
        free(want);
        free(x);
        gpa_model_free(m);
        gpai_value_free(root);
    }
}

/* The authors' model on their own rows. */
static void test_against_the_authors(void **state)
{
    char path[1024], spec[1040];
    const char *found = shared_file(path, sizeof path, "oracle/diabetes/model.json");
    (void)state;
    if (found == NULL)
        skip();
    gpa_model *m = NULL;
    gpa_table *t = NULL;
    double *want = NULL;
    size_t n = 0, columns[10];
    snprintf(spec, sizeof spec, "mlp:%s", path);
    assert_int_equal(gpa_model_open(&m, spec, NULL, NULL), GPA_OK);
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/test.csv"));
    assert_int_equal(gpa_table_read(&t, path, NULL, NULL), GPA_OK);
    assert_non_null(
        shared_file(path, sizeof path, "oracle/diabetes/predictions_test.txt"));
    assert_int_equal(gpa_numbers_read(path, &want, &n, NULL), GPA_OK);
    assert_int_equal(gpa_table_rows(t), n);
    assert_int_equal(gpa_model_dim(m), 10);
    for (size_t k = 0; k < 10; k++)
        assert_int_equal(gpa_table_find(t, gpa_model_variable(m, k), &columns[k], NULL),
                         GPA_OK);
    double *x = calloc(n * 10, sizeof *x), *y = calloc(n, sizeof *y);
    assert_true(x != NULL && y != NULL);
    assert_int_equal(gpa_table_matrix(t, columns, 10, true, x, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, n, y, NULL), GPA_OK);
    for (size_t i = 0; i < n; i++)
        assert_close(y[i], want[i], 1e-10);
    free(y);
    free(x);
    gpa_numbers_free(want);
    gpa_table_free(t);
    gpa_model_free(m);
}

#define HEAD "{\"activation\":\"relu\",\"layers\":"
#define LAST "{\"W\":[[1],[1]],\"b\":[0]}]}"

static void test_malformed(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{}", "net.json: activation: missing, or not a text"},
        {"{\"activation\":3}", "net.json: activation: missing, or not a text"},
        {"{\"activation\":\"gelu\",\"layers\":[]}",
         "net.json: activation: 'gelu' is not relu, tanh, logistic or identity"},
        {"{\"activation\":\"relu\",\"out_activation\":\"logistic\"}",
         "net.json: out_activation: 'logistic' is not supported here, only 'identity'"},
        {"{\"activation\":\"relu\",\"out_activation\":7}",
         "net.json: out_activation: 'a value that is no text' is not supported here, "
         "only 'identity'"},
        {"{\"activation\":\"relu\"}", "net.json: layers: not a list of 1 to 64 layers"},
        {HEAD "{}}", "net.json: layers: not a list of 1 to 64 layers"},
        {HEAD "[]}", "net.json: layers: not a list of 1 to 64 layers"},
        {HEAD "[7]}", "net.json: layer 1: W: not a list of lists of numbers"},
        {HEAD "[{\"b\":[1]}]}", "net.json: layer 1: W: not a list of lists of numbers"},
        {HEAD "[{\"W\":[],\"b\":[]}]}",
         "net.json: layer 1: W: not a list of lists of numbers"},
        {HEAD "[{\"W\":[[]],\"b\":[]}]}",
         "net.json: layer 1: W: not a list of lists of numbers"},
        {HEAD "[{\"W\":[1,2],\"b\":[0]}]}",
         "net.json: layer 1: W: not a list of lists of numbers"},
        {HEAD "[{\"W\":[[1,2],[3]],\"b\":[0,0]}," LAST,
         "net.json: layer 1: W: row 2 has 1 numbers, expected 2"},
        {HEAD "[{\"W\":[[1,2],7],\"b\":[0,0]}," LAST,
         "net.json: layer 1: W: row 2 has 0 numbers, expected 2"},
        {HEAD "[{\"W\":[[1,2,3]],\"b\":[0,0,0]}," LAST,
         "net.json: layer 2: W: 2 rows, but layer 1 has 3 outputs"},
        {HEAD "[{\"W\":[[1,2]],\"b\":[0]}," LAST,
         "net.json: layer 1: b: 1 numbers, expected 2"},
        {HEAD "[{\"W\":[[1,2]]}," LAST, "net.json: layer 1: b: not a list of numbers"},
        {HEAD "[{\"W\":[[1,\"2\"]],\"b\":[0,0]}," LAST,
         "net.json: layer 1: W: row 1: item 2 is not a number"},
        {HEAD "[{\"W\":[[1,2]],\"b\":[0,null]}," LAST,
         "net.json: layer 1: b: item 2 is not a number"},
        {HEAD "[{\"W\":[[1,2]],\"b\":[0,0]}]}",
         "net.json: layer 1: 2 outputs, expected 1 at the end"},
        {HEAD "[{\"W\":[[1,2]],\"b\":[0,0],\"activation\":\"tanh\"}," LAST,
         "net.json: layer 1: activation: 'tanh' is not supported here, only 'relu'"},
        {HEAD "[{\"W\":[[1]],\"b\":[0],\"activation\":\"relu\"}]}",
         "net.json: layer 1: activation: 'relu' is not supported here, only "
         "'identity'"},
        {"{\"variables\":[\"a\",\"b\"],\"activation\":\"relu\",\"layers\":[{\"W\":[[1]]"
         ","
         "\"b\":[0]}]}",
         "net.json: variables: 2 names for 1 inputs"},
        {"{\"variables\":\"a\",\"activation\":\"relu\",\"layers\":[{\"W\":[[1]],"
         "\"b\":[0]}]}",
         "net.json: variables: not a list of names"},
        {"{\"variables\":[1],\"activation\":\"relu\",\"layers\":[{\"W\":[[1]],"
         "\"b\":[0]}]}",
         "net.json: variables: item 1 is not a name"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(open_text(&m, cases[c].text, &err), GPA_DATA);
        assert_string_equal(err.message, cases[c].message);
        assert_null(m);
        assert_int_equal(open_text(&m, cases[c].text, NULL), GPA_DATA);
    }
}

/* Keys that say what is true anyway, and null, are fine. */
static void test_harmless_keys(void **state)
{
    gpa_model *m = NULL;
    const double x = 4;
    double y = 0;
    (void)state;
    assert_int_equal(
        open_text(
            &m,
            "{\"activation\":\"relu\",\"out_activation\":\"identity\",\"variables\":"
            "null,\"layers\":[{\"W\":[[1,-1]],\"b\":[0,0],\"activation\":\"relu\"},"
            "{\"W\":[[2],[5]],\"b\":[1],\"activation\":\"identity\"}]}",
            NULL),
        GPA_OK);
    assert_int_equal(gpa_model_predict(m, &x, 1, &y, NULL), GPA_OK);
    assert_true(y == 9);
    gpa_model_free(m);
}

/* Sizes beyond the caps are refused before memory is taken for them. */
static void test_too_large(void **state)
{
    const gpai_spec s = {.text = "mlp:net.json", .rest = "net.json", .config = ""};
    static const char before[] = "{\"activation\":\"relu\",\"layers\":[";
    char *text = calloc(1, 1 << 18);
    gpai_value *root = NULL;
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    assert_non_null(text);
    char *at = text + sprintf(text, "%s{\"W\":[[0", before);
    for (int i = 0; i < 65536; i++)
        at += sprintf(at, ",0");
    strcpy(at, "]]}]}");
    assert_int_equal(gpai_json_parse(&root, text, strlen(text), "", NULL), GPA_OK);
    assert_int_equal(gpai_mlp_open(&m, &s, root, &err), GPA_DATA);
    assert_string_equal(err.message, "net.json: layer 1: W: 1 by 65537, at most 65536");
    gpai_value_free(root);
    at = text + sprintf(text, "%s{}", before);
    for (int i = 0; i < 64; i++)
        at += sprintf(at, ",{}");
    strcpy(at, "]}");
    assert_int_equal(gpai_json_parse(&root, text, strlen(text), "", NULL), GPA_OK);
    assert_int_equal(gpai_mlp_open(&m, &s, root, &err), GPA_DATA);
    assert_string_equal(err.message, "net.json: layers: not a list of 1 to 64 layers");
    gpai_value_free(root);
    free(text);
}

static void test_without_memory(void **state)
{
    static const char text[] =
        "{\"activation\":\"relu\",\"variables\":[\"a\"],\"layers\":[{\"W\":[[1,2]],"
        "\"b\":[0,0]}," LAST;
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = open_text(&m, text, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? m != NULL : st == GPA_NOMEM && m == NULL);
            gpa_model_free(m);
        }
        assert_true(k > 12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_against_numpy),
        cmocka_unit_test(test_against_the_authors),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_harmless_keys),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
