#include "support.h"

#include "base/rng.h"
#include "engine/prior.h"
#include "result/explanation.h"
#include <gpa/gpa.h>

/* Flags, choices and missing values, from rows to results: one model of a number, a
 * choice of four levels and a flag, f = 2 x + WEIGHT[level] + 1.5 flag, whose
 * rows are written in different ways. */
enum { LEVELS = 4, MOST = 8, CONTEXT = 40 };
static const double WEIGHT[LEVELS] = {0, 3, -2, 7};
static const double CODES[LEVELS] = {0.1, 2, 3.7, 9}, PLACES[LEVELS] = {0, 1, 2, 3};
static const double BITS[2] = {0, 1}, ONE_TWO[2] = {1, 2}, SIGNS[2] = {-0.3, 0.9};

/* How the rows are written. */
struct writing {
    size_t d;
    const double *code; /* of the choice; NULL: one column a level, */
    bool dropped;       /* but for the last */
    const double *flag; /* its two values */
    double unit;        /* of all columns but the number's */
    gpa_input in[MOST];
    size_t asked; /* rows */
    size_t wrong; /* that are no rows of this writing */
};

static gpa_input input_of(gpa_kind kind, size_t levels, const double *level)
{
    return (gpa_input){.kind = kind,
                       .low = (double)NAN,
                       .high = (double)NAN,
                       .missing = (double)NAN,
                       .levels = levels,
                       .level = level};
}

static struct writing write_as(const double *code, bool dropped, const double *flag,
                               double unit)
{
    struct writing w = {.code = code, .dropped = dropped, .flag = flag, .unit = unit};
    w.in[w.d++] = input_of(GPA_KIND_NUMBER, 0, NULL);
    if (code != NULL)
        w.in[w.d++] = input_of(GPA_KIND_CHOICE, LEVELS, code);
    for (size_t j = 0; code == NULL && j < LEVELS - (dropped ? 1 : 0); j++) {
        w.in[w.d] = input_of(GPA_KIND_CHOICE, 0, NULL);
        w.in[w.d].group = 1;
        w.in[w.d++].dropped = dropped;
    }
    w.in[w.d++] = input_of(GPA_KIND_FLAG, 2, flag);
    return w;
}

static void put_row(const struct writing *w, double number, size_t level, size_t flag,
                    double *x)
{
    size_t k = 0;
    x[k++] = number;
    if (w->code != NULL)
        x[k++] = w->code[level];
    for (size_t j = 0; w->code == NULL && j < LEVELS - (w->dropped ? 1 : 0); j++)
        x[k++] = j == level ? 1 : 0;
    x[k] = w->flag[flag];
}

static double truth(double number, size_t level, size_t flag)
{
    return 2 * number + WEIGHT[level] + 1.5 * (double)flag;
}

/* Reads a row back, bit for bit. */
static bool take_row(const struct writing *w, const double *x, size_t *level,
                     size_t *flag)
{
    double same[MOST];
    for (*level = 0; *level < LEVELS; ++*level)
        for (*flag = 0; *flag < 2; ++*flag) {
            put_row(w, x[0], *level, *flag, same);
            if (memcmp(same, x, w->d * sizeof *x) == 0)
                return true;
        }
    return false;
}

static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct writing *w = ctx;
    for (size_t i = 0; i < n; i++) {
        size_t level, flag;
        bool known = take_row(w, x + i * d, &level, &flag);
        w->wrong += known ? 0 : 1;
        w->asked++;
        y[i] = known ? truth(x[i * d], level, flag) : 0;
    }
    return 0;
}

struct question {
    double number, y;
    size_t level, flag;
    gpa_solver solver;
    gpa_marginals marginals;
    double eta; /* NaN: automatic */
    bool context;
};

