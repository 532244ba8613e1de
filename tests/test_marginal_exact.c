/* Sampled marginals against closed forms, quadrature, and a gold run of millions of
 * draws on the Diabetes model. */
#include "sampling_support.h"

#include "engine/marginals/marginals.h"
#include <jansson.h>

static const double NONE = HUGE_VAL;

static gpai_sampling sample(struct rig *r, size_t rows, uint64_t seed)
{
    gpai_sampling out;
    gpa_error err;
    if (gpai_marginal_exact(&r->p, &r->s, rows, seed, 3, r->e, &out, &err) != GPA_OK)
        fail_msg("%s", err.message);
    for (size_t k = 0; k < r->d && out.draws > 0; k++)
        check_shape(&r->e->marginals[k]);
    return out;
}

static const double SLOPE[3] = {1, -2, 0.5};

static double plane(const double *x)
{
    return SLOPE[0] * x[0] + SLOPE[1] * x[1] + SLOPE[2] * x[2];
}

/* nu = 0 and a -> infinity with b = a s^2 make everything normal: the posterior has
 * precision eta I + n g g' / s^2 and mean g r n / (s^2 eta + n |g|^2). With n rows that
 * share x the same holds, f being the same for all. */
static void linear_and_normal(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t n;
        double s, y;
    } cases[] = {
        {"one row", 1, 0.5, 2}, {"loud noise", 1, 5, 2},
        {"sharp", 1, 1e-3, 1},  {"three rows", 3, 0.5, 2},
        {"far out", 1, 0.3, 9}, {"eight sharp rows", 8, 0.01, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r = {.f = plane, .n = cases[i].n, .d = 3, .a = 1e7, .eta = 1};
        double s2 = cases[i].s * cases[i].s, gg = 5.25, n = (double)r.n;
        for (size_t t = 0; t < r.n; t++) {
            r.y[t] = cases[i].y;
            r.b[t] = r.a * s2;
        }
        rig_open(&r, 100);
        gpai_sampling out = sample(&r, 4096, 1);
        print_message("%s: ess %.0f of %zu\n", cases[i].name, out.ess, out.draws);
        assert_int_equal(r.p.calls, 4);
        assert_int_equal(r.p.rows, 4096 * r.n);
        assert_int_equal(r.seen_rows, 4096 * r.n);
        assert_true(out.ess > 1000);
        for (size_t k = 0; k < 3; k++) {
            const gpa_marginal *m = &r.e->marginals[k];
            double g = SLOPE[k], mean = g * cases[i].y * n / (s2 + n * gg);
            double sd = sqrt(1 - n * g * g / (s2 + n * gg));
            assert_close(m->mean, mean, 0.05 * sd);
            assert_close(m->sd, sd, 0.05 * sd);
            assert_close(m->interval90[0], mean - 1.645 * sd, 0.2 * sd);
            assert_close(m->interval90[1], mean + 1.645 * sd, 0.2 * sd);
            assert_close(m->p_positive, gpai_norm_cdf(mean / sd), 0.03);
            double kl = -log(sd) + 0.5 * (sd * sd + mean * mean - 1);
            assert_close(m->information, kl,
                         0.03 + 0.12 * kl); /* smoothing takes some */
        }
        /* the evidence: r ~ N(0, s^2 + |g|^2) for each row, without the normal's
         * constant 1 / sqrt(2 pi s^2), jointly over n rows */
        double log_evidence = 0.5 * log(s2 / (s2 + n * gg)) -
                              0.5 * n * cases[i].y * cases[i].y / (s2 + n * gg);
        assert_close(out.log_evidence, log_evidence, 0.05);
        rig_close(&r);
    }
}

static double wave(const double *x)
{
    static const double PI = 3.14159265358979323846;
    return 2 * cos(PI * x[0]) * cos(PI * x[1]);
}

static double ripple(const double *x)
{
    return sin(3 * x[0]);
}

/* Posterior mass of 25 bins of equal prior probability along axis k, by brute force:
 * the midpoint rule in prior probability. */
