/* Masses on axes and what is shown of them, against closed forms. */
#include "sampling_support.h"

#include "engine/marginals/cells.h"

static double zero(const double *x)
{
    (void)x;
    return 0;
}

/* The fast map from z to values is the space's own. */
static void chart_follows_the_space(void **state)
{
    (void)state;
    static const double etas[] = {0.05, 0.4, 4}, nus[] = {0, 0.5, 3};
    for (size_t i = 0; i < 9; i++) {
        double lower[5] = {-HUGE_VAL, -0.3, 0.2, -HUGE_VAL, -2};
        double upper[5] = {HUGE_VAL, HUGE_VAL, 1.4, HUGE_VAL, 3};
        unsigned char integer[5] = {0, 0, 0, 1, 1};
        struct rig r = {
            .f = zero, .n = 1, .d = 5, .eta = etas[i % 3], .nu = nus[i / 3]};
        r.limits = (gpai_limits){.lower = lower, .upper = upper, .integer = integer};
        r.a = r.b[0] = 1;
        r.unit[3] = 0.7;
        rig_open(&r, 100);
        gpai_quantiles c;
        assert_int_equal(gpai_quantiles_open(&c, &r.s, NULL), GPA_OK);
        double scale = sqrt(gpai_prior_variance(&r.s.prior));
        for (double z = -5.9; z < 6; z += 0.0317)
            for (size_t k = 0; k < 5; k++) {
                double want = gpai_axis_quantile(&r.s, k, gpai_norm_cdf(z));
                double got = gpai_quantiles_value(&c, k, z);
                /* 1 - u has lost digits above z = 4 or so, not the quantiles */
                double tol = z < 4 ? 1e-10 * scale : 1e-5 * scale;
                if (r.s.axis[k].kind == GPAI_AXIS_STEP && fabs(got - want) > tol)
                    fail_msg("step axis at z = %g: %g, not %g", z, got, want);
                assert_close(got, want, tol);
                if (k < 2 && z < 4)
                    assert_close(gpai_quantiles_z(&c, k, got), z, 1e-7);
            }
        gpai_quantiles_close(&c);
        rig_close(&r);
    }
}

/* eta = 1, nu = 0: the prior is N(0, 1) and z is the value. A fine weighted sample of
 * N(mean, sd^2) must come out as that: also where cells of equal prior probability
 * could not show it. */
static void normals_come_out_as_normals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double mean, sd;
    } cases[] = {
        {"the prior", 0, 1},
        {"ordinary", 0.5, 0.8},
        {"narrow", 0.2, 0.01},
        {"needle", -1.5, 1e-5},
        {"far out", 4.5, 0.2},
        {"far out and narrow", -5.5, 0.01},
        {"wide in the tail", 2.5, 0.5},
        {"half in the tail", 1.69, 0.9},
    };
    enum { N = 40001 };
    static double z[N], w[N];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double mean = cases[i].mean, sd = cases[i].sd;
        struct rig r = {.f = zero, .n = 1, .d = 1, .eta = 1, .nu = 0, .a = 1, .b = {1}};
        rig_open(&r, 100);
        gpai_cells c;
        assert_int_equal(gpai_cells_open(&c, &r.s, NULL), GPA_OK);
        for (size_t j = 0; j < N; j++) {
            double t = 16 * ((double)j / (N - 1) - 0.5);
            z[j] = mean + sd * t;
            w[j] = exp(-0.5 * t * t);
        }
        gpai_cells_aim(&c, z, w, N);
        gpai_cells_add(&c, z, NULL, w, N);
        gpai_cells_finish(&c, 1e9);
        assert_int_equal(gpai_cells_show(&c, r.e, NULL), GPA_OK);
        const gpa_marginal *m = &r.e->marginals[0];
        print_message("%s: mean %g sd %g information %g\n", cases[i].name, m->mean,
                      m->sd, m->information);
        check_shape(m);
        assert_int_equal(m->points, 100);
        assert_close(m->mean, mean, 0.02 * sd);
        assert_close(m->sd, sd, 0.03 * sd);
        assert_close(m->interval90[0], mean - 1.6448536 * sd, 0.03 * sd);
        assert_close(m->interval90[1], mean + 1.6448536 * sd, 0.03 * sd);
        assert_close(m->interval50[0], mean - 0.6744898 * sd, 0.02 * sd);
        assert_close(m->p_positive, gpai_norm_cdf(mean / sd), 2e-3);
        double kl = -log(sd) + 0.5 * (sd * sd + mean * mean - 1);
        assert_close(m->information, kl, 0.01 + 0.002 * kl);
        /* the plot: little outside, and the curve where it should be */
        double out = gpai_norm_cdf((m->grid[0] - mean) / sd) +
                     gpai_norm_cdf((mean - m->grid[99]) / sd);
        assert_true(out < 1e-3);
        for (size_t j = 0; j < 100; j++) {
            double t = (m->grid[j] - mean) / sd;
            assert_close(m->density[j] * sd, gpai_norm_pdf(t), 0.015);
        }
        gpai_cells_close(&c);
        rig_close(&r);
    }
}

