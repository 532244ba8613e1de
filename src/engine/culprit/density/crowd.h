#ifndef GPAI_ENGINE_CULPRIT_DENSITY_CROWD_H
#define GPAI_ENGINE_CULPRIT_DENSITY_CROWD_H
#include "engine/math/copula.h"
#include "engine/math/trait.h"
#include "engine/space.h"

/* What rows without outcome say about the values of a row: a joint density, of which
 * only ratios are used. It knows the axes as inputs of a kind, and nothing of the row
 * that is explained.
 *
 * Every axis has a block of scores: a number the normal score of its column, a flag its
 * standardised 0 or 1, a choice of more levels one such score per level. A row's
 * density is the mean over the reference rows i of N(alpha z_i, (1 - alpha^2) R) at its
 * scores, times what each axis has of its own: the density of a number over that of its
 * score, the mass of a level over what the mixture gives its block.
 * alpha = 0 is a Gaussian copula, alpha near 1 a kernel density. A kernel density knows
 * nothing of rows that are like none it has seen; and rows that come twice, or one
 * shortly after the other, make it look better than it is. So it has the Gaussian
 * copula at its side, `plain`: both are asked, and believed as far as they let expect
 * the row (gpai_densities). */
typedef struct gpai_crowd {
    size_t axes, rows;
    size_t scores;     /* of all axes */
    size_t components; /* rows, or 1 when alpha is 0 */
    size_t ld;         /* from one score to the next in the arrays below */
    double alpha;
    double sharp; /* 1 / (1 - alpha^2): the precision is R^-1 times that */
    gpai_trait *trait;
    gpai_copula copula;
    double *centre; /* scores by components: alpha z_i */
    double *pull;   /* the same times the precision */
    double *z;      /* scores by rows */
    double *square; /* rows: z' R^-1 z */
    double *likely; /* alphas by rows: ln of what the others give a row, up to what
                       belongs to that row; where alpha could be chosen */
    bool joint;
    struct gpai_crowd *plain; /* with alpha 0; NULL: this one is */
    double *block;
} gpai_crowd;

/* From n_rows rows (row-major, d inputs; at least GPAI_CROWD_LEAST of them). A cell
 * that is not finite, or a missing code, is passed over. unit: d, of the inputs. joint:
 * else every axis for itself. gpai_crowd_close frees. */
gpa_status gpai_crowd_open(gpai_crowd *d, const gpai_space *s, const double *unit,
                           const double *rows, size_t n_rows, bool joint,
                           gpa_error *err);
void gpai_crowd_close(gpai_crowd *d);

/* The same of all rows but one, given what all of them say, of which it keeps hold: the
 * row's kernels and component are gone, it has no part in R, nor in the choice of alpha
 * (by the R of all). Values keep the scores that all rows give them. Where that cannot
 * be (gpai_trait_leave), the others are looked at anew. */
gpa_status gpai_crowd_without(gpai_crowd *d, const gpai_crowd *all, const gpai_space *s,
                              const double *unit, const double *rows, size_t n_rows,
                              size_t row, gpa_error *err);

/* At `count` values of an axis, numbers as in the rows or levels (`levels`: none of
 * them): ln of what it has of its own into `own`, scores into `score` (count by width).
 * `own` and `value` may be the same. */
typedef void gpai_placing(const gpai_crowd *d, size_t axis, const double *value,
                          size_t count, double *own, double *score);
gpai_placing gpai_crowd_place;

/* The same to a thousandth, and many times as fast: numbers within the marks lie on
 * straight lines between them, as gpai_crowd_value has them. */
gpai_placing gpai_crowd_place_about;

/* Cells of a number that are equally wide in its score. Their borders and middles are
 * among the marks, which are found once: the first border is the mark `first`, and half
 * a cell is `half` marks wide. */
typedef struct gpai_strip {
    size_t first, half, count;
} gpai_strip;

/* `count` of the whole line; it divides GPAI_CROWD_CELLS. */
static inline gpai_strip gpai_strip_all(size_t count)
{
    return (gpai_strip){.half = GPAI_CROWD_CELLS / count, .count = count};
}

/* Their width in the score; borders (one more) and middles as in the rows; ln of what
 * the axis has of its own in the middles. */
double gpai_strip_width(gpai_strip c);
void gpai_crowd_cells(const gpai_crowd *d, size_t axis, gpai_strip c, double *border,
                      double *middle);
void gpai_crowd_cells_own(const gpai_crowd *d, size_t axis, gpai_strip c, double *own);

/* About the value of a number at a score between -GPAI_CROWD_REACH and it, as in the
 * rows: on straight lines between the marks. */
double gpai_crowd_value(const gpai_crowd *d, size_t axis, double score);

/* The column's quantile at u (linear between its values), as in the rows. */
double gpai_crowd_quantile(const gpai_crowd *d, size_t axis, double u);

/* Whether a missing value of this axis can be asked about. */
bool gpai_crowd_knows(const gpai_crowd *d, size_t axis);

#endif
