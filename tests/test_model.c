#include "support.h"

#include "base/alloc.h"
#include "model/model.h"
#include <gpa/gpa.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* A callback that remembers how it was called. Predicts x1 + 10 x2 + 100. */
struct log {
    size_t calls, sizes[16];
    int fail_from; /* first call (from 1) that returns 9; 0 none */
};

static int logged(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct log *l = ctx;
    assert_int_equal(d, 2);
    if (l->calls < 16)
        l->sizes[l->calls] = n;
    l->calls++;
    for (size_t i = 0; i < n; i++)
        y[i] = x[2 * i] + 10 * x[2 * i + 1] + 100;
    return l->fail_from > 0 && l->calls >= (size_t)l->fail_from ? 9 : 0;
}

static gpa_model *make(struct log *l)
{
    gpa_model *m = NULL;
    assert_int_equal(gpa_model_from_callback(&m, logged, l, 2, NULL), GPA_OK);
    return m;
}

static void test_callback(void **state)
{
    struct log l = {0};
    gpa_model *m = make(&l);
    const double x[] = {1, 2, 3, 4, -1, 0.5};
    double y[3];
    (void)state;
    assert_int_equal(gpa_model_predict(m, x, 3, y, NULL), GPA_OK);
    assert_true(y[0] == 121 && y[1] == 143 && y[2] == 104);
    assert_int_equal(gpa_model_dim(m), 2);
    assert_string_equal(gpa_model_spec(m), "callback");
    assert_null(gpa_model_variable(m, 0));
    assert_true(gpa_model_in_process(m));
    assert_false(gpa_model_refuses_missing(m));
    gpa_model_free(m);
}

static void test_batches(void **state)
{
    static const struct {
        size_t batch, n, calls, last;
    } cases[] = {
        {4, 10, 3, 2}, {5, 10, 2, 5}, {10, 10, 1, 10}, {11, 10, 1, 10},
        {1, 3, 3, 1},  {9, 10, 2, 1}, {0, 10, 1, 10},  {7, 0, 0, 0},
    };
    double x[20], y[11];
    (void)state;
    for (size_t k = 0; k < 20; k++)
        x[k] = (double)k;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct log l = {0};
        gpa_model *m = make(&l);
        gpa_model_set_batch(m, cases[c].batch);
        assert_int_equal(gpa_model_batch(m),
                         cases[c].batch > 0 ? cases[c].batch : 4096);
        y[cases[c].n] = -7; /* nothing is written behind the last row */
        assert_int_equal(gpa_model_predict(m, x, cases[c].n, y, NULL), GPA_OK);
        assert_int_equal(l.calls, cases[c].calls);
        if (cases[c].calls > 0)
            assert_int_equal(l.sizes[cases[c].calls - 1], cases[c].last);
        for (size_t i = 0; i < cases[c].n; i++)
            assert_true(y[i] == (double)(22 * i) + 110);
        assert_true(y[cases[c].n] == -7);
        assert_int_equal(gpa_model_rows(m), cases[c].n);
        assert_int_equal(gpa_model_calls(m), 1);
        gpa_model_free(m);
    }
}

static void test_counters_add_up(void **state)
{
    struct log l = {0};
    gpa_model *m = make(&l);
    const double x[8] = {0};
    double y[4];
    (void)state;
    gpa_model_set_batch(m, 3);
    for (size_t n = 1; n <= 4; n++)
        assert_int_equal(gpa_model_predict(m, x, n, y, NULL), GPA_OK);
    assert_int_equal(gpa_model_rows(m), 10);
    assert_int_equal(gpa_model_calls(m), 4);
    assert_int_equal(l.calls, 5);
    gpa_model_free(m);
}

static int sleeper(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const struct timespec rest = {.tv_nsec = 20000000};
    (void)ctx, (void)d;
    nanosleep(&rest, NULL);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i];
    return 0;
}

/* Sleeping takes at least as long as was asked for; both handles count. */
static void test_seconds_add_up(void **state)
{
    gpa_model *m = NULL, *copy = NULL;
    const double x[2] = {0};
    double y[2];
    (void)state;
    assert_int_equal(gpa_model_from_callback(&m, sleeper, NULL, 1, NULL), GPA_OK);
    assert_true(gpa_model_seconds(m) == 0);
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    gpa_model_set_batch(m, 1);
    assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(copy, x, 1, y, NULL), GPA_OK);
    gpa_model_free(copy);
    assert_true(gpa_model_seconds(m) >= 0.06);
    gpa_model_free(m);
}

