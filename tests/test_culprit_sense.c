/* What anybody expects of culprits, whatever the arithmetic: a y that nothing can
 * explain is suspected, an input that the model does not use is not, and the order of
 * the columns has no say. */
#include "culprit_support.h"
#include <stdint.h>

enum { ROWS = 60, MOST = 40 };

static double some(size_t i, size_t k)
{
    return 1.5 * sin(2 + 5 * (double)i + 11 * (double)k) + 0.3 * cos((double)i);
}

/* One row of d inputs, its reference rows and a linear model. */
struct table {
    double x[MOST], y, w[MOST], unit[MOST], rows[ROWS * MOST];
    gpa_model *model;
    struct question q;
};

static void open_table(struct table *t, size_t d)
{
    *t = (struct table){.y = 0};
    for (size_t k = 0; k < d; k++) {
        t->w[k] = cos((double)k);
        t->unit[k] = 1;
        t->x[k] = some(99, k);
        for (size_t i = 0; i < ROWS; i++)
            t->rows[i * d + k] = some(i, k);
    }
    weighted(t->w, t->x, 1, d, &t->y);
    assert_int_equal(gpa_model_from_callback(&t->model, weighted, t->w, d, NULL),
                     GPA_OK);
    t->q = (struct question){.model = t->model,
                             .n = 1,
                             .d = d,
                             .x = t->x,
                             .y = &t->y,
                             .unit = t->unit,
                             .reference = t->rows,
                             .n_reference = ROWS,
                             .opt = {.mode = GPA_CULPRIT_ON,
                                     .sigma = 0.3,
                                     .spread = 2,
                                     .output_prior = (double)NAN}};
}

/* The farther y is from anything that f can be, the surer it is that y is wrong. */
static void test_absurd_outcome(void **state)
{
    (void)state;
    for (int reference = 0; reference < 2; reference++) {
        double before = 0;
        for (int e = 2; e < 300; e = e < 6 ? e + 1 : 2 * e) {
            struct table t;
            struct answer a;
            open_table(&t, 5);
            t.y += pow(10, e);
            t.q.reference = reference ? t.rows : NULL;
            t.q.opt.spread = reference ? 2 : (double)NAN;
            look_well(&a, &t.q);
            assert_true(a.c.output > before - 1e-9);
            if (reference) {
                assert_int_equal(a.c.verdict, GPA_VERDICT_OUTPUT);
                assert_true(a.c.output > 0.95);
            }
            before = a.c.output;
            forget(&a);
            gpa_model_free(t.model);
        }
        assert_true(before > (reference ? 0.95 : 0.5)); /* it may be stray */
    }
}

/* A model that is precise, inputs that have nothing to do with each other, and one of
 * them wrong by any amount: it, and what it should be. */
static void test_any_distance(void **state)
{
    enum { D = 3 };
    (void)state;
    for (double wrong = 3; wrong <= 20; wrong += 0.25) {
        struct table t;
        struct answer a;
        open_table(&t, D);
        for (size_t k = 0; k < D; k++) {
            t.w[k] = (double)(D - k);
            t.x[k] = 0.3 - 0.2 * (double)k;
            for (size_t i = 0; i < ROWS; i++)
                t.rows[i * D + k] = 1.4 * sin((1.3 + 1.1 * (double)k) * (double)i);
        }
        weighted(t.w, t.x, 1, D, &t.y);
        t.x[0] += wrong;
        t.q.opt.sigma = 0.1;
        look_well(&a, &t.q);
        assert_int_equal(a.c.first, 0);
        assert_int_equal(a.c.verdict, GPA_VERDICT_INPUT);
        assert_close(a.c.median[0] * a.unit[0], -wrong, 0.1);
        for (size_t k = 1; k < D; k++)
            assert_true(a.c.probability[k] < 0.4);
        forget(&a);
        gpa_model_free(t.model);
    }
}

/* The same, but without a value where the first input is below a limit, or where any
 * input is not that of the row. */
struct lacking {
    const double *w, *x;
    double limit;
};

