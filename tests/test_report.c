#include "base/alloc.h"
#include "base/text/text.h"
#include "result/explanation.h"
#include <gpa/report.h>
#include <jansson.h>
#include <math.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 5 };

/* An explanation made by hand: three inputs, of which the second moves down and the
 * third up, with triangular densities. */
static gpa_explanation *made(size_t n, bool marginals)
{
    gpa_explanation *e = NULL;
    assert_int_equal(gpai_result_new(&e, n, 3, marginals ? POINTS : 0, NULL), GPA_OK);
    static const double delta[3] = {0, -2, 0.5}, unit[3] = {1, 2, 0.1};
    for (size_t i = 0; i < n; i++) {
        e->rows[i] = 63 + i;
        e->y[i] = 99;
        e->f[i] = 238;
        e->f_moved[i] = 110;
        e->score[i] = 8.25;
        e->b[i] = 4;
        for (size_t k = 0; k < 3; k++)
            e->x[i * 3 + k] = 10.5 + (double)k;
    }
    for (size_t k = 0; k < 3; k++) {
        e->delta[k] = delta[k];
        e->unit[k] = unit[k];
        e->delta_raw[k] = delta[k] * unit[k];
        for (size_t j = 0; marginals && j < POINTS; j++) {
            e->grid[k * POINTS + j] = delta[k] - 1 + 0.5 * (double)j;
            e->density[k * POINTS + j] = j == 0 || j == 4 ? 0 : j == 2 ? 1 : 0.5;
        }
        if (marginals)
            e->marginals[k] =
                (gpa_marginal){.map = delta[k],
                               .mean = delta[k],
                               .sd = 0.5,
                               .interval50 = {delta[k] - 0.3, delta[k] + 0.3},
                               .interval90 = {delta[k] - 0.7, delta[k] + 0.7},
                               .p_positive = k == 1 ? 0.002 : 0.5,
                               .information = 0.25,
                               .points = POINTS,
                               .grid = e->grid + k * POINTS,
                               .density = e->density + k * POINTS};
    }
    e->summary =
        (gpa_summary){.solver = GPA_SOLVER_PAPER_DET,
                      .marginals = marginals ? GPA_MARGINALS_PAPER : GPA_MARGINALS_NONE,
                      .noise = GPA_NOISE_CONSTANT,
                      .eta = 0.1,
                      .nu = 0.5,
                      .a0 = 5.5,
                      .cb = 10,
                      .sigma = 50,
                      .kappa = 0.1,
                      .objective = 1.25,
                      .stationarity = 0.5,
                      .converged = true,
                      .iterations = 7,
                      .model_rows = 10,
                      .model_calls = 3,
                      .rows_map = 6,
                      .rows_check = 1,
                      .rows_marginals = 3,
                      .ess = (double)NAN};
    return e;
}

/* Culprits made by hand: bmi by .9 of the inputs' .8, alone too high by 3 of its own
 * units. */
static void accuse(gpa_explanation *e, gpa_verdict verdict)
{
    static const double numbers[5][3] = {{0.05, 0.9, 0.2},
                                         {0.02, 0.9, 0.08},
                                         {0.5, -1.5, 0},
                                         {-1, -2.5, -1},
                                         {2, -0.5, 1}};
    if (e->culprit_numbers == NULL)
        assert_int_equal(gpai_result_add_culprit(e, NULL), GPA_OK);
    size_t *set = (size_t *)(void *)(e->culprit_numbers + 3 * GPAI_CULPRIT_NUMBERS);
    memcpy(e->culprit_numbers, numbers, sizeof numbers);
    set[0] = 1;
    set[1] = 2;
    e->culprit = (gpa_culprit){.probability = e->culprit_numbers,
                               .single = e->culprit_numbers + 3,
                               .median = e->culprit_numbers + 6,
                               .low = e->culprit_numbers + 9,
                               .high = e->culprit_numbers + 12,
                               .output = 0.2,
                               .set90 = set,
                               .n_set90 = 2,
                               .first = 1,
                               .verdict = verdict,
                               .plausible = GPA_PLAUSIBLE_DATA,
                               .plausible_rows = 88};
    gpai_result_blame(e);
    e->summary.rows_culprit = 72;
    e->summary.ess = 1400.5;
    e->summary.surrogate_error = (double)NAN;
}

/* f along the second input of one row: 238 + 10 change, in units of 2; none along the
 * others. */
static void add_axes(gpa_explanation *e)
{
    assert_int_equal(gpai_result_add_axes(e, 2 * POINTS, NULL), GPA_OK);
    double *change = e->axis_numbers, *f = change + POINTS;
    for (size_t i = 0; i < POINTS; i++) {
        change[i] = (double)i - 2;
        f[i] = 238 + 20 * change[i];
    }
    e->axes[1] = (gpa_axis){.points = POINTS, .change = change, .f = f};
}

static const char *const NAMES[3] = {"age", "bmi", "s<5>"};

static gpa_report_info named(void)
{
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.features = NAMES;
    info.model_spec = "mlp:model.json";
    info.options_json = "{\"top\":1}";
    info.seed = 3;
    return info;
}

/* A whole report of `count` times the same explanation. */
static gpa_status report(gpa_text *t, gpa_format format, const gpa_report_info *info,
                         const gpa_explanation *e, size_t count)
{
    gpa_status st = gpa_report_begin(t, format, info, e, NULL);
    for (size_t i = 0; st == GPA_OK && i < count; i++)
        st = gpa_report_explanation(t, format, info, e, i, NULL);
    return st == GPA_OK ? gpa_report_end(t, format, info, NULL) : st;
}

static gpa_text *text_of(gpa_format format, const gpa_report_info *info,
                         const gpa_explanation *e, size_t count)
{
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(report(t, format, info, e, count), GPA_OK);
    return t;
}

static json_t *parse(const gpa_text *t)
{
    json_error_t where;
    json_t *j = json_loadb(gpa_text_data(t), gpa_text_length(t), JSON_REJECT_DUPLICATES,
                           &where);
    if (j == NULL)
        print_error("line %d: %s\n", where.line, where.text);
    assert_non_null(j);
    return j;
}

static double number_at(const json_t *j, const char *key, size_t i)
{
    const json_t *v = json_object_get(j, key);
    return json_number_value(json_is_array(v) ? json_array_get(v, i) : v);
}

static void json_reads_back(void **state)
{
    (void)state;
    gpa_explanation *e = made(2, true);
    e->delta[1] = -1.0 / 3;
    gpa_report_info info = named();
    gpa_text *t = text_of(GPA_FORMAT_JSON, &info, e, 2);
    json_t *j = parse(t);
    assert_string_equal(json_string_value(json_object_get(j, "format")),
                        "gpa-explanation/1");
    json_t *list = json_object_get(j, "explanations");
    assert_int_equal(json_array_size(list), 2);
    json_t *one = json_array_get(list, 1);
    assert_int_equal(number_at(one, "rows", 1), 64);
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(one, "ids"), 1)), "64");
    assert_true(number_at(one, "delta", 1) == -1.0 / 3);
    assert_true(number_at(json_object_get(one, "prior"), "b0", 1) == 4);
    assert_int_equal(number_at(json_object_get(one, "rows_by_stage"), "check", 0), 1);
    json_t *m = json_array_get(json_object_get(one, "marginals"), 2);
    assert_string_equal(json_string_value(json_object_get(m, "feature")), "s<5>");
    assert_int_equal(json_array_size(json_object_get(m, "density")), POINTS);
    json_decref(j);
    gpa_text_free(t);
    gpa_explanation_free(e);
}