static gpa_explanation *ask(struct writing *w, const struct question *q)
{
    static double x[(CONTEXT + 1) * MOST], y[CONTEXT + 1], f[CONTEXT + 1];
    double unit[MOST] = {0.7};
    gpai_rng rng = gpai_rng_make(5, 0);
    for (size_t k = 1; k < MOST; k++)
        unit[k] = w->unit;
    put_row(w, q->number, q->level, q->flag, x);
    y[0] = q->y;
    f[0] = truth(q->number, q->level, q->flag);
    for (size_t i = 1; i <= CONTEXT; i++) {
        double number = gpai_rng_normal(&rng);
        put_row(w, number, i % LEVELS, i / 3 % 2, x + i * w->d);
        f[i] = truth(number, i % LEVELS, i / 3 % 2);
        y[i] = f[i] + (1 + (double)(i % LEVELS)) * 0.2 * gpai_rng_normal(&rng);
    }
    gpa_sample s = {.x = x, .y = y, .f = f, .n = 1, .d = w->d}, all = s;
    size_t row = 0;
    gpa_explain_options o;
    gpa_model *m;
    gpa_explanation *e;
    gpa_error err;
    all.n = CONTEXT + 1;
    gpa_explain_options_init(&o);
    o.inputs = w->in;
    o.unit = unit;
    o.solver = q->solver;
    o.marginals = q->marginals;
    o.marginal_rows = q->marginals == GPA_MARGINALS_EXACT ? 16384 : 256;
    o.culprit = GPA_CULPRIT_OFF;
    o.eta = q->eta;
    o.context = q->context ? &all : NULL;
    o.context_rows = q->context ? &row : NULL;
    o.sigma = q->context ? (double)NAN : 0.4;
    w->asked = w->wrong = 0;
    assert_int_equal(gpa_model_from_callback(&m, predict, w, w->d, NULL), GPA_OK);
    if (gpa_explain(&e, m, &s, &o, &err) != GPA_OK)
        fail_msg("%s", err.message);
    assert_int_equal(w->wrong, 0);
    gpa_model_free(m);
    return e;
}

/* The lowest objective: all levels, and for each the number by golden section between
 * the kinks of the penalty. */
struct lowest {
    double objective, number;
    size_t level, flag;
};

static double objective_at(const struct question *q, const gpa_explanation *e, double v,
                           size_t level, size_t flag)
{
    const gpa_summary *s = gpa_explanation_summary(e);
    gpai_prior p = gpai_prior_make(s->eta, s->nu);
    double r = q->y - truth(q->number + 0.7 * v, level, flag);
    double switches = (level != q->level) + (flag != q->flag);
    return (s->a0 + 0.5) * log1p(r * r / (2 * gpa_explanation_b(e)[0])) +
           gpai_prior_penalty(&p, v) + switches * (s->eta / 2 + s->eta * s->nu);
}

static struct lowest find_lowest(const struct question *q, const gpa_explanation *e)
{
    struct lowest best = {.objective = HUGE_VAL};
    for (size_t level = 0; level < LEVELS; level++)
        for (size_t flag = 0; flag < 2; flag++)
            for (double v = -12; v <= 12; v += 1.0 / 1024) {
                double o = objective_at(q, e, v, level, flag);
                if (o < best.objective)
                    best = (struct lowest){o, v, level, flag};
            }
    for (double by = 1.0 / 2048; by > 1e-13; by /= 2)
        for (int side = -1; side <= 1; side += 2) {
            double v = best.number + side * by;
            double o = objective_at(q, e, v, best.level, best.flag);
            if (o < best.objective)
                best = (struct lowest){o, v, best.level, best.flag};
        }
    return best;
}

static const struct question QUESTIONS[] = {
    {.number = 0.3, .level = 0, .flag = 0, .y = 7.7},
    {.number = 0.3, .level = 1, .flag = 1, .y = 0.2},
    {.number = -1, .level = 2, .flag = 0, .y = -0.9},
    {.number = 2, .level = 3, .flag = 1, .y = 10.8},
    {.number = 0, .level = 3, .flag = 0, .y = -4},
    {.number = 1, .level = 0, .flag = 1, .y = 5.2},
};
enum { ASKED = sizeof QUESTIONS / sizeof QUESTIONS[0] };

/* The MAP is the best of all levels and numbers. */
static void best_of_all_levels(void **state)
{
    (void)state;
    static const double ETA[] = {0.1, 0.4, 1.5};
    for (size_t i = 0; i < ASKED; i++)
        for (size_t j = 0; j < 3; j++)
            for (int solver = GPA_SOLVER_FAST; solver <= GPA_SOLVER_THOROUGH;
                 solver++) {
                struct writing w = write_as(CODES, false, SIGNS, 0.35);
                struct question q = QUESTIONS[i];
                q.solver = (gpa_solver)solver;
                q.marginals = GPA_MARGINALS_NONE;
                q.eta = ETA[j];
                gpa_explanation *e = ask(&w, &q);
                struct lowest best = find_lowest(&q, e);
                assert_close(gpa_explanation_summary(e)->objective, best.objective,
                             2e-3);
                const double *raw = gpa_explanation_delta_raw(e);
                assert_close(raw[1], CODES[best.level] - CODES[q.level], 1e-15);
                assert_close(raw[2], SIGNS[best.flag] - SIGNS[q.flag], 1e-15);
                gpa_explanation_free(e);
            }
}

