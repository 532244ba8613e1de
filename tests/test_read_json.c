/* Results read back from JSON and pages: the very numbers come back, and a file that is
 * wrong in any way is a status and a line, never more. */
#include "support.h"

#include "base/alloc.h"
#include "report/saved/verify.h"
#include "result/comparison.h"
#include "result/explanation.h"
#include <gpa/plot.h>
#include <gpa/report.h>
#include <gpa/saved.h>

/* Written by hand, not by the library: one row, two inputs, everything there. */
static const char DOCUMENT[] =
    "{\"format\":\"gpa-explanation/1\",\"version\":\"0.0.9\",\n"
    " \"options\":{\"command\":\"explain\",\"file\":\"a b.csv\","
    "\"model\":\"linear:m.json\",\"id\":\"name\",\"rows\":\"7\",\"freeze\":[\"a\",\"b"
    "\\u00e4\"],\"collective\":true,\"sigma\":0.5,\"seed\":18446744073709551615},\n"
    " \"input_digest\":\"sha256:aa\",\"model_probe_digest\":null,"
    "\"model_probe_digest_reason\":\"not known\",\n"
    " \"model\":{\"spec\":\"linear:m.json\",\"inputs\":2},\"features\":[\"a\",\"<b>\"],"
    "\n"
    " \"scale\":{\"center\":[1,2],\"unit\":[0.5,4]},\n"
    " \"solver\":\"fast\",\"marginals\":\"exact\",\"seed\":18446744073709551615,\n"
    " \"target\":\"out\",\n"
    " \"background\":{\"total\":9,\"kept\":\"3 of 9 rows\",\"rows\":[0,7,8],"
    "\"ids\":[\"zero\",\"pump 7\",\"last\"],"
    "\"x\":[[1,2],[1.5,null],[0,0]],\"y\":[3,10,4],\"f\":[3.5,2,4],"
    "\"score\":[0.1,30,null]},\n"
    " \"explanations\":[\n"
    "{\"rows\":[7],\"ids\":[\"pump 7\"],\"x\":[[1.5,null]],\"y\":[10],\"f\":[2],"
    "\"score\":[30],\n"
    " \"prior\":{\"eta\":0.1,\"nu\":0.5,\"a0\":5.5,\"b0\":[4],\"sigma\":0.5,\"cb\":10,"
    "\"kappa\":null,\"noise\":\"local\"},\n"
    " \"delta\":[1.25,0],\n \"delta_raw\":[0.625,0],\n \"f_moved\":[9.5],"
    "\"objective\":0.594,\"objective_zero\":7,\"stationarity\":0.003,\n"
    " \"converged\":true,\"budget_hit\":false,\"iterations\":7,\"model_rows\":30,"
    "\"model_calls\":3,\"rows_by_stage\":{\"map\":9,\"check\":1,\"marginals\":16,"
    "\"culprit\":4},\"nonfinite_rows\":2,\n"
    " \"verdict\":{\"kind\":\"input\",\"text\":\"whatever\"},\n"
    " \"culprit\":{\"probability\":[0.75,0.25],\"single\":[0.9,0.1],"
    "\"responsible\":[0.6,0.2],\"output\":0.2,\"set90\":[\"a\"],"
    "\"alone\":[{\"median\":1.5,\"interval90\":[1,2]},"
    "{\"median\":null,\"interval90\":[null,null]}],"
    "\"likeliest\":{\"inputs\":[\"<b>\",\"a\"],\"exchanged\":true,"
    "\"probability\":0.4},"
    "\"plausible\":\"data\",\"plausible_rows\":8},\n"
    " \"ess\":1400.5,\"surrogate_error\":null,\n"
    " \"marginals\":[{\"feature\":\"a\",\"map\":1.25,\"mean\":1,\"sd\":0.5,"
    "\"interval50\":[0.5,1.5],\"interval90\":[0,2],\"p_positive\":0.95,"
    "\"information\":0.7,\"grid\":[0,1,2],\"density\":[0,1,0]},"
    "{\"feature\":\"<b>\",\"map\":0,\"mean\":0,\"sd\":0.5,"
    "\"interval50\":[-0.5,0.5],\"interval90\":[-1,1],\"p_positive\":0.5,"
    "\"information\":0,\"grid\":[-1,1],\"density\":[0.5,0.5]}],\n"
    " \"notes\":[\"one\",\"two\"],\n"
    " \"profiles\":[{\"feature\":\"<b>\",\"change\":[-1,0,1],\"f\":[[1,2,null]]}]}]}\n";

static gpa_status parse(gpa_saved **s, const char *text, gpa_error *err)
{
    return gpa_saved_parse(s, text, strlen(text), "r.json", err);
}

static gpa_saved *parsed(const char *text)
{
    gpa_saved *s = NULL;
    gpa_error err = {0};
    if (parse(&s, text, &err) != GPA_OK)
        print_error("%s\n", err.message);
    assert_non_null(s);
    return s;
}

static gpa_explanation *first(const gpa_saved *s)
{
    gpa_explanation *e = NULL;
    gpa_error err = {0};
    if (gpa_saved_explanation(&e, s, 0, &err) != GPA_OK)
        print_error("%s\n", err.message);
    assert_non_null(e);
    return e;
}

