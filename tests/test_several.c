/* Evidence of several inputs at once: sums over cells against integrals, and what
 * becomes of evidence (verdict.c). */
#include "culprit_support.h"

#include "base/rng.h"
#include "engine/culprit/apart.h"
#include "engine/culprit/several/boxes.h"
#include "engine/culprit/verdict.h"

enum { D = 4, ROWS = 100 };

/* A linear model, and reference rows: `together` is how much the inputs have in common.
 */
struct linear {
    gpa_model *model;
    double weight[D], unit[D], x[8 * D], y[8], reference[ROWS * D];
    struct question q;
    struct answer a;
    gpai_plausible plausible;
    double residual[8];
    gpai_evidence e;
};

static void draw_row(gpai_rng *rng, double together, double *row)
{
    double common = gpai_rng_normal(rng);
    for (size_t k = 0; k < D; k++)
        row[k] =
            together * common + sqrt(1 - together * together) * gpai_rng_normal(rng);
}

/* What is wrong in n rows: nothing but y, by 1; x_1, by 2.5; x_0 and x_1. */
enum fault { Y, ONE, TWO };

/* `rows` of the reference, or none. */
static void make_linear(struct linear *m, enum fault fault, size_t n, size_t rows,
                        double together, double sigma, gpa_culprit_mode mode)
{
    static const double weight[D] = {1, 1.5, -0.7, 0.4};
    gpai_rng rng = gpai_rng_make(5, 0);
    *m = (struct linear){0};
    memcpy(m->weight, weight, sizeof weight);
    assert_int_equal(gpa_model_from_callback(&m->model, weighted, m->weight, D, NULL),
                     GPA_OK);
    for (size_t k = 0; k < D; k++)
        m->unit[k] = 1;
    for (size_t i = 0; i < ROWS; i++)
        draw_row(&rng, together, m->reference + i * D);
    for (size_t t = 0; t < n; t++)
        draw_row(&rng, together, m->x + t * D);
    weighted(m->weight, m->x, n, D, m->y);
    for (size_t t = 0; t < n; t++) {
        m->y[t] += fault == Y ? 1 : 0;
        m->x[t * D + 1] += fault == Y ? 0 : 2.5;
        m->x[t * D] += fault == TWO ? 2.5 : 0;
    }
    m->q = (struct question){.model = m->model,
                             .n = n,
                             .d = D,
                             .x = m->x,
                             .y = m->y,
                             .unit = m->unit,
                             .reference = rows > 0 ? m->reference : NULL,
                             .n_reference = rows,
                             .opt = {.mode = mode,
                                     .sigma = sigma,
                                     .spread = (double)NAN,
                                     .output_prior = (double)NAN}};
    look_well(&m->a, &m->q);
    struct answer *a = &m->a;
    for (size_t t = 0; t < n; t++)
        m->residual[t] = m->y[t] - a->r.base[t];
    m->e = (gpai_evidence){.p = &a->p,
                           .s = &a->s,
                           .moves = a->moves,
                           .profile = &a->r,
                           .residual = m->residual,
                           .rows = n,
                           .b = GPAI_LIKELIHOOD_SHAPE * sigma * sigma / 2};
    if (rows > 0) {
        assert_int_equal(
            gpai_plausible_open(&m->plausible, &a->crowd, &a->p, &a->s, NULL, NULL),
            GPA_OK);
        m->e.plausible = &m->plausible;
    }
}

static void unmake_linear(struct linear *m)
{
    gpai_plausible_close(&m->plausible);
    forget(&m->a);
    gpa_model_free(m->model);
}

/* ln evidence of a pair or a triple, of which at first there are so many cells. */
static double weigh(const struct linear *m, size_t size, const size_t *axis,
                    size_t cells)
{
    gpai_subset s = {.size = size};
    memcpy(s.axis, axis, size * sizeof *axis);
    gpai_boxes *boxes;
    assert_int_equal(gpai_boxes_open(&boxes, &m->e, size, cells, NULL), GPA_OK);
    gpai_boxes_weigh(boxes, cells, -HUGE_VAL, &s);
    gpai_boxes_close(boxes);
    return s.log_evidence;
}

/* P of each input with all pairs and triples, of which at first there are so many
 * cells. */
