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
static const double SHUFFLED[LEVELS] = {2, 9, 0.1, 3.7}; /* CODES in another order */
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
        w.in[w.d++] =
            input_of(GPA_KIND_CHOICE, LEVELS, code == SHUFFLED ? CODES : code);
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
            for (double v = -6; v <= 6; v += 1.0 / 256) {
                double o = objective_at(q, e, v, level, flag);
                if (o < best.objective)
                    best = (struct lowest){o, v, level, flag};
            }
    for (double by = 1.0 / 512; by > 1e-13; by /= 2)
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
    w[n++] = write_as(SHUFFLED, false, BITS, 4);
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

/* Codes, other codes in any order, a column a level, one of them dropped, flags as 0/1,
 * 1/2 or anything, in any unit: the same search. */
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

/* Masses of levels by quadrature: the number's prior in 5000 parts of equal
 * probability, a weight of exp(-eta/2 - eta nu) for each switch. */
static void true_masses(const struct question *q, const gpa_explanation *e,
                        double *level_mass, double *flag_mass)
{
    enum { PARTS = 5000 };
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
        /* the surrogate also rests on what was asked before, in the order of asking */
        size_t compared = how == GPA_MARGINALS_SURROGATE ? n - 1 : n;
        for (size_t j = 1; j < compared; j++) {
            gpa_explanation *e = ask(&w[j], &q);
            same_numbers(first, e);
            const gpa_marginal *a = gpa_explanation_marginal(first, 1),
                               *b = gpa_explanation_marginal(e, w[j].d - 2),
                               *c = gpa_explanation_marginal(first, 2),
                               *f = gpa_explanation_marginal(e, w[j].d - 1);
            assert_int_equal(b->levels, LEVELS);
            for (size_t k = 0; k < LEVELS; k++) {
                size_t at = 0;
                while (w[j].code == SHUFFLED && b->level[at] != SHUFFLED[k])
                    at++;
                at = w[j].code == SHUFFLED ? at : k;
                assert_close(a->mass[k], b->mass[at], 1e-9);
                assert_true(b->level[at] == (w[j].code != NULL        ? w[j].code[k]
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

/* ---- any model and any inputs ---- */

struct asked {
    double (*f)(const double *x);
    bool (*can_be)(const double *x);
    size_t rows, impossible;
};

static int predict_asked(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct asked *a = ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = a->f(x + i * d);
        a->rows++;
        a->impossible += a->can_be != NULL && !a->can_be(x + i * d);
    }
    return 0;
}

static gpa_explain_options plain_options(const gpa_input *in, const double *unit)
{
    gpa_explain_options o;
    gpa_explain_options_init(&o);
    o.inputs = in;
    o.unit = unit;
    o.culprit = GPA_CULPRIT_OFF;
    o.marginals = GPA_MARGINALS_NONE;
    o.sigma = 0.5;
    o.eta = 0.4;
    return o;
}

static gpa_explanation *explain(struct asked *a, const gpa_sample *s,
                                const gpa_explain_options *o)
{
    gpa_model *m;
    gpa_explanation *e;
    gpa_error err;
    a->rows = a->impossible = 0;
    assert_int_equal(gpa_model_from_callback(&m, predict_asked, a, s->d, NULL), GPA_OK);
    if (gpa_explain(&e, m, s, o, &err) != GPA_OK)
        fail_msg("%s", err.message);
    gpa_model_free(m);
    assert_int_equal(a->impossible, 0);
    return e;
}

static double objective_of(const gpa_explanation *e, double y, double f, double penalty)
{
    const gpa_summary *s = gpa_explanation_summary(e);
    double r = y - f;
    return (s->a0 + 0.5) * log1p(r * r / (2 * gpa_explanation_b(e)[0])) + penalty;
}

/* A quantity that is never negative, recorded as -3, beside another number. */
static double sum_of_two(const double *x)
{
    return 1.5 * x[0] + x[1];
}

static bool positive_or_recorded(const double *x)
{
    return x[0] == -3 || (x[0] >= 0 && x[0] <= 10);
}

static void row_outside_of_its_kind(void **state)
{
    (void)state;
    static const double unit[2] = {2, 1};
    gpa_input in[2] = {input_of(GPA_KIND_NUMBER, 0, NULL),
                       input_of(GPA_KIND_NUMBER, 0, NULL)};
    double x[2] = {-3, 0.5}, y;
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 2};
    struct asked a = {.f = sum_of_two, .can_be = positive_or_recorded};
    in[0].low = 0;
    in[0].high = 10;
    for (y = -7; y < 12; y += 3)
        for (int how = GPA_MARGINALS_NONE; how <= GPA_MARGINALS_PLUGIN; how++) {
            gpa_explain_options o = plain_options(in, unit);
            o.marginals = (gpa_marginals)how;
            o.marginal_rows = how == GPA_MARGINALS_EXACT ? 8192 : 256;
            if (how == GPA_MARGINALS_PAPER)
                continue;
            gpa_explanation *e = explain(&a, &s, &o);
            gpai_prior p = gpai_prior_make(0.4, 0.5);
            double best = HUGE_VAL, stay = 0, total = 0;
            for (double v = -4; v < 4; v += 1.0 / 64)
                for (double u = 1.5; u <= 6.5; u += 1.0 / 64)
                    best = fmin(best, objective_of(e, y, 1.5 * (-3 + 2 * u) + 0.5 + v,
                                                   gpai_prior_penalty(&p, u) +
                                                       gpai_prior_penalty(&p, v)));
            for (double v = -8; v < 8; v += 1.0 / 64)
                best = fmin(best, objective_of(e, y, -4.5 + 0.5 + v,
                                               gpai_prior_penalty(&p, v)));
            assert_true(gpa_explanation_summary(e)->objective < best + 1e-2);
            /* the moves that cannot be are at 0, with their probability */
            double inside = gpai_prior_cdf(&p, 6.5) - gpai_prior_cdf(&p, 1.5);
            for (double v = -10; v < 10; v += 1.0 / 32) {
                double prior = gpai_prior_penalty(&p, v);
                stay += (1 - inside) * exp(-objective_of(e, y, -4 + v, prior));
                for (size_t i = 0; i < 200; i++) {
                    double u = 1.5 + 5 * ((double)i + 0.5) / 200;
                    double w = exp(gpai_prior_logpdf(&p, u)) * 5 / 200;
                    total += w * exp(-objective_of(e, y, -4 + 3 * u + v, prior));
                }
            }
            total += stay;
            const gpa_marginal *m = gpa_explanation_marginal(e, 0);
            if (how == GPA_MARGINALS_EXACT || how == GPA_MARGINALS_SURROGATE) {
                assert_close(m->p_positive, 1 - stay / total, 0.04);
                assert_true(m->interval90[0] >= 0 && m->interval90[1] <= 6.5);
            }
            double area = 0;
            for (size_t i = 1; m != NULL && i < m->points; i++) {
                assert_true(m->grid[i] > m->grid[i - 1]);
                area += 0.5 * (m->grid[i] - m->grid[i - 1]) *
                        (m->density[i] + m->density[i - 1]);
            }
            if (m != NULL && m->points > 0)
                assert_close(area, 1, 1e-9);
            gpa_explanation_free(e);
        }
}

/* 2.25 children: what it is, or 0 to 5. */
static double children(const double *x)
{
    return 2 * x[0];
}

static bool whole_or_recorded(const double *x)
{
    return x[0] == 2.25 || (x[0] >= 0 && x[0] <= 5 && x[0] == nearbyint(x[0]));
}

static void fraction_of_a_whole_number(void **state)
{
    (void)state;
    static const double unit[1] = {0.8};
    gpa_input in[1] = {input_of(GPA_KIND_WHOLE, 0, NULL)};
    double x[1] = {2.25}, y = 8.1;
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 1};
    struct asked a = {.f = children, .can_be = whole_or_recorded};
    in[0].low = 0;
    in[0].high = 5;
    for (int how = GPA_MARGINALS_NONE; how <= GPA_MARGINALS_PLUGIN; how++) {
        gpa_explain_options o = plain_options(in, unit);
        o.marginals = (gpa_marginals)how;
        o.marginal_rows = 512;
        if (how == GPA_MARGINALS_PAPER)
            continue;
        gpa_explanation *e = explain(&a, &s, &o);
        gpai_prior p = gpai_prior_make(0.4, 0.5);
        double best = objective_of(e, y, 4.5, 0), to = 2.25;
        for (double v = 0; v <= 5; v++) {
            double c =
                objective_of(e, y, 2 * v, gpai_prior_penalty(&p, (v - 2.25) / 0.8));
            to = c < best ? v : to;
            best = fmin(best, c);
        }
        assert_close(gpa_explanation_summary(e)->objective, best, 1e-9);
        assert_true(x[0] + gpa_explanation_delta_raw(e)[0] == to);
        const gpa_marginal *m = gpa_explanation_marginal(e, 0);
        for (size_t i = 0; m != NULL && i < m->points; i++) {
            double v = 2.25 + 0.8 * m->grid[i];
            assert_true(m->grid[i] == 0 || fabs(v - nearbyint(v)) < 1e-12);
        }
        gpa_explanation_free(e);
    }
}

/* Sixty-four levels, of which one explains the row; the row is in one that is rare. */
enum { MANY = 64 };

static double of_many(const double *x)
{
    return 3 * sin(12.9898 * x[0]) + 0.7 * x[1];
}

static void many_levels(void **state)
{
    (void)state;
    static const double unit[2] = {1, 1};
    double level[MANY + 1];
    unsigned char rare[MANY + 1] = {0};
    for (size_t j = 0; j <= MANY; j++)
        level[j] = (double)j;
    gpa_input in[2] = {input_of(GPA_KIND_CHOICE, MANY + 1, level),
                       input_of(GPA_KIND_NUMBER, 0, NULL)};
    in[0].rare = rare;
    for (size_t now = 0; now <= MANY; now += 9) {
        double x[2] = {(double)now, 0.4}, y = of_many(x) > 0 ? -2.9 : 2.9;
        gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 2};
        struct asked a = {.f = of_many};
        gpa_explain_options o = plain_options(in, unit);
        memset(rare, 0, sizeof rare);
        rare[now] = 1;
        gpai_prior p = gpai_prior_make(0.4, 0.5);
        o.marginals = GPA_MARGINALS_PLUGIN;
        gpa_explanation *e = explain(&a, &s, &o);
        double best = HUGE_VAL;
        for (size_t j = 0; j <= MANY; j++)
            for (double v = -6; v < 6; v += 1.0 / 256) {
                double at[2] = {(double)j, 0.4 + v};
                double cost = gpai_prior_penalty(&p, v) + (j != now ? 0.4 : 0);
                best = fmin(best, objective_of(e, y, of_many(at), cost));
            }
        assert_true(gpa_explanation_summary(e)->objective < best + 5e-3);
        assert_true(gpa_explanation_summary(e)->rows_map < 300);
        const gpa_marginal *m = gpa_explanation_marginal(e, 0);
        assert_int_equal(m->levels, MANY + 1); /* the rare one is the last */
        assert_true(m->level[MANY] == (double)now);
        gpa_explanation_free(e);
    }
}

/* A missing value stays missing, whatever is asked, and moves with no delta. */
static double without_gap(const double *x)
{
    return x[0] + (isnan(x[1]) ? 5 : x[1]) + (isnan(x[2]) ? -1 : 2 * x[2]);
}

static bool keeps_gaps(const double *x)
{
    return isnan(x[1]) && isnan(x[2]);
}

static void gaps_stay(void **state)
{
    (void)state;
    static const double unit[3] = {1, 1, 1};
    gpa_input in[3] = {input_of(GPA_KIND_NUMBER, 0, NULL),
                       input_of(GPA_KIND_NUMBER, 0, NULL),
                       input_of(GPA_KIND_FLAG, 2, BITS)};
    double x[3] = {1, (double)NAN, (double)NAN}, y = 7;
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 3};
    struct asked a = {.f = without_gap, .can_be = keeps_gaps};
    for (int how = GPA_MARGINALS_NONE; how <= GPA_MARGINALS_PLUGIN; how++) {
        gpa_explain_options o = plain_options(how % 2 ? in : NULL, unit);
        o.marginals = (gpa_marginals)how;
        o.marginal_rows = 256;
        gpa_explanation *e = explain(&a, &s, &o);
        assert_true(gpa_explanation_delta(e)[0] > 1);
        for (size_t k = 1; k < 3; k++)
            assert_true(gpa_explanation_delta(e)[k] == 0 &&
                        gpa_explanation_delta_raw(e)[k] == 0);
        gpa_explanation_free(e);
    }
}

