/* The lasso: scikit-learn's numbers, the conditions that only its solution obeys, and
 * columns that are constant, the same, huge or many. */
#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "methods/linear/lasso.h"

/* A number that any language computes alike. */
static double cell(size_t i, size_t j)
{
    size_t mixed = i * 37 + j * 101 + i * i * (j + 3) * 13 + i * j * j * 7;
    return (double)(mixed % 997) / 997.0 - 0.5;
}

struct problem {
    size_t n, d;
    double *x, *t, *w;
};

static struct problem make(size_t n, size_t d)
{
    struct problem p = {.n = n, .d = d};
    p.x = calloc(n * d, sizeof *p.x);
    p.t = calloc(n, sizeof *p.t);
    p.w = calloc(d, sizeof *p.w);
    assert_true(p.x != NULL && p.t != NULL && p.w != NULL);
    return p;
}

/* t = 10 + 3 x0 - 2 x1 + 4 x2 x3, and something that no column explains. */
static struct problem fixed(size_t n, size_t d)
{
    struct problem p = make(n, d);
    for (size_t i = 0; i < n; i++) {
        double *x = p.x + i * d;
        for (size_t j = 0; j < d; j++)
            x[j] = cell(i, j);
        p.t[i] = 10 + 3 * x[0] - 2 * x[1] + x[2] * x[3] * 4 + cell(i, d + 5);
    }
    return p;
}

static void drop(struct problem *p)
{
    free(p->x);
    free(p->t);
    free(p->w);
}

static gpai_lasso_fit solve(struct problem *p, double l1)
{
    gpai_lasso l;
    assert_int_equal(gpai_lasso_open(&l, p->n, p->d, "test", NULL), GPA_OK);
    gpai_lasso_fit fit = gpai_lasso_solve(&l, p->x, p->t, l1, p->w);
    gpai_lasso_close(&l);
    return fit;
}

/* sklearn.linear_model.Lasso(alpha=l1, tol=1e-16, max_iter=2000000), version 1.2 */
static void as_scikit_learn(void **state)
{
    static const struct {
        size_t n, d;
        double l1, w[8], constant;
    } cases[] = {
        {12,
         5,
         0.02,
         {2.404059471499974, -1.7188248503406154, 0.13480130771693385,
          0.3702639246327375, 0.042748259823636905},
         9.969555484305184},
        {12, 5, 0.1, {1.2943365824882158, -0.8576550268370131}, 9.80034295191087},
        {12, 5, 10, {0}, 9.573667676382541},
        {40,
         6,
         0.01,
         {2.8660072077683973, -1.6563298991622093, 0, 0.26476737986197385,
          -0.0016597189083506975},
         9.823646488060419},
        {6,
         8,
         0.02,
         {2.673115549017142, -1.906255655810763, 0, 0, 0, 0, -0.15417445845414318},
         10.017890627424157},
        {8,
         8,
         0.005,
         {2.75451406290273, -2.1578234993513963, 0.16269409701990073,
          0.09752171894027369, -0.07654599083589904, 0, -0.2772012883560756},
         9.997274288411957},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct problem p = fixed(cases[c].n, cases[c].d);
        gpai_lasso_fit fit = solve(&p, cases[c].l1);
        assert_true(fit.converged);
        assert_close(fit.constant, cases[c].constant, 1e-10);
        for (size_t j = 0; j < p.d; j++) {
            assert_close(p.w[j], cases[c].w[j], 1e-10);
            assert_true((p.w[j] == 0) == (cases[c].w[j] == 0) &&
                        !(signbit(p.w[j]) && p.w[j] == 0));
        }
        drop(&p);
    }
}

