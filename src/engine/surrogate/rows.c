#include "engine/objective.h"
#include "engine/surrogate/work.h"
#include <math.h>
#include <string.h>

/* Whether a known answer is feasible and no part of a line, which serves otherwise;
 * `nearest` is room for it. */
static bool is_usable(const gpai_surrogate *w, const double *at, double *nearest)
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

/* What became of a known answer. */
enum { USELESS, USABLE, USED };

void gpai_surrogate_know(gpai_surrogate *w)
{
    for (size_t i = 0; i < w->paid->known; i++) {
        bool usable = is_usable(w, w->paid->delta + i * w->p->d, w->delta);
        w->use[i] = usable ? USABLE : USELESS;
        w->usable += usable ? 1 : 0;
    }
}

/* A surrogate in floats cannot hold what is so many noise scales from y, and need not.
 */
static const double FARTHEST = 1e6;

static void fetch(const gpai_surrogate *w, double *f, size_t rows)
{
    for (size_t i = 0; i < rows * w->n; i++) {
        double y = w->p->y[i % w->n],
               far = FARTHEST * sqrt(w->p->b[i % w->n] / w->p->a);
        if (isfinite(f[i]))
            f[i] = fmin(fmax(f[i], y - far), y + far);
    }
}

static void use_one(gpai_surrogate *w, size_t i)
{
    double *at = w->delta, *z = w->known_z + w->known * w->axes;
    memcpy(at, w->paid->delta + i * w->p->d, w->p->d * sizeof *at);
    gpai_space_project(w->s, at);
    for (size_t k = 0; k < w->axes; k++) {
        double value = gpai_axis_value(w->s, k, at);
        z[k] = fmin(fmax(gpai_lines_z(&w->cells.quantiles, k, value), -6), 6);
    }
    memcpy(w->known_f + w->known * w->n, w->paid->f + i * w->n, w->n * sizeof *z);
    w->use[i] = USED;
    w->known++;
}

void gpai_surrogate_use(gpai_surrogate *w, size_t most)
{
    size_t old = w->known, rest = w->usable - old, seen = 0;
    most = most < w->most - old ? most : w->most - old;
    most = most < rest ? most : rest;
    for (size_t i = 0; i < w->paid->known && w->known < old + most; i++) {
        size_t next = most > 1 ? (w->known - old) * (rest - 1) / (most - 1) : 0;
        if (w->use[i] == USABLE && seen++ == next)
            use_one(w, i);
    }
    fetch(w, w->known_f + old * w->n, w->known - old);
    gpai_kriging_add(&w->kriging, w->known_z + old * w->axes, w->known_f + old * w->n,
                     w->known - old, w->draws + old);
}

gpa_status gpai_surrogate_ask(gpai_surrogate *w, size_t end, size_t beside,
                              gpa_error *err)
{
    size_t count[] = {end - w->done, beside}, q = w->axes, n = w->n;
    size_t from[] = {w->done, w->draws - w->beside - beside};
    double *answer = w->predicted; /* room for more than a batch */
    for (size_t i = 0, at = 0; i < 2; at += count[i++]) {
        gpai_surrogate_snap(w, w->z + from[i] * q, count[i]);
        gpai_quantiles_delta(&w->cells.quantiles, w->z + from[i] * q, count[i],
                             w->delta + at * w->p->d);
    }
    gpa_status st =
        gpai_predict_points(w->p, w->delta, NULL, count[0] + count[1], answer, err);
    for (size_t i = 0; i < 2 && st == GPA_OK; answer += count[i++] * n) {
        memcpy(w->f + from[i] * n, answer, count[i] * n * sizeof *answer);
        fetch(w, answer, count[i]);
        gpai_kriging_add(&w->kriging, w->z + from[i] * q, answer, count[i], from[i]);
    }
    w->done = end;
    w->beside += beside;
    return st;
}

/* total[i] += power ln lik~ of the points z (n by axes) under a fit. */
void gpai_surrogate_likelihood(const gpai_surrogate *w, size_t fit, double power,
                               const double *z, size_t n, double *total)
{
    for (size_t i = 0; i < n; i += GPAI_SURROGATE_CHUNK) {
        size_t count = n - i < GPAI_SURROGATE_CHUNK ? n - i : GPAI_SURROGATE_CHUNK;
        memcpy(w->snapped, z + i * w->axes, count * w->axes * sizeof *z);
        gpai_surrogate_snap(w, w->snapped, count);
        gpai_kriging_fit_predict(&w->fit[fit], w->snapped, count, w->predicted,
                                 GPAI_SURROGATE_CHUNK);
        for (size_t t = 0; t < w->n; t++)
            gpai_widened_add(&w->lik[fit * w->n + t], power,
                             w->predicted + t * GPAI_SURROGATE_CHUNK, count, total + i);
    }
}

/* ln of the density of fit c's posterior over the prior's, at the draws from `from`. */
void gpai_surrogate_component(gpai_surrogate *w, size_t c, size_t from)
{
    double *log_q = w->log_q + c * w->ld;
    memset(log_q + from, 0, (w->done - from) * sizeof *log_q);
    gpai_surrogate_likelihood(w, c, w->power[c], w->z + from * w->axes, w->done - from,
                              log_q + from);
    for (size_t i = from; i < w->done; i++)
        log_q[i] = isnan(log_q[i]) ? -HUGE_VAL : log_q[i] - w->log_norm[c];
}

/* ln sum_c count_c q_c / prior at draw i: what the mixture of all rounds puts there. */
static double mixture(const gpai_surrogate *w, size_t i)
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
double gpai_surrogate_share(const gpai_surrogate *w, double power, double peak,
                            double *to)
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
bool gpai_surrogate_weigh(gpai_surrogate *w)
{
    double peak = -HUGE_VAL;
    for (size_t i = 0; i < w->done; i++) {
        w->log_w[i] = -gpai_data_term(w->p, w->f + i * w->n) - mixture(w, i);
        peak = fmax(peak, w->log_w[i]);
    }
    if (!isfinite(peak))
        return false;
    w->ess = gpai_surrogate_share(w, 1, peak, w->root);
    return true;
}

/* The mean of likelihood over what each draw's own round was drawn from. Later rounds
 * are left out of it, unlike in the weights: a fit is exact at the rows it was made
 * from, and their share of the evidence would come out too small. */
double gpai_surrogate_evidence(const gpai_surrogate *w)
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
