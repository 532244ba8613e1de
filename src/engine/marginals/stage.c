#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "engine/marginals/grid.h"
#include "engine/marginals/marginals.h"
#include "engine/stages.h"
#include <math.h>
#include <string.h>

/* Draws of one explanation depend on the seed and its first row, on nothing else; lower
 * streams serve other purposes. */
enum { STREAM_ROWS = 16 };

static void drop_marginals(gpai_run *r, const char *why)
{
    gpa_explanation *e = r->e;
    e->summary.marginals = GPA_MARGINALS_NONE;
    gpai_free(e->marginals);
    e->marginals = NULL;
    gpai_result_note(e, "no distributions: %s", why);
}

static void beyond_budget(gpai_run *r)
{
    r->e->summary.budget_hit = true;
    drop_marginals(r, "the budget leaves no rows for them");
}

/* Whether the user forbade something. */
static bool is_limited(const gpai_run *r)
{
    const gpa_explain_options *o = r->opt;
    for (size_t k = 0; o->frozen != NULL && k < r->e->d; k++)
        if (o->frozen[k])
            return true;
    return o->lower != NULL || o->upper != NULL || o->integer != NULL ||
           o->onehot != NULL;
}

/* As published: every input is a number. */
static gpa_status paper_grid(gpai_run *r)
{
    gpa_explanation *e = r->e;
    gpai_problem *p = &r->p;
    size_t points = e->points;
    p->exact = NULL;
    if (is_limited(r))
        return gpai_fail(r->err, GPA_INVALID,
                         "explain: the paper's grid knows no frozen or bounded inputs: "
                         "take exact, surrogate or plugin marginals");
    if (!gpai_problem_affords(p, (uint64_t)p->n * p->d * points)) {
        beyond_budget(r);
        return GPA_OK;
    }
    gpa_status st =
        gpai_marginal_grid(p, e->delta, points, e->grid, e->density, r->err);
    if (st != GPA_OK)
        return st;
    gpai_prior prior = gpai_prior_make(p->eta, p->nu);
    for (size_t k = 0; k < e->d; k++) {
        e->marginals[k].map = e->delta[k];
        gpai_density_summarise(e->grid + k * points, e->density + k * points, points,
                               &prior, &e->marginals[k]);
    }
    return GPA_OK;
}

/* What the sampling methods report, in the summary and, where it is weak, in words. */
static void report_sampling(gpai_run *r, const gpai_sampling *out)
{
    gpa_summary *s = &r->e->summary;
    if (out->draws == 0) {
        if (out->budget_hit)
            beyond_budget(r);
        return; /* nothing may move: nothing to draw */
    }
    s->ess = out->ess;
    if (s->marginals == GPA_MARGINALS_SURROGATE) {
        s->surrogate_error = out->surrogate_error;
        s->marginal_change = out->change;
        s->marginals_still = out->still;
    }
    s->budget_hit = s->budget_hit || out->budget_hit;
    if (s->marginals != GPA_MARGINALS_SURROGATE && gpai_spread_unknown(s) != NULL)
        gpai_result_note(
            r->e,
            "how far the joint change may vary is not known: %.0f "
            "effective draw%s, fewer than %d; %s would help",
            floor(out->ess), floor(out->ess) == 1 ? "" : "s", GPAI_FEW_DRAWS,
            out->budget_hit ? "a larger --budget" : "more rows (--marginal-rows N)");
}

static size_t levels_of(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_CHOICE ? gpai_axis_choices(a) : 0;
}

/* Mean prediction with one choice at a value and all else as observed; NaN: not known.
 */
static double known_prediction(gpai_run *r, size_t axis, size_t value, double *delta)
{
    const gpai_memo *memo = &r->q.memo;
    double sum = 0;
    memset(delta, 0, r->e->d * sizeof *delta);
    gpai_axis_set(&r->s, axis, (double)value, delta);
    const double *f = gpai_memo_find(memo, gpai_memo_key(delta, r->e->d));
    for (size_t t = 0; f != NULL && t < r->e->n; t++)
        sum += f[t] / (double)r->e->n;
    return f != NULL ? sum : (double)NAN;
}

