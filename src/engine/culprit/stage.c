#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "engine/culprit/culprit.h"
#include "engine/culprit/density/known.h"
#include "engine/culprit/density/witness.h"
#include "engine/culprit/extent.h"
#include "engine/culprit/unjudged.h"
#include "engine/settings.h"
#include "engine/space.h"
#include "engine/stages.h"
#include <math.h>
#include <stdint.h>
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
        if (*others >= GPAI_CROWD_ENOUGH || o->plausible == GPA_PLAUSIBLE_DATA ||
            o->reference == NULL || *others >= o->reference->n)
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

/* How many of the rows of the table that may say what is plausible, all or evenly
 * spaced ones of very many, are explained. */
static size_t count_own(const gpai_run *r, const gpa_sample *from)
{
    size_t most = from->n < GPAI_CROWD_MOST ? from->n : GPAI_CROWD_MOST, own = 0;
    for (size_t i = 0; from == r->opt->context && i < most; i++)
        own += explained(r, i * from->n / most);
    return own;
}

/* Where the explained row is among them, or what it is a copy of; n: nowhere. */
static size_t place_of_own(const gpai_run *r, const gpa_sample *from, const size_t *row,
                           size_t n)
{
    size_t d = from->d, copy = n;
    if (from != r->opt->context || r->opt->context_rows == NULL)
        return n;
    const double *own = from->x + r->opt->context_rows[0] * d;
    for (size_t i = n; i-- > 0;) {
        if (explained(r, row[i]))
            return i;
        if (memcmp(from->x + row[i] * d, own, d * sizeof *own) == 0)
            copy = i;
    }
    return copy;
}

/* Copies the witnesses among them, with or without those that are explained, and says
 * where they stand. Gives how many. */
static size_t copy_rows(const gpai_run *r, const gpa_sample *from, bool without,
                        size_t row[GPAI_CROWD_MOST], double *out)
{
    size_t d = from->d;
    size_t n =
        gpai_other_rows(from->n, r->opt->context_rows, without ? r->e->n : 0, row);
    if (!r->opt->every_witness) {
        n = gpai_witnesses(from, r->opt->inputs, row, n);
        n = gpai_witness_distinct(from, r->opt->inputs, row, n);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * d, from->x + row[i] * d, d * sizeof *out);
    return n;
}

/* What the culprits are asked with: the problem in units that are wide enough for
 * inputs far outside everything seen, and the axes that go with them. */
struct inquiry {
    gpai_run *r;
    gpai_problem p;
    gpai_space s;
    const gpai_crowd *crowd; /* of the axes; NULL: no rows */
    gpai_crowd all_crowd;    /* of all rows, where they are not the table's */
    gpai_crowd own_crowd;    /* without the row */
    gpai_moves *moves;
    gpai_exchanges exchanges;
    bool shared;        /* the rows are those of the table */
    const double *rows; /* plausible rows, n_rows by d */
    size_t n_rows;
    size_t own; /* which of them is explained and does not count; n_rows: none */
    const double *median; /* d */
    double *block;
    double *unit, *factor; /* d each; units are the explanation's times the factor */
    bool wide;             /* whether any factor is not 1 */
};

static void take_over(const struct inquiry *q, const gpai_culprit *c)
{
    gpa_explanation *e = q->r->e;
    const double *from[GPAI_CULPRIT_NUMBERS] = {
        c->probability, c->single,      c->median,      c->low,        c->high,
        c->evidence[0], c->evidence[1], c->evidence[2], c->evidence[3]};
    double *to = e->culprit_numbers;
    size_t d = e->d, *set = (size_t *)(void *)(to + GPAI_CULPRIT_NUMBERS * d);
    for (size_t i = 0; i < GPAI_CULPRIT_NUMBERS; i++)
        for (size_t k = 0; k < d; k++)
            to[i * d + k] = from[i][k] * (i >= 2 && i < 5 ? q->factor[k] : 1);
    for (size_t i = 0; i < 4; i++)
        e->culprit.evidence[i] = to + (5 + i) * d;
    e->culprit.output_evidence = c->output_evidence;
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
    const gpai_subset *best = &c->subset[c->likeliest];
    for (size_t i = 0; i < best->size; i++)
        e->culprit.likeliest[i] = q->s.axis[best->axis[i]].input;
    e->culprit.n_likeliest = best->size;
    e->culprit.exchanged = best->exchanged;
    e->culprit.p_likeliest = c->p_likeliest * (1 - c->output);
}