static void quadrature(const struct rig *r, size_t k, size_t side, double bin[25])
{
    gpai_prior prior = gpai_prior_make(r->eta, r->nu);
    double total = 0, f[8];
    memset(bin, 0, 25 * sizeof *bin);
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < (r->d == 2 ? side : 1); j++) {
            double u = ((double)i + 0.5) / (double)side,
                   v = ((double)j + 0.5) / (double)side;
            double delta[2] = {gpai_prior_quantile(&prior, k == 0 ? u : v),
                               gpai_prior_quantile(&prior, k == 0 ? v : u)};
            for (size_t t = 0; t < r->n; t++) {
                double x[2] = {r->x[t * r->d] + delta[0],
                               r->d == 2 ? r->x[t * r->d + 1] + delta[1] : 0};
                f[t] = r->f(x);
            }
            double mass = exp(-gpai_data_term(&r->p, f));
            bin[(size_t)(u * 25)] += mass;
            total += mass;
        }
    for (size_t b = 0; b < 25; b++)
        bin[b] /= total;
}

static void shown_bins(const struct rig *r, size_t k, double bin[25])
{
    gpai_prior prior = gpai_prior_make(r->eta, r->nu);
    for (size_t b = 0; b < 25; b++)
        bin[b] = shown_mass(&r->e->marginals[k],
                            b > 0 ? gpai_prior_quantile(&prior, (double)b / 25.0) : -99,
                            b < 24 ? gpai_prior_quantile(&prior, (double)(b + 1) / 25.0)
                                   : 99);
}

static double variation(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += 0.5 * fabs(a[i] - b[i]);
    return sum;
}

/* Many modes: the sinusoid, one and several rows, one and two inputs. */
static void many_modes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*f)(const double *x);
        size_t n, d;
        double eta, worst; /* variation allowed */
    } cases[] = {
        {"one input", ripple, 1, 1, 0.4, 0.05},
        {"one input, sharp prior", ripple, 1, 1, 4, 0.04},
        {"sinusoid", wave, 1, 2, 4, 0.1},
        {"sinusoid, wide prior", wave, 1, 2, 0.4, 0.12},
        {"three rows together", wave, 3, 2, 4, 0.15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r = {.f = cases[i].f,
                        .n = cases[i].n,
                        .d = cases[i].d,
                        .x = {0.5, 0, 0.45, 0.1, 0.55, -0.1},
                        .y = {1, 0.9, 0.8},
                        .b = {0.1, 0.1, 0.1},
                        .a = 5.5,
                        .eta = cases[i].eta,
                        .nu = 0.5};
        rig_open(&r, 400);
        gpai_sampling out = sample(&r, 4096, 1);
        for (size_t k = 0; k < r.d; k++) {
            double want[25], got[25];
            quadrature(&r, k, r.d == 1 ? 50000 : 1000, want);
            shown_bins(&r, k, got);
            double tv = variation(want, got, 25);
            print_message("%s: input %zu: variation %.3f, ess %.0f\n", cases[i].name,
                          k + 1, tv, out.ess);
            assert_true(tv < cases[i].worst);
        }
        rig_close(&r);
    }
}

static double flat(const double *x)
{
    (void)x;
    return 7;
}

static void flat_is_the_prior(void **state)
{
    (void)state;
    struct rig r = {
        .f = flat, .n = 1, .d = 2, .y = {9}, .b = {1}, .a = 3, .eta = 0.4, .nu = 0.5};
    rig_open(&r, 100);
    gpai_sampling out = sample(&r, 512, 5);
    assert_close(out.ess, 512, 1e-6);
    assert_close(out.log_evidence, -3.5 * log1p(2), 1e-9);
    for (size_t k = 0; k < 2; k++) {
        const gpa_marginal *m = &r.e->marginals[k];
        assert_close(m->information, 0, 1e-12);
        assert_close(m->mean, 0, 1e-12);
        assert_close(m->p_positive, 0.5, 1e-12);
        assert_close(m->interval90[0], gpai_prior_quantile(&r.s.prior, 0.05), 1e-9);
    }
    rig_close(&r);
}

static double half(const double *x)
{
    return x[0] > 0 ? (double)NAN : x[0] + x[1];
}

static double nothing(const double *x)
{
    (void)x;
    return (double)NAN;
}

static void no_predictions(void **state)
{
    (void)state;
    struct rig r = {.f = half,
                    .n = 1,
                    .d = 2,
                    .x = {-0.5, 0},
                    .y = {1},
                    .b = {0.5},
                    .a = 5.5,
                    .eta = 0.4,
                    .nu = 0.5};
    rig_open(&r, 100);
    gpai_sampling out = sample(&r, 1024, 1);
    assert_true(out.ess > 50);
    assert_true(r.p.nonfinite > 100);
    /* only smoothing may cross delta = .5 */
    assert_true(r.e->marginals[0].interval90[1] < 0.55);
    assert_true(shown_mass(&r.e->marginals[0], 0.8, 99) < 0.01);
    rig_close(&r);

    gpai_sampling none;
    gpa_error err;
    r.f = nothing;
    rig_open(&r, 100);
    assert_int_equal(gpai_marginal_exact(&r.p, &r.s, 256, 1, 1, r.e, &none, &err),
                     GPA_NUMERIC);
    assert_string_equal(err.message, "marginals: the model gave no finite prediction "
                                     "at any of 256 perturbed points");
    rig_close(&r);
}