static int lacks(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const struct lacking *l = ctx;
    for (size_t i = 0; i < n; i++) {
        bool same = true;
        for (size_t k = 0; k < d; k++)
            same = same && x[i * d + k] == l->x[k];
        y[i] = 0;
        for (size_t k = 0; k < d; k++)
            y[i] += l->w[k] * x[i * d + k];
        if (!same && (isnan(l->limit) || x[i * d] < l->limit))
            y[i] = (double)NAN;
    }
    return 0;
}

static void ask_lacking(struct table *t, struct lacking *l, struct answer *a)
{
    gpa_model *whole = t->model;
    *l = (struct lacking){t->w, t->x, l->limit};
    assert_int_equal(gpa_model_from_callback(&t->model, lacks, l, t->q.d, NULL),
                     GPA_OK);
    t->q.model = t->model;
    look_well(a, &t->q);
    gpa_model_free(t->model);
    t->model = whole;
}

/* The model has no value for any other row: nothing was learnt, and what is said is
 * what was believed beforehand, the same of every input, however far off each is. */
static void test_no_values(void **state)
{
    (void)state;
    for (size_t d = 1; d <= 12; d += d < 3 ? 1 : 9) {
        struct table t;
        struct answer a, far;
        struct lacking l = {.limit = (double)NAN};
        open_table(&t, d);
        t.y += 20;
        ask_lacking(&t, &l, &a);
        assert_int_equal(a.c.verdict, GPA_VERDICT_TIED);
        for (size_t k = 0; k < d; k++)
            assert_close(a.c.probability[k], 1 / (double)d, 0.01);
        t.x[0] += 8; /* and y with it */
        t.y += 8 * t.w[0];
        ask_lacking(&t, &l, &far);
        assert_close(far.c.probability[0], a.c.probability[0], 1e-9);
        assert_close(far.c.output, a.c.output, 1e-9);
        forget(&a);
        forget(&far);
        gpa_model_free(t.model);
    }
}

/* It has none where the truth lies: another input that could explain y is not sure. It
 * has none where nothing is plausible: the answer is that of the whole model. */
static void test_some_values(void **state)
{
    enum { D = 3 };
    static const double LIMITS[] = {-1e3, 3};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct table t;
        struct answer whole, a;
        struct lacking l = {.limit = LIMITS[i]};
        open_table(&t, D);
        for (size_t k = 0; k < D; k++) {
            t.w[k] = (double)(D - k);
            t.x[k] = 0.3 - 0.2 * (double)k;
            for (size_t j = 0; j < ROWS; j++)
                t.rows[j * D + k] = 1.4 * sin((1.3 + 1.1 * (double)k) * (double)j);
        }
        weighted(t.w, t.x, 1, D, &t.y);
        t.x[0] += 6;
        look_well(&whole, &t.q);
        assert_int_equal(whole.c.verdict, GPA_VERDICT_INPUT);
        assert_int_equal(whole.c.first, 0);
        ask_lacking(&t, &l, &a);
        assert_int_equal(a.c.verdict, i == 0 ? GPA_VERDICT_INPUT : GPA_VERDICT_TIED);
        if (i == 0) {
            assert_close(a.c.probability[0], whole.c.probability[0], 1e-3);
            assert_close(a.c.output, whole.c.output, 1e-3);
        }
        assert_int_equal(a.c.first, 0);
        for (size_t k = 1; k < D; k++)
            assert_true(a.c.probability[k] < 0.5);
        assert_true(a.c.output < 0.5);
        forget(&a);
        forget(&whole);
        gpa_model_free(t.model);
    }
}

/* An input far outside of everything, which the model ignores, beside an outcome that
 * is a little off: not it. And with a model that ignores them all it is y. */
static void test_blind_model(void **state)
{
    struct table t;
    struct answer a;
    (void)state;
    for (int all = 0; all < 2; all++) {
        open_table(&t, 5);
        for (size_t k = 0; k < 5; k++)
            t.w[k] = all || k == 3 ? 0 : t.w[k];
        weighted(t.w, t.x, 1, 5, &t.y);
        t.x[3] += 8;
        t.y += 0.8;
        look_well(&a, &t.q);
        assert_true(a.c.probability[3] * (1 - a.c.output) < 0.02);
        assert_true(isnan(a.c.median[3]));
        if (all) {
            assert_int_equal(a.c.verdict, GPA_VERDICT_OUTPUT);
            assert_true(a.c.output > 0.95);
        } else {
            assert_true(a.c.first != 3);
        }
        forget(&a);
        gpa_model_free(t.model);
    }
}

