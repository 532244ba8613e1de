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
    gpai_space_set_prior(&a->s, 0.1, 0.5);
}

static void leave_scene(struct scene *a)
{
    gpai_problem_close(&a->p);
    gpai_space_close(&a->s);
    gpa_model_free(a->p.model);
}

/* Asks so many moves of the given axes: places of the prior for numbers, all others for
 * the rest. */
static void plan(struct scene *a, gpai_profile *r, const size_t *axis, size_t axes,
                 size_t nodes)
{
    for (size_t i = 0; i < axes; i++) {
        const gpai_axis *x = &a->s.axis[axis[i]];
        double value[40], chance[40];
        size_t n = gpai_candidates(&a->s, axis[i], value, chance);
        for (size_t j = 0; n == 0 && j < nodes; j++)
            value[j] = gpai_line_at(&a->s, x, ((double)j + 0.5) / (double)nodes);
        gpai_profile_plan(r, &a->s, axis[i], value, n > 0 ? n : nodes);
    }
}

/* Quantiles of the prior, computed with SciPy. */
static void test_lines(void **state)
{
    static const size_t at[5] = {0, 5, 11, 12, 23};
    static const double want[5] = {-6.1157165996532, -2.15719778518842,
                                   -0.146797852306778, 0.146797852306778,
                                   6.1157165996532};
    struct scene a;
    (void)state;
    set_scene(&a);
    for (size_t i = 0; i < 5; i++)
        assert_close(gpai_line_at(&a.s, &a.s.axis[0], ((double)at[i] + 0.5) / 24),
                     want[i], 1e-12);
    leave_scene(&a);
}

/* The share of a line below border i of 40 cells: 36 are even, and of these the first
 * and the last are cut in half, and their outer halves once more. */
static double share_of(size_t i)
{
    static const double first[3] = {0, 1.0 / 144, 1.0 / 72};
    return i < 3 ? first[i] : i > 37 ? 1 - first[40 - i] : ((double)i - 2) / 36;
}

/* What the bounds leave of the prior, in parts, and how much of an error's chance they
 * leave: P(an error leads from the true value to somewhere within them). */
static void test_bounded_lines(void **state)
{
    struct scene a;
    double value[40], chance[40], border[41], sum = 0;
    (void)state;
    set_scene(&a);
    const gpai_axis *x = &a.s.axis[1];
    const gpai_prior *p = &a.s.prior;
    gpai_line_cells(&a.s, x, 40, value, chance);
    gpai_line_borders(&a.s, x, 40, border);
    double from = gpai_prior_cdf(p, -0.5), to = gpai_prior_cdf(p, 2);
    for (size_t i = 0; i < 40; i++) {
        assert_true(value[i] > border[i] && value[i] < border[i + 1]);
        double share = (gpai_prior_cdf(p, value[i]) - from) / (to - from);
        double wide = share_of(i + 1) - share_of(i);
        assert_close(share, share_of(i) + wide / 2, 1e-12);
        double room =
            gpai_prior_cdf(p, value[i] + 0.5) - gpai_prior_cdf(p, value[i] - 2);
        assert_close(exp(chance[i]), (to - from) * wide / room, 1e-12);
        sum += exp(chance[i]);
    }
    assert_true(sum > to - from);
    leave_scene(&a);
}

/* Far on one side of the row, where the prior has next to nothing, the line still
 * covers the limits. */
static void test_far_lines(void **state)
{
    struct scene a;
    (void)state;
    set_scene(&a);
    gpai_axis x = a.s.axis[0];
    for (int side = -1; side <= 1; side += 2) {
        x.lo = side > 0 ? 60 : -61;
        x.hi = side > 0 ? 61 : -60;
        a.s.axis[0] = x;
        gpai_space_set_prior(&a.s, 0.1, 0.5);
        double before = -HUGE_VAL;
        for (size_t i = 0; i < 10; i++) {
            double v = gpai_line_at(&a.s, &a.s.axis[0], ((double)i + 0.5) / 10);
            assert_true(v > before && v >= x.lo && v <= x.hi);
            before = v;
        }
        assert_true(isfinite(gpai_line_mass(&a.s.axis[0])));
    }
    leave_scene(&a);
}

/* Steps within a range that is short, or not too far away: the chance that this row is
 * read where that one is true. */
