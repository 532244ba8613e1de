#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "data/json.h"
#include "data/slurp.h"
#include "model/spec.h"
#include "model/trees/xgboost.h"
#include <gpa/gpa.h>

enum { INPUTS = 4, ROWS = 32, ROOM = 512 };

/* Models of tests/data/xgboost/make.py and what libxgboost predicts. */
static const char *const files[] = {
    "gbtree.json",        "gbtree.ubj",    "dart.json",        "dart.ubj",
    "forest.json",        "deep.ubj",      "gblinear.json",    "gblinear.ubj",
    "onehot.ubj",         "logistic.json", "partition.json",   "partition.ubj",
    "reg_logistic.json",  "logitraw.json", "poisson.json",     "gamma.json",
    "tweedie.json",       "absolute.json", "pseudohuber.json", "squaredlog.json",
    "linear_poisson.json"};
enum { FILES = sizeof files / sizeof files[0] };

static void path_of(char path[ROOM], const char *file)
{
    const char *root = getenv("GPA_SOURCE_ROOT");
    snprintf(path, ROOM, "%s/tests/data/xgboost/%s", root != NULL ? root : ".", file);
}

/* Not inlined: gcc 12 at -O3 takes what it returns for its own `bytes`. */
__attribute__((noinline)) static char *bytes_of(const char *file, size_t *size)
{
    char path[ROOM], *bytes = NULL;
    gpa_error err = {GPA_OK, ""};
    path_of(path, file);
    if (gpai_slurp(&bytes, size, path, 1 << 20, &err) != GPA_OK)
        fail_msg("%s", err.message);
    return bytes;
}

/* The inputs and the predictions that belong to a model. */
static void read_rows(const char *file, double x[ROWS * INPUTS], double y[ROWS])
{
    char name[64];
    size_t size = 0;
    snprintf(name, sizeof name, "%.*s.rows", (int)strcspn(file, "."), file);
    char *bytes = bytes_of(name, &size);
    assert_int_equal(size, ROWS * (INPUTS + 1) * sizeof(double));
    for (size_t r = 0; r < ROWS; r++) {
        const char *at = bytes + r * (INPUTS + 1) * sizeof(double);
        memcpy(x + r * INPUTS, at, INPUTS * sizeof(double));
        memcpy(y + r, at + INPUTS * sizeof(double), sizeof(double));
    }
    gpai_free(bytes);
}

static gpa_status open_bytes(gpa_model **out, const char *bytes, size_t size,
                             gpa_error *err)
{
    const gpai_spec s = {.text = "xgboost:m.json", .rest = "m.json", .config = ""};
    return gpai_xgboost_open(out, &s, bytes, size, err);
}

/* Bit for bit, whatever the batch, and by the spec with and without its scheme. */
static void test_same_as_library(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        double x[ROWS * INPUTS], want[ROWS], y[ROWS];
        char path[ROOM], spec[ROOM + 8];
        read_rows(files[i], x, want);
        path_of(path, files[i]);
        snprintf(spec, sizeof spec, "%s%s", i % 2 == 0 ? "xgboost:" : "", path);
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        if (gpa_model_open(&m, spec, NULL, &err) != GPA_OK)
            fail_msg("%s", err.message);
        assert_int_equal(gpa_model_dim(m), INPUTS);
        for (size_t batch = 1; batch <= ROWS; batch = 3 * batch + 1) {
            gpa_model_set_batch(m, batch);
            assert_int_equal(gpa_model_predict(m, x, ROWS, y, &err), GPA_OK);
            for (size_t r = 0; r < ROWS; r++)
                if (memcmp(&y[r], &want[r], sizeof y[r]) != 0)
                    fail_msg("%s: row %zu: %.17g, not %.17g", files[i], r, y[r],
                             want[r]);
        }
        gpa_model_free(m);
    }
}

