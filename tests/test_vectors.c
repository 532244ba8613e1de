/* The vector arithmetic of the surrogate: right, and the same bytes on every
 * instruction set. */
#include "support.h"

#include "base/math/matrix.h"
#include "base/math/special.h"
#include "base/math/vectors.h"
#include "base/rng.h"

enum { N = 1000, DIMS = 3, ROWS = 70, PANELS = 18, OUTPUTS = 2 };

static void exponentials(void **state)
{
    (void)state;
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double x[N];
        for (size_t i = 0; i < N; i++)
            x[i] = -0.7 * (double)i + 20;
        v->exp(x, N);
        for (size_t i = 0; i < N; i++)
            assert_close(x[i], exp(-0.7 * (double)i + 20),
                         1e-12 * exp(-0.7 * (double)i + 20));
        double far[8] = {-709, -1e6, -HUGE_VAL, 0, 1, -1, 700, -700};
        v->exp(far, 8);
        assert_true(far[0] == 0 && far[1] == 0 && far[2] == 0 && far[3] == 1);
        assert_close(far[6], exp(700), 1e-11 * exp(700));
        float small[2 * GPAI_VBLOCK];
        for (size_t i = 0; i < 2 * GPAI_VBLOCK; i++)
            small[i] = 2.9f * (float)i;
        v->decay(small, 2 * GPAI_VBLOCK);
        for (size_t i = 0; i < 2 * GPAI_VBLOCK; i++) {
            double want = exp(-(double)(2.9f * (float)i));
            assert_close((double)small[i], i < 30 ? want : 0, 1e-6 * want + 1e-38);
        }
    }
}

static void sums_of_exponentials(void **state)
{
    static const size_t lengths[5] = {1, 7, 8, 33, 200};
    (void)state;
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++)
        for (size_t k = 0; k < 5; k++) {
            double x[200], g[200], slope[8], curve[8], out[8], top[8], sum = 0;
            size_t n = lengths[k];
            for (size_t i = 0; i < n; i++) {
                x[i] = -700 + 60 * sin(3 * (double)i);
                g[i] = cos(5 * (double)i);
                sum += exp(x[i] + 700);
            }
            assert_close(v->log_sum(x, n), log(sum) - 700, 1e-12);
            for (size_t c = 0; c < 8; c++) {
                slope[c] = 30 * sin((double)c);
                curve[c] = 0.1 * (double)c;
            }
            v->mixture(x, g, n, slope, curve, 7, out, top);
            for (size_t c = 0; c < 7; c++) {
                sum = 0;
                for (size_t i = 0; i < n; i++)
                    sum += exp(x[i] + 700 + g[i] * (slope[c] + g[i] * curve[c]));
                assert_close(out[c], log(sum) - 700, 1e-12);
            }
            for (size_t i = 0; i < n; i++)
                x[i] = -HUGE_VAL;
            assert_true(v->log_sum(x, n) == -HUGE_VAL);
        }
}

static void normal_distribution(void **state)
{
    (void)state;
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double z[N], u[N];
        for (size_t i = 0; i < N; i++) {
            z[i] = 9 * (2 * (double)i / (N - 1) - 1);
            u[i] = 1e-9 + (1 - 2e-9) * (double)i / (N - 1);
        }
        v->cdf(z, N);
        v->quantile(u, N);
        for (size_t i = 0; i < N; i++) {
            double want = gpai_norm_cdf(9 * (2 * (double)i / (N - 1) - 1));
            assert_close(z[i], want, 1e-9 * want);
            assert_close(u[i],
                         gpai_norm_quantile(1e-9 + (1 - 2e-9) * (double)i / (N - 1)),
                         1e-7);
        }
    }
}

/* E (1 + (1.5 - f - sd e)^2 / 2 b)^-(a + 1/2) with a = 5.5, b = 2, sd = 0.3, integrated
 * with scipy.integrate.quad; without error it is the Student-t kernel itself. */
