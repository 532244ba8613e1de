/* The kriging surrogate and the search for its parameters, against a plain dense solve
 * of the formulas in kriging.h. */
#include "support.h"

#include "base/alloc.h"
#include "base/math/special.h"
#include "base/rng.h"
#include "engine/math/kriging_fit.h"

enum { N = 14, D = 3, T = 2 };

/* ---- the search ---- */

static double rosenbrock(void *ctx, const double *x, double *g)
{
    (*(size_t *)ctx)++;
    double a = 1 - x[0], b = x[1] - x[0] * x[0];
    g[0] = -2 * a - 400 * x[0] * b;
    g[1] = 200 * b;
    return a * a + 100 * b * b;
}

static void rosenbrock_valley(void **state)
{
    (void)state;
    double room[64];
    size_t calls = 0;
    gpai_bfgs b;
    assert_true(gpai_bfgs_room(2) <= 64);
    gpai_bfgs_init(&b, 2, -9, 4, room);
    b.x[0] = -1.2;
    b.x[1] = 1;
    gpai_bfgs_minimise(&b, rosenbrock, &calls, 200, 1e-14);
    assert_close(b.x[0], 1, 1e-4);
    assert_close(b.x[1], 1, 1e-4);
    assert_int_equal(calls, b.evaluations);
    assert_true(calls < 80);
}

/* sum_i (i + 1) (x_i - c_i)^2 with c partly outside of the box. */
static const double CENTRE[4] = {-3, 0.25, 0.5, 7};

static double bowl(void *ctx, const double *x, double *g)
{
    double sum = 0;
    (void)ctx;
    for (size_t i = 0; i < 4; i++) {
        g[i] = 2 * (double)(i + 1) * (x[i] - CENTRE[i]);
        sum += (double)(i + 1) * (x[i] - CENTRE[i]) * (x[i] - CENTRE[i]);
    }
    return sum;
}

static void stays_in_the_box(void **state)
{
    (void)state;
    double room[64];
    gpai_bfgs b;
    gpai_bfgs_init(&b, 4, -1, 1, room);
    for (size_t i = 0; i < 4; i++)
        b.x[i] = 0;
    gpai_bfgs_minimise(&b, bowl, NULL, 100, 1e-14);
    static const double want[4] = {-1, 0.25, 0.5, 1};
    for (size_t i = 0; i < 4; i++)
        assert_close(b.x[i], want[i], 1e-6);
}

static double nowhere(void *ctx, const double *x, double *g)
{
    (void)x;
    memset(g, 0, sizeof *g);
    (*(size_t *)ctx)++;
    return HUGE_VAL;
}

static void gives_up_where_there_is_no_value(void **state)
{
    (void)state;
    double room[64];
    size_t calls = 0;
    gpai_bfgs b;
    gpai_bfgs_init(&b, 1, -1, 1, room);
    b.x[0] = 0.5;
    gpai_bfgs_minimise(&b, nowhere, &calls, 100, 1e-9);
    assert_int_equal(calls, 1);
    assert_true(b.x[0] == 0.5);
}

/* ---- kriging ---- */

struct data {
    double z[N * D], f[N * T];
};

static struct data make_data(void)
{
    struct data d;
    gpai_rng rng = gpai_rng_make(3, 1);
    for (size_t i = 0; i < N * D; i++)
        d.z[i] = gpai_rng_normal(&rng);
    for (size_t i = 0; i < N; i++) {
        const double *z = d.z + i * D;
        d.f[i * T] = 100 + 20 * z[0] + 10 * sin(2 * z[1]);
        d.f[i * T + 1] = 1e-3 * (z[0] * z[1] - z[2]);
    }
    return d;
}

static void open_with(gpai_kriging *k, const struct data *d, size_t n)
{
    assert_int_equal(gpai_kriging_open(k, D, T, N + 3, NULL, NULL), GPA_OK);
    gpai_kriging_add(k, d->z, d->f, n / 2, 0); /* in two pieces */
    gpai_kriging_add(k, d->z + n / 2 * D, d->f + n / 2 * T, n - n / 2, n / 2);
}