static void the_head_is_there(void **state)
{
    (void)state;
    gpa_saved *s = parsed(DOCUMENT);
    const gpa_report_info *info = gpa_saved_info(s);
    assert_int_equal(gpa_saved_type(s), GPA_SAVED_EXPLANATIONS);
    assert_int_equal(gpa_saved_count(s), 1);
    assert_string_equal(info->version, "0.0.9");
    assert_string_equal(info->model_spec, "linear:m.json");
    assert_string_equal(info->input_digest, "sha256:aa");
    assert_null(info->model_digest);
    assert_string_equal(info->target, "out");
    assert_string_equal(info->features[1], "<b>");
    assert_true(info->seed == UINT64_MAX);
    assert_true(info->full);
    assert_true(info->center[0] == 1 && info->center[1] == 2);
    assert_int_equal(info->n_ids, 3 + 1);
    assert_int_equal(info->n_marked, 1);
    assert_int_equal(info->marked[0], 7);
    const gpa_background *b = info->background;
    assert_int_equal(b->n, 3);
    assert_int_equal(b->total, 9);
    assert_int_equal(b->rows[1], 7);
    assert_true(b->x[2] == 1.5 && isnan(b->x[3]) && b->y[1] == 10 && b->f[0] == 3.5);
    assert_true(b->score[1] == 30 && isnan(b->score[2]));
    size_t size = 0;
    assert_memory_equal(gpai_saved_bytes(s, &size), DOCUMENT, sizeof DOCUMENT - 1);
    assert_int_equal(size, sizeof DOCUMENT - 1);
    gpa_saved_free(s);
}

static void the_words_are_the_command(void **state)
{
    (void)state;
    static const char *const want[] = {"explain",
                                       "--model",
                                       "linear:m.json",
                                       "--id",
                                       "name",
                                       "--rows",
                                       "7",
                                       "--freeze",
                                       "a",
                                       "--freeze",
                                       "bä",
                                       "--collective",
                                       "--sigma",
                                       "0.5",
                                       "--seed",
                                       "18446744073709551615",
                                       "--",
                                       "a b.csv"};
    gpa_saved *s = parsed(DOCUMENT);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_non_null(gpai_saved_word(s, i));
        assert_string_equal(gpai_saved_word(s, i), want[i]);
    }
    assert_null(gpai_saved_word(s, sizeof want / sizeof want[0]));
    gpa_saved_free(s);
}

static void the_numbers_are_there(void **state)
{
    (void)state;
    gpa_saved *s = parsed(DOCUMENT);
    gpa_explanation *e = first(s);
    const gpa_summary *m = gpa_explanation_summary(e);
    assert_int_equal(gpa_explanation_rows(e), 1);
    assert_int_equal(gpa_explanation_dim(e), 2);
    assert_int_equal(gpa_explanation_row(e, 0), 7);
    assert_true(gpa_explanation_x(e)[0] == 1.5 && isnan(gpa_explanation_x(e)[1]));
    assert_true(gpa_explanation_y(e)[0] == 10 && gpa_explanation_f(e)[0] == 2);
    assert_true(gpa_explanation_score(e)[0] == 30);
    assert_true(gpa_explanation_f_moved(e)[0] == 9.5);
    assert_true(gpa_explanation_b(e)[0] == 4);
    assert_true(gpa_explanation_unit(e)[1] == 4);
    assert_true(gpa_explanation_delta(e)[0] == 1.25);
    assert_true(gpa_explanation_delta_raw(e)[0] == 0.625);
    assert_int_equal(m->solver, GPA_SOLVER_FAST);
    assert_int_equal(m->marginals, GPA_MARGINALS_EXACT);
    assert_int_equal(m->noise, GPA_NOISE_LOCAL);
    assert_true(m->eta == 0.1 && m->nu == 0.5 && m->a0 == 5.5 && m->cb == 10);
    assert_true(m->sigma == 0.5 && isnan(m->kappa) && m->objective == 0.594);
    assert_true(m->objective_zero == 7 && m->stationarity == 0.003 && m->converged);
    assert_true(!m->budget_hit && m->iterations == 7 && m->model_rows == 30);
    assert_true(m->model_calls == 3 && m->rows_map == 9 && m->rows_check == 1);
    assert_true(m->rows_marginals == 16 && m->rows_culprit == 4);
    assert_true(m->nonfinite_rows == 2 && m->ess == 1400.5);
    assert_true(isnan(m->surrogate_error));
    assert_string_equal(gpa_explanation_note(e, 1), "two");
    assert_null(gpa_explanation_note(e, 2));
    gpa_explanation_free(e);
    gpa_saved_free(s);
}

static void the_curves_are_there(void **state)
{
    (void)state;
    gpa_saved *s = parsed(DOCUMENT);
    gpa_explanation *e = first(s);
    const gpa_culprit *c = gpa_explanation_culprit(e);
    assert_non_null(c);
    assert_int_equal(c->verdict, GPA_VERDICT_INPUT);
    assert_true(c->probability[0] == 0.75 && c->single[1] == 0.1 && c->output == 0.2);
    assert_true(c->median[0] == 1.5 && c->low[0] == 1 && c->high[0] == 2);
    assert_true(isnan(c->median[1]) && isnan(c->low[1]));
    assert_true(c->n_set90 == 1 && c->set90[0] == 0 && c->first == 0);
    assert_true(c->n_likeliest == 2 && c->likeliest[0] == 1 && c->likeliest[1] == 0);
    assert_true(c->exchanged && c->p_likeliest == 0.4);
    assert_null(c->evidence[0]); /* is for reading, not for reports */
    assert_int_equal(c->plausible, GPA_PLAUSIBLE_DATA);
    assert_int_equal(c->plausible_rows, 8);
    const gpa_marginal *a = gpa_explanation_marginal(e, 0);
    const gpa_marginal *b = gpa_explanation_marginal(e, 1);
    assert_true(a->map == 1.25 && a->mean == 1 && a->sd == 0.5 && a->points == 3);
    assert_true(a->interval50[0] == 0.5 && a->interval90[1] == 2);
    assert_true(a->p_positive == 0.95 && a->information == 0.7);
    assert_true(a->grid[2] == 2 && a->density[1] == 1);
    assert_true(b->points == 2 && b->grid[0] == -1 && b->density[1] == 0.5);
    assert_null(gpa_explanation_axis(e, 0));
    const gpa_axis *axis = gpa_explanation_axis(e, 1);
    assert_true(axis->points == 3 && axis->change[0] == -1 && axis->f[1] == 2);
    assert_true(isnan(axis->f[2]));
    gpa_explanation_free(e);
    gpa_saved_free(s);
}

