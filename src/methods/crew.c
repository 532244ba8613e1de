#include "methods/crew.h"
#include "base/alloc.h"
#include "base/status.h"
#include <pthread.h>
#include <time.h>

/* Workers take jobs in order and may run ahead of the calling thread by a window, so
 * that memory does not grow with the jobs. */
enum { AHEAD = 4, MOST_THREADS = 1024, LOOK_NS = 100000000 };

struct slot {
    void *result;
    gpa_status status;
    gpa_error err;
    bool done;
};

struct pool {
    const gpai_crew *c;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, taken; /* jobs begun; jobs whose result was taken */
    size_t window;
    bool stop;
    struct slot *slots; /* window of them; job i is in slot i % window */
};

struct worker {
    struct pool *pool;
    gpa_model *model; /* its own handle */
    pthread_t thread;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    struct pool *q = w->pool;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (!q->stop && q->next < q->c->jobs && q->next >= q->taken + q->window)
            pthread_cond_wait(&q->changed, &q->lock);
        if (q->stop || q->next >= q->c->jobs)
            break;
        size_t i = q->next++;
        struct slot *s = &q->slots[i % q->window];
        pthread_mutex_unlock(&q->lock);
        s->status = q->c->run(q->c->ctx, w->model, i, &s->result, &s->err);
        pthread_mutex_lock(&q->lock);
        s->done = true;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

static struct timespec soon(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += LOOK_NS;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* Waits for a job, looking around meanwhile; a look that wants no more is returned. */
static gpa_status wait_for(struct pool *q, const struct slot *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    pthread_mutex_lock(&q->lock);
    while (!s->done && st == GPA_OK) {
        if (q->c->look == NULL) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        struct timespec until = soon();
        pthread_cond_timedwait(&q->changed, &q->lock, &until);
        pthread_mutex_unlock(&q->lock);
        st = q->c->look(q->c->ctx, err);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

/* Takes the results in order, until all are through or one fails. */
static gpa_status deliver(struct pool *q, gpa_error *err)
{
    const gpai_crew *c = q->c;
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < c->jobs && st == GPA_OK; i++) {
        struct slot *s = &q->slots[i % q->window];
        st = wait_for(q, s, err);
        if (st != GPA_OK)
            break;
        st = s->status;
        if (st == GPA_OK)
            st = c->take(c->ctx, i, s->result, err);
        else if (err != NULL)
            *err = s->err;
        c->drop(s->result);
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
static gpa_status in_turn(const gpai_crew *c, gpa_model *m, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < c->jobs && st == GPA_OK; i++) {
        void *result = NULL;
        st = c->run(c->ctx, m, i, &result, err);
        if (st == GPA_OK)
            st = c->take(c->ctx, i, result, err);
        c->drop(result);
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
            *st = gpai_fail(err, GPA_NOMEM, "%s: cannot start a thread", q->c->unit);
            break;
        }
        hired++;
    }
    return hired;
}

static void dismiss(struct pool *q, struct worker *crew, size_t hired)
{
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    for (size_t i = 0; i < hired; i++) {
        pthread_join(crew[i].thread, NULL);
        gpa_model_free(crew[i].model);
    }
    for (size_t i = 0; i < q->window; i++) /* begun, but nobody wanted them any more */
        q->c->drop(q->slots[i].result);
}

static gpa_status in_parallel(const gpai_crew *c, gpa_model *m, size_t threads,
                              gpa_error *err)
{
    struct pool q = {.c = c, .window = AHEAD * threads};
    pthread_condattr_t attr;
    gpa_status st = GPA_OK;
    q.slots = gpai_calloc(q.window, sizeof *q.slots);
    struct worker *crew = gpai_calloc(threads, sizeof *crew);
    if (q.slots == NULL || crew == NULL) {
        st = gpai_nomem(err, c->unit);
        goto done;
    }
    pthread_mutex_init(&q.lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&q.changed, &attr);
    pthread_condattr_destroy(&attr);
    size_t hired = hire(&q, crew, threads, m, &st, err);
    if (hired > 0)
        st = deliver(&q, err);
    dismiss(&q, crew, hired);
    pthread_cond_destroy(&q.changed);
    pthread_mutex_destroy(&q.lock);
done:
    gpai_free(crew);
    gpai_free(q.slots);
    return st;
}

gpa_status gpai_crew_run(const gpai_crew *c, gpa_model *m, size_t threads,
                         gpa_error *err)
{
    if (threads > c->jobs)
        threads = c->jobs;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    return threads <= 1 ? in_turn(c, m, err) : in_parallel(c, m, threads, err);
}