static double mixed(const double *x)
{
    return x[0] + 0.8 * x[1] + x[3] - x[4] + 2 * x[5];
}

/* Bounds, whole steps, a one-hot group and a frozen input: nothing else is asked, and
 * the answer is the sum over what is allowed. */
static void limits_are_kept(void **state)
{
    (void)state;
    static const unsigned char integer[6] = {0, 1, 0, 0, 0, 0},
                               frozen[6] = {0, 0, 0, 0, 0, 1};
    static const size_t group[6] = {0, 0, 1, 1, 1, 0};
    double lower[6] = {-0.4, -2, -NONE, -NONE, -NONE, -NONE};
    double upper[6] = {1.5, 3, NONE, NONE, NONE, NONE};
    struct rig r = {.f = mixed,
                    .n = 1,
                    .d = 6,
                    .x = {0.1, 1, 1, 0, 0, 3},
                    .y = {9.5},
                    .b = {0.4},
                    .a = 5.5,
                    .eta = 0.4,
                    .nu = 0.5};
    r.limits = (gpai_limits){.frozen = frozen,
                             .lower = lower,
                             .upper = upper,
                             .integer = integer,
                             .group = group};
    rig_open(&r, 100);
    sample(&r, 4096, 1);
    bool category[3] = {false};
    for (size_t i = 0; i < r.seen_rows; i++) {
        const double *x = r.seen + i * 6;
        assert_true(x[0] >= -0.4 && x[0] <= 1.5);
        assert_true(x[1] >= -2 && x[1] <= 3 && x[1] == nearbyint(x[1]));
        for (size_t k = 2; k < 5; k++) {
            assert_true(x[k] == 0 || x[k] == 1);
            category[k - 2] = category[k - 2] || x[k] == 1;
        }
        assert_true(x[2] + x[3] + x[4] == 1);
        assert_true(x[5] == 3);
    }
    assert_true(category[0] && category[1] && category[2]);
    /* by hand: 2000 places of input 0, 6 steps, 3 categories */
    double p_step[6] = {0}, p_category[3] = {0}, total = 0, mean = 0;
    for (size_t i = 0; i < 2000; i++)
        for (size_t j = 0; j < 1200; j++)
            for (size_t c = 0; c < 3; c++) {
                double u = ((double)i + 0.5) / 2000, v = ((double)j + 0.5) / 1200;
                double a = gpai_axis_quantile(&r.s, 0, u);
                double b = gpai_axis_quantile(&r.s, 1, v);
                double x[6] = {0.1 + a, 1 + b, c == 0, c == 1, c == 2, 3};
                double f = mixed(x);
                double mass = exp(-gpai_data_term(&r.p, &f)) *
                              exp(-gpai_axis_penalty(&r.s, 2, (double)c));
                p_step[(size_t)nearbyint(b + 3)] += mass;
                p_category[c] += mass;
                mean += mass * a;
                total += mass;
            }
    const gpa_marginal *m = r.e->marginals;
    assert_close(m[0].mean, mean / total, 0.02);
    double sum = 0;
    for (size_t j = 0; j < m[1].points; j++)
        sum += m[1].density[j];
    for (size_t j = 0; j < m[1].points; j++)
        assert_close(m[1].density[j] / sum,
                     p_step[(size_t)nearbyint(m[1].grid[j] + 3)] / total, 0.03);
    for (size_t c = 0; c < 3; c++)
        assert_close(m[2].mass[c], p_category[c] / total, 0.03);
    assert_close(m[5].sd, 0, 0);
    rig_close(&r);
}

/* Many axes: no covariance any more, and beyond 150 no normal equations. */
static double first_two(const double *x)
{
    return x[0] - 2 * x[1];
}

