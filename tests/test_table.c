/* Tables: reading files, finding columns, matrices, digests, and bad arguments. */
#include "data_support.h"

#include "data/table.h"

static void test_digest(void **state)
{
    /* published test vectors */
    char out[GPA_DIGEST_SIZE];
    (void)state;
    gpa_digest(NULL, 0, out);
    assert_string_equal(out,
                        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca49599"
                        "1b7852b855");
    gpa_digest("abc", 3, out);
    assert_string_equal(out,
                        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff"
                        "61f20015ad");
    gpa_digest("abc", 3, NULL);
}

static void test_read(void **state)
{
    struct scratch f = scratch_text("a,b\n1,2\n");
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    gpa_table_options opt;
    (void)state;
    assert_int_equal(gpa_table_read(&t, f.path, NULL, &err), GPA_OK);
    assert_column(t, 1, (const double[]){2}, 1);
    assert_string_equal(
        gpa_table_digest(t), /* sha256sum */
        "sha256:492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc"
        "3b7470");
    gpa_table_free(t);
    gpa_table_options_init(&opt);
    opt.max_bytes = 7;
    assert_int_equal(gpa_table_read(&t, f.path, &opt, &err), GPA_DATA);
    assert_null(t);
    unlink(f.path);
    assert_int_equal(gpa_table_read(&t, f.path, NULL, &err), GPA_IO);
    assert_non_null(strstr(err.message, "No such file"));
    assert_null(t);
}

/* Numbers for many megabytes, which are forgotten once they are read, then `last`: the
 * same as when all of it stays. */
static void check_long(const char *head, const char *last, const char *text_column)
{
    enum { ROWS = 450000, ROW = 16 };
    char *bytes = gpai_calloc(ROWS * ROW + 1000, 1), *p = bytes;
    assert_non_null(bytes);
    p += snprintf(p, 500, "%s\n", head);
    for (int i = 0; i < ROWS; i++) {
        p += snprintf(p, ROW, "%d,", i); /* quicker than both at once */
        p += snprintf(p, ROW, "%d\n", i % 1000 - 500);
    }
    p += snprintf(p, 400, "%s\n", last);
    struct scratch f = scratch_file(bytes, (size_t)(p - bytes));
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.text_column = text_column;
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    if (gpa_table_read(&t, f.path, &opt, &err) != GPA_OK)
        fail_msg("%s", err.message);
    gpa_table *want = parse_ok(bytes, (size_t)(p - bytes), f.path, &opt);
    assert_int_equal(gpa_table_rows(t), ROWS + 1);
    assert_string_equal(gpa_table_digest(t), gpa_table_digest(want));
    for (size_t k = 0; k < 2; k++) {
        const double *a = gpa_table_numbers(t, k, NULL);
        const double *b = gpa_table_numbers(want, k, NULL);
        assert_true((a == NULL) == (b == NULL));
        if (a != NULL)
            assert_memory_equal(a, b, (ROWS + 1) * sizeof *a);
        for (size_t i = 0; i <= ROWS; i += i < ROWS - 3 ? 997 : 1) {
            const char *x = gpa_table_text(t, i, k), *y = gpa_table_text(want, i, k);
            assert_true((x == NULL) == (y == NULL));
            if (x != NULL)
                assert_string_equal(x, y);
            assert_int_equal(gpa_table_line(t, i), i + 2);
        }
    }
    gpa_table_free(want);
    gpa_table_free(t);
    gpai_free(bytes);
    unlink(f.path);
}

static void test_long_file(void **state)
{
    (void)state;
    check_long("a,b", "1,2", NULL);
    check_long("a,b", "1,blue", NULL); /* text after all: it is read once more */
    check_long("a,b", "007,true", NULL);
    check_long("a,b", "1,2", "a");
}