static void test_what_it_tells(void **state)
{
    size_t size = 0;
    char *bytes = bytes_of("gbtree.ubj", &size);
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_bytes(&m, bytes, size, NULL), GPA_OK);
    assert_string_equal(gpa_model_variable(m, 0), "a");
    assert_string_equal(gpa_model_variable(m, 3), "d\xc3\xa9");
    assert_null(gpa_model_variable(m, 4));
    assert_false(gpa_model_refuses_missing(m));
    assert_true(gpa_model_in_process(m));
    gpa_model_free(m);
    gpai_free(bytes);
}

static void test_refused(void **state)
{
    static const struct {
        const char *file, *message;
    } cases[] = {
        {"multiclass.json",
         "m.json: objective: 'multi:softprob' is not supported (regression, "
         "binary:logistic and binary:logitraw are)"},
        {"rank.json",
         "m.json: objective: 'rank:pairwise' is not supported (regression, "
         "binary:logistic and binary:logitraw are)"},
        {"targets.json", "m.json: num_target: 2; models with several outputs are not "
                         "supported"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t size = 0;
        char *bytes = bytes_of(cases[c].file, &size);
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(open_bytes(&m, bytes, size, &err), GPA_UNSUPPORTED);
        assert_string_equal(err.message, cases[c].message);
        assert_null(m);
        gpai_free(bytes);
    }
}

/* x0 < 1 ? 2 : 3 and base_score, in pieces that a case may replace. */
#define OBJECTIVE "\"objective\":{\"name\":\"reg:squarederror\"}"
#define PARAM                                                                          \
    "\"learner_model_param\":{\"base_score\":\"5E-1\",\"num_class\":\"0\","            \
    "\"num_feature\":\"2\"}"
#define LEFT    "\"left_children\":[1,-1,-1]"
#define INDEX   "\"split_indices\":[0,0,0]"
#define DEFAULT "\"default_left\":[true,false,false]"
#define SIZE    "\"tree_param\":{\"size_leaf_vector\":\"0\"}"
#define BOOSTER "\"name\":\"gbtree\""
#define TREE                                                                           \
    "{" LEFT ",\"right_children\":[2,-1,-1]," INDEX                                    \
    ",\"split_conditions\":[1E0,2E0,3E0]," DEFAULT "," SIZE "}"
#define MODEL                                                                          \
    "{\"learner\":{" OBJECTIVE "," PARAM ",\"feature_names\":[],"                      \
    "\"gradient_booster\":{\"model\":{\"tree_info\":[0],\"trees\":[" TREE              \
    "]}," BOOSTER "}},\"version\":[1,0,0]}"

/* The model with one piece replaced, which must be in it. */
static char *altered(const char *from, const char *to)
{
    const char *at = strstr(MODEL, from);
    assert_non_null(at);
    size_t room = sizeof MODEL + strlen(to);
    char *text = calloc(room, 1);
    assert_non_null(text);
    snprintf(text, room, "%.*s%s%s", (int)(at - MODEL), MODEL, to, at + strlen(from));
    return text;
}

/* Layouts of other versions than the one that wrote the files; sums by hand. */
static void test_versions(void **state)
{
    static const struct {
        const char *from, *to;
        double want[3]; /* x0 = 0, 1, missing */
    } cases[] = {
        {"\"5E-1\"", "\"5E-1\"", {2.5, 3.5, 2.5}},
        {"\"5E-1\"", "\"[5E-1]\"", {2.5, 3.5, 2.5}},
        {"\"5E-1\"", "\"[-1.25E0]\"", {0.75, 1.75, 0.75}},
        {"\"5E-1\"", "0.5", {2.5, 3.5, 2.5}},
        {"reg:squarederror", "reg:linear", {2.5, 3.5, 2.5}},
        {"reg:squarederror", "reg:quantileerror", {2.5, 3.5, 2.5}},
        {DEFAULT, "\"default_left\":[0,0,0]", {2.5, 3.5, 3.5}},
        {"\"0\"}", "\"1\"}", {2.5, 3.5, 2.5}}, /* size_leaf_vector */
        {"\"num_class\":\"0\"",
         "\"num_class\":\"0\",\"num_target\":\"1\"",
         {2.5, 3.5, 2.5}},
        {",\"feature_names\":[]", "", {2.5, 3.5, 2.5}},
        {"\"2\"", "2", {2.5, 3.5, 2.5}},
        {SIZE, SIZE ",\"split_type\":[0,0,0]", {2.5, 3.5, 2.5}},
        {SIZE, /* 0 and 33 go right, what is missing left */
         SIZE ",\"split_type\":[1,0,0],\"categories\":[0,33],\"categories_nodes\":[0],"
              "\"categories_segments\":[0],\"categories_sizes\":[2]",
         {3.5, 2.5, 2.5}},
    };
    static const double x[6] = {0, 9, 1, 9, (double)NAN, 9};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char *text = altered(cases[c].from, cases[c].to);
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        double y[3];
        if (open_bytes(&m, text, strlen(text), &err) != GPA_OK)
            fail_msg("%s: %s", cases[c].to, err.message);
        assert_int_equal(gpa_model_predict(m, x, 3, y, NULL), GPA_OK);
        for (int r = 0; r < 3; r++)
            assert_true(y[r] == cases[c].want[r]);
        gpa_model_free(m);
        free(text);
    }
}