/* The columns of an axis. */
static size_t columns_of(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_CHOICE ? a->members : 1;
}

static size_t column_of(const gpai_axis *a, size_t j)
{
    return a->kind == GPAI_AXIS_CHOICE ? a->member[j] : a->input;
}

/* A level as results name it: its value, or the place of its column in the group. */
static double level_name(const struct inquiry *q, const gpai_axis *a, size_t level)
{
    if (level == a->levels) /* the row has none of them */
        return a->level != NULL ? q->s.x[a->input] : (double)NAN;
    if (a->level != NULL)
        return a->level[level];
    return level < a->members ? (double)level : -1;
}

/* The place `u` of an axis' evidence as it would stand in the rows; NaN where they
 * have different values. */
static double normal_value(const struct inquiry *q, const gpai_axis *a,
                           const gpai_single *alone, double u)
{
    const gpai_problem *p = &q->p;
    size_t k = a->input;
    double v = gpai_culprit_quantile(alone, u), x = p->x[k];
    for (size_t t = 1; t < p->n && !a->gap; t++)
        if (p->x[t * p->d + k] != x)
            return (double)NAN;
    if (!a->gap)
        v = p->exact != NULL ? gpai_exact_move(&p->exact[k], x, p->unit[k], v)
                             : x + p->unit[k] * v;
    if (a->in == NULL || !a->in->whole || a->kind != GPAI_AXIS_PLAIN)
        return v;
    static const double ROUNDING = 1e-9; /* of limits, which are changes of x */
    v = nearbyint(v);
    double lo = ceil((a->gap ? a->lo : x + p->unit[k] * a->lo) - ROUNDING);
    double hi = floor((a->gap ? a->hi : x + p->unit[k] * a->hi) + ROUNDING);
    return v < lo ? lo : v > hi ? hi : v;
}

/* Probabilities of all levels; those that were not asked have none. */
static gpa_alone level_shares(const struct inquiry *q, const gpai_axis *a,
                              const gpai_single *alone, double *numbers)
{
    gpa_alone out = {.value = (double)NAN,
                     .low = (double)NAN,
                     .high = (double)NAN,
                     .missing = a->gap,
                     .levels = a->levels,
                     .level = numbers,
                     .probability = numbers + a->levels};
    double *share = numbers + a->levels;
    bool none = !isfinite(alone->log_evidence);
    for (size_t l = 0; l < a->levels; l++)
        numbers[l] = level_name(q, a, l);
    for (size_t i = 0; i < alone->count; i++)
        share[(size_t)alone->value[i]] =
            none ? 1 / (double)alone->count : exp(alone->log[i] - alone->log_evidence);
    for (size_t l = 0; l < a->levels; l++)
        out.best = share[l] > share[out.best] ? l : out.best;
    return out;
}

