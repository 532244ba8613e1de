#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "data/json.h"
#include "model/spec.h"
#include <gpa/gpa.h>

static gpa_status open_text(gpa_model **out, const char *text, gpa_error *err)
{
    const gpai_spec s = {.text = "trees:t.json", .rest = "t.json", .config = ""};
    gpai_value *root = NULL;
    *out = NULL;
    gpa_status st = gpai_json_parse(&root, text, strlen(text), "m", err);
    if (st == GPA_OK)
        st = gpai_trees_open(out, &s, root, err);
    gpai_value_free(root);
    return st;
}

/* Two trees of one split: a <= 0.1 ? 1 : 2 and b <= 3 ? 10 : 20; keys before them may
 * vary, and so may the end of the first. */
#define FIRST                                                                          \
    "{\"feature\":[0,-1,-1],\"threshold\":[0.1,0,0],\"left\":[1,-1,-1],"               \
    "\"right\":[2,-1,-1],\"value\":[0,1,2]"
#define SECOND                                                                         \
    "{\"feature\":[1,-1,-1],\"threshold\":[3,0,0],\"left\":[1,-1,-1],"                 \
    "\"right\":[2,-1,-1],\"value\":[0,10,20]"
#define TREES "\"trees\":[" FIRST "}," SECOND "}]}"
#define MISSING                                                                        \
    "\"trees\":[" FIRST ",\"missing_left\":[1,0,0]}," SECOND                           \
    ",\"missing_left\":[0,0,0]}]}"
#define DOUBLES "{\"inputs\":2,\"arithmetic\":\"float64-le\","

/* 0.1 as a float is more than the double 0.1. */
static const double tenth = (double)0.1f;

static void test_values(void **state)
{
    const struct {
        const char *text;
        double x[2], want;
    } cases[] = {
        {DOUBLES TREES, {0.1, 3}, 11},
        {DOUBLES TREES, {tenth, 3}, 12},
        {DOUBLES TREES, {0.1, 3.0000001}, 21},
        {DOUBLES TREES, {0.1, 3.00000001}, 21},
        {DOUBLES "\"base\":0.5," TREES, {0.1, 3}, 11.5},
        {DOUBLES "\"base\":-1,\"divide\":4," TREES, {0.1, 3}, 2.5},
        {DOUBLES "\"output\":\"identity\",\"other\":[]," TREES, {0.1, 3}, 11},
        {DOUBLES "\"base\":-11,\"output\":\"exp\"," TREES, {0.1, 3}, 1},
        {DOUBLES "\"base\":-11,\"output\":\"logistic\"," TREES, {0.1, 3}, 0.5},
        {"{\"inputs\":2,\"arithmetic\":\"float32-le\"," TREES, {0.1, 3}, 12},
        {"{\"inputs\":2,\"arithmetic\":\"float32-le\"," TREES,
         {0.0999, 3.00000001},
         11},
        {"{\"inputs\":2,\"arithmetic\":\"float32-lt\"," TREES, {0.1, 3}, 22},
        {"{\"inputs\":2,\"arithmetic\":\"float32-lt\"," TREES, {0.0999, 2.9}, 11},
        {"{\"inputs\":2,\"arithmetic\":\"float32-lt\",\"trees\":[]}", {9, 9}, 0},
        {DOUBLES MISSING, {(double)NAN, (double)NAN}, 21},
        {DOUBLES MISSING, {(double)NAN, 3}, 11},
        {DOUBLES
         "\"trees\":[{\"feature\":[0,-1,-1],\"threshold\":[null,0,0],\"left\":[1"
         ",-1,-1],\"right\":[2,-1,-1],\"value\":[0,1,2],\"missing_left\":[0,0,0]"
         "}]}",
         {HUGE_VAL, 0},
         1},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        double y = (double)NAN;
        if (open_text(&m, cases[c].text, &err) != GPA_OK)
            fail_msg("case %zu: %s", c, err.message);
        assert_int_equal(gpa_model_dim(m), 2);
        assert_int_equal(gpa_model_predict(m, cases[c].x, 1, &y, NULL), GPA_OK);
        if (y != cases[c].want)
            fail_msg("case %zu: %.17g, not %.17g", c, y, cases[c].want);
        gpa_model_free(m);
    }
}

