#include "model/http/transport/connections.h"
#include "base/status.h"

bool gpai_connections_init(gpai_connections *c, size_t limit)
{
    *c = (gpai_connections){.limit = limit};
    if (pthread_mutex_init(&c->lock, NULL) != 0)
        return false;
    c->ready = pthread_cond_init(&c->changed, NULL) == 0;
    if (!c->ready)
        pthread_mutex_destroy(&c->lock);
    return c->ready;
}

void gpai_connections_destroy(gpai_connections *c)
{
    if (!c->ready)
        return;
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
}

/* The lock is held. */
static gpa_status wait_for_one(gpai_connections *c, gpa_error *err)
{
    size_t failures = c->failures;
    gpa_status st = GPA_OK;
    c->waiting++;
    while (c->limit > 0 && c->used >= c->limit && c->failures == failures)
        pthread_cond_wait(&c->changed, &c->lock);
    c->waiting--;
    if (c->failures != failures)
        st = gpai_fail(err, c->last.status, "%s", c->last.message);
    return st;
}

gpa_status gpai_connections_take(gpai_connections *c, size_t wanted, size_t *got,
                                 gpa_error *err)
{
    pthread_mutex_lock(&c->lock);
    gpa_status st = wait_for_one(c, err);
    size_t most = c->limit > 0 ? c->limit : GPAI_CONNECTIONS_FEW;
    *got = 0;
    if (st == GPA_OK) {
        *got = 1;
        /* the others' first connection goes before our second */
        while (*got < wanted && c->waiting == 0 && c->used + *got < most)
            ++*got;
        c->used += *got;
    }
    pthread_mutex_unlock(&c->lock);
    return st;
}

void gpai_connections_return(gpai_connections *c, size_t got, const gpa_error *err)
{
    pthread_mutex_lock(&c->lock);
    c->used -= got;
    if (err != NULL) {
        c->failures++;
        c->last = *err;
    }
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}
