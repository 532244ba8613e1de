#ifndef GPAI_ENGINE_MAP_MEMO_H
#define GPAI_ENGINE_MAP_MEMO_H
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
    void *block;
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

#endif
