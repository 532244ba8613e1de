#include "serve/http/send.h"
#include "base/text/text.h"
#include "serve/http/clients.h"
#include "serve/serving.h"
#include <stdio.h>
#include <string.h>

/* No code or style but our own files, nothing from elsewhere, in no frame. */
static const char PAGE_POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
    "blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/* A report or picture carries its style with it, and is nothing but looked at. */
static const char DOCUMENT_POLICY[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox";

enum { CHUNK = 32768 };

/* Seconds that a client has to take an answer; of events, the next of them. */
static const double TO_TAKE = 60;

void send_wake(void *connection)
{
    MHD_resume_connection(connection);
}

static void add(struct MHD_Response *r, const char *name, const char *value)
{
    (void)MHD_add_response_header(r, name, value);
}

/* Events that are there; the connection rests until there are more. */
static ssize_t read_events(void *exchange, uint64_t pos, char *to, size_t most)
{
    struct exchange *x = exchange;
    ssize_t got = 0;
    (void)pos;
    pthread_mutex_lock(&x->lock);
    gpa_text *t = x->events;
    size_t left = t != NULL ? t->length - x->taken : 0;
    if (left > 0) {
        size_t n = left < most ? left : most;
        memcpy(to, t->data + x->taken, n);
        x->taken += n;
        got = (ssize_t)n;
        client_give(x->client, TO_TAKE);
        if (x->taken == t->length) {
            gpa_text_clear(t);
            x->taken = 0;
        }
    } else if (x->finished || x->gone) {
        got = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        x->waits = true;
        client_give(x->client, 0); /* it is us who take time */
        MHD_suspend_connection(x->connection);
    }
    pthread_mutex_unlock(&x->lock);
    return got;
}

static void drop(void *exchange)
{
    exchange_drop(exchange);
}

static struct MHD_Response *stream_of(struct exchange *x)
{
    exchange_hold(x);
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, CHUNK,
                                                               read_events, x, drop);
    if (r == NULL) {
        exchange_drop(x);
        return NULL;
    }
    add(r, "Content-Type", "text/event-stream");
    add(r, "X-Accel-Buffering", "no"); /* a proxy passes on what there is */
    return r;
}

/* The reply stays as long as the exchange, which the connection holds until it is sent.
 */
static struct MHD_Response *whole_of(struct exchange *x)
{
    struct reply *p = &x->reply;
    union {
        const void *in;
        void *out;
    } bytes = {.in = p->body != NULL ? p->body->data : p->bytes};
    if (p->body != NULL && p->body->failed)
        reply_problem(p, 503, "out of memory");
    size_t size = p->body != NULL ? p->body->length : p->size;
    bytes.in = p->body != NULL ? p->body->data : p->bytes;
    struct MHD_Response *r =
        MHD_create_response_from_buffer(size, bytes.out, MHD_RESPMEM_PERSISTENT);
    if (r != NULL && p->type != NULL)
        add(r, "Content-Type", p->type);
    return r;
}

static void add_own(struct MHD_Response *r, const struct exchange *x)
{
    const struct reply *p = &x->reply;
    char text[200];
    if (p->etag != NULL)
        add(r, "ETag", p->etag);
    if (p->cookie != NULL)
        add(r, "Set-Cookie", p->cookie);
    if (p->allow != NULL && p->status == 405)
        add(r, "Allow", p->allow);
    if (p->status == 401)
        add(r, "WWW-Authenticate", "Bearer");
    if (p->retry > 0) {
        snprintf(text, sizeof text, "%u", p->retry);
        add(r, "Retry-After", text);
    }
    if (p->name[0] != '\0') {
        snprintf(text, sizeof text, "attachment; filename=\"%s\"", p->name);
        add(r, "Content-Disposition", text);
    }
    if (p->asked) {
        snprintf(text, sizeof text, "%ju", (uintmax_t)p->model_rows);
        add(r, "Gpa-Model-Rows", text);
    }
    snprintf(text, sizeof text, "total;dur=%.1f", 1e3 * (exchange_now() - x->began));
    add(r, "Server-Timing", text);
}

enum MHD_Result send_reply(struct exchange *x, struct MHD_Connection *c, bool quiet)
{
    const struct reply *p = &x->reply;
    client_give(x->client, TO_TAKE);
    bool fresh = !x->streams && p->etag != NULL && x->same != NULL &&
                 strcmp(x->same, p->etag) == 0;
    if (fresh) {
        x->reply.bytes = "";
        x->reply.size = 0;
    }
    struct MHD_Response *r = x->streams ? stream_of(x) : whole_of(x);
    if (r == NULL)
        return MHD_NO;
    add(r, "Content-Security-Policy", p->document ? DOCUMENT_POLICY : PAGE_POLICY);
    add(r, "X-Content-Type-Options", "nosniff");
    add(r, "Referrer-Policy", "no-referrer");
    add(r, "Cross-Origin-Resource-Policy", "same-origin");
    add(r, "Cross-Origin-Opener-Policy", "same-origin");
    add(r, "Cache-Control", p->etag != NULL ? "no-cache" : "no-store");
    add_own(r, x);
    if (quiet || x->closes)
        add(r, "Connection", "close");
    unsigned status = x->streams ? 200 : fresh ? 304 : (unsigned)p->status;
    struct metrics *m = &x->on->metrics;
    atomic_fetch_add(&m->answers[status / 100 < 6 ? status / 100 : 5], 1);
    if (status == 401 || status == 403)
        atomic_fetch_add(&m->refused, 1);
    enum MHD_Result done = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return done;
}
