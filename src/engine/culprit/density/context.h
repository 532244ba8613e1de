#ifndef GPAI_ENGINE_CULPRIT_DENSITY_CONTEXT_H
#define GPAI_ENGINE_CULPRIT_DENSITY_CONTEXT_H
#include "engine/culprit/density/plausible.h"

/* Whom to believe about the others. Inputs are judged by how well they fit the rest of
 * the row; one to which f is blind is never at fault for y, and so never repaired. If
 * it is wrong nevertheless, whatever is correlated with it would be accused for not
 * fitting it. So a blind input that does not fit has no say.
 *
 * Who does not fit is found by correlations alone: the input farthest from what all
 * others let expect goes first, blind or not, then the farthest from what those that
 * are left let expect, and so on, until all fit: next to a wrong input its neighbours
 * do not fit, but as soon as it is gone they do. */

/* silent[i] of every axis: whether it has no say. blind: axes to which f is. q: of the
 * density by correlations alone. Gives how many. */
gpa_status gpai_context_check(gpai_plausible *q, const bool *blind, bool *silent,
                              size_t *count, gpa_error *err);

#endif
