#include "culprit_support.h"

enum { INPUTS = 1000 };

/* sum_k cos(k) x_k + x_first x_last / 2; no number beyond x_first = `wall`. */
static int formula(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    double wall = *(const double *)ctx;
    for (size_t i = 0; i < n; i++, x += d) {
        y[i] = 0.5 * x[0] * x[d - 1];
        for (size_t k = 0; k < d; k++)
            y[i] += cos((double)k) * x[k];
        if (x[0] > wall)
            y[i] = (double)NAN;
    }
    return 0;
}

struct made {
    gpa_model *model;
    double wall;
    double *x, *y, *reference, *unit;
    struct question q;
};

/* Input k of reference row i. */
static double usual(size_t i, size_t k)
{
    return 1.5 * sin(2 + 5 * (double)i + 11 * (double)k) + 0.3 * cos((double)i);
}

/* n rows of d inputs whose y is too high by `shift`. */
static void make(struct made *m, size_t d, size_t n, size_t rows, double shift)
{
    *m = (struct made){.wall = HUGE_VAL};
    assert_int_equal(gpa_model_from_callback(&m->model, formula, &m->wall, d, NULL),
                     GPA_OK);
    m->x = calloc(n * d, sizeof(double));
    m->y = calloc(n, sizeof(double));
    m->unit = calloc(d, sizeof(double));
    m->reference = calloc(rows * d + 1, sizeof(double));
    for (size_t k = 0; k < d; k++) {
        double in = (double)k;
        m->unit[k] = 1 + 0.1 * in;
        for (size_t t = 0; t < n; t++)
            m->x[t * d + k] = sin(1 + 3 * (double)t + 7 * in);
        for (size_t i = 0; i < rows; i++)
            m->reference[i * d + k] = usual(i, k);
    }
    formula(&m->wall, m->x, n, d, m->y);
    for (size_t t = 0; t < n; t++)
        m->y[t] += shift;
    m->q = (struct question){.model = m->model,
                             .n = n,
                             .d = d,
                             .x = m->x,
                             .y = m->y,
                             .unit = m->unit,
                             .reference = rows > 0 ? m->reference : NULL,
                             .n_reference = rows,
                             .opt = {.mode = GPA_CULPRIT_ON,
                                     .sigma = 1,
                                     .spread = (double)NAN,
                                     .output_prior = (double)NAN}};
}

static void unmake(struct made *m)
{
    gpa_model_free(m->model);
    free(m->x);
    free(m->y);
    free(m->unit);
    free(m->reference);
}

/* Tables of formulas, the same in tests/culprit_reference.py, and what it says. */

enum { COLUMNS = 7, AXES = 7 };

static void made_row(size_t i, double *x)
{
    double at = (double)i;
    double a = sin(1.3 * at + 0.4), b = sin(2.7 * at + 1.1), c = sin(4.1 * at + 0.2);
    size_t group = i * 31 % 5;
    x[0] = 3 * a + 0.5 * b;
    x[1] = exp(0.5 * a + 0.4 * c);
    x[2] = floor(2.5 * (1 + 0.95 * b + 0.05 * c));
    x[3] = a + 0.6 * c > 0.2 ? 2 : 1;
    x[4] = (b > 0 ? 2 : 0) + (c > 0.3 ? 1 : 0);
    x[5] = group < 2;
    x[6] = group == 2 || group == 3;
}

static int made_f(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    static const double code[4] = {0, 2, -1.5, 3};
    (void)ctx;
    for (size_t i = 0; i < n; i++, x += d) {
        double v1 = isnan(x[1]) ? 1.5 : x[1], v2 = isnan(x[2]) ? 2 : x[2];
        double v3 = isnan(x[3]) ? 1 : x[3], level = 0.5;
        for (int l = 0; l < 4; l++)
            level = x[4] == l ? code[l] : level;
        y[i] = x[0] + 2 * v1 * v1 + 0.8 * v2 + 4 * (v3 - 1) * (1 + 0.1 * x[0]) + level +
               3 * x[5] - 2 * x[6];
    }
    return 0;
}