/* Every report and picture of a result; its text goes to `t`. */
static gpa_status show_all(const gpa_saved *s, gpa_text *t, gpa_error *err)
{
    const gpa_report_info *info = gpa_saved_info(s);
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < gpa_saved_count(s) && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = gpa_saved_explanation(&e, s, i, err);
        for (int f = GPA_FORMAT_TABLE; f <= GPA_FORMAT_HTML && st == GPA_OK; f++) {
            st = gpa_report_begin(t, (gpa_format)f, info, e, err);
            if (st == GPA_OK)
                st = gpa_report_explanation(t, (gpa_format)f, info, e, i, err);
            if (st == GPA_OK)
                st = gpa_report_end(t, (gpa_format)f, info, err);
        }
        if (st == GPA_OK)
            st = gpa_plot_explanation(t, info, e, err);
        if (st == GPA_OK)
            st = gpa_plot_explanation_forest(t, info, e, err);
        if (st == GPA_OK)
            st = gpa_plot_explanation_scatter(t, info, e, err);
        if (st == GPA_OK)
            st = gpa_plot_explanation_profiles(t, info, e, err);
        gpa_explanation_free(e);
    }
    return st == GPA_OK ? gpa_plot_background_scores(t, info, err) : st;
}

static gpa_text *new_text(void)
{
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    return t;
}

static gpa_text *json_of(const gpa_saved *s)
{
    gpa_text *t = new_text();
    const gpa_report_info *info = gpa_saved_info(s);
    for (size_t i = 0; i < gpa_saved_count(s); i++) {
        gpa_explanation *e = NULL;
        assert_int_equal(gpa_saved_explanation(&e, s, i, NULL), GPA_OK);
        if (i == 0)
            assert_int_equal(gpa_report_begin(t, GPA_FORMAT_JSON, info, e, NULL),
                             GPA_OK);
        assert_int_equal(gpa_report_explanation(t, GPA_FORMAT_JSON, info, e, i, NULL),
                         GPA_OK);
        gpa_explanation_free(e);
    }
    assert_int_equal(gpa_report_end(t, GPA_FORMAT_JSON, info, NULL), GPA_OK);
    return t;
}

/* Pictures are of the very numbers, with rows by their numbers and names. */
static void pictures_show_them(void **state)
{
    (void)state;
    static const struct {
        gpa_status (*draw)(gpa_text *, const gpa_report_info *, const gpa_explanation *,
                           gpa_error *);
        const char *says[3];
    } cases[] = {
        {gpa_plot_explanation_forest, {">+1.25 [0, +2]<", ">&#60;b&#62;<", "culprit"}},
        {gpa_plot_explanation_scatter, {"row 7: a 1.5, change +0.625", ">out<", ">a<"}},
        {gpa_plot_explanation_profiles, {"&#60;b&#62;", "observed 10", ">noise<"}},
    };
    gpa_saved *s = parsed(DOCUMENT);
    gpa_explanation *e = first(s);
    gpa_text *t = new_text();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_text_clear(t);
        assert_int_equal(cases[i].draw(t, gpa_saved_info(s), e, NULL), GPA_OK);
        for (size_t j = 0; j < 3; j++)
            if (strstr(gpa_text_data(t), cases[i].says[j]) == NULL) {
                print_error("no %s in %s\n", cases[i].says[j], gpa_text_data(t));
                fail();
            }
        assert_int_equal(cases[i].draw(NULL, gpa_saved_info(s), e, NULL), GPA_INVALID);
        assert_int_equal(cases[i].draw(t, gpa_saved_info(s), NULL, NULL), GPA_INVALID);
    }
    gpa_text_clear(t);
    assert_int_equal(gpa_plot_background_scores(t, gpa_saved_info(s), NULL), GPA_OK);
    assert_non_null(strstr(gpa_text_data(t), "pump 7, row 7: 30"));
    gpa_text_clear(t);
    assert_int_equal(gpa_plot_background_scores(t, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_text_length(t), 0); /* nothing is known */
    gpa_text_free(t);
    gpa_explanation_free(e);
    gpa_saved_free(s);
}

/* What the library writes it reads back and writes again as the same bytes. */
static void written_again_it_is_the_same(void **state)
{
    (void)state;
    gpa_saved *s = parsed(DOCUMENT);
    gpa_text *once = json_of(s);
    gpa_saved *again = parsed(gpa_text_data(once));
    gpa_text *twice = json_of(again);
    assert_string_equal(gpa_text_data(once), gpa_text_data(twice));
    assert_non_null(strstr(gpa_text_data(once), "\"seed\":18446744073709551615"));
    assert_non_null(strstr(gpa_text_data(once), "\"version\":\"0.0.9\""));
    assert_non_null(strstr(gpa_text_data(once), "\"ids\":[\"pump 7\"]"));
    gpa_text_free(twice);
    gpa_saved_free(again);
    gpa_text_free(once);
    gpa_saved_free(s);
}

/* A text with one piece replaced; the piece must be there. */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    size_t size = strlen(text) + strlen(new) + 1;
    char *copy = calloc(size, 1);
    assert_non_null(copy);
    snprintf(copy, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return copy;
}

