/* Every allocation of a whole run failing in turn: reading, scaling, scoring,
 * explaining, reporting. A status, nothing leaked (the sanitizer counts), and the next
 * run works. */
#include "support.h"

#include "base/alloc.h"
#include <gpa/gpa.h>

static const char CSV[] = "a,b,y\n0.5,0,1\n0.25,0.1,1.2\n0.1,0.3,0.9\n-0.2,0.4,0.3\n"
                          "0.7,-0.6,0.5\n0.9,0.2,-1.4\n";

struct run {
    gpa_table *t;
    gpa_model *m;
    gpa_text *text;
    double x[12], f[6], score[6], center[2], unit[2];
    gpa_sample all;
};

static gpa_status write_all(void *ctx, size_t index, const gpa_explanation *e,
                            gpa_error *err)
{
    struct run *r = ctx;
    gpa_report_info info;
    gpa_report_info_init(&info);
    gpa_status st = GPA_OK;
    for (int f = GPA_FORMAT_TABLE; f <= GPA_FORMAT_HTML && st == GPA_OK; f++) {
        st = gpa_report_begin(r->text, (gpa_format)f, &info, e, err);
        if (st == GPA_OK)
            st = gpa_report_explanation(r->text, (gpa_format)f, &info, e, index, err);
        if (st == GPA_OK)
            st = gpa_report_end(r->text, (gpa_format)f, &info, err);
    }
    return st;
}

static gpa_status prepare(struct run *r, gpa_error *err)
{
    static const size_t columns[2] = {0, 1};
    double sigma;
    gpa_status st = gpa_table_parse(&r->t, CSV, sizeof CSV - 1, "test.csv", NULL, err);
    if (st == GPA_OK)
        st = gpa_model_open(&r->m, "builtin:sinusoid2d", NULL, err);
    if (st == GPA_OK)
        st = gpa_text_new(&r->text, err);
    if (st == GPA_OK)
        st = gpa_table_matrix(r->t, columns, 2, true, r->x, err);
    if (st != GPA_OK)
        return st;
    r->all =
        (gpa_sample){.x = r->x, .y = gpa_table_numbers(r->t, 2, err), .n = 6, .d = 2};
    st = gpa_scale_fit(r->x, 6, 2, r->center, r->unit, NULL, err);
    if (st == GPA_OK)
        st = gpa_predict_observed(r->m, &r->all, r->f, err);
    r->all.f = r->f;
    if (st == GPA_OK)
        st = gpa_residual_sigma(&r->all, &sigma, err);
    return st == GPA_OK ? gpa_score(&r->all, sigma, r->score, NULL, err) : st;
}

static gpa_status whole_run(size_t threads, size_t *length, gpa_error *err)
{
    static const size_t rows[3] = {5, 0, 2};
    struct run r = {0};
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    gpa_status st = prepare(&r, err);
    if (st == GPA_OK) {
        opt.unit = r.unit;
        opt.noise = GPA_NOISE_LOCAL;
        st = gpa_explain_many(r.m, &r.all, rows, 3, threads, &opt, write_all, &r, err);
    }
    *length = st == GPA_OK ? gpa_text_length(r.text) : 0;
    gpa_text_free(r.text);
    gpa_model_free(r.m);
    gpa_table_free(r.t);
    return st;
}

static void every_allocation(size_t threads, bool for_ever)
{
    size_t want, length;
    gpa_error err;
    gpai_alloc_fail_at(0, false);
    assert_int_equal(whole_run(threads, &want, &err), GPA_OK);
    assert_true(want > 1000);
    size_t failures = 0;
    for (size_t k = 1; k < 100000; k++) {
        memset(&err, 0, sizeof err);
        gpai_alloc_fail_at(k, for_ever);
        gpa_status st = whole_run(threads, &length, &err);
        bool reached = gpai_alloc_count() >= k;
        gpai_alloc_fail_at(0, false);
        if (st == GPA_OK) {
            assert_int_equal(length, want);
            if (!reached)
                break; /* all of them have been through */
            /* several threads: fewer workers than asked for is no failure */
            assert_true(threads > 1);
            continue;
        }
        failures++;
        assert_int_equal(st, GPA_NOMEM);
        assert_true(err.message[0] != '\0');
    }
    assert_true(failures > 10);
    assert_int_equal(whole_run(threads, &length, &err), GPA_OK);
    assert_int_equal(length, want);
}

static void once(void **state)
{
    (void)state;
    every_allocation(1, false);
}

static void for_ever(void **state)
{
    (void)state;
    every_allocation(1, true);
}

static void with_threads(void **state)
{
    (void)state;
    every_allocation(3, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once),
        cmocka_unit_test(for_ever),
        cmocka_unit_test(with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
