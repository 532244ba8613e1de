#include "support.h"

#include "base/alloc.h"
#include <gpa/gpa.h>
#include <unistd.h>

#define LINEAR "{\"type\":\"linear\",\"w\":[2,3],\"b\":1}"
#define MLP                                                                            \
    "{\"type\":\"mlp\",\"activation\":\"relu\",\"layers\":[{\"W\":[[2],[3]],\"b\":[1]" \
    "}]}"

static const char file[] = "test_spec_model.json";

static void write_file(const char *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static int remove_file(void **state)
{
    (void)state;
    unlink(file);
    return 0;
}

/* The file holds `text`; `prefix` stands before its name in the spec. */
static gpa_status open_file(gpa_model **m, const char *prefix, const char *text,
                            gpa_error *err)
{
    char spec[128];
    snprintf(spec, sizeof spec, "%s%s", prefix, file);
    write_file(text, strlen(text));
    return gpa_model_open(m, spec, NULL, err);
}

static void test_files(void **state)
{
    static const struct {
        const char *prefix, *text;
    } cases[] = {
        {"linear:", LINEAR}, {"mlp:", MLP},  {"", LINEAR},
        {"", "\n\t " MLP},   {"./", LINEAR}, {"linear:./", LINEAR},
    };
    const double x[2] = {1, 10};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char spec[64];
        gpa_model *m = NULL;
        double y = (double)NAN;
        assert_int_equal(open_file(&m, cases[c].prefix, cases[c].text, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
        assert_true(y == 33);
        snprintf(spec, sizeof spec, "%s%s", cases[c].prefix, file);
        assert_string_equal(gpa_model_spec(m), spec);
        gpa_model_free(m);
    }
}

static void test_files_refused(void **state)
{
    static const struct {
        const char *prefix, *text;
        gpa_status status;
        const char *says;
    } cases[] = {
        {"mlp:", LINEAR, GPA_DATA, ": type: 'linear' is not mlp"},
        {"linear:", MLP, GPA_DATA, ": type: 'mlp' is not linear"},
        {"", "{\"type\":\"forest\"}", GPA_DATA,
         ": type: 'forest' is not mlp, linear or trees"},
        {"", "{\"type\":\"builtin\"}", GPA_DATA,
         ": type: 'builtin' is not mlp, linear or trees"},
        {"", "{}", GPA_DATA, ": type: missing"},
        {"mlp:", "[1]", GPA_DATA, ": type: missing"},
        {"mlp:", "{\"type\":", GPA_DATA, file},
        {"", "{\"type\":", GPA_DATA, file},
        {"", "", GPA_DATA, ": no model file that is known"},
        {"", "x1,x2,y\n1,2,3\n", GPA_DATA, ": no model file that is known"},
        {"", "\177ELF\2\1\1", GPA_INVALID, "; say plugin: before its name"},
        {"", "tree\nversion=v4\n", GPA_DATA, "end of trees"},
        {"", "\x80\x04pickle", GPA_DATA, "gpa.worker"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(open_file(&m, cases[c].prefix, cases[c].text, &err),
                         cases[c].status);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_null(m);
    }
}

static void test_specs_refused(void **state)
{
    static const struct {
        const char *spec;
        gpa_status status;
        const char *says;
    } cases[] = {
        {NULL, GPA_INVALID, "model: no spec; there is the name of a model file"},
        {"", GPA_INVALID, "model: no spec"},
        {"mlpp:net.json", GPA_INVALID,
         "model: 'mlpp:' is not known; there is the name of a model file"},
        {"MLP:net.json", GPA_INVALID, "model: 'MLP:' is not known"},
        {"mlp:", GPA_INVALID, "model: nothing follows 'mlp:'"},
        {"plugin:", GPA_INVALID, "model: nothing follows 'plugin:'"},
        {"builtin:", GPA_INVALID, "model: nothing follows 'builtin:'"},
        {"xgboost:m.json", GPA_IO, "m.json: cannot read: No such file"},
        {"lightgbm:m.txt", GPA_IO, "m.txt: cannot read: No such file"},
        {"onnx:m.onnx", GPA_IO, "m.onnx: cannot read: No such file"},
        {"exec:", GPA_INVALID, "model: nothing follows 'exec:'"},
        {"mlp:no/such.json", GPA_IO, "no/such.json: cannot read: No such file"},
        {"no/such:file", GPA_IO, "no/such:file: cannot read: No such file"},
        {"no_such_file", GPA_IO, "no_such_file: cannot read: No such file"},
        {".", GPA_IO, ".: cannot read: Is a directory"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(gpa_model_open(&m, cases[c].spec, NULL, &err),
                         cases[c].status);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_null(m);
        assert_int_equal(gpa_model_open(&m, cases[c].spec, NULL, NULL),
                         cases[c].status);
    }
    assert_int_equal(gpa_model_open(NULL, "builtin:sinusoid2d", NULL, NULL),
                     GPA_INVALID);
}

static void test_options(void **state)
{
    gpa_model_options opt;
    gpa_model *m = NULL;
    (void)state;
    memset(&opt, 0x55, sizeof opt);
    gpa_model_options_init(&opt);
    assert_int_equal(opt.struct_size, sizeof opt);
    assert_null(opt.config);
    assert_int_equal(opt.batch_rows, 4096);
    assert_true(opt.timeout == 60);
    opt.batch_rows = 17;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", &opt, NULL), GPA_OK);
    assert_int_equal(gpa_model_batch(m), 17);
    gpa_model_free(m);
    opt.batch_rows = 0;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", &opt, NULL), GPA_OK);
    assert_int_equal(gpa_model_batch(m), 4096);
    gpa_model_free(m);
    opt.timeout = (double)NAN;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", &opt, NULL), GPA_INVALID);
    opt.struct_size = 0;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", &opt, NULL), GPA_INVALID);
    gpa_model_options_init_sized(NULL, 8);
}

/* Callers built with a shorter or a longer version of the struct. */
static void test_options_of_other_versions(void **state)
{
    struct {
        gpa_model_options known;
        double later[3];
    } big;
    gpa_model_options part;
    gpa_model *m = NULL;
    (void)state;
    gpa_model_options_init_sized(&big.known, sizeof big);
    assert_int_equal(big.known.struct_size, sizeof big);
    assert_true(big.later[2] == 0);
    big.known.batch_rows = 5;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", &big.known, NULL),
                     GPA_OK);
    assert_int_equal(gpa_model_batch(m), 5);
    gpa_model_free(m);
    memset(&part, 0x55, sizeof part); /* what lies behind is not looked at */
    gpa_model_options_init_sized(&part, offsetof(gpa_model_options, batch_rows));
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", &part, NULL), GPA_OK);
    assert_int_equal(gpa_model_batch(m), 4096);
    gpa_model_free(m);
}

static void test_without_memory(void **state)
{
    static const char *const prefixes[] = {"", "linear:"};
    (void)state;
    for (int c = 0; c < 4; c++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL;
            gpai_alloc_fail_at(k, c / 2 == 1);
            st = open_file(&m, prefixes[c % 2], LINEAR, NULL);
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
        cmocka_unit_test_teardown(test_files, remove_file),
        cmocka_unit_test_teardown(test_files_refused, remove_file),
        cmocka_unit_test(test_specs_refused),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_options_of_other_versions),
        cmocka_unit_test_teardown(test_without_memory, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
