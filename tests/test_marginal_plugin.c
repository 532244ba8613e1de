/* Conditionals with the other inputs at the MAP, against quadrature along each axis. */
#include "sampling_support.h"

#include "engine/marginals/marginals.h"

static void condition(struct rig *r, const double *map)
{
    double f_map[8];
    gpa_error err;
    uint64_t most = gpai_marginal_plugin_rows(&r->p, &r->s);
    memcpy(r->e->delta, map, r->d * sizeof *map);
    assert_int_equal(gpai_predict_points(&r->p, map, NULL, 1, f_map, &err), GPA_OK);
    uint64_t before = r->p.rows;
    if (gpai_marginal_plugin(&r->p, &r->s, map, f_map, r->e, &err) != GPA_OK)
        fail_msg("%s", err.message);
    assert_true(r->p.rows - before <= most);
    for (size_t k = 0; k < r->d; k++) {
        check_shape(&r->e->marginals[k]);
        if (r->e->marginals[k].levels == 0)
            assert_close(r->e->marginals[k].map, map[k], 0);
    }
}

/* Likelihood with axis k at a value, the rest at the MAP. */
static double likelihood(struct rig *r, const double *map, size_t k, double value)
{
    double f[8];
    for (size_t t = 0; t < r->n; t++) {
        double x[16];
        for (size_t j = 0; j < r->d; j++)
            x[j] = r->x[t * r->d + j] + r->unit[j] * (j == k ? value : map[j]);
        f[t] = r->f(x);
    }
    return exp(-gpai_data_term(&r->p, f));
}

struct truth {
    double bin[25], mean, sd, positive, information;
};

/* The midpoint rule in z, where the prior is N(0, 1). */
static struct truth quadrature(struct rig *r, const double *map, size_t k)
{
    enum { N = 200000 };
    struct truth w = {0};
    double total = 0, second = 0, entropy = 0, prior = 0;
    for (size_t i = 0; i < N; i++) {
        double z = 14 * (((double)i + 0.5) / N - 0.5);
        double v = -gpai_prior_quantile(&r->s.prior, gpai_norm_cdf(-fabs(z)));
        v = z < 0 ? -v : v;
        double l = likelihood(r, map, k, v), q = l * gpai_norm_pdf(z);
        prior += gpai_norm_pdf(z);
        total += q;
        w.bin[(size_t)(25 * gpai_norm_cdf(z))] += q;
        w.mean += q * v;
        second += q * v * v;
        w.positive += v > 0 ? q : 0;
        entropy += q > 0 ? q * log(l) : 0;
    }
    for (size_t b = 0; b < 25; b++)
        w.bin[b] /= total;
    w.mean /= total;
    w.sd = sqrt(second / total - w.mean * w.mean);
    w.positive /= total;
    w.information = entropy / total - log(total / prior);
    return w;
}

static double plane(const double *x)
{
    return x[0] - 2 * x[1] + 0.1 * x[2];
}

static double wave(const double *x)
{
    static const double PI = 3.14159265358979323846;
    return 2 * cos(PI * x[0]) * cos(PI * x[1]);
}

static double bend(const double *x)
{
    return tanh(x[0]) + x[1] * x[1];
}

static double steep(const double *x)
{
    return 200 * x[0] + x[1];
}

