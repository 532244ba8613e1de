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
                assert_true(q->levels == (k < 3 ? 0 : 3));
                assert_true(k >= 3 || (isfinite(q->mean) && isfinite(q->sd)));
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

/* ---- kinds of inputs ---- */

/* The axes of rows x (n by d) of unit `unit` whose inputs are `in`. */
static gpai_space axes_of(const gpai_limits *l, const double *x, size_t n, size_t d,
                          const double *unit)
{
    gpai_problem p = {.n = n, .d = d, .x = x, .unit = unit, .eta = 0.4, .nu = 0.5};
    gpai_space s;
    gpa_error err;
    if (gpai_space_open(&s, &p, l, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return s;
}

static const double CODES[4] = {1, 2.5, 4, 7};
static const unsigned char RARE[4] = {0, 0, 1, 0};

static gpa_input number_of(double low, double high)
{
    return (gpa_input){.low = low, .high = high, .missing = (double)NAN};
}

static gpa_input whole_of(double low, double high)
{
    gpa_input in = number_of(low, high);
    in.kind = GPA_KIND_WHOLE;
    return in;
}

static gpa_input coded(size_t levels, const double *level)
{
    return (gpa_input){.kind = levels == 2 ? GPA_KIND_FLAG : GPA_KIND_CHOICE,
                       .missing = (double)NAN,
                       .levels = levels,
                       .level = level};
}

static gpa_input column_of(size_t group, bool dropped)
{
    return (gpa_input){.kind = GPA_KIND_CHOICE,
                       .missing = (double)NAN,
                       .group = group,
                       .dropped = dropped};
}

/* One axis per input or group, with the values that each can have. */
static void axes_of_kinds(void **state)
{
    (void)state;
    enum { M = 11 };
    static const double unit[M] = {2, 0.5, 1, 3, 1, 1, 1, 1, 1, 1, 1};
    gpa_input in[M] = {number_of(0, (double)NAN), whole_of(0, 5),
                       coded(2, CODES),           coded(4, CODES),
                       {.kind = GPA_KIND_HELD},   column_of(1, false),
                       column_of(2, true),        column_of(1, false),
                       column_of(2, true),        number_of((double)NAN, (double)NAN),
                       column_of(1, false)};
    in[3].rare = RARE;
    /*                    0  1  2  3    4  5  6  7  8  9     10 */
    static const double x[M] = {3, 2, 1, 2.5, 8, 0, 0, 1, 0, -1.5, 0};
    gpai_limits l = {.inputs = in};
    gpai_space s = axes_of(&l, x, 1, M, unit);
    assert_int_equal(s.axes, 7);
    static const size_t of[M] = {0, 1, 2, 3, 7, 4, 5, 4, 5, 6, 4};
    for (size_t k = 0; k < M; k++)
        assert_int_equal(s.axis_of[k], of[k]);
    assert_false(s.split);
    assert_true(s.axis[0].kind == GPAI_AXIS_PLAIN && s.axis[0].lo == -1.5 &&
                s.axis[0].hi == HUGE_VAL && !s.axis[0].apart);
    assert_true(s.axis[1].kind == GPAI_AXIS_STEP && s.axis[1].step == 2 &&
                s.axis[1].lo == -4 && s.axis[1].hi == 6 && !s.axis[1].apart);
    const gpai_axis *a = &s.axis[2];
    assert_true(a->kind == GPAI_AXIS_CHOICE && a->levels == 2 && a->now == 0 &&
                a->members == 1 && a->member[0] == 2 && a->hi == 1);
    a = &s.axis[3]; /* 4 is rare */
    assert_true(a->levels == 3 && a->now == 1 && gpai_axis_choices(a) == 3);
    assert_true(a->level[0] == 1 && a->level[1] == 2.5 && a->level[2] == 7);
    a = &s.axis[4];
    assert_true(a->levels == 3 && a->members == 3 && a->now == 1 &&
                a->member[2] == 10 && a->in == &in[5]);
    a = &s.axis[5]; /* no column is 1: the level that was dropped */
    assert_true(a->levels == 3 && a->members == 2 && a->now == 2);
    assert_true(gpai_axis_level(a, 1, 1) == 1 && gpai_axis_level(a, 2, 1) == 0);
    assert_true(gpai_axis_is_free(&s.axis[6]) && s.axis[6].input == 9);
    gpai_space_close(&s);
}

/* Every column in a group or coded: looking for gaps a second time spoils no level. */
static void no_room_to_spare(void **state)
{
    (void)state;
    enum { M = 4 };
    static const double unit[M] = {1, 1, 1, 1}, x[M] = {1, 0, 0, 2.5};
    gpa_input in[M] = {column_of(1, false), column_of(1, false), column_of(1, false),
                       coded(2, CODES)};
    gpai_limits l = {.inputs = in, .gaps = true};
    gpai_space s = axes_of(&l, x, 1, M, unit);
    assert_int_equal(s.axes, 2);
    assert_true(s.axis[1].level[0] == CODES[0] && s.axis[1].level[1] == CODES[1]);
    gpai_space_close(&s);
}

/* Where a choice is put, it is found again; whatever its columns are, a switch costs
 * what a change by one unit costs. */
static void levels_there_and_back(void **state)
{
    (void)state;
    static const double unit[4] = {0.3, 7, 1.1, 0.2};
    gpa_input in[4] = {coded(4, CODES), column_of(5, true), column_of(5, true),
                       column_of(5, true)};
    /* in a level, in a level that is rare, not one-hot at all, in the dropped one */
    static const double x[4][4] = {
        {7, 0, 1, 0}, {4, 1, 0, 0}, {3, 1, 1, 0}, {1, 0, 0, 0}};
    static const size_t now[4][2] = {{2, 1}, {3, 0}, {3, 4}, {0, 3}};
    in[0].rare = RARE;
    gpai_limits l = {.inputs = in};
    for (size_t i = 0; i < 4; i++) {
        gpai_space s = axes_of(&l, x[i], 1, 4, unit);
        assert_int_equal(s.axes, 2);
        for (size_t axis = 0; axis < 2; axis++) {
            const gpai_axis *a = &s.axis[axis];
            assert_int_equal(a->now, now[i][axis]);
            for (size_t j = 0; j < gpai_axis_choices(a); j++) {
                double delta[4] = {0};
                gpai_axis_set(&s, axis, (double)j, delta);
                assert_true(gpai_axis_value(&s, axis, delta) == (double)j);
                double cost = j == a->now ? 0 : 0.2 + 0.2; /* eta/2 + eta nu */
                assert_close(gpai_axis_penalty(&s, axis, (double)j), cost, 1e-15);
                assert_close(gpai_space_penalty(&s, delta), cost, 1e-15);
                double before[4];
                memcpy(before, delta, sizeof before);
                gpai_space_project(&s, delta);
                assert_memory_equal(before, delta, sizeof before);
            }
        }
        gpai_space_close(&s);
    }
}

/* What is known of an input never forbids the row itself, only what lies between it and
 * the values that can be. */
static void rows_that_break_the_kind(void **state)
{
    (void)state;
    static const double unit[4] = {2, 1, 4, 1};
    gpa_input in[4] = {number_of(0, 10), whole_of(0, 5), whole_of(0, 5),
                       number_of(0, (double)NAN)};
    static const double x[4] = {-3, 7, 2.25, -1};
    gpai_limits l = {.inputs = in};
    gpai_space s = axes_of(&l, x, 1, 4, unit);
    assert_int_equal(s.axes, 4);
    const gpai_axis *a = s.axis;
    for (size_t i = 0; i < 4; i++)
        assert_true(a[i].apart && gpai_axis_snap(&a[i], 0) == 0);
    assert_true(a[0].lo == 1.5 && a[0].hi == 6.5);
    assert_true(gpai_axis_snap(&a[0], 0.7) == 0 && gpai_axis_snap(&a[0], 0.8) == 1.5 &&
                gpai_axis_snap(&a[0], -9) == 0 && gpai_axis_snap(&a[0], 9) == 6.5);
    assert_true(a[1].lo == -7 && a[1].hi == -2 && gpai_axis_snap(&a[1], -3.2) == -3 &&
                gpai_axis_snap(&a[1], -0.9) == 0);
    /* from 2.25: 2 is a quarter of 1/4 away, 3 three of them, 0 and 5 the ends */
    assert_true(a[2].step == 0.25 && a[2].lo == -0.5625 && a[2].hi == 0.6875);
    assert_true(gpai_axis_snap(&a[2], -0.05) == -0.0625 &&
                gpai_axis_snap(&a[2], 0.2) == 0.1875 &&
                gpai_axis_snap(&a[2], -0.02) == 0);
    /* by hand a bound is a bound: the row must move */
    double lower[4] = {0, (double)NAN, (double)NAN, (double)NAN};
    gpai_space_close(&s);
    l.lower = lower;
    s = axes_of(&l, x, 1, 4, unit);
    assert_true(!s.axis[0].apart && s.axis[0].lo == 1.5 && s.axis[0].hi == 6.5);
    gpai_space_close(&s);
}

/* The prior of an axis apart: what cannot be is 0, the rest as it was. */
static void prior_of_axes_apart(void **state)
{
    (void)state;
    static const double unit[3] = {1, 1, 1};
    gpa_input in[3] = {number_of(0, 4), number_of(-9, -1.5), whole_of(0, 5)};
    static const double x[3] = {-1, 0, 2.25};
    gpai_limits l = {.inputs = in};
    gpai_space s = axes_of(&l, x, 1, 3, unit);
    enum { N = 200000 };
    double zero[3] = {0}, below[3] = {0};
    for (size_t i = 0; i < N; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            double v = gpai_axis_quantile(&s, axis, ((double)i + 0.5) / N);
            assert_true(v == gpai_axis_snap(&s.axis[axis], v));
            zero[axis] += v == 0 ? 1.0 / N : 0;
            below[axis] += v < (axis == 1 ? -2 : 2) ? 1.0 / N : 0;
        }
    const gpai_prior *p = &s.prior;
    double out = 1 - (gpai_prior_cdf(p, 5) - gpai_prior_cdf(p, 1));
    assert_close(zero[0], out, 1e-5);
    assert_close(below[0], out + gpai_prior_cdf(p, 2) - gpai_prior_cdf(p, 1), 1e-5);
    out = 1 - (gpai_prior_cdf(p, -1.5) - gpai_prior_cdf(p, -9));
    assert_close(zero[1], out, 1e-5);
    assert_close(below[1], gpai_prior_cdf(p, -2) - gpai_prior_cdf(p, -9), 1e-5);
    /* 2.25 is nearest to what lies between 2.125 and 2.625 */
    double cut = gpai_prior_cdf(p, 2.75) - gpai_prior_cdf(p, -2.25);
    assert_close(zero[2], (gpai_prior_cdf(p, 0.375) - gpai_prior_cdf(p, -0.125)) / cut,
                 1e-5);
    gpai_space_close(&s);
}

/* Missing values have axes only for those who ask for them, after all others. */
static void gaps_come_last(void **state)
{
    (void)state;
    static const double unit[5] = {2, 2, 2, 2, 2};
    gpa_input in[5] = {number_of(0, 8), coded(4, CODES), number_of(0, 1),
                       column_of(1, false), column_of(1, false)};
    double x[5] = {(double)NAN, (double)NAN, 0.5, 0, (double)NAN};
    gpai_limits l = {.inputs = in};
    gpai_space s = axes_of(&l, x, 1, 5, unit);
    assert_int_equal(s.axes, 1);
    assert_int_equal(s.axis[0].input, 2);
    gpai_space_close(&s);
    l.gaps = true;
    s = axes_of(&l, x, 1, 5, unit);
    assert_int_equal(s.axes, 4);
    assert_true(s.axis[0].input == 2 && !s.axis[0].gap);
    assert_true(s.axis[1].gap && s.axis[1].lo == 0 && s.axis[1].hi == 8);
    assert_true(s.axis[2].gap && s.axis[2].levels == 4 && s.axis[2].now == 4);
    assert_true(s.axis[3].gap && s.axis[3].levels == 2 && s.axis[3].now == 2);
    gpai_space_close(&s);
}

/* Rows explained together: a choice moves only with all of them in one level, limits
 * hold for all. */
static void rows_together(void **state)
{
    (void)state;
    static const double unit[4] = {1, 1, 1, 1};
    gpa_input in[4] = {coded(4, CODES), whole_of(0, 9), number_of(0, 10),
                       coded(4, CODES)};
    static const double x[8] = {1, 3, 2, 7, 2.5, 5, 9, 7};
    gpai_limits l = {.inputs = in};
    gpai_space s = axes_of(&l, x, 2, 4, unit);
    assert_true(!s.split && s.axes == 4); /* numbers may drift, whatever they code */
    assert_true(gpai_axis_is_free(&s.axis[0]) && s.axis[0].input == 0);
    gpai_space_close(&s);
    in[0].writing = GPA_WRITING_LEVEL; /* text cannot */
    s = axes_of(&l, x, 2, 4, unit);
    assert_true(s.split);
    assert_int_equal(s.axes, 3);
    assert_true(s.axis[0].lo == -3 && s.axis[0].hi == 4); /* 3 and 5 within 0 to 9 */
    assert_true(s.axis[1].lo == -2 && s.axis[1].hi == 1);
    assert_true(s.axis[2].now == 3);
    gpai_space_close(&s);
    /* fractions of two sorts, one beyond the limits: no step, but a drift */
    static const double y[8] = {2, 3.25, 2, 7, 2, 11.5, 9, 7};
    s = axes_of(&l, y, 2, 4, unit);
    assert_int_equal(s.axes, 4);
    assert_true(s.axis[1].input == 1 && gpai_axis_is_free(&s.axis[1]));
    gpai_space_close(&s);
}

/* What the user says of an input wins over its kind. */
static void the_user_wins(void **state)
{
    (void)state;
    static const double unit[7] = {1, 1, 1, 1, 1, 1, 1};
    gpa_input in[7] = {coded(4, CODES),     coded(4, CODES),
                       whole_of(0, 5),      {.kind = GPA_KIND_HELD},
                       column_of(1, false), column_of(1, false),
                       column_of(1, false)};
    double x[7] = {1, 1, 2, 3, 1, 0, 0}, none = (double)NAN;
    const unsigned char frozen[7] = {0, 0, 1}, integer[7] = {1};
    double lower[7] = {none, 2, none, 0, none, none, none},
           upper[7] = {none, none, none, 9, 0.5, none, none};
    gpai_limits l = {.inputs = in,
                     .frozen = frozen,
                     .integer = integer,
                     .lower = lower,
                     .upper = upper};
    x[4] = 0;
    x[5] = 1;
    gpai_space s = axes_of(&l, x, 1, 7, unit);
    assert_int_equal(s.axes, 5);
    assert_true(s.axis[0].kind == GPAI_AXIS_STEP && s.axis[0].lo == -HUGE_VAL);
    assert_true(s.axis[1].levels == 3 && s.axis[1].now == 3); /* 2.5, 4, 7; it is 1 */
    assert_true(s.axis[2].input == 3 && s.axis[2].lo == -3 && s.axis[2].hi == 6);
    assert_true(s.axis[3].kind == GPAI_AXIS_PLAIN && s.axis[3].hi == 0.5);
    assert_true(s.axis[4].members == 2 && s.axis[4].levels == 3 && s.axis[4].now == 0);
    gpai_space_close(&s);
}

/* A level reaches the model bit for bit, whatever the unit. */
static void levels_are_exact(void **state)
{
    (void)state;
    static const double level[5] = {-1e6 / 3, 0.1, 0.3, 7, 1e9 / 7};
    static const double units[] = {1e-7, 0.37, 3, 1e11};
    gpai_exact e = {.to = GPAI_EXACT_LEVEL, .levels = 5, .level = level};
    for (size_t u = 0; u < 4; u++)
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 5; j++) {
                double delta = (level[j] - level[i]) / units[u];
                assert_true(gpai_exact_move(&e, level[i], units[u], delta) == level[j]);
            }
    gpai_exact w = {.to = GPAI_EXACT_WHOLE}, h = {.to = GPAI_EXACT_SHIFT};
    assert_true(gpai_exact_move(&w, 2.25, 0.7, 0.75 / 0.7) == 3);
    assert_true(gpai_exact_move(&w, 2.25, 0.7, 0) == 2.25);
    assert_true(gpai_exact_move(&h, 2.25, 0.7, 1 / 0.7) == 3.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_obeys),
        cmocka_unit_test(finds_the_category),
        cmocka_unit_test(outside_moves_in),
        cmocka_unit_test(paper_keeps_bounds),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(cut_prior),
        cmocka_unit_test(far_boxes),
        cmocka_unit_test(one_sided_marginals),
        cmocka_unit_test(axes_of_kinds),
        cmocka_unit_test(no_room_to_spare),
        cmocka_unit_test(levels_there_and_back),
        cmocka_unit_test(rows_that_break_the_kind),
        cmocka_unit_test(prior_of_axes_apart),
        cmocka_unit_test(gaps_come_last),
        cmocka_unit_test(rows_together),
        cmocka_unit_test(the_user_wins),
        cmocka_unit_test(levels_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
