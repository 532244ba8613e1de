/* The Z-score: the authors' numbers, and columns that are constant, missing or huge. */
#include "support.h"

#include "base/alloc.h"
#include "methods/attribute.h"
#include <gpa/gpa.h>
#include <jansson.h>

static int never(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    size_t *asked = ctx;
    (void)x;
    (void)d;
    *asked += n;
    for (size_t i = 0; i < n; i++)
        y[i] = 0;
    return 0;
}

/* Runs Z on rows whose prediction is known; the model is not to be asked. */
static gpa_attribution *ask(const double *x, size_t n, const double *reference,
                            size_t rows, size_t d)
{
    size_t asked = 0;
    double f[4] = {0};
    gpa_model *m = NULL;
    gpa_attribute_options opt;
    gpa_attribution *a = NULL;
    gpa_error err;
    gpa_sample r = {.x = reference, .n = rows, .d = d};
    gpa_sample s = {.x = x, .f = f, .n = n, .d = d};
    assert_int_equal(gpa_model_from_callback(&m, never, &asked, d, NULL), GPA_OK);
    gpa_attribute_options_init(&opt);
    opt.reference = &r;
    if (gpa_attribute(&a, "z", m, &s, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    assert_int_equal(asked, 0);
    assert_int_equal(gpa_attribution_model_rows(a), 0);
    assert_true(gpa_attribution_converged(a));
    assert_null(gpa_attribution_sd(a));
    gpa_model_free(m);
    return a;
}

/* Columns with mean 3 and variance 2, and with mean 10 and variance 4; a third far from
 * 0, a fourth and fifth whose squares are no numbers. */
static void by_hand(void **state)
{
    static const double reference[] = {
        1, 8,  1e15 + 1, 1e200, 1e-200, /* */
        2, 12, 1e15 + 2, 2e200, 2e-200, /* */
        3, 8,  1e15 + 3, 3e200, 3e-200, /* */
        4, 12, 1e15 + 4, 4e200, 4e-200, /* */
        5, 10, 1e15 + 5, 5e200, 5e-200, /* */
    };
    static const double x[] = {5, 9,  1e15 + 1, 7e200, 3e-200, /* */
                               2, 10, 1e15 + 4, 3e200, -1e-200};
    const double root = sqrt(2), two = sqrt(16.0 / 5);
    const double first[] = {2 / root, -1 / two, -2 / root, 4 / root, 0};
    const double second[] = {-1 / root, 0, 1 / root, 0, -4 / root};
    (void)state;
    gpa_attribution *a = ask(x, 1, reference, 5, 5), *both = ask(x, 2, reference, 5, 5);
    for (size_t k = 0; k < 5; k++) {
        assert_close(gpa_attribution_score(a)[k], first[k], 1e-15 * 4);
        assert_close(gpa_attribution_score(both)[k], (first[k] + second[k]) / 2, 4e-15);
    }
    assert_null(gpa_attribution_note(a, 0));
    gpa_attribution_free(a);
    gpa_attribution_free(both);
}

/* 0.1 added up does not make exactly n times 0.1; constant is constant all the same. */
static void constant_columns(void **state)
{
    double reference[700 * 3], x[] = {0.1, 0.2, 3};
    (void)state;
    for (size_t i = 0; i < 700; i++) {
        reference[3 * i] = reference[3 * i + 1] = 0.1;
        reference[3 * i + 2] = (double)(i % 2);
    }
    gpa_attribution *a = ask(x, 1, reference, 700, 3);
    const double *score = gpa_attribution_score(a);
    assert_true(score[0] == 0 && score[1] == 0);
    assert_close(score[2], 5, 1e-14);
    assert_string_equal(gpa_attribution_note(a, 0),
                        "2 of 3 inputs do not vary in the reference rows: their Z is 0 "
                        "(1 of them have another value here)");
    assert_null(gpa_attribution_note(a, 1));
    gpa_attribution_free(a);
    a = ask(x, 1, reference, 1, 3); /* one row has no spread at all */
    for (size_t k = 0; k < 3; k++)
        assert_true(gpa_attribution_score(a)[k] == 0);
    gpa_attribution_free(a);
}

/* Cells without a number are passed over, also where a column has no others. */
static void missing_cells(void **state)
{
    const double none = (double)NAN;
    const double reference[] = {none, 1, none, 4,    none, none, 2,   3,
                                none, 6, 2,    none, 5,    none, none};
    const double x[] = {6, 3, 1}, f = 0;
    gpa_attribution *a = NULL;
    gpa_attribute_options opt;
    gpa_sample r = {.x = reference, .n = 5, .d = 3};
    gpa_sample s = {.x = x, .f = &f, .n = 1, .d = 3};
    (void)state;
    gpa_attribute_options_init(&opt);
    opt.reference = &r;
    gpai_attribute w = {.s = &s, .opt = &opt};
    assert_int_equal(gpai_attribution_new(&w.a, gpa_method_find("z"), 3, NULL), GPA_OK);
    a = w.a;
    assert_int_equal(gpai_zscore(&w), GPA_OK);
    /* 4, 2, 6, 5: mean 4.25, variance 2.1875; 1, 3, 2: mean 2, variance 2/3 */
    assert_close(gpa_attribution_score(a)[0], 1.75 / sqrt(2.1875), 1e-15);
    assert_close(gpa_attribution_score(a)[1], 1 / sqrt(2.0 / 3), 1e-15);
    assert_true(gpa_attribution_score(a)[2] == 0);
    assert_non_null(gpa_attribution_note(a, 0));
    gpa_attribution_free(a);
}

static void without_memory(void **state)
{
    static const double reference[4] = {1, 2, 3, 4}, x[2] = {1, 1};
    size_t asked = 0;
    gpa_model *m = NULL;
    gpa_attribute_options opt;
    gpa_sample r = {.x = reference, .n = 2, .d = 2}, s = {.x = x, .n = 1, .d = 2};
    (void)state;
    assert_int_equal(gpa_model_from_callback(&m, never, &asked, 2, NULL), GPA_OK);
    gpa_attribute_options_init(&opt);
    opt.reference = &r;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_attribution *a = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpa_attribute(&a, "z", m, &s, &opt, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? a != NULL : st == GPA_NOMEM && a == NULL);
            gpa_attribution_free(a);
        }
        assert_true(k > 3);
    }
    gpa_model_free(m);
}

