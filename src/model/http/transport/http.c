#include "model/http/transport/http.h"
#include "base/alloc.h"
#include "base/status.h"
#include "model/http/transport/request.h"
#include <math.h>
#include <stdint.h>
#include <time.h>

struct gpai_http {
    gpai_site *site;
    CURLM *multi;
    gpai_lane *lane;
    size_t lanes;
    bool reached; /* there was a server, once */
};

double gpai_http_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

gpa_status gpai_http_new(gpai_http **out, gpai_site *site, gpa_error *err)
{
    *out = NULL;
    gpai_http *h = gpai_calloc(1, sizeof *h);
    if (h == NULL)
        return gpai_nomem(err, "http");
    h->site = site;
    h->lanes = site->gate.limit > 0 ? site->gate.limit : GPAI_GATE_FEW;
    h->lane = gpai_calloc(h->lanes, sizeof *h->lane);
    if (h->lane == NULL) {
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
    for (size_t i = 0; h->lane != NULL && i < h->lanes; i++)
        gpai_link_free(h->lane[i].link);
    curl_multi_cleanup(h->multi);
    gpai_free(h->lane);
    gpai_free(h);
}

/* Made when first needed: a handle that is never asked has no descriptors. */
static gpa_status prepare(gpai_http *h, size_t lanes, gpa_error *err)
{
    for (size_t i = 0; i < lanes; i++) {
        if (h->lane[i].link != NULL)
            continue;
        gpa_status st = gpai_link_new(&h->lane[i].link, h->site, err);
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
    size_t lanes, next; /* next: the first request that nobody has begun */
    int flying;
    bool busy;
    double wait;   /* seconds until something is to be done, 1 at most */
    size_t failed; /* the first request that did; SIZE_MAX: none */
    gpai_mishap why;
};

/* Of several mishaps the one of the first request counts, whatever came in first, so
 * that the same rows fail in the same way each time. */
static void note(struct traffic *t, size_t request, const gpai_mishap *m)
{
    if (m->err.status == GPA_OK || request >= t->failed)
        return;
    t->failed = request;
    t->why = *m;
}

/* Begins a request when a lane is idle: one at a time, so that it is on its way while
 * the next is written. Sends again what has waited long enough. */
static void supply(struct traffic *t)
{
    double now = gpai_http_now();
    gpai_http *h = t->http;
    bool begun = false;
    t->flying = 0;
    t->busy = false;
    t->wait = 1;
    for (size_t i = 0; i < t->lanes; i++) {
        gpai_mishap m = {.err = {GPA_OK, ""}};
        gpai_lane *l = &h->lane[i];
        bool more = t->next < t->job->requests && t->failed == SIZE_MAX;
        if (l->state == GPAI_IDLE && more && begun) {
            t->wait = 0;
        } else if (l->state == GPAI_IDLE && more) {
            begun = true;
            gpai_lane_begin(l, h->multi, t->job, t->next++, &m);
        } else if (l->state == GPAI_PAUSED && l->due <= now) {
            gpai_lane_resume(l, h->multi, t->job, &m);
        }
        note(t, l->request, &m);
        if (l->state == GPAI_PAUSED)
            t->wait = fmin(t->wait, fmax(l->due - now, 0));
        t->flying += l->state == GPAI_FLYING;
        t->busy = t->busy || (l->state != GPAI_IDLE && l->request < t->failed);
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
    return code == CURLM_OK ? GPA_OK
                            : gpai_fail(err, GPA_MODEL, "%s: %s", t->http->site->who,
                                        curl_multi_strerror(code));
}

static gpai_lane *lane_of(gpai_http *h, const CURL *easy)
{
    size_t i = 0;
    while (h->lane[i].link == NULL || h->lane[i].link->easy != easy)
        i++;
    return &h->lane[i];
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
        gpai_lane *l = lane_of(h, message->easy_handle);
        gpai_lane_end(l, h->multi, t->job, message->data.result, &h->reached, &m);
        note(t, l->request, &m);
    }
}

static void run(struct traffic *t)
{
    gpai_mishap m = {.err = {GPA_OK, ""}};
    m.err.status = prepare(t->http, t->lanes, &m.err);
    while (m.err.status == GPA_OK) {
        supply(t);
        if (!t->busy)
            break;
        m.err.status = turn(t, &m.err);
        collect(t);
    }
    note(t, 0, &m);
    for (size_t i = 0; i < t->lanes; i++)
        gpai_lane_stop(&t->http->lane[i], t->http->multi);
}

gpa_status gpai_http_run(gpai_http *h, gpai_job *job, gpa_error *err)
{
    struct traffic t = {.http = h, .job = job, .failed = SIZE_MAX};
    size_t wanted = job->requests < h->lanes ? job->requests : h->lanes;
    gpa_status st = gpai_gate_enter(&h->site->gate, wanted, &t.lanes, err);
    job->status = 0;
    job->dead = false;
    if (st != GPA_OK)
        return st;
    run(&t);
    job->status = t.why.status;
    job->dead = t.why.dead;
    gpai_gate_leave(&h->site->gate, t.lanes, job->dead ? &t.why.err : NULL);
    st = t.why.err.status;
    return st == GPA_OK ? st : gpai_fail(err, st, "%s", t.why.err.message);
}
