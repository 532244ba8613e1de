#include "model/http/transport/connections.h"
#include "base/status.h"

bool gpai_gate_init(gpai_gate *g, size_t limit)
{
    *g = (gpai_gate){.limit = limit};
    if (pthread_mutex_init(&g->lock, NULL) != 0)
        return false;
    g->ready = pthread_cond_init(&g->changed, NULL) == 0;
    if (!g->ready)
        pthread_mutex_destroy(&g->lock);
    return g->ready;
}

void gpai_gate_destroy(gpai_gate *g)
{
    if (!g->ready)
        return;
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
}

/* The lock is held. */
static gpa_status wait_for_one(gpai_gate *g, gpa_error *err)
{
    size_t failures = g->failures;
    gpa_status st = GPA_OK;
    g->waiting++;
    while (g->limit > 0 && g->used >= g->limit && g->failures == failures)
        pthread_cond_wait(&g->changed, &g->lock);
    g->waiting--;
    if (g->failures != failures)
        st = gpai_fail(err, g->last.status, "%s", g->last.message);
    return st;
}

gpa_status gpai_gate_enter(gpai_gate *g, size_t wanted, size_t *got, gpa_error *err)
{
    pthread_mutex_lock(&g->lock);
    gpa_status st = wait_for_one(g, err);
    size_t most = g->limit > 0 ? g->limit : GPAI_GATE_FEW;
    *got = 0;
    if (st == GPA_OK) {
        *got = 1;
        /* the others' first connection goes before our second */
        while (*got < wanted && g->waiting == 0 && g->used + *got < most)
            ++*got;
        g->used += *got;
    }
    pthread_mutex_unlock(&g->lock);
    return st;
}

void gpai_gate_leave(gpai_gate *g, size_t got, const gpa_error *err)
{
    pthread_mutex_lock(&g->lock);
    g->used -= got;
    if (err != NULL) {
        g->failures++;
        g->last = *err;
    }
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}
