#include "cli/probe.h"
#include "base/math/sort.h"
#include "base/status.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROWS = 10000, MOST_REPEATS = 25, MOST_THREADS = 8, CHECKED = 256 };

struct work {
    gpa_model *model;
    size_t d;
    double *x;         /* MOST_ROWS by d */
    double *y, *again; /* MOST_ROWS each */
    double limit;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes, not values: NaN equals itself, and 0 is not -0. */
static bool same(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* The median time of calls of `rows` rows, after one that warms up. */
static gpa_status time_calls(struct work *w, size_t rows, double *median, size_t *asked,
                             gpa_error *err)
{
    double taken[MOST_REPEATS], begin = now();
    size_t n = 0;
    gpa_status st = gpa_model_predict(w->model, w->x, rows, w->again, err);
    *asked += rows;
    double first = now() - begin;
    /* a model that is slow is not asked 25 times */
    while (st == GPA_OK && n < MOST_REPEATS && (n == 0 || now() - begin < 0.3)) {
        double start = now();
        st = gpa_model_predict(w->model, w->x, rows, w->again, err);
        taken[n++] = now() - start;
        *asked += rows;
        if (first > w->limit)
            break;
    }
    gpai_sort(taken, n);
    *median = n > 0 ? taken[n / 2] : first;
    return st;
}

static gpa_status measure(struct probe *p, struct work *w, gpa_error *err)
{
    gpa_status st = GPA_OK;
    size_t rows = 1;
    for (size_t i = 0; i < PROBE_SIZES; i++, rows *= 10) {
        p->size[i] = rows;
        p->seconds[i] = (double)NAN;
        /* ten times the rows may take ten times as long */
        bool short_enough = i == 0 || p->seconds[i - 1] * 10 < w->limit;
        if (st == GPA_OK && short_enough)
            st = time_calls(w, rows, &p->seconds[i], &p->rows_asked, err);
    }
    return st;
}

/* The same rows again, and each on its own (a few), must give the same bytes. */
static gpa_status check_answers(struct probe *p, struct work *w, gpa_error *err)
{
    p->checked = CHECKED;
    gpa_status st = gpa_model_predict(w->model, w->x, p->checked, w->y, err);
    if (st == GPA_OK)
        st = gpa_model_predict(w->model, w->x, p->checked, w->again, err);
    if (st != GPA_OK)
        return st;
    p->rows_asked += 2 * p->checked;
    p->deterministic = same(w->y, w->again, p->checked);
    for (size_t i = 0; i < p->checked; i++)
        p->nonfinite += isfinite(w->y[i]) ? 0 : 1;
    for (size_t i = 0; st == GPA_OK && i < p->checked; i += 37) {
        st = gpa_model_predict(w->model, w->x + i * w->d, 1, w->again, err);
        p->rows_asked++;
        if (!same(w->y + i, w->again, 1)) {
            double off = fabs(w->again[0] - w->y[i]) / fmax(fabs(w->y[i]), 1e-300);
            p->alone =
                isnan(off) || isnan(p->alone) ? (double)NAN : fmax(p->alone, off);
        }
    }
    return st;
}

/* One thread's share of the concurrent check. */
struct share {
    pthread_t thread;
    gpa_model *model;
    const struct work *w;
    size_t rows, calls;
    double *y;
    bool started, equal;
    gpa_status status;
};

static void *ask_again(void *arg)
{
    struct share *s = arg;
    s->equal = true;
    for (size_t i = 0; i < s->calls && s->status == GPA_OK; i++) {
        s->status = gpa_model_predict(s->model, s->w->x, s->rows, s->y, NULL);
        s->equal = s->equal && same(s->y, s->w->y, s->rows);
    }
    return NULL;
}

static gpa_status open_shares(struct share *s, size_t n, const struct work *w,
                              size_t rows, size_t calls, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < n && st == GPA_OK; i++) {
        s[i] = (struct share){.w = w, .rows = rows, .calls = calls};
        s[i].y = calloc(rows, sizeof *s[i].y);
        st = s[i].y == NULL ? gpai_fail(err, GPA_NOMEM, "out of memory")
                            : gpa_model_clone(&s[i].model, w->model, err);
    }
    return st;
}

static double run_shares(struct share *s, size_t n)
{
    double begin = now();
    for (size_t i = 0; i < n; i++)
        s[i].started = pthread_create(&s[i].thread, NULL, ask_again, &s[i]) == 0;
    for (size_t i = 0; i < n; i++)
        if (s[i].started)
            pthread_join(s[i].thread, NULL);
    return now() - begin;
}

/* Several handles at once: the same bytes, and how much faster in all? */
static gpa_status check_threads(struct probe *p, struct work *w, gpa_error *err)
{
    struct share s[MOST_THREADS] = {0};
    double one = p->seconds[2]; /* of 100 rows */
    size_t rows = 100 < p->checked ? 100 : p->checked;
    size_t calls = !isfinite(one) || one > w->limit ? 1 : (size_t)(0.2 / (one + 1e-7));
    calls = calls < 1 ? 1 : calls > 1000 ? 1000 : calls;
    gpa_status st = open_shares(s, p->threads, w, rows, calls, err);
    if (st != GPA_OK)
        goto done;
    double warm = run_shares(s, p->threads), taken = run_shares(s, p->threads);
    (void)warm; /* children and connections are made in the first round */
    p->threads_equal = true;
    for (size_t i = 0; i < p->threads; i++) {
        p->threads_failed = p->threads_failed || s[i].status != GPA_OK;
        p->threads_equal =
            p->threads_equal && s[i].started && s[i].status == GPA_OK && s[i].equal;
        p->rows_asked += 2 * rows * calls;
    }
    p->speedup = (double)(p->threads * calls) * one / taken;
done:
    for (size_t i = 0; i < MOST_THREADS; i++) {
        gpa_model_free(s[i].model);
        free(s[i].y);
    }
    return st;
}

/* The shortest call that gives nine tenths of the best rows per second; as many workers
 * as there are cores where they help. */
static void recommend(struct probe *p)
{
    double best = 0;
    for (size_t i = 0; i < PROBE_SIZES; i++)
        if (isfinite(p->seconds[i]))
            best = fmax(best, (double)p->size[i] / p->seconds[i]);
    for (size_t i = 0; i < PROBE_SIZES && p->batch == 0; i++)
        if (isfinite(p->seconds[i]) && (double)p->size[i] / p->seconds[i] >= 0.9 * best)
            p->batch = p->size[i];
    p->workers = p->threads_equal && p->speedup > 1.2 ? p->threads : 1;
}

gpa_status probe_model(struct probe *p, gpa_model *m, const double *x, size_t n,
                       double limit, gpa_error *err)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct work w = {.model = m, .d = gpa_model_dim(m), .limit = limit};
    *p = (struct probe){.speedup = (double)NAN};
    p->threads = cores < 2 ? 2 : cores > MOST_THREADS ? MOST_THREADS : (size_t)cores;
    w.x = w.d > SIZE_MAX / MOST_ROWS ? NULL : calloc(MOST_ROWS * w.d, sizeof *w.x);
    w.y = calloc(MOST_ROWS, sizeof *w.y);
    w.again = calloc(MOST_ROWS, sizeof *w.again);
    gpa_status st = GPA_OK;
    if (w.x == NULL || w.y == NULL || w.again == NULL) {
        st = gpai_fail(err, GPA_NOMEM, "out of memory for %d rows of %zu inputs",
                       MOST_ROWS, w.d);
        goto done;
    }
    for (size_t i = 0; i < MOST_ROWS; i++)
        memcpy(w.x + i * w.d, x + i % n * w.d, w.d * sizeof *w.x);
    if ((st = measure(p, &w, err)) == GPA_OK &&
        (st = check_answers(p, &w, err)) == GPA_OK)
        st = check_threads(p, &w, err);
    if (st == GPA_OK)
        recommend(p);
done:
    free(w.again);
    free(w.y);
    free(w.x);
    return st;
}
