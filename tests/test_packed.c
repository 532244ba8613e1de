/* An explanation as bytes and back: every report of it is the same; bytes that do not
 * fit together are refused. */
#include "support.h"

#include <gpa/gpa.h>
#include <math.h>

enum { ROWS = 60 };

/* Numbers, a flag, a choice of text and a gap: everything that has arrays of its own.
 */
static void write_rows(char *csv, size_t size, size_t *used)
{
    static const char *const colours[] = {"red", "green", "blue"};
    *used = (size_t)snprintf(csv, size, "a,on,colour,y\n");
    for (size_t i = 0; i < ROWS; i++) {
        double a = sin(1.7 * (double)i), y = 3 * a + (double)(i % 2) + (double)(i % 3);
        char gap[40];
        snprintf(gap, sizeof gap, "%.17g", a);
        *used += (size_t)snprintf(csv + *used, size - *used, "%s,%zu,%s,%.17g\n",
                                  i == 11 ? "" : gap, i % 2, colours[i % 3],
                                  y + (i % 7 == 3 ? 5 : 0.1 * cos((double)i)));
    }
}

/* Colours are coded 0, 1, 2 in the order of their names. */
static int predict(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    static const double of[] = {2, 1, 0}; /* blue, green, red */
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        const double *r = x + i * d;
        y[i] = (isnan(r[0]) ? 0 : 3 * r[0]) + r[1] + of[(int)r[2]];
    }
    return 0;
}

struct seen {
    const gpa_report_info *info;
    size_t n;
};

/* What reports say about it, all formats after another. */
static gpa_text *reports(const gpa_report_info *info, const gpa_explanation *e)
{
    gpa_text *t = NULL;
    gpa_report_info full = *info;
    full.full = full.verbose = true;
    assert_int_equal(gpa_text_new(&t, NULL), GPA_OK);
    for (int format = GPA_FORMAT_TABLE; format <= GPA_FORMAT_HTML; format++) {
        assert_int_equal(gpa_report_begin(t, (gpa_format)format, &full, e, NULL),
                         GPA_OK);
        assert_int_equal(
            gpa_report_explanation(t, (gpa_format)format, &full, e, 0, NULL), GPA_OK);
        assert_int_equal(gpa_report_end(t, (gpa_format)format, &full, NULL), GPA_OK);
    }
    return t;
}

/* No cut is taken for the whole, nor is more than that; sizes that are far off neither.
 */
static void check_spoilt(const gpa_text *bytes)
{
    size_t size = gpa_text_length(bytes);
    gpa_explanation *e = NULL;
    gpa_error err = {0};
    char *copy = calloc(size + 8, 1);
    assert_non_null(copy);
    for (size_t cut = 0; cut < size; cut += cut < 3000 ? 8 : 200)
        assert_int_equal(gpa_explanation_unpack(&e, gpa_text_data(bytes), cut, &err),
                         GPA_DATA);
    memcpy(copy, gpa_text_data(bytes), size);
    assert_int_equal(gpa_explanation_unpack(&e, copy, size + 8, &err), GPA_DATA);
    for (size_t word = 0; word < 6; word++) { /* layout, rows, inputs, notes */
        uint64_t huge = UINT64_MAX >> word;
        memcpy(copy, gpa_text_data(bytes), size);
        memcpy(copy + 8 * word, &huge, sizeof huge);
        assert_int_equal(gpa_explanation_unpack(&e, copy, size, &err), GPA_DATA);
        assert_null(e);
    }
    free(copy);
}

static gpa_status take(void *ctx, size_t index, const gpa_explanation *e,
                       gpa_error *err)
{
    struct seen *s = ctx;
    gpa_text *bytes = NULL;
    gpa_explanation *again = NULL;
    assert_int_equal(gpa_text_new(&bytes, NULL), GPA_OK);
    assert_int_equal(gpa_explanation_pack(bytes, e, NULL), GPA_OK);
    assert_int_equal(gpa_explanation_unpack(&again, gpa_text_data(bytes),
                                            gpa_text_length(bytes), err),
                     GPA_OK);
    gpa_text *a = reports(s->info, e), *b = reports(s->info, again);
    assert_int_equal(gpa_text_length(a), gpa_text_length(b));
    assert_memory_equal(gpa_text_data(a), gpa_text_data(b), gpa_text_length(a));
    if (index == 0)
        check_spoilt(bytes);
    gpa_text_free(a);
    gpa_text_free(b);
    gpa_text_free(bytes);
    gpa_explanation_free(again);
    s->n++;
    return GPA_OK;
}

static void explain(const char *const *options, size_t want)
{
    char csv[8192];
    size_t used;
    gpa_table *table = NULL;
    gpa_study *study = NULL;
    gpa_error err = {0};
    write_rows(csv, sizeof csv, &used);
    assert_int_equal(gpa_table_parse(&table, csv, used, "rows.csv", NULL, NULL),
                     GPA_OK);
    assert_int_equal(gpa_study_new(&study, "explain", NULL), GPA_OK);
    for (; *options != NULL; options += 2)
        assert_int_equal(gpa_study_set(study, options[0], options[1], NULL), GPA_OK);
    gpa_study_set_predict(study, predict, NULL, 3, NULL);
    gpa_study_set_table(study, table);
    if (gpa_study_open(study, &err) != GPA_OK)
        fail_msg("%s", err.message);
    struct seen s = {.info = gpa_study_info(study)};
    if (gpa_study_explain(study, NULL, 0, false, take, &s, &err) != GPA_OK)
        fail_msg("%s", err.message);
    assert_int_equal(s.n, want);
    gpa_study_free(study);
    gpa_table_free(table);
}

static void reports_are_the_same(void **state)
{
    (void)state;
    static const char *const cases[][7] = {
        {"rows", "3,10,11,20"},
        {"rows", "3,10", "marginals", "none"},
        {"rows", "3,10", "culprit", "off", "marginals", "plugin"},
        {"rows", "3,11", "marginals", "surrogate"},
        {"rows", "3,10", "culprit", "basic", "budget", "40"}};
    static const size_t want[] = {4, 2, 2, 2, 2};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        explain(cases[i], want[i]);
    explain((const char *const[]){"rows", "3,10,17", "collective", "", NULL}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
