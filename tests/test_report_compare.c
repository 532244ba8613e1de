#include "svg_support.h"

#include "base/alloc.h"
#include "base/text/utf8.h"
#include "methods/consistency.h"
#include "result/attribution.h"
#include "result/comparison.h"
#include "result/explanation.h"
#include <ctype.h>
#include <gpa/gpa.h>
#include <gpa/plot.h>
#include <gpa/saved.h>
#include <jansson.h>

enum { D = 3, M = 3, ROWS = 2 };

/* A comparison made by hand: gpa and baylime on two rows, and eig, which has nothing to
 * say. The scores of the first row are 0, -2, 1/3 and 1, 4, -1. */
static gpa_comparison *made(size_t rows)
{
    static const char *const names[M] = {"gpa", "baylime", "eig"};
    static const double scores[ROWS][2][D] = {{{0, -2, 1.0 / 3}, {1, 4, -1}},
                                              {{0, 0, 0}, {0.5, 0, 0}}};
    gpa_comparison *c = NULL;
    assert_int_equal(gpai_comparison_new(&c, rows, D, M, true, NULL), GPA_OK);
    for (size_t j = 0; j < M; j++)
        c->method[j] = gpa_method_find(names[j]);
    for (size_t i = 0; i < rows; i++) {
        c->row[i] = i == 0 ? 63 : 5;
        c->y[i] = 99;
        c->f[i] = i == 0 ? 238.5 : 99;
        for (size_t j = 0; j < 2; j++) {
            gpai_compared *cell = gpai_comparison_cell(c, i, j);
            assert_int_equal(gpai_attribution_new(&cell->a, c->method[j], D, NULL),
                             GPA_OK);
            for (size_t k = 0; k < D; k++) {
                cell->a->score[k] = scores[i][j][k];
                cell->a->sd[k] = 0.25 * (double)(k + 1);
                cell->flipped[k] = j == 0 ? -scores[i][j][k] : scores[i][j][k];
            }
            cell->a->has_sd = j == 1;
            cell->a->rows = 100 * (j + 1) + 10 * i;
            cell->a->calls = 7;
            cell->a->converged = j == 1 || i == 0;
            cell->has_flipped = i == 0;
            cell->reacts = i == 0 ? j == 0 : -1;
            cell->agrees = true;
            cell->agreement = i == 0 ? (gpa_agreement){1, 0.5, 0.25, 1}
                                     : (gpa_agreement){(double)NAN, 1, 0.75, 0};
        }
        gpai_comparison_cell(c, i, 2)->skipped = gpai_strdup("needs \"rows\" & <more>");
    }
    gpai_attribution_note(gpai_comparison_cell(c, 0, 1)->a, "a note <b>");
    assert_int_equal(gpai_comparison_finish(c, NULL), GPA_OK);
    return c;
}

static const char *const PLAIN[D] = {"age", "bmi", "s5"};
static const char *const HOSTILE[D] = {"<b>\x1b[31m", "=1+1", "\"'\xff</td>&,"};

static gpa_report_info named(const char *const *features)
{
    gpa_report_info info;
    gpa_report_info_init(&info);
    info.features = features;
    info.model_spec = "mlp:model.json";
    info.seed = 3;
    return info;
}

static gpa_text *text_of(gpa_format format, const gpa_report_info *info,
                         const gpa_comparison *c)
{
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_report_comparison(t, format, info, c, NULL), GPA_OK);
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

/* What stands at a path such as "rows.0.scores.gpa.1". */
static const json_t *at(const json_t *j, const char *path)
{
    char key[32];
    for (const char *p = path; *p != '\0'; p += *p == '.') {
        size_t n = strcspn(p, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, p);
        j = json_is_array(j) ? json_array_get(j, (size_t)atoi(key))
                             : json_object_get(j, key);
        p += n;
    }
    if (j == NULL)
        print_error("nothing at %s\n", path);
    assert_non_null(j);
    return j;
}

static double number_at(const json_t *j, const char *path)
{
    assert_true(json_is_number(at(j, path)));
    return json_number_value(at(j, path));
}

static const char *string_at(const json_t *j, const char *path)
{
    assert_true(json_is_string(at(j, path)));
    return json_string_value(at(j, path));
}

