#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/marginals/free_draws.h"
#include "engine/marginals/marginals.h"
#include "engine/math/kriging_fit.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* docs/methods.md, "The distribution of each input's perturbation": five calls. The
 * rounds, the shares and the steps of the fit were chosen on three models against runs
 * of four million draws, from which the result is then 0.01 to 0.03 away in total
 * variation, and up to 0.13; the rest keeps arithmetic and memory within bounds. */
enum {
    ROUNDS = 4,         /* after the first draws of the prior */
    FIRST_STEPS = 15,   /* evaluations of the likelihood in the first fit */
    STEPS = 6,          /* in the later ones, which start where the last ended */
    ROUND_FREE = 4096,  /* free draws that choose a round's rows */
    FINAL_FREE = 32768, /* free draws that are the result */
    LEAST_FREE = 1024,
    FREE_NUMBERS = 1 << 22, /* draws times axes at most, when there are many axes */
    PASSES = 6,             /* until the free draws fit their posterior */
    FINAL_PASSES = 3,       /* the same for the last one */
    DIRECTIONS = 8,         /* across the axes without a lambda */
    CHUNK = 1024,           /* points predicted together */
    PRIOR_PERCENT = 15,     /* of a round's draws that come from the prior */
    ENOUGH_KNOWN = 64,      /* rows already paid for that are always used */
    LEAST_DRAWS = 16,       /* fewer say nothing */
    MOST_DRAWS = 2048,      /* the arithmetic grows with their cube */
};
/* A surrogate with an error of more noise scales is not to be trusted (eq. 23), nor one
 * whose rows are worth fewer effective draws. Chosen. */
static const double DISTRUST = 2, TOO_FEW = 10;

struct work {
    gpai_problem *p;
    const gpai_space *s;
    const gpai_vectors *v;
    size_t axes, n, draws, ld; /* ld: draws in whole vectors */
    size_t batch;              /* draws asked together at most */
    gpai_cells cells;
    gpai_sobol prior, free;
    gpai_rng rng;
    gpai_kriging kriging;
    gpai_kriging_fit fit[ROUNDS + 1];
    double *error;                  /* ROUNDS + 1 by n: sqrt(c_t) of each fit */
    double power[ROUNDS + 1];       /* of its likelihood: see find_power */
    double log_norm[ROUNDS + 1];    /* of its posterior */
    size_t count[ROUNDS + 1];       /* draws from it; the last one's stays 0 */
    size_t prior_count, done, fits; /* draws of the prior, of all; fits so far */
    gpai_free_draws free_draws;
    double *z, *f, *log_w;    /* draws by axes, by n, by 1 */
    double *root;             /* draws: softened weights */
    double *log_q;            /* ROUNDS + 1 by draws: density over the prior's */
    double *delta;            /* batch by d */
    double *predicted;        /* n by CHUNK */
    double *log_lik, *spread; /* CHUNK */
    double *v_t;              /* n: mean square errors of the last fit */
    double *known_z, *known_f;
    size_t known, most_known;
    double ess;
    double *block;
};

/* After a quarter of the draws come the rounds, with equally many each, */
static size_t draws_per_round(size_t draws)
{
    return (draws - draws / 4) / ROUNDS;
}

/* so many of them, but at least one, from the prior: they bound the weights. */
static size_t prior_draws(size_t per_round)
{
    return (per_round * PRIOR_PERCENT + 99) / 100;
}

