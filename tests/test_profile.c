#include "support.h"

#include "base/alloc.h"
#include "engine/culprit/moves.h"
#include "engine/profile.h"

/* f = x0 + 10 x1 + 100 x2 + 1000 x3, which may refuse to answer beyond a wall. */
static int decimal(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    double wall = *(const double *)ctx;
    for (size_t i = 0; i < n; i++, x += d) {
        y[i] = x[0];
        for (size_t k = 1; k < d; k++)
            y[i] += pow(10, (double)k) * x[k];
        if (x[0] > wall)
            y[i] = (double)NAN;
    }
    return 0;
}

enum { INPUTS = 5, ROWS = 2 };

/* A plain input, a bounded one, a whole number, a group of two. */
struct scene {
    double wall;
    double x[ROWS * INPUTS], unit[INPUTS], lower[INPUTS], upper[INPUTS];
    unsigned char integer[INPUTS];
    size_t group[INPUTS];
    gpai_limits limits;
    gpai_problem p;
    gpai_space s;
    gpai_prior prior;
};

static void set_scene(struct scene *a)
{
    static const double row[INPUTS] = {0.5, 1, 3, 1, 0};
    *a = (struct scene){.wall = HUGE_VAL};
    for (size_t k = 0; k < INPUTS; k++) {
        a->x[k] = row[k];
        a->x[INPUTS + k] = row[k];
        a->unit[k] = 0.5;
        a->lower[k] = -HUGE_VAL;
        a->upper[k] = HUGE_VAL;
    }
    a->x[0] = -0.5;
    a->lower[1] = 0.75;
    a->upper[1] = 2;
    a->lower[2] = 0;
    a->integer[2] = 1;
    a->group[3] = a->group[4] = 1;
    a->limits = (gpai_limits){
        .lower = a->lower, .upper = a->upper, .integer = a->integer, .group = a->group};
    a->p = (gpai_problem){
        .n = ROWS, .d = INPUTS, .x = a->x, .unit = a->unit, .eta = 2, .nu = 0.1};
    assert_int_equal(
        gpa_model_from_callback(&a->p.model, decimal, &a->wall, INPUTS, NULL), GPA_OK);
    assert_int_equal(gpai_space_open(&a->s, &a->p, &a->limits, NULL), GPA_OK);
    assert_int_equal(gpai_problem_open(&a->p, 100, NULL), GPA_OK);
    a->prior = gpai_prior_make(0.1, 0.5);
}

static void leave_scene(struct scene *a)
{
    gpai_problem_close(&a->p);
    gpai_space_close(&a->s);
    gpa_model_free(a->p.model);
}

static void ascending(const double *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        assert_true(v[i] >= v[i - 1]);
}

/* Quantiles of the prior, computed with SciPy. */
static void test_plain_moves(void **state)
{
    static const size_t at[5] = {0, 5, 11, 12, 23};
    static const double want[5] = {-6.1157165996532, -2.15719778518842,
                                   -0.146797852306778, 0.146797852306778,
                                   6.1157165996532};
    struct scene a;
    double v[24];
    (void)state;
    set_scene(&a);
    gpai_moves(&a.s, 0, &a.prior, 24, v);
    for (size_t i = 0; i < 5; i++)
        assert_close(v[at[i]], want[i], 1e-12);
    ascending(v, 24);
    leave_scene(&a);
}

/* What the bounds leave of the prior, in equal parts. */
static void test_bounded_moves(void **state)
{
    struct scene a;
    double v[40];
    (void)state;
    set_scene(&a);
    gpai_moves(&a.s, 1, &a.prior, 40, v);
    double from = gpai_prior_cdf(&a.prior, -0.5), to = gpai_prior_cdf(&a.prior, 2);
    for (size_t i = 0; i < 40; i++) {
        assert_true(v[i] >= -0.5 && v[i] <= 2);
        double share = (gpai_prior_cdf(&a.prior, v[i]) - from) / (to - from);
        assert_close(share, ((double)i + 0.5) / 40, 1e-12);
    }
    leave_scene(&a);
}