static void json_has_the_numbers(void **state)
{
    (void)state;
    gpa_comparison *c = made(2);
    gpa_report_info info = named(HOSTILE);
    gpa_text *t = text_of(GPA_FORMAT_JSON, &info, c);
    json_t *j = parse(t);
    assert_string_equal(string_at(j, "format"), "gpa-comparison/1");
    assert_string_equal(string_at(j, "features.1"), "=1+1");
    assert_int_equal(number_at(j, "rows.0.row"), 63);
    assert_string_equal(string_at(j, "rows.0.id"), "63");
    assert_true(number_at(j, "rows.0.f") == 238.5);
    assert_true(number_at(j, "rows.0.scores.gpa.2") == 1.0 / 3);
    assert_true(number_at(j, "rows.0.sd.baylime.2") == 0.75);
    assert_true(number_at(j, "rows.0.flip.gpa.1") == 2);
    assert_int_equal(number_at(j, "rows.1.model_rows.baylime"), 210);
    assert_int_equal(number_at(j, "rows.0.model_calls.gpa"), 7);
    assert_true(json_is_true(at(j, "rows.0.reacts.gpa")));
    assert_true(json_is_false(at(j, "rows.0.reacts.baylime")));
    assert_true(json_is_false(at(j, "rows.1.converged.gpa")));
    assert_string_equal(string_at(j, "rows.0.notes.baylime.0"), "a note <b>");
    /* means and standard deviations of 0.5 and 1, 0.25 and 0.75 */
    assert_close(number_at(j, "consistency.baylime.rho.mean"), 0.75, 1e-15);
    assert_close(number_at(j, "consistency.baylime.rho.sd"), 0.35355339059327379,
                 1e-15);
    assert_close(number_at(j, "consistency.baylime.smr.sd"), 0.35355339059327379,
                 1e-15);
    assert_null(json_object_get(at(j, "consistency"), "gpa"));
    assert_null(json_object_get(at(j, "rows.0.sd"), "gpa"));
    json_decref(j);
    gpa_text_free(t);
    gpa_comparison_free(c);
}

/* What does not exist is null, and says why. */
static void json_has_reasons(void **state)
{
    (void)state;
    static const char *const why = "needs \"rows\" & <more>";
    gpa_comparison *c = made(2);
    gpa_report_info info = named(PLAIN);
    gpai_comparison_cell(c, 1, 1)->a->score[2] = (double)NAN;
    gpa_text *t = text_of(GPA_FORMAT_JSON, &info, c);
    json_t *j = parse(t);
    assert_true(json_is_null(at(j, "rows.0.scores.eig")));
    assert_string_equal(string_at(j, "rows.0.scores.eig_reason"), why);
    assert_string_equal(string_at(j, "rows.0.skipped.eig"), why);
    assert_string_equal(string_at(j, "rows.0.reacts.eig_reason"), why);
    assert_null(json_object_get(at(j, "rows.0.skipped"), "gpa"));
    assert_true(json_is_null(at(j, "consistency.eig")));
    assert_string_equal(string_at(j, "consistency.eig_reason"), why);
    assert_string_equal(string_at(j, "rows.1.reacts.gpa_reason"), "y equals f");
    assert_true(json_is_null(at(j, "rows.1.scores.baylime.2")));
    assert_true(json_is_string(at(j, "rows.1.scores.baylime_reason")));
    /* tau exists for one row only: a mean, but no spread */
    assert_true(number_at(j, "consistency.baylime.tau.mean") == 1);
    assert_int_equal(number_at(j, "consistency.baylime.tau.n"), 1);
    assert_true(json_is_null(at(j, "consistency.baylime.tau.sd")));
    assert_true(json_is_string(at(j, "consistency.baylime.tau.sd_reason")));
    assert_null(strstr(gpa_text_data(t), "nan"));
    json_decref(j);
    gpa_text_free(t);
    gpa_comparison_free(c);
}

static void csv_is_long(void **state)
{
    (void)state;
    gpa_comparison *c = made(1);
    gpa_report_info info = named(HOSTILE);
    gpa_text *t = text_of(GPA_FORMAT_CSV, &info, c);
    assert_string_equal(
        gpa_text_data(t),
        "row,id,method,feature,score,sd,rows,responsible\n"
        "63,63,gpa,\"<b>\xef\xbf\xbd[31m\",0,,100,\n"
        "63,63,gpa,\"'=1+1\",-2,,100,\n"
        "63,63,gpa,\"\"\"'\xef\xbf\xbd</td>&,\",0.3333333333333333,,100,\n"
        "63,63,baylime,\"<b>\xef\xbf\xbd[31m\",1,0.25,200,\n"
        "63,63,baylime,\"'=1+1\",4,0.5,200,\n"
        "63,63,baylime,\"\"\"'\xef\xbf\xbd</td>&,\",-1,0.75,200,\n"
        "63,63,eig,\"<b>\xef\xbf\xbd[31m\",,,,\n"
        "63,63,eig,\"'=1+1\",,,,\n"
        "63,63,eig,\"\"\"'\xef\xbf\xbd</td>&,\",,,,\n");
    gpa_text_free(t);
    gpa_comparison_free(c);
}