static void like_quadrature(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*f)(const double *x);
        size_t n, d;
        double y, b, eta, map[3], worst;
    } cases[] = {
        {"plane", plane, 1, 3, 2, 0.5, 0.4, {0.3, -0.8, 0}, 0.02},
        {"plane, three rows", plane, 3, 3, 2, 0.5, 0.4, {0.3, -0.8, 0}, 0.02},
        {"sinusoid", wave, 1, 2, 1, 0.1, 4, {-0.15, 0.02}, 0.03},
        {"bend", bend, 1, 2, 1.5, 0.3, 0.4, {0.6, 0.9}, 0.03},
        {"needle", steep, 1, 2, 60, 0.3, 0.4, {0.3, 0}, 0.03},
        {"needle far out", steep, 1, 2, 1300, 0.3, 0.4, {6.5, 0}, 0.03},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r = {.f = cases[i].f,
                        .n = cases[i].n,
                        .d = cases[i].d,
                        .a = 5.5,
                        .eta = cases[i].eta,
                        .nu = 0.5};
        for (size_t t = 0; t < r.n; t++) {
            r.y[t] = cases[i].y + 0.1 * (double)t;
            r.b[t] = cases[i].b;
        }
        rig_open(&r, 200);
        condition(&r, cases[i].map);
        assert_int_equal(r.seen_rows, r.n * (24 * r.d + 1));
        assert_int_equal(r.p.calls, 6); /* one for the MAP */
        for (size_t k = 0; k < r.d; k++) {
            struct truth want = quadrature(&r, cases[i].map, k);
            const gpa_marginal *m = &r.e->marginals[k];
            double tv = 0;
            for (size_t b = 0; b < 25; b++) {
                double lo =
                    b > 0 ? gpai_prior_quantile(&r.s.prior, (double)b / 25) : -99;
                double hi =
                    b < 24 ? gpai_prior_quantile(&r.s.prior, (double)(b + 1) / 25) : 99;
                tv += 0.5 * fabs(want.bin[b] - shown_mass(m, lo, hi));
            }
            print_message("%s: input %zu: variation %.4f mean %g (%g) sd %g (%g) "
                          "information %g (%g)\n",
                          cases[i].name, k + 1, tv, m->mean, want.mean, m->sd, want.sd,
                          m->information, want.information);
            assert_true(tv < cases[i].worst);
            assert_close(m->mean, want.mean, 0.08 * want.sd);
            assert_close(m->sd, want.sd, 0.1 * want.sd);
            assert_close(m->p_positive, want.positive, 0.02);
            assert_close(m->information, want.information,
                         0.03 + 0.03 * want.information);
        }
        rig_close(&r);
    }
}

static double hole(const double *x)
{
    return x[0] > 0.5 ? (double)NAN : x[0] + x[1];
}

static void non_finite_has_no_mass(void **state)
{
    (void)state;
    static const double map[2] = {0.2, 0.3};
    struct rig r = {.f = hole,
                    .n = 1,
                    .d = 2,
                    .y = {0.5},
                    .b = {1},
                    .a = 5.5,
                    .eta = 0.4,
                    .nu = 0.5};
    rig_open(&r, 100);
    condition(&r, map);
    assert_true(r.p.nonfinite > 0);
    assert_true(r.e->marginals[0].interval90[1] <= 0.5);
    assert_true(r.e->marginals[1].interval90[1] > 0.7);
    rig_close(&r);
}

static double mixed(const double *x)
{
    return 0.5 * x[0] + 0.9 * x[2] - x[3] + 0.02 * x[4] + 0.3 * x[5];
}