static void test_malformed(void **state)
{
    static const struct {
        const char *from, *to, *message;
        gpa_status status;
    } cases[] = {
        {"learner\"", "lerner\"", "m.json: no learner with its learner_model_param",
         GPA_DATA},
        {"\"objective\"", "\"objectiv\"",
         "m.json: objective: missing, or without a name", GPA_DATA},
        {"reg:squarederror", "survival:cox",
         "m.json: objective: 'survival:cox' is not supported (regression, "
         "binary:logistic and binary:logitraw are)",
         GPA_UNSUPPORTED},
        {"\"num_class\":\"0\"", "\"num_class\":\"3\"",
         "m.json: num_class: 3; models with several outputs are not supported",
         GPA_UNSUPPORTED},
        {"\"2\"}", "\"0\"}", "m.json: num_feature: 0", GPA_DATA},
        {"\"2\"}", "\"two\"}",
         "m.json: num_feature: missing, or not a number up to 1048576", GPA_DATA},
        {"\"5E-1\"", "\"[1E0,2E0]\"",
         "m.json: base_score: '[1E0,2E0]' is missing, more than one number, or none "
         "that the objective allows",
         GPA_DATA},
        {"reg:squarederror\"},\"learner_model_param\":{\"base_score\":\"5E-1\"",
         "reg:gamma\"},\"learner_model_param\":{\"base_score\":\"-1\"",
         "m.json: base_score: '-1' is missing, more than one number, or none that the "
         "objective allows",
         GPA_DATA},
        {"reg:squarederror\"},\"learner_model_param\":{\"base_score\":\"5E-1\"",
         "reg:logistic\"},\"learner_model_param\":{\"base_score\":\"1\"",
         "m.json: base_score: '1' is missing, more than one number, or none that the "
         "objective allows",
         GPA_DATA},
        {BOOSTER, "\"name\":\"gbforest\"",
         "m.json: gradient_booster: 'gbforest' is not gbtree, dart or gblinear",
         GPA_UNSUPPORTED},
        {BOOSTER, "\"name\":\"dart\"", "m.json: weight_drop: missing, or not a list",
         GPA_DATA},
        {BOOSTER, "\"name\":\"gblinear\"", "m.json: weights: not a list of numbers",
         GPA_DATA},
        {"[0],\"trees\"", "[1],\"trees\"",
         "m.json: tree_info: tree 0 belongs to another output; several outputs are not "
         "supported",
         GPA_UNSUPPORTED},
        {"\"trees\"", "\"tres\"", "m.json: trees: not a list", GPA_DATA},
        {"\"0\"}", "\"3\"}",
         "m.json: tree 0: leaves of 3 numbers (several outputs) are not supported",
         GPA_UNSUPPORTED},
        {INDEX, "\"split_indices\":[2,0,0]",
         "m.json: tree 0: node 0: there is no input 2", GPA_DATA},
        {INDEX, "\"split_indices\":[-1,0,0]",
         "m.json: tree 0: split_indices: -1 at a split", GPA_DATA},
        {INDEX, "\"split_indices\":[0,0]",
         "m.json: tree 0: split_indices: not as many numbers as nodes", GPA_DATA},
        {INDEX, "\"split_indices\":[0.5,0,0]",
         "m.json: tree 0: split_indices: not a whole number", GPA_DATA},
        {LEFT, "\"left_children\":[0,-1,-1]",
         "m.json: tree 0: node 0: a second way to node 0", GPA_DATA},
        {LEFT, "\"left_children\":[9,-1,-1]",
         "m.json: tree 0: node 0: there is no node 9", GPA_DATA},
        {SIZE, SIZE ",\"split_type\":[1,0,0]",
         "m.json: tree 0: split_type: a categorical split without categories",
         GPA_DATA},
        {SIZE,
         SIZE ",\"split_type\":[1,0,0],\"categories\":[-3],\"categories_nodes\":[0],"
              "\"categories_segments\":[0],\"categories_sizes\":[1]",
         "m.json: tree 0: categories: not a list of categories", GPA_DATA},
        {SIZE,
         SIZE ",\"split_type\":[1,0,0],\"categories\":[3],\"categories_nodes\":[0],"
              "\"categories_segments\":[0],\"categories_sizes\":[2]",
         "m.json: tree 0: categories_segments: outside the categories", GPA_DATA},
        {"\"feature_names\":[]", "\"feature_names\":[\"a\"]",
         "m.json: feature_names: 1 names for 2 inputs", GPA_DATA},
        {"\"feature_names\":[]", "\"feature_names\":[\"a\",1]",
         "m.json: feature_names: item 2 is no name", GPA_DATA},
        {"{\"learner\"", "binf{\"learner\"",
         "m.json: neither JSON nor UBJ; save the model with save_model(\"NAME.json\")",
         GPA_DATA},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char *text = altered(cases[c].from, cases[c].to);
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        gpa_status st = open_bytes(&m, text, strlen(text), &err);
        assert_string_equal(err.message, cases[c].message);
        assert_int_equal(st, cases[c].status);
        assert_null(m);
        free(text);
    }
}

