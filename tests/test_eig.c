/* Expected integrated gradients: theorems, sampling of reference rows, rows asked,
 * published numbers. */
#include "attribute_support.h"
#include "oracle_support.h"

enum { REFERENCE = 40 };

static const gpa_quadrature QUADRATURES[] = {GPA_QUADRATURE_AUTO,
                                             GPA_QUADRATURE_TRAPEZOID};

static const double X[LINEAR_D] = {1, 2, 3, 4};

static gpa_sample one(const double *x, size_t d)
{
    return (gpa_sample){.x = x, .n = 1, .d = d};
}

/* EIG_k = w_k (x_k - mean of reference input k). */
static void linear_model(void **state)
{
    double reference_x[REFERENCE * LINEAR_D];
    const gpa_sample reference = {.x = reference_x, .n = REFERENCE, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D);
    (void)state;
    fill_random(reference_x, REFERENCE * LINEAR_D, 1);
    for (size_t i = 0; i < 2; i++) {
        struct asked o;
        double sum = 0;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.quadrature = QUADRATURES[i];
        gpa_attribution *a = attribute("eig", m, one(X, LINEAR_D), &o);
        for (size_t k = 0; k < LINEAR_D; k++) {
            double mean = 0;
            for (size_t r = 0; r < REFERENCE; r++)
                mean += reference_x[r * LINEAR_D + k] / REFERENCE;
            double want = LINEAR_W[k] * (X[k] - mean);
            assert_close(gpa_attribution_score(a)[k], want, 1e-12);
            sum += want;
        }
        assert_close(gpa_attribution_extra(a), sum, 1e-12);
        assert_string_equal(gpa_attribution_extra_name(a), "f(x) - mean f");
        assert_null(gpa_attribution_sd(a)); /* all rows: nothing was sampled */
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* Section 4.2: EIG is SV for quadratic f, both the mean of the gradient half way. Two
 * rows together: the mean of theirs. */
static void quadratic_model(void **state)
{
    static const double x[2 * QUADRATIC_D] = {0.7, -1.1, 2, -0.3, 0.4, 0.1};
    double reference_x[REFERENCE * QUADRATIC_D];
    const gpa_sample reference = {.x = reference_x, .n = REFERENCE, .d = QUADRATIC_D};
    const gpa_sample s = {.x = x, .n = 2, .d = QUADRATIC_D};
    gpa_model *m = callback(quadratic, QUADRATIC_D);
    double want[QUADRATIC_D] = {0}, part[QUADRATIC_D], got[QUADRATIC_D];
    struct asked o;
    (void)state;
    fill_random(reference_x, REFERENCE * QUADRATIC_D, 2);
    for (size_t i = 0; i < 2 * REFERENCE; i++) {
        quadratic_ig(x + i % 2 * QUADRATIC_D, reference_x + i / 2 * QUADRATIC_D, part);
        for (size_t k = 0; k < QUADRATIC_D; k++)
            want[k] += part[k] / (2 * REFERENCE);
    }
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.shapley = GPA_SHAPLEY_EXACT;
    for (size_t i = 0; i < 2; i++) {
        o.opt.quadrature = QUADRATURES[i];
        scores("eig", m, s, &o, got);
        for (size_t k = 0; k < QUADRATIC_D; k++)
            assert_close(got[k], want[k], 1e-12);
    }
    scores("sv", m, s, &o, got);
    for (size_t k = 0; k < QUADRATIC_D; k++)
        assert_close(got[k], want[k], 1e-12);
    gpa_model_free(m);
}

/* The sum rule: f(x) - mean f for the true gradient, to the error of the quadrature. */
static void sum_rule(void **state)
{
    static const double x[2] = {0.5, 0.2};
    double reference_x[2 * REFERENCE];
    const gpa_sample reference = {.x = reference_x, .n = REFERENCE, .d = 2};
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    fill_random(reference_x, 2 * REFERENCE, 3);
    for (size_t i = 0; i < 2; i++) {
        struct asked o;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.quadrature = QUADRATURES[i];
        o.opt.intervals = 2000;
        o.explain.slope_sd = 1e-5;
        gpa_attribution *a = attribute("eig", m, one(x, 2), &o);
        assert_close(total(gpa_attribution_score(a), 2), gpa_attribution_extra(a),
                     i == 0 ? 2e-3 : 3e-6);
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* One reference row is a baseline. */
static void one_reference_row(void **state)
{
    static const double x0[LINEAR_D] = {0.5, -1, 0.25, 4};
    const gpa_sample reference = {.x = x0, .n = 1, .d = LINEAR_D};
    double eig[LINEAR_D], ig[LINEAR_D];
    gpa_model *m = callback(linear, LINEAR_D);
    struct asked o;
    (void)state;
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.baseline = GPA_BASELINE_REFERENCE;
    scores("eig", m, one(X, LINEAR_D), &o, eig);
    scores("ig", m, one(X, LINEAR_D), &o, ig);
    assert_memory_equal(eig, ig, sizeof eig);
    gpa_model_free(m);
}

/* Some of the rows: without bias, and with an error as large as said, which is half of
 * what it would be for rows drawn with replacement. The squared error in units of its
 * estimate has the mean 29/27 for 30 normal numbers; these are uniform. */
static void some_rows(void **state)
{
    enum { SEEDS = 400, CHOSEN = 30 };
    double reference_x[REFERENCE * LINEAR_D], mean = 0, square = 0, bias = 0, sd = 0;
    const gpa_sample reference = {.x = reference_x, .n = REFERENCE, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D);
    double first[LINEAR_D], again[LINEAR_D];
    struct asked o;
    (void)state;
    fill_random(reference_x, REFERENCE * LINEAR_D, 4);
    for (size_t r = 0; r < REFERENCE; r++)
        mean += reference_x[r * LINEAR_D] / REFERENCE;
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.eig_rows = CHOSEN;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        o.explain.seed = seed;
        gpa_attribution *a = attribute("eig", m, one(X, LINEAR_D), &o);
        double off = gpa_attribution_score(a)[0] - LINEAR_W[0] * (X[0] - mean);
        double said = gpa_attribution_sd(a)[0];
        assert_true(gpa_attribution_sd(a)[2] < 1e-12); /* its weight is 0 */
        assert_non_null(strstr(gpa_attribution_note(a, 0), "30 of 40 reference rows"));
        bias += off / SEEDS;
        sd += said / SEEDS;
        square += off * off / (said * said) / SEEDS;
        gpa_attribution_free(a);
    }
    assert_close(bias, 0, 4 * sd / sqrt(SEEDS));
    assert_true(square > 0.85 && square < 1.3);
    scores("eig", m, one(X, LINEAR_D), &o, first);
    scores("eig", m, one(X, LINEAR_D), &o, again);
    assert_memory_equal(first, again, sizeof first);
    o.explain.seed = 1;
    scores("eig", m, one(X, LINEAR_D), &o, again);
    assert_memory_not_equal(first, again, sizeof first);
    o.opt.eig_rows = 1; /* no spread of a single number */
    gpa_attribution *a = attribute("eig", m, one(X, LINEAR_D), &o);
    assert_null(gpa_attribution_sd(a));
    gpa_attribution_free(a);
    gpa_model_free(m);
}

/* Held at x, as if the reference row agreed there. */
static void frozen_inputs(void **state)
{
    static const unsigned char frozen[QUADRATIC_D] = {0, 1, 0};
    static const double x[QUADRATIC_D] = {0.7, -1.1, 2};
    static const double r[QUADRATIC_D] = {-1, 5, 0.5},
                        held[QUADRATIC_D] = {-1, -1.1, 0.5};
    static const double f = 1e9; /* of the row as it stands: not to be used */
    const gpa_sample reference = {.x = r, .f = &f, .n = 1, .d = QUADRATIC_D};
    gpa_model *m = callback(quadratic, QUADRATIC_D);
    double want[QUADRATIC_D];
    struct asked o;
    (void)state;
    quadratic_ig(x, held, want);
    asked_init(&o);
    o.opt.reference = &reference;
    o.explain.frozen = frozen;
    gpa_attribution *a = attribute("eig", m, one(x, QUADRATIC_D), &o);
    for (size_t k = 0; k < QUADRATIC_D; k++)
        assert_close(gpa_attribution_score(a)[k], want[k], 1e-12);
    assert_close(gpa_attribution_extra(a), total(want, QUADRATIC_D), 1e-12);
    gpa_attribution_free(a);
    gpa_model_free(m);
}

/* What is known is not asked, and the bytes do not depend on the batches. */
static void rows_asked(void **state)
{
    static const double h[3] = {0.3, -2, 1.1};
    double reference_x[REFERENCE * LINEAR_D], f[REFERENCE], f_x;
    gpa_sample reference = {.x = reference_x, .n = REFERENCE, .d = LINEAR_D};
    gpa_sample s = one(X, LINEAR_D);
    double asked_scores[LINEAR_D], known[LINEAR_D], small[LINEAR_D];
    gpa_model *m = callback(linear, LINEAR_D);
    struct asked o;
    (void)state;
    fill_random(reference_x, REFERENCE * LINEAR_D, 5);
    assert_int_equal(gpa_model_predict(m, reference_x, REFERENCE, f, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, X, 1, &f_x, NULL), GPA_OK);
    s.f = &f_x;
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
    o.explain.slope_list = h;
    o.explain.slope_list_length = 3;
    gpa_attribution *a = attribute("eig", m, s, &o);
    assert_int_equal(gpa_attribution_model_rows(a),
                     REFERENCE * (100 + 101 * 3 * LINEAR_D));
    memcpy(asked_scores, gpa_attribution_score(a), sizeof asked_scores);
    gpa_attribution_free(a);
    reference.f = f;
    a = attribute("eig", m, s, &o);
    assert_int_equal(gpa_attribution_model_rows(a),
                     REFERENCE * (99 + 101 * 3 * LINEAR_D));
    memcpy(known, gpa_attribution_score(a), sizeof known);
    gpa_attribution_free(a);
    assert_memory_equal(asked_scores, known, sizeof known);
    gpa_model_set_batch(m, 7);
    scores("eig", m, s, &o, small);
    assert_memory_equal(small, known, sizeof known);
    gpa_model_free(m);
}

/* As many allocations for 5 reference rows as for 5000. */
static void constant_memory(void **state)
{
    static double reference_x[5000 * LINEAR_D];
    gpa_sample reference = {.x = reference_x, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D);
    size_t count[2];
    struct asked o;
    (void)state;
    fill_random(reference_x, 5000 * LINEAR_D, 6);
    asked_init(&o);
    o.opt.reference = &reference;
    for (size_t i = 0; i < 2; i++) {
        double got[LINEAR_D];
        reference.n = i == 0 ? 5 : 5000;
        gpai_alloc_fail_at(0, false);
        scores("eig", m, one(X, LINEAR_D), &o, got);
        count[i] = gpai_alloc_count();
    }
    assert_int_equal(count[0], count[1]);
    gpa_model_free(m);
}

static void contracts(void **state)
{
    double reference_x[REFERENCE * LINEAR_D];
    const gpa_sample reference = {.x = reference_x, .n = REFERENCE, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D), *bad = callback(holes, LINEAR_D);
    gpa_sample s = one(X, LINEAR_D);
    gpa_attribution *a = NULL;
    gpa_error err;
    struct asked o;
    (void)state;
    fill_random(reference_x, REFERENCE * LINEAR_D, 7);
    asked_init(&o);
    o.opt.reference = &reference;
    check_memory("eig", m, s, &o);
    check_no_y("eig", m, s, &o);
    check_progress("eig", m, s, &o);
    assert_int_equal(gpa_attribute(&a, "eig", bad, &s, &o.opt, &err), GPA_NUMERIC);
    assert_non_null(strstr(err.message, "eig: "));
    assert_null(a);
    gpa_model_free(m);
    gpa_model_free(bad);
}

static void published(void **state)
{
    struct oracle *o = oracle_needed(state);
    struct asked ask;
    double h[10];
    size_t i;
    json_t *outlier;
    oracle_numbers(oracle_at(o->want, "h_ig_seed0"), 10, h);
    asked_init(&ask);
    ask.opt.reference = &o->reference;
    ask.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
    ask.explain.slope_list = h;
    ask.explain.slope_list_length = 10;
    json_array_foreach(oracle_at(o->want, "outliers"), i, outlier)
    {
        size_t row = (size_t)json_integer_value(oracle_at(outlier, "test_index"));
        const json_t *want = oracle_at(outlier, "EIG/score");
        gpa_attribution *a = attribute("eig", o->m, oracle_row(o, row), &ask);
        for (size_t k = 0; k < ORACLE_D; k++)
            assert_close(gpa_attribution_score(a)[k], oracle_number(want, k), 1e-9);
        /* 7,221,800 there */
        assert_true(gpa_attribution_model_rows(a) <= 354 * (100 + 101 * 10 * 10));
        gpa_attribution_free(a);
    }
    assert_int_equal(i, 5);
}

/* Forty times fewer rows than published, and nearer to the converged integral. */
static void fewer_rows(void **state)
{
    struct oracle *o = oracle_needed(state);
    double h[10], rule[10], ours[10], converged[10];
    const json_t *outlier = json_array_get(oracle_at(o->want, "outliers"), 0);
    size_t row = (size_t)json_integer_value(oracle_at(outlier, "test_index"));
    struct asked ask;
    oracle_numbers(oracle_at(o->want, "h_ig_seed0"), 10, h);
    oracle_numbers(oracle_at(outlier, "EIG/score"), 10, rule);
    asked_init(&ask);
    ask.opt.reference = &o->reference;
    gpa_attribution *a = attribute("eig", o->m, oracle_row(o, row), &ask);
    memcpy(ours, gpa_attribution_score(a), sizeof ours);
    assert_true(gpa_attribution_model_rows(a) < 7221800 / 40);
    gpa_attribution_free(a);
    ask.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
    ask.opt.intervals = 60;
    ask.explain.slope_nodes = 64;
    scores("eig", o->m, oracle_row(o, row), &ask, converged);
    assert_true(distance(ours, converged, 10) < 0.2 * distance(rule, converged, 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_model), cmocka_unit_test(quadratic_model),
        cmocka_unit_test(sum_rule),     cmocka_unit_test(one_reference_row),
        cmocka_unit_test(some_rows),    cmocka_unit_test(frozen_inputs),
        cmocka_unit_test(rows_asked),   cmocka_unit_test(constant_memory),
        cmocka_unit_test(contracts),    cmocka_unit_test(published),
        cmocka_unit_test(fewer_rows),
    };
    return cmocka_run_group_tests(tests, oracle_set_up, oracle_tear_down);
}