/* Several rows and a model that ignores every input: it is y, whatever is odd about the
 * rows, be it by one amount or by another in each. */
static void test_blind_to_several(void **state)
{
    struct table t;
    struct answer a;
    double x[3 * 5], y[3];
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        open_table(&t, 5);
        memset(t.w, 0, sizeof t.w);
        for (size_t i = 0; i < 3; i++) {
            memcpy(x + 5 * i, t.x, 5 * sizeof *x);
            x[5 * i + 3] += apart ? 4 + 3 * (double)i : 6;
            y[i] = apart && i == 1 ? -1.5 : 1.5;
        }
        t.q.x = x;
        t.q.y = y;
        t.q.n = 3;
        look_well(&a, &t.q);
        assert_true(a.c.output > 0.95);
        for (size_t k = 0; k < 5; k++)
            assert_true(isnan(a.c.median[k]));
        forget(&a);
        gpa_model_free(t.model);
    }
}

/* The same columns the other way round, more of them than get all places at once. */
static void test_order_of_columns(void **state)
{
    (void)state;
    for (size_t culprit = 3; culprit < MOST; culprit += 9) {
        double p[2][MOST];
        for (int turned = 0; turned < 2; turned++) {
            struct table t, u;
            struct answer a;
            open_table(&t, MOST);
            t.x[culprit] += 4;
            u = t;
            for (size_t k = 0; k < MOST && turned; k++) {
                t.w[k] = u.w[MOST - 1 - k];
                t.x[k] = u.x[MOST - 1 - k];
                for (size_t i = 0; i < ROWS; i++)
                    t.rows[i * MOST + k] = u.rows[i * MOST + MOST - 1 - k];
            }
            look_well(&a, &t.q);
            for (size_t k = 0; k < MOST; k++)
                p[turned][turned ? MOST - 1 - k : k] = a.c.probability[k];
            forget(&a);
            gpa_model_free(t.model);
        }
        for (size_t k = 0; k < MOST; k++)
            assert_close(p[0][k], p[1][k], 1e-6);
    }
}

/* Uniform numbers that are added up: near enough to normal ones. */
static double normal(uint32_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += (double)(*seed >> 8) / (1 << 24);
    }
    return sum;
}

/* A row of inputs each of which is correlated .7 with the one before. */
static void correlated(uint32_t *seed, size_t d, double *x)
{
    for (size_t k = 0; k < d; k++)
        x[k] = k == 0 ? normal(seed) : 0.7 * x[k - 1] + sqrt(0.51) * normal(seed);
}

/* One of eight inputs wrong by four standard deviations, eight times: it is named, also
 * if the reference has every row twice, with little noise or without. */
static void test_rows_twice(void **state)
{
    enum { D = 8 };
    (void)state;
    for (int noise = 0; noise < 2; noise++)
        for (size_t culprit = 0; culprit < D; culprit++) {
            struct table t;
            struct answer a;
            uint32_t seed = 7 + (uint32_t)culprit;
            open_table(&t, D);
            for (size_t i = 0; i < ROWS / 2; i++) {
                double *row = t.rows + i * D, *twin = row + ROWS / 2 * D;
                correlated(&seed, D, row);
                for (size_t k = 0; k < D; k++)
                    twin[k] = row[k] + 0.01 * noise * normal(&seed);
            }
            correlated(&seed, D, t.x);
            for (size_t k = 0; k < D; k++)
                t.w[k] = 1;
            weighted(t.w, t.x, 1, D, &t.y);
            t.x[culprit] += 4;
            look_well(&a, &t.q);
            assert_int_equal(a.c.first, culprit);
            for (size_t k = 0; k < D; k++)
                assert_true(k == culprit || a.c.probability[k] < 0.5);
            forget(&a);
            gpa_model_free(t.model);
        }
}

/* The model ignores one of eight correlated inputs, which is six standard deviations
 * off in this row; besides, another one is wrong, or y. Whoever that is is named, and
 * no neighbour of the first. */
