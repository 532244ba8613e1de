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

const gpa_method *gpa_attribution_method(const gpa_attribution *a)
{
    return a->method;
}

size_t gpa_attribution_dim(const gpa_attribution *a)
{
    return a->d;
}

const double *gpa_attribution_score(const gpa_attribution *a)
{
    return a->score;
}

const double *gpa_attribution_sd(const gpa_attribution *a)
{
    return a->has_sd ? a->sd : NULL;
}

uint64_t gpa_attribution_model_rows(const gpa_attribution *a)
{
    return a->rows;
}

uint64_t gpa_attribution_model_calls(const gpa_attribution *a)
{
    return a->calls;
}

size_t gpa_attribution_iterations(const gpa_attribution *a)
{
    return a->iterations;
}

bool gpa_attribution_converged(const gpa_attribution *a)
{
    return a->converged;
}

const char *gpa_attribution_extra_name(const gpa_attribution *a)
{
    return a->extra_name;
}

double gpa_attribution_extra(const gpa_attribution *a)
{
    return a->extra;
}

const char *gpa_attribution_note(const gpa_attribution *a, size_t i)
{
    return i < a->n_notes ? a->notes[i] : NULL;
}
