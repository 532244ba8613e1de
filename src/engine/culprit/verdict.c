#include "engine/culprit/verdict.h"
#include <math.h>
#include <string.h>

/* All that is believed before anything is seen, without reference rows and with them.
 * Fitted to planted faults in seven real data sets with two models each, every set in
 * turn left out; lab/planted/fit.py does it again (docs/methods.md, "Calibration"). */
static const struct belief {
    /* Prior weight of one, two and three wrong inputs: single faults are the rule, and
     * more than three cannot be told apart. */
    double mass[3];
    /* Of that, "two columns exchanged", shared by all pairs. */
    double exchange;
    /* The share of faults that follow none of these ideas; any cause is as likely as
     * beforehand. It
     * makes the largest probabilities honest: evidence is right or beside the point,
     * and rarely too sharp by a factor. The second is for "y or the model": where no
     * rows say what is plausible, every other input that cannot be off as far as it is
     * looks like it. */
    double stray, stray_output;
    /* ln odds of "y or the model" = slope (what evidence says) + shift. A wrong input
     * in an otherwise normal row looks like a somewhat wrong y, too (shift < 0), and
     * evidences of two worlds differ by more than either world knows of (slope < 1). */
    double slope, shift;
} BELIEF[2] = {{{0.70, 0.30, 0}, 0, 0.15, 0.50, 0.45, -2.4},
               {{0.79, 0.16, 0.05}, 0.04, 0.005, 0.01, 0.6, -1.5}};

/* 2 sigma: what 5 % of normal rows exceed; 3 standard errors: rows that are off by
 * little, but all alike. To accuse an input it has to be sure;
 * before anything is seen, "y or the model" has only one part in M + 1, and a third is
 * much, unless an input has more. */
static const double NORMAL = 2, DRIFT = 3, SAYS_INPUT = 0.8, SAYS_OUTPUT = 0.3;

/* What a model, or what is known of it between the places it was asked at, gets wrong
 * in one row it gets wrong in the next: rows say together which inputs it is as much as
 * so many of them would, and whether it is one at all. Chosen on 60 rows of a ramp, an
 * offset, and both in y, with boosted trees and a network: without, innocents had more
 * than 90 % in 18 of 50 ramps; were y to count as little, it would be found less often.
 */
static const double WITNESSES = 12, WITNESSES_OF_OUTPUT = 40;

static double counts(const gpai_causes *c, double witnesses)
{
    return (double)c->rows > witnesses ? witnesses / (double)c->rows : 1;
}

static const struct belief *belief_of(const gpai_causes *c)
{
    return &BELIEF[c->reference];
}

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

/* A share of the faults is stray: any of n causes. */
static double temper(const gpai_causes *c, double p, double n)
{
    double stray = belief_of(c)->stray;
    return (1 - stray) * p + stray / n;
}

double gpai_causes_inputs(const gpai_causes *c, double *weight, double *probability)
{
    const struct belief *b = belief_of(c);
    double total = 0, exchange = 0, prior[3];
    size_t sizes = c->triples ? 3 : 2;
    double part = counts(c, WITNESSES);
    for (size_t i = 0; i < sizes && i < c->axes; i++)
        total += b->mass[i];
    for (size_t i = 0; i < c->subsets; i++)
        if (c->subset[i].exchanged && isfinite(c->subset[i].log_evidence))
            exchange = b->exchange;
    for (size_t i = 0; i < 3; i++)
        prior[i] =
            log(b->mass[i] / total * (1 - exchange) / ways((double)c->axes, i + 1));
    exchange = log(exchange / ways((double)c->axes, 2));
    for (size_t i = 0; i < c->subsets; i++) {
        const gpai_subset *s = &c->subset[i];
        weight[i] =
            part * s->log_evidence + (s->exchanged ? exchange : prior[s->size - 1]);
    }
    double z = shares(weight, c->subsets);
    memset(probability, 0, c->axes * sizeof *probability);
    for (size_t i = 0; i < c->subsets; i++)
        for (size_t j = 0; j < c->subset[i].size; j++)
            probability[c->subset[i].axis[j]] += weight[i];
    for (size_t i = 0; i < c->axes; i++)
        probability[i] = temper(c, probability[i], (double)c->axes);
    for (size_t i = 0; i < c->subsets; i++)
        weight[i] = temper(c, weight[i], HUGE_VAL);
    return z;
}

void gpai_causes_single(const gpai_causes *c, double *single)
{
    for (size_t i = 0; i < c->subsets; i++)
        if (c->subset[i].size == 1)
            single[c->subset[i].axis[0]] =
                counts(c, WITNESSES) * c->subset[i].log_evidence;
    shares(single, c->axes);
    for (size_t i = 0; i < c->axes; i++)
        single[i] = temper(c, single[i], (double)c->axes);
}

double gpai_causes_output(const gpai_causes *c, double inputs)
{
    const struct belief *b = belief_of(c);
    double m = (double)c->axes, prior = isnan(c->prior) ? 1 / (m + 1) : c->prior;
    if (c->axes == 0)
        return 1;
    double evidence = counts(c, WITNESSES_OF_OUTPUT) * (c->output - inputs) - log(m);
    if (isnan(evidence)) /* nothing explains the rows at all */
        evidence = 0;
    double odds = b->slope * evidence + b->shift + log(prior / (1 - prior)) + log(m);
    double p = 1 / (1 + exp(-fmin(fmax(odds, -700), 700)));
    return (1 - b->stray_output) * p + b->stray_output * prior;
}

bool gpai_causes_normal(const gpai_causes *c)
{
    return c->rms <= NORMAL && c->errors <= DRIFT;
}

gpa_verdict gpai_causes_verdict(const gpai_causes *c, double best, double output)
{
    if (gpai_causes_normal(c))
        return GPA_VERDICT_NORMAL;
    if (c->guessed > 1 - SAYS_INPUT) /* nothing else can be sure then */
        return GPA_VERDICT_TIED;
    if (c->axes > 0 && best * (1 - output) > SAYS_INPUT)
        return GPA_VERDICT_INPUT;
    return output > SAYS_OUTPUT && output >= best * (1 - output) ? GPA_VERDICT_OUTPUT
                                                                 : GPA_VERDICT_TIED;
}
