#include "base/alloc.h"
#include "base/status.h"
#include "engine/culprit.h"
#include "engine/plausible.h"
#include "methods/run.h"
#include <math.h>
#include <string.h>

/* Which rows say what is plausible, and how many there are besides the explained ones.
 */
static const gpa_sample *plausible_rows(const gpai_run *r, size_t *others)
{
    const gpa_explain_options *o = r->opt;
    bool own = o->plausible != GPA_PLAUSIBLE_REFERENCE;
    const gpa_sample *from = own ? o->context : o->reference;
    *others = 0;
    if (o->plausible == GPA_PLAUSIBLE_NONE || from == NULL)
        return NULL;
    *others = from->n;
    for (size_t t = 0; own && o->context_rows != NULL && t < r->e->n; t++) {
        bool again = false;
        for (size_t s = 0; s < t; s++)
            again = again || o->context_rows[s] == o->context_rows[t];
        *others -= again ? 0 : 1;
    }
    return from;
}

static bool explained(const gpai_run *r, size_t row)
{
    for (size_t t = 0; r->opt->context_rows != NULL && t < r->e->n; t++)
        if (r->opt->context_rows[t] == row)
            return true;
    return false;
}

/* Copies the others, or evenly spaced ones of very many; gives how many. */
static size_t copy_rows(const gpai_run *r, const gpa_sample *from, size_t others,
                        double *out)
{
    bool own = from == r->opt->context;
    size_t most = others < GPAI_PLAUSIBLE_MOST ? others : GPAI_PLAUSIBLE_MOST;
    size_t kept = 0, seen = 0;
    for (size_t i = 0; i < from->n && kept < most; i++) {
        if (own && explained(r, i))
            continue;
        /* the seen-th of the others is the next when seen = floor(kept others / most)
         */
        if (seen++ == kept * others / most)
            memcpy(out + kept++ * from->d, from->x + i * from->d,
                   from->d * sizeof *out);
    }
    return kept;
}

static void take_over(gpa_explanation *e, const gpai_culprit *c)
{
    static const gpa_verdict kind[] = {[GPAI_VERDICT_NORMAL] = GPA_VERDICT_NORMAL,
                                       [GPAI_VERDICT_INPUT] = GPA_VERDICT_INPUT,
                                       [GPAI_VERDICT_OUTPUT] = GPA_VERDICT_OUTPUT,
                                       [GPAI_VERDICT_TIED] = GPA_VERDICT_TIED};
    const double *from[5] = {c->probability, c->single, c->median, c->low, c->high};
    double *to = e->culprit_numbers;
    size_t d = e->d, *set = (size_t *)(void *)(to + 5 * d);
    for (size_t i = 0; i < 5; i++)
        memcpy(to + i * d, from[i], d * sizeof *to);
    memcpy(set, c->set90, c->n_set90 * sizeof *set);
    e->culprit.probability = to;
    e->culprit.single = to + d;
    e->culprit.median = to + 2 * d;
    e->culprit.low = to + 3 * d;
    e->culprit.high = to + 4 * d;
    e->culprit.set90 = set;
    e->culprit.n_set90 = c->n_set90;
    e->culprit.first = c->first;
    e->culprit.output = c->output;
    e->culprit.verdict = kind[c->verdict];
    e->culprit.plausible_rows = c->background;
}

static gpa_status weigh(gpai_run *r, const double *rows, size_t n_rows)
{
    gpai_culprit c;
    gpai_culprit_options o = {.mode = r->opt->culprit == GPA_CULPRIT_BASIC
                                          ? GPAI_CULPRIT_BASIC
                                          : GPAI_CULPRIT_ON,
                              .sigma = r->e->summary.sigma,
                              .background = rows,
                              .n_background = n_rows};
    gpa_status st = gpai_result_add_culprit(r->e, r->err);
    if (st == GPA_OK)
        st = gpai_culprit_weigh(&c, &r->p, &r->s, &r->profile, &o, r->err);
    if (st != GPA_OK)
        return st;
    take_over(r->e, &c);
    gpai_culprit_close(&c);
    return GPA_OK;
}

/* Says so when rows were wanted and there are too few. */
static void tell_about_rows(gpai_run *r, size_t others, bool used)
{
    gpa_plausible wish = r->opt->plausible;
    r->e->culprit.plausible = !used ? GPA_PLAUSIBLE_NONE
                              : wish == GPA_PLAUSIBLE_REFERENCE
                                  ? GPA_PLAUSIBLE_REFERENCE
                                  : GPA_PLAUSIBLE_DATA;
    if (!used && wish != GPA_PLAUSIBLE_NONE)
        gpai_result_note(
            r->e,
            "%zu other rows are too few (%d) to say what is plausible: the "
            "culprits rest on the model alone",
            others, GPAI_PLAUSIBLE_LEAST);
}

gpa_status gpai_run_culprit_ask(gpai_run *r)
{
    gpa_explanation *e = r->e;
    uint64_t before = r->p.rows, rows = gpai_culprit_rows(&r->s, e->n);
    if (r->opt->culprit == GPA_CULPRIT_OFF)
        return GPA_OK;
    if (isnan(e->summary.sigma) || !r->s.zero_feasible || r->s.axes == 0) {
        gpai_result_note(e, "culprits are not computed: %s",
                         isnan(e->summary.sigma) ? "sigma is not known"
                         : r->s.axes == 0        ? "no input may move"
                                                 : "the row lies outside its bounds");
        return GPA_OK;
    }
    /* the search for the MAP comes first when rows are short */
    if (!gpai_problem_affords(&r->p, rows + (uint64_t)e->n * (4 * r->s.axes + 40))) {
        gpai_result_note(e, "culprits are not computed: the budget is too small");
        return GPA_OK;
    }
    gpa_status st =
        gpai_culprit_ask(&r->profile, &r->p, &r->s, e->summary.sigma, e->f, r->err);
    r->profiled = st == GPA_OK;
    e->summary.rows_culprit = r->p.rows - before;
    return st;
}

gpa_status gpai_run_culprit_weigh(gpai_run *r)
{
    size_t others;
    double *rows = NULL;
    if (!r->profiled)
        return GPA_OK;
    const gpa_sample *from = plausible_rows(r, &others);
    bool enough = others >= GPAI_PLAUSIBLE_LEAST;
    if (enough) {
        size_t most = others < GPAI_PLAUSIBLE_MOST ? others : GPAI_PLAUSIBLE_MOST;
        rows = gpai_calloc(most, r->e->d * sizeof *rows);
        if (rows == NULL)
            return gpai_nomem(r->err, "explain");
    }
    gpa_status st = weigh(r, rows, enough ? copy_rows(r, from, others, rows) : 0);
    gpai_free(rows);
    if (st == GPA_OK)
        tell_about_rows(r, others, enough);
    return st;
}