/* Levels in the order of their predictions where the search has asked for all of them:
 * what the samplers fit along an axis is then as smooth as it can be, whatever order
 * the levels have. `order` has room for all of them. */
static void order_levels(gpai_run *r, gpai_ranked *ranked, double *f, double *delta,
                         size_t *order)
{
    for (size_t i = 0; i < r->s.axes; i++) {
        gpai_axis *a = &r->s.axis[i];
        size_t values = levels_of(a);
        bool known = values > 0;
        for (size_t j = 0; j < values && known; j++) {
            f[j] = known_prediction(r, i, j, delta);
            known = isfinite(f[j]);
        }
        if (!known)
            continue;
        gpai_rank(f, values, ranked);
        for (size_t j = 0; j < values; j++)
            order[j] = ranked[j].place;
        a->order = order;
        order += values;
    }
}

static gpa_status draw(gpai_run *r)
{
    gpa_explanation *e = r->e;
    const gpai_memo *memo = &r->q.memo;
    gpai_paid paid = {.delta = memo->delta,
                      .f = memo->f,
                      .known = memo->delta != NULL ? memo->used : 0,
                      .profile = r->profiled ? &r->profile : NULL};
    gpai_sampling out = {0};
    uint64_t stream = STREAM_ROWS + (uint64_t)e->rows[0];
    size_t rows = r->opt->marginal_rows;
    gpa_status st = e->summary.marginals == GPA_MARGINALS_EXACT
                        ? gpai_marginal_exact(&r->p, &r->s, rows, r->opt->seed, stream,
                                              e, &out, r->err)
                        : gpai_marginal_surrogate(&r->p, &r->s, rows, r->opt->seed,
                                                  stream, &paid, e, &out, r->err);
    if (st == GPA_OK)
        report_sampling(r, &out);
    if (st != GPA_NUMERIC)
        return st;
    drop_marginals(r, "no perturbed point has a finite prediction");
    return GPA_OK;
}

static gpa_status sample(gpai_run *r)
{
    size_t all = 0, most = 0;
    for (size_t i = 0; i < r->s.axes; i++) {
        size_t values = levels_of(&r->s.axis[i]);
        all += values;
        most = values > most ? values : most;
    }
    if (all == 0 || r->q.block == NULL)
        return draw(r);
    gpai_ranked *ranked = gpai_calloc(most, sizeof *ranked);
    double *f = gpai_calloc(most + r->e->d, sizeof *f);
    size_t *order = gpai_calloc(all, sizeof *order);
    gpa_status st = GPA_OK;
    if (ranked == NULL || f == NULL || order == NULL) {
        st = gpai_nomem(r->err, "explain");
        goto done;
    }
    order_levels(r, ranked, f, f + most, order);
    st = draw(r);
    for (size_t i = 0; i < r->s.axes; i++)
        r->s.axis[i].order = NULL;
done:
    gpai_free(order);
    gpai_free(f);
    gpai_free(ranked);
    return st;
}

static gpa_status conditional(gpai_run *r)
{
    gpa_explanation *e = r->e;
    if (!gpai_problem_affords(&r->p, gpai_marginal_plugin_rows(&r->p, &r->s))) {
        beyond_budget(r);
        return GPA_OK;
    }
    return gpai_marginal_plugin(&r->p, &r->s, e->delta, e->f_moved, e, r->err);
}

gpa_status gpai_stage_marginals(gpai_run *r)
{
    gpa_summary *s = &r->e->summary;
    uint64_t before = r->p.rows;
    gpa_status st = GPA_OK;
    switch (s->marginals) {
    case GPA_MARGINALS_AUTO:
    case GPA_MARGINALS_NONE:
        break;
    case GPA_MARGINALS_PAPER:
        st = paper_grid(r);
        break;
    case GPA_MARGINALS_EXACT:
    case GPA_MARGINALS_SURROGATE:
        st = sample(r);
        break;
    case GPA_MARGINALS_PLUGIN:
        st = conditional(r);
        break;
    }
    s->rows_marginals = r->p.rows - before;
    return st;
}
