#ifndef GPA_SERVE_HTTP_REQUEST_H
#define GPA_SERVE_HTTP_REQUEST_H
#include <stdbool.h>
#include <stddef.h>

/* What a request asks for: its method, its path below the base, its parameters, decoded
 * once and held to be plain text. Nothing of it is ever taken as the name of a file. */

enum method { METHOD_GET, METHOD_HEAD, METHOD_POST, METHOD_DELETE, METHOD_OTHER };

enum { PARAMS = 512, TARGET_SIZE = 16384 }; /* at most */

struct param {
    const char *name, *value;
};

struct request {
    enum method method;
    const char *path; /* without the base and without a slash in front */
    struct param *params;
    size_t n_params;
    bool events; /* it would take an event stream */
    char *body;  /* with a zero behind it, or NULL */
    size_t body_size;
    void *block; /* owns path and parameters */
};

enum request_fault {
    REQUEST_FINE,
    REQUEST_BAD,       /* no text, or escapes that are none */
    REQUEST_ELSEWHERE, /* not below the base */
    REQUEST_LONG,
    REQUEST_NOMEM
};

enum method request_method(const char *word);

/* Takes a target such as /base/api/v1/rows?sort=score apart; `base` begins and ends
 * with a slash. To be freed in any case. */
enum request_fault request_take(struct request *r, const char *target,
                                const char *base);
void request_free(struct request *r);

/* The first parameter of this name; NULL: there is none. */
const char *request_param(const struct request *r, const char *name);
/* A whole number of at most `most`; `otherwise` where it is not given; false when it is
 * something else. */
bool request_count(const struct request *r, const char *name, size_t otherwise,
                   size_t most, size_t *value);

#endif
