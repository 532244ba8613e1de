#ifndef GPAI_ENGINE_CULPRIT_SEVERAL_LINKED_H
#define GPAI_ENGINE_CULPRIT_SEVERAL_LINKED_H
#include "engine/culprit/density/plausible.h"

/* Axes of the row at hand that change together: the components of its plausibility in
 * their scores alone, averaged over the cells of lines. Component i has the density
 * exp(base_i - g_i' dz - dz' P dz / 2) at changes dz of the scores; where cells are
 * wide, a point in each would meet a narrow component, or miss it. So a component
 * can be widened: a cell of width h adds V = h^2 / 4 to its variance, with which the
 * sums over cells of equal width differ from the integral by 1.5 % at most, however
 * narrow it is (exp(-2 pi^2 V / h^2), twice: the Poisson sum). */
enum { GPAI_LINKED_MOST = 3, GPAI_LINKED_WIDEN = 4 };

typedef struct gpai_linked {
    const gpai_plausible *q;
    size_t axes, n;                     /* axes; their scores */
    size_t axis[GPAI_LINKED_MOST];      /* which */
    size_t first[GPAI_LINKED_MOST + 1]; /* the first score of each, and n */
    size_t components;                  /* as many as the crowd has, or those left */
    size_t *score;                      /* n: which */
    double blur;  /* how much higher the components were before they were widened */
    double *p;    /* n by n */
    double *g;    /* n by ld of the crowd */
    double *base; /* ld */
    double *to_line, *by_line, *part; /* n by three, n */
    double *ends;                     /* components by four */
    double *block;
} gpai_linked;

/* Room for any axes of q. gpai_linked_close frees. */
gpa_status gpai_linked_open(gpai_linked *k, const gpai_plausible *q, gpa_error *err);
void gpai_linked_close(gpai_linked *k);

/* Takes up axes of the row that q has at hand. widen: V of each, 0 for what is no line
 * with cells of equal width. A missing value has no scores here. */
void gpai_linked_take(gpai_linked *k, const size_t *axis, size_t axes,
                      const double *widen);

/* Leaves out components that are as good as none wherever each axis is at one of its
 * places: shift holds dz of axis i, count[i] of them. Nothing is done where an axis has
 * not just one score: missing, or of many levels. */
void gpai_linked_prune(gpai_linked *k, const double *const *shift, const size_t *count);

/* What changes of its i-th axis do: shift holds dz, count by width. own[c] -= dz' P dz
 * / 2, and e (components by ld) becomes ln of the factor of each component, over the
 * largest of its place, which is added to `own`, too. `top` is room for ld numbers. A
 * missing value has its terms in `e` before (gpai_plausible_terms). Gives how far below
 * the largest they go. */
double gpai_linked_terms(const gpai_linked *k, size_t i, const double *shift,
                         size_t count, size_t ld, double *own, double *e, double *top);

/* From those terms, if they do not go below -600, to the factors themselves; at places
 * as far apart, each from the next, they are powers. */
void gpai_linked_factors(gpai_linked *k, size_t i, const double *shift, size_t count,
                         size_t ld, double *e);

/* dz_a' P dz_b of all changes of two of them: out[i * ld + j] for the i-th of b and the
 * j-th of a. */
void gpai_linked_cross(const gpai_linked *k, size_t a, const double *shift_a,
                       size_t count_a, size_t b, const double *shift_b, size_t count_b,
                       size_t ld, double *out);

#endif
