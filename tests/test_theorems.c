/* What the paper proves about the methods, as laws that must hold for ours. */
#include "support.h"

#include "base/rng.h"
#include <gpa/gpa.h>

enum { MOST = 6, REFERENCES = 12, HIDDEN = 9 };

/* ---- models: the sinusoid, and random ones of several kinds ---- */

struct shape {
    size_t d;
    double constant, linear[MOST], square[MOST][MOST], cube[MOST];
    double in[HIDDEN][MOST], bias[HIDDEN], out[HIDDEN];
};

static int polynomial(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const struct shape *s = ctx;
    for (size_t i = 0; i < n; i++) {
        const double *v = x + i * d;
        y[i] = s->constant;
        for (size_t j = 0; j < d; j++) {
            y[i] += s->linear[j] * v[j] + s->cube[j] * v[j] * v[(j + 1) % d] * v[0];
            for (size_t k = 0; k < d; k++)
                y[i] += s->square[j][k] * v[j] * v[k];
        }
    }
    return 0;
}

static int perceptron(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const struct shape *s = ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = s->constant;
        for (size_t j = 0; j < HIDDEN; j++) {
            double sum = s->bias[j];
            for (size_t k = 0; k < d; k++)
                sum += s->in[j][k] * x[i * d + k];
            y[i] += s->out[j] * tanh(sum);
        }
    }
    return 0;
}

enum degree { LINEAR = 1, QUADRATIC = 2, CUBIC = 3 };

static void random_shape(struct shape *s, size_t d, enum degree degree, uint64_t stream)
{
    gpai_rng rng = gpai_rng_make(2023, stream);
    *s = (struct shape){.d = d, .constant = gpai_rng_normal(&rng)};
    for (size_t j = 0; j < d; j++) {
        s->linear[j] = gpai_rng_normal(&rng);
        for (size_t k = 0; k < d && degree >= QUADRATIC; k++)
            s->square[j][k] = gpai_rng_normal(&rng);
        s->cube[j] = degree >= CUBIC ? gpai_rng_normal(&rng) : 0;
    }
    for (size_t j = 0; j < HIDDEN; j++) {
        s->bias[j] = gpai_rng_normal(&rng);
        s->out[j] = 2 * gpai_rng_normal(&rng);
        for (size_t k = 0; k < d; k++)
            s->in[j][k] = gpai_rng_normal(&rng);
    }
}

static gpa_model *model_of(gpa_predict_fn f, struct shape *s)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_from_callback(&m, f, s, s->d, NULL), GPA_OK);
    return m;
}

static gpa_model *sinusoid(void)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    return m;
}

/* ---- one way to run a method ---- */

struct setting {
    gpa_explain_options explain;
    gpa_attribute_options opt;
    double reference_x[REFERENCES * MOST];
    gpa_sample reference;
};

static void set_up(struct setting *o, size_t d, uint64_t stream)
{
    gpai_rng rng = gpai_rng_make(7, stream);
    gpa_explain_options_init(&o->explain);
    gpa_attribute_options_init(&o->opt);
    for (size_t i = 0; i < REFERENCES * d; i++)
        o->reference_x[i] = gpai_rng_normal(&rng);
    o->reference = (gpa_sample){.x = o->reference_x, .n = REFERENCES, .d = d};
    o->explain.sigma = 0.5;
    o->opt.explain = &o->explain;
    o->opt.reference = &o->reference;
}

static gpa_attribution *run(const char *method, gpa_model *m, const double *x, double y,
                            const struct setting *o)
{
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = gpa_model_dim(m)};
    gpa_attribution *a = NULL;
    gpa_error err;
    if (gpa_attribute(&a, method, m, &s, &o->opt, &err) != GPA_OK)
        fail_msg("%s: %s", method, err.message);
    return a;
}

static void scores(const char *method, gpa_model *m, const double *x, double y,
                   const struct setting *o, double *out)
{
    gpa_attribution *a = run(method, m, x, y, o);
    memcpy(out, gpa_attribution_score(a), gpa_attribution_dim(a) * sizeof *out);
    gpa_attribution_free(a);
}

