#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "engine/culprit/culprit.h"
#include "engine/culprit/plausible.h"
#include "engine/space.h"
#include "engine/stages.h"
#include <math.h>
#include <string.h>

/* Rows besides the explained ones. */
static size_t others_of(const gpai_run *r, const gpa_sample *from)
{
    const gpa_explain_options *o = r->opt;
    size_t others = from->n;
    for (size_t t = 0; from == o->context && o->context_rows != NULL && t < r->e->n;
         t++) {
        bool again = false;
        for (size_t s = 0; s < t; s++)
            again = again || o->context_rows[s] == o->context_rows[t];
        others -= again ? 0 : 1;
    }
    return others;
}

/* Which rows say what is plausible, and how many there are: the context if it has
 * enough of them, else the reference. NULL: none. */
static const gpa_sample *plausible_rows(const gpai_run *r, size_t *others)
{
    const gpa_explain_options *o = r->opt;
    *others = 0;
    if (o->plausible == GPA_PLAUSIBLE_NONE)
        return NULL;
    if (o->plausible != GPA_PLAUSIBLE_REFERENCE && o->context != NULL) {
        *others = others_of(r, o->context);
        if (*others >= GPAI_PLAUSIBLE_LEAST || o->plausible == GPA_PLAUSIBLE_DATA ||
            o->reference == NULL)
            return o->context;
    }
    if (o->reference == NULL)
        return NULL;
    *others = o->reference->n;
    return o->reference;
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

/* What the culprits are asked with: the problem in units that are wide enough for
 * inputs far outside everything seen, and the axes that go with them. */
struct inquiry {
    gpai_run *r;
    gpai_problem p;
    gpai_space s;
    double *rows; /* plausible rows, n_rows by d */
    size_t n_rows;
    double *unit, *factor; /* d each; units are the explanation's times the factor */
    bool wide;             /* whether any factor is not 1 */
};

static void take_over(const struct inquiry *q, const gpai_culprit *c)
{
    gpa_explanation *e = q->r->e;
    const double *from[5] = {c->probability, c->single, c->median, c->low, c->high};
    double *to = e->culprit_numbers;
    size_t d = e->d, *set = (size_t *)(void *)(to + 5 * d);
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < d; k++)
            to[i * d + k] = from[i][k] * (i >= 2 ? q->factor[k] : 1);
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
    e->culprit.verdict = c->verdict;
    e->culprit.plausible_rows = c->reference;
}

static gpa_status weigh(const struct inquiry *q)
{
    gpai_run *r = q->r;
    gpai_culprit c;
    gpai_culprit_options o = {.mode = r->opt->culprit,
                              .sigma = r->e->summary.sigma,
                              .reference = q->rows,
                              .n_reference = q->n_rows};
    gpa_status st = gpai_result_add_culprit(r->e, r->err);
    if (st == GPA_OK)
        st = gpai_culprit_weigh(&c, &q->p, &q->s, &r->profile, &o, r->err);
    if (st != GPA_OK)
        return st;
    take_over(q, &c);
    gpai_culprit_close(&c);
    return GPA_OK;
}

/* Median of input k over the plausible rows; NaN where too few are numbers. */
static double centre_of(const struct inquiry *q, size_t k)
{
    double column[GPAI_PLAUSIBLE_MOST];
    size_t n = 0, d = q->r->e->d;
    for (size_t i = 0; i < q->n_rows; i++)
        if (isfinite(q->rows[i * d + k]))
            column[n++] = q->rows[i * d + k];
    if (n < GPAI_PLAUSIBLE_LEAST)
        return (double)NAN;
    gpai_sort(column, n);
    return gpai_sorted_median(column, n);
}

/* The prior of a culprit's move ends some nine units away. A value further out than
 * that (a slipped decimal point) could never be repaired, so its unit grows with its
 * distance. */
static void widen(struct inquiry *q)
{
    /* units, chosen: the prior's nine end beyond FAR, and what is further away than
     * that is brought to REACH, where the prior still has weight */
    static const double FAR = 8, REACH = 6;
    const gpa_explanation *e = q->r->e;
    for (size_t k = 0; k < e->d; k++) {
        double mean = 0;
        for (size_t t = 0; t < e->n; t++)
            mean += e->x[t * e->d + k] / (double)e->n;
        double away = fabs(mean - centre_of(q, k)) / e->unit[k];
        bool group = q->r->opt->onehot != NULL && q->r->opt->onehot[k] != 0;
        q->factor[k] = away > FAR && isfinite(away) && !group ? away / REACH : 1;
        q->unit[k] = e->unit[k] * q->factor[k];
        q->wide = q->wide || q->factor[k] != 1;
    }
}

