#include "engine/culprit/culprit.h"
#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/culprit/moves.h"
#include "engine/culprit/plausible.h"
#include "engine/culprit/subsets.h"
#include <math.h>
#include <string.h>

/* One stage of many moves; or, for many axes, of few moves, and a second one for the
 * likeliest axes. 24 quantiles of the prior find the optimum of a smooth f to within
 * its width; with 25 axes that is 600 rows, which is what an explanation may cost.
 * Chosen on
 * planted faults. */
enum { NODES = 24, FEW_NODES = 8, STAGED_ABOVE = 25, SECOND_STAGE = 8 };

static bool is_staged(const gpai_space *s)
{
    return s->axes > STAGED_ABOVE;
}

uint64_t gpai_culprit_rows(const gpai_space *s, size_t n)
{
    if (!is_staged(s))
        return gpai_profile_rows(s, n, NODES);
    return gpai_profile_rows(s, n, FEW_NODES) + (uint64_t)n * NODES * SECOND_STAGE;
}

struct second {
    const gpai_space *s;
    size_t n;
    gpai_ranked *order;          /* axes */
    double *evidence, *residual; /* axes, n */
};

static void lay_out_second(void *work, gpai_arena *a)
{
    struct second *w = work;
    w->order = gpai_take_bytes(a, w->s->axes, sizeof *w->order);
    w->evidence = gpai_take(a, w->s->axes, 1);
    w->residual = gpai_take(a, w->n, 1);
}

/* The axes of highest evidence in a coarse profile. It misses narrow optima, so the
 * noise is taken as wide as it is (ratio 1); reference rows have no say. */
static gpa_status choose_second(const gpai_problem *p, const gpai_space *s,
                                const gpai_profile *r, const gpai_prior *prior,
                                double sigma, size_t *chosen, gpa_error *err)
{
    double l[GPAI_MOVES], scale = gpai_single_scale(sigma, 1);
    gpai_move_table moves = {0};
    struct second w = {.s = s, .n = p->n};
    double *block = gpai_carve(lay_out_second, &w);
    gpa_status st = block != NULL ? gpai_move_table_open(&moves, s, prior, err)
                                  : gpai_nomem(err, "culprit");
    if (st != GPA_OK)
        goto done;
    for (size_t t = 0; t < p->n; t++)
        w.residual[t] = p->y[t] - r->base[t];
    for (size_t i = 0; i < s->axes; i++) {
        gpai_single_weigh(r, i, moves.of[i], w.residual, scale, l);
        w.evidence[i] = gpai_log_mean_exp(l, GPAI_MOVES, l);
    }
    gpai_rank(w.evidence, s->axes, w.order);
    for (size_t i = 0; i < SECOND_STAGE; i++)
        chosen[i] = w.order[i].place;
done:
    gpai_move_table_close(&moves);
    gpai_free(block);
    return st;
}

/* More moves of the likeliest axes; those that have them all are left out. */
static gpa_status ask_again(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const gpai_prior *prior, double sigma, gpa_error *err)
{
    size_t chosen[SECOND_STAGE], open = 0;
    gpa_status st = choose_second(p, s, r, prior, sigma, chosen, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < SECOND_STAGE; i++)
        if (!r->whole[chosen[i]])
            chosen[open++] = chosen[i];
    if (open == 0)
        return GPA_OK;
    return gpai_profile_ask(r, p, s, prior, chosen, open, NODES, NULL, err);
}

