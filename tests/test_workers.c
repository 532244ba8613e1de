#include "support.h"

#include "base/workers.h"
#include <gpa/gpa.h>
#include <pthread.h>

/* Jobs on workers: job i gives i squared through a result of its own. */
struct squares {
    size_t jobs, bad;                        /* job `bad` fails */
    size_t taken, opened, closed, last_take; /* take refuses job last_take */
    uint64_t sum;
};

static gpa_status open_one(void *ctx, void **own, gpa_error *err)
{
    struct squares *q = ctx;
    (void)err;
    q->opened++;
    *own = &q->closed;
    return GPA_OK;
}

static void close_one(void *own)
{
    ++*(size_t *)own;
}

static gpa_status square(void *ctx, void *own, size_t i, void **result, gpa_error *err)
{
    struct squares *q = ctx;
    uint64_t *value = malloc(sizeof *value);
    assert_non_null(own);
    assert_non_null(value);
    *value = (uint64_t)i * i;
    *result = value;
    if (i != q->bad)
        return GPA_OK;
    if (err != NULL)
        snprintf(err->message, sizeof err->message, "job %zu", i);
    return GPA_NUMERIC;
}

static gpa_status add(void *ctx, size_t i, const void *result, gpa_error *err)
{
    struct squares *q = ctx;
    (void)err;
    assert_int_equal(i, q->taken++); /* in order */
    q->sum += *(const uint64_t *)result;
    return i == q->last_take ? GPA_IO : GPA_OK;
}

static gpa_status run_squares(struct squares *q, size_t threads, gpa_error *err)
{
    size_t calling_thread = 0;
    const gpai_workers w = {.unit = "squares",
                            .ctx = q,
                            .jobs = q->jobs,
                            .open = open_one,
                            .close = close_one,
                            .run = square,
                            .take = add,
                            .drop = free};
    return gpai_workers_run(&w, &calling_thread, threads, err);
}

static void results_come_in_order(void **state)
{
    (void)state;
    static const size_t threads[] = {0, 1, 2, 3, 7, 200};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        struct squares q = {.jobs = 100, .bad = 100, .last_take = 100};
        assert_int_equal(run_squares(&q, threads[i], NULL), GPA_OK);
        assert_int_equal(q.taken, 100);
        assert_int_equal(q.sum, 328350);
        assert_int_equal(q.opened, q.closed);
        assert_int_equal(q.opened, threads[i] <= 1     ? 0
                                   : threads[i] >= 100 ? 100
                                                       : threads[i]);
    }
}

static void the_first_failure_ends_it(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 3; threads += 2) {
        struct squares q = {.jobs = 50, .bad = 20, .last_take = 50};
        gpa_error err = {0};
        assert_int_equal(run_squares(&q, threads, &err), GPA_NUMERIC);
        assert_string_equal(err.message, "job 20");
        assert_int_equal(q.taken, 20);
        assert_int_equal(q.opened, q.closed);
        q = (struct squares){.jobs = 50, .bad = 50, .last_take = 10};
        assert_int_equal(run_squares(&q, threads, &err), GPA_IO);
        assert_int_equal(q.taken, 11);
    }
}

/* Progress that says no at the k-th time it is asked, on this thread only. */
struct listener {
    pthread_t thread;
    uint64_t asked, stop_at; /* 0: never */
    uint64_t done, total;
    bool backwards;
};

static int listen_to(void *ctx, uint64_t done, uint64_t total)
{
    struct listener *l = ctx;
    assert_true(pthread_equal(l->thread, pthread_self()));
    l->backwards = l->backwards || done < l->done;
    l->done = done;
    l->total = total;
    return ++l->asked == l->stop_at;
}

static struct listener listener(uint64_t stop_at)
{
    return (struct listener){.thread = pthread_self(), .stop_at = stop_at};
}

static gpa_explain_options options(struct listener *l)
{
    gpa_explain_options opt;
    gpa_explain_options_init(&opt);
    opt.sigma = 0.2;
    opt.progress = listen_to;
    opt.progress_ctx = l;
    return opt;
}

static const double X[] = {0.5, 0, 0.4, 0.1, 0.1, 0.7, 0.3, 0.3, 0.9, 0.2, 0.6, 0.5};
static const double Y[] = {1, 0, -1, 1.5, 0.4, -0.3};

