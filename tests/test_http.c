#include "server_support.h"

#include "base/alloc.h"
#include <gpa/gpa.h>
#include <pthread.h>

/* Models behind HTTP: tests/servers/liar.py answers, whose every model computes 0.5 +
 * x1 + 2 x2 + 3 x3 (and so on) and is called by how it behaves. */

static struct served server;

static int start(void **state)
{
    (void)state;
    server = serve("liar.py", NULL);
    return server.port > 0 ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    end_server(&server);
    return 0;
}

/* "v2:nan" as the URL of that model on the server. */
static const char *spec_of(const char *model)
{
    static char spec[256];
    const char *name = strchr(model, ':') + 1;
    int port = server.port;
    if (strncmp(model, "v2:", 3) == 0)
        snprintf(spec, sizeof spec, "v2:http://127.0.0.1:%d/v2/models/%s", port, name);
    else if (strncmp(model, "mlflow:", 7) == 0)
        snprintf(spec, sizeof spec, "mlflow:http://127.0.0.1:%d/%s", port, name);
    else
        snprintf(spec, sizeof spec, "tfserving:http://127.0.0.1:%d/v1/models/%s", port,
                 name);
    return spec;
}

static gpa_model_options options(double timeout)
{
    gpa_model_options opt;
    gpa_model_options_init(&opt);
    opt.timeout = timeout;
    return opt;
}

/* Opens a model and says that it has three inputs, when it does not know. */
static gpa_status open_model(gpa_model **m, const char *model,
                             const gpa_model_options *opt, gpa_error *err)
{
    static const char *const names[3] = {"age", "b\"mi", "s5"};
    gpa_status st = gpa_model_open(m, spec_of(model), opt, err);
    if (st == GPA_OK && gpa_model_dim(*m) == 0)
        st = gpa_model_set_inputs(*m, 3, names, err);
    return st;
}

static double formula(const double *x)
{
    return 0.5 + x[0] + 2 * x[1] + 3 * x[2];
}

/* Numbers that every type of float holds exactly, so that the formula does too. */
static void fill(double *x, size_t n)
{
    for (size_t i = 0; i < 3 * n; i++)
        x[i] = (double)((i * 37) % 64) / 4 - 8;
}

enum { ROWS = 23 };

/* Predictions of ROWS rows in pieces of 10. */
static gpa_status ask(gpa_model *m, double y[ROWS], gpa_error *err)
{
    double x[3 * ROWS];
    fill(x, ROWS);
    gpa_model_set_batch(m, 10);
    return gpa_model_predict(m, x, ROWS, y, err);
}

static void check_model(const char *model, const gpa_model_options *opt, double add)
{
    double x[3 * ROWS], y[ROWS];
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    fill(x, ROWS);
    gpa_status st = open_model(&m, model, opt, &err);
    if (st == GPA_OK)
        st = ask(m, y, &err);
    if (st != GPA_OK)
        print_error("%s: %s\n", model, err.message);
    assert_int_equal(st, GPA_OK);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(y[i] == formula(x + 3 * i) + add);
    gpa_model_free(m);
}

static void test_honest(void **state)
{
    static const char *const models[] = {
        "v2:ok",
        "v2:f32",
        "v2:half",
        "v2:columns",
        "v2:flat",
        "v2:mixed",
        "v2:deep",
        "v2:any",
        "v2:one_row",
        "v2:empty_meta",
        "v2:no_meta",
        "v2:json_only",
        "v2:json_back",
        "v2:json_500",
        "v2:json_closes",
        "v2:ok/infer",
        "v2:ok/",
        "v2:ok/versions/1",
        "v2:listed",
        "mlflow:ok",
        "mlflow:listed",
        "mlflow:named",
        "mlflow:ok/",
        "mlflow:ok/invocations",
        "tfserving:ok",
        "tfserving:f32",
        "tfserving:columns",
        "tfserving:flat",
        "tfserving:any",
        "tfserving:listed",
        "tfserving:deep",
        "tfserving:no_meta",
        "tfserving:ok:predict",
        "tfserving:ok/versions/1:predict",
        "tfserving:other_signature",
    };
    (void)state;
    for (size_t c = 0; c < sizeof models / sizeof models[0]; c++)
        check_model(models[c], NULL, 0);
}

/* Which way the rows went, as the server saw it. */
static void test_binary_is_found_out_once(void **state)
{
    static const struct {
        const char *name;
        long requests, binary;
    } cases[] = {
        {"count_ok", 3, 3},   /* 23 rows in pieces of 10 */
        {"json_count", 4, 1}, /* the first is asked again */
        {"json_closes", 5,
         2}, /* hangs up; curl itself asks again on a new connection */
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char model[64];
        double y[ROWS];
        gpa_model *m = NULL, *copy = NULL;
        snprintf(model, sizeof model, "v2:%s", cases[c].name);
        long before = seen_count(&server, cases[c].name, "requests");
        long bytes = seen_count(&server, cases[c].name, "binary");
        assert_int_equal(open_model(&m, model, NULL, NULL), GPA_OK);
        assert_int_equal(ask(m, y, NULL), GPA_OK);
        assert_int_equal(seen_count(&server, cases[c].name, "requests") - before,
                         cases[c].requests);
        assert_int_equal(seen_count(&server, cases[c].name, "binary") - bytes,
                         cases[c].binary);
        /* clones know it from the start */
        assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
        assert_int_equal(ask(copy, y, NULL), GPA_OK);
        assert_int_equal(seen_count(&server, cases[c].name, "requests") - before,
                         cases[c].requests + 3);
        gpa_model_free(m);
        gpa_model_free(copy);
    }
}

