#ifndef GPAI_MODEL_HTTP_TRANSPORT_ENDPOINT_H
#define GPAI_MODEL_HTTP_TRANSPORT_ENDPOINT_H
#include "base/text/show.h"
#include "model/http/transport/connections.h"
#include "model/spec.h"
#include <curl/curl.h>

enum { GPAI_ENDPOINT_HEADERS = 4 };

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

#endif
