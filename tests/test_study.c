#include "study_support.h"

#include "base/alloc.h"
#include "study/options.h"
#include <gpa/gpa.h>
#include <math.h>
#include <stdlib.h>

static gpa_study *study_of(struct world *w, const char *command,
                           const char *const *options, size_t n)
{
    gpa_study *s = NULL;
    assert_int_equal(gpa_study_new(&s, command, NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "id", "id", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "features", "a,b", NULL), GPA_OK);
    for (size_t i = 0; i + 1 < n; i += 2)
        assert_int_equal(gpa_study_set(s, options[i], options[i + 1], NULL), GPA_OK);
    gpa_study_set_model(s, w->model);
    gpa_study_set_table(s, w->table);
    return s;
}

struct seen {
    size_t n, rows[ROWS];
    double delta[ROWS][DIM];
    gpa_status give;
};

static gpa_status see(void *ctx, size_t index, const gpa_explanation *e, gpa_error *err)
{
    struct seen *s = ctx;
    (void)err;
    assert_int_equal(index, s->n);
    s->rows[index] = gpa_explanation_row(e, 0);
    memcpy(s->delta[index], gpa_explanation_delta(e), sizeof s->delta[index]);
    s->n++;
    return s->give;
}

/* The study is the same as the pieces put together by hand. */
static void test_by_hand(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    static const char *const options[] = {"top", "2", "threads", "2", "seed", "3"};
    gpa_study *s = study_of(&w, "explain", options, 6);
    struct seen seen = {.n = 0};
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_rows(s), ROWS);
    assert_int_equal(gpa_study_dim(s), DIM);
    assert_string_equal(gpa_study_input(s, 0), "a");
    assert_null(gpa_study_input(s, DIM));
    assert_string_equal(gpa_study_target(s), "y");

    double f[ROWS], sigma, center[DIM], unit[DIM], score[ROWS];
    gpa_sample all = {.x = w.x, .y = w.y, .n = ROWS, .d = DIM};
    assert_int_equal(gpa_predict_observed(w.model, &all, f, NULL), GPA_OK);
    all.f = f;
    assert_int_equal(gpa_residual_sigma(&all, &sigma, NULL), GPA_OK);
    assert_int_equal(gpa_score(&all, sigma, score, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_scale_fit(w.x, ROWS, DIM, center, unit, NULL, NULL), GPA_OK);
    assert_true(gpa_study_sigma(s) == sigma);
    assert_memory_equal(gpa_study_x(s), w.x, sizeof w.x);
    assert_memory_equal(gpa_study_y(s), w.y, sizeof w.y);
    assert_memory_equal(gpa_study_f(s), f, sizeof f);
    assert_memory_equal(gpa_study_score(s), score, sizeof score);
    assert_memory_equal(gpa_study_center(s), center, sizeof center);
    assert_memory_equal(gpa_study_unit(s), unit, sizeof unit);

    assert_int_equal(gpa_study_explain(s, NULL, 0, false, see, &seen, NULL), GPA_OK);
    assert_int_equal(seen.n, 2);
    assert_int_equal(seen.rows[0], ODD); /* the worst first */
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.sigma = sigma;
    opt.unit = unit;
    opt.seed = 3;
    opt.context = &all;
    const size_t row = ODD;
    opt.context_rows = &row;
    const gpa_sample one = {
        .x = w.x + ODD * DIM, .y = w.y + ODD, .f = f + ODD, .n = 1, .d = DIM};
    gpa_explanation *e = NULL;
    assert_int_equal(gpa_explain(&e, w.model, &one, &opt, NULL), GPA_OK);
    assert_memory_equal(seen.delta[0], gpa_explanation_delta(e), sizeof seen.delta[0]);
    gpa_explanation_free(e);
    gpa_study_free(s);
    drop(&w);
}

static int count_progress(void *ctx, uint64_t done, uint64_t total)
{
    size_t *calls = ctx;
    assert_true(total == 0 || done <= total);
    return ++*calls > 2;
}