static void judge(const struct linear *m, size_t cells, double *p)
{
    gpai_subset s[4 + 6 + 4];
    gpai_single alone[D];
    double weight[4 + 6 + 4];
    size_t n = 0;
    assert_int_equal(gpai_singles_weigh(&m->e, alone, NULL), GPA_OK);
    for (size_t i = 0; i < D; i++)
        s[n++] = (gpai_subset){
            .axis = {i}, .size = 1, .log_evidence = alone[i].log_evidence};
    for (size_t i = 0; i < D; i++)
        for (size_t j = i + 1; j < D; j++)
            s[n++] = (gpai_subset){.axis = {i, j}, .size = 2};
    for (size_t i = 0; i < D; i++)
        for (size_t j = i + 1; j < D; j++)
            for (size_t k = j + 1; k < D; k++)
                s[n++] = (gpai_subset){.axis = {i, j, k}, .size = 3};
    for (size_t i = D; i < n; i++)
        s[i].log_evidence = weigh(m, s[i].size, s[i].axis, cells);
    const gpai_causes c = {
        .axes = D, .subset = s, .subsets = n, .reference = true, .triples = true};
    gpai_causes_inputs(&c, weight, p);
}

/* At first there are 8 cells. Half as many, and twice as many: models as sharp as can
 * be, densities as narrow as correlations of 0.999 make them; also where nothing fits,
 * and ridges cross that are narrower than any of these cells. */