/* What every input would have to be if it alone were wrong. */
static gpa_status keep_alone(const struct inquiry *q, const gpai_culprit *c)
{
    gpa_explanation *e = q->r->e;
    size_t numbers = 0;
    for (size_t i = 0; i < q->s.axes; i++)
        numbers += 2 * q->s.axis[i].levels;
    gpa_status st = gpai_result_add_alone(e, numbers, q->r->err);
    if (st != GPA_OK)
        return st;
    for (size_t k = 0; k < e->d; k++)
        e->alone[k].value = e->alone[k].low = e->alone[k].high = (double)NAN;
    double *at = e->alone_numbers;
    for (size_t i = 0; i < q->s.axes; i++) {
        const gpai_axis *a = &q->s.axis[i];
        const gpai_single *alone = &c->alone[i];
        gpa_alone out = {.missing = a->gap};
        if (a->kind == GPAI_AXIS_CHOICE) {
            out = level_shares(q, a, alone, at);
            at += 2 * a->levels;
        } else {
            out.value = normal_value(q, a, alone, 0.5);
            out.low = normal_value(q, a, alone, 0.05);
            out.high = normal_value(q, a, alone, 0.95);
        }
        for (size_t j = 0; j < columns_of(a); j++)
            e->alone[column_of(a, j)] = out;
    }
    return GPA_OK;
}

/* The spread of f where all is normal; NaN: not known. It belongs to the table. */
static double spread_of(const gpai_run *r)
{
    const gpa_sample *c = r->opt->context;
    if (!isnan(r->opt->spread) || c == NULL || c->f == NULL)
        return r->opt->spread;
    return r->known != NULL ? gpai_known_spread(r->known, c, r->opt->every_witness)
                            : gpai_witness_spread(c, r->opt->every_witness);
}

/* Says so when the rows do not share one change. */
static void tell_about_change(const gpai_run *r, const gpai_culprit *c)
{
    const gpai_subset *best = &c->subset[c->likeliest];
    if (r->e->n > 1 && c->verdict == GPA_VERDICT_INPUT && best->size == 1 &&
        c->varies[best->axis[0]] > 0.5)
        gpai_result_note(r->e,
                         "the rows do not share one change of the input at fault, "
                         "as in a ramp or with a stuck sensor: what would look "
                         "normal is that of a typical row");
}

/* Names the inputs that had no say in what is plausible. */
static void tell_about_context(const struct inquiry *q, const gpai_culprit *c)
{
    const gpai_run *r = q->r;
    for (size_t i = 0; i < c->axes; i++)
        if (c->silent[i])
            gpai_result_note(
                r->e,
                "%s does not fit the other inputs; the model hardly uses it, so it is "
                "not at fault, and what goes with it is not judged by it",
                gpai_called(r->opt->names, r->opt->inputs, q->s.axis[i].input).text);
}

static gpa_status weigh(struct inquiry *q)
{
    gpai_run *r = q->r;
    gpai_culprit c;
    gpai_culprit_options o = {.mode = r->opt->culprit,
                              .sigma = r->e->summary.sigma,
                              .spread = spread_of(r),
                              .output_prior = r->opt->output_prior,
                              .crowd = q->crowd};
    gpa_status st = gpai_result_add_culprit(r->e, r->err);
    if (st == GPA_OK)
        st = gpai_culprit_weigh(&c, &q->p, &q->s, q->moves, &q->exchanges, &r->profile,
                                &o, r->err);
    if (st != GPA_OK)
        return st;
    take_over(q, &c);
    tell_about_change(r, &c);
    tell_about_context(q, &c);
    const gpai_usual usual = {.x = q->rows, .n = q->n_rows, .own = q->own};
    gpai_tell_extent(r->e, r->opt, &q->p, &q->s, &usual, &c);
    gpai_tell_unjudged(r->e, r->opt, &q->p, &q->s, &r->profile, &c);
    st = keep_alone(q, &c);
    gpai_culprit_close(&c);
    return st;
}

/* Forgets the nodes of an axis that the search may not go to. */
static void drop_nodes(gpai_profile *r, size_t axis, const gpai_axis *a)
{
    double *node = r->node + r->start[axis], *f = r->f + r->start[axis] * r->n;
    static const double ROUNDING = 1e-9; /* of other units */
    size_t kept = 0;
    if (a->kind != GPAI_AXIS_PLAIN)
        return;
    for (size_t j = 0; j < r->nodes[axis]; j++) {
        if (node[j] != 0 && (node[j] < a->lo - ROUNDING || node[j] > a->hi + ROUNDING))
            continue;
        node[kept] = node[j];
        memmove(f + kept++ * r->n, f + j * r->n, r->n * sizeof *f);
    }
    r->nodes[axis] = kept;
}