static const struct {
    const char *name;
    int kinds;
    size_t rows;
    int gaps;
    size_t n;
    gpa_culprit_mode mode;
    double sigma, spread;
    int column;
    double value, off;
    size_t axes, asked;
    double alpha, output, output_evidence, input_evidence;
    double probability[AXES], single[AXES], evidence[AXES], varies[AXES], median[AXES];
} expected[] = {
#include "culprit_expected.h"
};

static void make_inputs(gpa_input *in)
{
    static const double flag[2] = {1, 2}, code[4] = {0, 1, 2, 3};
    for (size_t k = 0; k < COLUMNS; k++)
        in[k] = (gpa_input){
            .low = (double)NAN, .high = (double)NAN, .missing = (double)NAN};
    in[1].low = 0;
    in[2].kind = GPA_KIND_WHOLE;
    in[2].low = 0;
    in[2].high = 5;
    in[3].kind = GPA_KIND_FLAG;
    in[3].levels = 2;
    in[3].level = flag;
    in[4].kind = GPA_KIND_CHOICE;
    in[4].levels = 4;
    in[4].level = code;
    for (size_t k = 5; k < 7; k++) {
        in[k].kind = GPA_KIND_CHOICE;
        in[k].group = 1;
        in[k].dropped = true;
    }
}

/* The rows of a case, and those it is compared with. */
static void make_expected(size_t i, double *x, double *y, double *rows)
{
    for (size_t j = 0; j < expected[i].rows; j++) {
        double *row = rows + j * COLUMNS;
        made_row(j, row);
        if (expected[i].gaps && j % 11 == 3)
            row[1] = (double)NAN;
        if (expected[i].gaps && j % 13 == 5)
            row[4] = (double)NAN;
    }
    for (size_t t = 0; t < expected[i].n; t++) {
        made_row(1003 + 17 * t, x + t * COLUMNS);
        for (size_t k = 3; k < COLUMNS && expected[i].kinds; k++)
            x[t * COLUMNS + k] = x[k];
    }
    made_f(NULL, x, expected[i].n, COLUMNS, y);
    for (size_t t = 0; t < expected[i].n; t++) {
        y[t] += expected[i].off;
        if (expected[i].column >= 0)
            x[t * COLUMNS + (size_t)expected[i].column] = expected[i].value;
        if (expected[i].column == 5 && expected[i].kinds)
            x[t * COLUMNS + 6] = 0;
    }
}

/* A sum over cells here is an integral there; ln evidence to so much, and a median. An
 * axis that is e^FAR less likely than another is not looked at closely. */
static const double SAME = 1e-9, SUMS = 0.02, LOGS = 0.03, FAR = 9;

static void compare(const char *what, size_t k, double got, double want,
                    double tolerance)
{
    if (isnan(want) ? !isnan(got)
                    : !(fabs(got - want) <= tolerance * fmax(1, fabs(want))))
        fail_msg("%s of axis %zu is %.15g, not %.15g", what, k, got, want);
}

/* The axes of the reference are by input, with missing ones in their places. */
static size_t axis_at(const struct answer *a, size_t place)
{
    size_t k = place < 6 ? place : 6;
    return a->s.axis_of[k];
}

static void check_case(size_t i, const struct answer *a)
{
    const gpai_culprit *c = &a->c;
    assert_int_equal(c->axes, expected[i].axes);
    /* along column 4 as a number f stands still: half of its line need not be asked */
    size_t still = expected[i].kinds ? 0 : 12 * expected[i].n;
    assert_in_range(a->r.rows, expected[i].asked - still, expected[i].asked);
    assert_int_equal(c->reference, expected[i].rows < GPAI_CROWD_MOST
                                       ? expected[i].rows
                                       : GPAI_CROWD_MOST);
    assert_true(a->crowd.alpha == expected[i].alpha);
    double best = -HUGE_VAL;
    for (size_t j = 0; j < c->axes; j++)
        best = fmax(best, expected[i].evidence[j]);
    for (size_t j = 0; j < c->axes; j++) {
        size_t k = axis_at(a, j);
        compare("single", j, c->axis_single[k], expected[i].single[j], SUMS);
        compare("probability", j, c->axis_probability[k], expected[i].probability[j],
                SUMS);
        if (expected[i].evidence[j] < best - FAR)
            continue;
        compare("evidence", j, c->axis_evidence[k] - best,
                expected[i].evidence[j] - best, LOGS);
        compare("varies", j, c->varies[k], expected[i].varies[j], SUMS);
        compare("median", j, c->median[a->s.axis[k].input], expected[i].median[j],
                LOGS);
    }
    compare("evidence of y", 0, c->output_evidence, expected[i].output_evidence, SAME);
    compare("output", 0, c->output, expected[i].output, SUMS);
}

