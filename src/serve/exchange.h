#ifndef GPA_SERVE_EXCHANGE_H
#define GPA_SERVE_EXCHANGE_H
#include "serve/http/reply.h"
#include "serve/http/request.h"
#include <gpa/model.h>
#include <pthread.h>
#include <stdatomic.h>

struct serving;
struct exchange;

/* How a question is answered: at once, or by a worker, who has a model. */
typedef void answer_fn(struct exchange *x, gpa_model *model);

/* A request and its answer. The connection and a worker hold it, and the last of them
 * frees it. Until the worker has finished nobody else touches `reply`. */
struct exchange {
    struct serving *on;
    struct request ask;
    struct reply reply;
    answer_fn *answer;
    atomic_int holders;
    double began;          /* seconds */
    atomic_bool cancelled; /* whoever holds which lock may say so */

    /* how it came and goes: of http/ alone */
    const struct route *route;
    struct client *client;
    char *target;         /* as it was sent */
    char set_cookie[700]; /* a line, once the token was shown */
    const char *same;     /* If-None-Match */
    size_t room;          /* of the body, as announced */
    bool headed, closes;

    pthread_mutex_t lock; /* of all that follows */
    unsigned id;          /* of the job; 0: it is none */
    bool working, finished;
    bool gone;        /* nobody reads what is sent */
    bool refused;     /* no worker took it */
    bool streams;     /* events; the status is 200 then, whatever happens later */
    gpa_text *events; /* that are to be sent */
    size_t taken;     /* bytes of them that are */
    bool waits;       /* the connection: wake it */
    int socket;       /* of the connection; -1: it is gone */
    void *connection; /* for wake */
    void (*wake)(void *connection);
    struct exchange *next; /* in a queue, or list of jobs */
};

struct exchange *exchange_new(struct serving *on);
void exchange_hold(struct exchange *x);
void exchange_drop(struct exchange *x); /* NULL is fine */

/* Whether nobody waits for the answer any more: cancelled, or the connection closed. To
 * be asked before every question to the model; as a gpa_progress_fn. */
bool exchange_unwanted(struct exchange *x);
int exchange_ends(void *exchange, uint64_t done, uint64_t total);

void exchange_cancel(struct exchange *x);
/* The connection is gone. */
void exchange_leave(struct exchange *x);
/* The answer is complete. */
void exchange_finish(struct exchange *x);

/* Sends an event: its name, an id (SIZE_MAX: none) and what is in `data`. */
void exchange_event(struct exchange *x, const char *name, size_t id,
                    const gpa_text *data);
/* The problem that ends it, as an event or as the answer. */
void exchange_failed(struct exchange *x, gpa_status st, const gpa_error *err);

double exchange_now(void); /* seconds */

#endif
