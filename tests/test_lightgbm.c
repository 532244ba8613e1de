#include "data_support.h"
#include <gpa/data.h>
#include <gpa/model.h>

/* Models and predictions written by LightGBM itself (tests/data/lightgbm/make.py):
 * missing and zero values, categories, rows exactly on a threshold. */

enum { INPUTS = 6, ROWS_MOST = 256 };

static const char *fixture(const char *name, const char *end)
{
    static char path[512];
    const char *root = getenv("GPA_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/tests/data/lightgbm/%s%s",
             root != NULL ? root : ".", name, end);
    return path;
}

/* A file of numbers without a header, row-major. */
static size_t read_numbers(const char *path, double *out, size_t columns)
{
    gpa_table_options how;
    gpa_table *t = NULL;
    gpa_error err = {0};
    size_t column[INPUTS] = {0, 1, 2, 3, 4, 5};
    gpa_table_options_init(&how);
    how.no_header = true;
    if (gpa_table_read(&t, path, &how, &err) != GPA_OK)
        fail_msg("%s", err.message);
    size_t n = gpa_table_rows(t);
    assert_true(n > 100 && n <= ROWS_MOST);
    assert_int_equal(gpa_table_columns(t), columns);
    assert_int_equal(gpa_table_matrix(t, column, columns, false, out, &err), GPA_OK);
    gpa_table_free(t);
    return n;
}

static gpa_model *open_model(const char *name, const char *scheme)
{
    char spec[600];
    gpa_model *m = NULL;
    gpa_error err = {0};
    snprintf(spec, sizeof spec, "%s%s", scheme, fixture(name, ".txt"));
    if (gpa_model_open(&m, spec, NULL, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return m;
}

static void equals_the_library(void **state)
{
    /* exact: sums of leaves; the others pass through exp, where libm may differ in the
     * last place */
    static const struct {
        const char *name;
        bool exact;
    } cases[] = {{"plain", true},    {"zero", true},      {"category", true},
                 {"dart", true},     {"rf", true},        {"huber", true},
                 {"sqrt", true},     {"poisson", false},  {"gamma", false},
                 {"tweedie", false}, {"binary", false},   {"entropy", false},
                 {"lambda", false},  {"rf_binary", false}};
    static double x[ROWS_MOST * INPUTS], want[ROWS_MOST], got[ROWS_MOST];
    (void)state;
    size_t n = read_numbers(fixture("rows", ".csv"), x, INPUTS);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = open_model(cases[c].name, c % 2 == 0 ? "" : "lightgbm:");
        assert_int_equal(gpa_model_dim(m), INPUTS);
        assert_int_equal(read_numbers(fixture(cases[c].name, ".expected"), want, 1), n);
        assert_int_equal(gpa_model_predict(m, x, n, got, NULL), GPA_OK);
        for (size_t i = 0; i < n; i++)
            if (!(fabs(got[i] - want[i]) <=
                  (cases[c].exact ? 0 : 4e-16 * fabs(want[i]))))
                fail_msg("%s: row %zu: %.17g, LightGBM says %.17g", cases[c].name, i,
                         got[i], want[i]);
        gpa_model_free(m);
    }
}

/* Not in silence: each names what it is. */
static void refuses_by_name(void **state)
{
    static const struct {
        const char *name, *word;
    } cases[] = {{"linear", "linear"}, {"multiclass", "one output"}, {"rank", "rank"}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {0};
        assert_int_equal(gpa_model_open(&m, fixture(cases[c].name, ".txt"), NULL, &err),
                         GPA_UNSUPPORTED);
        assert_null(m);
        assert_non_null(strstr(err.message, cases[c].word));
    }
}

/* Text of a fixture; the caller frees it. */
static char *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 1 << 16);
    *size = fread(text, 1, (1 << 16) - 1, f);
    fclose(f);
    return text;
}

