/* Shapley values: exact against all permutations and closed forms, sampled against
 * exact and the published draws. */
#include "attribute_support.h"
#include "oracle_support.h"

static gpa_sample one(const double *x, size_t d)
{
    return (gpa_sample){.x = x, .n = 1, .d = d};
}

static int knotty(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *z = x + i * d;
        y[i] = z[0] * z[1] * z[2] + cos(z[3]) * z[0] + fabs(z[1] - z[3]);
    }
    return 0;
}

static const double KNOTTY_X[4] = {0.5, -1, 2, 0.25};
static const double KNOTTY_R[3 * 4] = {0,   1,  -1,   0.5, 0.5, 2,
                                       0.3, -1, -1.5, -1,  0.7, 0.25};
/* All 24 orders and 3 reference rows, in NumPy. */
static const double KNOTTY_SV[4] = {-0.183517136892819, -1.075, 0.275,
                                    0.0790458409587737};

/* Inputs that agree with the reference row (one in the second, two in the third) play
 * no part: 15 + 7 + 3 rows. With f of the reference rows known 3 fewer. */
static void brute_force(void **state)
{
    gpa_sample reference = {.x = KNOTTY_R, .n = 3, .d = 4};
    gpa_model *m = callback(knotty, 4);
    double f[3], f_x, known[4];
    gpa_sample s = one(KNOTTY_X, 4);
    struct asked o;
    (void)state;
    assert_int_equal(gpa_model_predict(m, KNOTTY_R, 3, f, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, KNOTTY_X, 1, &f_x, NULL), GPA_OK);
    s.f = &f_x;
    asked_init(&o);
    o.opt.reference = &reference;
    gpa_attribution *a = attribute("sv", m, s, &o); /* exact asks less */
    for (size_t k = 0; k < 4; k++)
        assert_close(gpa_attribution_score(a)[k], KNOTTY_SV[k], 1e-12);
    assert_close(gpa_attribution_extra(a), f_x - total(f, 3) / 3, 1e-12);
    assert_string_equal(gpa_attribution_extra_name(a), "f(x) - mean f");
    assert_int_equal(gpa_attribution_model_rows(a), 15 + 7 + 3);
    assert_int_equal(gpa_attribution_model_calls(a), 1);
    assert_null(gpa_attribution_sd(a));
    assert_non_null(strstr(gpa_attribution_note(a, 0), "exact"));
    memcpy(known, gpa_attribution_score(a), sizeof known);
    gpa_attribution_free(a);
    reference.f = f;
    a = attribute("sv", m, s, &o);
    assert_int_equal(gpa_attribution_model_rows(a), 15 + 7 + 3 - 3);
    assert_memory_equal(gpa_attribution_score(a), known, sizeof known);
    gpa_attribution_free(a);
    gpa_model_free(m);
}

static int plain_sum(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = total(x + i * d, d);
    return 0;
}

/* Exact where that asks no more rows than sampling does. */
static void choice(void **state)
{
    static double x[13], r[20 * 13];
    static const struct {
        const char *name;
        size_t d, rows, configurations;
        bool exact;
    } cases[] = {
        {"few rows", 4, 3, 100, true},
        {"just as many", 4, 4, 15, true}, /* 4 (16 - 1) = 15 * 4 */
        {"one more", 4, 4, 14, false},
        {"more rows", 10, 20, 100, false},
        {"12 inputs", 12, 1, 400, true},
        {"13 inputs", 13, 1, 10000, false},
    };
    (void)state;
    fill_random(x, 13, 1);
    fill_random(r, 20 * 13, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_model *m = callback(plain_sum, cases[i].d);
        const gpa_sample reference = {.x = r, .n = cases[i].rows, .d = cases[i].d};
        const double f = total(x, cases[i].d);
        gpa_sample s = {.x = x, .f = &f, .n = 1, .d = cases[i].d};
        struct asked o;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.sv_configurations = cases[i].configurations;
        gpa_attribution *a = attribute("sv", m, s, &o);
        uint64_t exact = cases[i].rows * ((UINT64_C(1) << cases[i].d) - 1);
        uint64_t sampled = cases[i].configurations * cases[i].d;
        if (gpa_model_rows(m) != (cases[i].exact ? exact : sampled) ||
            (gpa_attribution_sd(a) == NULL) != cases[i].exact)
            fail_msg("%s: %llu rows", cases[i].name,
                     (unsigned long long)gpa_model_rows(m));
        gpa_attribution_free(a);
        gpa_model_free(m);
    }
}

