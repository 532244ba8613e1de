#include "base/alloc.h"
#include "base/text/text.h"
#include "kinds_support.h"
#include "svg_support.h"
#include <gpa/plot.h>
#include <gpa/saved.h>
#include <jansson.h>

/* Reports of inputs of every kind. */

typedef gpa_status picture(gpa_text *t, const gpa_report_info *info,
                           const gpa_explanation *e, gpa_error *err);
static picture *const PICTURES[] = {gpa_plot_explanation, gpa_plot_explanation_forest,
                                    gpa_plot_explanation_scatter,
                                    gpa_plot_explanation_profiles};
enum { N_PICTURES = 4, FORMATS = 4 };

static struct mixed *mixed_new(void)
{
    struct mixed *m = calloc(1, sizeof *m);
    assert_non_null(m);
    mixed_make(m);
    assert_non_null(m->info.inputs);
    return m;
}

static void mixed_free(struct mixed *m)
{
    gpa_explanation_free(m->e);
    free(m);
}

static gpa_status whole(gpa_text *t, gpa_format format, const gpa_report_info *info,
                        const gpa_explanation *e, gpa_error *err)
{
    gpa_status st = gpa_report_begin(t, format, info, e, err);
    if (st == GPA_OK)
        st = gpa_report_explanation(t, format, info, e, 0, err);
    return st == GPA_OK ? gpa_report_end(t, format, info, err) : st;
}

static gpa_text *text_of(gpa_format format, const gpa_report_info *info,
                         const gpa_explanation *e)
{
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(whole(t, format, info, e, NULL), GPA_OK);
    return t;
}