/* The profile in the explanation's own units, for the search to share. */
static void narrow_profile(const struct inquiry *q)
{
    gpai_profile *r = &q->r->profile;
    for (size_t i = 0; q->wide && i < q->s.axes; i++)
        for (size_t j = 0; j < r->nodes[i]; j++)
            if (q->s.axis[i].kind != GPAI_AXIS_CHOICE && !q->s.axis[i].gap)
                r->node[r->start[i] + j] *= q->factor[q->s.axis[i].input];
    r->axes = q->r->s.axes; /* the search knows of no gaps, which come last */
    for (size_t i = 0; i < r->axes && q->r->e->n > 1; i++)
        drop_nodes(r, i, &q->r->s.axis[i]);
}

/* Keeps f along the inputs for pictures. */
static gpa_status keep_axes(const struct inquiry *q)
{
    const gpai_profile *r = &q->r->profile;
    gpa_explanation *e = q->r->e;
    gpa_status st = gpai_result_add_axes(e, r->used * (1 + e->n), q->r->err);
    double *at = e->axis_numbers;
    for (size_t i = 0; i < q->s.axes && st == GPA_OK; i++) {
        const gpai_axis *a = &q->s.axis[i];
        size_t nodes = r->nodes[i], start = r->start[i];
        bool choice = a->kind == GPAI_AXIS_CHOICE;
        for (size_t j = 0; j < nodes; j++)
            at[j] = choice ? level_name(q, a, (size_t)r->node[start + j])
                           : r->node[start + j];
        memcpy(at + nodes, r->f + start * e->n, nodes * e->n * sizeof *at);
        for (size_t j = 0; j < columns_of(a); j++)
            e->axes[column_of(a, j)] = (gpa_axis){.points = nodes,
                                                  .change = choice ? NULL : at,
                                                  .level = choice ? at : NULL,
                                                  .f = at + nodes,
                                                  .gap = a->gap};
        at += nodes * (1 + e->n);
    }
    return st;
}

/* Says so when rows were wanted and there are too few. */
static void tell_about_rows(const struct inquiry *q, const gpa_sample *from,
                            size_t others)
{
    gpai_run *r = q->r;
    bool used = q->n_rows > 0, same = others >= GPAI_CROWD_LEAST;
    r->e->culprit.plausible = !used                     ? GPA_PLAUSIBLE_NONE
                              : from == r->opt->context ? GPA_PLAUSIBLE_DATA
                                                        : GPA_PLAUSIBLE_REFERENCE;
    if (!used && r->opt->plausible != GPA_PLAUSIBLE_NONE)
        gpai_result_note(
            r->e,
            "%zu other rows, %sfewer than %d%s, cannot say what is plausible: "
            "the culprits rest on the model alone; a reference file would help",
            others, same ? "of which " : "", GPAI_CROWD_LEAST, same ? " differ" : "");
}

/* Notes why there can be no culprits; whether there can. */
static bool possible(const struct inquiry *q)
{
    gpai_run *r = q->r;
    gpa_explanation *e = r->e;
    const char *why = isnan(e->summary.sigma) ? "sigma is not known"
                      : q->s.axes == 0        ? "no input may move"
                                              : NULL;
    /* the search for the MAP comes first when rows are short: two slopes an axis in its
     * two steps, and forty candidates */
    uint64_t rows =
        gpai_culprit_rows(&q->s, e->n) + (uint64_t)e->n * (4 * r->s.axes + 40);
    if (why != NULL) {
        gpai_result_note(e, GPAI_NO_CULPRITS "%s", why);
        return false;
    }
    if (gpai_problem_affords(&r->p, rows))
        return true;
    e->summary.budget_hit = true;
    gpai_result_note(e,
                     GPAI_NO_CULPRITS GPAI_SMALL_BUDGET
                     "%ju rows is too small, an answer takes %ju",
                     (uintmax_t)r->p.budget, (uintmax_t)(r->p.rows + rows));
    return false;
}