gpa_status gpai_culprit_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            double sigma, const double *f, gpa_error *err)
{
    gpai_prior prior = gpai_prior_make(GPAI_CULPRIT_ETA, GPAI_CULPRIT_NU);
    bool staged = is_staged(s);
    size_t nodes = staged ? FEW_NODES : NODES;
    gpa_status st =
        gpai_profile_open(r, p, s, nodes, staged ? SECOND_STAGE : 0, NODES, err);
    if (st != GPA_OK)
        return st;
    size_t *axis = gpai_calloc(s->axes, sizeof *axis);
    if (axis == NULL) {
        st = gpai_nomem(err, "culprit");
        goto done;
    }
    for (size_t i = 0; i < s->axes; i++)
        axis[i] = i;
    st = gpai_profile_ask(r, p, s, &prior, axis, s->axes, nodes, f, err);
    if (st == GPA_OK && staged)
        st = ask_again(r, p, s, &prior, sigma, err);
done:
    gpai_free(axis);
    if (st != GPA_OK)
        gpai_profile_close(r);
    return st;
}

/* docs/methods.md, "Who did it". b = a sigma^2 / 3, a likelihood
 * sharper than the noise; a wrong y is off by N(0, (6 sigma)^2), which
 * leaves large errors to it. Both were chosen on planted faults. The cells: an odd
 * number, so that 0 is one of them, and finer than the noise: 6 sigma in 400 parts. */
static const double NOISE_RATIO = 3, OUTPUT_SPREAD = 6;
enum { OUTPUT_CELLS = 801 };

/* Prior weight of one, two and three guilty inputs, without triples and with them (eq.
 * 25). Chosen: single faults are the rule, and more than three cannot be told apart. */
static const double WEIGHTS[2][3] = {{0.7, 0.3, 0}, {0.6, 0.25, 0.15}};

/* What weighing needs besides its result. */
struct work {
    const gpai_problem *p;
    const gpai_space *s;
    const gpai_profile *r;
    const gpai_culprit_options *opt;
    double scale;     /* 1/2b */
    double *residual; /* n */
    double *width;    /* axes: how far the axis moves f */
    double *weight;   /* subsets: ln, then share of Z */
    gpai_ranked *order;
    gpai_subset *subset;
    size_t subsets;
    gpai_move_table moves;
    gpai_plausible plausible;
    bool judged; /* there are reference rows */
    double *block;
};

static void lay_out_work(void *work, gpai_arena *a)
{
    struct work *w = work;
    size_t subsets = w->s->axes + GPAI_SUBSETS_MOST;
    w->residual = gpai_take(a, w->p->n, 1);
    w->width = gpai_take(a, w->s->axes, 1);
    w->weight = gpai_take(a, subsets, 1);
    w->order = gpai_take_bytes(a, w->s->axes, sizeof *w->order);
    w->subset = gpai_take_bytes(a, subsets, sizeof *w->subset);
}

static gpa_status open_work(struct work *w, gpa_error *err)
{
    w->block = gpai_carve(lay_out_work, w);
    if (w->block == NULL)
        return gpai_nomem(err, "culprit");
    for (size_t t = 0; t < w->p->n; t++)
        w->residual[t] = w->p->y[t] - w->r->base[t];
    gpai_prior prior = gpai_prior_make(GPAI_CULPRIT_ETA, GPAI_CULPRIT_NU);
    gpa_status st = gpai_move_table_open(&w->moves, w->s, &prior, err);
    const gpai_culprit_options *o = w->opt;
    w->judged = o->reference != NULL && o->n_reference >= GPAI_PLAUSIBLE_LEAST;
    if (st == GPA_OK && w->judged)
        st = gpai_plausible_open(&w->plausible, w->p, w->s, o->reference,
                                 o->n_reference, o->mode == GPA_CULPRIT_ON, err);
    return st;
}

static void close_work(struct work *w)
{
    gpai_plausible_close(&w->plausible);
    gpai_move_table_close(&w->moves);
    gpai_free(w->block);
}

static void lay_out(void *work, gpai_arena *a)
{
    gpai_culprit *c = work;
    GPAI_TAKE_EACH(a, c->d, 1, &c->probability, &c->single, &c->median, &c->low,
                   &c->high);
    GPAI_TAKE_EACH(a, c->axes, 1, &c->axis_probability, &c->axis_single,
                   &c->axis_evidence);
    c->set90 = gpai_take_bytes(a, c->d, sizeof *c->set90);
}

