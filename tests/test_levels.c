/* Texts of a column as codes, and dates as days or seconds. The seconds of the dates
 * are those of `date -u -d TEXT +%s`. */
#include "data/dates.h"
#include "data/levels.h"
#include "data/table.h"
#include "data_support.h"

#define MISSING ((double)NAN)

static void assert_levels(const gpai_levels *l, const char *const *names, size_t n)
{
    assert_int_equal(l->n, n);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(l->name[i], names[i]);
        assert_int_equal(gpai_levels_find(l, names[i]), i);
    }
    assert_int_equal(gpai_levels_find(l, "no such text"), n);
}

static void assert_codes(const double *code, const double *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(code[i] == want[i] || (isnan(code[i]) && isnan(want[i])));
}

static gpai_levels open_levels(const gpa_table *t, size_t column)
{
    gpai_levels l;
    gpa_error err = {GPA_OK, ""};
    assert_int_equal(gpai_levels_open(&l, t, column, NULL, 0, NULL, 0, &err), GPA_OK);
    return l;
}

/* Commas, quotes, emoji; quoted or not is the same; what is missing has no code. */
static void test_csv_texts(void **state)
{
    gpa_table *t = parse_ok(BYTES("a,b\n"
                                  "south,1\n"
                                  "\"south\",1\n"
                                  "\"a, b\",1\n"
                                  "\"say \"\"no\"\"\",1\n"
                                  "\xf0\x9f\x98\x80,1\n"
                                  ",1\n"
                                  "\"\",1\n"
                                  "NA,1\n"
                                  "\" nan \",1\n"
                                  "NA man,1\n"
                                  "South,1\n"),
                            "t.csv", NULL);
    static const char *const names[] = {"NA man",     "South", "a, b",
                                        "say \"no\"", "south", "\xf0\x9f\x98\x80"};
    static const double codes[] = {4,       4,       2,       3, 5, MISSING,
                                   MISSING, MISSING, MISSING, 0, 1};
    gpai_levels l = open_levels(t, 0);
    (void)state;
    assert_levels(&l, names, 6);
    assert_codes(l.code, codes, 11);
    gpai_levels_close(&l);
    gpai_levels_close(&l);
    gpa_table_free(t);
}

/* In memory and in JSON only null is missing. */
static void test_null_is_missing(void **state)
{
    static const char *const texts[] = {"", "nan", NULL, "12", "007", "nan"};
    static const char *const names[] = {"", "007", "12", "nan"};
    static const double codes[] = {0, 3, MISSING, 2, 1, 3};
    const gpa_column column = {"a", NULL, 0, texts};
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    (void)state;
    assert_int_equal(gpa_table_from_columns(&t, 6, &column, 1, "t", &err), GPA_OK);
    gpai_levels l = open_levels(t, 0);
    assert_levels(&l, names, 4);
    assert_codes(l.code, codes, 6);
    gpai_levels_close(&l);
    gpa_table_free(t);
    t = parse_ok(BYTES("{\"a\":\"\"}\n{\"a\":\"nan\"}\n{\"b\":1}\n{\"a\":12}\n"
                       "{\"a\":\"\\u003007\"}\n{\"a\":\"nan\"}\n"),
                 "t.jsonl", NULL);
    l = open_levels(t, 0);
    assert_levels(&l, names, 4);
    assert_codes(l.code, codes, 6);
    gpai_levels_close(&l);
    gpa_table_free(t);
}

/* Names that are given come first; the rest is in the order of its bytes, whichever
 * table has it and in which order. */
