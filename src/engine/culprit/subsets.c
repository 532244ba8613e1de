#include "engine/culprit/subsets.h"
#include "base/alloc.h"
#include "base/status.h"
#include <math.h>

static const double LARGEST = 1e300; /* doubles end at 1.8e308 */

void gpai_tally_start(gpai_tally *t)
{
    for (size_t i = 0; i < t->count; i++) {
        t->product[i] = 1;
        t->log[i] = 0;
    }
    t->bound = 1;
}

static void take_logs(gpai_tally *t)
{
    for (size_t i = 0; i < t->count; i++) {
        t->log[i] += log(t->product[i]);
        t->product[i] = 1;
    }
    t->bound = 1;
}

void gpai_tally_row(gpai_tally *t, double r, const double *u, double reach,
                    double scale)
{
    double farthest = fabs(r) + reach;
    double bound = 1 + farthest * farthest * scale;
    if (!(t->bound * bound < LARGEST))
        take_logs(t);
    t->bound *= bound;
    for (size_t i = 0; i < t->count; i++) {
        double e = r - u[i];
        t->product[i] *= 1 + e * e * scale;
    }
}

void gpai_tally_finish(gpai_tally *t)
{
    take_logs(t);
    for (size_t i = 0; i < t->count; i++) {
        double l = -GPAI_LIKELIHOOD_POWER * t->log[i];
        t->log[i] = isfinite(l) ? l : -HUGE_VAL;
    }
}

double gpai_log_mean_exp(const double *l, size_t n, double *weight)
{
    double top = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        if (l[i] > top)
            top = l[i];
    if (!isfinite(top)) {
        for (size_t i = 0; i < n; i++)
            weight[i] = 1;
        return -HUGE_VAL;
    }
    for (size_t i = 0; i < n; i++) {
        weight[i] = exp(l[i] - top);
        sum += weight[i];
    }
    return top + log(sum / (double)n);
}

enum { POWER = GPAI_LIKELIHOOD_POWER };

/* Below this a mean of weights may have lost to underflow what counts: doubles end at
 * 1e-308, and the weights that count reach down by some 50 powers of ten. */
static const double TRUSTED = 1e-250;

/* So many rows are unlikely to stay above it. Chosen: it saves time only. */
enum { FAST_ROWS = 64 };

double gpai_single_scale(double sigma, double ratio)
{
    return ratio / (2 * GPAI_LIKELIHOOD_SHAPE * sigma * sigma);
}

double gpai_single_weigh(const gpai_profile *r, size_t axis, const double *move,
                         const double *residual, double scale, double *l)
{
    enum { STEP = GPAI_MOVES / GPAI_PAIR_CELLS };
    gpai_place place[GPAI_MOVES];
    double u[GPAI_MOVES], product[GPAI_MOVES], reach = 0;
    gpai_tally tally = {.count = GPAI_MOVES, .product = product, .log = l};
    gpai_tally_start(&tally);
    gpai_profile_places(r, axis, move, GPAI_MOVES, place);
    for (size_t t = 0; t < r->n; t++) {
        double widest = 0;
        gpai_profile_change(r, axis, t, place, GPAI_MOVES, u);
        gpai_tally_row(&tally, residual[t], u, gpai_profile_reach(r, axis, t), scale);
        for (size_t i = STEP / 2; i < GPAI_MOVES; i += STEP)
            if (isfinite(u[i]) && fabs(u[i]) > widest)
                widest = fabs(u[i]);
        reach += widest / (double)r->n;
    }
    gpai_tally_finish(&tally);
    return reach;
}

/* Everything about the axes of the subsets at their cells. */
struct grid {
    const gpai_subset_data *s;
    const size_t *axis;
    size_t axes, n, cells;
    size_t tables, all; /* pairs that have tables; numbers of l */
    double *u;          /* axes by n by cells: changes of f */
    double *reach;      /* axes by n: the largest of them */
    double *gain;       /* axes by cells */
    double *shift;      /* axes by n by cells; NULL without plausibility */
    double *joint;      /* pairs by cells by cells: see fill_joint */
    double *lift;       /* the same as exp(joint / POWER), relative to its largest */
    double *top;        /* pairs: the largest of joint */
    double *e;          /* n: residuals after the moves of all axes but the last */
    double *l;          /* cells ^ size: log-likelihoods, when they are needed */
    double *block;
};

static size_t pairs_of(size_t axes)
{
    return axes * (axes - 1) / 2;
}

/* The number of the pair i < j. */
static size_t pair_at(const struct grid *g, size_t i, size_t j)
{
    return i * (2 * g->axes - i - 1) / 2 + j - i - 1;
}

static void lay_out(void *work, gpai_arena *a)
{
    struct grid *g = work;
    size_t table = g->cells * g->cells;
    bool judged = g->s->plausible != NULL;
    g->u = gpai_take(a, g->axes * g->cells, g->n);
    g->reach = gpai_take(a, g->axes, g->n);
    g->gain = gpai_take(a, g->axes, g->cells);
    g->shift = judged ? gpai_take(a, g->axes * g->cells, g->n) : NULL;
    GPAI_TAKE_EACH(a, g->tables, table, &g->joint, &g->lift);
    g->top = gpai_take(a, g->tables, 1);
    g->e = gpai_take(a, g->n, 1);
    g->l = gpai_take(a, g->all, 1);
}

