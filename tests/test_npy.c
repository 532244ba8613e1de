/* NumPy arrays; the bytes were written by NumPy 1.24. */
#include "data_support.h"

#define MISSING ((double)NAN)

/* np.save of [[1.5, -2.25, nan], [1e300, 0.1, -0.0]] */
static const char DOUBLES[] =
    "\223NUMPY\001\000v\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } "
    "  "
    "                                                       \012"
    "\000\000\000\000\000\000\370\?\000\000\000\000\000\000\002\300"
    "\000\000\000\000\000\000\370\177\234u\000\210<\3447~"
    "\232\231\231\231\231\231\271\?\000\000\000\000\000\000\000\200";

/* The same as big-endian float32 in Fortran order, format 2.0; 1e300 became inf. */
static const char FLOATS[] =
    "\223NUMPY\002\000t\000\000\000{'descr': '>f4', 'fortran_order': True, 'shape': "
    "(2, 3)"
    ", }                                                         \012"
    "\?\300\000\000\177\200\000\000\300\020\000\000=\314\314\315\177\300\000\000"
    "\200\000\000\000";

static void test_doubles(void **state)
{
    gpa_table *t = parse_ok(BYTES(DOUBLES), "a.npy", NULL);
    (void)state;
    assert_int_equal(gpa_table_columns(t), 3);
    assert_string_equal(gpa_table_name(t, 2), "x3");
    assert_column(t, 0, (const double[]){1.5, 1e300}, 2);
    assert_column(t, 1, (const double[]){-2.25, 0.1}, 2);
    assert_column(t, 2, (const double[]){MISSING, -0.0}, 2);
    assert_int_equal(gpa_table_line(t, 1), 2);
    gpa_table_free(t);
    gpa_table_free(parse_ok(BYTES(DOUBLES), "-", NULL)); /* known by its first bytes */
}

static void test_fortran_floats(void **state)
{
    gpa_table *t = parse_ok(BYTES(FLOATS), "a.npy", NULL);
    gpa_error err = {GPA_OK, ""};
    (void)state;
    assert_column(t, 1, (const double[]){-2.25, (double)0.1f}, 2);
    assert_column(t, 2, (const double[]){MISSING, 0}, 2);
    assert_null(gpa_table_numbers(t, 0, &err));
    assert_string_equal(err.message,
                        "a.npy: row 1 (counted from 0), column \"x1\": inf is "
                        "out of range");
    assert_string_equal(gpa_table_text(t, 0, 0), "1.5");
    gpa_table_free(t);
}

/* A file from its parts: format 1.0, or 3.0 with its longer length. */
static size_t make(char out[512], int version, const char *dictionary, const char *data,
                   size_t size)
{
    size_t prefix = version == 1 ? 2 : 4, n = strlen(dictionary);
    memset(out, 0, 512);
    memcpy(out, "\223NUMPY", 6);
    out[6] = (char)version;
    out[8] = (char)n;
    memcpy(out + 8 + prefix, dictionary, n);
    memcpy(out + 8 + prefix + n, data, size);
    return 8 + prefix + n + size;
}

