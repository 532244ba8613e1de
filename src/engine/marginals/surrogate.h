#ifndef GPAI_ENGINE_MARGINALS_SURROGATE_H
#define GPAI_ENGINE_MARGINALS_SURROGATE_H
#include "engine/ask.h"
#include "engine/marginals/cells.h"

/* The true marginals of the posterior of all axes from few model rows: a kriging
 * surrogate f~ of f (kriging.h) is fitted to them in five rounds, the rows of each
 * spent where the surrogate's own posterior has its mass, and the last one's posterior
 * is sampled for nothing. The surrogate's own error widens the likelihood,
 *
 *     lik~(z) = prod_t E (1 + (y_t - f~_t(z) - e_t)^2 / 2 b_t)^-(a + 1/2)
 *
 * with e_t ~ N(0, v_t(z)), where v_t grows with the distance to the nearest row and has
 * the mean of the squared leave-one-out residuals. So a useless surrogate gives back
 * the prior, not noise, and out->surrogate_error, the largest sqrt(mean v_t a / b_t),
 * says so; above 2, and whenever fewer than 10 of the true rows are effective, a note
 * does, too. out->ess and out->log_evidence are those of the true rows.
 *
 * Asks `rows` draws (at most 2048) of n model rows each, in 5 calls, or as many as the
 * budget allows; below 16 nothing is done: out->draws is 0 and out->budget_hit set.
 * GPA_NUMERIC when no draw has a finite prediction. known_delta (known by d) and
 * known_f (known by n) are answers already paid for: up to 64 of them, or a quarter as
 * many as draws, help the fit. Fills e->marginals (e->delta is their `map`). Several
 * threads may call at once; nothing depends on their number. */
gpa_status gpai_marginal_surrogate(gpai_problem *p, const gpai_space *s, size_t rows,
                                   uint64_t seed, uint64_t stream,
                                   const double *known_delta, const double *known_f,
                                   size_t known, gpa_explanation *e, gpai_sampling *out,
                                   gpa_error *err);

#endif