/* A plot of two needles on a wide plain shows both needles. */
static void narrow_peaks_are_drawn(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct rig r = {.f = zero, .n = 1, .d = 1, .eta = 1, .nu = 0, .a = 1, .b = {1}};
    rig_open(&r, 100);
    gpai_cells c;
    assert_int_equal(gpai_cells_open(&c, &r.s, NULL), GPA_OK);
    double *z = calloc(N, sizeof *z), *w = calloc(N, sizeof *w);
    for (size_t j = 0; j < N; j++) { /* .4 at -1, .4 at .7, the rest even */
        double u = ((double)j + 0.5) / N, t = gpai_norm_quantile(fmod(u * 5, 1));
        z[j] = u < 0.4 ? -1 + 0.03 * t : u < 0.8 ? 0.7 + 0.03 * t : t;
        w[j] = 1;
    }
    gpai_cells_aim(&c, z, w, N);
    gpai_cells_add(&c, z, NULL, w, N);
    gpai_cells_finish(&c, N);
    assert_int_equal(gpai_cells_show(&c, r.e, NULL), GPA_OK);
    const gpa_marginal *m = &r.e->marginals[0];
    check_shape(m);
    assert_close(shown_mass(m, -1.1, -0.9), 0.4 + 0.2 * 0.0484, 0.02);
    assert_close(shown_mass(m, 0.6, 0.8), 0.4 + 0.2 * 0.0624, 0.02);
    double top = 0;
    for (size_t j = 0; j < m->points; j++)
        top = fmax(top, m->density[j]);
    assert_close(top, 0.4 * 0.398942 / 0.03, 0.6);
    free(z);
    free(w);
    gpai_cells_close(&c);
    rig_close(&r);
}

/* The kink of the prior at 0 is a point of the grid. */
static void prior_is_shown_exactly(void **state)
{
    (void)state;
    static const double nus[] = {0, 0.5, 2};
    for (size_t i = 0; i < 3; i++) {
        struct rig r = {
            .f = zero, .n = 1, .d = 1, .eta = 0.4, .nu = nus[i], .a = 1, .b = {1}};
        rig_open(&r, 100);
        gpai_cells c;
        assert_int_equal(gpai_cells_open(&c, &r.s, NULL), GPA_OK);
        gpai_cells_prior(&c);
        assert_int_equal(gpai_cells_show(&c, r.e, NULL), GPA_OK);
        const gpa_marginal *m = &r.e->marginals[0];
        bool kink = false;
        check_shape(m);
        for (size_t j = 0; j < m->points; j++) {
            assert_close(m->density[j], exp(gpai_prior_logpdf(&r.s.prior, m->grid[j])),
                         3e-3);
            kink = kink || m->grid[j] == 0;
        }
        assert_true(kink);
        assert_close(m->information, 0, 1e-12);
        assert_close(m->p_positive, 0.5, 1e-12);
        assert_close(m->mean, 0, 1e-12);
        assert_close(m->sd, sqrt(gpai_prior_variance(&r.s.prior)), 5e-3);
        assert_close(m->interval90[1], gpai_prior_quantile(&r.s.prior, 0.95), 1e-9);
        gpai_cells_close(&c);
        rig_close(&r);
    }
}

