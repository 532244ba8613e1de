/* Another question about rows that are open: the same as a study of its own. */
#include "study_support.h"

#include "base/alloc.h"
#include "base/text/text.h"
#include "study/study.h"
#include <gpa/gpa.h>
#include <math.h>

static gpa_study *open_study(struct world *w, const gpai_setting *options, size_t n)
{
    gpa_study *s = NULL;
    gpa_error err = {0};
    assert_int_equal(gpa_study_new(&s, "explain", NULL), GPA_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(gpa_study_set(s, options[i].name, options[i].value, NULL),
                         GPA_OK);
    gpa_study_set_model(s, w->model);
    gpa_study_set_table(s, w->table);
    if (gpa_study_open(s, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return s;
}

/* The result as JSON. */
struct told {
    gpa_text *text;
    const gpa_study *s;
    gpa_stage stages[8];
    size_t n_stages, stop_at;
};

static gpa_status tell(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    struct told *t = ctx;
    const gpa_report_info *info = gpa_study_info(t->s);
    gpa_status st = GPA_OK;
    if (index == 0)
        st = gpa_report_begin(t->text, GPA_FORMAT_JSON, info, e, err);
    if (st == GPA_OK)
        st = gpa_report_explanation(t->text, GPA_FORMAT_JSON, info, e, index, err);
    return st;
}

static char *explain(gpa_study *s)
{
    struct told t = {.s = s};
    gpa_error err = {0};
    assert_int_equal(gpa_text_new(&t.text, NULL), GPA_OK);
    if (gpa_study_explain(s, NULL, 0, false, tell, &t, &err) != GPA_OK)
        fail_msg("%s", err.message);
    char *text = gpai_text_take(t.text, 0);
    gpa_text_free(t.text);
    return text;
}

static void test_same(void **state)
{
    static const gpai_setting cases[][4] = {
        {{"rows", "7"}},
        {{"rows", "3,7,9-11"}},
        {{"rows", "7,9"}, {"collective", NULL}},
        {{"rows", "7"}, {"set", "a=0.5"}, {"set", "y=1"}, {"freeze", "b"}},
        {{"rows", "7"}, {"bounds", "a=-1:1"}, {"marginals", "none"}, {"seed", "4"}},
    };
    struct world w = {.asked = 0};
    (void)state;
    make(&w, false);
    static const gpai_setting held = {"freeze", "b"};
    gpa_study *base = open_study(&w, NULL, 0), *frozen = open_study(&w, &held, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t n = 0, before = w.asked;
        while (n < 4 && cases[i][n].name != NULL)
            n++;
        gpa_study *own = open_study(&w, cases[i], n), *s = NULL, *other = NULL;
        char *want = explain(own);
        before = w.asked;
        assert_int_equal(gpai_study_again(&s, base, &base->given, "explain", cases[i],
                                          n, w.model, NULL),
                         GPA_OK);
        assert_int_equal(w.asked, before); /* nothing is asked again */
        char *got = explain(s);
        assert_string_equal(got, want);
        gpai_free(got);
        /* what was held there is free here, where the options do not hold it */
        assert_int_equal(gpai_study_again(&other, frozen, &base->given, "explain",
                                          cases[i], n, w.model, NULL),
                         GPA_OK);
        got = explain(other);
        assert_string_equal(got, want);
        gpai_free(got);
        gpai_free(want);
        gpa_study_free(other);
        gpa_study_free(s);
        gpa_study_free(own);
    }
    gpa_study_free(frozen);
    gpa_study_free(base);
    drop(&w);
}

/* A row of one's own, as by an observed reference. */
static void test_own(void **state)
{
    static const char *const cells[] = {"2.5", "0.25", "1"};
    static const double x[] = {2.5}, b[] = {0.25}, y[] = {1};
    const gpa_column columns[] = {{.name = "a", .numbers = x},
                                  {.name = "b", .numbers = b},
                                  {.name = "y", .numbers = y}};
    struct world w = {.asked = 0};
    gpa_table *row = NULL;
    gpa_study *s = NULL, *whole = NULL;
    gpa_explanation *got = NULL, *want = NULL;
    (void)state;
    make(&w, false);
    gpa_study *base = open_study(&w, NULL, 0);
    gpa_error err = {0};
    if (gpai_study_own(&s, base, &base->given, "explain", NULL, 0, cells, NULL, 1,
                       w.model, &err) != GPA_OK)
        fail_msg("%s", err.message);
    assert_int_equal(gpa_study_explanations(s, NULL, 0, false, &got, NULL), GPA_OK);
    assert_true(gpa_explanation_f(got)[0] == 3 * 2.5 + 0.25);
    assert_int_equal(gpa_table_from_columns(&row, 1, columns, 3, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_study_new(&whole, "explain", NULL), GPA_OK);
    gpa_study_set_model(whole, w.model);
    gpa_study_set_table(whole, row);
    gpa_study_set_reference(whole, w.table, true);
    assert_int_equal(gpa_study_open(whole, NULL), GPA_OK);
    assert_int_equal(gpa_study_explanations(whole, NULL, 0, false, &want, NULL),
                     GPA_OK);
    assert_memory_equal(gpa_explanation_delta(got), gpa_explanation_delta(want),
                        DIM * sizeof(double));
    assert_memory_equal(gpa_explanation_culprit(got)->responsible,
                        gpa_explanation_culprit(want)->responsible,
                        DIM * sizeof(double));
    assert_true(*gpa_explanation_score(got) == *gpa_explanation_score(want));
    static const char *const wrong[] = {"2.5", "x", "1"}, *const gap[] = {"1", "1",
                                                                          NULL};
    gpa_study *bad = NULL;
    assert_int_equal(gpai_study_own(&bad, base, &base->given, "explain", NULL, 0, wrong,
                                    NULL, 1, w.model, &err),
                     GPA_INVALID);
    assert_string_equal(err.message, "row 0: 'x' is no value of 'b'");
    gpa_study_free(bad);
    assert_int_equal(gpai_study_own(&bad, base, &base->given, "explain", NULL, 0, gap,
                                    NULL, 1, w.model, &err),
                     GPA_INVALID);
    assert_string_equal(err.message, "row 0: 'y' is missing");
    gpa_study_free(bad);
    gpa_explanation_free(want);
    gpa_explanation_free(got);
    gpa_study_free(whole);
    gpa_table_free(row);
    gpa_study_free(s);
    gpa_study_free(base);
    drop(&w);
}

static int look(void *ctx, const gpa_explanation *e)
{
    struct told *t = ctx;
    assert_int_equal(gpa_explanation_row(e, 0), ODD);
    assert_null(gpa_explanation_marginal(e, 0));
    assert_non_null(gpa_explanation_culprit(e));
    t->stages[t->n_stages++] = gpa_explanation_stage(e);
    return t->n_stages == t->stop_at;
}

static void test_stages(void **state)
{
    static const gpai_setting row = {"rows", "7"};
    struct world w = {.asked = 0};
    uint64_t rows[3];
    (void)state;
    make(&w, false);
    gpa_study *base = open_study(&w, NULL, 0);
    for (size_t stop = 0; stop < 3; stop++) {
        struct told t = {.stop_at = stop};
        gpa_study *s = NULL;
        gpa_explanation *e = NULL;
        assert_int_equal(
            gpai_study_again(&s, base, &base->given, "explain", &row, 1, w.model, NULL),
            GPA_OK);
        gpai_study_set_stage(s, look, &t);
        assert_int_equal(gpa_study_explanations(s, NULL, 0, false, &e, NULL), GPA_OK);
        assert_int_equal(t.n_stages, stop == 1 ? 1 : 2);
        assert_int_equal(t.stages[0], GPA_STAGE_VERDICT);
        assert_int_equal(gpa_explanation_stage(e), stop == 0   ? GPA_STAGE_WHOLE
                                                   : stop == 1 ? GPA_STAGE_VERDICT
                                                               : GPA_STAGE_CHANGE);
        assert_true((gpa_explanation_marginal(e, 0) != NULL) == (stop == 0));
        rows[stop] = gpa_explanation_summary(e)->model_rows;
        gpa_explanation_free(e);
        gpa_study_free(s);
    }
    assert_true(rows[1] < rows[2] &&
                rows[2] < rows[0]); /* what is not asked is saved */
    gpa_study_free(base);
    drop(&w);
}

/* Every allocation fails in turn: a status, no leak, and the base is as it was. */
static void test_memory(void **state)
{
    static const gpai_setting more[] = {{"rows", "7"}, {"set", "a=1"}, {"freeze", "b"}};
    static const char *const cells[] = {"2.5", "0.25", "1"};
    struct world w = {.asked = 0};
    (void)state;
    make(&w, false);
    gpa_study *base = open_study(&w, NULL, 0);
    for (int own = 0; own < 2; own++) {
        gpa_status st = GPA_NOMEM;
        for (size_t k = 1; st == GPA_NOMEM; k++) {
            gpa_study *s = NULL;
            gpai_alloc_fail_at(k, false);
            st = own ? gpai_study_own(&s, base, &base->given, "explain", more + 1, 2,
                                      cells, NULL, 1, w.model, NULL)
                     : gpai_study_again(&s, base, &base->given, "explain", more, 3,
                                        w.model, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK || st == GPA_NOMEM);
            gpa_study_free(s);
        }
    }
    gpa_study_free(base);
    drop(&w);
}

/* How far scoring is, and when it is told to stop. */
struct scoring {
    uint64_t done, calls, stop_at;
};

static int score_some(void *ctx, uint64_t done, uint64_t total)
{
    struct scoring *s = ctx;
    assert_int_equal(total, 20000);
    assert_true(done > s->done && done <= total);
    s->done = done;
    return ++s->calls == s->stop_at;
}

static int with_gaps(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = 3 * x[i * d] + (isnan(x[i * d + 1]) ? 0 : x[i * d + 1]);
    return 0;
}

/* Rows with gaps are counted as the others are, and can be stopped. */
static void test_scoring(void **state)
{
    enum { N = 20000 };
    double *x = calloc(N, 3 * sizeof *x), *b = x + N, *y = b + N;
    gpa_table *table = NULL;
    (void)state;
    assert_non_null(x);
    for (size_t i = 0; i < N; i++) {
        x[i] = sin((double)i);
        b[i] = i % 3 == 0 ? (double)NAN : cos(2.0 * (double)i);
        y[i] = i == 5 ? (double)NAN : 3 * x[i];
    }
    const gpa_column columns[] = {{.name = "a", .numbers = x},
                                  {.name = "b", .numbers = b},
                                  {.name = "y", .numbers = y}};
    assert_int_equal(gpa_table_from_columns(&table, N, columns, 3, "t", NULL), GPA_OK);
    for (uint64_t stop_at = 0; stop_at < 4; stop_at++) {
        struct scoring scoring = {.stop_at = stop_at};
        gpa_study *s = NULL;
        size_t predicted = 0;
        assert_int_equal(gpa_study_new(&s, "explain", NULL), GPA_OK);
        gpa_study_set_predict(s, with_gaps, NULL, 2, NULL);
        gpa_study_set_table(s, table);
        gpai_study_set_scoring(s, score_some, &scoring);
        assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
        const double *f = gpa_study_f(s);
        for (size_t i = 0; i < N; i++) {
            predicted += isnan(f[i]) ? 0 : 1;
            assert_true(isnan(f[i]) || f[i] == 3 * x[i] + (isnan(b[i]) ? 0 : b[i]));
        }
        if (stop_at == 0) { /* 13332 rows that are whole, 6667 with gaps */
            assert_int_equal(scoring.done, N);
            assert_int_equal(scoring.calls, 3);
        }
        assert_int_equal(predicted, stop_at == 1 ? 8192 : stop_at == 2 ? 13332 : N - 1);
        gpa_study_free(s);
    }
    gpa_table_free(table);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),   cmocka_unit_test(test_own),
        cmocka_unit_test(test_stages), cmocka_unit_test(test_scoring),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
