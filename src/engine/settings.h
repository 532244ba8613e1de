#ifndef GPAI_ENGINE_SETTINGS_H
#define GPAI_ENGINE_SETTINGS_H
#include "result/explanation.h"

/* Copies the caller's options (of whatever size its header had) over the defaults and
 * refuses what makes no sense for a problem of d inputs. opt may be NULL. */
gpa_status gpai_options_resolve(gpa_explain_options *out,
                                const gpa_explain_options *opt, size_t d,
                                gpa_error *err);

/* Chooses what was left open for the rows in e (e->x, y, f, unit, rows are there):
 * fills the hyper-parameters of e->summary, e->b and e->score, and completes opt. */
gpa_status gpai_choose_automatic(gpa_explanation *e, gpa_explain_options *opt,
                                 gpa_error *err);

#endif
