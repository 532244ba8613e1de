/* CSV as it is met: RFC 4180, what spreadsheets and scripts write, and what is wrong.
 */
#include "data/table.h"
#include "data_support.h"

#define MISSING ((double)NAN)

/* Every one of these is the same table: a = 1, 3; b = 2.5, missing. */
static void test_same_table(void **state)
{
    static const char *const cases[] = {
        "a,b\n1,2.5\n3,\n",
        "a,b\n1,2.5\n3,",
        "a,b\r\n1,2.5\r\n3,\r\n",
        "a,b\r1,2.5\r3,\r",
        "\357\273\277a,b\n1,2.5\n3,\n", /* a byte order mark */
        "a,b\n1,2.5\n3,\n\n\n   \n\t\n",
        "\n\n  \na,b\n\n1,2.5\n\r\n3,\n",
        " a , b \n +1 ,\t2.5\n 3 , \n",
        "\"a\",\"b\"\n\"1\",\"2.5\"\n\"3\",\"\"\n",
        "\" a \",\"b \"\n\" 1\",\"2.5 \"\n\"3\",\" \"\n",
        " \"a\" , \"b\" \n \"1\" , 2.5\n3, \"NA\" \n",
        "a;b\n1;2.5\n3;\n",
        "a\tb\n1\t2.5\n3\t\n",
        "a\tb\n 1 \t 2.5\n3\t \n",
        "a|b\n1|2.5\n3|NULL\n",
        "sep=;\na;b\n1;2.5\n3;?\n",
        "sep=;\r\na;b\r\n1;2.5\r\n3;null\r\n",
        "a,b\n1e0,25e-1\n.3e1,NaN\n",
        "a,b\n1,2.5\n3,nan",
        "a,b\n1,2.5\n3,None",
        "a,b\n1,2.5\n3,N/A",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_table *t = parse_ok(cases[i], strlen(cases[i]), "t.csv", NULL);
        assert_int_equal(gpa_table_columns(t), 2);
        assert_string_equal(gpa_table_name(t, 0), "a");
        assert_string_equal(gpa_table_name(t, 1), "b");
        assert_column(t, 0, (const double[]){1, 3}, 2);
        assert_column(t, 1, (const double[]){2.5, MISSING}, 2);
        gpa_table_free(t);
    }
}