/* The kernel of kriging.h without the noise, from its words. */
static double kernel(const gpai_kriging *k, const double *a, const double *b)
{
    const double *theta = k->search.x;
    double far = 0, product = 0;
    for (size_t i = 0; i < D; i++) {
        far += exp(theta[i]) * fabs(gpai_norm_cdf(a[i]) - gpai_norm_cdf(b[i]));
        product += a[i] * b[i];
    }
    return exp(theta[D]) * exp(-far) + exp(theta[D + 1]) * product / D;
}

/* Solves A x = y (n by n) by elimination; both are destroyed, x is left in y. */
static void solve(double (*a)[N], double *y, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++) {
            double by = a[i][j] / a[j][j];
            for (size_t c = j; c < n; c++)
                a[i][c] -= by * a[j][c];
            y[i] -= by * y[j];
        }
    for (size_t j = n; j-- > 0;) {
        for (size_t c = j + 1; c < n; c++)
            y[j] -= a[j][c] * y[c];
        y[j] /= a[j][j];
    }
}

/* What all rows but one (N: all rows) predict for output t at z. */
static double predict(const gpai_kriging *k, const struct data *d, size_t without,
                      size_t t, const double *z)
{
    double a[N][N], y[N], sum = 0;
    size_t row[N], n = 0;
    for (size_t i = 0; i < N; i++)
        if (i != without)
            row[n++] = i;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            a[i][j] = kernel(k, d->z + row[i] * D, d->z + row[j] * D) +
                      (i == j ? exp(k->search.x[D + 2]) + 1e-6 : 0);
        y[i] = (d->f[row[i] * T + t] - k->centre[t]) / k->size[t];
    }
    solve(a, y, n);
    for (size_t i = 0; i < n; i++)
        sum += y[i] * kernel(k, z, d->z + row[i] * D);
    return k->centre[t] + k->size[t] * sum;
}

static void leave_one_out_equals_leaving_one_out(void **state)
{
    (void)state;
    struct data d = make_data();
    gpai_kriging k;
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 30, NULL), GPA_OK);
    for (size_t i = 0; i < N; i++)
        for (size_t t = 0; t < T; t++)
            assert_close(k.left_out[t * k.ld + i],
                         d.f[i * T + t] - predict(&k, &d, i, t, d.z + i * D),
                         1e-8 * k.size[t]);
    gpai_kriging_close(&k);
}

static double *keep(gpai_kriging_fit *g, const gpai_kriging *k)
{
    gpai_arena a = {0};
    gpai_kriging_fit_lay_out(g, k, &a);
    double *block = gpai_calloc(a.used, sizeof *block);
    assert_non_null(block);
    a = (gpai_arena){.base = block};
    gpai_kriging_fit_lay_out(g, k, &a);
    gpai_kriging_fit_keep(g);
    return block;
}

static void predictions_equal_a_dense_solve(void **state)
{
    (void)state;
    struct data d = make_data();
    gpai_kriging k;
    gpai_kriging_fit g;
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 30, NULL), GPA_OK);
    double *block = keep(&g, &k);
    double z[37 * D], f[T * 40];
    gpai_rng rng = gpai_rng_make(5, 5);
    for (size_t i = 0; i < 37 * D; i++)
        z[i] = 1.5 * gpai_rng_normal(&rng);
    gpai_kriging_fit_predict(&g, z, 37, f, 40);
    for (size_t i = 0; i < 37; i++)
        for (size_t t = 0; t < T; t++)
            assert_close(f[t * 40 + i], predict(&k, &d, N, t, z + i * D),
                         1e-5 * k.size[t]);
    gpai_free(block);
    gpai_kriging_close(&k);
}

