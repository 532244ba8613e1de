/* Integrated gradients against the paper's closed forms, theorems and published
 * numbers. */
#include "attribute_support.h"
#include "oracle_support.h"

static const double PI = 3.14159265358979323846;

static gpa_sample one(const double *x, size_t d)
{
    return (gpa_sample){.x = x, .n = 1, .d = d};
}

static const gpa_quadrature QUADRATURES[] = {GPA_QUADRATURE_AUTO,
                                             GPA_QUADRATURE_TRAPEZOID};

/* Slopes of a linear model are its weights whatever h and the units are, so that
 * IG_k = w_k (x_k - x0_k). */
static void linear_model(void **state)
{
    static const double x[2 * LINEAR_D] = {1, 2, 3, 4, 0.5, -1, 2, 0};
    static const double x0[LINEAR_D] = {0.5, -1, 7, 4}, ten[LINEAR_D] = {10, 1, 2, 0.1};
    static const double h[3] = {0.3, -2, 1.1};
    static const double reference_x[2 * LINEAR_D] = {0, 0, 9, 9, 1, -2, 5, -1};
    static const struct {
        const char *name;
        gpa_baseline baseline;
        const double *list, *unit;
        size_t rows;
        double want[LINEAR_D];
    } cases[] = {
        {"zero", GPA_BASELINE_ZERO, NULL, NULL, 1, {1.5, -4, 0, 1}},
        {"given", GPA_BASELINE_GIVEN, NULL, NULL, 1, {0.75, -6, 0, 0}},
        {"reference", GPA_BASELINE_REFERENCE, NULL, NULL, 1, {0.75, -6, 0, 0}},
        {"slope list", GPA_BASELINE_GIVEN, h, NULL, 1, {0.75, -6, 0, 0}},
        {"units", GPA_BASELINE_ZERO, NULL, ten, 1, {1.5, -4, 0, 1}},
        {"list and units", GPA_BASELINE_ZERO, h, ten, 1, {1.5, -4, 0, 1}},
        {"two rows", GPA_BASELINE_ZERO, NULL, NULL, 2, {1.125, -1, 0, 0.5}},
    };
    const gpa_sample reference = {.x = reference_x, .n = 2, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D);
    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        struct asked o;
        asked_init(&o);
        o.opt.quadrature = QUADRATURES[i % 2];
        o.opt.baseline = cases[i / 2].baseline;
        o.opt.baseline_x = x0;
        o.opt.reference = &reference;
        o.explain.slope_list = cases[i / 2].list;
        o.explain.slope_list_length = cases[i / 2].list != NULL ? 3 : 0;
        o.explain.unit = cases[i / 2].unit;
        gpa_sample s = {.x = x, .n = cases[i / 2].rows, .d = LINEAR_D};
        gpa_attribution *a = attribute("ig", m, s, &o);
        for (size_t k = 0; k < LINEAR_D; k++)
            assert_close(gpa_attribution_score(a)[k], cases[i / 2].want[k], 1e-12);
        assert_close(gpa_attribution_extra(a), total(cases[i / 2].want, LINEAR_D),
                     1e-12);
        assert_string_equal(gpa_attribution_extra_name(a), "f(x) - f(x0)");
        assert_null(gpa_attribution_sd(a));
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* The gradient of a quadratic is linear along the path, which both rules and all
 * symmetric slopes get right. */
static void quadratic_model(void **state)
{
    static const double x[QUADRATIC_D] = {0.7, -1.1, 2},
                        x0[QUADRATIC_D] = {-1, 0.25, 0.5};
    gpa_model *m = callback(quadratic, QUADRATIC_D);
    double want[QUADRATIC_D], got[QUADRATIC_D];
    (void)state;
    quadratic_ig(x, x0, want);
    for (size_t i = 0; i < 2; i++) {
        struct asked o;
        asked_init(&o);
        o.opt.quadrature = QUADRATURES[i];
        o.opt.baseline = GPA_BASELINE_GIVEN;
        o.opt.baseline_x = x0;
        scores("ig", m, one(x, QUADRATIC_D), &o, got);
        for (size_t k = 0; k < QUADRATIC_D; k++)
            assert_close(got[k], want[k], 1e-12);
    }
    gpa_model_free(m);
}

/* Appendix A: IG_i = d_i [G^t - G^0 - (-1)^i (H^t - H^0)]. */
static void sinusoid_ig(const double *x, const double *x0, double *want)
{
    double d1 = x[0] - x0[0], d2 = x[1] - x0[1];
    double g = (cos(PI * (x[0] + x[1])) - cos(PI * (x0[0] + x0[1]))) / (d1 + d2);
    double h = (cos(PI * (x[0] - x[1])) - cos(PI * (x0[0] - x0[1]))) / (d1 - d2);
    want[0] = d1 * (g + h);
    want[1] = d2 * (g - h);
}

/* The true gradient is the limit of small h. The trapezoid's error with n intervals is
 * below |x - x0| 2 pi^3 |x - x0|^2 / 12 n^2 on this model, that of 72 midpoints about
 * that of 102 intervals. */
static void check_sinusoid(const double *x, const double *x0, const double *want)
{
    static const struct {
        gpa_quadrature quadrature;
        size_t intervals;
        double n;
    } rules[] = {{GPA_QUADRATURE_TRAPEZOID, 10000, 10000},
                 {GPA_QUADRATURE_TRAPEZOID, 100, 100},
                 {GPA_QUADRATURE_AUTO, 0, 101}};
    gpa_model *m = NULL;
    double size = hypot(x[0] - x0[0], x[1] - x0[1]);
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    for (size_t i = 0; i < 3; i++) {
        struct asked o;
        asked_init(&o);
        o.explain.slope_sd = 1e-5;
        o.opt.quadrature = rules[i].quadrature;
        o.opt.intervals = rules[i].intervals;
        o.opt.baseline = GPA_BASELINE_GIVEN;
        o.opt.baseline_x = x0;
        double bound = size * size * size * 2 * PI * PI * PI / 12;
        double tol = bound / (rules[i].n * rules[i].n) + 1e-8;
        gpa_attribution *a = attribute("ig", m, one(x, 2), &o);
        const double *got = gpa_attribution_score(a);
        assert_close(got[0], want[0], tol);
        assert_close(got[1], want[1], tol);
        assert_close(got[0] + got[1], gpa_attribution_extra(a), 2 * tol);
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

static void closed_forms(void **state)
{
    static const double x[2] = {0.5, 0}, origin[2] = {0, 0}, up[2] = {0, 1};
    static const double from_origin[2] = {-2, 0}, from_up[2] = {-2. / 3, 8. / 3};
    (void)state;
    check_sinusoid(x, origin, from_origin);
    check_sinusoid(x, up, from_up);
    for (uint64_t i = 0; i < 10; i++) {
        double ends[4], want[2];
        fill_random(ends, 4, i);
        sinusoid_ig(ends, ends + 2, want);
        check_sinusoid(ends, ends + 2, want);
    }
}

static int wavy(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *z = x + i * d;
        y[i] = sin(2 * z[0]) * z[1] + exp(0.4 * z[2]) * z[0];
    }
    return 0;
}

/* The double integral over alpha and h ~ N(0, sd^2), by Gauss-Legendre and
 * Gauss-Hermite rules in NumPy. */
static void mean_slopes(void **state)
{
    static const double x[3] = {0.7, -1.2, 1.5}, x0[3] = {-0.4, 0.5, 0.2};
    static const struct {
        double sd, want[3];
    } cases[] = {{1, {1.31358556369394, -0.407026028618079, 0.149870138088146}},
                 {0.5, {1.20625857233408, -0.407026028618079, 0.14686313459381}}};
    gpa_model *m = callback(wavy, 3);
    double got[3];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct asked o;
        asked_init(&o);
        o.explain.slope_sd = cases[i].sd;
        o.opt.baseline = GPA_BASELINE_GIVEN;
        o.opt.baseline_x = x0;
        scores("ig", m, one(x, 3), &o, got);
        assert_true(distance(got, cases[i].want, 3) < 2e-3);
        o.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
        o.opt.intervals = 1000;
        o.explain.slope_nodes = 2000;
        scores("ig", m, one(x, 3), &o, got);
        assert_true(distance(got, cases[i].want, 3) < 1e-5);
    }
    gpa_model_free(m);
}

static int steps(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = (x[i * d] > 0.3 ? 2 : 0) - (x[i * d + 1] > -0.2 ? 1 : 0);
    return 0;
}

/* A step at c between x0 and x: E min(c - x0, |h|) / 2|h| + E min(x - c, |h|) / 2|h|,
 * integrated with SciPy. */
static void steep_steps(void **state)
{
    static const double x[2] = {1, -1}, x0[2] = {-0.5, 0.4};
    static const double want[2] = {1.66233368168, 0.807621879915};
    gpa_model *m = callback(steps, 2);
    double got[2];
    struct asked o;
    (void)state;
    asked_init(&o);
    o.opt.baseline = GPA_BASELINE_GIVEN;
    o.opt.baseline_x = x0;
    scores("ig", m, one(x, 2), &o, got);
    assert_true(distance(got, want, 2) < 0.05);
    o.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
    o.opt.intervals = 5000;
    o.explain.slope_nodes = 400;
    scores("ig", m, one(x, 2), &o, got);
    assert_true(distance(got, want, 2) < 5e-3);
    gpa_model_free(m);
}

/* What may not move stays where it is: the path begins at (x_F, x0_rest). */
static void frozen_inputs(void **state)
{
    static const double x[QUADRATIC_D] = {0.7, -1.1, 2},
                        zero[QUADRATIC_D] = {0, -1.1, 0};
    static const unsigned char frozen[QUADRATIC_D] = {0, 1, 0};
    gpa_model *m = callback(quadratic, QUADRATIC_D);
    double want[QUADRATIC_D];
    struct asked o;
    (void)state;
    asked_init(&o);
    o.explain.frozen = frozen;
    quadratic_ig(x, zero, want);
    gpa_attribution *a = attribute("ig", m, one(x, QUADRATIC_D), &o);
    for (size_t k = 0; k < QUADRATIC_D; k++)
        assert_close(gpa_attribution_score(a)[k], want[k], 1e-12);
    assert_true(gpa_attribution_score(a)[1] == 0);
    assert_close(gpa_attribution_extra(a), total(want, QUADRATIC_D), 1e-12);
    gpa_attribution_free(a);
    gpa_model_free(m);
}

/* One sweep for all inputs: f once per point of the path, and nothing for an input that
 * is the same at both ends. */
static void rows_asked(void **state)
{
    static const double x[LINEAR_D] = {1, 2, 3, 0}, f = 1.25;
    static const double h[3] = {0.3, -2, 1.1};
    gpa_model *m = callback(linear, LINEAR_D);
    gpa_sample s = {.x = x, .f = &f, .n = 1, .d = LINEAR_D};
    struct asked o;
    (void)state;
    asked_init(&o);
    o.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
    o.opt.intervals = 10;
    o.explain.slope_list = h;
    o.explain.slope_list_length = 3;
    gpa_attribution *a = attribute("ig", m, s, &o);
    assert_int_equal(gpa_attribution_model_rows(a),
                     10 + 11 * 3 * 3); /* f(x) is known */
    assert_int_equal(gpa_attribution_model_rows(a), gpa_model_rows(m));
    assert_int_equal(gpa_attribution_model_calls(a), 1);
    gpa_attribution_free(a);
    o.explain.slope_list = NULL;
    o.explain.slope_list_length = 0;
    a = attribute("ig", m, s, &o);
    assert_int_equal(gpa_attribution_model_rows(a), 1 + 11 * 4 * 3); /* f cancels */
    gpa_attribution_free(a);
    o.opt.quadrature = GPA_QUADRATURE_AUTO;
    a = attribute("ig", m, s, &o);
    assert_in_range(gpa_attribution_model_rows(a), 1, 72 * 4 * 3 + 1);
    gpa_attribution_free(a);
    gpa_model_free(m);
}

/* Mean slopes over steps as long as the waves do not add up to f(x) - f(x0). */
static void gap_is_told(void **state)
{
    static const double x[2] = {0.5, 0};
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    for (size_t i = 0; i < 2; i++) {
        struct asked o;
        asked_init(&o);
        o.explain.slope_sd = i == 0 ? 1 : 0.01;
        gpa_attribution *a = attribute("ig", m, one(x, 2), &o);
        const char *note = gpa_attribution_note(a, 0);
        if (i == 0)
            assert_non_null(strstr(note, "f(x) - f(x0) is -2:"));
        else
            assert_null(note);
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* The paper's solver draws its slopes by seed; all else has nothing to draw. */
static void seeds(void **state)
{
    static const double x[3] = {0.7, -1.2, 1.5};
    gpa_model *m = callback(wavy, 3);
    double got[4][3];
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        struct asked o;
        asked_init(&o);
        o.explain.solver = GPA_SOLVER_PAPER;
        o.explain.seed = 1 + i / 2;
        scores("ig", m, one(x, 3), &o, got[i]);
    }
    assert_memory_equal(got[0], got[1], sizeof got[0]);
    assert_memory_equal(got[2], got[3], sizeof got[0]);
    assert_memory_not_equal(got[0], got[2], sizeof got[0]);
    gpa_model_free(m);
}

static void contracts(void **state)
{
    static const double x[2 * LINEAR_D] = {1, 2, 3, 4, 1, 0.5, 0, 1};
    gpa_model *m = callback(linear, LINEAR_D), *bad = callback(holes, LINEAR_D);
    gpa_model *far = callback(huge_steps, LINEAR_D);
    gpa_sample s = {.x = x, .n = 2, .d = LINEAR_D};
    gpa_attribution *a = NULL;
    gpa_error err;
    struct asked o;
    (void)state;
    asked_init(&o);
    check_memory("ig", m, s, &o);
    check_no_y("ig", m, s, &o);
    assert_int_equal(gpa_attribute(&a, "ig", bad, &s, &o.opt, &err), GPA_NUMERIC);
    assert_non_null(strstr(err.message, "ig: "));
    assert_int_equal(gpa_attribute(&a, "ig", far, &s, &o.opt, &err), GPA_NUMERIC);
    o.explain.slope_nodes = 1;
    assert_int_equal(gpa_attribute(&a, "ig", m, &s, &o.opt, &err), GPA_INVALID);
    o.explain.slope_nodes = 100;
    check_progress("ig", m, s, &o);
    gpa_model_free(m);
    gpa_model_free(bad);
    gpa_model_free(far);
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
    ask.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
    ask.explain.slope_list = h;
    ask.explain.slope_list_length = 10;
    json_array_foreach(oracle_at(o->want, "outliers"), i, outlier)
    {
        size_t row = (size_t)json_integer_value(oracle_at(outlier, "test_index"));
        const json_t *want = oracle_at(outlier, "IG/score");
        gpa_attribution *a = attribute("ig", o->m, oracle_row(o, row), &ask);
        for (size_t k = 0; k < ORACLE_D; k++)
            assert_close(gpa_attribution_score(a)[k], oracle_number(want, k), 1e-9);
        assert_true(gpa_attribution_model_rows(a) <= 100 + 101 * 10 * 10);
        gpa_attribution_free(a);
    }
    assert_int_equal(i, 5);
}

/* Fewer rows than the published rule, and nearer to the converged integral. */
static void fewer_rows(void **state)
{
    struct oracle *o = oracle_needed(state);
    double h[10], rule[10], ours[10], converged[10];
    size_t i;
    json_t *outlier;
    oracle_numbers(oracle_at(o->want, "h_ig_seed0"), 10, h);
    json_array_foreach(oracle_at(o->want, "outliers"), i, outlier)
    {
        size_t row = (size_t)json_integer_value(oracle_at(outlier, "test_index"));
        struct asked ask;
        asked_init(&ask);
        gpa_attribution *a = attribute("ig", o->m, oracle_row(o, row), &ask);
        memcpy(ours, gpa_attribution_score(a), sizeof ours);
        assert_true(gpa_attribution_model_rows(a) < 20600 / 7);
        gpa_attribution_free(a);
        ask.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
        ask.explain.slope_nodes = 200;
        ask.opt.intervals = 400;
        scores("ig", o->m, oracle_row(o, row), &ask, converged);
        ask.explain.slope_list = h;
        ask.explain.slope_list_length = 10;
        ask.opt.intervals = 100;
        scores("ig", o->m, oracle_row(o, row), &ask, rule);
        assert_true(distance(ours, converged, 10) <
                    0.1 * distance(rule, converged, 10));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_model), cmocka_unit_test(quadratic_model),
        cmocka_unit_test(closed_forms), cmocka_unit_test(mean_slopes),
        cmocka_unit_test(steep_steps),  cmocka_unit_test(frozen_inputs),
        cmocka_unit_test(rows_asked),   cmocka_unit_test(seeds),
        cmocka_unit_test(gap_is_told),  cmocka_unit_test(contracts),
        cmocka_unit_test(published),    cmocka_unit_test(fewer_rows),
    };
    return cmocka_run_group_tests(tests, oracle_set_up, oracle_tear_down);
}
