#ifndef GPAI_LINK_H
#define GPAI_LINK_H
#include "model/http/transport/bytes.h"
#include "model/http/transport/endpoint.h"

/* Why a reply is not taken in, apart from what curl says. */
typedef enum gpai_link_trouble {
    GPAI_LINK_FINE,
    GPAI_LINK_NOMEM,
    GPAI_LINK_LARGE,   /* more than `most` bytes */
    GPAI_LINK_HEADERS, /* headers without end */
    GPAI_LINK_ENCODED  /* compressed, which nobody asked for */
} gpai_link_trouble;

/* One connection's worth of traffic: a request on its way and the reply to it. */
typedef struct gpai_link {
    const gpai_site *site;
    CURL *easy;

    gpai_bytes request;
    size_t head; /* bytes of JSON before binary data; 0: it is all JSON */
    size_t most; /* bytes of a reply at most */

    gpai_bytes reply;
    size_t reply_head; /* the same as head; 0: all JSON */
    long status;       /* of HTTP; 0: no reply */
    double wait;       /* its Retry-After in seconds; 0: none, or a date */

    gpai_link_trouble trouble;
    size_t header_bytes;
    char problem[CURL_ERROR_SIZE];
    char head_line[64];
    struct curl_slist header; /* head_line, in front of the site's */
} gpai_link;

gpa_status gpai_link_new(gpai_link **out, const gpai_site *site, gpa_error *err);
void gpai_link_free(gpai_link *l);

/* Makes the handle ready to send the request, or (get) to fetch the URL, in at most
 * `seconds` (0: for ever). */
gpa_status gpai_link_aim(gpai_link *l, const char *url, bool get, double seconds,
                         gpa_error *err);

#endif