/* What the options choose, and rows that are asked for by number. */
static void test_rows(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        size_t n, first;
    } cases[] = {{"rows", "9,3-5,4", 4, 3},
                 {"top", "1", 1, ODD},
                 {"all", NULL, ROWS, 0},
                 {"threshold", "2", 1, ODD}};
    struct world w = {.asked = 0};
    make(&w, true);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_study *s = study_of(&w, "explain", NULL, 0);
        size_t n = 0;
        assert_int_equal(gpa_study_set(s, cases[i].name, cases[i].value, NULL), GPA_OK);
        assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
        const size_t *rows = gpa_study_chosen(s, &n);
        assert_int_equal(n, cases[i].n);
        assert_int_equal(rows[0], cases[i].first);
        gpa_study_free(s);
    }
    gpa_study *s = study_of(&w, "explain", NULL, 0);
    const size_t asked[] = {5, 2}, beyond[] = {ROWS};
    struct seen seen = {.n = 0}, together = {.n = 0}, none = {.n = 0};
    gpa_error err;
    assert_int_equal(gpa_study_explain(s, asked, 2, false, see, &none, &err),
                     GPA_INVALID); /* not open yet */
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_open(s, &err), GPA_INVALID); /* once */
    assert_int_equal(gpa_study_explain(s, asked, 2, false, see, &seen, NULL), GPA_OK);
    assert_int_equal(seen.n, 2);
    assert_int_equal(seen.rows[0], 5); /* in the order asked */
    assert_int_equal(gpa_study_explain(s, asked, 2, true, see, &together, NULL),
                     GPA_OK);
    assert_int_equal(together.n, 1);
    assert_int_equal(gpa_study_explain(s, beyond, 1, false, see, &none, &err),
                     GPA_INVALID);
    assert_string_equal(err.message, "study: there is no row 40, only 0 to 39");
    assert_int_equal(none.n, 0);
    size_t calls = 0;
    seen = (struct seen){.n = 0};
    gpa_study_set_progress(s, count_progress, &calls); /* ends at the third */
    assert_int_equal(gpa_study_explain(s, asked, 2, true, see, &seen, NULL),
                     GPA_STOPPED);
    assert_int_equal(seen.n, 0);
    gpa_study_set_progress(s, NULL, NULL);
    seen = (struct seen){.give = GPA_STOPPED};
    assert_int_equal(gpa_study_explain(s, asked, 2, false, see, &seen, NULL),
                     GPA_STOPPED);
    assert_int_equal(seen.n, 1);
    gpa_study_free(s);
    drop(&w);
}

/* Options are refused in the command's words, before anything is opened. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *command, *name, *value, *message;
    } cases[] = {
        {"explain", "topp", "1", "explain: unknown option 'topp'; did you mean 'top'?"},
        {"explain", "xylophone", "1", "explain: unknown option 'xylophone'"},
        {"score", "collective", NULL, "score: unknown option 'collective'"},
        {"explain", "top", "0",
         "--top: '0' is not a whole number from 1 up, below 2^64"},
        {"explain", "eta", "-1", "--eta: -1 is out of range, must be above 0"},
        {"explain", "solver", "slow",
         "--solver: 'slow' is none of fast|thorough|paper|paper-det"},
        {"explain", "all", "yes", "--all takes no argument"},
        {"explain", "sigma", NULL, "--sigma needs S"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_study *s = NULL;
        gpa_error err = {0};
        assert_int_equal(gpa_study_new(&s, cases[i].command, NULL), GPA_OK);
        assert_int_equal(gpa_study_set(s, cases[i].name, cases[i].value, &err),
                         GPA_INVALID);
        assert_string_equal(err.message, cases[i].message);
        gpa_study_free(s);
    }
    gpa_study *s = NULL;
    gpa_error err;
    assert_int_equal(gpa_study_new(&s, "cook", &err), GPA_INVALID);
    assert_null(s);
    assert_int_equal(gpa_study_new(&s, "explain", NULL), GPA_OK);
    assert_int_equal(gpa_study_set_numbers(s, "eta", (const double[]){1}, 1, &err),
                     GPA_INVALID);
    assert_int_equal(gpa_study_open(s, &err), GPA_INVALID); /* no model */
    assert_string_equal(err.message,
                        "explain: --model is missing, e.g. --model mlp:model.json");
    gpa_study_free(s);
    gpa_study_free(NULL);
}

/* The record of the options: those that shape the result, in the table's order, also
 * when they were set with underscores, in another order, and as numbers. */
static void test_record(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    gpa_study *s = study_of(&w, "explain", NULL, 0);
    assert_int_equal(gpa_study_set(s, "seed", "18446744073709551615", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "marginal_rows", "64", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "freeze", "a", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "freeze", "b", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "rows", "4,3,2,9", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "threads", "3", NULL), GPA_OK);
    assert_int_equal(
        gpa_study_set_numbers(s, "delta-init", (const double[]){0.1, -2}, 2, NULL),
        GPA_OK);
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_string_equal(gpa_study_info(s)->options_json,
                        "{\"command\":\"explain\",\"features\":\"a,b\",\"id\":\"id\","
                        "\"rows\":\"2-4,9\",\"freeze\":[\"a\",\"b\"],"
                        "\"marginal-rows\":64,\"delta-init\":[0.1,-2],"
                        "\"seed\":18446744073709551615}");
    gpa_study_free(s);
    drop(&w);
}