static double predict(gpa_model *m, const double *x)
{
    double f;
    assert_int_equal(gpa_model_predict(m, x, 1, &f, NULL), GPA_OK);
    return f;
}

static void random_point(size_t d, uint64_t stream, double *x)
{
    gpai_rng rng = gpai_rng_make(99, stream);
    for (size_t k = 0; k < d; k++)
        x[k] = gpai_rng_normal(&rng);
}

static double total(const double *v, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += v[k];
    return sum;
}

/* ---- the deviation-agnostic property ---- */

static void check_agnostic(gpa_model *m, uint64_t stream)
{
    static const double shift[] = {0, 1e-9, -0.7, 3, -40, 1e6};
    size_t d = gpa_model_dim(m);
    struct setting o;
    double x[MOST];
    set_up(&o, d, stream);
    random_point(d, stream, x);
    double y = predict(m, x) + 1.3;
    for (size_t j = 0; j < gpa_method_count(); j++) {
        const gpa_method *method = gpa_method_at(j);
        gpa_attribution *first = run(method->name, m, x, y, &o);
        for (size_t i = 0; i < sizeof shift / sizeof shift[0]; i++) {
            gpa_attribution *a = run(method->name, m, x, y + shift[i], &o);
            bool same = memcmp(gpa_attribution_score(a), gpa_attribution_score(first),
                               d * sizeof(double)) == 0;
            if (!method->sees_y && (!same || gpa_attribution_model_rows(a) !=
                                                 gpa_attribution_model_rows(first)))
                fail_msg("%s knows y", method->name);
            if (!method->sees_y && gpa_attribution_sd(a) != NULL)
                assert_memory_equal(gpa_attribution_sd(a), gpa_attribution_sd(first),
                                    d * sizeof(double));
            if (method->sees_y && fabs(shift[i]) > 0.1 && same)
                fail_msg("%s does not see y + %g", method->name, shift[i]);
            if (shift[i] == 0)
                assert_true(same);
            gpa_attribution_free(a);
        }
        gpa_attribution_free(first);
    }
}

/* Theorems 1 to 3: LIME, IG, EIG and SV (and Z, which does not ask) give the same bytes
 * whatever was observed; GPA and LC do not. */
static void deviation_agnostic(void **state)
{
    struct shape s;
    gpa_model *m = sinusoid();
    (void)state;
    check_agnostic(m, 0);
    gpa_model_free(m);
    for (uint64_t i = 1; i <= 3; i++) {
        random_shape(&s, 1 + (size_t)i, CUBIC, i);
        m = model_of(polynomial, &s);
        check_agnostic(m, i);
        gpa_model_free(m);
        random_shape(&s, 2 * (size_t)i, CUBIC, 10 + i);
        m = model_of(perceptron, &s);
        check_agnostic(m, 10 + i);
        gpa_model_free(m);
    }
}

/* ---- SV and EIG ---- */