/* numpy.linalg.lstsq */
static void without_penalty_least_squares(void **state)
{
    static const double want[] = {2.8747804664710097, -2.2063737710691123,
                                  0.20401282953474276, 0.7210464534905825};
    struct problem p = fixed(30, 4);
    (void)state;
    gpai_lasso_fit fit = solve(&p, 0);
    assert_true(fit.converged);
    assert_close(fit.constant, 9.932538808422716, 1e-12);
    for (size_t j = 0; j < 4; j++)
        assert_close(p.w[j], want[j], 1e-12);
    drop(&p);
}

/* Columns of +-1 that are orthogonal: each slope is its own, shrunk by l1. */
static void orthogonal_columns_shrink(void **state)
{
    static const double slope[] = {3, -0.5, 0.25, -2, 0, 1, -0.125};
    struct problem p = make(8, 7);
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        p.t[i] = 5;
        for (size_t j = 0; j < 7; j++) { /* Walsh functions: parity of i and j + 1 */
            size_t bits = i & (j + 1);
            double sign = ((bits ^ bits >> 1 ^ bits >> 2) & 1) == 0 ? 1 : -1;
            p.x[i * 7 + j] = sign;
            p.t[i] += slope[j] * sign;
        }
    }
    gpai_lasso_fit fit = solve(&p, 0.375);
    assert_true(fit.converged);
    assert_close(fit.constant, 5, 1e-14);
    for (size_t j = 0; j < 7; j++)
        assert_close(p.w[j], copysign(fmax(fabs(slope[j]) - 0.375, 0), slope[j]),
                     1e-14);
    drop(&p);
}

enum kind { PLAIN, WALK, DEGENERATE };

static struct problem random_problem(size_t n, size_t d, enum kind kind)
{
    struct problem p = make(n, d);
    gpai_rng rng = gpai_rng_make(n * 1000 + d, kind);
    for (size_t i = 0; i < n; i++) {
        double *x = p.x + i * d;
        p.t[i] = 10 + gpai_rng_normal(&rng);
        for (size_t j = 0; j < d; j++) {
            x[j] = gpai_rng_normal(&rng);
            if (kind == WALK && j > 0) /* columns that are much alike */
                x[j] += x[j - 1];
            if (kind == DEGENERATE && j % 5 == 1)
                x[j] = x[j - 1];
            if (kind == DEGENERATE && j % 5 == 2)
                x[j] = 0.1;
            if (kind == DEGENERATE && j % 5 == 4)
                x[j] = x[j - 1] + x[j - 3];
            p.t[i] += j % 3 == 0 ? x[j] * (double)(j % 7) : 0;
        }
        p.t[i] += d > 1 ? x[0] * x[1] : 0;
    }
    return p;
}

/* With r the residual: its mean is 0; x_j'r / n is l1 sign(w_j) where w_j is not 0, and
 * at most l1 where it is. All in terms of the standard deviations. */
static double violation(const struct problem *p, double l1, double constant)
{
    double worst = 0, n = (double)p->n, mean = 0, mt = 0, st = 0;
    double *r = calloc(p->n, sizeof *r);
    for (size_t i = 0; i < p->n; i++)
        mt += p->t[i] / n;
    for (size_t i = 0; i < p->n; i++) {
        r[i] = p->t[i] - constant;
        for (size_t j = 0; j < p->d; j++)
            r[i] -= p->w[j] * p->x[i * p->d + j];
        mean += r[i] / n;
        st += (p->t[i] - mt) * (p->t[i] - mt) / n;
    }
    worst = fabs(mean) / sqrt(st);
    for (size_t j = 0; j < p->d; j++) {
        double m = 0, s = 0, g = 0;
        for (size_t i = 0; i < p->n; i++)
            m += p->x[i * p->d + j] / n;
        for (size_t i = 0; i < p->n; i++) {
            double off = p->x[i * p->d + j] - m;
            s += off * off / n;
            g += off * r[i] / n;
        }
        double over = p->w[j] != 0 ? fabs(g - copysign(l1, p->w[j])) : fabs(g) - l1;
        if (s > 1e-20)
            worst = fmax(worst, over / sqrt(s * st));
        else
            assert_true(p->w[j] == 0);
    }
    free(r);
    return worst;
}

