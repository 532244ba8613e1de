#ifndef GPAI_ENGINE_CULPRIT_DENSITY_WITNESS_H
#define GPAI_ENGINE_CULPRIT_DENSITY_WITNESS_H
#include <gpa/explain.h>
#include <gpa/input.h>

/* A mistake that was made in one row was often made in others, too, and then they would
 * say that it is usual. So rows are no witnesses of what is plausible
 *
 * - whose outcome contradicts the model, where outcomes and predictions are known;
 * - one of whose numbers lies, with a few others at most, farther from all the rest
 *   than the rest spreads. Where three or more of them have outcomes as the model
 *   predicts them, they are a rare kind of rows and no mistake.
 */

/* Keeps of `n` rows of a table (`row`: their places, ascending; at most
 * GPAI_CROWD_MOST) the witnesses, in their order, and gives how many there are. All are
 * kept where fewer than GPAI_CROWD_LEAST would be left. inputs: what they are; NULL:
 * numbers. */
size_t gpai_witnesses(const gpa_sample *from, const gpa_input *inputs, size_t *row,
                      size_t n);

/* Keeps one of those that are copies of each other in every input, and gives how many
 * are left: what comes twice does not know twice as much. 0: fewer than
 * GPAI_CROWD_LEAST. Rows of flags, levels and few steps are the same by chance; of
 * those all are kept. */
size_t gpai_witness_distinct(const gpa_sample *from, const gpa_input *inputs,
                             size_t *row, size_t n);

/* The spread of f over the rows of a table whose outcomes do not contradict it
 * (`every`: over all of them); NaN: they are too few. */
double gpai_witness_spread(const gpa_sample *from, bool every);

#endif