static void test_expected(void **state)
{
    static const double unit[COLUMNS] = {3, 0.6, 1.5, 0.7, 1.4, 0.7, 0.7};
    static double rows[300 * COLUMNS];
    gpa_input in[COLUMNS];
    gpa_model *model;
    (void)state;
    make_inputs(in);
    const gpai_limits limits = {.inputs = in};
    assert_int_equal(gpa_model_from_callback(&model, made_f, NULL, COLUMNS, NULL),
                     GPA_OK);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double x[4 * COLUMNS], y[4];
        struct answer a;
        print_message("%s\n", expected[i].name);
        make_expected(i, x, y, rows);
        struct question q = {.model = model,
                             .n = expected[i].n,
                             .d = COLUMNS,
                             .x = x,
                             .y = y,
                             .unit = unit,
                             .limits = expected[i].kinds ? &limits : NULL,
                             .reference = expected[i].rows > 0 ? rows : NULL,
                             .n_reference = expected[i].rows,
                             .opt = {.mode = expected[i].mode,
                                     .sigma = expected[i].sigma,
                                     .spread = expected[i].spread,
                                     .output_prior = (double)NAN}};
        look_well(&a, &q);
        check_case(i, &a);
        forget(&a);
    }
    gpa_model_free(model);
}

/* Laws and edges. */

static int flat(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    (void)x;
    (void)d;
    for (size_t i = 0; i < n; i++)
        y[i] = 3;
    return 0;
}

/* Nobody can be told from anybody: equal shares, and the prior's median move, none. */
static void test_flat_model(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 6, 1, 0, 0);
    m.y[0] = 9;
    assert_int_equal(gpa_model_from_callback(&m.q.model, flat, NULL, 6, NULL), GPA_OK);
    look_well(&a, &m.q);
    for (size_t k = 0; k < 6; k++) {
        assert_close(a.c.single[k], 1.0 / 6, 1e-12);
        assert_close(a.c.probability[k], 0.85 * (0.7 + 0.3 * 2) / 6 + 0.15 / 6, 1e-12);
        assert_close(a.c.median[k], 0, 1e-12);
    }
    assert_int_equal(a.c.first, 0);
    assert_int_equal(a.c.n_set90, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(a.c.set90[i], i);
    assert_int_equal(a.c.verdict, GPA_VERDICT_OUTPUT);
    forget(&a);
    gpa_model_free(m.q.model);
    unmake(&m);
}

/* `single` adds up to 1 over all inputs, `probability` to 1 .. 3, intervals hold the
 * median, and the set holds 90 %. */
static void check_laws(const struct answer *a)
{
    const gpai_culprit *c = &a->c;
    double single = 0, probability = 0, in_set = 0;
    for (size_t k = 0; k < c->d; k++) {
        assert_true(c->probability[k] >= 0 && c->probability[k] <= 1 + 1e-12);
        assert_true(c->probability[k] <= c->probability[c->first]);
        size_t i = a->s.axis_of[k];
        bool choice = i < c->axes && a->s.axis[i].kind == GPAI_AXIS_CHOICE;
        bool none = i < c->axes && !isfinite(c->alone[i].log_evidence);
        assert_true(choice || none
                        ? isnan(c->median[k])
                        : c->low[k] <= c->median[k] && c->median[k] <= c->high[k]);
        single += c->single[k];
    }
    for (size_t i = 0; i < c->axes; i++)
        probability += c->axis_probability[i];
    for (size_t i = 0; i < c->n_set90; i++)
        in_set += c->single[c->set90[i]];
    assert_true(c->output >= 0 && c->output <= 1);
    if (c->axes == 0)
        return;
    assert_close(single, 1, 1e-9);
    assert_true(probability >= 1 - 1e-9 && probability <= 3 + 1e-9);
    assert_true(in_set >= 0.9 - 1e-9);
}