static char *with(const char *old, const char *new)
{
    return replaced(DOCUMENT, old, new);
}

/* Reads everything there is in a text; the first status that is not success. */
static gpa_status read_all(const char *text, size_t size, gpa_error *err)
{
    gpa_saved *s = NULL;
    gpa_status st = gpa_saved_parse(&s, text, size, "r.json", err);
    gpa_text *t = new_text();
    if (st == GPA_OK && gpa_saved_type(s) == GPA_SAVED_EXPLANATIONS)
        st = show_all(s, t, err);
    gpa_text_free(t);
    gpa_saved_free(s);
    return st;
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
    } cases[] = {
        {"gpa-explanation/1", "gpa-methods/1", "its format is 'gpa-methods/1'"},
        {"\"format\":\"gpa-explanation/1\",", "", "format: missing"},
        {"[\"a\",\"<b>\"]", "[\"a\",2]", "features: entry 2 is not a text"},
        {"[\"a\",\"<b>\"]", "[]", "features: empty"},
        {"[\"a\",\"<b>\"]", "[\"a\"]", "center: 2 entries, expected 1"},
        {"\"unit\":[0.5,4]", "\"unit\":[0.5,0]", "unit: entry 2 is not above 0"},
        {"\"unit\":[0.5,4]", "\"unit\":null", "unit: null"},
        {"\"solver\":\"fast\"", "\"solver\":\"quick\"", "solver: 'quick' is not known"},
        {"\"explanations\"", "\"explanation\"", "explanations: missing"},
        {"\"rows\":[7],\"ids\"", "\"rows\":[],\"ids\"", "not two lists alike"},
        {"\"rows\":[7],\"ids\"", "\"rows\":[-7],\"ids\"", "not a whole number"},
        {"[\"pump 7\"],\"x\"", "[7],\"x\"", "its id not a text"},
        {"\"x\":[[1.5,null]]", "\"x\":[[1.5]]", "x: row 1 has 1 inputs, expected 2"},
        {"\"x\":[[1.5,null]]", "\"x\":[]", "x: row 1 has 0 inputs, expected 2"},
        {"\"y\":[10],\"f\":[2],", "\"y\":[\"10\"],\"f\":[2],", "y: entry 1 is not"},
        {"\"y\":[10],\"f\":[2],", "\"f\":[2],", "y: missing"},
        {"\"delta\":[1.25,0]", "\"delta\":[1.25,null]", "delta: entry 2 is not"},
        {"\"delta\":[1.25,0]", "\"delta\":[1.25,0,0]", "delta: 3 entries, expected 2"},
        {"\"delta\":[1.25,0]", "\"delta\":7", "delta: not a list"},
        {"\"delta\":[1.25,0]", "\"delta\":[1.25,NaN]", "NaN"},
        {"\"delta\":[1.25,0]", "\"delta\":[1.25,1e999]", "1e999"},
        {"\"converged\":true", "\"converged\":1", "converged: neither true nor false"},
        {"\"iterations\":7", "\"iterations\":7.5", "iterations: not a whole number"},
        {"\"iterations\":7", "\"iterations\":-1", "iterations: not a whole number"},
        {"\"rows_by_stage\":{", "\"other\":{", "rows_by_stage: missing"},
        {"\"noise\":\"local\"", "\"noise\":\"loud\"", "noise: 'loud' is not known"},
        {"\"kind\":\"input\"", "\"kind\":\"guilty\"", "verdict: 'guilty' is not known"},
        {"\"verdict\":{", "\"verdict\":null,\"v\":{", "culprits, too, or neither"},
        {"[0.75,0.25]", "[0.75,1.25]", "probability: entry 2 is no probability"},
        {"[0.75,0.25]", "[0.75]", "probability: 1 entries, expected 2"},
        {"\"output\":0.2", "\"output\":-0.2", "output: not a probability"},
        {"\"set90\":[\"a\"]", "\"set90\":[\"c\"]", "set90: entry 1 is no input"},
        {"\"set90\":[\"a\"]", "\"set90\":[\"a\",\"a\"]", "set90: entry 2 is no input"},
        {"\"set90\":[\"a\"]", "\"set90\":[1,2,3]",
         "set90: 3 inputs, more than there can be"},
        {"[\"<b>\",\"a\"]", "[\"a\",\"<b>\",\"a\",\"a\"]",
         "inputs: 4 inputs, more than there can be"},
        {"[\"<b>\",\"a\"]", "[\"<b>\",\"c\"]", "inputs: entry 2 is no input"},
        {"\"exchanged\":true", "\"exchanged\":1", "exchanged: "},
        {"\"probability\":0.4}", "\"probability\":1.5}", "probability: "},
        {"\"grid\":[0,1,2]", "\"grid\":[0,1]", "grid and density do not match"},
        {"\"grid\":[0,1,2]", "\"grid\":[0,2,1]", "grid: entry 3 is below"},
        {"\"grid\":[-1,1],\"density\":[0.5,0.5]", "\"grid\":[],\"density\":[]",
         "a distribution without points"},
        {"\"interval90\":[0,2]", "\"interval90\":[0]", "interval90: 1 entries"},
        {"\"notes\":[\"one\",\"two\"]", "\"notes\":[1]",
         "notes: entry 1 is not a text"},
        {"\"f\":[[1,2,null]]", "\"f\":[[1,2]]", "change and f do not match"},
        {"\"f\":[[1,2,null]]", "\"f\":[[1,2,\"x\"]]", "f: entry 3 is not a number"},
        {"{\"feature\":\"<b>\",\"change\"", "{\"feature\":\"q\",\"change\"",
         "an input that is not there"},
        {"\"rows\":[0,7,8],\"ids\":[\"zero\",\"pump 7\",\"last\"]", "\"rows\":[0,8,7]",
         "rows are not ascending"},
        {"\"rows\":[0,7,8]", "\"rows\":[0,7,9]", "rows are not ascending below 9"},
        {"\"ids\":[\"zero\",\"pump 7\",\"last\"]", "\"ids\":[\"zero\"]",
         "background: rows and ids do not match"},
        {"\"total\":9", "\"total\":2", "3 rows of 2"},
        {"[0,0]],\"y\":[3,10,4]", "[0]],\"y\":[3,10,4]", "row 3 of x is too short"},
        {"\"y\":[3,10,4]", "\"y\":[3,10]", "y: 2 entries, expected 3"},
        {"\"seed\":18446744073709551615,\n", "\"seed\":18446744073709551616,\n",
         "seed: not a whole number below 2^64"},
        {"\"seed\":18446744073709551615,\n", "\"seed\":-1,\n", "seed: not a whole"},
        {"\"solver\":\"fast\"", "\"seed\":1,\"solver\":\"fast\"", "the same key twice"},
        {"\"target\"", "\"rows\":[],\"target\"", "two lists of results"},
        {"\"target\"", "\"\\u0072ows\":[],\"target\"", "two lists of results"},
        {"\"collective\":true", "\"collective\":false", "no option of a command"},
        {"\"collective\":true", "\"out put\":\"x\"", "no option of a command"},
        {"\"freeze\":[\"a\",", "\"freeze\":[7,", "no option of a command"},
        {"\"explanations\":[\n{", "\"explanations\":[\n[{", "unexpected"},
        {"\"explanations\":[\n{", "\"explanations\":[\n7,{", "unexpected: 7"},
        {"]}]}\n", "]}]} x", "unexpected: x"},
        {"]}]}\n", "]}}]\n", "unexpected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = with(cases[i].old, cases[i].new);
        gpa_error err = {0};
        gpa_status st = read_all(text, strlen(text), &err);
        if ((st != GPA_DATA && st != GPA_UNSUPPORTED) ||
            strstr(err.message, cases[i].says) == NULL ||
            strncmp(err.message, "r.json", 6) != 0 ||
            strchr(err.message, '\n') != NULL) {
            print_error("%s -> %s: status %d, %s\n", cases[i].old, cases[i].new, st,
                        err.message);
            fail();
        }
        free(text);
    }
}