static void test_steps(void **state)
{
    struct scene a;
    double value[40], chance[40];
    (void)state;
    set_scene(&a);
    /* from 3 down to 0 in steps of two units, and up to ten units */
    size_t n = gpai_candidates(&a.s, 2, value, chance);
    assert_int_equal(n, 3 + 5);
    double support[9];
    for (size_t i = 0; i < 9; i++)
        support[i] = 2 * (double)i - 6;
    for (size_t i = 0; i < n; i++) {
        double v = support[i < 3 ? i : i + 1], sum = 0;
        assert_close(value[i], v, 1e-12);
        for (size_t j = 0; j < 9; j++)
            if (fabs(support[j] - v) > 1e-9)
                sum += exp(-gpai_prior_penalty(&a.s.prior, support[j] - v));
        assert_close(exp(chance[i]), exp(-gpai_prior_penalty(&a.s.prior, v)) / sum,
                     1e-12);
    }
    leave_scene(&a);
}

/* Another level is read for each level with the same chance, never above 1/2. */
static void test_levels(void **state)
{
    static const double level[4] = {3, 5, 7, 9};
    double x = 5, unit = 1, value[8], chance[8];
    gpa_input in = {.kind = GPA_KIND_CHOICE,
                    .low = (double)NAN,
                    .high = (double)NAN,
                    .missing = (double)NAN,
                    .level = level};
    const gpai_limits limits = {.inputs = &in};
    gpai_problem p = {.n = 1, .d = 1, .x = &x, .unit = &unit, .eta = 1, .nu = 0.5};
    (void)state;
    for (in.levels = 2; in.levels <= 4; in.levels++) {
        for (int seen = 0; seen < 2; seen++) {
            gpai_space s;
            x = seen ? 5 : 4;
            assert_int_equal(gpai_space_open(&s, &p, &limits, NULL), GPA_OK);
            size_t n = gpai_candidates(&s, 0, value, chance);
            assert_int_equal(n, in.levels - (size_t)seen);
            for (size_t i = 0; i < n; i++) {
                double levels = (double)in.levels + 1 - seen;
                assert_close(exp(chance[i]), fmin(0.5, 1 / (levels - 1)), 1e-12);
                assert_true(value[i] == (double)(i + (seen && i > 0 ? 1 : 0)));
            }
            gpai_space_close(&s);
        }
    }
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
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 100, NULL), GPA_OK);
    plan(&a, &r, all, 4, 24);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, all, 4, NULL, NULL), GPA_OK);
    assert_int_equal(r.nodes[0], 25);
    assert_int_equal(r.nodes[1], 25);
    assert_int_equal(r.nodes[2], 9);
    assert_int_equal(r.nodes[3], 2);
    size_t points = 1 + 24 + 24 + 8 + 1;
    assert_int_equal(r.rows, ROWS * points);
    assert_int_equal(a.p.rows, ROWS * points);
    assert_int_equal(a.p.calls, 1);
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
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 100, NULL), GPA_OK);
    plan(&a, &r, all, 4, 4);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, all, 4, NULL, NULL), GPA_OK);
    assert_int_equal(r.nodes[1], 5);
    uint64_t before = r.rows;
    plan(&a, &r, some, 2, 24);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, some, 2, NULL, NULL), GPA_OK);
    assert_int_equal(r.nodes[0], 5);
    assert_int_equal(r.nodes[1], 25);
    assert_int_equal(r.rows - before, ROWS * (24 + 8));
    check_nodes(&a, &r);
    gpai_profile_close(&r);
    leave_scene(&a);
}