/* UBJ that XGBoost does not write but a reader must not trip over. */
static bool same(const gpai_value *a, const gpai_value *b)
{
    const char *text = gpai_value_text(a);
    bool equal = gpai_value_is(a) == gpai_value_is(b) &&
                 gpai_value_is_whole(a) == gpai_value_is_whole(b) &&
                 gpai_value_is_true(a) == gpai_value_is_true(b) &&
                 gpai_value_number(a) == gpai_value_number(b) &&
                 gpai_value_items(a) == gpai_value_items(b) &&
                 gpai_value_members(a) == gpai_value_members(b) &&
                 (text == NULL || strcmp(text, gpai_value_text(b)) == 0);
    for (size_t i = 0; equal && i < gpai_value_items(a); i++)
        equal = same(gpai_value_at(a, i), gpai_value_at(b, i));
    for (size_t i = 0; equal && i < gpai_value_members(a); i++)
        equal = strcmp(gpai_value_key(a, i), gpai_value_key(b, i)) == 0 &&
                same(gpai_value_member(a, i), gpai_value_member(b, i));
    return equal;
}

static void test_ubj(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *text; /* as JSON, or the message */
    } cases[] = {
#define CASE(bytes, text) {bytes, sizeof bytes - 1, text}
        CASE("{}", "{}"),
        CASE("{i\1ai\xff}", "{\"a\":-1}"),
        CASE("{U\1aU\xff}", "{\"a\":255}"),
        CASE("{I\0\1aI\xff\xfe}", "{\"a\":-2}"),
        CASE("{l\0\0\0\1al\x80\0\0\0}", "{\"a\":-2147483648}"),
        CASE("{i\1aL\0\0\0\1\0\0\0\0}", "{\"a\":4294967296}"),
        CASE("{i\1ad\x3f\xc0\0\0}", "{\"a\":1.5}"),
        CASE("{i\1aD\xbf\xf8\0\0\0\0\0\0}", "{\"a\":-1.5}"),
        CASE("{i\1ad\x7f\xc0\0\0}", "{\"a\":null}"), /* NaN */
        CASE("{i\1aTi\1bFi\1cZ}", "{\"a\":true,\"b\":false,\"c\":null}"),
        CASE("{i\1aSi\2\xc3\xa9}", "{\"a\":\"\\u00e9\"}"),
        CASE("{i\1a[i\1i\2]}", "{\"a\":[1,2]}"),
        CASE("{i\1a[#i\2i\1Z}", "{\"a\":[1,null]}"),
        CASE("{i\1a[$U#i\3\1\2\3}", "{\"a\":[1,2,3]}"),
        CASE("{i\1a[$d#i\1\x40\0\0\0}", "{\"a\":[2.0]}"),
        CASE("", "m.ubj: byte 0: the file ends too early"),
        CASE("[]", "m.ubj: byte 1: not an object of universal binary JSON"),
        CASE("{", "m.ubj: byte 1: the file ends too early"),
        CASE("{i\1a", "m.ubj: byte 4: the file ends too early"),
        CASE("{i\1aH", "m.ubj: byte 5: a type that is not known"),
        CASE("{i\1al\0\0", "m.ubj: byte 5: the file ends too early"),
        CASE("{i\xff", "m.ubj: byte 3: a length beyond the end of the file"),
        CASE("{L\x7f\xff\xff\xff\xff\xff\xff\xff",
             "m.ubj: byte 10: a length beyond the end of the file"),
        CASE("{d\0\0\0\0", "m.ubj: byte 2: no length where one is expected"),
        CASE("{i\1aSi\1\xff}", "m.ubj: byte 7: a text that is not UTF-8"),
        CASE("{i\1aSi\1\0}", "m.ubj: byte 7: a text that is not UTF-8"),
        CASE("{i\1a[$Z#i\3}", "m.ubj: byte 10: a length beyond the end of the file"),
        CASE("{i\1a[$Z#i\1}", "m.ubj: byte 10: an array of a type that is not known"),
        CASE("{i\1a[$l#i\3\0\0\0\0", "m.ubj: byte 10: the file ends too early"),
        CASE("{i\1a[$l", "m.ubj: byte 7: an array without its length"),
        CASE("{i\1aZi\1aZ}", "m.ubj: byte 9: the same key twice"),
        CASE("{}{", "m.ubj: byte 2: more bytes than the model has"),
#undef CASE
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpai_value *root = NULL, *want = NULL;
        gpa_error err = {GPA_OK, ""};
        gpa_status st =
            gpai_ubj_parse(&root, cases[c].bytes, cases[c].size, "m.ubj", &err);
        (void)gpai_json_parse(&want, cases[c].text, strlen(cases[c].text), "", NULL);
        if (want != NULL ? st != GPA_OK || !same(root, want)
                         : st != GPA_DATA || strcmp(err.message, cases[c].text) != 0)
            fail_msg("case %zu: %s, not %s", c, err.message, cases[c].text);
        gpai_value_free(want);
        gpai_value_free(root);
    }
}

