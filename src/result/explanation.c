#include "result/explanation.h"
#include "base/alloc.h"
#include "base/status.h"
#include <gpa/explain.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void lay_out(void *work, gpai_arena *a)
{
    gpa_explanation *e = work;
    e->x = gpai_take(a, e->n, e->d);
    GPAI_TAKE_EACH(a, e->n, 1, &e->y, &e->f, &e->score, &e->f_moved, &e->b);
    GPAI_TAKE_EACH(a, e->d, 1, &e->unit, &e->delta, &e->delta_raw);
    GPAI_TAKE_EACH(a, e->d, e->points, &e->grid, &e->density);
    e->rows = gpai_take_bytes(a, e->n, sizeof *e->rows);
}

gpa_status gpai_result_new(gpa_explanation **out, size_t n, size_t d, size_t points,
                           gpa_error *err)
{
    *out = NULL;
    gpa_explanation *e = gpai_calloc(1, sizeof *e);
    if (e == NULL)
        return gpai_nomem(err, "explain");
    e->n = n;
    e->d = d;
    e->points = points;
    e->block = gpai_carve(lay_out, e);
    e->marginals = points > 0 ? gpai_calloc(d, sizeof *e->marginals) : NULL;
    if (e->block == NULL || (points > 0 && e->marginals == NULL)) {
        gpa_explanation_free(e);
        return gpai_nomem(err, "explain");
    }
    e->summary.stationarity = (double)NAN;
    e->summary.ess = e->summary.surrogate_error = (double)NAN;
    e->summary.marginal_change = (double)NAN;
    *out = e;
    return GPA_OK;
}

gpa_status gpai_result_add_culprit(gpa_explanation *e, gpa_error *err)
{
    /* an index takes no more room than a number */
    size_t own = GPAI_CULPRIT_NUMBERS + 2;
    e->culprit_numbers = gpai_calloc(e->d, (own + 1) * sizeof(double));
    if (e->culprit_numbers == NULL)
        return gpai_nomem(err, "explain");
    e->far = (size_t *)(void *)(e->culprit_numbers + own * e->d);
    return GPA_OK;
}

void gpai_result_blame(gpa_explanation *e)
{
    gpa_culprit *c = &e->culprit;
    double *p = e->culprit_numbers + (GPAI_CULPRIT_NUMBERS + 1) * e->d;
    for (size_t k = 0; k < e->d; k++)
        p[k] = c->probability[k] * (1 - c->output);
    c->responsible = p;
}

gpa_status gpai_result_add_alone(gpa_explanation *e, size_t numbers, gpa_error *err)
{
    e->alone = gpai_calloc(e->d, sizeof *e->alone);
    e->alone_numbers = gpai_calloc(numbers > 0 ? numbers : 1, sizeof *e->alone_numbers);
    return e->alone == NULL || e->alone_numbers == NULL ? gpai_nomem(err, "explain")
                                                        : GPA_OK;
}

gpa_status gpai_result_add_axes(gpa_explanation *e, size_t numbers, gpa_error *err)
{
    e->axes = gpai_calloc(e->d, sizeof *e->axes);
    e->axis_numbers = gpai_calloc(numbers, sizeof *e->axis_numbers);
    return e->axes == NULL || e->axis_numbers == NULL ? gpai_nomem(err, "explain")
                                                      : GPA_OK;
}

void gpai_result_note(gpa_explanation *e, const char *format, ...)
{
    if (e->n_notes == GPAI_NOTES)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(e->notes[e->n_notes++], GPAI_NOTE_SIZE, format, args);
    va_end(args);
}

const char *gpai_result_noted(const gpa_explanation *e, const char *beginning)
{
    size_t length = strlen(beginning);
    for (size_t i = 0; i < e->n_notes; i++)
        if (strncmp(e->notes[i], beginning, length) == 0)
            return e->notes[i] + length;
    return NULL;
}

void gpa_explanation_free(gpa_explanation *e)
{
    if (e == NULL)
        return;
    gpai_free(e->axis_numbers);
    gpai_free(e->axes);
    gpai_free(e->level_numbers);
    gpai_free(e->alone_numbers);
    gpai_free(e->alone);
    gpai_free(e->culprit_numbers);
    gpai_free(e->marginals);
    gpai_free(e->block);
    gpai_free(e);
}

/* The answers to questions about an explanation: type, name, answer; _AT: about one of
 * several. tools/check_layers.py finds these functions by the names in the lists. */