static double apart(const double *a, const double *b, size_t d)
{
    double most = 0;
    for (size_t k = 0; k < d; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* Theorem 4: they agree up to the second order, so for a quadratic f they are the same;
 * for a cubic one they are not. Both add up to f(x) - mean f. */
static void shapley_is_eig(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        for (int degree = LINEAR; degree <= CUBIC; degree++) {
            struct shape s;
            struct setting o;
            double x[MOST], sv[MOST], eig[MOST], mean = 0;
            size_t d = 2 + (size_t)i % (MOST - 1);
            random_shape(&s, d, (enum degree)degree, 20 + i);
            gpa_model *m = model_of(polynomial, &s);
            set_up(&o, d, 20 + i);
            random_point(d, 20 + i, x);
            o.opt.shapley = GPA_SHAPLEY_EXACT;
            scores("sv", m, x, 0, &o, sv);
            scores("eig", m, x, 0, &o, eig);
            for (size_t r = 0; r < REFERENCES; r++)
                mean += predict(m, o.reference_x + r * d) / REFERENCES;
            assert_close(total(sv, d), predict(m, x) - mean, 1e-11);
            if (degree <= QUADRATIC) {
                assert_close(apart(sv, eig, d), 0, 1e-10);
                assert_close(total(eig, d), predict(m, x) - mean, 1e-10);
            } else {
                assert_true(apart(sv, eig, d) > 1e-3);
            }
            gpa_model_free(m);
        }
}

/* The sum rules for any f: what SV shares out is exactly the increment from the mean,
 * and so are IG and EIG as the slopes become true gradients. */
static void completeness(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5; i++) {
        struct shape s;
        struct setting o;
        double x[MOST], x0[MOST], mean = 0;
        random_shape(&s, MOST, LINEAR, 40 + i);
        gpa_model *m = model_of(perceptron, &s);
        set_up(&o, MOST, 40 + i);
        random_point(MOST, 40 + i, x);
        random_point(MOST, 60 + i, x0);
        o.explain.slope_sd = 1e-3;
        o.opt.shapley = GPA_SHAPLEY_EXACT;
        o.opt.quadrature = GPA_QUADRATURE_TRAPEZOID;
        o.opt.intervals = 400;
        o.opt.baseline = GPA_BASELINE_GIVEN;
        o.opt.baseline_x = x0;
        for (size_t r = 0; r < REFERENCES; r++)
            mean += predict(m, o.reference_x + r * MOST) / REFERENCES;
        const struct {
            const char *name;
            double want, tol;
        } rules[] = {{"sv", predict(m, x) - mean, 1e-11},
                     {"eig", predict(m, x) - mean, 1e-3},
                     {"ig", predict(m, x) - predict(m, x0), 1e-3}};
        for (size_t j = 0; j < sizeof rules / sizeof rules[0]; j++) {
            gpa_attribution *a = run(rules[j].name, m, x, 0, &o);
            assert_close(total(gpa_attribution_score(a), MOST), rules[j].want,
                         rules[j].tol);
            assert_close(gpa_attribution_extra(a), rules[j].want, 1e-11);
            gpa_attribution_free(a);
        }
        gpa_model_free(m);
    }
}

/* ---- LIME ---- */

/* Theorem 5: IG from a baseline next to x, divided by the step, is LIME in its limit,
 * and both are the gradient. */
static void lime_is_derivative(void **state)
{
    static const double step = 1e-3;
    (void)state;
    for (uint64_t i = 0; i < 5; i++) {
        struct shape s;
        struct setting o;
        double x[MOST], x0[MOST], lime[MOST], ig[MOST];
        random_shape(&s, MOST, LINEAR, 80 + i);
        gpa_model *m = model_of(perceptron, &s);
        set_up(&o, MOST, 80 + i);
        random_point(MOST, 80 + i, x);
        for (size_t k = 0; k < MOST; k++)
            x0[k] = x[k] - step;
        o.explain.slope_sd = o.opt.lime_sd = step;
        o.opt.lime_l1 = 0;
        o.opt.baseline = GPA_BASELINE_GIVEN;
        o.opt.baseline_x = x0;
        scores("lime", m, x, 0, &o, lime);
        scores("ig", m, x, 0, &o, ig);
        for (size_t k = 0; k < MOST; k++) {
            double gradient = 0;
            for (size_t j = 0; j < HIDDEN; j++) {
                double sum = s.bias[j];
                for (size_t l = 0; l < MOST; l++)
                    sum += s.in[j][l] * x[l];
                gradient += s.out[j] * s.in[j][k] / (cosh(sum) * cosh(sum));
            }
            assert_close(lime[k], gradient, 0.02);
            assert_close(ig[k] / step, gradient, 0.02);
        }
        gpa_model_free(m);
    }
}

/* ---- what every method says about a linear model ---- */

static void check_linear(struct shape *s, const struct setting *o, const double *x,
                         const double *x0)
{
    size_t d = s->d;
    gpa_model *m = model_of(polynomial, s);
    double got[MOST], mean[MOST] = {0}, sd[MOST] = {0};
    for (size_t r = 0; r < REFERENCES; r++)
        for (size_t k = 0; k < d; k++)
            mean[k] += o->reference_x[r * d + k] / REFERENCES;
    for (size_t r = 0; r < REFERENCES; r++)
        for (size_t k = 0; k < d; k++) {
            double off = o->reference_x[r * d + k] - mean[k];
            sd[k] += off * off / REFERENCES;
        }
    static const char *const names[] = {"lime", "baylime", "ig", "eig", "sv", "z"};
    for (size_t j = 0; j < sizeof names / sizeof names[0]; j++) {
        scores(names[j], m, x, 17, o, got);
        for (size_t k = 0; k < d; k++) {
            const double want[] = {s->linear[k],
                                   s->linear[k],
                                   s->linear[k] * (x[k] - x0[k]),
                                   s->linear[k] * (x[k] - mean[k]),
                                   s->linear[k] * (x[k] - mean[k]),
                                   (x[k] - mean[k]) / sqrt(sd[k])};
            assert_close(got[k], want[j], j == 1 ? 1e-6 : 1e-10);
        }
    }
    gpa_model_free(m);
}

static void linear_answers(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5; i++) {
        struct shape s;
        struct setting o;
        double x[MOST], x0[MOST];
        size_t d = 1 + (size_t)i % MOST;
        random_shape(&s, d, LINEAR, 100 + i);
        set_up(&o, d, 100 + i);
        random_point(d, 100 + i, x);
        random_point(d, 120 + i, x0);
        o.opt.lime_l1 = 0;
        o.opt.lime_precision = 1e9; /* the data outweigh baylime's prior */
        o.opt.baseline = GPA_BASELINE_GIVEN;
        o.opt.baseline_x = x0;
        check_linear(&s, &o, x, x0);
    }
}