static void test_nested_too_deep(void **state)
{
    enum { MANY = 100000 };
    char *bytes = calloc(MANY, 1);
    gpai_value *root = NULL;
    gpa_error err = {GPA_OK, ""};
    (void)state;
    assert_non_null(bytes);
    memset(bytes, '[', MANY);
    memcpy(bytes, "{i\1a", 4);
    assert_int_equal(gpai_ubj_parse(&root, bytes, MANY, "m.ubj", &err), GPA_DATA);
    assert_non_null(strstr(err.message, "nested too deep"));
    free(bytes);
}

/* Opens whatever it is; predicts when that worked. A sanitizer watches. */
static gpa_status try_bytes(const char *bytes, size_t size)
{
    gpa_model *m = NULL;
    double x[64] = {0}, y[8];
    gpa_status st = open_bytes(&m, bytes, size, NULL);
    assert_true((st == GPA_OK) == (m != NULL));
    if (m != NULL && gpa_model_dim(m) <= 8)
        assert_int_equal(gpa_model_predict(m, x, 8, y, NULL), GPA_OK);
    gpa_model_free(m);
    return st;
}

static void test_cut_short(void **state)
{
    static const char *const some[] = {"gbtree.ubj", "partition.json", "gblinear.json"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        size_t size = 0;
        char *bytes = bytes_of(some[i], &size);
        size_t step = size > 2000 ? 7 : 1;
        for (size_t n = 0; n < size; n += step) {
            char *copy = calloc(n + 1, 1); /* its end is the end for a sanitizer too */
            assert_non_null(copy);
            memcpy(copy, bytes, n);
            gpa_status st = try_bytes(copy, n);
            assert_int_equal(st, GPA_DATA);
            free(copy);
        }
        gpai_free(bytes);
    }
}