static void test_two_tables(void **state)
{
    gpa_table *t = parse_ok(BYTES("a\nsouth\nwest\n"), "t.csv", NULL);
    gpa_table *u = parse_ok(BYTES("b,a\n1,east\n2,\n3,south\n4,up\n"), "u.csv", NULL);
    static const char *const given[] = {"west", "never seen"};
    static const char *const names[] = {"west", "never seen", "east", "south", "up"};
    static const char *const twice[] = {"a\n", "b", "a\n"};
    static const double codes[] = {3, 0, 2, MISSING, 3, 4};
    gpa_error err = {GPA_OK, ""};
    gpai_levels l;
    (void)state;
    assert_int_equal(gpai_levels_open(&l, t, 0, u, 1, given, 2, &err), GPA_OK);
    assert_levels(&l, names, 5);
    assert_codes(l.code, codes, 6);
    gpai_levels_close(&l);
    assert_int_equal(gpai_levels_open(&l, t, 0, u, 1, twice, 3, &err), GPA_INVALID);
    assert_string_equal(err.message, "the levels of 'a': \"a\\n\" is given twice");
    gpai_levels_close(&l);
    gpa_table_free(t);
    gpa_table_free(u);
}

/* Numbers have texts, too: a column may be text in one of two tables only. */
static void test_numbers(void **state)
{
    gpa_table *t =
        parse_ok(BYTES("a,z,b\n10,007,True\n9.5,10,False\n,NA,NA\n"), "t.csv", NULL);
    gpa_table *u = parse_ok(BYTES("a\nten\n10\n"), "u.csv", NULL);
    static const char *const names[] = {"10", "9.5", "ten"}, *const z[] = {"007", "10"},
                             *const b[] = {"False", "True"};
    static const double codes[] = {0, 1, MISSING, 2, 0}, b_codes[] = {1, 0, MISSING};
    gpa_error err = {GPA_OK, ""};
    gpai_levels l;
    (void)state;
    assert_int_equal(gpai_levels_open(&l, t, 0, u, 0, NULL, 0, &err), GPA_OK);
    assert_levels(&l, names, 3);
    assert_codes(l.code, codes, 5);
    gpai_levels_close(&l);
    assert_true(gpai_table_padded(t, 1));
    assert_false(gpai_table_padded(t, 0));
    assert_column(t, 1, (const double[]){7, 10, MISSING}, 3);
    l = open_levels(t, 1);
    assert_levels(&l, z, 2);
    gpai_levels_close(&l);
    assert_column(t, 2, (const double[]){1, 0, MISSING}, 3);
    assert_string_equal(gpai_table_booleans(t, 2)[true], "True");
    assert_null(gpai_table_booleans(t, 1));
    l = open_levels(t, 2);
    assert_levels(&l, b, 2);
    assert_codes(l.code, b_codes, 3);
    gpai_levels_close(&l);
    gpa_table_free(t);
    gpa_table_free(u);
}

static void test_many(void **state)
{
    size_t n = GPAI_MOST_LEVELS + 1, used = 2;
    char *text = malloc(16 * n);
    gpa_error err = {GPA_OK, ""};
    gpai_levels l;
    (void)state;
    memcpy(text, "a\n", 2);
    for (size_t i = 0; i < n; i++) /* 7919 and the number of rows have no divisor */
        used += (size_t)sprintf(text + used, "t%06zu\n", i * 7919 % n);
    gpa_table *t = parse_ok(text, used - 8, "t.csv", NULL);
    l = open_levels(t, 0);
    assert_int_equal(l.n, n - 1);
    for (size_t i = 0; i + 1 < n; i++)
        assert_string_equal(l.name[(size_t)l.code[i]], gpa_table_text(t, i, 0));
    for (size_t i = 1; i < l.n; i++)
        assert_true(strcmp(l.name[i - 1], l.name[i]) < 0);
    gpai_levels_close(&l);
    gpa_table_free(t);
    t = parse_ok(text, used, "t.csv", NULL);
    assert_int_equal(gpai_levels_open(&l, t, 0, NULL, 0, NULL, 0, &err), GPA_DATA);
    assert_string_equal(err.message,
                        "t.csv: column \"a\": more than 100000 different texts cannot "
                        "be an input: leave the column out with --drop");
    gpai_levels_close(&l);
    gpa_table_free(t);
    free(text);
}