/* The profile in the explanation's own units, for the search to share. */
static void narrow_profile(const struct inquiry *q)
{
    gpai_profile *r = &q->r->profile;
    for (size_t i = 0; q->wide && i < q->s.axes; i++)
        for (size_t j = 0; j < r->nodes[i]; j++)
            if (q->s.axis[i].kind != GPAI_AXIS_CHOICE)
                r->node[r->start[i] + j] *= q->factor[q->s.axis[i].input];
}

/* Keeps f along the inputs for pictures. */
static gpa_status keep_axes(const struct inquiry *q)
{
    const gpai_profile *r = &q->r->profile;
    gpa_explanation *e = q->r->e;
    gpa_status st = gpai_result_add_axes(e, r->used * (1 + e->n), q->r->err);
    double *at = e->axis_numbers;
    for (size_t i = 0; i < q->s.axes && st == GPA_OK; i++) {
        size_t nodes = r->nodes[i], start = r->start[i];
        if (q->s.axis[i].kind == GPAI_AXIS_CHOICE)
            continue;
        memcpy(at, r->node + start, nodes * sizeof *at);
        memcpy(at + nodes, r->f + start * e->n, nodes * e->n * sizeof *at);
        e->axes[q->s.axis[i].input] =
            (gpa_axis){.points = nodes, .change = at, .f = at + nodes};
        at += nodes * (1 + e->n);
    }
    return st;
}

/* Says so when rows were wanted and there are too few. */
static void tell_about_rows(gpai_run *r, const gpa_sample *from, size_t others,
                            bool used)
{
    r->e->culprit.plausible = !used                     ? GPA_PLAUSIBLE_NONE
                              : from == r->opt->context ? GPA_PLAUSIBLE_DATA
                                                        : GPA_PLAUSIBLE_REFERENCE;
    if (!used && r->opt->plausible != GPA_PLAUSIBLE_NONE)
        gpai_result_note(
            r->e,
            "%zu other rows, fewer than %d, cannot say what is plausible: "
            "the culprits rest on the model alone; a reference file would help",
            others, GPAI_PLAUSIBLE_LEAST);
}

/* Why there can be no culprits; NULL when there can. */
static const char *obstacle(const gpai_run *r)
{
    uint64_t rows = gpai_culprit_rows(&r->s, r->e->n);
    if (isnan(r->e->summary.sigma))
        return "sigma is not known";
    if (r->s.axes == 0)
        return "no input may move";
    if (!r->s.zero_feasible)
        return "the row lies outside its bounds";
    /* the search for the MAP comes first when rows are short: two slopes an axis in its
     * two steps, and forty candidates */
    if (!gpai_problem_affords(&r->p, rows + (uint64_t)r->e->n * (4 * r->s.axes + 40)))
        return "the budget is too small";
    return NULL;
}

static gpa_status inquire(struct inquiry *q)
{
    gpai_run *r = q->r;
    uint64_t before = r->p.rows;
    widen(q);
    q->p = r->p; /* shares its buffers; the counts are taken back below */
    q->p.unit = q->unit;
    gpa_status st = gpai_limits_space(&q->s, &q->p, r->opt, false, r->err);
    if (st != GPA_OK)
        return st;
    st = gpai_culprit_ask(&r->profile, &q->p, &q->s, r->e->summary.sigma, r->e->f,
                          r->err);
    r->profiled = st == GPA_OK;
    r->p.rows = q->p.rows;
    r->p.calls = q->p.calls;
    r->p.nonfinite = q->p.nonfinite;
    r->e->summary.rows_culprit = r->p.rows - before;
    if (st == GPA_OK)
        st = weigh(q);
    if (st == GPA_OK) {
        narrow_profile(q);
        st = keep_axes(q);
    }
    gpai_space_close(&q->s);
    return st;
}

gpa_status gpai_stage_culprit(gpai_run *r)
{
    size_t others, d = r->e->d;
    struct inquiry q = {.r = r};
    if (r->opt->culprit == GPA_CULPRIT_OFF)
        return GPA_OK;
    const char *why = obstacle(r);
    if (why != NULL) {
        gpai_result_note(r->e, "culprits are not computed: %s", why);
        return GPA_OK;
    }
    const gpa_sample *from = plausible_rows(r, &others);
    bool enough = from != NULL && others >= GPAI_PLAUSIBLE_LEAST;
    size_t most = others < GPAI_PLAUSIBLE_MOST ? others : GPAI_PLAUSIBLE_MOST;
    q.rows = gpai_calloc(d, ((enough ? most : 0) + 2) * sizeof *q.rows);
    if (q.rows == NULL)
        return gpai_nomem(r->err, "explain");
    q.unit = q.rows + (enough ? most : 0) * d;
    q.factor = q.unit + d;
    q.n_rows = enough ? copy_rows(r, from, others, q.rows) : 0;
    gpa_status st = inquire(&q);
    gpai_free(q.rows);
    if (st == GPA_OK)
        tell_about_rows(r, from, others, enough);
    return st;
}
