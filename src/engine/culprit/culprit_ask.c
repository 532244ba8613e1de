#include "base/alloc.h"
#include "base/math/sort.h"
#include "base/status.h"
#include "base/workspace.h"
#include "engine/culprit/culprit.h"
#include "engine/culprit/evidence.h"
#include "engine/culprit/subsets.h"

/* One stage of many moves; or, for many axes, of few moves, and a second one for the
 * likeliest axes. 24 quantiles of the prior find the optimum of a smooth f to within
 * its width; with 25 axes that is 600 rows, which is what an explanation may cost.
 * Chosen on
 * planted faults. */
enum { NODES = 24, FEW_NODES = 8, STAGED_ABOVE = 25, SECOND_STAGE = 8 };

static bool is_staged(const gpai_space *s)
{
    return s->axes > STAGED_ABOVE;
}

uint64_t gpai_culprit_rows(const gpai_space *s, size_t n)
{
    if (!is_staged(s))
        return gpai_profile_rows(s, n, NODES);
    return gpai_profile_rows(s, n, FEW_NODES) + (uint64_t)n * NODES * SECOND_STAGE;
}

struct second {
    const gpai_space *s;
    size_t n;
    gpai_ranked *order;          /* axes */
    double *evidence, *residual; /* axes, n */
};

static void lay_out(void *work, gpai_arena *a)
{
    struct second *w = work;
    w->order = gpai_take_bytes(a, w->s->axes, sizeof *w->order);
    w->evidence = gpai_take(a, w->s->axes, 1);
    w->residual = gpai_take(a, w->n, 1);
}

/* The axes of highest evidence in a coarse profile. It misses narrow optima, so the
 * noise is taken as wide as it is (ratio 1); reference rows have no say. */
static gpa_status choose_second(const gpai_problem *p, const gpai_space *s,
                                const gpai_profile *r, const gpai_prior *prior,
                                double sigma, size_t *chosen, gpa_error *err)
{
    double l[GPAI_MOVES], scale = gpai_single_scale(sigma, 1);
    gpai_move_table moves = {0};
    struct second w = {.s = s, .n = p->n};
    double *block = gpai_carve(lay_out, &w);
    gpa_status st = block != NULL ? gpai_move_table_open(&moves, s, prior, err)
                                  : gpai_nomem(err, "culprit");
    if (st != GPA_OK)
        goto done;
    for (size_t t = 0; t < p->n; t++)
        w.residual[t] = p->y[t] - r->base[t];
    for (size_t i = 0; i < s->axes; i++) {
        gpai_single_weigh(r, i, moves.of[i], w.residual, scale, l);
        w.evidence[i] = gpai_log_mean_exp(l, GPAI_MOVES, l);
    }
    gpai_rank(w.evidence, s->axes, w.order);
    for (size_t i = 0; i < SECOND_STAGE; i++)
        chosen[i] = w.order[i].place;
done:
    gpai_move_table_close(&moves);
    gpai_free(block);
    return st;
}

/* More moves of the likeliest axes; those that have them all are left out. */
static gpa_status ask_again(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            const gpai_prior *prior, double sigma, gpa_error *err)
{
    size_t chosen[SECOND_STAGE], open = 0;
    gpa_status st = choose_second(p, s, r, prior, sigma, chosen, err);
    if (st != GPA_OK)
        return st;
    for (size_t i = 0; i < SECOND_STAGE; i++)
        if (!r->whole[chosen[i]])
            chosen[open++] = chosen[i];
    if (open == 0)
        return GPA_OK;
    return gpai_profile_ask(r, p, s, prior, chosen, open, NODES, NULL, err);
}

gpa_status gpai_culprit_ask(gpai_profile *r, gpai_problem *p, const gpai_space *s,
                            double sigma, const double *f, gpa_error *err)
{
    gpai_prior prior = gpai_prior_make(GPAI_CULPRIT_ETA, GPAI_CULPRIT_NU);
    bool staged = is_staged(s);
    size_t nodes = staged ? FEW_NODES : NODES;
    gpa_status st =
        gpai_profile_open(r, p, s, nodes, staged ? SECOND_STAGE : 0, NODES, err);
    if (st != GPA_OK)
        return st;
    size_t *axis = gpai_calloc(s->axes, sizeof *axis);
    if (axis == NULL) {
        st = gpai_nomem(err, "culprit");
        goto done;
    }
    for (size_t i = 0; i < s->axes; i++)
        axis[i] = i;
    st = gpai_profile_ask(r, p, s, &prior, axis, s->axes, nodes, f, err);
    if (st == GPA_OK && staged)
        st = ask_again(r, p, s, &prior, sigma, err);
done:
    gpai_free(axis);
    if (st != GPA_OK)
        gpai_profile_close(r);
    return st;
}
