#include "support.h"

#include "model/exec/frames.h"

/* Bytes made with Python's struct.pack("<4s2I", ...). */
static void test_request(void **state)
{
    static const unsigned char want[12] = {'G', 'P', 'A',  'Q',  0x01, 0x02,
                                           0,   0,   0x70, 0x11, 0x01, 0};
    unsigned char head[GPAI_HEAD_BYTES];
    (void)state;
    gpai_frame_request(head, 513, 70000);
    assert_memory_equal(head, want, sizeof want);
    gpai_frame_request(head, UINT32_MAX, 1);
    assert_memory_equal(head + 4, "\xff\xff\xff\xff\1\0\0", 8);
}

/* Bytes made with Python's struct.pack. */
static void test_kinds(void **state)
{
    static const char want[] = "GPAK\3\0\0\0\x46\0\0\0"
                               "\0\0\0\0\3\0\0\0age\0\0\0\0"
                               "\1\0\0\0\2\0\0\0\xc3\xa9\2\0\0\0"
                               "\0\0\0\0\0\0\0\0\0\0\0\0"
                               "\0\0\0\0\0\0\x04\x40\3\0\0\0b,c"
                               "\2\0\0\0\2\0\0\0on\0\0\0\0";
    static const double codes[2] = {0, 2.5};
    static const char *const texts[2] = {"", "b,c"};
    static const char *const names[3] = {"age", "\xc3\xa9", "on"};
    const gpa_input inputs[3] = {{.kind = GPA_KIND_NUMBER},
                                 {.kind = GPA_KIND_CHOICE,
                                  .writing = GPA_WRITING_LEVEL,
                                  .levels = 2,
                                  .level = codes,
                                  .level_name = texts},
                                 {.writing = GPA_WRITING_DATE}};
    unsigned char out[128];
    gpai_model_kinds k = {0};
    (void)state;
    assert_int_equal(gpai_model_kinds_columns(&k, 3, names, NULL), GPA_OK);
    assert_int_equal(gpai_model_kinds_copy(&k, inputs, 3, "exec", NULL), GPA_OK);
    assert_int_equal(gpai_frame_kinds(NULL, &k), sizeof want - 1);
    assert_int_equal(gpai_frame_kinds(out, &k), sizeof want - 1);
    assert_memory_equal(out, want, sizeof want - 1);
    gpai_model_kinds_free(&k);
}

static void test_hello(void **state)
{
    static const struct {
        const char *bytes;
        size_t got;
        bool good;
        uint32_t inputs, size;
        const char *says;
    } cases[] = {
        {"GPAH\1\0\0\0\3\0\0\0\x09\0\0\0", 16, true, 3, 9, ""},
        {"GPAH\1\0\0\0\0\0\0\0\0\0\0\0", 16, true, 0, 0, ""},
        {"GPAH\1\0\0\0\x40\x42\x0f\0\0\0\0\0", 16, true, 1000000, 0, ""},
        {"GPAH\1\0\0\0\x41\x42\x0f\0\0\0\0\0", 16, false, 0, 0,
         "says it has 1000001 inputs, 1000000 are allowed"},
        {"GPAH\1\0\0\0\1\0\0\0\0\0\0\1", 16, true, 1, 1 << 24, ""},
        {"GPAH", 4, true, 0, 0, ""},
        {"GPAH\1\0\0\0\1\0\0\0\1\0\0\1", 16, false, 0, 0,
         "announces 16777217 bytes of names in its hello, 16777216 are allowed"},
        {"GPAH\2\0\0\0\1\0\0\0\0\0\0\0", 16, true, 1, 0, ""},
        {"GPAH\3\0\0\0\1\0\0\0\0\0\0\0", 16, false, 0, 0,
         "speaks version 3 of the frames, not 1 or 2"},
        {"GPAH\0\0\0\0\1\0\0\0\0\0\0\0", 16, false, 0, 0,
         "speaks version 0 of the frames, not 1 or 2"},
        {"GPAH\1\0\0\0\0\0\0\0\2\0\0\0", 16, false, 0, 0,
         "names its inputs, but says it has 0"},
        {"GPAH\1\0\0\0\xff\xff\xff\xff\2\0\0\0", 16, false, 0, 0,
         "says it has 4294967295 inputs, 1000000 are allowed"},
        {"GPAH\1\0\0\0\x40\x42\x0f\0\x3f\x42\x0f\0", 16, false, 0, 0,
         "has 1000000 inputs and 999999 bytes for their names"},
        {"Load", 4, false, 0, 0, "said 'Load' where a hello was expected (GPAH); "},
        {"\x1b[2J\xff\nGPAH", 10, false, 0, 0, "said '\\x1b[2J\\xff GPAH' where a "},
        {"GPAR", 4, false, 0, 0, "said 'GPAR' where a hello was expected (GPAH); "},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpai_hello_head h = {0};
        char wrong[GPAI_WRONG] = "";
        bool good = gpai_frame_hello(&h, (const unsigned char *)cases[c].bytes,
                                     cases[c].got, wrong);
        assert_int_equal(good, cases[c].good);
        assert_memory_equal(wrong, cases[c].says, strlen(cases[c].says));
        if (good) {
            assert_int_equal(h.inputs, cases[c].inputs);
            assert_int_equal(h.size, cases[c].size);
        }
    }
}

