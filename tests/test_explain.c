#include "support.h"

#include "base/math/special.h"
#include "engine/prior.h"
#include <gpa/gpa.h>

static int linear2(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const double *w = ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = w[0] * x[i * d] + w[1] * x[i * d + 1];
    return 0;
}

static int wave(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const double pi = 3.14159265358979323846;
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = 2 * cos(pi * x[i * d]) * cos(pi * x[i * d + 1]);
    return 0;
}

/* Predictions only for x1 < 1.05: the minimum is beyond. */
static int half_space(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i * d] < 1.05 ? x[i * d] : (double)NAN;
    return 0;
}

static int broken(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx, (void)x, (void)d;
    for (size_t i = 0; i < n; i++)
        y[i] = (double)NAN;
    return 0;
}

static gpa_explanation *must_explain(gpa_predict_fn fn, void *ctx, const gpa_sample *s,
                                     const gpa_explain_options *opt)
{
    gpa_model *m;
    gpa_explanation *e = NULL;
    gpa_error err = {0};
    assert_int_equal(gpa_model_from_callback(&m, fn, ctx, s->d, &err), GPA_OK);
    gpa_status st = gpa_explain(&e, m, s, opt, &err);
    if (st != GPA_OK)
        fail_msg("%s", err.message);
    gpa_model_free(m);
    return e;
}

/* The paper's algorithm with its distribution. */
static gpa_explain_options paper_options(void)
{
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.solver = GPA_SOLVER_PAPER_DET;
    opt.marginals = GPA_MARGINALS_PAPER;
    opt.culprit = GPA_CULPRIT_OFF;
    return opt;
}

/* Appendix A: at x = (1/2, 0), delta = (-1/6, 0), (0, 0), (1/6, 0) for y = 1, 0, -1 as
 * eta goes to 0. Here eta = 1e-4 and slopes over a tenth of the period; delta within
 * 1e-3, the second input exactly 0. */
static void sinusoid_closed_forms(void **state)
{
    (void)state;
    static const double y[3] = {1, 0, -1}, want[3] = {-1.0 / 6, 0, 1.0 / 6};
    gpa_model *m;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    for (int solver = GPA_SOLVER_PAPER; solver <= GPA_SOLVER_PAPER_DET; solver++)
        for (int i = 0; i < 3; i++) {
            gpa_explain_options opt = paper_options();
            opt.solver = (gpa_solver)solver;
            opt.eta = 1e-4;
            opt.a0 = 1;
            opt.b0 = 0.5;
            opt.kappa = 0.02;
            opt.slope_sd = 0.1;
            opt.max_iter = 200;
            opt.tol = 1e-6;
            double x[2] = {0.5, 0};
            gpa_sample s = {.x = x, .y = &y[i], .n = 1, .d = 2};
            gpa_explanation *e;
            assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
            assert_close(gpa_explanation_delta(e)[0], want[i], 1e-3);
            if (solver == GPA_SOLVER_PAPER_DET)
                assert_true(gpa_explanation_delta(e)[1] == 0);
            gpa_explanation_free(e);
        }
    gpa_model_free(m);
}

/* A linear model under a Gaussian limit (a large, b = a s^2): the elastic-net problem
 * 1/2s^2 (r - w.d)^2 + eta/2 |d|^2 + eta nu |d|_1 has the path solution
 * d_i = soft(mu w_i, eta nu)/eta, mu = (r - w.d)/s^2. */
