#include "data_support.h"
#include <gpa/gpa.h>

/* One model, f(x) = 1 + 2 x1 - 3 x2, reached in every way there is without a server
 * (those are in test_http_same.py): the same answer, and not a row more. */

static const char LINEAR[] = "{\"type\":\"linear\",\"w\":[2,-3],\"b\":1}";
/* the same as a network: relu(x) - relu(-x) = x */
static const char MLP[] = "{\"type\":\"mlp\",\"activation\":\"relu\",\"layers\":[{"
                          "\"W\":[[1,-1,0,0],[0,0,1,-1]],"
                          "\"b\":[0,0,0,0]},{\"W\":[[2],[-2],[-3],[3]],\"b\":[1]}]}";

static int callback(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        y[i] = 1 + 2 * x[i * d] - 3 * x[i * d + 1];
    return 0;
}

enum way { CALLBACK, NATIVE, NETWORK, PLUGIN, CHILD, WAYS };

static gpa_model *open_way(enum way way)
{
    gpa_model *m = NULL;
    gpa_error err = {GPA_OK, ""};
    gpa_model_options opt;
    struct scratch file = {""};
    char spec[600] = "";
    const char *plugin = getenv("GPA_TEST_PLUGIN"), *child = getenv("GPA_TEST_WORKER");
    gpa_model_options_init(&opt);
    if (way == NATIVE || way == NETWORK) {
        file = scratch_text(way == NATIVE ? LINEAR : MLP);
        snprintf(spec, sizeof spec, "./%s", file.path);
    } else if (way == PLUGIN && plugin != NULL) {
        opt.config = "2,-3;1";
        snprintf(spec, sizeof spec, "plugin:%s", plugin);
    } else if (way == CHILD && child != NULL) {
        snprintf(spec, sizeof spec, "exec:%s", child);
    }
    gpa_status st = way == CALLBACK
                        ? gpa_model_from_callback(&m, callback, NULL, 2, &err)
                    : spec[0] == '\0' ? GPA_UNSUPPORTED
                                      : gpa_model_open(&m, spec, &opt, &err);
    if (file.path[0] != '\0')
        unlink(file.path);
    if (spec[0] == '\0' && way != CALLBACK) {
        print_message("SKIP: no plugin or child to open\n");
        return NULL;
    }
    if (st != GPA_OK)
        fail_msg("%s", err.message);
    return m;
}

static void compare(const gpa_explanation *a, const gpa_explanation *b)
{
    const gpa_summary *s = gpa_explanation_summary(a), *t = gpa_explanation_summary(b);
    assert_int_equal(s->model_rows, t->model_rows);
    assert_int_equal(s->model_calls, t->model_calls);
    for (size_t k = 0; k < 2; k++) {
        assert_close(gpa_explanation_delta(b)[k], gpa_explanation_delta(a)[k], 1e-9);
        assert_close(gpa_explanation_culprit(b)->probability[k],
                     gpa_explanation_culprit(a)->probability[k], 1e-9);
        assert_close(gpa_explanation_marginal(b, k)->mean,
                     gpa_explanation_marginal(a, k)->mean, 1e-6);
    }
}

static void every_way_says_the_same(void **state)
{
    const double x[4] = {1, 2, 0.5, -1}, y[2] = {5, 4};
    const gpa_sample row = {.x = x, .y = y, .n = 1, .d = 2},
                     both = {.x = x, .y = y, .n = 2, .d = 2};
    gpa_explanation *first[2] = {NULL, NULL};
    gpa_explain_options opt;
    (void)state;
    gpa_explain_options_init(&opt);
    opt.sigma = 1;
    opt.marginals = GPA_MARGINALS_EXACT; /* the default depends on where the model is */
    opt.marginal_rows = 256;
    for (int way = 0; way < WAYS; way++) {
        gpa_model *m = open_way((enum way)way);
        for (size_t i = 0; i < 2 && m != NULL; i++) {
            gpa_explanation *e = NULL;
            assert_int_equal(gpa_explain(&e, m, i == 0 ? &row : &both, &opt, NULL),
                             GPA_OK);
            if (first[i] == NULL) {
                first[i] = e;
                continue;
            }
            compare(first[i], e);
            gpa_explanation_free(e);
        }
        gpa_model_free(m);
    }
    gpa_explanation_free(first[0]);
    gpa_explanation_free(first[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_way_says_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