static size_t free_size(size_t axes, size_t most)
{
    size_t size = LEAST_FREE;
    while (size < most && 2 * size * axes <= FREE_NUMBERS)
        size *= 2;
    return size;
}

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    w->error = gpai_take(a, ROUNDS + 1, w->n);
    GPAI_TAKE_EACH(a, CHUNK, 1, &w->spread, &w->log_lik);
    w->v_t = gpai_take(a, w->n, 1);
    w->z = gpai_take(a, w->draws, w->axes);
    w->f = gpai_take(a, w->draws, w->n);
    GPAI_TAKE_EACH(a, w->draws, 1, &w->log_w, &w->root);
    w->log_q = gpai_take(a, ROUNDS + 1, w->ld);
    w->delta = gpai_take(a, w->batch + 1, w->p->d);
    w->predicted = gpai_take(a, w->n, CHUNK);
    w->known_z = gpai_take(a, w->most_known, w->axes);
    w->known_f = gpai_take(a, w->most_known, w->n);
    for (size_t i = 0; i <= ROUNDS; i++)
        gpai_kriging_fit_lay_out(&w->fit[i], &w->kriging, a);
    bool many = w->axes > GPAI_KRIGING_KEPT;
    w->free_draws = (gpai_free_draws){.axes = w->axes,
                                      .room = free_size(w->axes, FINAL_FREE),
                                      .most_kept = many ? GPAI_KRIGING_MANY : w->axes,
                                      .most_directions = many ? DIRECTIONS : 0};
    gpai_free_draws_lay_out(&w->free_draws, a);
}

/* Every row costs arithmetic; beyond a quarter of the draws known ones help little. */
static size_t usable_known(size_t known, size_t draws)
{
    size_t most = draws / 4 > ENOUGH_KNOWN ? draws / 4 : ENOUGH_KNOWN;
    return known < most ? known : most;
}

static gpa_status open_work(struct work *w, uint64_t seed, uint64_t stream,
                            gpa_error *err)
{
    gpa_status st =
        gpai_kriging_open(&w->kriging, w->axes, w->n, w->draws + w->most_known, err);
    if (st == GPA_OK)
        st = gpai_cells_open(&w->cells, w->s, err);
    w->rng = gpai_rng_make(seed, stream);
    uint64_t first = gpai_rng_bits(&w->rng), second = gpai_rng_bits(&w->rng);
    if (st == GPA_OK)
        st = gpai_sobol_open(&w->prior, w->axes, first, 0, err);
    if (st == GPA_OK)
        st = gpai_sobol_open(&w->free, w->axes, second, 1, err);
    if (st != GPA_OK)
        return st;
    w->block = gpai_carve(lay_out, w);
    return w->block != NULL ? GPA_OK : gpai_nomem(err, "marginals");
}

static void close_work(struct work *w)
{
    gpai_free(w->block);
    gpai_sobol_close(&w->free);
    gpai_sobol_close(&w->prior);
    gpai_cells_close(&w->cells);
    gpai_kriging_close(&w->kriging);
}

/* The z that stands for a value: of a category, the middle of its probability. */
static double find_z(const struct work *w, size_t axis, double value)
{
    const gpai_quantiles_axis *a = &w->cells.quantiles.axis[axis];
    if (w->s->axis[axis].kind != GPAI_AXIS_CHOICE)
        return gpai_quantiles_z(&w->cells.quantiles, axis, value);
    size_t j = 0;
    while (j + 1 < a->values && a->value[j] != value)
        j++;
    return gpai_norm_quantile(
        0.5 * (gpai_norm_cdf(a->edge[j]) + gpai_norm_cdf(a->edge[j + 1])));
}

/* Takes over known answers at feasible points, evenly spaced ones of too many. */
static void use_known(struct work *w, const double *delta, const double *f,
                      size_t known, size_t most)
{
    size_t d = w->p->d;
    double *nearest = w->delta;
    for (size_t i = 0; i < most; i++) {
        size_t from = most > 1 ? i * (known - 1) / (most - 1) : 0;
        const double *at = delta + from * d;
        bool feasible = true;
        memcpy(nearest, at, d * sizeof *nearest);
        gpai_space_project(w->s, nearest);
        for (size_t k = 0; k < d; k++)
            feasible = feasible && fabs(nearest[k] - at[k]) <= 1e-9 * (1 + fabs(at[k]));
        if (!feasible)
            continue;
        double *z = w->known_z + w->known * w->axes;
        for (size_t k = 0; k < w->axes; k++)
            z[k] = fmin(fmax(find_z(w, k, gpai_axis_value(w->s, k, nearest)), -6), 6);
        memcpy(w->known_f + w->known * w->n, f + from * w->n, w->n * sizeof *f);
        w->known++;
    }
}