/* And soon: descent alone takes 100000 sweeps and more for some of these. */
static void obeys_its_conditions(void **state)
{
    static const struct {
        size_t n, d;
    } sizes[] = {{2, 1},   {3, 3},     {10, 10},   {30, 30},   {50, 20},  {20, 50},
                 {64, 63}, {200, 100}, {100, 200}, {300, 299}, {1000, 40}};
    static const double weights[] = {0, 1e-6, 0.01, 0.3, 3};
    (void)state;
    for (size_t c = 0; c < sizeof sizes / sizeof sizes[0]; c++)
        for (size_t l = 0; l < sizeof weights / sizeof weights[0]; l++)
            for (int kind = PLAIN; kind <= DEGENERATE; kind++) {
                struct problem p =
                    random_problem(sizes[c].n, sizes[c].d, (enum kind)kind);
                gpai_lasso_fit fit = solve(&p, weights[l]);
                double v = violation(&p, weights[l], fit.constant);
                if (!fit.converged || fit.sweeps > 1000 || !(v < 1e-11))
                    fail_msg("%zu by %zu, l1 %g, kind %d: %zu sweeps, off by %g", p.n,
                             p.d, weights[l], kind, fit.sweeps, v);
                drop(&p);
            }
}

/* The first weight at which all is 0 is the largest |x_j't| / n. */
static void where_everything_is_zero(void **state)
{
    struct problem p = fixed(12, 5);
    double largest = 0, mean = 0;
    (void)state;
    for (size_t i = 0; i < 12; i++)
        mean += p.t[i] / 12;
    for (size_t j = 0; j < 5; j++) {
        double m = 0, g = 0;
        for (size_t i = 0; i < 12; i++)
            m += p.x[i * 5 + j] / 12;
        for (size_t i = 0; i < 12; i++)
            g += (p.x[i * 5 + j] - m) * (p.t[i] - mean) / 12;
        largest = fmax(largest, fabs(g));
    }
    size_t above = 0, below = 0;
    solve(&p, largest * (1 + 1e-9));
    for (size_t j = 0; j < 5; j++)
        above += p.w[j] != 0;
    solve(&p, largest * (1 - 1e-9));
    for (size_t j = 0; j < 5; j++)
        below += p.w[j] != 0;
    assert_int_equal(above, 0);
    assert_int_equal(below, 1);
    drop(&p);
}

/* Of two columns that are the same the first has the weight, as if it were alone. */
static void the_same_column_twice(void **state)
{
    struct problem p = fixed(12, 5), twice = make(12, 7);
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        memcpy(twice.x + i * 7, p.x + i * 5, 5 * sizeof *p.x);
        twice.x[i * 7 + 5] = p.x[i * 5]; /* again */
        twice.x[i * 7 + 6] = -0.1;       /* constant */
        twice.t[i] = p.t[i];
    }
    solve(&p, 0.02);
    gpai_lasso_fit fit = solve(&twice, 0.02);
    assert_true(fit.converged);
    for (size_t j = 0; j < 5; j++)
        assert_close(twice.w[j], p.w[j], 1e-12);
    assert_true(twice.w[5] == 0 && twice.w[6] == 0);
    drop(&p);
    drop(&twice);
}

static void nothing_to_explain(void **state)
{
    struct problem p = fixed(12, 5), one = fixed(1, 5);
    (void)state;
    for (size_t i = 0; i < 12; i++)
        p.t[i] = 0.1;
    gpai_lasso_fit fit = solve(&p, 0.01);
    assert_true(fit.converged && fit.constant == 0.1);
    fit = solve(&one, 0.01);
    assert_true(fit.converged && fit.constant == one.t[0]);
    for (size_t j = 0; j < 5; j++)
        assert_true(p.w[j] == 0 && one.w[j] == 0);
    drop(&p);
    drop(&one);
}