/* Rows explained together switch together, or not at all. */
static double flag_and_number(const double *x)
{
    return 4 * x[0] + x[1];
}

static void rows_together(void **state)
{
    (void)state;
    static const double unit[2] = {3, 1};
    gpa_input in[2] = {input_of(GPA_KIND_FLAG, 2, ONE_TWO),
                       input_of(GPA_KIND_NUMBER, 0, NULL)};
    double x[6] = {1, 0, 1, 2, 1, -1}, y[3] = {8.2, 9.9, 7.1};
    gpa_sample s = {.x = x, .y = y, .n = 3, .d = 2};
    struct asked a = {.f = flag_and_number};
    gpa_explain_options o = plain_options(in, unit);
    gpa_explanation *e = explain(&a, &s, &o);
    gpai_prior p = gpai_prior_make(0.4, 0.5);
    double best = HUGE_VAL;
    for (int to = 1; to <= 2; to++)
        for (double v = -6; v < 6; v += 1.0 / 4096) {
            double sum = gpai_prior_penalty(&p, v) + (to == 2 ? 0.4 : 0);
            for (size_t t = 0; t < 3; t++)
                sum += objective_of(e, y[t], 4 * to + x[2 * t + 1] + v, 0);
            best = fmin(best, sum);
        }
    assert_close(gpa_explanation_summary(e)->objective, best, 1e-3);
    assert_true(gpa_explanation_delta_raw(e)[0] == 1);
    assert_null(gpa_explanation_note(e, 0));
    gpa_explanation_free(e);
    x[2] = 2;
    in[0].writing = GPA_WRITING_LEVEL;
    e = explain(&a, &s, &o);
    assert_true(gpa_explanation_delta(e)[0] == 0);
    assert_non_null(strstr(gpa_explanation_note(e, 0), "categories of input 1, "));
    gpa_explanation_free(e);
}