static void many_inputs(void **state)
{
    (void)state;
    static const size_t dims[] = {26, 200, 1300};
    for (size_t i = 0; i < 3; i++) {
        size_t d = dims[i];
        double *x = calloc(d, sizeof *x), *unit = calloc(d, sizeof *unit);
        double y = 3, b = 1e6 * 0.25;
        struct rig r = {.f = first_two, .d = d};
        for (size_t k = 0; k < d; k++)
            unit[k] = 1;
        gpai_space s;
        gpa_explanation *e;
        gpai_sampling out;
        assert_int_equal(gpa_model_from_callback(&r.m, rig_predict, &r, d, NULL),
                         GPA_OK);
        gpai_problem p = {.model = r.m,
                          .n = 1,
                          .d = d,
                          .x = x,
                          .y = &y,
                          .unit = unit,
                          .b = &b,
                          .a = 1e6,
                          .eta = 1};
        assert_int_equal(gpai_problem_open(&p, 4096, NULL), GPA_OK);
        assert_int_equal(gpai_space_open(&s, &p, NULL, NULL), GPA_OK);
        assert_int_equal(gpai_result_new(&e, 1, d, 50, NULL), GPA_OK);
        assert_int_equal(gpai_marginal_exact(&p, &s, 2048, 1, 1, e, &out, NULL),
                         GPA_OK);
        print_message("%zu inputs: ess %.0f of %zu\n", d, out.ess, out.draws);
        const gpa_marginal *m = e->marginals; /* mean r g / (s^2 + |g|^2) */
        assert_close(m[0].mean, 3 / 5.25, 0.12);
        assert_close(m[1].mean, -6 / 5.25, 0.08);
        assert_close(m[1].sd, sqrt(1 - 4 / 5.25), 0.08);
        assert_close(m[2].mean, 0, 0.12);
        assert_close(m[2].sd, 1, 0.1);
        gpa_explanation_free(e);
        gpai_space_close(&s);
        gpai_problem_close(&p);
        gpa_model_free(r.m);
        free(r.seen);
        free(x);
        free(unit);
    }
}

static double needle(const double *x)
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* A thin shell far from the prior's middle: few draws count, more are taken, never more
 * than four times as many nor beyond the budget. */
static void topping_up(void **state)
{
    (void)state;
    struct rig r = {.f = needle,
                    .n = 1,
                    .d = 3,
                    .y = {14},
                    .b = {1e-5},
                    .a = 5.5,
                    .eta = 1,
                    .nu = 0.5};
    rig_open(&r, 100);
    gpai_sampling out = sample(&r, 64, 1);
    print_message("ess %.0f of %zu\n", out.ess, out.draws);
    assert_true(out.draws > 64 && out.draws <= 256);
    assert_true(r.p.rows == out.draws);
    assert_false(out.budget_hit);
    rig_close(&r);

    static const struct {
        uint64_t budget;
        size_t draws; /* at most */
    } cases[] = {{150, 150}, {64, 64}, {40, 40}, {15, 0}, {1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        r.budget = cases[i].budget;
        rig_open(&r, 100);
        out = sample(&r, 64, 1);
        assert_true(r.seen_rows <= cases[i].budget);
        assert_true(out.draws <= cases[i].draws);
        assert_true((out.draws == 0) == (cases[i].draws == 0));
        if (cases[i].budget < 64)
            assert_true(out.budget_hit);
        rig_close(&r);
    }
}

static void everything_frozen(void **state)
{
    (void)state;
    static const unsigned char frozen[2] = {1, 1};
    struct rig r = {.f = half, .n = 1, .d = 2, .b = {1}, .a = 1, .eta = 1};
    r.limits.frozen = frozen;
    rig_open(&r, 100);
    gpai_sampling out = sample(&r, 128, 1);
    assert_int_equal(r.seen_rows, 0);
    assert_false(out.budget_hit);
    assert_int_equal(r.e->marginals[1].points, 0);
    assert_close(r.e->marginals[1].sd, 0, 0);
    rig_close(&r);
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, stream;
        bool same;
    } cases[] = {{4, 9, true}, {5, 9, false}, {4, 8, false}};
    double first[2 * 100] = {0};
    struct rig r = {.f = wave,
                    .n = 1,
                    .d = 2,
                    .x = {0.5, 0},
                    .y = {1},
                    .b = {0.1},
                    .a = 5.5,
                    .eta = 1,
                    .nu = 0.5};
    rig_open(&r, 100);
    gpai_sampling out;
    assert_int_equal(gpai_marginal_exact(&r.p, &r.s, 256, 4, 9, r.e, &out, NULL),
                     GPA_OK);
    memcpy(first, r.e->density, sizeof first);
    rig_close(&r);
    for (size_t i = 0; i < 3; i++) {
        rig_open(&r, 100);
        gpa_model_set_batch(r.m, 100 + 7 * i); /* batches change nothing */
        assert_int_equal(gpai_marginal_exact(&r.p, &r.s, 256, cases[i].seed,
                                             cases[i].stream, r.e, &out, NULL),
                         GPA_OK);
        bool same = memcmp(first, r.e->density, 100 * sizeof *first) == 0;
        assert_true(same == cases[i].same);
        rig_close(&r);
    }
}

