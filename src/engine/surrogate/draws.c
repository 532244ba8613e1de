#include "base/math/special.h"
#include "engine/surrogate/work.h"
#include <math.h>
#include <string.h>

enum {
    FIRST_FREE = 2048,  /* free draws that choose the rows of the first round, */
    ROUND_FREE = 4096,  /* and of the others */
    FINAL_PASSES = 3,   /* until the last free draws fit their posterior */
    MOST_PASSES = 12,   /* as long as hardly any draw does */
    FIRST_CHAINS = 128, /* in the first round, whose marginals nobody looks at */
    ROUND_SWEEPS = 1,
    BINS = 25 /* of equal probability, to see what a round changed */
};

/* Free draws need no other pass when so much of the last round's effective share is
 * left, nor after one that did not raise the share by this factor. */
static const double AS_BEFORE = 0.5, BETTER = 1.25;

/* Draws that carry a round's free draws, below which chains that begin at them have the
 * shares of separate modes by chance. Chosen: of rows of a network, a forest and a
 * support vector machine 470 to 1,600 did, of functions with several modes 110 to 350.
 */
static const double FEW_CARRY = 400;

/* Whether this is a first round before others: it chooses rows, and no more. */
static bool is_first(const gpai_surrogate *w)
{
    return w->fits == 1 && w->draws >= GPAI_SURROGATE_FIRST +
                                           GPAI_SURROGATE_LEAST * GPAI_SURROGATE_ROUND +
                                           GPAI_SURROGATE_TEST;
}

size_t gpai_surrogate_free(const gpai_surrogate *w)
{
    return is_first(w) ? FIRST_FREE : ROUND_FREE;
}

/* Free draws of the last fit's posterior; passes until they fit it, or as well as a
 * normal can. Where y is far out nearly all weight is one draw's at first, and a pass
 * may even make that worse: a normal around one draw would be the end of it. Other
 * draws each round, so that none is picked twice. */
bool gpai_surrogate_sample(gpai_surrogate *w, size_t n, double power, size_t passes,
                           double enough)
{
    gpai_free_draws *free_draws = &w->free_draws;
    bool lost = true;
    size_t last = w->fits - 1, first = last * n % free_draws->room;
    first = w->kriging.bad == 0 ? 0 : first;
    first = n < free_draws->room ? first : 0;
    gpai_free_draws_fill(free_draws, &w->free, first + n);
    double wanted = w->fitted > 0 ? fmin(enough, AS_BEFORE * w->fitted) : enough;
    for (size_t pass = 0; pass < (lost ? MOST_PASSES : passes); pass++) {
        double before = pass > 0 ? w->fitted : 0;
        if (pass > 0)
            gpai_free_draws_match(free_draws, n);
        gpai_free_draws_draw(free_draws, first, n);
        gpai_surrogate_likelihood(w, last, power, free_draws->z, n, free_draws->log_w);
        if (!gpai_free_draws_weigh(free_draws, n))
            return false;
        w->fitted = free_draws->ess / (double)n;
        lost = free_draws->ess < GPAI_SURROGATE_LEAST_FREE;
        if (!lost && (w->fitted > wanted || w->fitted < BETTER * before))
            break;
        wanted = enough;
    }
    return true;
}

/* Some of n free draws at even steps of their cumulated weights, none of them twice if
 * `once`. */
static void resample(gpai_surrogate *w, size_t n, size_t count, bool once, double *to)
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
static double change_of(const gpai_surrogate *w, size_t axis)
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

/* Chains begin where n free draws are, and cells are aimed at those. */
static void begin(gpai_surrogate *w, size_t n)
{
    gpai_sweeps_aim(&w->sweeps, w->free_draws.z, w->free_draws.w, n);
    resample(w, n, w->chains, false, w->chain);
    gpai_surrogate_snap(w, w->chain, w->chains);
}

/* Sweeps over the last fit's posterior, from free draws of it. Their random numbers are
 * the same in every round: what changes is the surrogate. */