/* Asks the model for the draws from w->done up to `end`, and hands them to kriging. */
static gpa_status ask_draws(struct work *w, size_t end, gpa_error *err)
{
    size_t from = w->done;
    const double *z = w->z + from * w->axes;
    double *f = w->f + from * w->n;
    gpai_quantiles_delta(&w->cells.quantiles, z, end - from, w->delta);
    gpa_status st = gpai_predict_points(w->p, w->delta, NULL, end - from, f, err);
    gpai_kriging_add(&w->kriging, z, f, st == GPA_OK ? end - from : 0, from);
    w->done = end;
    return st;
}

/* total[i] += ln lik~ of the points z (n by axes) under a fit. */
static void add_likelihood(const struct work *w, size_t fit, const double *z, size_t n,
                           double *total)
{
    const gpai_problem *p = w->p;
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t count = n - i < CHUNK ? n - i : CHUNK;
        gpai_kriging_fit_predict(&w->fit[fit], z + i * w->axes, count, w->predicted,
                                 CHUNK, w->spread);
        memset(w->log_lik, 0, CHUNK * sizeof *w->log_lik);
        for (size_t t = 0; t < w->n; t++) {
            gpai_vstudent s = {.y = p->y[t],
                               .power = p->a + 0.5,
                               .inverse = 0.5 / p->b[t],
                               .error = w->error[fit * w->n + t]};
            w->v->student(&s, w->predicted + t * CHUNK, w->spread, count, w->log_lik);
        }
        w->v->axpy(w->power[fit], w->log_lik, count, total + i);
    }
}

/* ln of the density of fit c's posterior over the prior's, at the draws from `from`. */
static void add_component(struct work *w, size_t c, size_t from)
{
    double *log_q = w->log_q + c * w->ld;
    size_t start = from / GPAI_VPAD * GPAI_VPAD; /* whole vectors */
    memset(log_q + start, 0, (w->done - start) * sizeof *log_q);
    add_likelihood(w, c, w->z + start * w->axes, w->done - start, log_q + start);
    for (size_t i = start; i < w->done; i++)
        log_q[i] = isnan(log_q[i]) ? -HUGE_VAL : log_q[i] - w->log_norm[c];
}

/* ln sum_c count_c q_c / prior at draw i: what the mixture of all rounds puts there. */
static double mixture(const struct work *w, size_t i)
{
    double sum = (double)w->prior_count, top = 0;
    for (size_t c = 0; c < w->fits; c++)
        top = fmax(top, w->log_q[c * w->ld + i]);
    sum *= exp(-top);
    for (size_t c = 0; c < w->fits; c++)
        sum += (double)w->count[c] * exp(w->log_q[c * w->ld + i] - top);
    return top + log(sum);
}

/* exp(power (log_w - peak)) over its sum into `to`; how many draws carry it. */
static double share_out(const struct work *w, double power, double peak, double *to)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < w->done; i++)
        sum += to[i] = exp(power * (w->log_w[i] - peak));
    for (size_t i = 0; i < w->done; i++) {
        to[i] /= sum;
        squares += to[i] * to[i];
    }
    return 1 / squares;
}

/* Weights of the true rows; false when no prediction is finite. */
static bool weigh_rows(struct work *w)
{
    double peak = -HUGE_VAL;
    for (size_t i = 0; i < w->done; i++) {
        w->log_w[i] = -gpai_data_term(w->p, w->f + i * w->n) - mixture(w, i);
        peak = fmax(peak, w->log_w[i]);
    }
    if (!isfinite(peak))
        return false;
    w->ess = share_out(w, 1, peak, w->root);
    return true;
}

