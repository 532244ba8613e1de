#include "engine/surrogate/work.h"
#include <math.h>

enum {
    FIRST_STEPS = 9, /* evaluations of the likelihood in the first fit */
    STEPS = 3        /* in the later ones, which start where the last ended */
};

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

/* v_t: the mean square of the leave-one-out residuals, by the softened weights. */
static void find_error(gpai_surrogate *w)
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

/* Fits all rows asked so far; the fit's own error goes with it. */
gpa_status gpai_surrogate_fit(gpai_surrogate *w, gpa_error *err)
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