/* One new row, judged by observed rows that it is not among: noise and units are
 * theirs, and it is called by its number in the data. */
static void test_observed_reference(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    static const char csv[] = "id,b,a,y\nq,0,0,0.1\nn,0.5,0.5,-4\n";
    gpa_table *rows = NULL;
    gpa_table_options how;
    gpa_table_options_init(&how);
    how.text_column = "id";
    assert_int_equal(gpa_table_parse(&rows, csv, sizeof csv - 1, "new.csv", &how, NULL),
                     GPA_OK);
    static const char *const options[] = {"rows", "1"};
    gpa_study *s = study_of(&w, "explain", options, 2);
    gpa_study_set_table(s, rows);
    gpa_study_set_reference(s, w.table, true);
    struct seen seen = {.n = 0};
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    /* y - f over the reference, by its definition; the odd row, which holds nearly all
     * of its spread, is no part of the noise */
    double mean = 0, sum = 0, n = ROWS - 1;
    for (size_t i = 0; i < ROWS; i++)
        mean += i == ODD ? 0 : (w.y[i] - 3 * w.x[i * DIM] - w.x[i * DIM + 1]) / n;
    for (size_t i = 0; i < ROWS; i++)
        sum +=
            i == ODD ? 0 : pow(w.y[i] - 3 * w.x[i * DIM] - w.x[i * DIM + 1] - mean, 2);
    assert_true(fabs(gpa_study_sigma(s) - sqrt(sum / n)) < 1e-12);
    double center[DIM], unit[DIM];
    assert_int_equal(gpa_scale_fit(w.x, ROWS, DIM, center, unit, NULL, NULL), GPA_OK);
    assert_memory_equal(gpa_study_unit(s), unit, sizeof unit);
    assert_int_equal(gpa_study_explain(s, NULL, 0, false, see, &seen, NULL), GPA_OK);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.rows[0], 1);
    assert_true(seen.delta[0][0] < 0); /* f is 2, y is -4: a is too high */
    gpa_study_free(s);
    gpa_table_free(rows);
    drop(&w);
}

/* A function in place of a model: its inputs are found by the names it knows, or
 * counted; the rows are known before it is asked, and options can follow. */
static void test_function(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"}, *const other[] = {"a", "c"};
    struct world w = {.asked = 0};
    make(&w, true);
    gpa_study *s = NULL;
    gpa_error err;
    assert_int_equal(gpa_study_new(&s, "explain", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "model", "mine", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "batch", "5", NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "id", "id", NULL), GPA_OK);
    gpa_study_set_table(s, w.table);
    gpa_study_set_predict(s, linear, &w, DIM, names);
    assert_int_equal(gpa_study_open_rows(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_rows(s), ROWS);
    assert_string_equal(gpa_study_input(s, 0),
                        "a"); /* which comes second in the data */
    assert_int_equal(gpa_model_batch(gpa_study_model(s)), 5);
    assert_int_equal(w.asked, 0);
    assert_int_equal(gpa_study_open_rows(s, &err), GPA_INVALID); /* once */
    assert_int_equal(gpa_study_set(s, "rows", "7", NULL), GPA_OK);
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(w.asked, ROWS);
    assert_string_equal(gpa_study_info(s)->model_spec, "mine");
    assert_string_equal(gpa_study_info(s)->options_json,
                        "{\"command\":\"explain\",\"model\":\"mine\",\"id\":\"id\","
                        "\"rows\":\"7\"}");
    gpa_study_free(s);
    assert_int_equal(gpa_study_new(&s, "explain", NULL), GPA_OK);
    gpa_study_set_table(s, w.table);
    gpa_study_set_predict(s, linear, &w, DIM, other);
    assert_int_equal(gpa_study_open_rows(s, &err), GPA_INVALID); /* there is no c */
    assert_int_equal(gpa_study_open(s, &err), GPA_INVALID);
    gpa_study_free(s);
    s = study_of(&w, "explain", NULL, 0);
    gpa_study_set_model(s, NULL);
    gpa_study_set_predict(s, linear, &w, 0, NULL); /* as many as --features says */
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_dim(s), DIM);
    assert_string_equal(gpa_study_info(s)->model_spec, "callback");
    gpa_study_free(s);
    drop(&w);
}

