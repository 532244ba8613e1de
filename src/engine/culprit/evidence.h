#ifndef GPAI_ENGINE_CULPRIT_EVIDENCE_H
#define GPAI_ENGINE_CULPRIT_EVIDENCE_H
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

#endif
