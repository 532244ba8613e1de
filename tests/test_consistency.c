/* How alike two attributions are: SciPy's numbers, the authors' and the edges. */
#include "oracle_support.h"

#include "base/alloc.h"
#include "methods/consistency.h"

static void check(const double *a, const double *b, size_t d, const double want[4])
{
    gpa_agreement got;
    assert_int_equal(gpa_agree(a, b, d, &got, NULL), GPA_OK);
    assert_close(got.tau, want[0], 1e-12);
    assert_close(got.rho, want[1], 1e-12);
    assert_close(got.smr, want[2], 1e-12);
    assert_close(got.hit25, want[3], 1e-12);
}

static void scipy(void **state)
{
    /* scipy.stats.kendalltau and spearmanr of the absolute values */
    static const struct {
        const char *name;
        size_t d;
        double a[11], b[11], want[4];
    } cases[] = {
        {"signs do not count", 4, {1, -2, 3, -4}, {1, 2, 3, 4}, {1, 1, 0.5, 1}},
        {"reversed", 4, {4, 3, 2, 1}, {1, 2, 3, 4}, {-1, -1, 1, 0}},
        {"sparse",
         8,
         {0, 0, 1, 0, 2, 0, 0, 3},
         {1, 1, -1, 0, 2, 2, 0, -3},
         {0.6389151433378877, 0.6793662204867574, 0.75, 1}},
        {"ties on both sides", 3, {1, 1, 2}, {2, 1, 1}, {-0.5, -0.5, 1, 0}},
        {"signs tie",
         8,
         {0.5, -0.5, 0.25, 0, 0, 0, 1, -1},
         {0.1, 0.1, 0.1, 0, -0.7, 0, -0.7, 0.2},
         {0.5217391304347827, 0.5192307692307693, 0.625, 0.5}},
        {"two inputs", 2, {3, 1}, {1, 3}, {-1, -1, 1, 0}},
        {"eleven inputs",
         11,
         {-0.8, 0, 0, 0.3, -0.3, 0.05, 0, 0.9, 0, 0.2, 0.7},
         {5, 1, 1, -2, 2, 0, 3, 0, -1, 1, 4},
         {0.2526455763199557, 0.22781840087276484, 0.7272727272727273, 0.5}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("%s\n", cases[i].name);
        check(cases[i].a, cases[i].b, cases[i].d, cases[i].want);
    }
}

/* Many inputs with many ties, from a little generator. */
static void many_inputs(void **state)
{
    static const struct {
        size_t d;
        double want[4];
    } cases[] = {
        {37,
         {0.02143534141661175, 0.030909932788984143, 0.7567567567567568,
          0.3333333333333333}},
        {1000, {0.02665507666335547, 0.037457320877697584, 0.611, 0.276}},
    };
    double a[1000], b[1000];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t seed = 12345;
        for (size_t k = 0; k < cases[i].d; k++) {
            seed = (1103515245u * seed + 12345u) & 0x7fffffffu;
            int first = (int)((seed >> 16) % 23) - 11;
            seed = (1103515245u * seed + 12345u) & 0x7fffffffu;
            a[k] = first;
            b[k] = (int)((seed >> 16) % 17) - 8 + first / 4;
        }
        check(a, b, cases[i].d, cases[i].want);
    }
}

/* tau and rho do not change when inputs change places, nor when scores are rescaled. */
static void laws(void **state)
{
    static const double a[6] = {3, -1, 0, 2, 0, -5}, b[6] = {1, 1, -2, 0, 4, -3};
    static const size_t order[6] = {4, 0, 5, 2, 1, 3};
    double c[6], d[6];
    gpa_agreement first, second;
    (void)state;
    for (size_t k = 0; k < 6; k++) {
        c[order[k]] = 7 * a[k];
        d[order[k]] = 0.01 * b[k];
    }
    assert_int_equal(gpa_agree(a, b, 6, &first, NULL), GPA_OK);
    assert_int_equal(gpa_agree(c, d, 6, &second, NULL), GPA_OK);
    assert_close(second.tau, first.tau, 1e-15);
    assert_close(second.rho, first.rho, 1e-15);
    assert_close(second.smr, first.smr, 0);
    assert_int_equal(gpa_agree(a, a, 6, &first, NULL), GPA_OK);
    assert_close(first.tau, 1, 1e-15);
    assert_close(first.rho, 1, 1e-15);
    assert_true(first.smr == 1 && first.hit25 == 1);
}

