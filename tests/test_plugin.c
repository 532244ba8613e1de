#include "support.h"

#include "base/alloc.h"
#include <gpa/gpa.h>
#include <unistd.h>

/* Shared objects that the build makes: examples/plugin/linear_plugin.c,
 * tests/bad_plugin.c, tests/not_a_plugin.c. */
static const char *built(const char *variable)
{
    const char *path = getenv(variable);
    if (path == NULL) {
        print_message("SKIP: %s is not set: plugins are NOT checked\n", variable);
        skip();
    }
    return path;
}

static gpa_status open_plugin(gpa_model **m, const char *path, const char *config,
                              gpa_error *err)
{
    char spec[1200];
    gpa_model_options opt;
    gpa_model_options_init(&opt);
    opt.config = config;
    snprintf(spec, sizeof spec, "plugin:%s", path);
    return gpa_model_open(m, spec, &opt, err);
}

static void test_example(void **state)
{
    const char *path = built("GPA_TEST_PLUGIN");
    gpa_model *m = NULL;
    const double x[6] = {1, 1, 0, 0, 4, 0.25};
    double y[3];
    (void)state;
    assert_int_equal(open_plugin(&m, path, "1,-2;0.5", NULL), GPA_OK);
    assert_int_equal(gpa_model_dim(m), 2);
    assert_null(gpa_model_variable(m, 0));
    assert_true(gpa_model_in_process(m));
    assert_false(gpa_model_refuses_missing(m));
    assert_memory_equal(gpa_model_spec(m), "plugin:", 7);
    gpa_model_set_batch(m, 2);
    assert_int_equal(gpa_model_predict(m, x, 3, y, NULL), GPA_OK);
    assert_true(y[0] == -0.5 && y[1] == 0.5 && y[2] == 4);
    gpa_model_free(m);
    assert_int_equal(open_plugin(&m, path, "3;-1", NULL), GPA_OK);
    assert_int_equal(gpa_model_dim(m), 1);
    gpa_model_free(m);
}

static void test_clones_keep_the_configuration(void **state)
{
    const char *path = built("GPA_TEST_PLUGIN");
    char config[] = "1,-2;0.5";
    gpa_model *m = NULL, *copy = NULL;
    const double x[2] = {10, 1};
    double y = (double)NAN;
    (void)state;
    assert_int_equal(open_plugin(&m, path, config, NULL), GPA_OK);
    memset(config, 'x', sizeof config - 1); /* the caller's text may go */
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    gpa_model_free(m);
    assert_int_equal(gpa_model_predict(copy, x, 1, &y, NULL), GPA_OK);
    assert_true(y == 8.5);
    gpa_model_free(copy);
}

static void test_example_refuses(void **state)
{
    static const char *const configs[] = {NULL,   "",    ";",     "1,2",
                                          "1,;0", "a;0", "1;0x;", "1;0,2"};
    const char *path = built("GPA_TEST_PLUGIN");
    (void)state;
    for (size_t c = 0; c < sizeof configs / sizeof configs[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err;
        assert_int_equal(open_plugin(&m, path, configs[c], &err), GPA_MODEL);
        assert_non_null(strstr(err.message, "is not like '1,-2;0.5'"));
        assert_null(m);
    }
}

static void test_misbehaviour(void **state)
{
    static const struct {
        const char *config, *says;
    } cases[] = {
        {"no inputs", ": says it has 0 inputs"},
        {"silent", ": does not open, gives no reason"},
        {"two lines", ": first second [31m"},
        {"endless text", ": eeeeeeee"},
    };
    const char *path = built("GPA_TEST_BAD_PLUGIN");
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err;
        assert_int_equal(open_plugin(&m, path, cases[c].config, &err), GPA_MODEL);
        assert_memory_equal(err.message, "plugin: ", 8);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_null(m);
    }
}

static void test_other_version(void **state)
{
    const char *path = built("GPA_TEST_BAD_PLUGIN");
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    setenv("BAD_PLUGIN_ABI", "2", 1);
    gpa_status st = open_plugin(&m, path, "", &err);
    unsetenv("BAD_PLUGIN_ABI");
    assert_int_equal(st, GPA_MODEL);
    assert_non_null(strstr(err.message, ": interface version 2, expected 1"));
    assert_null(m);
}

static void test_failing_prediction(void **state)
{
    const char *path = built("GPA_TEST_BAD_PLUGIN");
    gpa_model *m = NULL;
    gpa_error err;
    const double x[4] = {0};
    double y[2];
    (void)state;
    assert_int_equal(open_plugin(&m, path, "fail", NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 2, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, ": predict returned 7 for 2 rows"));
    gpa_model_free(m);
    assert_int_equal(open_plugin(&m, path, "nan", NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 2, y, &err), GPA_OK);
    assert_true(isnan(y[0]) && isinf(y[1]));
    gpa_model_free(m);
}

static void test_not_a_plugin(void **state)
{
    const char *path = built("GPA_TEST_NOT_A_PLUGIN");
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    assert_int_equal(open_plugin(&m, path, "", &err), GPA_MODEL);
    assert_non_null(strstr(err.message, ": has no function gpa_plugin_open"));
    assert_null(m);
}

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in != NULL && out != NULL);
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
}

/* A name without a slash is a file here, not one on the loader's search path. */
static void test_here_not_the_search_path(void **state)
{
    static const char name[] = "test_plugin_here.so";
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_plugin(&m, "libm.so.6", "", NULL), GPA_IO);
    copy_file(built("GPA_TEST_PLUGIN"), name);
    gpa_status st = open_plugin(&m, name, "1;2", NULL);
    unlink(name);
    assert_int_equal(st, GPA_OK);
    gpa_model_free(m);
}

static void test_unreadable(void **state)
{
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    assert_int_equal(open_plugin(&m, "no/such.so", "", &err), GPA_IO);
    assert_string_equal(err.message,
                        "plugin: no/such.so: cannot read: No such file or directory");
    FILE *f = fopen("test_plugin_text.so", "w");
    assert_non_null(f);
    fputs("not ELF", f);
    fclose(f);
    gpa_status st = open_plugin(&m, "test_plugin_text.so", "", &err);
    unlink("test_plugin_text.so");
    assert_int_equal(st, GPA_IO);
    assert_non_null(strstr(err.message, "test_plugin_text.so: cannot load: "));
    assert_null(m);
}

static void test_without_memory(void **state)
{
    const char *path = built("GPA_TEST_PLUGIN");
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL, *copy = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = open_plugin(&m, path, "1,-2;0.5", NULL);
            if (st == GPA_OK)
                st = gpa_model_clone(&copy, m, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK || st == GPA_NOMEM);
            gpa_model_free(copy);
            gpa_model_free(m);
        }
        assert_true(k > 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_clones_keep_the_configuration),
        cmocka_unit_test(test_example_refuses),
        cmocka_unit_test(test_misbehaviour),
        cmocka_unit_test(test_other_version),
        cmocka_unit_test(test_failing_prediction),
        cmocka_unit_test(test_not_a_plugin),
        cmocka_unit_test(test_here_not_the_search_path),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
