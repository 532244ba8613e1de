/* LIME and BayLIME: the authors' numbers, gradients of known functions, scikit-learn's
 * and NumPy's fits of the same samples. */
#include "support.h"

#include "base/alloc.h"
#include <gpa/gpa.h>
#include <jansson.h>

static const double PI = 3.14159265358979323846;

enum { MOST = 8 };

/* A model that remembers what it was asked. */
struct spy {
    double (*f)(const double *x, size_t d);
    size_t rows, calls;
    double sum[MOST], square[MOST], low[MOST], high[MOST];
};

static int spy_predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct spy *s = ctx;
    s->calls++;
    for (size_t i = 0; i < n; i++, s->rows++) {
        y[i] = s->f(x + i * d, d);
        for (size_t k = 0; k < d; k++) {
            double v = x[i * d + k];
            s->sum[k] += v;
            s->square[k] += v * v;
            s->low[k] = s->rows == 0 ? v : fmin(s->low[k], v);
            s->high[k] = s->rows == 0 ? v : fmax(s->high[k], v);
        }
    }
    return 0;
}

static double linear(const double *x, size_t d)
{
    static const double slope[MOST] = {3, -2, 0.5, 0, 1e-3, 7, -0.25, 1};
    double sum = 10;
    for (size_t k = 0; k < d; k++)
        sum += slope[k] * x[k];
    return sum;
}

static double curved(const double *x, size_t d)
{
    (void)d;
    return 10 + 3 * x[0] - 2 * x[1] + 4 * x[2] * x[3] + x[4] * x[4] * x[4];
}

static double smooth(const double *x, size_t d)
{
    (void)d;
    return x[0] * x[0] * x[1] + exp(x[2]);
}

static double flat(const double *x, size_t d)
{
    (void)x;
    (void)d;
    return 0.1;
}

static double sinusoid(const double *x, size_t d)
{
    (void)d;
    return 2 * cos(PI * x[0]) * cos(PI * x[1]);
}

/* One question, from the start. */
struct rig {
    struct spy spy;
    gpa_model *m;
    gpa_explain_options explain;
    gpa_attribute_options opt;
    gpa_sample s;
    gpa_error err;
};

static void rig_open(struct rig *r, double (*f)(const double *, size_t),
                     const double *x, size_t n, size_t d)
{
    *r = (struct rig){.spy = {.f = f}, .s = {.x = x, .n = n, .d = d}};
    assert_int_equal(gpa_model_from_callback(&r->m, spy_predict, &r->spy, d, NULL),
                     GPA_OK);
    gpa_explain_options_init(&r->explain);
    gpa_attribute_options_init(&r->opt);
    r->opt.explain = &r->explain;
}

static gpa_attribution *ask(struct rig *r, const char *name)
{
    gpa_attribution *a = NULL;
    if (gpa_attribute(&a, name, r->m, &r->s, &r->opt, &r->err) != GPA_OK)
        fail_msg("%s", r->err.message);
    return a;
}

