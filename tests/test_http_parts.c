#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "model/http/server.h"
#include "model/http/tensors.h"
#include "model/http/transport/http.h"

/* The parts of the HTTP connectors that need no server: what is written into requests
 * and read out of replies. */

static void test_types(void **state)
{
    /* bytes by Python's struct.pack("<f", 0.1) and so on */
    static const struct {
        const char *name;
        double value;
        const char *text;
        size_t size;
        const char *bytes;
    } cases[] = {
        {"FP64", 0.1, "0.1", 8, "\x9a\x99\x99\x99\x99\x99\xb9\x3f"},
        {"DT_DOUBLE", -2, "-2.0", 8, "\x00\x00\x00\x00\x00\x00\x00\xc0"},
        {"FP32", 0.1, "0.1", 4, "\xcd\xcc\xcc\x3d"},
        {"DT_FLOAT", 1e30, "1.0000000150474662e+30", 4, "\xca\xf2\x49\x71"},
        {"INT64", -3, "-3", 8, "\xfd\xff\xff\xff\xff\xff\xff\xff"},
        {"INT64", -0.0, "0", 8, "\0\0\0\0\0\0\0\0"},
        {"INT32", 2147483647, "2147483647", 4, "\xff\xff\xff\x7f"},
        {"INT16", -32768, "-32768", 2, "\x00\x80"},
        {"INT8", -1, "-1", 1, "\xff"},
        {"UINT64", 18446744073709549568.0, "18446744073709549568", 8,
         "\x00\xf8\xff\xff\xff\xff\xff\xff"},
        {"UINT16", 65535, "65535", 2, "\xff\xff"},
        {"UINT8", 200, "200", 1, "\xc8"},
        {"BOOL", 1, "true", 1, "\x01"},
        {"BOOL", 0, "false", 1, "\x00"},
        {"FP16", 0.5, "0.5", 0, ""},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[GPAI_NUMBER_ROOM], bytes[8] = "";
        gpai_datatype t = gpai_datatype_find(cases[c].name, strlen(cases[c].name));
        assert_int_not_equal(t, GPAI_NOT_A_TYPE);
        assert_int_equal(gpai_datatype_size(t), cases[c].size);
        assert_null(gpai_datatype_refuses(t, cases[c].value, true));
        gpai_datatype_text(t, cases[c].value, text);
        assert_string_equal(text, cases[c].text);
        if (cases[c].size == 0)
            continue;
        gpai_datatype_put(t, cases[c].value, bytes);
        assert_memory_equal(bytes, cases[c].bytes, cases[c].size);
        assert_close(gpai_datatype_get(t, bytes), cases[c].value,
                     6e-8 * fabs(cases[c].value));
    }
    assert_int_equal(gpai_datatype_find("BYTES", 5), GPAI_NOT_A_TYPE);
    assert_int_equal(gpai_datatype_find("FP64x", 5), GPAI_NOT_A_TYPE);
    assert_int_equal(gpai_datatype_find("FP", 2), GPAI_NOT_A_TYPE);
}

