#ifndef GPA_SERVE_HTTP_HTTP_H
#define GPA_SERVE_HTTP_HTTP_H
#include "serve/serving.h"

/* The server, on libmicrohttpd: reads requests within limits, lets the guard look at
 * them, finds who answers, sends what they say. */
struct http;

/* Listens where v->guard says; a port of 0 becomes the one that was free. */
gpa_status http_open(struct http **out, struct serving *v, gpa_error *err);
/* No more connections. */
void http_quiet(struct http *h);
void http_close(struct http *h);

#endif