/* The writings that must not matter. */
static size_t writings(struct writing *w)
{
    size_t n = 0;
    w[n++] = write_as(PLACES, false, BITS, 1);
    w[n++] = write_as(NULL, false, BITS, 1);
    w[n++] = write_as(CODES, false, BITS, 0.2);
    w[n++] = write_as(PLACES, false, ONE_TWO, 3);
    w[n++] = write_as(NULL, true, SIGNS, 0.5);
    w[n++] = write_as(NULL, false, ONE_TWO, 4);
    return n;
}

static void same_numbers(const gpa_explanation *a, const gpa_explanation *b)
{
    const gpa_summary *s = gpa_explanation_summary(a), *t = gpa_explanation_summary(b);
    assert_close(s->objective, t->objective, 1e-9);
    assert_close(s->eta, t->eta, 1e-9);
    assert_close(gpa_explanation_b(a)[0], gpa_explanation_b(b)[0], 1e-9);
    assert_int_equal(s->model_rows, t->model_rows);
    assert_int_equal(s->rows_map, t->rows_map);
    assert_int_equal(s->iterations, t->iterations);
    assert_close(gpa_explanation_delta(a)[0], gpa_explanation_delta(b)[0], 1e-9);
    assert_close(gpa_explanation_f_moved(a)[0], gpa_explanation_f_moved(b)[0], 1e-9);
}

/* Codes, other codes, one column a level, one of them dropped, flags as 0/1, 1/2 or
 * anything, in any unit: the same search. */
static void writing_does_not_matter(void **state)
{
    (void)state;
    struct writing w[MOST];
    size_t n = writings(w);
    for (size_t i = 0; i < ASKED; i++)
        for (int solver = GPA_SOLVER_FAST; solver <= GPA_SOLVER_THOROUGH; solver++) {
            struct question q = QUESTIONS[i];
            q.solver = (gpa_solver)solver;
            q.marginals = GPA_MARGINALS_NONE;
            q.eta = (double)NAN;
            q.context = true;
            gpa_explanation *first = ask(&w[0], &q);
            for (size_t j = 1; j < n; j++) {
                gpa_explanation *e = ask(&w[j], &q);
                same_numbers(first, e);
                gpa_explanation_free(e);
            }
            gpa_explanation_free(first);
        }
}

/* Masses of levels by quadrature: the number's prior in 20000 parts of equal
 * probability, a weight of exp(-eta/2 - eta nu) for each switch. */
static void true_masses(const struct question *q, const gpa_explanation *e,
                        double *level_mass, double *flag_mass)
{
    enum { PARTS = 20000 };
    const gpa_summary *s = gpa_explanation_summary(e);
    gpai_prior p = gpai_prior_make(s->eta, s->nu);
    double total = 0;
    memset(level_mass, 0, LEVELS * sizeof *level_mass);
    memset(flag_mass, 0, 2 * sizeof *flag_mass);
    for (size_t i = 0; i < PARTS; i++) {
        double v = gpai_prior_quantile(&p, ((double)i + 0.5) / PARTS);
        for (size_t level = 0; level < LEVELS; level++)
            for (size_t flag = 0; flag < 2; flag++) {
                double o = objective_at(q, e, v, level, flag);
                double w = exp(gpai_prior_penalty(&p, v) - o);
                level_mass[level] += w;
                flag_mass[flag] += w;
                total += w;
            }
    }
    for (size_t j = 0; j < LEVELS; j++)
        level_mass[j] /= total;
    for (size_t j = 0; j < 2; j++)
        flag_mass[j] /= total;
}

static double divergence(const double *q, const double *p, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += q[j] > 0 ? q[j] * log(q[j] / p[j]) : 0;
    return sum;
}