static void student_likelihood(void **state)
{
    (void)state;
    static const struct {
        double f, sd, want;
    } cases[] = {
        {1.5, 0, 0},
        {0, 0, -2.677722615770517},
        {1.5, 0.3, -0.1168009027673006},
        {0, 0.3, -2.3665659174673026},
        {-4, 0.3, -12.700315645495325},
    };
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            double f[8], half[8], total[8];
            for (size_t j = 0; j < 8; j++) {
                f[j] = cases[i].f;
                half[j] = 0.5;
                total[j] = 1;
            }
            gpai_vstudent t = {
                .y = 1.5, .power = 6, .inverse = 0.25, .error = 2 * cases[i].sd};
            v->student(&t, f, half, 8, total);
            assert_close(total[7], 1 + cases[i].want, 1e-5); /* 7 nodes */
        }
}

/* A likelihood far below the smallest double still has a logarithm. */
static void student_far_out(void **state)
{
    (void)state;
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double f[8] = {1e9}, one[8] = {1}, total[8] = {0};
        gpai_vstudent t = {.y = 0, .power = 100, .inverse = 0.5, .error = 1};
        v->student(&t, f, one, 8, total);
        assert_close(total[0], -100 * log1p(0.5e18), 1e-6);
    }
}

struct sums {
    float point[DIMS * GPAI_VBLOCK], row[PANELS * DIMS * GPAI_VPANEL];
    float weight[PANELS * OUTPUTS * GPAI_VPANEL], part[OUTPUTS * GPAI_VBLOCK];
};

static void fill(struct sums *s)
{
    gpai_rng rng = gpai_rng_make(1, 2);
    for (size_t i = 0; i < sizeof s->point / sizeof s->point[0]; i++)
        s->point[i] = (float)(3 * gpai_rng_unit(&rng));
    for (size_t i = 0; i < sizeof s->row / sizeof s->row[0]; i++)
        s->row[i] = (float)(3 * gpai_rng_unit(&rng));
    for (size_t i = 0; i < sizeof s->weight / sizeof s->weight[0]; i++)
        s->weight[i] = (float)gpai_rng_normal(&rng);
}

static double distance(const struct sums *s, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < DIMS; k++)
        sum += fabs((double)s->point[k * GPAI_VBLOCK + i] -
                    (double)s->row[(j / 4 * DIMS + k) * 4 + j % 4]);
    return sum;
}

static void kernel_sums(void **state)
{
    (void)state;
    struct sums s;
    fill(&s);
    const gpai_vectors *v;
    for (size_t set = 0; (v = gpai_vectors_at(set)) != NULL; set++) {
        double out[OUTPUTS * GPAI_VBLOCK];
        float nearest[GPAI_VBLOCK];
        v->kernel_sums(s.point, s.row, s.weight, PANELS, DIMS, OUTPUTS, s.part, out);
        v->nearest(s.point, s.row, PANELS, DIMS, nearest);
        for (size_t i = 0; i < GPAI_VBLOCK; i++) {
            double least = HUGE_VAL;
            for (size_t j = 0; j < 4 * PANELS; j++)
                least = fmin(least, distance(&s, i, j));
            assert_close((double)nearest[i], least, 1e-6);
            for (size_t t = 0; t < OUTPUTS; t++) {
                double want = 0;
                for (size_t j = 0; j < 4 * PANELS; j++)
                    want += (double)s.weight[(j / 4 * OUTPUTS + t) * 4 + j % 4] *
                            exp(-distance(&s, i, j));
                assert_close(out[t * GPAI_VBLOCK + i], want, 2e-6);
            }
        }
    }
}

static void distant_rows_count_nothing(void **state)
{
    (void)state;
    float point[GPAI_VBLOCK] = {0}, row[4] = {90, 200, 3e4f, 1e20f};
    float weight[4] = {1, 1, 1, 1}, part[GPAI_VBLOCK];
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double out[GPAI_VBLOCK];
        v->kernel_sums(point, row, weight, 1, 1, 1, part, out);
        for (size_t i = 0; i < GPAI_VBLOCK; i++)
            assert_true(out[i] == 0);
    }
}