/* What is missing has values of its own, and no node for the rows as they are. */
static void test_gaps(void **state)
{
    static const size_t gap = 0;
    struct scene a;
    gpai_profile r;
    double value[3] = {2, 2, 5};
    (void)state;
    set_scene(&a);
    a.s.axis[0].gap = true;
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 10, NULL), GPA_OK);
    gpai_profile_plan(&r, &a.s, 0, value, 3);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, &gap, 1, NULL, NULL), GPA_OK);
    assert_int_equal(r.nodes[0], 2);
    assert_int_equal(r.rows, 3 * ROWS);
    for (size_t t = 0; t < ROWS; t++) {
        assert_close(r.f[t] - r.base[t], 2 - a.x[t * INPUTS], 1e-9);
        assert_close(r.f[ROWS + t] - r.base[t], 5 - a.x[t * INPUTS], 1e-9);
    }
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
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 100, NULL), GPA_OK);
    plan(&a, &r, &first, 1, 24);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, &first, 1, NULL, NULL), GPA_OK);
    gpai_profile_places(&r, 0, at, 6, place);
    gpai_profile_change(&r, 0, 1, place, 6, u);
    const double end = 6.1157165996532;
    const double want[6] = {-end / 2, -0.5, 0, 0.125, 1, end / 2};
    for (size_t i = 0; i < 6; i++)
        assert_close(u[i], want[i], 1e-9);
    assert_close(gpai_profile_reach(&r, 0, 1), end / 2, 1e-9);
    gpai_profile_close(&r);

    a.wall = 1.45; /* the second row moves by at most 1.9 units */
    assert_int_equal(gpai_profile_open(&r, &a.p, &a.s, 100, NULL), GPA_OK);
    plan(&a, &r, &first, 1, 24);
    assert_int_equal(gpai_profile_ask(&r, &a.p, &a.s, &first, 1, NULL, NULL), GPA_OK);
    gpai_profile_places(&r, 0, at, 6, place);
    gpai_profile_change(&r, 0, 1, place, 6, u);
    assert_true(isfinite(u[2]) && isfinite(u[3]) && isnan(u[4]) && isnan(u[5]));
    assert_true(a.p.nonfinite > 0);
    assert_close(gpai_profile_reach(&r, 0, 1), end / 2, 1e-9);
    gpai_profile_close(&r);
    leave_scene(&a);
}

/* Steps at -1 and 2.5 units, each of which one row knows of. */
static int stairs(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++, x += d)
        y[i] = x[1] > 0 ? (x[0] > -1 ? 1 : 0) : (x[0] > 2.5 ? 1 : 0);
    return 0;
}

/* Every other node waits, and is asked only where a row changes next to it. */
static void test_halves(void **state)
{
    double x[4] = {0, 1, 0, -1}, unit[2] = {1, 1};
    double value[8] = {-4, -3, -2, -0.5, 1, 2, 3, 4};
    static const double want[2][9] = {{0, 0, 0, 1, 1, 1, 1, 1, 1},
                                      {0, 0, 0, 0, 0, 0, 0, 1, 1}};
    static const size_t axis = 0;
    gpai_problem p = {.n = 2, .d = 2, .x = x, .unit = unit, .eta = 2, .nu = 0.1};
    gpai_limits none = {0};
    gpai_space s;
    gpai_profile r;
    (void)state;
    assert_int_equal(gpa_model_from_callback(&p.model, stairs, NULL, 2, NULL), GPA_OK);
    assert_int_equal(gpai_space_open(&s, &p, &none, NULL), GPA_OK);
    assert_int_equal(gpai_problem_open(&p, 100, NULL), GPA_OK);
    assert_int_equal(gpai_profile_open(&r, &p, &s, 20, NULL), GPA_OK);
    gpai_profile_plan(&r, &s, 0, value, 8);
    gpai_profile_put_off(&r, &s, 0); /* -3, -0.5, 1 and 3 */
    assert_int_equal(gpai_profile_ask(&r, &p, &s, &axis, 1, NULL, NULL), GPA_OK);
    assert_int_equal(r.rows, 2 * (1 + 4));
    assert_int_equal(gpai_profile_settle(&r, 0), 2); /* -0.5 and 3 */
    assert_int_equal(gpai_profile_ask(&r, &p, &s, &axis, 1, NULL, NULL), GPA_OK);
    assert_int_equal(r.rows, 2 * (1 + 6));
    assert_int_equal(p.calls, 2);
    assert_int_equal(r.nodes[0], 9);
    for (size_t j = 0; j < 9; j++)
        for (size_t t = 0; t < 2; t++)
            assert_true(r.f[j * 2 + t] == want[t][j]);
    gpai_profile_close(&r);
    gpai_problem_close(&p);
    gpai_space_close(&s);
    gpa_model_free(p.model);
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
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpai_profile_open(&r, &a.p, &a.s, 100, NULL);
            if (st == GPA_OK) {
                plan(&a, &r, all, 4, 24);
                st = gpai_profile_ask(&r, &a.p, &a.s, all, 4, NULL, NULL);
            }
            bool reached = gpai_alloc_count() >= k;
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, reached ? GPA_NOMEM : GPA_OK);
            gpai_profile_close(&r);
            assert_true(k < 20);
        }
    }
    leave_scene(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),         cmocka_unit_test(test_bounded_lines),
        cmocka_unit_test(test_far_lines),     cmocka_unit_test(test_steps),
        cmocka_unit_test(test_levels),        cmocka_unit_test(test_one_round),
        cmocka_unit_test(test_two_rounds),    cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_changes),       cmocka_unit_test(test_halves),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
