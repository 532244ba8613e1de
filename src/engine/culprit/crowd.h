#ifndef GPAI_ENGINE_CULPRIT_CROWD_H
#define GPAI_ENGINE_CULPRIT_CROWD_H
#include "engine/math/column.h"
#include "engine/math/copula.h"
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
 * alpha = 0 is a Gaussian copula, alpha near 1 a kernel density. */
enum {
    GPAI_CROWD_LEAST = 20, /* chosen: fewer rows say nothing about a density */
    GPAI_CROWD_MOST = 200  /* of more, so many evenly spaced ones: 100 sufficed for
                                planted faults, and time grows with them */
};

typedef struct gpai_trait {
    enum {
        GPAI_TRAIT_UNKNOWN, /* too few numbers: every value is as plausible */
        GPAI_TRAIT_NUMBER,
        GPAI_TRAIT_WHOLE, /* the whole numbers of a short range */
        GPAI_TRAIT_CHOICE
    } kind;
    size_t first, width; /* its scores */
    double unit;
    double median;        /* of the column, as in the rows */
    gpai_column column;   /* numbers: in units */
    double *known;        /* their scores, ascending as the column's centres */
    double *mark, *plain; /* NUMBER: values and `own` at the marks, see below */
    double shift, spread; /* mean and sd of its raw scores */
    double low;           /* WHOLE: the first level */
    size_t levels;        /* WHOLE, CHOICE */
    double *count;        /* levels + 1: rows in each; in none of them */
    double *score;        /* levels + 1 by width; 0 of the last */
    double *own;          /* levels + 1: ln mass - ln of the block's own density */
    double *form; /* levels + 1 squared: s_l' R_b^-1 s_m of the block's correlations */
} gpai_trait;

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
    double *block;
} gpai_crowd;

/* From n_rows rows (row-major, d inputs; at least GPAI_CROWD_LEAST of them). A cell
 * that is not finite, or a missing code, is passed over. unit: d, of the inputs. joint:
 * else every axis for itself. gpai_crowd_close frees. */
gpa_status gpai_crowd_open(gpai_crowd *d, const gpai_space *s, const double *unit,
                           const double *rows, size_t n_rows, bool joint,
                           gpa_error *err);
void gpai_crowd_close(gpai_crowd *d);

/* At `count` values of an axis, numbers as in the rows or levels (`levels`: none of
 * them): ln of what it has of its own into `own`, scores into `score` (count by width).
 * `own` and `value` may be the same. */
void gpai_crowd_place(const gpai_crowd *d, size_t axis, const double *value,
                      size_t count, double *own, double *score);

/* Cells of a number that are equally wide in its score. Their borders and middles are
 * among the marks, which lie between -GPAI_CROWD_REACH and it and are found once: the
 * first border is the mark `first`, and half a cell is `half` marks wide. */
#define GPAI_CROWD_REACH 4.0
enum { GPAI_CROWD_CELLS = 72, GPAI_CROWD_MARKS = 2 * GPAI_CROWD_CELLS + 1 };
typedef struct gpai_strip {
    size_t first, half, count;
} gpai_strip;

/* `count` of the whole line; it divides GPAI_CROWD_CELLS. */
static inline gpai_strip gpai_strip_all(size_t count)
{
    return (gpai_strip){.half = GPAI_CROWD_CELLS / count, .count = count};
}

/* The score at a mark. */
static inline double gpai_mark_score(size_t mark)
{
    return GPAI_CROWD_REACH * ((double)mark / GPAI_CROWD_CELLS - 1);
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
