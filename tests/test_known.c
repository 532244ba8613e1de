/* What belongs to a table is found once, and nothing shows it: many rows are explained
 * as each would be by itself. */
#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "engine/culprit/density/known.h"
#include "engine/culprit/density/witness.h"
#include <gpa/gpa.h>

enum { D = 4, MOST = 450, EXPLAINED = 6 };

static int curved(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++, x += d)
        y[i] = x[0] + 2 * x[1] + 0.5 * x[2] * x[0] - (isnan(x[3]) ? 1 : x[3]);
    return 0;
}

struct table {
    gpa_model *model;
    double x[MOST * D], y[MOST], f[MOST], reference[MOST * D], unit[D];
    gpa_sample all, known;
    gpa_input inputs[D];
    gpa_explain_options opt;
};

static void draw_rows(gpai_rng *rng, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double common = gpai_rng_normal(rng);
        for (size_t k = 0; k < D; k++)
            x[i * D + k] = 0.8 * common + 0.6 * gpai_rng_normal(rng);
    }
}

static void make_table(struct table *t, size_t n)
{
    gpai_rng rng = gpai_rng_make(9, 0);
    *t = (struct table){0};
    assert_int_equal(gpa_model_from_callback(&t->model, curved, NULL, D, NULL), GPA_OK);
    draw_rows(&rng, t->x, n);
    draw_rows(&rng, t->reference, MOST);
    curved(NULL, t->x, n, D, t->y);
    for (size_t i = 0; i < n; i++)
        t->y[i] += 0.2 * gpai_rng_normal(&rng);
    for (size_t i = 0; i < n; i += 7)
        t->x[i * D + i % D] += 3;
    t->x[4 * D + 3] = (double)NAN; /* a gap: other axes than those of the other rows */
    for (size_t k = 0; k < D; k++) {
        t->unit[k] = 1;
        t->inputs[k] = (gpa_input){
            .low = (double)NAN, .high = (double)NAN, .missing = (double)NAN};
    }
    curved(NULL, t->x, n, D, t->f);
    t->all = (gpa_sample){.x = t->x, .y = t->y, .f = t->f, .n = n, .d = D};
    t->known = (gpa_sample){.x = t->reference, .n = MOST, .d = D};
    gpa_explain_options_init(&t->opt);
    t->opt.sigma = 0.2;
    t->opt.unit = t->unit;
    t->opt.inputs = t->inputs;
    t->opt.marginals = GPA_MARGINALS_NONE;
}

/* All numbers of an explanation's culprits, and its change. */
enum { NUMBERS = 10 * D + 8 };

static void list_numbers(const gpa_explanation *e, double *out)
{
    const gpa_culprit *c = gpa_explanation_culprit(e);
    assert_non_null(c);
    const double *const lists[] = {c->probability, c->single,
                                   c->median,      c->low,
                                   c->high,        c->evidence[0],
                                   c->evidence[1], c->evidence[2],
                                   c->evidence[3], gpa_explanation_delta(e)};
    for (size_t i = 0; i < 10; i++)
        memcpy(out + i * D, lists[i], D * sizeof *out);
    const double last[8] = {c->output,
                            c->output_evidence,
                            c->p_likeliest,
                            c->exchanged,
                            (double)c->n_likeliest,
                            (double)c->likeliest[0],
                            (double)c->plausible_rows,
                            (double)c->verdict};
    memcpy(out + (size_t)10 * D, last, sizeof last);
}

static gpa_status keep(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    double(*out)[NUMBERS] = ctx;
    (void)err;
    list_numbers(e, out[index]);
    return GPA_OK;
}

/* Every row by itself, as gpa_explain_many says it is done. */
static void one_by_one(struct table *t, const size_t *rows, double out[][NUMBERS])
{
    for (size_t i = 0; i < EXPLAINED; i++) {
        gpa_explanation *e = NULL;
        gpa_error err;
        gpa_explain_options o = t->opt;
        size_t row = rows[i];
        const gpa_sample s = {
            .x = t->x + row * D, .y = t->y + row, .f = t->f + row, .n = 1, .d = D};
        o.context = &t->all;
        o.context_rows = &row;
        if (gpa_explain(&e, t->model, &s, &o, &err) != GPA_OK)
            fail_msg("%s", err.message);
        list_numbers(e, out[i]);
        gpa_explanation_free(e);
    }
}

