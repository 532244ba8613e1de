#ifndef GPAI_MODEL_HTTP_TRANSPORT_HTTP_H
#define GPAI_MODEL_HTTP_TRANSPORT_HTTP_H
#include "model/http/transport/bytes.h"
#include "model/http/transport/endpoint.h"

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