static void edges(void **state)
{
    static const double zero[5] = {0}, some[5] = {0, 3, 0, -1, 0};
    static const double wrong[2] = {1, (double)NAN};
    gpa_agreement got;
    gpa_error err;
    (void)state;
    assert_int_equal(gpa_agree(zero, some, 5, &got, NULL), GPA_OK);
    assert_true(isnan(got.tau) && isnan(got.rho));
    assert_true(got.smr == 1);     /* as appendix E remarks */
    assert_true(isnan(got.hit25)); /* nothing but zeros has no top quarter */
    assert_int_equal(gpa_agree(some, zero, 5, &got, NULL), GPA_OK);
    assert_true(isnan(got.tau) && isnan(got.rho));
    assert_int_equal(gpa_agree(some + 1, some + 1, 1, &got, NULL), GPA_OK);
    assert_true(isnan(got.tau) && isnan(got.rho) && got.hit25 == 1);
    assert_int_equal(gpa_agree(wrong, some, 2, &got, &err), GPA_NUMERIC);
    assert_non_null(strstr(err.message, "input 1"));
    assert_int_equal(gpa_agree(some, some, 0, &got, NULL), GPA_INVALID);
    assert_int_equal(gpa_agree(NULL, some, 5, &got, NULL), GPA_INVALID);
    assert_int_equal(gpa_agree(some, some, 5, NULL, NULL), GPA_INVALID);
}

static void spreads(void **state)
{
    static const gpa_agreement rows[3] = {{0.5, (double)NAN, 1, 0},
                                          {(double)NAN, (double)NAN, 1, 0.5},
                                          {0.1, 0.25, 1, 1}};
    gpa_consistency c;
    (void)state;
    gpai_consistency(rows, 3, &c);
    assert_int_equal(c.tau.n, 2);
    assert_close(c.tau.mean, 0.3, 1e-15);
    assert_close(c.tau.sd, 0.28284271247461906, 1e-15); /* 0.4 / sqrt 2 */
    assert_true(c.rho.n == 1 && c.rho.mean == 0.25 && isnan(c.rho.sd));
    assert_true(c.smr.n == 3 && c.smr.mean == 1 && c.smr.sd == 0);
    assert_close(c.hit25.sd, 0.5, 1e-15);
    gpai_consistency(rows, 0, &c);
    assert_true(c.tau.n == 0 && isnan(c.tau.mean) && isnan(c.tau.sd));
}

static void check_spread(const struct oracle *o, const char *method, const char *figure,
                         const gpa_spread *got)
{
    char path[64];
    snprintf(path, sizeof path, "consistency/mean/%s/%s", method, figure);
    assert_close(got->mean, json_number_value(oracle_at(o->want, path)), 1e-12);
    snprintf(path, sizeof path, "consistency/std_ddof1/%s/%s", method, figure);
    assert_close(got->sd, json_number_value(oracle_at(o->want, path)), 1e-12);
}

/* The authors' consistency of their own scores over their five outliers. */
static void authors(void **state)
{
    static const struct {
        const char *name, *scores;
    } methods[] = {{"LC", "LC/delta"},   {"LIME", "LIME/coef"}, {"IG", "IG/score"},
                   {"EIG", "EIG/score"}, {"SV", "SV/score"},    {"Z", "Z/score"}};
    struct oracle *o = oracle_needed(state);
    for (size_t j = 0; j < sizeof methods / sizeof methods[0]; j++) {
        gpa_agreement rows[5];
        gpa_consistency c;
        size_t i;
        json_t *outlier;
        json_array_foreach(oracle_at(o->want, "outliers"), i, outlier)
        {
            double a[ORACLE_D], b[ORACLE_D];
            oracle_numbers(oracle_at(outlier, "GPA/delta"), ORACLE_D, a);
            oracle_numbers(oracle_at(outlier, methods[j].scores), ORACLE_D, b);
            assert_int_equal(gpa_agree(a, b, ORACLE_D, &rows[i], NULL), GPA_OK);
        }
        gpai_consistency(rows, 5, &c);
        check_spread(o, methods[j].name, "tau", &c.tau);
        check_spread(o, methods[j].name, "rho", &c.rho);
        check_spread(o, methods[j].name, "smr", &c.smr);
        check_spread(o, methods[j].name, "hit25", &c.hit25);
    }
}

static void out_of_memory(void **state)
{
    static const double some[5] = {0, 3, 0, -1, 0};
    gpa_agreement got;
    gpa_error err;
    size_t k = 1;
    (void)state;
    for (;; k++) {
        gpai_alloc_fail_at(k, false);
        gpa_status st = gpa_agree(some, some, 5, &got, &err);
        bool reached = gpai_alloc_count() >= k;
        gpai_alloc_fail_at(0, false);
        if (!reached) {
            assert_int_equal(st, GPA_OK);
            break;
        }
        assert_int_equal(st, GPA_NOMEM);
    }
    assert_true(k > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scipy),         cmocka_unit_test(many_inputs),
        cmocka_unit_test(laws),          cmocka_unit_test(edges),
        cmocka_unit_test(spreads),       cmocka_unit_test(authors),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, oracle_set_up, oracle_tear_down);
}