static void test_cells_do_not_matter(void **state)
{
    static const struct {
        const char *name;
        size_t n;
        double together, sigma;
        enum fault first;
    } cases[] = {
        {"plain", 1, 0.5, 0.3, Y},
        {"precise", 1, 0.5, 1e-3, Y},
        {"very precise", 1, 0.5, 1e-6, Y},
        {"narrow", 1, 0.9995, 0.3, Y}, /* the square is the correlation */
        {"narrow and precise", 1, 0.9995, 1e-3, Y},
        {"two rows", 2, 0.5, 0.3, Y},
        {"two rows, precise", 2, 0.5, 1e-3, Y},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (enum fault fault = cases[i].first; fault <= TWO; fault++) {
            struct linear m;
            double p[3][D];
            print_message("%s, %d\n", cases[i].name, fault);
            make_linear(&m, fault, cases[i].n, ROWS, cases[i].together, cases[i].sigma,
                        GPA_CULPRIT_ON);
            for (size_t j = 0; j < 3; j++)
                judge(&m, 4u << j, p[j]);
            for (size_t k = 0; k < D; k++) {
                assert_close(p[0][k], p[1][k], 0.005);
                assert_close(p[2][k], p[1][k], 0.005);
            }
            unmake_linear(&m);
        }
}

/* When everything fits, evidence is what plausibility leaves of the chances: all of
 * them without reference rows, and of independent inputs the product of each. */
static void test_flat_likelihood(void **state)
{
    static const size_t three[3] = {0, 1, 3};
    struct linear m;
    gpai_single alone[D];
    (void)state;
    make_linear(&m, ONE, 1, 0, 0.5, 1e9, GPA_CULPRIT_ON);
    assert_close(weigh(&m, 2, three, 8), 0, 1e-6);
    assert_close(weigh(&m, 2, three, 16), 0, 1e-6);
    unmake_linear(&m);
    make_linear(&m, ONE, 1, ROWS, 0.5, 1e9, GPA_CULPRIT_BASIC);
    assert_true(m.a.crowd.alpha == 0);
    assert_int_equal(gpai_singles_weigh(&m.e, alone, NULL), GPA_OK);
    double product = alone[0].log_evidence + alone[1].log_evidence;
    for (size_t cells = 4; cells <= 16; cells *= 2)
        assert_close(weigh(&m, 2, three, cells), product, 0.01);
    product += alone[3].log_evidence;
    for (size_t cells = 4; cells <= 16; cells *= 2)
        assert_close(weigh(&m, 3, three, cells), product, 0.01);
    unmake_linear(&m);
}

/* The prior's density. */
static double density(double t)
{
    const double root = sqrt(GPAI_CULPRIT_ETA), at = root * (fabs(t) + GPAI_CULPRIT_NU);
    return 0.5 * root * exp(-0.5 * at * at) / sqrt(2 * acos(-1.0)) /
           (0.5 * erfc(root * GPAI_CULPRIT_NU / sqrt(2)));
}

/* The integral of the likelihood of n equal rows, r off, over moves of one input within
 * +-end, where f is w times its move. Another one has changed f already: a tenth of the
 * smaller change is more noise, if there is one row. Points are as close as sigma is
 * small, about r. */
static double ridge(const struct linear *m, size_t n, double r, double w, double end,
                    double other)
{
    enum { POINTS = 4001 };
    double sigma = m->q.opt.sigma, sum = 0, b0 = m->e.b, part = n == 1 ? 0.1 : 0;
    double step = 2 * asinh(60 * (1 + part * fabs(other) / sigma)) / (POINTS - 1);
    for (size_t i = 0; i < POINTS; i++) {
        double t = step * ((double)i - (POINTS - 1) / 2.0), off = sigma * sinh(t);
        double doubt = part * fmin(fabs(r - off), fabs(other));
        double b = b0 + GPAI_LIKELIHOOD_SHAPE * doubt * doubt, s = (r - off) / w;
        double one = sqrt(b0 / b) * pow(1 + off * off / (2 * b), -6);
        if (fabs(s) < end)
            sum += density(s) / fabs(w) * step * sigma * cosh(t) * pow(one, (double)n);
    }
    return sum;
}

/* The same over two inputs: the second moves as the first leaves it. Beyond the last
 * node nothing more is known of f: what is left of the chances is there. */
static double two_ridges(const struct linear *m, size_t n, double r, const double *w,
                         double end, double beyond)
{
    enum { POINTS = 4001 };
    double sum = 0, step = 2 * end / POINTS;
    for (size_t i = 0; i < POINTS; i++) {
        double a = -end + step * ((double)i + 0.5);
        sum += density(a) * step * ridge(m, n, r - w[0] * a, w[1], end, w[0] * a);
    }
    for (int side = -1; side <= 1; side += 2) {
        double at[2] = {w[0] * end * side, w[1] * end * side};
        sum += beyond * ridge(m, n, r - at[0], w[1], end, at[0]);
        sum += beyond * ridge(m, n, r - at[1], w[0], end, at[1]);
    }
    return sum;
}

/* Rows that have a fault in common know more together: the integral of a linear model
 * by quadrature, with a likelihood that is narrower than a cell. */
static void test_rows_together(void **state)
{
    static const size_t rows[] = {1, 2, 8};
    static const double sigmas[] = {0.3, 0.01, 1e-4};
    static const size_t pair[2] = {1, 2};
    /* one input alone meets the middle of a cell, or its border: Poisson's sum of
     * normals of variance 1/12 */
    const double ripple = log(1 + 2 * exp(-acos(-1.0) * acos(-1.0) / 6));
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        struct linear m;
        gpai_single alone[D];
        size_t n = rows[i / 3];
        make_linear(&m, ONE, n, 0, 0.5, sigmas[i % 3], GPA_CULPRIT_ON);
        const gpai_profile *r = &m.a.r;
        double end = r->node[r->start[1] + r->nodes[1] - 1], gap = m.residual[0];
        assert_int_equal(gpai_singles_weigh(&m.e, alone, NULL), GPA_OK);
        double one = log(ridge(&m, n, gap, m.weight[1], end, 0));
        double two = log(two_ridges(&m, n, gap, m.weight + 1, end, 1.0 / 48));
        bool cells = sigmas[i % 3] < 0.1; /* narrower than those */
        assert_close(alone[1].log_evidence, one, cells ? ripple : 0.006);
        for (size_t at_first = 8; at_first <= 32; at_first *= 2)
            assert_close(weigh(&m, 2, pair, at_first), two, n == 1 ? 0.02 : 0.08);
        unmake_linear(&m);
    }
}

/* Rows that differ in how far they are off: each by itself has the integral over moves
 * of one input, and together these are a product. */
static void test_rows_apart(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 8; n *= 2) {
        struct linear m;
        gpai_single alone[D];
        double varies[D], each = GPAI_APART_ODDS;
        const bool blind[D] = {false};
        make_linear(&m, ONE, n, 0, 0.5, 0.3, GPA_CULPRIT_ON);
        const gpai_profile *r = &m.a.r;
        double end = r->node[r->start[1] + r->nodes[1] - 1];
        for (size_t t = 0; t < n; t++) {
            m.residual[t] *= 1 + 0.05 * (double)t; /* a ramp, within the nodes */
            each += log(ridge(&m, 1, m.residual[t], m.weight[1], end, 0));
        }
        assert_int_equal(gpai_singles_weigh(&m.e, alone, NULL), GPA_OK);
        double both = log(exp(alone[1].log_evidence) + exp(each));
        assert_int_equal(gpai_apart_singles(&m.e, blind, alone, varies, NULL), GPA_OK);
        assert_close(alone[1].log_evidence, both, 0.006 * (double)n);
        assert_close(varies[1], exp(each - both), 0.01);
        double sum = 0;
        for (size_t i = 0; i < alone[1].count; i++)
            sum += exp(alone[1].log[i] - alone[1].log_evidence);
        assert_close(sum, 1, 1e-9);
        unmake_linear(&m);
    }
}