static void linear_closed_form(void **state)
{
    (void)state;
    double w[2] = {2, 0.5}, x[2] = {1, 1}, y = 5.5, s = 1, eta = 4, nu = 0.1;
    gpa_sample sample = {.x = x, .y = &y, .n = 1, .d = 2};
    gpa_explain_options opt = paper_options();
    opt.eta = eta;
    opt.nu = nu;
    opt.a0 = 1e7;
    opt.b0 = 1e7 * s * s;
    opt.kappa = 0.2; /* 10 kappa eta = 8: enough before the step has decayed */
    opt.max_iter = 1000;
    opt.tol = 0; /* until the step has decayed to nothing */
    gpa_explanation *e = must_explain(linear2, w, &sample, &opt);
    double mu = 0, lo = 0, hi = 10; /* bisection on the one unknown */
    for (int i = 0; i < 200; i++) {
        mu = 0.5 * (lo + hi);
        double d0 = fmax(mu * w[0] - eta * nu, 0) / eta;
        double d1 = fmax(mu * w[1] - eta * nu, 0) / eta;
        if ((3 - w[0] * d0 - w[1] * d1) / (s * s) > mu)
            lo = mu;
        else
            hi = mu;
    }
    assert_close(gpa_explanation_delta(e)[0], fmax(mu * w[0] - eta * nu, 0) / eta,
                 2e-3);
    assert_close(gpa_explanation_delta(e)[1], fmax(mu * w[1] - eta * nu, 0) / eta,
                 2e-3);
    assert_true(gpa_explanation_summary(e)->stationarity < 0.02);
    gpa_explanation_free(e);
}

/* f flat: delta = 0 and the distribution is the prior over its central 99.9 %. */
static void flat_is_the_prior(void **state)
{
    (void)state;
    double w[2] = {0, 0}, x[2] = {1, 1}, y = 5;
    gpa_sample sample = {.x = x, .y = &y, .n = 1, .d = 2};
    gpa_explain_options opt = paper_options();
    opt.sigma = 1;
    gpa_explanation *e = must_explain(linear2, w, &sample, &opt);
    const gpa_summary *s = gpa_explanation_summary(e);
    const gpa_marginal *m = gpa_explanation_marginal(e, 0);
    gpai_prior prior = gpai_prior_make(s->eta, s->nu);
    assert_true(gpa_explanation_delta(e)[0] == 0 && gpa_explanation_delta(e)[1] == 0);
    assert_close(m->grid[0], gpai_prior_quantile(&prior, 0.0005), 1e-9);
    assert_close(m->grid[m->points - 1], gpai_prior_quantile(&prior, 0.9995), 1e-9);
    double ratio = m->density[0] / exp(gpai_prior_logpdf(&prior, m->grid[0]));
    for (size_t i = 0; i < m->points; i++)
        assert_close(m->density[i] / exp(gpai_prior_logpdf(&prior, m->grid[i])) / ratio,
                     1, 1e-12);
    assert_close(m->mean, 0, 1e-12);
    assert_close(m->p_positive, 0.5, 1e-12);
    assert_close(m->sd, sqrt(gpai_prior_variance(&prior)), 0.02);
    assert_true(m->information < 2e-3);
    assert_close(s->stationarity, 0, 0);
    assert_non_null(gpa_explanation_note(e, 0));
    gpa_explanation_free(e);
}

/* a0 = 1e6, 10,000 rows together, y off by 1e8: every number is finite. */
static void extremes_stay_finite(void **state)
{
    (void)state;
    enum { N = 10000 };
    double w[2] = {1, -1}, *x = calloc(2 * N, sizeof *x), *y = calloc(N, sizeof *y);
    for (size_t i = 0; i < 2 * N; i++)
        x[i] = (double)(i % 17);
    for (size_t i = 0; i < N; i++)
        y[i] = x[2 * i] - x[2 * i + 1] + 1e8;
    gpa_sample sample = {.x = x, .y = y, .n = N, .d = 2};
    gpa_explain_options opt = paper_options();
    opt.a0 = 1e6;
    opt.sigma = 1;
    opt.grid_points = 20;
    gpa_explanation *e = must_explain(linear2, w, &sample, &opt);
    const gpa_summary *s = gpa_explanation_summary(e);
    assert_true(isfinite(s->objective) && isfinite(s->objective_zero));
    assert_true(isfinite(s->stationarity));
    for (size_t k = 0; k < 2; k++) {
        const gpa_marginal *m = gpa_explanation_marginal(e, k);
        assert_true(isfinite(gpa_explanation_delta(e)[k]));
        assert_true(isfinite(m->mean) && isfinite(m->sd) && isfinite(m->information));
        for (size_t i = 0; i < m->points; i++)
            assert_true(isfinite(m->density[i]));
    }
    gpa_explanation_free(e);
    free(x);
    free(y);
}