static void test_flipped_bytes(void **state)
{
    size_t opened = 0, refused = 0;
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        size_t size = 0;
        char *bytes = bytes_of(files[i], &size);
        gpai_rng rng = gpai_rng_make(1, i);
        for (int round = 0; round < 150; round++) {
            size_t at[3], n = 1 + (size_t)round % 3;
            char old[3];
            for (size_t k = 0; k < n;
                 k++) { /* half of them digits, which text survives */
                at[k] = (size_t)(gpai_rng_unit(&rng) * (double)size);
                old[k] = bytes[at[k]];
                bytes[at[k]] = (char)(round % 2 ? gpai_rng_bits(&rng)
                                                : '0' + gpai_rng_bits(&rng) % 10);
            }
            if (try_bytes(bytes, size) == GPA_OK)
                opened++;
            else
                refused++;
            for (size_t k = n; k-- > 0;)
                bytes[at[k]] = old[k];
        }
        gpai_free(bytes);
    }
    assert_true(opened > 100 && refused > 100); /* both ways were tried */
}

static void test_without_memory(void **state)
{
    static const char *const some[] = {"partition.ubj", "gblinear.json", "dart.json"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        size_t size = 0, k = 1;
        char *bytes = bytes_of(some[i / 2], &size);
        for (gpa_status st = GPA_NOMEM; st != GPA_OK; k++) {
            gpa_model *m = NULL;
            gpai_alloc_fail_at(k, i % 2 == 1);
            st = open_bytes(&m, bytes, size, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK ? m != NULL : st == GPA_NOMEM && m == NULL);
            gpa_model_free(m);
        }
        assert_true(k > 10);
        gpai_free(bytes);
    }
}

/* partition.json with the names that XGBoost 3.1 puts beside the trees: the format as
 * its sources describe it. */
