#include "base/result.h"
#include "base/status.h"
#include "methods/gpa.h"
#include "methods/settings.h"
#include <math.h>
#include <string.h>

static gpa_status check_sample(const gpa_model *m, const gpa_sample *s, gpa_error *err)
{
    if (m == NULL || s == NULL || s->x == NULL || s->y == NULL)
        return gpai_fail(err, GPA_INVALID,
                         "explain: a model and rows with y are needed");
    if (s->n == 0 || s->d == 0)
        return gpai_fail(err, GPA_INVALID, "explain: %zu rows of %zu inputs", s->n,
                         s->d);
    if (s->d != gpa_model_dim(m))
        return gpai_fail(err, GPA_INVALID,
                         "explain: the rows have %zu inputs, the model takes %zu", s->d,
                         gpa_model_dim(m));
    return GPA_OK;
}

/* Copies rows, outcomes, units; f is asked for when the caller does not know it, and
 * counted also when it has been `asked` for already. */
static gpa_status take_rows(gpa_explanation *e, gpa_model *m, const gpa_sample *s,
                            const gpa_explain_options *opt, bool asked, gpa_error *err)
{
    memcpy(e->x, s->x, s->n * s->d * sizeof *e->x);
    memcpy(e->y, s->y, s->n * sizeof *e->y);
    for (size_t t = 0; t < s->n; t++)
        e->rows[t] = opt->context_rows != NULL ? opt->context_rows[t] : t;
    for (size_t k = 0; k < s->d; k++)
        e->unit[k] = opt->unit != NULL ? opt->unit[k] : 1;
    if (s->f != NULL) {
        memcpy(e->f, s->f, s->n * sizeof *e->f);
    } else {
        if (opt->budget > 0 && opt->budget < s->n)
            return gpai_fail(err, GPA_INVALID,
                             "explain: a budget of %zu rows, but %zu rows to predict",
                             opt->budget, s->n);
        gpa_status st = gpa_model_predict(m, s->x, s->n, e->f, err);
        if (st != GPA_OK)
            return st;
    }
    if (s->f == NULL || asked) {
        e->summary.rows_check = e->summary.model_rows = s->n;
        e->summary.model_calls = 1;
    }
    for (size_t t = 0; t < s->n; t++)
        if (!isfinite(e->y[t]) || !isfinite(e->f[t]))
            return gpai_fail(
                err, GPA_NUMERIC,
                "explain: row %zu: y is %g and the model gives %g; both must "
                "be finite",
                e->rows[t], e->y[t], e->f[t]);
    return GPA_OK;
}

gpa_status gpai_explain_begin(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                              gpa_explain_options *opt, bool asked, gpa_error *err)
{
    *out = NULL;
    if (opt->marginals ==
        GPA_MARGINALS_AUTO) /* by the kind of model, never by its speed */
        opt->marginals =
            gpa_model_in_process(m) ? GPA_MARGINALS_EXACT : GPA_MARGINALS_SURROGATE;
    size_t points = opt->marginals == GPA_MARGINALS_NONE ? 0 : opt->grid_points;
    gpa_status st = gpai_result_new(out, s->n, s->d, points, err);
    if (st == GPA_OK)
        st = take_rows(*out, m, s, opt, asked, err);
    if (st == GPA_OK)
        st = gpai_settle(*out, opt, err);
    return st;
}

gpa_status gpa_explain(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                       const gpa_explain_options *opt, gpa_error *err)
{
    gpa_explain_options o;
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "explain: nowhere to put the result");
    *out = NULL;
    gpa_explanation *e = NULL;
    gpa_status st = check_sample(m, s, err);
    if (st == GPA_OK)
        st = gpai_options_resolve(&o, opt, s->d, err);
    if (st == GPA_OK)
        st = gpai_explain_begin(&e, m, s, &o, false, err);
    if (st == GPA_OK)
        st = gpai_gpa_run(e, m, &o, err);
    if (st != GPA_OK) {
        gpa_explanation_free(e);
        return st;
    }
    *out = e;
    return GPA_OK;
}
