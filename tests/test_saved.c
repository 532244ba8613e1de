/* Saved results with levels, dates and groups, written by hand and spoilt in every way;
 * and the first difference of two. (Numbers, pages and comparisons: test_read_json.c.)
 */
#include "support.h"

#include "report/saved/verify.h"
#include <gpa/report.h>
#include <gpa/saved.h>
#include <unistd.h>

/* Two inputs of text, a day, a time, a coded choice, and two columns of one choice. */
#define KINDS                                                                          \
    "{\"name\":\"colour\",\"kind\":\"choice\",\"writing\":\"text\",\"inferred\":true," \
    "\"levels\":[\"red\",\"blue\"]},"                                                  \
    "{\"name\":\"day\",\"kind\":\"number\",\"writing\":\"date\",\"inferred\":true,"    \
    "\"low\":\"1969-12-31\",\"high\":\"2000-02-29\"},"                                 \
    "{\"name\":\"when\",\"kind\":\"number\",\"writing\":\"time\",\"inferred\":true},"  \
    "{\"name\":\"code\",\"kind\":\"choice\",\"inferred\":false,"                       \
    "\"levels\":[\"low\",\"high\"],\"values\":[3,7],\"missing_code\":-1},"             \
    "{\"name\":\"g\",\"kind\":\"choice\",\"inferred\":true,\"columns\":"               \
    "[\"g_a\",\"g_b\"],\"levels\":[\"a\",\"b\"]}"
#define ROW "[\"blue\",\"1970-01-03\",\"1970-01-01 00:01:02.5\",7,1,0]"

static const char DOCUMENT[] =
    "{\"format\":\"gpa-explanation/1\",\"version\":\"0.0.9\","
    "\"model\":{\"spec\":\"m\",\"inputs\":6},"
    "\"features\":[\"colour\",\"day\",\"when\",\"code\",\"g_a\",\"g_b\"],"
    "\"scale\":{\"center\":[0,0,0,0,0,0],\"unit\":[1,1,1,1,1,1]},"
    "\"solver\":\"fast\",\"marginals\":\"none\",\"seed\":1,"
    "\"background\":{\"total\":2,\"rows\":[0,1],\"x\":[" ROW
    ",[\"green\",null,\"-1-01-01 00:00:00\",null,0,1]],"
    "\"y\":[1,2],\"f\":[1,2],\"score\":[0,0]},"
    "\"explanations\":[{\"rows\":[0],\"ids\":[\"0\"],\"x\":[" ROW "],"
    "\"kinds\":[" KINDS "],\"more\":[1,{\"a\":[]}]}]}";

/* A text with its first such piece replaced, which must be there; to be freed. */
static char *with(const char *old, const char *new)
{
    const char *at = strstr(DOCUMENT, old);
    assert_non_null(at);
    size_t size = sizeof DOCUMENT + strlen(new);
    char *copy = calloc(size, 1);
    assert_non_null(copy);
    snprintf(copy, size, "%.*s%s%s", (int)(at - DOCUMENT), DOCUMENT, new,
             at + strlen(old));
    return copy;
}

static gpa_saved *parsed(const char *text)
{
    gpa_saved *s = NULL;
    gpa_error err = {0};
    if (gpa_saved_parse(&s, text, strlen(text), "r.json", &err) != GPA_OK)
        fail_msg("%s", err.message);
    return s;
}

static void texts_and_dates_are_numbers(void **state)
{
    (void)state;
    gpa_saved *s = parsed(DOCUMENT);
    const gpa_background *b = gpa_saved_info(s)->background;
    const gpa_input *in = gpa_saved_info(s)->inputs;
    assert_int_equal(b->n, 2);
    /* days and seconds since 1970 */
    const double want[] = {1, 2, 62.5, 7, 1, 0};
    for (size_t k = 0; k < 6; k++)
        assert_true(b->x[k] == want[k]);
    /* a level that `kinds` does not list comes behind those; 1 BC is year 0: 719528
     * days before 1970 (the day number of MATLAB and others), a year of 365 earlier */
    assert_true(b->x[6] == 2 && isnan(b->x[7]) && isnan(b->x[9]));
    assert_true(b->x[8] == -86400.0 * (719528 + 365));
    assert_true(in[1].low == -1 && in[1].high == 11016);
    assert_int_equal(in[0].levels, 3);
    assert_string_equal(in[0].level_name[2], "green");
    assert_true(in[0].rare[2] && !in[0].rare[1]);
    assert_true(in[3].missing == -1 && in[3].level[1] == 7);
    assert_string_equal(in[3].level_name[1], "high");
    assert_true(in[4].group == 1 && in[5].group == 1);
    gpa_saved_free(s);
}