/* Eight moves of all, twenty-four of the likeliest eight. */
static void test_thousand_inputs(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, INPUTS, 1, 30, 0);
    m.x[700] += 40; /* y stays: cos(700) x is too high */
    look_well(&a, &m.q);
    assert_int_equal(a.exchanges.count, GPAI_EXCHANGES);
    assert_int_equal(a.r.rows, 8 * INPUTS + 1 + 24 * 8 + GPAI_EXCHANGES);
    assert_int_equal(a.p.calls, 2);
    size_t fine = 0;
    for (size_t i = 0; i < INPUTS; i++)
        fine += a.r.nodes[i] == 25;
    assert_int_equal(fine, 8);
    check_laws(&a);
    forget(&a);
    unmake(&m);
}

static void test_thousand_rows(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 4, 1000, 40, 0);
    m.q.opt.sigma = 0.3;
    for (size_t t = 0; t < 1000; t++) /* rows like the others, but for one input */
        for (size_t k = 0; k < 4; k++)
            m.x[t * 4 + k] = usual(77 + t, k);
    formula(&m.wall, m.x, 1000, 4, m.y);
    for (size_t t = 0; t < 1000; t++)
        m.x[t * 4 + 2] += 3;
    look_well(&a, &m.q);
    check_laws(&a);
    assert_int_equal(a.c.first, 2);
    /* what a thousand rows look like pulls a little: finer cells agree on -2.4983 */
    assert_close(a.c.median[2], -3 / m.unit[2], 2e-3);
    assert_int_equal(a.c.verdict, GPA_VERDICT_INPUT);
    forget(&a);
    unmake(&m);
}

/* A fault that leaves the usual range is found, with its size. */
static void test_plain_fault(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 5, 1, 60, 0);
    for (size_t k = 0; k < 5; k++) /* a row like the others, but for one input */
        m.x[k] = usual(77, k);
    formula(&m.wall, m.x, 1, 5, m.y);
    m.x[3] += 9;
    m.q.opt.sigma = 0.2;
    look_well(&a, &m.q);
    check_laws(&a);
    assert_int_equal(a.c.first, 3);
    assert_true(a.c.probability[3] > 0.9);
    assert_true(a.c.output < 0.1);
    assert_close(a.c.median[3] * a.unit[3], -9, 0.02 * m.unit[3]);
    assert_int_equal(a.c.verdict, GPA_VERDICT_INPUT);
    assert_int_equal(a.c.set90[0], 3);
    forget(&a);
    unmake(&m);
}