/* From evidence to probabilities. */

static double logit(double p)
{
    return log(p / (1 - p));
}

/* The share of stray faults is anybody's: less than that nobody has. */
static void test_stray_faults(void **state)
{
    static const double stray[2] = {0.15, 0.005};
    (void)state;
    for (int reference = 0; reference < 2; reference++) {
        gpai_subset s[5];
        double weight[5], p[5], single[5];
        for (size_t i = 0; i < 5; i++)
            s[i] = (gpai_subset){
                .axis = {i}, .size = 1, .log_evidence = i == 2 ? 0 : -HUGE_VAL};
        const gpai_causes c = {
            .axes = 5, .subset = s, .subsets = 5, .reference = reference == 1};
        gpai_causes_inputs(&c, weight, p);
        gpai_causes_single(&c, single);
        for (size_t i = 0; i < 5; i++) {
            double want = stray[reference] / 5 + (i == 2 ? 1 - stray[reference] : 0);
            assert_close(p[i], want, 1e-15);
            assert_close(single[i], want, 1e-15);
            assert_close(weight[i], i == 2 ? 1 - stray[reference] : 0, 1e-15);
        }
    }
}

/* With equal evidence there is what was believed: 0.79, 0.16 and 0.05 of one, two and
 * three of four, of which 0.04 are exchanges, if there are any. */
static void test_beliefs(void **state)
{
    (void)state;
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        gpai_subset s[4 + 6 + 4 + 1];
        double weight[15], p[4], all = exchanged ? 0.96 : 1;
        size_t n = 0;
        for (size_t i = 0; i < 4; i++)
            s[n++] = (gpai_subset){.axis = {i}, .size = 1, .log_evidence = 3};
        for (size_t i = 0; i < 4; i++)
            for (size_t j = i + 1; j < 4; j++)
                s[n++] = (gpai_subset){.axis = {i, j}, .size = 2, .log_evidence = 3};
        for (size_t i = 0; i < 4; i++) /* all but one */
            s[n++] = (gpai_subset){.axis = {i == 0, 1 + (i <= 1), 2 + (i <= 2)},
                                   .size = 3,
                                   .log_evidence = 3};
        if (exchanged)
            s[n++] = (gpai_subset){
                .axis = {1, 3}, .size = 2, .log_evidence = 3, .exchanged = true};
        const gpai_causes c = {
            .axes = 4, .subset = s, .subsets = n, .reference = true, .triples = true};
        double z = gpai_causes_inputs(&c, weight, p);
        double sum = all + (exchanged ? 0.04 / 6 : 0); /* one pair of six */
        assert_close(z, 3 + log(sum), 1e-12);
        assert_close(weight[0], 0.995 * 0.79 / 4 * all / sum, 1e-12);
        assert_close(weight[4], 0.995 * 0.16 / 6 * all / sum, 1e-12);
        assert_close(weight[10], 0.995 * 0.05 / 4 * all / sum, 1e-12);
        double each = (0.79 + 2 * 0.16 + 3 * 0.05) / 4 * all / sum;
        assert_close(p[0], 0.995 * each + 0.005 / 4, 1e-12);
        assert_close(
            p[3], 0.995 * (each + (exchanged ? 0.04 / 6 / sum : 0)) + 0.005 / 4, 1e-12);
    }
}

/* P(y or the model): log odds = slope (evidence) + shift, and a prior moves them by as
 * much as it is off. */