/* Missing values that nothing can be said of are held. They come last. */
static bool drop_gaps(struct inquiry *q, const gpai_crowd *known)
{
    gpai_space *s = &q->s;
    size_t kept = 0, all = s->axes;
    for (size_t i = 0; i < all; i++) {
        const gpai_axis *a = &s->axis[i];
        bool drop = a->gap && (known == NULL || !gpai_crowd_knows(known, i));
        for (size_t j = 0; j < columns_of(a); j++)
            s->axis_of[column_of(a, j)] = drop ? SIZE_MAX : kept;
        if (!drop)
            s->axis[kept++] = *a;
    }
    s->axes = kept;
    for (size_t k = 0; k < s->d; k++)
        if (s->axis_of[k] >= kept)
            s->axis_of[k] = kept;
    return kept < all;
}

/* The density of the axes as they are, from the table or of its own; a row does not
 * speak for itself. */
static gpa_status open_crowd(struct inquiry *q)
{
    gpai_run *r = q->r;
    bool joint = r->opt->culprit == GPA_CULPRIT_ON;
    const double *unit = r->e->unit;
    gpa_status st = GPA_OK;
    q->crowd = q->shared ? gpai_known_crowd(r->known, &q->s, unit, joint) : NULL;
    if (q->crowd == NULL) {
        q->crowd = &q->all_crowd;
        st = gpai_crowd_open(&q->all_crowd, &q->s, unit, q->rows, q->n_rows, joint,
                             r->err);
    }
    if (st != GPA_OK || q->own == q->n_rows)
        return st;
    st = gpai_crowd_without(&q->own_crowd, q->crowd, &q->s, unit, q->rows, q->n_rows,
                            q->own, r->err);
    q->crowd = &q->own_crowd;
    return st;
}

static void close_crowd(struct inquiry *q)
{
    gpai_crowd_close(&q->own_crowd);
    gpai_crowd_close(&q->all_crowd);
}

/* The density of the axes; without the gaps it cannot fill. */
static gpa_status learn(struct inquiry *q)
{
    if (q->n_rows == 0) {
        drop_gaps(q, NULL);
        return GPA_OK;
    }
    gpa_status st = open_crowd(q);
    if (st != GPA_OK || !drop_gaps(q, q->crowd))
        return st;
    close_crowd(q);
    return open_crowd(q);
}

/* What the search will ask first is asked along the lines. */
static void share_slopes(struct inquiry *q)
{
    for (size_t i = 0; i < q->s.axes; i++)
        if (q->s.axis[i].kind != GPAI_AXIS_CHOICE && !q->s.axis[i].gap)
            q->moves[i].slope = q->r->opt->slope_sd / q->factor[q->s.axis[i].input];
}

/* Asks the model, and gives back what was counted. */
static gpa_status ask(struct inquiry *q)
{
    gpai_run *r = q->r;
    uint64_t before = r->p.rows;
    gpa_status st = gpai_culprit_ask(&r->profile, &q->p, &q->s, q->moves, &q->exchanges,
                                     r->e->summary.sigma, r->e->f, r->err);
    r->profiled = st == GPA_OK;
    r->p.rows = q->p.rows;
    r->p.calls = q->p.calls;
    r->p.nonfinite = q->p.nonfinite;
    r->e->summary.rows_culprit = r->p.rows - before;
    return st;
}

static gpa_status inquire(struct inquiry *q)
{
    gpai_run *r = q->r;
    gpa_status st = learn(q);
    if (st == GPA_OK)
        st =
            gpai_culprit_plan(&q->moves, &q->exchanges, &q->p, &q->s, q->crowd, r->err);
    if (st == GPA_OK) {
        share_slopes(q);
        st = ask(q);
    }
    if (st == GPA_OK)
        st = weigh(q);
    if (st == GPA_OK) {
        narrow_profile(q);
        st = keep_axes(q);
    }
    gpai_exchanges_close(&q->exchanges);
    gpai_free(q->moves);
    close_crowd(q);
    return st;
}

