#include "model/http/transport/http.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>
#include <time.h>

/* Tries of a request, and the pause before the second; each later one is four times as
 * long. Bytes of a reply to a GET at most. */
enum { TRIES = 4, MAX_GET = 1 << 24 };
static const double FIRST_PAUSE = 0.1;

/* A transfer and the request of a job that it carries, from its first try to its end.
 */
struct request {
    gpai_transfer *transfer; /* NULL until it is needed */
    enum { IDLE, FLYING, PAUSED } state;
    size_t index;
    int tries;
    double deadline; /* by gpai_http_now; HUGE_VAL: none */
    double due;      /* when the pause ends */
};

struct gpai_http {
    gpai_endpoint *endpoint;
    CURLM *multi;
    struct request *request;
    size_t most;  /* of them at once */
    bool reached; /* there was a server, once */
};

/* How a request ended badly. */
struct mishap {
    gpa_error err; /* its status is GPA_OK when it did not */
    long status;   /* of HTTP, when that was it; 0 */
    bool dead;     /* there was no reply */
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
    if (h->multi != NULL)
        h->endpoint->curl.multi_free(h->multi);
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
        h->multi = h->endpoint->curl.multi_new();
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
    struct mishap why;
};

/* Of several mishaps the one of the first request counts, whatever came in first, so
 * that the same rows fail in the same way each time. */
static void note(struct traffic *t, size_t index, const struct mishap *m)
{
    if (m->err.status == GPA_OK || index >= t->failed)
        return;
    t->failed = index;
    t->why = *m;
}

/* Sends a request, for the first time or once more. */
static gpa_status send_request(struct traffic *t, struct request *r, gpa_error *err)
{
    double seconds = 0;
    r->state = IDLE;
    if (r->deadline < HUGE_VAL) {
        seconds = r->deadline - gpai_http_now();
        if (seconds <= 0)
            return gpai_transfer_fail_time(r->transfer, err);
    }
    gpa_status st =
        gpai_transfer_aim(r->transfer, t->job->url, t->job->get, seconds, err);
    if (st != GPA_OK)
        return st;
    if (t->http->endpoint->curl.multi_add(t->http->multi, r->transfer->easy) !=
        CURLM_OK)
        return gpai_nomem(err, "http");
    r->state = FLYING;
    r->tries++;
    return GPA_OK;
}

/* Writes the next request of the job, and sends it. */
static gpa_status begin(struct traffic *t, struct request *r, gpa_error *err)
{
    const gpai_job *job = t->job;
    double timeout = r->transfer->endpoint->timeout;
    gpa_status st = GPA_OK;
    r->index = t->next++;
    r->tries = 0;
    r->transfer->head = 0;
    r->transfer->most = MAX_GET;
    gpai_bytes_clear(&r->transfer->request);
    if (!job->get)
        st = job->write(job->self, r->index, r->transfer, err);
    if (st == GPA_OK && r->transfer->request.failed)
        st = gpai_nomem(err, "http");
    r->deadline = job->deadline > 0 ? job->deadline
                  : timeout > 0     ? gpai_http_now() + timeout
                                    : HUGE_VAL;
    return st == GPA_OK ? send_request(t, r, err) : st;
}

/* Whether the connection was lost, in a way that another one may not be. */
static bool was_lost(CURLcode code, bool reached)
{
    return code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR ||
           code == CURLE_GOT_NOTHING || code == CURLE_PARTIAL_FILE ||
           (code == CURLE_COULDNT_CONNECT && reached);
}

/* Begins a pause, as long as asked if not longer; false when no try is left. */
static bool pause_request(struct request *r, double asked)
{
    double pause = FIRST_PAUSE * pow(4, r->tries - 1);
    if (r->tries >= TRIES)
        return false;
    r->due = gpai_http_now() + fmax(pause, asked);
    if (r->due >= r->deadline)
        return false;
    r->state = PAUSED;
    return true;
}

/* No reply. */
static gpa_status take_failure(const struct traffic *t, struct request *r,
                               CURLcode code, struct mishap *m)
{
    bool again = !t->job->once && r->transfer->trouble == NULL &&
                 was_lost(code, t->http->reached);
    if (again && pause_request(r, 0))
        return GPA_OK;
    m->dead = true;
    if (code == CURLE_OPERATION_TIMEDOUT && gpai_http_now() >= r->deadline - 0.05)
        return gpai_transfer_fail_time(r->transfer, &m->err);
    return gpai_transfer_fail(r->transfer, code, r->tries, &m->err);
}