/* The mean of likelihood over what each draw's own round was drawn from. Later rounds
 * are left out of it, unlike in the weights: a fit is exact at the rows it was made
 * from, and their share of the evidence would come out too small. */
static double find_evidence(const struct work *w)
{
    size_t per = draws_per_round(w->draws), first = w->draws - ROUNDS * per;
    size_t prior = prior_draws(per);
    double peak = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < w->draws; i++) {
        double log_q = 0;
        if (i >= first) {
            size_t c = (i - first) / per;
            double share = (double)prior / (double)per, q = w->log_q[c * w->ld + i];
            double top = fmax(q, 0);
            log_q = top + log(share * exp(-top) + (1 - share) * exp(q - top));
        }
        w->log_w[i] = -gpai_data_term(w->p, w->f + i * w->n) - log_q;
        peak = fmax(peak, w->log_w[i]);
    }
    for (size_t i = 0; i < w->draws; i++)
        sum += exp(w->log_w[i] - peak);
    return peak + log(sum / (double)w->draws);
}

/* The roots of the weights, or a lower power of them that rests on an eighth of the
 * draws: an error must not be judged by a few rows next to each other. Sum 1. */
static void soften(struct work *w)
{
    double peak = -HUGE_VAL;
    for (size_t i = 0; i < w->done; i++)
        peak = fmax(peak, w->log_w[i]);
    for (double power = 0.5; power > 1e-4; power *= 0.8)
        if (8 * share_out(w, power, peak, w->root) >= (double)w->done)
            break;
}

/* v_t: the mean square of the leave-one-out residuals, by the softened weights; and the
 * factor c_t that makes of kriging's doubt such a square. */
static void find_error(const struct work *w, double *error)
{
    const gpai_kriging *k = &w->kriging;
    for (size_t t = 0; t < w->n; t++) {
        double sum = 0, total = 0, doubt = 0, large = 0;
        for (size_t i = 0; i < k->rows; i++)
            if (k->id[i] < w->draws)
                large = fmax(large, fabs(k->left_out[t * k->ld + i]));
        for (size_t i = 0; i < k->rows && large > 0; i++)
            if (k->id[i] < w->draws) {
                double r = k->left_out[t * k->ld + i] / large;
                sum += w->root[k->id[i]] * r * r;
                doubt += w->root[k->id[i]] * k->alone[i];
                total += w->root[k->id[i]];
            }
        w->v_t[t] = total > 0 ? large * large * (sum / total) : 0;
        error[t] = doubt > 0 ? large * sqrt(sum / doubt) : 0;
    }
}

/* Several observed rows share one surrogate, whose errors at them may go together; then
 * they tell less than as many independent ones. With e2 = v a / b the error in noise
 * scales and c = 1 (independent) to n (the same for all) the variance of the errors'
 * sum over the sum of their variances, their information falls by (1 + e2) / (1 + c
 * e2). */
static double find_power(const struct work *w)
{
    const gpai_kriging *k = &w->kriging;
    double e2 = 0, parts = 0, together = 0;
    for (size_t t = 0; t < w->n; t++)
        e2 += w->v_t[t] * w->p->a / w->p->b[t] / (double)w->n;
    for (size_t i = 0; i < k->rows; i++) {
        double sum = 0, squares = 0;
        for (size_t t = 0; t < w->n && k->id[i] < w->draws; t++) {
            double r = k->left_out[t * k->ld + i] / sqrt(w->p->b[t]);
            sum += r;
            squares += r * r;
        }
        double root = k->id[i] < w->draws ? w->root[k->id[i]] : 0;
        together += root * sum * sum;
        parts += root * squares;
    }
    double c = parts > 0 ? fmax(together / parts, 1) : 1;
    return isfinite(e2) ? (1 + e2) / (1 + c * e2) : 1 / c;
}