/* The step that leaves the region with predictions is taken back; the result is inside.
 */
static void avoids_missing_predictions(void **state)
{
    (void)state;
    double x[2] = {1, 0}, y = 3;
    gpa_sample sample = {.x = x, .y = &y, .n = 1, .d = 2};
    gpa_explain_options opt = paper_options();
    opt.sigma = 0.5;
    opt.kappa = 0.5;
    gpa_explanation *e = must_explain(half_space, NULL, &sample, &opt);
    assert_true(gpa_explanation_delta(e)[0] < 0.05);
    assert_true(isfinite(gpa_explanation_f_moved(e)[0]));
    assert_true(gpa_explanation_summary(e)->nonfinite_rows > 0);
    assert_true(isfinite(gpa_explanation_summary(e)->objective));
    gpa_explanation_free(e);
}

/* Which inputs could not be judged, and where, is said: beyond 1.05, or changes that
 * take the first of two rows there. */
static void names_what_was_not_judged(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    double x[4] = {1, 0, 0.5, 0}, y[2] = {3, 2.5};
    for (size_t n = 1; n <= 2; n++) {
        gpa_sample sample = {.x = x, .y = y, .n = n, .d = 2};
        gpa_explain_options opt = paper_options();
        opt.solver = GPA_SOLVER_FAST;
        opt.marginals = GPA_MARGINALS_NONE;
        opt.culprit = GPA_CULPRIT_ON;
        opt.sigma = 0.5;
        opt.names = names;
        gpa_explanation *e = must_explain(half_space, NULL, &sample, &opt);
        const char *note = NULL, *text;
        size_t notes = 0, lost, asked;
        double low, high;
        for (size_t i = 0; (text = gpa_explanation_note(e, i)) != NULL; i++)
            if (strstr(text, "no finite value") != NULL) {
                note = text;
                notes++;
            }
        assert_int_equal(notes, 1);
        assert_int_equal(sscanf(note,
                                n == 1 ? "a: the model has no finite value for %zu of "
                                         "the %zu values asked, from %lf to %lf: what"
                                       : "a: the model has no finite value for %zu of "
                                         "the %zu changes asked, from %lf to %lf: what",
                                &lost, &asked, &low, &high),
                         4);
        assert_int_equal(asked, 24);
        assert_true(lost > 0 && lost < asked && low < high);
        assert_true(low >= (n == 1 ? 1.05 : 0.05) - 0.005); /* three digits */
        assert_true(gpa_explanation_culprit(e)->output < 0.9);
        assert_int_equal(gpa_explanation_culprit(e)->verdict, GPA_VERDICT_TIED);
        gpa_explanation_free(e);
    }
}

static void nan_at_the_row_is_an_error(void **state)
{
    (void)state;
    double x[2] = {1, 0}, y = 3;
    gpa_sample sample = {.x = x, .y = &y, .n = 1, .d = 2};
    gpa_explain_options opt = paper_options();
    opt.sigma = 1;
    gpa_model *m;
    gpa_explanation *e;
    gpa_error err;
    assert_int_equal(gpa_model_from_callback(&m, broken, NULL, 2, NULL), GPA_OK);
    assert_int_equal(gpa_explain(&e, m, &sample, &opt, &err), GPA_NUMERIC);
    assert_non_null(strstr(err.message, "row 0"));
    assert_null(e);
    gpa_model_free(m);
}