static void assert_has(const gpa_text *t, const char *words)
{
    if (strstr(gpa_text_data(t), words) == NULL) {
        print_error("'%s' is not in:\n%.6000s\n", words, gpa_text_data(t));
        fail();
    }
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

/* A member is this JSON. */
static void assert_json(const json_t *value, const char *want)
{
    json_t *other = json_loads(want, JSON_DECODE_ANY, NULL);
    assert_non_null(other);
    if (!json_equal(value, other)) {
        char *got = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        print_error("%s, not %s\n", got, want);
        fail();
    }
    json_decref(other);
}

static const json_t *at(const json_t *o, const char *key, size_t i)
{
    return json_array_get(json_object_get(o, key), i);
}

static void json_names_levels(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *t = text_of(GPA_FORMAT_JSON, &m->info, m->e);
    json_t *j = parse(t), *e = json_array_get(json_object_get(j, "explanations"), 0);
    const json_t *kinds = json_object_get(e, "kinds");
    assert_int_equal(json_array_size(kinds), MIXED - 2); /* two groups of two columns */
    assert_json(json_array_get(kinds, 0),
                "{\"name\":\"bmi\",\"kind\":\"number\",\"inferred\":true,\"low\":0}");
    assert_json(json_array_get(kinds, 1), "{\"name\":\"children\",\"kind\":\"whole\","
                                          "\"inferred\":true,\"low\":0,\"high\":5}");
    assert_json(json_array_get(kinds, 2),
                "{\"name\":\"region\",\"kind\":\"choice\",\"inferred\":true,\"levels\":"
                "[\"north\",\"south\",\"a \\\"b\\\", c\",\"=west\"],\"writing\":"
                "\"text\"}");
    assert_json(json_array_get(kinds, 3),
                "{\"name\":\"smoker\",\"kind\":\"choice\",\"inferred\":true,\"levels\":"
                "[\"no\",\"yes\"],\"columns\":[\"smoker_no\",\"smoker_yes\"]}");
    assert_json(json_array_get(kinds, 4), "{\"name\":\"sex\",\"kind\":\"flag\","
                                          "\"inferred\":false,\"levels\":[1,2]}");
    assert_json(json_array_get(kinds, 5),
                "{\"name\":\"load\",\"kind\":\"number\",\"inferred\":true,"
                "\"missing_code\":-999}");
    assert_json(json_array_get(kinds, 6),
                "{\"name\":\"day\",\"kind\":\"number\",\"inferred\":true,"
                "\"whole\":true,\"writing\":\"date\"}");
    assert_json(json_array_get(kinds, 8),
                "{\"name\":\"fuel\",\"kind\":\"choice\",\"inferred\":true,\"levels\":"
                "[\"none of them\",\"gas\",\"fuel_oil\"],\"columns\":[\"fuel_gas\","
                "\"fuel_oil\"]}");
    assert_json(at(e, "x", 0), "[30.25,3,\"north\",0,1,2,null,\"2024-02-29\",\"K-17\","
                               "0,0,\"city 5\"]");
    assert_json(json_object_get(e, "moved"),
                "[27.25,3,\"south\",1,0,2,null,\"2024-02-29\",\"K-17\",0,0,"
                "\"city 5\"]");
    assert_json(json_object_get(e, "delta_raw"),
                "[-3,0,null,1,-1,0,0,0,null,0,0,null]");
    assert_true(json_is_string(json_object_get(e, "delta_reason")));
    assert_json(
        json_object_get(e, "notes"),
        "[\"taken as: children whole numbers 0-5; region one of 4\",\"the model "
        "is off by 20 on average\",\"its own note\"]");
    json_decref(j);
    gpa_text_free(t);
    mixed_free(m);
}

static void json_says_what_looks_normal(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *t = text_of(GPA_FORMAT_JSON, &m->info, m->e);
    json_t *j = parse(t), *e = json_array_get(json_object_get(j, "explanations"), 0);
    const json_t *c = json_object_get(e, "culprit");
    assert_json(json_object_get(c, "set90"),
                "[\"smoker_no\",\"smoker_yes\",\"region\"]");
    for (size_t k = SMOKER_NO; k <= SMOKER_YES; k++) { /* its columns repeat it */
        const json_t *alone = at(c, "alone", k);
        assert_json(json_object_get(alone, "level"), "\"no\"");
        assert_json(json_object_get(alone, "levels"),
                    "[{\"level\":\"no\",\"probability\":1},{\"level\":\"yes\","
                    "\"probability\":0}]");
        assert_true(json_is_null(json_object_get(alone, "median")));
        assert_true(json_is_string(json_object_get(alone, "median_reason")));
    }
    /* 1 + 1/2 + 1/4 of the three others */
    assert_true(fabs(json_number_value(json_object_get(
                         at(at(c, "alone", REGION), "levels", 1), "probability")) -
                     1 / 1.75) < 1e-12);
    assert_json(json_object_get(at(c, "alone", SEX), "level"), "1");
    const json_t *bmi = at(c, "alone", BMI);
    assert_json(json_object_get(bmi, "value"), "24.25"); /* 30.25 - 6 */
    assert_json(json_object_get(bmi, "value_interval90"), "[21.25,27.25]");
    assert_json(json_object_get(at(c, "alone", DAY), "value"), "\"2024-01-30\"");
    assert_json(json_object_get(at(c, "alone", LOAD), "value"), "3.2");
    assert_json(json_object_get(at(c, "alone", LOAD), "missing"), "true");
    const json_t *region = at(e, "marginals", REGION);
    assert_true(json_is_null(json_object_get(region, "map")));
    assert_true(json_is_null(json_object_get(region, "density")));
    assert_json(json_object_get(region, "information"), "0.25");
    assert_int_equal(json_array_size(json_object_get(region, "levels")), REGIONS);
    assert_json(json_object_get(at(e, "profiles", 2), "levels"),
                "[\"north\",\"south\",\"a \\\"b\\\", c\",\"=west\"]");
    assert_json(json_object_get(at(e, "profiles", 3), "feature"), "\"smoker\"");
    assert_non_null(json_object_get(at(e, "profiles", 5), "values")); /* of a gap */
    assert_json(json_array_get(at(json_object_get(j, "background"), "x", 1), REGION),
                "\"south\"");
    json_decref(j);
    gpa_text_free(t);
    mixed_free(m);
}

/* Makes input k the first suspect and compares what is said. */
static void assert_accused(struct mixed *m, size_t k, const char *want)
{
    double *p = m->e->culprit_numbers;
    for (size_t i = 0; i < MIXED; i++)
        p[i] = i == k ? 0.9 : 0.01;
    m->e->culprit.first = k;
    gpai_result_blame(m->e);
    gpa_text *t = text_of(GPA_FORMAT_JSON, &m->info, m->e);
    json_t *j = parse(t), *e = json_array_get(json_object_get(j, "explanations"), 0);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(e, "verdict"), "text")),
        want);
    json_decref(j);
    gpa_text_free(t);
}