static void check_same(size_t n, gpa_plausible plausible, const size_t *rows)
{
    static double alone[EXPLAINED][NUMBERS], many[EXPLAINED][NUMBERS];
    static struct table t;
    make_table(&t, n);
    t.opt.plausible = plausible;
    t.opt.reference = plausible == GPA_PLAUSIBLE_REFERENCE ? &t.known : NULL;
    one_by_one(&t, rows, alone);
    for (size_t threads = 1; threads <= 2; threads++) {
        memset(many, 0, sizeof many);
        assert_int_equal(gpa_explain_many(t.model, &t.all, rows, EXPLAINED, threads,
                                          &t.opt, keep, many, NULL),
                         GPA_OK);
        assert_memory_equal(many, alone, sizeof many);
    }
    gpa_model_free(t.model);
}

static void test_reference(void **state)
{
    static const size_t rows[EXPLAINED] = {0, 4, 7, 14, 21, 30};
    (void)state;
    check_same(60, GPA_PLAUSIBLE_REFERENCE, rows);
    check_same(MOST, GPA_PLAUSIBLE_REFERENCE, rows);
}

/* All rows but the explained one say what is plausible. */
static void test_few_data(void **state)
{
    static const size_t rows[EXPLAINED] = {0, 4, 7, 14, 21, 30};
    (void)state;
    check_same(60, GPA_PLAUSIBLE_DATA, rows);
    check_same(200, GPA_PLAUSIBLE_DATA, rows);
}

/* Of 450 rows 300 are used: 0, 1, 3, 4, 6, ... A row among them is left out. */
static void test_many_data(void **state)
{
    static const size_t among[EXPLAINED] = {0, 4, 9, 18, 27, 36};
    static const size_t other[EXPLAINED] = {2, 5, 8, 14, 20, 35};
    static const size_t mixed[EXPLAINED] = {7, 0, 14, 4, 9, 21};
    (void)state;
    for (size_t i = 0; i < EXPLAINED; i++) {
        bool is = false, not = false;
        for (size_t j = 0; j < 300; j++) {
            is = is || among[i] == j * MOST / 300;
            not = not || other[i] == j * MOST / 300;
        }
        assert_true(is && !not );
    }
    check_same(MOST, GPA_PLAUSIBLE_DATA, among);
    check_same(MOST, GPA_PLAUSIBLE_DATA, other);
    check_same(MOST, GPA_PLAUSIBLE_DATA, mixed);
}

/* A row of a long table is left out of what its table says: about the same as if the
 * others were all there is (in short tables exactly: test_properties.c). */
static void test_left_out(void **state)
{
    enum { ROWS = 200, STEP = 4 };
    static struct table t;
    static double others[(ROWS - 1) * D];
    double off = 0, most = 0;
    (void)state;
    make_table(&t, ROWS);
    for (size_t row = 1; row < ROWS; row += STEP) {
        const gpa_sample one = {
            .x = t.x + row * D, .y = t.y + row, .f = t.f + row, .n = 1, .d = D};
        const gpa_sample rest = {.x = others, .n = ROWS - 1, .d = D};
        double p[2][NUMBERS];
        memcpy(others, t.x, row * D * sizeof *others);
        memcpy(others + row * D, t.x + (row + 1) * D,
               (ROWS - 1 - row) * D * sizeof *others);
        for (int i = 0; i < 2; i++) {
            gpa_explanation *e = NULL;
            gpa_explain_options o = t.opt;
            o.context = &t.all;
            o.context_rows = &row;
            o.reference = &rest;
            o.every_witness = true; /* others have another sigma */
            o.plausible = i == 0 ? GPA_PLAUSIBLE_DATA : GPA_PLAUSIBLE_REFERENCE;
            assert_int_equal(gpa_explain(&e, t.model, &one, &o, NULL), GPA_OK);
            list_numbers(e, p[i]);
            gpa_explanation_free(e);
        }
        for (size_t k = 0; k < D; k++) {
            off += fabs(p[0][k] - p[1][k]) * STEP / (ROWS * D);
            most = fmax(most, fabs(p[0][k] - p[1][k]));
        }
    }
    print_message("%g in the mean, %g at most\n", off, most);
    assert_true(off < 0.002 && most < 0.02);
    gpa_model_free(t.model);
}

