#ifndef GPAI_ENGINE_MARGINALS_PLUGIN_H
#define GPAI_ENGINE_MARGINALS_PLUGIN_H
#include "engine/marginals/cells.h"

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

#endif
