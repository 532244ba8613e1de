/* Likelihood compensation: the published numbers, exact optima of linear models, the
 * limit of gpa, and everything it shares with gpa. */
#include "oracle_support.h"

#include "result/attribution.h"

/* ---- the published run ---- */

static void check_published(struct oracle *o, const double *h, size_t row,
                            const json_t *delta, const json_t *iterations)
{
    gpa_explain_options e;
    gpa_attribute_options opt;
    gpa_attribution *a = NULL;
    gpa_error err;
    gpa_sample s = oracle_row(o, row);
    oracle_settings(o, h, &e);
    gpa_attribute_options_init(&opt);
    opt.explain = &e;
    if (gpa_attribute(&a, "lc", o->m, &s, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    for (size_t k = 0; k < ORACLE_D; k++)
        assert_close(gpa_attribution_score(a)[k], oracle_number(delta, k), 1e-9);
    assert_int_equal(gpa_attribution_iterations(a), json_integer_value(iterations));
    assert_true(gpa_attribution_converged(a));
    gpa_attribution_free(a);
}

static void published(void **state)
{
    struct oracle *o = oracle_needed(state);
    double h[10];
    size_t i;
    json_t *outlier;
    oracle_numbers(oracle_at(o->want, "h_gpa_seed2"), 10, h);
    json_array_foreach(oracle_at(o->want, "outliers"), i, outlier) check_published(
        o, h, (size_t)json_integer_value(oracle_at(outlier, "test_index")),
        oracle_at(outlier, "LC/delta"), oracle_at(outlier, "LC/itr"));
    assert_int_equal(i, 5);
    oracle_numbers(oracle_at(o->table, "h_seed1"), 10, h);
    json_array_foreach(oracle_at(o->table, "rows"), i, outlier) check_published(
        o, h, (size_t)json_integer_value(oracle_at(outlier, "test_index")),
        oracle_at(outlier, "LC_delta"), oracle_at(outlier, "LC_itr"));
    assert_int_equal(i, 5);
}

/* ---- linear models, whose optimum is known ---- */

enum { D = 4 };

static int linear(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    static const double w[D] = {2, -1, 0.5, 0.05};
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = 1;
        for (size_t k = 0; k < D; k++)
            y[i] += w[k] * x[i * d + k];
    }
    return 0;
}

static gpa_model *model_of(gpa_predict_fn f, size_t d)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_from_callback(&m, f, NULL, d, NULL), GPA_OK);
    return m;
}