static gpa_status open_result(gpai_culprit *c, const gpai_space *s, gpa_error *err)
{
    *c = (gpai_culprit){.d = s->d, .axes = s->axes};
    c->block = gpai_carve(lay_out, c);
    return c->block != NULL ? GPA_OK : gpai_nomem(err, "culprit");
}

void gpai_culprit_close(gpai_culprit *c)
{
    gpai_free(c->block);
    *c = (gpai_culprit){0};
}

/* The first move at which the cumulated weights reach a share u of their total. A flat
 * input has equal weights and reaches 1/2 at a border: rounding must not choose. */
static size_t weighted_quantile(const double *weight, double total, double u)
{
    double sum = 0;
    for (size_t i = 0; i < GPAI_MOVES; i++) {
        sum += weight[i] / total;
        if (sum >= u - 1e-9)
            return i;
    }
    return GPAI_MOVES - 1;
}

/* Median and interval of delta of a group's member: the present category always loses
 * its 1, another gains it with some probability. */
static void show_member(gpai_culprit *c, const gpai_space *s, const gpai_axis *a,
                        size_t j, double gained)
{
    size_t k = a->member[j];
    double step = 1 / s->unit[k];
    const double u[3] = {0.5, 0.05, 0.95};
    double *to[3] = {c->median + k, c->low + k, c->high + k};
    for (int i = 0; i < 3; i++)
        *to[i] = j == a->now ? -step : 1 - gained >= u[i] - 1e-9 ? 0 : step;
}

/* What delta is if this axis alone moved, from the weights of its moves. */
static void show_alone(gpai_culprit *c, const gpai_space *s, size_t axis,
                       const double *move, const double *weight)
{
    const gpai_axis *a = &s->axis[axis];
    double total = 0;
    for (size_t i = 0; i < GPAI_MOVES; i++)
        total += weight[i];
    if (a->kind != GPAI_AXIS_CHOICE) {
        c->median[a->input] = move[weighted_quantile(weight, total, 0.5)];
        c->low[a->input] = move[weighted_quantile(weight, total, 0.05)];
        c->high[a->input] = move[weighted_quantile(weight, total, 0.95)];
        return;
    }
    for (size_t j = 0; j < a->members; j++) {
        double gained = 0;
        for (size_t i = 0; i < GPAI_MOVES; i++)
            gained += (size_t)move[i] == j ? weight[i] / total : 0;
        show_member(c, s, a, j, gained);
    }
}

/* Evidence of every axis alone. */
static void weigh_singles(gpai_culprit *c, struct work *w)
{
    double l[GPAI_MOVES], gain[GPAI_MOVES];
    for (size_t i = 0; i < w->s->axes; i++) {
        const double *move = w->moves.of[i];
        w->width[i] = gpai_single_weigh(w->r, i, move, w->residual, w->scale, l);
        if (w->judged) {
            gpai_plausible_judge(&w->plausible, i, move, GPAI_MOVES, gain, NULL);
            for (size_t j = 0; j < GPAI_MOVES; j++)
                l[j] += gain[j];
        }
        c->axis_evidence[i] = gpai_log_mean_exp(l, GPAI_MOVES, l);
        show_alone(c, w->s, i, move, l);
        w->subset[i] = (gpai_subset){{i}, 1, c->axis_evidence[i]};
    }
    w->subsets = w->s->axes;
}

/* Shares of exp(l[i]) in their sum, into out; equal ones when there is nothing. */
static double shares(const double *l, size_t n, double *out)
{
    double mean = gpai_log_mean_exp(l, n, out), total = 0;
    for (size_t i = 0; i < n; i++)
        total += out[i];
    for (size_t i = 0; i < n; i++)
        out[i] /= total;
    return mean + log((double)n);
}

/* M choose size. */
static double ways(double m, size_t size)
{
    return size == 1 ? m : size == 2 ? m * (m - 1) / 2 : m * (m - 1) * (m - 2) / 6;
}

