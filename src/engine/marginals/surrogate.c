#include "base/alloc.h"
#include "base/math/special.h"
#include "base/status.h"
#include "engine/marginals/free_draws.h"
#include "engine/marginals/lines.h"
#include "engine/marginals/marginals.h"
#include "engine/marginals/sweeps.h"
#include "engine/objective.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* docs/methods.md, "The distribution of each input's perturbation". The rounds, the
 * shares and the steps of the fit were chosen on seven models against runs of millions
 * of draws; the rest keeps arithmetic and memory within bounds. */
enum {
    FIRST = 64, /* draws of the prior, before the rounds */
    ROUND = 56, /* draws of a round at least; FIRST + ROUNDS * ROUND + TEST */
    LEAST_ROUNDS = 2,
    ROUNDS = 5,         /* are the 302 of 304 that a default explanation may ask */
    FITS = ROUNDS + 3,  /* a failed test may be followed by further rounds */
    TEST = 8,           /* draws kept to test the last fit where its mass is */
    FIRST_STEPS = 9,    /* evaluations of the likelihood in the first fit */
    STEPS = 3,          /* in the later ones, which start where the last ended */
    FIRST_FREE = 2048,  /* free draws that choose the rows of the first round, */
    ROUND_FREE = 4096,  /* and of the others */
    FINAL_FREE = 16384, /* free draws behind the result */
    PASSES = 4,         /* until the free draws fit their posterior */
    FINAL_PASSES = 3,   /* the same for the last one */
    FIRST_CHAINS = 128, /* in the first round, whose marginals nobody looks at */
    ROUND_CHAINS = 1024,
    ROUND_SWEEPS = 1,
    FINAL_SWEEPS = 1,   /* further ones, at the end */
    BINS = 25,          /* of equal probability, to see what a round changed */
    CHUNK = 1024,       /* points predicted together */
    PRIOR_PERCENT = 15, /* of a round's draws that come from the prior */
    MOST_KNOWN = 96,    /* rows already paid for that are used */
    LEAST_DRAWS = 16,   /* fewer say nothing */
    MOST_DRAWS = 2048,  /* the arithmetic grows with their cube */
};
/* Still: no marginal changed by more (total variation) since the last round, and so
 * many of the draws are effective. Rounds differ by up to that for chance alone. */
static const double STILL = 0.04, STILL_ESS = 0.2;
/* A surrogate whose rows are worth fewer effective draws is not to be trusted. Chosen.
 */
static const double TOO_FEW = 10;
/* An error of more noise scales is worth a note. */
static const double DOUBTFUL = 2;
/* A test has failed when the rows tested are off by more than so many of the errors the
 * fit claims, and so many noise scales besides. */
static const double FAILED = 3, FAILED_NOISE = 0.5;

/* Free draws need no other pass when so much of the last round's effective share is
 * left, nor after one that did not raise the share by this factor. */
static const double AS_BEFORE = 0.5, BETTER = 1.25;

struct work {
    gpai_problem *p;
    const gpai_space *s;
    const gpai_vectors *v;
    size_t axes, n, draws, ld; /* ld: draws in whole vectors */
    size_t batch;              /* draws asked together at most */
    gpai_cells cells;
    gpai_lines lines;
    gpai_sobol prior, free;
    gpai_rng rng;
    gpai_kriging kriging;
    gpai_kriging_fit fit[FITS];
    gpai_widened *lik;              /* FITS by n */
    double *table;                  /* FITS by n by GPAI_WIDENED + 1 */
    double power[FITS];             /* of its likelihood: see find_power */
    double log_norm[FITS];          /* of its posterior */
    size_t count[FITS];             /* draws from it; the last one's stays 0 */
    size_t begin[FITS + 1];         /* where the draws after it begin, */
    size_t prior_of[FITS];          /* and how many of those are of the prior */
    size_t prior_count, done, fits; /* draws of the prior, of all; fits so far */
    gpai_free_draws free_draws;
    gpai_sweeps sweeps;
    double **middle;        /* axes: z of each value, where they are few; or NULL */
    double *middles;        /* theirs */
    double *chain;          /* ROUND_CHAINS by axes */
    double *before;         /* axes by most cells: the masses of the last round */
    double *centre, *scale; /* axes: of their cells */
    size_t wide;            /* most cells */
    bool swept, drawn;      /* the last round had sweeps; so had the one before it */
    double change;          /* since then */
    size_t chains;          /* of the last round */
    gpai_rng after;         /* random numbers behind its own */
    double fitted;          /* share of its free draws that is effective; 0: none yet */
    double *z, *f, *log_w;  /* draws by axes, by n, by 1 */
    double *root;           /* draws: softened weights */
    double *log_q;          /* FITS by draws: density over the prior's */
    double *delta;          /* batch by d */
    double *snapped;        /* CHUNK by axes */
    double *predicted;      /* n by CHUNK */
    double *v_t;            /* n: mean square errors of the last fit */
    double *known_z, *known_f;
    size_t known, most_known;
    double ess;
    bool still, tested, failed;
    double off; /* what the test found, in noise scales */
    double *block, *free_block;
};