static void test_failing_callback_stops(void **state)
{
    struct log l = {.fail_from = 2};
    gpa_model *m = make(&l);
    const double x[12] = {0};
    double y[6];
    gpa_error err;
    (void)state;
    gpa_model_set_batch(m, 2);
    assert_int_equal(gpa_model_predict(m, x, 6, y, &err), GPA_MODEL);
    assert_int_equal(err.status, GPA_MODEL);
    assert_string_equal(err.message, "callback: returned 9 for 2 rows");
    assert_int_equal(l.calls, 2);
    assert_int_equal(gpa_model_rows(m), 6);
    gpa_model_free(m);
}

static int without_numbers(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    (void)ctx;
    (void)x;
    (void)d;
    for (size_t i = 0; i < n; i++)
        y[i] = i % 2 == 0 ? (double)NAN : -HUGE_VAL;
    return 0;
}

static void test_nonfinite_is_passed_on(void **state)
{
    gpa_model *m = NULL;
    const double x[2] = {0};
    double y[2];
    (void)state;
    assert_int_equal(gpa_model_from_callback(&m, without_numbers, NULL, 1, NULL),
                     GPA_OK);
    assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
    assert_true(isnan(y[0]) && isinf(y[1]) && y[1] < 0);
    gpa_model_free(m);
}

static void test_clone(void **state)
{
    struct log l = {0};
    gpa_model *m = make(&l), *copy = NULL;
    const double x[4] = {1, 1, 2, 2};
    double y[2];
    (void)state;
    gpa_model_set_batch(m, 1);
    assert_int_equal(gpa_model_predict(m, x, 2, y, NULL), GPA_OK);
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    assert_int_equal(gpa_model_rows(copy), 0);
    assert_int_equal(gpa_model_calls(copy), 0);
    assert_int_equal(gpa_model_batch(copy), 1);
    gpa_model_free(m); /* the first handle goes first */
    assert_int_equal(gpa_model_predict(copy, x, 2, y, NULL), GPA_OK);
    assert_true(y[0] == 111 && y[1] == 122);
    assert_int_equal(gpa_model_rows(copy), 2);
    assert_string_equal(gpa_model_spec(copy), "callback");
    gpa_model_free(copy);
}

/* Entered by two threads at once it would see `inside` above 1; it yields to give the
 * others every chance. The plain counter is for ThreadSanitizer. */
struct door {
    atomic_int inside;
    atomic_bool crowded;
    size_t entered;
};

static int narrow(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    struct door *door = ctx;
    if (atomic_fetch_add(&door->inside, 1) != 0)
        atomic_store(&door->crowded, true);
    sched_yield();
    door->entered++;
    for (size_t i = 0; i < n; i++)
        y[i] = x[i * d];
    atomic_fetch_sub(&door->inside, 1);
    return 0;
}

enum { THREADS = 4, ROUNDS = 500 };

static void *work(void *handle)
{
    const double x[3] = {1, 2, 3};
    double y[3];
    gpa_model_set_batch(handle, 2);
    for (int i = 0; i < ROUNDS; i++) {
        if (gpa_model_predict(handle, x, 3, y, NULL) != GPA_OK || y[2] != 3)
            return handle;
    }
    return NULL;
}

static void test_callback_is_entered_by_one_thread(void **state)
{
    struct door door = {0};
    gpa_model *m[THREADS] = {NULL};
    pthread_t thread[THREADS];
    (void)state;
    assert_int_equal(gpa_model_from_callback(&m[0], narrow, &door, 1, NULL), GPA_OK);
    for (size_t i = 1; i < THREADS; i++)
        assert_int_equal(gpa_model_clone(&m[i], m[0], NULL), GPA_OK);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, m[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = &door;
        assert_int_equal(pthread_join(thread[i], &failed), 0);
        assert_null(failed);
        assert_int_equal(gpa_model_calls(m[i]), ROUNDS);
        gpa_model_free(m[i]);
    }
    assert_false(atomic_load(&door.crowded));
    assert_int_equal(door.entered, 2 * ROUNDS * THREADS);
}

/* An adapter whose instances are counted; they live in the test. */
struct adapter {
    int open, clones_left;
    gpa_writing writing; /* of the only input, as it was told */
};

