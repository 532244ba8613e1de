#include "engine/explain.h"
#include "base/alloc.h"
#include "base/status.h"
#include "engine/ask.h"
#include "engine/marginals/marginals.h"
#include "engine/math/kriging.h"
#include "engine/objective.h"
#include "engine/settings.h"
#include "engine/space.h"
#include "engine/stages.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The door of the engine. Read from here to the end, this file is the method; what a
 * stage does is in the corner of its name. Equations are those of docs/methods.md.
 *
 * A row x was observed with an outcome y that the model f does not expect. Suppose the
 * model is right and the row misplaced by delta, in units of its inputs:
 *
 *     y_t = f(x_t + delta) + noise                                         (eq. 3)
 *     p(delta) ~ exp(-eta/2 |delta|^2 - eta nu |delta|_1)                  (eq. 5)
 *     noise of Student's t: 2 a0 degrees of freedom, scale sqrt(b_t / a0)  (eq. 6)
 *
 * which makes the posterior of delta, up to a constant,
 *
 *     Q(delta) = p(delta) prod_t [1 + (y_t - f(x_t + delta))^2 / 2 b_t]^-(a0 + 1/2)
 *                                                                          (eq. 7)
 *
 * 1. take the rows, and ask f for them unless it is known     take_rows
 * 2. choose what was left open: sigma, b_t, eta, nu, a0       gpai_choose_automatic
 * 3. who did it? P(input k alone, or with others)             gpai_stage_culprit
 * 4. the most probable change: delta* maximises Q             gpai_stage_map_*
 * 5. how sure is that? the distribution of each delta_k       gpai_stage_marginals
 *
 * Only the stages ask the model, all of them through engine/ask. */

static gpa_status check_sample(const gpa_model *m, const gpa_sample *s, gpa_error *err);
static gpa_status take_rows(gpa_explanation *e, gpa_model *m, const gpa_sample *s,
                            const gpa_explain_options *opt, bool asked, gpa_error *err);
static gpa_status open_run(gpai_run *r, gpa_model *m);
static void take_stock(gpai_run *r);
static void close_run(gpai_run *r);

gpa_status gpa_explain(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                       const gpa_explain_options *opt, gpa_error *err)
{
    return gpai_explain_known(out, m, s, opt, NULL, err);
}

gpa_status gpai_explain_known(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                              const gpa_explain_options *opt, gpai_known *known,
                              gpa_error *err)
{
    gpa_explain_options o;
    if (out == NULL)
        return gpai_fail(err, GPA_INVALID, "explain: nowhere to put the result");
    *out = NULL;
    gpai_expect_rows();
    gpa_explanation *e = NULL;
    gpa_status st = check_sample(m, s, err);
    if (st == GPA_OK)
        st = gpai_options_resolve(&o, opt, s->d, err);
    if (st == GPA_OK)
        st = gpai_explain_begin(&e, m, s, &o, false, err);
    if (st == GPA_OK)
        st = gpai_explain_run(e, m, &o, known, err);
    if (st != GPA_OK) {
        gpa_explanation_free(e);
        return st;
    }
    *out = e;
    return GPA_OK;
}

/* Inputs that may move; the columns of a one-hot group are one. */
static size_t count_moving(const gpa_explain_options *opt, size_t d)
{
    size_t moving = 0, groups = 0;
    for (size_t k = 0; k < d; k++) {
        size_t group = opt->onehot != NULL ? opt->onehot[k] : 0;
        groups = group > groups ? group : groups;
        moving += group == 0 && (opt->frozen == NULL || !opt->frozen[k]) ? 1 : 0;
    }
    return moving + groups;
}