static void interpolates_without_noise(void **state)
{
    (void)state;
    struct data d = make_data();
    gpai_kriging k;
    gpai_kriging_fit g;
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 0, NULL), GPA_OK);
    k.search.x[D + 2] = -30;
    assert_int_equal(gpai_kriging_estimate(&k, 0, NULL), GPA_OK);
    double *block = keep(&g, &k), f[T * 16];
    gpai_kriging_fit_predict(&g, d.z, N, f, 16);
    for (size_t i = 0; i < N; i++)
        for (size_t t = 0; t < T; t++)
            assert_close(f[t * 16 + i], d.f[i * T + t], 1e-4 * k.size[t]);
    gpai_free(block);
    gpai_kriging_close(&k);
}

/* -ln N(y; 0, K) + the prior of theta, by elimination. */
static double misfit(const gpai_kriging *k, const struct data *d)
{
    static const double median[3] = {0.5, 0.5, 0.01}, sd[3] = {1, 2, 2};
    double value = 0;
    for (size_t t = 0; t < T; t++) {
        double a[N][N], y[N], want[N];
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++)
                a[i][j] = kernel(k, d->z + i * D, d->z + j * D) +
                          (i == j ? exp(k->search.x[D + 2]) + 1e-6 : 0);
            y[i] = want[i] = (d->f[i * T + t] - k->centre[t]) / k->size[t];
        }
        solve(a, y, N);
        for (size_t i = 0; i < N; i++) /* the pivots are left on the diagonal */
            value += 0.5 * (want[i] * y[i] + log(a[i][i]));
    }
    for (size_t i = 0; i < D + 3; i++) {
        double at = log(i < D ? 0.7 : median[i - D]), s = i < D ? 1.5 : sd[i - D];
        value += 0.5 * (k->search.x[i] - at) * (k->search.x[i] - at) / (s * s);
    }
    return value;
}

static void marginal_likelihood_and_gradient(void **state)
{
    (void)state;
    struct data d = make_data();
    gpai_kriging k;
    double theta[D + 3], g[D + 3], unused[D + 3];
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 0, NULL), GPA_OK);
    for (size_t i = 0; i < D + 3; i++)
        theta[i] = k.search.x[i] = k.search.x[i] + 0.3 * (double)i - 0.5;
    assert_close(gpai_kriging_misfit(&k, theta, g), misfit(&k, &d), 1e-8);
    for (size_t i = 0; i < D + 3; i++) {
        double at = theta[i], h = 1e-5;
        theta[i] = at + h;
        double up = gpai_kriging_misfit(&k, theta, unused);
        theta[i] = at - h;
        double down = gpai_kriging_misfit(&k, theta, unused);
        theta[i] = at;
        assert_close(g[i], (up - down) / (2 * h), 1e-5);
    }
    double before = gpai_kriging_misfit(&k, theta, g);
    assert_int_equal(gpai_kriging_estimate(&k, 40, NULL), GPA_OK);
    assert_true(k.search.value < before);
    gpai_kriging_close(&k);
}

static void lay_out_warp(void *work, gpai_arena *a)
{
    gpai_warp_lay_out(work, a);
}

/* Along every axis f stands still but for a step in the middle. */
static void tell_step(gpai_warp *w)
{
    static const double u[4] = {0.2, 0.45, 0.55, 0.8}, step[3] = {0, 2, 0};
    gpai_warp_clear(w);
    for (size_t a = 0; a < w->axes; a++) {
        for (size_t e = 0; e < w->each; e++)
            for (size_t j = 0; j < 4; j++)
                w->g[(a * w->each + e) * (w->room + 2) + 1 + j] =
                    j < 2 ? 0 : 1 + (double)e;
        gpai_warp_tell(w, a, u, step, 4);
    }
}

