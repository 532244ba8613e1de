#include "model/http/transport/http.h"
#include "base/alloc.h"
#include "base/status.h"
#include "model/http/transport/request.h"
#include <math.h>
#include <stdint.h>
#include <time.h>

struct gpai_http {
    gpai_endpoint *endpoint;
    CURLM *multi;
    gpai_request *request;
    size_t most;  /* of them at once */
    bool reached; /* there was a server, once */
};

double gpai_http_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

gpa_status gpai_http_new(gpai_http **out, gpai_endpoint *endpoint, gpa_error *err)
{
    *out = NULL;
    gpai_http *h = gpai_calloc(1, sizeof *h);
    if (h == NULL)
        return gpai_nomem(err, "http");
    h->endpoint = endpoint;
    h->most = endpoint->connections.limit > 0 ? endpoint->connections.limit
                                              : GPAI_CONNECTIONS_FEW;
    h->request = gpai_calloc(h->most, sizeof *h->request);
    if (h->request == NULL) {
        gpai_http_free(h);
        return gpai_nomem(err, "http");
    }
    *out = h;
    return GPA_OK;
}

void gpai_http_free(gpai_http *h)
{
    if (h == NULL)
        return;
    for (size_t i = 0; h->request != NULL && i < h->most; i++)
        gpai_transfer_free(h->request[i].transfer);
    curl_multi_cleanup(h->multi);
    gpai_free(h->request);
    gpai_free(h);
}

/* Made when first needed: a handle that is never asked has no descriptors. */
static gpa_status prepare(gpai_http *h, size_t at_once, gpa_error *err)
{
    for (size_t i = 0; i < at_once; i++) {
        if (h->request[i].transfer != NULL)
            continue;
        gpa_status st = gpai_transfer_new(&h->request[i].transfer, h->endpoint, err);
        if (st != GPA_OK)
            return st;
    }
    if (h->multi == NULL)
        h->multi = curl_multi_init();
    return h->multi == NULL ? gpai_nomem(err, "http") : GPA_OK;
}

/* A job under way. */
struct traffic {
    gpai_http *http;
    const gpai_job *job;
    size_t at_once, next; /* next: the first request that nobody has begun */
    int flying;
    bool busy;
    double wait;   /* seconds until something is to be done, 1 at most */
    size_t failed; /* the first request that did; SIZE_MAX: none */
    gpai_mishap why;
};

/* Of several mishaps the one of the first request counts, whatever came in first, so
 * that the same rows fail in the same way each time. */
static void note(struct traffic *t, size_t index, const gpai_mishap *m)
{
    if (m->err.status == GPA_OK || index >= t->failed)
        return;
    t->failed = index;
    t->why = *m;
}

/* Begins a request when a connection is idle: one at a time, so that it is on its way
 * while the next is written. Sends again what has waited long enough. */
static void supply(struct traffic *t)
{
    double now = gpai_http_now();
    gpai_http *h = t->http;
    bool begun = false;
    t->flying = 0;
    t->busy = false;
    t->wait = 1;
    for (size_t i = 0; i < t->at_once; i++) {
        gpai_mishap m = {.err = {GPA_OK, ""}};
        gpai_request *r = &h->request[i];
        bool more = t->next < t->job->requests && t->failed == SIZE_MAX;
        if (r->state == GPAI_IDLE && more && begun) {
            t->wait = 0;
        } else if (r->state == GPAI_IDLE && more) {
            begun = true;
            gpai_request_begin(r, h->multi, t->job, t->next++, &m);
        } else if (r->state == GPAI_PAUSED && r->due <= now) {
            gpai_request_resume(r, h->multi, t->job, &m);
        }
        note(t, r->index, &m);
        if (r->state == GPAI_PAUSED)
            t->wait = fmin(t->wait, fmax(r->due - now, 0));
        t->flying += r->state == GPAI_FLYING;
        t->busy = t->busy || (r->state != GPAI_IDLE && r->index < t->failed);
    }
}

/* Moves bytes; when no transfer ended by that, sleeps until there are more. */
static gpa_status turn(struct traffic *t, gpa_error *err)
{
    CURLM *multi = t->http->multi;
    int running = 0;
    CURLMcode code = curl_multi_perform(multi, &running);
    if (code == CURLM_OK && running == t->flying && t->wait > 0)
        code = curl_multi_poll(multi, NULL, 0, (int)(t->wait * 1000) + 1, NULL);
    if (code == CURLM_OUT_OF_MEMORY)
        return gpai_nomem(err, "http");
    return code == CURLM_OK
               ? GPA_OK
               : gpai_fail(err, GPA_MODEL, "%s: %s", t->http->endpoint->who,
                           curl_multi_strerror(code));
}

static gpai_request *request_of(gpai_http *h, const CURL *easy)
{
    size_t i = 0;
    while (h->request[i].transfer == NULL || h->request[i].transfer->easy != easy)
        i++;
    return &h->request[i];
}

/* Takes every transfer that ended. */
static void collect(struct traffic *t)
{
    gpai_http *h = t->http;
    const CURLMsg *message;
    for (int left = 0; (message = curl_multi_info_read(h->multi, &left)) != NULL;) {
        gpai_mishap m = {.err = {GPA_OK, ""}};
        if (message->msg != CURLMSG_DONE)
            continue;
        gpai_request *r = request_of(h, message->easy_handle);
        gpai_request_end(r, h->multi, t->job, message->data.result, &h->reached, &m);
        note(t, r->index, &m);
    }
}

static void run(struct traffic *t)
{
    gpai_mishap m = {.err = {GPA_OK, ""}};
    m.err.status = prepare(t->http, t->at_once, &m.err);
    while (m.err.status == GPA_OK) {
        supply(t);
        if (!t->busy)
            break;
        m.err.status = turn(t, &m.err);
        collect(t);
    }
    note(t, 0, &m);
    for (size_t i = 0; i < t->at_once; i++)
        gpai_request_stop(&t->http->request[i], t->http->multi);
}

gpa_status gpai_http_run(gpai_http *h, gpai_job *job, gpa_error *err)
{
    struct traffic t = {.http = h, .job = job, .failed = SIZE_MAX};
    size_t wanted = job->requests < h->most ? job->requests : h->most;
    gpa_status st =
        gpai_connections_take(&h->endpoint->connections, wanted, &t.at_once, err);
    job->status = 0;
    job->dead = false;
    if (st != GPA_OK)
        return st;
    run(&t);
    job->status = t.why.status;
    job->dead = t.why.dead;
    gpai_connections_return(&h->endpoint->connections, t.at_once,
                            job->dead ? &t.why.err : NULL);
    st = t.why.err.status;
    return st == GPA_OK ? st : gpai_fail(err, st, "%s", t.why.err.message);
}
