#ifndef GPAI_MODEL_HTTP_TRANSPORT_HTTP_H
#define GPAI_MODEL_HTTP_TRANSPORT_HTTP_H
#include "base/text/show.h"
#include "model/http/transport/bytes.h"
#include "model/http/transport/libcurl.h"
#include "model/spec.h"
#include <pthread.h>

/* How many connections all handles on a server may use together. */
typedef struct gpai_connections {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ready;   /* there is something to destroy */
    size_t limit; /* 0: one per handle at work, and a few more while there are few */
    size_t used, waiting, failures;
    gpa_error last; /* why the last call failed */
} gpai_connections;

enum { GPAI_CONNECTIONS_FEW = 4, GPAI_ENDPOINT_HEADERS = 4 };

/* Where a server is and how it is spoken to: what the connections of all handles share.
 * Constant once opened, but for the connections. */
typedef struct gpai_endpoint {
    char who[192];           /* "v2: http://host/…", to begin messages with */
    char *url;               /* without the ending that makes it a call */
    double timeout;          /* seconds; 0: for ever */
    bool loopback;           /* this very machine: never through a proxy */
    char *auth;              /* a header line, or NULL */
    char *ca_file, *ca_path; /* whose certificates are believed; NULL: the system's */
    char agent[48];
    gpai_curl curl;
    struct curl_slist header[GPAI_ENDPOINT_HEADERS]; /* all, as a list */
    gpai_connections connections;
} gpai_endpoint;

/* What the URLs of a protocol look like. */
typedef struct gpai_url_form {
    const char *kind;   /* "v2" */
    const char *must;   /* "/v2/models/", which a name must follow; NULL: anything */
    const char *ending; /* "/infer": fine when it is there, and dropped */
    const char *like;   /* "http://HOST:8000/v2/models/NAME", for messages */
} gpai_url_form;

/* Fills a zeroed endpoint from s->rest and s->auth. GPA_INVALID for a URL of another
 * form; to be closed also when it fails. */
gpa_status gpai_endpoint_open(gpai_endpoint *endpoint, const gpai_url_form *form,
                              const gpai_spec *s, gpa_error *err);
void gpai_endpoint_close(gpai_endpoint *endpoint);

/* Takes what a server said of our secret out of a message (when there is one). */
void gpai_endpoint_hush(const gpai_endpoint *endpoint, gpa_error *err);

/* The endpoint's URL with `ending`, in fresh memory; NULL without. */
char *gpai_endpoint_url(const gpai_endpoint *endpoint, const char *ending);

/* Between 1 and `wanted` connections, for one call; waits until there is one. When the
 * call of another handle fails meanwhile this fails with it: behind a dead server the
 * time-outs of many handles must not add up. */
gpa_status gpai_connections_take(gpai_connections *c, size_t wanted, size_t *got,
                                 gpa_error *err);

/* Gives them back; `err` says why, when the call failed (NULL: it did not). */
void gpai_connections_return(gpai_connections *c, size_t got, const gpa_error *err);

/* The header line that proves who we are, in fresh memory: `where` is env:NAME or
 * file:PATH, and holds a token ("Authorization: Bearer TOKEN"), a scheme and its value
 * ("Basic dXNlcjpwYXNz") or a whole header ("X-Api-Key: KEY"). Messages never show what
 * is in there, nor `where`, which could be a secret by mistake. */
gpa_status gpai_auth_header(char **out, const char *where, gpa_error *err);

/* Replaces what `text` (room for `size` bytes) has of the secret in such a header line
 * by ***: all of it, or six characters and more in a row, for servers say what they
 * were sent, and messages are cut. Also where they quoted it (%2F, \x2f, \u002f). */
void gpai_auth_blank(const char *header, char *text, size_t size);

/* What a server said went wrong, as one safe line; empty when it said nothing. */
typedef struct gpai_server_message {
    char text[224];
} gpai_server_message;

/* Knows {"error": …}, {"error_code": …, "message": …}, {"detail": …} with a text or a
 * list of {"loc": …, "msg": …}, the title of an HTML page, and plain text. */
gpai_server_message gpai_server_message_read(const char *body, size_t size);

/* One connection's worth of traffic: a request on its way and the reply to it. */
typedef struct gpai_transfer {
    const gpai_endpoint *endpoint;
    CURL *easy;

    gpai_bytes request;
    size_t head; /* bytes of JSON before binary data; 0: it is all JSON */
    size_t most; /* bytes of a reply at most */

    gpai_bytes reply;
    size_t reply_head; /* the same as head; 0: all JSON */
    long status;       /* of HTTP; 0: no reply */
    double wait;       /* its Retry-After in seconds; 0: none, or a date */

    const char *trouble; /* why it is not taken in, apart from what curl says; NULL */
    bool large;          /* more than `most` bytes */
    size_t header_bytes;
    char problem[CURL_ERROR_SIZE];
    char head_line[64];
    struct curl_slist header; /* head_line, in front of the endpoint's */
} gpai_transfer;

gpa_status gpai_transfer_new(gpai_transfer **out, const gpai_endpoint *endpoint,
                             gpa_error *err);
void gpai_transfer_free(gpai_transfer *t);

/* Makes the handle ready to send the request, or (get) to fetch the URL, in at most
 * `seconds` (0: for ever). */
gpa_status gpai_transfer_aim(gpai_transfer *t, const char *url, bool get,
                             double seconds, gpa_error *err);

/* What went wrong with a request, in one line; all GPA_MODEL, or GPA_NOMEM. `tries` is
 * how often it was sent. */
gpa_status gpai_transfer_fail_time(const gpai_transfer *t, gpa_error *err);
gpa_status gpai_transfer_fail(const gpai_transfer *t, CURLcode code, int tries,
                              gpa_error *err);

/* A reply of another status than 2xx; `asked` is its Retry-After, in seconds. */
gpa_status gpai_transfer_fail_status(const gpai_transfer *t, double asked, int tries,
                                     gpa_error *err);

/* Requests to one server over connections that stay open: several under way at once,
 * tried again where that can help. One handle's own; not for two threads. */
typedef struct gpai_http gpai_http;

/* What is asked. The functions are given `self` and the number of the request. */
typedef struct gpai_job {
    void *self;
    size_t requests;
    const char *url;
    bool get;        /* fetch it: `write` is not called */
    bool once;       /* do not try again after a lost connection */
    double deadline; /* by gpai_http_now; 0: each request has the endpoint's time-out */

    /* Fills t->request, t->head and t->most. It may be called again for a request. */
    gpa_status (*write)(void *self, size_t i, gpai_transfer *t, gpa_error *err);
    /* Reads t->reply, whose HTTP status is 2xx. In any order. */
    gpa_status (*read)(void *self, size_t i, const gpai_transfer *t, gpa_error *err);

    long status; /* what came of it: that of HTTP when it made the job fail; 0 */
} gpai_job;

gpa_status gpai_http_new(gpai_http **out, gpai_endpoint *endpoint, gpa_error *err);
void gpai_http_free(gpai_http *h);

/* Carries out the job. GPA_MODEL, saying why, when the server does not. */
gpa_status gpai_http_run(gpai_http *h, gpai_job *job, gpa_error *err);

/* Seconds on a clock that only goes forward. */
double gpai_http_now(void);

#endif
