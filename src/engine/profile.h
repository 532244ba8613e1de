#ifndef GPAI_ENGINE_PROFILE_H
#define GPAI_ENGINE_PROFILE_H
#include "engine/ask.h"

/* f along each axis of a space with the others at delta = 0, asked once and shared by
 * whoever wants it. An axis has nodes at ascending values; the unmoved rows are one of
 * them (value 0, or a choice's present level), unless the axis is a gap. */
typedef struct gpai_profile {
    size_t axes, n, d;
    double *base;         /* n: f of the unmoved rows */
    size_t *start;        /* axes: where its nodes start in `node` and `f` */
    size_t *nodes;        /* axes: how many; 0 before it was asked */
    double *node;         /* room: values */
    double *f;            /* room by n */
    unsigned char *state; /* room: whether f is known, see profile.c */
    size_t used, room;
    bool started;           /* base is known */
    uint64_t rows;          /* asked of the model */
    const gpai_probe *also; /* borrowed: what the next call asks besides, and where */
    size_t n_also;          /* f goes, n_also by n */
    double *also_f;
    double *zero; /* d zeros */
    double *block;
} gpai_profile;

/* Room for so many nodes, those at the unmoved rows included. gpai_profile_close frees.
 */
gpa_status gpai_profile_open(gpai_profile *r, const gpai_problem *p,
                             const gpai_space *s, size_t room, gpa_error *err);
void gpai_profile_close(gpai_profile *r);

/* Gives an axis its nodes, and forgets what was known of it: `count` values, ascending;
 * equal ones and the unmoved rows, which are a node anyway, are left out (in place). */
void gpai_profile_plan(gpai_profile *r, const gpai_space *s, size_t axis, double *value,
                       size_t count);

/* Leaves every other node of an axis for later, counted from both ends, but for those
 * and the unmoved rows. */
void gpai_profile_put_off(gpai_profile *r, const gpai_space *s, size_t axis);

/* Those that were put off and lie between two neighbours where f of all rows is the
 * very same are the same: a leaf of a tree is a box, and what two places share so does
 * all between them. The others are asked with the next call; gives how many. */
size_t gpai_profile_settle(gpai_profile *r, size_t axis);

/* Asks for f at the nodes of the given axes that is not known. One call. The first time
 * f of the unmoved rows is asked as well, unless `known` (n numbers) says it;
 * GPA_NUMERIC names a row where it is not finite. */
gpa_status gpai_profile_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const size_t *axis, size_t axes, const double *known,
                            gpa_error *err);

/* A value between two nodes: share t of the right one. */
typedef struct gpai_place {
    size_t left;
    double t;
} gpai_place;

/* Where ascending values lie between the nodes of an axis; beyond the last node is at
 * it. */
void gpai_profile_places(const gpai_profile *r, size_t axis, const double *value,
                         size_t count, gpai_place *place);

/* f - base of row t at those places; not finite where a node it needs is not. */
void gpai_profile_change(const gpai_profile *r, size_t axis, size_t t,
                         const gpai_place *place, size_t count, double *change);

/* A larger change of f is as good as none: its square, and products of that, would be
 * numbers no more. */
#define GPAI_FARTHEST_CHANGE 1e100

/* Where f - base of row t goes between two places, left and right, with so much at
 * them: the middle of its range, and half of how far it goes, below 0 where the right
 * end is lower. Not finite where f is not, nor where it changes too far. */
void gpai_profile_range(const gpai_profile *r, size_t axis, size_t t,
                        const gpai_place *left, const gpai_place *right,
                        const double at[2], double *middle, double *half);

/* How many nodes of an axis have no finite f in some row; they lie between range[0] and
 * range[1]. */
size_t gpai_profile_lost(const gpai_profile *r, size_t axis, double range[2]);

/* Largest |f - base| of row t over the nodes of an axis that are finite. */
double gpai_profile_reach(const gpai_profile *r, size_t axis, size_t t);

#endif
