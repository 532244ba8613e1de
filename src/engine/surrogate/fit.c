#include "engine/surrogate/work.h"
#include <math.h>

enum {
    FIRST_STEPS = 9, /* evaluations of the likelihood in the first fit */
    STEPS = 3,       /* in the later ones, which start where the last ended */
    LAST_STEPS = 6   /* in the one behind the result */
};

/* Residuals beyond so many robust standard deviations count as that many. Where f is
 * stepped a few are far larger than all others; they would widen the likelihood for
 * every place, and with it the posterior. 3 were too sure on seven models, by 2 % of
 * the distance from gold. */
static const double OUTLYING = 12;

/* The roots of the weights, or a lower power of them that rests on an eighth of the
 * draws: an error must not be judged by a few rows next to each other. Sum 1. */
static void soften(gpai_surrogate *w)
{
    double peak = -HUGE_VAL;
    for (size_t i = 0; i < w->done; i++)
        peak = fmax(peak, w->log_w[i]);
    for (double power = 0.5; power > 1e-4; power *= 0.8)
        if (8 * gpai_surrogate_share(w, power, peak, w->root) >= (double)w->done)
            break;
}

/* The softened weight of a row of the kriging; those that were known have none. */
static double weight_of(const gpai_surrogate *w, size_t row)
{
    size_t id = w->kriging.id[row];
    return id < w->draws ? w->root[id] : 0;
}

/* The weighted median of |residual|, to within a millionth of the largest. */
static double find_median(const gpai_surrogate *w, const double *left_out,
                          double largest)
{
    double low = 0, high = largest, total = 0;
    for (size_t i = 0; i < w->kriging.rows; i++)
        total += weight_of(w, i);
    for (size_t halved = 0; halved < 20; halved++) {
        double middle = 0.5 * (low + high), below = 0;
        for (size_t i = 0; i < w->kriging.rows; i++)
            below += fabs(left_out[i]) <= middle ? weight_of(w, i) : 0;
        *(below < 0.5 * total ? &low : &high) = middle;
    }
    return high;
}

/* The mean square of residuals up to a size, by the softened weights. */
static double mean_square(const gpai_surrogate *w, const double *left_out, double most)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < w->kriging.rows && most > 0; i++) {
        double r = fmin(fabs(left_out[i]) / most, 1);
        sum += weight_of(w, i) * r * r;
        total += weight_of(w, i);
    }
    return total > 0 ? most * most * (sum / total) : 0;
}

/* The mean squares of the leave-one-out residuals, all and without what is outlying. */
static void find_error(gpai_surrogate *w)
{
    static const double MEDIAN_OF_NORMAL = 0.6745;
    const gpai_kriging *k = &w->kriging;
    for (size_t t = 0; t < w->n; t++) {
        const double *left_out = k->left_out + t * k->ld;
        double large = 0;
        for (size_t i = 0; i < k->rows; i++)
            large = k->id[i] < w->draws ? fmax(large, fabs(left_out[i])) : large;
        double most = OUTLYING / MEDIAN_OF_NORMAL * find_median(w, left_out, large);
        w->error[t] = mean_square(w, left_out, large);
        w->v_t[t] = mean_square(w, left_out, fmin(large, most));
    }
}

/* Several observed rows share one surrogate, whose errors at them may go together; then
 * they tell less than as many independent ones. With e2 = v a / b the error in noise
 * scales and c = 1 (independent) to n (the same for all) the variance of the errors'
 * sum over the sum of their variances, their information falls by (1 + e2) / (1 + c
 * e2). */
static double find_power(const gpai_surrogate *w)
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

gpa_status gpai_surrogate_fit(gpai_surrogate *w, bool last, gpa_error *err)
{
    size_t steps = last ? LAST_STEPS : w->fits == 0 ? FIRST_STEPS : STEPS;
    w->kriging.most = last ? GPAI_KRIGING_SUBSET_MOST : GPAI_KRIGING_SUBSET;
    gpa_status st = gpai_kriging_estimate(&w->kriging, steps, err);
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
    w->power[w->fits] = last ? 1 : find_power(w);
    w->fits++;
    return GPA_OK;
}

double gpai_surrogate_error(const gpai_surrogate *w)
{
    double largest = 0;
    for (size_t t = 0; t < w->n; t++)
        largest = fmax(largest, sqrt(w->error[t] * w->p->a / w->p->b[t]));
    return largest;
}