static void test_find(void **state)
{
    static const struct {
        const char *name, *want;
    } cases[] = {
        {"bmj",
         "t: no column \"bmj\"; did you mean \"bmi\"? (there are age, bmi, s5, \\x1b)"},
        {"BMI",
         "t: no column \"BMI\"; did you mean \"bmi\"? (there are age, bmi, s5, \\x1b)"},
        {"ages", "t: no column \"ages\"; did you mean \"age\"? (there are age, bmi, "
                 "s5, \\x1b)"},
        {"weight", "t: no column \"weight\" (there are age, bmi, s5, \\x1b)"},
        {"", "t: no column \"\" (there are age, bmi, s5, \\x1b)"},
        {"\x1b]0;x\a",
         "t: no column \"\\x1b]0;x\\x07\" (there are age, bmi, s5, \\x1b)"},
    };
    gpa_table *t = parse_ok(BYTES("age,bmi,s5,\x1b\n1,2,3,4\n"), "t", NULL);
    gpa_error err = {GPA_OK, ""};
    size_t k = 99;
    (void)state;
    assert_int_equal(gpa_table_find(t, "s5", &k, &err), GPA_OK);
    assert_int_equal(k, 2);
    k = 99;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(gpa_table_find(t, cases[i].name, &k, &err), GPA_INVALID);
        assert_string_equal(err.message, cases[i].want);
        assert_int_equal(k, 99);
    }
    gpa_table_free(t);
}

/* A unit in brackets behind a blank may be left out, by either side. */
static void test_units(void **state)
{
    static const struct {
        const char *name;
        size_t length;
        const char *unit; /* up to the bracket */
    } names[] = {
        {"bmi [kg/m2]", 3, "kg/m2]"}, {"x [1]", 5, NULL},   {"[mm]", 4, NULL},
        {" [mm]", 5, NULL},           {"a[mm]", 5, NULL},   {"ab []", 5, NULL},
        {"abcd]", 5, NULL},           {"a [mm", 5, NULL},   {"a [b] [m]", 5, "m]"},
        {"a [mm] ", 7, NULL},         {"a [m2]", 1, "m2]"},
    };
    static const struct {
        const char *name;
        size_t column; /* 9: there is none */
    } found[] = {{"a", 9},     {"a [m]", 0}, {"a [ft]", 1}, {"a [s]", 9},  {"b", 2},
                 {"b [s]", 2}, {"b [h]", 9}, {"c", 3},      {"c [kg]", 3}, {"d", 5},
                 {"d [m]", 4}, {"e [m]", 9}, {"e", 9}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *unit = names[i].name;
        assert_int_equal(gpai_name_unit(names[i].name, &unit), names[i].length);
        assert_true((unit == NULL) == (names[i].unit == NULL));
        if (unit != NULL)
            assert_string_equal(unit, names[i].unit);
    }
    gpa_table *t =
        parse_ok(BYTES("a [m],a [ft],b [s],c,d [m],d\n1,2,3,4,5,6\n"), "t", NULL);
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        size_t k = 9;
        gpa_status st = gpa_table_find(t, found[i].name, &k, NULL);
        assert_int_equal(st, found[i].column == 9 ? GPA_INVALID : GPA_OK);
        assert_int_equal(k, found[i].column);
    }
    const bool unique[] = {false, false, true, true, false, true};
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(gpai_table_unique(t, k), unique[k]);
    gpa_table_free(t);
}

/* A message has no room for a name as long as this. */
static void test_long_name(void **state)
{
    char text[700] = "";
    gpa_error err = {GPA_OK, ""};
    size_t k = 0;
    (void)state;
    memset(text, 'n', 600);
    strcpy(text + 600, ",b\n1,2\n");
    gpa_table *t = parse_ok(text, strlen(text), "t", NULL);
    assert_int_equal(gpa_table_find(t, "zz", &k, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "no column \"zz\""));
    assert_true(strlen(err.message) < 500);
    gpa_table_free(t);
}

/* What text says that something is missing, with blanks around it, too. */
static void test_missing_text(void **state)
{
    gpa_table *t = parse_ok(BYTES("a,b\n\" NA\t\",007\nx,x\n\" \",1\n"), "t.csv", NULL);
    (void)state;
    assert_true(gpai_table_missing(t, 0, 0));
    assert_false(gpai_table_missing(t, 1, 0));
    assert_true(gpai_table_missing(t, 2, 0));
    assert_false(gpai_table_padded(t, 1)); /* 007, but then a word: text */
    assert_string_equal(gpa_table_text(t, 0, 1), "007");
    gpa_table_free(t);
    t = parse_ok(BYTES("a\n007\n8\n"), "t.csv", NULL);
    assert_true(gpai_table_padded(t, 0));
    gpa_table_free(t);
}