/* Free draws of the last fit's posterior; passes until they fit it. Other draws each
 * round, so that none is picked twice. */
static bool sample_posterior(struct work *w, size_t n, size_t passes, double enough)
{
    gpai_free_draws *free_draws = &w->free_draws;
    size_t last = w->fits - 1, first = last * n % free_draws->room;
    for (size_t pass = 0; pass < passes; pass++) {
        if (pass > 0)
            gpai_free_draws_match(free_draws, n);
        gpai_free_draws_draw(free_draws, n < free_draws->room ? first : 0, n);
        add_likelihood(w, last, free_draws->z, n, free_draws->log_w);
        if (!gpai_free_draws_weigh(free_draws, n))
            return false;
        if (free_draws->ess > enough * (double)n)
            break;
    }
    w->log_norm[last] = free_draws->log_norm;
    return true;
}

/* Draws for the next round: some of the prior, the others picked from the free draws at
 * even steps of its cumulated weights. */
static void pick_draws(struct work *w, size_t count, size_t n_free)
{
    size_t prior = prior_draws(count), picks = count - prior, j = 0;
    double *to = w->z + w->done * w->axes;
    gpai_sobol_fill(&w->prior, prior, to);
    for (size_t i = 0; i < prior * w->axes; i++)
        to[i] = gpai_norm_quantile(to[i]);
    to += prior * w->axes;
    double start = gpai_rng_unit(&w->rng), sum = w->free_draws.w[0];
    for (size_t i = 0; i < picks; i++, to += w->axes) {
        while (j + 1 < n_free && sum < ((double)i + start) / (double)picks)
            sum += w->free_draws.w[++j];
        memcpy(to, w->free_draws.z + j * w->axes, w->axes * sizeof *to);
        if (j + 1 < n_free) /* to ask for the same point twice would be a waste */
            sum += w->free_draws.w[++j];
    }
    w->prior_count += prior;
    w->count[w->fits - 1] = picks;
}

/* Fits all rows asked so far; the fit's own error goes with it. */
static gpa_status next_fit(struct work *w, gpa_error *err)
{
    gpa_status st =
        gpai_kriging_estimate(&w->kriging, w->fits == 0 ? FIRST_STEPS : STEPS, err);
    if (st != GPA_OK)
        return st;
    gpai_kriging_fit *fit = &w->fit[w->fits];
    gpai_kriging_fit_keep(fit);
    soften(w);
    find_error(w, w->error + w->fits * w->n);
    w->power[w->fits] = w->done < w->draws ? find_power(w) : 1;
    gpai_free_draws_coordinates(&w->free_draws, w->kriging.keep, w->kriging.kept,
                                fit->slope, w->n);
    w->fits++;
    return GPA_OK;
}

static gpa_status nothing_finite(const struct work *w, gpa_error *err)
{
    return gpai_fail(err, GPA_NUMERIC,
                     "marginals: none of %zu perturbed points has a finite prediction",
                     w->done);
}

static gpa_status run(struct work *w, gpa_error *err)
{
    size_t per = draws_per_round(w->draws), first = w->draws - ROUNDS * per;
    size_t n_free = w->free_draws.room < ROUND_FREE ? w->free_draws.room : ROUND_FREE;
    gpai_sobol_fill(&w->prior, first, w->z);
    for (size_t i = 0; i < first * w->axes; i++)
        w->z[i] = gpai_norm_quantile(w->z[i]);
    w->prior_count = first;
    gpa_status st = ask_draws(w, first, err);
    while (st == GPA_OK) {
        if (!weigh_rows(w))
            return nothing_finite(w, err);
        st = next_fit(w, err);
        if (st != GPA_OK)
            return st;
        if (!sample_posterior(w, n_free, PASSES, 0.1))
            return nothing_finite(w, err);
        if (w->done == w->draws)
            return GPA_OK;
        size_t old = w->done;
        pick_draws(w, per, n_free);
        st = ask_draws(w, old + per, err);
        for (size_t c = 0; c < w->fits && st == GPA_OK; c++)
            add_component(w, c, c + 1 == w->fits ? 0 : old);
    }
    return st;
}