static void test_verdicts(void **state)
{
    static const struct {
        double shift;
        gpa_verdict want;
    } cases[] = {
        {1.7, GPA_VERDICT_NORMAL}, /* times sqrt 3 is less than 3 */
        {-1.7, GPA_VERDICT_NORMAL},
        {1.99, GPA_VERDICT_TIED},
        {2.6, GPA_VERDICT_TIED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made m;
        struct answer a;
        make(&m, 6, 3, 0, cases[i].shift);
        look_well(&a, &m.q);
        assert_int_equal(a.c.verdict, cases[i].want);
        forget(&a);
        unmake(&m);
    }
}

/* Predictions that are known are not asked again, and change nothing. */
static void test_known_predictions(void **state)
{
    struct made m;
    struct answer a, b;
    double f[2];
    (void)state;
    make(&m, 4, 2, 30, 4);
    look_well(&a, &m.q);
    formula(&m.wall, m.x, 2, 4, f);
    m.q.f = f;
    look_well(&b, &m.q);
    assert_int_equal(a.exchanges.count, 6); /* all pairs of four */
    assert_int_equal(a.r.rows, 2 * (24 * 4 + 1 + 6));
    assert_int_equal(b.r.rows, 2 * (24 * 4 + 6));
    assert_memory_equal(a.c.probability, b.c.probability, 4 * sizeof(double));
    assert_true(a.c.output == b.c.output);
    forget(&a);
    forget(&b);
    unmake(&m);
}

/* Seven rows, or none, are the same. */
static void test_too_few_rows(void **state)
{
    struct made m;
    struct answer a, b;
    (void)state;
    make(&m, 4, 1, 20, 4);
    m.q.n_reference = 7;
    look_well(&a, &m.q);
    m.q.reference = NULL;
    look_well(&b, &m.q);
    assert_int_equal(a.c.reference, 0);
    assert_memory_equal(a.c.probability, b.c.probability, 4 * sizeof(double));
    forget(&a);
    m.q.reference = m.reference;
    m.q.n_reference = 8;
    look_well(&a, &m.q);
    assert_int_equal(a.c.reference, 8);
    assert_true(a.c.probability[0] != b.c.probability[0]);
    forget(&a);
    forget(&b);
    unmake(&m);
}

static void test_frozen_inputs(void **state)
{
    const unsigned char frozen[4] = {1, 0, 1, 0}, all[4] = {1, 1, 1, 1};
    gpai_limits limits = {.frozen = frozen};
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 4, 1, 30, 4);
    m.q.limits = &limits;
    look_well(&a, &m.q);
    assert_int_equal(a.r.rows, 24 * 2 + 1 + 1); /* and one exchange */
    assert_true(a.c.probability[0] == 0 && a.c.single[2] == 0 && a.c.median[2] == 0);
    assert_true(a.c.first == 1 || a.c.first == 3);
    check_laws(&a);
    forget(&a);
    limits.frozen = all; /* then only y is left */
    look_well(&a, &m.q);
    assert_int_equal(a.r.rows, 1);
    assert_true(a.c.output == 1);
    assert_int_equal(a.c.n_set90, 0);
    assert_int_equal(a.c.verdict, GPA_VERDICT_OUTPUT);
    check_laws(&a);
    forget(&a);
    unmake(&m);
}