static void verdicts_name_levels(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    assert_accused(m, LOAD,
                   "load is missing; 3.20 would come nearer, but still be 5 sigma "
                   "off; 72 % that it is responsible.");
    m->e->summary.sigma = 1200; /* all of these are near enough */
    assert_accused(m, REGION,
                   "region 'south' instead of 'north' would look normal; "
                   "72 % that it is responsible.");
    assert_accused(m, SMOKER_NO,
                   "smoker: no instead of yes would look normal; 72 % "
                   "that it is responsible.");
    assert_accused(m, SEX,
                   "sex 1 instead of 2 would look normal; 72 % that it is "
                   "responsible.");
    assert_accused(m, FUEL_GAS,
                   "fuel: gas instead of none of them would look normal; "
                   "72 % that it is responsible.");
    assert_accused(
        m, LOAD,
        "load is missing; 3.20 would look normal; 72 % that it is responsible.");
    assert_accused(m, DAY,
                   "day is too late for this outcome: 2024-01-30 instead of "
                   "2024-02-29 would look normal (1 times its spread); 72 % "
                   "that it is responsible.");
    m->e->unit[CHILDREN] = 1;
    m->e->alone[CHILDREN].value = 0.75; /* a median between steps */
    assert_accused(m, CHILDREN,
                   "children is 2 too high for this outcome: 1 instead of "
                   "3 would look normal; 72 % that it is responsible.");
    m->e->culprit.verdict = GPA_VERDICT_TIED;
    m->e->culprit_numbers[SMOKER_NO] = m->e->culprit_numbers[SMOKER_YES] = 0.5;
    m->e->culprit.n_set90 = 3;
    double *p = m->e->culprit_numbers;
    for (size_t i = 0; i < MIXED; i++)
        p[i] = i == SMOKER_NO || i == SMOKER_YES ? 0.5 : i == REGION ? 0.25 : 0.01;
    m->e->culprit.first = SMOKER_YES;
    gpai_result_blame(m->e);
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &m->info, m->e);
    assert_has(
        t, "row 7: smoker (40 %) and region (20 %) cannot be told apart: smoker: no "
           "instead of yes or\nregion 'south' instead of 'north' would look "
           "normal");
    gpa_text_free(t);
    mixed_free(m);
}

/* One line for each input as the user sees it; what holds for the table stands once. */
static void table_of_kinds(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &m->info, m->e);
    assert_true(strncmp(gpa_text_data(t), "row 7: smoker: no instead of yes", 32) == 0);
    assert_has(t, "  note: its own note\n  note: taken as: children");
    assert_has(t, "\n  note: the model is off by 20 on average\n");
    assert_has(t,
               "\n  smoker                     yes  72 % ████▌                  no\n");
    assert_has(t, "\n  load                   missing   5 % ▌                    3.20");
    assert_has(t, "\n  day                 2024-02-29   1 %                2024-01-30");
    assert_null(strstr(gpa_text_data(t), "smoker_"));
    gpa_text_clear(t);
    m->info.ascii = m->info.verbose = true;
    assert_int_equal(whole(t, GPA_FORMAT_TABLE, &m->info, m->e, NULL), GPA_OK);
    assert_has(t, "-> no");
    assert_has(t, "responsible: the probability that this input is at fault");
    for (const char *p = gpa_text_data(t); *p != '\0'; p++)
        assert_true(*p == '\n' || (*p >= ' ' && *p <= '~'));
    gpa_text_free(t);
    mixed_free(m);
}

