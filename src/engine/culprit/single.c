#include "engine/culprit/single.h"
#include "engine/culprit/evidence.h"
#include "engine/culprit/moves.h"
#include "engine/culprit/subsets.h"
#include <math.h>
#include <stdlib.h>

double gpai_single_scale(double sigma, double ratio)
{
    return ratio / (2 * GPAI_LIKELIHOOD_SHAPE * sigma * sigma);
}

double gpai_single_weigh(const gpai_profile *r, size_t axis, const double *move,
                         const double *residual, double scale, double *l)
{
    enum { STEP = GPAI_MOVES / GPAI_PAIR_CELLS };
    gpai_place place[GPAI_MOVES];
    double u[GPAI_MOVES], product[GPAI_MOVES], reach = 0;
    gpai_tally tally = {.count = GPAI_MOVES, .product = product, .log = l};
    gpai_tally_start(&tally);
    gpai_profile_places(r, axis, move, GPAI_MOVES, place);
    for (size_t t = 0; t < r->n; t++) {
        double widest = 0;
        gpai_profile_change(r, axis, t, place, GPAI_MOVES, u);
        gpai_tally_row(&tally, residual[t], u, gpai_profile_reach(r, axis, t), scale);
        for (size_t i = STEP / 2; i < GPAI_MOVES; i += STEP)
            if (isfinite(u[i]) && fabs(u[i]) > widest)
                widest = fabs(u[i]);
        reach += widest / (double)r->n;
    }
    gpai_tally_finish(&tally);
    return reach;
}

static int falling(const void *a, const void *b)
{
    const gpai_ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->axis > y->axis) - (x->axis < y->axis);
}

void gpai_rank_axes(const double *value, size_t axes, gpai_ranked *out)
{
    for (size_t i = 0; i < axes; i++)
        out[i] = (gpai_ranked){value[i], i};
    qsort(out, axes, sizeof *out, falling);
}