static void linear_pieces(void **state)
{
    (void)state;
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        double a[104], b[104], c[104], sum = 0, three = 0;
        for (size_t i = 0; i < 104; i++) {
            a[i] = i < 99 ? (double)i - 50 : 0;
            b[i] = 1 / (1 + (double)i);
            c[i] = 3 - 0.1 * (double)i;
            sum += a[i] * b[i];
            three += a[i] * b[i] * c[i];
        }
        assert_close(v->dot(a, b, 99), sum, 1e-12);
        assert_close(v->dot_of_three(a, b, c, 99), three, 1e-12);
        v->axpy(2, a, 99, b);
        v->add_gap(3, a, -10, 99, b);
        for (size_t i = 0; i < 99; i++)
            assert_close(b[i], 1 / (1 + (double)i) + 2 * a[i] + 3 * fabs(a[i] + 10),
                         1e-12);
    }
}

/* Every function on the same numbers: all sets must agree with the first in all bits.
 */
struct everything {
    double exp[N], cdf[N], quantile[N], student[N], dot, three, axpy[N], gap[N],
        product[N];
    double sums[OUTPUTS * GPAI_VBLOCK], log_sum, mixture[N], top[N];
    float nearest[GPAI_VBLOCK];
};

static void run_all(const gpai_vectors *v, struct everything *e)
{
    struct sums s;
    double x[N];
    gpai_rng rng = gpai_rng_make(7, 7);
    memset(e, 0, sizeof *e);
    for (size_t i = 0; i < N; i++) {
        x[i] = gpai_rng_normal(&rng);
        e->exp[i] = e->cdf[i] = x[i] * 5;
        e->quantile[i] = gpai_norm_cdf(x[i]);
        e->axpy[i] = e->gap[i] = x[N - 1 - i < i ? 0 : i];
    }
    fill(&s);
    gpai_vstudent t = {.y = 0.3, .power = 6.2, .inverse = 0.7, .error = 0.4};
    v->exp(e->exp, N);
    v->cdf(e->cdf, N);
    v->quantile(e->quantile, N);
    v->student(&t, x, e->quantile, N, e->student);
    e->dot = v->dot(x, e->axpy, N);
    e->three = v->dot_of_three(x, e->axpy, e->cdf, N);
    e->log_sum = v->log_sum(e->cdf, N);
    v->mixture(e->cdf, x, 90, e->student, e->cdf, N, e->mixture, e->top);
    v->axpy(1.0 / 3, x, N, e->axpy);
    v->add_gap(1.0 / 3, x, 0.1, N, e->gap);
    v->multiply(-1, x, 24, x + 1, 24, 1, 24, 40, 30, e->product, 24);
    v->kernel_sums(s.point, s.row, s.weight, PANELS, DIMS, OUTPUTS, s.part, e->sums);
    v->nearest(s.point, s.row, PANELS, DIMS, e->nearest);
}