/* Every question can be the last one; asked for nothing, the answer is complete. */
static void explain_ends_at_any_question(void **state)
{
    (void)state;
    gpa_model *m;
    gpa_explanation *e = NULL;
    struct listener l = listener(0);
    gpa_explain_options opt = options(&l);
    gpa_sample s = {.x = X, .y = Y, .n = 1, .d = 2};
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
    uint64_t questions = l.asked, rows = gpa_explanation_summary(e)->model_rows;
    assert_true(questions > 3);
    assert_false(l.backwards);
    assert_true(l.done < rows);
    assert_int_equal(l.total, 0);
    gpa_explanation_free(e);
    for (uint64_t k = 1; k <= questions; k++) {
        gpa_error err = {0};
        l = listener(k);
        assert_int_equal(gpa_explain(&e, m, &s, &opt, &err), GPA_STOPPED);
        assert_string_equal(err.message, "explain: stopped");
        assert_int_equal(l.asked, k);
        assert_null(e);
    }
    l = listener(0);
    opt.budget = 50; /* what may be asked at most is the total */
    assert_int_equal(gpa_explain(&e, m, &s, &opt, NULL), GPA_OK);
    assert_int_equal(l.total, 50);
    gpa_explanation_free(e);
    gpa_model_free(m);
}

static gpa_status count_results(void *ctx, size_t i, const gpa_explanation *e,
                                gpa_error *err)
{
    size_t *count = ctx;
    (void)err;
    assert_non_null(e);
    assert_int_equal(i, (*count)++);
    return GPA_OK;
}

static gpa_status explain_all(size_t threads, struct listener *l, size_t *count,
                              gpa_error *err)
{
    static const size_t rows[] = {0, 1, 2, 3, 4, 5};
    double f[6];
    gpa_model *m;
    gpa_explain_options opt = options(l);
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    assert_int_equal(gpa_model_predict(m, X, 6, f, NULL), GPA_OK);
    gpa_sample all = {.x = X, .y = Y, .f = f, .n = 6, .d = 2};
    *count = 0;
    gpa_status st =
        gpa_explain_many(m, &all, rows, 6, threads, &opt, count_results, count, err);
    gpa_model_free(m);
    return st;
}

static void many_count_explanations(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 3; threads += 2) {
        struct listener l = listener(0);
        size_t count;
        assert_int_equal(explain_all(threads, &l, &count, NULL), GPA_OK);
        assert_int_equal(count, 6);
        assert_int_equal(l.done, 6);
        assert_int_equal(l.total, 6);
        assert_true(l.asked >= 6);
        assert_false(l.backwards);
    }
}

static void many_end_when_told(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 3; threads += 2)
        for (uint64_t k = 1; k <= 6; k++) {
            struct listener l = listener(k);
            gpa_error err = {0};
            size_t count;
            assert_int_equal(explain_all(threads, &l, &count, &err), GPA_STOPPED);
            assert_string_equal(err.message, "explain: stopped");
            assert_int_equal(l.asked, k);
            assert_true(count <= k);
        }
}

/* On the calling thread a question is enough: the first explanation never ends. */
static void many_end_between_questions(void **state)
{
    (void)state;
    struct listener l = listener(2);
    size_t count;
    assert_int_equal(explain_all(1, &l, &count, NULL), GPA_STOPPED);
    assert_int_equal(count, 0);
}

/* A worker hears of it between its questions. */
static void workers_hear_of_it(void **state)
{
    (void)state;
    gpai_progress p = {.unit = "x", .total = 3};
    assert_int_equal(gpai_progress_ends(&p, 7, 8), 0);
    assert_int_equal(gpai_progress_count(&p, 2, NULL), GPA_OK);
    assert_int_equal(atomic_load(&p.done), 2);
    atomic_store(&p.stop, true);
    assert_int_not_equal(gpai_progress_ends(&p, 7, 8), 0);
    gpa_error err = {0};
    assert_int_equal(gpai_progress_count(&p, 1, &err), GPA_STOPPED);
    assert_string_equal(err.message, "x: stopped");
}

/* gpa and lc as methods end at any question, too. */
static void methods_end_at_any_question(void **state)
{
    (void)state;
    gpa_model *m;
    gpa_attribution *a = NULL;
    assert_int_equal(gpa_model_open(&m, "builtin:sinusoid2d", NULL, NULL), GPA_OK);
    for (int i = 0; i < 2; i++) {
        struct listener l = listener(2);
        gpa_explain_options e = options(NULL);
        gpa_attribute_options opt;
        gpa_attribute_options_init(&opt);
        e.progress = NULL;
        opt.explain = &e;
        opt.progress = listen_to;
        opt.progress_ctx = &l;
        gpa_sample s = {.x = X, .y = Y, .n = 1, .d = 2};
        assert_int_equal(gpa_attribute(&a, i == 0 ? "gpa" : "lc", m, &s, &opt, NULL),
                         GPA_STOPPED);
        assert_null(a);
        assert_int_equal(l.asked, 2);
    }
    gpa_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_in_order),
        cmocka_unit_test(the_first_failure_ends_it),
        cmocka_unit_test(explain_ends_at_any_question),
        cmocka_unit_test(many_count_explanations),
        cmocka_unit_test(many_end_when_told),
        cmocka_unit_test(many_end_between_questions),
        cmocka_unit_test(workers_hear_of_it),
        cmocka_unit_test(methods_end_at_any_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
