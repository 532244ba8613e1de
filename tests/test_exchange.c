/* Two columns exchanged. */
#include "culprit_support.h"

#include "base/rng.h"

enum { MOST = 40, ROWS = 80, N = 3 };

/* Rows of d numbers with much in common, about different means; in those that are
 * explained two inputs have each other's value. */
struct mixed_up {
    gpa_model *model;
    double weight[MOST], unit[MOST], x[N * MOST], y[N], reference[ROWS * MOST];
    double lower[MOST], upper[MOST];
    gpai_limits limits;
    struct question q;
};

static void draw_row(gpai_rng *rng, size_t d, double *row)
{
    double common = gpai_rng_normal(rng);
    for (size_t k = 0; k < d; k++)
        row[k] = 0.3 * (double)(k % 5) + 0.9 * common + 0.4 * gpai_rng_normal(rng);
}

static void mix_up(struct mixed_up *m, size_t d, size_t n, size_t j, size_t k)
{
    gpai_rng rng = gpai_rng_make(3, 0);
    *m = (struct mixed_up){.limits = {.lower = m->lower, .upper = m->upper}};
    for (size_t i = 0; i < d; i++) {
        m->weight[i] = (i % 2 == 0 ? 1 : -1) * (1 + 0.2 * (double)i);
        m->unit[i] = 1;
        m->lower[i] = -HUGE_VAL;
        m->upper[i] = HUGE_VAL;
    }
    assert_int_equal(gpa_model_from_callback(&m->model, weighted, m->weight, d, NULL),
                     GPA_OK);
    for (size_t i = 0; i < ROWS; i++)
        draw_row(&rng, d, m->reference + i * d);
    for (size_t t = 0; t < n; t++) {
        draw_row(&rng, d, m->x + t * d);
        m->x[t * d + j] += 2; /* values that nobody would mistake */
        m->x[t * d + k] -= 2;
    }
    weighted(m->weight, m->x, n, d, m->y);
    for (size_t i = 0; i < ROWS; i++) { /* and that are usual for them */
        m->reference[i * d + j] += 2;
        m->reference[i * d + k] -= 2;
    }
    for (size_t t = 0; t < n; t++) {
        double value = m->x[t * d + j];
        m->x[t * d + j] = m->x[t * d + k];
        m->x[t * d + k] = value;
    }
    m->q = (struct question){.model = m->model,
                             .n = n,
                             .d = d,
                             .x = m->x,
                             .y = m->y,
                             .unit = m->unit,
                             .limits = &m->limits,
                             .reference = m->reference,
                             .n_reference = ROWS,
                             .opt = {.mode = GPA_CULPRIT_ON,
                                     .sigma = 0.2,
                                     .spread = (double)NAN,
                                     .output_prior = (double)NAN}};
}

static bool asks_about(const struct answer *a, size_t j, size_t k)
{
    for (size_t i = 0; i < a->exchanges.count; i++) {
        const gpai_probe *p = &a->exchanges.probe[i];
        assert_true(p->exchanged && p->axis < p->other);
        if (a->s.axis[p->axis].input == j && a->s.axis[p->other].input == k)
            return true;
    }
    return false;
}

static void check_found(const struct answer *a, size_t j, size_t k)
{
    const gpai_culprit *c = &a->c;
    const gpai_subset *best = &c->subset[c->likeliest];
    assert_true(best->exchanged);
    assert_int_equal(best->size, 2);
    assert_int_equal(a->s.axis[best->axis[0]].input, j);
    assert_int_equal(a->s.axis[best->axis[1]].input, k);
    assert_true(c->p_likeliest > 0.5);
    assert_true(c->probability[j] > 0.9 && c->probability[k] > 0.9);
    assert_true(c->evidence[3][j] == c->evidence[3][k]); /* in no other exchange */
    assert_int_equal(c->verdict, GPA_VERDICT_INPUT);
}

/* Found in one row and in several, with 8 rows of the model more at most, in the lines'
 * two calls. */
