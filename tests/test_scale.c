/* Centre and unit against numpy.percentile and numpy.std; scale files; lists of
 * numbers. */
#include "data/table.h"
#include "data_support.h"

static void test_fit(void **state)
{
    static const double x[11 * 2] = {
        5.004, 9.875,   4.178,  -109.059, 3.636,  -119.165, 5.18,  114.022,
        3.523, -82.047, 6.47,   15.689,   5.316,  -113.047, 4.912, 49.53,
        0.967, -65.762, -0.704, -148.954, -0.525, -43.509};
    double center[2], unit[2];
    bool fallback[2];
    (void)state;
    assert_int_equal(gpa_scale_fit(x, 11, 2, center, unit, fallback, NULL), GPA_OK);
    assert_true(center[0] == 4.178 && center[1] == -65.762);
    assert_close(unit[0], 2.1104521868050403, 1e-15);
    assert_close(unit[1], 91.79762787249814, 1e-13);
    assert_false(fallback[0] || fallback[1]);
    assert_int_equal(gpa_scale_fit(x, 11, 2, center, unit, NULL, NULL), GPA_OK);
}

#define GONE ((double)NAN)

static void test_columns(void **state)
{
    static const struct {
        const char *name;
        size_t n;
        double x[8], center, unit;
        bool fallback;
    } cases[] = {
        {"no quartile spread: sd",
         8,
         {3, 3, 3, 3, 3, 3, 3, 9.5},
         3,
         2.14967294023998,
         false},
        {"even, missing cells",
         8,
         {1.5, GONE, 2.5, 7, -3, 11, GONE, 0.25},
         2,
         3.9381022979985176,
         false},
        {"constant", 6, {4.5, 4.5, 4.5, 4.5, 4.5, 4.5}, 4.5, 1, true},
        {"constant but for missing", 6, {4.5, GONE, 4.5, 4.5, 4.5, 4.5}, 4.5, 1, true},
        {"four rows", 4, {1, 2, 3, 5}, 2.5, 1, true},
        {"four present", 6, {1, 2, GONE, 3, 5, GONE}, 2.5, 1, true},
        {"five rows", 5, {1, 2, 3, 4, 5}, 3, 2 / 1.349, false},
        {"one row", 1, {7}, 7, 1, true},
        {"all missing", 6, {GONE, GONE, GONE, GONE, GONE, GONE}, 0, 1, true},
        {"a large common part",
         7,
         {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9 + 1},
         1e9,
         0.3499271061118826,
         false}, /* sqrt(6) / 7 */
        {"squares underflow", 6, {0, 0, 0, 0, 0, 1e-300}, 0, 1, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double center = -1, unit = -1;
        bool fallback = !cases[i].fallback;
        assert_int_equal(
            gpa_scale_fit(cases[i].x, cases[i].n, 1, &center, &unit, &fallback, NULL),
            GPA_OK);
        if (fallback != cases[i].fallback)
            fail_msg("%s: fallback %d", cases[i].name, fallback);
        assert_close(center, cases[i].center, 0);
        assert_close(unit, cases[i].unit, 1e-15 * (1 + fabs(cases[i].unit)));
    }
}

/* 0 to 10000 in a mixed order, with some missing: the quartiles are known. */
static void test_many_rows(void **state)
{
    enum { N = 10001, GAPS = 7 };
    static double x[N + GAPS];
    double center, unit;
    bool fallback;
    (void)state;
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i * 4099 % N);
    for (size_t i = 0; i < GAPS; i++)
        x[N + i] = GONE;
    assert_int_equal(gpa_scale_fit(x, N + GAPS, 1, &center, &unit, &fallback, NULL),
                     GPA_OK);
    assert_true(center == 5000 && unit == 5000 / 1.349 && !fallback);
    for (size_t i = 0; i < N; i++)
        x[i] = i % 10 == 0 ? 3 : 1; /* no spread between the quartiles */
    assert_int_equal(gpa_scale_fit(x, N, 1, &center, &unit, &fallback, NULL), GPA_OK);
    double share = 1001.0 / N;
    assert_true(center == 1 && !fallback);
    assert_close(unit, 2 * sqrt(share * (1 - share)), 1e-13);
}