static double cliff(const double *x)
{
    return x[0] > 0 ? 1e150 * exp(10 * x[0]) : -1;
}

/* Numbers at the edge of what doubles hold: finite, well-formed answers. */
static void extremes(void **state)
{
    (void)state;
    static const struct {
        double (*f)(const double *x);
        double y, b, a, eta, nu;
    } cases[] = {
        {cliff, 1, 1e-250, 1e6, 0.05, 0.001}, {cliff, 1e300, 1, 5.5, 0.4, 0.5},
        {wave, 1, 1e-250, 5.5, 0.4, 0.5},     {wave, 1, 1e250, 1e6, 0.4, 0.5},
        {wave, 1e300, 1e-12, 1, 1e6, 30},     {wave, 0, 1, 1e6, 1e-6, 1000},
        {half, 1e6, 1e-12, 1e6, 1e6, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig r = {.f = cases[i].f,
                        .n = 1,
                        .d = 2,
                        .x = {-0.5, 0},
                        .y = {cases[i].y},
                        .b = {cases[i].b},
                        .a = cases[i].a,
                        .eta = cases[i].eta,
                        .nu = cases[i].nu};
        rig_open(&r, 100);
        gpai_sampling out = sample(&r, 100, i); /* checks what is shown */
        assert_true(out.ess > 0.99 && out.ess < 400.1);
        assert_true(isfinite(out.log_evidence));
        rig_close(&r);
    }
}

static void memory_runs_out(void **state)
{
    (void)state;
    struct rig r = {
        .f = wave, .n = 1, .d = 2, .y = {1}, .b = {0.1}, .a = 5.5, .eta = 1};
    rig_open(&r, 50);
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (size_t k = 1;; k++) {
            gpai_sampling out;
            gpa_error err;
            gpai_alloc_fail_at(k, for_ever);
            gpa_status st = gpai_marginal_exact(&r.p, &r.s, 64, 1, 1, r.e, &out, &err);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, tried < k ? GPA_OK : GPA_NOMEM);
            if (st == GPA_OK)
                break;
        }
    sample(&r, 64, 1);
    rig_close(&r);
}

/* The authors' five outliers against gold masses on 400 cells of equal prior
 * probability, from two runs of four million draws. */
struct gold {
    gpa_model *m;
    json_t *gold, *expected;
    double edge[399];
};

static json_t *field(const json_t *o, const char *name)
{
    json_t *v = json_object_get(o, name);
    assert_non_null(v);
    return v;
}

static double number(const json_t *a, size_t i)
{
    return json_number_value(json_array_get(a, i));
}

static bool open_gold(struct gold *g)
{
    char path[4096], spec[4200];
    if (shared_file(path, sizeof path, "oracle/diabetes/gold.json") == NULL)
        return false;
    assert_non_null(g->gold = json_load_file(path, 0, NULL));
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/expected.json"));
    assert_non_null(g->expected = json_load_file(path, 0, NULL));
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/model.json"));
    snprintf(spec, sizeof spec, "mlp:%s", path);
    assert_int_equal(gpa_model_open(&g->m, spec, NULL, NULL), GPA_OK);
    for (size_t i = 0; i < 399; i++)
        g->edge[i] = number(field(g->gold, "cell_edges_delta_inner"), i);
    return true;
}