static void test_one_date(void **state)
{
    static const struct {
        const char *text;
        double seconds; /* NaN: it is none */
        bool time;
    } cases[] = {
        {"1970-01-01", 0, false},
        {"2024-02-29", 1709164800, false},
        {"2024-2-9", 1707436800, false},
        {"1900-02-28", -2203977600, false},
        {"1900-02-29", MISSING, false},
        {"2023-02-29", MISSING, false},
        {"2024-04-31", MISSING, false},
        {"2024-13-01", MISSING, false},
        {"2024-00-01", MISSING, false},
        {"2024-01-00", MISSING, false},
        {"24-01-01", MISSING, false},
        {"2024-01-011", MISSING, false},
        {"2024-01-01x", MISSING, false},
        {"2024-01", MISSING, false},
        {"", MISSING, false},
        {"2024-02-29T12:30", 1709209800, true},
        {"2024-02-29 12:30:15", 1709209815, true},
        {"2024-02-29 12:30:15.25", 1709209815.25, true},
        {"2024-02-29T12:30:15Z", 1709209815, true},
        {"2024-02-29T12:30:15+01:00", 1709206215, true},
        {"2024-02-29T12:30:15-0530", 1709229615, true},
        {"2024-02-29 12:30:15+01", 1709206215, true},
        {"2024-02-29 24:00", MISSING, false},
        {"2000-02-29", 951782400, false},
        {"2024/02/29", MISSING, false},
        {"2024-02/29", MISSING, false},
        {"2024-x-29", MISSING, false},
        {"2024-02-x", MISSING, false},
        {"2024-02-29 x:30", MISSING, false},
        {"2024-02-29 12:x", MISSING, false},
        {"2024-02-29 12:30:x", MISSING, false},
        {"2024-02-29 12:30:61", MISSING, false},
        {"2024-02-29T12:30:15+24:00", MISSING, false},
        {"2024-02-29T12:30:15+01:60", MISSING, false},
        {"2024-02-29T12:30:15+x", MISSING, false},
        {"2024-02-29 12:60", MISSING, false},
        {"2024-02-29 12", MISSING, false},
        {"2024-02-29 ", MISSING, false},
        {"2024-02-29T12:30:15+1", MISSING, false},
        {"2024-02-29T12:30:15+01:", MISSING, false},
        {"2024-02-29T12:30:15 PM", MISSING, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double seconds = -1;
        bool time = false, is = gpai_date(cases[i].text, &seconds, &time);
        if (is != !isnan(cases[i].seconds))
            print_error("%s\n", cases[i].text);
        assert_true(is == !isnan(cases[i].seconds));
        if (is)
            assert_true(fabs(seconds - cases[i].seconds) < 1e-6);
        if (is)
            assert_true(time == cases[i].time);
    }
}

/* Dates of other countries are no dates, and are known for what they are. */
static void dates_elsewhere(void **state)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        {"29.02.2024", true},       {"9.2.2024", true},    {"02/29/2024", true},
        {"29/02/2024 12:30", true}, {"13.13.2024", false}, {"29.02.24", false},
        {"29.02.2024x", false},     {"29.02/2024", false}, {"2024-02-29", false},
        {"1.5.2", false},           {"0.1.2024", false},   {"12.10", false},
        {"192.168.2024", false},    {"", false},           {"29-02-2024", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double seconds;
        bool time;
        if (gpai_date_elsewhere(cases[i].text) != cases[i].is)
            fail_msg("%s", cases[i].text);
        assert_false(cases[i].is && gpai_date(cases[i].text, &seconds, &time));
    }
}

