#include "base/workers.h"
#include "base/alloc.h"
#include "base/status.h"
#include <pthread.h>
#include <time.h>

/* Workers take jobs in order and may run ahead of the calling thread by a window, so
 * that memory does not grow with the jobs. Chosen: AHEAD keeps every worker busy while
 * one job takes four times as long as the others; more threads than MOST_THREADS are a
 * mistake, not a wish; a progress line that moves ten times a second looks alive. */
enum { AHEAD = 4, MOST_THREADS = 1024, LOOK_NS = 100000000 };

gpa_status gpai_progress_tell(gpai_progress *p, gpa_error *err)
{
    if (p->tell == NULL || p->tell(p->ctx, atomic_load(&p->done), p->total) == 0)
        return GPA_OK;
    atomic_store(&p->stop, true);
    return gpai_fail(err, GPA_STOPPED, "%s: stopped", p->unit);
}

gpa_status gpai_progress_count(gpai_progress *p, uint64_t by, gpa_error *err)
{
    atomic_fetch_add(&p->done, by);
    if (p->alone)
        return gpai_progress_tell(p, err);
    return atomic_load(&p->stop) ? gpai_fail(err, GPA_STOPPED, "%s: stopped", p->unit)
                                 : GPA_OK;
}

int gpai_progress_ends(void *progress, uint64_t done, uint64_t total)
{
    gpai_progress *p = progress;
    (void)done;
    (void)total;
    if (p->alone && !atomic_load(&p->stop))
        return gpai_progress_tell(p, NULL) != GPA_OK;
    return atomic_load(&p->stop);
}

struct slot {
    void *result;
    gpa_status status;
    gpa_error err;
    bool done;
};

struct pool {
    const gpai_workers *c;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, taken; /* jobs begun; jobs whose result was taken */
    size_t window;
    bool stop;
    struct slot *slots; /* window of them; job i is in slot i % window */
};

struct worker {
    struct pool *pool;
    void *own;
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
        s->status = q->c->run(q->c->ctx, w->own, i, &s->result, &s->err);
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

/* Waits for a job, telling the caller meanwhile, who may want no more. */
static gpa_status wait_for(struct pool *q, const struct slot *s, gpa_error *err)
{
    gpa_status st = GPA_OK;
    pthread_mutex_lock(&q->lock);
    while (!s->done && st == GPA_OK) {
        if (q->c->progress == NULL || q->c->progress->tell == NULL) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        struct timespec until = soon();
        pthread_cond_timedwait(&q->changed, &q->lock, &until);
        pthread_mutex_unlock(&q->lock);
        st = gpai_progress_tell(q->c->progress, err);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

/* Takes the results in order, until all are through or one fails. */
static gpa_status deliver(struct pool *q, gpa_error *err)
{
    const gpai_workers *c = q->c;
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
static gpa_status in_turn(const gpai_workers *c, void *own, gpa_error *err)
{
    gpa_status st = GPA_OK;
    for (size_t i = 0; i < c->jobs && st == GPA_OK; i++) {
        void *result = NULL;
        st = c->run(c->ctx, own, i, &result, err);
        if (st == GPA_OK)
            st = c->take(c->ctx, i, result, err);
        c->drop(result);
    }
    return st;
}

/* Starts up to `threads` workers; fewer are fine as long as there is one. */
static size_t hire(struct pool *q, struct worker *all, size_t threads, gpa_status *st,
                   gpa_error *err)
{
    size_t hired = 0;
    while (hired < threads) {
        struct worker *w = &all[hired];
        w->pool = q;
        *st = q->c->open(q->c->ctx, &w->own, err);
        if (*st != GPA_OK)
            break;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            q->c->close(w->own);
            *st = gpai_fail(err, GPA_NOMEM, "%s: cannot start a thread", q->c->unit);
            break;
        }
        hired++;
    }
    return hired;
}

static void dismiss(struct pool *q, struct worker *all, size_t hired)
{
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    for (size_t i = 0; i < hired; i++) {
        pthread_join(all[i].thread, NULL);
        q->c->close(all[i].own);
    }
    for (size_t i = 0; i < q->window; i++) /* begun, but nobody wanted them any more */
        q->c->drop(q->slots[i].result);
}

static gpa_status in_parallel(const gpai_workers *c, size_t threads, gpa_error *err)
{
    struct pool q = {.c = c, .window = AHEAD * threads};
    pthread_condattr_t attr;
    gpa_status st = GPA_OK;
    q.slots = gpai_calloc(q.window, sizeof *q.slots);
    struct worker *all = gpai_calloc(threads, sizeof *all);
    if (q.slots == NULL || all == NULL) {
        st = gpai_nomem(err, c->unit);
        goto done;
    }
    pthread_mutex_init(&q.lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&q.changed, &attr);
    pthread_condattr_destroy(&attr);
    size_t hired = hire(&q, all, threads, &st, err);
    if (hired > 0)
        st = deliver(&q, err);
    dismiss(&q, all, hired);
    pthread_cond_destroy(&q.changed);
    pthread_mutex_destroy(&q.lock);
done:
    gpai_free(all);
    gpai_free(q.slots);
    return st;
}

gpa_status gpai_workers_run(const gpai_workers *w, void *own, size_t threads,
                            gpa_error *err)
{
    if (threads > w->jobs)
        threads = w->jobs;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    if (w->progress != NULL)
        w->progress->alone = threads <= 1;
    return threads <= 1 ? in_turn(w, own, err) : in_parallel(w, threads, err);
}
