#include "support.h"

#include "engine/objective.h"
#include "engine/slope.h"

static int quadratic(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *r = x + i * d;
        y[i] = 3 * r[0] + r[1] * r[1];
        if (r[1] > 50) /* a region without predictions */
            y[i] = (double)NAN;
    }
    return 0;
}

struct fixture {
    gpai_problem p;
    gpa_model *m;
    double x[4], y[2], unit[2], b[2], scratch[200], f[2], slope[4];
};

static int set_up(void **state)
{
    struct fixture *t = calloc(1, sizeof *t);
    *t = (struct fixture){
        .x = {1, 2, -1, 0.5}, .y = {1, 2}, .unit = {1, 10}, .b = {1, 1}};
    assert_int_equal(gpa_model_from_callback(&t->m, quadratic, NULL, 2, NULL), GPA_OK);
    t->p = (gpai_problem){.model = t->m,
                          .n = 2,
                          .d = 2,
                          .x = t->x,
                          .y = t->y,
                          .unit = t->unit,
                          .b = t->b,
                          .a = 1,
                          .eta = 1,
                          .nu = 0.5};
    assert_int_equal(gpai_problem_open(&t->p, 7, NULL), GPA_OK); /* several pieces */
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    gpai_problem_close(&t->p);
    gpa_model_free(t->m);
    free(t);
    return 0;
}

/* Means over N(0,1) quarters: +-1.2711063 and +-0.3246628 (from phi and its quantiles).
 */
static void four_nodes(void **state)
{
    (void)state;
    gpai_slope s;
    assert_int_equal(gpai_slope_nodes(&s, 4, 2, NULL), GPA_OK);
    assert_int_equal(s.nodes, 4);
    assert_close(s.h[0], -2 * 1.2711063, 1e-6);
    assert_close(s.h[1], -2 * 0.3246628, 1e-6);
    assert_true(s.h[2] == -s.h[1] && s.h[3] == -s.h[0]);
    gpai_slope_free(&s);
    assert_int_equal(gpai_slope_nodes(&s, 5, 1, NULL), GPA_OK);
    assert_int_equal(s.nodes, 4); /* the cell around 0 has no slope */
    gpai_slope_free(&s);
}

/* The mean slope of a quadratic is its derivative plus the mean of h times the
 * curvature, whatever the nodes; in units of 10 for the second input. */
static void quadratic_slopes(void **state)
{
    struct fixture *t = *state;
    const double h[3] = {0.5, -0.2, 1e-12}, delta[2] = {0.25, -0.1};
    gpai_slope s;
    assert_int_equal(gpai_slope_given(&s, h, 3, 1, NULL), GPA_OK);
    assert_int_equal(s.nodes, 2); /* the last one is no perturbation */
    assert_int_equal(
        gpai_mean_slopes(&t->p, &s, delta, t->scratch, t->f, t->slope, NULL), GPA_OK);
    assert_close(t->f[0], 3 * 1.25 + 1, 1e-13);
    assert_close(t->f[1], 3 * -0.75 + 0.25, 1e-13);
    assert_close(t->slope[0], 3, 1e-12);
    assert_close(t->slope[1], 10 * (2 * 1 + 10 * 0.15), 1e-11);
    assert_close(t->slope[3], 10 * (2 * -0.5 + 10 * 0.15), 1e-11);
    assert_int_equal(t->p.rows, 2 * (1 + 2 * 2)); /* n (1 + K d) */
    assert_int_equal(t->p.calls, 1);
    gpai_slope_free(&s);
}

static void symmetric_nodes_are_derivatives(void **state)
{
    struct fixture *t = *state;
    const double zero[2] = {0, 0};
    gpai_slope s;
    assert_int_equal(gpai_slope_nodes(&s, 4, 1, NULL), GPA_OK);
    assert_int_equal(
        gpai_mean_slopes(&t->p, &s, zero, t->scratch, t->f, t->slope, NULL), GPA_OK);
    assert_close(t->slope[1], 10 * 2 * 2, 1e-11);
    assert_close(t->slope[3], 10 * 2 * 0.5, 1e-11);
    assert_int_equal(t->p.nonfinite, 0);
    gpai_slope_free(&s);
}

/* x2 + 10 h > 50 gives NaN on the upper side only: the lower side speaks alone. */
static void one_sided(void **state)
{
    struct fixture *t = *state;
    const double zero[2] = {0, 0};
    gpai_slope s;
    assert_int_equal(gpai_slope_nodes(&s, 2, 8, NULL), GPA_OK);
    assert_int_equal(
        gpai_mean_slopes(&t->p, &s, zero, t->scratch, t->f, t->slope, NULL), GPA_OK);
    double h = s.h[0]; /* negative; (2 + 10 h)^2 - 4 over h */
    assert_close(t->slope[1], (100 * h * h + 40 * h) / h, 1e-9);
    assert_int_equal(t->p.nonfinite, 2);
    gpai_slope_free(&s);
}

static void no_usable_perturbation(void **state)
{
    (void)state;
    const double h[2] = {0, 1e-300};
    gpai_slope s;
    gpa_error err;
    assert_int_equal(gpai_slope_given(&s, h, 2, 1, &err), GPA_INVALID);
}

/* Pieces of the objective against hand computation. */
static void objective_pieces(void **state)
{
    struct fixture *t = *state;
    const double f[2] = {3, 2}, delta[2] = {2, -1};
    assert_close(gpai_data_term(&t->p, f), 1.5 * log(1 + 4 / 2.0), 1e-15);
    assert_close(gpai_penalty(&t->p, delta), 2.5 + 0.5 * 3, 1e-15);
    assert_close(gpai_pull(&t->p, 0, 3), -2 / (2 + 4.0), 1e-16);
    const double lost[2] = {3, (double)NAN};
    assert_true(isinf(gpai_data_term(&t->p, lost)));
    const double far[2] = {1e300, 2}; /* r^2 overflows, its log does not */
    assert_close(gpai_data_term(&t->p, far), 1.5 * (600 * log(10) - log(2)), 1e-9);
    /* stationarity: eta delta + eta nu sign(delta) - g; for 0, the excess over eta nu
     */
    const double g[2] = {2.5, 0.7}, zero[2] = {2, 0};
    assert_close(gpai_stationarity(&t->p, zero, g), 0.2, 1e-15);
    assert_close(gpai_soft_threshold(-3, 1), -2, 0);
    assert_close(gpai_soft_threshold(0.5, 1), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_nodes),
        cmocka_unit_test_setup_teardown(quadratic_slopes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(symmetric_nodes_are_derivatives, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_sided, set_up, tear_down),
        cmocka_unit_test(no_usable_perturbation),
        cmocka_unit_test_setup_teardown(objective_pieces, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
