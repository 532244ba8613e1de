#include "base/math/sobol.h"
#include "base/rng.h"
#include "engine/map/fast_work.h"
#include "engine/objective.h"
#include <math.h>
#include <string.h>

/* Other starts, where f is stepped. A local search ends where no input, alone or with
 * another, gains; two reasons to distrust that are worth rows. What was seen may be far
 * from explained, because two inputs must cross over together (f has their product) and
 * each alone makes it worse: then draws of the prior, and what is bred from the best of
 * them, look for another region. Or one input moved far where several could have moved
 * a little, or not at all: then its move is halved, and then taken back, and the others
 * answer. Each is kept only when the search from there ends lower. */

/* Measured on 24 forests and boosted trees of seven tables; fewer draws miss the other
 * region more often than not, more find little. */
enum { DRAWS = 96, GENERATIONS = 4, CHILDREN = 24 };

/* What a row's data term must exceed to count as not explained: three noise scales or
 * so. */
static const double UNEXPLAINED = 3;

/* And so many times that, not to be explained by settling either: measured on 1,800
 * answers about ten models, from 1.5 on it never was. */
static const double LOST = 1.5;

/* Of the penalty, in the order of draws and children: the search takes most of it back.
 */
static const double PENALTY_SHARE = 0.25;

/* Of a child's axes: as observed; half of the others are the second parent's. */
static const double AS_OBSERVED = 0.3;

/* Calls after which a third start is one too many. */
enum { TIRED = 24 };

/* An axis as observed, or as near as it may be. */
static double rest(const gpai_axis *a)
{
    return a->kind == GPAI_AXIS_CHOICE ? (double)a->now : gpai_axis_snap(a, 0);
}

/* The parents are kept ascending by score. */
static void keep_parent(gpai_fast *w, const double *point, double score)
{
    size_t d = w->q->p->d, at = GPAI_FAST_PARENTS;
    while (at > 0 && score < w->score[at - 1])
        at--;
    if (at == GPAI_FAST_PARENTS)
        return;
    size_t behind = GPAI_FAST_PARENTS - 1 - at;
    double *to = w->parent + at * d;
    memmove(w->score + at + 1, w->score + at, behind * sizeof *w->score);
    memmove(to + d, to, behind * d * sizeof *to);
    w->score[at] = score;
    memcpy(to, point, d * sizeof *to);
}

/* Asks the first k points. */
static gpa_status judge(gpai_fast *w, size_t k)
{
    gpai_search *q = w->q;
    gpa_status st = gpai_search_ask(q, k, w->probe_f);
    for (size_t i = 0; i < k && st == GPA_OK; i++) {
        const double *point = q->points + i * q->p->d;
        double score = gpai_data_term(q->p, w->probe_f + i * q->p->n) +
                       PENALTY_SHARE * gpai_space_penalty(q->s, point);
        if (isfinite(score))
            keep_parent(w, point, score);
    }
    return st;
}

static gpa_status draw_parents(gpai_fast *w)
{
    gpai_search *q = w->q;
    gpai_sobol sobol;
    gpa_status st = gpai_sobol_open(&sobol, q->s->axes, 1, 0, q->err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < GPAI_FAST_PARENTS; i++)
        w->score[i] = HUGE_VAL;
    for (size_t k = 0; k < DRAWS; k++) {
        double *point = q->points + k * q->p->d, *u = w->square; /* spent */
        memset(point, 0, q->p->d * sizeof *point);
        gpai_sobol_fill(&sobol, 1, u);
        for (size_t i = 0; i < q->s->axes; i++)
            gpai_axis_set(q->s, i, gpai_axis_quantile(q->s, i, u[i]), point);
    }
    gpai_sobol_close(&sobol);
    return judge(w, DRAWS);
}

/* A child of two parents. */
static void cross(const gpai_fast *w, size_t parents, gpai_rng *rng, double *child)
{
    const gpai_space *s = w->q->s;
    size_t d = w->q->p->d, own = (size_t)(gpai_rng_unit(rng) * (double)parents),
           other = (size_t)(gpai_rng_unit(rng) * (double)parents);
    memcpy(child, w->parent + own * d, d * sizeof *child);
    for (size_t i = 0; i < s->axes; i++) {
        double u = gpai_rng_unit(rng);
        if (u < AS_OBSERVED)
            gpai_axis_set(s, i, rest(&s->axis[i]), child);
        else if (u < 0.5 * (1 + AS_OBSERVED))
            gpai_axis_set(s, i, gpai_axis_value(s, i, w->parent + other * d), child);
    }
}

