#ifndef GPAI_ENGINE_MATH_WARP_H
#define GPAI_ENGINE_MATH_WARP_H
#include "base/alloc.h"
#include <stdint.h>

/* What f does along each axis on its own, made coordinates for kriging. u in (0, 1) is
 * the prior probability below a place; f is known at some of them.
 *
 *     t(u) = 0.15 u + 0.85 v(u)   v: the share of all variation that lies below u
 *     g(u) = f along the axis, less its mean under the prior
 *
 * Where f stands still t hardly moves, so distances in t are distances in what f does:
 * this suits trees, flat outside of what they were trained on. t ascends, so that a
 * kernel of distances along axes stays a product. Both are straight between the places
 * and g is flat beyond them; an axis that was never told has t = u and g = 0. */
typedef struct gpai_warp {
    size_t axes, each; /* profiles g of an axis: one for each of several f */
    size_t room;       /* places of an axis at most */
    size_t *knots;     /* axes: places, 0 and 1 included */
    double *u, *t;     /* axes by room + 2 */
    double *g;         /* axes by each by room + 2 */
    uint16_t *guide;   /* axes by GPAI_WARP_GUIDE: the place before so much of u */
} gpai_warp;

/* Chosen: with 24 places few steps are left after the guide. */
enum { GPAI_WARP_GUIDE = 256 };

/* Takes the arrays from an arena for the axes, each and room that are set. */
void gpai_warp_lay_out(gpai_warp *w, gpai_arena *a);

/* No axis is told yet. */
void gpai_warp_clear(gpai_warp *w);

/* Tells one: f at `count` ascending places u as g (each by room + 2, from the second
 * number on), and how much f varies from one place to the next (count - 1). */
void gpai_warp_tell(gpai_warp *w, size_t axis, const double *u, const double *step,
                    size_t count);

/* t at u; g (each numbers, `stride` apart) as well. */
double gpai_warp_place(const gpai_warp *w, size_t axis, double u, double *g,
                       size_t stride);

/* The same of n places: u becomes t; g is `each` by ld. */
void gpai_warp_places(const gpai_warp *w, size_t axis, double *u, size_t n, double *g,
                      size_t ld);

#endif
