/* Faults whose culprit is known, against numbers from outside the tree. */
#include "culprit_support.h"

#include "base/rng.h"
#include "planted.h"

static struct question question_of(const struct planted_set *s,
                                   const struct planted_case *c, gpa_culprit_mode mode)
{
    return (struct question){.model = s->model,
                             .n = c->n,
                             .d = s->d,
                             .x = c->x,
                             .y = c->y,
                             .unit = s->scale,
                             .opt = {.mode = mode,
                                     .sigma = s->sigma,
                                     .spread = (double)NAN,
                                     .output_prior = (double)NAN}};
}

/* Planted faults: some of each kind, against tests/culprit_reference.py. */

static const struct {
    const char *set;
    size_t number;
    int rows;
    gpa_culprit_mode mode;
    double spread, output, probability[PLANTED_INPUTS], single[PLANTED_INPUTS];
} expected[] = {
#include "planted_expected.h"
};

/* Sums over cells have their integrals there: what cells may cost is all they may.
 * P(input k) counts as people see it, times P(an input). */
static const double CELLS = 0.02;
/* Not held where f oscillates within a cell, the borders of which see nothing of it. */
static const double OSCILLATING = 0.05;

static void compare(size_t i, const char *what, size_t k, double got, double want,
                    double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%s, case %zu: %s %zu is %.12g, not %.12g", expected[i].set,
                 expected[i].number, what, k, got, want);
}

static void test_expected(void **state)
{
    struct planted_set s = {0};
    double *background = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        if (s.name == NULL || strcmp(s.name, expected[i].set) != 0) {
            if (s.name != NULL)
                planted_close(&s);
            free(background);
            background = NULL;
            if (!planted_open(&s, expected[i].set))
                skip();
            background = calloc(s.n_batch * s.d, sizeof *background);
        }
        const struct planted_case *c = &s.cases[expected[i].number];
        struct question q = question_of(&s, c, expected[i].mode);
        struct answer a;
        double cells = strcmp(s.name, "sin2") == 0 ? OSCILLATING : CELLS;
        q.opt.spread = expected[i].spread;
        q.reference = expected[i].rows ? background : NULL;
        q.n_reference = expected[i].rows ? planted_reference(&s, c, background) : 0;
        look_well(&a, &q);
        assert_in_range(a.exchanges.count, 0, expected[i].rows ? 8 : 0);
        assert_in_range(a.p.rows, c->n * (12 * s.d + 1 + a.exchanges.count),
                        c->n * (24 * s.d + 1 + a.exchanges.count));
        assert_int_equal(a.p.calls, 2);
        compare(i, "output", 0, a.c.output, expected[i].output, cells);
        for (size_t k = 0; k < s.d; k++) {
            compare(i, "responsible", k, a.c.probability[k] * (1 - a.c.output),
                    expected[i].probability[k] * (1 - expected[i].output), cells);
            compare(i, "single", k, a.c.single[k], expected[i].single[k], cells);
        }
        forget(&a);
    }
    free(background);
    planted_close(&s);
}

/* Planted faults: who names the culprit? */

struct quality {
    double first, covered, kept, singles;
    double out[200], in[200]; /* P(output) of output faults, of single faults */
    double error[200]; /* of the culprit's median move, relative to the true one */
    size_t n_out, n_in;
};

/* 1 when a guilty input has the largest probability; equal ones share it. */
static double first_place(const struct planted_case *c, const gpai_culprit *got)
{
    double equal = 0, guilty = 0;
    for (size_t k = 0; k < got->d; k++)
        if (got->probability[k] == got->probability[got->first]) {
            equal += 1;
            guilty += c->guilty[k] ? 1 : 0;
        }
    return guilty / equal;
}

/* How far the move of the guilty input, if it alone moved, is from what undoes it. */
static double move_error(const struct planted_set *s, const struct planted_case *c,
                         const gpai_culprit *got)
{
    for (size_t k = 0; k < s->d; k++)
        if (c->guilty[k])
            return fabs(got->median[k] * s->scale[k] / c->repair[k] - 1);
    return HUGE_VAL;
}