/* gpa has two columns, and the outcome a line, where it says who is responsible; the
 * same in all formats, and read back. */
static void responsible_and_change(void **state)
{
    (void)state;
    static const double p[D] = {0.04, 0.9, 0.002};
    gpa_comparison *c = made(1), *back = NULL;
    gpa_report_info info = named(PLAIN);
    gpa_attribution *a = gpai_comparison_cell(c, 0, 0)->a;
    memcpy(a->responsible, p, sizeof p);
    a->has_responsible = true;
    a->output = 0.05;
    a->verdict = GPA_VERDICT_INPUT;
    a->verdict_text = gpai_strdup("bmi is \xe2\x88\x92"
                                  "5 <off>.");
    info.ascii = true;
    info.target = "yield";
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, c);
    const char *want = "row 63: bmi is -5 <off>.\n"
                       "yield = 99 was observed, f = 238.5 predicted.\n"
                       "largest score: bmi (GPA's change, BayLIME)\n"
                       "\n"
                       "                  GPA ----------------\n"
                       "  input           responsible   change  BayLIME\n"
                       "  age                     4 %        0  ::+0.25\n"
                       "  bmi                ##  90 %  ##-1.00  ##+1.00\n"
                       "  s5                     <1 %  ..+0.17  ::-0.25\n"
                       "  observed yield     ..   5 %\n"
                       "  largest size                       2        4\n";
    assert_string_equal((gpai_text_cut(t, strlen(want)), gpa_text_data(t)), want);
    gpa_text_free(t);
    t = text_of(GPA_FORMAT_CSV, &info, c);
    assert_non_null(strstr(gpa_text_data(t), "63,63,gpa,bmi,-2,,100,0.9\n"));
    gpa_text_free(t);
    t = text_of(GPA_FORMAT_JSON, &info, c);
    json_t *j = parse(t);
    assert_true(number_at(j, "rows.0.responsible.gpa.1") == 0.9);
    assert_true(number_at(j, "rows.0.output.gpa") == 0.05);
    json_decref(j);
    gpa_saved *saved = NULL;
    assert_int_equal(
        gpa_saved_parse(&saved, gpa_text_data(t), gpa_text_length(t), "t", NULL),
        GPA_OK);
    assert_int_equal(gpa_saved_comparison(&back, saved, NULL), GPA_OK);
    a = gpai_comparison_cell(back, 0, 0)->a;
    assert_memory_equal(gpa_attribution_responsible(a), p, sizeof p);
    assert_true(gpa_attribution_output(a) == 0.05);
    assert_int_equal(gpa_comparison_verdict(back, 0), GPA_VERDICT_INPUT);
    assert_string_equal(a->verdict_text,
                        gpai_comparison_cell(c, 0, 0)->a->verdict_text);
    gpa_comparison_free(back);
    gpa_saved_free(saved);
    a = gpai_comparison_cell(c, 0, 0)->a;
    gpa_text_free(t);
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_plot_comparison(t, &info, c, 0, NULL), GPA_OK);
    assert_non_null(strstr(gpa_text_data(t), "fill-opacity=\"0.450\"")); /* of 0.9 */
    assert_non_null(strstr(gpa_text_data(t), "A full cell is 100 % of a probability"));
    a->verdict = GPA_VERDICT_NORMAL; /* nobody is, then */
    gpa_text_free(t);
    t = text_of(GPA_FORMAT_TABLE, &info, c);
    assert_non_null(strstr(gpa_text_data(t), "  input             if anyone   change"));
    gpa_text_free(t);
    gpa_comparison_free(c);
}

/* -2, 1/3 of 2; 1, 4, -1 of 4; rows 105 and 205 on average; baylime has tau in one row.
 */