static gpa_attribution *run(const char *method, gpa_model *m, const gpa_sample *s,
                            const gpa_explain_options *e)
{
    gpa_attribute_options opt;
    gpa_attribution *a = NULL;
    gpa_error err;
    gpa_attribute_options_init(&opt);
    opt.explain = e;
    if (gpa_attribute(&a, method, m, s, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return a;
}

/* eta 0.4, nu 0.5, sigma 0.8 */
static void settings(gpa_explain_options *e)
{
    gpa_explain_options_init(e);
    e->sigma = 0.8;
    e->eta = 0.4;
    e->nu = 0.5;
}

#define FREE                                                                           \
    {                                                                                  \
        (double)NAN, (double)NAN, (double)NAN, (double)NAN                             \
    }

static void linear_optimum(void **state)
{
    /* coordinate descent in NumPy, to the last bit */
    static const struct {
        const char *name;
        size_t n;
        double residual[3];
        unsigned char frozen[D];
        double lower[D], upper[D], unit[D], want[D], tol;
    } cases[] = {
        {"free",
         1,
         {3},
         {0},
         FREE,
         FREE,
         {1, 1, 1, 1},
         {1.2123287671232879, -0.3561643835616433, 0, 0},
         1e-12},
        {"the other way",
         1,
         {-3},
         {0},
         FREE,
         FREE,
         {1, 1, 1, 1},
         {-1.2123287671232879, 0.3561643835616433, 0, 0},
         1e-12},
        {"bounds",
         1,
         {3},
         {0},
         {(double)NAN, -0.3, (double)NAN, (double)NAN},
         {0.4, (double)NAN, (double)NAN, (double)NAN},
         {1, 1, 1, 1},
         {0.4, -0.3, 1.6245059288537549, 0},
         1e-12},
        {"frozen",
         1,
         {3},
         {0, 1, 0, 0},
         FREE,
         FREE,
         {1, 1, 1, 1},
         {1.3796992481203008, 0, 0, 0},
         1e-12},
        {"three rows",
         3,
         {3, 1, 2.5},
         {0},
         FREE,
         FREE,
         {1, 1, 1, 1},
         {0.9420555846879947, -0.22102779234399028, 0, 0},
         1e-6}, /* where the descent of several rows stops */
        {"units",
         1,
         {3},
         {0},
         FREE,
         FREE,
         {2, 0.5, 1, 10},
         {0.7303149606299213, 0, 0, 0},
         1e-12},
        {"nothing to explain",
         1,
         {0.05},
         {0},
         FREE,
         FREE,
         {1, 1, 1, 1},
         {0, 0, 0, 0},
         0},
    };
    gpa_model *m = model_of(linear, D);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double x[3 * D] = {0}, y[3];
        gpa_sample s = {.x = x, .y = y, .n = cases[i].n, .d = D};
        gpa_explain_options e;
        for (size_t t = 0; t < 3; t++)
            y[t] = 1 + cases[i].residual[t];
        settings(&e);
        e.frozen = cases[i].frozen;
        e.lower = cases[i].lower;
        e.upper = cases[i].upper;
        e.unit = cases[i].unit;
        for (int solver = GPA_SOLVER_FAST; solver <= GPA_SOLVER_THOROUGH; solver++) {
            e.solver = (gpa_solver)solver;
            gpa_attribution *a = run("lc", m, &s, &e);
            print_message("%s, %s\n", cases[i].name, gpa_solver_name(e.solver));
            for (size_t k = 0; k < D; k++)
                assert_close(gpa_attribution_score(a)[k], cases[i].want[k],
                             cases[i].tol);
            assert_true(gpa_attribution_converged(a));
            gpa_attribution_free(a);
        }
    }
    gpa_model_free(m);
}

/* Steps and categories: the best of all there are, found by trying them. */
static void whole_steps(void **state)
{
    static const double x[D] = {0, 1, 0, 0}, y[1] = {2.9};
    static const unsigned char integer[D] = {1, 0, 0, 0}, still[D] = {0, 1, 1, 1};
    static const size_t group[D] = {0, 1, 1, 1};
    static const unsigned char first[D] = {1, 0, 0, 0};
    gpa_model *m = model_of(linear, D); /* f = 0 at x, so the residual is 2.9 */
    gpa_sample s = {.x = x, .y = y, .n = 1, .d = D};
    gpa_explain_options e;
    (void)state;
    settings(&e);
    e.integer = integer;
    e.frozen = still;
    gpa_attribution *a = run("lc", m, &s, &e);
    double best = 0, lowest = HUGE_VAL;
    for (int v = -4; v <= 4; v++) {
        double r = 2.9 - 2 * v, o = r * r / 1.28 + 0.2 * v * v + 0.2 * fabs((double)v);
        if (o < lowest) {
            lowest = o;
            best = v;
        }
    }
    assert_true(gpa_attribution_score(a)[0] == best && best == 1);
    gpa_attribution_free(a);
    settings(&e);
    e.onehot = group;
    e.frozen = first;
    a = run("lc", m, &s, &e);
    /* from the second category (-1) to the third (+0.5): two unit moves cost 0.8,
     * the residual falls from 2.9 to 1.4 */
    assert_true(gpa_attribution_score(a)[1] == -1 && gpa_attribution_score(a)[2] == 1 &&
                gpa_attribution_score(a)[3] == 0);
    gpa_attribution_free(a);
    gpa_model_free(m);
}

static int curved(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *v = x + i * d;
        y[i] = sin(v[0]) + v[0] * v[1] - 0.5 * v[2] * v[2] + v[3];
    }
    return 0;
}

/* (a + 1/2) ln(1 + r^2 / 2b) with b = a sigma^2 tends to r^2 / 2 sigma^2: gpa becomes
 * lc, whatever the solver. */