static void test_types_refuse(void **state)
{
    static const struct {
        gpai_datatype type;
        double value;
        bool json, refused;
    } cases[] = {
        {GPAI_FP64, (double)NAN, false, false}, {GPAI_FP64, (double)NAN, true, true},
        {GPAI_FP64, HUGE_VAL, true, true},      {GPAI_FP32, HUGE_VAL, false, false},
        {GPAI_FP32, 1e39, false, true},         {GPAI_FP32, -1e39, true, true},
        {GPAI_FP32, 1e38, true, false},         {GPAI_INT8, 127, true, false},
        {GPAI_INT8, 128, true, true},           {GPAI_INT8, -129, false, true},
        {GPAI_INT64, 9.3e18, false, true},      {GPAI_UINT64, 1.85e19, false, true},
        {GPAI_INT32, 1.0000001, true, true},    {GPAI_INT32, 1 + 1e-12, true, false},
        {GPAI_INT64, (double)NAN, false, true}, {GPAI_BOOL, -1, true, true},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        assert_int_equal(
            gpai_datatype_refuses(cases[c].type, cases[c].value, cases[c].json) != NULL,
            cases[c].refused);
}

static void check_bytes(gpai_bytes *b, const char *want)
{
    assert_false(b->failed);
    assert_int_equal(b->size, strlen(want));
    assert_memory_equal(b->at, want, b->size);
    gpai_bytes_clear(b);
}

static void test_tensors(void **state)
{
    static const struct {
        long long shape[4];
        size_t rank, width;
        const char *nested;
    } cases[] = {
        {{-1}, 1, 1, "1.5"},
        {{-1, 1}, 2, 1, "[1.5]"},
        {{-1, 3}, 2, 3, "[1.5,2.0,-3.0]"},
        {{-1, 3, 1}, 3, 3, "[[1.5],[2.0],[-3.0]]"},
        {{-1, 1, 3}, 3, 3, "[[1.5,2.0,-3.0]]"},
        {{-1, 2, 2}, 3, 4, "[[1.5,2.0],[-3.0,0.25]]"},
    };
    const double x[4] = {1.5, 2, -3, 0.25};
    gpai_bytes b = {NULL, 0, 0, false};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpai_tensors t;
        assert_int_equal(gpai_tensors_new(&t, 1, NULL), GPA_OK);
        assert_int_equal(gpai_tensors_describe(&t, 0, "x", "FP64", cases[c].shape,
                                               cases[c].rank, "v2", NULL),
                         GPA_OK);
        assert_int_equal(gpai_tensors_width(&t), cases[c].width);
        const gpai_model_kinds plain = {0};
        const gpai_rows r = {.x = x, .n = 1, .d = 4, .kinds = &plain};
        gpai_tensor_nested(&t.tensor[0], &r, 0, 0, &b);
        check_bytes(&b, cases[c].nested);
        gpai_tensors_free(&t);
    }
    gpai_bytes_quote(&b, "a\"\\\n\x7f\xc3\xa9\xff");
    check_bytes(&b, "\"a\\u0022\\u005c\\u000a\x7f\xc3\xa9\\ufffd\"");
    gpai_bytes_free(&b);
}