/* Trees that do not tell where missing values go give none. */
static void test_missing(void **state)
{
    gpa_model *m = NULL;
    const double x[4] = {0, 0, 0, (double)NAN};
    double y[2];
    (void)state;
    assert_int_equal(open_text(&m, DOUBLES TREES, NULL), GPA_OK);
    assert_true(gpa_model_refuses_missing(m));
    assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
    assert_true(y[0] == 11 && isnan(y[1]));
    gpa_model_free(m);
    assert_int_equal(open_text(&m, DOUBLES MISSING, NULL), GPA_OK);
    assert_false(gpa_model_refuses_missing(m));
    gpa_model_free(m);
}

static void test_names(void **state)
{
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_text(&m,
                               "{\"variables\":[\"a\",\"b\",\"c\"],\"arithmetic\":"
                               "\"float64-le\"," TREES,
                               NULL),
                     GPA_OK);
    assert_int_equal(gpa_model_dim(m), 3);
    assert_string_equal(gpa_model_variable(m, 2), "c");
    assert_string_equal(gpa_model_spec(m), "trees:t.json");
    gpa_model_free(m);
}

/* The two trees above, as arrays. */
static const size_t starts[] = {0, 3, 6};
static const int32_t inputs_of[] = {0, -1, -1, 1, -1, -1};
static const int32_t lefts[] = {1, -1, -1, 1, -1, -1};
static const int32_t rights[] = {2, -1, -1, 2, -1, -1};
static const double thresholds[] = {0.1, 0, 0, 3, 0, 0};
static const double values[] = {0, 1, 2, 0, 10, 20};
static const uint8_t missing_left[] = {1, 0, 0, 0, 0, 0};

static gpa_trees arrays(void)
{
    gpa_trees t;
    gpa_trees_init(&t);
    t.inputs = 2;
    t.n = 2;
    t.start = starts;
    t.input = inputs_of;
    t.left = lefts;
    t.right = rights;
    t.threshold = thresholds;
    t.value = values;
    t.arithmetic = GPA_TREE_DOUBLE_LE;
    return t;
}