/* The free draws of the last surrogate become the result. */
static void fill_cells(struct work *w)
{
    size_t n = w->free_draws.room;
    if (n > ROUND_FREE) {
        gpai_free_draws_match(&w->free_draws, ROUND_FREE);
        sample_posterior(w, n, FINAL_PASSES, 0.02);
    }
    gpai_cells_aim(&w->cells, w->free_draws.z, w->free_draws.w, n);
    gpai_cells_add(&w->cells, w->free_draws.z, NULL, w->free_draws.w, n);
    gpai_cells_finish(&w->cells, w->free_draws.ess);
}

/* The error of the last fit in noise scales. Too few effective rows cannot vouch for
 * it: then it is above DISTRUST in any case. */
static double largest_error(const struct work *w)
{
    double largest = w->ess < TOO_FEW ? DISTRUST * sqrt(TOO_FEW / w->ess) : 0;
    for (size_t t = 0; t < w->n; t++)
        largest = fmax(largest, sqrt(w->v_t[t] * w->p->a / w->p->b[t]));
    return largest;
}

/* How many draws of n rows each the budget allows. */
static size_t affordable(const gpai_problem *p, size_t wanted)
{
    if (p->budget == 0)
        return wanted;
    uint64_t left = p->budget > p->rows ? (p->budget - p->rows) / p->n : 0;
    return left < wanted ? (size_t)left : wanted;
}

static void report(const struct work *w, gpa_explanation *e, gpai_sampling *out)
{
    out->draws = w->draws;
    out->ess = w->ess;
    out->log_evidence = find_evidence(w);
    out->surrogate_error = largest_error(w);
    if (out->surrogate_error > DISTRUST)
        gpai_result_note(e,
                         "the surrogate of the model is off by %.3g noise scales: do "
                         "not trust the distributions; ask more rows (--marginal-rows "
                         "N), or use the exact ones (--marginals exact)",
                         out->surrogate_error);
}

gpa_status gpai_marginal_surrogate(gpai_problem *p, const gpai_space *s, size_t rows,
                                   uint64_t seed, uint64_t stream,
                                   const double *known_delta, const double *known_f,
                                   size_t known, gpa_explanation *e, gpai_sampling *out,
                                   gpa_error *err)
{
    size_t wanted = rows < MOST_DRAWS ? rows : MOST_DRAWS;
    struct work w = {.p = p,
                     .s = s,
                     .v = gpai_vectors_at(0),
                     .axes = s->axes,
                     .n = p->n,
                     .draws = affordable(p, wanted)};
    *out = (gpai_sampling){.budget_hit = w.draws < wanted,
                           .ess = (double)NAN,
                           .log_evidence = (double)NAN,
                           .surrogate_error = (double)NAN};
    if (s->axes == 0) {
        gpai_cells_frozen(e);
        return GPA_OK;
    }
    if (w.draws < LEAST_DRAWS)
        return GPA_OK;
    w.ld = (w.draws + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    w.batch = w.draws - ROUNDS * draws_per_round(w.draws);
    w.most_known = usable_known(known, w.draws);
    gpa_status st = open_work(&w, seed, stream, err);
    if (st != GPA_OK)
        goto done;
    use_known(&w, known_delta, known_f, known, w.most_known);
    gpai_kriging_add(&w.kriging, w.known_z, w.known_f, w.known, w.draws);
    gpai_free_draws_fill(&w.free_draws, &w.free);
    st = run(&w, err);
    if (st != GPA_OK)
        goto done;
    fill_cells(&w);
    st = gpai_cells_show(&w.cells, e, err);
    report(&w, e, out);
done:
    close_work(&w);
    return st;
}