static double covered(const struct planted_case *c, const gpai_culprit *got)
{
    for (size_t i = 0; i < got->n_set90; i++)
        if (c->guilty[got->set90[i]])
            return 1;
    return 0;
}

/* Whether the same input comes first when all inputs tremble by 0.02 of their scale. */
static double kept(const struct question *q, size_t first, gpai_rng *rng)
{
    double x[PLANTED_INPUTS];
    struct question trembling = *q;
    struct answer a;
    for (size_t k = 0; k < q->d; k++)
        x[k] = q->x[k] + 0.02 * q->unit[k] * gpai_rng_normal(rng);
    trembling.x = x;
    look_well(&a, &trembling);
    double same = a.c.first == first;
    forget(&a);
    return same;
}

static void judge_set(struct quality *all, const struct planted_set *s, bool rows)
{
    double *background = calloc(s->n_batch * s->d, sizeof *background);
    gpai_rng rng = gpai_rng_make(1, 0);
    for (size_t i = 0; i < s->n_cases; i++) {
        const struct planted_case *c = &s->cases[i];
        bool single = strcmp(c->kind, "single") == 0;
        if (!single && strcmp(c->kind, "out") != 0)
            continue;
        struct question q = question_of(s, c, GPA_CULPRIT_ON);
        struct answer a;
        q.reference = rows ? background : NULL;
        q.n_reference = rows ? planted_reference(s, c, background) : 0;
        look_well(&a, &q);
        if (single) {
            all->first += first_place(c, &a.c);
            all->covered += covered(c, &a.c);
            all->kept += kept(&q, a.c.first, &rng);
            all->singles += 1;
            all->error[all->n_in] = move_error(s, c, &a.c);
            all->in[all->n_in++] = a.c.output;
        } else {
            all->out[all->n_out++] = a.c.output;
        }
        forget(&a);
    }
    free(background);
}

static double area_under_curve(const struct quality *q)
{
    double wins = 0;
    for (size_t i = 0; i < q->n_out; i++)
        for (size_t j = 0; j < q->n_in; j++)
            wins += q->out[i] > q->in[j] ? 1 : q->out[i] == q->in[j] ? 0.5 : 0;
    return wins / (double)(q->n_out * q->n_in);
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void judge_quality(bool rows, double first, double area)
{
    double sum[5] = {0};
    for (size_t i = 0; i < PLANTED_SETS; i++) {
        struct planted_set s;
        struct quality q = {0};
        if (!planted_open(&s, planted_names[i]))
            skip();
        judge_set(&q, &s, rows);
        planted_close(&s);
        qsort(q.error, q.n_in, sizeof q.error[0], rising);
        const double got[5] = {q.first / q.singles, area_under_curve(&q),
                               q.covered / q.singles, q.kept / q.singles,
                               q.error[q.n_in / 2]};
        print_message("%-9s first %.3f  AUC %.3f  set90 %.3f  kept %.3f  error %.3f\n",
                      planted_names[i], got[0], got[1], got[2], got[3], got[4]);
        for (int j = 0; j < 5; j++)
            sum[j] += got[j] / PLANTED_SETS;
    }
    print_message("mean      first %.3f  AUC %.3f  set90 %.3f  kept %.3f  error %.3f\n",
                  sum[0], sum[1], sum[2], sum[3], sum[4]);
    assert_true(sum[0] >= first);
    assert_true(sum[1] >= area);
    assert_true(sum[2] >= 0.95);
    assert_true(sum[3] >= 0.90);
    assert_true(sum[4] <= 0.15);
}

static void test_quality_with_rows(void **state)
{
    (void)state;
    judge_quality(true, 0.90, 0.90);
}

static void test_quality_without_rows(void **state)
{
    (void)state;
    judge_quality(false, 0.45, 0.70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_quality_with_rows),
        cmocka_unit_test(test_quality_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
