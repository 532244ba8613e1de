#include "support.h"

#include "base/math/vectors.h"
#include "base/rng.h"
#include "engine/tune.h"

static double cubic(void *ctx, double x)
{
    (*(int *)ctx)++;
    return x * x * x - 2;
}

static void roots(void **state)
{
    (void)state;
    int calls = 0;
    assert_close(gpai_root(cubic, &calls, 0, 5, 1e-14), 1.2599210498948732, 1e-14);
    assert_true(calls < 20);
}

/* The fixed point the paper's appendix iterates, run until it stands still. */
static double fixed_point(const double *r, const double *w, size_t n, double a)
{
    double total = 0, b = 0;
    for (size_t i = 0; i < n; i++) {
        total += w[i];
        b += a * w[i] * r[i] * r[i];
    }
    b /= total;
    for (int k = 0; k < 20000; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += w[i] / total / (2 * b + r[i] * r[i]);
        b = 1 / ((2 * a + 1) / a * sum);
    }
    return b;
}

static void rate_is_the_fixed_point(void **state)
{
    (void)state;
    enum { N = 50 };
    double r[N], w[N];
    gpai_rng rng = gpai_rng_make(3, 0);
    for (size_t i = 0; i < N; i++) {
        r[i] = 30 * gpai_rng_normal(&rng);
        w[i] = gpai_rng_unit(&rng);
    }
    for (double a = 0.5; a < 1000; a *= 4)
        assert_close(gpai_noise_rate(r, w, N, a) / fixed_point(r, w, N, a), 1, 1e-9);
}

static void equal_residuals(void **state)
{
    (void)state;
    /* (2a+1) b = a (2b + r^2)  =>  b = a r^2 */
    double r[3] = {2, -2, 2}, w[3] = {1, 5, 0.1};
    assert_close(gpai_noise_rate(r, w, 3, 5.5), 22, 1e-10);
}

static void no_root(void **state)
{
    (void)state;
    double zero[4] = {0, 0, 0, 0}, w[4] = {1, 1, 1, 1}, one[4] = {0, 0, 0, 5};
    assert_true(gpai_noise_rate(zero, w, 4, 5.5) == 0);
    /* with a small enough share of non-zero residuals the likelihood rises towards b =
     * 0: 3/4 of zeros is below 2a/(2a+1) = 11/12, so there is a root; 1e-3 is not */
    assert_true(gpai_noise_rate(one, w, 4, 5.5) > 0);
    w[3] = 1e-3;
    assert_true(gpai_noise_rate(one, w, 4, 5.5) == 0);
}

static void kernel(void **state)
{
    (void)state;
    double x[] = {0, 0, 3, 4, 1, (double)NAN}, unit[] = {1, 2}, at[] = {0, 0};
    double w[GPAI_VPAD];
    gpa_sample c = {.x = x, .n = 3, .d = 2};
    assert_int_equal(gpai_kernel_weights(&c, 1, unit, NULL, at, 0, 2, 0.01, w), 3);
    assert_true(w[0] == 0);
    assert_close(w[1], 0.01 + exp(-(9 + 4) / 8.0), 1e-15);
    assert_close(w[2], 0.01 + exp(-1 / 8.0),
                 1e-15); /* the missing cell is passed over */
    assert_int_equal(gpai_kernel_weights(&c, 2, unit, NULL, at, 3, 2, 0.01, w), 2);
    assert_close(w[0], 1.01, 1e-15);
    assert_close(w[1], 0.01 + exp(-1 / 8.0), 1e-15); /* row 2 */
}

/* However a choice is written, another level is one unit away; what is held is not. */
static void kernel_of_kinds(void **state)
{
    (void)state;
    static const double level[3] = {0, 1, 2};
    gpa_input number = {.kind = GPA_KIND_NUMBER},
              code = {.kind = GPA_KIND_CHOICE, .levels = 3, .level = level},
              full = {.kind = GPA_KIND_CHOICE, .group = 1},
              less = {.kind = GPA_KIND_CHOICE, .group = 1, .dropped = true},
              held = {.kind = GPA_KIND_HELD};
    gpa_input in[3][5] = {{number, code, held, held, held},
                          {number, full, full, full, held},
                          {number, less, less, held, held}};
    /* levels 0, 1, 2 and 2, numbers 0, 0, 0 and 2 */
    static const double x[3][4][5] = {
        {{0, 0, 7}, {0, 1, 8}, {0, 2, 5}, {2, 2, 9}},
        {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {2, 0, 0, 1}},
        {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {2, 0, 0}}};
    static const double unit[5] = {1, 0.3, 5, 0.2, 1};
    for (size_t i = 0; i < 3; i++)
        for (size_t row = 0; row < 4; row++) {
            unsigned char by[5];
            double w[GPAI_VPAD];
            gpa_sample c = {.x = &x[i][0][0], .n = 4, .d = 5};
            assert_int_equal(gpai_distances(in[i], x[i][row], 5, by), 2);
            gpai_kernel_weights(&c, 1, unit, by, x[i][row], 4, 1, 0, w);
            for (size_t j = 0; j < 4; j++) {
                double away = fmin((double)row, 2) != fmin((double)j, 2);
                away += (row == 3) != (j == 3) ? 4 : 0;
                assert_close(w[j], exp(-away / 2), 1e-15);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots),           cmocka_unit_test(rate_is_the_fixed_point),
        cmocka_unit_test(equal_residuals), cmocka_unit_test(no_root),
        cmocka_unit_test(kernel),          cmocka_unit_test(kernel_of_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