/* A linear model is its own local model, whatever the samples, units and rows. */
static void linear_models_are_found(void **state)
{
    static const double slope[5] = {3, -2, 0.5, 0, 1e-3};
    static const double x[10] = {1, -2, 1e3, 0.1, 4, 0, 5, -1e3, 0.2, 7};
    static const double unit[5] = {1, 0.1, 100, 3, 1e-3};
    static const size_t samples[] = {6, 7, 50, 1000};
    (void)state;
    for (size_t c = 0; c < 8; c++) {
        struct rig r;
        rig_open(&r, linear, x, c < 4 ? 1 : 2, 5);
        r.explain.unit = unit;
        r.opt.lime_samples = samples[c % 4];
        r.opt.lime_l1 = 0;
        gpa_attribution *a = ask(&r, "lime");
        const double *score = gpa_attribution_score(a);
        for (size_t k = 0; k < 5; k++)
            assert_close(score[k], slope[k] * unit[k], 1e-9);
        assert_true(gpa_attribution_converged(a));
        assert_true(gpa_attribution_iterations(a) > 0);
        assert_null(gpa_attribution_sd(a));
        assert_null(gpa_attribution_note(a, 0));
        assert_string_equal(gpa_attribution_extra_name(a), "intercept");
        assert_close(gpa_attribution_extra(a), 10, 1e-8);
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

/* As the samples draw in, LIME becomes the gradient (section 4.1.1). */
static void becomes_the_gradient(void **state)
{
    static const double x[3] = {0.7, -1.2, 0.3}, unit[3] = {1, 2, 0.5};
    const double want[3] = {2 * 0.7 * -1.2, 2 * 0.7 * 0.7, 0.5 * exp(0.3)};
    double before = HUGE_VAL;
    (void)state;
    for (double sd = 1; sd > 1e-6; sd *= 0.1) {
        struct rig r;
        double worst = 0;
        rig_open(&r, smooth, x, 1, 3);
        r.explain.unit = unit;
        r.opt.lime_sd = sd;
        r.opt.lime_l1 = 1e-9 * sd * sd; /* against the spread of a column, squared */
        gpa_attribution *a = ask(&r, "lime");
        for (size_t k = 0; k < 3; k++)
            worst = fmax(worst, fabs(gpa_attribution_score(a)[k] - want[k]));
        assert_true(worst < 3 * sd && worst < 0.5 * before);
        before = worst;
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

/* Appendix A: -2 pi (sin cos, cos sin); at (1/2, 0) that is (-2 pi, 0). */
static void sinusoid_of_the_paper(void **state)
{
    static const double points[][2] = {{0.5, 0}, {0.2, 0.4}, {-0.3, 1.1}, {0, 0}};
    (void)state;
    for (size_t c = 0; c < sizeof points / sizeof points[0]; c++) {
        struct rig r;
        const double *x = points[c];
        const double want[2] = {-2 * PI * sin(PI * x[0]) * cos(PI * x[1]),
                                -2 * PI * cos(PI * x[0]) * sin(PI * x[1])};
        rig_open(&r, sinusoid, x, 1, 2);
        r.opt.lime_sd = 1e-7;
        r.opt.lime_l1 = 1e-24;
        gpa_attribution *a = ask(&r, "lime");
        for (size_t k = 0; k < 2; k++)
            assert_close(gpa_attribution_score(a)[k], want[k], 1e-6);
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

/* A number that any language computes alike. */
static double cell(size_t i, size_t j)
{
    size_t mixed = i * 37 + j * 101 + i * i * (j + 3) * 13 + i * j * j * 7;
    return (double)(mixed % 997) / 997.0 - 0.5;
}

static const double UNITS[MOST] = {1, 2, 0.5, 4, 1, 3, 0.25, 8};

static void given_samples(struct rig *r, size_t n, size_t d, double *samples)
{
    static const double x[MOST] = {0.3, -0.2, 5, 1, 0, 0.1, 2, -3};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d; k++)
            samples[i * d + k] = cell(i, k);
    rig_open(r, curved, x, 1, d);
    r->explain.unit = UNITS;
    r->opt.lime_x = samples;
    r->opt.lime_samples = n;
}

/* sklearn.linear_model.Lasso(alpha=l1, tol=1e-16, max_iter=2000000).fit(X / unit, f) */
static void as_scikit_learn(void **state)
{
    static const struct {
        size_t n, d;
        double l1, want[MOST], intercept;
    } cases[] = {
        {12,
         5,
         0.02,
         {2.0813841890383347, -3.4995609837072466, 0.12065474274884723},
         9.86213060105977},
        {12, 5, 0.1, {1.0665806517766345}, 9.652306298734558},
        {7,
         8,
         0.02,
         {2.669133572817562, -4.441450293102648, 0.10244722516806164, 0, 0, 0,
          -0.009675657140840564},
         9.901763426208115},
        {7,
         8,
         0.1,
         {1.8796130820704464, 0, 0, 0, 0, 0, -0.09902682040058547},
         10.158501391087638},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct rig r;
        double samples[12 * MOST];
        given_samples(&r, cases[c].n, cases[c].d, samples);
        r.opt.lime_l1 = cases[c].l1;
        gpa_attribution *a = ask(&r, "lime");
        for (size_t k = 0; k < cases[c].d; k++)
            assert_close(gpa_attribution_score(a)[k], cases[c].want[k], 1e-9);
        assert_close(gpa_attribution_extra(a), cases[c].intercept, 1e-9);
        assert_true(gpa_attribution_converged(a));
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

/* Appendix B by NumPy: solve(eta I + lambda U'U, lambda U'f), U = X / unit and f
 * centred; sd = (eta + lambda N)^(-1/2). */
static void baylime_as_numpy(void **state)
{
    static const struct {
        size_t n, d;
        double eta, lambda, want[MOST], sd;
    } cases[] = {
        {12,
         5,
         (double)NAN, /* 0.4 */
         (double)NAN, /* 1 */
         {1.631575054956249, -1.7457044717397563, 0.08296955800563297,
          0.31455961762299184, 0.14821658558073747},
         0.2839809171235324},
        {12,
         5,
         2.5,
         0.3,
         {0.2199976177499873, -0.13884346038035714, 0.07936714764067572,
          0.017831767040592122, 0.03626086920877826},
         0.404888165089458},
        {12,
         5,
         0.01,
         10,
         {2.3359337087625236, -4.354442043976152, 0.1911284795748503, 1.896232743261278,
          -0.08159824289429386},
         0.09128328952636641},
        {7,
         8,
         0.4,
         1,
         {1.6107249266796966, -1.0673102966319175, 0.24680083401979944,
          0.3071001842194241, -0.12802514643869803, 0.07023812589515376,
          -0.12228081458147128, 0.05465783419500034},
         0.3676073110469039},
        {7,
         8,
         0.01,
         10,
         {2.9738997060221357, -5.9810022726080225, 0.23927307396291106,
          -0.22973197951293717, -0.04227758053607386, 1.6886398449026938,
          0.11830908512012249, 0.6188775340030922},
         0.11951432450083671},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct rig r;
        double samples[12 * MOST];
        given_samples(&r, cases[c].n, cases[c].d, samples);
        r.explain.eta = cases[c].eta;
        r.opt.lime_precision = cases[c].lambda;
        gpa_attribution *a = ask(&r, "baylime");
        for (size_t k = 0; k < cases[c].d; k++) {
            assert_close(gpa_attribution_score(a)[k], cases[c].want[k], 1e-12);
            assert_close(gpa_attribution_sd(a)[k], cases[c].sd, 1e-15);
        }
        assert_true(gpa_attribution_converged(a));
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

/* With ever more precise observations BayLIME is least squares; its sd is that of
 * slopes per unit, so a wider spread of the samples makes it smaller. */
static void baylime_limits(void **state)
{
    static const double x[5] = {1, -2, 3, 0.1, 4};
    struct rig r;
    (void)state;
    rig_open(&r, linear, x, 1, 5);
    r.opt.lime_precision = 1e12;
    gpa_attribution *a = ask(&r, "baylime");
    const double *score = gpa_attribution_score(a);
    assert_close(score[0], 3, 1e-9);
    assert_close(score[1], -2, 1e-9);
    assert_close(score[4], 1e-3, 1e-9);
    gpa_attribution_free(a);
    r.opt.lime_precision = 0.25;
    r.opt.lime_sd = 2;
    r.opt.lime_samples = 500;
    r.explain.eta = 3;
    a = ask(&r, "baylime");
    assert_close(gpa_attribution_sd(a)[1], 1 / sqrt(3 + 0.25 * 500 * 4), 1e-15);
    gpa_attribution_free(a);
    gpa_model_free(r.m);
}

/* Where the samples are: x + unit sd N(0, I), means and variances within 5 standard
 * errors; and how often it asks. */
static void where_it_asks(void **state)
{
    static const double x[3] = {5, -100, 0.001}, unit[3] = {1, 30, 1e-4};
    static const char *const names[] = {"lime", "baylime"};
    struct spy seen[2];
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct rig r;
        double f = linear(x, 3), n = 4000;
        rig_open(&r, linear, x, 1, 3);
        r.s.f = &f; /* known: not asked again */
        r.explain.unit = unit;
        r.opt.lime_samples = 4000;
        r.opt.lime_sd = 0.5;
        gpa_attribution *a = ask(&r, names[c]);
        assert_int_equal(r.spy.rows, 4000);
        assert_int_equal(gpa_attribution_model_rows(a), 4000);
        assert_int_equal(gpa_attribution_model_calls(a), 1);
        for (size_t k = 0; k < 3; k++) {
            double sd = 0.5 * unit[k], mean = r.spy.sum[k] / n;
            double square = r.spy.square[k] / n - mean * mean;
            assert_close(mean, x[k], 5 * sd / sqrt(n));
            assert_close(square, sd * sd, 5 * sd * sd * sqrt(2 / n));
            assert_true(r.spy.high[k] > x[k] + 3 * sd && r.spy.low[k] < x[k] - 3 * sd);
        }
        seen[c] = r.spy;
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
    assert_memory_equal(seen[0].sum, seen[1].sum, sizeof seen[0].sum); /* the same */
}

/* A frozen input does not move, scores 0, and the others' samples are the same. */
static void frozen_inputs_stay(void **state)
{
    static const double x[5] = {1, -2, 3, 0.1, 4};
    static const unsigned char frozen[5] = {0, 1, 0, 0, 1};
    static const char *const names[] = {"lime", "baylime"};
    double given[50];
    (void)state;
    for (size_t i = 0; i < 50; i++)
        given[i] = cell(i / 5, i % 5);
    for (size_t c = 0; c < 4; c++) {
        struct rig free, held;
        rig_open(&free, linear, x, 1, 5);
        rig_open(&held, linear, x, 1, 5);
        free.opt.lime_l1 = held.opt.lime_l1 = 0;
        held.explain.frozen = frozen;
        if (c >= 2) {
            free.opt.lime_x = held.opt.lime_x = given;
            free.opt.lime_samples = held.opt.lime_samples = 10;
        }
        gpa_attribution *a = ask(&free, names[c % 2]), *b = ask(&held, names[c % 2]);
        for (size_t k = 0; k < 5; k++)
            if (frozen[k]) {
                assert_true(gpa_attribution_score(b)[k] == 0);
                assert_true(held.spy.low[k] == x[k] && held.spy.high[k] == x[k]);
                assert_true(c % 2 == 0 || gpa_attribution_sd(b)[k] == 0);
            } else {
                assert_true(held.spy.sum[k] == free.spy.sum[k]);
                assert_true(fabs(gpa_attribution_score(b)[k]) > 0 || k == 3);
            }
        if (c % 2 == 0) {
            assert_close(gpa_attribution_score(b)[0], 3, 1e-12);
            assert_close(gpa_attribution_score(b)[2], 0.5, 1e-12);
            assert_close(gpa_attribution_extra(b), 10 - 2 * -2 + 1e-3 * 4, 1e-11);
        }
        gpa_attribution_free(a);
        gpa_attribution_free(b);
        gpa_model_free(free.m);
        gpa_model_free(held.m);
    }
}

/* Theorem 1: the observed y changes nothing; nor does the batch size. The seed does. */
static void what_it_depends_on(void **state)
{
    static const double x[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, y[3] = {0, 1e3, (double)NAN};
    static const char *const names[] = {"lime", "baylime"};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        double first[5], other[5];
        for (size_t run = 0; run < 5; run++) {
            struct rig r;
            rig_open(&r, curved, x, 1, 5);
            r.s.y = run < 3 ? &y[run] : NULL;
            r.explain.seed = run == 4 ? 2 : 1;
            gpa_model_set_batch(r.m, run == 1 ? 7 : 0);
            gpa_attribution *a = ask(&r, names[c]);
            memcpy(run == 0 ? first : other, gpa_attribution_score(a), sizeof first);
            if (run > 0 && run < 4)
                assert_memory_equal(first, other, sizeof first);
            gpa_attribution_free(a);
            gpa_model_free(r.m);
        }
        for (size_t k = 0; k < 5; k++)
            assert_true(fabs(first[k] - other[k]) > 1e-6);
    }
}

/* Several rows: the mean of what each gets alone. */
static void mean_over_rows(void **state)
{
    static const double x[15] = {0.1, 0.2, 0.3, 0.4, 0.5, 1, 2, 1,
                                 0,   -1,  -1,  3,   2,   4, -2};
    static const char *const names[] = {"lime", "baylime"};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        double want[5] = {0}, extra = 0;
        for (size_t t = 0; t < 3; t++) {
            struct rig r;
            rig_open(&r, curved, x + 5 * t, 1, 5);
            gpa_attribution *a = ask(&r, names[c]);
            for (size_t k = 0; k < 5; k++)
                want[k] += gpa_attribution_score(a)[k] / 3;
            extra += gpa_attribution_extra(a) / 3;
            gpa_attribution_free(a);
            gpa_model_free(r.m);
        }
        struct rig r;
        rig_open(&r, curved, x, 3, 5);
        gpa_attribution *a = ask(&r, names[c]);
        for (size_t k = 0; k < 5; k++)
            assert_close(gpa_attribution_score(a)[k], want[k], 1e-12);
        if (c == 0)
            assert_close(gpa_attribution_extra(a), extra, 1e-12);
        else
            assert_null(gpa_attribution_extra_name(a));
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

/* Nothing to find: a flat model, and a penalty that outweighs everything. */
static void zeros(void **state)
{
    static const double x[5] = {1, -2, 3, 0.1, 4};
    static const char *const names[] = {"lime", "lime", "baylime"};
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        struct rig r;
        rig_open(&r, c == 1 ? linear : flat, x, 1, 5);
        r.opt.lime_l1 = 1e6;
        gpa_attribution *a = ask(&r, names[c]);
        for (size_t k = 0; k < 5; k++)
            assert_true(gpa_attribution_score(a)[k] == 0);
        if (c == 0)
            assert_true(gpa_attribution_extra(a) == 0.1);
        gpa_attribution_free(a);
        gpa_model_free(r.m);
    }
}

static double hole(const double *x, size_t d)
{
    return x[0] > 3 ? (double)NAN : linear(x, d);
}

static double giant(const double *x, size_t d)
{
    (void)d;
    return x[0] > 1 ? 1.7e308 : -1.7e308;
}

static int stop_half_way(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *last = ctx;
    assert_true(done > *last && total == 40000);
    *last = done;
    return done >= 20000;
}

static void refusals(void **state)
{
    static const double x[10] = {1, -2, 3, 0.1, 4, 1, -2, 3, 0.1, 4};
    static const char *const names[] = {"lime", "baylime"};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct rig r;
        gpa_attribution *a = NULL;
        rig_open(&r, hole, x, 1, 5);
        assert_int_equal(gpa_attribute(&a, names[c], r.m, &r.s, &r.opt, &r.err),
                         GPA_NUMERIC);
        assert_null(a);
        r.spy.f = giant; /* finite predictions whose differences are not */
        assert_int_equal(gpa_attribute(&a, names[c], r.m, &r.s, &r.opt, &r.err),
                         GPA_NUMERIC);
        assert_non_null(strstr(r.err.message, "no finite linear model"));
        uint64_t done = 0;
        r.spy.f = linear;
        r.s.n = 2;
        r.opt.lime_samples = 20000;
        r.opt.progress = stop_half_way;
        r.opt.progress_ctx = &done;
        assert_int_equal(gpa_attribute(&a, names[c], r.m, &r.s, &r.opt, &r.err),
                         GPA_STOPPED);
        assert_int_equal(done, 20000);
        assert_null(a);
        gpa_model_free(r.m);
    }
}

static void without_memory(void **state)
{
    static const double x[5] = {1, -2, 3, 0.1, 4};
    static const char *const names[] = {"lime", "baylime"};
    (void)state;
    for (int c = 0; c < 8; c++) {
        struct rig r;
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        rig_open(&r, linear, x, 1, 5);
        r.opt.lime_samples = c < 4 ? 20 : 4; /* more than inputs, and fewer */
        for (; st != GPA_OK; k++) {
            gpa_attribution *a = NULL;
            gpai_alloc_fail_at(k, c % 2 == 1);
            st = gpa_attribute(&a, names[c / 2 % 2], r.m, &r.s, &r.opt, &r.err);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? a != NULL : st == GPA_NOMEM && a == NULL);
            gpa_attribution_free(a);
        }
        assert_true(k > 5);
        gpa_model_free(r.m);
    }
}

static double number(const json_t *a, size_t i)
{
    return json_number_value(json_array_get(a, i));
}

/* The authors' model, samples and five outliers, their lasso run to the end; they fit
 * f - y, so the intercepts are y apart. */
static void numbers_of_the_authors(void **state)
{
    char path[4096], spec[4200];
    (void)state;
    if (shared_file(path, sizeof path, "oracle/diabetes/expected.json") == NULL)
        skip();
    json_t *all = json_load_file(path, 0, NULL), *outlier;
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/model.json"));
    snprintf(spec, sizeof spec, "mlp:%s", path);
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_open(&m, spec, NULL, NULL), GPA_OK);
    size_t i, found = 0;
    json_array_foreach(json_object_get(all, "outliers"), i, outlier)
    {
        const json_t *want = json_object_get(outlier, "LIME");
        const json_t *coef = json_object_get(want, "coef_tight_tol");
        double x[10], samples[100],
            y = json_number_value(json_object_get(outlier, "y"));
        for (size_t k = 0; k < 100; k++)
            samples[k] = number(
                json_array_get(json_object_get(want, "X_local"), k / 10), k % 10);
        for (size_t k = 0; k < 10; k++)
            x[k] = number(json_object_get(outlier, "x"), k);
        gpa_attribute_options opt;
        gpa_attribute_options_init(&opt); /* l1 is 0.2 */
        opt.lime_x = samples;
        opt.lime_samples = 10;
        gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 10};
        gpa_attribution *a = NULL;
        gpa_error err;
        if (gpa_attribute(&a, "lime", m, &s, &opt, &err) != GPA_OK)
            fail_msg("%s", err.message);
        for (size_t k = 0; k < 10; k++) {
            assert_close(gpa_attribution_score(a)[k], number(coef, k), 1e-9);
            assert_true((gpa_attribution_score(a)[k] == 0) == (number(coef, k) == 0));
        }
        assert_close(gpa_attribution_extra(a) - y,
                     json_number_value(json_object_get(want, "intercept_tight_tol")),
                     1e-9);
        assert_true(gpa_attribution_converged(a));
        gpa_attribution_free(a);
        found++;
    }
    assert_int_equal(found, 5);
    gpa_model_free(m);
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_models_are_found),
        cmocka_unit_test(becomes_the_gradient),
        cmocka_unit_test(sinusoid_of_the_paper),
        cmocka_unit_test(as_scikit_learn),
        cmocka_unit_test(baylime_as_numpy),
        cmocka_unit_test(baylime_limits),
        cmocka_unit_test(where_it_asks),
        cmocka_unit_test(frozen_inputs_stay),
        cmocka_unit_test(what_it_depends_on),
        cmocka_unit_test(mean_over_rows),
        cmocka_unit_test(zeros),
        cmocka_unit_test(refusals),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(numbers_of_the_authors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