/* What an input may not do, it did not do. */
static void test_bounds(void **state)
{
    struct made m;
    struct answer a;
    double lower[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double upper[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const gpai_limits limits = {.lower = lower, .upper = upper};
    (void)state;
    make(&m, 3, 1, 0, 4);
    lower[0] = m.x[0] - 0.5;
    upper[0] = m.x[0] + 0.25;
    lower[1] = m.x[1];
    upper[2] = m.x[2] - 1; /* the row itself is outside */
    m.q.limits = &limits;
    look_well(&a, &m.q);
    check_laws(&a);
    assert_true(a.c.low[0] >= -0.5 && a.c.high[0] <= 0.25);
    assert_true(a.c.low[1] >= 0);
    assert_true(a.c.high[2] * m.unit[2] <= -1 + 1e-12);
    forget(&a);
    unmake(&m);
}

/* A linear model of a plain input, a whole number and a group of three. */
static int mixed(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++, x += d)
        y[i] = 0.2 * x[0] + 2 * x[1] + 5 * x[2] - x[3] - 6 * x[4];
    return 0;
}

static void make_mixed(struct made *m, gpai_limits *limits)
{
    static const unsigned char integer[5] = {0, 1, 0, 0, 0};
    static const size_t group[5] = {0, 0, 1, 1, 1};
    make(m, 5, 1, 40, 0);
    gpa_model_free(m->model);
    assert_int_equal(gpa_model_from_callback(&m->model, mixed, NULL, 5, NULL), GPA_OK);
    m->q.model = m->model;
    m->x[1] = 4;
    for (size_t j = 2; j < 5; j++)
        m->x[j] = j == 3;
    for (size_t i = 0; i < 40; i++) {
        m->reference[i * 5 + 1] = (double)(i % 7);
        for (size_t j = 2; j < 5; j++)
            m->reference[i * 5 + j] = j == (i % 4 == 0 ? 3 : 2);
    }
    for (size_t k = 0; k < 5; k++)
        m->unit[k] = k == 1 ? 2 : 0.5;
    *limits = (gpai_limits){.integer = integer, .group = group};
    m->q.limits = limits;
    m->q.opt.sigma = 0.5;
}

/* A group is one suspect: its members have its probability, and the moves of whole
 * numbers are whole. */
static void test_groups_and_whole_numbers(void **state)
{
    struct made m;
    struct answer a;
    gpai_limits limits;
    (void)state;
    make_mixed(&m, &limits);
    mixed(NULL, m.x, 1, 5, m.y);
    m.y[0] += 6; /* as if the group had been in its first category */
    look_well(&a, &m.q);
    check_laws(&a);
    assert_int_equal(a.c.axes, 3);
    /* the plain input, steps of 1/2 unit (fewer than 24 of them matter), two moves */
    assert_true(a.r.rows <= 24 + 24 + 2 + 1);
    assert_int_equal(a.r.nodes[2], 3);
    assert_true(a.c.probability[2] == a.c.probability[3]);
    assert_true(a.c.probability[2] == a.c.probability[4]);
    assert_close(a.c.single[3] * 3, a.c.axis_single[2], 1e-15);
    assert_true(a.c.first == 2 && a.c.probability[2] > 0.5);
    /* if the group moved, then to the first category and not to the third */
    assert_int_equal(a.c.alone[2].count, 2);
    assert_true(a.c.alone[2].value[0] == 0 && a.c.alone[2].value[1] == 2);
    assert_true(a.c.alone[2].log[0] - a.c.alone[2].log[1] > 10);
    /* 2 x1 = 6: three steps of half a unit */
    assert_close(a.c.median[1], 1.5, 1e-12);
    assert_int_equal(a.c.set90[0], 2);
    assert_int_equal(a.c.set90[2], 4);
    forget(&a);
    unmake(&m);
}

/* A whole number whose step is far beyond the prior: what is farther than five units
 * is brought there, and two more steps lie within its ten. */
static void test_long_steps(void **state)
{
    struct made m;
    struct answer a;
    gpai_limits limits;
    (void)state;
    make_mixed(&m, &limits);
    m.unit[1] = 1e-4;
    mixed(NULL, m.x, 1, 5, m.y);
    m.y[0] += 2;
    look_well(&a, &m.q);
    check_laws(&a);
    assert_int_equal(a.r.nodes[1], 5);
    assert_close(a.c.median[1] * a.unit[1], 1, 1e-9);
    forget(&a);
    unmake(&m);
}

/* Columns that are constant, nearly always the same, or full of holes. */
static void test_odd_columns(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 5, 1, 40, 4);
    for (size_t i = 0; i < 40; i++) {
        m.reference[i * 5] = 7; /* far from the row */
        m.reference[i * 5 + 1] = i == 3 ? 1e6 : 0;
        m.reference[i * 5 + 2] = (double)NAN;
        m.reference[i * 5 + 3] = i % 2 == 0 ? (double)NAN : m.reference[i * 5 + 3];
    }
    for (int mode = 0; mode < 2; mode++) {
        m.q.opt.mode = mode == 0 ? GPA_CULPRIT_BASIC : GPA_CULPRIT_ON;
        look_well(&a, &m.q);
        check_laws(&a);
        for (size_t k = 0; k < 5; k++)
            assert_true(isfinite(a.c.axis_evidence[k]));
        forget(&a);
    }
    unmake(&m);
}