static size_t round_size(const struct work *w, size_t first)
{
    size_t per = (w->draws - first + ROUNDS - 1) / ROUNDS;
    return per > ROUND ? per : ROUND;
}

/* Draws of the prior before the rounds. */
static size_t first_size(const struct work *w)
{
    return w->draws < 2 * FIRST ? w->draws / 2 : FIRST;
}

/* Draws that are kept for the test. */
static size_t test_size(const struct work *w)
{
    return w->draws >= FIRST ? TEST : 0;
}

static size_t values_of(const struct work *w, size_t axis)
{
    return w->cells.quantiles.axis[axis].values;
}

static void lay_out_values(struct work *w, gpai_arena *a)
{
    size_t all = 0;
    w->wide = GPAI_SWEEP_FINE;
    for (size_t i = 0; i < w->axes; i++) {
        all += values_of(w, i);
        w->wide = values_of(w, i) > w->wide ? values_of(w, i) : w->wide;
    }
    w->middle = gpai_take_bytes(a, w->axes, sizeof *w->middle);
    w->middles = gpai_take(a, all, 1);
}

static void lay_out_sweeps(struct work *w, gpai_arena *a)
{
    w->sweeps = (gpai_sweeps){.k = &w->kriging,
                              .quantiles = &w->cells.quantiles,
                              .most_chains = ROUND_CHAINS,
                              .most_sweeps = FINAL_SWEEPS};
    gpai_sweeps_lay_out(&w->sweeps, a);
    w->chain = gpai_take(a, ROUND_CHAINS, w->axes);
    w->before = gpai_take(a, w->axes, w->wide);
    GPAI_TAKE_EACH(a, w->axes, 1, &w->centre, &w->scale);
}

static void lay_out(void *work, gpai_arena *a)
{
    struct work *w = work;
    w->lik = gpai_take_bytes(a, FITS * w->n, sizeof *w->lik);
    w->table = gpai_take(a, FITS * w->n, GPAI_WIDENED + 1);
    w->v_t = gpai_take(a, w->n, 1);
    w->z = gpai_take(a, w->draws, w->axes);
    w->f = gpai_take(a, w->draws, w->n);
    GPAI_TAKE_EACH(a, w->draws, 1, &w->log_w, &w->root);
    w->log_q = gpai_take(a, FITS, w->ld);
    w->delta = gpai_take(a, w->batch + 1, w->p->d);
    w->snapped = gpai_take(a, CHUNK, w->axes);
    w->predicted = gpai_take(a, w->n, CHUNK);
    w->known_z = gpai_take(a, w->most_known, w->axes);
    w->known_f = gpai_take(a, w->most_known, w->n);
    for (size_t i = 0; i < FITS; i++)
        gpai_kriging_fit_lay_out(&w->fit[i], &w->kriging, a);
    lay_out_values(w, a);
    lay_out_sweeps(w, a);
}

static void lay_out_free(void *work, gpai_arena *a)
{
    struct work *w = work;
    w->free_draws = (gpai_free_draws){.axes = w->axes, .room = FINAL_FREE};
    gpai_free_draws_lay_out(&w->free_draws, a);
}

static void fill_middles(struct work *w)
{
    double *at = w->middles;
    for (size_t i = 0; i < w->axes; i++) {
        const gpai_quantiles_axis *a = &w->cells.quantiles.axis[i];
        w->middle[i] = a->values > 0 ? at : NULL;
        for (size_t j = 0; j < a->values; j++)
            *at++ = gpai_lines_z(&w->cells.quantiles, i, a->value[j]);
    }
}