/* What a first result without kinds, or without rows, is taken as. */
static void kinds_may_be_missing(void **state)
{
    (void)state;
    char *text = with("\"kinds\":[" KINDS "],", "");
    gpa_saved *s = NULL;
    gpa_error err = {0};
    assert_int_equal(gpa_saved_parse(&s, text, strlen(text), NULL, &err), GPA_DATA);
    assert_string_equal(err.message, "result: x: entry 1 is not a number");
    free(text);
    text = with("\"x\":[" ROW "],\"kinds\"", "\"kinds\"");
    s = parsed(text); /* it is looked for where the explanation is read */
    gpa_explanation *e = NULL;
    assert_int_equal(gpa_saved_explanation(&e, s, 0, &err), GPA_DATA);
    assert_string_equal(err.message, "r.json, explanation 1: x: missing");
    assert_null(e);
    gpa_saved_free(s);
    free(text);
    /* with a byte-order mark, and an empty list of texts */
    text = with("{\"format\"", "\xef\xbb\xbf{\"format\"");
    s = parsed(text);
    assert_int_equal(gpa_saved_count(s), 1);
    gpa_saved_free(s);
    free(text);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
    } cases[] = {
        {"1970-01-03", "1970-13-03", "x: the value of input 2 is neither a level nor"},
        {"1970-01-03", "1970-00-03", "neither a level nor a date"},
        {"1970-01-03", "1970-01-32", "neither a level nor a date"},
        {"1970-01-03", "1970-01-00", "neither a level nor a date"},
        {"1970-01-03", "1970-01", "neither a level nor a date"},
        {"1970-01-03", "1970-01-", "neither a level nor a date"},
        {"1970-01-03", "1970-01-/3", "neither a level nor a date"},
        {"1970-01-03", "1970-01-:3", "neither a level nor a date"},
        {"1970-01-03", "1970-01-03 ", "neither a level nor a date"},
        {"1970-01-03", "10000000001-01-03", "neither a level nor a date"},
        {"00:01:02.5", "24:01:02.5", "the value of input 3 is neither a level nor"},
        {"00:01:02.5", "00:60:02.5", "neither a level nor a date"},
        {"00:01:02.5", "00:01:60.5", "neither a level nor a date"},
        {"00:01:02.5", "00:01:02.5x", "neither a level nor a date"},
        {"00:01:02.5", "00:01:02.1234567890123456", "neither a level nor a date"},
        {"[\"blue\",", "[true,", "x: the value of input 1 is not a number"},
        {"\"1970-01-03\"", "[]", "x: the value of input 2 is not a number"},
        {":02.5\",7,1,0]", ":02.5\",\"low\",\"x\",0]", "input 5 is neither a level"},
        {":02.5\",7,1,0]", ":02.5\",\"middle\",1,0]", "input 4 is neither a level"},
        {":02.5\",7,1,0]", ":02.5\",7,1]", "background: x has 5 inputs, expected 6"},
        {"\"values\":[3,7]", "\"values\":[3]", "kinds: levels and values do not match"},
        {"\"values\":[3,7]", "\"values\":[3,3]",
         "levels: entry 2 is not above the one before"},
        {"\"values\":[3,7]", "\"values\":[null,7]", "levels: entry 1 is not above"},
        {"\"values\":[3,7]", "\"values\":[3,\"x\"]", "levels: the value of input 4"},
        {"[\"low\",\"high\"]", "[\"low\",1]", "levels: entry 2 is not a text"},
        {"[\"low\",\"high\"]", "[\"low\",\"low\"]", "levels: entry 2 is there already"},
        {"[\"red\",\"blue\"]", "[\"red\",\"red\"]", "levels: entry 2 is there already"},
        {"[\"red\",\"blue\"]", "\"red\"", "levels: not a list"},
        {"\"writing\":\"date\"", "\"writing\":\"roman\"",
         "writing: not text, date or time"},
        {"\"kind\":\"number\"", "\"kind\":\"colour\"", "kind: 'colour' is not known"},
        {"\"missing_code\":-1", "\"missing_code\":\"-1\"",
         "missing_code: not a number"},
        {"\"low\":\"1969-12-31\"", "\"low\":\"yesterday\"",
         "low: the value of input 2 is neither a level nor a date"},
        {"\"name\":\"colour\"", "\"name\":\"color\"",
         "kinds: they are not those of the inputs"},
        {"\"name\":\"colour\",\"kind\"", "\"kind\"", "name: missing"},
        {"\"levels\":[\"a\",\"b\"]}", "\"levels\":[\"a\",\"b\"]},{\"name\":\"g_b\"}",
         "kinds: they are not those of the inputs"},
        {"[\"g_a\",\"g_b\"],\"levels\"", "[\"g_a\"],\"levels\"",
         "kinds: input 6 is not among them"},
        {"[\"g_a\",\"g_b\"],\"levels\"", "[],\"levels\"",
         "kinds: levels and columns do not match"},
        {"\"levels\":[\"a\",\"b\"]", "\"levels\":[\"a\"]",
         "kinds: levels and columns do not match"},
        {"\"levels\":[\"a\",\"b\"]", "\"levels\":[\"z\",\"a\",\"b\",\"c\"]",
         "kinds: levels and columns do not match"},
        {"\"levels\":[\"a\",\"b\"]", "\"levels\":[\"a\",2]",
         "levels: entry 2 is not a text"},
        {"[\"g_a\",\"g_b\"],\"levels\"", "[\"g_a\",\"g_c\"],\"levels\"",
         "columns: entry 2 is no input"},
        {"[\"g_a\",\"g_b\"],\"levels\"", "[\"g_a\",\"colour\"],\"levels\"",
         "columns: entry 2 is no input"},
        {"[\"g_a\",\"g_b\"],\"levels\"", "[\"g_a\",7],\"levels\"",
         "columns: entry 2 is not a text"},
        {"\"explanations\":[{\"rows\":[0],\"ids\":[\"0\"]",
         "\"explanations\":[{\"rows\":[0],\"ids\":[]",
         "rows and ids are not two lists alike"},
        {"\"explanations\":[{\"rows\":[0],", "\"explanations\":[{",
         "a result without its rows and ids"},
        {"\"more\":[1,{\"a\":[]}]}]}", "\"more\":[1,{\"a\":[]}]}]}}", "unexpected"},
        {"\"more\":[1,{\"a\":[]}]}]}", "\"more\":[1,{\"a\":[]}]}]", "unexpected"},
        {"\"more\":[1,{\"a\":[]}]", "\"more\":[1,{\"a\":[}]]", "unexpected"},
        {"\"more\":[1,{\"a\":[]}]", "\"more\":1e999", "out of range: 1e999"},
        {"\"seed\":1", "\"more\":,\"seed\":1", "unexpected: ,"},
        {"\"seed\":1", "\"more\"::", "unexpected: :"},
        {"\"seed\":1", "more:1", "more"},
        {"\"seed\":1", "7:1", "unexpected: 7"},
        {"\"seed\":1", "\"more\" 1", "unexpected: 1"},
        {"\"seed\":1", "\"more\":]", "unexpected: ]"},
        {"\"seed\":1", "\"seed\":1 1", "unexpected: 1"},
        {"}]}]}", "}]}],}", "unexpected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = with(cases[i].old, cases[i].new);
        gpa_error err = {0};
        gpa_saved *s = NULL;
        gpa_status st = gpa_saved_parse(&s, text, strlen(text), "r.json", &err);
        if (st != GPA_DATA || s != NULL || strstr(err.message, cases[i].says) == NULL)
            fail_msg("%s -> %s: status %d, %s", cases[i].old, cases[i].new, (int)st,
                     err.message);
        free(text);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    gpa_saved *s = NULL, *good = parsed(DOCUMENT);
    gpa_explanation *e = NULL;
    gpa_comparison *c = NULL;
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_saved_read(NULL, "r.json", NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_read(&s, NULL, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_parse(NULL, "", 0, NULL, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_parse(&s, NULL, 1, NULL, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_parse(&s, NULL, 0, NULL, NULL), GPA_DATA);
    assert_int_equal(gpa_saved_explanation(NULL, good, 0, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_explanation(&e, NULL, 0, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_explanation(&e, good, 1, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_comparison(NULL, good, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_comparison(&c, NULL, NULL), GPA_INVALID);
    assert_int_equal(gpa_saved_comparison(&c, good, NULL), GPA_INVALID);
    assert_int_equal(gpai_saved_difference(NULL, good, good, NULL), GPA_INVALID);
    assert_int_equal(gpai_saved_difference(t, NULL, good, NULL), GPA_INVALID);
    assert_int_equal(gpai_saved_difference(t, good, NULL, NULL), GPA_INVALID);
    assert_ptr_equal(gpai_saved_bytes(good, NULL), gpai_saved_bytes(good, NULL));
    gpa_text_free(t);
    gpa_saved_free(good);
}

/* What gpai_saved_difference says of two texts; `status` is what it gives. */
static void check_difference(const char *a, const char *b, gpa_status status,
                             const char *says)
{
    gpa_saved *p = parsed(a), *q = parsed(b);
    gpa_error err = {0};
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpai_saved_difference(t, p, q, &err), status);
    const char *got = status == GPA_OK ? gpa_text_data(t) : err.message;
    if (status == GPA_OK ? strcmp(got, says) != 0 : strstr(got, says) == NULL)
        fail_msg("'%s' instead of '%s'", got, says);
    gpa_text_free(t);
    gpa_saved_free(q);
    gpa_saved_free(p);
}

static void the_first_difference_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *new, *says;
    } cases[] = {
        {"\"more\":[1,{\"a\":[]}]", ""},
        {"\"more\":[1.0,{\"\\u0061\":[]}]", ""},
        {"\"more\":[1.5,{\"a\":[]}]", "explanations[0].more[0]: 1, now 1.5"},
        {"\"more\":[2,{\"a\":[]}]", "explanations[0].more[0]: 1, now 2"},
        {"\"more\":[{},{\"a\":[]}]", "explanations[0].more[0]: 1, now an object"},
        {"\"more\":[[],{\"a\":[]}]", "explanations[0].more[0]: 1, now a list"},
        {"\"more\":[\"1\",{\"a\":[]}]", "explanations[0].more[0]: 1, now \"1\""},
        {"\"more\":[1,{\"b\":[]}]", "explanations[0].more[1].: \"a\", now \"b\""},
        {"\"more\":[1,{\"a\":[0]}]", "explanations[0].more[1].a[0]: the end, now 0"},
        {"\"more\":[1]", "explanations[0].more[0]: more, now the end"},
        {"\"mor\\u0065\":[1,{\"a\":[null]}]",
         "explanations[0].more[1].a[0]: the end, now null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = with("\"more\":[1,{\"a\":[]}]", cases[i].new);
        check_difference(DOCUMENT, text, GPA_OK, cases[i].says);
        free(text);
    }
    char *text = with("\"version\":\"0.0.9\"", "\"version\":null");
    check_difference(DOCUMENT, text, GPA_OK, "version: \"0.0.9\", now null");
    free(text);
    char *a = with("{\"a\":[]}", "{\"a\":\"\\t\"}");
    text = with("{\"a\":[]}", "{\"a\":\"\\u0009\"}");
    check_difference(a, text, GPA_OK, ""); /* the same but for how it is written */
    free(text);
    text = with("{\"a\":[]}", "{\"a\":\"\\n\"}");
    check_difference(a, text, GPA_OK,
                     "explanations[0].more[1].a: \"\\t\", now \"\\n\"");
    free(text);
    free(a);
}

/* As deep as a reader goes, and one more than the comparison does. */
static void nesting_has_an_end(void **state)
{
    (void)state;
    char deep[256] = "\"more\":";
    for (size_t depth = 96; depth <= 98; depth++) {
        memset(deep + 7, '[', depth);
        memset(deep + 7 + depth, ']', depth);
        deep[7 + 2 * depth] = '\0';
        char *text = with("\"more\":[1,{\"a\":[]}]", deep);
        if (depth < 98)
            check_difference(text, text, GPA_OK, "");
        else
            check_difference(text, text, GPA_DATA, "nested too deep");
        free(text);
    }
}

/* A page of ours: a receipt, and the digest of every result. */
#define RECEIPT(version)                                                               \
    "<pre id=\"gpa-receipt\" class=\"r\">{&#34;format&#34;:&#34;gpa-receipt/1&#34;,"   \
    "&#34;version&#34;:" version ",&#34;full&#34;:true}</pre>\n"
#define RESULT(rows, digest) "<dd data-gpa-rows=\"" rows "\">sha256:" digest "</dd>\n"
#define PAGE(version)        "<!doctype html>\n" RECEIPT(version)

static void pages_are_compared(void **state)
{
    (void)state;
    static const char a[] = PAGE("null") RESULT("7", "aa") RESULT("8", "ab");
    static const char one[] = PAGE("&#34;1&#34;") RESULT("7", "aa") RESULT("8", "ab");
    check_difference(a, a, GPA_OK, "");
    check_difference(a, PAGE("null") RESULT("7", "aa") RESULT("8", "ac"), GPA_OK,
                     "row 8: its result digest");
    check_difference(a, PAGE("null") RESULT("7", "aaa") RESULT("8", "ab"), GPA_OK,
                     "row 7: its result digest");
    check_difference(a, PAGE("null") RESULT("7", "aa"), GPA_OK, "2 results, now 1");
    check_difference(a, PAGE("null") RESULT("7", "aa") "<dd data-gpa-rows=\"8\">md5:ab",
                     GPA_OK, "2 results, now 1");
    /* other words do not count between versions, nor where one is not known */
    check_difference(a, one, GPA_OK, "");
    check_difference(one, a, GPA_OK, "");
    check_difference(one,
                     PAGE("&#34;2&#34;") RESULT("7", "aa") RESULT("8", "ab") "more",
                     GPA_OK, "");
    check_difference(one,
                     PAGE("&#34;1&#34;") RESULT("7", "aa") RESULT("8", "ab") "more",
                     GPA_OK, "line 5 of the page");
    check_difference(one, PAGE("&#34;1&#34;") RESULT("7", "aa") " " RESULT("8", "ab"),
                     GPA_OK, "line 4 of the page");
    check_difference(one, DOCUMENT, GPA_OK, "another kind of result");
}

static void pages_may_be_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"<p>", "a page without a receipt"},
        {"<pre id=\"gpa-receipt\"", "a page without a receipt"},
        {"<pre id=\"gpa-receipt\">{}", "a page without a receipt"},
        {"<pre id=\"gpa-receipt\">{}</pre>", "format: missing"},
        {"<pre id=\"gpa-receipt\">{\"format\":\"x\"}</pre>", "not gpa-receipt/1"},
        /* what is no escape of ours stands for itself */
        {"<pre id=\"gpa-receipt\">&#34</pre>", "unexpected"},
        {"<pre id=\"gpa-receipt\">&#0;</pre>", "unexpected"},
        {"<pre id=\"gpa-receipt\">&#-34;</pre>", "unexpected"},
        {"<pre id=\"gpa-receipt\">&#200;</pre>", "unexpected"},
        {"<pre id=\"gpa-receipt\">&#;</pre>", "unexpected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_saved *s = NULL;
        gpa_error err = {0};
        assert_int_equal(
            gpa_saved_parse(&s, cases[i].text, strlen(cases[i].text), "p.html", &err),
            GPA_DATA);
        if (strstr(err.message, cases[i].says) == NULL)
            fail_msg("%s: %s", cases[i].text, err.message);
    }
    gpa_error err = {0};
    gpa_saved *s = NULL;
    assert_int_equal(gpa_saved_parse(&s, "<p>\0</p>", 8, "p.html", &err), GPA_DATA);
    assert_string_equal(err.message, "p.html: a zero byte in a page");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_dates_are_numbers),
        cmocka_unit_test(kinds_may_be_missing),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(the_first_difference_is_named),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(pages_are_compared),
        cmocka_unit_test(pages_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