static void table_is_this(void **state)
{
    (void)state;
    gpa_comparison *c = made(2);
    gpa_report_info info = named(PLAIN);
    info.ascii = true;
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, c);
    assert_string_equal(
        gpa_text_data(t),
        "row 63: y = 99 was observed, f = 238.5 predicted.\n"
        "largest score: bmi (GPA, BayLIME)\n"
        "\n"
        "  input             GPA  BayLIME\n"
        "  age                 0  ::+0.25\n"
        "  bmi           ##-1.00  ##+1.00\n"
        "  s5            ..+0.17  ::-0.25\n"
        "  largest size        2        4\n"
        "\n"
        "row 5: y = 99 was observed, f = 99 predicted.\n"
        "largest score: none (GPA), age (BayLIME)\n"
        "\n"
        "  input             GPA  BayLIME\n"
        "  age                 0  ##+1.00\n"
        "  bmi                 0        0\n"
        "  s5                  0        0\n"
        "  largest size        0      0.5\n"
        "\n"
        "  a + says: it should be higher (GPA); f rises with it (BayLIME); it pushes f "
        "up\n"
        "  (EIG), which does not say that it should be lower; each column is divided "
        "by\n"
        "  its largest size\n"
        "\n"
        "consistency with GPA, mean +- sd over 2 rows; 1 is the highest\n"
        "\n"
        "  method    tau           rho           same signs    same top      model "
        "rows\n"
        "  GPA       what the others are compared with                              "
        "105\n"
        "  BayLIME   1.00 (1)      0.75 +- 0.35  0.50 +- 0.35  0.50 +- 0.71         "
        "205\n"
        "  EIG       no answer\n"
        "\n"
        "reacts to y: GPA; blind to y: BayLIME\n"
        "  note: GPA, row 5: did not converge\n"
        "  note: BayLIME, row 63: a note <b>\n"
        "  note: EIG: needs \"rows\" & <more>\n");
    gpa_text_free(t);
    gpa_comparison_free(c);
}

/* Takes the colours out of a text. */
static void bleach(char *out, const char *text)
{
    while (*text != '\0') {
        if (*text == '\x1b')
            text = strchr(text, 'm') + 1;
        else
            *out++ = *text++;
    }
    *out = '\0';
}

static void colour_only_colours(void **state)
{
    (void)state;
    gpa_comparison *c = made(2);
    gpa_report_info info = named(HOSTILE);
    gpa_text *plain = text_of(GPA_FORMAT_TABLE, &info, c);
    info.colour = true;
    gpa_text *coloured = text_of(GPA_FORMAT_TABLE, &info, c);
    char *bleached = test_calloc(gpa_text_length(coloured) + 1, 1);
    assert_null(strchr(gpa_text_data(plain), '\x1b'));
    assert_non_null(strstr(gpa_text_data(coloured), "\x1b[9"));
    bleach(bleached, gpa_text_data(coloured));
    assert_string_equal(bleached, gpa_text_data(plain));
    test_free(bleached);
    gpa_text_free(plain);
    gpa_text_free(coloured);
    gpa_comparison_free(c);
}

enum { MANY = 30 };

/* All eight methods on 30 inputs with long names; input k has |score| k + 1 for all. */
static gpa_comparison *broad(char names[MANY][80], const char **list)
{
    gpa_comparison *c = NULL;
    size_t m = gpa_method_count();
    assert_int_equal(gpai_comparison_new(&c, 1, MANY, m, false, NULL), GPA_OK);
    for (size_t j = 0; j < m; j++) {
        gpai_compared *cell = gpai_comparison_cell(c, 0, j);
        c->method[j] = gpa_method_find(gpa_method_at(j)->name);
        assert_int_equal(gpai_attribution_new(&cell->a, gpa_method_at(j), MANY, NULL),
                         GPA_OK);
        for (size_t k = 0; k < MANY; k++)
            cell->a->score[k] = (k % 2 ? -1e-9 : 1e9) * (double)(k + 1);
    }
    for (size_t k = 0; k < MANY; k++) {
        snprintf(names[k], 80, "input %zu %s", k, "\xe6\x97\xa5 with a very long name");
        list[k] = names[k];
    }
    assert_int_equal(gpai_comparison_finish(c, NULL), GPA_OK);
    return c;
}