/* The distribution of the choice and of the flag, against quadrature. */
static void masses_of_levels(void **state)
{
    (void)state;
    static const double far[] = {
        [GPA_MARGINALS_EXACT] = 0.04, [GPA_MARGINALS_SURROGATE] = 0.06};
    for (size_t i = 0; i < ASKED; i++)
        for (int how = GPA_MARGINALS_EXACT; how <= GPA_MARGINALS_SURROGATE; how++) {
            struct writing w = write_as(CODES, false, SIGNS, 0.35);
            struct question q = QUESTIONS[i];
            double level_mass[LEVELS], flag_mass[2];
            q.marginals = (gpa_marginals)how;
            q.eta = 0.4;
            gpa_explanation *e = ask(&w, &q);
            const gpa_marginal *m = gpa_explanation_marginal(e, 1),
                               *n = gpa_explanation_marginal(e, 2);
            true_masses(&q, e, level_mass, flag_mass);
            assert_int_equal(m->levels, LEVELS);
            assert_int_equal(n->levels, 2);
            for (size_t j = 0; j < LEVELS; j++) {
                assert_true(m->level[j] == CODES[j]);
                assert_close(m->mass[j], level_mass[j], far[how]);
            }
            for (size_t j = 0; j < 2; j++) {
                assert_true(n->level[j] == SIGNS[j]);
                assert_close(n->mass[j], flag_mass[j], far[how]);
            }
            double prior[LEVELS], move = exp(-0.4), all = 1 + (LEVELS - 1) * move;
            for (size_t j = 0; j < LEVELS; j++)
                prior[j] = (j == q.level ? 1 : move) / all;
            assert_close(m->information, divergence(m->mass, prior, LEVELS), 1e-9);
            gpa_explanation_free(e);
        }
}

/* With all else at the MAP the masses are exact. */
static void masses_at_the_map(void **state)
{
    (void)state;
    for (size_t i = 0; i < ASKED; i++) {
        struct writing w = write_as(CODES, false, ONE_TWO, 0.35);
        struct question q = QUESTIONS[i];
        double o[LEVELS], sum = 0;
        q.marginals = GPA_MARGINALS_PLUGIN;
        q.eta = 0.4;
        gpa_explanation *e = ask(&w, &q);
        const gpa_marginal *m = gpa_explanation_marginal(e, 1);
        const double *raw = gpa_explanation_delta_raw(e);
        size_t flag = (size_t)nearbyint((double)q.flag + raw[2]);
        for (size_t j = 0; j < LEVELS; j++)
            sum += o[j] =
                exp(-objective_at(&q, e, gpa_explanation_delta(e)[0], j, flag));
        for (size_t j = 0; j < LEVELS; j++)
            assert_close(m->mass[j], o[j] / sum, 1e-9);
        gpa_explanation_free(e);
    }
}

/* Which mass is the same in which writing: the dropped level comes last. */
static void masses_do_not_depend_on_writing(void **state)
{
    (void)state;
    struct writing w[MOST];
    size_t n = writings(w);
    for (int how = GPA_MARGINALS_EXACT; how <= GPA_MARGINALS_PLUGIN; how++) {
        struct question q = QUESTIONS[1];
        if (how == GPA_MARGINALS_PAPER)
            continue;
        q.marginals = (gpa_marginals)how;
        q.eta = (double)NAN;
        q.context = true;
        gpa_explanation *first = ask(&w[0], &q);
        for (size_t j = 1; j < n; j++) {
            gpa_explanation *e = ask(&w[j], &q);
            same_numbers(first, e);
            const gpa_marginal *a = gpa_explanation_marginal(first, 1),
                               *b = gpa_explanation_marginal(e, w[j].d - 2),
                               *c = gpa_explanation_marginal(first, 2),
                               *f = gpa_explanation_marginal(e, w[j].d - 1);
            assert_int_equal(b->levels, LEVELS);
            for (size_t k = 0; k < LEVELS; k++) {
                assert_close(a->mass[k], b->mass[k], 1e-9);
                assert_true(b->level[k] == (w[j].code != NULL        ? w[j].code[k]
                                            : w[j].dropped && k == 3 ? -1
                                                                     : (double)k));
            }
            assert_close(c->mass[1], f->mass[1], 1e-9);
            assert_close(a->information, b->information, 1e-9);
            gpa_explanation_free(e);
        }
        gpa_explanation_free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_of_all_levels),
        cmocka_unit_test(writing_does_not_matter),
        cmocka_unit_test(masses_of_levels),
        cmocka_unit_test(masses_at_the_map),
        cmocka_unit_test(masses_do_not_depend_on_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