static void load_axis(struct grid *g, size_t i)
{
    double value[GPAI_PAIR_CELLS];
    gpai_place place[GPAI_PAIR_CELLS];
    const gpai_profile *f = g->s->profile;
    size_t axis = g->axis[i], cells = g->cells, step = GPAI_MOVES / cells;
    for (size_t c = 0; c < cells; c++)
        value[c] = g->s->moves->of[axis][step / 2 + c * step];
    gpai_profile_places(f, axis, value, cells, place);
    for (size_t t = 0; t < g->n; t++) {
        gpai_profile_change(f, axis, t, place, cells, g->u + (i * g->n + t) * cells);
        g->reach[i * g->n + t] = gpai_profile_reach(f, axis, t);
    }
    if (g->s->plausible != NULL)
        gpai_plausible_judge(g->s->plausible, axis, value, cells, g->gain + i * cells,
                             g->shift + i * g->n * cells);
}

/* What the plausibility of a pair's moves adds to the log-likelihood, cells by cells.
 * `part` of each single gain is in it: a triple is the sum of its three pairs. */
static void fill_joint(struct grid *g, size_t i, size_t j, double part, double *out)
{
    size_t cells = g->cells;
    double link = g->s->plausible != NULL
                      ? gpai_plausible_link(g->s->plausible, g->axis[i], g->axis[j])
                      : 0;
    for (size_t a = 0; a < cells; a++)
        for (size_t b = 0; b < cells; b++)
            out[a * cells + b] =
                part * (g->gain[i * cells + a] + g->gain[j * cells + b]);
    if (link == 0)
        return;
    for (size_t t = 0; t < g->n; t++) {
        const double *x = g->shift + (i * g->n + t) * cells;
        const double *y = g->shift + (j * g->n + t) * cells;
        for (size_t a = 0; a < cells; a++)
            for (size_t b = 0; b < cells; b++)
                out[a * cells + b] -= link * x[a] * y[b];
    }
}

/* exp(joint / POWER) relative to the largest, which is returned. */
static double fill_lift(const double *joint, size_t count, double *lift)
{
    double top = -HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        if (joint[i] > top)
            top = joint[i];
    for (size_t i = 0; i < count; i++) {
        double below = joint[i] - top;
        lift[i] = below > -1500 ? exp(below / POWER) : 0; /* the power is 0 anyway */
    }
    return top;
}

/* sum[c] += (lift[c] / prod_t (1 + (e_t - u_tc)^2 scale))^6, the likelihood of the
 * cells of the last axis times their plausibility. */
static inline void add_powers(const struct grid *g, const double *u, size_t cells,
                              const double *lift, double *sum)
{
    double product[GPAI_PAIR_CELLS];
    for (size_t c = 0; c < cells; c++)
        product[c] = 1;
    for (size_t t = 0; t < g->n; t++)
        for (size_t c = 0; c < cells; c++) {
            double e = g->e[t] - u[t * cells + c];
            product[c] *= 1 + e * e * g->s->scale;
        }
    for (size_t c = 0; c < cells; c++) {
        double v = lift[c] / product[c];
        v = v > 0 ? v * v : 0; /* not where f is not finite */
        sum[c] += v * v * v;
    }
}

/* The same in logs, where nothing underflows: l[c] = joint[c] + log-likelihood. */
static void find_logs(const struct grid *g, size_t last, const double *joint, double *l)
{
    double product[GPAI_PAIR_CELLS];
    gpai_tally tally = {.count = g->cells, .product = product, .log = l};
    gpai_tally_start(&tally);
    for (size_t t = 0; t < g->n; t++)
        gpai_tally_row(&tally, g->e[t], g->u + (last * g->n + t) * g->cells,
                       g->reach[last * g->n + t], g->s->scale);
    gpai_tally_finish(&tally);
    for (size_t c = 0; c < g->cells; c++)
        l[c] += joint[c];
}

/* Residuals after moving axis i to cell a and, unless it is the same, j to b. */
static void move_residuals(struct grid *g, size_t i, size_t a, size_t j, size_t b)
{
    for (size_t t = 0; t < g->n; t++) {
        g->e[t] = g->s->residual[t] - g->u[(i * g->n + t) * g->cells + a];
        if (j != i)
            g->e[t] -= g->u[(j * g->n + t) * g->cells + b];
    }
}

static double total(const double *sum, size_t n)
{
    double all = 0;
    for (size_t i = 0; i < n; i++)
        all += sum[i];
    return all;
}

static double pair_fast(struct grid *g, size_t i, size_t j)
{
    enum { CELLS = GPAI_PAIR_CELLS };
    double sum[CELLS] = {0};
    for (size_t a = 0; a < CELLS; a++) {
        move_residuals(g, i, a, i, a);
        add_powers(g, g->u + j * g->n * CELLS, CELLS, g->lift + a * CELLS, sum);
    }
    return total(sum, CELLS);
}