/* The paper's solvers know numbers only. */
static void published_solvers(void **state)
{
    (void)state;
    static const double unit[2] = {3, 1};
    gpa_input in[2] = {input_of(GPA_KIND_FLAG, 2, ONE_TWO),
                       input_of(GPA_KIND_WHOLE, 0, NULL)};
    double x[2] = {1, 0}, y = 8.2;
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 2};
    struct asked a = {.f = flag_and_number};
    for (int solver = GPA_SOLVER_PAPER; solver <= GPA_SOLVER_PAPER_DET; solver++)
        for (int how = GPA_MARGINALS_NONE; how <= GPA_MARGINALS_PLUGIN; how++) {
            gpa_explain_options o = plain_options(in, unit);
            o.solver = (gpa_solver)solver;
            o.marginals = (gpa_marginals)how;
            o.marginal_rows = 256;
            gpa_explanation *e = explain(&a, &s, &o);
            o.inputs = NULL;
            gpa_explanation *n = explain(&a, &s, &o);
            assert_memory_equal(gpa_explanation_delta(e), gpa_explanation_delta(n),
                                2 * sizeof(double));
            assert_true(gpa_explanation_delta(e)[1] != 0);
            for (size_t k = 0; how != GPA_MARGINALS_NONE && k < 2; k++)
                assert_true(gpa_explanation_marginal(e, k)->mean ==
                            gpa_explanation_marginal(n, k)->mean);
            gpa_explanation_free(e);
            gpa_explanation_free(n);
        }
}

