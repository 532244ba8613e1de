#ifndef GPAI_ENGINE_EXPLAIN_H
#define GPAI_ENGINE_EXPLAIN_H
#include "result/explanation.h"
#include <gpa/model.h>

/* gpa_explain in two halves, for methods that change something in between. */

/* An explanation with its rows, its predictions (asked for unless s->f is there) and
 * nothing left open: opt was resolved, and is complete afterwards. asked: s->f is
 * there, but asking for it counts. *out is to be freed also when this fails. */
gpa_status gpai_explain_begin(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                              gpa_explain_options *opt, bool asked, gpa_error *err);

/* Then the stages: culprit, MAP, marginals. */
gpa_status gpai_explain_run(gpa_explanation *e, gpa_model *m,
                            const gpa_explain_options *opt, gpa_error *err);

#endif