/* Arrays and a file that say the same give the same bytes. */
static void test_arrays(void **state)
{
    static const struct {
        const char *text;
        gpa_tree_arithmetic arithmetic;
        gpa_tree_output output;
        double base, divide;
        bool missing;
    } cases[] = {
        {DOUBLES TREES, GPA_TREE_DOUBLE_LE, GPA_TREE_IDENTITY, 0, 1, false},
        {DOUBLES "\"base\":-1,\"divide\":4," TREES, GPA_TREE_DOUBLE_LE,
         GPA_TREE_IDENTITY, -1, 4, false},
        {DOUBLES "\"base\":-11,\"output\":\"exp\"," MISSING, GPA_TREE_DOUBLE_LE,
         GPA_TREE_EXP, -11, 1, true},
        {DOUBLES "\"base\":-11,\"output\":\"logistic\"," MISSING, GPA_TREE_DOUBLE_LE,
         GPA_TREE_LOGISTIC, -11, 1, true},
        {"{\"inputs\":2,\"arithmetic\":\"float32-le\"," TREES, GPA_TREE_FLOAT_LE,
         GPA_TREE_IDENTITY, 0, 1, false},
        {"{\"inputs\":2,\"arithmetic\":\"float32-lt\"," TREES, GPA_TREE_FLOAT_LT,
         GPA_TREE_IDENTITY, 0, 1, false},
    };
    const double x[] = {0.1,       3,           tenth, 3,  0.1,
                        3.0000001, (double)NAN, 2.9,   -1, HUGE_VAL};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_trees t = arrays();
        gpa_model *read = NULL, *made = NULL;
        double want[5], got[5];
        t.arithmetic = cases[c].arithmetic;
        t.output = cases[c].output;
        t.base = cases[c].base;
        t.divide = cases[c].divide;
        t.missing_left = cases[c].missing ? missing_left : NULL;
        assert_int_equal(open_text(&read, cases[c].text, NULL), GPA_OK);
        assert_int_equal(gpa_model_from_trees(&made, &t, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(read, x, 5, want, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(made, x, 5, got, NULL), GPA_OK);
        assert_memory_equal(want, got, sizeof got);
        assert_int_equal(gpa_model_refuses_missing(made), !cases[c].missing);
        assert_true(gpa_model_in_process(made));
        gpa_model_free(read);
        gpa_model_free(made);
    }
}

static void test_arrays_named(void **state)
{
    static const char *const names[] = {"a", "b"};
    gpa_trees t = arrays();
    gpa_model *m = NULL;
    (void)state;
    t.names = names;
    assert_int_equal(gpa_model_from_trees(&m, &t, NULL), GPA_OK);
    assert_string_equal(gpa_model_variable(m, 1), "b");
    assert_string_equal(gpa_model_spec(m), "trees");
    gpa_model_free(m);
}

static void no_init(gpa_trees *t)
{
    t->struct_size = 0;
}

static void no_inputs(gpa_trees *t)
{
    t->inputs = 0;
}

static void no_value(gpa_trees *t)
{
    t->value = NULL;
}

static void late_start(gpa_trees *t)
{
    t->start = starts + 1;
}

static void backwards(gpa_trees *t)
{
    static const size_t start[] = {0, 3, 2};
    t->start = start;
}

static void divide_by_0(gpa_trees *t)
{
    t->divide = 0;
}

static void no_output(gpa_trees *t)
{
    t->output = (gpa_tree_output)3;
}

static void empty_tree(gpa_trees *t)
{
    static const size_t start[] = {0, 3, 3};
    t->start = start;
}

static void second_way(gpa_trees *t)
{
    t->right = lefts;
}

static void no_number(gpa_trees *t)
{
    static const double value[] = {0, 1, (double)NAN, 0, 10, 20};
    t->value = value;
}

static void no_threshold(gpa_trees *t)
{
    static const double threshold[] = {(double)NAN, 0, 0, 3, 0, 0};
    t->threshold = threshold;
}

static void test_arrays_malformed(void **state)
{
    static const struct {
        void (*spoil)(gpa_trees *);
        gpa_status status;
        const char *message;
    } cases[] = {
        {no_init, GPA_INVALID, "trees: not filled by gpa_trees_init"},
        {no_inputs, GPA_INVALID, "trees: 0 inputs"},
        {no_value, GPA_INVALID, "trees: NULL array"},
        {late_start, GPA_INVALID, "trees: start does not begin with 0"},
        {backwards, GPA_INVALID, "trees: tree 1 ends before it starts"},
        {divide_by_0, GPA_INVALID, "trees: base 0, divide 0"},
        {no_output, GPA_INVALID, "trees: no such arithmetic or output"},
        {empty_tree, GPA_DATA, "trees: tree 1: no nodes"},
        {second_way, GPA_DATA, "trees: tree 0: node 0: a second way to node 1"},
        {no_number, GPA_DATA, "trees: node 2 of all: value is no number"},
        {no_threshold, GPA_DATA, "trees: node 0 of all: threshold is no number"},
    };
    gpa_model *m = NULL;
    gpa_trees t = arrays();
    (void)state;
    assert_int_equal(gpa_model_from_trees(NULL, &t, NULL), GPA_INVALID);
    assert_int_equal(gpa_model_from_trees(&m, NULL, NULL), GPA_INVALID);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_error err = {GPA_OK, ""};
        t = arrays();
        cases[c].spoil(&t);
        assert_int_equal(gpa_model_from_trees(&m, &t, &err), cases[c].status);
        assert_string_equal(err.message, cases[c].message);
        assert_null(m);
    }
}

