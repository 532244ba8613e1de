#include "base/alloc.h"
#include "base/status.h"
#include "methods/run.h"
#include "methods/settings.h"
#include <gpa/explain.h>
#include <gpa/model.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

/* Workers take jobs in order and may run ahead of the sink by a window; the calling
 * thread hands the results to the sink in the order of the jobs. Nothing an explanation
 * depends on is shared, so their number does not show in the results. */
enum { AHEAD = 4, MOST_THREADS = 1024 };

struct slot {
    gpa_explanation *e;
    gpa_status status;
    gpa_error err;
    bool done;
};

struct pool {
    const gpa_sample *all;
    const size_t *rows;
    size_t n_rows;
    gpa_explain_options opt; /* resolved */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, taken; /* jobs begun; jobs handed to the sink */
    size_t window;
    bool stop;
    struct slot *slots; /* window of them; job i is in slot i % window */
};

struct worker {
    struct pool *pool;
    gpa_model *model; /* its own handle */
    pthread_t thread;
};

static gpa_status explain_row(gpa_explanation **out, gpa_model *m, const struct pool *q,
                              size_t i, gpa_error *err)
{
    size_t row = q->rows[i], d = q->all->d;
    gpa_explain_options o = q->opt;
    gpa_sample s = {.x = q->all->x + row * d,
                    .y = q->all->y + row,
                    .f = q->all->f + row,
                    .n = 1,
                    .d = d};
    o.context = q->all;
    o.context_rows = &row;
    return gpa_explain(out, m, &s, &o, err);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct pool *q = w->pool;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (!q->stop && q->next < q->n_rows && q->next >= q->taken + q->window)
            pthread_cond_wait(&q->changed, &q->lock);
        if (q->stop || q->next >= q->n_rows)
            break;
        size_t i = q->next++;
        struct slot *s = &q->slots[i % q->window];
        pthread_mutex_unlock(&q->lock);
        s->status = explain_row(&s->e, w->model, q, i, &s->err);
        pthread_mutex_lock(&q->lock);
        s->done = true;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Hands finished explanations to the sink, in order, until all are through or one
 * fails. */
static gpa_status deliver(struct pool *q, gpa_explanation_sink sink, void *ctx,
                          gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < q->n_rows && st == GPA_OK; i++) {
        struct slot *s = &q->slots[i % q->window];
        pthread_mutex_lock(&q->lock);
        while (!s->done)
            pthread_cond_wait(&q->changed, &q->lock);
        pthread_mutex_unlock(&q->lock);
        st = s->status;
        if (st == GPA_OK)
            st = sink(ctx, i, s->e, err);
        else if (err != NULL)
            *err = s->err;
        gpa_explanation_free(s->e);
        pthread_mutex_lock(&q->lock);
        *s = (struct slot){0};
        q->taken = i + 1;
        q->stop = st != GPA_OK;
        pthread_cond_broadcast(&q->changed);
        pthread_mutex_unlock(&q->lock);
    }
    return st;
}

/* One thread: no pool at all. */
static gpa_status in_turn(const struct pool *q, gpa_model *m, gpa_explanation_sink sink,
                          void *ctx, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < q->n_rows && st == GPA_OK; i++) {
        gpa_explanation *e = NULL;
        st = explain_row(&e, m, q, i, err);
        if (st == GPA_OK)
            st = sink(ctx, i, e, err);
        gpa_explanation_free(e);
    }
    return st;
}

/* Starts up to `threads` workers; fewer are fine as long as there is one. */
static size_t hire(struct pool *q, struct worker *crew, size_t threads, gpa_model *m,
                   gpa_status *st, gpa_error *err)
{
    size_t hired = 0;
    while (hired < threads) {
        struct worker *w = &crew[hired];
        w->pool = q;
        *st = gpa_model_clone(&w->model, m, err);
        if (*st != GPA_OK)
            break;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            gpa_model_free(w->model);
            *st = gpai_fail(err, GPA_NOMEM, "explain: cannot start a thread");
            break;
        }
        hired++;
    }
    return hired;
}