static void test_said(void **state)
{
    static const struct {
        const char *body, *want;
    } cases[] = {
        {"", ""},
        {" \n", ""},
        {"{\"error\":\"no such model\"}", "no such model"},
        {"{\"error\":{\"code\":3,\"message\":\"busy\"}}", "busy"},
        {"{\"error_code\":\"BAD\",\"message\":\"a\\nb\"}", "BAD: a b"},
        {"{\"detail\":\"Not Found\"}", "Not Found"},
        {"{\"detail\":[{\"loc\":[\"body\",3],\"msg\":\"wrong\"},{\"msg\":\"x\"}]}",
         "body.3: wrong"},
        {"{\"detail\":[{\"msg\":\"wrong\"}]}", "wrong"},
        {"{\"detail\":[\"first\",\"second\"]}", "first"},
        {"\"a text\"", "a text"},
        {"{\"status\":1}", "{\"status\":1}"},
        {"{broken", "{broken"},
        {"[1,2]", "[1,2]"},
        {"<html><TITLE>Not\nhere</TITLE>", "Not here"},
        {"<html>nothing to say", ""},
        {"plain\r\ntext\x1b[0m", "plain text\\x1b[0m"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        assert_string_equal(
            gpai_server_message_read(cases[c].body, strlen(cases[c].body)).text,
            cases[c].want);
    char *large = gpai_calloc(1 << 20, 1);
    memset(large, 'x', 1 << 20);
    gpai_server_message said = gpai_server_message_read(large, 1 << 20);
    assert_int_equal(strlen(said.text), sizeof said.text - 1);
    assert_string_equal(said.text + sizeof said.text - 4, "...");
    gpai_free(large);
}

static void test_blanked(void **state)
{
    static const struct {
        const char *header, *text, *want;
    } cases[] = {
        {"Authorization: Bearer abcdefgh", "no abcdefgh here", "no *** here"},
        {"Authorization: Bearer abcdefgh", "Bearer abcdefgh", "Bearer ***"},
        {"Authorization: Bearer abcdefgh", "ABCDEFGHabcdefgh", "******"},
        {"Authorization: Bearer abcdefgh", "abcdef... bcdefgh ...cdefgh",
         "***... *** ...***"},
        {"Authorization: Bearer abcdefgh", "abcde fgh", "abcde fgh"},
        {"Authorization: Bearer a/c+e=gh", "a%2Fc%2be%3Dgh", "***"},
        {"Authorization: Bearer a/c+e=gh", "a\\/c\\u002be\\x3dgh.", "***."},
        {"Authorization: Bearer a%41b%zzz", "a%41b%zzz a%2541b%25zzz", "*** ***"},
        {"X-Api-Key: ab cd ef gh", "x ab cd ef gh y", "x *** y"},
        {"X-Api-Key: abc", "abc dabc abcd 'abc'", "*** dabc abcd '***'"},
        {"X-Api-Key: a", "a", "***"},
        {"X-Api-Key:", "anything", "anything"},
        {"X-Api-Key: abcdefgh", "", ""},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[64];
        strcpy(text, cases[c].text);
        gpai_auth_blank(cases[c].header, text, sizeof text);
        assert_string_equal(text, cases[c].want);
    }
    /* a message that is full: what grows is cut */
    for (size_t size = 2; size < 12; size++) {
        char *text = gpai_calloc(size, 1); /* of its very size, for the sanitizers */
        for (size_t i = 0; i + 1 < size; i++)
            text[i] = i % 2 == 0 ? 'a' : ' ';
        gpai_auth_blank("X-Api-Key: a", text, size);
        assert_null(strchr(text, 'a'));
        assert_true(strlen(text) < size);
        gpai_free(text);
    }
}

/* A reply, with what its three rows are; or why it is refused. */
struct reply {
    bool outputs; /* of the Open Inference Protocol */
    const char *text, *output;
    double y[3];
    const char *says;
};

static const struct reply replies[] = {
    {false, "{\"predictions\":[1,-2.5,3e2]}", NULL, {1, -2.5, 300}, NULL},
    {false,
     " {\"a\":{\"b\":[{}]},\n\"predictions\":[[1],[[2]],{\"y\":3}]}",
     NULL,
     {1, 2, 3},
     NULL},
    {false,
     "{\"predictions\":[{\"a\":9,\"b\":1},{\"b\":[2]},{\"a\":[9,9],\"b\":3}]}",
     "b",
     {1, 2, 3},
     NULL},
    {false,
     "{\"predictions\":[null,NaN,-Infinity]}",
     NULL,
     {(double)NAN, (double)NAN, -HUGE_VAL},
     NULL},
    {false, "{\"predictions\":[1,2]}", NULL, {0}, "2 predictions, expected 3"},
    {false, "{\"predictions\":[]}", NULL, {0}, "0 predictions, expected 3"},
    {false, "{\"predictions\":[1,2,3,[4,\"x\"]]}", NULL, {0}, "4 predictions"},
    {false, "{\"predictions\":[1,[],3]}", NULL, {0}, "row 8: an empty list"},
    {false, "{\"predictions\":[1,{},3]}", NULL, {0}, "row 8: no such output"},
    {false, "{\"predictions\":[1,{\"a\":2},3]}", "b", {0}, "row 8: no such output"},
    {false, "{\"predictions\":[1,2,3}", NULL, {0}, "unexpected }"},
    {false, "{\"predictions\":[1,,3]}", NULL, {0}, "unexpected ,"},
    {false, "{\"predictions\":[1 2,3]}", NULL, {0}, "unexpected 2"},
    {false, "{\"predictions\":[1,2,3]", NULL, {0}, "ends too early"},
    {false, "{\"predictions\":[1,2,", NULL, {0}, "ends too early"},
    {false, "{\"predictions\":[1,2,3]} x", NULL, {0}, "unexpected x"},
    {false, "{\"predictions\":[1,2,1e999]}", NULL, {0}, "out of range: 1e999"},
    {false, "{\"predictions\":[1,2,nan]}", NULL, {0}, "expected a number, not nan"},
    {false, "{\"predictions\":\"12\"}", NULL, {0}, "expected a list of 3 numbers"},
    {false, "{\"predictions\" [1]}", NULL, {0}, "unexpected ["},
    {false, "[1,2,3]", NULL, {0}, "no \"predictions\" in: [1,2,3]"},
    {true,
     "{\"outputs\":[{\"name\":\"y\",\"shape\":[3],\"data\":[1,2,3]}]}",
     NULL,
     {1, 2, 3},
     NULL},
    {true,
     "{\"id\":\"x\",\"outputs\":[{\"data\":[[1],[2],[3]],\"datatype\":\"FP32\","
     "\"shape\":[3,1],\"name\":\"y\",\"parameters\":{\"a\":[1]}}],\"z\":null}",
     NULL,
     {1, 2, 3},
     NULL},
    {true,
     "{\"outputs\":[{\"name\":\"a\",\"data\":[7]},{\"name\":\"\\u0062\",\"data\":"
     "[1,2,null]}]}",
     "b",
     {1, 2, (double)NAN},
     NULL},
    {true, "{\"outputs\":[{\"data\":[1,2]}]}", NULL, {0}, "2 predictions, expected 3"},
    {true, "{\"outputs\":[{\"data\":[1,2,3,4]}]}", NULL, {0}, "4 predictions"},
    {true,
     "{\"outputs\":[{\"data\":[1,\"2\",3]}]}",
     NULL,
     {0},
     "row 8: expected a number"},
    {true,
     "{\"outputs\":[{\"data\":[1,{},3]}]}",
     NULL,
     {0},
     "row 8: expected a number"},
    {true,
     "{\"outputs\":[{\"shape\":[3,2],\"data\":[1,2,3]}]}",
     NULL,
     {0},
     "shape [3,2]"},
    {true, "{\"outputs\":[{\"shape\":[3.5],\"data\":[1,2,3]}]}", NULL, {0}, "shape: a"},
    {true, "{\"outputs\":[{\"shape\":[-3],\"data\":[1,2,3]}]}", NULL, {0}, "shape: a"},
    {true, "{\"outputs\":[{\"shape\":[1e300],\"data\":[1]}]}", NULL, {0}, "shape: a"},
    {true,
     "{\"outputs\":[{\"shape\":[1,1,1,1,1,1,1,1,1],\"data\":[1]}]}",
     NULL,
     {0},
     "shape: a"},
    {true, "{\"outputs\":[{\"name\":\"y\"}]}", NULL, {0}, "an output without data"},
    {true, "{\"outputs\":[]}", NULL, {0}, "not the one that was asked for"},
    {true, "{\"outputs\":[{\"name\":\"a\",\"data\":[1]}]}", "b", {0}, "not the one"},
    {true,
     "{\"outputs\":[{\"data\":[1]},{\"data\":[1]}]}",
     NULL,
     {0},
     "2 outputs; say"},
    {true, "{\"outputs\":[3]}", NULL, {0}, "expected a list of objects"},
    {true, "{\"outputs\":{}}", NULL, {0}, "outputs: expected a list"},
    {true,
     "{\"outputs\":[{\"parameters\":{\"binary_data_size\":24}}]}",
     NULL,
     {0},
     "binary output ends too early"},
    {true,
     "{\"outputs\":[{\"parameters\":{\"binary_data_size\":-1}}]}",
     NULL,
     {0},
     "binary_data_size: no number"},
    {true, "{\"error\":\"no\"}", NULL, {0}, "no \"outputs\" in: no"},
    /* the same key twice */
    {false,
     "{\"predictions\":[1,2,3],\"predictions\":[1,2,3]}",
     NULL,
     {0},
     "\"predictions\" a second time"},
    {false,
     "{\"predictions\":[{\"a\":2,\"b\":7,\"a\":3},{\"a\":1},{\"a\":1}]}",
     "a",
     {0},
     "row 7: an output a second time: a"},
    {true,
     "{\"outputs\":[{\"data\":[1,2,3]}],\"outputs\":[{\"data\":[1,2,3]}]}",
     NULL,
     {0},
     "\"outputs\" a second time"},
    {true,
     "{\"outputs\":[{\"data\":[1,2,3],\"data\":[1,2,3]}]}",
     NULL,
     {0},
     "\"data\" a second time"},
    {true,
     "{\"outputs\":[{\"shape\":[3],\"shape\":[1],\"data\":[1,2,3]}]}",
     NULL,
     {0},
     "\"shape\" a second time"},
    {true,
     "{\"outputs\":[{\"parameters\":{\"binary_data_size\":24,"
     "\"binary_data_size\":0}}]}",
     NULL,
     {0},
     "\"binary_data_size\" a second time"},
};

static gpa_status read_reply(const struct reply *r, const char *bytes, size_t size,
                             size_t head, double *y, gpa_error *err)
{
    const gpai_answer a = {.who = "v2: http://x",
                           .bytes = bytes,
                           .size = size,
                           .head = head,
                           .output = r->output,
                           .asked.first = 7};
    return r->outputs ? gpai_outputs_read(&a, 3, y, err)
                      : gpai_predictions_read(&a, 3, y, err);
}

static void test_replies(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof replies / sizeof replies[0]; c++) {
        const struct reply *r = &replies[c];
        double y[3] = {0};
        gpa_error err = {GPA_OK, ""};
        gpa_status st = read_reply(r, r->text, strlen(r->text), 0, y, &err);
        if (r->says != NULL) {
            if (strstr(err.message, r->says) == NULL)
                print_error("%s: %s\n", r->text, err.message);
            assert_int_equal(st, GPA_MODEL);
            assert_int_equal(err.status, GPA_MODEL);
            assert_memory_equal(err.message, "v2: http://x: reply: ", 21);
            assert_non_null(strstr(err.message, r->says));
            assert_int_equal(read_reply(r, r->text, strlen(r->text), 0, y, NULL),
                             GPA_MODEL);
            continue;
        }
        assert_int_equal(st, GPA_OK);
        for (size_t i = 0; i < 3; i++)
            assert_true(y[i] == r->y[i] || (isnan(y[i]) && isnan(r->y[i])));
    }
}

/* Any depth of brackets ends in a message, not in a deep stack. */
static void test_deep_replies(void **state)
{
    static const char *const before[] = {
        "{\"predictions\":[", "{\"x\":", "{\"outputs\":[{\"data\":", "{\"outputs\":"};
    static char text[1 << 20];
    (void)state;
    for (size_t c = 0; c < 4; c++) {
        const struct reply r = {.outputs = c >= 2};
        double y[3];
        memset(text, c % 2 == 0 ? '[' : '{', sizeof text);
        memcpy(text, before[c], strlen(before[c]));
        assert_int_equal(read_reply(&r, text, sizeof text, 0, y, NULL), GPA_MODEL);
    }
}

static void test_binary_replies(void **state)
{
    /* a first output of one byte, then three floats: 1, -2, 0.5 */
    static const char json[] =
        "{\"outputs\":[{\"name\":\"a\",\"datatype\":\"UINT8\",\"shape\":[1],"
        "\"parameters\":{\"binary_data_size\":1}},{\"name\":\"b\",\"datatype\":"
        "\"FP32\","
        "\"shape\":[3,1],\"parameters\":{\"binary_data_size\":12}}]}";
    static const char raw[] = "\x07\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f";
    const struct reply r = {.outputs = true, .output = "b"};
    const struct reply wrong = {.outputs = true, .output = "a"};
    char text[512];
    size_t head = sizeof json - 1, size = head + sizeof raw - 1;
    double y[3];
    gpa_error err;
    (void)state;
    memcpy(text, json, head);
    memcpy(text + head, raw, sizeof raw);
    assert_int_equal(read_reply(&r, text, size, head, y, NULL), GPA_OK);
    assert_true(y[0] == 1 && y[1] == -2 && y[2] == 0.5);
    assert_int_equal(read_reply(&r, text, size - 1, head, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "binary output ends too early"));
    assert_int_equal(read_reply(&r, text, size, size + 1, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "ends before its JSON does"));
    assert_int_equal(read_reply(&r, text, size, SIZE_MAX, y, &err), GPA_MODEL);
    assert_int_equal(read_reply(&r, text, size + 1, head, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "14 bytes behind the JSON, expected 13"));
    assert_int_equal(read_reply(&wrong, text, size, head, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "shape [1], expected [3] or [3,1]"));
}

/* Replies with a few bytes changed: a status each time, and nothing read or written
 * where it should not be (the sanitizers watch). */
static void test_spoilt_replies(void **state)
{
    static const char bytes[] = "{}[]\",:0123456789-e.\\u nNItf";
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        gpai_rng rng = gpai_rng_make(2, i);
        const struct reply *r =
            &replies[gpai_rng_bits(&rng) % (sizeof replies / sizeof replies[0])];
        size_t size = strlen(r->text), cut = gpai_rng_bits(&rng) % 8 == 0 ? 0 : size;
        char *text = gpai_calloc(size, 1); /* of its very size, for the sanitizers */
        double y[3];
        memcpy(text, r->text, size);
        for (uint64_t n = gpai_rng_bits(&rng) % 4; n-- > 0;)
            text[gpai_rng_bits(&rng) % size] =
                gpai_rng_bits(&rng) % 8 == 0
                    ? (char)gpai_rng_bits(&rng)
                    : bytes[gpai_rng_bits(&rng) % (sizeof bytes - 1)];
        if (cut == 0)
            size = gpai_rng_bits(&rng) % size;
        size_t head = gpai_rng_bits(&rng) % 4 == 0 ? gpai_rng_bits(&rng) % 64 : 0;
        gpa_status st = read_reply(r, text, size, r->outputs ? head : 0, y, NULL);
        assert_true(st == GPA_OK || st == GPA_MODEL);
        (void)gpai_server_message_read(text, size);
        gpai_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),          cmocka_unit_test(test_types_refuse),
        cmocka_unit_test(test_tensors),        cmocka_unit_test(test_said),
        cmocka_unit_test(test_blanked),        cmocka_unit_test(test_replies),
        cmocka_unit_test(test_deep_replies),   cmocka_unit_test(test_binary_replies),
        cmocka_unit_test(test_spoilt_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