static void known_lines_warp(void **state)
{
    (void)state;
    gpai_warp w = {.axes = 2, .each = 2, .room = 4};
    double *block = gpai_carve(lay_out_warp, &w), g[2], mean[2] = {0}, last = 0;
    gpai_warp_clear(&w);
    assert_close(gpai_warp_place(&w, 1, 0.3, g, 1), 0.3, 1e-12);
    assert_close(g[0], 0, 0);
    tell_step(&w);
    assert_close(gpai_warp_place(&w, 0, 0.2, g, 1), 0.03, 1e-12);
    assert_close(gpai_warp_place(&w, 0, 0.5, g, 1), 0.075 + 0.425, 1e-12);
    assert_close(gpai_warp_place(&w, 0, 0.9, g, 1), 0.135 + 0.85, 1e-12);
    for (size_t i = 0; i <= 1000; i++) {
        double t = gpai_warp_place(&w, 1, (double)i / 1000, g, 1);
        assert_true(i == 0 ? t == 0 : t > last);
        last = t;
        for (size_t e = 0; e < 2; e++)
            mean[e] += g[e] / 1001;
    }
    assert_close(last, 1, 1e-12);
    assert_close(g[1], 2 * g[0], 1e-12);
    assert_close(mean[0], 0, 1e-3);
    gpai_free(block);
}

static void gradient_with_lines(void **state)
{
    (void)state;
    enum { ALL = D + GPAI_KRIGING_OTHERS };
    struct data d = make_data();
    gpai_warp w = {.axes = D, .each = T, .room = 4};
    double *block = gpai_carve(lay_out_warp, &w);
    gpai_kriging k;
    double theta[ALL], g[ALL], unused[ALL], f[16 * T], most = 0;
    tell_step(&w);
    assert_int_equal(gpai_kriging_open(&k, D, T, N, &w, NULL), GPA_OK);
    gpai_kriging_add(&k, d.z, d.f, N, 0);
    assert_int_equal(gpai_kriging_estimate(&k, 0, NULL), GPA_OK);
    for (size_t i = 0; i < ALL; i++)
        theta[i] = k.search.x[i] + 0.2 * (double)i - 0.5;
    gpai_kriging_misfit(&k, theta, g);
    for (size_t i = 0; i < ALL; i++) {
        double at = theta[i], h = 1e-5;
        theta[i] = at + h;
        double up = gpai_kriging_misfit(&k, theta, unused);
        theta[i] = at - h;
        double down = gpai_kriging_misfit(&k, theta, unused);
        theta[i] = at;
        assert_close(g[i], (up - down) / (2 * h), 1e-5);
    }
    /* with no noise a fit goes through its rows, trends and all */
    k.search.x[D + GPAI_KRIGING_NOISE] = -9;
    assert_int_equal(gpai_kriging_estimate(&k, 0, NULL), GPA_OK);
    gpai_kriging_fit fit;
    double *room = keep(&fit, &k);
    gpai_kriging_fit_predict(&fit, d.z, 8, f, 16);
    for (size_t i = 0; i < 8; i++)
        for (size_t t = 0; t < T; t++)
            most = fmax(most, fabs(f[t * 16 + i] - d.f[i * T + t]) / k.size[t]);
    assert_true(most < 0.01);
    gpai_free(room);
    gpai_kriging_close(&k);
    gpai_free(block);
}

/* f = z_0 only: the other axes must matter much less. */
static void finds_what_matters(void **state)
{
    (void)state;
    enum { ROWS = 100 };
    double z[ROWS * D], f[ROWS];
    gpai_rng rng = gpai_rng_make(8, 1);
    for (size_t i = 0; i < ROWS * D; i++)
        z[i] = gpai_rng_normal(&rng);
    for (size_t i = 0; i < ROWS; i++)
        f[i] = fabs(z[i * D]);
    gpai_kriging k;
    assert_int_equal(gpai_kriging_open(&k, D, 1, ROWS, NULL, NULL), GPA_OK);
    gpai_kriging_add(&k, z, f, ROWS, 0);
    assert_int_equal(gpai_kriging_estimate(&k, 40, NULL), GPA_OK);
    assert_true(exp(k.search.x[0]) > 10 * exp(k.search.x[1]));
    assert_true(exp(k.search.x[0]) > 10 * exp(k.search.x[2]));
    gpai_kriging_close(&k);
}

