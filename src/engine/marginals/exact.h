#ifndef GPAI_ENGINE_MARGINALS_EXACT_H
#define GPAI_ENGINE_MARGINALS_EXACT_H
#include "engine/marginals/cells.h"

/* The true marginals of the posterior by importance sampling in z, where the prior is
 * N(0, I): a quarter of the draws from the prior, then three rounds, each from a mix of
 * the prior, the posterior of a linear fit to what is known so far and a normal of the
 * weighted moments. Every draw is weighed against the whole mixture of all rounds.
 *
 * `rows` draws of n model rows each, in 1 + 3 calls; while fewer than 50 of them are
 * effective, further rounds up to 4 `rows` draws. Fewer where the budget, or some 64
 * MiB of memory, ends before. Below 16 affordable draws nothing is done: out->draws is
 * 0 and out->budget_hit set. Fills e->marginals (e->delta is their `map`). GPA_NUMERIC
 * when no draw has a finite prediction. All randomness comes from (seed, stream). */
gpa_status gpai_marginal_exact(gpai_problem *p, const gpai_space *s, size_t rows,
                               uint64_t seed, uint64_t stream, gpa_explanation *e,
                               gpai_sampling *out, gpa_error *err);

#endif