/* Appendix A: with reference rows spread evenly over whole periods every conditional
 * mean is 0, and SV = f(x) / 2 for both inputs. */
static void closed_form(void **state)
{
    enum { SIDE = 6 };
    double reference_x[SIDE * SIDE * 2], f;
    const gpa_sample reference = {.x = reference_x, .n = SIDE * SIDE, .d = 2};
    gpa_model *m = NULL;
    struct asked o;
    (void)state;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        reference_x[2 * i] = -1 + 2 * (double)(i / SIDE) / SIDE;
        reference_x[2 * i + 1] = -1 + 2 * (double)(i % SIDE) / SIDE;
    }
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.shapley = GPA_SHAPLEY_EXACT;
    for (uint64_t i = 0; i < 11; i++) {
        double x[2] = {0.5, 0}, got[2];
        if (i > 0)
            fill_random(x, 2, i);
        assert_int_equal(gpa_model_predict(m, x, 1, &f, NULL), GPA_OK);
        scores("sv", m, one(x, 2), &o, got);
        assert_close(got[0], f / 2, 1e-12);
        assert_close(got[1], f / 2, 1e-12);
    }
    gpa_model_free(m);
}

static const gpa_shapley WAYS[] = {GPA_SHAPLEY_EXACT, GPA_SHAPLEY_SAMPLE};

/* SV_k = w_k (x_k - r_k): of the mean r for exact values, of the drawn ones for sampled
 * values. An input without weight gets exactly 0. */
static void linear_model(void **state)
{
    static const double x[2 * LINEAR_D] = {1, 2, 3, 4, 0.5, -1, 2, 0};
    static const double r[2 * LINEAR_D] = {0, 0, 9, 9, 1, -2, 5, -1};
    static const size_t rows[4] = {1, 0, 1, 1};
    static const size_t orders[4 * LINEAR_D] = {0, 1, 2, 3, 3, 2, 1, 0,
                                                1, 0, 3, 2, 2, 3, 0, 1};
    const gpa_sample reference = {.x = r, .n = 2, .d = LINEAR_D};
    const gpa_sample s = {.x = x, .n = 2, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D);
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double share = i % 2 == 0 ? 0.5 : 0.75, sum = 0; /* of the second row */
        struct asked o;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.shapley = WAYS[i % 2];
        o.opt.sv_rows = rows;
        o.opt.sv_orders = orders;
        o.opt.sv_configurations = 4;
        o.opt.sv_antithetic = i > 1;
        gpa_attribution *a = attribute("sv", m, s, &o);
        for (size_t k = 0; k < LINEAR_D; k++) {
            double mean = (1 - share) * r[k] + share * r[LINEAR_D + k];
            double want = LINEAR_W[k] * (0.5 * (x[k] + x[LINEAR_D + k]) - mean);
            assert_close(gpa_attribution_score(a)[k], want, 1e-12);
            sum += want;
        }
        assert_true(gpa_attribution_score(a)[2] == 0);
        assert_close(gpa_attribution_extra(a), sum, 1e-12);
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* Sampled values scatter about the exact ones as much as they say (the squared error in
 * units of its estimate has the mean 1, nearly, for 50 draws), forwards alone and with
 * the way back. */
static void sampling_error(void **state)
{
    enum { SEEDS = 400, DRAWS = 50 };
    const gpa_sample reference = {.x = KNOTTY_R, .n = 3, .d = 4};
    gpa_model *m = callback(knotty, 4);
    double spread[2] = {0};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        double square[4] = {0}, bias[4] = {0}, sd[4] = {0};
        struct asked o;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.shapley = GPA_SHAPLEY_SAMPLE;
        o.opt.sv_configurations = DRAWS;
        o.opt.sv_antithetic = i == 1;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            o.explain.seed = seed;
            gpa_attribution *a = attribute("sv", m, one(KNOTTY_X, 4), &o);
            for (size_t k = 0; k < 4; k++) {
                double off = gpa_attribution_score(a)[k] - KNOTTY_SV[k];
                bias[k] += off / SEEDS;
                sd[k] += gpa_attribution_sd(a)[k] / SEEDS;
                square[k] += pow(off / gpa_attribution_sd(a)[k], 2) / SEEDS;
            }
            assert_close(total(gpa_attribution_score(a), 4), gpa_attribution_extra(a),
                         1e-12);
            gpa_attribution_free(a);
        }
        for (size_t k = 0; k < 4; k++) {
            assert_close(bias[k], 0, 4 * sd[k] / sqrt(SEEDS));
            assert_true(square[k] > 0.75 && square[k] < 1.35);
        }
        spread[i] = total(sd, 4);
    }
    assert_true(spread[1] < spread[0]); /* what the way back is for */
    gpa_model_free(m);
}

