#include "support.h"

#include "engine/ask.h"
#include <gpa/gpa.h>

enum { D = 6 };

/* What a model was asked, so that tests see every row. */
struct asked {
    double row[4000 * D];
    size_t n;
};

static int record(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct asked *a = ctx;
    for (size_t i = 0; i < n; i++) {
        const double *r = x + i * d;
        y[i] = 2 * r[0] + r[1] - r[2] + 3 * r[4] - 2 * r[5];
        if (a->n < 4000)
            memcpy(a->row + D * a->n++, r, D * sizeof *r);
    }
    return 0;
}

/* Inputs: 0 bounded, 1 frozen, 2 integer, 3-5 one-hot. */
static const unsigned char FROZEN[D] = {0, 1, 0, 0, 0, 0},
                           INTEGER[D] = {0, 0, 1, 0, 0, 0};
static const size_t GROUP[D] = {0, 0, 0, 7, 7, 7};
static const double UNIT[D] = {0.3, 1, 0.7, 0.5, 0.4, 0.3};

static void limits_of(gpa_explain_options *opt, double *lower, double *upper)
{
    for (size_t k = 0; k < D; k++)
        lower[k] = upper[k] = (double)NAN;
    lower[0] = 0.1;
    upper[0] = 1.9;
    opt->frozen = FROZEN;
    opt->integer = INTEGER;
    opt->onehot = GROUP;
    opt->lower = lower;
    opt->upper = upper;
}

static void check_row(const double *x, const double *row)
{
    assert_true(row[0] >= 0.1 && row[0] <= 1.9);
    assert_true(row[1] == x[1]);
    assert_true(row[2] == nearbyint(row[2]));
    double sum = row[3] + row[4] + row[5];
    assert_true(sum == 1);
    for (size_t k = 3; k < D; k++)
        assert_true(row[k] == 0 || row[k] == 1);
}

/* Every row that is ever asked, and the answer, obey all limits at once, with every
 * solver and every distribution that can. */
static void every_row_obeys(void **state)
{
    (void)state;
    static struct asked asked;
    double x[D] = {1, 5, 3, 0, 1, 0}, y = 6, lower[D], upper[D];
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = D};
    gpa_model *m;
    assert_int_equal(gpa_model_from_callback(&m, record, &asked, D, NULL), GPA_OK);
    for (int solver = GPA_SOLVER_FAST; solver <= GPA_SOLVER_THOROUGH; solver++)
        for (int marginals = GPA_MARGINALS_NONE; marginals <= GPA_MARGINALS_PLUGIN;
             marginals++) {
            gpa_explain_options opt;
            gpa_explain_options_init(&opt);
            opt.solver = (gpa_solver)solver;
            opt.marginals = (gpa_marginals)marginals;
            opt.sigma = 0.5;
            opt.unit = UNIT;
            opt.marginal_rows = 256;
            limits_of(&opt, lower, upper);
            if (marginals == GPA_MARGINALS_PAPER)
                continue; /* its grid ignores limits: refused below */
            gpa_explanation *e;
            gpa_error err;
            asked.n = 0;
            if (gpa_explain(&e, m, &s, &opt, &err) != GPA_OK)
                fail_msg("%s", err.message);
            assert_true(asked.n > 20);
            for (size_t i = 0; i < asked.n; i++)
                check_row(x, asked.row + D * i);
            double moved[D];
            for (size_t k = 0; k < D; k++)
                moved[k] = x[k] + gpa_explanation_delta_raw(e)[k];
            check_row(x, moved);
            assert_true(gpa_explanation_summary(e)->objective <
                        gpa_explanation_summary(e)->objective_zero);
            for (size_t k = 0; marginals != GPA_MARGINALS_NONE && k < D; k++) {
                const gpa_marginal *q = gpa_explanation_marginal(e, k);
                assert_true(isfinite(q->mean) && isfinite(q->sd));
                for (size_t i = 0; i < q->points && k == 0; i++)
                    assert_true(x[0] + 0.3 * q->grid[i] > 0.1 - 1e-9 &&
                                x[0] + 0.3 * q->grid[i] < 1.9 + 1e-9);
            }
            gpa_explanation_free(e);
        }
    gpa_model_free(m);
}