/* Whether no line is wider, and every method has its column and its line. */
static void fits(const gpa_comparison *c, const gpa_report_info *like, size_t width)
{
    gpa_report_info info = *like;
    info.width = width;
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, c);
    for (const char *line = gpa_text_data(t); *line != '\0';) {
        size_t length = strcspn(line, "\n");
        char *one = test_calloc(length + 1, 1);
        memcpy(one, line, length);
        assert_true(gpai_utf8_width(one) <= (width > 70 ? width : 70));
        test_free(one);
        line += length + (line[length] == '\n');
    }
    for (size_t j = 0; j < gpa_comparison_methods(c); j++) {
        const char *text = gpa_text_data(t), *name = gpa_comparison_method(c, j)->label;
        size_t said = 0;
        for (const char *p = text; (p = strstr(p, name)) != NULL; p++)
            said += p[-1] == ' ' && (p[strlen(name)] == ' ' || p[strlen(name)] == '\n');
        assert_true(said >= 2);
    }
    gpa_text_free(t);
}

static void wide_tables_stay_narrow(void **state)
{
    (void)state;
    char names[MANY][80];
    const char *list[MANY];
    gpa_comparison *c = broad(names, list);
    gpa_report_info info = named(list);
    gpa_text *t = text_of(GPA_FORMAT_TABLE, &info, c);
    char *text = test_calloc(gpa_text_length(t) + 1, 1), *rest = NULL;
    memcpy(text, gpa_text_data(t), gpa_text_length(t));
    size_t shown = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        assert_true(gpai_utf8_width(line) <= 80);
        shown += strncmp(line, "  input ", 8) == 0 && isdigit((unsigned char)line[8]);
    }
    assert_int_equal(shown, 2 * 20); /* in two blocks */
    /* even inputs are 10^18 times as large: all fifteen of them, and the largest others
     */
    assert_non_null(strstr(gpa_text_data(t), "  input 0 "));
    assert_non_null(strstr(gpa_text_data(t), "  input 29 "));
    assert_null(strstr(gpa_text_data(t), "  input 19 "));
    assert_non_null(strstr(gpa_text_data(t), "and 10 more inputs"));
    test_free(text);
    gpa_text_free(t);
    for (size_t width = 40; width <= 160; width += 5)
        fits(c, &info, width);
    gpa_comparison_free(c);
}

/* Tags of a page; tooltips, which cut names have, do not count. */
static size_t tags(const char *page)
{
    size_t n = 0;
    for (const char *p = strchr(page, '<'); p != NULL; p = strchr(p + 1, '<'))
        n += strncmp(p, "<title>", 7) != 0 && strncmp(p, "</title>", 8) != 0;
    return n;
}

static void page_is_whole_and_safe(void **state)
{
    (void)state;
    gpa_comparison *c = made(2);
    gpa_report_info info = named(PLAIN);
    gpa_text *plain = text_of(GPA_FORMAT_HTML, &info, c);
    info = named(HOSTILE);
    info.ids = NULL;
    info.target = info.model_spec = "</title><script>";
    info.colour = info.ascii = true; /* are for terminals */
    gpa_text *page = text_of(GPA_FORMAT_HTML, &info, c);
    assert_int_equal(tags(gpa_text_data(page)), tags(gpa_text_data(plain)));
    assert_null(strstr(gpa_text_data(page), "<script"));
    assert_null(strchr(gpa_text_data(page), '\x1b'));
    assert_null(strstr(gpa_text_data(page), "<b>"));
    assert_null(strstr(gpa_text_data(page), "src="));
    assert_null(strstr(gpa_text_data(page), "href="));
    const char *p = gpa_text_data(page);
    for (size_t i = 0; i < 2; i++) { /* a picture for each row */
        p = strstr(p, "<svg ");
        assert_non_null(p);
        const char *end = strstr(p, "</svg>\n");
        char *alone = test_calloc((size_t)(end - p) + 8, 1);
        memcpy(alone, p, (size_t)(end - p) + 7);
        svg s = svg_read(alone);
        svg_assert_quiet(&s);
        assert_null(strstr(alone, "<style")); /* the page has it, once */
        svg_assert_apart(&s, "page");
        svg_free(&s);
        test_free(alone);
        p = end;
    }
    assert_null(strstr(p, "<svg "));
    assert_true(strcmp(gpa_text_data(page) + gpa_text_length(page) - 8, "</html>\n") ==
                0);
    gpa_text_free(plain);
    gpa_text_free(page);
    gpa_comparison_free(c);
}