static void bad_rows_spoil_their_neighbourhood(void **state)
{
    (void)state;
    struct data d = make_data();
    for (size_t i = 0; i < N; i += 3)
        d.f[i * T + i % T] = i % 2 == 0 ? (double)NAN : HUGE_VAL;
    gpai_kriging k;
    gpai_kriging_fit g;
    open_with(&k, &d, N);
    assert_int_equal(k.bad, 5);
    assert_int_equal(k.rows, N - 5);
    assert_int_equal(k.id[0], 1); /* row 0 is bad */
    assert_int_equal(gpai_kriging_estimate(&k, 20, NULL), GPA_OK);
    double *block = keep(&g, &k), f[T * 16];
    gpai_kriging_fit_predict(&g, d.z, N, f, 16);
    for (size_t i = 0; i < N; i++)
        assert_true(isnan(f[i]) == (i % 3 == 0));
    gpai_free(block);
    gpai_kriging_close(&k);
}

static void constant_outputs(void **state)
{
    (void)state;
    struct data d = make_data();
    for (size_t i = 0; i < N; i++) {
        d.f[i * T] = 7;
        d.f[i * T + 1] = 1e300;
    }
    gpai_kriging k;
    gpai_kriging_fit g;
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 20, NULL), GPA_OK);
    double *block = keep(&g, &k), f[T * 16];
    gpai_kriging_fit_predict(&g, d.z, N, f, 16);
    for (size_t i = 0; i < N; i++) {
        assert_close(f[i], 7, 1e-12);
        assert_close(f[16 + i], 1e300, 1e288);
        assert_true(k.left_out[i] == 0);
    }
    gpai_free(block);
    gpai_kriging_close(&k);
}

/* The same row many times, with different answers: noise, not failure. */
static void repeated_rows(void **state)
{
    (void)state;
    struct data d = make_data();
    for (size_t i = 0; i < N; i++)
        memcpy(d.z + i * D, d.z, D * sizeof *d.z);
    gpai_kriging k;
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 20, NULL), GPA_OK);
    for (size_t i = 0; i < N; i++)
        assert_true(isfinite(k.left_out[i]));
    gpai_kriging_close(&k);
}

static void no_memory(void **state)
{
    (void)state;
    gpai_kriging k;
    gpai_alloc_fail_at(1, false);
    assert_int_equal(gpai_kriging_open(&k, D, T, N, NULL, NULL), GPA_NOMEM);
    gpai_alloc_fail_at(0, false);
    assert_int_equal(gpai_kriging_open(&k, D, SIZE_MAX / 100, N, NULL, NULL),
                     GPA_NOMEM);
    gpai_kriging_close(&k);
    struct data d = make_data();
    open_with(&k, &d, N);
    assert_int_equal(gpai_kriging_estimate(&k, 5, NULL), GPA_OK);
    gpai_kriging_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rosenbrock_valley),
        cmocka_unit_test(stays_in_the_box),
        cmocka_unit_test(gives_up_where_there_is_no_value),
        cmocka_unit_test(leave_one_out_equals_leaving_one_out),
        cmocka_unit_test(predictions_equal_a_dense_solve),
        cmocka_unit_test(interpolates_without_noise),
        cmocka_unit_test(marginal_likelihood_and_gradient),
        cmocka_unit_test(known_lines_warp),
        cmocka_unit_test(gradient_with_lines),
        cmocka_unit_test(finds_what_matters),
        cmocka_unit_test(bad_rows_spoil_their_neighbourhood),
        cmocka_unit_test(constant_outputs),
        cmocka_unit_test(repeated_rows),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
