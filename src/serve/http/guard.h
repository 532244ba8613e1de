#ifndef GPA_SERVE_HTTP_GUARD_H
#define GPA_SERVE_HTTP_GUARD_H
#include <gpa/data.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Who may come in. A page of another site in the same browser can send requests here,
 * and a name that was given another address can even read the answers: so the host that
 * a request names, its origin and its secret are looked at before anything else. */

enum {
    TOKEN_LEAST = 16,
    TOKEN_MOST = 256,
    HOST_SIZE = 300,
    BASE_SIZE = 300,
    COOKIE_SIZE = 32
};

struct guard {
    char token[TOKEN_MOST + 1];
    char
        session[GPA_DIGEST_SIZE]; /* what the cookie holds: known only with the token */
    char cookie[COOKIE_SIZE];     /* its name: cookies are shared by all ports */
    char host[HOST_SIZE];         /* where it listens: 127.0.0.1, ::1, 0.0.0.0, … */
    unsigned port;
    bool local;                  /* nobody else can reach it */
    char base[BASE_SIZE];        /* /gpa/: begins and ends with a slash */
    char public[HOST_SIZE];      /* host[:port] of --base-url, or "" */
    char origin[HOST_SIZE + 16]; /* scheme://host[:port] of it, or "" */
};

/* --base-url: a path, or a URL whose host may then be named by requests, too. */
gpa_status guard_take_base(struct guard *g, const char *url, gpa_error *err);

/* A new token, from the system's random numbers. */
gpa_status guard_make_token(struct guard *g, gpa_error *err);
/* That of a file, which is made, for its owner's eyes only, when it is missing. */
gpa_status guard_read_token(struct guard *g, const char *path, gpa_error *err);

/* Once host, port and token are known. */
void guard_settle(struct guard *g);

/* Whether `host` is that of this machine alone. */
bool guard_is_loopback(const char *host);

/* Whether a request that names this host (NULL: none) was meant for us. */
bool guard_host(const struct guard *g, const char *host);
/* Whether this origin is our own; NULL, no origin, is: browsers leave it out only where
 * no other page is behind the request. */
bool guard_origin(const struct guard *g, const char *origin, const char *host);
/* The token itself, in the address or as "Bearer TOKEN"; the cookies' line. Takes the
 * same time whatever is in them. NULL: nothing. */
bool guard_token(const struct guard *g, const char *token);
bool guard_bearer(const struct guard *g, const char *authorization);
bool guard_cookie(const struct guard *g, const char *cookies);

/* The line that sets the cookie. */
enum { SET_COOKIE_SIZE = 700 };
void guard_set_cookie(const struct guard *g, char line[SET_COOKIE_SIZE]);

#endif