/* More kinds of axes than are remembered: every row has gaps of its own. */
static void test_many_kinds(void **state)
{
    enum { KINDS = 14 };
    static double alone[KINDS][NUMBERS], many[KINDS][NUMBERS];
    static struct table t;
    size_t rows[KINDS];
    (void)state;
    make_table(&t, 60);
    t.opt.plausible = GPA_PLAUSIBLE_REFERENCE;
    t.opt.reference = &t.known;
    for (size_t i = 0; i < KINDS; i++) {
        rows[i] = 30 + i;
        for (size_t k = 0; k < D; k++)
            if ((i + 1) >> k & 1)
                t.x[(30 + i) * D + k] = k == 3 ? (double)NAN : -99;
    }
    for (size_t k = 0; k < 3; k++)
        t.inputs[k].missing = -99;
    curved(NULL, t.x, 60, D, t.f);
    for (size_t i = 0; i < KINDS; i++) {
        double six[EXPLAINED][NUMBERS];
        size_t same[EXPLAINED];
        for (size_t j = 0; j < EXPLAINED; j++)
            same[j] = rows[i];
        one_by_one(&t, same, six);
        memcpy(alone[i], six[0], sizeof alone[i]);
    }
    for (size_t threads = 1; threads <= 2; threads++) {
        assert_int_equal(gpa_explain_many(t.model, &t.all, rows, KINDS, threads, &t.opt,
                                          keep, many, NULL),
                         GPA_OK);
        assert_memory_equal(many, alone, sizeof many);
    }
    gpa_model_free(t.model);
}

/* Every allocation fails in turn. What is only remembered can be done without: then the
 * result is the same. */
static void test_out_of_memory(void **state)
{
    static const size_t rows[EXPLAINED] = {1, 3, 4, 7, 14, 21};
    static double want[EXPLAINED][NUMBERS], got[EXPLAINED][NUMBERS];
    static struct table t;
    size_t without = 0, failures = 0;
    (void)state;
    make_table(&t, MOST);
    t.opt.plausible = GPA_PLAUSIBLE_DATA;
    one_by_one(&t, rows, want);
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (size_t k = 1;; k++) {
            gpa_error err = {GPA_OK, ""};
            gpai_alloc_fail_at(k, for_ever == 1);
            gpa_status st = gpa_explain_many(t.model, &t.all, rows, EXPLAINED, 1,
                                             &t.opt, keep, got, &err);
            bool reached = gpai_alloc_count() >= k;
            gpai_alloc_fail_at(0, false);
            if (st == GPA_OK) {
                assert_memory_equal(got, want, sizeof got);
                if (!reached)
                    break;
                without++;
                continue;
            }
            assert_int_equal(st, GPA_NOMEM);
            assert_true(err.message[0] != '\0');
            failures++;
        }
    assert_true(failures > 50 && without > 3);
    gpa_model_free(t.model);
}

/* All but its own; 300 evenly spaced ones of many, but for its own, or the next for
 * each of several. */
static void other_rows(void **state)
{
    static const size_t own[] = {7, 0, 5}, all[] = {0, 1, 2};
    size_t row[GPAI_CROWD_MOST], n = gpai_other_rows(30, own, 1, row);
    (void)state;
    assert_int_equal(n, 29);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(row[i], i < 7 ? i : i + 1);
    assert_int_equal(gpai_other_rows(3, all, 3, row), 0);
    assert_int_equal(gpai_other_rows(1500, own + 2, 1, row), 299);
    assert_int_equal(row[0], 0);
    assert_int_equal(row[1], 10);
    assert_int_equal(gpai_other_rows(1500, own, 3, row), 300);
    assert_int_equal(row[0], 1);
    assert_int_equal(row[1], 6);
    for (size_t i = 2; i < 300; i++)
        assert_int_equal(row[i], 5 * i);
}

/* 100 rows of one input from 0 to 9.9, of which `count` from row 10 on have `value`,
 * and outcomes that are off by 1 and -1 by turns, or `off` in those rows (NaN: not
 * known). Gives how many of the rows are witnesses. */