static gpa_status open_text(const char *text, size_t size, gpa_error *err)
{
    struct scratch file = scratch_file(text, size);
    gpa_model *m = NULL;
    char spec[96];
    snprintf(spec, sizeof spec, "lightgbm:%s", file.path);
    gpa_status st = gpa_model_open(&m, spec, NULL, err);
    if (st == GPA_OK) { /* what opens must also answer */
        double x[INPUTS] = {0.1, 0.2, 0.3, 0.4, 5, 6}, y = 0;
        if (gpa_model_dim(m) == INPUTS)
            assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
    }
    gpa_model_free(m);
    unlink(file.path);
    return st;
}

/* Wrong files are told so, with the line. */
static void names_what_is_wrong(void **state)
{
    static const struct {
        const char *old, *new, *word;
    } cases[] = {
        {"split_feature=", "split_feature=99 ", "one too many"},
        {"left_child=", "left_chill=", "no left_child"},
        {"num_leaves=7", "num_leaves=0", "num_leaves"},
        {"num_leaves=7", "num_leaves=1e99", "num_leaves"},
        {"max_feature_idx=5", "max_feature_idx=1", "names for"},
        {"leaf_value=", "leaf_value=x", "no number"},
        {"end of trees", "", "end of trees"},
        {"objective=regression", "objective=lambdarank", "lambdarank"},
        {"num_leaves=7", "num_leaves=6.5", "not within"},
        {"num_leaves=7", "num_leaves=-1", "not within"},
        {"num_leaves=7", "num_leaves=inf", "not within"},
        {"num_leaves=7", "num_leaves=", "0 numbers, expected 1"},
        {"leaf_value=", "leaf_value=-ind ", "no number: '-ind'"},
        {"leaf_value=", "leaf_value=- ", "no number: '-'"},
        {"split_feature=0 0 0 4", "split_feature=0 0 0 -4", "no such input"},
        {"split_feature=0 0 0 4", "split_feature=0 0 0 6", "no such input"},
        {"split_feature=0 0 0 4", "split_feature=0 0 0 3.5", "no such input"},
        {"decision_type=8 10", "decision_type=-1 10", "decision_type: unknown"},
        {"decision_type=8 10", "decision_type=12 10", "decision_type: unknown"},
        {"decision_type=8 10", "decision_type=8.5 10", "decision_type: unknown"},
        {"left_child=2", "left_child=2.5", "neither split nor leaf"},
        {"left_child=2", "left_child=6", "neither split nor leaf"},
        {"left_child=2", "left_child=-8", "neither split nor leaf"},
        {"cat_boundaries=0 1\n", "cat_boundaries=-1 1\n", "do not fit"},
        {"cat_boundaries=0 1\n", "cat_boundaries=1 1\n", "do not fit"},
        {"cat_boundaries=0 1\n", "cat_boundaries=0 99\n", "do not fit"},
        {"cat_boundaries=0 1\n", "cat_boundaries=0 0.5\n", "do not fit"},
        {"cat_boundaries=0 1 2\n", "cat_boundaries=0 0.5 2\n", "do not fit"},
        {"cat_threshold=", "cat_threshold=-", "cat_threshold out of range"},
        {"cat_threshold=", "cat_threshold=9999999999", "cat_threshold out of range"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t size = 0;
        char *text = slurp(fixture("category", ".txt"), &size);
        char *copy = calloc(1, size + 64), *at = strstr(text, cases[c].old);
        gpa_error err = {0};
        assert_non_null(at);
        snprintf(copy, size + 64, "%.*s%s%s", (int)(at - text), text, cases[c].new,
                 at + strlen(cases[c].old));
        assert_int_not_equal(open_text(copy, strlen(copy), &err), GPA_OK);
        if (strstr(err.message, cases[c].word) == NULL)
            fail_msg("%s: '%s' does not say '%s'", cases[c].new, err.message,
                     cases[c].word);
        free(copy);
        free(text);
    }
}

/* A line that is there twice: which of the two would count? Above all no size may
 * change behind what was made for it. */
static void no_key_twice(void **state)
{
    static const struct {
        const char *before, *again;
    } cases[] = {
        {"\nfeature_infos=", "\nmax_feature_idx=60000"},
        {"\nTree=1", "\nmax_feature_idx=60000\n"},
        {"\nTree=1", "\nmax_feature_idx=0\n"},
        {"\nfeature_infos=", "\nfeature_names=a b c d e f"},
        {"\nTree=1", "\nfeature_infos=none\n"},
        {"\nTree=1", "\nobjective=regression\n"},
        {"\nTree=1", "\nnum_class=1\n"},
        {"\nnum_cat=", "\nnum_leaves=7"},
        {"\nsplit_feature=", "\nnum_cat=0"},
        {"\nthreshold=", "\nleaf_value=1 2 3 4 5 6 7\nleaf_value=1"},
        {"\nend of parameters", "\n[categorical_feature: 1]"},
        {"\npandas_categorical:", "\npandas_categorical:[]"},
    };
    size_t size = 0;
    char *text = slurp(fixture("pandas", ".txt"), &size);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char *copy = calloc(1, size + 64), *at = strstr(text, cases[c].before);
        gpa_error err = {0};
        assert_non_null(at);
        snprintf(copy, size + 64, "%.*s%s%s", (int)(at - text), text, cases[c].again,
                 at);
        assert_int_equal(open_text(copy, strlen(copy), &err), GPA_DATA);
        if (strstr(err.message, "a second time") == NULL)
            fail_msg("'%s' does not say so", err.message);
        free(copy);
    }
    free(text);
}