/* The axes, in units that are wide enough. */
static gpa_status open_axes(struct inquiry *q)
{
    gpai_run *r = q->r;
    bool gaps = r->opt->missing != GPA_MISSING_HOLD && q->n_rows > 0;
    q->wide = gpai_culprit_units(&r->p, q->median, q->unit);
    for (size_t k = 0; k < r->e->d; k++)
        q->factor[k] = q->unit[k] / r->e->unit[k];
    q->p = r->p; /* shares its buffers; the counts are taken back later */
    q->p.unit = q->unit;
    return gpai_limits_culprits(&q->s, &q->p, r->opt, gaps, r->err);
}

/* Of fewer rows one would have too much of a say in the scores that it shares with the
 * others, and to look at those alone takes little time. Chosen: with 60 planted faults
 * were found as often either way. */
enum { FEW_ROWS = 50 };

/* The rows of the table, or copies: with medians. A single row of many may be among
 * them, and its density leaves it out; several rows are not. */
static void take_rows(struct inquiry *q, const gpa_sample *from,
                      const gpai_plausible_rows *shared, bool apart, double *room)
{
    gpai_run *r = q->r;
    size_t d = r->e->d, row[GPAI_CROWD_MOST];
    q->shared = shared != NULL;
    if (q->shared) {
        q->rows = shared->x;
        q->n_rows = shared->n;
        q->median = shared->median;
        q->own = place_of_own(r, from, shared->row, shared->n);
        return;
    }
    size_t most = from->n < GPAI_CROWD_MOST ? from->n : GPAI_CROWD_MOST;
    double *median = room, *column = median + d, *rows = column + most;
    q->n_rows = copy_rows(r, from, apart, row, rows);
    gpai_medians(rows, q->n_rows, d, r->opt->inputs, column, median);
    q->rows = rows;
    q->median = median;
    q->own = apart ? q->n_rows : place_of_own(r, from, row, q->n_rows);
}

/* Rows that say what is plausible, and room for units. */
static gpa_status take_plausible(struct inquiry *q, const gpa_sample *from)
{
    gpai_run *r = q->r;
    size_t d = r->e->d, most = 0;
    size_t own = from != NULL ? count_own(r, from) : 0;
    bool apart = own > 0 && (r->e->n > 1 || from->n < FEW_ROWS);
    const gpai_plausible_rows *shared =
        r->known != NULL && from != NULL && !apart
            ? gpai_known_rows(r->known, from, r->opt->inputs, r->opt->every_witness)
            : NULL;
    if (from != NULL && shared == NULL)
        most = from->n < GPAI_CROWD_MOST ? from->n : GPAI_CROWD_MOST;
    q->block = gpai_calloc(d * (most + 3) + most, sizeof *q->block);
    if (q->block == NULL)
        return gpai_nomem(r->err, "explain");
    q->unit = q->block;
    q->factor = q->unit + d;
    if (from != NULL)
        take_rows(q, from, shared, apart, q->factor + d);
    return GPA_OK;
}

gpa_status gpai_stage_culprit(gpai_run *r)
{
    size_t others;
    struct inquiry q = {.r = r};
    if (r->opt->culprit == GPA_CULPRIT_OFF)
        return GPA_OK;
    const gpa_sample *from = plausible_rows(r, &others);
    bool enough = from != NULL && others >= GPAI_CROWD_LEAST;
    gpa_status st = take_plausible(&q, enough ? from : NULL);
    if (st == GPA_OK)
        st = open_axes(&q);
    if (st == GPA_OK && possible(&q)) {
        st = inquire(&q);
        if (st == GPA_OK)
            tell_about_rows(&q, from, others);
    }
    gpai_space_close(&q.s);
    gpai_free(q.block);
    return st;
}