/* More rows than are used: still one answer, from evenly spaced ones. */
static void test_many_rows(void **state)
{
    struct made m;
    struct answer a, b;
    (void)state;
    make(&m, 3, 1, 3 * GPAI_CROWD_MOST, 4);
    look_well(&a, &m.q);
    assert_int_equal(a.c.reference, GPAI_CROWD_MOST);
    check_laws(&a);
    for (size_t i = 0; i < GPAI_CROWD_MOST; i++)
        memcpy(m.reference + i * 3, m.reference + 3 * i * 3, 3 * sizeof(double));
    m.q.n_reference = GPAI_CROWD_MOST;
    look_well(&b, &m.q);
    assert_memory_equal(a.c.probability, b.c.probability, 3 * sizeof(double));
    forget(&a);
    forget(&b);
    unmake(&m);
}

static int nothing(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    double at = *(const double *)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i * d] == at ? 0 : (double)NAN;
    return 0;
}

/* A model that answers at the row and nowhere else tells nothing: the odds of y are
 * those that are believed beforehand, e^-2. */
static void test_no_numbers_around(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 1, 1, 0, 0);
    m.y[0] = 5;
    assert_int_equal(gpa_model_from_callback(&m.q.model, nothing, m.x, 1, NULL),
                     GPA_OK);
    look_well(&a, &m.q);
    check_laws(&a);
    assert_close(a.c.output, 0.5 / (1 + exp(2.4)) + 0.5 / 2,
                 1e-12); /* some are stray */
    assert_int_equal(a.c.verdict, GPA_VERDICT_TIED);
    assert_int_equal(a.p.nonfinite, 24);
    forget(&a);
    gpa_model_free(m.q.model);
    unmake(&m);
}

static int broken(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    (void)x;
    (void)n;
    (void)d;
    (void)y;
    return 1;
}

static void test_failures(void **state)
{
    struct made m;
    struct answer a;
    gpa_error err;
    (void)state;
    make(&m, 3, 2, 0, 3);
    m.x[3] = 9; /* row 2 is behind the wall */
    m.wall = 5;
    assert_int_equal(look(&a, &m.q, &err), GPA_NUMERIC);
    assert_non_null(strstr(err.message, "row 2"));
    forget(&a);
    assert_int_equal(gpa_model_from_callback(&m.q.model, broken, NULL, 3, NULL),
                     GPA_OK);
    assert_int_equal(look(&a, &m.q, &err), GPA_MODEL);
    forget(&a);
    gpa_model_free(m.q.model);
    unmake(&m);
}

/* Every allocation fails in turn, once and for ever: two stages, groups, triples. */
static void test_out_of_memory(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        struct made m;
        gpai_limits limits;
        size_t k = 0;
        gpa_status st = GPA_NOMEM;
        if (round < 2)
            make(&m, 30, 2, 25, 4);
        else
            make_mixed(&m, &limits);
        while (st != GPA_OK) {
            struct answer a;
            gpa_error err = {GPA_OK, ""};
            gpai_alloc_fail_at(++k, round % 2 == 1);
            st = look(&a, &m.q, &err);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            assert_int_equal(st, tried < k ? GPA_OK : GPA_NOMEM);
            assert_int_equal(err.status, st);
            forget(&a);
        }
        assert_true(k > 10);
        unmake(&m);
    }
}

static void test_same_bytes(void **state)
{
    struct made m;
    struct answer a, b;
    (void)state;
    make(&m, 12, 3, 50, 4);
    look_well(&a, &m.q);
    gpa_model_set_batch(m.model, 7);
    look_well(&b, &m.q);
    assert_memory_equal(a.c.probability, b.c.probability, 12 * sizeof(double));
    assert_memory_equal(a.c.single, b.c.single, 12 * sizeof(double));
    assert_memory_equal(a.c.median, b.c.median, 12 * sizeof(double));
    assert_memory_equal(&a.c.output, &b.c.output, sizeof(double));
    forget(&a);
    forget(&b);
    unmake(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_flat_model),
        cmocka_unit_test(test_thousand_inputs),
        cmocka_unit_test(test_thousand_rows),
        cmocka_unit_test(test_plain_fault),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_known_predictions),
        cmocka_unit_test(test_too_few_rows),
        cmocka_unit_test(test_frozen_inputs),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_groups_and_whole_numbers),
        cmocka_unit_test(test_long_steps),
        cmocka_unit_test(test_odd_columns),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_no_numbers_around),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