/* The best discrete move found by hand: y = 9 too high; category 5 -> ... */
static void finds_the_category(void **state)
{
    (void)state;
    static struct asked asked;
    /* f = 2*1 + 5 - 3 + 3*0 - 2*1 = 2; y = 7 is what category 4 gives (f = 7) */
    double x[D] = {1, 5, 3, 0, 0, 1}, y = 7, lower[D], upper[D];
    unsigned char frozen[D] = {1, 1, 1, 0, 0, 0};
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = D};
    gpa_model *m;
    gpa_explanation *e;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    limits_of(&opt, lower, upper);
    opt.solver = GPA_SOLVER_FAST;
    opt.marginals = GPA_MARGINALS_NONE;
    opt.frozen = frozen;
    opt.sigma = 0.3;
    opt.eta = 0.1;
    assert_int_equal(gpa_model_from_callback(&m, record, &asked, D, NULL), GPA_OK);
    assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
    static const double want[D] = {0, 0, 0, 0, 1, -1};
    for (size_t k = 0; k < D; k++)
        assert_true(gpa_explanation_delta_raw(e)[k] == want[k]);
    assert_true(gpa_explanation_f_moved(e)[0] == 7);
    gpa_explanation_free(e);
    gpa_model_free(m);
}

/* A row outside its bounds must move inside, whatever it costs. */
static void outside_moves_in(void **state)
{
    (void)state;
    static struct asked asked;
    double x[D] = {4, 5, 3, 0, 1, 0}, y = 0, lower[D], upper[D];
    for (size_t k = 0; k < D; k++)
        y += x[k] * (double[]){2, 1, -1, 0, 3, -2}[k]; /* no deviation at all */
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = D};
    gpa_model *m;
    gpa_explanation *e;
    assert_int_equal(gpa_model_from_callback(&m, record, &asked, D, NULL), GPA_OK);
    for (int solver = GPA_SOLVER_FAST; solver <= GPA_SOLVER_THOROUGH; solver++) {
        gpa_explain_options opt;
        gpa_explain_options_init(&opt);
        limits_of(&opt, lower, upper);
        opt.solver = (gpa_solver)solver;
        opt.marginals = GPA_MARGINALS_NONE;
        opt.sigma = 1;
        assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
        double moved = x[0] + gpa_explanation_delta_raw(e)[0];
        assert_true(moved >= 0.1 && moved <= 1.9);
        gpa_explanation_free(e);
    }
    gpa_model_free(m);
}

static void paper_keeps_bounds(void **state)
{
    (void)state;
    static struct asked asked;
    double x[D] = {1, 5, 3, 0, 1, 0}, y = 30, lower[D], upper[D];
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = D};
    gpa_model *m;
    gpa_explanation *e;
    gpa_error err;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    limits_of(&opt, lower, upper);
    opt.solver = GPA_SOLVER_PAPER_DET;
    opt.marginals = GPA_MARGINALS_NONE;
    opt.sigma = 1;
    opt.unit = UNIT;
    assert_int_equal(gpa_model_from_callback(&m, record, &asked, D, NULL), GPA_OK);
    assert_int_equal(gpa_explain(&e, m, &s, &opt, &err), GPA_INVALID); /* steps */
    opt.kappa = 2;
    opt.integer = NULL;
    opt.onehot = NULL;
    assert_int_equal(gpa_explain(&e, m, &s, &opt, &err), GPA_OK);
    double moved = x[0] + gpa_explanation_delta_raw(e)[0];
    assert_true(moved > 1.5 && moved <= 1.9);
    assert_true(gpa_explanation_delta(e)[1] == 0);
    gpa_explanation_free(e);
    gpa_model_free(m);
}

static void contradictions(void **state)
{
    (void)state;
    static struct asked asked;
    double x[D] = {1, 5, 3, 0, 1, 0}, y = 3, lower[D], upper[D];
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = D};
    gpa_model *m;
    gpa_explanation *e;
    gpa_error err;
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    limits_of(&opt, lower, upper);
    opt.solver = GPA_SOLVER_FAST;
    opt.sigma = 1;
    assert_int_equal(gpa_model_from_callback(&m, record, &asked, D, NULL), GPA_OK);
    lower[0] = 3; /* above the upper bound */
    assert_int_equal(gpa_explain(&e, m, &s, &opt, &err), GPA_INVALID);
    lower[0] = 0.1;
    x[3] = 1; /* two categories at once */
    assert_int_equal(gpa_explain(&e, m, &s, &opt, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "one-hot"));
    gpa_model_free(m);
}

/* Quantiles of a cut prior: uniform u gives values inside, and the cdf takes them back.
 */