static void test_fit_refused(void **state)
{
    static const double inf[6] = {0, 1, 2, 3, (double)INFINITY, 5};
    static const double wide[6] = {-1.7e308, -1.7e308, -1.7e308,
                                   1.7e308,  1.7e308,  1.7e308};
    gpa_error err = {GPA_OK, ""};
    double c, u;
    (void)state;
    assert_int_equal(gpa_scale_fit(inf, 6, 1, &c, &u, NULL, &err), GPA_NUMERIC);
    assert_string_equal(err.message, "scale: row 4, column 0 is infinite");
    assert_int_equal(gpa_scale_fit(wide, 6, 1, &c, &u, NULL, &err), GPA_NUMERIC);
    assert_string_equal(err.message, "scale: column 0 spreads beyond all numbers");
    assert_int_equal(gpa_scale_fit(inf, 0, 1, &c, &u, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_scale_fit(NULL, 6, 1, &c, &u, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_scale_fit(inf, 6, 1, NULL, &u, NULL, &err), GPA_INVALID);
}

static const char *const FEATURES[2] = {"age", "b\xc3\xa4r"};

static void test_read(void **state)
{
    static const char *const cases[] = {
        "{\"center\":[1,2.5],\"unit\":[3,0.5]}",
        ("{\"unit\":{\"b\xc3\xa4r\":0.5,\"age\":3,\"other\":\"ignored\"},"
         "\"center\":{\"age\":1,\"b\\u00e4r\":2.5}}"),
        "{\"center\":[1,2.5],\"unit\":{\"age\":3,\"b\xc3\xa4r\":5e-1},\"note\":[]}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scratch f = scratch_text(cases[i]);
        double center[2] = {0, 0}, unit[2] = {0, 0};
        assert_int_equal(gpai_scale_read(f.path, FEATURES, 2, center, unit, NULL),
                         GPA_OK);
        assert_true(center[0] == 1 && center[1] == 2.5 && unit[0] == 3 &&
                    unit[1] == 0.5);
        unlink(f.path);
    }
}

static void test_read_refused(void **state)
{
    static const struct {
        const char *text;
        gpa_status status;
        const char *want;
    } cases[] = {
        {"{\"center\":[1],\"unit\":[1,1]}", GPA_DATA, "center: 1 numbers, expected 2"},
        {"{\"center\":[1,2],\"unit\":[1,1,1]}", GPA_DATA,
         "unit: 3 numbers, expected 2"},
        {"{\"center\":[1,2]}", GPA_DATA,
         "no \"unit\" (expected {\"center\":[...],\"unit\":[...]})"},
        {"[]", GPA_DATA, "no \"center\" (expected {\"center\":[...],\"unit\":[...]})"},
        {"{\"center\":[1,2],\"unit\":[1,0]}", GPA_INVALID,
         "the unit of input 2, b\xc3\xa4r is not positive"},
        {"{\"center\":[1,2],\"unit\":[-1,1]}", GPA_INVALID,
         "the unit of input 1, age is not positive"},
        {"{\"center\":{\"age\":1},\"unit\":[1,1]}", GPA_INVALID,
         "center has no \"b\xc3\xa4r\""},
        {"{\"center\":[0,0],\"unit\":{\"age\":\"1\"}}", GPA_DATA,
         "unit of \"age\" is not a number"},
        {"{\"center\":[1,null],\"unit\":[1,1]}", GPA_DATA,
         "center: item 2 is not a number"},
        {"{\"center\":5,\"unit\":[1,1]}", GPA_DATA, "center: not a list of numbers"},
        {"{\"center\":[1,NaN],\"unit\":[1,1]}", GPA_DATA, "line 1: unexpected: NaN"},
        {"", GPA_DATA, "empty, not JSON"},
    };
    double c[2], u[2];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scratch f = scratch_text(cases[i].text);
        gpa_error err = {GPA_OK, ""};
        char want[256];
        snprintf(want, sizeof want, "%s: %s", f.path, cases[i].want);
        assert_int_equal(gpai_scale_read(f.path, FEATURES, 2, c, u, &err),
                         cases[i].status);
        assert_string_equal(err.message, want);
        unlink(f.path);
    }
    assert_int_equal(gpai_scale_read("no such file", FEATURES, 2, c, u, NULL), GPA_IO);
    assert_int_equal(gpai_scale_read(NULL, FEATURES, 2, c, u, NULL), GPA_INVALID);
    assert_int_equal(gpai_scale_read("f", FEATURES, 0, c, u, NULL), GPA_INVALID);
    assert_int_equal(gpai_scale_read("f", FEATURES, 2, NULL, u, NULL), GPA_INVALID);
    assert_int_equal(gpai_scale_read("f", FEATURES, 2, c, NULL, NULL), GPA_INVALID);
}

/* Lists need no names; objects do. */
static void test_read_without_names(void **state)
{
    struct scratch list = scratch_text("{\"center\":[1,2],\"unit\":[1,4]}");
    struct scratch object = scratch_text("{\"center\":{\"a\":1},\"unit\":[1,4]}");
    double c[2], u[2];
    (void)state;
    assert_int_equal(gpai_scale_read(list.path, NULL, 2, c, u, NULL), GPA_OK);
    assert_true(u[1] == 4);
    assert_int_equal(gpai_scale_read(object.path, NULL, 2, c, u, NULL), GPA_INVALID);
    unlink(list.path);
    unlink(object.path);
}

static void test_numbers(void **state)
{
    struct scratch f =
        scratch_text("\xef\xbb\xbf# nodes\n 0.5\r\n\n-1e-3 # small\n\t7\t\r8");
    double *x = NULL;
    size_t n = 0;
    (void)state;
    assert_int_equal(gpa_numbers_read(f.path, &x, &n, NULL), GPA_OK);
    assert_int_equal(n, 4);
    assert_true(x[0] == 0.5 && x[1] == -1e-3 && x[2] == 7 && x[3] == 8);
    gpa_numbers_free(x);
    gpa_numbers_free(NULL);
    unlink(f.path);
}

static void test_numbers_refused(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", "no numbers"},
        {"# nothing\n\n", "no numbers"},
        {"1\n\n2,3\n", "line 3: \"2,3\" is not a number"},
        {"1\n2 3\n", "line 2: \"2 3\" is not a number"},
        {"nan\n", "line 1: \"nan\" is not a number"},
        {"1\r1e999\r", "line 2: \"1e999\" is out of range"},
        {"\x1b[2J", "line 1: \"\\x1b[2J\" is not a number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scratch f = scratch_text(cases[i].text);
        gpa_error err = {GPA_OK, ""};
        double *x = NULL;
        size_t n = 1;
        char want[128];
        snprintf(want, sizeof want, "%s: %s", f.path, cases[i].want);
        assert_int_equal(gpa_numbers_read(f.path, &x, &n, &err), GPA_DATA);
        assert_string_equal(err.message, want);
        assert_null(x);
        assert_int_equal(n, 0);
        unlink(f.path);
    }
}

static gpa_status fit_it(void *ctx, gpa_error *err)
{
    static const double x[5] = {1, 2, 3, 4, 5};
    double c, u;
    (void)ctx;
    return gpa_scale_fit(x, 5, 1, &c, &u, NULL, err);
}

static gpa_status read_it(void *ctx, gpa_error *err)
{
    double c[2], u[2];
    return gpai_scale_read(ctx, FEATURES, 2, c, u, err);
}

static gpa_status numbers_it(void *ctx, gpa_error *err)
{
    double *x = NULL;
    size_t n = 0;
    gpa_status st = gpa_numbers_read(ctx, &x, &n, err);
    gpa_numbers_free(x);
    return st;
}

static void test_no_memory(void **state)
{
    struct scratch f = scratch_text("{\"center\":{\"age\":0.12345678901234567,"
                                    "\"b\xc3\xa4r\":2},\"unit\":[3,0.5]}");
    struct scratch g = scratch_text("1\n2\n");
    (void)state;
    every_allocation_fails(fit_it, NULL);
    every_allocation_fails(read_it, f.path);
    every_allocation_fails(numbers_it, g.path);
    unlink(f.path);
    unlink(g.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_fit_refused),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_refused),
        cmocka_unit_test(test_read_without_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_refused),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
