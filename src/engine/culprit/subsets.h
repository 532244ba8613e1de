#ifndef GPAI_ENGINE_CULPRIT_SUBSETS_H
#define GPAI_ENGINE_CULPRIT_SUBSETS_H
#include "engine/culprit/density/plausible.h"
#include "engine/culprit/exchange.h"
#include "engine/culprit/moves.h"
#include "engine/profile.h"

/* The evidence of "these inputs are wrong and all others right": the sum over what
 * their values might have been of chance, plausibility and likelihood. The changes of f
 * of several inputs are taken as the sum of their profiles, so that no further row is
 * asked; a part of the smallest is noise.
 *
 * The likelihood is Student's: with the residuals r_t changed to r_t - u_t,
 *     prod_t (1 + (r_t - u_t)^2 / 2 b)^-(a + 1/2),   a = 5.5,
 * the a0 = 5 + 1/2 of one row (docs/methods.md, "Defaults"). Across a cell u_t changes
 * by w_t; the mean over the cell is that of b + a w_t^2 / 12, to second order. */
#define GPAI_LIKELIHOOD_SHAPE 5.5   /* a */
enum { GPAI_LIKELIHOOD_POWER = 6 }; /* a + 1/2 */

enum {
    /* Pairs of the axes that are best alone and of those that change f most, triples of
     * the likeliest pairs and any other of these axes; all of them on few cells a line,
     * those that have a share in the answer as closely as it takes (boxes.h). */
    GPAI_PAIR_CELLS = 8, /* all divide GPAI_CROWD_CELLS */
    GPAI_TRIPLE_CELLS = 8,
    GPAI_PAIRED = 12,     /* axes of which all pairs are weighed */
    GPAI_SIDES_MOST = 24, /* with those that are paired with the likeliest alone */
    GPAI_EXTENDED = 3,    /* pairs that a third axis is added to */
    GPAI_SUBSETS_MOST = 66 + 12 + 3 * 11 + GPAI_EXCHANGES
};

typedef struct gpai_subset {
    size_t axis[3];
    size_t size;
    double log_evidence;
    double part[GPAI_DENSITIES]; /* that in the eyes of each density */
    bool exchanged;              /* the values of the two stand in each other's place */
    bool narrow;                 /* few cells may not see what is in them */
    double seen; /* how much of the answer a close look found it to have; or 0 */
} gpai_subset;

/* What they are judged by. */
typedef struct gpai_evidence {
    const gpai_problem *p;
    const gpai_space *s;
    const gpai_moves *moves; /* axes */
    const gpai_profile *profile;
    gpai_plausible *plausible; /* NULL: without */
    const double *residual;    /* n: y - f */
    double b;
    size_t first, rows;  /* of the problem: which are weighed, */
    const size_t *order; /* and in which order of their own; NULL: as they stand */
    bool gains; /* singles: a place counts for what it adds to the likelihood */
} gpai_evidence;

/* The i-th row that is weighed. What is seen of the others in the cells of the first
 * one hangs on which it is, so that it must not be the file that says so. */
static inline size_t gpai_evidence_row(const gpai_evidence *e, size_t i)
{
    return e->order != NULL ? e->order[e->first + i] : e->first + i;
}

/* Every axis alone: for each the places it was judged at (GPAI_MOVES_MOST at most),
 * those of a line or of a missing number in the middle of cells with borders, and ln of
 * their shares in the evidence. */
typedef struct gpai_single {
    size_t count;
    bool line, cells; /* cells: there are borders */
    double edge[GPAI_MOVES_MOST + 1];
    double value[GPAI_MOVES_MOST];
    double log[GPAI_MOVES_MOST];
    double more[GPAI_MOVES_MOST]; /* ln of how many times as much a cell may hold */
    double log_evidence;          /* of places where f has a value */
    double unjudged;              /* the share of what is plausible where it has none */
} gpai_single;

gpa_status gpai_singles_weigh(const gpai_evidence *e, gpai_single *out, gpa_error *err);

/* ln evidence of an axis alone for what lies where f has no value. What f would be
 * there is anybody's guess, as it is if y is off: `output` is ln evidence of that. That
 * the row would be more plausible there counts for nothing. */
double gpai_unjudged_weigh(const gpai_evidence *e, const gpai_single *a, double output);

/* The evidence of subsets of one size, 2 or 3, and GPAI_SIDES_MOST axes at most, with
 * so many cells a line. */
gpa_status gpai_subsets_weigh(const gpai_evidence *e, size_t cells, gpai_subset *subset,
                              size_t count, gpa_error *err);

/* ln evidence of each exchange: nothing is unknown but whether it happened. */
void gpai_exchanges_weigh(const gpai_evidence *e, const gpai_exchanges *x,
                          gpai_subset *out);

/* ln of the likelihood's mean over y being off by N(0, spread^2), the same in all rows.
 */
double gpai_output_weigh(const gpai_evidence *e, double spread);

#endif
