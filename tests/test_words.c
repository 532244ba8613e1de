#include "server_support.h"

#include "base/alloc.h"
#include "model/kinds.h"
#include <gpa/gpa.h>
#include <pthread.h>

/* Models that take texts and dates, through every adapter that can: one model, in C
 * (tests/liar.c), behind the Python worker and behind servers (tests/servers/words.py),
 * whose formula is written down here once more. */

enum { D = 5, LEVELS = 12, ROWS = 60 };

static struct served server;
static const char memory[] = "test_words_memory"; /* a file for children to write to */
static char long_name[100001];

static const char *const names[D] = {"load", "region", "grade, \"as sold\"", "day",
                                     "at"};
static const double codes[LEVELS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const char *regions[LEVELS] = {
    "north",
    "south, by \"the\" sea",
    "\xf0\x9f\x8c\x8a\xef\xb8\x8f sea",
    "",
    "nan",
    "007",
    "1e5",
    "a\tb\n\\u0041",
    "\xc3\xa9t\xc3\xa9",
    "null",
    " ",
    long_name,
};
static const double odd_codes[3] = {-2, 0.5, 700};
static const char *const grades[3] = {"A", "True", "z'z"};

static const gpa_input inputs[D] = {
    {.kind = GPA_KIND_NUMBER},
    {.kind = GPA_KIND_CHOICE,
     .writing = GPA_WRITING_LEVEL,
     .levels = LEVELS,
     .level = codes,
     .level_name = regions},
    {.kind = GPA_KIND_HELD,
     .writing = GPA_WRITING_LEVEL,
     .levels = 3,
     .level = odd_codes,
     .level_name = grades},
    {.kind = GPA_KIND_NUMBER, .writing = GPA_WRITING_DATE},
    {.kind = GPA_KIND_NUMBER, .writing = GPA_WRITING_TIME},
};

static int start(void **state)
{
    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    server = serve("words.py", NULL);
    return server.port > 0 ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    end_server(&server);
    unlink(memory);
    return 0;
}

static double worth(const char *text)
{
    size_t total = 0, n = text != NULL ? strlen(text) : 0;
    for (size_t i = 0; i < n; i++)
        total = (total + (i + 1) * (unsigned char)text[i]) % 1000;
    return n == 0 ? -3.25 : (double)total / 16 + (double)n / 1024;
}

/* Rows, and what the model makes of them. */
static void fill(double *x, double *want)
{
    for (size_t i = 0; i < ROWS; i++, x += D) {
        size_t level = i % LEVELS, grade = i / 4 % 3;
        x[0] = (double)(i * 37 % 64) / 4 - 8;
        x[1] = codes[level];
        x[2] = odd_codes[grade];
        x[3] = (double)(i * 1000) - 11016; /* 1939 on; day 0 is among them */
        x[4] = (double)i * 86399.0 * 511;
        want[i] = 2 * x[0] + worth(regions[level]) + 3 * worth(grades[grade]) +
                  x[3] / 8 + x[4] / 1e6;
    }
    x -= (size_t)ROWS * D;
    for (size_t i = 0; i < 4; i++) { /* one missing in each of the last */
        double *row = x + (ROWS - 4 + i) * D;
        const char *region = regions[(ROWS - 4 + i) % LEVELS];
        double effect[4] = {-3.25 - worth(region),
                            3 * (-3.25 - worth(grades[(ROWS - 4 + i) / 4 % 3])),
                            (7 - row[3]) / 8, (7 - row[4]) / 1e6};
        want[ROWS - 4 + i] += effect[i];
        row[1 + i] = (double)NAN;
    }
}

static const char *spec_of(const char *model)
{
    static char spec[2400];
    const char *root = getenv("GPA_SOURCE_ROOT"), *liar = getenv("GPA_TEST_LIAR"),
               *python = getenv("PYTHON");
    int port = server.port;
    if (strcmp(model, "worker") == 0)
        snprintf(spec, sizeof spec, "exec:'%s' -m gpa.worker '%s/%s:frame'",
                 python != NULL ? python : "/usr/bin/python3",
                 root != NULL ? root : ".", "tests/servers/words.py");
    else if (strncmp(model, "words", 5) == 0 || strcmp(model, "any") == 0)
        snprintf(spec, sizeof spec, "exec:'%s' '%s' %s", liar != NULL ? liar : "liar",
                 model, memory);
    else if (strncmp(model, "v2:", 3) == 0)
        snprintf(spec, sizeof spec, "v2:http://127.0.0.1:%d/v2/models/%s", port,
                 model + 3);
    else if (strncmp(model, "tf:", 3) == 0)
        snprintf(spec, sizeof spec, "tfserving:http://127.0.0.1:%d/v1/models/%s", port,
                 model + 3);
    else
        snprintf(spec, sizeof spec, "mlflow:http://127.0.0.1:%d", port);
    return spec;
}

static bool has_pandas(void)
{
    const char *python = getenv("PYTHON"), *root = getenv("GPA_SOURCE_ROOT");
    char text[1200];
    snprintf(text, sizeof text, "%s/bindings/python", root != NULL ? root : ".");
    setenv("PYTHONPATH", text, 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    snprintf(text, sizeof text, "'%s' -c 'import pandas' 2>/dev/null",
             python != NULL ? python : "/usr/bin/python3");
    return system(text) == 0;
}

/* Opens a model and tells it everything. */
static gpa_status open_model(gpa_model **m, const char *model, gpa_error *err)
{
    gpa_status st = gpa_model_open(m, spec_of(model), NULL, err);
    if (st == GPA_OK)
        st = gpa_model_set_inputs(*m, D, names, err);
    if (st == GPA_OK)
        st = gpa_model_set_kinds(*m, inputs, D, err);
    return st;
}

static void check_predictions(gpa_model *m, const char *model, size_t batch)
{
    double x[ROWS * D], want[ROWS];
    double y[ROWS] = {0};
    gpa_error err = {GPA_OK, ""};
    fill(x, want);
    gpa_model_set_batch(m, batch);
    gpa_status st = gpa_model_predict(m, x, ROWS, y, &err);
    if (st != GPA_OK)
        fail_msg("%s: %s", model, err.message);
    for (size_t i = 0; i < ROWS; i++)
        if (!(fabs(y[i] - want[i]) <= 1e-12 * fmax(1, fabs(want[i]))))
            fail_msg("%s: row %zu: %.17g, not %.17g", model, i, y[i], want[i]);
}

static void the_same_everywhere(void **state)
{
    static const char *const models[] = {"words",    "worker",     "mlflow",
                                         "tf:named", "tf:bare",    "v2:json",
                                         "v2:bytes", "v2:letters", "v2:bare"};
    bool pandas = has_pandas();
    (void)state;
    for (size_t c = 0; c < sizeof models / sizeof models[0]; c++) {
        gpa_model *m = NULL, *copy = NULL;
        gpa_error err = {GPA_OK, ""};
        if (strcmp(models[c], "worker") == 0 && !pandas) {
            print_message("SKIP: no pandas: texts in gpa.worker are NOT checked\n");
            continue;
        }
        if (open_model(&m, models[c], &err) != GPA_OK)
            fail_msg("%s: %s", models[c], err.message);
        assert_true(gpa_model_takes_text(m));
        check_predictions(m, models[c], 4096);
        check_predictions(m, models[c], 7);
        assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
        gpa_model_free(m);
        check_predictions(copy, models[c], 9);
        gpa_model_free(copy);
    }
}

/* The kinds are copied: what they were made of may go. */
static void kinds_are_copied(void **state)
{
    static const char *const models[] = {"words", "mlflow", "v2:bytes"};
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        gpa_model *m = NULL;
        gpa_input *copy = malloc(sizeof inputs);
        char(*text)[32] = malloc(3 * sizeof *text);
        const char **texts = malloc(3 * sizeof *texts);
        double *values = malloc(sizeof odd_codes);
        memcpy(copy, inputs, sizeof inputs);
        memcpy(values, odd_codes, sizeof odd_codes);
        for (size_t i = 0; i < 3; i++)
            texts[i] = strcpy(text[i], grades[i]);
        copy[2].level = values;
        copy[2].level_name = texts;
        assert_int_equal(gpa_model_open(&m, spec_of(models[c]), NULL, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_inputs(m, D, names, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_kinds(m, copy, D, NULL), GPA_OK);
        memset(text, 'q', 3 * sizeof *text);
        free(values);
        free(texts);
        free(text);
        free(copy);
        check_predictions(m, models[c], 4096);
        gpa_model_free(m);
    }
}

static size_t count_in_memory(char what)
{
    FILE *f = fopen(memory, "rb");
    size_t n = 0;
    for (int c; f != NULL && (c = fgetc(f)) != EOF;)
        n += c == what;
    if (f != NULL)
        fclose(f);
    return n;
}

/* Every child is told once, its successor again. */
static void children_are_told(void **state)
{
    gpa_model *m = NULL;
    (void)state;
    unlink(memory);
    assert_int_equal(open_model(&m, "words", NULL), GPA_OK);
    for (int i = 0; i < 3; i++)
        check_predictions(m, "words", 10);
    gpa_model_free(m);
    assert_int_equal(count_in_memory('.'), 1);
    assert_int_equal(count_in_memory('K'), 1);
    unlink(memory);
    assert_int_equal(open_model(&m, "words once", NULL), GPA_OK);
    check_predictions(m, "words once", 20); /* leaves after each answer */
    gpa_model_free(m);
    assert_int_equal(count_in_memory('K'), 3);
    assert_int_equal(count_in_memory('.'), 3);
}

static void *predict_in_thread(void *model)
{
    check_predictions(model, "thread", 5);
    return NULL;
}

static void threads(void **state)
{
    static const char *const models[] = {"words", "v2:bytes", "mlflow"};
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        gpa_model *m[4] = {NULL};
        pthread_t thread[4];
        assert_int_equal(open_model(&m[0], models[c], NULL), GPA_OK);
        for (size_t i = 1; i < 4; i++)
            assert_int_equal(gpa_model_clone(&m[i], m[0], NULL), GPA_OK);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, predict_in_thread, m[i]),
                             0);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_join(thread[i], NULL), 0);
        for (size_t i = 0; i < 4; i++)
            gpa_model_free(m[i]);
    }
}