/* Inputs: whole steps, a group of three (in category 1), frozen, bounded. */
static void values_have_masses(void **state)
{
    (void)state;
    static const unsigned char integer[6] = {1, 0, 0, 0, 0, 0},
                               frozen[6] = {0, 0, 0, 0, 1, 0};
    static const size_t group[6] = {0, 7, 7, 7, 0, 0};
    static const double none = HUGE_VAL;
    double lower[6] = {-none, -none, -none, -none, -none, -0.5},
           upper[6] = {none, none, none, none, none, 1};
    struct rig r = {.f = zero,
                    .n = 1,
                    .d = 6,
                    .x = {5, 0, 1, 0, 2, 0},
                    .eta = 0.4,
                    .nu = 0.5,
                    .a = 1,
                    .b = {1}};
    r.limits = (gpai_limits){.frozen = frozen,
                             .lower = lower,
                             .upper = upper,
                             .integer = integer,
                             .group = group};
    rig_open(&r, 100);
    gpai_cells c;
    assert_int_equal(gpai_cells_open(&c, &r.s, NULL), GPA_OK);
    for (size_t k = 0; k < 6; k++)
        r.e->delta[k] = (double)k;
    gpai_cells_prior(&c);
    assert_int_equal(gpai_cells_show(&c, r.e, NULL), GPA_OK);
    const gpa_marginal *m = r.e->marginals;
    for (size_t k = 0; k < 6; k++) {
        check_shape(&m[k]);
        if (k == 0 || k > 3)
            assert_close(m[k].map, (double)k, 0);
        assert_close(m[k].information, 0, 1e-12);
    }
    /* steps: delta is rounded, so P(delta = 0) = P(|.| < 1/2) = 2 cdf(1/2) - 1 */
    double at_zero = 0, sum = 0;
    for (size_t j = 0; j < m[0].points; j++) {
        assert_close(m[0].grid[j], nearbyint(m[0].grid[j]), 0);
        sum += m[0].density[j];
        if (m[0].grid[j] == 0)
            at_zero = m[0].density[j];
    }
    assert_close(at_zero / sum, 2 * gpai_prior_cdf(&r.s.prior, 0.5) - 1, 1e-3);
    assert_close(m[0].p_positive, 1 - gpai_prior_cdf(&r.s.prior, 0.5), 1e-9);
    assert_close(m[0].interval90[1], nearbyint(m[0].interval90[1]), 0);
    /* the group: staying costs nothing, a move what one unit costs, eta/2 + eta nu */
    double move = exp(-0.4) / (1 + 2 * exp(-0.4));
    for (size_t k = 1; k < 4; k++) {
        assert_int_equal(m[k].levels, 3);
        for (size_t j = 0; j < 3; j++) {
            assert_close(m[k].level[j], (double)j, 0);
            assert_close(m[k].mass[j], j == 1 ? 1 - 2 * move : move, 1e-9);
        }
    }
    /* frozen */
    assert_int_equal(m[4].points, 0);
    assert_close(m[4].mean, 0, 0);
    assert_close(m[4].sd, 0, 0);
    assert_close(m[4].interval90[1], 0, 0);
    assert_close(m[4].p_positive, 0, 0);
    /* bounds */
    assert_true(m[5].grid[0] >= -0.5 && m[5].grid[m[5].points - 1] <= 1);
    double lo = gpai_prior_cdf(&r.s.prior, -0.5), hi = gpai_prior_cdf(&r.s.prior, 1);
    assert_close(m[5].p_positive, (hi - 0.5) / (hi - lo), 1e-9);
    gpai_cells_close(&c);
    rig_close(&r);
}