static gpa_status open_work(struct work *w, const gpai_profile *profile, uint64_t seed,
                            uint64_t stream, gpa_error *err)
{
    bool lines = profile != NULL;
    gpa_status st = gpai_cells_open(&w->cells, w->s, err);
    if (st == GPA_OK && lines)
        st = gpai_lines_open(&w->lines, &w->cells.quantiles, profile, err);
    if (st == GPA_OK)
        st = gpai_kriging_open(&w->kriging, w->axes, w->n, w->draws + w->most_known,
                               lines ? &w->lines.warp : NULL, err);
    w->rng = gpai_rng_make(seed, stream);
    uint64_t first = gpai_rng_bits(&w->rng), second = gpai_rng_bits(&w->rng);
    if (st == GPA_OK)
        st = gpai_sobol_open(&w->prior, w->axes, first, 0, err);
    if (st == GPA_OK)
        st = gpai_sobol_open(&w->free, w->axes, second, 1, err);
    if (st != GPA_OK)
        return st;
    w->block = gpai_carve(lay_out, w);
    w->free_block = gpai_carve_bare(lay_out_free, w);
    if (w->block == NULL || w->free_block == NULL)
        return gpai_nomem(err, "marginals");
    w->kriging.design = w->draws;
    fill_middles(w);
    return GPA_OK;
}

static void close_work(struct work *w)
{
    gpai_free(w->free_block);
    gpai_free(w->block);
    gpai_sobol_close(&w->free);
    gpai_sobol_close(&w->prior);
    gpai_kriging_close(&w->kriging);
    gpai_lines_close(&w->lines);
    gpai_cells_close(&w->cells);
}

/* n places z as the surrogate knows them: all of a value are one. */
static void snap(const struct work *w, double *z, size_t n)
{
    for (size_t k = 0; k < w->axes; k++) {
        const gpai_quantiles_axis *a = &w->cells.quantiles.axis[k];
        for (size_t i = 0; i < n && w->middle[k] != NULL; i++)
            z[i * w->axes + k] =
                w->middle[k][gpai_quantiles_index(a, z[i * w->axes + k])];
    }
}

/* Whether a known answer is feasible and no part of a line, which serves otherwise;
 * `nearest` is room for it. */
static bool is_usable(const struct work *w, const double *at, double *nearest)
{
    size_t d = w->p->d, moved = 0;
    bool feasible = true;
    memcpy(nearest, at, d * sizeof *nearest);
    gpai_space_project(w->s, nearest);
    for (size_t k = 0; k < d; k++)
        feasible = feasible && fabs(nearest[k] - at[k]) <= 1e-9 * (1 + fabs(at[k]));
    for (size_t k = 0; k < w->axes && feasible && w->kriging.warp != NULL; k++) {
        const gpai_axis *a = &w->s->axis[k];
        double still = a->kind == GPAI_AXIS_CHOICE ? (double)a->now : 0;
        double by = fabs(gpai_axis_value(w->s, k, nearest) - still);
        moved += by > 1e-4 ? 1 : 0; /* nearer ones say nothing */
    }
    return feasible && (w->kriging.warp == NULL || moved > 1);
}

/* Takes over known answers, evenly spaced ones of too many. */
static void use_known(struct work *w, const double *delta, const double *f,
                      size_t known)
{
    size_t d = w->p->d, usable = 0, next = 0;
    double *nearest = w->delta;
    for (size_t i = 0; i < known; i++)
        usable += is_usable(w, delta + i * d, nearest) ? 1 : 0;
    size_t most = usable < w->most_known ? usable : w->most_known;
    for (size_t i = 0; i < known && w->known < most; i++) {
        if (!is_usable(w, delta + i * d, nearest) ||
            next++ != (most > 1 ? w->known * (usable - 1) / (most - 1) : 0))
            continue;
        double *z = w->known_z + w->known * w->axes;
        for (size_t k = 0; k < w->axes; k++) {
            double value = gpai_axis_value(w->s, k, nearest);
            z[k] = fmin(fmax(gpai_lines_z(&w->cells.quantiles, k, value), -6), 6);
        }
        memcpy(w->known_f + w->known * w->n, f + i * w->n, w->n * sizeof *f);
        w->known++;
    }
    gpai_kriging_add(&w->kriging, w->known_z, w->known_f, w->known, w->draws);
}