static void csv_of_kinds(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *t = text_of(GPA_FORMAT_CSV, &m->info, m->e);
    assert_has(t,
               "x,responsible,value_normal,value_low,value_high,level_normal,verdict,"
               "p_output,delta,");
    assert_has(t,
               "\n7,7,region,north,0.064,,,,south,input,0.2,,,,,,,,,,0.25,1,1200,2400,"
               "1300,9.5,true,0.08,0.08,,,,,,\n");
    assert_has(t,
               "\n7,7,smoker_no,0,0.7200000000000001,,,,no,input,0.2,1,1,,,,,,,,0.25,"
               "1,1200,2400,1300,9.5,true,0.9,0.9,,,,,,\n");
    assert_has(t, "\n7,7,smoker_yes,1,0.7200000000000001,,,,no,input,0.2,-1,-1,");
    assert_has(t, ",0.048,3.2,2.5,4,,input,0.2,"); /* the gap */
    assert_has(t, ",0.008,2024-01-30,2024-01-15,2024-02-14,,input,0.2,");
    assert_has(t, "\n7,7,code,K-17,0,,,,,input,0.2,,,");
    m->e->alone[REGION].best = 2;
    gpa_text_clear(t);
    assert_int_equal(whole(t, GPA_FORMAT_CSV, &m->info, m->e, NULL), GPA_OK);
    assert_has(t, ",0.064,,,,\"a \"\"b\"\", c\",input,");
    m->e->alone[REGION].best = 3; /* no formula of a spreadsheet */
    gpa_text_clear(t);
    assert_int_equal(whole(t, GPA_FORMAT_CSV, &m->info, m->e, NULL), GPA_OK);
    assert_has(t, ",0.064,,,,\"'=west\",input,");
    gpa_text_free(t);
    mixed_free(m);
}

/* Every text of a picture. */
static bool picture_says(const gpa_text *t, const char *words)
{
    svg s = svg_read(gpa_text_data(t));
    bool found = false;
    for (size_t i = 0; i < s.count && !found; i++)
        found = strcmp(s.e[i].name, "text") == 0 && strcmp(s.e[i].text, words) == 0;
    svg_free(&s);
    return found;
}

static size_t picture_count(const gpa_text *t, const char *name, const char *class)
{
    svg s = svg_read(gpa_text_data(t));
    size_t count = 0;
    for (size_t i = 0; i < s.count; i++)
        count += strcmp(s.e[i].name, name) == 0 && strcmp(s.e[i].class, class) == 0;
    svg_free(&s);
    return count;
}

static void pictures_name_levels(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_explanation(t, &m->info, m->e, NULL), GPA_OK);
    static const char *const ridge[] = {"smoker", "no",          "yes",  "=west",
                                        "→ no",   "stays",       "0.67", "52 others",
                                        "now",    "none of them"};
    for (size_t i = 0; i < sizeof ridge / sizeof *ridge; i++)
        assert_true(picture_says(t, ridge[i]));
    assert_int_equal(picture_count(t, "rect", "p-pos"), 2); /* two choices move */
    gpa_text_clear(t);
    assert_int_equal(gpa_plot_explanation_forest(t, &m->info, m->e, NULL), GPA_OK);
    assert_true(picture_says(t, "→ south"));
    gpa_text_clear(t);
    assert_int_equal(gpa_plot_explanation_profiles(t, &m->info, m->e, NULL), GPA_OK);
    assert_true(picture_says(t, "load"));
    assert_true(picture_says(t, "south"));
    /* twelve of the cities, and all others */
    assert_int_equal(picture_count(t, "rect", "p-area p-pos") +
                         picture_count(t, "rect", "p-area p-neg"),
                     2 + REGIONS + 2 + 3 + 12);
    gpa_text_clear(t);
    assert_int_equal(gpa_plot_explanation_scatter(t, &m->info, m->e, NULL), GPA_OK);
    assert_true(picture_says(t, "52 others"));
    assert_has(t, "row 7: region north → south");
    gpa_text_free(t);
    mixed_free(m);
}

