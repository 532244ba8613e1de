#include "culprit_support.h"

#include "base/alloc.h"
#include "engine/culprit/plausible.h"

/* A model made of formulas, against numbers computed elsewhere (NumPy). */

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
            m->reference[i * d + k] =
                1.5 * sin(2 + 5 * (double)i + 11 * in) + 0.3 * cos((double)i);
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
                             .opt = {.mode = GPA_CULPRIT_ON,
                                     .sigma = 1,
                                     .reference = rows > 0 ? m->reference : NULL,
                                     .n_reference = rows}};
}

static void unmake(struct made *m)
{
    gpa_model_free(m->model);
    free(m->x);
    free(m->y);
    free(m->unit);
    free(m->reference);
}

/* The first, the middle and the last input. */
static const struct {
    const char *name;
    gpa_culprit_mode mode;
    size_t d, n, rows;
    double shift, sigma;
    bool hole;
    size_t asked;
    double output;
    double probability[3], single[3], median[3], low[3], high[3];
} references[] = {
    {"one input",
     GPA_CULPRIT_BASIC,
     1,
     1,
     40,
     5,
     1,
     false,
     25,
     0.830712956,
     {1, 1, 1},
     {1, 1, 1},
     {1.762384466, 1.762384466, 1.762384466},
     {-5.186608062, -5.186608062, -5.186608062},
     {2.039815773, 2.039815773, 2.039815773}},
    {"one input",
     GPA_CULPRIT_ON,
     1,
     1,
     40,
     5,
     1,
     false,
     25,
     0.830712956,
     {1, 1, 1},
     {1, 1, 1},
     {1.762384466, 1.762384466, 1.762384466},
     {-5.186608062, -5.186608062, -5.186608062},
     {2.039815773, 2.039815773, 2.039815773}},
    {"two inputs",
     GPA_CULPRIT_BASIC,
     2,
     1,
     40,
     4,
     1,
     false,
     49,
     0.8154642702,
     {0.7928468741, 0.4595758907, 0.4595758907},
     {0.7229007036, 0.2770992964, 0.2770992964},
     {2.497468917, 3.484532838, 3.484532838},
     {1.695743155, 2.261408121, 2.261408121},
     {3.1607968, 4.413635291, 4.413635291}},
    {"two inputs",
     GPA_CULPRIT_ON,
     2,
     1,
     40,
     4,
     1,
     false,
     49,
     0.8152637724,
     {0.7913841131, 0.4557598181, 0.4557598181},
     {0.7229007036, 0.2770992964, 0.2770992964},
     {2.497468917, 3.484532838, 3.484532838},
     {1.695743155, 2.261408121, 2.261408121},
     {3.1607968, 4.413635291, 4.413635291}},
    {"four inputs, no rows",
     GPA_CULPRIT_BASIC,
     4,
     1,
     0,
     3,
     1,
     false,
     97,
     0.1737637416,
     {0.3678038053, 0.2918755327, 0.3532182356},
     {0.299913466, 0.185881804, 0.2756078056},
     {2.902213971, -5.370562215, -3.768647544},
     {1.830046034, -8.096669785, -5.101413002},
     {3.856467966, -3.028555962, -2.338334464}},
    {"four inputs, no rows",
     GPA_CULPRIT_ON,
     4,
     1,
     0,
     3,
     1,
     false,
     97,
     0.1737637416,
     {0.3678038053, 0.2918755327, 0.3532182356},
     {0.299913466, 0.185881804, 0.2756078056},
     {2.902213971, -5.370562215, -3.768647544},
     {1.830046034, -8.096669785, -5.101413002},
     {3.856467966, -3.028555962, -2.338334464}},
    {"no number beyond 1.2",
     GPA_CULPRIT_BASIC,
     4,
     1,
     30,
     4,
     1,
     true,
     97,
     0.9473885554,
     {0.02166708036, 0.2922053223, 0.6891941635},
     {0.0008289689783, 0.1236256029, 0.6457580783},
     {-0.1497470118, -5.276142526, -4.726694528},
     {-1.153175536, -7.547813313, -6.635388454},
     {0.1143936099, -1.375911058, -2.524733913}},
    {"no number beyond 1.2",
     GPA_CULPRIT_ON,
     4,
     1,
     30,
     4,
     1,
     true,
     97,
     0.9886226178,
     {0.06542021675, 0.6594168655, 0.9197809095},
     {0.02680362928, 0.4680476739, 0.2607030849},
     {-0.220702859, -1.396611748, -1.2533375},
     {-1.153175536, -3.99486531, -4.795844624},
     {0.1143936099, -0.2029312493, 0.06150570993}},
    {"five rows",
     GPA_CULPRIT_BASIC,
     4,
     5,
     60,
     2.5,
     1,
     false,
     485,
     0.9936497096,
     {0.941444978, 0.08256947778, 0.5161098237},
     {0.9251936017, 0.000160954038, 0.07349376697},
     {2.112250349, -3.99486531, -1.522584833},
     {1.695743155, -5.020099692, -1.875751803},
     {2.497468917, -2.579950004, -1.193035917}},
    {"five rows",
     GPA_CULPRIT_ON,
     4,
     5,
     60,
     2.5,
     1,
     false,
     485,
     0.9994644424,
     {0.8687772427, 0.8795503956, 0.3219916603},
     {0.3454554277, 0.0007152748922, 0.6531643406},
     {1.015657545, -0.4359223249, -0.8050980343},
     {0.6001762166, -0.8429267822, -1.074228117},
     {1.480246129, -0.0439119832, -0.5085862467}},
    {"a thousand rows",
     GPA_CULPRIT_BASIC,
     3,
     1000,
     30,
     2,
     1,
     false,
     73000,
     1,
     {1, 1, 2.38648703e-87},
     {1, 9.331023609e-282, 0},
     {1.586783042, 2.524733913, -1.586783042},
     {1.565289249, 2.470424946, -1.630063045},
     {1.608373677, 2.579950004, -1.543890448}},
    {"a thousand rows",
     GPA_CULPRIT_ON,
     3,
     1000,
     30,
     2,
     1,
     false,
     73000,
     1,
     {1, 1, 1},
     {6.539593931e-16, 1, 0},
     {1.375911058, 2.497468917, -0.9576023926},
     {1.334748419, 2.443596499, -0.9962499816},
     {1.396611748, 2.552225637, -0.9191713053}},
    {"a deviation of 1e21 sigma",
     GPA_CULPRIT_BASIC,
     4,
     1,
     30,
     1e+20,
     0.1,
     false,
     97,
     0.3658604943,
     {0.3171615311, 0.2946592587, 0.2791091158},
     {0.2713052737, 0.2498761368, 0.2353017978},
     {-0.5268342333, -0.4540405354, -0.02633507673},
     {-3.093890761, -2.579950004, -2.161310523},
     {2.039815773, 1.807374985, 2.136701107}},
    {"a deviation of 1e21 sigma",
     GPA_CULPRIT_ON,
     4,
     1,
     30,
     1e+20,
     0.1,
     false,
     97,
     0.4963490985,
     {0.3789671395, 0.3609556741, 0.2477325271},
     {0.3213707378, 0.3056131875, 0.1843836293},
     {-0.7862538031, -0.7299909909, -0.1143936099},
     {-2.211019772, -1.807374985, -1.173072498},
     {0.5817867126, 0.4721901187, 0.9962499816}},
    {"two stages",
     GPA_CULPRIT_BASIC,
     30,
     2,
     40,
     6,
     1,
     false,
     866,
     0.9869482772,
     {0.0004871761318, 0.04478333002, 0.002442620532},
     {0.0005474793421, 0.03777258893, 3.57729105e-06},
     {4.795844624, -3.061033352, -1.355290444},
     {4.142451509, -3.446497002, -1.608373677},
     {6.430074633, -2.693300289, -1.113576111}},
    {"two stages",
     GPA_CULPRIT_ON,
     30,
     2,
     40,
     6,
     1,
     false,
     866,
     1,
     {0.06742378878, 0.03167499794, 0.01777677879},
     {0.06609041073, 0.03210440466, 0.0171992271},
     {0.1497470118, -0.07911683478, -0.02633507673},
     {-0.2563150759, -0.2563150759, -0.1497470118},
     {0.5817867126, 0.07911683478, 0.07911683478}},
    {"more inputs than rows",
     GPA_CULPRIT_BASIC,
     30,
     1,
     25,
     5,
     0.5,
     false,
     433,
     0.4797112806,
     {0.06706101709, 0.03643228829, 0.006022378892},
     {0.05363914746, 0.03090112124, 0.007075776789},
     {4.472422408, -2.607913154, -3.856467966},
     {3.99486531, -2.87146672, -4.246757092},
     {4.942280471, -2.312507539, -3.446497002}},
    {"more inputs than rows",
     GPA_CULPRIT_ON,
     30,
     1,
     25,
     5,
     0.5,
     false,
     433,
     0.9997883387,
     {4.17765445e-05, 6.181566176e-05, 1.278874742e-05},
     {0.002577129692, 0.001417413849, 0.0007889178266},
     {-0.1674539363, 0.1851818128, -0.07911683478},
     {-1.035122365, -0.1320604359, -0.2920234731},
     {0.7113237856, 0.5268342333, 0.1320604359}},
    {"an odd number of rows",
     GPA_CULPRIT_BASIC,
     5,
     1,
     31,
     4,
     0.5,
     false,
     121,
     0.856350016,
     {0.2440727457, 0.1269333104, 0.06650544155},
     {0.1785831128, 0.002282736137, 7.74505734e-06},
     {6.090171596, -6.430074633, -4.942280471},
     {5.020099692, -8.096669785, -7.547813313},
     {8.096669785, -4.942280471, 0.2384972601}},
    {"an odd number of rows",
     GPA_CULPRIT_ON,
     5,
     1,
     31,
     4,
     0.5,
     false,
     121,
     0.9783701697,
     {0.2871177432, 0.4300290824, 0.1908963787},
     {9.017475649e-05, 0.000132766701, 0.000141342887},
     {-0.5268342333, -0.7299909909, 0.6741148886},
     {-1.608373677, -1.673745777, -0.07911683478},
     {0.4359223249, 0.3278331501, 1.375911058}},
};