gpa_status gpai_explain_begin(gpa_explanation **out, gpa_model *m, const gpa_sample *s,
                              gpa_explain_options *opt, bool asked, gpa_error *err)
{
    *out = NULL;
    if (opt->marginals ==
        GPA_MARGINALS_AUTO) /* by the kind of model, never its speed */
        opt->marginals =
            gpa_model_in_process(m) ? GPA_MARGINALS_EXACT : GPA_MARGINALS_SURROGATE;
    /* measured with 60 inputs, from 300 rows: five of 18 answers were not known, and
     * those of a forest 0.14 to 0.44 away, exact ones 0.06; with 30 and 45 it was the
     * better one */
    size_t moving = count_moving(opt, s->d);
    bool too_many =
        opt->marginals == GPA_MARGINALS_SURROGATE && moving > GPAI_KRIGING_AXES;
    if (too_many)
        opt->marginals = GPA_MARGINALS_EXACT;
    /* measured to be 0.02 to 0.03 (total variation, median) away from runs of four
     * million draws; a surrogate chooses by what was paid before */
    if (opt->marginal_rows == 0 && opt->marginals != GPA_MARGINALS_SURROGATE)
        opt->marginal_rows = 4096;
    size_t points = opt->marginals == GPA_MARGINALS_NONE ? 0 : opt->grid_points;
    gpa_status st = gpai_result_new(out, s->n, s->d, points, err);
    if (st == GPA_OK && too_many)
        gpai_result_note(*out,
                         "exact distributions: %zu inputs may move, and with more than "
                         "%d a surrogate cannot be trusted",
                         moving, GPAI_KRIGING_AXES);
    if (st == GPA_OK)
        st = take_rows(*out, m, s, opt, asked, err);
    if (st == GPA_OK)
        st = gpai_choose_automatic(*out, opt, err);
    return st;
}

/* Says so when there may be a better change. */
static void tell_about_search(const gpai_run *r)
{
    const gpa_summary *s = &r->e->summary;
    if (s->converged)
        return;
    if (r->cut)
        gpai_result_note(r->e, GPAI_SEARCH_CUT ": a better one may exist");
    else if (r->left == 0)
        gpai_result_note(r->e, "the search for the joint change did not converge: a "
                               "better one may exist");
    else
        gpai_result_note(r->e,
                         "the search for the joint change did not converge: moving "
                         "%s gains %.2g more%s",
                         gpai_called(r->opt->names, r->opt->inputs, r->left_input).text,
                         r->left,
                         s->solver == GPA_SOLVER_FAST ? " (--solver thorough)" : "");
}

/* Shows how far it is to whoever waits for that; whether it is enough. */
static bool enough(gpai_run *r, gpa_stage stage)
{
    if (r->opt->stage == NULL)
        return false;
    r->e->stage = stage;
    take_stock(r);
    bool ends = r->opt->stage(r->opt->stage_ctx, r->e) != 0;
    r->e->stage = ends ? stage : GPA_STAGE_WHOLE;
    return ends;
}

