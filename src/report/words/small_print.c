#include "report/words/numbers.h"
#include <math.h>

/* How an answer was found, in words (view.h). */

void gpai_say_basis(gpa_text *t, const gpai_view *v)
{
    const gpa_culprit *c = v->c;
    if (c->plausible == GPA_PLAUSIBLE_NONE || c->plausible_rows == 0)
        gpai_text_add(t, "culprits judged by the model alone");
    else
        gpai_text_printf(t, "culprits judged with %zu %s to say what is plausible",
                         c->plausible_rows,
                         c->plausible == GPA_PLAUSIBLE_REFERENCE ? "reference rows"
                                                                 : "other rows");
}

static void stage(gpa_text *t, uint64_t rows, const char *name, bool *first)
{
    if (rows > 0)
        gpai_text_printf(t, "%s%s %ju", *first ? " (" : ", ", name, (uintmax_t)rows);
    *first = *first && rows == 0;
}

void gpai_say_rows_asked(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    bool first = true;
    gpai_text_printf(t, "%ju rows asked of the model", (uintmax_t)s->model_rows);
    stage(t, s->rows_map, "map", &first);
    stage(t, s->rows_check, "check", &first);
    stage(t, s->rows_culprit, "culprit", &first);
    stage(t, s->rows_marginals, "marginals", &first);
    gpai_text_printf(t, "%s in %ju calls", first ? "" : ")", (uintmax_t)s->model_calls);
    if (s->nonfinite_rows > 0)
        gpai_text_printf(t, "; %ju gave no number and were dropped",
                         (uintmax_t)s->nonfinite_rows);
}

void gpai_say_search(gpa_text *t, const gpai_view *v)
{
    const gpa_summary *s = v->s;
    gpai_text_printf(t, "%s after %zu iterations%s, stationarity %s",
                     s->converged ? "converged" : "NOT converged", s->iterations,
                     s->budget_hit ? " (the budget was used up)" : "",
                     gpai_say_number(v, s->stationarity, 3).text);
    if (isfinite(s->ess))
        gpai_text_printf(t, "; %s effective draws",
                         gpai_say_number(v, floor(s->ess), 6).text);
    if (isfinite(s->surrogate_error))
        gpai_text_printf(t, "; surrogate error %s noise scales%s",
                         gpai_say_number(v, s->surrogate_error, 2).text,
                         s->surrogate_error > 2 ? ": distrust it" : "");
}