/* One input: lc's delta has a closed form, gpa's satisfies its optimality condition
 * (appendix A, with f linear). */
static void linear_perturbations(void **state)
{
    size_t moved = 0;
    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        struct shape s;
        struct setting o;
        double x[MOST], lc[1], gpa[1];
        random_shape(&s, 1, LINEAR, 140 + i);
        set_up(&o, 1, 140 + i);
        random_point(1, 140 + i, x);
        gpa_model *m = model_of(polynomial, &s);
        double w = s.linear[0], r = i % 2 == 0 ? 3 : -2, eta = 0.3, nu = 0.5;
        double variance = 0.25, y = predict(m, x) + r;
        o.explain.eta = eta;
        o.explain.nu = nu;
        scores("lc", m, x, y, &o, lc);
        double pull = w * r / variance, t = eta * nu;
        double soft = pull > t ? pull - t : pull < -t ? pull + t : 0;
        assert_close(lc[0], soft / (eta + w * w / variance), 1e-12);
        o.explain.a0 = 5.5;
        o.explain.b0 = 0.4;
        scores("gpa", m, x, y, &o, gpa);
        double left = r - w * gpa[0], force = 12 * left * w / (0.8 + left * left);
        double off = gpa[0] > 0   ? eta * gpa[0] + t - force
                     : gpa[0] < 0 ? eta * gpa[0] - t - force
                                  : fmax(fabs(force) - t, 0);
        assert_true(gpa[0] * w * r >= 0); /* it moves f towards y, or not at all */
        /* a Newton step from the optimum */
        assert_close(off / (eta + w * w * 12 / 0.8), 0, 0.02);
        moved += gpa[0] != 0;
        gpa_model_free(m);
    }
    assert_true(moved >= 5);
}

/* ---- the sinusoid ---- */

/* eta -> 0 is the same as noise -> 0: what the prior takes off the way to y is
 * (eta |delta| + eta nu) sigma^2 / slope^2, below 1e-3 on the slope of the wave. */