static void test_references(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        const size_t d = references[i].d, input[3] = {0, d / 2, d - 1};
        struct made m;
        struct answer a;
        make(&m, d, references[i].n, references[i].rows, references[i].shift);
        m.wall = references[i].hole ? 1.2 : HUGE_VAL;
        m.q.opt.mode = references[i].mode;
        m.q.opt.sigma = references[i].sigma;
        print_message("%s\n", references[i].name);
        look_well(&a, &m.q);
        assert_int_equal(a.r.rows, references[i].asked);
        assert_int_equal(a.c.reference, references[i].rows);
        assert_close(a.c.output, references[i].output, 1e-8);
        for (size_t j = 0; j < 3; j++) {
            size_t k = input[j];
            assert_close(a.c.probability[k], references[i].probability[j], 1e-8);
            assert_close(a.c.single[k], references[i].single[j], 1e-8);
            assert_close(a.c.median[k], references[i].median[j], 1e-8);
            assert_close(a.c.low[k], references[i].low[j], 1e-8);
            assert_close(a.c.high[k], references[i].high[j], 1e-8);
        }
        forget(&a);
        unmake(&m);
    }
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

/* Nobody can be told from anybody: equal shares, and the prior's median move, which
 * falls on a border and goes to the lower cell. */
static void test_flat_model(void **state)
{
    struct made m;
    struct answer a;
    (void)state;
    make(&m, 10, 1, 0, 0);
    m.y[0] = 9;
    assert_int_equal(gpa_model_from_callback(&m.q.model, flat, NULL, 10, NULL), GPA_OK);
    look_well(&a, &m.q);
    for (size_t k = 0; k < 10; k++) {
        assert_close(a.c.single[k], 0.1, 1e-12);
        assert_close(a.c.probability[k], 0.7 / 10 + 0.3 * 2 / 10, 1e-12);
        assert_close(a.c.median[k], -0.00877442, 1e-8);
    }
    assert_int_equal(a.c.first, 0);
    assert_int_equal(a.c.n_set90, 9);
    for (size_t i = 0; i < 9; i++)
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
        assert_true(c->low[k] <= c->median[k] && c->median[k] <= c->high[k]);
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
    assert_int_equal(a.r.rows, 8 * INPUTS + 1 + 24 * 8);
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
    for (size_t t = 0; t < 1000; t++)
        m.x[t * 4 + 2] += 3;
    look_well(&a, &m.q);
    check_laws(&a);
    assert_int_equal(a.c.first, 2);
    assert_close(a.c.median[2] * m.unit[2], -3, 0.1);
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
    m.x[3] += 9;
    m.q.opt.sigma = 0.2;
    look_well(&a, &m.q);
    check_laws(&a);
    assert_int_equal(a.c.first, 3);
    assert_true(a.c.probability[3] > 0.9);
    assert_true(a.c.output < 0.1);
    assert_close(a.c.median[3] * m.unit[3], -9, 0.5);
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
        {1.99, GPA_VERDICT_NORMAL},
        {-1.99, GPA_VERDICT_NORMAL},
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
    assert_int_equal(a.r.rows, 2 * (24 * 4 + 1));
    assert_int_equal(b.r.rows, 2 * 24 * 4);
    assert_memory_equal(a.c.probability, b.c.probability, 4 * sizeof(double));
    assert_true(a.c.output == b.c.output);
    forget(&a);
    forget(&b);
    unmake(&m);
}