static void json_has_reasons_for_what_is_missing(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    e->summary.sigma = (double)NAN;
    e->summary.stationarity = (double)NAN;
    e->stepped = true;
    e->score[0] = (double)NAN;
    e->x[1] = (double)NAN;
    e->density[3] = (double)NAN;
    gpa_report_info info = named();
    gpa_text *t = text_of(GPA_FORMAT_JSON, &info, e, 1);
    json_t *j = parse(t), *one = json_array_get(json_object_get(j, "explanations"), 0);
    static const char *const keys[] = {"score", "x", "stationarity"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char reason[40];
        snprintf(reason, sizeof reason, "%s_reason", keys[i]);
        assert_true(json_is_string(json_object_get(one, reason)));
    }
    assert_string_equal(json_string_value(json_object_get(one, "stationarity_reason")),
                        GPAI_STEPPED);
    json_t *prior = json_object_get(one, "prior");
    assert_true(json_is_null(json_object_get(prior, "sigma")));
    assert_true(json_is_string(json_object_get(prior, "sigma_reason")));
    assert_null(json_object_get(prior, "eta_reason"));
    json_t *m = json_array_get(json_object_get(one, "marginals"), 0);
    assert_true(json_is_string(json_object_get(m, "density_reason")));
    assert_null(strstr(gpa_text_data(t), "nan"));
    assert_null(strstr(gpa_text_data(t), "inf,"));
    json_decref(j);
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* The text of an explanation's verdict. */
static void assert_says(gpa_explanation *e, const gpa_report_info *info,
                        const char *kind, const char *want)
{
    gpai_result_blame(e); /* of what the test changed */
    gpa_text *t = text_of(GPA_FORMAT_JSON, info, e, 1);
    json_t *j = parse(t), *one = json_array_get(json_object_get(j, "explanations"), 0);
    json_t *verdict = json_object_get(one, "verdict");
    assert_string_equal(json_string_value(json_object_get(verdict, "kind")), kind);
    assert_string_equal(json_string_value(json_object_get(verdict, "text")), want);
    json_decref(j);
    gpa_text_free(t);
}

static void verdicts_in_words(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    double *p = NULL;
    gpa_report_info info = named();
    info.target = "yield";
    info.ascii = true; /* is for tables: JSON does not depend on it */
    accuse(e, GPA_VERDICT_INPUT);
    p = e->culprit_numbers;
    /* -1.5 units of 2 are -3: 11.5 is 3 too high; .9 times .8 is .72 */
    assert_says(e, &info, "input",
                "bmi is 3.0 too high for this outcome: 8.50 instead of 11.5 would look "
                "normal (1.5 times its spread); 72 % that it is responsible.");
    p[2] = 0.7;
    e->culprit.likeliest[0] = 1;
    e->culprit.likeliest[1] = 2;
    e->culprit.n_likeliest = 2;
    e->culprit.p_likeliest = 0.5; /* not likelier than all else */
    assert_says(e, &info, "input",
                "bmi is 3.0 too high for this outcome: 8.50 instead of 11.5 would look "
                "normal (1.5 times its spread); 72 % that it is responsible.");
    e->culprit.p_likeliest = 0.51;
    assert_says(
        e, &info, "input",
        "bmi and s<5> together do not fit this outcome; 51 % that just these two "
        "are wrong, bmi 72 % and s<5> 56 %.");
    e->culprit.exchanged = true;
    assert_says(e, &info, "input",
                "bmi and s<5> look exchanged: bmi 12.5 instead of 11.5 and s<5> 11.5 "
                "instead of 12.5 would look normal; 51 % that they are exchanged.");
    e->culprit.exchanged = false;
    e->culprit.likeliest[0] = 0;
    e->culprit.likeliest[2] = 1;
    e->culprit.n_likeliest = 3;
    p[0] = 0.6;
    assert_says(e, &info, "input",
                "bmi, s<5> and age together do not fit this outcome; 51 % that just "
                "these three are wrong, bmi 72 %, s<5> 56 % and age 48 %.");
    accuse(e, GPA_VERDICT_INPUT);
    p[12 + 1] = 0.5; /* up or down? */
    assert_says(e, &info, "input",
                "bmi does not fit this outcome, be it too high or too low; 72 % that "
                "it is responsible.");
    p[12 + 1] = 0.05; /* of an interval that is 2.05 or more */
    assert_says(e, &info, "input",
                "bmi is 3.0 too high for this outcome: 8.50 instead of 11.5 would look "
                "normal (1.5 times its spread); 72 % that it is responsible.");
    accuse(e, GPA_VERDICT_TIED);
    assert_says(e, &info, "tied",
                "Probably bmi (72 %), perhaps s<5> (16 %) or the observed yield or the "
                "model (20 %): bmi 8.50 instead of 11.5 would look normal; measure bmi "
                "again: at 8.50 it is bmi, at 11.5 it is not.");
    p[12 + 2] = -0.5; /* -0.2 units of 0.1 of the third */
    p[6 + 2] = -0.8;
    assert_says(
        e, &info, "tied",
        "Probably bmi (72 %), perhaps s<5> (16 %) or the observed yield or the model "
        "(20 %): bmi 8.50 instead of 11.5 or s<5> 12.4200 instead of 12.5 would look "
        "normal; measure bmi again: at 8.50 it is bmi, at 11.5 it is not.");
    accuse(e, GPA_VERDICT_TIED);
    e->culprit.n_set90 = 1;
    e->culprit.output = 0.05;
    assert_says(e, &info, "tied",
                "Probably bmi (86 %): bmi 8.50 instead of 11.5 would look normal.");
    accuse(e, GPA_VERDICT_TIED); /* 17 % are no rival of 53 % and 41 % */
    p[2] = 0.29;
    e->culprit.output = 0.41;
    assert_says(e, &info, "tied",
                "Probably bmi (53 %), perhaps the observed yield or the model (41 %): "
                "bmi 8.50 instead of 11.5 would look normal.");
    accuse(e, GPA_VERDICT_OUTPUT);
    e->culprit.output = 0.999;
    /* within two of 50 about 238 */
    assert_says(e, &info, "output",
                "No plausible change of the inputs explains this outcome: suspect the "
                "observed yield, or the model (more than 99 %); 238 would look normal "
                "(156 to 320).");
    e->summary.sigma = (double)NAN;
    assert_says(e, &info, "output",
                "No plausible change of the inputs explains this outcome: suspect the "
                "observed yield, or the model (more than 99 %).");
    e->culprit.output = 0.6; /* .9 (1 - .6) are bmi's */
    assert_says(e, &info, "output",
                "The first suspect is the observed yield or the model (60 %); it may "
                "also be bmi (36 %): bmi 8.50 instead of 11.5 would look normal.");
    e->summary.sigma = 50;
    accuse(e, GPA_VERDICT_NORMAL);
    assert_says(
        e, &info, "normal",
        "Nothing unusual: the deviation is 2.8 sigma; if something is wrong all "
        "the same, it is probably bmi (72 %).");
    e->culprit.likeliest[0] = 1;
    e->culprit.likeliest[1] = 2;
    e->culprit.n_likeliest = 2;
    e->culprit.p_likeliest = 0.51;
    e->culprit.exchanged = true;
    assert_says(
        e, &info, "normal",
        "Nothing unusual: the deviation is 2.8 sigma; if something is wrong all "
        "the same, it is probably bmi and s<5>, exchanged (51 %).");
    gpa_explanation_free(e);
}

/* An idea of bmi and s<5>, and how probable all three inputs and the outcome are. */
static void suppose(gpa_explanation *e, bool exchanged, double p_likeliest,
                    const double blame[3], double output)
{
    for (size_t k = 0; k < 3; k++)
        e->culprit_numbers[k] = blame[k] / (1 - output);
    e->culprit.likeliest[0] = 1;
    e->culprit.likeliest[1] = 2;
    e->culprit.n_likeliest = p_likeliest > 0 ? 2 : 1;
    e->culprit.exchanged = exchanged;
    e->culprit.p_likeliest = p_likeliest;
    e->culprit.output = output;
}

/* Below the 80 % of a verdict about inputs: an idea with more than half comes first,
 * one with less is named beside the inputs. */
static void ideas_that_are_not_sure(void **state)
{
    (void)state;
    static const struct {
        bool exchanged;
        double idea, blame[3], output;
        gpa_verdict verdict;
        const char *want;
    } cases[] = {
        {true,
         0.61,
         {0, 0.62, 0.62},
         0.38,
         GPA_VERDICT_TIED,
         "Probably bmi and s<5> are exchanged (61 %), perhaps the observed yield or "
         "the "
         "model (38 %): bmi 12.5 instead of 11.5 and s<5> 11.5 instead of 12.5 would "
         "look normal."},
        {false,
         0.61,
         {0, 0.62, 0.62},
         0.38,
         GPA_VERDICT_TIED,
         "Probably just bmi and s<5> are wrong (61 %), perhaps the observed yield or "
         "the model (38 %)."},
        {false,
         0.51,
         {0.5, 0.75, 0.52},
         0.05,
         GPA_VERDICT_TIED,
         "Probably just bmi and s<5> are wrong (51 %), perhaps age (50 %)."},
        {true,
         0.5,
         {0, 0.61, 0.6},
         0.38,
         GPA_VERDICT_TIED,
         "bmi (61 %) and s<5> (60 %) cannot be told apart: bmi 8.50 instead of 11.5 "
         "would look normal; likeliest of all: bmi and s<5> are exchanged (50 %); "
         "measure bmi again: at 8.50 it is bmi, at 11.5 it is not; it may also be the "
         "observed yield or the model (38 %)."},
        {true,
         0.37,
         {0, 0.61, 0.6},
         0.38,
         GPA_VERDICT_TIED, /* y is likelier */
         "bmi (61 %) and s<5> (60 %) cannot be told apart: bmi 8.50 instead of 11.5 "
         "would look normal; likeliest fault of the inputs: bmi and s<5> are exchanged "
         "(37 %); measure bmi again: at 8.50 it is bmi, at 11.5 it is not; it may also "
         "be the observed yield or the model (38 %)."},
        {false,
         0.3,
         {0, 0.45, 0.5},
         0.05,
         GPA_VERDICT_TIED, /* it has the first, too */
         "s<5> (50 %) and bmi (45 %) cannot be told apart: bmi 8.50 instead of 11.5 "
         "would look normal; likeliest of all: just s<5> and bmi are wrong (30 %); "
         "measure bmi again: at 8.50 it is bmi, at 11.5 it is not."},
        {false,
         0.3,
         {0.4, 0.7, 0.32},
         0.05,
         GPA_VERDICT_TIED, /* age is likelier */
         "bmi (70 %), age (40 %) and s<5> (32 %) cannot be told apart: bmi 8.50 "
         "instead of 11.5 would look normal; likeliest of all: just bmi and s<5> are "
         "wrong (30 %); measure bmi again: at 8.50 it is bmi, at 11.5 it is not."},
        {false,
         0.2,
         {0, 0.36, 0.24},
         0.6,
         GPA_VERDICT_OUTPUT,
         "The first suspect is the observed yield or the model (60 %); 238 would look "
         "normal (156 to 320); it may also be bmi (36 %) or s<5> (24 %): bmi 8.50 "
         "instead of 11.5 would look normal; likeliest fault of the inputs: just bmi "
         "and s<5> are wrong (20 %)."},
        {false,
         0.08,
         {0, 0.15, 0.1},
         0.81,
         GPA_VERDICT_OUTPUT,
         "No plausible change of the inputs explains this outcome: suspect the "
         "observed yield, or the model (81 %); 238 would look normal (156 to 320)."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_explanation *e = made(1, true);
        gpa_report_info info = named();
        info.target = "yield";
        accuse(e, cases[i].verdict);
        suppose(e, cases[i].exchanged, cases[i].idea, cases[i].blame, cases[i].output);
        assert_says(e, &info, cases[i].verdict == GPA_VERDICT_TIED ? "tied" : "output",
                    cases[i].want);
        gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
        bool first = cases[i].exchanged && cases[i].idea > 0.5; /* as the sentence */
        assert_true(first == (strstr(gpa_text_data(t), "  exchanged\n") != NULL));
        gpa_text_free(t);
        gpa_explanation_free(e);
    }
}

/* Who is about as likely as the last that is named is not left out, though two reach
 * 90 % of what one alone would explain. */
static void ties_leave_nobody_out(void **state)
{
    (void)state;
    static const double alike[3] = {0.42, 0.45, 0.43}, apart[3] = {0.38, 0.45, 0.43},
                        open[3] = {0, 0.45, 0.5};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_TIED);
    suppose(e, false, 0, alike, 0.05);
    assert_says(e, &info, "tied",
                "bmi (45 %), s<5> (43 %) and age (42 %) cannot be told apart: bmi 8.50 "
                "instead of 11.5 would look normal; measure bmi again: at 8.50 it is "
                "bmi, at 11.5 it is not.");
    suppose(e, false, 0, apart, 0.05);
    assert_says(e, &info, "tied",
                "bmi (45 %) and s<5> (43 %) cannot be told apart: bmi 8.50 instead of "
                "11.5 would look normal; measure bmi again: at 8.50 it is bmi, at 11.5 "
                "it is not.");
    suppose(e, false, 0, open, 0.05); /* the first has no one value: two steps */
    assert_says(e, &info, "tied",
                "s<5> (50 %) and bmi (45 %) cannot be told apart: bmi 8.50 instead of "
                "11.5 would look normal; check s<5> first, then measure bmi again: at "
                "8.50 it is bmi, at 11.5 it is not.");
    gpa_explanation_free(e);
}

/* One suspect that is not enough alone has its partners, all that are as likely as
 * those of the idea. */
static void partners_are_named(void **state)
{
    (void)state;
    static const double blame[3] = {0.45, 0.65, 0.42}, one[3] = {0, 0.37, 0};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.target = "yield";
    accuse(e, GPA_VERDICT_TIED);
    add_axes(e);
    e->culprit.n_set90 = 1;
    e->summary.sigma = 20; /* f = 208 at the best bmi, y = 99: 5.5 sigma */
    suppose(e, false, 0.3, blame, 0.2);
    assert_says(
        e, &info, "tied",
        "bmi (65 %) is likelier than any other input, but not clearly; it is "
        "not enough alone, perhaps with age (45 %) or s<5> (42 %); likeliest of "
        "all: just bmi and s<5> are wrong (30 %); it may also be the observed "
        "yield or the model (20 %).");
    suppose(e, false, 0, one, 0.63);
    assert_says(e, &info, "tied",
                "The first suspect is the observed yield or the model (63 %); 238.0 "
                "would look normal (205.1 to 270.9); it may also be bmi (37 %), which "
                "is not enough alone.");
    gpa_explanation_free(e);
}

/* Also in a tie the likelier comes first; the inputs where they are as likely. */
static void outcome_in_a_tie(void **state)
{
    (void)state;
    static const double one[3] = {0, 0.37, 0}, two[3] = {0, 0.2, 0.16},
                        half[3] = {0, 0.5, 0};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.target = "yield";
    accuse(e, GPA_VERDICT_TIED);
    suppose(e, false, 0, one, 0.63);
    assert_says(
        e, &info, "tied",
        "The first suspect is the observed yield or the model (63 %); 238 would "
        "look normal (156 to 320); it may also be bmi (37 %): bmi 8.50 instead "
        "of 11.5 would look normal.");
    suppose(e, false, 0, two, 0.25);
    assert_says(
        e, &info, "tied",
        "The first suspect is the observed yield or the model (25 %); 238 would "
        "look normal (156 to 320); it may also be bmi (20 %) or s<5> (16 %): "
        "bmi 8.50 instead of 11.5 would look normal; measure bmi again: at 8.50 "
        "it is bmi, at 11.5 it is not.");
    suppose(e, false, 0, half, 0.5);
    assert_says(
        e, &info, "tied",
        "bmi (50 %) is likelier than any other input, but not clearly: bmi 8.50 "
        "instead of 11.5 would look normal; it may also be the observed yield "
        "or the model (50 %).");
    gpa_explanation_free(e);
}

static void verdicts_of_several_rows(void **state)
{
    (void)state;
    gpa_explanation *e = made(5, false);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    assert_says(e, &info, "input",
                "bmi is 3.0 too high for these outcomes in all 5 rows (1.5 times its "
                "spread); 72 % that it is responsible.");
    e->y[4] = e->f[4] - (e->y[4] - e->f[4]); /* one row deviates the other way */
    e->summary.sigma = 50;
    assert_says(e, &info, "input",
                "bmi is 3.0 too high for these outcomes in most of the 5 rows (1.5 "
                "times its spread); 72 % that it is responsible.");
    accuse(e, GPA_VERDICT_TIED);
    suppose(e, true, 0.61, (const double[3]){0, 0.62, 0.62}, 0.05);
    assert_says(e, &info, "tied",
                "Probably bmi and s<5> are exchanged (61 %): each in the other's place "
                "would look normal.");
    e->culprit.n_likeliest = 0;
    accuse(e, GPA_VERDICT_NORMAL);
    e->culprit.output = 0.9;
    for (size_t i = 0; i < 5; i++)
        e->y[i] = e->f[i] + (i % 2 == 0 ? -90 : 90); /* 1.8 sigma */
    assert_says(e, &info, "normal",
                "Nothing unusual: the deviations are 1.8 sigma (root mean square).");
    e->y[0] = e->f[0] - 139; /* sqrt((4 90^2 + 139^2) / 5) is 2.03 times 50 */
    assert_says(e, &info, "normal",
                "Nothing unusual on the whole: the deviations are 2 sigma (root mean "
                "square), at most 2.8 in row 63.");
    gpa_explanation_free(e);
}

/* One choice of three: the present category loses its 1, another gains it. */
static void verdict_about_a_choice(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, false);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    static const double x[3] = {0, 1, 0};
    for (size_t k = 0; k < 3; k++) {
        e->x[k] = x[k];
        e->culprit_numbers[k] = 0.9;
        e->culprit_numbers[3 + k] = 1.0 / 3;
        e->culprit_numbers[6 + k] = (k == 1 ? -1 : k == 2 ? 1 : 0) / e->unit[k];
    }
    e->culprit.first = 0;
    assert_says(e, &info, "input",
                "bmi does not fit this outcome: s<5> would look normal; 72 % that it "
                "is responsible.");
    e->culprit_numbers[6 + 2] = 0;
    assert_says(e, &info, "input",
                "bmi does not fit this outcome: another choice would look normal; 72 % "
                "that it is responsible.");
    gpa_explanation_free(e);
}