/* Ten flags: one row each, then what the candidates need. */
static double ten_flags(const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < 10; k++)
        sum += (double)(k + 1) * x[k];
    return sum;
}

static void flags_are_cheap(void **state)
{
    (void)state;
    double unit[10], x[10], y = 55 - 7;
    gpa_input in[10];
    for (size_t k = 0; k < 10; k++) {
        unit[k] = 0.4;
        x[k] = 1;
        in[k] = input_of(GPA_KIND_FLAG, 2, BITS);
    }
    gpa_sample s = {.x = x, .y = &y, .n = 1, .d = 10};
    struct asked a = {.f = ten_flags};
    gpa_explain_options o = plain_options(in, unit);
    gpa_explanation *e = explain(&a, &s, &o);
    for (size_t k = 0; k < 10; k++)
        assert_true(gpa_explanation_delta_raw(e)[k] == (k == 6 ? -1 : 0));
    assert_close(gpa_explanation_summary(e)->objective, 0.4, 1e-12);
    assert_true(a.rows < 70);
    assert_true(gpa_explanation_summary(e)->converged);
    gpa_explanation_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_of_all_levels),
        cmocka_unit_test(writing_does_not_matter),
        cmocka_unit_test(masses_of_levels),
        cmocka_unit_test(masses_at_the_map),
        cmocka_unit_test(masses_do_not_depend_on_writing),
        cmocka_unit_test(row_outside_of_its_kind),
        cmocka_unit_test(fraction_of_a_whole_number),
        cmocka_unit_test(many_levels),
        cmocka_unit_test(gaps_stay),
        cmocka_unit_test(rows_together),
        cmocka_unit_test(published_solvers),
        cmocka_unit_test(flags_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
