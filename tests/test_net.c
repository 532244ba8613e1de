#include "support.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "model/net.h"
#include <gpa/gpa.h>
#include <pthread.h>

/* A random net, kept also as plain arrays so that the test can compute it the slow way.
 */
enum { MAX_WIDTH = 40, MAX_LAYERS = 5 };
struct sample_net {
    size_t layers, size[MAX_LAYERS + 1];
    gpai_activation activation;
    double w[MAX_LAYERS][MAX_WIDTH * MAX_WIDTH], b[MAX_LAYERS][MAX_WIDTH];
    gpai_net *net;
};

static void fill(gpai_rng *rng, double *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = gpai_rng_normal(rng);
}

static void make(struct sample_net *s, const size_t *size, size_t layers,
                 gpai_activation activation, uint64_t seed)
{
    gpai_rng rng = gpai_rng_make(seed, 0);
    s->layers = layers;
    s->activation = activation;
    memcpy(s->size, size, (layers + 1) * sizeof *size);
    assert_int_equal(gpai_net_new(&s->net, activation, layers, NULL), GPA_OK);
    for (size_t i = 0; i < layers; i++) {
        fill(&rng, s->w[i], size[i] * size[i + 1]);
        fill(&rng, s->b[i], size[i + 1]);
        assert_int_equal(
            gpai_net_add(s->net, size[i], size[i + 1], s->w[i], s->b[i], NULL), GPA_OK);
    }
}

static const gpai_isa *plain(void)
{
    size_t n = 0;
    while (gpai_isa_at(n + 1) != NULL)
        n++;
    return gpai_isa_at(n);
}

/* The definition in model/net.h: b first, then the products in the order of inputs.
 */
static double slowly(const struct sample_net *s, const double *x)
{
    double a[MAX_WIDTH], z[MAX_WIDTH];
    memcpy(a, x, s->size[0] * sizeof *a);
    for (size_t i = 0; i < s->layers; i++) {
        for (size_t j = 0; j < s->size[i + 1]; j++) {
            z[j] = s->b[i][j];
            for (size_t k = 0; k < s->size[i]; k++)
                z[j] += a[k] * s->w[i][k * s->size[i + 1] + j];
            if (i + 1 == s->layers || s->activation == GPAI_IDENTITY)
                continue;
            if (s->activation == GPAI_RELU)
                z[j] = z[j] < 0 ? 0 : z[j];
            else if (s->activation == GPAI_TANH)
                plain()->tanh(&z[j], 1);
            else
                plain()->logistic(&z[j], 1);
        }
        memcpy(a, z, s->size[i + 1] * sizeof *a);
    }
    return a[0];
}

static const struct {
    size_t layers, size[MAX_LAYERS + 1];
} shapes[] = {
    {3, {10, 32, 8, 1}}, {1, {1, 1}},
    {1, {37, 1}},        {2, {3, 7, 1}},
    {3, {5, 17, 23, 1}}, {5, {2, 9, 1, 40, 3, 1}},
    {2, {40, 16, 1}},    {4, {4, 15, 6, 12, 1}},
};

/* Every instruction set, every number of rows, every place: the very same bytes. */
static void test_same_bytes_everywhere(void **state)
{
    enum { ROWS = 70 };
    static struct sample_net s;
    static double x[ROWS * MAX_WIDTH], want[ROWS], y[ROWS + 1];
    (void)state;
    for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++) {
        gpai_activation activation = (gpai_activation)(c % 4);
        gpai_rng rng = gpai_rng_make(7, c);
        make(&s, shapes[c].size, shapes[c].layers, c == 0 ? GPAI_RELU : activation, c);
        size_t d = s.size[0];
        fill(&rng, x, ROWS * d);
        for (size_t i = 0; i < ROWS; i++)
            want[i] = slowly(&s, x + i * d);
        double *scratch = gpai_calloc(gpai_net_scratch(s.net), sizeof *scratch);
        assert_non_null(scratch);
        for (size_t k = 0; gpai_isa_at(k) != NULL; k++) {
            for (size_t n = 1; n <= ROWS; n++) {
                for (size_t from = 0; from + n <= ROWS; from += from < 9 ? 1 : 7) {
                    y[n] = -7;
                    gpai_net_run(s.net, gpai_isa_at(k), scratch, x + from * d, n, y);
                    assert_memory_equal(y, want + from, n * sizeof *y);
                    assert_true(y[n] == -7);
                }
            }
        }
        gpai_free(scratch);
        gpai_net_free(s.net);
    }
}