/* ln Z and P(axis) from all subsets so far. `mass`: prior weight of each size. */
static void include(gpai_culprit *c, struct work *w, const double *mass)
{
    for (size_t i = 0; i < w->subsets; i++) {
        size_t size = w->subset[i].size;
        w->weight[i] = w->subset[i].log_evidence +
                       log(mass[size - 1] / ways((double)c->axes, size));
    }
    c->input_evidence = shares(w->weight, w->subsets, w->weight);
    memset(c->axis_probability, 0, c->axes * sizeof *c->axis_probability);
    for (size_t i = 0; i < w->subsets; i++)
        for (size_t j = 0; j < w->subset[i].size; j++)
            c->axis_probability[w->subset[i].axis[j]] += w->weight[i];
}

/* Appends the axes of the `top` largest values that are not in the list yet. */
static size_t choose(struct work *w, const double *value, size_t top, size_t *list,
                     size_t have)
{
    gpai_rank(value, w->s->axes, w->order);
    for (size_t i = 0; i < top && i < w->s->axes; i++) {
        size_t axis = w->order[i].place, j = 0;
        while (j < have && list[j] != axis)
            j++;
        if (j == have)
            list[have++] = axis;
    }
    return have;
}

/* Adds all subsets of so many of the listed axes. */
static gpa_status add_subsets(struct work *w, size_t size, size_t *list, size_t have,
                              gpa_error *err)
{
    gpai_subset_data data = {.profile = w->r,
                             .moves = &w->moves,
                             .plausible = w->judged ? &w->plausible : NULL,
                             .residual = w->residual,
                             .scale = w->scale};
    size_t count;
    gpai_sort_indices(list, have);
    gpa_status st = gpai_subsets_weigh(&data, size, list, have, w->subset + w->subsets,
                                       &count, err);
    w->subsets += count;
    return st;
}

/* Pairs of the axes that are likeliest alone or change f most. */
static gpa_status weigh_pairs(gpai_culprit *c, struct work *w, gpa_error *err)
{
    size_t list[2 * GPAI_PAIR_TOP];
    size_t have = choose(w, c->axis_evidence, GPAI_PAIR_TOP, list, 0);
    have = choose(w, w->width, GPAI_PAIR_TOP, list, have);
    return add_subsets(w, 2, list, have, err);
}

/* Triples of the axes that are likeliest so far. */
static gpa_status weigh_triples(gpai_culprit *c, struct work *w, gpa_error *err)
{
    size_t list[GPAI_TRIPLE_TOP];
    size_t have = choose(w, c->axis_probability, GPAI_TRIPLE_TOP, list, 0);
    return add_subsets(w, 3, list, have, err);
}

static gpa_status weigh_inputs(gpai_culprit *c, struct work *w, gpa_error *err)
{
    c->input_evidence = -HUGE_VAL;
    if (c->axes == 0)
        return GPA_OK;
    bool triples = w->judged && w->opt->mode == GPA_CULPRIT_ON;
    double mass[3], total = 0;
    for (size_t i = 0; i < 3 && i < c->axes; i++)
        total += WEIGHTS[triples][i];
    for (size_t i = 0; i < 3; i++)
        mass[i] = WEIGHTS[triples][i] / total;
    weigh_singles(c, w);
    shares(c->axis_evidence, c->axes, c->axis_single);
    gpa_status st = c->axes > 1 ? weigh_pairs(c, w, err) : GPA_OK;
    if (st != GPA_OK)
        return st;
    include(c, w, mass);
    if (triples && c->axes > 2) {
        st = weigh_triples(c, w, err);
        if (st == GPA_OK)
            include(c, w, mass);
    }
    return st;
}

