#ifndef GPAI_ENGINE_CULPRIT_GRID_H
#define GPAI_ENGINE_CULPRIT_GRID_H
#include "engine/culprit/several/linked.h"
#include "engine/culprit/subsets.h"
#include <math.h>

/* The grids on which evidence is summed: the places of each axis, and what a row says
 * of them. For singles (subsets.c) and for several axes at once (several.c). */

/* The likelihood of one row in boxes, its mean over each: where f is with regard to y
 * in the middle, and how far it goes from there along the axes, the third no farther
 * than the others; `share`: the mean square of the smallest change.
 *
 * Nobody has asked f with several inputs moved at once: what they do beyond the sum of
 * what each does alone may be a tenth of the smallest change, and is noise there. Rows
 * together would share it, and what they say of it; they are taken at their word. */
typedef struct gpai_likelihood {
    double b;
    double *t, *half[3], *share;
} gpai_likelihood;

/* l[i] += ln of the mean over box i: along the first two in full, along the third, if
 * there is one, at two points. What w holds is used up; the mean's ln stays in half[2],
 * and in `share` what a box has for its noise being more than b: sqrt(b / more). */
void gpai_likelihood_add(const gpai_likelihood *w, const gpai_vectors *v, size_t n,
                         bool third, double *l);

/* One axis of a grid: its places, and what the row at hand says of them. */
typedef struct gpai_side {
    size_t axis, count, ld;
    bool line;
    double *value, *chance;
    gpai_place *place, *border; /* count, count + 1 */
    double *edge;               /* lines: count + 1 */
    double *u, *w;              /* change of f, and how far it goes across a cell */
    double cell;                /* width in the score of cells that are alike; or 0 */
    gpai_strip even;            /* those cells, if their borders are marks; or none */
    gpai_terms terms;
    double *top; /* ld */
    /* singles: a cell's width in the score; how far f stays from y in it, in scales of
     * the noise */
    double *wide, *near;
    /* several axes: what it adds by itself, and its factors of the components (ld;
     * components by ld), also in logs, which go as far below 0 as `range` says */
    double *own, *factor, *log, range;
} gpai_side;

/* A part of a cell along which f is straight. */
typedef struct gpai_piece {
    size_t cell;
    double share; /* of the cell */
} gpai_piece;

/* Everything about the axes of the subsets at their places. */
typedef struct gpai_grid {
    const gpai_evidence *e;
    const gpai_vectors *vectors;
    size_t sides, cells, most; /* cells of a line; places of a side at most */
    size_t listed;             /* places of a list at most */
    size_t least;              /* `most` is at least so many */
    size_t size;               /* axes of a subset; 1: singles */
    gpai_side *side;
    double *across;                               /* most + 1: changes at borders */
    double *free_value, *free_chance, *free_edge; /* of lines without limits */
    bool free_known;
    size_t subsets, room; /* how many, and numbers each has in l */
    double *l;            /* subsets by room: ln of everything */
    double *fit;          /* singles: of the likelihood */
    double *x, *y, *m;    /* room: of one subset, one row; of singles' pieces, too */
    gpai_piece *piece;    /* singles: those at hand */
    size_t pieces;
    gpai_likelihood mean; /* room */
    double *within; /* several rows: subsets by room by what gpai_within_row knows */
    /* of one subset: its axes together, what each adds and its factors: those of the
     * sides, or those below */
    gpai_linked linked;
    const double *own[3];
    double *log[3], *factor[3], *share, *own_room[3], *log_room[3];
    double range;               /* how far below 0 sums of logs go */
    bool narrow;                /* components are narrower than cells */
    double *joint;              /* components by ld: products of two sides */
    double *cross[3];           /* most by most: links of its pairs */
    double *block, *components; /* all but what components have; that */
} gpai_grid;

/* Room, and the places of the axes (NULL: all of them). gpai_grid_close frees, also
 * after a failure. A side more than there are axes has room alone. */
gpa_status gpai_grid_open(gpai_grid *g, const size_t *axis, gpa_error *err);
void gpai_grid_close(gpai_grid *g);

/* Whether a line is cut into cells of equal width in the score of its axis. */
bool gpai_grid_by_score(const gpai_evidence *e, size_t axis);

/* The cells of a line again, once s->edge has their borders and s->value their
 * middles. */
void gpai_grid_cells(const gpai_grid *g, gpai_side *s, size_t count);

/* Own terms and shifts of the places of a side in row t. */
void gpai_grid_place(const gpai_grid *g, gpai_side *s, size_t t);

/* Changes of f in row t: of singles in the middle of a cell and from border to border,
 * of several axes in the middle of where f goes in a cell, and how far. A place where f
 * has no value is as good as impossible. */
void gpai_grid_change(const gpai_grid *g, gpai_side *s, size_t t);

/* Where within its cell the truth is, as the rows so far have it: the mean of the place
 * along each axis, in cells, and its covariances; none: anywhere (variance 1/12). A row
 * by itself is averaged over the cell (docs/methods.md, "Who did it"); but what one row
 * says of the place holds for the next, too, and the mean of a product is no product of
 * means. So this is Kalman's filter. */
static inline size_t gpai_within_size(size_t axes)
{
    return axes + axes * axes;
}
void gpai_within_start(double *within, size_t axes);

/* Takes up a row whose residual is *r in the middle, and whose f goes w[i] far across
 * the cell. *r becomes the residual where the rows before see the truth; returns b for
 * it. */
double gpai_within_row(double *within, size_t axes, const double *w, double b,
                       double *r);

/* l[i] += ln likelihood, x[i] and y[i] being the squared residual and b of place i. */
void gpai_grid_likelihood(const gpai_grid *g, size_t n, double *l);

static inline size_t gpai_grid_padded(size_t n)
{
    return (n + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
}

#endif