/* A STEP axis with more values than cells can be counted: points are values still. */
static void many_steps(void **state)
{
    (void)state;
    static const unsigned char integer[1] = {1};
    struct rig r = {.f = zero, .n = 1, .d = 1, .unit = {30}, .eta = 0.4, .nu = 0.5};
    r.a = r.b[0] = 1;
    r.limits.integer = integer;
    rig_open(&r, 100);
    gpai_cells c;
    assert_int_equal(gpai_cells_open(&c, &r.s, NULL), GPA_OK);
    gpai_cells_prior(&c);
    assert_int_equal(gpai_cells_show(&c, r.e, NULL), GPA_OK);
    const gpa_marginal *m = r.e->marginals;
    check_shape(m);
    assert_true(m->points > 50);
    for (size_t j = 0; j < m->points; j++) {
        assert_close(30 * m->grid[j], nearbyint(30 * m->grid[j]), 1e-9);
        assert_close(m->density[j], exp(gpai_prior_logpdf(&r.s.prior, m->grid[j])),
                     0.01);
    }
    assert_close(30 * m->interval90[0], nearbyint(30 * m->interval90[0]), 1e-9);
    assert_close(m->interval90[0], gpai_prior_quantile(&r.s.prior, 0.05), 0.5 / 30);
    gpai_cells_close(&c);
    rig_close(&r);
}

/* The estimate must come nearer to the truth than the raw histogram, and nearer than
 * that to the uniform when the truth is uniform. */
static void smoothing_removes_noise(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double slope, peak; /* density 1 + slope (u - 1/2), and mass in u = .3 +- .02 */
        double share;       /* of the histogram's error that may stay */
    } cases[] = {{"uniform", 0, 0, 0.1}, {"slope", 1, 0, 0.25}, {"peak", 0, 0.5, 0.5}};
    enum { DRAWS = 500 };
    for (size_t i = 0; i < 3; i++) {
        double truth[GPAI_CELLS], before = 0, after = 0, sum = 0;
        for (size_t j = 0; j < GPAI_CELLS; j++) {
            double u = ((double)j + 0.5) / GPAI_CELLS;
            truth[j] = (1 + cases[i].slope * (u - 0.5)) / GPAI_CELLS +
                       cases[i].peak * exp(-0.5 * pow((u - 0.3) / 0.02, 2)) * 0.05;
            sum += truth[j];
        }
        for (uint64_t seed = 0; seed < 20; seed++) {
            gpai_rng rng = gpai_rng_make(seed, 3);
            double mass[GPAI_CELLS] = {0}, scratch[GPAI_SMOOTH_SCRATCH], total = 0;
            for (size_t k = 0; k < DRAWS; k++) {
                double u = gpai_rng_unit(&rng) * sum;
                size_t j = 0;
                while (j + 1 < GPAI_CELLS && u > truth[j])
                    u -= truth[j++];
                mass[j] += 1.0 / DRAWS;
            }
            for (size_t j = 0; j < GPAI_CELLS; j++)
                before += fabs(mass[j] - truth[j] / sum);
            gpai_smoother s;
            gpai_smoother_make(&s);
            gpai_smooth_two(&s, mass, NULL, DRAWS, scratch);
            for (size_t j = 0; j < GPAI_CELLS; j++) {
                assert_true(mass[j] >= 0);
                after += fabs(mass[j] - truth[j] / sum);
                total += mass[j];
            }
            assert_close(total, 1, 1e-6);
        }
        print_message("%s: error %.3f of the histogram's\n", cases[i].name,
                      after / before);
        assert_true(after < cases[i].share * before);
    }
}

static void memory_runs_out(void **state)
{
    (void)state;
    struct rig r = {.f = zero, .n = 1, .d = 3, .eta = 1, .nu = 0, .a = 1, .b = {1}};
    rig_open(&r, 50);
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (size_t k = 1;; k++) {
            gpai_cells c;
            gpai_alloc_fail_at(k, for_ever);
            gpa_status st = gpai_cells_open(&c, &r.s, NULL);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            gpai_cells_close(&c);
            assert_int_equal(st, tried < k ? GPA_OK : GPA_NOMEM);
            if (st == GPA_OK)
                break;
        }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chart_follows_the_space),
        cmocka_unit_test(normals_come_out_as_normals),
        cmocka_unit_test(narrow_peaks_are_drawn),
        cmocka_unit_test(prior_is_shown_exactly),
        cmocka_unit_test(values_have_masses),
        cmocka_unit_test(many_steps),
        cmocka_unit_test(smoothing_removes_noise),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