static void test_instruction_sets(void **state)
{
    size_t n = 0;
    (void)state;
    for (; gpai_isa_at(n) != NULL; n++) {
        print_message("instruction set: %s\n", gpai_isa_at(n)->name);
        assert_true(GPAI_DENSE_BLOCK % gpai_isa_at(n)->lanes == 0);
        assert_true(GPAI_DENSE_PAD % gpai_isa_at(n)->lanes == 0);
    }
    assert_true(n >= 1);
    assert_string_equal(gpai_isa_at(n - 1)->name, "plain");
    assert_null(gpai_isa_at(n + 5));
}

/* Relative distance from libm's, which is good to 1 unit in the last place. */
static void check_functions(const gpai_isa *isa, double x)
{
    double a[11], want;
    for (size_t n = 1; n <= 11; n += 10) { /* the last vector is not full */
        for (size_t i = 0; i < n; i++)
            a[i] = x;
        isa->tanh(a, n);
        want = tanh(x);
        assert_close(a[n - 1], want, 5e-16 * fabs(want));
        assert_true(signbit(a[n - 1]) == signbit(want));
        for (size_t i = 0; i < n; i++)
            a[i] = x;
        isa->logistic(a, n);
        want = x < -708 ? 0 : 1 / (1 + exp(-x));
        assert_close(a[n - 1], want, 5e-16 * want);
        assert_memory_equal(a, a + n - 1, sizeof *a);
    }
}

static void test_functions(void **state)
{
    static const double special[] = {
        0,  -0.0, 1e-300, 5e-324, 1e-17, 1e-8, 0.17328, 0.35,  19.06,   22,
        40, 41,   707,    708,    709,   745,  1e4,     1e300, HUGE_VAL};
    gpai_rng rng = gpai_rng_make(11, 0);
    (void)state;
    for (size_t k = 0; gpai_isa_at(k) != NULL; k++) {
        const gpai_isa *isa = gpai_isa_at(k);
        for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
            check_functions(isa, special[i]);
            check_functions(isa, -special[i]);
        }
        for (int i = 0; i < 20000; i++) /* of all sizes from 1e-6 to 1e3 */
            check_functions(isa, (gpai_rng_unit(&rng) < 0.5 ? -1 : 1) *
                                     pow(10, 9 * gpai_rng_unit(&rng) - 6));
        double a[9] = {1, 2, (double)NAN, 4, 5, 6, 7, 8, -(double)NAN};
        isa->tanh(a, 9);
        assert_true(isnan(a[2]) && isnan(a[8]) && !isnan(a[3]));
        isa->logistic(a, 9);
        assert_true(isnan(a[2]) && isnan(a[8]) && !isnan(a[3]));
    }
}

/* NaN in one input of one row: that row alone loses its prediction, also where ReLU
 * stands between. Infinity may become either. */
static void test_missing_inputs(void **state)
{
    enum { ROWS = 19, BAD = 11 };
    static struct sample_net s;
    double x[ROWS * 10], y[ROWS], scratch[16 * (10 + 32 + 32) + 8];
    gpai_rng rng = gpai_rng_make(3, 0);
    (void)state;
    make(&s, shapes[0].size, 3, GPAI_RELU, 3);
    assert_true(gpai_net_scratch(s.net) <= sizeof scratch / sizeof scratch[0]);
    fill(&rng, x, ROWS * 10);
    x[BAD * 10 + 4] = (double)NAN;
    for (size_t k = 0; gpai_isa_at(k) != NULL; k++) {
        for (size_t n = BAD + 1; n <= ROWS; n++) { /* in a block and on its own */
            gpai_net_run(s.net, gpai_isa_at(k), scratch, x, n, y);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(isnan(y[i]) != 0, i == BAD);
        }
    }
    gpai_net_free(s.net);
}

/* The scratch needs no alignment of its own. */
static void test_any_scratch(void **state)
{
    static struct sample_net s;
    double scratch[16 * (10 + 32 + 32) + 16], x[160], y[16];
    gpai_rng rng = gpai_rng_make(5, 0);
    (void)state;
    make(&s, shapes[0].size, 3, GPAI_RELU, 5);
    fill(&rng, x, 160);
    for (size_t shift = 0; shift < 8; shift++) {
        gpai_net_run(s.net, gpai_isa_at(0), scratch + shift, x, 16, y);
        for (size_t i = 0; i < 16; i++)
            assert_true(y[i] == slowly(&s, x + 10 * i));
    }
    gpai_net_free(s.net);
}