static gpa_status breed(gpai_fast *w)
{
    gpai_rng rng = gpai_rng_make(1, 1);
    gpa_status st = GPA_OK;
    for (int i = 0; i < GENERATIONS && st == GPA_OK && !w->q->budget_hit; i++) {
        size_t parents = 0;
        while (parents < GPAI_FAST_PARENTS && w->score[parents] < HUGE_VAL)
            parents++;
        if (parents == 0)
            return GPA_OK;
        for (size_t k = 0; k < CHILDREN; k++)
            cross(w, parents, &rng, w->q->points + k * w->q->p->d);
        st = judge(w, CHILDREN);
    }
    return st;
}

/* Searches from a start, and returns to where it was unless that ends lower. */
static gpa_status search_from(gpai_fast *w, const double *start, gpai_map *result,
                              double *gain)
{
    gpai_search *q = w->q;
    size_t d = q->p->d, n = q->p->n;
    double was = q->objective;
    gpai_map found = {0};
    memcpy(w->kept, q->delta, d * sizeof *w->kept);
    memcpy(w->kept + d, q->f, n * sizeof *w->kept);
    memmove(q->points, start, d * sizeof *start);
    gpa_status st = gpai_search_ask(q, 1, w->probe_f);
    if (st != GPA_OK || !gpai_all_finite(w->probe_f, n))
        return st;
    gpai_search_move(q, q->points, w->probe_f,
                     gpai_data_term(q->p, w->probe_f) +
                         gpai_space_penalty(q->s, q->points));
    st = gpai_fast_wide_round(w, &found);
    if (st == GPA_OK)
        st = gpai_fast_settle_round(w, &found);
    result->iterations += found.iterations;
    *gain = was - q->objective;
    if (*gain > 0)
        return st;
    *gain = 0;
    gpai_search_move(q, w->kept, w->kept + d, was);
    return st;
}

static gpa_status from_draws(gpai_fast *w, gpai_map *result, double *gain)
{
    w->drawn = true;
    gpa_status st = draw_parents(w);
    if (st == GPA_OK)
        st = breed(w);
    if (st == GPA_OK && w->score[0] < HUGE_VAL && !w->q->budget_hit)
        st = search_from(w, w->parent, result, gain);
    return st;
}

/* Searches from a share of the costliest move; adds the gain. */
static gpa_status from_share(gpai_fast *w, double share, gpai_map *result, double *gain)
{
    const gpai_search *q = w->q;
    size_t axis = 0;
    double most = 0;
    for (size_t i = 0; i < q->s->axes; i++) {
        double price = gpai_axis_penalty(q->s, i, gpai_axis_value(q->s, i, q->delta));
        if (price > most) {
            most = price;
            axis = i;
        }
    }
    if (!(most > 0) || q->budget_hit)
        return GPA_OK;
    const gpai_axis *a = &q->s->axis[axis];
    double left = share * gpai_axis_value(q->s, axis, q->delta), by = 0;
    memcpy(w->parent, q->delta, q->p->d * sizeof *w->parent);
    gpai_axis_set(q->s, axis,
                  a->kind == GPAI_AXIS_CHOICE ? rest(a) : gpai_axis_snap(a, left),
                  w->parent);
    gpa_status st = search_from(w, w->parent, result, &by);
    *gain += by;
    return st;
}

bool gpai_fast_is_lost(const gpai_fast *w)
{
    const gpai_search *q = w->q;
    return gpai_data_term(q->p, q->f) > LOST * UNEXPLAINED * (double)q->p->n;
}

gpa_status gpai_fast_elsewhere(gpai_fast *w, bool thorough, gpai_map *result,
                               double *gain)
{
    const gpai_search *q = w->q;
    *gain = 0;
    if (q->budget_hit)
        return GPA_OK;
    if (gpai_data_term(q->p, q->f) > UNEXPLAINED * (double)q->p->n)
        return w->drawn ? GPA_OK : from_draws(w, result, gain);
    if (!thorough)
        return GPA_OK;
    gpa_status st = from_share(w, 0.5, result, gain);
    bool tired = q->p->calls - w->before > TIRED;
    return st == GPA_OK && !tired ? from_share(w, 0, result, gain) : st;
}