/* Asks the model for the draws from w->done up to `end`, and hands them to kriging. */
static gpa_status ask_draws(struct work *w, size_t end, gpa_error *err)
{
    size_t from = w->done;
    double *z = w->z + from * w->axes, *f = w->f + from * w->n;
    snap(w, z, end - from);
    gpai_quantiles_delta(&w->cells.quantiles, z, end - from, w->delta);
    gpa_status st = gpai_predict_points(w->p, w->delta, NULL, end - from, f, err);
    gpai_kriging_add(&w->kriging, z, f, st == GPA_OK ? end - from : 0, from);
    w->done = end;
    return st;
}

/* total[i] += power ln lik~ of the points z (n by axes) under a fit. */
static void add_likelihood(const struct work *w, size_t fit, double power,
                           const double *z, size_t n, double *total)
{
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t count = n - i < CHUNK ? n - i : CHUNK;
        memcpy(w->snapped, z + i * w->axes, count * w->axes * sizeof *z);
        snap(w, w->snapped, count);
        gpai_kriging_fit_predict(&w->fit[fit], w->snapped, count, w->predicted, CHUNK);
        for (size_t t = 0; t < w->n; t++)
            gpai_widened_add(&w->lik[fit * w->n + t], power, w->predicted + t * CHUNK,
                             count, total + i);
    }
}

/* ln of the density of fit c's posterior over the prior's, at the draws from `from`. */
static void add_component(struct work *w, size_t c, size_t from)
{
    double *log_q = w->log_q + c * w->ld;
    memset(log_q + from, 0, (w->done - from) * sizeof *log_q);
    add_likelihood(w, c, w->power[c], w->z + from * w->axes, w->done - from,
                   log_q + from);
    for (size_t i = from; i < w->done; i++)
        log_q[i] = isnan(log_q[i]) ? -HUGE_VAL : log_q[i] - w->log_norm[c];
}