gpa_status gpai_explain_run(gpa_explanation *e, gpa_model *m,
                            const gpa_explain_options *opt, gpai_known *known,
                            gpa_error *err)
{
    gpai_run r = {.e = e, .opt = opt, .known = known, .err = err};
    bool paper = e->summary.solver == GPA_SOLVER_PAPER ||
                 e->summary.solver == GPA_SOLVER_PAPER_DET;
    gpa_status st = open_run(&r, m);
    e->culprit_notes[0] = e->n_notes;
    if (st == GPA_OK)
        st = gpai_stage_culprit(&r);
    if (st == GPA_OK && e->culprit.verdict != GPA_VERDICT_UNKNOWN)
        gpai_result_blame(e);
    e->culprit_notes[1] = e->n_notes;
    bool ends = st == GPA_OK && enough(&r, GPA_STAGE_VERDICT);
    if (st == GPA_OK && !ends)
        st = paper ? gpai_stage_map_paper(&r) : gpai_stage_map_fast(&r);
    if (st == GPA_OK && !ends)
        tell_about_search(&r);
    if (st == GPA_OK && !ends && e->summary.marginals != GPA_MARGINALS_NONE)
        ends = enough(&r, GPA_STAGE_CHANGE);
    if (st == GPA_OK && !ends)
        st = gpai_stage_marginals(&r);
    close_run(&r);
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

/* Asks f for the observed rows. */
static gpa_status ask_observed(gpa_explanation *e, gpa_model *m,
                               const gpa_explain_options *opt, gpa_error *err)
{
    gpai_problem p = {.model = m,
                      .budget = opt->budget,
                      .progress = opt->progress,
                      .progress_ctx = opt->progress_ctx};
    if (!gpai_problem_affords(&p, e->n))
        return gpai_fail(err, GPA_INVALID,
                         "explain: a budget of %zu rows, but %zu rows to predict",
                         opt->budget, e->n);
    return gpai_ask(&p, e->x, e->n, e->f, err);
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
    if (s->f != NULL)
        memcpy(e->f, s->f, s->n * sizeof *e->f);
    gpa_status st = s->f != NULL ? GPA_OK : ask_observed(e, m, opt, err);
    if (st != GPA_OK)
        return st;
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

/* Rows a call may have. In this process pieces of a few hundred stay in the cache; a
 * model outside of it gets everything at once (up to --batch). */
static size_t largest_call(const gpai_run *r)
{
    enum { PIECE = 512 }; /* chosen: 512 rows of 64 inputs are 256 KiB, a usual cache */
    /* the largest questions: f along all axes, and a batch of draws */
    size_t n = r->e->n, rows = r->opt->marginal_rows, profile = 25 * r->e->d + 1;
    rows = rows > 0 ? rows : GPAI_SURROGATE_ROWS;
    if (gpa_model_in_process(r->p.model))
        return n > PIECE ? n : PIECE;
    return n * (rows > profile ? rows : profile);
}

/* Names the choices that cannot move, three at most. */
static void tell_about_split(const gpai_run *r)
{
    enum { NAMED = 3 };
    char names[GPAI_NOTE_SIZE / 2] = "";
    size_t n = r->s.split;
    for (size_t i = 0; i < n && i < NAMED; i++) {
        const char *before = i == 0 ? "" : i + 1 == n ? " and " : ", ";
        gpai_shown name = gpai_called(r->opt->names, r->opt->inputs, r->s.split_in[i]);
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%.40s", before, name.text);
    }
    if (n > 0)
        gpai_result_note(r->e,
                         "the rows are in different categories of %s%s, which "
                         "therefore cannot move",
                         names, n > NAMED ? " and others" : "");
}

/* The problem, the axes along which it may be solved, and buffers to ask with. */
static gpa_status open_run(gpai_run *r, gpa_model *m)
{
    /* until the slopes are known (eq. 26); chosen: inside its range [0.05, 4] */
    static const double PROVISIONAL_ETA = 0.4;
    const gpa_explanation *e = r->e;
    const gpa_summary *s = &e->summary;
    r->p = (gpai_problem){.model = m,
                          .n = e->n,
                          .d = e->d,
                          .x = e->x,
                          .y = e->y,
                          .unit = e->unit,
                          .b = e->b,
                          .a = s->a0,
                          .eta = isnan(s->eta) ? PROVISIONAL_ETA : s->eta,
                          .nu = s->nu,
                          .rows = s->model_rows, /* asked for the observed rows */
                          .calls = s->model_calls,
                          .budget = r->opt->budget,
                          .progress = r->opt->progress,
                          .progress_ctx = r->opt->progress_ctx};
    r->calls = r->p.calls;
    gpa_status st = gpai_limits_exact(&r->exact, e->d, r->opt, r->err);
    r->p.exact = r->exact;
    if (st == GPA_OK)
        st = gpai_limits_space(&r->s, &r->p, r->opt, r->err);
    if (st == GPA_OK)
        tell_about_split(r);
    if (st == GPA_OK)
        st = gpai_problem_open(&r->p, largest_call(r), r->err);
    return st;
}

/* delta in the data's units; whole numbers are whole, and levels are met. */
static void to_raw(gpai_run *r)
{
    gpa_explanation *e = r->e;
    for (size_t k = 0; k < e->d; k++) {
        const gpai_exact *exact = r->exact != NULL ? &r->exact[k] : NULL;
        double x = e->x[k], raw = e->unit[k] * e->delta[k];
        if (exact != NULL && exact->to == GPAI_EXACT_SHIFT)
            raw = nearbyint(raw);
        else if (exact != NULL && exact->to != GPAI_EXACT_NOT && raw != 0)
            raw = gpai_exact_move(exact, x, e->unit[k], e->delta[k]) - x;
        e->delta_raw[k] = raw;
    }
}

/* What was asked so far, and the change as it is in the data. */
static void take_stock(gpai_run *r)
{
    gpa_summary *s = &r->e->summary;
    s->objective_zero = gpai_data_term(&r->p, r->e->f);
    s->model_rows = r->p.rows;
    s->model_calls = r->p.calls;
    s->nonfinite_rows = r->p.nonfinite;
    to_raw(r);
}

/* An end to everything that is not the result. */
static void close_run(gpai_run *r)
{
    take_stock(r);
    gpai_search_close(&r->q);
    if (r->profiled)
        gpai_profile_close(&r->profile);
    gpai_slope_free(&r->slope);
    gpai_space_close(&r->s);
    gpai_problem_close(&r->p);
    gpai_free(r->exact);
}