/* ln E_y: y is off by one amount in all rows. Reference rows know nothing of y. */
static double weigh_output(const struct work *w)
{
    double off[OUTPUT_CELLS], product[OUTPUT_CELLS], l[OUTPUT_CELLS];
    gpai_tally tally = {.count = OUTPUT_CELLS, .product = product, .log = l};
    double spread = OUTPUT_SPREAD * w->opt->sigma;
    for (size_t i = 0; i < OUTPUT_CELLS; i++)
        off[i] = spread * gpai_norm_quantile(((double)i + 0.5) / OUTPUT_CELLS);
    gpai_tally_start(&tally);
    for (size_t t = 0; t < w->p->n; t++)
        gpai_tally_row(&tally, w->residual[t], off, off[OUTPUT_CELLS - 1], w->scale);
    gpai_tally_finish(&tally);
    return gpai_log_mean_exp(l, OUTPUT_CELLS, l);
}

/* E_y / (E_y + M Z). */
static double output_probability(const gpai_culprit *c)
{
    if (c->axes == 0)
        return 1;
    double odds = c->input_evidence + log((double)c->axes) - c->output_evidence;
    if (isnan(odds)) /* nothing explains the rows at all */
        return 0.5;
    return 1 / (1 + exp(fmin(fmax(odds, -700), 700)));
}

/* From axes to inputs. */
static void show_inputs(gpai_culprit *c, const gpai_space *s)
{
    for (size_t k = 0; k < c->d; k++) {
        size_t i = s->axis_of[k];
        if (i == s->axes)
            continue;
        bool group = s->axis[i].kind == GPAI_AXIS_CHOICE;
        c->probability[k] = c->axis_probability[i];
        c->single[k] = c->axis_single[i] / (double)(group ? s->axis[i].members : 1);
        if (c->probability[k] > c->probability[c->first])
            c->first = k;
    }
}

/* A group counts as one, and all its members are named. */
static void find_set90(gpai_culprit *c, struct work *w)
{
    double sum = 0;
    gpai_rank(c->axis_single, c->axes, w->order);
    for (size_t i = 0; i < c->axes; i++) {
        const gpai_axis *a = &w->s->axis[w->order[i].place];
        bool group = a->kind == GPAI_AXIS_CHOICE;
        for (size_t j = 0; j < (group ? a->members : 1); j++)
            c->set90[c->n_set90++] = group ? a->member[j] : a->input;
        sum += w->order[i].value;
        if (sum >= 0.9 - 1e-9) /* rounding must not add one */
            break;
    }
}

static gpa_verdict find_verdict(const gpai_culprit *c, const struct work *w)
{
    double square = 0;
    for (size_t t = 0; t < w->p->n; t++)
        square += w->residual[t] * w->residual[t] / (double)w->p->n;
    /* 2 sigma: what 5 % of normal rows exceed. 1/2: likelier than not. */
    if (sqrt(square) <= 2 * w->opt->sigma)
        return GPA_VERDICT_NORMAL;
    if (c->axes > 0 && c->probability[c->first] * (1 - c->output) > 0.5)
        return GPA_VERDICT_INPUT;
    return c->output > 0.5 ? GPA_VERDICT_OUTPUT : GPA_VERDICT_TIED;
}

gpa_status gpai_culprit_weigh(gpai_culprit *c, const gpai_problem *p,
                              const gpai_space *s, const gpai_profile *r,
                              const gpai_culprit_options *opt, gpa_error *err)
{
    struct work w = {.p = p,
                     .s = s,
                     .r = r,
                     .opt = opt,
                     .scale = gpai_single_scale(opt->sigma, NOISE_RATIO)};
    gpa_status st = open_result(c, s, err);
    if (st == GPA_OK)
        st = open_work(&w, err);
    if (st == GPA_OK)
        st = weigh_inputs(c, &w, err);
    if (st != GPA_OK)
        goto done;
    c->output_evidence = weigh_output(&w);
    c->output = output_probability(c);
    c->reference = w.judged ? w.plausible.rows : 0;
    show_inputs(c, s);
    find_set90(c, &w);
    c->verdict = find_verdict(c, &w);
done:
    close_work(&w);
    if (st != GPA_OK)
        gpai_culprit_close(c);
    return st;
}
