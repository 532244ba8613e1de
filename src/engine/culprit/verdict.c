#include "engine/culprit/verdict.h"
#include <math.h>
#include <string.h>

/* Prior weight of one, two and three guilty inputs, without triples and with them (eq.
 * 25). Chosen: single faults are the rule, and more than three cannot be told apart. */
static const double MASS[2][3] = {{0.7, 0.3, 0}, {0.6, 0.25, 0.15}};

/* 2 sigma: what 5 % of normal rows exceed. 1/2: likelier than not. */
static const double NORMAL = 2, SAYS_INPUT = 0.5, SAYS_OUTPUT = 0.5;

/* M choose size. */
static double ways(double m, size_t size)
{
    return size == 1 ? m : size == 2 ? m * (m - 1) / 2 : m * (m - 1) * (m - 2) / 6;
}

/* Shares of exp(l[i]) in their sum, in place, and ln of the sum; equal ones when there
 * is nothing. */
static double shares(double *l, size_t n)
{
    double top = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        top = l[i] > top ? l[i] : top;
    for (size_t i = 0; i < n; i++) {
        l[i] = isfinite(top) ? exp(l[i] - top) : 1;
        sum += l[i];
    }
    for (size_t i = 0; i < n; i++)
        l[i] /= sum;
    return isfinite(top) ? top + log(sum) : -HUGE_VAL;
}

double gpai_causes_inputs(const gpai_causes *c, double *weight, double *probability)
{
    double total = 0;
    const double *mass = MASS[c->triples];
    for (size_t i = 0; i < 3 && i < c->axes; i++)
        total += mass[i];
    for (size_t i = 0; i < c->subsets; i++) {
        size_t size = c->subset[i].size;
        weight[i] = c->subset[i].log_evidence +
                    log(mass[size - 1] / total / ways((double)c->axes, size));
    }
    double z = shares(weight, c->subsets);
    memset(probability, 0, c->axes * sizeof *probability);
    for (size_t i = 0; i < c->subsets; i++)
        for (size_t j = 0; j < c->subset[i].size; j++)
            probability[c->subset[i].axis[j]] += weight[i];
    return z;
}

void gpai_causes_single(const gpai_causes *c, double *single)
{
    for (size_t i = 0; i < c->subsets; i++)
        if (c->subset[i].size == 1)
            single[c->subset[i].axis[0]] = c->subset[i].log_evidence;
    shares(single, c->axes);
}

double gpai_causes_output(const gpai_causes *c, double inputs)
{
    if (c->axes == 0)
        return 1;
    double odds = inputs + log((double)c->axes) - c->output;
    if (isnan(odds)) /* nothing explains the rows at all */
        return 0.5;
    return 1 / (1 + exp(fmin(fmax(odds, -700), 700)));
}

gpa_verdict gpai_causes_verdict(const gpai_causes *c, double best, double output)
{
    if (c->rms <= NORMAL)
        return GPA_VERDICT_NORMAL;
    if (c->axes > 0 && best * (1 - output) > SAYS_INPUT)
        return GPA_VERDICT_INPUT;
    return output > SAYS_OUTPUT ? GPA_VERDICT_OUTPUT : GPA_VERDICT_TIED;
}
