#ifndef GPAI_ENGINE_CULPRIT_SEVERAL_BOXES_H
#define GPAI_ENGINE_CULPRIT_SEVERAL_BOXES_H
#include "engine/culprit/subsets.h"

/* The evidence of one subset of two or three axes to the last digit that counts. Lines
 * start as so many cells; the boxes that cells of all axes make are cut in half along
 * every line, where the evidence lies, until that changes nothing: a narrow likelihood
 * and a narrow density may miss each other in a box, and the product of their means
 * does not see it.
 *
 * `level`: ln evidence with which the subset would have half of the answer; boxes that
 * have next to nothing of the answer stay as they are. */
gpa_status gpai_boxes_weigh(const gpai_evidence *e, size_t cells, double level,
                            gpai_subset *subset, gpa_error *err);

#endif
