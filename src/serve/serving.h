#ifndef GPA_SERVE_SERVING_H
#define GPA_SERVE_SERVING_H
#include "serve/http/guard.h"
#include "serve/jobs.h"
#include "serve/metrics.h"
#include "study/study.h"

/* Everything that is served: one study, opened once. */

enum state { STATE_SCORING, STATE_READY, STATE_STOPPED, STATE_FAILED };

enum {
    EXPLAIN_ROWS = 500, /* rows of one question at most */
    PAGE_ROWS = 500,
    POINTS = 5000,       /* of a map; beyond, bins */
    BODY_SIZE = 1 << 20, /* bytes of a request */
    QUEUE = 64           /* questions that may wait for a worker */
};

/* What is known of a row, from questions without changes. */
struct who {
    unsigned verdict : 4; /* gpa_verdict */
    unsigned first : 28;  /* the input that the verdict names first */
    unsigned exchanged : 1;
    unsigned n_also : 2; /* inputs that the verdict names beside the first */
    unsigned also[2];
    float responsible, output;
};

struct serving {
    struct guard guard;
    struct metrics metrics;
    gpa_study *study;
    bool png; /* pictures can be PNG */

    atomic_int state;     /* enum state; what is below is complete beyond SCORING */
    atomic_size_t scored; /* rows that have f */
    atomic_bool enough;   /* no more of them are wanted */
    pthread_t scorer;
    gpa_error failed;   /* why, with STATE_FAILED */
    gpa_text *about[2]; /* what the inputs are: while scoring; afterwards */
    struct jobs *slow, *quick;
    atomic_uint next_id; /* of jobs */
    struct rows *rows;
    bool settles; /* the scorer holds the lock of the rows */

    pthread_mutex_t lock; /* of these: */
    struct who *who;      /* one per row */
    size_t explained;     /* how many are known */
};

/* Reads the data and says what the inputs are; then scores in a thread of its own. */
gpa_status serving_open(struct serving *v, const gpai_options *given, gpa_error *err);
gpa_status serving_start(struct serving *v, gpa_error *err);
/* False: a question to the model hangs, and there is nothing to be done about it. */
bool serving_drain(struct serving *v, double seconds);
void serving_close(struct serving *v);

enum state serving_state(struct serving *v);
const char *serving_state_name(enum state state);
/* Whether questions can be answered; if not, the reply says why. */
bool serving_ready(struct exchange *x);

/* Remembers what an explanation of one row says. */
gpa_status serving_learn(struct serving *v, const gpa_explanation *e, gpa_error *err);
struct who serving_who(struct serving *v, size_t row);

#endif
