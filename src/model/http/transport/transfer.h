#ifndef GPAI_MODEL_HTTP_TRANSPORT_TRANSFER_H
#define GPAI_MODEL_HTTP_TRANSPORT_TRANSFER_H
#include "model/http/transport/bytes.h"
#include "model/http/transport/endpoint.h"

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

#endif