static void test_blind_neighbour(void **state)
{
    enum { D = 8, BLIND = 4 };
    (void)state;
    for (size_t culprit = 0; culprit <= D; culprit++) {
        struct table t;
        struct answer a;
        uint32_t seed = 70 + (uint32_t)culprit;
        if (culprit == BLIND)
            continue;
        open_table(&t, D);
        for (size_t i = 0; i < ROWS; i++)
            correlated(&seed, D, t.rows + i * D);
        correlated(&seed, D, t.x);
        for (size_t k = 0; k < D; k++)
            t.w[k] = k == BLIND ? 0 : 1;
        weighted(t.w, t.x, 1, D, &t.y);
        t.x[BLIND] += 6;
        *(culprit < D ? &t.x[culprit] : &t.y) += 5;
        look_well(&a, &t.q);
        assert_true(a.c.silent[BLIND]);
        assert_true(a.c.probability[BLIND] < 0.05);
        if (culprit < D) {
            assert_int_equal(a.c.first, culprit);
            assert_int_equal(a.c.verdict, GPA_VERDICT_INPUT);
        } else {
            assert_true(a.c.output > 0.3);
        }
        for (size_t k = 0; k < D; k++) {
            assert_true(k == BLIND || !a.c.silent[k]);
            assert_true(k == culprit || a.c.probability[k] * (1 - a.c.output) < 0.5);
        }
        forget(&a);
        gpa_model_free(t.model);
    }
}

/* As trees see it: steps of a quarter, and nothing changes below 0 and above 4. */
static int stairs(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    double step[MOST];
    for (size_t i = 0; i < n; i++, x += d) {
        for (size_t k = 0; k < d; k++)
            step[k] = floor(4 * fmin(fmax(x[k], 0), 4)) / 4;
        weighted(ctx, step, 1, d, y + i);
    }
    return 0;
}

/* -999 and -99 in columns that are never negative, of a model in steps: the unit is
 * stretched hundreds of times, and what is usual lies in a corner of the line. Few
 * columns, and more than get all places at once. */
static void test_missing_code_on_stairs(void **state)
{
    static const struct {
        size_t d, culprit;
        double code;
    } cases[] = {{3, 0, -999}, {3, 0, -99}, {5, 2, -9999}, {30, 7, -999}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t d = cases[c].d, culprit = cases[c].culprit;
        struct table t;
        struct answer a;
        gpa_input in[MOST];
        gpai_limits limits = {.inputs = in};
        open_table(&t, d);
        for (size_t k = 0; k < d; k++) {
            in[k] = (gpa_input){.low = 0, .high = (double)NAN, .missing = (double)NAN};
            t.w[k] = k == culprit ? 3 : 0.5;
            t.x[k] = 2.1;
            for (size_t i = 0; i < ROWS; i++)
                t.rows[i * d + k] = 2 + 1.4 * sin((1.3 + 1.1 * (double)k) * (double)i);
        }
        gpa_model_free(t.model);
        assert_int_equal(gpa_model_from_callback(&t.model, stairs, t.w, d, NULL),
                         GPA_OK);
        t.q.model = t.model;
        t.q.limits = &limits;
        stairs(t.w, t.x, 1, d, &t.y);
        t.x[culprit] = cases[c].code;
        look_well(&a, &t.q);
        assert_int_equal(a.c.first, culprit);
        assert_int_equal(a.c.verdict, GPA_VERDICT_INPUT);
        assert_close(t.x[culprit] + a.c.median[culprit] * a.unit[culprit], 2.125, 0.25);
        for (size_t k = 0; k < d; k++)
            assert_true(k == culprit || a.c.probability[k] < 0.2);
        forget(&a);
        gpa_model_free(t.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_absurd_outcome),
        cmocka_unit_test(test_any_distance),
        cmocka_unit_test(test_blind_model),
        cmocka_unit_test(test_blind_to_several),
        cmocka_unit_test(test_order_of_columns),
        cmocka_unit_test(test_rows_twice),
        cmocka_unit_test(test_blind_neighbour),
        cmocka_unit_test(test_missing_code_on_stairs),
        cmocka_unit_test(test_no_values),
        cmocka_unit_test(test_some_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
