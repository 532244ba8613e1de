#ifndef TEST_CULPRIT_SUPPORT_H
#define TEST_CULPRIT_SUPPORT_H

/* What the tests of the culprit search share. */
#include "support.h"

#include "base/alloc.h"
#include "engine/culprit/culprit.h"
#include "engine/culprit/density/known.h"

/* One question to the culprit search, from rows to verdict. */
struct question {
    gpa_model *model;
    size_t n, d;
    const double *x, *y, *unit, *f;
    const gpai_limits *limits;
    const double *reference; /* n_reference by d */
    size_t n_reference;
    gpai_culprit_options opt; /* crowd is made of the reference */
};

struct answer {
    gpai_problem p;
    gpai_space s;
    gpai_crowd crowd;
    gpai_moves *moves;
    gpai_exchanges exchanges;
    gpai_profile r;
    gpai_culprit c;
    double *unit;
    gpai_exact *exact;
};

static inline gpa_status look(struct answer *a, const struct question *q,
                              gpa_error *err)
{
    *a = (struct answer){.p = {.model = q->model,
                               .n = q->n,
                               .d = q->d,
                               .x = q->x,
                               .y = q->y,
                               .unit = q->unit,
                               .a = 1,
                               .eta = 2,
                               .nu = 0.1}};
    bool rows = q->reference != NULL && q->n_reference >= GPAI_CROWD_LEAST;
    gpai_culprit_options opt = q->opt;
    gpai_limits limits = q->limits != NULL ? *q->limits : (gpai_limits){0};
    a->unit = calloc(q->d, sizeof *a->unit);
    size_t most = rows ? q->n_reference : 0;
    double *median = calloc(q->d + most, sizeof *median);
    gpai_medians(q->reference, most, q->d, limits.inputs, median + q->d, median);
    gpai_culprit_units(&a->p, median, a->unit);
    free(median);
    a->p.unit = a->unit;
    limits.gaps = rows;
    gpa_status st = gpai_space_exact(&a->exact, q->d, &limits, err);
    a->p.exact = a->exact;
    if (st == GPA_OK)
        st = gpai_space_open(&a->s, &a->p, &limits, err);
    if (st == GPA_OK && rows)
        st = gpai_crowd_open(&a->crowd, &a->s, q->unit, q->reference, q->n_reference,
                             q->opt.mode == GPA_CULPRIT_ON, err);
    opt.crowd = rows ? &a->crowd : NULL;
    if (st == GPA_OK)
        st = gpai_problem_open(&a->p, gpai_culprit_rows(&a->s, q->n), err);
    if (st == GPA_OK)
        st = gpai_culprit_plan(&a->moves, &a->exchanges, &a->p, &a->s, opt.crowd, err);
    if (st == GPA_OK)
        st = gpai_culprit_ask(&a->r, &a->p, &a->s, a->moves, &a->exchanges,
                              q->opt.sigma, q->f, err);
    if (st == GPA_OK)
        st = gpai_culprit_weigh(&a->c, &a->p, &a->s, a->moves, &a->exchanges, &a->r,
                                &opt, err);
    return st;
}

static inline void forget(struct answer *a)
{
    gpai_culprit_close(&a->c);
    gpai_profile_close(&a->r);
    gpai_exchanges_close(&a->exchanges);
    gpai_free(a->moves);
    gpai_problem_close(&a->p);
    gpai_crowd_close(&a->crowd);
    gpai_space_close(&a->s);
    gpai_free(a->exact);
    free(a->unit);
}

static inline void look_well(struct answer *a, const struct question *q)
{
    gpa_error err = {GPA_OK, ""};
    if (look(a, q, &err) != GPA_OK)
        fail_msg("%s", err.message);
}

/* A linear model: the weights are its context. */
static inline int weighted(void *ctx, const double *x, size_t n, size_t d, double *y)
{
    const double *w = ctx;
    for (size_t i = 0; i < n; i++, x += d) {
        y[i] = 0;
        for (size_t k = 0; k < d; k++)
            y[i] += w[k] * x[k];
    }
    return 0;
}

#endif
