#ifndef GPAI_GPA_H
#define GPAI_GPA_H
#include "base/result.h"
#include <gpa/model.h>

/* Generative perturbation analysis as one method: MAP, its check, distributions. e
 * holds the rows and the settled hyper-parameters; opt is settled too. */
gpa_status gpai_gpa_run(gpa_explanation *e, gpa_model *m,
                        const gpa_explain_options *opt, gpa_error *err);

#endif
