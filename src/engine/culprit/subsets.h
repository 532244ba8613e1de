#ifndef GPAI_ENGINE_CULPRIT_SUBSETS_H
#define GPAI_ENGINE_CULPRIT_SUBSETS_H
#include "engine/culprit/moves.h"
#include "engine/culprit/plausible.h"
#include "engine/profile.h"
#include <stddef.h>

/* The Student-t likelihood of the culprit search and its means in logs. A hypothesis
 * that changes the residuals r_t to r_t - u_t has the likelihood
 *     prod_t (1 + (r_t - u_t)^2 scale)^-(a + 1/2),   scale = 1/2b,   a = 5.5,
 * the a0 = 5 + 1/2 of one row (docs/methods.md, "Defaults"), and so a whole power. */
#define GPAI_LIKELIHOOD_SHAPE 5.5   /* a */
enum { GPAI_LIKELIHOOD_POWER = 6 }; /* a + 1/2 */

/* Likelihoods of `count` hypotheses, collected row by row: products, of which a
 * logarithm is taken only before they might overflow. */
typedef struct gpai_tally {
    size_t count;
    double *product, *log; /* count each; the caller's */
    double bound;          /* no product is larger */
} gpai_tally;

void gpai_tally_start(gpai_tally *t);

/* The next row: residual r, changed by u[i]; no finite |u[i]| is larger than reach. */
void gpai_tally_row(gpai_tally *t, double r, const double *u, double reach,
                    double scale);

/* Leaves the log-likelihoods in t->log; -inf where a change was not finite. */
void gpai_tally_finish(gpai_tally *t);

/* ln of the mean of exp(l[i]), which are left in `weight` relative to the largest (may
 * be l itself). -inf, and equal weights, when all l are. */
double gpai_log_mean_exp(const double *l, size_t n, double *weight);

/* Evidence of "these two (three) inputs moved and nothing else": the mean likelihood
 * over a grid of their moves, with f taken as the sum of their profiles, so that no
 * further row is asked. */
enum {
    /* cells per axis and axes: chosen on planted faults. 276 pairs of 625 cells and
     * 56 triples of 4096 are 400,000 likelihoods a row */
    GPAI_PAIR_CELLS = 25,
    GPAI_PAIR_TOP = 12, /* the best and as many of the widest axes are paired */
    GPAI_TRIPLE_CELLS = 16,
    GPAI_TRIPLE_TOP = 8,
    GPAI_SUBSETS_MOST = 276 + 56 /* pairs of 24, triples of 8 */
};

typedef struct gpai_subset {
    size_t axis[3];
    size_t size;
    double log_evidence;
} gpai_subset;

/* What the subsets are judged by. */
typedef struct gpai_subset_data {
    const gpai_profile *profile;
    const gpai_move_table *moves;
    const gpai_plausible *plausible; /* NULL: without */
    const double *residual;          /* n: y - f */
    double scale;                    /* 1/2b */
} gpai_subset_data;

/* All pairs (size 2), or all triples (3), of the given axes (ascending; at most 24, 8)
 * into `out`, in their order; how many there are into *count. `cells` of each axis are
 * looked at, in the middle of as many equal parts of the finest grid. */
gpa_status gpai_subsets_weigh(const gpai_subset_data *s, size_t size,
                              const size_t *axis, size_t axes, gpai_subset *out,
                              size_t *count, gpa_error *err);

/* One axis moved and nothing else: log-likelihoods (evidence.h) of the GPAI_MOVES moves
 * of one axis into l; returns how far they change f: the mean over the rows of the
 * largest change at the cells that pairs look at. */
double gpai_single_weigh(const gpai_profile *r, size_t axis, const double *move,
                         const double *residual, double scale, double *l);

/* 1/2b of the likelihood for normal rows of spread sigma, b = a sigma^2 / ratio. */
double gpai_single_scale(double sigma, double ratio);

#endif