/* 19 of 20 make a column of dates; a time of day anywhere makes all seconds. */
static void test_date_columns(void **state)
{
    char text[1024] = "a,b,c\n";
    gpa_error err = {GPA_OK, ""};
    gpai_dates d;
    (void)state;
    for (size_t i = 0; i < 20; i++)
        sprintf(text + strlen(text), "%s,%s,%zu\n", i == 3 ? "soon" : "2024-02-29",
                i == 3 || i == 5 ? "soon" : "2024-02-29", i);
    strcat(text, ",,\n");
    gpa_table *t = parse_ok(text, strlen(text), "t.csv", NULL);
    gpa_table *u = parse_ok(BYTES("a\n2024-03-01 06:00\n"), "u.csv", NULL);
    assert_int_equal(gpai_dates_open(&d, t, 0, NULL, 0, &err), GPA_OK);
    assert_int_equal(d.writing, GPA_WRITING_DATE);
    assert_int_equal(d.strays, 1);
    assert_true(d.value[0] == 19782 && isnan(d.value[3]) && isnan(d.value[20]));
    gpai_dates_close(&d);
    assert_int_equal(gpai_dates_open(&d, t, 0, u, 0, &err), GPA_OK);
    assert_int_equal(d.writing, GPA_WRITING_TIME);
    assert_true(d.value[0] == 1709164800 && isnan(d.value[3]) &&
                d.value[21] == 1709272800);
    gpai_dates_close(&d);
    gpa_table *gaps = parse_ok(BYTES("a\nNA\nNA\n"), "gaps.csv", NULL);
    assert_true(gpa_table_is_numeric(gaps, 0)); /* says nothing against dates */
    assert_int_equal(gpai_dates_open(&d, t, 0, gaps, 0, &err), GPA_OK);
    assert_int_equal(d.writing, GPA_WRITING_DATE);
    gpai_dates_close(&d);
    assert_int_equal(gpai_dates_open(&d, gaps, 0, t, 0, &err), GPA_OK);
    assert_int_equal(d.writing, GPA_WRITING_DATE);
    assert_true(isnan(d.value[0]) && d.value[2] == 19782);
    gpai_dates_close(&d);
    gpa_table_free(gaps);
    for (size_t column = 1; column < 3; column++) {
        assert_int_equal(gpai_dates_open(&d, t, column, NULL, 0, &err), GPA_OK);
        assert_int_equal(d.writing, GPA_WRITING_NUMBER);
        assert_null(d.value);
        gpai_dates_close(&d);
    }
    gpa_table_free(t);
    gpa_table_free(u);
}

/* Two texts that are no UTF-8 would be one to everybody who is told of them. */
static void test_not_utf8(void **state)
{
    gpa_table *t = parse_ok(BYTES("a\nK\303\266ln\nK\366ln\nK\344ln\n"), "t", NULL);
    gpa_error err = {GPA_OK, ""};
    gpai_levels l;
    (void)state;
    assert_int_equal(gpai_levels_open(&l, t, 0, NULL, 0, NULL, 0, &err), GPA_DATA);
    assert_non_null(strstr(err.message, "is not UTF-8"));
    gpai_levels_close(&l);
    gpa_table_free(t);
}

static gpa_status open_both(void *ctx, gpa_error *err)
{
    static const char *const given[] = {"z", "a"};
    gpai_levels l;
    gpai_dates d = {.value = NULL};
    gpa_status st = gpai_levels_open(&l, ctx, 0, ctx, 0, given, 2, err);
    gpai_levels_close(&l);
    if (st == GPA_OK)
        st = gpai_dates_open(&d, ctx, 1, ctx, 1, err);
    gpai_dates_close(&d);
    return st;
}

static void test_no_memory(void **state)
{
    gpa_table *t = parse_ok(BYTES("a,b\nx,2024-01-01\ny,2024-01-02\n"), "t", NULL);
    (void)state;
    every_allocation_fails(open_both, t);
    gpa_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_texts),  cmocka_unit_test(test_null_is_missing),
        cmocka_unit_test(test_two_tables), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_many),       cmocka_unit_test(test_one_date),
        cmocka_unit_test(dates_elsewhere), cmocka_unit_test(test_date_columns),
        cmocka_unit_test(test_not_utf8),   cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
