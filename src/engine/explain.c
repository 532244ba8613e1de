#include "engine/explain.h"
#include "base/alloc.h"
#include "base/status.h"
#include "engine/objective.h"
#include "engine/settings.h"
#include "engine/stages.h"
#include <math.h>
#include <string.h>

/* Inputs that move in whole steps: integers and one-hot members. */
static gpa_status flag_whole(gpai_run *r)
{
    const gpa_explain_options *o = r->opt;
    if (o->integer == NULL && o->onehot == NULL)
        return GPA_OK;
    r->whole = gpai_calloc(r->e->d, sizeof *r->whole);
    if (r->whole == NULL)
        return gpai_nomem(r->err, "explain");
    for (size_t k = 0; k < r->e->d; k++)
        r->whole[k] = (o->integer != NULL && o->integer[k] != 0) ||
                      (o->onehot != NULL && o->onehot[k] != 0);
    r->p.whole = r->whole;
    return GPA_OK;
}

gpa_status gpai_run_space(const gpai_run *r, const gpai_problem *p, gpai_space *s)
{
    const gpa_explain_options *o = r->opt;
    gpai_limits limits = {.frozen = o->frozen,
                          .lower = o->lower,
                          .upper = o->upper,
                          .integer = o->integer,
                          .group = o->onehot};
    return gpai_space_open(s, p, &limits, r->err);
}

/* Rows of different categories have no move in common. */
static void tell_about_groups(const gpai_run *r)
{
    const gpa_explain_options *o = r->opt;
    for (size_t k = 0; o->onehot != NULL && k < r->e->d; k++)
        if (o->onehot[k] != 0 && r->s.axis_of[k] == r->s.axes && r->e->n > 1 &&
            (o->frozen == NULL || !o->frozen[k])) {
            gpai_result_note(r->e, "the rows are in different categories of a one-hot "
                                   "group, which therefore cannot move");
            return;
        }
}

/* Rows a call may have. In this process pieces of a few hundred stay in the cache; a
 * model outside of it gets everything at once (up to --batch). */
static size_t largest_call(const gpai_run *r)
{
    enum { PIECE = 512 };
    size_t n = r->e->n, rows = r->opt->marginal_rows, profile = 25 * r->e->d + 1;
    if (gpa_model_in_process(r->p.model))
        return n > PIECE ? n : PIECE;
    return n * (rows > profile ? rows : profile);
}

static gpa_status solve(gpai_run *r)
{
    gpa_summary *s = &r->e->summary;
    bool paper = s->solver == GPA_SOLVER_PAPER || s->solver == GPA_SOLVER_PAPER_DET;
    gpa_status st = flag_whole(r);
    if (st == GPA_OK)
        st = gpai_run_space(r, &r->p, &r->s);
    if (st == GPA_OK) {
        tell_about_groups(r);
        st = gpai_problem_open(&r->p, largest_call(r), r->err);
    }
    r->e->culprit_notes[0] = r->e->n_notes;
    if (st == GPA_OK)
        st = gpai_stage_culprit(r);
    r->e->culprit_notes[1] = r->e->n_notes;
    if (st == GPA_OK)
        st = paper ? gpai_stage_map_paper(r) : gpai_stage_map_fast(r);
    if (st == GPA_OK)
        st = gpai_stage_marginals(r);
    return st;
}

/* delta in the data's units; whole numbers are whole. */
static void to_raw(gpai_run *r)
{
    gpa_explanation *e = r->e;
    for (size_t k = 0; k < e->d; k++) {
        double raw = e->unit[k] * e->delta[k];
        e->delta_raw[k] = r->whole != NULL && r->whole[k] ? nearbyint(raw) : raw;
    }
}

gpa_status gpai_explain_run(gpa_explanation *e, gpa_model *m,
                            const gpa_explain_options *opt, gpa_error *err)
{
    static const double PROVISIONAL_ETA = 0.4; /* until the slopes are known */
    gpa_summary *s = &e->summary;
    gpai_run r = {.e = e, .opt = opt, .err = err};
    r.p = (gpai_problem){.model = m,
                         .n = e->n,
                         .d = e->d,
                         .x = e->x,
                         .y = e->y,
                         .unit = e->unit,
                         .b = e->b,
                         .a = s->a0,
                         .eta = isnan(s->eta) ? PROVISIONAL_ETA : s->eta,
                         .nu = s->nu,
                         .budget = opt->budget};
    r.p.rows = s->model_rows; /* asked for the observed rows, if at all */
    r.p.calls = s->model_calls;
    gpa_status st = solve(&r);
    s->objective_zero = gpai_data_term(&r.p, e->f);
    s->model_rows = r.p.rows;
    s->model_calls = r.p.calls;
    s->nonfinite_rows = r.p.nonfinite;
    to_raw(&r);
    gpai_search_close(&r.q);
    if (r.profiled)
        gpai_profile_close(&r.profile);
    gpai_slope_free(&r.slope);
    gpai_space_close(&r.s);
    gpai_problem_close(&r.p);
    gpai_free(r.whole);
    return st;
}

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
        st = gpai_choose_automatic(*out, opt, err);
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
        st = gpai_explain_run(e, m, &o, err);
    if (st != GPA_OK) {
        gpa_explanation_free(e);
        return st;
    }
    *out = e;
    return GPA_OK;
}