static void budget_is_kept(void **state)
{
    (void)state;
    double x[2] = {0.5, 0}, y = 1, f = 0;
    gpa_sample sample = {.x = x, .y = &y, .f = &f, .n = 1, .d = 2};
    for (size_t budget = 1; budget < 400; budget += 7) {
        gpa_explain_options opt = paper_options();
        opt.sigma = 0.3;
        opt.slope_sd = 0.1;
        opt.budget = budget;
        gpa_explanation *e = must_explain(wave, NULL, &sample, &opt);
        const gpa_summary *s = gpa_explanation_summary(e);
        assert_true(s->model_rows <= budget);
        assert_true(s->model_rows == s->rows_map + s->rows_check + s->rows_marginals);
        assert_true(s->budget_hit || s->converged);
        assert_true(isfinite(s->objective));
        gpa_explanation_free(e);
    }
}

/* Together, and with less than one row each: nothing is asked. */
static void tiny_budget_together(void **state)
{
    (void)state;
    enum { N = 6 };
    double x[2 * N] = {0}, y[N], f[N] = {0};
    for (size_t i = 0; i < N; i++)
        y[i] = 1 + (double)i;
    gpa_sample sample = {.x = x, .y = y, .f = f, .n = N, .d = 2};
    for (int solver = GPA_SOLVER_PAPER; solver <= GPA_SOLVER_THOROUGH; solver++)
        for (size_t budget = 1; budget < 40; budget += 4) {
            gpa_explain_options opt = paper_options();
            double w[2] = {0, 0};
            opt.solver = (gpa_solver)solver;
            opt.sigma = 1;
            opt.budget = budget;
            gpa_explanation *e = must_explain(linear2, w, &sample, &opt);
            assert_true(gpa_explanation_summary(e)->model_rows <= budget);
            assert_true(isfinite(gpa_explanation_summary(e)->objective));
            gpa_explanation_free(e);
        }
}

static void refuses_nonsense(void **state)
{
    (void)state;
    double x[2] = {1, 0}, y = 3, w[2] = {1, 1};
    gpa_sample sample = {.x = x, .y = &y, .n = 1, .d = 2};
    gpa_model *m;
    gpa_explanation *e;
    gpa_error err;
    gpa_explain_options opt;
    assert_int_equal(gpa_model_from_callback(&m, linear2, w, 2, NULL), GPA_OK);
    assert_int_equal(gpa_explain(&e, m, &sample, NULL, &err),
                     GPA_INVALID); /* no noise */
    assert_non_null(strstr(err.message, "sigma"));
    gpa_explain_options_init(&opt);
    opt.sigma = -1;
    assert_int_equal(gpa_explain(&e, m, &sample, &opt, &err), GPA_INVALID);
    gpa_explain_options_init(&opt);
    opt.sigma = 1;
    opt.eta = 0;
    assert_int_equal(gpa_explain(&e, m, &sample, &opt, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "eta"));
    sample.d = 3;
    opt.eta = 1;
    assert_int_equal(gpa_explain(&e, m, &sample, &opt, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "3 inputs"));
    sample.d = 2;
    memset(&opt, 0, sizeof opt);
    assert_int_equal(gpa_explain(&e, m, &sample, &opt, &err), GPA_INVALID);
    gpa_model_free(m);
}

/* An options struct as an older, shorter header had it keeps working. */
static void old_callers_struct(void **state)
{
    (void)state;
    double x[2] = {1, 1}, y = 5, w[2] = {1, 1};
    gpa_sample sample = {.x = x, .y = &y, .n = 1, .d = 2};
    size_t size = offsetof(gpa_explain_options, slope_sd);
    void *old = malloc(size); /* the sanitizer sees any touch beyond */
    gpa_explain_options opt;
    gpa_explain_options_init_sized(&opt, size);
    assert_int_equal(opt.struct_size, size);
    opt.sigma = 1;
    opt.nu = 0.25;
    memcpy(old, &opt, size);
    gpa_explanation *e = must_explain(linear2, w, &sample, old);
    assert_true(gpa_explanation_summary(e)->nu == 0.25);
    gpa_explanation_free(e);
    free(old);
}