/* Groups that nobody named, of columns with and without names; and one that is held. */
static void groups_without_names(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    for (size_t k = SMOKER_NO; k <= SMOKER_YES; k++)
        m->inputs[k].name = m->inputs[k].label = NULL;
    assert_accused(m, SMOKER_NO,
                   "smoker_no/smoker_yes: smoker_no instead of smoker_yes would look "
                   "normal; 72 % that it is responsible.");
    m->features[SMOKER_YES] = "a name too long to be shown beside another one";
    assert_accused(m, SMOKER_NO,
                   "smoker_no: smoker_no instead of a name too long to be s… would "
                   "look normal; 72 % that it is responsible.");
    m->info.features = NULL;
    assert_accused(m, SMOKER_NO,
                   "x4: x4 instead of x5 would look normal; 72 % that it "
                   "is responsible.");
    m->info.features = m->features;
    for (size_t k = FUEL_GAS; k <= FUEL_OIL; k++) {
        m->inputs[k].kind = GPA_KIND_HELD;
        m->e->alone[k] = (gpa_alone){.levels = 0};
        m->e->marginals[k] = (gpa_marginal){.levels = 0};
        m->e->axes[k].points = 0;
    }
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &m->info, m->e);
    assert_has(t, "\n  fuel ");
    assert_null(strstr(gpa_text_data(t), "fuel_"));
    gpa_text_free(t);
    for (int f = 0; f < FORMATS; f++)
        gpa_text_free(text_of((gpa_format)f, &m->info, m->e));
    mixed_free(m);
}

/* f at 29 February 2024 and a hundred days before. */
static void axes_of_dates(void **state)
{
    (void)state;
    double day = mixed_days();
    const double x[] = {day - 100, day}, y[] = {1, 2};
    const char *const names[] = {"day"};
    gpa_input kind = {.writing = GPA_WRITING_DATE};
    gpa_scatter_plot p;
    gpa_scatter_plot_init(&p);
    p.n = 2;
    p.d = 1;
    p.x = x;
    p.y = y;
    p.names = names;
    p.kinds = &kind;
    p.width = 500;
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_scatter(t, &p, NULL), GPA_OK);
    assert_has(t, ">2024-01-"); /* day 19723 is 2024-01-01 */
    kind.writing = GPA_WRITING_TIME;
    gpa_text_clear(t);
    const double seconds[] = {86400 * day, 86400 * day + 7200};
    p.x = seconds;
    assert_int_equal(gpa_plot_scatter(t, &p, NULL), GPA_OK);
    assert_has(t, ">02-29 0");
    gpa_text_free(t);
}

/* Where every input is a number, kinds change nothing that people see. */
static void numbers_stay_as_they_were(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    for (size_t k = 0; k < MIXED; k++) {
        m->inputs[k] = (gpa_input){.low = 0, .high = (double)NAN, .missing = 5};
        m->e->x[k] = m->x[7 * MIXED + k] = (double)k + 0.5;
        m->e->marginals[k] = m->e->marginals[BMI];
        m->e->axes[k] = (gpa_axis){.points = 0};
        for (size_t i = 2; i < 5; i++)
            m->e->culprit_numbers[i * MIXED + k] = -1 - (double)i / 8;
        double u = m->e->unit[k], raw = m->e->culprit.median[k] * u;
        m->e->alone[k] = (gpa_alone){.value = m->e->x[k] + raw,
                                     .low = m->e->x[k] + m->e->culprit.low[k] * u,
                                     .high = m->e->x[k] + m->e->culprit.high[k] * u};
    }
    gpa_report_info without = m->info;
    without.inputs = NULL;
    for (int f = 0; f < FORMATS; f++) {
        if (f == GPA_FORMAT_JSON || f == GPA_FORMAT_HTML) /* has its digest */
            continue;
        gpa_text *a = text_of((gpa_format)f, &m->info, m->e);
        gpa_text *b = text_of((gpa_format)f, &without, m->e);
        assert_string_equal(gpa_text_data(a), gpa_text_data(b));
        for (size_t i = 0; i < N_PICTURES; i++) {
            gpa_text_clear(a);
            gpa_text_clear(b);
            assert_int_equal(PICTURES[i](a, &m->info, m->e, NULL), GPA_OK);
            assert_int_equal(PICTURES[i](b, &without, m->e, NULL), GPA_OK);
            assert_string_equal(gpa_text_data(a), gpa_text_data(b));
        }
        gpa_text_free(a);
        gpa_text_free(b);
    }
    mixed_free(m);
}