/* ln sum_c count_c q_c / prior at draw i: what the mixture of all rounds puts there. */
static double mixture(const struct work *w, size_t i)
{
    double sum = (double)w->prior_count, top = 0;
    for (size_t c = 0; c < w->fits; c++)
        if (w->count[c] > 0)
            top = fmax(top, w->log_q[c * w->ld + i]);
    sum *= exp(-top);
    for (size_t c = 0; c < w->fits; c++)
        if (w->count[c] > 0)
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
    double peak = -HUGE_VAL, sum = 0;
    size_t c = 0;
    for (size_t i = 0; i < w->done; i++) {
        double log_q = 0;
        while (c < w->fits && i >= w->begin[c + 1])
            c++;
        if (i >= w->begin[0]) {
            double per = (double)(w->begin[c + 1] - w->begin[c]);
            double share = (double)w->prior_of[c] / per, q = w->log_q[c * w->ld + i];
            double top = fmax(q, 0);
            log_q = top + log(share * exp(-top) + (1 - share) * exp(q - top));
        }
        w->log_w[i] = -gpai_data_term(w->p, w->f + i * w->n) - log_q;
        peak = fmax(peak, w->log_w[i]);
    }
    for (size_t i = 0; i < w->done; i++)
        sum += exp(w->log_w[i] - peak);
    return peak + log(sum / (double)w->done);
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

/* v_t: the mean square of the leave-one-out residuals, by the softened weights. */
static void find_error(struct work *w)
{
    const gpai_kriging *k = &w->kriging;
    for (size_t t = 0; t < w->n; t++) {
        double sum = 0, total = 0, large = 0;
        for (size_t i = 0; i < k->rows; i++)
            if (k->id[i] < w->draws)
                large = fmax(large, fabs(k->left_out[t * k->ld + i]));
        for (size_t i = 0; i < k->rows && large > 0; i++)
            if (k->id[i] < w->draws) {
                double r = k->left_out[t * k->ld + i] / large;
                sum += w->root[k->id[i]] * r * r;
                total += w->root[k->id[i]];
            }
        w->v_t[t] = total > 0 ? large * large * (sum / total) : 0;
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

/* Whether this is a first round before others: it chooses rows, and no more. */
static bool is_first(const struct work *w)
{
    return w->fits == 1 && w->draws >= FIRST + LEAST_ROUNDS * ROUND + TEST;
}

static size_t free_size(const struct work *w)
{
    return is_first(w) ? FIRST_FREE : ROUND_FREE;
}

/* Free draws of the last fit's posterior; passes until they fit it, or as well as a
 * normal can. Other draws each round, so that none is picked twice. */
static bool sample_posterior(struct work *w, size_t n, double power, size_t passes,
                             double enough)
{
    gpai_free_draws *free_draws = &w->free_draws;
    size_t last = w->fits - 1, first = last * n % free_draws->room;
    first = w->kriging.bad == 0 ? 0 : first;
    first = n < free_draws->room ? first : 0;
    gpai_free_draws_fill(free_draws, &w->free, first + n);
    double wanted = w->fitted > 0 ? fmin(enough, AS_BEFORE * w->fitted) : enough;
    for (size_t pass = 0; pass < passes; pass++) {
        double before = pass > 0 ? w->fitted : 0;
        if (pass > 0)
            gpai_free_draws_match(free_draws, n);
        gpai_free_draws_draw(free_draws, first, n);
        add_likelihood(w, last, power, free_draws->z, n, free_draws->log_w);
        if (!gpai_free_draws_weigh(free_draws, n))
            return false;
        w->fitted = free_draws->ess / (double)n;
        if (w->fitted > wanted || w->fitted < BETTER * before)
            break;
        wanted = enough;
    }
    return true;
}

/* Some of n free draws at even steps of their cumulated weights, none of them twice if
 * `once`. */
static void resample(struct work *w, size_t n, size_t count, bool once, double *to)
{
    const gpai_free_draws *from = &w->free_draws;
    double start = gpai_rng_unit(&w->rng), sum = from->w[0];
    size_t j = 0;
    for (size_t i = 0; i < count; i++, to += w->axes) {
        while (j + 1 < n && sum < ((double)i + start) / (double)count)
            sum += from->w[++j];
        memcpy(to, from->z + j * w->axes, w->axes * sizeof *to);
        if (once && j + 1 < n)
            sum += from->w[++j];
    }
}

/* How far the masses of an axis are from those of the round before (total variation,
 * over bins of equal probability). */
static double change_of(const struct work *w, size_t axis)
{
    const gpai_sweep_axis *now = &w->sweeps.axis[axis];
    gpai_sweep_axis then = *now;
    const double *before = w->before + axis * w->wide;
    double sum = 0, old[2] = {0}, new[2] = {0};
    then.centre = w->centre[axis];
    then.scale = w->scale[axis];
    for (size_t j = 0; j < now->cells && now->listed; j++)
        sum += 0.5 * fabs(now->mass[j] - before[j]);
    for (size_t i = 1; i <= BINS && !now->listed; i++) {
        double z = i < BINS
                       ? now->centre + now->scale * gpai_norm_quantile((double)i / BINS)
                       : HUGE_VAL;
        new[1] = gpai_sweeps_below(now, now->mass, z);
        old[1] = gpai_sweeps_below(&then, before, z);
        sum += 0.5 * fabs((new[1] - new[0]) - (old[1] - old[0]));
        new[0] = new[1];
        old[0] = old[1];
    }
    return sum;
}

/* Sweeps over the last fit's posterior, from free draws of it. Their random numbers are
 * the same in every round: what changes is the surrogate. */
static void sweep(struct work *w)
{
    size_t last = w->fits - 1, n = free_size(w);
    gpai_rng rng = w->rng;
    w->chains = is_first(w) ? FIRST_CHAINS : ROUND_CHAINS;
    gpai_sweeps_aim(&w->sweeps, w->free_draws.z, w->free_draws.w, n);
    resample(w, n, w->chains, false, w->chain);
    w->rng = rng;
    snap(w, w->chain, w->chains);
    gpai_sweeps_run(&w->sweeps, &w->fit[last], w->lik + last * w->n, w->power[last],
                    w->chain, w->chains, ROUND_SWEEPS, &rng);
    w->after = rng;
}

/* The marginals of this round, and what they changed. Where f is not finite everywhere
 * there are none: the free draws must do. */
static void look(struct work *w)
{
    w->drawn = w->swept;
    w->swept = w->kriging.bad == 0;
    w->change = 1;
    if (!w->swept)
        return;
    sweep(w);
    if (w->drawn)
        w->change = 0;
    for (size_t k = 0; k < w->axes; k++) {
        const gpai_sweep_axis *a = &w->sweeps.axis[k];
        if (w->drawn)
            w->change = fmax(w->change, change_of(w, k));
        memcpy(w->before + k * w->wide, a->mass, a->cells * sizeof *a->mass);
        w->centre[k] = a->centre;
        w->scale[k] = a->scale;
    }
}

/* Asks `count` draws, some of the prior, the others of the last fit's posterior. */
static gpa_status next_round(struct work *w, size_t prior, size_t count, gpa_error *err)
{
    size_t picks = count - prior, old = w->done, last = w->fits - 1;
    double *to = w->z + w->done * w->axes;
    gpai_sobol_fill(&w->prior, prior, to);
    for (size_t i = 0; i < prior * w->axes; i++)
        to[i] = gpai_norm_quantile(to[i]);
    to += prior * w->axes;
    if (!w->swept)
        resample(w, free_size(w), picks, true, to);
    for (size_t i = 0; i < picks && w->swept;
         i++, to += w->axes) { /* all chains differ */
        size_t j = (FITS * i + last) * w->chains / (FITS * picks);
        memcpy(to, w->chain + j * w->axes, w->axes * sizeof *to);
    }
    w->prior_count += prior;
    w->count[last] = picks;
    w->begin[last] = old;
    w->begin[last + 1] = old + count;
    w->prior_of[last] = prior;
    gpa_status st = ask_draws(w, old + count, err);
    for (size_t c = 0; c < w->fits && st == GPA_OK; c++)
        add_component(w, c, c + 1 == w->fits ? 0 : old);
    return st;
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
    find_error(w);
    for (size_t t = 0; t < w->n; t++) {
        gpai_widened *lik = &w->lik[w->fits * w->n + t];
        lik->log = w->table + (w->fits * w->n + t) * (GPAI_WIDENED + 1);
        gpai_widened_fill(lik, w->v, w->p->y[t], w->p->a, w->p->b[t], w->v_t[t]);
    }
    w->power[w->fits] = find_power(w);
    w->fits++;
    return GPA_OK;
}

/* Asks the rows that were kept for it, and compares. */
static gpa_status test(struct work *w, gpa_error *err)
{
    size_t from = w->done, last = w->fits - 1, count = test_size(w);
    w->off = 0;
    w->tested = true;
    gpa_status st = next_round(w, 0, count, err);
    if (st != GPA_OK)
        return st;
    gpai_kriging_fit_predict(&w->fit[last], w->z + from * w->axes, count, w->predicted,
                             CHUNK);
    w->failed = false;
    for (size_t t = 0; t < w->n; t++) {
        double noise = sqrt(w->p->b[t] / w->p->a), sum = 0;
        for (size_t i = 0; i < count; i++) {
            double off = w->f[(from + i) * w->n + t] - w->predicted[t * CHUNK + i];
            sum += off * off / (double)count;
        }
        double limit = FAILED * sqrt(w->v_t[t]) + FAILED_NOISE * noise;
        w->failed = w->failed || !(sqrt(sum) <= limit);
        w->off = fmax(w->off, sqrt(sum) / noise);
    }
    return GPA_OK;
}

static gpa_status nothing_finite(const struct work *w, gpa_error *err)
{
    return gpai_fail(err, GPA_NUMERIC,
                     "marginals: none of %zu perturbed points has a finite prediction",
                     w->done);
}

/* Rows that a further round may ask. */
static size_t rows_left(const struct work *w, size_t per)
{
    size_t end = w->draws - test_size(w), left = end > w->done ? end - w->done : 0;
    left = left < per ? left : per;
    if (w->fits > 1 && 4 * left < per) /* not worth a call */
        return 0;
    return w->fits < FITS - 1 ? left : 0;
}

static gpa_status run(struct work *w, gpa_error *err)
{
    size_t first = first_size(w), per = round_size(w, first + test_size(w));
    gpai_sobol_fill(&w->prior, first, w->z);
    for (size_t i = 0; i < first * w->axes; i++)
        w->z[i] = gpai_norm_quantile(w->z[i]);
    w->prior_count = w->begin[0] = first;
    gpa_status st = ask_draws(w, first, err);
    while (st == GPA_OK) {
        if (!weigh_rows(w))
            return nothing_finite(w, err);
        double ess = w->ess;
        st = next_fit(w, err);
        if (st != GPA_OK)
            return st;
        size_t last = w->fits - 1, left = rows_left(w, per);
        if (!sample_posterior(w, free_size(w), w->power[last], PASSES, 0.1))
            return nothing_finite(w, err);
        w->log_norm[last] = w->free_draws.log_norm;
        look(w);
        w->still = w->drawn && w->swept && w->fits > LEAST_ROUNDS &&
                   w->change <= STILL && ess >= STILL_ESS * (double)w->done;
        w->tested = false;
        if (w->still || left == 0) {
            if (w->swept && test_size(w) > 0 && w->done + test_size(w) <= w->draws)
                st = test(w, err);
            if (st != GPA_OK || left == 0 || !(w->tested && w->failed))
                return st;
            continue; /* the test was a round */
        }
        size_t prior = (left * PRIOR_PERCENT + 99) / 100;
        st = next_round(w, prior, left, err);
    }
    return st;
}

/* The chains of the last round go on. Its marginals count as well, unless their
 * likelihood was another. */
static void sweep_on(struct work *w)
{
    size_t last = w->fits - 1;
    double own = w->power[last] == 1 ? 1.0 * ROUND_SWEEPS : 0;
    gpai_sweeps_run(&w->sweeps, &w->fit[last], w->lik + last * w->n, 1, w->chain,
                    w->chains, FINAL_SWEEPS, &w->after);
    for (size_t k = 0; k < w->axes; k++)
        for (size_t j = 0; j < w->sweeps.axis[k].cells; j++) {
            double *mass = &w->sweeps.axis[k].mass[j];
            double before = w->before[k * w->wide + j];
            *mass = (own * before + FINAL_SWEEPS * *mass) / (own + FINAL_SWEEPS);
        }
}

/* The last surrogate's posterior becomes the result. */
static void fill_cells(struct work *w)
{
    size_t n = FINAL_FREE;
    if (w->swept) {
        sweep_on(w);
        gpai_sweeps_show(&w->sweeps, &w->cells);
        return;
    }
    gpai_free_draws_match(&w->free_draws, free_size(w));
    sample_posterior(w, FINAL_FREE, 1, FINAL_PASSES, 0.02);
    gpai_cells_aim(&w->cells, w->free_draws.z, w->free_draws.w, n);
    gpai_cells_add(&w->cells, w->free_draws.z, NULL, w->free_draws.w, n);
    gpai_cells_finish(&w->cells, w->free_draws.ess);
}

/* The error of the last fit in noise scales. Too few effective rows cannot vouch for
 * it: then it is above GPAI_FAR_OFF in any case. */
static double largest_error(const struct work *w)
{
    double largest = w->ess < TOO_FEW ? GPAI_FAR_OFF * sqrt(TOO_FEW / w->ess) : 0;
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

static void report(struct work *w, gpa_explanation *e, gpai_sampling *out)
{
    weigh_rows(w);
    out->draws = w->done;
    out->ess = w->ess;
    out->still = w->still;
    out->change = w->drawn && w->swept ? w->change : (double)NAN;
    out->surrogate_error = largest_error(w);
    out->log_evidence = find_evidence(w);
    bool failed = w->tested && w->failed;
    if (failed)
        out->surrogate_error = fmax(out->surrogate_error, w->off);
    bool known = out->surrogate_error <= GPAI_FAR_OFF;
    char tested[64] = "the surrogate of the model is";
    if (failed)
        snprintf(tested, sizeof tested,
                 "%zu rows kept to test the surrogate of the model found it",
                 test_size(w));
    if (out->surrogate_error > DOUBTFUL || failed)
        gpai_result_note(
            e,
            "%s%s off by %.3g noise scales; more rows (--marginal-rows N) "
            "or --marginals exact would help",
            known ? "" : "how far the joint change may vary is not known: ", tested,
            out->surrogate_error);
}

gpa_status gpai_marginal_surrogate(gpai_problem *p, const gpai_space *s, size_t rows,
                                   uint64_t seed, uint64_t stream,
                                   const gpai_paid *paid, gpa_explanation *e,
                                   gpai_sampling *out, gpa_error *err)
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
                           .surrogate_error = (double)NAN,
                           .change = (double)NAN};
    if (s->axes == 0) {
        gpai_cells_frozen(e);
        return GPA_OK;
    }
    if (w.draws < LEAST_DRAWS)
        return GPA_OK;
    w.ld = (w.draws + GPAI_VPAD - 1) / GPAI_VPAD * GPAI_VPAD;
    size_t first = first_size(&w), per = round_size(&w, first + test_size(&w));
    w.batch = first > per ? first : per;
    w.most_known = paid->known < MOST_KNOWN ? paid->known : MOST_KNOWN;
    gpa_status st = open_work(&w, paid->profile, seed, stream, err);
    if (st != GPA_OK)
        goto done;
    use_known(&w, paid->delta, paid->f, paid->known);
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