static void test_malformed(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"inputs\":2," TREES,
         "t.json: arithmetic: missing, or not float32-lt, float64-le, float32-le"},
        {"{\"inputs\":2,\"arithmetic\":\"decimal\"," TREES,
         "t.json: arithmetic: missing, or not float32-lt, float64-le, float32-le"},
        {DOUBLES "\"output\":\"softmax\"," TREES,
         "t.json: output: missing, or not identity, exp, logistic"},
        {DOUBLES "\"base\":\"1\"," TREES, "t.json: base: not a number"},
        {DOUBLES "\"divide\":0," TREES, "t.json: divide: is 0"},
        {"{\"arithmetic\":\"float64-le\"," TREES,
         "t.json: inputs: neither their number nor their names (variables)"},
        {"{\"inputs\":1.5,\"arithmetic\":\"float64-le\"," TREES,
         "t.json: inputs: neither their number nor their names (variables)"},
        {DOUBLES "\"variables\":[\"a\"]," TREES,
         "t.json: variables: 1 names for 2 inputs"},
        {"{\"inputs\":1,\"arithmetic\":\"float64-le\"," TREES,
         "t.json: tree 1: node 0: there is no input 1"},
        {DOUBLES "\"trees\":{}}", "t.json: trees: missing, or not a list"},
        {DOUBLES "\"trees\":[{}]}", "t.json: tree 0: no nodes"},
        {DOUBLES "\"trees\":[7]}", "t.json: tree 0: no nodes"},
        {DOUBLES "\"trees\":[{\"feature\":[-1],\"threshold\":[0],\"left\":[-1],"
                 "\"right\":[-1]}]}",
         "t.json: tree 0: value: not a list as long as feature"},
        {DOUBLES "\"trees\":[{\"feature\":[0.5],\"threshold\":[0],\"left\":[-1],"
                 "\"right\":[-1],\"value\":[0]}]}",
         "t.json: tree 0: feature: not a list of whole numbers"},
        {DOUBLES "\"trees\":[{\"feature\":[-1],\"threshold\":[0],\"left\":[-1],"
                 "\"right\":[-1],\"value\":[null]}]}",
         "t.json: tree 0: value: not a list of numbers"},
        {DOUBLES "\"trees\":[{\"feature\":[0],\"threshold\":[\"0\"],\"left\":[-1],"
                 "\"right\":[-1],\"value\":[1]}]}",
         "t.json: tree 0: threshold: not a list of numbers"},
        {DOUBLES "\"trees\":[{\"feature\":[0],\"threshold\":[0],\"left\":[0],"
                 "\"right\":[0],\"value\":[1]}]}",
         "t.json: tree 0: node 0: a second way to node 0"},
        {DOUBLES "\"trees\":[{\"feature\":[0],\"threshold\":[0],\"left\":[4294967296],"
                 "\"right\":[0],\"value\":[1]}]}",
         "t.json: tree 0: node 0: there is no node -2147483648"},
        {DOUBLES "\"trees\":[{\"feature\":[4294967296],\"threshold\":[0],\"left\":[0],"
                 "\"right\":[0],\"value\":[1]}]}",
         "t.json: tree 0: feature: not a list of whole numbers"},
        {DOUBLES "\"trees\":[" FIRST ",\"missing_left\":[true,0,0]}]}",
         "t.json: tree 0: missing_left: not a list of 0 and 1"},
        {DOUBLES "\"trees\":[" FIRST ",\"missing_left\":[1,0,0]}," SECOND "}]}",
         "t.json: tree 1: missing_left: not a list as long as feature"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        gpa_status st = open_text(&m, cases[c].text, &err);
        assert_string_equal(err.message, cases[c].message);
        assert_int_equal(st, GPA_DATA);
        assert_null(m);
    }
}

/* A sanitizer watches. */
static void test_flipped_bytes(void **state)
{
    static const char text[] = DOUBLES "\"base\":-1,\"divide\":4," MISSING;
    const gpai_spec s = {.text = "t.json", .rest = "t.json", .config = ""};
    gpai_rng rng = gpai_rng_make(1, 1);
    size_t opened = 0;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char copy[sizeof text];
        gpai_value *root = NULL;
        gpa_model *m = NULL;
        memcpy(copy, text, sizeof text);
        for (int k = 0; k <= round % 3; k++)
            copy[(size_t)(gpai_rng_unit(&rng) * (double)(sizeof text - 1))] =
                (char)(32 + gpai_rng_bits(&rng) % 96);
        if (gpai_json_parse(&root, copy, sizeof text - 1, "t.json", NULL) == GPA_OK &&
            gpai_trees_open(&m, &s, root, NULL) == GPA_OK && gpa_model_dim(m) < 4) {
            double x[8] = {0}, y[2];
            assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
            opened++;
        }
        gpa_model_free(m);
        gpai_value_free(root);
    }
    assert_true(opened > 100);
}

static void test_without_memory(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = open_text(&m, DOUBLES "\"variables\":[\"a\",\"b\"]," TREES, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? m != NULL : st == GPA_NOMEM && m == NULL);
            gpa_model_free(m);
        }
        assert_true(k > 15);
        for (k = 1, st = GPA_NOMEM; st != GPA_OK; k++) {
            gpa_model *m = NULL;
            const gpa_trees t = arrays();
            gpai_alloc_fail_at(k, for_ever == 1);
            st = gpa_model_from_trees(&m, &t, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? m != NULL : st == GPA_NOMEM && m == NULL);
            gpa_model_free(m);
        }
        assert_true(k > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_missing),
        cmocka_unit_test(test_names),          cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_arrays_named),   cmocka_unit_test(test_arrays_malformed),
        cmocka_unit_test(test_malformed),      cmocka_unit_test(test_flipped_bytes),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
