#include "result/attribution.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

gpa_status gpai_attribution_new(gpa_attribution **out, const gpa_method *method,
                                size_t d, gpa_error *err)
{
    *out = NULL;
    gpa_attribution *a = gpai_calloc(1, sizeof *a);
    if (a == NULL)
        return gpai_nomem(err, method->name);
    a->score = gpai_calloc(d, 2 * sizeof *a->score);
    if (a->score == NULL) {
        gpai_free(a);
        return gpai_nomem(err, method->name);
    }
    a->sd = a->score + d;
    a->method = method;
    a->d = d;
    a->converged = true;
    a->extra = a->eta = a->sigma = (double)NAN;
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
GET(uint64_t, gpa_attribution_model_rows, a->rows)
GET(uint64_t, gpa_attribution_model_calls, a->calls)
GET(size_t, gpa_attribution_iterations, a->iterations)
GET(bool, gpa_attribution_converged, a->converged)
GET(const char *, gpa_attribution_extra_name, a->extra_name)
GET(double, gpa_attribution_extra, a->extra)
