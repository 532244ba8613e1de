#ifndef GPAI_MODEL_HTTP_TRANSPORT_HTTP_H
#define GPAI_MODEL_HTTP_TRANSPORT_HTTP_H
#include "model/http/transport/transfer.h"

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