/* Rows that are explained together need not have the same level. */
static void several_rows(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_explanation *one = m->e, *e = NULL;
    assert_int_equal(gpai_result_new(&e, 2, MIXED, CURVE, NULL), GPA_OK);
    m->e = e;
    mixed_rows(m);
    memcpy(e->x + MIXED, e->x, MIXED * sizeof *e->x);
    e->x[MIXED + REGION] = 2;
    e->rows[1] = 9;
    e->y[1] = e->f[1] = e->f_moved[1] = e->score[1] = e->b[1] = 1;
    mixed_accuse(m, GPA_VERDICT_INPUT);
    mixed_marginals(m);
    mixed_alone(m);
    assert_accused(m, REGION,
                   "region 'south' would look normal in some of the 2 rows; 72 % "
                   "that it is responsible.");
    assert_accused(m, SMOKER_NO,
                   "smoker: no instead of yes would look normal in all 2 "
                   "rows; 72 % that it is responsible.");
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &m->info, e);
    assert_has(t, "\n  region                 several");
    gpa_text_free(t);
    for (int f = 0; f < FORMATS; f++)
        gpa_text_free(text_of((gpa_format)f, &m->info, e));
    gpa_explanation_free(one);
    mixed_free(m);
}

/* All formats and pictures of a saved result. */
static gpa_status read_all(const char *text, size_t n, gpa_text *t, gpa_error *err)
{
    gpa_saved *s = NULL;
    gpa_explanation *e = NULL;
    gpa_status st = gpa_saved_parse(&s, text, n, "saved", err);
    if (st == GPA_OK)
        st = gpa_saved_explanation(&e, s, 0, err);
    for (int f = 0; f < FORMATS && st == GPA_OK; f++)
        st = whole(t, (gpa_format)f, gpa_saved_info(s), e, err);
    for (size_t i = 0; i < N_PICTURES && st == GPA_OK; i++)
        st = PICTURES[i](t, gpa_saved_info(s), e, err);
    gpa_explanation_free(e);
    gpa_saved_free(s);
    return st;
}

static void saved_results_are_the_same(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *json = text_of(GPA_FORMAT_JSON, &m->info, m->e), *want = NULL,
             *got = NULL;
    assert_int_equal(gpa_text_new(&want, NULL), GPA_OK);
    assert_int_equal(gpa_text_new(&got, NULL), GPA_OK);
    for (int f = 0; f < FORMATS; f++)
        assert_int_equal(whole(want, (gpa_format)f, &m->info, m->e, NULL), GPA_OK);
    for (size_t i = 0; i < N_PICTURES; i++)
        assert_int_equal(PICTURES[i](want, &m->info, m->e, NULL), GPA_OK);
    gpa_error err = {0};
    if (read_all(gpa_text_data(json), gpa_text_length(json), got, &err) != GPA_OK)
        print_error("%s\n", err.message);
    assert_string_equal(gpa_text_data(got), gpa_text_data(want));
    gpa_text_free(got);
    gpa_text_free(want);
    gpa_text_free(json);
    mixed_free(m);
}

/* Replaces the first `what` behind `from` and reads that; the message must say `why`.
 */
static void assert_refused(const gpa_text *json, const char *what, const char *by,
                           const char *why)
{
    const char *data = gpa_text_data(json), *spot = strstr(data, what);
    gpa_text *t = NULL, *got = NULL;
    gpa_error err = {0};
    assert_non_null(spot);
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_text_new(&got, NULL), GPA_OK);
    gpai_text_bytes(t, data, (size_t)(spot - data));
    gpai_text_add(t, by);
    gpai_text_add(t, spot + strlen(what));
    assert_int_equal(read_all(gpa_text_data(t), gpa_text_length(t), got, &err),
                     GPA_DATA);
    if (strstr(err.message, why) == NULL) {
        print_error("'%s', not '%s'\n", err.message, why);
        fail();
    }
    gpa_text_free(got);
    gpa_text_free(t);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    gpa_text *json = text_of(GPA_FORMAT_JSON, &m->info, m->e);
    assert_refused(json, "\"kind\":\"whole\"", "\"kind\":\"odd\"",
                   "'odd' is not known");
    assert_refused(json, "\"levels\":[1,2]", "\"levels\":[2,1]", "not above");
    assert_refused(json, "\"levels\":[1,2]", "\"levels\":[\"1\",2]", "neither a level");
    assert_refused(json, "[\"no\",\"yes\"]", "[\"no\"]", "do not match");
    assert_refused(json, "[\"smoker_no\",", "[\"smoker\",", "is no input");
    assert_refused(json, "{\"name\":\"children\"", "{\"name\":\"bmi\"", "not those of");
    assert_refused(json, "\"writing\":\"date\"", "\"writing\":\"dates\"", "not text");
    assert_refused(json, "\"moved\":[27.25,3,\"south\"", "\"moved\":[27.25,3,\"x\"",
                   "neither a level");
    assert_refused(json, "null,\"2024-02-29\"", "null,\"2024-13-29\"",
                   "neither a level");
    assert_refused(json, "{\"level\":\"no\"", "{\"level\":\"No\"", "no level");
    assert_refused(json, "\"delta\":[-0.5", "\"delta\":[null", "not a number");
    assert_refused(json, "\"north\",\"south\",", "\"south\",\"south\",",
                   "there already");
    gpa_text_free(json);
    mixed_free(m);
}