static void test_types(void **state)
{
    static const struct {
        const char *type, *bytes;
        size_t size, n;
        double want[6];
    } cases[] = {
        {"<f2",
         BYTES("\0008\000\274\000\004\001\000\377{\000~"),
         6,
         {0.5, -1, 0x1p-14, 0x1p-24, 65504, MISSING}},
        {">f2",
         BYTES("8\000\274\000\004\000\000\001{\377"),
         5,
         {0.5, -1, 0x1p-14, 0x1p-24, 65504}},
        {"<f4", BYTES("\315\314\314=\000\000 \300"), 2, {0x1.99999ap-4, -2.5}},
        {">f8",
         BYTES("\?\271\231\231\231\231\231\232\300\004\000\000\000\000\000\000"),
         2,
         {0.1, -2.5}},
        {"|i1", BYTES("\200\377\177"), 3, {-128, -1, 127}},
        {"<i2", BYTES("\000\200\376\377\377\177"), 3, {-32768, -2, 32767}},
        {">i2", BYTES("\200\000\377\376\177\377"), 3, {-32768, -2, 32767}},
        {"<i4", BYTES("\000\000\000\200\007\000\000\000"), 2, {-0x1p31, 7}},
        {">i8",
         BYTES(
             "\200\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377\000 \000"
             "\000\000\000\000\000"),
         3,
         {-0x1p63, -1, 0x1p53}},
        {"<i8",
         BYTES(
             "\000\000\000\000\000\000\000\200\377\377\377\377\377\377\377\377\000\000"
             "\000\000\000\000 \000"),
         3,
         {-0x1p63, -1, 0x1p53}},
        {"|u1", BYTES("\000\377"), 2, {0, 255}},
        {"<u2", BYTES("\377\377"), 1, {65535}},
        {">u4", BYTES("\377\377\377\377"), 1, {4294967295}},
        {"<u8",
         BYTES("\377\377\377\377\377\377\377\377\000\000\000\000\000\000 \000"),
         2,
         {0x1p64, 0x1p53}},
        {"|b1", BYTES("\001\000"), 2, {1, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char file[512], head[128];
        snprintf(head, sizeof head,
                 "{'descr':'%s','fortran_order':False,'shape':(%zu,)}\n", cases[i].type,
                 cases[i].n);
        size_t size = make(file, i % 2 ? 1 : 3, head, cases[i].bytes, cases[i].size);
        gpa_table *t = parse_ok(file, size, "a.npy", NULL);
        assert_int_equal(gpa_table_columns(t), 1);
        assert_column(t, 0, cases[i].want, cases[i].n);
        gpa_table_free(t);
    }
}

/* What was asked for as text: numbers as short as they read back. */
static void test_text(void **state)
{
    gpa_table_options opt;
    gpa_table_options_init(&opt);
    opt.text_column = "x2";
    gpa_table *t = parse_ok(BYTES(DOUBLES), "a.npy", &opt);
    (void)state;
    assert_string_equal(gpa_table_text(t, 0, 1), "-2.25");
    assert_string_equal(gpa_table_text(t, 1, 1), "0.1");
    assert_null(gpa_table_text(t, 0, 0));
    assert_true(gpa_table_is_numeric(t, 1));
    gpa_table_free(t);
    opt.text_column = "x3";
    t = parse_ok(BYTES(DOUBLES), "a.npy", &opt);
    assert_string_equal(gpa_table_text(t, 0, 2), "");
    gpa_table_free(t);
}

static void test_refused(void **state)
{
    static const char type[] = "arrays of dtype %s are not read (save them as float64)";
    static const char head[] = "the header is not that of a NumPy array";
    static const struct {
        const char *dictionary, *want, *shown;
        size_t data;
    } cases[] = {
        {"{'descr':'<c16','fortran_order':False,'shape':(1,)}", type, "<c16", 16},
        {"{'descr':'<U5','fortran_order':False,'shape':(1,)}", type, "<U5", 20},
        {"{'descr':'|O','fortran_order':False,'shape':(1,)}", type, "|O", 8},
        {"{'descr':'<f16','fortran_order':False,'shape':(1,)}", type, "<f16", 16},
        {"{'descr':'<M8[ns]','fortran_order':False,'shape':(1,)}", type, "<M8[ns]", 8},
        {"{'descr':'|f8','fortran_order':False,'shape':(1,)}", type, "|f8", 8},
        {"{'descr':'','fortran_order':False,'shape':(1,)}", type, "", 8},
        {"{'descr':[('a','<f8')],'fortran_order':False}", type,
         "[('a','<f8')],'fortran_order':False}", 8},
        {"{'descr':'<f8','fortran_order':False,'shape':()}",
         "an array of 0 axes, expected 1 or 2", "", 8},
        {"{'descr':'<f8','fortran_order':False,'shape':(1,1,1)}",
         "an array of 3 axes, expected 1 or 2", "", 8},
        {"{'descr':'<f8','fortran_order':False,'shape':(0,3)}",
         "empty, an array of 0 rows by 3 columns", "", 0},
        {"{'descr':'<f8','fortran_order':False,'shape':(3,0)}",
         "empty, an array of 3 rows by 0 columns", "", 0},
        {"{'descr':'<f8','fortran_order':False,'shape':(2,)}",
         "the file ends inside its data", "", 15},
        {"{'descr':'<f8','fortran_order':False,'shape':(2,)}",
         "there are bytes after the data", "", 17},
        {"{'descr':'<f8','fortran_order':False,'shape':(4294967296,4294967296)}",
         "the file ends inside its data", "", 16},
        {"{'descr':'<f8','fortran_order':False,'shape':(18446744073709551616,)}", head,
         "", 8},
        {"{'descr':'<f8','fortran_order':False,'shape':(-1,)}", head, "", 8},
        {"{'descr':'<f8','fortran_order':False,'shape':(1,)", head, "", 8},
        {"{'descr':'<f8','fortran_order':False}", head, "", 8},
        {"{'descr':'<f8','shape':(1,)}", head, "", 8},
        {"{'fortran_order':False,'shape':(1,)}", head, "", 8},
        {"{'descr':'<f8','fortran_order':Maybe,'shape':(1,)}", head, "", 8},
        {"{'descr':'<f8,'fortran_order':False,'shape':(1,)}", head, "", 8},
        {"{'other':'<f8'}", head, "", 8},
        {"{'descr':'<f8','fortran_order':False,'shape':(9,),'shape':(1,)}", head, "",
         8},
        {"{'descr':'<f4','fortran_order':False,'descr':'<f8','shape':(1,)}", head, "",
         8},
        {"nonsense", head, "", 8},
        {"", head, "", 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const char zeros[32];
        char file[512], want[256], what[200];
        size_t size = make(file, 1, cases[i].dictionary, zeros, cases[i].data);
        if (cases[i].want == type)
            snprintf(what, sizeof what, type, cases[i].shown);
        else
            snprintf(what, sizeof what, "%s", cases[i].want);
        snprintf(want, sizeof want, "a.npy: %s", what);
        parse_refused(file, size, "a.npy", NULL, want);
    }
    parse_refused(BYTES("a,b\n1,2\n3,4\n"), "a.npy", NULL,
                  "a.npy: not a NumPy array file");
    parse_refused(BYTES("\223NUMPY\004\000v\000{}"), "a.npy", NULL,
                  "a.npy: NumPy format version 4.0 is not known");
    parse_refused(BYTES("\223NUMPY\001\000\377\377{}"), "a.npy", NULL,
                  "a.npy: the file ends inside its header");
}

/* Entries in another order, double quotes, blanks and a trailing comma. */
static void test_loose_header(void **state)
{
    char file[512];
    size_t size = make(file, 1,
                       " { \"shape\" : ( 1 , 2 , ) , 'fortran_order' : True ,\n"
                       "\"descr\" : '|u1' , } ",
                       "\003\004", 2);
    gpa_table *t = parse_ok(file, size, "a.npy", NULL);
    (void)state;
    assert_column(t, 0, (const double[]){3}, 1);
    assert_column(t, 1, (const double[]){4}, 1);
    gpa_table_free(t);
}

static void test_cut(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof DOUBLES - 1; n++) {
        char *copy = malloc(n > 0 ? n : 1);
        gpa_table *t = NULL;
        memcpy(copy, DOUBLES, n);
        assert_int_equal(gpa_table_parse(&t, copy, n, "cut.npy", NULL, NULL), GPA_DATA);
        free(copy);
    }
}

static gpa_status parse_all(void *ctx, gpa_error *err)
{
    gpa_table *t = NULL;
    (void)ctx;
    gpa_status st = gpa_table_parse(&t, BYTES(FLOATS), "a.npy", NULL, err);
    gpa_table_free(t);
    return st;
}

static void test_no_memory(void **state)
{
    (void)state;
    every_allocation_fails(parse_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles), cmocka_unit_test(test_fortran_floats),
        cmocka_unit_test(test_types),   cmocka_unit_test(test_text),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_loose_header),
        cmocka_unit_test(test_cut),     cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
