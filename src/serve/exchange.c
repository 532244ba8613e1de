#define _GNU_SOURCE /* POLLRDHUP */
#include "serve/exchange.h"
#include "base/alloc.h"
#include "base/text/text.h"
#include <poll.h>
#include <string.h>
#include <time.h>

double exchange_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct exchange *exchange_new(struct serving *on)
{
    struct exchange *x = gpai_calloc(1, sizeof *x);
    if (x == NULL)
        return NULL;
    if (pthread_mutex_init(&x->lock, NULL) != 0) {
        gpai_free(x);
        return NULL;
    }
    x->on = on;
    x->socket = -1;
    x->began = exchange_now();
    atomic_store(&x->holders, 1);
    return x;
}

void exchange_hold(struct exchange *x)
{
    atomic_fetch_add(&x->holders, 1);
}

void exchange_drop(struct exchange *x)
{
    if (x == NULL || atomic_fetch_sub(&x->holders, 1) > 1)
        return;
    request_free(&x->ask);
    reply_free(&x->reply);
    gpa_text_free(x->events);
    gpai_free(x->target);
    pthread_mutex_destroy(&x->lock);
    gpai_free(x);
}

bool exchange_unwanted(struct exchange *x)
{
    pthread_mutex_lock(&x->lock);
    struct pollfd p = {.fd = x->socket, .events = POLLRDHUP};
    if (!x->cancelled && x->socket >= 0 && poll(&p, 1, 0) > 0 &&
        (p.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0)
        x->cancelled = x->gone = true;
    bool unwanted = x->cancelled;
    pthread_mutex_unlock(&x->lock);
    return unwanted;
}

int exchange_ends(void *exchange, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return exchange_unwanted(exchange);
}

/* With the lock: the connection goes on. */
static void wake(struct exchange *x)
{
    if (x->waits && x->wake != NULL) {
        x->waits = false;
        x->wake(x->connection);
    }
}

void exchange_cancel(struct exchange *x)
{
    atomic_store(&x->cancelled, true);
}

void exchange_leave(struct exchange *x)
{
    pthread_mutex_lock(&x->lock);
    x->cancelled = x->gone = true;
    x->waits = false;
    x->socket = -1;
    pthread_mutex_unlock(&x->lock);
}

void exchange_finish(struct exchange *x)
{
    pthread_mutex_lock(&x->lock);
    x->finished = true;
    wake(x);
    pthread_mutex_unlock(&x->lock);
}

/* Every line of it behind "data: ". */
static void add_data(gpa_text *to, const char *p, const char *end)
{
    while (end > p && end[-1] == '\n')
        end--;
    do {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop != NULL ? stop : end;
        gpai_text_add(to, "data: ");
        gpai_text_bytes(to, p, (size_t)(stop - p));
        gpai_text_add(to, "\n");
        p = stop < end ? stop + 1 : end;
    } while (p < end);
}

void exchange_event(struct exchange *x, const char *name, size_t id,
                    const gpa_text *data)
{
    pthread_mutex_lock(&x->lock);
    if (x->events == NULL && gpa_text_new(&x->events, NULL) != GPA_OK)
        x->cancelled = x->gone = true;
    if (!x->gone) {
        const char *p = gpa_text_data(data);
        gpai_text_printf(x->events, "event: %s\n", name);
        if (id != SIZE_MAX)
            gpai_text_printf(x->events, "id: %zu\n", id);
        add_data(x->events, p, p + gpa_text_length(data));
        gpai_text_add(x->events, "\n");
        x->gone = x->events->failed;
        x->cancelled = x->cancelled || x->gone;
    }
    x->streams = true;
    wake(x);
    pthread_mutex_unlock(&x->lock);
}

void exchange_failed(struct exchange *x, gpa_status st, const gpa_error *err)
{
    gpa_text *t = NULL;
    if (!x->ask.events) {
        reply_failed(&x->reply, st, err);
        return;
    }
    if (gpa_text_new(&t, NULL) == GPA_OK) {
        problem_json(t, problem_status(st),
                     err->message[0] != '\0' ? err->message : gpa_status_text(st));
        exchange_event(x, "problem", SIZE_MAX, t);
    }
    gpa_text_free(t);
}