/* Five outliers against the training rows. */
static void numbers_of_the_authors(void **state)
{
    char path[4096];
    (void)state;
    if (shared_file(path, sizeof path, "oracle/diabetes/expected.json") == NULL)
        skip();
    json_t *all = json_load_file(path, 0, NULL), *outlier;
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/train.csv"));
    gpa_table *t = NULL;
    assert_int_equal(gpa_table_read(&t, path, NULL, NULL), GPA_OK);
    size_t rows = gpa_table_rows(t), columns[10], i, found = 0;
    for (size_t k = 0; k < 10; k++)
        columns[k] = k;
    double *train = calloc(rows * 10, sizeof *train);
    assert_int_equal(gpa_table_matrix(t, columns, 10, true, train, NULL), GPA_OK);
    json_array_foreach(json_object_get(all, "outliers"), i, outlier)
    {
        double x[10];
        json_t *want = json_object_get(json_object_get(outlier, "Z"), "score");
        for (size_t k = 0; k < 10; k++)
            x[k] = json_number_value(json_array_get(json_object_get(outlier, "x"), k));
        gpa_attribution *a = ask(x, 1, train, rows, 10);
        for (size_t k = 0; k < 10; k++)
            assert_close(gpa_attribution_score(a)[k],
                         json_number_value(json_array_get(want, k)), 1e-12);
        gpa_attribution_free(a);
        found++;
    }
    assert_int_equal(found, 5);
    free(train);
    gpa_table_free(t);
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(constant_columns),
        cmocka_unit_test(missing_cells),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(numbers_of_the_authors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
