#ifndef GPAI_ENGINE_CULPRIT_UNJUDGED_H
#define GPAI_ENGINE_CULPRIT_UNJUDGED_H
#include "engine/culprit/culprit.h"
#include "result/explanation.h"

/* Notes that name the inputs for which the model had no finite value at some of the
 * places it was asked at; those first of which the most could not be judged. */
void gpai_tell_unjudged(gpa_explanation *e, const gpa_explain_options *opt,
                        const gpai_problem *p, const gpai_space *s,
                        const gpai_profile *r, const gpai_culprit *c);

#endif