/* Truncated and spoilt files: a status each, never a crash. */
static void survives_spoilt_files(void **state)
{
    size_t size = 0, opened = 0;
    char *text = slurp(fixture("pandas", ".txt"), &size);
    size_t trees = (size_t)(strstr(text, "end of trees") - text);
    uint64_t dice = 12345;
    (void)state;
    for (size_t cut = 0; cut < trees; cut += 97)
        assert_int_not_equal(open_text(text, cut, NULL), GPA_OK);
    for (size_t cut = trees; cut < size; cut += 7)
        (void)open_text(text, cut, NULL);
    for (size_t i = 0; i < 2000; i++) {
        dice = dice * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(dice >> 33) % size;
        char old = text[at];
        text[at] = "0123456789-. \n=eZ"[(dice >> 20) % 17];
        opened += open_text(text, size, NULL) == GPA_OK;
        text[at] = old;
    }
    assert_true(opened > 0); /* a changed digit may still be a model */
    free(text);
}

static void survives_without_memory(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (size_t k = 1;; k++) {
            gpa_model *m = NULL;
            gpai_alloc_fail_at(k, for_ever);
            gpa_status st = gpa_model_open(&m, fixture("pandas", ".txt"), NULL, NULL);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            gpa_model_free(m);
            if (tried < k)
                break;
            assert_int_equal(st, GPA_NOMEM);
        }
    gpa_model_free(open_model("category", ""));
}

/* The model `name` with other last lines, and names of columns. */
static gpa_model *open_with(const char *name, const char *tail, gpa_status *st,
                            gpa_error *err)
{
    size_t size = 0;
    char *text = slurp(fixture(name, ".txt"), &size), spec[96];
    strcat(text, tail);
    struct scratch file = scratch_file(text, strlen(text));
    gpa_model *m = NULL;
    snprintf(spec, sizeof spec, "lightgbm:%s", file.path);
    *st = gpa_model_open(&m, spec, NULL, err);
    unlink(file.path);
    free(text);
    return m;
}

