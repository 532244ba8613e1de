#ifndef GPAI_ENGINE_MARGINALS_PROPOSAL_H
#define GPAI_ENGINE_MARGINALS_PROPOSAL_H
#include "base/math/vectors.h"
#include <stdbool.h>

/* Distributions to draw from in a space of m dimensions where the prior is N(0, I). A
 * part differs from the prior in the `rank` dimensions spanned by its directions only:
 * there it is a normal, or (rank 1) a density on cells of one line. Numbers live in the
 * caller's arrays. */
enum { GPAI_PART_CELLS = 384 }; /* chosen: 256 even ones and 128 where it matters */

/* The most dimensions of a normal. Chosen: a covariance of more says less about its
 * posterior than it costs draws to learn. */
enum { GPAI_PART_RANK = 25 };

typedef struct gpai_part {
    size_t m, rank;
    double draws;      /* how many were taken from it */
    bool line;         /* rank 1, on cells */
    double *direction; /* rank by m, orthonormal; NULL: all m dimensions */
    double *mean;      /* rank */
    double *factor;    /* rank by rank: lower factor of the covariance */
    double *inverse;   /* of the factor */
    double log_det;    /* ln of its determinant */
    double *edge;      /* cells + 1 */
    double *sum;       /* cells + 1: probability below each edge */
    double *ratio;     /* cells: density in each */
    double *scratch;   /* 3 rank */
} gpai_part;

/* A likelihood along a line, s = 0 being the prior's middle:
 *     (1 + (centre - s)^2 / (2 scale^2))^-power */
typedef struct gpai_part_line {
    double centre, scale, power;
} gpai_part_line;

/* The posterior on a line under that likelihood, by cells that are fine where it has
 * mass. The direction is set by the caller. False when it is too narrow for doubles. */
bool gpai_part_fit_line(gpai_part *p, const gpai_part_line *line);

/* Completes a normal whose mean is set and whose `factor` holds the covariance. False
 * when that is not positive definite. */
bool gpai_part_fit_normal(gpai_part *p);

/* Turns draws z (n by m) of the prior into draws of the part, keeping their evenness.
 */
void gpai_part_move(const gpai_part *p, double *z, size_t n);

/* Draws once more, in blocks of GPAI_VDRAWS in which a coordinate's numbers stand side
 * by side: m by GPAI_VDRAWS each, 0 where there is no draw yet. How many numbers they
 * take; the block of a draw; and draws from..to of z (from 0 on) put there. */
static inline size_t gpai_blocks_size(size_t draws, size_t m)
{
    return (draws + GPAI_VDRAWS - 1) / GPAI_VDRAWS * GPAI_VDRAWS * m;
}
static inline const double *gpai_block_of(const double *blocks, size_t draw, size_t m)
{
    return blocks + draw / GPAI_VDRAWS * GPAI_VDRAWS * m;
}
void gpai_blocks_fill(double *blocks, const double *z, size_t m, size_t from,
                      size_t to);

/* Adds draws * q(z) / N(z; 0, I) of draws from..to to out (from 0 on). */
void gpai_part_add_ratio(const gpai_part *p, const double *blocks, size_t from,
                         size_t to, double *out);

#endif
