#ifndef GPA_SERVE_HTTP_REPLY_H
#define GPA_SERVE_HTTP_REPLY_H
#include <gpa/report.h>
#include <gpa/status.h>
#include <stdbool.h>
#include <stdint.h>

/* What is answered. */
struct reply {
    int status;
    const char *type;  /* of the content */
    gpa_text *body;    /* owned; NULL: `bytes` */
    const void *bytes; /* that stay */
    size_t size;
    const char *etag;   /* of bytes that stay */
    char name[96];      /* "": shown; else saved under this name */
    bool document;      /* made by gpa for a file: it has its style with it */
    const char *cookie; /* line of the cookie to set; stays until it is sent */
    const char *allow;  /* methods, with 405 */
    unsigned retry;     /* seconds, with 503 */
    bool asked;         /* the model was, for so many rows: */
    uint64_t model_rows;
};

#define TYPE_JSON "application/json"

/* A place to write the body into; NULL without memory, and the reply says so. */
gpa_text *reply_text(struct reply *r, const char *type);

/* A problem (RFC 9457) in place of everything; `detail` is a sentence for people. */
void reply_problem(struct reply *r, int status, const char *detail, ...)
    __attribute__((format(printf, 3, 4)));
/* What a failed call of the library says. */
void reply_failed(struct reply *r, gpa_status st, const gpa_error *err);

/* The parts of it: its JSON, and the status that goes with one of ours. */
void problem_json(gpa_text *t, int status, const char *detail);
int problem_status(gpa_status st);

void reply_free(struct reply *r);

#endif