static void test_what_metadata_says(void **state)
{
    static const struct {
        const char *model;
        size_t d;
        const char *names[3];
    } cases[] = {
        {"v2:ok", 3, {NULL}},
        {"v2:columns", 3, {"age", "bmi", "s5"}},
        {"v2:flat", 3, {"age", "bmi", "s5"}},
        {"v2:mixed", 3, {NULL}},
        {"v2:any", 0, {NULL}},
        {"v2:no_meta", 0, {NULL}},
        {"v2:empty_meta", 0, {NULL}},
        {"tfserving:ok", 3, {NULL}},
        {"tfserving:columns", 3, {"age", "bmi", "s5"}},
        {"tfserving:no_meta", 0, {NULL}},
        {"mlflow:ok", 0, {NULL}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        assert_int_equal(gpa_model_open(&m, spec_of(cases[c].model), NULL, NULL),
                         GPA_OK);
        assert_int_equal(gpa_model_dim(m), cases[c].d);
        for (size_t k = 0; k < 3; k++) {
            const char *name = gpa_model_variable(m, k);
            if (cases[c].names[k] == NULL)
                assert_null(name);
            else
                assert_string_equal(name, cases[c].names[k]);
        }
        assert_false(gpa_model_in_process(m));
        assert_string_equal(gpa_model_spec(m), spec_of(cases[c].model));
        gpa_model_free(m);
    }
}

static void test_metadata_refused(void **state)
{
    static const struct {
        const char *model;
        gpa_status status;
        const char *says;
    } cases[] = {
        {"v2:images", GPA_UNSUPPORTED, "input 'x': IMAGE is no type of number or text"},
        {"v2:five_rows", GPA_UNSUPPORTED, "first dimension must be -1"},
        {"v2:endless", GPA_UNSUPPORTED, "open, 0 or too large"},
        {"v2:open_end", GPA_UNSUPPORTED, "open, 0 or too large"},
        {"v2:nameless", GPA_MODEL, "metadata: inputs: item 1: no name"},
        {"v2:meta_text", GPA_MODEL, "metadata: line 1: unexpected: <"},
        {"v2:meta_forbidden", GPA_MODEL, "HTTP 403: who are you?"},
        {"v2:two_outputs", GPA_INVALID,
         "2 outputs are numbers (a, b): say which with --model-config output=NAME"},
        {"tfserving:two_outputs", GPA_INVALID, "2 outputs are numbers (a, b)"},
        {"tfserving:meta_text", GPA_MODEL, "metadata: line 1: unexpected"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(gpa_model_open(&m, spec_of(cases[c].model), NULL, &err),
                         cases[c].status);
        if (strstr(err.message, cases[c].says) == NULL)
            print_error("%s: %s\n", cases[c].model, err.message);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_null(m);
    }
}

static void test_outputs_are_chosen(void **state)
{
    gpa_model_options opt = options(60);
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    opt.config = "output=b"; /* adds 1 */
    check_model("v2:two_outputs", &opt, 1);
    opt.config = "output=a";
    check_model("v2:two_outputs", &opt, 0);
    opt.config = NULL; /* the other one is a text */
    check_model("v2:label_too", &opt, 1);
    opt.config = "output=price";
    check_model("mlflow:two_named", &opt, 0);
    opt.config = "output=c";
    assert_int_equal(gpa_model_open(&m, spec_of("v2:two_outputs"), &opt, &err),
                     GPA_INVALID);
    assert_non_null(strstr(err.message, "no output 'c'; there is a, b"));
    opt.config = "out=c";
    assert_int_equal(gpa_model_open(&m, spec_of("v2:ok"), &opt, &err), GPA_INVALID);
    assert_string_equal(
        err.message, "v2: --model-config: 'out=c' is not known; there is output=NAME");
}

static void test_mlflow_names(void **state)
{
    static const char *const names[3] = {"age", "b\"mi", "s5"};
    const struct {
        const char *const *names;
        const char *config, *body;
    } cases[] = {
        {names, NULL,
         "{\"dataframe_split\":{\"columns\":[\"age\",\"b\\u0022mi\",\"s5\"],\"data\":"
         "[[1.0,-0.5,0.1]]}}"},
        {NULL, NULL, "{\"inputs\":[[1.0,-0.5,0.1]]}"},
        {names, "names=off", "{\"inputs\":[[1.0,-0.5,0.1]]}"},
    };
    const double x[3] = {1, -0.5, 0.1};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model_options opt = options(60);
        gpa_model *m = NULL;
        double y = 0;
        opt.config = cases[c].config;
        assert_int_equal(gpa_model_open(&m, spec_of("mlflow:names"), &opt, NULL),
                         GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_INVALID);
        assert_int_equal(gpa_model_set_inputs(m, 3, cases[c].names, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
        assert_close(y, 0.8, 1e-12);
        json_t *saw = seen(&server, "names");
        assert_string_equal(json_string_value(json_object_get(saw, "body")),
                            cases[c].body);
        json_decref(saw);
        assert_true(gpa_model_refuses_missing(m));
        gpa_model_free(m);
    }
}

static void test_one_connection_stays(void **state)
{
    gpa_model *m = NULL;
    double x[3] = {1, 2, 3}, y = 0;
    (void)state;
    assert_int_equal(open_model(&m, "v2:kept", NULL, NULL), GPA_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
    gpa_model_free(m);
    assert_int_equal(seen_count(&server, "kept", "requests"), 20);
    assert_int_equal(seen_count(&server, "kept", "connections"), 1);
    json_t *saw = seen(&server, "kept"), *headers = json_object_get(saw, "headers");
    assert_string_equal(json_string_value(json_object_get(headers, "content-type")),
                        "application/json");
    assert_null(json_object_get(headers, "expect"));
    assert_null(json_object_get(headers, "accept-encoding"));
    json_decref(saw);
}

/* Eight pieces that take 0.2 s each. */
static void test_several_under_way(void **state)
{
    static const struct {
        size_t workers;
        long most;
    } cases[] = {{1, 1}, {2, 2}, {0, 4}};
    double x[24], y[8];
    (void)state;
    fill(x, 8);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model_options opt = options(60);
        gpa_model *m = NULL;
        opt.workers = cases[c].workers;
        opt.batch_rows = 1;
        assert_int_equal(open_model(&m, "mlflow:slow", &opt, NULL), GPA_OK);
        double from = seconds_now();
        assert_int_equal(gpa_model_predict(m, x, 8, y, NULL), GPA_OK);
        double took = seconds_now() - from;
        for (size_t i = 0; i < 8; i++)
            assert_true(y[i] == formula(x + 3 * i));
        assert_true(took >= 1.6 / (double)cases[c].most - 0.01);
        assert_true(cases[c].most == 1 || took < 1.6);
        assert_int_equal(seen_count(&server, "slow", "most_flying"), cases[c].most);
        gpa_model_free(m);
    }
}

/* A call that must fail, and how. The slow ones have a second. */
struct lie {
    const char *model;
    bool slow;
    const char *says;
};

static void check_lie(const struct lie *lie)
{
    gpa_model_options opt = options(lie->slow ? 1 : 20);
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    double y[ROWS], from = seconds_now();
    gpa_status st = open_model(&m, lie->model, &opt, &err);
    if (st == GPA_OK)
        st = ask(m, y, &err);
    double took = seconds_now() - from;
    gpa_model_free(m);
    bool says = strstr(err.message, lie->says) != NULL;
    if (st != GPA_MODEL || !says || took > opt.timeout + 1)
        print_error("%s: status %d after %g s: %s\n", lie->model, (int)st, took,
                    err.message);
    assert_int_equal(st, GPA_MODEL);
    assert_true(says);
    assert_true(took <= opt.timeout + 1);
    assert_int_equal(strncmp(err.message, lie->model, strcspn(lie->model, ":") + 1), 0);
    for (const char *p = err.message; *p != '\0'; p++)
        assert_true((unsigned char)*p >= ' ' && *p != 127);
}

static void test_lies(void **state)
{
    static const struct lie lies[] = {
        {"v2:few", false, "reply: shape [9,1], expected [10] or [10,1]"},
        {"mlflow:few", false, "reply: 9 predictions, expected 10"},
        {"tfserving:few", false, "reply: 9 predictions, expected 10"},
        {"v2:many", false, "reply: shape [11,1], expected [10]"},
        {"mlflow:many", false, "reply: 11 predictions, expected 10"},
        {"mlflow:text", false,
         "reply: row 1: expected a number, not \\u001b[31mtwo\\nlines"},
        {"v2:wrong_shape", false, "reply: shape [1,10], expected [10] or [10,1]"},
        {"v2:wide_reply", false, "reply: shape [10,2], expected [10] or [10,1]"},
        {"mlflow:pairs", false, "reply: row 0: several numbers, expected one"},
        {"tfserving:one_list", false, "reply: row 0: several numbers, expected one"},
        {"mlflow:two_named", false,
         "reply: row 0: several outputs; say which with --model-config output=NAME"},
        {"mlflow:true", false, "reply: row 0: expected a number, not true"},
        {"mlflow:deep_lists", false, "reply: row 0: expected a number, not ["},
        {"v2:error", false, "HTTP 500: xxxxxx"},
        {"v2:detail", false, "HTTP 422: body.inputs.0.data: field required"},
        {"mlflow:code", false, "HTTP 400: BAD_REQUEST: Model is missing inputs ['a']"},
        {"tfserving:plain", false, "HTTP 500: out of \\x1b[2J cheese at line 3"},
        {"mlflow:page", false, "HTTP 502: 502 Bad Gateway"},
        {"mlflow:silent", false, "HTTP 500"},
        {"v2:too_much", false, "HTTP 413; smaller batches may help"},
        {"mlflow:not_json", false, "reply: no \"predictions\" in: predictions: 1, 2"},
        {"mlflow:cut_json", false, "reply: "},
        {"v2:cut_json", false, "reply: "},
        {"mlflow:empty", false, "reply: no \"predictions\"; it is empty"},
        {"v2:other_keys", false, "reply: no \"outputs\" in: no idea"},
        {"v2:huge", false, "reply is larger than "},
        {"mlflow:flood", false, "reply is larger than "},
        {"mlflow:bomb", false, "reply is compressed"},
        {"mlflow:headers", false, "headers of the reply do not end"},
        {"v2:drip", true, "no complete reply within 1 s"},
        {"v2:hangs", true, "no complete reply within 1 s"},
        {"tfserving:hangs", true, "no complete reply within 1 s"},
        {"v2:meta_hangs", true, "no complete reply within 1 s"},
        {"mlflow:closes", true, "Empty reply from server"},
        {"v2:dies", true, "transfer closed with "},
        {"mlflow:always_busy", true, "HTTP 503: overloaded ("},
        {"mlflow:much_later", false,
         "HTTP 503: come back tomorrow; asks to wait 86400 s"},
        {"mlflow:moved", false, "HTTP 307 to file:///etc/passwd: redirects are not"},
        {"v2:lost", false, "HTTP 404: Request for unknown model: 'lost' is not found"},
        {"v2:secret", false, "HTTP 401: not authorised"},
    };
    (void)state;
    check_model("v2:ok", NULL, 0); /* curl sets itself up */
    int before = open_descriptors();
    for (size_t c = 0; c < sizeof lies / sizeof lies[0]; c++)
        check_lie(&lies[c]);
    assert_int_equal(open_descriptors(), before);
}

/* A binary reply that lies is taken for a server that does not know binary; its JSON
 * is then right. */
static void test_lying_bytes(void **state)
{
    (void)state;
    check_model("v2:bytes_head", NULL, 0);
    check_model("v2:bytes_short", NULL, 0);
    check_model("v2:bytes_extra", NULL, 0);
    assert_int_equal(seen_count(&server, "bytes_extra", "binary"), 1);
    const struct lie both = {"v2:bytes_only", false,
                             ": binary reply: 84 bytes behind the JSON, expected 80; "
                             "JSON: HTTP 400: JSON is not for us"};
    check_lie(&both);
}

static void test_numbers_that_are_none(void **state)
{
    static const char *const models[] = {
        "v2:nan",      "v2:json_nan",      "mlflow:nan",         "mlflow:nothing",
        "v2:infinite", "v2:json_infinite", "tfserving:infinite",
    };
    (void)state;
    for (size_t c = 0; c < sizeof models / sizeof models[0]; c++) {
        gpa_model *m = NULL;
        double y[ROWS], x[3 * ROWS];
        fill(x, ROWS);
        assert_int_equal(open_model(&m, models[c], NULL, NULL), GPA_OK);
        assert_int_equal(ask(m, y, NULL), GPA_OK);
        bool infinite = strstr(models[c], "infinite") != NULL;
        assert_true(infinite ? y[0] == HUGE_VAL && y[1] == -HUGE_VAL : isnan(y[0]));
        assert_true(y[2] == formula(x + 6));
        gpa_model_free(m);
    }
}

static void test_missing_inputs(void **state)
{
    static const struct lie lies[] = {
        {"v2:json_only", false,
         "row 1: input 'x'[2] (FP64): nan cannot be written in JSON"},
        {"mlflow:ok", false, "row 1: input 's5' (FP64): nan cannot be written in JSON"},
        {"tfserving:ok", false,
         "row 1: input 'x'[2] (FP64): nan cannot be written in JSON"},
    };
    const double x[6] = {1, 2, 3, 4, 5, (double)NAN};
    double y[2];
    gpa_error err;
    gpa_model *m = NULL;
    (void)state;
    assert_int_equal(open_model(&m, "v2:ok", NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
    assert_true(y[0] == formula(x) && isnan(y[1]));
    gpa_model_free(m);
    for (size_t c = 0; c < sizeof lies / sizeof lies[0]; c++) {
        assert_int_equal(open_model(&m, lies[c].model, NULL, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 2, y, &err), GPA_MODEL);
        assert_non_null(strstr(err.message, lies[c].says));
        gpa_model_free(m);
    }
}

static void test_whole_numbers(void **state)
{
    static const struct {
        double x[3];
        const char *says; /* NULL: fine */
    } cases[] = {
        {{-3, 255, 1}, NULL},
        {{-3, 7.0000000000001, 0}, NULL}, /* a rounding error away */
        {{9007199254740991, 0, 0}, NULL},
        {{0.5, 0, 0}, "input 'n' (INT64): 0.5 is not whole"},
        {{1e19, 0, 0}, "input 'n' (INT64): 1e+19 is out of its range"},
        {{0, 256, 0}, "input 'k' (UINT8): 256 is out of its range"},
        {{0, -1, 0}, "input 'k' (UINT8): -1 is out of its range"},
        {{0, 0, 2}, "input 'b' (BOOL): 2 is out of its range"},
        {{(double)NAN, 0, 0}, "input 'n' (INT64): nan has no whole number"},
    };
    gpa_model *m = NULL;
    gpa_error err;
    double y = 0;
    (void)state;
    assert_int_equal(open_model(&m, "v2:whole", NULL, NULL), GPA_OK);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_status st = gpa_model_predict(m, cases[c].x, 1, &y, &err);
        assert_int_equal(st, cases[c].says == NULL ? GPA_OK : GPA_MODEL);
        if (cases[c].says != NULL)
            assert_non_null(strstr(err.message, cases[c].says));
        else
            assert_close(y, formula(cases[c].x), 1e-12 * fabs(y));
    }
    gpa_model_free(m);
}

/* Rows that the type of a tensor does not hold have no prediction; the others do. */
static void test_rows_that_do_not_fit(void **state)
{
    static const struct {
        const char *model;
        double x[5][3];
        bool fits[5];
    } cases[] = {
        {"v2:whole",
         {{0.5, 0, 0}, {-3, 255, 1}, {0, 256, 0}, {7, 8, 0}, {(double)NAN, 0, 0}},
         {false, true, false, true, false}},
        {"v2:narrow",
         {{-128, 127, 0}, {-129, 0, 0}, {0, 128, 0}, {0, 0, 0.25}, {1, 2, 3}},
         {true, false, false, false, true}},
        {"v2:json_narrow",
         {{1000, 0, 0}, {0.5, 0, 0}, {0, -1000, 0}, {1, 2, 3}, {3, 2, 1}},
         {false, false, false, true, true}},
        {"v2:f32",
         {{1, 2, 3}, {1e39, 0, 0}, {0.5, 0, 0}, {0, -1e39, 0}, {3, 2, 1}},
         {true, false, true, false, true}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t batch = 1; batch <= 5; batch += 2) {
            gpa_model *m = NULL;
            double y[5] = {0};
            assert_int_equal(open_model(&m, cases[c].model, NULL, NULL), GPA_OK);
            gpa_model_set_batch(m, batch);
            for (int again = 0; again < 2; again++) {
                assert_int_equal(gpa_model_predict(m, cases[c].x[0], 5, y, NULL),
                                 GPA_OK);
                for (size_t i = 0; i < 5; i++)
                    assert_true(cases[c].fits[i] ? y[i] == formula(cases[c].x[i])
                                                 : isnan(y[i]));
            }
            gpa_model_free(m);
        }
    }
}

/* When no row fits, it is said of which input, by its name in the data. */
static void test_no_row_fits(void **state)
{
    static const char *const names[3] = {"age", "bmi", "s5"};
    const double x[6] = {0, 128, 0, 0, 0.5, 0};
    double y[2];
    gpa_model *m = NULL;
    gpa_error err;
    (void)state;
    assert_int_equal(gpa_model_open(&m, spec_of("v2:narrow"), NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 2, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "row 0: input 'x'[1] (INT8): 128 is out of its "
                                        "range; declare it with --integer and "
                                        "--bounds"));
    assert_int_equal(gpa_model_set_inputs(m, 3, names, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x + 3, 1, y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "row 0: input 'bmi' (INT8): 0.5 is not whole; "
                                        "declare it with --integer and --bounds"));
    gpa_model_free(m);
}

static void test_tries_again(void **state)
{
    static const struct {
        const char *model, *name;
        double least; /* seconds */
        long requests;
    } cases[] = {
        {"mlflow:busy", "busy", 0.5, 5},           /* 0.1 + 0.4 s of pauses */
        {"tfserving:later", "later", 1, 4},        /* Retry-After: 1 */
        {"mlflow:dies_once", "dies_once", 0.1, 4}, /* in the middle of its reply */
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model_options opt = options(5);
        opt.workers = 1; /* one after the other, so that times add up */
        double from = seconds_now();
        check_model(cases[c].model, &opt, 0);
        double took = seconds_now() - from;
        assert_true(took >= cases[c].least && took < opt.timeout + 1);
        assert_int_equal(seen_count(&server, cases[c].name, "requests"),
                         cases[c].requests);
    }
}

static void test_gives_up_after_a_few_tries(void **state)
{
    gpa_model_options opt = options(20);
    gpa_model *m = NULL;
    gpa_error err;
    double x[3] = {0}, y = 0;
    (void)state;
    long before = seen_count(&server, "always_busy", "requests");
    assert_int_equal(open_model(&m, "mlflow:always_busy", &opt, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 1, &y, &err), GPA_MODEL);
    assert_non_null(strstr(err.message, "HTTP 503: overloaded (4 times)"));
    assert_int_equal(seen_count(&server, "always_busy", "requests") - before, 4);
    gpa_model_free(m);
}

/* More seconds than fit into a number are not 0 of them. */
static void test_never(void **state)
{
    gpa_model *m = NULL;
    gpa_error err;
    double x[3] = {0}, y = 0;
    (void)state;
    for (double timeout = 0; timeout <= 20; timeout += 20) { /* 0: for ever */
        gpa_model_options opt = options(timeout);
        long before = seen_count(&server, "never", "requests");
        assert_int_equal(open_model(&m, "mlflow:never", &opt, NULL), GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 1, &y, &err), GPA_MODEL);
        assert_non_null(strstr(err.message, "HTTP 503: no; asks to wait longer than"));
        assert_int_equal(seen_count(&server, "never", "requests") - before, 1);
        gpa_model_free(m);
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void test_secrets(void **state)
{
    static const char file[] = "test_http_secret";
    static const struct {
        const char *auth, *value; /* the variable's or the file's */
        const char *header;       /* what arrives: its name, a colon, its value */
        const char *says;         /* or why not */
    } cases[] = {
        {"env:GPA_TEST_SECRET", "s3cret", "authorization:Bearer s3cret", NULL},
        {"env:GPA_TEST_SECRET", "Basic dXNlcjpwYXNz\n",
         "authorization:Basic dXNlcjpwYXNz", NULL},
        {"file:test_http_secret", "s3cret\r\n", "authorization:Bearer s3cret", NULL},
        {"file:test_http_secret", "X-Api-Key: s3cret\n", "x-api-key:s3cret", NULL},
        {"env:GPA_TEST_SECRET", "Content-Length: 5", NULL, "header Content-Length,"},
        {"env:GPA_TEST_SECRET", "content-length:s3cret", NULL, "header Content-Length"},
        {"env:GPA_TEST_SECRET", "Transfer-Encoding: chunked", NULL,
         "header Transfer-Encoding,"},
        {"env:GPA_TEST_SECRET", "Host: s3cret", NULL, "header Host,"},
        {"env:GPA_TEST_SECRET", "Expect: 100-continue", NULL, "header Expect,"},
        {"env:GPA_TEST_SECRET", " Connection: close", NULL, "header Connection,"},
        {"env:GPA_TEST_SECRET", "Content-Type: a/b", NULL, "header Content-Type,"},
        {"env:GPA_TEST_SECRET", "", NULL, "--model-auth: the secret is empty"},
        {"env:GPA_TEST_SECRET", "s3cret\r\nX-Evil: 1", NULL, "auth: the secret has a"},
        {"file:test_http_secret", "s3cret\nX-Evil: 1\n", NULL,
         "auth: the secret has a line break"},
        {"env:GPA_TEST_NOT_SET", "", NULL,
         "auth: no environment variable 'GPA_TEST_NOT_SET'"},
        {"file:no/such", "", NULL, "no/such: cannot read: No such file"},
        {"s3cret", "", NULL, "auth: must be env:NAME or file:PATH"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model_options opt = options(5);
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        double x[3] = {0}, y = 0;
        opt.auth = cases[c].auth;
        setenv("GPA_TEST_SECRET", cases[c].value, 1);
        write_file(file, cases[c].value);
        gpa_status st = open_model(&m, "mlflow:auth", &opt, &err);
        if (cases[c].says != NULL) {
            assert_true(st == GPA_INVALID || st == GPA_IO);
            assert_non_null(strstr(err.message, cases[c].says));
            assert_null(strstr(err.message, "s3cret"));
            assert_null(m);
            continue;
        }
        assert_int_equal(st, GPA_OK);
        assert_int_equal(gpa_model_predict(m, x, 1, &y, NULL), GPA_OK);
        json_t *saw = seen(&server, "auth"), *all = json_object_get(saw, "headers");
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(cases[c].header, ":"),
                 cases[c].header);
        assert_string_equal(json_string_value(json_object_get(all, key)),
                            strchr(cases[c].header, ':') + 1);
        json_decref(saw);
        gpa_model_free(m);
    }
    unsetenv("GPA_TEST_SECRET");
    unlink(file);
}

/* Servers say what they were sent; messages do not. */
static void test_echoed_secrets(void **state)
{
    static const char *const models[] = {
        "mlflow:echo",     "v2:echo",           "tfserving:echo",
        "mlflow:echo_cut", "mlflow:echo_moved", "mlflow:echo_value",
        "v2:echo_meta",    "v2:echo_no_meta",   "mlflow:echo_quoted",
        "v2:echo_quoted",  "v2:echo_moved",     "tfserving:echo_cut",
    };
    static const char *const secrets[][2] = {
        {"s3cret", "s3cret"},
        {"Bearer Q7/+kd8==zz0123456789", "Q7/+kd8==zz0123456789"},
        {"Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="},
        {"X-Api-Key: 0123456789abcdef", "0123456789abcdef"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof models / sizeof models[0]; c++) {
        for (size_t s = 0; s < sizeof secrets / sizeof secrets[0]; s++) {
            gpa_model_options opt = options(5);
            gpa_model *m = NULL;
            gpa_error err = {GPA_OK, ""};
            double y[ROWS];
            char part[7];
            if (strstr(models[c], "meta") != NULL && s == 3)
                continue; /* these look at Authorization */
            opt.auth = "env:GPA_TEST_SECRET";
            setenv("GPA_TEST_SECRET", secrets[s][0], 1);
            gpa_status st = open_model(&m, models[c], &opt, &err);
            if (st == GPA_OK)
                st = ask(m, y, &err);
            gpa_model_free(m);
            snprintf(part, sizeof part, "%.6s", secrets[s][1]);
            if (strstr(err.message, "***") == NULL || strstr(err.message, part) != NULL)
                print_error("%s: %s\n", models[c], err.message);
            assert_true(st == GPA_MODEL || st == GPA_UNSUPPORTED);
            assert_null(strstr(err.message, part));
            assert_non_null(strstr(err.message, "***"));
        }
    }
    unsetenv("GPA_TEST_SECRET");
}

static void test_proxy_password(void **state)
{
    static const struct {
        const char *variable, *value, *url;
    } cases[] = {
        {"http_proxy", "bogus://user:pwSECRETpw@127.0.0.1:80", "http://gpa.invalid"},
        {"https_proxy", "bogus://user:pwSECRETpw@127.0.0.1:80", "https://gpa.invalid"},
        {"all_proxy", "bogus://user:pwSECRETpw@127.0.0.1:80", "http://gpa.invalid"},
        {"http_proxy", "bogus://user:pwSECRETpw", "http://gpa.invalid"},
        {"http_proxy", "user:pwSECRETpw", "http://gpa.invalid"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char spec[128], says[64];
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        snprintf(spec, sizeof spec, "v2:%s/v2/models/m", cases[c].url);
        snprintf(says, sizeof says, "/m: the proxy in %s cannot be used",
                 cases[c].variable);
        setenv(cases[c].variable, cases[c].value, 1);
        assert_int_equal(gpa_model_open(&m, spec, NULL, &err), GPA_MODEL);
        unsetenv(cases[c].variable);
        if (strstr(err.message, says) == NULL)
            print_error("%s: %s\n", cases[c].value, err.message);
        assert_null(strstr(err.message, "SECRET"));
        assert_non_null(strstr(err.message, says));
    }
}

static void test_schemes_of_any_case(void **state)
{
    char spec[128];
    gpa_model *m = NULL;
    (void)state;
    snprintf(spec, sizeof spec, "v2:HTTP://127.0.0.1:%d/v2/models/ok", server.port);
    assert_int_equal(gpa_model_open(&m, spec, NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_dim(m), 3);
    gpa_model_free(m);
}

static void test_urls_refused(void **state)
{
    static const struct {
        const char *spec, *says;
    } cases[] = {
        {"v2:http://user:pa55@localhost/v2/models/m", "name that with --model-auth"},
        {"mlflow:https://pa55@localhost", "holds a user name or password"},
        {"v2:localhost:8000/v2/models/m", "no URL; it looks like v2:http://HOST:8000"},
        {"v2:ftp://localhost/v2/models/m", "no URL"},
        {"v2:http://localhost:8000", "the URL names no model"},
        {"v2:http://localhost:8000/v2/models/", "the URL names no model"},
        {"v2:http://localhost:8000/v1/models/m", "the URL names no model"},
        {"tfserving:http://localhost:8501/v2/models/m", "the URL names no model"},
        {"mlflow:http://localhost/?key=pa55", "has a part after ? or #"},
        {"mlflow:http://local host/", "no URL that can be read"},
        {"mlflow:http://localhost/\r\nX-Evil: 1", "no URL that can be read"},
        {"mlflow:http://", "no URL that can be read"},
        {"mlflow:http:///x", "the URL names no host"},
        {"v2:http:/localhost/v2/models/m", "the URL names no host"},
        {"mlflow:HTTPS:////x", "; it looks like"},
        {"mlflow:http", "no URL that can be read"},
        {"mlflow:httpx://localhost", "no URL that can be read"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        assert_int_equal(gpa_model_open(&m, cases[c].spec, NULL, &err), GPA_INVALID);
        if (strstr(err.message, cases[c].says) == NULL)
            print_error("%s: %s\n", cases[c].spec, err.message);
        assert_non_null(strstr(err.message, cases[c].says));
        assert_null(strstr(err.message, "pa55"));
        assert_null(m);
    }
}

static void test_nobody_there(void **state)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    char spec[128];
    gpa_model *m = NULL;
    gpa_error err;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    (void)state;
    /* bound but not listening: nobody else gets the port meanwhile */
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    snprintf(spec, sizeof spec, "v2:http://127.0.0.1:%d/v2/models/m",
             ntohs(at.sin_port));
    double from = seconds_now();
    assert_int_equal(gpa_model_open(&m, spec, NULL, &err), GPA_MODEL);
    assert_true(seconds_now() - from < 5);
    assert_non_null(strstr(err.message, "Failed to connect to 127.0.0.1 port"));
    close(fd);
}

/* A proxy from the environment is not asked for what is on this machine. */
static void test_no_proxy_to_this_machine(void **state)
{
    (void)state;
    setenv("http_proxy", "http://127.0.0.1:9", 1);
    check_model("v2:ok", NULL, 0);
    unsetenv("http_proxy");
}

struct worker {
    pthread_t thread;
    gpa_model *m;
    gpa_status status;
    bool right;
};

static void *work(void *self)
{
    struct worker *w = self;
    double x[3 * ROWS], y[ROWS];
    fill(x, ROWS);
    w->right = true;
    for (int i = 0; i < 3 && w->status == GPA_OK; i++) {
        w->status = ask(w->m, y, NULL);
        for (size_t r = 0; r < ROWS && w->status == GPA_OK; r++)
            w->right = w->right && y[r] == formula(x + 3 * r);
    }
    return NULL;
}

enum { WORKERS = 6 };

/* Clones of a model, each in a thread of its own; gives the seconds it took. */
static double work_together(const char *model, const gpa_model_options *opt,
                            gpa_status want)
{
    struct worker w[WORKERS] = {{.m = NULL}};
    gpa_model *m = NULL;
    assert_int_equal(open_model(&m, model, opt, NULL), GPA_OK);
    for (size_t i = 0; i < WORKERS; i++)
        assert_int_equal(gpa_model_clone(&w[i].m, m, NULL), GPA_OK);
    gpa_model_free(m); /* clones live on */
    double from = seconds_now();
    for (size_t i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    for (size_t i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(w[i].thread, NULL), 0);
    double took = seconds_now() - from;
    for (size_t i = 0; i < WORKERS; i++) {
        assert_int_equal(w[i].status, want);
        assert_true(want != GPA_OK || w[i].right);
        gpa_model_free(w[i].m);
    }
    return took;
}

static void test_clones_in_threads(void **state)
{
    gpa_model_options opt = options(10);
    (void)state;
    work_together("v2:threads", &opt, GPA_OK);
    opt.workers = 2;
    work_together("mlflow:threads2", &opt, GPA_OK);
    assert_true(seen_count(&server, "threads2", "most_flying") <= 2);
}

/* Handles that wait for the only connection fail with the one that has it. */
static void test_time_outs_do_not_add_up(void **state)
{
    gpa_model_options opt = options(1);
    (void)state;
    opt.workers = 1;
    assert_true(work_together("mlflow:hangs", &opt, GPA_MODEL) < 3);
}

static void test_without_memory(void **state)
{
    static const char *const models[] = {"v2:oom",     "v2:json_oom",
                                         "mlflow:oom", "tfserving:columns",
                                         "v2:any",     "v2:narrow"};
    const double x[6] = {1, 2, 3, 0.5, 2, 3}; /* the second is too much for INT8 */
    (void)state;
    setenv("GPA_TEST_SECRET", "s3cret", 1);
    for (size_t c = 0; c < 2 * sizeof models / sizeof models[0]; c++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model_options opt = options(5);
            gpa_model *m = NULL, *copy = NULL;
            double y[2], again = 0;
            opt.auth = "env:GPA_TEST_SECRET";
            opt.config = "output=y";
            gpai_alloc_fail_at(k, c % 2 == 1);
            st = open_model(&m, models[c / 2], &opt, NULL);
            if (st == GPA_OK)
                st = gpa_model_predict(m, x, 2, y, NULL);
            if (st == GPA_OK)
                st = gpa_model_clone(&copy, m, NULL);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK || st == GPA_NOMEM);
            if (m != NULL && gpa_model_dim(m) == 3) { /* and it works again */
                assert_int_equal(gpa_model_predict(m, x, 1, &again, NULL), GPA_OK);
                assert_true(again == 14.5);
            }
            gpa_model_free(copy);
            gpa_model_free(m);
        }
        assert_true(k > 15);
    }
    unsetenv("GPA_TEST_SECRET");
}

/* A certificate for 127.0.0.1 that only it vouches for; false without openssl. */
static bool make_certificate(const char *cert, const char *key)
{
    char command[512];
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
             "-addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout %s -out %s "
             ">/dev/null 2>&1",
             key, cert);
    return system(command) == 0;
}

static void test_certificates(void **state)
{
    static const char cert[] = "test_http_cert.pem", key[] = "test_http_key.pem";
    static const char *const variables[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE"};
    const char *const more[] = {"--tls", cert, key, NULL};
    const double x[3] = {1, 2, 3};
    char spec[128];
    (void)state;
    if (!make_certificate(cert, key)) {
        print_message("SKIP: no openssl: certificates are NOT checked\n");
        skip();
    }
    struct served tls = serve("liar.py", more);
    assert_true(tls.port > 0);
    snprintf(spec, sizeof spec, "v2:https://127.0.0.1:%d/v2/models/ok", tls.port);
    for (size_t v = 0; v < 2; v++)
        unsetenv(variables[v]);
    for (size_t v = 0; v < 3; v++) { /* in the end: in none of them */
        gpa_model *m = NULL;
        gpa_error err = {GPA_OK, ""};
        double y = 0;
        if (v < 2)
            setenv(variables[v], cert, 1);
        gpa_status st = gpa_model_open(&m, spec, NULL, &err);
        if (st == GPA_OK)
            st = gpa_model_predict(m, x, 1, &y, NULL);
        gpa_model_free(m);
        if (v < 2)
            unsetenv(variables[v]);
        assert_int_equal(st, v < 2 ? GPA_OK : GPA_MODEL);
        assert_true(v == 2 || y == 14.5);
        assert_non_null(
            strstr(err.message, v < 2 ? "" : "SSL certificate problem: self-signed"));
    }
    end_server(&tls);
    unlink(cert);
    unlink(key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_binary_is_found_out_once),
        cmocka_unit_test(test_what_metadata_says),
        cmocka_unit_test(test_metadata_refused),
        cmocka_unit_test(test_outputs_are_chosen),
        cmocka_unit_test(test_mlflow_names),
        cmocka_unit_test(test_one_connection_stays),
        cmocka_unit_test(test_several_under_way),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_lying_bytes),
        cmocka_unit_test(test_numbers_that_are_none),
        cmocka_unit_test(test_missing_inputs),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_rows_that_do_not_fit),
        cmocka_unit_test(test_no_row_fits),
        cmocka_unit_test(test_tries_again),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_gives_up_after_a_few_tries),
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_echoed_secrets),
        cmocka_unit_test(test_proxy_password),
        cmocka_unit_test(test_schemes_of_any_case),
        cmocka_unit_test(test_urls_refused),
        cmocka_unit_test(test_nobody_there),
        cmocka_unit_test(test_no_proxy_to_this_machine),
        cmocka_unit_test(test_clones_in_threads),
        cmocka_unit_test(test_time_outs_do_not_add_up),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_certificates),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