static double pair_evidence(struct grid *g, size_t i, size_t j)
{
    size_t cells = g->cells, all = cells * cells;
    fill_joint(g, i, j, 1, g->joint);
    if (g->n <= FAST_ROWS) {
        double top = fill_lift(g->joint, all, g->lift), sum = pair_fast(g, i, j);
        if (sum > TRUSTED)
            return top + log(sum / (double)all);
    }
    for (size_t a = 0; a < cells; a++) {
        move_residuals(g, i, a, i, a);
        find_logs(g, j, g->joint + a * cells, g->l + a * cells);
    }
    return gpai_log_mean_exp(g->l, all, g->l);
}

/* The tables of the three pairs of a triple. */
struct triple {
    size_t i, j, k;
    size_t ij, ik, jk;
};

static double triple_fast(struct grid *g, const struct triple *q)
{
    enum { CELLS = GPAI_TRIPLE_CELLS, TABLE = CELLS * CELLS };
    double sum[CELLS] = {0}, lift[CELLS];
    for (size_t a = 0; a < CELLS; a++) {
        const double *ik = g->lift + q->ik * TABLE + a * CELLS;
        for (size_t b = 0; b < CELLS; b++) {
            const double *jk = g->lift + q->jk * TABLE + b * CELLS;
            double ij = g->lift[q->ij * TABLE + a * CELLS + b];
            for (size_t c = 0; c < CELLS; c++)
                lift[c] = ij * ik[c] * jk[c];
            move_residuals(g, q->i, a, q->j, b);
            add_powers(g, g->u + q->k * g->n * CELLS, CELLS, lift, sum);
        }
    }
    return total(sum, CELLS);
}

static double triple_slow(struct grid *g, const struct triple *q)
{
    size_t cells = g->cells, table = cells * cells;
    double joint[GPAI_TRIPLE_CELLS];
    for (size_t a = 0; a < cells; a++)
        for (size_t b = 0; b < cells; b++) {
            for (size_t c = 0; c < cells; c++)
                joint[c] = g->joint[q->ij * table + a * cells + b] +
                           g->joint[q->ik * table + a * cells + c] +
                           g->joint[q->jk * table + b * cells + c];
            move_residuals(g, q->i, a, q->j, b);
            find_logs(g, q->k, joint, g->l + (a * cells + b) * cells);
        }
    return gpai_log_mean_exp(g->l, table * cells, g->l);
}

static double triple_evidence(struct grid *g, size_t i, size_t j, size_t k)
{
    struct triple q = {i, j, k, pair_at(g, i, j), pair_at(g, i, k), pair_at(g, j, k)};
    if (g->n <= FAST_ROWS) {
        double sum = triple_fast(g, &q), all = pow((double)g->cells, 3);
        if (sum > TRUSTED)
            return g->top[q.ij] + g->top[q.ik] + g->top[q.jk] + log(sum / all);
    }
    return triple_slow(g, &q);
}

static gpa_status open_grid(struct grid *g, gpa_error *err)
{
    g->n = g->s->profile->n;
    g->block = gpai_carve(lay_out, g);
    if (g->block == NULL)
        return gpai_nomem(err, "culprit");
    for (size_t i = 0; i < g->axes; i++)
        load_axis(g, i);
    return GPA_OK;
}

/* The tables of all pairs, each with half of the single gains. */
static void fill_tables(struct grid *g)
{
    size_t table = g->cells * g->cells;
    for (size_t i = 0; i < g->axes; i++)
        for (size_t j = i + 1; j < g->axes; j++) {
            size_t at = pair_at(g, i, j);
            fill_joint(g, i, j, 0.5, g->joint + at * table);
            g->top[at] = fill_lift(g->joint + at * table, table, g->lift + at * table);
        }
}

gpa_status gpai_subsets_weigh(const gpai_subset_data *s, size_t size,
                              const size_t *axis, size_t axes, gpai_subset *out,
                              size_t *count, gpa_error *err)
{
    bool pairs = size == 2;
    size_t cells = pairs ? GPAI_PAIR_CELLS : GPAI_TRIPLE_CELLS, table = cells * cells;
    struct grid g = {.s = s,
                     .axis = axis,
                     .axes = axes,
                     .cells = cells,
                     .tables = pairs ? 1 : pairs_of(axes),
                     .all = pairs ? table : table * cells};
    *count = 0;
    gpa_status st = open_grid(&g, err);
    if (st != GPA_OK)
        return st;
    if (!pairs)
        fill_tables(&g);
    for (size_t i = 0; i < axes; i++)
        for (size_t j = i + 1; j < axes; j++) {
            if (pairs)
                out[(*count)++] =
                    (gpai_subset){{axis[i], axis[j]}, 2, pair_evidence(&g, i, j)};
            for (size_t k = j + 1; k < axes && !pairs; k++)
                out[(*count)++] = (gpai_subset){
                    {axis[i], axis[j], axis[k]}, 3, triple_evidence(&g, i, j, k)};
        }
    gpai_free(g.block);
    return GPA_OK;
}