static void cut_prior(void **state)
{
    (void)state;
    double x[2] = {1, 0}, unit[2] = {2, 1}, lower[2] = {0, (double)NAN};
    double upper[2] = {2, (double)NAN}, y = 0, b = 1;
    gpai_problem p = {
        .n = 1, .d = 2, .x = x, .y = &y, .unit = unit, .b = &b, .eta = 0.4, .nu = 0.5};
    gpai_limits l = {.lower = lower, .upper = upper};
    gpai_space s;
    assert_int_equal(gpai_space_open(&s, &p, &l, NULL), GPA_OK);
    assert_int_equal(s.axes, 2);
    assert_close(s.axis[0].lo, -0.5, 1e-15);
    assert_close(s.axis[0].hi, 0.5, 1e-15);
    for (double u = 0.01; u < 1; u += 0.07)
        for (size_t i = 0; i < 2; i++) {
            double v = gpai_axis_quantile(&s, i, u);
            assert_true(v >= s.axis[i].lo && v <= s.axis[i].hi);
            assert_close(gpai_axis_cdf(&s, i, v), u, 1e-12);
        }
    gpai_space_close(&s);
}

/* Boxes far out on one side: both sides are mirror images, the quantiles inside, and
 * the law of the tail is nearly exponential there. */
static void far_boxes(void **state)
{
    (void)state;
    static const double ends[][2] = {{8, 20}, {60, 1000}, {60, HUGE_VAL}};
    double x[2] = {0, 0}, unit[2] = {1, 1}, y = 0, b = 1, eta = 0.4, nu = 0.5;
    for (size_t i = 0; i < 3; i++) {
        double lower[2] = {ends[i][0], -ends[i][1]},
               upper[2] = {ends[i][1], -ends[i][0]};
        gpai_problem p = {.n = 1,
                          .d = 2,
                          .x = x,
                          .y = &y,
                          .unit = unit,
                          .b = &b,
                          .eta = eta,
                          .nu = nu};
        gpai_limits l = {.lower = lower, .upper = upper};
        gpai_space s;
        assert_int_equal(gpai_space_open(&s, &p, &l, NULL), GPA_OK);
        assert_false(s.zero_feasible);
        for (double u = 0.05; u < 1; u += 0.1) {
            double v = gpai_axis_quantile(&s, 0, u),
                   w = gpai_axis_quantile(&s, 1, 1 - u);
            assert_true(v >= ends[i][0] && v <= ends[i][1]);
            assert_close(w, -v, 1e-9 * v);
            assert_close(gpai_axis_cdf(&s, 0, v), u, 1e-6);
            /* P(> v) / P(> lo) lies between the exponentials of its slopes at both ends
             */
            double near = eta * (ends[i][0] + nu), far = eta * (v + nu) + 1;
            assert_true(v - ends[i][0] <= -log(1 - u) / near + 1e-12);
            assert_true(v - ends[i][0] >= -log(1 - u) / far - 1e-12);
        }
        gpai_space_close(&s);
    }
}

/* A change that can only be positive is positive, whatever computed it. */
static void one_sided_marginals(void **state)
{
    (void)state;
    static struct asked asked;
    double x[D] = {1, 5, 3, 0, 1, 0}, y = 30, lower[D], upper[D];
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = D};
    gpa_model *m;
    assert_int_equal(gpa_model_from_callback(&m, record, &asked, D, NULL), GPA_OK);
    for (int i = GPA_MARGINALS_EXACT; i <= GPA_MARGINALS_PLUGIN; i++) {
        gpa_explanation *e;
        gpa_explain_options opt;
        gpa_explain_options_init(&opt);
        limits_of(&opt, lower, upper);
        lower[0] = 61;
        upper[0] = 1001;
        opt.marginals = (gpa_marginals)i;
        opt.marginal_rows = 256;
        opt.sigma = 1;
        assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
        const gpa_marginal *q = gpa_explanation_marginal(e, 0);
        assert_true(q->p_positive == 1);
        assert_true(q->interval90[0] >= 60 && q->interval90[1] < 90);
        const gpa_summary *u = gpa_explanation_summary(e);
        assert_int_equal(u->model_rows, u->rows_map + u->rows_check + u->rows_culprit +
                                            u->rows_marginals);
        gpa_explanation_free(e);
    }
    gpa_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_obeys),  cmocka_unit_test(finds_the_category),
        cmocka_unit_test(outside_moves_in), cmocka_unit_test(paper_keeps_bounds),
        cmocka_unit_test(contradictions),   cmocka_unit_test(cut_prior),
        cmocka_unit_test(far_boxes),        cmocka_unit_test(one_sided_marginals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