/* What a + says stands below each picture, and is not folded with the numbers. */
static void page_says_signs(void **state)
{
    (void)state;
    gpa_comparison *c = made(2);
    const gpa_report_info info = named(PLAIN);
    gpa_text *page = text_of(GPA_FORMAT_HTML, &info, c);
    const char *p = gpa_text_data(page);
    for (size_t i = 0; i < 2; i++) {
        p = strstr(p, "</figure>\n<p class=\"small\">Red is positive, blue negative; "
                      "a + says: ");
        assert_non_null(p);
        const char *end = strstr(p, ".</p>\n<details><summary>The scores as numbers");
        assert_non_null(end);
        assert_true(strstr(p, "</p>") < end + 5);
        p = end;
    }
    gpa_text_free(page);
    gpa_comparison_free(c);
}

enum { N = 12 };

static const double W[D] = {2, -3, 0.5};

static int linear(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        y[i] = 1;
        for (size_t k = 0; k < d; k++)
            y[i] += W[k] * x[i * d + k];
    }
    return 0;
}

/* On a linear model ig is w x, eig and sv are w (x - mean x), and nobody but gpa and lc
 * looks at y. */
static void linear_model_in_json(void **state)
{
    (void)state;
    static const size_t row = 4;
    double x[N * D], y[N], f[N], mean[D] = {0};
    for (size_t i = 0; i < N * D; i++) {
        x[i] = sin(12.9898 * (double)(i + 1));
        mean[i % D] += x[i] / N;
    }
    linear(NULL, x, N, D, f);
    for (size_t i = 0; i < N; i++)
        y[i] = f[i] + (i == row ? 4 : 0.3 * cos(78.233 * (double)i));
    gpa_sample all = {.x = x, .y = y, .f = f, .n = N, .d = D};
    gpa_model *m = NULL;
    gpa_comparison *c = NULL;
    gpa_attribute_options a;
    gpa_compare_options opt;
    gpa_attribute_options_init(&a);
    a.reference = &all;
    a.shapley = GPA_SHAPLEY_EXACT;
    gpa_compare_options_init(&opt);
    opt.attribute = &a;
    assert_int_equal(gpa_model_from_callback(&m, linear, NULL, D, NULL), GPA_OK);
    assert_int_equal(gpa_compare(&c, m, &all, &row, 1, &opt, NULL), GPA_OK);
    gpa_report_info info = named(PLAIN);
    gpa_text *t = text_of(GPA_FORMAT_JSON, &info, c);
    json_t *j = parse(t);
    for (size_t k = 0; k < D; k++) {
        char path[40];
        snprintf(path, sizeof path, "rows.0.scores.ig.%zu", k);
        assert_close(number_at(j, path), W[k] * x[row * D + k], 1e-9);
        double away = W[k] * (x[row * D + k] - mean[k]);
        snprintf(path, sizeof path, "rows.0.scores.eig.%zu", k);
        assert_close(number_at(j, path), away, 1e-9);
        snprintf(path, sizeof path, "rows.0.scores.sv.%zu", k);
        assert_close(number_at(j, path), away, 1e-9);
    }
    for (size_t i = 0; i < gpa_method_count(); i++) {
        char path[40];
        const gpa_method *method = gpa_method_at(i);
        snprintf(path, sizeof path, "rows.0.reacts.%s", method->name);
        assert_int_equal(json_is_true(at(j, path)), method->sees_y);
    }
    json_decref(j);
    gpa_text_free(t);
    gpa_comparison_free(c);
    gpa_model_free(m);
}

/* An explanation made by hand; with distributions its second input may not move. */
static gpa_explanation *explained(bool marginals)
{
    enum { POINTS = 3 };
    gpa_explanation *e = NULL;
    assert_int_equal(gpai_result_new(&e, 1, D, marginals ? POINTS : 0, NULL), GPA_OK);
    e->summary.eta = 0.1;
    e->summary.nu = 0.5;
    for (size_t k = 0; k < D; k++) {
        e->unit[k] = 2;
        e->delta[k] = k == 1 ? 0 : (double)k - 1.5;
        e->delta_raw[k] = 2 * e->delta[k];
        if (!marginals)
            continue;
        for (size_t j = 0; j < POINTS; j++) {
            e->grid[k * POINTS + j] = (double)j - 1;
            e->density[k * POINTS + j] = j == 1;
        }
        e->marginals[k] = (gpa_marginal){.map = e->delta[k],
                                         .sd = k == 1 ? 0 : 1,
                                         .points = POINTS,
                                         .grid = e->grid + k * POINTS,
                                         .density = e->density + k * POINTS};
    }
    return e;
}