static void nearly_free(struct setting *o)
{
    set_up(o, 2, 0);
    o->explain.eta = 1;
    o->explain.nu = 0.1;
    o->explain.sigma = 0.2;
}

/* Appendix A: with x2 = 0 and x1 > 0, delta = (arccos(y/2)/pi - x1, 0) for gpa, and lc
 * gives the same; likewise with x1 and x2 exchanged. */
static void sinusoid_closed_form(void **state)
{
    static const double at_half[3][2] = {{1, -1.0 / 6}, {0, 0}, {-1, 1.0 / 6}};
    static const double PI = 3.14159265358979323846;
    gpa_model *m = sinusoid();
    struct setting o;
    gpai_rng rng = gpai_rng_make(5, 0);
    (void)state;
    nearly_free(&o);
    for (size_t i = 0; i < 13; i++) {
        double x[2] = {0.5, 0}, gpa[2], lc[2], y, want;
        if (i < 3) {
            y = at_half[i][0];
            want = at_half[i][1];
        } else { /* between the crest and the trough, where arccos is the way back */
            x[0] = 0.2 + 0.6 * gpai_rng_unit(&rng);
            y = -1.5 + 3 * gpai_rng_unit(&rng);
            want = acos(y / 2) / PI - x[0];
        }
        const double turned[2] = {0, x[0]};
        scores("gpa", m, x, y, &o, gpa);
        scores("lc", m, x, y, &o, lc);
        assert_close(gpa[0], want, 1e-3);
        assert_close(lc[0], want, 1e-3);
        assert_true(gpa[1] == 0 && lc[1] == 0);
        scores("gpa", m, turned, y, &o, gpa);
        scores("lc", m, turned, y, &o, lc);
        assert_close(gpa[1], want, 1e-3);
        assert_close(lc[1], want, 1e-3);
        assert_true(gpa[0] == 0 && lc[0] == 0);
    }
    gpa_model_free(m);
}

/* Appendix A: LIME is (-2 pi, 0), IG from 0 is (-2, 0) at (1/2, 0), whatever y; over
 * points spread evenly in [-1, 1]^2 SV shares f equally. */
static void sinusoid_others(void **state)
{
    static const double PI = 3.14159265358979323846, half[2] = {0.5, 0};
    enum { SIDE = 8 };
    double grid[SIDE * SIDE * 2], got[2];
    gpa_model *m = sinusoid();
    struct setting o;
    (void)state;
    set_up(&o, 2, 0);
    o.opt.lime_l1 = 0;
    o.opt.lime_sd = o.explain.slope_sd = 1e-3;
    o.opt.intervals = 400;
    scores("lime", m, half, 1, &o, got);
    assert_close(got[0], -2 * PI, 1e-3);
    assert_close(got[1], 0, 1e-3);
    scores("ig", m, half, 1, &o, got);
    assert_close(got[0], -2, 1e-3);
    assert_close(got[1], 0, 1e-12);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        grid[2 * i] = -1 + 2 * ((double)(i / SIDE) + 0.5) / SIDE;
        grid[2 * i + 1] = -1 + 2 * ((double)(i % SIDE) + 0.5) / SIDE;
    }
    const gpa_sample even = {.x = grid, .n = SIDE * SIDE, .d = 2};
    o.opt.reference = &even;
    o.opt.shapley = GPA_SHAPLEY_EXACT;
    for (uint64_t i = 0; i < 10; i++) {
        double x[2];
        random_point(2, 160 + i, x);
        scores("sv", m, x, 1, &o, got);
        assert_close(got[0], 0.5 * predict(m, x), 1e-12);
        assert_close(got[1], 0.5 * predict(m, x), 1e-12);
    }
    gpa_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deviation_agnostic),   cmocka_unit_test(shapley_is_eig),
        cmocka_unit_test(completeness),         cmocka_unit_test(lime_is_derivative),
        cmocka_unit_test(linear_answers),       cmocka_unit_test(linear_perturbations),
        cmocka_unit_test(sinusoid_closed_form), cmocka_unit_test(sinusoid_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
