#include "lab/planted/reliability.h"
#include "lab/planted/chance.h"
#include <math.h>

/* Narrow where most of what is stated lies, and where it matters. */
static const double BORDER[RELIABILITY_BINS + 1] = {0,   0.3,  0.5,  0.7,
                                                    0.9, 0.97, 0.99, 1};

void reliability_add(struct reliability *r, double p, bool came_true, double weight)
{
    size_t i = RELIABILITY_BINS - 1, tenth = RELIABILITY_TENTHS - 1;
    while (i > 0 && p < BORDER[i])
        i--;
    if (p < 1)
        tenth = (size_t)(RELIABILITY_TENTHS * fmax(p, 0));
    r->bin[i].cases++;
    r->bin[i].weight += weight;
    r->bin[i].square += weight * weight;
    r->bin[i].stated += weight * p;
    r->bin[i].true_ones += came_true ? weight : 0;
    r->off[tenth] += weight * (p - (came_true ? 1 : 0));
    r->weight += weight;
}

struct agreement reliability_bin(const struct reliability *r, size_t i)
{
    struct agreement a = {.from = BORDER[i],
                          .to = BORDER[i + 1],
                          .cases = r->bin[i].cases,
                          .stated = (double)NAN,
                          .share = (double)NAN};
    double weight = r->bin[i].weight;
    if (a.cases == 0)
        return a;
    double n = weight * weight / r->bin[i].square;
    a.stated = r->bin[i].stated / weight;
    a.share = fmin(1, r->bin[i].true_ones / weight);
    exact_interval(fmin(n, a.share * n), n, &a.low, &a.high);
    return a;
}

double reliability_error(const struct reliability *r)
{
    double sum = 0;
    for (size_t i = 0; i < RELIABILITY_TENTHS; i++)
        sum += fabs(r->off[i]);
    return r->weight > 0 ? sum / r->weight : (double)NAN;
}