static void test_names(void **state)
{
    static const struct {
        const char *text;
        size_t size, d;
        const char *names[3], *says;
    } cases[] = {
        {"a\nb\nc\n", 6, 3, {"a", "b", "c"}, NULL},
        {"a\nb c\n\xc3\xa9", 8, 3, {"a", "b c", "\xc3\xa9"}, NULL},
        {"\n", 1, 1, {""}, NULL},
        {"\n\n", 2, 2, {"", ""}, NULL},
        {"one", 3, 1, {"one"}, NULL},
        {"a\nb\n", 4, 3, {NULL}, "has 3 inputs and names 2"},
        {"a\nb\n\n", 5, 2, {NULL}, "has 2 inputs and names 3"},
        {"a\0\n", 3, 1, {NULL}, "has a zero byte in the names of its inputs"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[16], wrong[GPAI_WRONG] = "";
        const char *names[3] = {NULL, NULL, NULL};
        memset(text, 'x', sizeof text);
        memcpy(text, cases[c].text, cases[c].size);
        bool good = gpai_frame_names(names, cases[c].d, text, cases[c].size, wrong);
        assert_int_equal(good, cases[c].says == NULL);
        if (!good)
            assert_string_equal(wrong, cases[c].says);
        for (size_t k = 0; good && k < cases[c].d; k++)
            assert_string_equal(names[k], cases[c].names[k]);
    }
}

static void test_reply(void **state)
{
    static const struct {
        const char *bytes;
        size_t got, rows;
        uint32_t size;
        const char *says; /* NULL: good */
    } cases[] = {
        {"GPAR\3\2\1\0\0\0\0\0", 12, 66051, 0, NULL},
        {"GPAR", 4, 5, 0, NULL},
        {"GPAR\0\0\0\0\4\0\0\0", 12, 5, 4, NULL},
        {"GPAR\5\0\0\0\0\0\x10\0", 12, 5, 1 << 20, NULL},
        {"GPAR\5\0\0\0\1\0\x10\0", 12, 5, 0,
         "announces an error text of 1048577 bytes, 1048576 are allowed"},
        {"GPAR\xff\xff\xff\xff\xff\xff\xff\xff", 12, 5, 0,
         "announces an error text of 4294967295 bytes, 1048576 are allowed"},
        {"GPAR\6\0\0\0\0\0\0\0", 12, 5, 0, "answers 6 rows when 5 were asked"},
        {"GPAR\0\0\0\0\0\0\0\0", 12, 5, 0,
         "answers 0 rows when 5 were asked: no prediction for row 100"},
        {"GPAR\4\0\0\0\0\0\0\0", 12, 5, 0,
         "answers 4 rows when 5 were asked: no prediction for row 104"},
        {"gpar\5\0\0\0\0\0\0\0", 12, 5, 0, "said 'gpar\\x05\\x00"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpai_reply r = {0};
        char wrong[GPAI_WRONG] = "";
        bool good =
            gpai_frame_reply(&r, (const unsigned char *)cases[c].bytes, cases[c].got,
                             cases[c].rows, (gpai_asked){.first = 100}, wrong);
        assert_int_equal(good, cases[c].says == NULL);
        if (good)
            assert_int_equal(r.size, cases[c].size);
        else
            assert_memory_equal(wrong, cases[c].says, strlen(cases[c].says));
    }
}

/* 1.5 is 3f f8 00 ... in big-endian order. */
static void test_swap(void **state)
{
    double v = 1.5;
    (void)state;
    (void)gpai_frame_swap(&v, 1);
    assert_memory_equal(&v, "\0\0\0\0\0\0\xf8\x3f", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request), cmocka_unit_test(test_hello),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_reply),
        cmocka_unit_test(test_swap),    cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
