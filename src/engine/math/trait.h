#ifndef GPAI_ENGINE_MATH_TRAIT_H
#define GPAI_ENGINE_MATH_TRAIT_H
#include "engine/math/kernels.h"

/* What rows say about one axis by itself: scores of its values, and their density or
 * masses. gpai_crowd (crowd.h) joins the axes. */
enum {
    GPAI_CROWD_LEAST = 8,   /* fewer rows say too little about a density: with 6 of them
                               planted faults were found less often, and seven times
                               as many answers were sure and wrong */
    GPAI_CROWD_ENOUGH = 20, /* fewer of its own, and a larger reference is asked */
    GPAI_CROWD_MOST = 300, /* of more, so many evenly spaced ones: time grows with them,
                              and what stays within its range gains by the last 100 */
    GPAI_LONGEST_RANGE = 25
};

/* Marks: values of a number whose scores are equally far apart, from -GPAI_CROWD_REACH
 * to it. */
#define GPAI_CROWD_REACH 4.0
enum { GPAI_CROWD_CELLS = 64, GPAI_CROWD_MARKS = 2 * GPAI_CROWD_CELLS + 1 };

static inline double gpai_mark_score(size_t mark)
{
    return GPAI_CROWD_REACH * ((double)mark / GPAI_CROWD_CELLS - 1);
}

typedef struct gpai_trait {
    enum {
        GPAI_TRAIT_UNKNOWN, /* too few numbers: every value is as plausible */
        GPAI_TRAIT_NUMBER,
        GPAI_TRAIT_WHOLE, /* the whole numbers of a short range */
        GPAI_TRAIT_CHOICE
    } kind;
    size_t first, width; /* its scores */
    double unit;
    gpai_kernels kernels; /* numbers: in units */
    double left_out;      /* numbers: one of them that does not count; or NaN */
    double *known;        /* their scores, ascending as their centres */
    double *mark, *dense; /* NUMBER: values at the marks, and their density */
    double *plain;        /* ... and `own` */
    double shift, spread; /* mean and sd of its raw scores */
    double low;           /* WHOLE: the first level */
    size_t levels;        /* WHOLE, CHOICE */
    double *count;        /* levels + 1: rows in each; in none of them */
    double *score;        /* levels + 1 by width; 0 of the last */
    double *own;          /* levels + 1: ln mass - ln of the block's own density */
    double *form; /* levels + 1 squared: s_l' R_b^-1 s_m of the block's correlations */
} gpai_trait;

/* What a trait fills; the first five belong to the axis. */
typedef struct gpai_trait_room {
    double *centre, *known;       /* rows each */
    double *mark, *dense, *plain; /* GPAI_CROWD_MARKS each */
    double *level, *score, *form; /* the rest of what all axes take from */
    double *raw, *e;              /* scratch: rows each */
    double *z;                    /* width by rows, ld apart: scores of the rows */
    size_t ld;
    double *rare; /* width: what correlations of the scores are multiplied with */
} gpai_trait_room;

/* From what rows have: numbers as in the rows (NaN: missing, or no level of WHOLE), or
 * levels (`levels`: none of them). Kind, unit, width, low and levels are known. Fills
 * everything but `form` and, in `own`, the block's density. */
void gpai_trait_fit(gpai_trait *t, const double *value, size_t rows,
                    gpai_trait_room *room);

/* The same of all rows but one, which has this value, t being what all of them say:
 * `plain`, `level`, `form` and `rare` of the room are used. Values keep the scores that
 * all rows give them, which are but places on a line, and the kernels their width.
 * Gives whether that can be: not if too few are left, or the row by itself widens the
 * kernels.
 */
bool gpai_trait_leave(gpai_trait *t, double value, size_t rows, gpai_trait_room *room);

/* Score and density per unit of numbers, as in the rows; `density` may be `value`. */
void gpai_trait_number(const gpai_trait *t, const double *value, size_t count,
                       double *density, double *score);

/* ln of a density, and of the mass of a whole number from its density per unit. */
double gpai_trait_log(double density);
double gpai_trait_log_mass(const gpai_trait *t, double value, double density);

/* Of an axis with levels, its block of scores: ln of the mean over the rows of N(s;
 * alpha s_i, (1 - alpha^2) R_b), up to a constant. |s|^2, and s . s_m of level m, in
 * the metric of R_b; without: a level of which one row less counts. Then the same at a
 * level. */
double gpai_trait_block(const gpai_trait *t, double alpha, double square,
                        const double *product, size_t without);
double gpai_trait_level(const gpai_trait *t, double alpha, size_t l, size_t without);

#endif
