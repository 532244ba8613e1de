#ifndef GPA_WATCH_EPISODES_H
#define GPA_WATCH_EPISODES_H
#include "watch/lines/fields.h"

/* Anomalies that follow one another and share a culprit are one episode. A row is taken
 * into the one whose culprits are most alike; of its rows a few, evenly spaced, stand
 * for all, so that memory stays constant. */

enum {
    EPISODES = 8,      /* at the same time */
    EPISODE_ROWS = 64, /* that are kept of one */
};

struct episode {
    bool used;
    uint64_t number; /* 1, 2, …; 0: there are not enough rows yet */
    char first[ID_MOST + 1], last[ID_MOST + 1];
    uint64_t began, ended; /* its first and last row, counted over all rows */
    uint64_t rows;
    uint64_t update; /* how many there will be when it is looked at again */
    uint64_t seen;   /* how many there were when it was looked at last */
    double worst;    /* score */
    uint64_t stride; /* every so many rows are kept */
    size_t kept;
    double *x, *y, *f; /* of those */
    double *blame;     /* d + 1: that it is this input alone, or the output */
};

struct episodes {
    struct episode all[EPISODES];
    size_t d;
    double *block;
    uint64_t opened; /* so far: numbers are never used again */
    uint64_t open_after, close_after;
    uint64_t due; /* row before which none ends */
};

gpa_status episodes_open(struct episodes *e, size_t d, uint64_t open_after,
                         uint64_t close_after, gpa_error *err);
void episodes_close(struct episodes *e);

/* Who is to blame: of an explanation, into d + 1 shares. */
void blame_of(const gpa_explanation *x, size_t d, double *blame);

/* An anomaly, row number `at` of all: the episode it belongs to; NULL: there is no room
 * for another one. */
struct anomaly {
    const double *x;
    double y, f, score;
    const char *id;
    const double *blame;
    uint64_t at;
};
struct episode *episodes_take(struct episodes *e, const struct anomaly *a);

/* One that has been quiet for long enough when row `at` has come; NULL: none (more). It
 * is to be ended. One that was never open is forgotten without a word. */
struct episode *episodes_quiet(struct episodes *e, uint64_t at);
void episode_end(struct episodes *e, struct episode *x);

#endif