/* One row of the caller's own needs no scores when its noise is given. */
static void test_one_row(void **state)
{
    (void)state;
    static const char csv[] = "a,b,y\n1,2,3\n";
    struct world w = {.asked = 0};
    gpa_table *row = NULL;
    gpa_study *s = NULL;
    gpa_error err;
    size_t n = 0;
    assert_int_equal(gpa_table_parse(&row, csv, sizeof csv - 1, "row.csv", NULL, NULL),
                     GPA_OK);
    for (int noise = 0; noise < 2; noise++) {
        assert_int_equal(gpa_study_new(&s, "explain", NULL), GPA_OK);
        gpa_study_set_table(s, row);
        gpa_study_set_predict(s, linear, &w, 0, NULL);
        if (noise)
            assert_int_equal(gpa_study_set(s, "b0", "1", NULL), GPA_OK);
        assert_int_equal(gpa_study_open(s, &err), noise ? GPA_OK : GPA_DATA);
        if (noise) {
            (void)gpa_study_chosen(s, &n);
            assert_int_equal(n, 1);
        }
        gpa_study_free(s);
    }
    gpa_table_free(row);
}

/* Explanations that the caller keeps are those that are shown, and outlive the study.
 */
static void test_kept(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    gpa_study *s = study_of(&w, "explain", NULL, 0);
    const size_t asked[] = {5, ODD, 2}, beyond[] = {1, ROWS};
    gpa_explanation *kept[3] = {NULL}, *one = NULL;
    struct seen seen = {.n = 0};
    size_t calls = 0;
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_explain(s, asked, 3, false, see, &seen, NULL), GPA_OK);
    assert_int_equal(gpa_study_explanations(s, beyond, 2, false, kept, NULL),
                     GPA_INVALID);
    gpa_study_set_progress(s, count_progress, &calls); /* ends at the third */
    assert_int_equal(gpa_study_explanations(s, asked, 3, false, kept, NULL),
                     GPA_STOPPED);
    assert_null(kept[0]);
    gpa_study_set_progress(s, NULL, NULL);
    assert_int_equal(gpa_study_explanations(s, asked, 3, false, kept, NULL), GPA_OK);
    assert_int_equal(gpa_study_explanations(s, asked, 3, true, &one, NULL), GPA_OK);
    gpa_study_free(s);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(gpa_explanation_row(kept[i], 0), asked[i]);
        assert_memory_equal(gpa_explanation_delta(kept[i]), seen.delta[i],
                            sizeof seen.delta[i]);
        assert_non_null(gpa_explanation_culprit(kept[i]));
        assert_non_null(gpa_explanation_marginal(kept[i], 0));
        gpa_explanation_free(kept[i]);
    }
    assert_int_equal(gpa_explanation_rows(one), 3);
    gpa_explanation_free(one);
    drop(&w);
}

/* The names of the options, command by command. */
static void test_names(void **state)
{
    (void)state;
    size_t n = 0, kept = 0;
    assert_string_equal(gpa_study_option("explain", 0), "model");
    for (const char *name; (name = gpa_study_option("compare", n)) != NULL; n++)
        kept += strcmp(name, "sv-draws") == 0;
    assert_true(n > 50 && kept == 1);
    assert_null(gpa_study_option("cook", 0));
    assert_null(gpa_study_option(NULL, 0));
}

static void test_compare(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    static const char *const options[] = {"methods", "lc,gpa", "flip", "off"};
    gpa_study *s = study_of(&w, "compare", options, 4);
    gpa_comparison *c = NULL;
    gpa_error err;
    size_t calls = 0;
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_compare(s, NULL, 0, &c, NULL), GPA_OK);
    assert_int_equal(gpa_comparison_rows(c), 1);
    assert_int_equal(gpa_comparison_row(c, 0), ODD);
    assert_string_equal(gpa_comparison_method(c, 0)->name, "lc");
    gpa_comparison_free(c);
    const size_t many[] = {1, 2, 3, 4};
    gpa_study_set_progress(s, count_progress, &calls);
    assert_int_equal(gpa_study_compare(s, many, 4, &c, &err), GPA_STOPPED);
    gpa_study_free(s);
    s = study_of(&w, "explain", NULL, 0);
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_int_equal(gpa_study_compare(s, NULL, 0, &c, &err), GPA_INVALID);
    gpa_study_free(s);
    drop(&w);
}