static void culprits_in_json_and_csv(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, false);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    gpa_text *t = text_of(GPA_FORMAT_JSON, &info, e, 1);
    json_t *j = parse(t), *one = json_array_get(json_object_get(j, "explanations"), 0);
    json_t *c = json_object_get(one, "culprit");
    assert_true(number_at(c, "probability", 1) == 0.9);
    assert_true(number_at(c, "output", 0) == 0.2);
    assert_true(number_at(c, "responsible", 1) == 0.9 * (1 - 0.2));
    json_t *alone = json_array_get(json_object_get(c, "alone"), 1);
    assert_true(number_at(alone, "median_raw", 0) == -3);
    assert_true(number_at(alone, "interval90_raw", 0) == -5);
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(c, "set90"), 1)), "s<5>");
    assert_true(number_at(one, "ess", 0) == 1400.5);
    assert_true(json_is_string(json_object_get(one, "surrogate_error_reason")));
    json_decref(j);
    gpa_text_free(t);
    t = text_of(GPA_FORMAT_CSV, &info, e, 1);
    assert_non_null(strstr(gpa_text_data(t), ",0.7200000000000001,8.5,6.5,10.5,,input,"
                                             "0.2,"));
    assert_non_null(
        strstr(gpa_text_data(t), ",8.25,true,0.9,0.9,-1.5,-2.5,-0.5,-3,-5,-1\n"));
    gpa_text_free(t);
    /* without culprits the note says why */
    e->culprit.verdict = GPA_VERDICT_UNKNOWN;
    gpai_result_note(e, "culprits are not computed: the \"budget\" is too small");
    t = text_of(GPA_FORMAT_JSON, &info, e, 1);
    j = parse(t);
    one = json_array_get(json_object_get(j, "explanations"), 0);
    assert_true(json_is_null(json_object_get(one, "culprit")));
    assert_string_equal(json_string_value(json_object_get(one, "verdict_reason")),
                        "the \"budget\" is too small");
    json_decref(j);
    gpa_text_free(t);
    gpa_explanation_free(e);
}