static gpa_model *open_with_names(const char *enc, gpa_error *err)
{
    static const char before[] = "\"gradient_booster\":{\"model\":{";
    size_t size = 0;
    char *bytes = bytes_of("partition.json", &size);
    char *at = strstr(bytes, before), *text = malloc(size + 4096);
    gpa_model *m = NULL;
    assert_non_null(at);
    at += sizeof before - 1;
    int n = snprintf(text, size + 4096,
                     "%.*s\"cats\":{\"enc\":%s,\"feature_segments\":[0,0,0,0,3],"
                     "\"sorted_idx\":[2,0,1]},%s",
                     (int)(at - bytes), bytes, enc, at);
    gpa_status st = open_bytes(&m, text, (size_t)n, err);
    assert_true(st == GPA_OK || st == GPA_NOMEM);
    free(text);
    gpai_free(bytes);
    return m;
}

#define EMPTY "{\"type\":13,\"values\":[]}"

static void test_names_of_categories(void **state)
{
    static const struct {
        const char *last;
        const char *names[3];
    } cases[] = {
        /* a, "" and an e with an accent, whose bytes are negative */
        {"{\"offsets\":[0,1,1,3],\"values\":[97,-61,-87]}", {"a", "", "\xc3\xa9"}},
        {"{\"type\":15,\"values\":[7,-2,9000000000]}", {"7", "-2", "9000000000"}},
        {"{\"offsets\":[0,1,0],\"values\":[97]}", {NULL}},
        {"{\"offsets\":[0,1,9],\"values\":[97]}", {NULL}},
        {"{\"offsets\":[1,1],\"values\":[97]}", {NULL}},
        {"{\"offsets\":[0,1],\"values\":[0]}", {NULL}},
        {"{\"offsets\":[0,1],\"values\":[-10]}", {NULL}}, /* no UTF-8 */
        {"{\"offsets\":7}", {NULL}},
        {"{\"type\":8,\"values\":[1.5]}", {NULL}},
        {"{\"type\":16,\"values\":[-2]}", {NULL}},
        {"null", {NULL}},
        {EMPTY "," EMPTY, {NULL}}, /* one too many */
    };
    double x[ROWS * INPUTS], want[ROWS], y[ROWS];
    (void)state;
    read_rows("partition.json", x, want);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char enc[256];
        snprintf(enc, sizeof enc, "[" EMPTY "," EMPTY "," EMPTY ",%s]", cases[c].last);
        gpa_model *m = open_with_names(enc, NULL);
        for (size_t i = 0; i < 3; i++) {
            const char *name = gpa_model_level(m, 3, i);
            if (cases[c].names[i] == NULL)
                assert_null(name);
            else
                assert_string_equal(name, cases[c].names[i]);
            assert_null(gpa_model_level(m, 0, i));
        }
        assert_null(gpa_model_level(m, 3, 3));
        assert_int_equal(gpa_model_predict(m, x, ROWS, y, NULL), GPA_OK);
        assert_memory_equal(y, want, sizeof y);
        gpa_model_free(m);
    }
}

static void test_names_without_memory(void **state)
{
    static const char enc[] =
        "[" EMPTY "," EMPTY "," EMPTY ",{\"offsets\":[0,1,2],\"values\":[97,98]}]";
    (void)state;
    for (size_t k = 1;; k++) {
        gpai_tree_levels l = {0};
        gpai_value *root = NULL;
        char whole[sizeof enc + 32];
        snprintf(whole, sizeof whole, "{\"cats\":{\"enc\":%s}}", enc);
        assert_int_equal(gpai_json_parse(&root, whole, strlen(whole), "", NULL),
                         GPA_OK);
        gpai_alloc_fail_at(k, false);
        bool good = gpai_xgboost_levels(&l, root, INPUTS);
        size_t tried = gpai_alloc_count();
        gpai_alloc_fail_at(0, false);
        gpai_tree_levels_free(&l);
        gpai_value_free(root);
        assert_int_equal(good, tried < k);
        if (tried < k)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_categories),
        cmocka_unit_test(test_names_without_memory),
        cmocka_unit_test(test_same_as_library),
        cmocka_unit_test(test_what_it_tells),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_ubj),
        cmocka_unit_test(test_nested_too_deep),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_flipped_bytes),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