static size_t witnesses_of(size_t count, double value, double off, const gpa_input *in)
{
    double x[100], y[100], f[100] = {0};
    size_t row[GPAI_CROWD_MOST], n = gpai_other_rows(100, NULL, 0, row), kept;
    for (size_t i = 0; i < 100; i++) {
        bool bad = i >= 10 && i < 10 + count;
        x[i] = bad ? value : (double)i / 10;
        y[i] = bad ? off : i % 2 ? 1 : -1;
    }
    gpa_sample all = {.x = x, .n = 100, .d = 1};
    if (!isnan(off)) {
        all.y = y;
        all.f = f;
    }
    kept = gpai_witnesses(&all, in, row, n);
    for (size_t i = 0; i < kept; i++)
        assert_int_equal(row[i], kept == 100 || i < 10 ? i : i + 100 - kept);
    return kept;
}

/* Which rows say what is plausible. */
static void witnesses(void **state)
{
    const gpa_input flag = {.kind = GPA_KIND_FLAG},
                    code = {.missing = -999, .low = (double)NAN, .high = (double)NAN};
    const double unknown = (double)NAN;
    (void)state;
    assert_int_equal(witnesses_of(0, 0, 0, NULL), 100);
    assert_int_equal(witnesses_of(1, 5, 3.5, NULL), 100); /* sigma is 1 */
    assert_int_equal(witnesses_of(1, 5, -5, NULL), 99);   /* contradicts the model */
    assert_int_equal(witnesses_of(5, 5, -50, NULL), 95);
    assert_int_equal(witnesses_of(1, 19, unknown, NULL), 100); /* not so far */
    assert_int_equal(witnesses_of(1, 21, unknown, NULL), 99);
    assert_int_equal(witnesses_of(1, -11, unknown, NULL), 99);
    assert_int_equal(witnesses_of(3, 300, unknown, NULL), 97);
    assert_int_equal(witnesses_of(4, 300, unknown, NULL), 100); /* not so few */
    assert_int_equal(witnesses_of(2, 300, 0, NULL), 98);        /* two say nothing */
    assert_int_equal(witnesses_of(3, 300, 0, NULL), 100); /* a rare kind of rows */
    assert_int_equal(witnesses_of(5, 300, 3, NULL),
                     95); /* the model does not know it */
    assert_int_equal(witnesses_of(6, 300, 3, NULL), 100);
    assert_int_equal(witnesses_of(3, 300, unknown, &flag), 100);
    assert_int_equal(witnesses_of(2, -999, unknown, &code), 100); /* a missing value */
}

/* f takes the values 0 to 9 in turns, of standard deviation sqrt(8.25) over whole tens;
 * every 50th row predicts 1000, which its outcome contradicts. Of a long table 8,192
 * rows are looked at, with 49 parts in 50 of the ordinary ones. */
static void spread_of_witnesses(void **state)
{
    static const size_t lengths[] = {1000, 100000};
    const double ordinary = sqrt(8.25), share = 0.02;
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        size_t n = lengths[t];
        double *y = malloc(n * sizeof *y), *f = malloc(n * sizeof *f);
        for (size_t i = 0; i < n; i++) {
            bool wrong = i % 50 == 7;
            f[i] = wrong ? 1000 : (double)(i / 50 % 10);
            y[i] = (wrong ? 0 : f[i]) + (i % 2 ? 1 : -1);
        }
        gpa_sample all = {.y = y, .f = f, .n = n, .d = 1};
        double mean = 1000 * share + 4.5 * (1 - share), square = 28.5 * (1 - share);
        double every = sqrt(1e6 * share + square - mean * mean);
        assert_true(fabs(gpai_witness_spread(&all, false) / ordinary - 1) < 0.01);
        assert_true(fabs(gpai_witness_spread(&all, true) / every - 1) < 0.05);
        gpai_known *known = NULL;
        assert_int_equal(gpai_known_new(&known, NULL), GPA_OK);
        double once = gpai_known_spread(known, &all, false);
        all.n = 10; /* not looked at again */
        assert_true(gpai_known_spread(known, &all, false) == once);
        assert_true(fabs(once / ordinary - 1) < 0.01);
        gpai_known_free(known);
        all.n = GPAI_CROWD_LEAST - 1;
        assert_true(isnan(gpai_witness_spread(&all, false)));
        free(y);
        free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),      cmocka_unit_test(test_few_data),
        cmocka_unit_test(test_many_data),      cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_many_kinds),     cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(other_rows),          cmocka_unit_test(witnesses),
        cmocka_unit_test(spread_of_witnesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