/* A program may give numbers where the command takes a file; the result can be read. */
static void numbers_in_place_of_a_file(void **state)
{
    (void)state;
    char *text = with("\"sigma\":0.5", "\"sigma\":0.5,\"delta-init\":[0.5,-2e-3]");
    gpa_saved *s = parsed(text);
    size_t i = 0;
    while (gpai_saved_word(s, i) != NULL &&
           strcmp(gpai_saved_word(s, i), "--delta-init") != 0)
        i++;
    assert_non_null(gpai_saved_word(s, i));
    assert_string_equal(gpai_saved_word(s, i + 1), "[0.5,-2e-3]");
    gpa_saved_free(s);
    free(text);
}

static void what_is_no_result_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "[]",
        "null",
        "{}",
        "<html>",
        "<",
        "\"",
        "{\"format\":7}",
        "{\"format\":\"gpa-explanation/1\"}",
        "\xff\xfe",
        "{\"a\":{\"b\":[1,2}}",
        "<pre id=\"gpa-receipt\">",
        "<pre id=\"gpa-receipt\"></pre>",
        "<pre id=\"gpa-receipt\">{\"format\":\"x\"}</pre>",
        "<pre id=\"gpa-receipt\">{&#34;format&#34;:&#34;gpa-receipt/2&#34;}</pre>"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        gpa_saved *s = NULL;
        gpa_error err = {0};
        assert_int_equal(parse(&s, texts[i], &err), GPA_DATA);
        assert_null(s);
        assert_true(err.message[0] != '\0');
    }
    gpa_saved *s = NULL;
    assert_int_equal(gpa_saved_read(&s, "/no/such/file", NULL), GPA_IO);
    assert_int_equal(gpa_saved_read(&s, NULL, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_parse(NULL, "", 0, NULL, NULL), GPA_INVALID);
    static const char zero[] = "<p>\0</p>";
    assert_int_equal(gpa_saved_parse(&s, zero, sizeof zero - 1, "z", NULL), GPA_DATA);
}

/* Deep nesting and long lists end in a status, soon. */
static void hostile_sizes_are_bounded(void **state)
{
    (void)state;
    enum { N = 200000 };
    char *text = calloc(8 * N + 200, 1), *to = text;
    assert_non_null(text);
    gpa_error err = {0};
    memset(to, '[', N);
    assert_int_equal(read_all(text, N, &err), GPA_DATA);
    to += sprintf(to, "{\"format\":");
    memset(to, '[', N);
    assert_int_equal(read_all(text, strlen(text), &err), GPA_DATA);
    assert_non_null(strstr(err.message, "nested too deep"));
    to = text;
    to += sprintf(to, "{\"options\":{\"command\":\"x\",\"freeze\":[\"a\"");
    for (size_t i = 0; i < N; i++)
        to += sprintf(to, ",\"a\"");
    to += sprintf(to, "]},\"explanations\":[],\"format\":\"gpa-explanation/1\","
                      "\"features\":[],\"scale\":{}}");
    assert_int_equal(read_all(text, (size_t)(to - text), &err), GPA_DATA);
    assert_non_null(strstr(err.message, "more than 10000 words"));
    free(text);
}