static void any_byte_may_be_wrong(void **state)
{
    (void)state;
    static const char put[] = {'"', ']', '9', '-', ' '};
    struct mixed *m = mixed_new();
    m->info.background = NULL;
    gpa_text *json = text_of(GPA_FORMAT_JSON, &m->info, m->e), *t = NULL;
    size_t n = gpa_text_length(json), good = 0;
    char *text = calloc(n + 1, 1);
    assert_non_null(text);
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    const char *kinds = strstr(gpa_text_data(json), "\"kinds\"");
    size_t from = (size_t)(kinds - gpa_text_data(json));
    for (size_t i = 0; i<n; i += i> from && i < from + 900 ? 3 : 509) {
        for (size_t j = 0; j < sizeof put; j++) {
            gpa_error err = {0};
            memcpy(text, gpa_text_data(json), n);
            text[i] = put[j];
            gpa_status st = read_all(text, n, t, &err);
            good += st == GPA_OK;
            assert_true(st == GPA_OK || st == GPA_DATA || st == GPA_UNSUPPORTED);
            gpa_text_clear(t);
        }
    }
    assert_true(good > 0);
    gpa_text_free(t);
    free(text);
    gpa_text_free(json);
    mixed_free(m);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct mixed *m = mixed_new();
    m->info.background = NULL; /* as many allocations, fewer bytes */
    gpa_text *json = text_of(GPA_FORMAT_JSON, &m->info, m->e), *t = NULL;
    gpa_status st = GPA_NOMEM;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    for (size_t k = 1; st != GPA_OK; k++) {
        gpa_text_clear(t);
        gpai_alloc_fail_at(k, false);
        st = read_all(gpa_text_data(json), gpa_text_length(json), t, NULL);
        gpai_alloc_fail_at(0, false);
        assert_true(st == GPA_OK || st == GPA_NOMEM);
    }
    gpa_text_free(t);
    gpa_text_free(json);
    mixed_free(m);
}

/* The report in every format, as files for other tests. */
static int write_files(const char *folder)
{
    static const char *const names[FORMATS] = {"table", "json", "csv", "html"};
    struct mixed *m = mixed_new();
    for (int f = 0; f < FORMATS; f++) {
        char path[600];
        snprintf(path, sizeof path, "%s/mixed.%s", folder, names[f]);
        gpa_text *t = text_of((gpa_format)f, &m->info, m->e);
        FILE *out = fopen(path, "w");
        if (out == NULL || fputs(gpa_text_data(t), out) < 0 || fclose(out) != 0)
            return 1;
        gpa_text_free(t);
    }
    mixed_free(m);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_files(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_names_levels),
        cmocka_unit_test(json_says_what_looks_normal),
        cmocka_unit_test(verdicts_name_levels),
        cmocka_unit_test(table_of_kinds),
        cmocka_unit_test(csv_of_kinds),
        cmocka_unit_test(pictures_name_levels),
        cmocka_unit_test(groups_without_names),
        cmocka_unit_test(axes_of_dates),
        cmocka_unit_test(numbers_stay_as_they_were),
        cmocka_unit_test(several_rows),
        cmocka_unit_test(saved_results_are_the_same),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(any_byte_may_be_wrong),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