static gpa_status adapter_predict(void *self, const double *x, size_t n, size_t d,
                                  double *y, gpa_error *err)
{
    (void)self;
    (void)d;
    (void)err;
    memcpy(y, x, n * sizeof *y);
    return GPA_OK;
}

static gpa_status adapter_clone(void **out, const void *self, gpa_error *err)
{
    union {
        const void *from;
        struct adapter *to;
    } same = {self};
    (void)err;
    *out = NULL;
    if (same.to->clones_left-- == 0)
        return GPA_MODEL;
    same.to->open++;
    *out = same.to;
    return GPA_OK;
}

static void adapter_close(void *self)
{
    ((struct adapter *)self)->open--;
}

static const gpai_model_ops shared_ops = {.kind = "test",
                                          .predict = adapter_predict,
                                          .close = adapter_close,
                                          .refuses_missing = true};
static const gpai_model_ops cloned_ops = {.kind = "test",
                                          .predict = adapter_predict,
                                          .clone = adapter_clone,
                                          .close = adapter_close};

static void test_instances_are_closed_once(void **state)
{
    static const char *const names[] = {"a"};
    const gpai_model_info info = {"test:it", 1, 12, names};
    struct adapter a = {.open = 1, .clones_left = 1};
    gpa_model *m = NULL, *copy = NULL, *third = NULL;
    (void)state;
    assert_int_equal(gpai_model_wrap(&m, &shared_ops, &a, &info, NULL), GPA_OK);
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    assert_int_equal(a.open, 1);
    gpa_model_free(m);
    assert_int_equal(a.open, 1);
    assert_string_equal(gpa_model_variable(copy, 0), "a");
    assert_null(gpa_model_variable(copy, 1));
    assert_int_equal(gpa_model_batch(copy), 12);
    assert_false(gpa_model_in_process(copy));
    assert_true(gpa_model_refuses_missing(copy));
    gpa_model_free(copy);
    assert_int_equal(a.open, 0);

    a.open = 1;
    assert_int_equal(gpai_model_wrap(&m, &cloned_ops, &a, &info, NULL), GPA_OK);
    assert_int_equal(gpa_model_clone(&copy, m, NULL), GPA_OK);
    assert_int_equal(a.open, 2);
    assert_int_equal(gpa_model_clone(&third, copy, NULL), GPA_MODEL); /* none left */
    assert_null(third);
    gpa_model_free(m);
    assert_int_equal(a.open, 1);
    gpa_model_free(copy);
    assert_int_equal(a.open, 0);
}

static gpa_status adapter_kinds(void *self, const gpa_input *inputs, size_t d,
                                gpa_error *err)
{
    (void)err;
    assert_int_equal(d, 1);
    ((struct adapter *)self)->writing = inputs[0].writing;
    return GPA_OK;
}

static const char *adapter_level(const void *self, size_t k, size_t i)
{
    (void)self;
    return k == 0 && i < 2 ? (i == 0 ? "no" : "yes") : NULL;
}

/* Who takes text is told what it is; others have only numbers. */
static void test_kinds(void **state)
{
    static const gpai_model_ops text_ops = {.kind = "test",
                                            .predict = adapter_predict,
                                            .set_kinds = adapter_kinds,
                                            .level = adapter_level};
    const gpai_model_info info = {"test:it", 1, 0, NULL};
    const gpa_input in = {.writing = GPA_WRITING_LEVEL};
    struct adapter a = {.open = 1};
    struct log l = {0};
    gpa_model *m = NULL, *back = make(&l);
    (void)state;
    assert_int_equal(gpai_model_wrap(&m, &text_ops, &a, &info, NULL), GPA_OK);
    assert_true(gpa_model_takes_text(m));
    assert_int_equal(gpa_model_set_kinds(m, &in, 2, NULL), GPA_INVALID);
    assert_int_equal(gpa_model_set_kinds(m, NULL, 1, NULL), GPA_INVALID);
    assert_int_equal(gpa_model_set_kinds(m, &in, 1, NULL), GPA_OK);
    assert_int_equal(a.writing, GPA_WRITING_LEVEL);
    assert_string_equal(gpa_model_level(m, 0, 1), "yes");
    assert_null(gpa_model_level(m, 0, 2));
    assert_null(gpa_model_level(m, 1, 0));
    gpa_model_free(m);
    assert_true(gpa_model_takes_text(back)); /* a C function is given the codes */
    assert_null(gpa_model_level(back, 0, 0));
    gpa_model_free(back);
    assert_int_equal(gpai_model_wrap(&m, &shared_ops, &a, &info, NULL), GPA_OK);
    assert_false(gpa_model_takes_text(m));
    assert_int_equal(gpa_model_set_kinds(m, &in, 1, NULL), GPA_OK);
    gpa_model_free(m);
    assert_false(gpa_model_takes_text(NULL));
    assert_null(gpa_model_level(NULL, 0, 0));
    assert_int_equal(gpa_model_set_kinds(NULL, &in, 1, NULL), GPA_INVALID);
}