static void test_lines(void **state)
{
    gpa_table *t = parse_ok(BYTES("\n\"a\nb\",c\r\n1,\"x\r\ny\rz\n\"\n\n2,q\r3,\"\"\n"),
                            "t.csv", NULL);
    static const size_t want[] = {4, 9, 10};
    (void)state;
    assert_string_equal(gpa_table_name(t, 0), "a\nb");
    assert_int_equal(gpa_table_rows(t), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(gpa_table_line(t, i), want[i]);
    assert_int_equal(gpa_table_line(t, 3), 0);
    assert_string_equal(gpa_table_text(t, 0, 1), "x\r\ny\rz\n");
    gpa_table_free(t);
}

static void test_text_columns(void **state)
{
    static const char text[] = "id,name,x\n"
                               "007, plain ,1\n"
                               "008,\" in \"\"quotes\"\", yes \",2\n"
                               "NA,,3\n"
                               "9,5\" pipe,4\n";
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.text_column = "id";
    gpa_table *t = parse_ok(BYTES(text), "t.csv", &opt);
    static const char *const ids[] = {"007", "008", "NA", "9"};
    static const char *const names[] = {"plain", " in \"quotes\", yes ", "",
                                        "5\" pipe"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(gpa_table_text(t, i, 0), ids[i]);
        assert_string_equal(gpa_table_text(t, i, 1), names[i]);
        assert_null(gpa_table_text(t, i, 2));
    }
    assert_true(gpa_table_is_numeric(t, 0)); /* asked for as text, and still numbers */
    assert_column(t, 0, (const double[]){7, 8, MISSING, 9}, 4);
    assert_false(gpa_table_is_numeric(t, 1));
    assert_true(gpa_table_is_numeric(t, 2));
    gpa_table_free(t);
    opt.text_column = "no such column"; /* for gpa_table_find to say */
    t = parse_ok(BYTES(text), "t.csv", &opt);
    assert_string_equal(gpa_table_text(t, 0, 0), "007"); /* its zeros may count */
    assert_null(gpa_table_text(t, 0, 2));
    gpa_table_free(t);
}

/* True and false alone are 1 and 0; among anything else they are text, and the first of
 * them is what a model of numbers cannot take. */
static void test_booleans(void **state)
{
    gpa_table *t = parse_ok(BYTES("a,b,c,d,e\n"
                                  "TRUE,false,1,true,1\n"
                                  "FALSE,,true,maybe,maybe\n"
                                  "\"TRUE\",true,0,false,true\n"),
                            "t.csv", NULL);
    static const size_t lines[] = {3, 2, 3};
    static const char *const bad[] = {"true", "true", "maybe"};
    gpa_error err = {GPA_OK, ""};
    (void)state;
    assert_column(t, 0, (const double[]){1, 0, 1}, 3);
    assert_column(t, 1, (const double[]){0, MISSING, 1}, 3);
    for (size_t k = 0; k < 3; k++) {
        char want[128];
        snprintf(want, sizeof want, "t.csv: line %zu, column \"%c\": \"%s\" is not",
                 lines[k], (char)('c' + k), bad[k]);
        assert_null(gpa_table_numbers(t, 2 + k, &err));
        assert_memory_equal(err.message, want, strlen(want));
    }
    assert_string_equal(gpa_table_text(t, 2, 2), "0");
    assert_string_equal(gpa_table_text(t, 2, 3), "false");
    gpa_table_free(t);
}

/* A wrong cell among numbers is no reason to encode the column. */
static void test_wrong_cell_among_numbers(void **state)
{
    static const char text[] = "a,b,c\n1,1,\"1,5\"\n2,2,2\n3,#REF!,3\n4,4,4\n5,5,5\n"
                               "6,6,6\n7,x,7\n8,8,8\n9,9,9\n0,0,0\n1,1,1\n2,2,2\n";
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = parse_ok(BYTES(text), "t.csv", NULL);
    (void)state;
    assert_null(gpa_table_numbers(t, 1, &err));
    assert_string_equal(
        err.message, "t.csv: line 4, column \"b\": \"#REF!\" is not a number, as 10 of "
                     "the column's 12 cells are: correct it, or leave the cell empty");
    assert_null(gpa_table_numbers(t, 2, &err));
    assert_string_equal(
        err.message, "t.csv: line 2, column \"c\": \"1,5\" is not a number here: write "
                     "a decimal point, not a comma, and nothing between thousands");
    assert_false(gpai_table_meant_as_numbers(t, 0));
    assert_true(gpai_table_meant_as_numbers(t, 1) && gpai_table_meant_as_numbers(t, 2));
    gpa_table_free(t);
}

static void test_wrong_cells(void **state)
{
    static const char hint[] =
        " (encode text columns as numbers, or leave the column out with --drop)";
    static const struct {
        const char *cell, *shown, *is;
    } cases[] = {
        {"\"2,3 kg\"", "\"2,3 kg\"", " is not a number"},
        {"1.2.3", "\"1.2.3\"", " is not a number"},
        {"0x10", "\"0x10\"", " is not a number"},
        {"inf", "inf", " is out of range"},
        {"-inf", "-inf", " is out of range"},
        {"Infinity", "\"Infinity\"", " is not a number"},
        {"1e999", "1e999", " is out of range"},
        {"-1e309", "-1e309", " is out of range"},
        {"\x1b[2J", "\"\\x1b[2J\"", " is not a number"},
        {"\xff\xc3\xa4", "\"\\xff\xc3\xa4\"", " is not a number"},
        {"\"a\nb\"", "\"a\\nb\"", " is not a number"},
        {"1 000", "\"1 000\"", " is not a number"},
        {"1\xc2\xa0"
         "000",
         "\"1\xc2\xa0"
         "000\"",
         " is not a number"},
        {"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee",
         "\"aaaaaaaaaabbbbbbbbbbccccccccccddddddd...\"", " is not a number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256], want[256];
        gpa_error err = {GPA_OK, ""};
        snprintf(text, sizeof text, "age,bmi\n1,2\n\n3,%s\n4,other\n", cases[i].cell);
        snprintf(want, sizeof want, "data.csv: line 4, column \"bmi\": %s%s%s",
                 cases[i].shown, cases[i].is,
                 strstr(cases[i].is, "range") != NULL ? "" : hint);
        gpa_table *t = parse_ok(text, strlen(text), "data.csv", NULL);
        assert_false(gpa_table_is_numeric(t, 1));
        assert_null(gpa_table_numbers(t, 1, &err));
        assert_int_equal(err.status, GPA_DATA);
        assert_string_equal(err.message, want);
        assert_null(gpa_table_numbers(t, 1, NULL));
        assert_column(t, 0, (const double[]){1, 3, 4}, 3);
        gpa_table_free(t);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"\n \r\n", "t.csv: empty, no column names and no rows"},
        {"\xef\xbb\xbf", "t.csv: empty, no column names and no rows"},
        {"sep=;\n", "t.csv: empty, no column names and no rows"},
        {"a,b\n", "t.csv: no rows below the column names"},
        {"a,b", "t.csv: no rows below the column names"},
        {"a,b\n\n  \n", "t.csv: no rows below the column names"},
        {"a,b\n1,2\n\n3\n", "t.csv: line 4: 1 field, expected 2"},
        {"a,b\n1,2\n3,4,5,6\n", "t.csv: line 3: 4 fields, expected 2"},
        {"a,b\n\"1\n\n\",2\n3\n", "t.csv: line 5: 1 field, expected 2"},
        {"a,b\n1,2,\n", "t.csv: line 2: 3 fields, expected 2"},
        {"a,b,a\n1,2,3\n", "t.csv: line 1: columns 1 and 3 are both named \"a\""},
        {"x,\" x\x1b\",x\x1b \n1,2,3\n",
         "t.csv: line 1: columns 2 and 3 are both named \"x\\x1b\""},
        {",column1\n1,2\n",
         "t.csv: line 1: columns 1 and 2 are both named \"column1\""},
        {"1,2.5\n3,4\n", "t.csv: line 1: the first line looks like data, not column "
                         "names: add a header line or use --no-header"},
        {"\n1,,\"3\"\n", "t.csv: line 2: the first line looks like data, not column "
                         "names: add a header line or use --no-header"},
        {"a,b\n1,\"2\n3,4\n", "t.csv: line 2: a quote is opened and never closed"},
        {"a,\"b\n", "t.csv: line 1: a quote is opened and never closed"},
        {"a,b\n1,\"2\"x\n", "t.csv: line 2: text after a closing quote"},
        {"a,b\n1,\"2\n\" \"\n", "t.csv: line 3: text after a closing quote"},
        {"\"a\"b,c\n", "t.csv: line 1: text after a closing quote"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        parse_refused(cases[i].text, strlen(cases[i].text), "t.csv", NULL,
                      cases[i].want);
    parse_refused(NULL, 0, "t.csv", NULL, "t.csv: empty");
    parse_refused(BYTES("a,b\r\n1,2\r\n3,\0\n"), "t.csv", NULL,
                  "t.csv: line 3: a zero byte, this is not a text file");
    parse_refused(BYTES("\xff\xfe"
                        "a\0,\0b\0"),
                  "t.csv", NULL, "t.csv: UTF-16 text: save it as UTF-8");
    parse_refused(BYTES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "t.csv", NULL,
                  "t.csv: an Excel workbook (.xls): run: ssconvert book.xlsx book.csv "
                  "(gnumeric), or save it as CSV");
    parse_refused(BYTES("PK\x03\x04....xl/workbook.xml"), "-", NULL,
                  "standard input: an Excel workbook (.xlsx): run: ssconvert book.xlsx "
                  "book.csv (gnumeric), or save it as CSV");
    parse_refused(BYTES("PK\x03\x04"), "t.npz", NULL,
                  "t.npz: a zip archive (.npz is, too): unpack it first");
}

static void test_names(void **state)
{
    gpa_table *t = parse_ok(BYTES(",b,\"\",1,\"x \"\"y\"\"\"\n0,1,2,3,4\n"), "t", NULL);
    static const char *const want[] = {"column1", "b", "column3", "1", "x \"y\""};
    (void)state;
    assert_int_equal(gpa_table_columns(t), 5);
    for (size_t k = 0; k < 5; k++)
        assert_string_equal(gpa_table_name(t, k), want[k]);
    assert_null(gpa_table_name(t, 5));
    gpa_table_free(t);
}

/* The separator comes from the first line, quotes left out. */
static void test_separators(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
    } cases[] = {
        {"\"a, b\";c\n1;2\n", 2},    {"a;b;c|d\n1;2;3\n", 3},     {"\"a;b\"\n1\n", 1},
        {"\"a\"\"b;\";c\n1;2\n", 2}, {"a\tb c\td\n1\t2\t3\n", 3}, {"only\n1\n", 1},
        {"5\" pipe;b\n1;2\n", 2},    {"a,b;c\n1,2\n", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_table *t = parse_ok(cases[i].text, strlen(cases[i].text), "t", NULL);
        assert_int_equal(gpa_table_columns(t), cases[i].columns);
        assert_int_equal(gpa_table_rows(t), 1);
        gpa_table_free(t);
    }
}

static void test_no_header(void **state)
{
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.no_header = true;
    gpa_table *t = parse_ok(BYTES("1;2\n3;4\n"), "t.csv", &opt);
    (void)state;
    assert_string_equal(gpa_table_name(t, 0), "x1");
    assert_string_equal(gpa_table_name(t, 1), "x2");
    assert_column(t, 0, (const double[]){1, 3}, 2);
    assert_column(t, 1, (const double[]){2, 4}, 2);
    assert_int_equal(gpa_table_line(t, 0), 1);
    gpa_table_free(t);
    parse_refused(BYTES("1,2\n3\n"), "t.csv", &opt,
                  "t.csv: line 2: 1 field, expected 2");
}

static void test_limits(void **state)
{
    size_t n = (1 << 20) + 1;
    char *text = malloc(n + 16);
    gpa_table_options opt;
    (void)state;
    memcpy(text, "a\n", 2);
    memset(text + 2, '1', n - 1);
    gpa_table_free(parse_ok(text, n + 1, "t", NULL)); /* 1 MiB just fits */
    text[n + 1] = '1';
    parse_refused(text, n + 2, "t", NULL, "t: line 2: a cell of more than 1 MiB");
    text[2] = '"';
    memcpy(text + n + 2, "1\"", 2);
    parse_refused(text, n + 4, "t", NULL,
                  "t: line 2: a quoted cell of more than 1 MiB (is a closing quote "
                  "missing?)");
    free(text);
    gpa_table_options_init(&opt);
    assert_int_equal(opt.max_bytes, (size_t)2 << 30);
    opt.max_bytes = 5;
    parse_refused(BYTES("a,b\n1,2"), "t", &opt, "t: larger than the limit of 5 bytes");
}

/* One million columns, and one more. */
static void test_many_columns(void **state)
{
    size_t n = 1000001, used = 0;
    char *text = malloc(12 * n);
    gpa_table_options opt;
    (void)state;
    gpa_table_options_init(&opt);
    opt.no_header = true;
    for (size_t k = 0; k < n - 1; k++) {
        text[used++] = '1';
        text[used++] = ',';
    }
    gpa_table *t = parse_ok(text, used - 1, "wide", &opt);
    assert_int_equal(gpa_table_columns(t), 1000000);
    assert_string_equal(gpa_table_name(t, 999999), "x1000000");
    gpa_table_free(t);
    parse_refused(text, used, "wide", &opt, "wide: more than 1000000 columns");
    free(text);
}

/* Blank lines by the million must not make columns by the million ask for memory. */
static void test_blank_lines_cost_nothing(void **state)
{
    size_t lines = 2000000, used = 0;
    char *text = malloc(lines + 200000);
    (void)state;
    for (int k = 0; k < 20000; k++)
        used += (size_t)sprintf(text + used, "c%d,", k);
    text[used - 1] = '\n';
    memset(text + used, '\n', lines);
    parse_refused(text, used + lines, "t", NULL, "t: no rows below the column names");
    memcpy(text + used + lines - 1, "1", 1); /* a row of one field */
    char want[64];
    snprintf(want, sizeof want, "t: line %zu: 1 field, expected 20000", lines + 1);
    parse_refused(text, used + lines, "t", NULL, want);
    free(text);
}

/* Every beginning of a file, in memory of exactly its size. */
static void test_cut(void **state)
{
    static const char whole[] =
        "\xef\xbb\xbf\"a\"\"\n\",b\r\n1,\"x\ny\" \r\n\r\n+2e1,NA\r3,\"\"";
    (void)state;
    for (size_t n = 0; n <= sizeof whole - 1; n++) {
        char *copy = malloc(n > 0 ? n : 1);
        gpa_table *t = NULL;
        gpa_error err;
        memcpy(copy, whole, n);
        gpa_status st = gpa_table_parse(&t, copy, n, "cut", NULL, &err);
        assert_true(st == GPA_OK || st == GPA_DATA);
        assert_int_equal(st == GPA_OK, t != NULL);
        gpa_table_free(t);
        free(copy);
    }
}

static gpa_status parse_all(void *ctx, gpa_error *err)
{
    static const char text[] = "id,\"b\"\"\",c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n"
                               "u,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6\n\n\n"
                               "v,1,2,3,4,5,6,7,x,9,0,1,2,3,4,5,6\n";
    gpa_table_options opt;
    gpa_table *t = NULL;
    gpa_table_options_init(&opt);
    opt.text_column = "c";
    (void)ctx;
    gpa_status st = gpa_table_parse(&t, text, sizeof text - 1, "t.csv", &opt, err);
    if (st == GPA_OK) {
        assert_string_equal(gpa_table_text(t, 1, 8), "x");
        assert_string_equal(gpa_table_text(t, 1, 2), "2");
    } else {
        assert_null(t);
    }
    gpa_table_free(t);
    return st;
}

static void test_no_memory(void **state)
{
    (void)state;
    every_allocation_fails(parse_all, NULL);
}

/* A decimal comma is read as such where it separates no columns and can be nothing
 * else; elsewhere it is told what it is. */
static void decimal_comma(void **state)
{
    (void)state;
    static const struct {
        const char *csv;
        double want; /* first cell; NaN: it is no number */
    } cases[] = {{"a;b;y\n1,5;x;2\n-22;x;3\n;x;4,25\n", 1.5},
                 {"a\ty\n-0,25\t2\n", -0.25},
                 {"a;y\n1,234;2,5\n", 1.234},          /* the other column is sure */
                 {"a;y\n1,234;2\n", (double)NAN},      /* thousands? */
                 {"a;y\n1,5;2\n1.5;3\n", (double)NAN}, /* which? */
                 {"a;y\n1,5;2\nx;3\n", (double)NAN},
                 {"a,y\n\"1,5\",2\n", (double)NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gpa_table *t;
        gpa_error err = {0};
        assert_int_equal(gpa_table_parse(&t, cases[i].csv, strlen(cases[i].csv),
                                         "d.csv", NULL, &err),
                         GPA_OK);
        const double *got = gpa_table_numbers(t, 0, &err);
        if (isnan(cases[i].want)) {
            assert_null(got);
            assert_non_null(strstr(err.message, "decimal point"));
            assert_non_null(strstr(err.message, "line 2"));
        } else {
            assert_non_null(got);
            assert_true(got[0] == cases[i].want);
        }
        if (i == 0) {
            assert_true(got != NULL && got[1] == -22 && isnan(got[2]));
            assert_false(gpa_table_is_numeric(t, 1));
            assert_true(gpa_table_numbers(t, 2, NULL)[2] == 4.25);
        }
        gpa_table_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_comma),
        cmocka_unit_test(test_same_table),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_text_columns),
        cmocka_unit_test(test_booleans),
        cmocka_unit_test(test_wrong_cells),
        cmocka_unit_test(test_wrong_cell_among_numbers),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_no_header),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_blank_lines_cost_nothing),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
