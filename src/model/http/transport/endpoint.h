#ifndef GPAI_MODEL_HTTP_TRANSPORT_ENDPOINT_H
#define GPAI_MODEL_HTTP_TRANSPORT_ENDPOINT_H
#include "base/text/show.h"
#include "model/spec.h"
#include <curl/curl.h>
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

#endif
