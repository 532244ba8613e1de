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
    };
    size_t size = 0;
    char *text = slurp(fixture("plain", ".txt"), &size);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char *copy = calloc(1, size + 64), *at = strstr(text, cases[c].old);
        gpa_error err = {0};
        assert_non_null(at);
        snprintf(copy, size + 64, "%.*s%s%s", (int)(at - text), text, cases[c].new,
                 at + strlen(cases[c].old));
        assert_int_not_equal(open_text(copy, strlen(copy), &err), GPA_OK);
        if (strstr(err.message, cases[c].word) == NULL)
            fail_msg("'%s' does not say '%s'", err.message, cases[c].word);
        free(copy);
    }
    free(text);
}

/* Truncated and spoilt files: a status each, never a crash. */
static void survives_spoilt_files(void **state)
{
    size_t size = 0, opened = 0;
    char *text = slurp(fixture("category", ".txt"), &size);
    uint64_t dice = 12345;
    (void)state;
    for (size_t cut = 0; cut < size; cut += 97)
        assert_int_not_equal(open_text(text, cut, NULL), GPA_OK);
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
            gpa_status st = gpa_model_open(&m, fixture("category", ".txt"), NULL, NULL);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            gpa_model_free(m);
            if (tried < k)
                break;
            assert_int_equal(st, GPA_NOMEM);
        }
    gpa_model_free(open_model("category", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_library),
        cmocka_unit_test(refuses_by_name),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(survives_spoilt_files),
        cmocka_unit_test(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