/* Names back to inputs, also where two inputs have the same name. */
static void sets_name_inputs(void **state)
{
    (void)state;
    char *both = with("\"set90\":[\"a\"]", "\"set90\":[\"<b>\",\"a\"]");
    char *alike = with("\"set90\":[\"a\"]", "\"set90\":[\"a\",\"a\"]");
    char *twins = replaced(alike, "[\"<b>\",\"a\"]", "[\"a\",\"a\"]");
    char *named = replaced(twins, "[\"a\",\"<b>\"]", "[\"a\",\"a\"]");
    char *whole = replaced(named, "\"feature\":\"<b>\",\"change\"",
                           "\"feature\":\"a\",\"change\"");
    const char *const texts[] = {both, whole};
    static const size_t want[][2] = {{1, 0}, {0, 1}};
    for (size_t i = 0; i < 2; i++) {
        gpa_saved *s = parsed(texts[i]);
        gpa_explanation *e = first(s);
        const gpa_culprit *c = gpa_explanation_culprit(e);
        assert_int_equal(c->n_set90, 2);
        assert_int_equal(c->set90[0], want[i][0]);
        assert_int_equal(c->set90[1], want[i][1]);
        assert_int_equal(c->likeliest[0], want[i][0]);
        assert_int_equal(c->likeliest[1], want[i][1]);
        gpa_explanation_free(e);
        gpa_saved_free(s);
    }
    free(whole);
    free(named);
    free(twins);
    free(alike);
    free(both);
}

/* What may not move has a distribution without points: all of it at 0. */
static void held_inputs_have_no_points(void **state)
{
    (void)state;
    char *text = with("\"map\":0,\"mean\":0,\"sd\":0.5,\"interval50\":[-0.5,0.5],"
                      "\"interval90\":[-1,1],\"p_positive\":0.5,\"information\":0,"
                      "\"grid\":[-1,1],\"density\":[0.5,0.5]",
                      "\"map\":0,\"mean\":0,\"sd\":0,\"interval50\":[0,0],"
                      "\"interval90\":[0,0],\"p_positive\":0,\"information\":null,"
                      "\"grid\":[],\"density\":[]");
    assert_int_equal(read_all(text, strlen(text), NULL), GPA_OK);
    gpa_saved *s = parsed(text);
    gpa_explanation *e = first(s);
    assert_int_equal(gpa_explanation_marginal(e, 1)->points, 0);
    gpa_explanation_free(e);
    gpa_saved_free(s);
    free(text);
}

/* Every byte of the document changed in turn, and every place where it may end. */
static void any_byte_may_be_wrong(void **state)
{
    (void)state;
    static const char put[] = {'\0', '"', ']', '9', '-', '\xff'};
    size_t n = sizeof DOCUMENT - 1, good = 0;
    char *text = calloc(n + 1, 1);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < sizeof put; j++) {
            gpa_error err = {0};
            memcpy(text, DOCUMENT, n);
            text[i] = put[j];
            gpa_status st = read_all(text, n, &err);
            good += st == GPA_OK;
            assert_true(st == GPA_OK || st == GPA_DATA || st == GPA_UNSUPPORTED);
            assert_true(st == GPA_OK || strchr(err.message, '\n') == NULL);
        }
        if (i + 1 < n) /* the last byte is the end of the line */
            assert_int_not_equal(read_all(DOCUMENT, i, NULL), GPA_OK);
    }
    assert_true(good > 0); /* some changes only make other numbers */
    free(text);
}

/* Numbers at the edge of what a double holds, in every place. */
static void any_number_may_be_extreme(void **state)
{
    (void)state;
    static const char *const put[] = {"1e308", "-1e308", "1e-320", "0", "-1", "1e17"};
    size_t n = sizeof DOCUMENT - 1;
    char *text = calloc(n + 32, 1);
    assert_non_null(text);
    for (const char *p = DOCUMENT; *p != '\0';) {
        size_t length = strspn(p, "0123456789.-");
        bool number = length > 0 && p > DOCUMENT && strchr(",[:", p[-1]) != NULL;
        for (size_t j = 0; number && j < sizeof put / sizeof put[0]; j++) {
            snprintf(text, n + 32, "%.*s%s%s", (int)(p - DOCUMENT), DOCUMENT, put[j],
                     p + length);
            gpa_status st = read_all(text, strlen(text), NULL);
            assert_true(st == GPA_OK || st == GPA_DATA);
        }
        p += length > 0 ? length : 1;
    }
    free(text);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++)
        for (size_t k = 1;; k++) {
            gpa_saved *s = NULL;
            gpa_text *t = NULL;
            gpa_error err = {0};
            gpai_alloc_fail_at(k, for_ever);
            gpa_status st = gpa_text_new(&t, &err);
            if (st == GPA_OK)
                st = parse(&s, DOCUMENT, &err);
            if (st == GPA_OK)
                st = show_all(s, t, &err);
            if (st == GPA_OK)
                st = gpai_saved_difference(t, s, s, &err);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            gpa_text_free(t);
            gpa_saved_free(s);
            if (st == GPA_OK) {
                assert_true(tried < k);
                break;
            }
            assert_int_equal(st, GPA_NOMEM);
            assert_int_equal(read_all(DOCUMENT, sizeof DOCUMENT - 1, NULL), GPA_OK);
        }
}

static const char *difference(const char *a, const char *b, char *room, size_t size)
{
    gpa_saved *p = parsed(a), *q = parsed(b);
    gpa_text *t = new_text();
    assert_int_equal(gpai_saved_difference(t, p, q, NULL), GPA_OK);
    snprintf(room, size, "%s", gpa_text_data(t));
    gpa_text_free(t);
    gpa_saved_free(q);
    gpa_saved_free(p);
    return room;
}

