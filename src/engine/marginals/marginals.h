#ifndef GPAI_ENGINE_MARGINALS_MARGINALS_H
#define GPAI_ENGINE_MARGINALS_MARGINALS_H
#include "engine/ask.h"
#include "engine/marginals/cells.h"
#include "engine/profile.h"

/* The four ways to the distribution of each input, one file each. */

/* The paper's q_k (eq. 14): the posterior of delta_k with the others held at the MAP,
 * on one even grid for all inputs, +-1.15 max |map|. A map of 0 would collapse it: the
 * grid then covers the central 99.9 % of the prior. `grid` and `density` are d by
 * points. n d points rows, one call. */
gpa_status gpai_marginal_grid(gpai_problem *p, const double *map, size_t points,
                              double *grid, double *density, gpa_error *err);

/* The conditional of each axis with the others held at the MAP, over the whole range of
 * the prior: f along the axis is asked at 12 of the prior's quantiles and, in four
 * rounds, at three more where the conditional is least certain; between these it is
 * straight, beyond them flat. Whole steps and categories are asked once each. `f_map`
 * holds the predictions at `map`. At most 24 n rows an axis (a one-hot group: n per
 * category), 5 calls unless there are very many axes. Fills e->marginals. */
gpa_status gpai_marginal_plugin(gpai_problem *p, const gpai_space *s, const double *map,
                                const double *f_map, gpa_explanation *e,
                                gpa_error *err);

/* The most rows that takes. */
uint64_t gpai_marginal_plugin_rows(const gpai_problem *p, const gpai_space *s);

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

/* Answers that are there already, for nothing. */
typedef struct gpai_paid {
    const double *delta, *f; /* known by d, known by n */
    size_t known;
    const gpai_profile *profile; /* f along the axes, among them; or NULL */
} gpai_paid;

/* Rows that a surrogate asks by default, at most. */
enum { GPAI_SURROGATE_ROWS = 480 };

/* The true marginals of the posterior of all axes from few model rows: a kriging
 * surrogate f~ of f (kriging.h) is fitted to them in rounds, the rows of each spent
 * where the surrogate's own posterior has its mass, until its marginals stand still.
 * Those are sampled for nothing (sweeps.h). f along the axes warps the surrogate's
 * coordinates and tells its trends (lines.h); up to 128 other rows that are paid are
 * fitted like its own, in the last fit, which is the one shown, up to 512. The
 * surrogate's own error widens the likelihood,
 *
 *     lik~(z) = prod_t E (1 + (y_t - f~_t(z) - e_t)^2 / 2 b_t)^-(a + 1/2)
 *
 * with e_t ~ N(0, v_t), v_t the mean of the squared leave-one-out residuals, outlying
 * ones cut. So a useless surrogate gives back the prior, not noise, and
 * out->surrogate_error, the largest sqrt(v_t a / b_t) with nothing cut, says so; above
 * 2, and whenever fewer than 10 of the true rows or 50 of the free draws are effective,
 * or the last rows changed a marginal by more than .25, a note does, too. Eight rows
 * are kept to test the last surrogate where its posterior has its mass: when that fails
 * there are further rounds, or, at the cap, a note; so there is when the marginals
 * still change at the cap. out->ess and out->log_evidence are those of the true rows.
 *
 * Asks up to `rows` draws (at most 2048; 0: what is left of a whole answer's thousand
 * rows or so, 200 to GPAI_SURROGATE_ROWS) of n model rows each, in 1 + 5 calls and one
 * or two for the test, or as many as the budget allows; below 16 nothing is done:
 * out->draws is 0 and out->budget_hit set. With more than 48 axes it neither sweeps nor
 * stops before the cap. GPA_NUMERIC when no draw has a finite prediction. Fills
 * e->marginals (e->delta is their `map`). Several threads may call at once; nothing
 * depends on their number. */
gpa_status gpai_marginal_surrogate(gpai_problem *p, const gpai_space *s, size_t rows,
                                   uint64_t seed, uint64_t stream,
                                   const gpai_paid *paid, gpa_explanation *e,
                                   gpai_sampling *out, gpa_error *err);

#endif