static void test_found(void **state)
{
    (void)state;
    for (size_t n = 1; n <= N; n += N - 1) {
        struct mixed_up m;
        struct answer a;
        mix_up(&m, 6, n, 1, 3);
        look_well(&a, &m.q);
        assert_true(asks_about(&a, 1, 3));
        check_found(&a, 1, 3);
        assert_int_equal(a.exchanges.count, GPAI_EXCHANGES);
        assert_int_equal(a.p.rows, n * (24 * 6 + 1 + GPAI_EXCHANGES));
        assert_int_equal(a.p.calls, 2);
        /* f of the rows as they should have been is y */
        for (size_t t = 0; t < n; t++)
            for (size_t i = 0; i < a.exchanges.count; i++)
                if (a.exchanges.probe[i].axis == 1 && a.exchanges.probe[i].other == 3)
                    assert_close(a.exchanges.f[i * n + t], m.y[t], 1e-12);
        forget(&a);
        gpa_model_free(m.model);
    }
}

/* Beyond 25 inputs only those that fit the others least are thought of. */
static void test_many_inputs(void **state)
{
    struct mixed_up m;
    struct answer a;
    (void)state;
    mix_up(&m, MOST, 1, 7, 31);
    look_well(&a, &m.q);
    assert_true(asks_about(&a, 7, 31));
    check_found(&a, 7, 31);
    assert_int_equal(a.p.rows, 8 * MOST + 1 + GPAI_EXCHANGES + 24 * 8);
    assert_int_equal(a.p.calls, 2);
    forget(&a);
    gpa_model_free(m.model);
}

/* What an input may not be, it was not. */
static void test_limits(void **state)
{
    struct mixed_up m;
    struct answer a;
    const unsigned char frozen[6] = {0, 0, 0, 1, 0, 0};
    (void)state;
    mix_up(&m, 6, 1, 1, 3);
    m.upper[1] = m.x[1] + 0.5; /* the value of input 3 is above that */
    assert_true(m.x[3] > m.upper[1]);
    look_well(&a, &m.q);
    assert_false(asks_about(&a, 1, 3));
    for (size_t i = 0; i < a.c.subsets; i++)
        assert_true(!a.c.subset[i].exchanged || a.c.subset[i].axis[0] != 1 ||
                    a.c.subset[i].axis[1] != 3);
    forget(&a);
    m.upper[1] = m.x[3]; /* just possible */
    look_well(&a, &m.q);
    check_found(&a, 1, 3);
    forget(&a);
    m.limits.frozen = frozen; /* what is held has no exchange */
    look_well(&a, &m.q);
    for (size_t i = 0; i < a.exchanges.count; i++)
        assert_true(a.s.axis[a.exchanges.probe[i].axis].input != 3 &&
                    a.s.axis[a.exchanges.probe[i].other].input != 3);
    forget(&a);
    gpa_model_free(m.model);
}

/* Several rows: every value within the limits is possible, also where one shared move
 * of all rows could not go as far. */
static void test_limits_of_rows(void **state)
{
    struct mixed_up m;
    struct answer a;
    double least = HUGE_VAL, most = -HUGE_VAL, short_of = HUGE_VAL;
    (void)state;
    mix_up(&m, 6, N, 1, 3);
    for (size_t t = 0; t < N; t++) {
        most = fmax(most, fmax(m.x[t * 6 + 1], m.x[t * 6 + 3]));
        least = fmin(least, fmin(m.x[t * 6 + 1], m.x[t * 6 + 3]));
    }
    for (size_t k = 1; k <= 3; k += 2) {
        m.upper[k] = most;
        m.lower[k] = least;
    }
    for (size_t t = 0; t < N; t++) /* a shared move up is bounded by the highest row */
        for (size_t u = 0; u < N; u++)
            short_of = fmin(short_of, (most - m.x[u * 6 + 1]) -
                                          (m.x[t * 6 + 3] - m.x[t * 6 + 1]));
    assert_true(short_of < -0.1);
    look_well(&a, &m.q);
    check_found(&a, 1, 3);
    forget(&a);
    m.upper[1] = most - 0.01; /* impossible in one row */
    look_well(&a, &m.q);
    assert_false(asks_about(&a, 1, 3));
    forget(&a);
    gpa_model_free(m.model);
}

/* No row is asked without reference rows, of columns nothing is known of, or for equal
 * values; and where the model has no value, the exchange did not happen. */
static int undefined(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    double *row = ctx; /* then the weights */
    weighted(row + d, x, n, d, y);
    for (size_t i = 0; i < n; i++)
        if (x[i * d + 1] == row[3] && x[i * d + 3] == row[1])
            y[i] = (double)NAN;
    return 0;
}