static void test_null_arguments(void **state)
{
    struct log l = {0};
    gpa_model *m = make(&l), *out = m;
    const double x[2] = {0};
    double y[1];
    gpa_error err;
    (void)state;
    assert_int_equal(gpa_model_from_callback(NULL, logged, &l, 2, &err), GPA_INVALID);
    assert_int_equal(gpa_model_from_callback(&out, NULL, &l, 2, &err), GPA_INVALID);
    assert_null(out);
    assert_int_equal(gpa_model_from_callback(&out, logged, &l, 0, &err), GPA_INVALID);
    assert_string_equal(err.message, "callback: 0 inputs");
    assert_int_equal(gpa_model_predict(NULL, x, 1, y, &err), GPA_INVALID);
    assert_int_equal(gpa_model_predict(m, NULL, 1, y, &err), GPA_INVALID);
    assert_int_equal(gpa_model_predict(m, x, 1, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_model_predict(m, NULL, 0, NULL, &err), GPA_OK);
    assert_int_equal(gpa_model_clone(&out, NULL, &err), GPA_INVALID);
    assert_int_equal(gpa_model_clone(NULL, m, &err), GPA_INVALID);
    assert_int_equal(gpa_model_dim(NULL), 0);
    assert_null(gpa_model_spec(NULL));
    assert_null(gpa_model_variable(NULL, 0));
    assert_false(gpa_model_in_process(NULL));
    assert_false(gpa_model_refuses_missing(NULL));
    assert_int_equal(gpa_model_rows(NULL) + gpa_model_calls(NULL), 0);
    assert_true(gpa_model_seconds(NULL) == 0);
    assert_int_equal(gpa_model_batch(NULL), 0);
    gpa_model_set_batch(NULL, 3);
    gpa_model_free(NULL);
    gpa_model_free(m);
}

/* With the k-th allocation failing: NOMEM and no handle, until k is beyond the last. */
static size_t wrap_without_memory(struct adapter *a, bool for_ever)
{
    static const char *const names[] = {"a", "b"};
    const gpai_model_info info = {"test:it", 2, 0, names};
    size_t k = 1;
    for (;; k++) {
        gpa_model *m = NULL, *copy = NULL;
        a->open = 1;
        a->clones_left = 1;
        gpai_alloc_fail_at(k, for_ever);
        gpa_status st = gpai_model_wrap(&m, &cloned_ops, a, &info, NULL);
        if (st == GPA_OK)
            st = gpa_model_clone(&copy, m, NULL);
        gpai_alloc_fail_at(0, false);
        if (st != GPA_OK) {
            assert_int_equal(st, GPA_NOMEM);
            assert_null(copy);
        }
        gpa_model_free(m);
        gpa_model_free(copy);
        assert_int_equal(a->open, 0);
        if (st == GPA_OK)
            return k - 1;
    }
}

static void test_without_memory(void **state)
{
    struct adapter a = {0};
    (void)state;
    assert_true(wrap_without_memory(&a, false) >= 6);
    assert_true(wrap_without_memory(&a, true) >= 6);
    for (size_t k = 1; k <= 4; k++) {
        struct log l = {0};
        gpa_model *m = NULL;
        gpai_alloc_fail_at(k, false);
        gpa_status st = gpa_model_from_callback(&m, logged, &l, 2, NULL);
        gpai_alloc_fail_at(0, false);
        assert_int_equal(st, GPA_NOMEM);
        assert_null(m);
    }
    struct log l = {0};
    gpa_model_free(make(&l)); /* the next call works */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_counters_add_up),
        cmocka_unit_test(test_seconds_add_up),
        cmocka_unit_test(test_failing_callback_stops),
        cmocka_unit_test(test_nonfinite_is_passed_on),
        cmocka_unit_test(test_clone),
        cmocka_unit_test(test_callback_is_entered_by_one_thread),
        cmocka_unit_test(test_instances_are_closed_once),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
