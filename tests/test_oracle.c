/* The numbers of the paper's authors for their own Diabetes model, digit for digit. */
#include "support.h"

#include <gpa/gpa.h>
#include <jansson.h>

struct oracle {
    gpa_model *m;
    gpa_table *test;
    json_t *want;
    double *x, *f, *score;
    const double *y;
    gpa_sample all;
    double h[10], start[10];
};

static json_t *get(const json_t *o, const char *path)
{
    char word[64];
    json_t *at = json_incref((json_t *)(uintptr_t)o);
    json_decref(at); /* borrowed all the way down */
    while (*path != '\0') {
        size_t n = strcspn(path, "/");
        snprintf(word, sizeof word, "%.*s", (int)n, path);
        at = json_object_get(at, word);
        assert_non_null(at);
        path += n + (path[n] == '/');
    }
    return at;
}

static double number(const json_t *a, size_t i)
{
    return json_number_value(json_array_get(a, i));
}

static int set_up(void **state)
{
    char path[4096], spec[4200];
    struct oracle *o = calloc(1, sizeof *o);
    *state = o;
    if (shared_file(path, sizeof path, "oracle/diabetes/expected.json") == NULL)
        return 0;
    o->want = json_load_file(path, 0, NULL);
    assert_non_null(o->want);
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/model.json"));
    snprintf(spec, sizeof spec, "mlp:%s", path);
    assert_int_equal(gpa_model_open(&o->m, spec, NULL, NULL), GPA_OK);
    assert_non_null(shared_file(path, sizeof path, "oracle/diabetes/test.csv"));
    assert_int_equal(gpa_table_read(&o->test, path, NULL, NULL), GPA_OK);
    size_t n = gpa_table_rows(o->test), d = gpa_table_columns(o->test) - 1;
    size_t columns[10];
    assert_int_equal(d, 10);
    for (size_t k = 0; k < d; k++)
        columns[k] = k;
    o->x = calloc(n * d, sizeof *o->x);
    o->f = calloc(n, sizeof *o->f);
    o->score = calloc(n, sizeof *o->score);
    assert_int_equal(gpa_table_matrix(o->test, columns, d, true, o->x, NULL), GPA_OK);
    o->y = gpa_table_numbers(o->test, d, NULL);
    o->all = (gpa_sample){.x = o->x, .y = o->y, .n = n, .d = d};
    assert_int_equal(gpa_predict_observed(o->m, &o->all, o->f, NULL), GPA_OK);
    o->all.f = o->f;
    for (size_t k = 0; k < d; k++) {
        o->h[k] = number(get(o->want, "h_gpa_seed2"), k);
        o->start[k] = number(get(o->want, "delta_init_seed1"), k);
    }
    return 0;
}

static int tear_down(void **state)
{
    struct oracle *o = *state;
    json_decref(o->want);
    gpa_model_free(o->m);
    gpa_table_free(o->test);
    free(o->x);
    free(o->f);
    free(o->score);
    free(o);
    return 0;
}

static struct oracle *needed(void **state)
{
    struct oracle *o = *state;
    if (o->want == NULL)
        skip();
    return o;
}

static void predictions_and_scores(void **state)
{
    struct oracle *o = needed(state);
    double sigma;
    assert_int_equal(gpa_residual_sigma(&o->all, &sigma, NULL), GPA_OK);
    assert_close(sigma, json_number_value(get(o->want, "sigma_yf")), 1e-10);
    assert_int_equal(gpa_score(&o->all, sigma, o->score, NULL, NULL), GPA_OK);
    for (size_t i = 0; i < o->all.n; i++) {
        assert_close(o->f[i], number(get(o->want, "predictions_test"), i), 1e-10);
        assert_close(o->score[i], number(get(o->want, "anomaly_scores_test"), i),
                     1e-10);
    }
    for (size_t place = 0; place < 10; place++) { /* the ten worst, in order */
        size_t worst = 0;
        for (size_t i = 1; i < o->all.n; i++)
            if (o->score[i] > o->score[worst])
                worst = i;
        assert_int_equal(worst, (size_t)number(get(o->want, "order_top10"), place));
        o->score[worst] = -HUGE_VAL;
    }
}

static gpa_explanation *explain(struct oracle *o, const json_t *outlier)
{
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.solver = GPA_SOLVER_PAPER;
    opt.marginals = GPA_MARGINALS_PAPER;
    opt.culprit = GPA_CULPRIT_OFF;
    opt.eta = 0.4;
    opt.nu = 0.5;
    opt.a0 = 5.5;
    opt.b0 = 1621.157872095138;
    opt.kappa = 0.08;
    opt.slope_list = o->h;
    opt.slope_list_length = 10;
    opt.delta_init = o->start;
    size_t row = (size_t)json_integer_value(get(outlier, "test_index"));
    opt.context = &o->all;
    opt.context_rows = &row;
    gpa_sample s = {
        .x = o->x + row * 10, .y = o->y + row, .f = o->f + row, .n = 1, .d = 10};
    gpa_explanation *e = NULL;
    gpa_error err;
    if (gpa_explain(&e, o->m, &s, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return e;
}

/* |delta - soft(delta - grad J, eta nu)| as the oracle measured it is at most the
 * violation of the optimality condition, and equal to it where no coordinate crosses 0.
 */
static void five_outliers(void **state)
{
    struct oracle *o = needed(state);
    size_t i;
    json_t *outlier;
    json_array_foreach(get(o->want, "outliers"), i, outlier)
    {
        gpa_explanation *e = explain(o, outlier);
        const gpa_summary *s = gpa_explanation_summary(e);
        const json_t *gpa = get(outlier, "GPA");
        for (size_t k = 0; k < 10; k++)
            assert_close(gpa_explanation_delta(e)[k], number(get(gpa, "delta"), k),
                         1e-9);
        assert_int_equal(s->iterations, json_integer_value(get(gpa, "itr")));
        assert_int_equal(s->rows_map, s->iterations * (1 + 10 * 10));
        assert_int_equal(s->rows_marginals, 1000);
        assert_close(
            s->objective,
            json_number_value(get(gpa, "objective_at_returned_delta/J_with_l1")), 1e-9);
        assert_close(s->objective_zero,
                     json_number_value(get(gpa, "objective_at_zero/J_with_l1")), 1e-9);
        double prox = json_number_value(get(gpa, "prox_residual_at_returned_delta"));
        assert_true(s->stationarity >= prox - 1e-8);
        if (i == 2 || i == 4) /* no coordinate crosses 0 there */
            assert_close(s->stationarity, prox, 1e-8);
        for (size_t k = 0; k < 10; k++) {
            const gpa_marginal *m = gpa_explanation_marginal(e, k);
            const json_t *mass = json_array_get(get(gpa, "prob_dist"), k);
            double total = 0;
            assert_int_equal(m->points, 100);
            for (size_t j = 0; j < 100; j++)
                total += m->density[j];
            for (size_t j = 0; j < 100; j++) {
                assert_close(m->grid[j], number(get(gpa, "score_grid"), j), 1e-9);
                assert_close(m->density[j] / total, number(mass, j), 1e-9);
            }
        }
        gpa_explanation_free(e);
    }
    assert_int_equal(i, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_and_scores),
        cmocka_unit_test(five_outliers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