/* Many columns, long names: every one is found, and the message stays one line. */
static void test_find_many(void **state)
{
    size_t n = 5000, used = 0, k = 0;
    char *text = malloc(64 * n), name[64];
    gpa_error err = {GPA_OK, ""};
    (void)state;
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%sthe column number %zu",
                                i > 0 ? "," : "", i * i);
    text[used++] = '\n';
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%s%zu", i > 0 ? "," : "", i);
    gpa_table *t = parse_ok(text, used, "t", NULL);
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "the column number %zu", i * i);
        assert_int_equal(gpa_table_find(t, name, &k, &err), GPA_OK);
        assert_int_equal(k, i);
    }
    assert_int_equal(gpa_table_find(t, "nothing like it", &k, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "the column number 1, "));
    assert_string_equal(err.message + strlen(err.message) - 6, ", ...)");
    for (size_t i = 0; i < 20 * n; i++) { /* no advice is worked out for nobody */
        snprintf(name, sizeof name, "the column numbr %zu", i);
        assert_int_equal(gpa_table_find(t, name, &k, NULL), GPA_INVALID);
    }
    gpa_table_free(t);
    free(text);
}

static void test_matrix(void **state)
{
    gpa_table *t = parse_ok(BYTES("a,b,c\n1,2,x\n3,,y\n5,6,z\n"), "t.csv", NULL);
    static const size_t columns[3] = {1, 0, 2}, beyond[1] = {3};
    gpa_error err = {GPA_OK, ""};
    double x[9];
    (void)state;
    assert_int_equal(gpa_table_matrix(t, columns, 2, false, x, &err), GPA_OK);
    assert_true(x[0] == 2 && x[1] == 1 && isnan(x[2]) && x[3] == 3 && x[4] == 6 &&
                x[5] == 5);
    assert_int_equal(gpa_table_matrix(t, columns, 2, true, x, &err), GPA_DATA);
    assert_string_equal(err.message, "t.csv: line 3, column \"b\": missing value");
    assert_int_equal(gpa_table_matrix(t, columns, 2, true, x, NULL), GPA_DATA);
    assert_int_equal(gpa_table_matrix(t, columns, 3, false, x, &err), GPA_DATA);
    assert_non_null(strstr(err.message, "t.csv: line 2, column \"c\": \"x\" is not a"));
    assert_int_equal(gpa_table_matrix(t, columns, 3, false, x, NULL), GPA_DATA);
    assert_int_equal(gpa_table_matrix(t, beyond, 1, false, x, &err), GPA_INVALID);
    assert_string_equal(err.message, "t.csv: column 3 of 3");
    assert_int_equal(gpa_table_matrix(t, NULL, 0, false, NULL, &err), GPA_OK);
    gpa_table_free(t);
}

