#include "engine/culprit/evidence.h"
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