static void test_model_outlives_its_maker(void **state)
{
    static struct sample_net s;
    const gpai_model_info info = {"net", 2, 0, NULL};
    const double x[6] = {1, 2, -3, 0.5, 0, 0};
    double y[3];
    gpa_model *m = NULL, *copy = NULL;
    (void)state;
    make(&s, (size_t[]){2, 5, 1}, 2, GPAI_TANH, 1);
    assert_int_equal(gpai_model_wrap(&m, &gpai_net_ops, s.net, &info, NULL), GPA_OK);
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    gpa_model_free(m);
    assert_int_equal(gpa_model_predict(copy, x, 3, y, NULL), GPA_OK);
    for (size_t i = 0; i < 3; i++)
        assert_true(y[i] == slowly(&s, x + 2 * i));
    assert_true(gpa_model_refuses_missing(copy));
    assert_true(gpa_model_in_process(copy));
    gpa_model_free(copy);
}

/* One thread's share of test_threads: its own handle, the common rows and answers. */
struct worker {
    gpa_model *m;
    const double *x, *want;
    size_t n;
    bool good;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    double y[70];
    w->good = true;
    for (int i = 0; i < 300; i++) {
        w->good = gpa_model_predict(w->m, w->x, w->n, y, NULL) == GPA_OK && w->good;
        w->good = memcmp(y, w->want, w->n * sizeof *y) == 0 && w->good;
    }
    return NULL;
}

/* Clones share the weights and nothing else. */
static void test_threads(void **state)
{
    enum { THREADS = 4, ROWS = 70 };
    static struct sample_net s;
    const gpai_model_info info = {"net", 10, 0, NULL};
    double x[ROWS * 10], want[ROWS];
    struct worker w[THREADS];
    pthread_t thread[THREADS];
    gpai_rng rng = gpai_rng_make(9, 0);
    (void)state;
    make(&s, shapes[0].size, 3, GPAI_LOGISTIC, 9);
    fill(&rng, x, ROWS * 10);
    for (size_t i = 0; i < ROWS; i++)
        want[i] = slowly(&s, x + 10 * i);
    for (size_t i = 0; i < THREADS; i++) {
        w[i] = (struct worker){.x = x + 10 * i, .want = want + i, .n = ROWS - i};
        assert_int_equal(
            i == 0 ? gpai_model_wrap(&w[0].m, &gpai_net_ops, s.net, &info, NULL)
                   : gpa_model_clone(&w[i].m, w[0].m, NULL),
            GPA_OK);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(w[i].good);
        gpa_model_free(w[i].m);
    }
}

static gpa_status build(gpa_model **m, gpa_model **copy)
{
    const gpai_model_info info = {"net", 2, 0, NULL};
    const double w[6] = {1, 2, 3, 4, 5, 6}, b[3] = {0};
    gpai_net *net = NULL;
    gpa_status st = gpai_net_new(&net, GPAI_RELU, 2, NULL);
    if (st == GPA_OK)
        st = gpai_net_add(net, 2, 3, w, b, NULL);
    if (st == GPA_OK)
        st = gpai_net_add(net, 3, 1, w, b, NULL);
    if (st != GPA_OK) {
        gpai_net_free(net);
        return st;
    }
    st = gpai_model_wrap(m, &gpai_net_ops, net, &info, NULL);
    return st == GPA_OK ? gpa_model_clone(copy, *m, NULL) : st;
}

static void test_without_memory(void **state)
{
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        gpa_status st = GPA_NOMEM;
        size_t k = 1;
        for (; st != GPA_OK; k++) {
            gpa_model *m = NULL, *copy = NULL;
            gpai_alloc_fail_at(k, for_ever == 1);
            st = build(&m, &copy);
            gpai_alloc_fail_at(0, false);
            assert_true(st == GPA_OK || st == GPA_NOMEM);
            gpa_model_free(m);
            gpa_model_free(copy);
        }
        assert_true(k > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_same_bytes_everywhere),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_missing_inputs),
        cmocka_unit_test(test_any_scratch),
        cmocka_unit_test(test_model_outlives_its_maker),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
