#include "serve/jobs.h"
#include "base/alloc.h"
#include "base/status.h"
#include <time.h>

struct worker {
    struct jobs *in;
    gpa_model *model;
    pthread_t thread;
    struct exchange *at; /* the job in hand, or NULL */
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t more, fewer;
    struct exchange *first, **last;
    size_t waiting, running, most;
    bool stops;
    struct worker *workers;
    size_t n;
};

static struct exchange *next_of(struct jobs *j, struct worker *w)
{
    pthread_mutex_lock(&j->lock);
    while (j->first == NULL && !j->stops)
        pthread_cond_wait(&j->more, &j->lock);
    struct exchange *x = j->first;
    if (x != NULL) {
        j->first = x->next;
        if (j->first == NULL)
            j->last = &j->first;
        j->waiting--;
        j->running++;
        w->at = x;
    }
    pthread_mutex_unlock(&j->lock);
    return x;
}

static void done_with(struct jobs *j, struct worker *w)
{
    struct exchange *x = w->at;
    pthread_mutex_lock(&j->lock);
    w->at = NULL;
    pthread_mutex_unlock(&j->lock);
    exchange_finish(x);
    exchange_drop(x);
    pthread_mutex_lock(&j->lock);
    j->running--;
    pthread_cond_broadcast(&j->fewer);
    pthread_mutex_unlock(&j->lock);
}

static void *work(void *worker)
{
    struct worker *w = worker;
    for (struct exchange *x; (x = next_of(w->in, w)) != NULL;) {
        const gpa_error err = {.status = GPA_STOPPED, .message = "cancelled"};
        if (exchange_unwanted(x))
            exchange_failed(x, GPA_STOPPED, &err);
        else
            x->answer(x, w->model);
        done_with(w->in, w);
    }
    return NULL;
}

gpa_status jobs_open(struct jobs **out, const gpa_model *model, size_t workers,
                     size_t most, gpa_error *err)
{
    struct jobs *j = *out = gpai_calloc(1, sizeof *j);
    if (j == NULL)
        return gpai_nomem(err, "serve");
    j->most = most;
    j->last = &j->first;
    j->workers = gpai_calloc(workers, sizeof *j->workers);
    gpa_status st = j->workers != NULL ? GPA_OK : gpai_nomem(err, "serve");
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->more, NULL);
    pthread_cond_init(&j->fewer, NULL);
    for (; st == GPA_OK && j->n < workers; j->n++) {
        struct worker *w = &j->workers[j->n];
        w->in = j;
        st = gpa_model_clone(&w->model, model, err);
        if (st == GPA_OK && pthread_create(&w->thread, NULL, work, w) != 0) {
            gpa_model_free(w->model);
            st = gpai_fail(err, GPA_NOMEM, "serve: no thread");
        }
        if (st != GPA_OK)
            break;
    }
    return st;
}

bool jobs_add(struct jobs *j, struct exchange *x, unsigned id)
{
    pthread_mutex_lock(&j->lock);
    bool room = !j->stops && j->waiting < j->most;
    if (room) {
        exchange_hold(x);
        x->id = id;
        x->next = NULL;
        *j->last = x;
        j->last = &x->next;
        j->waiting++;
        pthread_cond_signal(&j->more);
    }
    pthread_mutex_unlock(&j->lock);
    return room;
}

bool jobs_cancel(struct jobs *j, unsigned id)
{
    struct exchange *found = NULL;
    pthread_mutex_lock(&j->lock);
    for (struct exchange *x = j->first; x != NULL; x = x->next)
        found = x->id == id ? x : found;
    for (size_t i = 0; i < j->n; i++)
        if (j->workers[i].at != NULL && j->workers[i].at->id == id)
            found = j->workers[i].at;
    if (found != NULL)
        exchange_cancel(found);
    pthread_mutex_unlock(&j->lock);
    return found != NULL;
}

size_t jobs_waiting(struct jobs *j)
{
    pthread_mutex_lock(&j->lock);
    size_t n = j->waiting;
    pthread_mutex_unlock(&j->lock);
    return n;
}

size_t jobs_running(struct jobs *j)
{
    pthread_mutex_lock(&j->lock);
    size_t n = j->running;
    pthread_mutex_unlock(&j->lock);
    return n;
}

bool jobs_drain(struct jobs *j, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    double end = (double)until.tv_sec + 1e-9 * (double)until.tv_nsec + seconds;
    until.tv_sec = (time_t)end;
    until.tv_nsec = (long)((end - (double)until.tv_sec) * 1e9);
    int code = 0;
    pthread_mutex_lock(&j->lock);
    while (code == 0 && (j->running > 0 || j->waiting > 0))
        code = pthread_cond_timedwait(&j->fewer, &j->lock, &until);
    bool done = j->running == 0 && j->waiting == 0;
    pthread_mutex_unlock(&j->lock);
    return done;
}

void jobs_stop(struct jobs *j)
{
    pthread_mutex_lock(&j->lock);
    j->stops = true;
    for (struct exchange *x = j->first; x != NULL; x = x->next)
        exchange_cancel(x);
    for (size_t i = 0; i < j->n; i++)
        if (j->workers[i].at != NULL)
            exchange_cancel(j->workers[i].at);
    pthread_cond_broadcast(&j->more);
    pthread_mutex_unlock(&j->lock);
}

void jobs_close(struct jobs *j)
{
    if (j == NULL)
        return;
    jobs_stop(j);
    for (size_t i = 0; i < j->n; i++) {
        pthread_join(j->workers[i].thread, NULL);
        gpa_model_free(j->workers[i].model);
    }
    pthread_cond_destroy(&j->fewer);
    pthread_cond_destroy(&j->more);
    pthread_mutex_destroy(&j->lock);
    gpai_free(j->workers);
    gpai_free(j);
}
