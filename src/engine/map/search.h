#ifndef GPAI_ENGINE_MAP_SEARCH_H
#define GPAI_ENGINE_MAP_SEARCH_H
#include "engine/ask.h"

/* Remembers every perturbation that was asked, so that none is asked twice. Points are
 * recognised by a 64-bit key that changes in constant time with one coordinate. */
typedef struct gpai_memo {
    size_t n, d;
    size_t used, room; /* points */
    double *f;         /* room by n */
    double *delta;     /* room by d, or NULL when it would not stay small */
    uint64_t *key;     /* slots: 0 is empty */
    size_t *index;     /* slots */
    size_t slots;
    bool keeps; /* points */
    double *block;
} gpai_memo;

/* Room for `room` points; the perturbations themselves are kept when keep_points. */
gpa_status gpai_memo_open(gpai_memo *m, size_t n, size_t d, size_t room,
                          bool keep_points, gpa_error *err);
void gpai_memo_close(gpai_memo *m);

/* Key of a point, and of the point with input k changed from one value to another. */
uint64_t gpai_memo_key(const double *delta, size_t d);
uint64_t gpai_memo_change(uint64_t key, size_t k, double from, double to);

/* The predictions at a key, or NULL. */
const double *gpai_memo_find(const gpai_memo *m, uint64_t key);

/* Stores predictions (and the point); a full memo forgets to. Gives where they are. */
const double *gpai_memo_add(gpai_memo *m, uint64_t key, const double *delta,
                            const double *f);

/* A search for the lowest objective: the best point so far, everything known about f,
 * and the one way to learn more. The stages of map_fast are steps on it. */
typedef struct gpai_search {
    gpai_problem *p;
    const gpai_space *s;
    gpai_memo memo;
    double *delta;    /* d: the best point so far */
    double *f;        /* n: predictions there; may be NaN at the start */
    double objective; /* there; +inf where f is not finite */
    uint64_t key;     /* of delta */
    bool budget_hit;

    size_t most; /* probes or points per request at most */
    gpai_probe *asked;
    uint64_t *asked_key;
    size_t *where;
    double *answer; /* most by n */
    double *points; /* POINTS by d: candidates to be asked together */
    double *moved;  /* d */
    double *block;
    gpa_error *err;
} gpai_search;

/* Eight candidates, midpoints, a single move, and eight seeds are 24; draws of the
 * prior are more. */
enum { GPAI_SEARCH_POINTS = 96 };

/* Starts at delta (feasible; with f there, n numbers, or NULL: it is asked). `most` is
 * the largest number of probes in one request, `room` the points to remember. */
gpa_status gpai_search_open(gpai_search *q, gpai_problem *p, const gpai_space *s,
                            const double *delta, const double *f, size_t most,
                            size_t room, bool keep_points, gpa_error *err);
void gpai_search_close(gpai_search *q);

/* Predictions (count by n) at the best point with one axis moved, for each probe; only
 * those not known yet are asked, in one call. Those the budget forbids become NaN. */
gpa_status gpai_search_probe(gpai_search *q, const gpai_probe *probe, size_t count,
                             double *f);

/* Likewise at the first k of q->points. */
gpa_status gpai_search_ask(gpai_search *q, size_t k, double *f);

/* Makes a point (known to have predictions f) the best one. */
void gpai_search_move(gpai_search *q, const double *point, const double *f,
                      double objective);

#endif