static void same_bytes_everywhere(void **state)
{
    (void)state;
    static struct everything first, other;
    run_all(gpai_vectors_at(0), &first);
    for (size_t s = 1; gpai_vectors_at(s) != NULL; s++) {
        run_all(gpai_vectors_at(s), &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

/* Sums over the last columns of n rows of m, in memory that ends with them. */
static void weighted_columns(const gpai_vectors *v, const double *at, size_t n,
                             size_t m, size_t count)
{
    double *x = malloc(n > 0 ? n * m * sizeof *x : 1);
    double w[12], mean[8], f[8], q[8], p[8];
    assert_true(x != NULL && n <= 12);
    memcpy(x, at, n * m * sizeof *x);
    for (size_t k = 0; k < 8; k++)
        mean[k] = 0.1 * (double)k;
    for (size_t i = 0; i < 12; i++)
        w[i] = 1 + (double)i;
    v->columns(x + (n > 0 ? m - count : 0), m, w, n, count, mean, f, q, p);
    for (size_t k = 0; k < count; k++) {
        double first = 0, second = 0, above = 0;
        for (size_t i = 0; i < n; i++) {
            double value = x[i * m + m - count + k], r = value - mean[k];
            first += w[i] * r;
            second += w[i] * r * r;
            above += value > 0 ? w[i] : 0;
        }
        assert_close(f[k], first, 1e-13);
        assert_close(q[k], second, 1e-13);
        assert_true(p[k] == above);
    }
    free(x);
}

/* Products, moments and places of draws, as their definitions have them; nothing behind
 * the last row is read. */
static void draws(void **state)
{
    enum { M = 11, COUNT = 6, PLACES = 64 };
    (void)state;
    gpai_rng rng = gpai_rng_make(5, 0);
    double at[M * GPAI_VDRAWS], row[M], out[GPAI_VDRAWS], own[M];
    for (size_t i = 0; i < M * GPAI_VDRAWS; i++)
        at[i] = gpai_rng_normal(&rng);
    for (size_t i = 0; i < M; i++)
        row[i] = gpai_rng_normal(&rng);
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        v->project(at, row, M, out);
        for (size_t k = 0; k < GPAI_VDRAWS; k++) {
            for (size_t i = 0; i < M; i++)
                own[i] = at[i * GPAI_VDRAWS + k];
            assert_true(out[k] == gpai_dot(row, own, M));
        }
        for (size_t n = 0; n < 12; n++) {
            weighted_columns(v, at, n, M, COUNT);
            weighted_columns(v, at, n, 1, 1);
            weighted_columns(v, at, n, 3, 2);
        }
        /* even cells of width 1 between -4 and 4: the guide has 64 places */
        uint16_t guide[PLACES];
        uint32_t cell[6];
        double edge[9];
        const double z[6] = {-9, -3.5, -0.25, 0.25, 3.9, 9};
        for (size_t i = 0; i < PLACES; i++)
            guide[i] = (uint16_t)(i / 8);
        for (size_t i = 0; i < 9; i++)
            edge[i] = (double)i - 4;
        edge[8] = HUGE_VAL;
        v->cells(z, 1, 6, 0, 1, guide, PLACES, 4, edge, cell);
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(cell[i], (int)floor(fmin(fmax(z[i], -4), 3.9)) + 4);
    }
}

/* sin from its series at nodes half a unit apart; none where one place is too far. */
static void odd_functions(void **state)
{
    enum { NODES = 5 };
    double table[8 * NODES], z[GPAI_VPOINTS], out[2 * GPAI_VPOINTS];
    (void)state;
    for (size_t i = 0; i < NODES; i++) {
        double power = 1;
        for (size_t k = 0; k < 8; k++, power *= 0.5 / (double)k)
            table[8 * i + k % 4 * 2 + k / 4] =
                power * sin(0.5 * (double)i + 1.57079632679489662 * (double)k);
    }
    const gpai_vectors *v;
    for (size_t s = 0; (v = gpai_vectors_at(s)) != NULL; s++) {
        for (size_t i = 0; i < GPAI_VPOINTS; i++)
            z[i] = -1.9 + 0.25 * (double)i;
        assert_true(v->series(table, 2, NODES - 1, z, 1, out, 2));
        for (size_t i = 0; i < GPAI_VPOINTS; i++)
            assert_close(out[2 * i], sin(z[i]), 1e-9);
        z[3] = -2.01;
        assert_false(v->series(table, 2, NODES - 1, z, 1, out, 2));
        z[3] = (double)NAN;
        assert_false(v->series(table, 2, NODES - 1, z, 1, out, 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials),
        cmocka_unit_test(sums_of_exponentials),
        cmocka_unit_test(normal_distribution),
        cmocka_unit_test(student_likelihood),
        cmocka_unit_test(student_far_out),
        cmocka_unit_test(kernel_sums),
        cmocka_unit_test(distant_rows_count_nothing),
        cmocka_unit_test(linear_pieces),
        cmocka_unit_test(draws),
        cmocka_unit_test(odd_functions),
        cmocka_unit_test(same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