static void test_bad_arguments(void **state)
{
    gpa_error err = {GPA_OK, ""};
    gpa_table_options opt = {.struct_size = 0};
    gpa_table *t = parse_ok(BYTES("a\n1\n"), NULL, NULL); /* a name may be missing */
    double x[1];
    size_t k = 0;
    (void)state;
    assert_null(gpa_table_name(t, 1));
    assert_null(gpa_table_text(t, 1, 0));
    assert_null(gpa_table_text(t, 0, 1));
    assert_false(gpa_table_is_numeric(t, 1));
    assert_null(gpa_table_numbers(t, 1, &err));
    assert_int_equal(err.status, GPA_INVALID);
    assert_int_equal(gpa_table_find(t, NULL, &k, &err), GPA_INVALID);
    assert_int_equal(gpa_table_find(t, "a", NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_table_matrix(t, &k, 1, false, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_table_matrix(t, NULL, 1, false, x, &err), GPA_INVALID);
    gpa_table_free(t);
    gpa_table_free(NULL);
    assert_int_equal(gpa_table_rows(NULL), 0);
    assert_int_equal(gpa_table_columns(NULL), 0);
    assert_null(gpa_table_name(NULL, 0));
    assert_null(gpa_table_text(NULL, 0, 0));
    assert_null(gpa_table_digest(NULL));
    assert_int_equal(gpa_table_line(NULL, 0), 0);
    assert_false(gpa_table_is_numeric(NULL, 0));
    assert_null(gpa_table_numbers(NULL, 0, &err));
    assert_int_equal(gpa_table_find(NULL, "a", &k, &err), GPA_INVALID);
    assert_int_equal(gpa_table_matrix(NULL, &k, 1, false, x, &err), GPA_INVALID);
    assert_int_equal(gpa_table_read(NULL, "x", NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_table_read(&t, NULL, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_table_parse(NULL, "a", 1, "x", NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_table_parse(&t, NULL, 1, "x", NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_table_parse(&t, "a\n1", 3, "x", &opt, &err), GPA_INVALID);
    gpa_table_options_init_sized(NULL, 8);
}

/* A column of a row-major matrix, one of its own, and text with a gap. */
static const double matrix[6] = {1, 10, 2, (double)NAN, 3, 30},
                    infinite[3] = {1, -(double)INFINITY, 3};
static const char *const ids[3] = {"7", NULL, "b\n"}, *const blank[3] = {NULL};

/* 0 and 1 that mean False and True, and columns that cannot. */
static void test_set_boolean(void **state)
{
    static const double truth[3] = {1, (double)NAN, 0}, more[3] = {0, 1, 2};
    static const char *const text[3] = {"1", "0", "1"};
    const gpa_column columns[3] = {{.name = "a", .numbers = truth},
                                   {.name = "b", .numbers = more},
                                   {.name = "c", .text = text}};
    gpa_table *t = NULL;
    gpa_error err;
    (void)state;
    assert_int_equal(gpa_table_from_columns(&t, 3, columns, 3, "frame", &err), GPA_OK);
    assert_null(gpai_table_booleans(t, 0));
    assert_int_equal(gpa_table_set_boolean(t, 0, &err), GPA_OK);
    assert_string_equal(gpai_table_booleans(t, 0)[1], "True");
    assert_true(gpa_table_numbers(t, 0, &err)[0] == 1);
    for (size_t k = 1; k < 4; k++)
        assert_int_equal(gpa_table_set_boolean(t, k, &err), GPA_INVALID);
    assert_string_equal(err.message, "table: no column 3");
    assert_null(gpai_table_booleans(t, 1));
    gpa_table_free(t);
}

static void test_from_columns(void **state)
{
    const gpa_column columns[] = {
        {"a", matrix, 2, NULL},    {"b", matrix + 1, 2, NULL},
        {"c", matrix, 0, NULL},    {"id", NULL, 0, ids},
        {"gap", NULL, 0, blank},   {"inf", infinite, 1, NULL},
        {"", matrix + 3, 1, NULL},
    };
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    size_t k = 0;
    (void)state;
    assert_int_equal(gpa_table_from_columns(&t, 3, columns, 7, "frame", &err), GPA_OK);
    assert_int_equal(gpa_table_rows(t), 3);
    assert_int_equal(gpa_table_columns(t), 7);
    assert_column(t, 0, (const double[]){1, 2, 3}, 3);
    assert_column(t, 1, (const double[]){10, (double)NAN, 30}, 3);
    assert_column(t, 2, (const double[]){1, 10, 2}, 3);
    assert_column(t, 4, (const double[]){(double)NAN, (double)NAN, (double)NAN}, 3);
    assert_column(t, 6, (const double[]){(double)NAN, 3, 30}, 3);
    assert_false(gpa_table_is_numeric(t, 3)); /* text, though it says 7 */
    assert_string_equal(gpa_table_text(t, 0, 3), "7");
    assert_string_equal(gpa_table_text(t, 1, 3), "");
    assert_string_equal(gpa_table_text(t, 2, 3), "b\n");
    assert_string_equal(gpa_table_text(t, 2, 4), "");
    assert_null(gpa_table_text(t, 0, 0));
    assert_int_equal(gpa_table_line(t, 2), 3);
    assert_null(gpa_table_digest(t));
    assert_int_equal(gpa_table_find(t, "", &k, &err), GPA_OK);
    assert_int_equal(k, 6);
    assert_null(gpa_table_numbers(t, 3, &err));
    assert_string_equal(err.message,
                        "frame: row 0 (counted from 0), column \"id\": \"7\" is text, "
                        "not a number (write it without quotes, in SQL as CAST(... AS "
                        "REAL), or leave the column out with --drop)");
    assert_null(gpa_table_numbers(t, 5, &err));
    assert_string_equal(err.message, "frame: row 1 (counted from 0), column \"inf\": "
                                     "-inf is out of range");
    gpa_table_free(t);
}

static void test_from_bad_columns(void **state)
{
    static const struct {
        gpa_column column;
        const char *want;
    } cases[] = {
        {{NULL, matrix, 1, NULL}, "table: column 1 has no name"},
        {{"b\n", NULL, 1, NULL},
         "table: column \"b\\n\" has neither numbers nor text: "
         "either of the two makes one"},
        {{"b", matrix, 1, ids},
         "table: column \"b\" has both numbers and text: either "
         "of the two makes one"},
        {{"a", matrix, 1, NULL}, "table: columns 1 and 2 are both named \"a\""},
    };
    gpa_column columns[2] = {{"a", matrix, 1, NULL}, {"a", matrix, 1, NULL}};
    gpa_error err = {GPA_OK, ""};
    gpa_table *t = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        columns[1] = cases[i].column;
        t = (gpa_table *)(uintptr_t)1;
        assert_int_equal(gpa_table_from_columns(&t, 3, columns, 2, NULL, &err),
                         GPA_INVALID);
        assert_string_equal(err.message, cases[i].want);
        assert_null(t);
    }
    assert_int_equal(gpa_table_from_columns(NULL, 3, columns, 1, "t", &err),
                     GPA_INVALID);
    assert_int_equal(gpa_table_from_columns(&t, 0, columns, 1, "t", &err), GPA_INVALID);
    assert_int_equal(gpa_table_from_columns(&t, 3, columns, 0, "t", &err), GPA_INVALID);
    assert_int_equal(gpa_table_from_columns(&t, 3, NULL, 1, "t", NULL), GPA_INVALID);
}

/* Options of a caller built before the last fields were added, and of one built after
 * more were. */
static void test_option_sizes(void **state)
{
    struct {
        gpa_table_options opt;
        char more[64];
    } large;
    gpa_table_options small;
    (void)state;
    memset(&small, 0xff, sizeof small);
    gpa_table_options_init_sized(&small, offsetof(gpa_table_options, no_header));
    assert_int_equal(small.struct_size, offsetof(gpa_table_options, no_header));
    unsigned char untouched;
    memcpy(&untouched, &small.no_header, 1);
    assert_int_equal(untouched, 0xff);
    gpa_table_free(parse_ok(BYTES("a\n1\n"), "t", &small)); /* a header, by default */
    gpa_table_options_init_sized(&large.opt, sizeof large);
    gpa_table_free(parse_ok(BYTES("a\n1\n"), "t", &large.opt));
    assert_int_equal(large.more[63], 0);
}

static gpa_status read_file(void *ctx, gpa_error *err)
{
    gpa_table *t = NULL;
    gpa_status st = gpa_table_read(&t, ctx, NULL, err);
    gpa_table_free(t);
    return st;
}

static gpa_status from_columns(void *ctx, gpa_error *err)
{
    const gpa_column columns[] = {
        {"a", matrix, 2, NULL}, {"id", NULL, 0, ids}, {"inf", infinite, 1, NULL}};
    gpa_table *t = NULL;
    (void)ctx;
    gpa_status st = gpa_table_from_columns(&t, 3, columns, 3, "t", err);
    gpa_table_free(t);
    return st;
}

static void test_no_memory(void **state)
{
    struct scratch f = scratch_text("a,b\n1,x\n2,y\n");
    (void)state;
    every_allocation_fails(read_file, f.path);
    every_allocation_fails(from_columns, NULL);
    unlink(f.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_long_file),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_missing_text),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_find_many),
        cmocka_unit_test(test_from_columns),
        cmocka_unit_test(test_set_boolean),
        cmocka_unit_test(test_from_bad_columns),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_option_sizes),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
