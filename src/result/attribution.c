#include "result/attribution.h"
#include "base/alloc.h"
#include "base/status.h"
#include <gpa/attribute.h>
#include <gpa/explain.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gpa_status gpai_attribution_new(gpa_attribution **out, const gpa_method *method,
                                size_t d, gpa_error *err)
{
    *out = NULL;
    gpa_attribution *a = gpai_calloc(1, sizeof *a);
    if (a == NULL)
        return gpai_nomem(err, method->name);
    a->score = gpai_calloc(d, 3 * sizeof *a->score);
    if (a->score == NULL) {
        gpai_free(a);
        return gpai_nomem(err, method->name);
    }
    a->sd = a->score + d;
    a->responsible = a->sd + d;
    a->method = method;
    a->d = d;
    a->converged = true;
    a->extra = a->eta = a->sigma = a->output = (double)NAN;
    *out = a;
    return GPA_OK;
}

void gpai_attribution_note(gpa_attribution *a, const char *format, ...)
{
    if (a->n_notes == GPAI_ATTRIBUTION_NOTES)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(a->notes[a->n_notes++], GPAI_ATTRIBUTION_NOTE_SIZE, format, args);
    va_end(args);
}

void gpa_attribution_free(gpa_attribution *a)
{
    if (a == NULL)
        return;
    gpa_explanation_free(a->explanation);
    gpai_free(a->verdict_text);
    gpai_free(a->score);
    gpai_free(a);
}

const char *gpa_attribution_note(const gpa_attribution *a, size_t i)
{
    return i < a->n_notes ? a->notes[i] : NULL;
}

/* The answers to questions about an attribution: type, name, answer.
 * tools/check_layers.py finds these functions by the names in the list. */
#define GET(type, name, answer)                                                        \
    type name(const gpa_attribution *a)                                                \
    {                                                                                  \
        return answer;                                                                 \
    }

GET(const gpa_method *, gpa_attribution_method, a->method)
GET(size_t, gpa_attribution_dim, a->d)
GET(const double *, gpa_attribution_score, a->score)
GET(const double *, gpa_attribution_sd, a->has_sd ? a->sd : NULL)
GET(const double *, gpa_attribution_responsible,
    a->has_responsible ? a->responsible : NULL)
GET(double, gpa_attribution_output, a->output)
GET(uint64_t, gpa_attribution_model_rows, a->rows)
GET(uint64_t, gpa_attribution_model_calls, a->calls)
GET(size_t, gpa_attribution_iterations, a->iterations)
GET(bool, gpa_attribution_converged, a->converged)
GET(const char *, gpa_attribution_extra_name, a->extra_name)
GET(double, gpa_attribution_extra, a->extra)

/* The paper's comparison chart (table 1). */
static const gpa_method METHODS[] = {
    {.name = "gpa",
     .positive = "it should be higher",
     .reference_point = "maximum a posteriori point",
     .label = "GPA",
     .title = "generative perturbation analysis",
     .training_data_free = true,
     .baseline_free = true,
     .sees_y = true,
     .distribution = true,
     .gives = "the perturbation of each input that makes the observation look "
              "normal, with its distribution"},
    {.name = "lc",
     .positive = "it should be higher",
     .reference_point = "maximum likelihood point",
     .label = "LC",
     .title = "likelihood compensation",
     .training_data_free = true,
     .baseline_free = true,
     .sees_y = true,
     .gives = "the perturbation of each input that makes the observation "
              "likely under Gaussian noise"},
    {.name = "lime",
     .positive = "f rises with it",
     .reference_point = "infinitesimal vicinity",
     .label = "LIME",
     .title = "local linear surrogate",
     .training_data_free = true,
     .baseline_free = true,
     .gives = "the slopes of a sparse linear model fitted around the row"},
    {.name = "baylime",
     .positive = "f rises with it",
     .reference_point = "infinitesimal vicinity",
     .label = "BayLIME",
     .title = "Bayesian local linear surrogate",
     .training_data_free = true,
     .baseline_free = true,
     .distribution = true,
     .gives = "the slopes of a linear model around the row, with a spread that "
              "does not depend on the model"},
    {.name = "ig",
     .positive = "it pushes f up",
     .reference_point = "arbitrary",
     .label = "IG",
     .title = "integrated gradients",
     .training_data_free = true,
     .gives = "the increment of the prediction from a baseline, shared out "
              "along a straight path"},
    {.name = "eig",
     .positive = "it pushes f up",
     .reference_point = "globally distributional",
     .label = "EIG",
     .title = "expected integrated gradients",
     .baseline_free = true,
     .gives = "integrated gradients averaged over reference rows as baselines"},
    {.name = "sv",
     .positive = "it pushes f up",
     .reference_point = "globally distributional",
     .label = "SV",
     .title = "Shapley values",
     .baseline_free = true,
     .gives = "the increment of the prediction from its mean over reference "
              "rows, shared out fairly"},
    {.name = "z",
     .positive = "it is above the mean",
     .reference_point = "global mean of the inputs",
     .label = "Z",
     .title = "Z-score",
     .baseline_free = true,
     .gives = "how unusual each input is among reference rows, without the "
              "model"},
};

size_t gpa_method_count(void)
{
    return sizeof METHODS / sizeof METHODS[0];
}

const gpa_method *gpa_method_at(size_t i)
{
    return i < gpa_method_count() ? &METHODS[i] : NULL;
}

const gpa_method *gpa_method_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < gpa_method_count(); i++)
        if (strcmp(METHODS[i].name, name) == 0)
            return &METHODS[i];
    return NULL;
}