static gpa_status take_reply(struct request *r, const gpai_job *job, struct mishap *m)
{
    gpai_transfer *t = r->transfer;
    const gpai_curl *curl = &t->endpoint->curl;
    curl_off_t date = 0;
    (void)curl->easy_get(t->easy, CURLINFO_RESPONSE_CODE, &t->status);
    (void)curl->easy_get(t->easy, CURLINFO_RETRY_AFTER, &date);
    double asked = t->wait > 0 ? t->wait : (double)date;
    if (t->status / 100 == 2)
        return job->read(job->self, r->index, t, &m->err);
    if ((t->status == 429 || t->status == 503) && pause_request(r, asked))
        return GPA_OK;
    m->status = t->status;
    return gpai_transfer_fail_status(t, asked, r->tries, &m->err);
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
        struct mishap m = {.err = {GPA_OK, ""}};
        struct request *r = &h->request[i];
        bool more = t->next < t->job->requests && t->failed == SIZE_MAX;
        if (r->state == IDLE && more && begun) {
            t->wait = 0;
        } else if (r->state == IDLE && more) {
            begun = true;
            m.err.status = begin(t, r, &m.err);
        } else if (r->state == PAUSED && r->due <= now) {
            m.err.status = send_request(t, r, &m.err);
        }
        note(t, r->index, &m);
        if (r->state == PAUSED)
            t->wait = fmin(t->wait, fmax(r->due - now, 0));
        t->flying += r->state == FLYING;
        t->busy = t->busy || (r->state != IDLE && r->index < t->failed);
    }
}

/* Moves bytes; when no transfer ended by that, sleeps until there are more. */
static gpa_status turn(struct traffic *t, gpa_error *err)
{
    CURLM *multi = t->http->multi;
    const gpai_curl *curl = &t->http->endpoint->curl;
    int running = 0;
    CURLMcode code = curl->multi_perform(multi, &running);
    if (code == CURLM_OK && running == t->flying && t->wait > 0)
        code = curl->multi_poll(multi, NULL, 0, (int)(t->wait * 1000) + 1, NULL);
    if (code == CURLM_OUT_OF_MEMORY)
        return gpai_nomem(err, "http");
    return code == CURLM_OK ? GPA_OK
                            : gpai_fail(err, GPA_MODEL, "%s: %s",
                                        t->http->endpoint->who, curl->multi_text(code));
}

static struct request *request_of(gpai_http *h, const CURL *easy)
{
    size_t i = 0;
    while (h->request[i].transfer == NULL || h->request[i].transfer->easy != easy)
        i++;
    return &h->request[i];
}

/* Takes every transfer that ended: reads the reply, or begins a pause, or gives up. */
static void collect(struct traffic *t)
{
    gpai_http *h = t->http;
    const gpai_curl *curl = &h->endpoint->curl;
    const CURLMsg *message;
    for (int left = 0; (message = curl->multi_read(h->multi, &left)) != NULL;) {
        struct mishap m = {.err = {GPA_OK, ""}};
        if (message->msg != CURLMSG_DONE)
            continue;
        struct request *r = request_of(h, message->easy_handle);
        CURLcode code = message->data.result;
        curl->multi_remove(h->multi, r->transfer->easy);
        r->state = IDLE;
        m.err.status =
            code == CURLE_OK ? take_reply(r, t->job, &m) : take_failure(t, r, code, &m);
        h->reached = h->reached || code == CURLE_OK;
        note(t, r->index, &m);
    }
}

static void run(struct traffic *t)
{
    struct mishap m = {.err = {GPA_OK, ""}};
    m.err.status = prepare(t->http, t->at_once, &m.err);
    while (m.err.status == GPA_OK) {
        supply(t);
        if (!t->busy)
            break;
        m.err.status = turn(t, &m.err);
        collect(t);
    }
    note(t, 0, &m);
    for (size_t i = 0; i < t->at_once; i++) { /* whatever they are doing */
        struct request *r = &t->http->request[i];
        if (r->state == FLYING)
            t->http->endpoint->curl.multi_remove(t->http->multi, r->transfer->easy);
        r->state = IDLE;
    }
}

gpa_status gpai_http_run(gpai_http *h, gpai_job *job, gpa_error *err)
{
    struct traffic t = {.http = h, .job = job, .failed = SIZE_MAX};
    size_t wanted = job->requests < h->most ? job->requests : h->most;
    gpa_status st =
        gpai_connections_take(&h->endpoint->connections, wanted, &t.at_once, err);
    job->status = 0;
    if (st != GPA_OK)
        return st;
    run(&t);
    job->status = t.why.status;
    gpai_connections_return(&h->endpoint->connections, t.at_once,
                            t.why.dead ? &t.why.err : NULL);
    st = t.why.err.status;
    return st == GPA_OK ? st : gpai_fail(err, st, "%s", t.why.err.message);
}
