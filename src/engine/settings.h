#ifndef GPAI_ENGINE_SETTINGS_H
#define GPAI_ENGINE_SETTINGS_H
#include "base/text/show.h"
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

/* What input k is called in notes and errors: by its name, that of its one-hot group
 * where `inputs` has one, or by its number from 1. Either array may be NULL. */
gpai_shown gpai_called(const char *const *names, const gpa_input *inputs, size_t k);

#endif