/* Numbers whose squares overflow or vanish, and columns far from 0. */
static void any_scale_and_place(void **state)
{
    static const double grow[] = {1e-200, 1e-30, 1e30, 1e200};
    static const size_t rows[] = {12, 4}; /* more than columns, and fewer */
    (void)state;
    for (size_t c = 0; c < 8; c++) {
        struct problem p = fixed(rows[c / 4], 5), q = fixed(rows[c / 4], 5);
        double a = grow[c % 4], b = 1 / sqrt(a);
        solve(&p, 0.02);
        for (size_t i = 0; i < q.n * q.d; i++)
            q.x[i] *= a;
        for (size_t i = 0; i < q.n; i++)
            q.t[i] *= b;
        assert_true(solve(&q, 0.02 * a * b).converged);
        for (size_t j = 0; j < 5; j++)
            assert_close(q.w[j] * (a / b), p.w[j], 1e-12);
        for (size_t i = 0; i < q.n * q.d; i++) { /* rounded to 2^-20, moved by 2^30 */
            p.x[i] = nearbyint(p.x[i] * 0x1p20) * 0x1p-20;
            q.x[i] = p.x[i] + 0x1p30 * (double)(i % q.d);
        }
        for (size_t i = 0; i < q.n; i++)
            q.t[i] = p.t[i];
        solve(&p, 0.02);
        solve(&q, 0.02);
        for (size_t j = 0; j < 5; j++)
            assert_true(q.w[j] == p.w[j]);
        drop(&p);
        drop(&q);
    }
}

/* Differences between rows that are no numbers any more: the constant tells. */
static void overflow_shows(void **state)
{
    (void)state;
    for (size_t n = 4; n <= 12; n += 8) {
        struct problem p = fixed(n, 5);
        p.t[0] = 1.7e308;
        p.t[1] = -1.7e308;
        assert_true(!isfinite(solve(&p, 0.02).constant));
        p.t[0] = p.t[1] = 1;
        p.x[2] = 1.7e308;
        p.x[7] = -1.7e308;
        assert_true(!isfinite(solve(&p, 0.02).constant));
        drop(&p);
    }
}

static void same_bytes_everywhere(void **state)
{
    static const size_t rows[] = {90, 40};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct problem p = random_problem(rows[c], 61, WALK);
        double *w = calloc(p.d, sizeof *w);
        gpai_lasso l;
        const gpai_vectors *v;
        assert_int_equal(gpai_lasso_open(&l, p.n, p.d, "test", NULL), GPA_OK);
        for (size_t set = 0; (v = gpai_vectors_at(set)) != NULL; set++) {
            l.s.v = v;
            gpai_lasso_solve(&l, p.x, p.t, 0.1, set == 0 ? p.w : w);
            if (set > 0)
                assert_memory_equal(w, p.w, p.d * sizeof *w);
        }
        gpai_lasso_close(&l);
        free(w);
        drop(&p);
    }
}

static void without_memory(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpai_lasso l;
            gpa_error err;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpai_lasso_open(&l, 20, 7, "test", &err);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK || st == GPA_NOMEM);
            if (st == GPA_OK)
                gpai_lasso_close(&l);
            else
                assert_memory_equal(err.message, "test: ", 6);
        }
        assert_true(k > 3);
    }
    gpai_lasso l; /* more numbers than can be counted */
    assert_int_equal(gpai_lasso_open(&l, 4, SIZE_MAX / 64, "test", NULL), GPA_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_scikit_learn),
        cmocka_unit_test(without_penalty_least_squares),
        cmocka_unit_test(orthogonal_columns_shrink),
        cmocka_unit_test(obeys_its_conditions),
        cmocka_unit_test(where_everything_is_zero),
        cmocka_unit_test(the_same_column_twice),
        cmocka_unit_test(nothing_to_explain),
        cmocka_unit_test(any_scale_and_place),
        cmocka_unit_test(overflow_shows),
        cmocka_unit_test(same_bytes_everywhere),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