/* No name stands twice in one command's table; every choice lists its words. */
static void test_table(void **state)
{
    (void)state;
    for (int i = 0; i < OPTIONS; i++) {
        const gpai_option *a = &GPAI_OPTIONS[i];
        assert_non_null(a->help);
        assert_true(a->name == NULL ||
                    (a->kind == OPTION_FLAG) == (a->argument == NULL));
        for (int j = 0; j < i; j++) {
            const gpai_option *b = &GPAI_OPTIONS[j];
            assert_true(a->name == NULL || b->name == NULL ||
                        (a->commands & b->commands) == 0 ||
                        strcmp(a->name, b->name) != 0);
        }
    }
}

/* What was refused leaves no trace; what could not be opened does not answer; what is
 * resolved stays. */
static void test_mistakes(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    static const double one[] = {1, 2, 3, 4};
    gpa_study *s = study_of(&w, "explain", NULL, 0);
    struct seen seen = {.n = 0};
    gpa_comparison *c = NULL;
    gpa_error err;
    assert_int_equal(gpa_study_set(s, "solver", "zzz", &err), GPA_INVALID);
    assert_int_equal(gpa_study_set(s, "top", "0", &err), GPA_INVALID);
    assert_int_equal(gpa_study_set(s, "sigma", "-1", &err), GPA_INVALID);
    assert_int_equal(gpa_study_set_file(s, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_study_set_numbers(s, "scale", one, 4, NULL), GPA_OK);
    assert_int_equal(gpa_study_set(s, "scale", "none", NULL),
                     GPA_OK); /* the last counts */
    assert_int_equal(gpa_study_open(s, NULL), GPA_OK);
    assert_string_equal(gpa_study_info(s)->options_json,
                        "{\"command\":\"explain\",\"features\":\"a,b\",\"id\":\"id\","
                        "\"scale\":\"none\"}");
    assert_true(gpa_study_unit(s)[0] == 1 && gpa_study_center(s)[0] == 0);
    gpa_study_set_table(s, NULL);
    assert_int_equal(gpa_study_explain(s, NULL, 0, false, see, &seen, NULL), GPA_OK);
    assert_int_equal(seen.n, 1);
    gpa_study_free(s);

    s = study_of(&w, "explain", NULL, 0);
    assert_int_equal(gpa_study_set_numbers(s, "delta-init", one, 1, NULL), GPA_OK);
    assert_int_equal(gpa_study_open(s, &err), GPA_INVALID);
    assert_int_equal(gpa_study_explain(s, NULL, 0, false, see, &seen, &err),
                     GPA_INVALID);
    gpa_study_free(s);

    s = study_of(&w, "compare", NULL, 0);
    gpa_study_set_reference(s, w.table, false);
    assert_int_equal(gpa_study_set_numbers(s, "sv-draws", one, 4, NULL), GPA_OK);
    assert_int_equal(gpa_study_open(s, &err), GPA_INVALID); /* not lines of 3 */
    assert_int_equal(gpa_study_compare(s, NULL, 0, &c, &err), GPA_INVALID);
    gpa_study_free(s);
    drop(&w);
}

/* Every allocation fails in turn; nothing is lost. */
static void test_memory(void **state)
{
    (void)state;
    struct world w = {.asked = 0};
    make(&w, true);
    gpa_status st = GPA_NOMEM;
    for (size_t k = 1; st == GPA_NOMEM; k++) {
        gpa_study *s = NULL;
        struct seen seen = {.n = 0};
        gpa_explanation *e = NULL;
        gpai_alloc_fail_at(k, false);
        st = gpa_study_new(&s, "explain", NULL);
        if (st == GPA_OK)
            st = gpa_study_set(s, "features", "a,b", NULL);
        if (st == GPA_OK)
            st = gpa_study_set(s, "rows", "7", NULL);
        if (st == GPA_OK)
            st =
                gpa_study_set_numbers(s, "delta-init", (const double[]){0, 0}, 2, NULL);
        if (st == GPA_OK) {
            gpa_study_set_model(s, w.model);
            gpa_study_set_table(s, w.table);
            st = gpa_study_open(s, NULL);
        }
        if (st == GPA_OK)
            st = gpa_study_explain(s, NULL, 0, true, see, &seen, NULL);
        if (st == GPA_OK)
            st = gpa_study_explanations(s, (const size_t[]){7}, 1, false, &e, NULL);
        gpai_alloc_fail_at(0, false);
        gpa_explanation_free(e);
        gpa_study_free(s);
    }
    assert_int_equal(st, GPA_OK);
    drop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_observed_reference),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