#define GET(type, name, answer)                                                        \
    type name(const gpa_explanation *e)                                                \
    {                                                                                  \
        return answer;                                                                 \
    }
#define GET_AT(type, name, answer)                                                     \
    type name(const gpa_explanation *e, size_t i)                                      \
    {                                                                                  \
        return answer;                                                                 \
    }

const char *gpai_spread_unknown(const gpa_summary *s)
{
    bool surrogate = s->marginals == GPA_MARGINALS_SURROGATE;
    if (isnan(s->ess)) /* no draws */
        return NULL;
    if (surrogate && !(s->surrogate_error <= GPAI_FAR_OFF))
        return "not known: the surrogate is off by more than 4 noise scales, or "
               "too few draws carry it, or its last rows still changed it";
    if (!surrogate && s->ess < GPAI_FEW_DRAWS)
        return "not known: fewer than 50 effective draws";
    return NULL;
}

GET(const gpa_summary *, gpa_explanation_summary, &e->summary)
GET(gpa_stage, gpa_explanation_stage, e->stage)
GET(size_t, gpa_explanation_rows, e->n)
GET(size_t, gpa_explanation_dim, e->d)
GET(const double *, gpa_explanation_delta, e->delta)
GET(const double *, gpa_explanation_delta_raw, e->delta_raw)
GET(const double *, gpa_explanation_unit, e->unit)
GET(const double *, gpa_explanation_x, e->x)
GET(const double *, gpa_explanation_y, e->y)
GET(const double *, gpa_explanation_f, e->f)
GET(const double *, gpa_explanation_score, e->score)
GET(const double *, gpa_explanation_f_moved, e->f_moved)
GET(const double *, gpa_explanation_b, e->b)
GET(bool, gpa_explanation_spread_known,
    e->stage == GPA_STAGE_WHOLE && e->marginals != NULL &&
        gpai_spread_unknown(&e->summary) == NULL)
GET(const gpa_culprit *, gpa_explanation_culprit,
    e->culprit.verdict == GPA_VERDICT_UNKNOWN ? NULL : &e->culprit)
GET_AT(size_t, gpa_explanation_row, e->rows[i])
GET_AT(const gpa_marginal *, gpa_explanation_marginal,
       e->stage != GPA_STAGE_WHOLE || e->marginals == NULL || i >= e->d
           ? NULL
           : &e->marginals[i])
GET_AT(const char *, gpa_explanation_note, i < e->n_notes ? e->notes[i] : NULL)
GET_AT(const gpa_alone *, gpa_explanation_alone,
       e->alone == NULL || i >= e->d ||
               (e->alone[i].levels == 0 && isnan(e->alone[i].value))
           ? NULL
           : &e->alone[i])
GET_AT(const gpa_axis *, gpa_explanation_axis,
       e->axes != NULL && i < e->d && e->axes[i].points > 0 ? &e->axes[i] : NULL)

/* The words of the choices, by their values: the same in options, JSON and reports. */

/* The i-th of n names; NULL beyond them. */
static const char *name_at(const char *const *names, size_t n, size_t i)
{
    return i < n ? names[i] : NULL;
}

#define NAME_AT(value, ...)                                                            \
    name_at((const char *const[]){__VA_ARGS__},                                        \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),               \
            (size_t)(value))

const char *gpa_solver_name(gpa_solver solver)
{
    return NAME_AT(solver, "auto", "paper", "paper-det", "fast", "thorough");
}

const char *gpa_marginals_name(gpa_marginals marginals)
{
    return NAME_AT(marginals, "auto", "none", "paper", "exact", "surrogate", "plugin");
}

const char *gpa_noise_name(gpa_noise noise)
{
    return NAME_AT(noise, "auto", "constant", "local");
}

const char *gpa_culprit_mode_name(gpa_culprit_mode mode)
{
    return NAME_AT(mode, "auto", "on", "basic", "off");
}

const char *gpa_plausible_name(gpa_plausible plausible)
{
    return NAME_AT(plausible, "auto", "data", "reference", "none");
}

const char *gpa_missing_name(gpa_missing missing)
{
    return NAME_AT(missing, "auto", "ask", "hold");
}

const char *gpa_verdict_name(gpa_verdict verdict)
{
    return NAME_AT(verdict, "unknown", "normal", "input", "tied", "output");
}