/* b(x): rows near x are quiet, rows far away noisy; the local b is the quiet one. */
static void local_noise(void **state)
{
    (void)state;
    enum { N = 40 };
    double x[2 * N] = {0}, y[N], f[N], w[2] = {1, 1};
    size_t row = 0;
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = i < N / 2 ? 0.01 * (double)i : 100;
        f[i] = x[2 * i];
        y[i] = f[i] + (i % 2 ? 1 : -1) * (i < N / 2 ? 1 : 50);
    }
    gpa_sample all = {.x = x, .y = y, .f = f, .n = N, .d = 2};
    gpa_sample one = {.x = x, .y = y, .f = f, .n = 1, .d = 2};
    gpa_explain_options opt = paper_options();
    opt.context = &all;
    opt.context_rows = &row;
    opt.noise = GPA_NOISE_LOCAL;
    opt.kernel_width = 1;
    opt.kernel_floor = 0;
    gpa_explanation *e = must_explain(linear2, w, &one, &opt);
    /* all |r| = 1 nearby: b = a0 r^2, over cb = 10 */
    assert_close(gpa_explanation_b(e)[0], 5.5 / 10, 1e-9);
    gpa_explanation_free(e);
    opt.noise = GPA_NOISE_CONSTANT;
    e = must_explain(linear2, w, &one, &opt);
    double sigma = gpa_explanation_summary(e)->sigma;
    assert_close(sigma, sqrt((1 + 2500) / 2.0), 1e-9);
    assert_close(gpa_explanation_b(e)[0], 5.5 * sigma * sigma / 10, 1e-9);
    gpa_explanation_free(e);
}

/* sigma of n rows with y - f = 1 and -1 by turns, but for `gross` rows with `off`. */
static double sigma_of(size_t n, size_t gross, double off)
{
    double y[100], f[100], sigma = -1;
    for (size_t i = 0; i < n; i++) {
        f[i] = (double)i;
        y[i] = f[i] + (i >= n - gross ? off : i % 2 ? 1 : -1);
    }
    gpa_sample all = {.y = y, .f = f, .n = n};
    assert_int_equal(gpa_residual_sigma(&all, &sigma, NULL), GPA_OK);
    return sigma;
}

/* The standard deviation of such numbers, from their moments. */
static double plain(double n, double gross, double off)
{
    double rest = fmod(n - gross, 2) > 0 ? -1 : 0;
    double mean = (gross * off + rest) / n;
    return sqrt((n - gross + gross * off * off) / n - mean * mean);
}

/* Rows that are grossly off do not hide the others; without them, or where they do not
 * matter, sigma is the plain standard deviation. */
static void sigma_without_gross_rows(void **state)
{
    (void)state;
    /* 6.7 (1 + 4 / n) from the median at most, 8.9 where they are more than 6 %; twice
     * that where gross rows pull it to 1 */
    assert_close(sigma_of(100, 0, 0), 1, 1e-12);
    assert_close(sigma_of(100, 4, 50), 1, 1e-12);
    assert_close(sigma_of(100, 4, -1e6), 1, 1e-9);
    assert_close(sigma_of(100, 10, 20), 1, 1e-12);
    assert_close(sigma_of(100, 10, 18), plain(100, 10, 18), 1e-12); /* not so far */
    assert_close(sigma_of(100, 6, 15.5), 1, 1e-12);
    assert_close(sigma_of(100, 7, 15.5), plain(100, 7, 15.5), 1e-12);
    assert_close(sigma_of(100, 11, 50), plain(100, 11, 50), 1e-12); /* too many */
    assert_close(sigma_of(100, 1, 10), 1.0 * sqrt(1 - 1.0 / (99 * 99)), 1e-12);
    assert_close(sigma_of(100, 1, 6), plain(100, 1, 6), 1e-12); /* 1.16 times */
    assert_close(sigma_of(20, 2, 50), 1, 1e-12);
    assert_close(sigma_of(9, 1, 1000), 1, 1e-12);
    assert_close(sigma_of(7, 1, 1000), plain(7, 1, 1000), 1e-9); /* few rows */
}