/* What pandas called the categories, and the same predictions as without names. */
static void names_of_categories(void **state)
{
    static const char *const shops[12] = {"north",
                                          "south, by \"the\" sea",
                                          "\xf0\x9f\x8c\x8a",
                                          "",
                                          "nan",
                                          "007",
                                          "1e5",
                                          "a=b",
                                          "\xc3\xa9t\xc3\xa9",
                                          "null",
                                          " ",
                                          "True"};
    static double x[ROWS_MOST * INPUTS], want[ROWS_MOST], got[ROWS_MOST];
    gpa_model *m = open_model("pandas", ""), *copy = NULL;
    (void)state;
    assert_false(gpa_model_takes_text(m));
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    gpa_model_free(m);
    assert_string_equal(gpa_model_variable(copy, 4), "shop");
    for (size_t i = 0; i < 12; i++)
        assert_string_equal(gpa_model_level(copy, 4, i), shops[i]);
    assert_null(gpa_model_level(copy, 4, 12));
    assert_string_equal(gpa_model_level(copy, 5, 0), "10");
    assert_string_equal(gpa_model_level(copy, 5, 69), "79");
    assert_null(gpa_model_level(copy, 5, 70));
    for (size_t k = 0; k < 4; k++)
        assert_null(gpa_model_level(copy, k, 0));
    assert_null(gpa_model_level(copy, 6, 0));
    size_t n = read_numbers(fixture("rows", ".csv"), x, INPUTS);
    assert_int_equal(read_numbers(fixture("category", ".expected"), want, 1), n);
    assert_int_equal(gpa_model_predict(copy, x, n, got, NULL), GPA_OK);
    assert_memory_equal(got, want, n * sizeof *got);
    /* a category that pandas does not know is missing to it: NaN, which LightGBM sends
     * the way of all that are not in a set */
    for (size_t k = 4; k < INPUTS; k++) {
        for (size_t i = 0; i < n; i++)
            x[i * INPUTS + k] = (double)NAN;
        assert_int_equal(gpa_model_predict(copy, x, n, want, NULL), GPA_OK);
        for (size_t i = 0; i < n; i++)
            x[i * INPUTS + k] = i % 2 == 0 ? 12 + 58 * (double)(k == 5) : -1;
        assert_int_equal(gpa_model_predict(copy, x, n, got, NULL), GPA_OK);
        assert_memory_equal(got, want, n * sizeof *got);
    }
    gpa_model_free(copy);
}

#define TWELVE  "[\"a\",\"b\",\"c\",true,false,6,7.5,8,9,10,11,12]"
#define TEN     "1,2,3,4,5,6,7,8,9,10,"
#define SEVENTY "[" TEN TEN TEN TEN TEN TEN "1,2,3,4,5,6,7,8,9,10]"