/* To a model of numbers nothing changes: it is told nothing, and never sees text. */
static void numbers_stay_numbers(void **state)
{
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    gpa_input plain[D] = {{.kind = GPA_KIND_NUMBER}};
    double x[D] = {1, 2, 3, 4, 5}, y = 0;
    (void)state;
    plain[1] = (gpa_input){.kind = GPA_KIND_CHOICE, /* names for reports only */
                           .levels = LEVELS,
                           .level = codes,
                           .level_name = regions};
    for (size_t date = 0; date < 2; date++) {
        plain[3].writing = date ? GPA_WRITING_DATE : GPA_WRITING_NUMBER;
        assert_int_equal(gpa_model_open(&m, spec_of("any"), NULL, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_inputs(m, D, names, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_kinds(m, plain, D, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 1, &y, &err), GPA_OK);
        assert_true(y == 15);
        gpa_model_free(m);
        assert_int_equal(gpa_model_open(&m, spec_of("v2:numbers"), NULL, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_inputs(m, D, names, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_kinds(m, plain, D, &err), GPA_OK);
        gpa_model_free(m);
    }
}

static void refused_with_a_reason(void **state)
{
    static const struct {
        const char *model, *config, *says;
        bool named;
    } cases[] = {
        {"any", "",
         ": column 'region' holds text; this child takes numbers only: encode "
         "it, give its codes names with --levels, or --drop it",
         true},
        {"any", "", ": input 2 holds text; this child takes numbers only", false},
        {"v2:numbers", "",
         ": column 'region' holds text; its tensor 'x' (FP64) takes "
         "numbers only: encode it",
         true},
        {"v2:bare", "", ": input 2 holds text; its tensor 'input-0' (FP64) takes",
         false},
        {"tf:numbers", "", ": column 'region' holds text; its tensor 'x' (FP64)", true},
        {"mlflow", "names=off", ": column 'region' holds text; its tensor 'inputs'",
         true},
        {"mlflow", "", ": input 2 holds text; its tensor 'inputs'", false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        gpa_model_options opt;
        gpa_model_options_init(&opt);
        opt.config = strncmp(cases[c].model, "any", 3) == 0 ? NULL : cases[c].config;
        assert_int_equal(gpa_model_open(&m, spec_of(cases[c].model), &opt, &err),
                         GPA_OK);
        assert_int_equal(
            gpa_model_set_inputs(m, D, cases[c].named ? names : NULL, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_kinds(m, inputs, D, &err), GPA_INVALID);
        if (strstr(err.message, cases[c].says) == NULL)
            fail_msg("%s: %s", cases[c].model, err.message);
        gpa_model_free(m);
    }
}

/* A code that no level has is no fault of the model. */
static void unknown_codes(void **state)
{
    static const char *const models[] = {"words", "mlflow", "tf:named", "v2:bytes"};
    (void)state;
    for (size_t c = 0; c < 4; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        double x[3 * D] = {0, 1, 0.5, 0, 0, 0, 1, 0.5, 0, 0, 0, 1.5, 0.5, 0, 0}, y[3];
        assert_int_equal(open_model(&m, models[c], NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 3, y, &err), GPA_INVALID);
        if (strstr(err.message, ": row 2: column 'region' holds text, and 1.5 is the "
                                "code of none of its 12 levels") == NULL)
            fail_msg("%s", err.message);
        x[2 * D + 1] = HUGE_VAL;
        assert_int_equal(gpa_model_predict(m, x, 3, y, &err), GPA_INVALID);
        assert_int_equal(gpa_model_predict(m, x, 2, y, &err), GPA_OK);
        gpa_model_free(m);
    }
}

static void check_body(const char *model, const char *name, const char *want)
{
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    const double x[2 * D] = {1.5, 1, 700,         19782, 1709208000.5, /* a leap day */
                             2,   3, (double)NAN, -1,    (double)NAN};
    double y[2];
    assert_int_equal(open_model(&m, model, &err), GPA_OK);
    if (gpa_model_predict(m, x, 2, y, &err) != GPA_OK)
        fail_msg("%s: %s", model, err.message);
    json_t *saw = seen(&server, name);
    const char *body = json_string_value(json_object_get(saw, "body"));
    if (strstr(body, want) == NULL)
        fail_msg("%s: %s lacks %s", model, body, want);
    json_decref(saw);
    gpa_model_free(m);
}

/* Escapes, dates and what is missing, byte by byte. */
static void what_is_sent(void **state)
{
    (void)state;
    check_body(
        "mlflow", "mlflow",
        "{\"dataframe_split\":{\"columns\":[\"load\",\"region\",\"grade, \\u0022as "
        "sold\\u0022\",\"day\",\"at\"],\"data\":[[1.5,\"south, by \\u0022the\\u0022 "
        "sea\",\"z'z\",\"2024-02-29\",\"2024-02-29 12:00:00\"],"
        "[2.0,\"\",null,\"1969-12-31\",null]]}}");
    check_body("tf:named", "named",
               "{\"instances\":[{\"load\":[1.5],\"region\":\"south, by "
               "\\u0022the\\u0022 sea\",\"grade, \\u0022as sold\\u0022\":[\"z'z\"],"
               "\"day\":[\"2024-02-29\"],\"at\":[\"2024-02-29 12:00:00\"]},{\"load\":"
               "[2.0],\"region\":\"\",\"grade, \\u0022as sold\\u0022\":[\"\"],\"day\":"
               "[\"1969-12-31\"],\"at\":[\"\"]}]}");
    check_body("tf:bare", "bare",
               "{\"instances\":[[1.5,\"south, by \\u0022the\\u0022 sea\",\"z'z\","
               "\"2024-02-29\",\"2024-02-29 12:00:00\"],[2.0,\"\",\"\",");
    check_body("v2:json", "json",
               "{\"name\":\"region\",\"shape\":[2],\"datatype\":\"BYTES\",\"data\":["
               "\"south, by \\u0022the\\u0022 sea\",\"\"]}");
    check_body(
        "v2:bare", "bare",
        "\"shape\":[2,1],\"datatype\":\"BYTES\",\"parameters\":{\"content_type\":"
        "\"datetime\"},\"data\":[\"2024-02-29\",\"1969-12-31\"]}");
    check_body("v2:bare", "bare", "\"parameters\":{\"content_type\":\"pd\"}}");
    check_body(
        "v2:bytes", "bytes",
        "{\"name\":\"region\",\"shape\":[2],\"datatype\":\"BYTES\",\"parameters\":{"
        "\"binary_data_size\":27}}");
    check_body("v2:letters", "letters", "\"binary_data_size\":105}}]");
}

/* What pandas reads as truth values reaches MLflow as such, servers of texts as text.
 */
static void truth_values(void **state)
{
    static const char *const texts[] = {"False", "True", "no"};
    static const char *const one[1] = {"flag"};
    static const struct {
        size_t levels;
        const char *body;
    } cases[] = {{2, "\"data\":[[true],[false],[null]]"},
                 {3, "\"data\":[[\"True\"],[\"False\"],[null]]"}};
    const double x[3] = {1, 0, (double)NAN}, three[3] = {0, 1, 2};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        const gpa_input in = {.writing = GPA_WRITING_LEVEL,
                              .levels = cases[c].levels,
                              .level = three,
                              .level_name = texts};
        gpa_model *m = NULL;
        double y[3];
        assert_int_equal(gpa_model_open(&m, spec_of("mlflow"), NULL, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_inputs(m, 1, one, NULL), GPA_OK);
        assert_int_equal(gpa_model_set_kinds(m, &in, 1, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 3, y, NULL), GPA_MODEL);
        json_t *saw = seen(&server, "mlflow"); /* which has other columns */
        assert_non_null(
            strstr(json_string_value(json_object_get(saw, "body")), cases[c].body));
        json_decref(saw);
        gpa_model_free(m);
    }
}

/* The example in Perl: its base prices, and 15 where it knows none. */
static void the_example(void **state)
{
    static const double regions3[3] = {0, 4, 9};
    static const char *const texts[3] = {"the isles", "elsewhere", "north"};
    const gpa_input both[2] = {{.writing = GPA_WRITING_LEVEL,
                                .levels = 3,
                                .level = regions3,
                                .level_name = texts},
                               {.kind = GPA_KIND_NUMBER}};
    const double x[8] = {9, 1, 0, 2, 4, 0.5, (double)NAN, 0};
    const double want[4] = {13, 41, 16.5, 15};
    const char *root = getenv("GPA_SOURCE_ROOT");
    char spec[1200];
    double y[4];
    gpa_model *m = NULL;
    (void)state;
    snprintf(spec, sizeof spec, "exec:perl '%s/examples/exec/prices.pl'",
             root != NULL ? root : ".");
    assert_int_equal(gpa_model_open(&m, spec, NULL, NULL), GPA_OK);
    assert_string_equal(gpa_model_variable(m, 0), "region");
    assert_int_equal(gpa_model_set_kinds(m, both, 2, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 4, y, NULL), GPA_OK);
    assert_memory_equal(y, want, sizeof want);
    gpa_model_free(m);
}

/* Neither levels in disorder nor more than memory should hold. */
static void bounds(void **state)
{
    static const double falling[2] = {1, 0}, infinite[1] = {HUGE_VAL};
    gpai_model_kinds k = {0};
    gpa_error err = {GPA_OK, ""};
    gpa_input one = {.writing = GPA_WRITING_LEVEL, .levels = 2, .level = falling};
    enum { MANY = 700 }; /* of long names: 70 MB */
    static double many[MANY];
    static const char *texts[MANY];
    (void)state;
    assert_int_equal(gpai_model_kinds_copy(&k, &one, 1, "exec", &err), GPA_INVALID);
    assert_string_equal(err.message,
                        "exec: input 1: the codes of its levels do not ascend");
    one = (gpa_input){.writing = GPA_WRITING_LEVEL, .levels = 1, .level = infinite};
    assert_int_equal(gpai_model_kinds_copy(&k, &one, 1, "exec", NULL), GPA_INVALID);
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (double)i;
        texts[i] = long_name;
    }
    one = (gpa_input){.writing = GPA_WRITING_LEVEL,
                      .levels = MANY,
                      .level = many,
                      .level_name = texts};
    assert_int_equal(gpai_model_kinds_copy(&k, &one, 1, "exec", &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "the texts take more than 67108864 bytes"));
    one.levels = 3;
    assert_int_equal(gpai_model_kinds_copy(&k, &one, 1, "exec", &err), GPA_OK);
    assert_int_equal(k.longest, sizeof long_name);
    one.level_name = NULL; /* they speak for themselves */
    assert_int_equal(gpai_model_kinds_copy(&k, &one, 1, "exec", &err), GPA_OK);
    assert_string_equal(k.input[0].level_name[2], "2");
    gpai_model_kinds_free(&k);
}

/* Long texts in many rows are more than a request may have. */
static void requests_are_bounded(void **state)
{
    enum { N = 4096 };
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    double *x = calloc((size_t)N * D, sizeof *x), *y = calloc(N, sizeof *y);
    (void)state;
    assert_int_equal(open_model(&m, "v2:bytes", NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, N, y, &err), GPA_INVALID);
    assert_non_null(strstr(err.message, "in each of 4096 rows: send fewer at once, "
                                        "--batch 2684"));
    gpa_model_free(m);
    free(y);
    free(x);
}

static void survives_without_memory(void **state)
{
    static const char *const models[] = {"words", "mlflow", "v2:bare"};
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        for (size_t k = 1;; k++) {
            gpa_model *m = NULL;
            assert_int_equal(gpa_model_open(&m, spec_of(models[c]), NULL, NULL),
                             GPA_OK);
            gpai_alloc_fail_at(k, false);
            gpa_status st = gpa_model_set_inputs(m, D, names, NULL);
            if (st == GPA_OK)
                st = gpa_model_set_kinds(m, inputs, D, NULL);
            size_t tried = gpai_alloc_count();
            gpai_alloc_fail_at(0, false);
            gpa_model_free(m);
            if (tried < k)
                break;
            assert_int_equal(st, GPA_NOMEM);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_everywhere),
        cmocka_unit_test(kinds_are_copied),
        cmocka_unit_test(children_are_told),
        cmocka_unit_test(threads),
        cmocka_unit_test(numbers_stay_numbers),
        cmocka_unit_test(refused_with_a_reason),
        cmocka_unit_test(unknown_codes),
        cmocka_unit_test(what_is_sent),
        cmocka_unit_test(truth_values),
        cmocka_unit_test(the_example),
        cmocka_unit_test(bounds),
        cmocka_unit_test(requests_are_bounded),
        cmocka_unit_test(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
