#ifndef GPAI_ENGINE_CULPRIT_SEVERAL_BOXES_H
#define GPAI_ENGINE_CULPRIT_SEVERAL_BOXES_H
#include "engine/culprit/subsets.h"

/* The evidence of subsets of two or three axes to the last digit that counts. Lines
 * start as so many cells; the boxes that cells of all axes make are cut in half along
 * every line, where the evidence lies, until that changes nothing: a narrow likelihood
 * and a narrow density may miss each other in a box, and the product of their means
 * does not see it. */
typedef struct gpai_boxes gpai_boxes;

/* Room for any subset of so many axes, with so many cells a line at most.
 * gpai_boxes_close frees, and takes NULL. */
gpa_status gpai_boxes_open(gpai_boxes **b, const gpai_evidence *e, size_t size,
                           size_t cells, gpa_error *err);
void gpai_boxes_close(gpai_boxes *b);

/* `level`: ln evidence with which the subset would have half of the answer; boxes that
 * have next to nothing of the answer stay as they are. */
void gpai_boxes_weigh(gpai_boxes *b, size_t cells, double level, gpai_subset *subset);

#endif