/* Share of the gold mass inside (lo, hi); cells are cut linearly. */
static double gold_mass(const struct gold *g, const json_t *mass, double lo, double hi)
{
    double sum = 0;
    for (size_t i = 0; i < 400; i++) {
        double a = i > 0 ? g->edge[i - 1] : g->edge[0] - 2;
        double b = i < 399 ? g->edge[i] : g->edge[398] + 2;
        double part = (fmin(b, hi) - fmax(a, lo)) / (b - a);
        sum += part > 0 ? part * number(mass, i) : 0;
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct tally {
    double tv[50], seeds[50], inside[50];
};

/* One outlier with one seed: bins (10 by 25) of what is shown. */
static void run_outlier(const struct gold *g, const json_t *outlier, const json_t *at,
                        uint64_t seed, size_t rows, double *bin, gpa_explanation *e)
{
    double x[10], unit[10], y = json_number_value(field(at, "y"));
    const json_t *params = field(outlier, "params");
    double b = json_number_value(field(params, "b0"));
    for (size_t k = 0; k < 10; k++) {
        x[k] = number(field(at, "x"), k);
        unit[k] = 1;
    }
    gpai_problem p = {.model = g->m,
                      .n = 1,
                      .d = 10,
                      .x = x,
                      .y = &y,
                      .unit = unit,
                      .b = &b,
                      .a = json_number_value(field(params, "a0")),
                      .eta = json_number_value(field(params, "eta")),
                      .nu = json_number_value(field(params, "nu"))};
    gpai_space s;
    gpai_sampling out;
    assert_int_equal(gpai_problem_open(&p, 4096, NULL), GPA_OK);
    assert_int_equal(gpai_space_open(&s, &p, NULL, NULL), GPA_OK);
    assert_int_equal(gpai_marginal_exact(&p, &s, rows, seed, 1, e, &out, NULL), GPA_OK);
    assert_int_equal(out.draws, rows);
    assert_true(out.ess > 0.15 * (double)rows);
    assert_close(out.log_evidence, json_number_value(field(outlier, "log_evidence_A")),
                 0.15);
    for (size_t k = 0; k < 10; k++)
        for (size_t j = 0; j < 25; j++)
            bin[25 * k + j] =
                shown_mass(&e->marginals[k], j > 0 ? g->edge[16 * j - 1] : -99,
                           j < 24 ? g->edge[16 * j + 15] : 99);
    gpai_space_close(&s);
    gpai_problem_close(&p);
}

static void near_gold(void **state)
{
    (void)state;
    struct gold g = {0};
    struct tally t;
    if (!open_gold(&g))
        skip();
    gpa_explanation *e;
    assert_int_equal(gpai_result_new(&e, 1, 10, 100, NULL), GPA_OK);
    for (size_t i = 0; i < 5; i++) {
        const json_t *outlier = json_array_get(field(g.gold, "outliers"), i);
        const json_t *at = json_array_get(field(g.expected, "outliers"), i);
        double bin[250], other[250];
        assert_true(json_equal(field(outlier, "test_index"), field(at, "test_index")));
        run_outlier(&g, outlier, at, 2, 4096, other, e);
        run_outlier(&g, outlier, at, 1, 4096, bin, e);
        for (size_t k = 0; k < 10; k++) {
            const json_t *mass =
                field(json_array_get(field(outlier, "features"), k), "mass_400");
            double want[25] = {0};
            for (size_t j = 0; j < 400; j++)
                want[j / 16] += number(mass, j);
            t.tv[10 * i + k] = variation(want, bin + 25 * k, 25);
            t.seeds[10 * i + k] = variation(other + 25 * k, bin + 25 * k, 25);
            t.inside[10 * i + k] = gold_mass(&g, mass, e->marginals[k].interval90[0],
                                             e->marginals[k].interval90[1]);
        }
    }
    qsort(t.tv, 50, sizeof t.tv[0], by_size);
    qsort(t.seeds, 50, sizeof t.seeds[0], by_size);
    qsort(t.inside, 50, sizeof t.inside[0], by_size);
    print_message("variation %.4f (worst %.4f), between seeds %.4f (%.4f), inside "
                  "%.3f (%.3f)\n",
                  t.tv[25], t.tv[49], t.seeds[25], t.seeds[49], t.inside[25],
                  t.inside[0]);
    assert_true(t.tv[25] <= 0.03 && t.tv[49] <= 0.1);
    assert_true(t.seeds[25] <= 0.03);
    assert_true(t.inside[25] >= 0.88 && t.inside[25] <= 0.92 && t.inside[0] >= 0.86);
    gpa_explanation_free(e);
    gpa_model_free(g.m);
    json_decref(g.gold);
    json_decref(g.expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_and_normal),    cmocka_unit_test(many_modes),
        cmocka_unit_test(flat_is_the_prior),    cmocka_unit_test(no_predictions),
        cmocka_unit_test(limits_are_kept),      cmocka_unit_test(many_inputs),
        cmocka_unit_test(topping_up),           cmocka_unit_test(everything_frozen),
        cmocka_unit_test(same_seed_same_bytes), cmocka_unit_test(extremes),
        cmocka_unit_test(memory_runs_out),      cmocka_unit_test(near_gold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