/* Whole steps but 0, each as often as the prior's mass around it says. */
static void test_step_moves(void **state)
{
    struct scene a;
    double v[GPAI_MOVES];
    (void)state;
    set_scene(&a);
    gpai_moves(&a.s, 2, &a.prior, GPAI_MOVES, v);
    ascending(v, GPAI_MOVES);
    double low = gpai_prior_cdf(&a.prior, -7), zero = gpai_prior_cdf(&a.prior, -1);
    double total = (zero - low) + zero; /* down to three steps, up without end */
    for (int step = -3; step <= 4; step++) {
        double size = 2 * step; /* a step of 1 is two units */
        double count = 0;
        for (size_t i = 0; i < GPAI_MOVES; i++)
            count += v[i] == size;
        double mass = gpai_prior_cdf(&a.prior, size + 1);
        mass -= gpai_prior_cdf(&a.prior, size - 1);
        assert_close(count / GPAI_MOVES, step == 0 ? 0 : mass / total,
                     1.01 / GPAI_MOVES);
    }
    assert_true(v[0] == -6);
    leave_scene(&a);
}

/* All categories but the present one, by the prior of the move to them. */
static void test_choice_moves(void **state)
{
    static const size_t group[3] = {1, 1, 1};
    const gpai_limits limits = {.group = group};
    double x[3], v[GPAI_MOVES], unit[3] = {1, 1, 0.2};
    gpai_problem p = {.n = 1, .d = 3, .x = x, .unit = unit, .eta = 1, .nu = 0.5};
    gpai_prior prior = gpai_prior_make(0.1, 0.5);
    (void)state;
    for (size_t now = 0; now < 3; now++) {
        gpai_space s;
        for (size_t k = 0; k < 3; k++)
            x[k] = k == now;
        assert_int_equal(gpai_space_open(&s, &p, &limits, NULL), GPA_OK);
        gpai_moves(&s, 0, &prior, GPAI_MOVES, v);
        ascending(v, GPAI_MOVES);
        double count[3] = {0}, weight[3] = {0};
        for (size_t i = 0; i < GPAI_MOVES; i++)
            count[(size_t)v[i]] += 1.0 / GPAI_MOVES;
        for (size_t k = 0; k < 3; k++)
            weight[k] = k == now ? 0 : exp(-gpai_prior_penalty(&prior, 1 / unit[k]));
        double total = weight[0] + weight[1] + weight[2];
        for (size_t k = 0; k < 3; k++)
            assert_close(count[k], weight[k] / total, 1.01 / GPAI_MOVES);
        gpai_space_close(&s);
    }
}

/* Axes without bounds share a list, others have their own. */
static void test_move_table(void **state)
{
    struct scene a;
    gpai_move_table t;
    double v[GPAI_MOVES];
    (void)state;
    set_scene(&a);
    assert_int_equal(gpai_move_table_open(&t, &a.s, &a.prior, NULL), GPA_OK);
    for (size_t i = 0; i < a.s.axes; i++) {
        gpai_moves(&a.s, i, &a.prior, GPAI_MOVES, v);
        assert_memory_equal(t.of[i], v, sizeof v);
    }
    gpai_move_table_close(&t);
    leave_scene(&a);
}

/* Every node has the model's answer for it, rows in their order. */
static void check_nodes(const struct scene *a, const gpai_profile *r)
{
    for (size_t i = 0; i < r->axes; i++) {
        const double *node = r->node + r->start[i];
        size_t unmoved = 0;
        for (size_t j = 0; j < r->nodes[i]; j++) {
            double delta[INPUTS] = {0};
            gpai_axis_set(&a->s, i, node[j], delta);
            for (size_t t = 0; t < ROWS; t++) {
                double want = 0, row[INPUTS];
                for (size_t k = 0; k < INPUTS; k++)
                    row[k] = a->x[t * INPUTS + k] + a->unit[k] * delta[k];
                double wall = HUGE_VAL;
                decimal(&wall, row, 1, INPUTS, &want);
                double got = r->f[(r->start[i] + j) * ROWS + t];
                assert_close(got, want, 1e-9);
                unmoved += t == 0 && got == r->base[t];
            }
            assert_true(j == 0 || node[j] > node[j - 1]);
        }
        assert_int_equal(unmoved, 1);
    }
}

static void test_one_round(void **state)
{
    static const size_t all[4] = {0, 1, 2, 3};
    struct scene a;
    gpai_profile r;
    (void)state;
    set_scene(&a);
    assert_int_equal(a.s.axes, 4);
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 24, 0, 0, NULL), GPA_OK);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, &a.prior, all, 4, 24, NULL, NULL),
                     GPA_OK);
    assert_int_equal(r.nodes[0], 25);
    assert_int_equal(r.nodes[1], 25);
    assert_true(r.nodes[2] < 25 && r.whole[2]); /* few steps are likely: all of them */
    assert_true(r.nodes[3] == 2 && r.whole[3]);
    size_t points = 1 + 24 + 24 + r.nodes[2] - 1 + 1;
    assert_int_equal(r.rows, ROWS * points);
    assert_int_equal(a.p.rows, ROWS * points);
    assert_int_equal(a.p.calls, 1);
    assert_true(r.rows <= gpai_profile_rows(&a.s, ROWS, 24));
    check_nodes(&a, &r);
    gpai_profile_close(&r);
    leave_scene(&a);
}