/* Nineteen rows, or none, are the same. */
static void test_too_few_rows(void **state)
{
    struct made m;
    struct answer a, b;
    (void)state;
    make(&m, 4, 1, 20, 4);
    m.q.opt.n_reference = 19;
    look_well(&a, &m.q);
    m.q.opt.reference = NULL;
    look_well(&b, &m.q);
    assert_int_equal(a.c.reference, 0);
    assert_memory_equal(a.c.probability, b.c.probability, 4 * sizeof(double));
    forget(&a);
    m.q.opt.reference = m.reference;
    m.q.opt.n_reference = 20;
    look_well(&a, &m.q);
    assert_int_equal(a.c.reference, 20);
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
    assert_int_equal(a.r.rows, 24 * 2 + 1);
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
    /* if the group moved, it lost the second category and gained the first */
    assert_true(a.c.median[2] == 2 && a.c.median[3] == -2 && a.c.median[4] == 0);
    assert_true(a.c.low[3] == -2 && a.c.high[3] == -2);
    /* 2 x1 = 6: three steps of half a unit */
    assert_close(a.c.median[1], 1.5, 1e-12);
    assert_int_equal(a.c.set90[0], 2);
    assert_int_equal(a.c.set90[2], 4);
    forget(&a);
    unmake(&m);
}

/* A whole number whose step is far beyond the prior still has two moves. */
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
    assert_int_equal(a.r.nodes[1], 3);
    assert_close(a.c.median[1], 1e4, 1e-6);
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
    make(&m, 3, 1, 3 * GPAI_PLAUSIBLE_MOST, 4);
    look_well(&a, &m.q);
    assert_int_equal(a.c.reference, GPAI_PLAUSIBLE_MOST);
    check_laws(&a);
    for (size_t i = 0; i < GPAI_PLAUSIBLE_MOST; i++)
        memcpy(m.reference + i * 3, m.reference + 3 * i * 3, 3 * sizeof(double));
    m.q.opt.n_reference = GPAI_PLAUSIBLE_MOST;
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

/* A model that answers at the row and nowhere else excludes every input. */
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
    assert_close(a.c.output, 1, 1e-12);
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
        cmocka_unit_test(test_references),
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