static void pictures_of_explanations(void **state)
{
    (void)state;
    for (int marginals = 0; marginals <= 1; marginals++) {
        gpa_explanation *e = explained(marginals != 0);
        gpa_report_info info = named(HOSTILE);
        gpa_text *t = NULL;
        assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
        assert_int_equal(gpa_plot_explanation(t, &info, e, NULL), GPA_OK);
        svg s = svg_read(gpa_text_data(t));
        svg_assert_manners(&s, gpa_text_data(t));
        svg_assert_apart(&s, "explanation");
        assert_int_equal(svg_count(&s, "path", "p-edge p-neg"), marginals);
        assert_int_equal(svg_count(&s, "path", "p-edge p-pos"), marginals);
        assert_int_equal(svg_count(&s, "path", "p-edge p-nil"), 0); /* may not move */
        svg_saying(&s, "\xe2\x88\x92"
                       "3.00"); /* -1.5 units of 2 */
        svg_saying(&s, "+1.00");
        svg_free(&s);
        gpa_text_free(t);
        gpa_explanation_free(e);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    gpa_comparison *c = made(1);
    gpa_text *t = NULL;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    assert_int_equal(gpa_report_comparison(NULL, GPA_FORMAT_JSON, NULL, c, NULL),
                     GPA_INVALID);
    assert_int_equal(gpa_report_comparison(t, GPA_FORMAT_JSON, NULL, NULL, NULL),
                     GPA_INVALID);
    assert_int_equal(gpa_report_comparison(t, (gpa_format)9, NULL, c, NULL),
                     GPA_INVALID);
    assert_int_equal(gpa_plot_comparison(t, NULL, c, 1, NULL), GPA_INVALID);
    assert_int_equal(gpa_plot_comparison(t, NULL, NULL, 0, NULL), GPA_INVALID);
    assert_int_equal(gpa_plot_comparison(NULL, NULL, c, 0, NULL), GPA_INVALID);
    assert_int_equal(gpa_plot_explanation(t, NULL, NULL, NULL), GPA_INVALID);
    assert_int_equal(gpa_text_length(t), 0);
    gpa_text_free(t);
    gpa_comparison_free(c);
}

struct everything {
    gpa_comparison *c;
    gpa_explanation *e;
    gpa_report_info info;
};

enum { WHATS = 5 };

static gpa_status write_one(gpa_text *t, const struct everything *all, size_t what)
{
    return what < 4
               ? gpa_report_comparison(t, (gpa_format)what, &all->info, all->c, NULL)
               : gpa_plot_explanation(t, &all->info, all->e, NULL);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    const struct everything all = {made(2), explained(true), named(HOSTILE)};
    for (size_t what = 0; what < WHATS; what++)
        for (int for_ever = 0; for_ever <= 1; for_ever++) {
            gpa_text *t = NULL, *want = NULL;
            gpa_status st = GPA_NOMEM;
            assert_int_equal(gpa_text_new(&want, NULL), GPA_OK);
            assert_int_equal(write_one(want, &all, what), GPA_OK);
            for (size_t k = 1; st != GPA_OK; k++) {
                assert_true(k < 10000);
                assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
                gpai_alloc_fail_at(k, for_ever != 0);
                st = write_one(t, &all, what);
                gpai_alloc_fail_at(0, false);
                assert_true(st == GPA_OK || st == GPA_NOMEM);
                if (st != GPA_OK) {
                    assert_int_equal(gpa_text_length(t), 0);
                    assert_int_equal(write_one(t, &all, what), GPA_OK);
                }
                assert_string_equal(gpa_text_data(t), gpa_text_data(want));
                gpa_text_free(t);
            }
            gpa_text_free(want);
        }
    gpa_explanation_free(all.e);
    gpa_comparison_free(all.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_numbers),
        cmocka_unit_test(json_has_reasons),
        cmocka_unit_test(csv_is_long),
        cmocka_unit_test(responsible_and_change),
        cmocka_unit_test(table_is_this),
        cmocka_unit_test(colour_only_colours),
        cmocka_unit_test(wide_tables_stay_narrow),
        cmocka_unit_test(page_is_whole_and_safe),
        cmocka_unit_test(page_says_signs),
        cmocka_unit_test(linear_model_in_json),
        cmocka_unit_test(pictures_of_explanations),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
