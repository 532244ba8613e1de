#include "serve/http/clients.h"
#include "base/alloc.h"
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>

struct client {
    struct clients *in;
    struct client *before, *after;
    int socket;
    double until; /* 0: for ever */
};

struct clients {
    pthread_mutex_t lock;
    pthread_t watch;
    struct client *first;
    uint64_t cut;
    bool ends;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The server sees the end of the connection, and closes it. */
static void *watch(void *clients)
{
    struct clients *c = clients;
    for (bool ends = false; !ends;) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        double t = now();
        pthread_mutex_lock(&c->lock);
        for (struct client *p = c->first; p != NULL; p = p->after)
            if (p->until > 0 && t > p->until) {
                shutdown(p->socket, SHUT_RDWR);
                p->until = 0;
                c->cut++;
            }
        ends = c->ends;
        pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}

struct clients *clients_new(void)
{
    struct clients *c = gpai_calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    pthread_mutex_init(&c->lock, NULL);
    if (pthread_create(&c->watch, NULL, watch, c) == 0)
        return c;
    gpai_free(c);
    return NULL;
}

void clients_free(struct clients *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    c->ends = true;
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->watch, NULL);
    pthread_mutex_destroy(&c->lock);
    gpai_free(c);
}

uint64_t clients_cut(struct clients *c)
{
    pthread_mutex_lock(&c->lock);
    uint64_t cut = c->cut;
    pthread_mutex_unlock(&c->lock);
    return cut;
}

struct client *client_new(struct clients *c, int socket)
{
    struct client *p = gpai_calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->in = c;
    p->socket = socket;
    pthread_mutex_lock(&c->lock);
    p->after = c->first;
    if (c->first != NULL)
        c->first->before = p;
    c->first = p;
    pthread_mutex_unlock(&c->lock);
    return p;
}

void client_free(struct client *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->in->lock);
    if (p->before != NULL)
        p->before->after = p->after;
    else
        p->in->first = p->after;
    if (p->after != NULL)
        p->after->before = p->before;
    pthread_mutex_unlock(&p->in->lock);
    gpai_free(p);
}

void client_give(struct client *p, double seconds)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->in->lock);
    p->until = seconds > 0 ? now() + seconds : 0;
    pthread_mutex_unlock(&p->in->lock);
}