static void test_nothing_to_ask(void **state)
{
    struct mixed_up m;
    struct answer a;
    (void)state;
    mix_up(&m, 6, 1, 1, 3);
    m.q.n_reference = 7;
    look_well(&a, &m.q);
    assert_int_equal(a.exchanges.count, 0);
    assert_int_equal(a.p.rows, 24 * 6 + 1);
    for (size_t k = 0; k < 6; k++)
        assert_true(a.c.evidence[3][k] == -HUGE_VAL);
    forget(&a);
    m.q.n_reference = ROWS;
    for (size_t i = 0; i < ROWS; i++)
        m.reference[i * 6 + 3] = i < 7 ? m.reference[i * 6 + 3] : (double)NAN;
    look_well(&a, &m.q);
    for (size_t k = 0; k < 6; k++)
        assert_false(asks_about(&a, k < 3 ? k : 3, k < 3 ? 3 : k));
    forget(&a);
    gpa_model_free(m.model);
    mix_up(&m, 3, 1, 0, 1);
    m.x[2] = m.x[0];
    look_well(&a, &m.q);
    assert_int_equal(a.exchanges.count, 2);
    assert_false(asks_about(&a, 0, 2));
    forget(&a);
    gpa_model_free(m.model);
}

static void test_no_value(void **state)
{
    struct mixed_up m;
    struct answer a;
    double about[2 * 6];
    (void)state;
    mix_up(&m, 6, 1, 1, 3);
    memcpy(about, m.x, 6 * sizeof *about);
    memcpy(about + 6, m.weight, 6 * sizeof *about);
    assert_int_equal(gpa_model_from_callback(&m.q.model, undefined, about, 6, NULL),
                     GPA_OK);
    look_well(&a, &m.q);
    assert_true(asks_about(&a, 1, 3));
    assert_int_equal(a.p.nonfinite, 1);
    for (size_t i = 0; i < a.c.subsets; i++) {
        const gpai_subset *s = &a.c.subset[i];
        if (s->exchanged && s->axis[0] == 1 && s->axis[1] == 3)
            assert_true(s->log_evidence == -HUGE_VAL);
    }
    forget(&a);
    gpa_model_free(m.q.model);
    gpa_model_free(m.model);
}

/* ln evidence: how much Student's likelihood gains, and the density of the rows
 * exchanged over that of the rows as they are. Independent inputs: ratios of columns.
 */
static void test_evidence(void **state)
{
    struct mixed_up m;
    struct answer a;
    (void)state;
    mix_up(&m, 6, 1, 1, 3);
    m.q.opt.mode = GPA_CULPRIT_BASIC;
    look_well(&a, &m.q);
    for (size_t i = 0; i < a.exchanges.count; i++) {
        size_t j = a.exchanges.probe[i].axis, k = a.exchanges.probe[i].other;
        double gain = 0;
        for (int side = 0; side < 2; side++) {
            size_t own = side == 0 ? j : k;
            const double move[2] = {m.x[j], m.x[k]};
            double density[2];
            gpai_kernels_at(&a.crowd.trait[own].kernels, 0, move, 2, density, NULL);
            gain += log(density[1 - side] / density[side]);
        }
        assert_close(a.exchanges.gain[i], gain, 1e-9);
        double r = m.y[0] - a.exchanges.f[i], b = 5.5 * 0.2 * 0.2 / 2;
        const gpai_subset *s = &a.c.subset[a.c.subsets - a.exchanges.count + i];
        assert_true(s->exchanged && s->axis[0] == j && s->axis[1] == k);
        double was = m.y[0] - a.r.base[0], fit = pow(1 + r * r / (2 * b), -6);
        double more = fit - pow(1 + was * was / (2 * b), -6);
        if (more > 0)
            assert_close(s->log_evidence, gain + log(more), 1e-9);
        else
            assert_true(s->log_evidence == -HUGE_VAL);
    }
    forget(&a);
    gpa_model_free(m.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),          cmocka_unit_test(test_many_inputs),
        cmocka_unit_test(test_limits),         cmocka_unit_test(test_limits_of_rows),
        cmocka_unit_test(test_nothing_to_ask), cmocka_unit_test(test_no_value),
        cmocka_unit_test(test_evidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