static void sweep(gpai_surrogate *w)
{
    size_t last = w->fits - 1, n = gpai_surrogate_free(w);
    gpai_rng rng = w->rng;
    w->chains = is_first(w) ? FIRST_CHAINS : GPAI_SURROGATE_CHAINS;
    begin(w, n);
    w->rng = rng;
    gpai_sweeps_run(&w->sweeps, &w->fit[last], w->lik + last * w->n, w->power[last],
                    w->chain, w->chains, ROUND_SWEEPS, &rng);
    w->after = rng;
}

/* The marginals of this round, and what they changed. Where f is not finite everywhere
 * there are none: the free draws must do. */
void gpai_surrogate_look(gpai_surrogate *w)
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

gpa_status gpai_surrogate_next(gpai_surrogate *w, size_t prior, size_t beside,
                               size_t count, gpa_error *err)
{
    size_t old = w->done, last = w->fits - 1;
    beside = w->swept ? beside : 0; /* else there are no chains to move */
    gpai_surrogate_move(w, beside);
    count -= beside;
    size_t picks = count - prior;
    double *to = w->z + w->done * w->axes;
    gpai_sobol_fill(&w->prior, prior, to);
    for (size_t i = 0; i < prior * w->axes; i++)
        to[i] = gpai_norm_quantile(to[i]);
    to += prior * w->axes;
    if (!w->swept)
        resample(w, gpai_surrogate_free(w), picks, true, to);
    for (size_t i = 0; i < picks && w->swept;
         i++, to += w->axes) { /* all chains differ */
        size_t j = (GPAI_SURROGATE_FITS * i + last) * w->chains /
                   (GPAI_SURROGATE_FITS * picks);
        memcpy(to, w->chain + j * w->axes, w->axes * sizeof *to);
    }
    w->prior_count += prior;
    w->count[last] = picks;
    w->begin[last] = old;
    w->begin[last + 1] = old + count;
    w->prior_of[last] = prior;
    gpa_status st = gpai_surrogate_ask(w, old + count, beside, err);
    for (size_t c = 0; c < w->fits && st == GPA_OK; c++)
        gpai_surrogate_component(w, c, c + 1 == w->fits ? 0 : old);
    return st;
}

/* Posterior probability that may lie where no row met it, of each noise scale that the
 * surrogate is off by, and at most. It goes to the prior. Chosen: the lowest cover of
 * the 90 % intervals rose on six models of trees, by up to .06, and no distance from
 * gold did by more than about 1 %. */
static const double UNMET = 0.03, MOST_UNMET = 0.08;

/* Not from the last fit, which no round has tested: a mode that it alone has would be
 * entered. */
void gpai_surrogate_begin_anew(gpai_surrogate *w)
{
    double carry = w->fitted * (double)gpai_surrogate_free(w);
    if (w->swept && carry < FEW_CARRY &&
        gpai_surrogate_sample(w, GPAI_SURROGATE_FREE, w->power[w->fits - 1],
                              FINAL_PASSES, 0.1))
        begin(w, GPAI_SURROGATE_FREE);
}

/* The chains of the last round go on, or free draws are made anew. */
void gpai_surrogate_show(gpai_surrogate *w)
{
    size_t n = GPAI_SURROGATE_FREE, last = w->fits - 1;
    if (w->swept) {
        gpai_sweeps_run(&w->sweeps, &w->fit[last], w->lik + last * w->n, 1, w->chain,
                        w->chains, GPAI_SURROGATE_FINAL_SWEEPS, &w->after);
        gpai_sweeps_blend(&w->sweeps,
                          fmin(UNMET * gpai_surrogate_error(w), MOST_UNMET));
        gpai_sweeps_show(&w->sweeps, &w->cells);
        return;
    }
    gpai_free_draws_match(&w->free_draws, gpai_surrogate_free(w));
    gpai_surrogate_sample(w, n, 1, FINAL_PASSES, 0.02);
    gpai_cells_aim(&w->cells, w->free_draws.z, w->free_draws.w, n);
    gpai_cells_add(&w->cells, w->free_draws.z, NULL, w->free_draws.w, n);
    gpai_cells_finish(&w->cells, w->free_draws.ess);
}