/* Numbers whose distribution is known, exactly as it spreads them, but for `gross` of
 * them, which are `off`: their standard deviation, and sigma. */
static double sigma_of_quantiles(const double *r, size_t n, size_t gross, double off,
                                 double *sd)
{
    double zero[400] = {0}, y[400], sigma = -1, mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        y[i] = i < gross ? (i % 2 ? off : -off) : r[i];
        mean += i < gross ? 0 : r[i] / (double)(n - gross);
    }
    for (size_t i = gross; i < n; i++)
        sum += (r[i] - mean) * (r[i] - mean);
    *sd = sqrt(sum / (double)(n - gross));
    gpa_sample all = {.y = y, .f = zero, .n = n};
    assert_int_equal(gpa_residual_sigma(&all, &sigma, NULL), GPA_OK);
    return sigma;
}

/* The quantile of Student's t with 3 degrees of freedom, whose distribution function
 * is 1/2 + (atan(t / sqrt 3) + t sqrt 3 / (3 + t^2)) / pi. */
static double student3(double u)
{
    static const double PI = 3.14159265358979323846;
    double low = -1e4, high = 1e4;
    for (int i = 0; i < 200; i++) {
        double t = (low + high) / 2;
        double at = 0.5 + (atan(t / sqrt(3)) + t * sqrt(3) / (3 + t * t)) / PI;
        *(at < u ? &low : &high) = t;
    }
    return low;
}

/* Clean residuals keep the plain standard deviation, heavy tails most of it, and a few
 * bad rows of a short or a long table leave no trace in it. */
static void sigma_of_known_distributions(void **state)
{
    static const struct {
        size_t n, gross;
        double off; /* of a noise of 1 */
    } SPOILT[] = {{10, 1, 10}, {15, 1, 8},   {15, 1, 150}, {20, 2, 10},
                  {150, 8, 6}, {150, 8, 20}, {300, 3, 15}};
    static const size_t CLEAN[] = {8, 10, 15, 20, 50, 150, 400};
    double r[400], sd;
    (void)state;
    for (size_t c = 0; c < sizeof CLEAN / sizeof CLEAN[0]; c++) {
        size_t n = CLEAN[c];
        for (size_t i = 0; i < n; i++)
            r[i] = gpai_norm_quantile(((double)i + 0.5) / (double)n);
        double sigma = sigma_of_quantiles(r, n, 0, 0, &sd);
        assert_close(sigma, sd, 1e-12);
        for (size_t i = 0; i < n; i++)
            r[i] = student3(((double)i + 0.5) / (double)n);
        sigma = sigma_of_quantiles(r, n, 0, 0, &sd);
        assert_true(sigma > 0.75 * sd && sigma <= sd * (1 + 1e-12));
    }
    for (size_t c = 0; c < sizeof SPOILT / sizeof SPOILT[0]; c++) {
        size_t n = SPOILT[c].n;
        for (size_t i = 0; i < n; i++) /* any order */
            r[i] = gpai_norm_quantile(((double)(i * 7 % n) + 0.5) / (double)n);
        double sigma = sigma_of_quantiles(r, n, SPOILT[c].gross, SPOILT[c].off, &sd);
        assert_close(sigma, sd, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinusoid_closed_forms),
        cmocka_unit_test(sigma_without_gross_rows),
        cmocka_unit_test(sigma_of_known_distributions),
        cmocka_unit_test(linear_closed_form),
        cmocka_unit_test(flat_is_the_prior),
        cmocka_unit_test(extremes_stay_finite),
        cmocka_unit_test(avoids_missing_predictions),
        cmocka_unit_test(names_what_was_not_judged),
        cmocka_unit_test(nan_at_the_row_is_an_error),
        cmocka_unit_test(budget_is_kept),
        cmocka_unit_test(tiny_budget_together),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(old_callers_struct),
        cmocka_unit_test(local_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