/* Which inputs the lists belong to: the one way that fits, or no names at all. */
static void lists_find_their_inputs(void **state)
{
    static const struct {
        const char *model, *tail;
        const char *fourth, *fifth; /* names of code 3 and of code 2; NULL: none */
    } cases[] = {
        {"category", "pandas_categorical:[" TWELVE "," SEVENTY "]\n", "True", "3"},
        {"category", "pandas_categorical:[" TWELVE "]\r\n", "True", NULL},
        {"category", "pandas_categorical:[" SEVENTY "]", NULL, NULL}, /* 4 or 5? */
        {"category", "pandas_categorical:[" SEVENTY "," TWELVE "]", NULL, NULL},
        {"category", "pandas_categorical:[" TWELVE "," SEVENTY ",[\"x\"]]", NULL, NULL},
        {"category", "pandas_categorical:null\n", NULL, NULL},
        {"category", "pandas_categorical:[]\n", NULL, NULL},
        {"category", "", NULL, NULL},
        /* ordered ones are numbers to LightGBM */
        {"plain", "pandas_categorical:[" TWELVE "," SEVENTY "]\n", "True", "3"},
        {"plain", "pandas_categorical:[" SEVENTY "]\n", NULL, NULL},
        {"plain", "[categorical_feature: 5]\npandas_categorical:[" SEVENTY "]\n", NULL,
         "3"},
        /* what is no input is not declared */
        {"plain",
         "[categorical_feature: -5,5,6,x,]\npandas_categorical:[" SEVENTY "]\n", NULL,
         "3"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_error err = {0};
        gpa_status st = GPA_OK;
        gpa_model *m = open_with(cases[c].model, cases[c].tail, &st, &err);
        if (st != GPA_OK)
            fail_msg("%zu: %s", c, err.message);
        const char *fourth = gpa_model_level(m, 4, 3),
                   *fifth = gpa_model_level(m, 5, 2);
        if (strcmp(fourth != NULL ? fourth : "-",
                   cases[c].fourth != NULL ? cases[c].fourth : "-") != 0 ||
            strcmp(fifth != NULL ? fifth : "-",
                   cases[c].fifth != NULL ? cases[c].fifth : "-") != 0)
            fail_msg("%zu: %s and %s", c, fourth != NULL ? fourth : "nothing",
                     fifth != NULL ? fifth : "nothing");
        if (cases[c].fourth != NULL) {
            assert_string_equal(gpa_model_level(m, 4, 0), "a");
            assert_string_equal(gpa_model_level(m, 4, 4), "False");
            assert_string_equal(gpa_model_level(m, 4, 5), "6");
            assert_string_equal(gpa_model_level(m, 4, 6), "7.5");
        }
        for (size_t k = 0; k < 4; k++)
            assert_null(gpa_model_level(m, k, 0));
        gpa_model_free(m);
    }
}

static void lists_that_are_none(void **state)
{
    static const char *const tails[] = {"pandas_categorical:[[\"a\"]",
                                        "pandas_categorical:",
                                        "pandas_categorical:{}",
                                        "pandas_categorical:[1]",
                                        "pandas_categorical:[[null]]",
                                        "pandas_categorical:[[[1]]]",
                                        "pandas_categorical:[[\"a\"]] more"};
    (void)state;
    for (size_t c = 0; c < sizeof tails / sizeof tails[0]; c++) {
        gpa_error err = {0};
        gpa_status st = GPA_OK;
        assert_null(open_with("category", tails[c], &st, &err));
        assert_int_equal(st, GPA_DATA);
    }
}

/* Where codes are compared like numbers, one that is no category is missing all the
 * same: the model without names is asked with NaN. */
static void unknown_ordered_categories(void **state)
{
    static double x[ROWS_MOST * INPUTS], want[ROWS_MOST], got[ROWS_MOST],
        large[ROWS_MOST];
    gpa_status st = GPA_OK;
    gpa_model *plain = open_model("plain", "");
    gpa_model *m =
        open_with("plain", "pandas_categorical:[" TWELVE "," SEVENTY "]\n", &st, NULL);
    bool differs = false;
    (void)state;
    assert_int_equal(st, GPA_OK);
    size_t n = read_numbers(fixture("rows", ".csv"), x, INPUTS);
    for (size_t i = 0; i < n; i++)
        x[i * INPUTS + 4] = (double)NAN;
    for (size_t i = 0; i < n; i++) /* fractions and the like are not what is meant */
        x[i * INPUTS + 5] = (double)(i % 70);
    assert_int_equal(gpa_model_predict(plain, x, n, want, NULL), GPA_OK);
    for (size_t i = 0; i < n; i++)
        x[i * INPUTS + 4] = i % 3 == 0 ? -1 : 12 + (double)(i % 3);
    assert_int_equal(gpa_model_predict(m, x, n, got, NULL), GPA_OK);
    assert_memory_equal(got, want, n * sizeof *got);
    assert_int_equal(gpa_model_predict(plain, x, n, large, NULL), GPA_OK);
    for (size_t i = 0; i < n; i++)
        differs = differs || large[i] != want[i];
    assert_true(differs); /* it was worth asking */
    gpa_model_free(m);
    gpa_model_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_library),
        cmocka_unit_test(refuses_by_name),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(no_key_twice),
        cmocka_unit_test(names_of_categories),
        cmocka_unit_test(lists_find_their_inputs),
        cmocka_unit_test(lists_that_are_none),
        cmocka_unit_test(unknown_ordered_categories),
        cmocka_unit_test(survives_spoilt_files),
        cmocka_unit_test(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
