#ifndef GPAI_ENGINE_PROFILE_H
#define GPAI_ENGINE_PROFILE_H
#include "engine/space.h"

/* f along each axis of a space with the others at delta = 0, asked once and shared by
 * whoever wants it. An axis has nodes at ascending values; the unmoved rows are one of
 * them (value 0, or a group's present category). */
typedef struct gpai_profile {
    size_t axes, n, d;
    double *base;  /* n: f of the unmoved rows */
    size_t *start; /* axes: where its nodes start in `node` and `f` */
    size_t *nodes; /* axes: how many; 0 before it was asked */
    bool *whole;   /* axes: every likely move is a node, nothing is interpolated */
    double *node;  /* room: values */
    double *f;     /* room by n */
    size_t used, room;
    uint64_t rows; /* asked of the model */
    double *zero;  /* d zeros */
    double *block;
} gpai_profile;

/* Room for `nodes` likely moves of every axis of `s`, and for a second round with
 * `again` of some axes, `extra` of them. gpai_profile_close frees. */
gpa_status gpai_profile_open(gpai_profile *r, const gpai_problem *p,
                             const gpai_space *s, size_t nodes, size_t extra,
                             size_t again, gpa_error *err);
void gpai_profile_close(gpai_profile *r);

/* Asks for f at `nodes` equally likely moves under `prior` of each of the given axes,
 * replacing what was known of them; all moves of an axis that has only so few, and of a
 * group, whatever their number. One call. In the first round f of the unmoved rows is
 * asked as well, unless `known` (n numbers) says it; GPA_NUMERIC names a row where it
 * is not finite. */
gpa_status gpai_profile_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const gpai_prior *prior, const size_t *axis, size_t axes,
                            size_t nodes, const double *known, gpa_error *err);

/* Rows that asking so many moves of every axis takes at most. */
uint64_t gpai_profile_rows(const gpai_space *s, size_t n, size_t nodes);

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

/* Largest |f - base| of row t over the nodes of an axis that are finite. */
double gpai_profile_reach(const gpai_profile *r, size_t axis, size_t t);

#endif