static void the_first_difference_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
    } cases[] = {
        {"\"version\":\"0.0.9\"", "\"version\":\"7.7.7\"", ""},
        {" \"delta\":[1.25,0]", "\"delta\" : [ 1.250 , 0.0 ]", ""},
        {"\"out\"", "\"\\u006fut\"", ""},
        {"\"delta\":[1.25,0]", "\"delta\":[1.25,1]",
         "explanations[0].delta[1]: 0, now 1"},
        {"\"delta\":[1.25,0]", "\"delta\":[1.2500000000000002,0]",
         "explanations[0].delta[0]: 1.25, now 1.2500000000000002"},
        {"\"map\":9", "\"map\":8", "explanations[0].rows_by_stage.map: 9, now 8"},
        {"\"sha256:aa\"", "\"sha256:ab\"",
         "input_digest: \"sha256:aa\", now \"sha256:ab\""},
        {"\"y\":[3,10,4]", "\"y\":[3,10,null]", "background.y[2]: 4, now null"},
        {"\"noise\":\"local\"", "\"noise\":\"constant\"",
         "explanations[0].prior.noise: \"local\", now \"constant\""},
        {",\"two\"", "", "explanations[0].notes[0]: more, now the end"},
        {"\"delta\":[1.25,0]", "\"delta\":[1.25,[0]]",
         "explanations[0].delta[1]: 0, now a list"},
    };
    char room[400];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = with(cases[i].old, cases[i].new);
        assert_string_equal(difference(DOCUMENT, text, room, sizeof room),
                            cases[i].says);
        free(text);
    }
}

/* A page carries its receipt: the words, the digests; names cannot forge one. */
static void a_page_carries_its_receipt(void **state)
{
    (void)state;
    char *text =
        with("\"a b.csv\"",
             "\"<pre id=\\\"gpa-receipt\\\">\\u202e&#60;\\u00e4 %\\ud83d\\ude00\"");
    gpa_saved *s = parsed(text);
    gpa_explanation *e = first(s);
    gpa_text *t = new_text();
    const gpa_report_info *info = gpa_saved_info(s);
    assert_int_equal(gpa_report_begin(t, GPA_FORMAT_HTML, info, e, NULL), GPA_OK);
    assert_int_equal(gpa_report_explanation(t, GPA_FORMAT_HTML, info, e, 0, NULL),
                     GPA_OK);
    assert_int_equal(gpa_report_end(t, GPA_FORMAT_HTML, info, NULL), GPA_OK);
    gpa_saved *page = parsed(gpa_text_data(t));
    assert_int_equal(gpa_saved_type(page), GPA_SAVED_PAGE);
    assert_int_equal(gpa_saved_count(page), 1);
    assert_true(gpa_saved_info(page)->seed == UINT64_MAX);
    assert_string_equal(gpa_saved_info(page)->version, "0.0.9");
    assert_string_equal(gpa_saved_info(page)->input_digest, "sha256:aa");
    for (size_t i = 0; gpai_saved_word(s, i) != NULL; i++)
        assert_string_equal(gpai_saved_word(page, i), gpai_saved_word(s, i));
    gpa_text_clear(t);
    assert_int_equal(gpai_saved_difference(t, page, page, NULL), GPA_OK);
    assert_int_equal(gpa_text_length(t), 0);
    assert_int_equal(gpai_saved_difference(t, page, s, NULL), GPA_OK);
    assert_true(gpa_text_length(t) > 0);
    gpa_explanation *none = NULL;
    assert_int_equal(gpa_saved_explanation(&none, page, 0, NULL), GPA_INVALID);
    gpa_saved_free(page);
    gpa_text_free(t);
    gpa_explanation_free(e);
    gpa_saved_free(s);
    free(text);
}

/* A comparison made by hand: two rows, three inputs, three methods, one of them silent
 * on the second row. */
static gpa_comparison *compared(void)
{
    static const char *const methods[] = {"gpa", "lc", "eig"};
    static const double score[] = {1, -2, 0.5}, sd[] = {0.1, 0.2, 0.3};
    gpa_comparison *c = NULL;
    assert_int_equal(gpai_comparison_new(&c, 2, 3, 3, true, NULL), GPA_OK);
    for (size_t j = 0; j < 3; j++)
        c->method[j] = gpa_method_find(methods[j]);
    for (size_t i = 0; i < 2; i++) {
        c->row[i] = 40 + i;
        c->y[i] = 9.5;
        c->f[i] = 1.25;
        for (size_t j = 0; j < 3; j++) {
            gpai_compared *cell = gpai_comparison_cell(c, i, j);
            if (i == 1 && j == 2) {
                cell->skipped = gpai_strdup("no reference rows");
                continue;
            }
            assert_int_equal(gpai_attribution_new(&cell->a, c->method[j], 3, NULL),
                             GPA_OK);
            memcpy(cell->a->score, score, sizeof score);
            memcpy(cell->a->sd, sd, sizeof sd);
            cell->a->has_sd = j == 2;
            memcpy(cell->flipped, sd, sizeof sd);
            cell->has_flipped = j < 2;
            cell->reacts = (int)j - 1;
            cell->a->rows = 10 * (j + 1);
            cell->a->calls = j + 1;
            cell->a->iterations = j;
            cell->a->converged = j != 1;
            if (j == 2) {
                cell->a->extra_name = "f(x) - mean f";
                cell->a->extra = 0.75;
            }
            if (j == 1)
                gpai_attribution_note(cell->a, "a note");
        }
    }
    const gpa_consistency v = {.tau = {0.5, 0.25, 2},
                               .rho = {0.75, (double)NAN, 1},
                               .smr = {1, 0, 2},
                               .hit25 = {0, 0, 2}};
    c->consistent[1] = true;
    c->consistency[1] = v;
    return c;
}