static void json_of_nothing(void **state)
{
    (void)state;
    gpa_text *t = text_of(GPA_FORMAT_JSON, NULL, NULL, 0);
    json_t *j = parse(t);
    assert_int_equal(json_array_size(json_object_get(j, "explanations")), 0);
    json_decref(j);
    gpa_text_free(t);
}

static void csv_cells(void **state)
{
    (void)state;
    static const char *const features[3] = {"=1+1", "a \"b\", c", "-5"};
    gpa_explanation *e = made(1, false);
    gpa_report_info info = named();
    info.features = features;
    gpa_text *t = text_of(GPA_FORMAT_CSV, &info, e, 1);
    const char *text = gpa_text_data(t);
    assert_non_null(
        strstr(text, "\n63,63,\"'=1+1\",10.5,,,,,,,,0,0,,,,,,,,,1,99,238,110,8.25,true,"
                     ",,,,,,,\n"));
    assert_non_null(strstr(text, "\n63,63,\"a \"\"b\"\", c\",11.5,,,,,,,,-2,-4,,"));
    assert_non_null(strstr(text, "\n63,63,-5,12.5,,,,,,,,0.5,0.05,,"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

static void table_says_it_plainly(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpai_result_note(e, "mind the \x1B[31mgap");
    gpa_report_info info = named();
    info.ascii = true;
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    const char *text = gpa_text_data(t);
    /* 238 - 99 = 139 = 2.78 sigma; (139 - 11) / 139 = 92 % */
    assert_non_null(strstr(text,
                           "row 63: y = 99 was observed, f = 238 predicted: 139 too "
                           "low for the model\n(score 8.25, 2.8 sigma).\n"));
    assert_non_null(strstr(text, "bmi -4.0 (from 11.5 to 7.5)"));
    assert_non_null(strstr(text, "closes 92 % of"));
    assert_non_null(strstr(text, "mind the ?[31mgap"));
    const char *bmi = strstr(text, "\n  bmi"), *s5 = strstr(text, "\n  s<5>");
    const char *age = strstr(text, "\n  age");
    assert_true(bmi != NULL && bmi < s5 && s5 < age); /* largest first, zeros last */
    for (const char *p = text; *p != '\0'; p++)
        assert_true(*p == '\n' || (*p >= ' ' && *p <= '~'));
    memset(e->delta, 0, 3 * sizeof *e->delta);
    memset(e->delta_raw, 0, 3 * sizeof *e->delta_raw);
    gpa_text_clear(t);
    assert_int_equal(report(t, GPA_FORMAT_TABLE, &info, e, 1), GPA_OK);
    assert_non_null(
        strstr(gpa_text_data(t), "No change of the inputs is worth its cost"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* With culprits: by blame, the verdict in bold, the outcome as the last suspect; a
 * number and its % are never parted. */
static void table_accuses(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    info.colour = true;
    info.target = "a target with a name of some length, which moves the line end about";
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    const char *text = gpa_text_data(t);
    assert_non_null(
        strstr(text, "\033[1mrow 63: bmi is 3.0 too high for this outcome"));
    const char *bmi = strstr(text, "  bmi"), *s5 = strstr(text, "  s<5>");
    const char *age = strstr(text, "  age"), *y = strstr(text, "  observed a");
    assert_true(bmi != NULL && bmi < s5 && s5 < age && age < y);
    assert_non_null(strstr(text, "72 % ████▌"));
    assert_non_null(strstr(text, "6.50 to 10.50")); /* what would look normal */
    assert_null(strstr(text, "delta"));
    assert_null(strstr(text, "effective draws"));
    assert_non_null(strstr(text, "judged with 88 other rows"));
    gpa_text_free(t);
    info.verbose = true;
    t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    text = gpa_text_data(t);
    assert_non_null(strstr(text, "all inputs together"));
    assert_non_null(strstr(text, "the most probable change if all inputs may change"));
    assert_non_null(strstr(text, "culprit 72, marginals 3) in 3 calls"));
    assert_non_null(strstr(text, "1400 effective draws"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* The words of the table for others, line by line, the likeliest first. */
static void answer_for_others(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    const char *units[3] = {NULL, "kg/m2", NULL};
    gpa_text *t = NULL;
    info.units = units;
    accuse(e, GPA_VERDICT_INPUT);
    e->culprit_numbers[6] =
        (double)NAN; /* no other age helps: there is nothing to set */
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_report_answer(t, &info, e, NULL), GPA_OK);
    json_t *j = parse(t), *first = json_array_get(json_object_get(j, "lines"), 0);
    assert_string_equal(json_string_value(json_object_get(j, "verdict")), "input");
    assert_string_equal(json_string_value(json_object_get(first, "label")),
                        "bmi [kg/m2]");
    assert_string_equal(json_string_value(json_object_get(first, "responsible")),
                        "72 %");
    assert_string_equal(json_string_value(json_object_get(first, "range")),
                        "6.50 … 10.50");
    assert_string_equal(json_string_value(json_object_get(first, "set")), "8.50");
    json_t *last = json_array_get(json_object_get(j, "lines"), 3);
    assert_string_equal(json_string_value(json_object_get(last, "name")), "age");
    assert_string_equal(json_string_value(json_object_get(last, "would")), "–");
    assert_string_equal(json_string_value(json_object_get(last, "set")), "");
    json_decref(j);
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* Columns of the widest line: without colours, and without bytes that continue a
 * character. */
static size_t widest_line(const char *text)
{
    size_t widest = 0;
    for (const char *p = text, *end; *p != '\0'; p = end + 1) {
        size_t columns = 0;
        end = strchr(p, '\n');
        assert_non_null(end); /* every line ends */
        assert_true(end == p || end[-1] != ' ');
        for (bool escape = false; p < end; p++) {
            escape = escape || *p == '\033';
            columns += !escape && ((unsigned char)*p & 0xC0) != 0x80;
            escape = escape && *p != 'm';
        }
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

/* No line is wider than the terminal, whatever the names, and a number is never parted
 * from its %. What was told there is told in the narrowest, too. */
static void tables_fit_their_terminal(void **state)
{
    (void)state;
    static const size_t widths[] = {0, 1, 40, 57, 80, 100, 132, 1000};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.target = "a target with a name of some length, which moves the line end about";
    for (int culprits = 0; culprits <= 1; culprits++) {
        if (culprits)
            accuse(e, GPA_VERDICT_INPUT);
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            size_t most = widths[i] == 0 ? 100 : widths[i] < 40 ? 40 : widths[i];
            info.width = widths[i];
            for (size_t length = 1; length < 60; length += 3) {
                char name[64] = "";
                memset(name, 'w', length);
                const char *const features[3] = {"a", name, "b"};
                info.features = features;
                info.colour = length % 2 == 0;
                info.ascii = length % 3 == 0;
                gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 2);
                assert_null(strstr(gpa_text_data(t), "\n%"));
                assert_in_range(widest_line(gpa_text_data(t)), 20, most);
                assert_non_null(strstr(gpa_text_data(t), culprits ? "72 %" : "4.00"));
                gpa_text_free(t);
            }
        }
    }
    gpa_explanation_free(e);
}

/* How unusual the row is among the others: 139 off; of four others three less. */
static void rank_among_the_others(void **state)
{
    (void)state;
    static const double y[5] = {0, 1, 99, 0, 2}, f[5] = {140, 1, 238, 138, 2};
    static const size_t rows[5] = {5, 6, 63, 70, 80};
    gpa_background b = {.struct_size = sizeof b,
                        .n = 5,
                        .d = 3,
                        .total = 5,
                        .rows = rows,
                        .y = y,
                        .f = f};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.background = &b;
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    assert_non_null(strstr(gpa_text_data(t), "2.8 sigma; farther off than 3 of"));
    assert_non_null(strstr(gpa_text_data(t), "4 other rows)."));
    gpa_text_free(t);
    accuse(e, GPA_VERDICT_INPUT);
    e->culprit.plausible_rows = 2; /* a sample of them */
    t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    assert_non_null(strstr(gpa_text_data(t), "judged with 2 of 4 other rows to say"));
    gpa_text_free(t);
    b.f = y; /* the others are all on the spot */
    t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    assert_non_null(strstr(gpa_text_data(t), "farther off than all"));
    gpa_text_free(t);
    b.total = 6; /* not all of them are known */
    t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    assert_null(strstr(gpa_text_data(t), "farther off"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* Distributions that hardly differ from the prior are not passed off as findings. */
static void little_learnt_is_said(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.width = 1000;
    static const struct {
        double nats[3];
        const char *text; /* NULL: nothing */
    } cases[] = {
        {{0.25, 0.25, 0.25}, NULL},
        {{0.01, 0.25, 0.25}, "says hardly anything about age: its distribution stays"},
        {{0.01, 0.25, 0.02}, "says hardly anything about s<5> and age: their"},
        {{0.01, 0.02, 0.02}, "says hardly anything about the inputs: every"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t k = 0; k < 3; k++)
            e->marginals[k].information = cases[i].nats[k];
        gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
        char *said = strdup(gpa_text_data(t));
        for (char *p = said; *p != '\0'; p++)
            *p = *p == '\n' ? ' ' : *p;
        if (cases[i].text == NULL)
            assert_null(strstr(said, "hardly"));
        else
            assert_non_null(strstr(said, cases[i].text));
        free(said);
        gpa_text_free(t);
    }
    gpa_explanation_free(e);
}

/* An input that may not move has no probability and no interval to show. */
static void what_is_held_says_so(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    e->marginals[0] = (gpa_marginal){.grid = e->grid, .density = e->density};
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, e, 1);
    const char *age = strstr(gpa_text_data(t), "\n  age");
    assert_non_null(age);
    assert_true(strstr(age, "held\n") == strchr(age + 1, '\n') - 4);
    gpa_text_free(t);
    t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    assert_non_null(strstr(gpa_text_data(t), "<td>held</td>"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

static size_t times(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)) != NULL; p += strlen(what))
        n++;
    return n;
}

/* Every element that is opened is closed; of scripts there is only the page's own. */
static void assert_whole(const char *text)
{
    static const char *const tags[] = {
        "section", "svg",   "figure", "table", "details", "main", "summary", "div",
        "tr",      "tbody", "dl",     "text",  "script",  "pre",  "h2",      "style"};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        char open[20], spaced[20], close[20];
        snprintf(open, sizeof open, "<%s>", tags[i]);
        snprintf(spaced, sizeof spaced, "<%s ", tags[i]);
        snprintf(close, sizeof close, "</%s>", tags[i]);
        assert_int_equal(times(text, open) + times(text, spaced), times(text, close));
    }
    assert_int_equal(times(text, "<script"), 1);
    assert_int_equal(times(text, "<style"), 1);
    assert_int_equal(times(text, "style=\""), 0);
    assert_null(strstr(text, "nan\""));
}

static void page_is_escaped_and_closed(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.target = "<img src=x onerror=alert(1)>";
    info.model_spec = "\"><script>";
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 2);
    const char *text = gpa_text_data(t);
    assert_whole(text);
    assert_int_equal(times(text, "<img"), 0);
    assert_int_equal(times(text, "s<5>"), 0);
    assert_int_equal(times(text, "<svg"), 2 * 2); /* two widths of the ridges, twice */
    gpa_text_free(t);
    /* with culprits: a bar for each of three inputs and the outcome, which is where its
     * probability puts it, the changes alone, and no % at the start of a line */
    accuse(e, GPA_VERDICT_OUTPUT);
    t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    text = gpa_text_data(t);
    assert_whole(text);
    assert_int_equal(times(text, "<svg class=\"bar\""), 4);
    assert_int_equal(times(text, "<svg class=\"strip\""), 4);
    assert_int_equal(times(text, "<svg class=\"key\""), 4); /* the legend */
    assert_int_equal(times(text, "<svg"), 4 + 4 + 4 + 2);
    assert_int_equal(times(text, "<img") + times(text, "s<5>"), 0);
    const char *bmi = strstr(text, "scope=\"row\">bmi"),
               *y = strstr(text, "scope=\"row\">observed &#60;img");
    assert_true(bmi != NULL && bmi < y &&
                y < strstr(text, "scope=\"row\">s&#60;5&#62;"));
    assert_non_null(strstr(text, "<h2>The first suspect is the observed "));
    assert_non_null(strstr(text, "(20&#160;%)"));
    /* bmi: -1.5 units of 2 at 11.5, 90 % between -2.5 and -0.5 of them */
    assert_non_null(
        strstr(text, "<td class=\"p\">72&#160;%</td><td class=\"now\">11.5<"));
    assert_non_null(strstr(
        text, "<span class=\"v\">8.50</span> <span class=\"iv\">6.50 … 10.50</span>"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* Behind names from right to left a mark leads back, but not between two such words. */
static void page_goes_on_to_the_right(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, false);
    gpa_report_info info = named();
    info.target = "\u05d0\u05d1 \u05d2";
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    assert_non_null(
        strstr(gpa_text_data(t), "\u05d0\u05d1 \u05d2&#8206; = 99 was observed"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* The policy allows this very style and script: digests by nettle itself. */
static void assert_allowed(const char *text, const char *tag)
{
    char open[12], close[12], want[80] = "'sha256-";
    snprintf(open, sizeof open, "<%s>", tag);
    snprintf(close, sizeof close, "</%s>", tag);
    const char *from = strstr(text, open) + strlen(open), *to = strstr(from, close);
    uint8_t sum[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, (size_t)(to - from), (const uint8_t *)from);
    sha256_digest(&context, sizeof sum, sum);
    base64_encode_raw(want + strlen(want), sizeof sum, sum);
    strcat(want, "'");
    const char *policy = strstr(text, "Content-Security-Policy");
    char *line = strndup(policy, strcspn(policy, "\n"));
    assert_non_null(strstr(line, "content=\"default-src 'none'; "));
    assert_non_null(strstr(line, want));
    assert_null(strstr(line, "unsafe"));
    free(line);
}

static void page_allows_only_itself(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    assert_allowed(gpa_text_data(t), "style");
    assert_allowed(gpa_text_data(t), "script");
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* Of many cases those that found something have pictures, wherever they stand. */
static void pictures_of_what_was_found(void **state)
{
    (void)state;
    enum { MANY = 40 };
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.explanations = MANY;
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    accuse(e, GPA_VERDICT_NORMAL);
    assert_int_equal(gpa_report_begin(t, GPA_FORMAT_HTML, &info, e, NULL), GPA_OK);
    for (size_t i = 0; i < MANY; i++) {
        accuse(e, i == MANY - 2 ? GPA_VERDICT_TIED : GPA_VERDICT_NORMAL);
        assert_int_equal(gpa_report_explanation(t, GPA_FORMAT_HTML, &info, e, i, NULL),
                         GPA_OK);
    }
    assert_int_equal(gpa_report_end(t, GPA_FORMAT_HTML, &info, NULL), GPA_OK);
    assert_int_equal(times(gpa_text_data(t), "class=\"gpa-plot\""), 2);
    const char *found = strstr(gpa_text_data(t), "id=\"case-38\"");
    const char *plot = strstr(gpa_text_data(t), "class=\"gpa-plot\"");
    assert_true(found != NULL && plot > found);
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* Few cases are unfolded, many are not; the first of them have pictures. */
static void page_folds_many_cases(void **state)
{
    (void)state;
    enum { MANY = 40, PICTURED = 16 };
    static const struct {
        size_t cases, told, open;
    } counts[] = {{1, 1, 1}, {3, 3, 3}, {4, 4, 0}, {MANY, MANY, 0}, {2, 0, 1}};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        info.explanations = counts[i].told;
        gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, counts[i].cases);
        const char *text = gpa_text_data(t);
        size_t cases = counts[i].cases, full = cases < PICTURED ? cases : PICTURED;
        assert_whole(text);
        assert_int_equal(times(text, "<details class=\"case"), cases);
        assert_int_equal(times(text, " open>"), counts[i].open);
        assert_int_equal(times(text, "class=\"gpa-plot\""), 2 * full);
        assert_int_equal(times(text, "class=\"spark\""), 3 * (cases - full));
        assert_int_equal(times(text, "<h2>bmi is 3.0 too high"), cases);
        assert_int_equal(times(text, " one\""), cases == 1);
        assert_int_equal(times(text, "class=\"legend\""), 1);
        assert_int_equal(times(text, "class=\"sum\""), cases > 3);
        if (cases > 3)
            assert_non_null(strstr(text, "name an input.</h2>"));
        gpa_text_free(t);
    }
    gpa_explanation_free(e);
}

/* A summary counts rows by their names where the first and the last have one. */
static void summary_names_its_ends(void **state)
{
    (void)state;
    enum { FIRST = 60, N = 2 };
    static const char *const names[] = {"2024-<1>", "2024-03-04"};
    static const struct {
        size_t rows[N];
        const char *want;
    } cases[] = {{{0, 63}, ">rows 2024-&#60;1&#62; to 2024-03-04</th>"},
                 {{1, 63}, ">rows 0 to 63</th>"}};
    static const double x[3 * N], y[N], f[N], score[N];
    static const size_t shown[N] = {0, FIRST};
    const gpa_background rows = {.struct_size = sizeof rows,
                                 .n = N,
                                 .d = 3,
                                 .total = 64,
                                 .rows = shown,
                                 .x = x,
                                 .y = y,
                                 .f = f,
                                 .score = score};
    gpa_explanation *e = made(1, true);
    accuse(e, GPA_VERDICT_INPUT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_report_info info = named();
        info.ids = names;
        info.id_rows = cases[i].rows;
        info.n_ids = N;
        info.background = &rows;
        info.explanations = 5;
        gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 5);
        if (strstr(gpa_text_data(t), cases[i].want) == NULL)
            fail_msg("no '%s'", cases[i].want);
        gpa_text_free(t);
    }
    gpa_explanation_free(e);
}

/* What a summary counts twice it says, and a tie with the outcome is none of inputs. */
static void summary_counts_add_up(void **state)
{
    (void)state;
    static const struct {
        gpa_verdict verdict;
        const char *head, *line;
    } cases[] = {{GPA_VERDICT_INPUT,
                  "5 name an input (5 of them several at once: counted at each).</h2>",
                  "5 exchanged"},
                 {GPA_VERDICT_TIED, ": 5 suspect one, not clearly.</h2>",
                  ">one input, not clearly<"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_explanation *e = made(1, true);
        gpa_report_info info = named();
        accuse(e, cases[i].verdict);
        e->culprit.n_set90 = 1;
        if (cases[i].verdict == GPA_VERDICT_INPUT) {
            e->culprit.n_likeliest = 2;
            e->culprit.likeliest[0] = 1;
            e->culprit.likeliest[1] = 2;
            e->culprit.exchanged = true;
            e->culprit.p_likeliest = 0.9;
            e->culprit_numbers[2] = 0.7;
            gpai_result_blame(e);
        }
        info.explanations = 5;
        gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 5);
        assert_non_null(strstr(gpa_text_data(t), cases[i].head));
        assert_non_null(strstr(gpa_text_data(t), cases[i].line));
        assert_null(strstr(gpa_text_data(t), "one of several inputs"));
        gpa_text_free(t);
        gpa_explanation_free(e);
    }
}

/* The answer first, then how sure it is, then, folded, everything else. */
static void page_answers_first(void **state)
{
    (void)state;
    static const char *const order[] = {
        "<h2>bmi is 3.0 too high",
        "was observed",
        "<table class=\"who\">",
        "class=\"legend\"",
        "<p class=\"note\">the search for the joint change did not converge",
        "judged with 88 other rows",
        "<details><summary>The prediction along the likeliest inputs",
        "<details><summary>All inputs at once",
        "it is for several inputs that moved together",
        "<details><summary>Settings and cost",
    };
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    add_axes(e);
    e->summary.converged = false;
    gpai_result_note(e, "the search for the joint change did not converge");
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    const char *at = gpa_text_data(t);
    assert_int_equal(times(at, "did not converge"), 1); /* said once */
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        at = strstr(at, order[i]);
        if (at == NULL)
            print_error("not behind what precedes it: %s\n", order[i]);
        assert_non_null(at);
    }
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* Of few draws nobody knows how wide a distribution is: none is shown, and that is said
 * where the answer stands. */
static void few_draws_draw_nothing(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    assert_non_null(strstr(gpa_text_data(t), "p-edge"));
    assert_non_null(strstr(gpa_text_data(t), "mean ± sd"));
    gpa_text_free(t);
    e->summary.marginals = GPA_MARGINALS_EXACT;
    e->summary.ess = 2.3;
    gpai_result_note(e, "how far it may vary is not known: 2 effective draws");
    t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    const char *text = gpa_text_data(t);
    const char *said = strstr(text, "<p class=\"note\">how far it may vary");
    assert_true(said != NULL && said < strstr(text, "<summary>All inputs at once"));
    const char *body = strstr(text, "<main>");
    assert_null(strstr(body, "p-edge"));
    assert_null(strstr(body, "mean ± sd"));
    assert_null(strstr(body, "hardly anything"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* With rows behind it the page also has a scatter of each case and all scores once,
 * each twice, wide and narrow. */
static void page_shows_the_other_rows(void **state)
{
    (void)state;
    enum { N = 700, D = 3 };
    static double x[N * D], y[N], f[N], score[N];
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < D; k++)
            x[i * D + k] = (double)(i * (k + 3) % 17);
        y[i] = (double)(i % 11);
        f[i] = y[i] + 0.5;
        score[i] = (double)i / N;
    }
    const gpa_background b = {.struct_size = sizeof b,
                              .n = N,
                              .d = D,
                              .total = N,
                              .x = x,
                              .y = y,
                              .f = f,
                              .score = score};
    static const size_t marked[1] = {63};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.background = &b;
    info.marked = marked;
    info.n_marked = 1;
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 2);
    const char *text = gpa_text_data(t);
    assert_whole(text);
    assert_int_equal(times(text, "class=\"gpa-plot\""), 2 * (2 + 2 + 1));
    assert_int_equal(times(text, "some of 700 rows"), 2);
    assert_non_null(strstr(text, "Scores of 700 rows; marked: 63"));
    assert_non_null(strstr(text, "The 30 largest as numbers"));
    assert_non_null(strstr(text, "<tr><td>699</td><td>699</td><td>6</td><td>6.5</td>"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

/* f along an input is drawn, and stands there as numbers: x = 11.5 - 4 gives 198. */
static void page_shows_profiles(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    accuse(e, GPA_VERDICT_INPUT);
    gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    size_t before = times(gpa_text_data(t), "class=\"gpa-plot\"");
    gpa_text_free(t);
    add_axes(e);
    t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    const char *text = gpa_text_data(t);
    assert_whole(text);
    assert_int_equal(times(text, "class=\"gpa-plot\""), before + 2);
    assert_int_equal(times(text, "class=\"p-curve\""), 2); /* wide and narrow */
    assert_non_null(strstr(text, "<tr><td>7.5</td><td>198</td></tr>"));
    assert_non_null(strstr(text, "<tr><td>15.5</td><td>278</td></tr>"));
    assert_null(strstr(text, "change, in its own unit"));
    assert_null(strstr(strstr(text, "<main>"), "class=\"p-seen\""));
    gpa_text_free(t);
    /* over the data: from 9 to 13, whose middle 90 % are shaded; the interval of what
     * would look normal, 6.5 to 10.5, begins before the axis, which has 8.5 */
    double x[3 * 100];
    for (size_t i = 0; i < 100; i++)
        x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 9 + 4 * (double)i / 99;
    const gpa_background b = {
        .struct_size = sizeof b, .n = 100, .d = 3, .total = 100, .x = x};
    info.background = &b;
    t = text_of(GPA_FORMAT_HTML, &info, e, 1);
    text = strstr(gpa_text_data(t), "<summary>The prediction along");
    assert_non_null(text);
    assert_int_equal(times(text, "class=\"p-seen\""), 2 * 2); /* and in the legend */
    assert_true(times(text, "class=\"p-often\"") > 20);
    assert_int_equal(times(text, "90 % of the data"), 2);
    assert_null(strstr(text, ">7</text>"));
    assert_non_null(strstr(text, ">13</text>"));
    gpa_text_free(t);
    gpa_explanation_free(e);
}

static void page_says_which_distribution(void **state)
{
    (void)state;
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    static const struct {
        gpa_marginals marginals;
        const char *text;
    } cases[] = {{GPA_MARGINALS_PAPER, "others held at their most probable values"},
                 {GPA_MARGINALS_PLUGIN, "others held at their most probable values"},
                 {GPA_MARGINALS_EXACT, "all other inputs free to change"},
                 {GPA_MARGINALS_SURROGATE, "all other inputs free to change"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        e->summary.marginals = cases[i].marginals;
        e->summary.ess = 1400.5;
        gpa_text *t = text_of(GPA_FORMAT_HTML, &info, e, 1);
        assert_non_null(strstr(gpa_text_data(t), cases[i].text));
        gpa_text_free(t);
    }
    gpa_explanation_free(e);
}

static void scores(void **state)
{
    (void)state;
    static const double y[3] = {1, 2, 3}, f[3] = {1, 0, 3.5},
                        score[3] = {0.9, 2.9, 1.04};
    static const size_t order[3] = {1, 2, 0};
    static const char *const ids[3] = {"a", "@b", "c\xFF"};
    const gpa_sample s = {.y = y, .f = f, .n = 3};
    gpa_score_list list = {.struct_size = sizeof list,
                           .sample = &s,
                           .score = score,
                           .order = order,
                           .n_shown = 3,
                           .sigma = 1,
                           .collective = (double)NAN};
    gpa_report_info info = named();
    info.ids = ids;
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_report_scores(t, GPA_FORMAT_JSON, &info, &list, NULL), GPA_OK);
    json_t *j = parse(t), *rows = json_object_get(j, "rows");
    assert_null(json_object_get(j, "collective"));
    assert_int_equal(number_at(json_array_get(rows, 0), "row", 0), 1);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(rows, 1), "id")),
        "c\xEF\xBF\xBD");
    json_decref(j);
    gpa_text_clear(t);
    assert_int_equal(gpa_report_scores(t, GPA_FORMAT_CSV, &info, &list, NULL), GPA_OK);
    assert_string_equal(gpa_text_data(t),
                        "row,id,y,f,score\n1,\"'@b\",2,0,2.9\n"
                        "2,\"c\xEF\xBF\xBD\",3,3.5,1.04\n0,a,1,1,0.9\n");
    assert_int_equal(gpa_report_scores(t, GPA_FORMAT_HTML, &info, &list, NULL),
                     GPA_UNSUPPORTED);
    const size_t outside = 3;
    list.order = &outside;
    list.n_shown = 1;
    assert_int_equal(gpa_report_scores(t, GPA_FORMAT_CSV, &info, &list, NULL),
                     GPA_INVALID);
    gpa_text_free(t);
}

static void bad_arguments(void **state)
{
    (void)state;
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    gpa_error err;
    assert_int_equal(gpa_report_begin(NULL, GPA_FORMAT_JSON, NULL, NULL, &err),
                     GPA_INVALID);
    assert_int_equal(gpa_report_begin(t, (gpa_format)9, NULL, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_report_explanation(t, GPA_FORMAT_JSON, NULL, NULL, 0, &err),
                     GPA_INVALID);
    assert_int_equal(gpa_report_scores(t, GPA_FORMAT_JSON, NULL, NULL, &err),
                     GPA_INVALID);
    gpa_score_list list = {0}; /* without its _init */
    assert_int_equal(gpa_report_scores(t, GPA_FORMAT_JSON, NULL, &list, &err),
                     GPA_INVALID);
    assert_non_null(strstr(err.message, "gpa_score_list_init"));
    gpa_background b = {0};
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.background = &b;
    assert_int_equal(gpa_report_begin(t, GPA_FORMAT_JSON, &info, NULL, &err),
                     GPA_INVALID);
    assert_non_null(strstr(err.message, "gpa_background_init"));
    gpa_background_init(&b);
    gpa_score_list_init(&list);
    assert_int_equal(b.struct_size, sizeof b);
    assert_true(isnan(list.collective) && list.struct_size == sizeof list);
    assert_int_equal(gpa_report_begin(t, GPA_FORMAT_JSON, &info, NULL, &err), GPA_OK);
    gpa_text_free(t);
}

/* Every allocation of every report fails in turn, once and for ever: a status, the text
 * as it was before the failing piece, and the next report is as good as ever. Pages are
 * written with pictures and without. */
static void every_allocation_fails(void **state)
{
    (void)state;
    static const double x[6] = {1, 2, 3, 4, 5, 6}, y[2] = {0, 99}, f[2] = {1, 238};
    const gpa_background b = {.struct_size = sizeof b,
                              .n = 2,
                              .d = 3,
                              .total = 2,
                              .x = x,
                              .y = y,
                              .f = f,
                              .score = y};
    gpa_explanation *e = made(1, true);
    gpa_report_info info = named();
    info.background = &b;
    accuse(e, GPA_VERDICT_TIED);
    add_axes(e);
    for (int i = GPA_FORMAT_TABLE; i <= GPA_FORMAT_HTML + 1; i++) {
        bool bare = i > GPA_FORMAT_HTML;
        gpa_format format = bare ? GPA_FORMAT_HTML : (gpa_format)i;
        gpa_text *want = NULL;
        if (bare) {
            accuse(e, GPA_VERDICT_NORMAL);
            info.explanations = 40;
        }
        assert_int_equal(gpa_text_new(&want, NULL), GPA_OK);
        assert_int_equal(report(want, format, &info, e, 2), GPA_OK);
        for (int for_ever = 0; for_ever <= 1; for_ever++) {
            gpa_status st = GPA_NOMEM;
            for (size_t k = 1; st != GPA_OK; k++) {
                assert_true(k < 10000);
                gpa_text *t = NULL;
                gpai_alloc_fail_at(k, for_ever != 0);
                st = gpa_text_new(&t, NULL);
                if (st == GPA_OK)
                    st = report(t, format, &info, e, 2);
                gpai_alloc_fail_at(0, false);
                assert_true(st == GPA_OK || st == GPA_NOMEM);
                if (t != NULL && st != GPA_OK) {
                    gpa_text_clear(t);
                    assert_int_equal(report(t, format, &info, e, 2), GPA_OK);
                }
                if (t != NULL)
                    assert_string_equal(gpa_text_data(t), gpa_text_data(want));
                gpa_text_free(t);
            }
        }
        gpa_text_free(want);
    }
    gpa_explanation_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(json_has_reasons_for_what_is_missing),
        cmocka_unit_test(json_of_nothing),
        cmocka_unit_test(verdicts_in_words),
        cmocka_unit_test(ideas_that_are_not_sure),
        cmocka_unit_test(ties_leave_nobody_out),
        cmocka_unit_test(partners_are_named),
        cmocka_unit_test(outcome_in_a_tie),
        cmocka_unit_test(verdicts_of_several_rows),
        cmocka_unit_test(verdict_about_a_choice),
        cmocka_unit_test(culprits_in_json_and_csv),
        cmocka_unit_test(csv_cells),
        cmocka_unit_test(table_says_it_plainly),
        cmocka_unit_test(table_accuses),
        cmocka_unit_test(answer_for_others),
        cmocka_unit_test(tables_fit_their_terminal),
        cmocka_unit_test(rank_among_the_others),
        cmocka_unit_test(little_learnt_is_said),
        cmocka_unit_test(what_is_held_says_so),
        cmocka_unit_test(page_says_which_distribution),
        cmocka_unit_test(page_is_escaped_and_closed),
        cmocka_unit_test(page_goes_on_to_the_right),
        cmocka_unit_test(page_allows_only_itself),
        cmocka_unit_test(pictures_of_what_was_found),
        cmocka_unit_test(page_folds_many_cases),
        cmocka_unit_test(summary_names_its_ends),
        cmocka_unit_test(summary_counts_add_up),
        cmocka_unit_test(page_answers_first),
        cmocka_unit_test(few_draws_draw_nothing),
        cmocka_unit_test(page_shows_the_other_rows),
        cmocka_unit_test(page_shows_profiles),
        cmocka_unit_test(scores),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