static gpa_status in_parallel(struct pool *q, gpa_model *m, size_t threads,
                              gpa_explanation_sink sink, void *ctx, gpa_error *err)
{
    gpa_status st = GPA_OK;
    q->window = AHEAD * threads;
    q->slots = gpai_calloc(q->window, sizeof *q->slots);
    struct worker *crew = gpai_calloc(threads, sizeof *crew);
    if (q->slots == NULL || crew == NULL) {
        st = gpai_nomem(err, "explain");
        goto done;
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    size_t hired = hire(q, crew, threads, m, &st, err);
    if (hired > 0)
        st = deliver(q, sink, ctx, err);
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    for (size_t i = 0; i < hired; i++) {
        pthread_join(crew[i].thread, NULL);
        gpa_model_free(crew[i].model);
    }
    for (size_t i = 0; i < q->window; i++) /* begun, but nobody wanted them any more */
        gpa_explanation_free(q->slots[i].e);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
done:
    gpai_free(crew);
    gpai_free(q->slots);
    return st;
}

/* Limits that no row could obey are found before the first explanation is handed over.
 */
static gpa_status check_limits(const struct pool *q, gpa_error *err)
{
    const gpa_explain_options *o = &q->opt;
    if (o->lower == NULL && o->upper == NULL && o->onehot == NULL)
        return GPA_OK;
    double *unit = gpai_calloc(q->all->d, sizeof *unit);
    if (unit == NULL)
        return gpai_nomem(err, "explain");
    for (size_t k = 0; k < q->all->d; k++)
        unit[k] = o->unit != NULL ? o->unit[k] : 1;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < q->n_rows && st == GPA_OK; i++) {
        gpai_run r = {.opt = o, .err = err};
        gpai_problem p = {.n = 1,
                          .d = q->all->d,
                          .x = q->all->x + q->rows[i] * q->all->d,
                          .unit = unit,
                          .eta = 1};
        st = gpai_run_space(&r, &p, &r.s);
        gpai_space_close(&r.s);
        if (st == GPA_INVALID && err != NULL) {
            static const char unit_name[] = "explain: ";
            gpa_error inner = *err;
            size_t skip = strncmp(inner.message, unit_name, sizeof unit_name - 1) == 0
                              ? sizeof unit_name - 1
                              : 0;
            st = gpai_fail(err, st, "%srow %zu: %.400s", unit_name, q->rows[i],
                           inner.message + skip);
        }
    }
    gpai_free(unit);
    return st;
}

gpa_status gpa_explain_many(gpa_model *m, const gpa_sample *all, const size_t *rows,
                            size_t n_rows, size_t threads,
                            const gpa_explain_options *opt, gpa_explanation_sink sink,
                            void *ctx, gpa_error *err)
{
    if (m == NULL || all == NULL || all->x == NULL || all->y == NULL ||
        all->f == NULL || (rows == NULL && n_rows > 0) || sink == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "explain: a model, rows with y and f, and a sink are needed");
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i] >= all->n)
            return gpai_fail(err, GPA_INVALID,
                             "explain: row %zu, but there are %zu rows", rows[i],
                             all->n);
    struct pool q = {.all = all, .rows = rows, .n_rows = n_rows};
    gpa_status st = gpai_options_resolve(&q.opt, opt, all->d, err);
    if (st != GPA_OK)
        return st;
    st = check_limits(&q, err);
    if (st != GPA_OK)
        return st;
    if (isnan(q.opt.sigma) && gpa_residual_sigma(all, &q.opt.sigma, NULL) != GPA_OK)
        q.opt.sigma = (double)NAN; /* each explanation says what is wrong */
    if (threads > n_rows)
        threads = n_rows;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    return threads <= 1 ? in_turn(&q, m, sink, ctx, err)
                        : in_parallel(&q, m, threads, sink, ctx, err);
}