/* Steps, a group, many steps, bounds: each feasible value once, the masses exact. */
static void values_are_asked_once(void **state)
{
    (void)state;
    static const unsigned char integer[6] = {1, 0, 0, 0, 1, 0};
    static const size_t group[6] = {0, 3, 3, 3, 0, 0};
    static const double map[6] = {1, 0, 0, 0, 0, 0.1};
    double lower[6] = {-3, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -0.2};
    double upper[6] = {4, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, 0.7};
    struct rig r = {.f = mixed,
                    .n = 1,
                    .d = 6,
                    .x = {0, 1, 0, 0, 40, 0},
                    .y = {2},
                    .b = {0.5},
                    .unit = {1, 1, 1, 1, 12, 1},
                    .a = 5.5,
                    .eta = 0.4,
                    .nu = 0.5};
    r.limits = (gpai_limits){
        .lower = lower, .upper = upper, .integer = integer, .group = group};
    rig_open(&r, 100);
    condition(&r, map);
    for (size_t i = 0; i < r.seen_rows; i++) {
        const double *x = r.seen + i * 6;
        assert_true(x[0] == nearbyint(x[0]) && x[0] >= -3 && x[0] <= 4);
        assert_true(x[1] + x[2] + x[3] == 1 && x[1] * x[2] + x[2] * x[3] == 0);
        assert_true(x[4] == nearbyint(x[4]));
        assert_true(x[5] >= -0.2 && x[5] <= 0.7);
        for (size_t j = 0; j < i; j++)
            assert_true(memcmp(x, r.seen + j * 6, 6 * sizeof *x) != 0);
    }
    /* 1 for the MAP, 7 other steps, 2 other categories, 24, 24 */
    assert_int_equal(r.seen_rows, 1 + 7 + 2 + 24 + 24);
    const gpa_marginal *m = r.e->marginals;
    double mass[8], total = 0, shown = 0;
    for (size_t j = 0; j < 8; j++) { /* steps -3 .. 4, the ends cut at their value */
        double v = (double)j - 3;
        mass[j] = gpai_prior_cdf(&r.s.prior, fmin(v + 0.5, 4)) -
                  gpai_prior_cdf(&r.s.prior, fmax(v - 0.5, -3));
        mass[j] *= likelihood(&r, map, 0, v);
        total += mass[j];
    }
    for (size_t j = 0; j < m[0].points; j++)
        shown += m[0].density[j];
    for (size_t j = 0; j < m[0].points; j++)
        assert_close(m[0].density[j] / shown,
                     mass[(size_t)nearbyint(m[0].grid[j] + 3)] / total, 2e-3);
    /* categories 0 (now), 1, 2; a move costs eta/2 + eta nu = .4 */
    double base = 0.5 + 0.8 + 0.03, f[3] = {base, base + 0.9, base - 1}, p[3], sum = 0;
    for (size_t j = 0; j < 3; j++) {
        p[j] = exp(-gpai_data_term(&r.p, &f[j]) - (j > 0 ? 0.4 : 0));
        sum += p[j];
    }
    for (size_t j = 0; j < 3; j++)
        assert_close(m[1].mass[j], p[j] / sum, 1e-9);
    rig_close(&r);
}

static void flat_and_frozen(void **state)
{
    (void)state;
    static const unsigned char frozen[3] = {0, 0, 1};
    static const double map[3] = {0, 0, 0};
    struct rig r = {.f = plane,
                    .n = 1,
                    .d = 3,
                    .y = {0},
                    .b = {1e12},
                    .a = 5.5,
                    .eta = 0.4,
                    .nu = 0.5};
    r.limits.frozen = frozen;
    rig_open(&r, 100);
    condition(&r, map);
    assert_int_equal(r.seen_rows, 1 + 2 * 24);
    for (size_t k = 0; k < 2; k++) {
        assert_close(r.e->marginals[k].information, 0, 1e-9);
        assert_close(r.e->marginals[k].interval50[1],
                     gpai_prior_quantile(&r.s.prior, 0.75), 1e-6);
    }
    assert_int_equal(r.e->marginals[2].points, 0);
    assert_close(r.e->marginals[2].interval90[0], 0, 0);
    rig_close(&r);
}

static void memory_runs_out(void **state)
{
    (void)state;
    static const double map[2] = {0.1, 0}, f_map[1] = {0.5};
    struct rig r = {
        .f = wave, .n = 1, .d = 2, .y = {1}, .b = {0.1}, .a = 5.5, .eta = 1};
    rig_open(&r, 50);
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (size_t k = 1;; k++) {
            gpa_error err;
            gpai_alloc_fail_at(k, for_ever);
            gpa_status st = gpai_marginal_plugin(&r.p, &r.s, map, f_map, r.e, &err);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, tried < k ? GPA_OK : GPA_NOMEM);
            if (st == GPA_OK)
                break;
        }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_quadrature),
        cmocka_unit_test(non_finite_has_no_mass),
        cmocka_unit_test(values_are_asked_once),
        cmocka_unit_test(flat_and_frozen),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