static gpa_status write_comparison(gpa_text *t, gpa_format f, const gpa_saved *s,
                                   gpa_error *err)
{
    gpa_comparison *c = NULL;
    gpa_status st = gpa_saved_comparison(&c, s, err);
    if (st == GPA_OK)
        st = gpa_report_comparison(t, f, gpa_saved_info(s), c, err);
    for (size_t i = 0; st == GPA_OK && i < gpa_comparison_rows(c); i++)
        st = gpa_plot_comparison(t, gpa_saved_info(s), c, i, err);
    gpa_comparison_free(c);
    return st;
}

static void comparisons_come_back(void **state)
{
    (void)state;
    static const char *const features[] = {"a", "b", "c"};
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.features = features;
    info.full = true;
    info.target = "out";
    info.options_json = "{\"command\":\"compare\",\"file\":\"d.csv\",\"model\":\"m\"}";
    gpa_comparison *c = compared();
    for (int f = GPA_FORMAT_TABLE; f <= GPA_FORMAT_HTML; f++) {
        gpa_text *json = new_text(), *want = new_text(), *got = new_text();
        assert_int_equal(gpa_report_comparison(json, GPA_FORMAT_JSON, &info, c, NULL),
                         GPA_OK);
        assert_int_equal(gpa_report_comparison(want, (gpa_format)f, &info, c, NULL),
                         GPA_OK);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(gpa_plot_comparison(want, &info, c, i, NULL), GPA_OK);
        gpa_saved *s = parsed(gpa_text_data(json));
        assert_int_equal(gpa_saved_type(s), GPA_SAVED_COMPARISON);
        assert_int_equal(gpa_saved_count(s), 2);
        assert_int_equal(write_comparison(got, (gpa_format)f, s, NULL), GPA_OK);
        assert_string_equal(gpa_text_data(got), gpa_text_data(want));
        gpa_saved_free(s);
        gpa_text_free(got);
        gpa_text_free(want);
        gpa_text_free(json);
    }
    gpa_comparison_free(c);
}

/* Each byte of a saved comparison wrong in turn, each end, each allocation. */
static void comparisons_may_be_wrong(void **state)
{
    (void)state;
    static const char put[] = {'\0', '"', ']', ',', '9', '-', 'x'};
    gpa_comparison *c = compared();
    gpa_text *json = new_text(), *t = new_text();
    assert_int_equal(gpa_report_comparison(json, GPA_FORMAT_JSON, NULL, c, NULL),
                     GPA_OK);
    size_t n = gpa_text_length(json);
    char *text = calloc(n + 1, 1);
    assert_non_null(text);
    for (size_t i = 0; i < n - 1; i++) /* the last byte is the end of the line */
        for (size_t j = 0; j <= sizeof put; j++) {
            gpa_saved *s = NULL;
            memcpy(text, gpa_text_data(json), n);
            text[i] = j < sizeof put ? put[j] : text[i];
            gpa_status st =
                gpa_saved_parse(&s, text, j < sizeof put ? n : i, "c.json", NULL);
            if (st == GPA_OK && gpa_saved_type(s) == GPA_SAVED_COMPARISON)
                st = write_comparison(t, GPA_FORMAT_TABLE, s, NULL);
            assert_true(st == GPA_OK || st == GPA_DATA || st == GPA_UNSUPPORTED);
            assert_true(j < sizeof put || st != GPA_OK);
            gpa_saved_free(s);
            gpa_text_clear(t);
        }
    for (size_t k = 1;; k++) {
        gpa_saved *s = NULL;
        gpai_alloc_fail_at(k, false);
        gpa_status st = gpa_saved_parse(&s, gpa_text_data(json), n, "c.json", NULL);
        if (st == GPA_OK)
            st = write_comparison(t, GPA_FORMAT_HTML, s, NULL);
        gpai_alloc_fail_at(0, false);
        gpa_saved_free(s);
        gpa_text_clear(t);
        if (st == GPA_OK)
            break;
        assert_int_equal(st, GPA_NOMEM);
    }
    free(text);
    gpa_text_free(t);
    gpa_text_free(json);
    gpa_comparison_free(c);
}

static void made_of_unknown_methods_it_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\":\"gpa-comparison/1\",\"features\":[\"a\"],"
        "\"methods\":[\"gpa\",\"shape\"],\"rows\":[],\"consistency\":{}}";
    gpa_saved *s = parsed(text);
    gpa_comparison *c = NULL;
    gpa_error err = {0};
    assert_int_equal(gpa_saved_comparison(&c, s, &err), GPA_UNSUPPORTED);
    assert_non_null(strstr(err.message, "'shape'"));
    assert_null(c);
    gpa_saved_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_is_there),
        cmocka_unit_test(the_words_are_the_command),
        cmocka_unit_test(the_numbers_are_there),
        cmocka_unit_test(the_curves_are_there),
        cmocka_unit_test(pictures_show_them),
        cmocka_unit_test(written_again_it_is_the_same),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(numbers_in_place_of_a_file),
        cmocka_unit_test(what_is_no_result_is_refused),
        cmocka_unit_test(hostile_sizes_are_bounded),
        cmocka_unit_test(sets_name_inputs),
        cmocka_unit_test(held_inputs_have_no_points),
        cmocka_unit_test(any_byte_may_be_wrong),
        cmocka_unit_test(any_number_may_be_extreme),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_first_difference_is_named),
        cmocka_unit_test(a_page_carries_its_receipt),
        cmocka_unit_test(comparisons_come_back),
        cmocka_unit_test(comparisons_may_be_wrong),
        cmocka_unit_test(made_of_unknown_methods_it_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