static void test_output(void **state)
{
    static const double stray[2] = {0.5, 0.01}, slope[2] = {0.45, 0.6},
                        shift[2] = {-2.4, -1.5};
    static const double evidence[] = {-40, -3, 0, 2.5, 60}, prior[] = {0.001, 0.2, 0.9};
    const double m = 7;
    (void)state;
    for (int with = 0; with < 2; with++)
        for (size_t i = 0; i < 5; i++) {
            gpai_causes c = {.axes = 7,
                             .reference = with == 1,
                             .output = evidence[i] + 11 + log(m),
                             .prior = (double)NAN};
            double got = gpai_causes_output(&c, 11);
            double odds = slope[with] * evidence[i] + shift[with];
            assert_close(got,
                         (1 - stray[with]) / (1 + exp(-odds)) + stray[with] / (m + 1),
                         1e-14);
            if (fabs(evidence[i]) > 10)
                continue;
            for (size_t j = 0; j < 3; j++) {
                c.prior = prior[j];
                double p = gpai_causes_output(&c, 11);
                p = (p - stray[with] * prior[j]) / (1 - stray[with]);
                assert_close(logit(p) - odds, logit(prior[j]) - logit(1 / (m + 1)),
                             1e-9);
            }
        }
    /* nothing explains the rows at all: no evidence either way */
    gpai_causes c = {
        .axes = 7, .reference = true, .output = -HUGE_VAL, .prior = (double)NAN};
    assert_close(gpai_causes_output(&c, -HUGE_VAL),
                 0.99 / (1 + exp(1.5)) + 0.01 / (m + 1), 1e-14);
    c.axes = 0;
    assert_true(gpai_causes_output(&c, -HUGE_VAL) == 1);
}

/* Rows together say who it is as much as twelve of them would, and whether it is y as
 * much as forty: of n rows that many n-ths of ln evidence count. */
static void test_many_rows(void **state)
{
    gpai_subset few[2] = {{.axis = {0}, .size = 1, .log_evidence = -3},
                          {.axis = {1}, .size = 1, .log_evidence = -4.5}};
    gpai_subset many[2] = {few[0], few[1]};
    gpai_causes a = {.axes = 2,
                     .subset = few,
                     .subsets = 2,
                     .reference = true,
                     .prior = (double)NAN,
                     .output = -7};
    gpai_causes b = a;
    double weight[2], p[2][2], single[2][2];
    (void)state;
    for (int output = 0; output < 2; output++) {
        double more = output ? 60.0 / 40 : 60.0 / 12;
        for (int i = 0; i < 2; i++)
            many[i].log_evidence = few[i].log_evidence * more;
        b.subset = many;
        b.output = a.output * more;
        b.rows = 60;
        a.rows = output ? 40 : 12;
        (void)gpai_causes_inputs(&a, weight, p[0]);
        (void)gpai_causes_inputs(&b, weight, p[1]);
        gpai_causes_single(&a, single[0]);
        gpai_causes_single(&b, single[1]);
        for (int i = 0; i < 2 && !output; i++) {
            assert_close(p[1][i], p[0][i], 1e-12);
            assert_close(single[1][i], single[0][i], 1e-12);
        }
        if (output)
            assert_close(gpai_causes_output(&b, -3.2 * more),
                         gpai_causes_output(&a, -3.2), 1e-12);
    }
}

/* Where the lines are drawn. */
static void test_verdicts(void **state)
{
    gpai_causes c = {.axes = 3, .rms = 2};
    (void)state;
    assert_int_equal(gpai_causes_verdict(&c, 1, 0), GPA_VERDICT_NORMAL);
    c.errors = 3.01; /* rows that are off by little, but all alike */
    assert_int_equal(gpai_causes_verdict(&c, 0.9, 0.1), GPA_VERDICT_INPUT);
    c.errors = 3;
    assert_int_equal(gpai_causes_verdict(&c, 1, 0), GPA_VERDICT_NORMAL);
    c.rms = 2.01;
    assert_int_equal(gpai_causes_verdict(&c, 0.9, 0.1), GPA_VERDICT_INPUT);
    assert_int_equal(gpai_causes_verdict(&c, 0.9, 0.12), GPA_VERDICT_TIED);
    assert_int_equal(gpai_causes_verdict(&c, 0.79, 0), GPA_VERDICT_TIED);
    assert_int_equal(gpai_causes_verdict(&c, 0.9, 0.29), GPA_VERDICT_TIED);
    /* .4 (1 - .31) is less than .31, .5 (1 - .31) is more */
    assert_int_equal(gpai_causes_verdict(&c, 0.4, 0.31), GPA_VERDICT_OUTPUT);
    assert_int_equal(gpai_causes_verdict(&c, 0.5, 0.31), GPA_VERDICT_TIED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_do_not_matter),
        cmocka_unit_test(test_flat_likelihood),
        cmocka_unit_test(test_rows_together),
        cmocka_unit_test(test_rows_apart),
        cmocka_unit_test(test_stray_faults),
        cmocka_unit_test(test_beliefs),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