static void limit_of_gpa(void **state)
{
    static const double x[2 * D] = {0.3, -1, 0.5, 1, 0.2, -0.8, 0.7, 1.2},
                              y[2] = {4, 3.5};
    static const double shape = 1e10;
    gpa_model *m = model_of(curved, D);
    (void)state;
    for (size_t n = 1; n <= 2; n++)
        for (int solver = GPA_SOLVER_PAPER; solver <= GPA_SOLVER_PAPER_DET; solver++) {
            gpa_sample s = {.x = x, .y = y, .n = n, .d = D};
            gpa_explain_options e;
            settings(&e);
            e.solver = (gpa_solver)solver;
            e.tol = 1e-9;
            e.max_iter = 60; /* no matter where it stops: at the same place */
            gpa_attribution *lc = run("lc", m, &s, &e);
            e.a0 = shape;
            e.b0 = shape * 0.64;
            gpa_attribution *gpa = run("gpa", m, &s, &e);
            for (size_t k = 0; k < D; k++)
                assert_close(gpa_attribution_score(lc)[k],
                             gpa_attribution_score(gpa)[k], 1e-8);
            gpa_attribution_free(gpa);
            gpa_attribution_free(lc);
        }
    gpa_model_free(m);
}

/* Without sigma the noise variance is b0/a0, and eta follows the same rule as gpa's. */
static void what_it_shares(void **state)
{
    enum { N = 12 };
    double x[N * D], y[N], f[N];
    gpa_model *m = model_of(curved, D);
    gpa_explain_options e;
    gpa_sample all = {.x = x, .y = y, .n = N, .d = D};
    (void)state;
    for (size_t i = 0; i < N * D; i++)
        x[i] = sin(3.7 * (double)i);
    assert_int_equal(gpa_predict_observed(m, &all, f, NULL), GPA_OK);
    for (size_t i = 0; i < N; i++)
        y[i] = f[i] + cos(5.1 * (double)i);
    y[0] = f[0] + 5;
    all.f = f;
    gpa_sample s = {.x = x, .y = y, .f = f, .n = 1, .d = D};
    gpa_explain_options_init(&e);
    e.a0 = 4;
    e.b0 = 4 * 0.64;
    gpa_attribution *a = run("lc", m, &s, &e);
    assert_close(a->sigma, 0.8, 1e-15);
    gpa_explain_options_init(&e);
    e.sigma = 0.8;
    gpa_attribution *b = run("lc", m, &s, &e);
    assert_true(a->eta == b->eta);
    for (size_t k = 0; k < D; k++)
        assert_close(gpa_attribution_score(a)[k], gpa_attribution_score(b)[k], 1e-12);
    gpa_attribution_free(a);
    gpa_attribution_free(b);
    gpa_explain_options_init(&e);
    e.context = &all;
    e.noise = GPA_NOISE_CONSTANT;
    a = run("gpa", m, &s, &e);
    b = run("lc", m, &s, &e);
    assert_true(a->eta > 0.05 && a->eta < 4); /* found, not clipped */
    assert_close(b->eta, a->eta, 1e-12);
    assert_true(b->sigma == a->sigma);
    gpa_attribution_free(a);
    gpa_attribution_free(b);
    gpa_model_free(m);
}

/* The lowest objective that SciPy's L-BFGS-B found from 300 starts. */
static void optimal_on_curved(void **state)
{
    static const struct {
        double y, lowest;
    } cases[] = {{-3, 1.4470080826645355}, {0.5, 0.0706696544913537}};
    static const double x[D] = {0.3, -1, 0.5, 1};
    gpa_model *m = model_of(curved, D);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_sample s = {.x = x, .y = &cases[i].y, .n = 1, .d = D};
        gpa_explain_options e;
        settings(&e);
        gpa_attribution *a = run("lc", m, &s, &e);
        double at[D], f, objective = 0;
        for (size_t k = 0; k < D; k++) {
            double v = gpa_attribution_score(a)[k];
            at[k] = x[k] + v;
            objective += 0.2 * v * v + 0.2 * fabs(v);
        }
        curved(NULL, at, 1, D, &f);
        objective += (cases[i].y - f) * (cases[i].y - f) / 1.28;
        assert_true(gpa_attribution_converged(a));
        assert_true(objective >= cases[i].lowest - 1e-12);
        assert_close(objective, cases[i].lowest, 1e-5);
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published),      cmocka_unit_test(linear_optimum),
        cmocka_unit_test(whole_steps),    cmocka_unit_test(limit_of_gpa),
        cmocka_unit_test(what_it_shares), cmocka_unit_test(optimal_on_curved),
    };
    return cmocka_run_group_tests(tests, oracle_set_up, oracle_tear_down);
}