/* With the way back one order gives the exact values of a quadratic function for its
 * reference row; the row itself is asked once. */
static void antithetic(void **state)
{
    static const double x[QUADRATIC_D] = {0.7, -1.1, 2},
                        r[QUADRATIC_D] = {-1, 0.25, 0.5};
    const gpa_sample reference = {.x = r, .n = 1, .d = QUADRATIC_D};
    gpa_model *m = callback(quadratic, QUADRATIC_D);
    const double f =
        0.5 * (2 * 0.49 + 0.5 * 1.21 - 4) + 0.77 + 0.7 - 6.6 + 0.7 + 2.2 + 1;
    gpa_sample s = {.x = x, .f = &f, .n = 1, .d = QUADRATIC_D};
    double want[QUADRATIC_D];
    struct asked o;
    (void)state;
    quadratic_ig(x, r, want);
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.shapley = GPA_SHAPLEY_SAMPLE;
    o.opt.sv_configurations = 1;
    o.opt.sv_antithetic = true;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        o.explain.seed = seed;
        gpa_attribution *a = attribute("sv", m, s, &o);
        for (size_t k = 0; k < QUADRATIC_D; k++)
            assert_close(gpa_attribution_score(a)[k], want[k], 1e-12);
        assert_int_equal(gpa_attribution_model_rows(a), 2 * QUADRATIC_D - 1);
        assert_null(gpa_attribution_sd(a)); /* of one draw */
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* Orders and rows come up equally often: the first step of an order tells which. */
static void draws(void **state)
{
    enum { DRAWS = 24000 };
    static const double x[3] = {1, 1, 1}, r[2 * 3] = {0, 0, 0, 2, 2, 2};
    const gpa_sample reference = {.x = r, .n = 2, .d = 3};
    gpa_model *m = callback(quadratic, 3);
    double got[2][3];
    struct asked o;
    (void)state;
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.shapley = GPA_SHAPLEY_SAMPLE;
    o.opt.sv_configurations = DRAWS;
    gpa_attribution *a = attribute("sv", m, one(x, 3), &o);
    for (size_t k = 0; k < 3; k++) {
        double want[2][3];
        quadratic_ig(x, r, want[0]);
        quadratic_ig(x, r + 3, want[1]);
        assert_close(gpa_attribution_score(a)[k], 0.5 * (want[0][k] + want[1][k]),
                     4 * gpa_attribution_sd(a)[k]);
        assert_true(gpa_attribution_sd(a)[k] < 0.04);
    }
    gpa_attribution_free(a);
    for (size_t i = 0; i < 2; i++) {
        o.opt.sv_configurations = 10;
        scores("sv", m, one(x, 3), &o, got[i]);
    }
    assert_memory_equal(got[0], got[1], sizeof got[0]);
    o.explain.seed = 2;
    scores("sv", m, one(x, 3), &o, got[1]);
    assert_memory_not_equal(got[0], got[1], sizeof got[0]);
    gpa_model_free(m);
}

/* A frozen input is as in x in every coalition. */
static void frozen_inputs(void **state)
{
    static const unsigned char frozen[QUADRATIC_D] = {0, 1, 0};
    static const double x[QUADRATIC_D] = {0.7, -1.1, 2};
    static const double r[QUADRATIC_D] = {-1, 5, 0.5},
                        held[QUADRATIC_D] = {-1, -1.1, 0.5};
    static const double f = 1e9; /* of the row as it stands: not to be used */
    const gpa_sample reference = {.x = r, .f = &f, .n = 1, .d = QUADRATIC_D};
    gpa_model *m = callback(quadratic, QUADRATIC_D);
    double want[QUADRATIC_D];
    (void)state;
    quadratic_ig(x, held, want);
    for (size_t i = 0; i < 2; i++) {
        struct asked o;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.shapley = WAYS[i];
        o.opt.sv_antithetic = true;
        o.explain.frozen = frozen;
        gpa_attribution *a = attribute("sv", m, one(x, QUADRATIC_D), &o);
        for (size_t k = 0; k < QUADRATIC_D; k++)
            assert_close(gpa_attribution_score(a)[k], want[k], 1e-12);
        assert_true(gpa_attribution_score(a)[1] == 0);
        assert_close(gpa_attribution_extra(a), total(want, QUADRATIC_D), 1e-12);
        gpa_attribution_free(a);
    }
    gpa_model_free(m);
}

/* Exact values of more inputs than can be enumerated are refused; freezing helps. */
static void too_many(void **state)
{
    double x[24], r[24];
    unsigned char frozen[24] = {0};
    const gpa_sample reference = {.x = r, .n = 1, .d = 24};
    gpa_model *m = callback(huge_steps, 24);
    gpa_sample s = one(x, 24);
    gpa_attribution *a = NULL;
    gpa_error err;
    struct asked o;
    (void)state;
    fill_random(x, 24, 1);
    memcpy(r, x, sizeof r);
    r[5] = 7;
    asked_init(&o);
    o.opt.reference = &reference;
    o.opt.shapley = GPA_SHAPLEY_EXACT;
    assert_int_equal(gpa_attribute(&a, "sv", m, &s, &o.opt, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "sv: exact values of 24 inputs"));
    memset(frozen, 1, 4);
    o.explain.frozen = frozen;
    gpa_attribution_free(attribute("sv", m, s, &o));
    memset(frozen, 1, sizeof frozen); /* nothing to play for */
    a = attribute("sv", m, s, &o);
    assert_true(total(gpa_attribution_score(a), 24) == 0);
    gpa_attribution_free(a);
    o.opt.shapley = GPA_SHAPLEY_SAMPLE;
    a = attribute("sv", m, s, &o);
    assert_true(total(gpa_attribution_score(a), 24) == 0);
    gpa_attribution_free(a);
    gpa_model_free(m);
}

static void contracts(void **state)
{
    static double x[LINEAR_D] = {1, 2, 3, 4}, r[400 * LINEAR_D];
    const gpa_sample reference = {.x = r, .n = 400, .d = LINEAR_D};
    gpa_model *m = callback(linear, LINEAR_D), *bad = callback(holes, LINEAR_D);
    gpa_model *far = callback(huge_steps, LINEAR_D);
    gpa_sample s = one(x, LINEAR_D);
    (void)state;
    fill_random(r, 400 * LINEAR_D, 9);
    for (size_t i = 0; i < 2; i++) {
        double whole[LINEAR_D], pieces[LINEAR_D];
        gpa_attribution *a = NULL;
        gpa_error err;
        struct asked o;
        asked_init(&o);
        o.opt.reference = &reference;
        o.opt.shapley = WAYS[i];
        o.opt.sv_configurations = 3000;
        check_memory("sv", m, s, &o);
        check_no_y("sv", m, s, &o);
        check_progress("sv", m, s, &o);
        assert_int_equal(gpa_attribute(&a, "sv", bad, &s, &o.opt, &err), GPA_NUMERIC);
        assert_non_null(strstr(err.message, "sv: "));
        assert_int_equal(gpa_attribute(&a, "sv", far, &s, &o.opt, &err), GPA_NUMERIC);
        scores("sv", m, s, &o, whole);
        gpa_model_set_batch(m, 7);
        scores("sv", m, s, &o, pieces);
        assert_memory_equal(whole, pieces, sizeof whole);
    }
    gpa_model_free(m);
    gpa_model_free(bad);
    gpa_model_free(far);
}

struct replay {
    size_t rows[354], orders[354 * ORACLE_D];
};

static void read_draws(const struct oracle *o, struct replay *p)
{
    const json_t *row = oracle_at(o->want, "sv_draws/train_row");
    const json_t *order = oracle_at(o->want, "sv_draws/permutation");
    for (size_t c = 0; c < 354; c++) {
        p->rows[c] = (size_t)oracle_number(row, c);
        for (size_t k = 0; k < ORACLE_D; k++)
            p->orders[c * ORACLE_D + k] =
                (size_t)oracle_number(json_array_get(order, c), k);
    }
}

/* The published draws again: all 354, and the first 100 as in the paper's table. */
static void published(void **state)
{
    static struct replay p;
    struct oracle *o = oracle_needed(state);
    size_t i;
    json_t *outlier;
    read_draws(o, &p);
    json_array_foreach(oracle_at(o->want, "outliers"), i, outlier)
    {
        const json_t *table = json_array_get(oracle_at(o->table, "rows"), i);
        const json_t *want[2] = {oracle_at(outlier, "SV/score"),
                                 oracle_at(table, "SV_100_configurations")};
        size_t row = (size_t)json_integer_value(oracle_at(outlier, "test_index"));
        for (size_t j = 0; j < 2; j++) {
            struct asked ask;
            asked_init(&ask);
            ask.opt.reference = &o->reference;
            ask.opt.sv_rows = p.rows;
            ask.opt.sv_orders = p.orders;
            ask.opt.sv_configurations = j == 0 ? 354 : 100;
            gpa_attribution *a = attribute("sv", o->m, oracle_row(o, row), &ask);
            for (size_t k = 0; k < ORACLE_D; k++)
                assert_close(gpa_attribution_score(a)[k], oracle_number(want[j], k),
                             1e-9);
            assert_true(gpa_attribution_model_rows(a) <=
                        ask.opt.sv_configurations * ORACLE_D);
            gpa_attribution_free(a);
        }
    }
    assert_int_equal(i, 5);
}

/* All 1024 subsets and 354 rows: the sum rule to the last digits, and the published
 * sample as far away as its error says. */
static void published_exactly(void **state)
{
    static struct replay p;
    struct oracle *o = oracle_needed(state);
    const json_t *outlier = json_array_get(oracle_at(o->want, "outliers"), 0);
    size_t row = (size_t)json_integer_value(oracle_at(outlier, "test_index"));
    double *f = calloc(o->reference.n, sizeof *f), off = 0;
    struct asked ask;
    read_draws(o, &p);
    asked_init(&ask);
    ask.opt.reference = &o->reference;
    ask.opt.shapley = GPA_SHAPLEY_EXACT;
    gpa_attribution *exact = attribute("sv", o->m, oracle_row(o, row), &ask);
    assert_int_equal(gpa_model_predict(o->m, o->reference.x, o->reference.n, f, NULL),
                     GPA_OK);
    double want = o->f[row] - total(f, o->reference.n) / (double)o->reference.n;
    assert_close(gpa_attribution_extra(exact), want, 1e-9);
    assert_close(total(gpa_attribution_score(exact), ORACLE_D), want, 1e-9);
    ask.opt.shapley = GPA_SHAPLEY_SAMPLE;
    ask.opt.sv_rows = p.rows;
    ask.opt.sv_orders = p.orders;
    ask.opt.sv_configurations = 354;
    gpa_attribution *sample = attribute("sv", o->m, oracle_row(o, row), &ask);
    for (size_t k = 0; k < ORACLE_D; k++)
        off +=
            pow((gpa_attribution_score(sample)[k] - gpa_attribution_score(exact)[k]) /
                    gpa_attribution_sd(sample)[k],
                2) /
            ORACLE_D;
    assert_true(off > 0.1 && off < 3);
    gpa_attribution_free(exact);
    gpa_attribution_free(sample);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_force),    cmocka_unit_test(choice),
        cmocka_unit_test(closed_form),    cmocka_unit_test(linear_model),
        cmocka_unit_test(sampling_error), cmocka_unit_test(antithetic),
        cmocka_unit_test(draws),          cmocka_unit_test(frozen_inputs),
        cmocka_unit_test(too_many),       cmocka_unit_test(contracts),
        cmocka_unit_test(published),      cmocka_unit_test(published_exactly),
    };
    return cmocka_run_group_tests(tests, oracle_set_up, oracle_tear_down);
}