/* A second round replaces what it asks and asks the rows themselves no more. */
static void test_two_rounds(void **state)
{
    static const size_t all[4] = {0, 1, 2, 3}, some[2] = {1, 2};
    struct scene a;
    gpai_profile r;
    (void)state;
    set_scene(&a);
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 4, 2, 24, NULL), GPA_OK);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, &a.prior, all, 4, 4, NULL, NULL),
                     GPA_OK);
    assert_int_equal(r.nodes[1], 5);
    assert_false(r.whole[2]);
    uint64_t before = r.rows;
    assert_int_equal(
        gpai_profile_ask(&r, &a.p, &a.s, &a.prior, some, 2, 24, NULL, NULL), GPA_OK);
    assert_int_equal(r.nodes[0], 5);
    assert_int_equal(r.nodes[1], 25);
    assert_true(r.whole[2]);
    assert_int_equal(r.rows - before, ROWS * (24 + r.nodes[2] - 1));
    check_nodes(&a, &r);
    gpai_profile_close(&r);
    leave_scene(&a);
}

/* Straight lines between nodes, constant beyond; a hole spoils its neighbourhood. */
static void test_changes(void **state)
{
    static const size_t first = 0;
    static const double at[6] = {-50, -1, 0, 0.25, 2, 50};
    struct scene a;
    gpai_profile r;
    gpai_place place[6];
    double u[6];
    (void)state;
    set_scene(&a);
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 24, 0, 0, NULL), GPA_OK);
    assert_int_equal(
        gpai_profile_ask(&r, &a.p, &a.s, &a.prior, &first, 1, 24, NULL, NULL), GPA_OK);
    gpai_profile_places(&r, 0, at, 6, place);
    gpai_profile_change(&r, 0, 1, place, 6, u);
    const double end = 6.1157165996532;
    const double want[6] = {-end / 2, -0.5, 0, 0.125, 1, end / 2};
    for (size_t i = 0; i < 6; i++)
        assert_close(u[i], want[i], 1e-9);
    assert_close(gpai_profile_reach(&r, 0, 1), end / 2, 1e-9);
    gpai_profile_close(&r);

    a.wall = 1.45; /* the second row moves by at most 1.9 units */
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 24, 0, 0, NULL), GPA_OK);
    assert_int_equal(
        gpai_profile_ask(&r, &a.p, &a.s, &a.prior, &first, 1, 24, NULL, NULL), GPA_OK);
    gpai_profile_places(&r, 0, at, 6, place);
    gpai_profile_change(&r, 0, 1, place, 6, u);
    assert_true(isfinite(u[2]) && isfinite(u[3]) && isnan(u[4]) && isnan(u[5]));
    assert_true(a.p.nonfinite > 0);
    assert_close(gpai_profile_reach(&r, 0, 1), end / 2, 1e-9);
    gpai_profile_close(&r);
    leave_scene(&a);
}

static void test_out_of_memory(void **state)
{
    static const size_t all[4] = {0, 1, 2, 3};
    struct scene a;
    (void)state;
    set_scene(&a);
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        for (size_t k = 1; st != GPA_OK; k++) {
            gpai_profile r;
            gpai_move_table t = {0};
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpai_profile_open(&r, &a.p, &a.s, 24, 0, 0, NULL);
            if (st == GPA_OK)
                st = gpai_profile_ask(&r, &a.p, &a.s, &a.prior, all, 4, 24, NULL, NULL);
            if (st == GPA_OK)
                st = gpai_move_table_open(&t, &a.s, &a.prior, NULL);
            bool reached = gpai_alloc_count() >= k;
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, reached ? GPA_NOMEM : GPA_OK);
            gpai_move_table_close(&t);
            gpai_profile_close(&r);
            assert_true(k < 20);
        }
    }
    leave_scene(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_moves),   cmocka_unit_test(test_bounded_moves),
        cmocka_unit_test(test_step_moves),    cmocka_unit_test(test_choice_moves),
        cmocka_unit_test(test_move_table),    cmocka_unit_test(test_one_round),
        cmocka_unit_test(test_two_rounds),    cmocka_unit_test(test_changes),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
